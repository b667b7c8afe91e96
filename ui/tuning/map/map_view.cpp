// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/map_view.h"

#include "ui/tuning/map/map_image.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace ui {

using namespace Qt::StringLiterals;
using Box = MapLayout::Box;

namespace {

constexpr double kHandle = 7;
constexpr double kReach = 11; ///< how close to the handle's middle a press grabs it
constexpr int kTickGap = 12;
constexpr int kTickGapUp = 5;
constexpr int kLineHeight = 13;
constexpr double kAxisNames = 22;  ///< room of the names of the axes, at the bottom of the map
constexpr double kOutdated = 0.42; ///< opacity of an outdated map

QFont figureFont() { return Theme::figureFont(11); }

QRect rectOf(const Box &box) { return { box.left, box.top, box.width, box.height }; }

/// A line that contrasts with every colour of the ramp.
void drawCrossLine(QPainter &painter, QPointF from, QPointF to)
{
    painter.setRenderHint(QPainter::Antialiasing, false); // upright and level, so it is sharp, and much cheaper
    painter.setPen(QPen(QColor(0, 0, 0, 110), 1));
    painter.drawLine(from, to);
    painter.setPen(QPen(QColor(255, 255, 255, 230), 1, Qt::DotLine));
    painter.drawLine(from, to);
    painter.setRenderHint(QPainter::Antialiasing);
}

void drawTag(QPainter &painter, const QRectF &plot, QPointF rightEnd, const QString &words, const Theme &theme)
{
    painter.setFont(Theme::textFont(11));
    const QFontMetricsF metrics(painter.font());
    QRectF tag(0, 0, metrics.horizontalAdvance(words) + 10, metrics.height() + 2);
    tag.moveBottomRight(rightEnd + QPointF(-4, -3));
    if (tag.top() < plot.top())
        tag.moveTop(rightEnd.y() + 3);
    QColor ground = theme.base;
    ground.setAlpha(225);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(tag, 3, 3);
    painter.setPen(theme.text);
    painter.drawText(tag, Qt::AlignCenter, words);
}

/// `keep, in messages`
QString axisName(const core::SweepAxis &axis)
{
    using Unit = core::Measure::Unit;
    QString name = displayText(axis.setting);
    if (!axis.unit)
        return name;
    switch (*axis.unit) {
    case Unit::WindowFraction:
        return MapView::tr("%1, share of the window").arg(name);
    case Unit::Tokens:
        return MapView::tr("%1, in tokens").arg(name);
    case Unit::Messages:
        return MapView::tr("%1, in messages").arg(name);
    case Unit::Results:
        return MapView::tr("%1, in tool results").arg(name);
    case Unit::Turns:
        return MapView::tr("%1, in turns").arg(name);
    }
    return name;
}

} // namespace

MapView::MapView(MapModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setObjectName(u"tuningMap"_s);
    setAccessibleName(tr("Map of the policy's settings"));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    connect(&model, &MapModel::mapChanged, this, &MapView::layOut);
    connect(&model, &MapModel::hoverChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &MapModel::markerChanged, this, [this] {
        update();
        tellCurrentItem(*this);
    });
    connect(&model, &MapModel::stateChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &MapModel::frontChanged, this, qOverload<>(&QWidget::update)); // the other metric of the profiles
    connect(&model.state(), &ViewState::themeChanged, this, &MapView::layOut);
}

void MapView::layOut()
{
    ++m_changes;
    m_image = {};
    const SweepMap &map = m_model.map();
    m_layout
        = map.isEmpty() ? MapLayout() : MapLayout(width(), height(), map.sweep()->x, map.sweep()->y, m_model.window());
    update();
}

void MapView::resizeEvent(QResizeEvent *) { layOut(); }

std::optional<QPointF> MapView::markerPoint() const
{
    const auto place = m_model.marker();
    if (!place || m_model.map().isEmpty())
        return std::nullopt;
    return QPointF(m_layout.xOf(place->x), m_layout.yOf(place->y));
}

MapModel::Place MapView::placeAt(QPointF point) const
{
    return { m_layout.xValueAt(point.x()), m_layout.yValueAt(point.y()) };
}

bool MapView::isOnHandle(QPointF point) const
{
    const auto marker = markerPoint();
    return marker && std::hypot(point.x() - marker->x(), point.y() - marker->y()) <= kReach;
}

// --- the pointer ---------------------------------------------------------------------------------------------------

