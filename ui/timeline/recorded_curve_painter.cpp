// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/recorded_curve_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kDotsFrom = 12;  ///< width of a column from which each call has a dot
constexpr size_t kFineFrom = 500; ///< calls in sight from which the line is one pixel, which is much cheaper

} // namespace

RecordedCurvePainter::RecordedCurvePainter(
    QPainter &painter, const TimelineContent &content, const TimelineLayout &layout)
    : m_painter(painter)
    , m_layout(layout)
    , m_theme(content.theme())
    , m_colour(content.replay() ? blended(m_theme.curve, m_theme.base, 0.45) : m_theme.curve)
    , m_spans(layout.spans())
{
}

void RecordedCurvePainter::paint() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    m_painter.save();
    m_painter.setClipRect(QRectF(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 2));
    m_painter.setPen(Qt::NoPen);
    paintGround();
    if (m_layout.columnWidth() < 1)
        paintMergedLine();
    else
        paintLine();
    if (m_layout.columnWidth() >= kDotsFrom)
        paintDots();
    m_painter.restore();
}

/// From one break of the curve to the next.
void RecordedCurvePainter::paintGround() const
{
    const double bottom = m_layout.plot().bottom;
    const QColor estimated = blended(m_theme.base, m_theme.curveGround, 0.5);
    if (m_layout.columnWidth() < 1) {
        // A polygon for every pixel would cost many times as much.
        for (const TimelineLayout::Span &span : m_spans) {
            const double top = std::floor(m_layout.yOf(span.high));
            m_painter.fillRect(
                QRectF(std::floor(span.x), top, 1, bottom - top), span.isExact ? m_theme.curveGround : estimated);
        }
        return;
    }
    for (size_t i = 1; i < m_spans.size(); ++i) {
        const TimelineLayout::Span &a = m_spans[i - 1];
        const TimelineLayout::Span &b = m_spans[i];
        if (b.isBroken)
            continue;
        QPolygonF ground;
        ground << QPointF(a.x, bottom) << QPointF(a.x, m_layout.yOf(a.last - a.first > 1 ? a.high : a.exit))
               << QPointF(b.x, m_layout.yOf(b.last - b.first > 1 ? b.high : b.entry)) << QPointF(b.x, bottom);
        m_painter.setBrush(a.isExact && b.isExact ? m_theme.curveGround : estimated);
        m_painter.drawPolygon(ground);
    }
}

/// A run of calls of one kind is one polyline, so that its dashes go on from call to call.
void RecordedCurvePainter::paintLine() const
{
    const QPen solid(m_colour, m_spans.size() < kFineFrom ? 1.2 : 1);
    QPen dashed(m_theme.secondary, 1);
    dashed.setDashPattern({ 3, 3 });
    m_painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    bool isExactRun = true;
    const auto flush = [&] {
        if (line.size() > 1) {
            m_painter.setPen(isExactRun ? solid : dashed);
            m_painter.drawPolyline(line);
        }
        line.clear();
    };
    for (size_t i = 0; i < m_spans.size(); ++i) {
        const TimelineLayout::Span &span = m_spans[i];
        const bool leadsOver = i > 0 && !span.isBroken;
        const bool isExact = leadsOver ? span.isExact && m_spans[i - 1].isExact : span.isExact;
        if (!leadsOver || isExact != isExactRun) {
            const QPointF last = line.isEmpty() ? QPointF() : line.back();
            const bool goesOn = leadsOver && !line.isEmpty();
            flush();
            if (goesOn)
                line << last;
            isExactRun = isExact;
        }
        line << QPointF(span.x, m_layout.yOf(span.entry));
    }
    flush();
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

/// For several calls a pixel: from the lowest to the highest value, and to the last value of the pixel before.
void RecordedCurvePainter::paintMergedLine() const
{
    for (size_t i = 0; i < m_spans.size(); ++i) {
        const TimelineLayout::Span &span = m_spans[i];
        const double before = i > 0 && !span.isBroken ? m_spans[i - 1].exit : span.high;
        const auto [top, bottom] = m_layout.extentOf(span, before);
        m_painter.fillRect(QRectF(std::floor(span.x), top, 1, std::max(1.0, bottom - top)),
            span.isExact ? m_colour : m_theme.secondary);
    }
}

void RecordedCurvePainter::paintDots() const
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(Qt::NoPen);
    for (const TimelineLayout::Span &span : m_spans) {
        m_painter.setBrush(span.isExact ? m_colour : m_theme.secondary);
        m_painter.drawEllipse(QPointF(span.x, m_layout.yOf(span.entry)), 2, 2);
    }
}

} // namespace ui
