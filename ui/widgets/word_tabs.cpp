// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/word_tabs.h"

#include <QPainter>

namespace ui {

namespace {

constexpr int kTabGap = 18;
constexpr int kTabHeight = 30;

} // namespace

WordTabs::WordTabs(const QStringList &words, QWidget *parent)
    : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);
    setElideMode(Qt::ElideNone);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (const QString &word : words)
        addTab(word);
}

void WordTabs::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

QSize WordTabs::tabSizeHint(int index) const
{
    // As wide as the word is when it is chosen: nothing moves.
    return { QFontMetrics(Theme::strongFont(13)).horizontalAdvance(tabText(index)) + kTabGap, kTabHeight };
}

void WordTabs::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    for (int i = 0; i < count(); ++i) {
        const QRect rect = tabRect(i).adjusted(0, 0, -kTabGap, 0);
        const bool isChosen = i == currentIndex();
        painter.setFont(isChosen ? Theme::strongFont(13) : Theme::textFont(13));
        painter.setPen(isChosen ? m_theme.text : m_theme.secondary);
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, tabText(i));
        if (isChosen)
            painter.fillRect(QRect(rect.left(), rect.bottom() - 3, rect.width(), hasFocus() ? 3 : 2), m_theme.accent);
    }
}

} // namespace ui