void MapView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_model.map().isEmpty())
        return;
    m_pressed = event->position();
    if (isOnHandle(m_pressed)) {
        m_drag = Drag::Marker;
        m_grip = *markerPoint() - m_pressed;
        m_model.setHovered(std::nullopt);
        m_model.beginMove();
        setCursor(Qt::ClosedHandCursor);
    } else if (m_layout.contains(m_pressed.x(), m_pressed.y())) {
        m_drag = Drag::Pressed;
        m_grip = {};
    }
}

void MapView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    if (m_drag == Drag::Pressed && (point - m_pressed).manhattanLength() >= QApplication::startDragDistance()
        && m_model.marker()) {
        m_drag = Drag::Marker;
        m_model.setHovered(std::nullopt);
        m_model.beginMove();
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Marker)
        return m_model.moveTo(placeAt(point + m_grip));
    if (m_model.map().isEmpty())
        return;
    const bool isOnIt = isOnHandle(point);
    setCursor(isOnIt ? Qt::OpenHandCursor : Qt::ArrowCursor);
    m_model.setHovered(isOnIt ? std::nullopt : m_layout.cellAt(point.x(), point.y()));
}

void MapView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::Marker) {
        m_model.endMove();
        setCursor(Qt::OpenHandCursor);
    } else if (drag == Drag::Pressed) {
        if (const auto cell = m_layout.cellAt(event->position().x(), event->position().y()))
            m_model.take(*cell);
    }
}

void MapView::leaveEvent(QEvent *)
{
    if (m_drag == Drag::None)
        m_model.setHovered(std::nullopt);
}

// --- keys ----------------------------------------------------------------------------------------------------------

void MapView::step(int columns, int rows)
{
    const auto now = m_model.markerCell();
    if (!now || m_drag != Drag::None)
        return;
    const SweepMap &map = m_model.map();
    const auto stepped = [](size_t from, int by, size_t count) {
        return static_cast<size_t>(std::clamp<long>(static_cast<long>(from) + by, 0, static_cast<long>(count) - 1));
    };
    const size_t cell = stepped(map.rowOf(*now), rows, map.rows()) * map.columns()
        + stepped(map.columnOf(*now), columns, map.columns());
    m_model.setHovered(std::nullopt);
    m_model.beginMove();
    m_model.moveTo(m_model.placeOf(cell));
}

