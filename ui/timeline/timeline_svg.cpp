// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/timeline_svg.h"

#include "core/base/format.h"
#include "core/context/context_curve.h"
#include "core/session/outline.h"
#include "ui/timeline/cache_band.h"
#include "ui/timeline/finding_track.h"
#include "ui/timeline/timeline_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

using core::formatted;

constexpr double kPictureWidth = 1000;
constexpr double kLeft = 64;
constexpr double kRight = 990;
constexpr double kTop = 32;
constexpr double kBottom = 232;
constexpr double kCacheTop = kBottom + 36;
constexpr double kDigit = 7; ///< width of a digit of the drawing's font

/// Writes the drawing from the layouts of the window's timeline.
class TimelineDrawing final {
public:
    TimelineDrawing(const core::SessionReport &report, core::PictureLinks links)
        : m_report(report)
        , m_links(links)
        , m_thread(report.shown.thread())
        , m_series(core::contextCurve(*report.shown.threadSums, *report.shown.weights.tokens()), m_thread.compactions,
              core::outlineOf(*report.shown.session, report.shown.position.thread))
        , m_band(*report.figures)
        , m_window(static_cast<double>(report.shown.session->windowTokens.value_or(0)))
        , m_layout(m_series, TimelineRange::all(m_series.columnCount()), { kLeft, kRight, kTop, kBottom, 14 },
              timelineTop(m_series.peak(), m_window))
    {
    }

    std::string draw()
    {
        const double height = kBottom + 30 + (m_band.isEmpty() ? 0 : CacheRows::heightOf(1) + 8);
        m_svg = formatted("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\">\n", kPictureWidth, height);
        drawAxes();
        drawGround();
        drawLine();
        drawChosen();
        drawFindings();
        drawMarks();
        drawCache();
        return m_svg + "</svg>\n";
    }

private:
    void put(const std::string &element) { m_svg += element + "\n"; }
    void putLine(std::string_view look, double x1, double y1, double x2, double y2)
    {
        put(formatted(
            "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", look, x1, y1, x2, y2));
    }
    void putText(std::string_view look, double x, double y, std::string_view text)
    {
        put(formatted("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", look, x, y, text));
    }
    void putBox(std::string_view look, double x, double y, double width, double height)
    {
        put(formatted("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>", look, x, y,
            width, std::max(0.0, height)));
    }

    void drawAxes()
    {
        const bool hasWindow = m_window > 0 && m_window <= m_layout.highest();
        const double window = hasWindow ? m_layout.yOf(m_window) : -100;
        for (const TimelineLayout::Tick &tick : m_layout.valueTicks(26)) {
            putLine(tick.value > 0 ? "grid" : "axis", kLeft, tick.at, kRight, tick.at);
            if (std::abs(tick.at - window) > 16)
                putText("r", kLeft - 6, tick.at + 4, tick.text);
        }
        if (hasWindow) {
            putLine("win", kLeft, window, kRight, window);
            putText("r", kLeft - 6, window + 4, axisText(m_window));
            putText("", kLeft + 4, window - 4, "window of the model");
        }
        for (const TimelineLayout::TurnTick &tick : m_layout.turnTicks())
            putLine("axis", tick.x, kBottom + 1, tick.x, kBottom + 6);
        putText("r", kLeft - 6, kBottom + 20, "call");
        for (const TimelineLayout::Tick &tick : m_layout.callTicks(64))
            putText("c", std::min(tick.at, kRight - 8), kBottom + 20, tick.text);
    }

    /// From one break of the curve to the next, in one piece as long as the figures are of one kind; several calls a
    /// pixel as boxes.
    void drawGround()
    {
        const auto spans = m_layout.spans();
        if (m_layout.columnWidth() < 1) {
            for (const TimelineLayout::Span &span : spans) {
                const double top = m_layout.yOf(span.high);
                putBox(span.isExact ? "ground" : "guess", std::floor(span.x), top, 1, kBottom - top);
            }
            return;
        }
        std::string path;
        bool isExactRun = false;
        double last = 0;
        const auto flush = [&] {
            if (!path.empty())
                put(formatted("<path class=\"{}\" d=\"{}L{:.1f} {:.1f}z\"/>", isExactRun ? "ground" : "guess", path,
                    last, kBottom));
            path.clear();
        };
        for (size_t i = 1; i < spans.size(); ++i) {
            const TimelineLayout::Span &a = spans[i - 1];
            const TimelineLayout::Span &b = spans[i];
            const bool isExact = a.isExact && b.isExact;
            if (b.isBroken || isExact != isExactRun)
                flush();
            if (b.isBroken)
                continue;
            if (path.empty())
                path = formatted("M{:.1f} {:.1f}V{:.1f}", a.x, kBottom, m_layout.yOf(a.exit));
            path += formatted("L{:.1f} {:.1f}", b.x, m_layout.yOf(b.entry));
            isExactRun = isExact;
            last = b.x;
        }
        flush();
    }

