// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/front_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPointReach = 9;
constexpr int kAxisLine = 15;
constexpr double kEdge = 8;
constexpr double kNameRoom = 12; ///< right of the name of the recorded run: the points at the edge stay in sight

} // namespace

FrontView::FrontView(MapModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&model, &MapModel::frontChanged, this, &FrontView::layOut);
    connect(&model, &MapModel::hoverChanged, this, [this] {
        update();
        tellCurrentItem(*this);
    });
    connect(&model, &MapModel::markerChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &MapModel::stateChanged, this, [this] {
        ++m_changes;
        update();
    });
    connect(&model.state(), &ViewState::themeChanged, this, &FrontView::layOut);
}

void FrontView::layOut()
{
    ++m_changes;
    m_dots = {};
    m_layout = {};
    const auto &[up, across] = m_model.frontMetrics();
    if (!m_model.map().isEmpty())
        m_layout = FrontLayout(*m_model.map().sweep(), up, across, *m_model.recorded(),
            { kEdge, kAxisLine + 4.0, width() - kEdge, height() - kAxisLine - 4.0 });
    setAccessibleName(tr("%1 against %2").arg(m_model.title(up), m_model.title(across)));
    update();
}

void FrontView::resizeEvent(QResizeEvent *) { layOut(); }

void FrontView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto cell = m_layout.cellAt(event->position().x(), event->position().y(), kPointReach))
        m_model.take(*cell);
}

void FrontView::mouseMoveEvent(QMouseEvent *event)
{
    m_model.setHovered(m_layout.cellAt(event->position().x(), event->position().y(), kPointReach));
}

void FrontView::leaveEvent(QEvent *) { m_model.setHovered(std::nullopt); }

// --- keys and accessible items -------------------------------------------------------------------------------------

void FrontView::keyPressEvent(QKeyEvent *event)
{
    const int count = itemCount();
    const int current = currentItem();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int step = event->key() == Qt::Key_Left ? -1 : 1;
        if (count > 0)
            m_model.setHovered(cellOf(current < 0 ? 0 : std::clamp(current + step, 0, count - 1)));
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current >= 0)
            activateItem(current);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void FrontView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    tellCurrentItem(*this);
}

void FrontView::focusOutEvent(QFocusEvent *event)
{
    m_model.setHovered(std::nullopt);
    QWidget::focusOutEvent(event);
}

QString FrontView::itemName(int item) const
{
    return m_model.spoken(m_model.placeOf(cellOf(item)), m_model.map().figures(cellOf(item)));
}

QRect FrontView::itemRect(int item) const
{
    const auto point = m_layout.pointOf(cellOf(item));
    return point ? QRectF(point->x - 4, point->y - 4, 8, 8).toAlignedRect() : QRect();
}

int FrontView::itemAt(QPoint position) const
{
    const auto cell = m_layout.cellAt(position.x(), position.y(), kPointReach);
    const auto place = cell ? std::ranges::find(m_model.front(), *cell) : m_model.front().end();
    return place == m_model.front().end() ? -1 : static_cast<int>(place - m_model.front().begin());
}

bool FrontView::isItemSelected(int item) const
{
    const auto cell = m_model.map().isEmpty() ? std::nullopt : m_model.markerCell();
    return cell && cellOf(item) == *cell;
}

int FrontView::currentItem() const
{
    const auto place
        = m_model.hovered() ? std::ranges::find(m_model.front(), *m_model.hovered()) : m_model.front().end();
    return place == m_model.front().end() ? -1 : static_cast<int>(place - m_model.front().begin());
}

// --- painting ------------------------------------------------------------------------------------------------------

void FrontView::paintDots(double ratio)
{
    m_dots = QImage(size() * ratio, QImage::Format_ARGB32_Premultiplied);
    m_dots.setDevicePixelRatio(ratio);
    m_dots.fill(Qt::transparent);
    QPainter painter(&m_dots);
    QColor dot = m_model.state().theme().secondary;
    dot.setAlpha(90);
    for (const FrontLayout::Point &point : m_layout.points())
        painter.fillRect(QRectF(std::round(point.x) - 1, std::round(point.y) - 1, 2, 2), dot);
}

void FrontView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    m_ground.draw(
        painter, rect(), m_changes, m_model.state().theme().base, [this](QPainter &drawing) { paintGround(drawing); });
    if (m_layout.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = m_model.state().theme();
    paintPoint(painter, m_model.markerFigures(), theme.accent, 5);
    if (const auto cell = m_model.hovered())
        paintPoint(painter, m_model.map().figures(*cell), theme.base, 4);
}

