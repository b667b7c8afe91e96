// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/range_maxima.h"
#include "core/context/context_curve.h"
#include "core/session/outline.h"
#include "ui/timeline/policy_curve.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ui {

/// Width in pixels of the gutter left of the plot where hovering selects a lane.
inline constexpr double kNameReach = 60;

/// The recorded figures of one thread for a timeline. Columns are positions on its axis: one for each call, and a last
/// one for the end. Qt-free; O(columns) to build, O(log columns) to query.
class TimelineSeries final {
public:
    /// A recorded compaction, after the call in `column`.
    struct Mark {
        size_t column = 0;
        core::CompactionKind kind = core::CompactionKind::Summary;
        bool isBeforeAll = false; ///< it came before the first call
        bool isSent = true;       ///< false if another compaction came before the next call
        double before = 0;        ///< tokens at the call before it
        double after = 0;         ///< tokens at the next call
    };
    /// The start of a turn. Turns that start at the same call are merged and have the number of the last.
    struct TurnStart {
        size_t column = 0;
        size_t number = 0; ///< 1-based
    };
    /// A call that sent less than the log contains, and no record says why.
    struct Clearing {
        size_t column = 0;
        double tokens = 0; ///< estimated
    };
    /// Figures of a range of calls.
    struct Measure {
        size_t first = 0;
        size_t last = 0;        ///< inclusive
        size_t callCount = 0;   ///< the end does not count
        double from = 0;        ///< tokens at the first column
        double to = 0;          ///< tokens at the last one
        double sent = 0;        ///< sum over all calls
        double resent = 0;      ///< the part that the previous call had sent, too; per call at most that call's prompt
        size_t compactions = 0; ///< recorded compactions whose array was first sent by one of the calls
        bool isExact = false;   ///< every figure was recorded
    };

    TimelineSeries() = default;
    TimelineSeries(const core::ContextCurve &curve, const std::vector<core::RecordedCompaction> &compactions,
        const core::Outline &outline);

    [[nodiscard]] bool isEmpty() const { return m_tokens.empty(); }
    /// Calls + 1; 0 for an empty series.
    [[nodiscard]] size_t columnCount() const { return m_tokens.size(); }
    [[nodiscard]] size_t callCount() const { return m_tokens.empty() ? 0 : m_tokens.size() - 1; }
    [[nodiscard]] bool isEnd(size_t column) const { return column + 1 >= m_tokens.size(); }
    [[nodiscard]] double tokens(size_t column) const { return m_tokens[column]; }
    [[nodiscard]] bool isExact(size_t column) const { return exactIn(column, column + 1) == 1; }
    /// Number of recorded columns in `[first, last)`.
    [[nodiscard]] size_t exactIn(size_t first, size_t last) const { return m_exact[last] - m_exact[first]; }
    [[nodiscard]] size_t highestIn(size_t first, size_t last) const { return m_highest.indexOfLargest(first, last); }
    [[nodiscard]] size_t lowestIn(size_t first, size_t last) const { return m_lowest.indexOfLargest(first, last); }
    [[nodiscard]] double peak() const { return m_tokens.empty() ? 0 : m_tokens[highestIn(0, m_tokens.size())]; }
    /// Whether the array was replaced or rewound between `column` and the next, so that no line connects them.
    [[nodiscard]] bool breaksAfter(size_t column) const { return m_breaks[column]; }
    [[nodiscard]] const std::vector<Mark> &marks() const { return m_marks; }
    /// The silent clearings, ascending.
    [[nodiscard]] const std::vector<Clearing> &clearings() const { return m_clearings; }
    /// The tokens of the silent clearing before a call; 0 if there is none.
    [[nodiscard]] double clearedBefore(size_t column) const;
    /// Ascending, at most one a column.
    [[nodiscard]] const std::vector<TurnStart> &turnStarts() const { return m_turnStarts; }
    /// Both columns are inclusive, in either order.
    [[nodiscard]] Measure measure(size_t first, size_t last) const;

private:
    std::vector<double> m_tokens;
    std::vector<uint32_t> m_exact; ///< prefix counts; n + 1 entries
    std::vector<double> m_sent;    ///< prefix sums over calls; n + 1 entries
    std::vector<double> m_resent;  ///< prefix sums over calls; n + 1 entries
    std::vector<bool> m_breaks;
    std::vector<Mark> m_marks;
    std::vector<Clearing> m_clearings;
    std::vector<TurnStart> m_turnStarts;
    core::RangeMaxima m_highest;
    core::RangeMaxima m_lowest; ///< of negated values
};

/// The visible part of the axis in columns; column i covers `[i, i + 1)`.
struct TimelineRange {
    double from = 0;
    double to = 0;
    [[nodiscard]] double width() const { return to - from; }
    friend bool operator==(const TimelineRange &, const TimelineRange &) = default;

    /// Limit of zooming in.
    static constexpr double kNarrowest = 6;

    [[nodiscard]] static TimelineRange all(size_t columns) { return { 0, static_cast<double>(columns) }; }
    /// Zooms by `factor`; more than 1 shows less. The position `anchor` (in columns) stays in place.
    [[nodiscard]] TimelineRange zoomed(double factor, double anchor, size_t columns) const;
    [[nodiscard]] TimelineRange moved(double columnsToTheRight, size_t columns) const;
    /// Moves as little as needed to show the column.
    [[nodiscard]] TimelineRange revealing(size_t column, size_t columns) const;
};