bool MapView::event(QEvent *event)
{
    // While the marker moves, Escape and Undo cancel the move and do not reach the window.
    if (event->type() == QEvent::ShortcutOverride && m_model.isMoving()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape || key->matches(QKeySequence::Undo)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void MapView::keyPressEvent(QKeyEvent *event)
{
    if (m_model.isMoving() && (event->key() == Qt::Key_Escape || event->matches(QKeySequence::Undo))) {
        m_drag = Drag::None;
        unsetCursor();
        return m_model.cancelMove();
    }
    const int far = event->modifiers().testFlag(Qt::ShiftModifier) ? 8 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-far, 0);
    case Qt::Key_Right:
        return step(far, 0);
    case Qt::Key_Up:
        return step(0, far);
    case Qt::Key_Down:
        return step(0, -far);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_model.endMove();
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void MapView::focusInEvent(QFocusEvent *event)
{
    update();
    QWidget::focusInEvent(event);
    tellCurrentItem(*this);
}

void MapView::focusOutEvent(QFocusEvent *event)
{
    // Moves by arrow keys become one undo step.
    if (m_drag == Drag::None)
        m_model.endMove();
    update();
    QWidget::focusOutEvent(event);
}

// --- painting ------------------------------------------------------------------------------------------------------

void MapView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    m_ground.draw(painter, rect(), { m_changes, m_model.isOutdated(), m_model.marker().has_value() },
        m_model.state().theme().base, [this](QPainter &drawing) { paintGround(drawing); });
    if (m_model.map().isEmpty())
        return;
    paintFrames(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarkerLines(painter);
    paintPreset(painter);
    paintSuggested(painter);
    paintRecordedTag(painter);
    paintProfiles(painter);
    paintMarker(painter);
}

void MapView::paintGround(QPainter &painter)
{
    if (m_model.map().isEmpty())
        return;
    paintMap(painter);
    paintAxes(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintRecordedTriggers(painter);
    paintAxisNames(painter);
    paintProfileNames(painter);
}

void MapView::paintMap(QPainter &painter)
{
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_image.isNull() || m_image.devicePixelRatio() != ratio)
        m_image = mapImage(m_model.map(), m_layout, m_model.state().theme(), ratio, m_model.dotted());
    painter.setOpacity(m_model.isOutdated() ? kOutdated : 1);
    painter.drawImage(QPoint(m_layout.plot().left, m_layout.plot().top), m_image);
    painter.setOpacity(1);
}

void MapView::paintFrames(QPainter &painter) const
{
    if (hasFocus()) {
        painter.setPen(QPen(m_model.state().theme().accent, 2));
        painter.drawRect(rectOf(m_layout.plot()).adjusted(-2, -2, 2, 2));
    }
    if (const auto cell = m_model.hovered()) {
        const QRect box = rectOf(m_layout.boxOf(*cell));
        painter.setPen(QPen(Qt::black, 1));
        painter.drawRect(box.adjusted(-2, -2, 1, 1));
        painter.setPen(QPen(Qt::white, 1));
        painter.drawRect(box.adjusted(-1, -1, 0, 0));
    }
}

void MapView::paintAxes(QPainter &painter) const
{
    const Theme &theme = m_model.state().theme();
    const Box &plot = m_layout.plot();
    painter.setFont(figureFont());
    const double digit = QFontMetricsF(painter.font()).horizontalAdvance(u'0');
    for (const AxisTick &tick : m_layout.x().ticks(digit, kTickGap)) {
        const int x = plot.left + static_cast<int>(std::lround(tick.at));
        painter.setPen(theme.secondary);
        painter.drawLine(x, m_layout.bottom(), x, m_layout.bottom() + 3);
        painter.setPen(theme.text);
        painter.drawText(
            QRect(x - 50, m_layout.bottom() + 4, 100, kLineHeight), Qt::AlignCenter, QString::fromStdString(tick.text));
        painter.setPen(theme.secondary);
        painter.drawText(QRect(x - 50, m_layout.bottom() + 4 + kLineHeight, 100, kLineHeight), Qt::AlignCenter,
            QString::fromStdString(tick.second));
    }
    for (const AxisTick &tick : m_layout.y().ticks(0, 2 * kLineHeight + kTickGapUp)) {
        const int y = m_layout.bottom() - static_cast<int>(std::lround(tick.at));
        painter.setPen(theme.secondary);
        painter.drawLine(plot.left - 4, y, plot.left - 1, y);
        const int top = tick.second.empty() ? y - kLineHeight / 2 : y - kLineHeight;
        painter.setPen(theme.text);
        painter.drawText(QRect(0, top, plot.left - 7, kLineHeight), Qt::AlignRight | Qt::AlignVCenter,
            QString::fromStdString(tick.text));
        painter.setPen(theme.secondary);
        painter.drawText(QRect(0, y, plot.left - 7, kLineHeight), Qt::AlignRight | Qt::AlignVCenter,
            QString::fromStdString(tick.second));
    }
}

std::vector<QLineF> MapView::recordedTriggerLines() const
{
    const QRectF plot = rectOf(m_layout.plot());
    std::vector<QLineF> lines;
    for (const double tokens : m_model.recordedTriggers()) {
        for (const bool isUp : { false, true }) {
            const AxisLayout &axis = isUp ? m_layout.y() : m_layout.x();
            const auto value = axis.valueOf(tokens);
            if (axis.axis().setting != "trigger" || !value || !axis.holds(*value))
                continue;
            const QPointF from
                = isUp ? QPointF(plot.left(), m_layout.yOf(*value)) : QPointF(m_layout.xOf(*value), plot.bottom());
            lines.emplace_back(from, isUp ? QPointF(plot.right(), from.y()) : QPointF(from.x(), plot.top()));
        }
    }
    return lines;
}

void MapView::paintRecordedTriggers(QPainter &painter) const
{
    for (const QLineF &line : recordedTriggerLines()) {
        painter.setPen(QPen(QColor(0, 0, 0, 120), 2));
        painter.drawLine(line);
        painter.setPen(QPen(QColor(255, 255, 255, 235), 1.2, Qt::DashLine));
        painter.drawLine(line);
    }
}

void MapView::paintRecordedTag(QPainter &painter) const
{
    const std::vector<QLineF> lines = recordedTriggerLines();
    const auto uppermost = std::ranges::min_element(lines, {}, [](const QLineF &line) { return line.y2(); });
    if (uppermost != lines.end())
        drawTag(painter, rectOf(m_layout.plot()), uppermost->p2(), tr("recorded trigger"), m_model.state().theme());
}

void MapView::paintSuggested(QPainter &painter) const
{
    const auto cell = m_model.suggestedCell();
    if (!cell || m_model.map().isEmpty())
        return;
    const QRectF box = rectOf(m_layout.boxOf(*cell));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 170), 3.6));
    painter.drawRect(box);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawRect(box);
    const QRectF plot = rectOf(m_layout.plot());
    const QString words = m_model.suggestionWords();
    const double width = QFontMetricsF(Theme::textFont(11)).horizontalAdvance(words) + 14;
    const double lowest = plot.bottom() - kAxisNames; // the names stand below
    drawTag(painter, plot, { std::min(box.left() + width, plot.right()), std::min(box.top(), lowest) }, words,
        m_model.state().theme());
}

