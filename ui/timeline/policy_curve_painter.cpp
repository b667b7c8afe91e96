// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/policy_curve_painter.h"

#include "ui/look/shaped_words.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPolicyLine = 2;
constexpr size_t kThickBelow = 500; ///< spans; a line of one pixel is much cheaper
constexpr double kActHeight = 7;
constexpr double kLeastWait = 3; ///< pixels from the end of a worker's summary to the end of the next
constexpr double kActRow = 13;   ///< of the numbers, above the ticks
constexpr double kHatchShare = 0.45;
constexpr double kWordHeight = 16;
constexpr double kLabelGap = 14; ///< a recorded compaction is drawn there, in a circle

double counterfactualX(const TimelineLayout &layout, const PolicyCurve &curve)
{
    const TimelineLayout::Plot &plot = layout.plot();
    if (curve.firstCounterfactual() >= curve.columnCount())
        return plot.right;
    return std::clamp(layout.xAt(static_cast<double>(curve.firstCounterfactual())), plot.left, plot.right);
}

QString counterfactualWord() { return QCoreApplication::translate("ui::TimelineView", "counterfactual"); }

} // namespace

PolicyCurvePainter::PolicyCurvePainter(
    QPainter &painter, const TimelineLayout &layout, const PolicyCurve &curve, const Theme &theme)
    : m_painter(painter)
    , m_layout(layout)
    , m_curve(curve)
    , m_theme(theme)
{
}

const std::vector<TimelineLayout::Span> &PolicyCurvePainter::spans() const
{
    if (m_spans.empty())
        m_spans = m_layout.spans(m_curve);
    return m_spans;
}

void PolicyCurvePainter::paintCounterfactual() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const double from = counterfactualX(m_layout, m_curve);
    if (from >= plot.right || spans().empty())
        return;
    QPolygonF ground;
    ground << QPointF(from, plot.bottom);
    for (const TimelineLayout::Span &span : spans()) {
        if (span.first >= m_curve.firstCounterfactual())
            ground << QPointF(span.x, m_layout.yOf(span.high));
    }
    ground << QPointF(plot.right, ground.back().y()) << QPointF(plot.right, plot.bottom);
    m_painter.save();
    m_painter.setClipRect(QRectF(from, plot.top - 2, plot.right - from, plot.bottom - plot.top + 2));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(QBrush(faded(m_theme.accent, kHatchShare), Qt::BDiagPattern));
    m_painter.drawPolygon(ground);
    m_painter.restore();
    if (from > plot.left) {
        m_painter.setPen(QPen(m_theme.accent, 1, Qt::DotLine));
        m_painter.drawLine(QPointF(crisp(from), plot.top), QPointF(crisp(from), plot.bottom));
    }
}

void PolicyCurvePainter::paintCounterfactualLabel(const QRectF &taken) const
{
    const QRectF place = counterfactualLabel(m_layout, m_curve);
    if (place.isEmpty() || place.intersects(taken))
        return;
    m_painter.fillRect(place, faded(m_theme.base, 0.88));
    m_painter.setFont(Theme::textFont(11));
    m_painter.setPen(m_theme.accent);
    drawWords(m_painter, place, Qt::AlignCenter, counterfactualWord());
}

QRectF PolicyCurvePainter::counterfactualLabel(const TimelineLayout &layout, const PolicyCurve &curve)
{
    const TimelineLayout::Plot &plot = layout.plot();
    const double width = QFontMetrics(Theme::textFont(11)).horizontalAdvance(counterfactualWord()) + 8;
    const QRectF upper(counterfactualX(layout, curve) + kLabelGap, plot.top + 2, width, kWordHeight);
    if (upper.right() > plot.right)
        return {};
    // The curve stays in sight.
    const QRectF lower = upper.translated(0, actRow(layout).top() - kWordHeight - 1 - upper.top());
    const std::vector<TimelineLayout::Span> spans = layout.spans(curve);
    const auto isCrossed = [&](const QRectF &place) {
        return std::ranges::any_of(spans, [&](const TimelineLayout::Span &span) {
            return span.x >= place.left() && span.x <= place.right() && layout.yOf(span.high) <= place.bottom() + 1
                && layout.yOf(span.low) >= place.top() - 1;
        });
    };
    return isCrossed(upper) && lower.top() > upper.bottom() && !isCrossed(lower) ? lower : upper;
}

