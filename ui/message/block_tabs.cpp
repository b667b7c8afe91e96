// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/block_tabs.h"

#include "ui/message/toggle_button.h"

#include <QFontMetrics>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>

namespace ui {

namespace {

constexpr int kSquare = 8;
constexpr int kWidest = 220;

} // namespace

BlockTabs::BlockTabs(QWidget *parent)
    : QTabBar(parent)
{
    setObjectName(QStringLiteral("blockTabs"));
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideRight);
    setFocusPolicy(Qt::TabFocus);
}

void BlockTabs::setTabs(const std::vector<Tab> &tabs, int current)
{
    const QSignalBlocker blocker(this);
    if (tabs != m_tabs) {
        m_tabs = tabs;
        while (count() > static_cast<int>(tabs.size()))
            removeTab(count() - 1);
        for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
            const QString &words = tabs[static_cast<size_t>(i)].words;
            if (i < count())
                setTabText(i, words);
            else
                addTab(words);
            setTabToolTip(i, toolTipText(words));
        }
    }
    setCurrentIndex(current);
    update();
}

void BlockTabs::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

QSize BlockTabs::tabSizeHint(int index) const
{
    const int words = QFontMetrics(wordFont()).horizontalAdvance(tabText(index));
    return { std::min(kWidest, words + kSquare + 3 * kWordPadding - 2), kWordHeight };
}

QSize BlockTabs::minimumTabSizeHint(int index) const { return tabSizeHint(index); }

void BlockTabs::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(wordFont());
    for (int i = 0; i < count(); ++i) {
        const QRect rect = tabRect(i);
        if (!rect.intersects(this->rect()))
            continue;
        const Tab &tab = m_tabs[static_cast<size_t>(i)];
        const QRect square(rect.left() + kWordPadding, rect.center().y() - kSquare / 2 + 1, kSquare, kSquare);
        painter.fillRect(square, tab.colour);
        if (tab.isHot)
            painter.fillRect(QRect(square.left() - 2, square.top() - 1, 2, kSquare + 2), m_theme.hot);
        const int left = square.right() + kWordPadding - 2;
        const QRect words(left, rect.top(), rect.right() - kWordPadding - left + 2, rect.height());
        painter.setPen(i == currentIndex() ? m_theme.text : m_theme.secondary);
        painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(tab.words, Qt::ElideRight, words.width()));
        if (i == currentIndex())
            painter.fillRect(QRect(rect.left() + kWordPadding, rect.bottom() - (hasFocus() ? 2 : 1),
                                 rect.width() - 2 * kWordPadding, hasFocus() ? 3 : 2),
                m_theme.accent);
    }
}

} // namespace ui