void MapView::paintMarkerLines(QPainter &painter) const
{
    const auto point = markerPoint();
    if (!point)
        return;
    const QRectF plot = rectOf(m_layout.plot());
    drawCrossLine(painter, { plot.left(), point->y() }, { plot.right(), point->y() });
    drawCrossLine(painter, { point->x(), plot.top() }, { point->x(), plot.bottom() });
}

void MapView::paintMarker(QPainter &painter) const
{
    const auto point = markerPoint();
    if (!point)
        return;
    painter.setBrush(m_model.state().theme().accent);
    painter.setPen(QPen(QColor(0, 0, 0, 170), 3.6));
    painter.drawEllipse(*point, kHandle, kHandle);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawEllipse(*point, kHandle, kHandle);
    painter.setBrush(Qt::NoBrush);
}

void MapView::paintPreset(QPainter &painter) const
{
    const auto place = m_model.presetPlace();
    if (!place || m_model.map().isEmpty())
        return;
    const QPointF point(m_layout.xOf(place->x), m_layout.yOf(place->y));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 170), 3.6));
    painter.drawEllipse(point, kHandle - 1, kHandle - 1);
    painter.setPen(QPen(Qt::white, 1.8));
    painter.drawEllipse(point, kHandle - 1, kHandle - 1);
}

void MapView::paintAxisNames(QPainter &painter) const
{
    const QRectF plot = rectOf(m_layout.plot());
    const core::Sweep &sweep = *m_model.map().sweep();
    const Theme &theme = m_model.state().theme();
    const QString across = axisName(sweep.x) + u" \u2192"_s;
    const QString up = axisName(sweep.y) + u" \u2191"_s;
    const auto widthOf
        = [](const QString &words) { return QFontMetricsF(Theme::textFont(11)).horizontalAdvance(words) + 18; };
    double left = plot.left();
    double right = plot.right();
    const auto suggested = m_model.suggestedCell();
    if (const QRectF box = suggested ? rectOf(m_layout.boxOf(*suggested)) : QRectF();
        box.bottom() > plot.bottom() - kAxisNames) {
        left = box.left() < left + widthOf(up) ? box.right() + 2 : left;
        right = box.right() > right - widthOf(across) ? box.left() - 2 : right;
    }
    drawTag(painter, plot, { right, plot.bottom() }, across, theme);
    // Not above: presets with a small keep and a high trigger stand there.
    drawTag(painter, plot, { left + widthOf(up), plot.bottom() }, up, theme);
}

/// A figure in these cells: 0 is the least of the map's range, or of these cells for another metric, and 1 the most.
std::vector<std::pair<size_t, double>> MapView::heightsAlong(
    const std::vector<size_t> &cells, core::SweepMetric metric) const
{
    const SweepMap &map = m_model.map();
    std::vector<std::pair<size_t, double>> values;
    for (const size_t cell : cells) {
        const core::SweepFigures *figures = map.figures(cell);
        if (figures != nullptr && !std::isnan((*figures)[metric]))
            values.emplace_back(cell, (*figures)[metric]);
    }
    if (values.empty())
        return values;
    const auto [least, most] = std::ranges::minmax(values | std::views::values);
    const bool isLessBetter = core::infoOf(metric).isLessBetter;
    for (double &value : values | std::views::values) {
        const double place = most > least ? (value - least) / (most - least) : 0;
        const double goodness = map.goodness(value);
        value = metric != map.metric() ? place : isLessBetter ? 1 - goodness : goodness;
    }
    return values;
}