void FrontView::paintGround(QPainter &painter)
{
    if (m_layout.isEmpty())
        return;
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_dots.isNull() || m_dots.devicePixelRatio() != ratio)
        paintDots(ratio);
    painter.setOpacity(m_model.isOutdated() ? 0.42 : 1);
    painter.drawImage(0, 0, m_dots);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFront(painter);
    painter.setOpacity(1);
    paintEnds(painter);
    paintRecorded(painter);
}

void FrontView::paintEnds(QPainter &painter) const
{
    const Theme &theme = m_model.state().theme();
    const FrontLayout::Plot &plot = m_layout.plot();
    painter.setPen(QPen(theme.hairline, 1));
    painter.drawLine(QPointF(plot.left - 4, plot.bottom + 4), QPointF(plot.right, plot.bottom + 4));
    painter.drawLine(QPointF(plot.left - 4, plot.top), QPointF(plot.left - 4, plot.bottom + 4));
    const auto &[up, across] = m_model.frontMetrics();
    painter.setFont(Theme::textFont(11));
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(plot.left - 4, 0, plot.right - plot.left, kAxisLine), Qt::AlignLeft | Qt::AlignVCenter,
        tr("↑ %1 %2 … %3")
            .arg(MapModel::titleOf(up), m_model.shown(up, m_layout.up().least), m_model.shown(up, m_layout.up().most)));
    painter.drawText(QRectF(plot.left - 4, height() - kAxisLine + 1.0, plot.right - plot.left + 4, kAxisLine),
        Qt::AlignRight | Qt::AlignVCenter,
        tr("%1 %2 … %3 →")
            .arg(MapModel::titleOf(across), m_model.shown(across, m_layout.across().least),
                m_model.shown(across, m_layout.across().most)));
}

void FrontView::paintRecorded(QPainter &painter) const
{
    // A line if only one direction is known.
    const Theme &theme = m_model.state().theme();
    const auto &[up, across] = m_model.frontMetrics();
    const core::SweepFigures &recorded = *m_model.recorded();
    const bool hasUp = !std::isnan(recorded[up]);
    const bool hasAcross = !std::isnan(recorded[across]);
    const FrontLayout::Plot &plot = m_layout.plot();
    painter.setFont(Theme::textFont(11));
    painter.setPen(QPen(theme.text, 1, Qt::DashLine));
    if (hasUp && hasAcross) {
        painter.setPen(QPen(theme.text, 1.5));
        painter.setBrush(theme.base);
        painter.drawRect(QRectF(m_layout.xOf(recorded[across]) - 4, m_layout.yOf(recorded[up]) - 4, 8, 8));
    } else if (hasUp) {
        const double y = m_layout.yOf(recorded[up]);
        painter.drawLine(QPointF(plot.left, y), QPointF(plot.right, y));
        const double top = y - kAxisLine < plot.top ? y : y - kAxisLine;
        // On its own ground: dots below it would look like a part of its last letter.
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(tr("recorded"));
        const QRectF place(plot.right - width - kNameRoom, top, width + kNameRoom, kAxisLine);
        painter.fillRect(place.adjusted(-2, 0, 0, -1), theme.base);
        painter.drawText(place, Qt::AlignLeft, tr("recorded"));
    } else if (hasAcross) {
        const double x = m_layout.xOf(recorded[across]);
        painter.drawLine(QPointF(x, plot.top), QPointF(x, plot.bottom));
    }
}

void FrontView::paintFront(QPainter &painter) const
{
    QPolygonF line;
    for (const size_t cell : m_model.front()) {
        if (const auto point = m_layout.pointOf(cell))
            line << QPointF(point->x, point->y);
    }
    painter.setPen(QPen(m_model.state().theme().accent, 1.4));
    painter.drawPolyline(line);
    painter.setBrush(m_model.state().theme().accent);
    painter.setPen(Qt::NoPen);
    for (const QPointF &point : line)
        painter.drawEllipse(point, 2, 2);
}

void FrontView::paintPoint(
    QPainter &painter, const core::SweepFigures *figures, const QColor &fill, double radius) const
{
    const auto &[up, across] = m_model.frontMetrics();
    if (figures == nullptr || std::isnan((*figures)[up]) || std::isnan((*figures)[across]))
        return;
    painter.setPen(QPen(m_model.state().theme().text, 1.5));
    painter.setBrush(fill);
    painter.drawEllipse(QPointF(m_layout.xOf((*figures)[across]), m_layout.yOf((*figures)[up])), radius, radius);
}

} // namespace ui
