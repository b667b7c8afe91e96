// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/change_map.h"

#include "ui/text/text_look.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kThinnest = 2;
constexpr int kMargin = 3;
constexpr double kReach = 3; ///< pixels beside a bar that still hit it

} // namespace

ChangeMap::ChangeMap(QWidget *parent)
    : QWidget(parent)
{
    installPaintedAccessibility();
    setObjectName(QStringLiteral("changeMap"));
    setAccessibleName(tr("Map of differences"));
    setMouseTracking(true);
}

void ChangeMap::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void ChangeMap::setBars(std::vector<Bar> bars, size_t differenceCount, std::function<QString(size_t)> names)
{
    m_bars = std::move(bars);
    m_names = std::move(names);
    m_places.assign(differenceCount, {});
    for (const Bar &bar : m_bars) {
        Place &place = m_places[bar.difference];
        const bool isNew = place.bottom <= place.top;
        place.top = isNew ? bar.top : std::min(place.top, bar.top);
        place.bottom = isNew ? bar.bottom : std::max(place.bottom, bar.bottom);
    }
    update();
}

void ChangeMap::setView(double contentHeight, double scrollY, double viewHeight)
{
    m_contentHeight = contentHeight;
    m_scrollY = scrollY;
    m_viewHeight = viewHeight;
    update();
}

void ChangeMap::setCurrent(std::optional<size_t> difference)
{
    m_current = difference;
    update();
}

double ChangeMap::scale() const { return m_contentHeight > height() ? height() / m_contentHeight : 1.0; }

QRectF ChangeMap::frame() const
{
    const double top = m_scrollY * scale();
    const double bottom = std::min({ (m_scrollY + m_viewHeight) * scale(), double(height()) });
    return { 0.5, top + 0.5, width() - 1.0, std::max(8.0, bottom - top) - 1 };
}

QRect ChangeMap::itemRect(int item) const
{
    const Place &place = m_places[static_cast<size_t>(item)];
    const double top = place.top * scale();
    return QRectF(0, top, width(), std::max(kThinnest, place.bottom * scale() - top)).toAlignedRect();
}

int ChangeMap::itemAt(QPoint position) const
{
    int nearest = -1;
    double distance = kReach;
    for (size_t i = 0; i < m_places.size(); ++i) {
        const double top = m_places[i].top * scale();
        const double bottom = std::max(top + kThinnest, m_places[i].bottom * scale());
        const double away = position.y() < top ? top - position.y() : std::max(0.0, position.y() - bottom);
        if (away < distance) {
            nearest = static_cast<int>(i);
            distance = away;
        }
    }
    return nearest;
}

void ChangeMap::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.base);
    const double bottom = std::min(double(height()), m_contentHeight * scale());
    painter.fillRect(QRectF(kMargin, 0, width() - 2 * kMargin, bottom), m_theme.window);
    const double middle = width() / 2.0;
    const QColor removed = mixed(m_theme.base, m_theme.hot, 0.55);
    const QColor added = mixed(m_theme.base, m_theme.of(core::Material::Bulk), 0.95);
    for (const Bar &bar : m_bars) {
        const double top = std::floor(bar.top * scale());
        const double size = std::max(kThinnest, std::round(bar.bottom * scale()) - top);
        if (bar.isRemoved)
            painter.fillRect(QRectF(kMargin, top, middle - kMargin, size), removed);
        if (bar.isAdded)
            painter.fillRect(QRectF(middle, top, middle - kMargin, size), added);
    }
    if (m_current && *m_current < m_places.size()) {
        const QRect at = itemRect(static_cast<int>(*m_current));
        painter.fillRect(QRectF(0, at.top(), 2, at.height()), m_theme.accent);
    }
    if (m_contentHeight <= m_viewHeight)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.accent);
    QColor ground = m_theme.accent;
    ground.setAlphaF(0.08F);
    painter.setBrush(ground);
    painter.drawRoundedRect(frame(), 3, 3);
}

bool ChangeMap::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int item = itemAt(help->pos());
        QToolTip::showText(help->globalPos(), item < 0 ? QString() : itemName(item), this);
        return true;
    }
    return QWidget::event(event);
}

void ChangeMap::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const double y = event->position().y();
    const QRectF at = frame();
    // A press on a difference out of sight goes to it, a press on the frame drags it, and elsewhere the frame jumps
    // there.
    const bool isInFrame = y >= at.top() && y <= at.bottom();
    const int item = itemAt(event->position().toPoint());
    if (!isInFrame && item >= 0) {
        m_grip = at.height() / 2;
        Q_EMIT chosen(static_cast<size_t>(item));
        return;
    }
    m_grip = isInFrame ? y - at.top() : at.height() / 2;
    if (!isInFrame)
        Q_EMIT scrolled((y - m_grip) / scale());
}

void ChangeMap::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        Q_EMIT scrolled((event->position().y() - m_grip) / scale());
}

} // namespace ui