void MapView::paintProfiles(QPainter &painter) const
{
    const auto cell = m_model.markerCell();
    const SweepMap &map = m_model.map();
    if (!cell || !map.hasRange())
        return;
    const Theme &theme = m_model.state().theme();
    const double left = m_layout.right() + 14.0;
    const double across = MapLayout::kRight - 14 - 12.0;
    const double low = m_layout.bottom() + MapLayout::kAxis + MapLayout::kProfile - 6.0;
    const double high = MapLayout::kProfile - 12.0;
    painter.setPen(QPen(theme.hairline, 1));
    painter.drawLine(QPointF(left, m_layout.plot().top), QPointF(left, m_layout.bottom()));
    painter.drawLine(QPointF(m_layout.plot().left, low), QPointF(m_layout.right(), low));
    std::vector<size_t> column;
    for (size_t row = 0; row < map.rows(); ++row)
        column.push_back(row * map.columns() + map.columnOf(*cell));
    std::vector<size_t> row(map.columns());
    std::iota(row.begin(), row.end(), map.rowOf(*cell) * map.columns());
    const auto paint = [&](core::SweepMetric metric, const QPen &pen) {
        QPolygonF up;
        for (const auto &[at, figure] : heightsAlong(column, metric))
            up << QPointF(left + figure * across, m_layout.yOf(map.sweep()->y.values[map.rowOf(at)]));
        QPolygonF along;
        for (const auto &[at, figure] : heightsAlong(row, metric))
            along << QPointF(m_layout.xOf(map.sweep()->x.values[map.columnOf(at)]), low - figure * high);
        painter.setPen(pen);
        painter.drawPolyline(up);
        painter.drawPolyline(along);
    };
    paint(m_model.otherMetric(), QPen(theme.hot, 1.1, Qt::DashLine));
    paint(map.metric(), QPen(theme.curve, 1.3));
    const QPointF point = *markerPoint();
    painter.setPen(QPen(theme.accent, 1));
    painter.drawLine(QPointF(left, point.y()), QPointF(left + across, point.y()));
    painter.drawLine(QPointF(point.x(), low - high), QPointF(point.x(), low));
    const QRectF band(m_layout.plot().left, low - high, m_layout.right() - m_layout.plot().left, high);
    drawTag(painter, band, band.bottomRight(), tr("dashed: %1").arg(m_model.title(m_model.otherMetric())), theme);
}

void MapView::paintProfileNames(QPainter &painter) const
{
    const SweepMap &map = m_model.map();
    if (!m_model.marker() || !map.hasRange())
        return;
    painter.setFont(Theme::textFont(11));
    painter.setPen(m_model.state().theme().secondary);
    const auto words
        = [](const core::SweepAxis &axis) { return displayText("along " + core::settingWords(axis.setting)); };
    const double top = m_layout.bottom() + MapLayout::kAxis + 6.0;
    constexpr double kHeight = MapLayout::kProfile - 12.0;
    painter.drawText(QRectF(0, top, MapLayout::kLeft - 7, kHeight),
        Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap, words(map.sweep()->x));
    painter.drawText(QRectF(m_layout.right() + 14, top, MapLayout::kRight - 14, kHeight),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, words(map.sweep()->y));
}

// --- accessibility -------------------------------------------------------------------------------------------------

int MapView::itemCount() const { return static_cast<int>(m_model.map().cellCount()) + (m_model.marker() ? 1 : 0); }

QString MapView::itemName(int item) const
{
    const auto cell = static_cast<size_t>(item);
    if (cell < m_model.map().cellCount())
        return m_model.spoken(m_model.placeOf(cell), m_model.map().figures(cell));
    return m_model.marker() ? tr("the policy: %1").arg(m_model.spoken(*m_model.marker(), m_model.markerFigures()))
                            : QString();
}

QRect MapView::itemRect(int item) const
{
    const auto cell = static_cast<size_t>(item);
    if (cell < m_model.map().cellCount())
        return rectOf(m_layout.boxOf(cell));
    const auto point = markerPoint();
    return point ? QRectF(point->x() - kHandle, point->y() - kHandle, 2 * kHandle, 2 * kHandle).toAlignedRect()
                 : QRect();
}

int MapView::itemAt(QPoint position) const
{
    if (isOnHandle(position))
        return itemCount() - 1;
    const auto cell = m_model.map().isEmpty() ? std::nullopt : m_layout.cellAt(position.x(), position.y());
    return cell ? static_cast<int>(*cell) : -1;
}

bool MapView::isItemSelected(int item) const
{
    const auto cell = m_model.markerCell();
    return cell && static_cast<size_t>(item) == *cell;
}

int MapView::currentItem() const
{
    const auto cell = m_model.map().isEmpty() ? std::nullopt : m_model.markerCell();
    return cell ? static_cast<int>(*cell) : -1;
}

void MapView::activateItem(int item)
{
    if (static_cast<size_t>(item) < m_model.map().cellCount())
        m_model.take(static_cast<size_t>(item));
}

} // namespace ui
