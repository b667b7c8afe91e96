// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/segmented_control.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kPadding = 11;
constexpr int kSegmentHeight = 24;
constexpr int kArrow = 12; ///< after the word that replaces all choices

QFont wordFont() { return Theme::textFont(12); }

} // namespace

SegmentedControl::SegmentedControl(const QStringList &words, QWidget *parent)
    : QWidget(parent)
    , m_words(words)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(words.join(QStringLiteral(", ")));
}

void SegmentedControl::setWords(const QStringList &words)
{
    if (words == m_words)
        return;
    m_words = words;
    updateGeometry();
    update();
}

void SegmentedControl::setCurrent(int index)
{
    m_current = index;
    update();
    tellCurrentItem(*this);
}

void SegmentedControl::setOff(int index, bool isOff)
{
    m_off.removeAll(index);
    if (isOff)
        m_off << index;
    update();
}

QRect SegmentedControl::itemRect(int item) const
{
    if (m_isCompact)
        return item == m_current ? rect() : QRect();
    return item < itemCount() ? segmentRect(item) : QRect();
}

int SegmentedControl::itemAt(QPoint position) const
{
    for (int item = 0; item < itemCount(); ++item) {
        if (itemRect(item).contains(position))
            return item;
    }
    return -1;
}

void SegmentedControl::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void SegmentedControl::setCompact(bool isCompact)
{
    if (isCompact == m_isCompact)
        return;
    m_isCompact = isCompact;
    updateGeometry();
    update();
}

int SegmentedControl::wideWidth() const
{
    return m_words.isEmpty() ? 0 : segmentRect(static_cast<int>(m_words.size()) - 1).right() + 2;
}

int SegmentedControl::compactWidth() const
{
    // As wide whatever is chosen.
    const QFontMetrics metrics(wordFont());
    int widest = 0;
    for (const QString &word : m_words)
        widest = std::max(widest, metrics.horizontalAdvance(word));
    return widest + kArrow + 2 * kPadding;
}

QSize SegmentedControl::sizeHint() const { return { m_isCompact ? compactWidth() : wideWidth(), kSegmentHeight }; }

QRect SegmentedControl::segmentRect(int index) const
{
    const QFontMetrics metrics(wordFont());
    int left = 1;
    for (int i = 0; i < index; ++i)
        left += metrics.horizontalAdvance(m_words[i]) + 2 * kPadding;
    return { left, 1, metrics.horizontalAdvance(m_words[index]) + 2 * kPadding, kSegmentHeight - 2 };
}

void SegmentedControl::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(wordFont());
    painter.setPen(m_theme.hairline);
    painter.setBrush(m_theme.base);
    if (m_isCompact)
        return paintCompact(painter);
    painter.drawRoundedRect(QRectF(0.5, 0.5, sizeHint().width() - 1, kSegmentHeight - 1), 6, 6);
    for (int i = 0; i < m_words.size(); ++i) {
        const QRect rect = segmentRect(i);
        if (i == m_current) {
            painter.setPen(QPen(m_theme.accent, hasFocus() ? 2 : 1));
            painter.setBrush(m_theme.accentGround);
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        }
        painter.setPen(i == m_current ? m_theme.text : m_off.contains(i) ? m_theme.hairline : m_theme.secondary);
        painter.drawText(rect, Qt::AlignCenter, m_words[i]);
    }
}

void SegmentedControl::paintCompact(QPainter &painter) const
{
    if (hasFocus())
        painter.setPen(QPen(m_theme.accent, 1));
    painter.drawRoundedRect(QRectF(0.5, 0.5, width() - 1, kSegmentHeight - 1), 6, 6);
    painter.setPen(m_theme.text);
    const QRect room = rect().adjusted(kPadding, 0, -kPadding - kArrow, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_words.value(m_current), Qt::ElideRight, room.width() + 2));
    painter.setPen(QPen(m_theme.secondary, 1.4));
    const QPointF tip(width() - kPadding - 3, kSegmentHeight / 2.0 + 2);
    painter.drawPolyline(QPolygonF({ tip + QPointF(-4, -4), tip, tip + QPointF(4, -4) }));
}

void SegmentedControl::openMenu()
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int i = 0; i < m_words.size(); ++i) {
        QAction *action = menu->addAction(m_words[i], this, [this, i] { choose(i); });
        action->setCheckable(true);
        action->setEnabled(!m_off.contains(i));
        action->setChecked(i == m_current);
    }
    menu->popup(mapToGlobal(QPoint(0, height() + 2)));
}

void SegmentedControl::choose(int index)
{
    if (index == m_current || index < 0 || index >= m_words.size() || m_off.contains(index))
        return;
    setCurrent(index);
    Q_EMIT chosen(index);
}

void SegmentedControl::mousePressEvent(QMouseEvent *event)
{
    if (m_isCompact)
        return openMenu();
    choose(itemAt(event->position().toPoint()));
}

void SegmentedControl::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    tellCurrentItem(*this);
}

void SegmentedControl::keyPressEvent(QKeyEvent *event)
{
    const auto next = [this](int step) {
        int index = m_current + step;
        while (m_off.contains(index))
            index += step;
        return index;
    };
    if (event->key() == Qt::Key_Left)
        choose(next(-1));
    else if (event->key() == Qt::Key_Right)
        choose(next(1));
    else if (m_isCompact && (event->key() == Qt::Key_Space || event->key() == Qt::Key_Down))
        openMenu();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