/// Positions of everything in a timeline, in pixels. Qt-free. Queries cost O(pixels), independent of the number of
/// calls.
class TimelineLayout final {
public:
    struct Plot {
        double left = 0;
        double right = 0;
        double top = 0;
        double bottom = 0;
        double findingRow = 0; ///< height of the row of findings above it
    };
    /// One piece of the curve to draw: a single column, or all columns that share a pixel.
    struct Span {
        size_t first = 0;
        size_t last = 0; ///< exclusive
        double x = 0;
        double low = 0; ///< tokens
        double high = 0;
        double entry = 0;      ///< tokens at the first column
        double exit = 0;       ///< tokens at the last one
        bool isExact = false;  ///< some of it was recorded
        bool isBroken = false; ///< no line connects it to the span before
    };
    /// How a compaction is marked.
    enum class Look : uint8_t {
        Number,   ///< the array was replaced: a circled number above the curve
        Triangle, ///< bodies were cleared: a triangle on the axis
        Arrow,    ///< turns were rewound: an arrow on the axis
    };
    /// Compactions with the same look whose marks would overlap, drawn as one.
    struct MarkGroup {
        Look look = Look::Number;
        std::vector<size_t> marks; ///< indices into TimelineSeries::marks(), ascending
        double x = 0;              ///< middle
        double y = 0;
        double width = 0;
        [[nodiscard]] bool isSingle() const { return marks.size() == 1; }
        /// `3`, or `3–7` for a group.
        [[nodiscard]] std::string text() const;
    };
    struct Tick {
        double at = 0; ///< pixels
        double value = 0;
        std::string text;
    };
    struct TurnTick {
        size_t number = 0;
        double x = 0;
        double room = 0; ///< pixels to the next tick
    };

    /// One or several calls at the same pixels before which a policy acted.
    struct ActTick {
        size_t column = 0; ///< of the last call that it stands for
        double x = 0;
        double room = 0; ///< pixels to the next tick, or to the edge
    };

    TimelineLayout() = default;
    /// `highest` is the value at the top of the plot, in tokens.
    TimelineLayout(const TimelineSeries &series, TimelineRange range, Plot plot, double highest);

    [[nodiscard]] const Plot &plot() const { return m_plot; }
    [[nodiscard]] double highest() const { return m_highest; }
    /// The middle of a column.
    [[nodiscard]] double xOf(size_t column) const { return xAt(static_cast<double>(column) + 0.5); }
    [[nodiscard]] double xAt(double place) const;
    [[nodiscard]] double yOf(double tokens) const;
    /// The value at height `y`, between 0 and the highest.
    [[nodiscard]] double tokensAt(double y) const;
    /// The position on the axis, in columns; not clamped.
    [[nodiscard]] double placeAt(double x) const;
    /// The column under `x`, or the nearest one. The series must not be empty.
    [[nodiscard]] size_t columnAt(double x) const;
    [[nodiscard]] double columnWidth() const;

    /// At most one span a pixel. Every visible column is in exactly one span, and so are columns just outside that
    /// lines lead to.
    [[nodiscard]] std::vector<Span> spans() const;
    /// The same for a policy's curve, which has no recorded figures and no breaks.
    [[nodiscard]] std::vector<Span> spans(const PolicyCurve &curve) const;
    /// Top and bottom, in whole pixels, of a line through all values of a span that starts at the value `before`. Pass
    /// `span.high` if no line connects it to the span before.
    [[nodiscard]] std::pair<double, double> extentOf(const Span &span, double before) const;
    /// At most one tick for every three pixels.
    [[nodiscard]] std::vector<ActTick> actTicks(const PolicyCurve &curve) const;
    [[nodiscard]] static Look lookOf(core::CompactionKind kind);
    /// Every visible compaction is in exactly one group. Groups of the same look do not overlap and stay inside the
    /// plot. `digit` is the width of a digit in pixels.
    [[nodiscard]] std::vector<MarkGroup> markGroups(double digit) const;
    /// Visible marks at which the curve breaks, at most one a pixel; a dotted line is drawn there.
    [[nodiscard]] std::vector<size_t> drops() const;
    [[nodiscard]] std::vector<Tick> valueTicks(double spacing) const;
    [[nodiscard]] std::vector<Tick> callTicks(double spacing) const;
    /// At most one tick for every four pixels.
    [[nodiscard]] std::vector<TurnTick> turnTicks() const;

    static constexpr double kMarkRadius = 8;

private:
    /// Visible columns, and one more at either side.
    [[nodiscard]] std::pair<size_t, size_t> columnsInSight() const;
    /// Visible columns; columns at the same pixel are merged.
    [[nodiscard]] std::vector<Span> emptySpans() const;
    [[nodiscard]] double xOf(const TimelineSeries::Mark &mark) const;

    const TimelineSeries *m_series = nullptr;
    TimelineRange m_range;
    Plot m_plot;
    double m_highest = 1;
};

/// The value at the top of the plot: the model's window if it is at most three times the peak, else a little more than
/// the peak. For a higher curve of a policy it grows in steps of a quarter, so that the scale seldom changes while
/// settings change.
[[nodiscard]] double timelineTop(double peak, double window, double simulatedPeak = 0);

/// Round numbers for an axis: `0`, `500`, `50k`, `1.5M`.
[[nodiscard]] std::string axisText(double value);

} // namespace ui