void PolicyCurvePainter::paintLine() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    m_painter.save();
    m_painter.setClipRect(QRectF(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 2));
    if (m_layout.columnWidth() < 1)
        paintMerged();
    else
        paintPolyline();
    m_painter.restore();
}

void PolicyCurvePainter::paintPolyline() const
{
    QPolygonF recordedWorld;
    QPolygonF counterfactual;
    for (const TimelineLayout::Span &span : spans()) {
        const QPointF point(span.x, m_layout.yOf(span.entry));
        if (span.first < m_curve.firstCounterfactual())
            recordedWorld << point;
        else if (counterfactual.isEmpty() && !recordedWorld.isEmpty())
            counterfactual << recordedWorld.back() << point;
        else
            counterfactual << point;
    }
    m_painter.setRenderHint(QPainter::Antialiasing, spans().size() < kThickBelow);
    QPen pen(m_theme.accent, kPolicyLine);
    pen.setJoinStyle(Qt::MiterJoin);
    m_painter.setPen(pen);
    m_painter.drawPolyline(recordedWorld);
    pen.setDashPattern({ 4, 1.5 });
    m_painter.setPen(pen);
    m_painter.drawPolyline(counterfactual);
}

/// For several calls a pixel: from the lowest to the highest value, and to the last value of the pixel before.
void PolicyCurvePainter::paintMerged() const
{
    const std::vector<TimelineLayout::Span> &all = spans();
    for (size_t i = 0; i < all.size(); ++i) {
        const auto [top, bottom] = m_layout.extentOf(all[i], i > 0 ? all[i - 1].exit : all[i].high);
        m_painter.fillRect(QRectF(std::floor(all[i].x), top, 1, std::max(kPolicyLine, bottom - top)), m_theme.accent);
    }
}

QRectF PolicyCurvePainter::actRow(const TimelineLayout &layout)
{
    const TimelineLayout::Plot &plot = layout.plot();
    return { plot.left, plot.bottom - kActHeight - kActRow, plot.right - plot.left, kActHeight + kActRow };
}

void PolicyCurvePainter::paintActs(const QRectF &taken) const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    m_painter.setFont(Theme::figureFont(11));
    const QFontMetricsF metrics(m_painter.font());
    for (const TimelineLayout::ActTick &tick : m_layout.actTicks(m_curve)) {
        const double x = std::floor(tick.x);
        m_painter.fillRect(QRectF(x - 1, plot.bottom - kActHeight, 3, kActHeight), m_theme.base);
        m_painter.fillRect(QRectF(x, plot.bottom - kActHeight, 2, kActHeight), m_theme.accent);
        const QString number = QString::number(tick.column);
        const double width = metrics.horizontalAdvance(number);
        if (tick.room < width + 8)
            continue;
        const QRectF place(std::max(plot.left, x - width / 2), plot.bottom - kActHeight - kActRow, width + 2, kActRow);
        if (place.intersects(taken))
            continue;
        m_painter.fillRect(place.adjusted(-2, 0, 1, 0), faded(m_theme.base, 0.85));
        m_painter.setPen(m_theme.accent);
        drawWords(m_painter, place, Qt::AlignLeft | Qt::AlignVCenter, number);
    }
}

void PolicyCurvePainter::paintWaits() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const double middle = crisp(plot.bottom - kActHeight / 2);
    const QPen pen(m_theme.accent, 1);
    double painted = plot.left - kLeastWait; // up to here
    for (const PolicyCurve::Wait &wait : m_curve.waits()) {
        const double from = std::floor(m_layout.xOf(wait.from));
        const double to = std::floor(m_layout.xOf(wait.to));
        if (to < plot.left || to < painted + kLeastWait)
            continue;
        if (from > plot.right)
            break;
        m_painter.setPen(pen);
        m_painter.drawLine(QPointF(std::max(from, plot.left), middle), QPointF(std::min(to, plot.right), middle));
        if (from >= plot.left) {
            const QRectF open(from - 1.5, plot.bottom - kActHeight - 0.5, 4, kActHeight);
            m_painter.fillRect(open, m_theme.base);
            m_painter.drawRect(open);
        }
        if (!wait.lands && to <= plot.right) {
            m_painter.drawLine(QPointF(to - 2, middle - 3), QPointF(to + 3, middle + 2));
            m_painter.drawLine(QPointF(to - 2, middle + 2), QPointF(to + 3, middle - 3));
        }
        painted = to;
    }
}

} // namespace ui