    void drawLine()
    {
        const auto spans = m_layout.spans();
        if (m_layout.columnWidth() < 1) {
            for (size_t i = 0; i < spans.size(); ++i) {
                const double before = i > 0 && !spans[i].isBroken ? spans[i - 1].exit : spans[i].high;
                const auto [top, bottom] = m_layout.extentOf(spans[i], before);
                putBox("fat", std::floor(spans[i].x), top, 1, std::max(1.0, bottom - top));
            }
            return;
        }
        std::string path;
        bool isExactRun = true;
        const auto flush = [&] {
            if (path.contains('L'))
                put(formatted("<path class=\"{}\" d=\"{}\"/>", isExactRun ? "line" : "dash", path));
            path.clear();
        };
        for (size_t i = 0; i < spans.size(); ++i) {
            const TimelineLayout::Span &span = spans[i];
            const bool leadsOver = i > 0 && !span.isBroken;
            const bool isExact = leadsOver ? span.isExact && spans[i - 1].isExact : span.isExact;
            if (!leadsOver || isExact != isExactRun) {
                flush();
                if (leadsOver)
                    path = formatted("M{:.1f} {:.1f}", spans[i - 1].x, m_layout.yOf(spans[i - 1].exit));
                isExactRun = isExact;
            }
            path += formatted("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", span.x, m_layout.yOf(span.entry));
        }
        flush();
    }

    /// The call whose array the page shows.
    void drawChosen()
    {
        if (m_report.shown.position.isEnd() || m_series.isEmpty())
            return;
        const double x = m_layout.xOf(m_report.shown.position.call.index());
        putLine("here", x, kTop, x, kBottom);
    }

    void drawFindings()
    {
        const FindingTrack track(m_report.findings.findings, m_report.shown.position.thread);
        for (const FindingTrack::Group &group : track.groups(m_layout)) {
            put(formatted(
                "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"10\" r=\"3\"/>", group.isLost ? "lost" : "cost", group.x));
            if (group.count() > 1)
                putText("", group.x + 5, 14, std::to_string(group.count()));
        }
        if (track.count() > 0)
            putText("r", kLeft - 6, 14, "findings");
    }

    void drawMarks()
    {
        for (const size_t index : m_layout.drops()) {
            const TimelineSeries::Mark &mark = m_series.marks()[index];
            const double x = m_layout.xOf(mark.column);
            putLine("drop", x, m_layout.yOf(mark.before), x, m_layout.yOf(mark.after));
        }
        for (const TimelineSeries::Clearing &each : m_series.clearings())
            drawTriangle(m_layout.xOf(each.column), "open");
        for (const TimelineLayout::MarkGroup &group : m_layout.markGroups(kDigit))
            drawGroup(group);
    }
    void drawTriangle(double x, std::string_view look)
    {
        put(formatted("<path class=\"{}\" d=\"M{:.1f} {:.1f}l4.5 8h-9z\"/>", look, x, kBottom - 8));
    }
    void drawGroup(const TimelineLayout::MarkGroup &group)
    {
        constexpr double kHalf = TimelineLayout::kMarkRadius;
        const bool isLink = m_links == core::PictureLinks::ToRows;
        switch (group.look) {
        case TimelineLayout::Look::Number:
            put(formatted("{}<rect class=\"mark\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" "
                          "rx=\"{}\"/><text class=\"c markn\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>{}",
                isLink ? formatted("<a href=\"#compaction-{}\">", group.marks.front() + 1) : std::string(),
                group.x - group.width / 2, group.y - kHalf, group.width, 2 * kHalf, kHalf, group.x, group.y + 4,
                group.text(), isLink ? "</a>" : ""));
            break;
        case TimelineLayout::Look::Triangle:
            drawTriangle(group.x, "tri");
            break;
        case TimelineLayout::Look::Arrow:
            put(formatted(
                "<path class=\"arrow\" d=\"M{:.1f} {:.1f}h-11m4 -3.5l-4 3.5l4 3.5\"/>", group.x + 6, kBottom - 5));
            break;
        }
    }

    void drawCache()
    {
        if (m_band.isEmpty())
            return;
        putText("r", kLeft - 6, kCacheTop + CacheRows::kBand, "cache");
        const auto pieces = m_band.pieces(m_layout);
        for (const CachePiece &piece : pieces) {
            const double width = std::max(0.0, piece.right - piece.left);
            const double height = CacheRows::kBand * piece.share;
            putBox("rest", piece.left, kCacheTop, width, CacheRows::kBand - height);
            putBox("read", piece.left, kCacheTop + CacheRows::kBand - height, width, height);
        }
        for (const CachePiece &piece : pieces) {
            if (piece.hasMiss)
                putBox("lost", std::floor(piece.left), kCacheTop - 1, 2, CacheRows::kBand + 2);
        }
        putText("", kLeft, kCacheTop + CacheRows::kBand + 15, m_band.reading());
    }

    const core::SessionReport &m_report;
    core::PictureLinks m_links;
    const core::Thread &m_thread;
    TimelineSeries m_series;
    CacheBand m_band;
    double m_window = 0;
    TimelineLayout m_layout;
    std::string m_svg;
};

} // namespace

std::string timelineSvg(const core::SessionReport &report, core::PictureLinks links)
{
    return TimelineDrawing(report, links).draw();
}

} // namespace ui
