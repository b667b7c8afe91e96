// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/toggle_button.h"

#include <QFontMetrics>
#include <QPainter>

namespace ui {

namespace {

} // namespace

ToggleButton::ToggleButton(const QString &word, Kind kind, QWidget *parent)
    : QAbstractButton(parent)
{
    setText(word);
    setCheckable(kind == Kind::Toggle);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ToggleButton::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

QSize ToggleButton::sizeHint() const
{
    return { QFontMetrics(wordFont()).horizontalAdvance(text()) + 2 * kWordPadding, kWordHeight };
}

void ToggleButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(wordFont());
    const QRectF rect = QRectF(this->rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    if (isChecked() || isDown()) {
        painter.setPen(QPen(m_theme.accent, hasFocus() ? 2 : 1));
        painter.setBrush(m_theme.accentGround);
        painter.drawRoundedRect(rect, 5, 5);
    } else if (underMouse() || hasFocus()) {
        painter.setPen(QPen(hasFocus() ? m_theme.accent : m_theme.hairline, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect, 5, 5);
    }
    painter.setPen(isChecked() || isDown() ? m_theme.text : m_theme.secondary);
    painter.drawText(this->rect(), Qt::AlignCenter, text());
}

void ToggleButton::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void ToggleButton::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace ui
