// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/tick_box.h"

#include <QPainter>

#include <cmath>

namespace ui {

namespace {

constexpr int kBox = 15;
constexpr int kBoxGap = 7;

} // namespace

TickBox::TickBox(const QString &words, QWidget *parent)
    : QCheckBox(words, parent)
{
    setFont(Theme::textFont(13));
}

void TickBox::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

QSize TickBox::sizeHint() const
{
    return { kBox + kBoxGap + fontMetrics().horizontalAdvance(text()) + 2, std::max(20, fontMetrics().height() + 2) };
}

void TickBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(1.5, std::floor((height() - kBox) / 2.0) + 0.5, kBox - 1, kBox - 1);
    painter.setPen(QPen(isChecked() || hasFocus() ? m_theme.accent : m_theme.secondary, 1));
    painter.setBrush(isChecked() ? m_theme.accent : m_theme.base);
    painter.drawRoundedRect(box, 3, 3);
    if (isChecked()) {
        painter.setPen(QPen(m_theme.base, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF(
            { box.topLeft() + QPointF(3.2, 7.4), box.topLeft() + QPointF(6, 10.2), box.topLeft() + QPointF(11, 4.2) }));
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
    }
    painter.setPen(isChecked() ? m_theme.text : m_theme.secondary);
    const QRect words = rect().adjusted(kBox + kBoxGap, 0, 0, 0);
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, words.width()));
}

} // namespace ui
