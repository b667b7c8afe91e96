// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/timeline_layout.h"

#include "core/base/decimal_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace ui {

using core::CompactionKind;

namespace {

constexpr double kTriangleWidth = 9;
constexpr double kArrowWidth = 13;
constexpr double kTurnSpacing = 4;
constexpr double kActSpacing = 3;
constexpr double kMarkGap = 2;

/// The smallest of 1, 2, 5, 10, 20, 50, … that is not below `least`.
double roundStep(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1e-9))));
    for (const double factor : { 1.0, 2.0, 5.0 }) {
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

bool writesAnew(CompactionKind kind) { return kind == CompactionKind::Summary || kind == CompactionKind::Replacement; }

} // namespace

// --- series ---------------------------------------------------------------------------------------------------------

TimelineSeries::TimelineSeries(const core::ContextCurve &curve,
    const std::vector<core::RecordedCompaction> &compactions, const core::Outline &outline)
{
    const size_t calls = curve.calls.size();
    m_tokens.reserve(calls + 1);
    m_exact.assign(1, 0);
    m_sent.assign(1, 0.0);
    m_resent.assign(1, 0.0);
    for (const core::ContextPoint &point : curve.calls) {
        m_exact.push_back(m_exact.back() + (point.basis == core::Basis::Exact ? 1U : 0U));
        m_sent.push_back(m_sent.back() + point.tokens);
        const double again = m_tokens.empty() ? 0.0 : std::min(m_tokens.back(), point.tokens);
        m_resent.push_back(m_resent.back() + again);
        m_tokens.push_back(point.tokens);
    }
    m_tokens.push_back(curve.end.tokens);
    m_exact.push_back(m_exact.back());
    m_sent.push_back(m_sent.back());
    m_resent.push_back(m_resent.back());

    m_breaks.assign(calls + 1, false);
    for (const core::RecordedCompaction &compaction : compactions) {
        Mark mark;
        mark.kind = compaction.kind;
        mark.isBeforeAll = !compaction.call.isValid();
        mark.column = mark.isBeforeAll ? 0 : std::min(compaction.call.index(), calls);
        const size_t next = mark.isBeforeAll ? 0 : std::min(mark.column + 1, calls);
        mark.before
            = mark.isBeforeAll ? static_cast<double>(compaction.beforeTokens.value_or(0)) : m_tokens[mark.column];
        mark.after = m_tokens[next];
        if (!m_marks.empty())
            m_marks.back().isSent = compactions[m_marks.size() - 1].call != compaction.call;
        if (!mark.isBeforeAll && compaction.kind != CompactionKind::Clearing)
            m_breaks[mark.column] = true;
        m_marks.push_back(mark);
    }
    for (const core::SumEvent &event : curve.events) {
        if (event.kind == core::SumEvent::Kind::Cleared)
            m_clearings.push_back({ event.call.index(), event.tokens });
    }
    for (const core::OutlineEntry &entry : outline.entries) {
        if (entry.beginsTyped() && entry.callCount > 0 && entry.firstCall.index() < calls)
            m_turnStarts.push_back({ entry.firstCall.index(), entry.number });
    }
    // A rewound turn may begin at a later call than the turn that follows it in the file.
    std::ranges::sort(m_turnStarts, {}, [](const TurnStart &start) { return std::pair(start.column, start.number); });
    const auto same = [](const TurnStart &a, const TurnStart &b) { return a.column == b.column; };
    m_turnStarts.erase(m_turnStarts.begin(), std::unique(m_turnStarts.rbegin(), m_turnStarts.rend(), same).base());

    std::vector<double> negated(m_tokens.size());
    std::ranges::transform(m_tokens, negated.begin(), std::negate());
    m_highest = core::RangeMaxima(m_tokens);
    m_lowest = core::RangeMaxima(std::move(negated));
}

double TimelineSeries::clearedBefore(size_t column) const
{
    const auto found = std::ranges::find(m_clearings, column, &Clearing::column);
    return found == m_clearings.end() ? 0 : found->tokens;
}

TimelineSeries::Measure TimelineSeries::measure(size_t first, size_t last) const
{
    if (first > last)
        std::swap(first, last);
    Measure measure;
    measure.first = first;
    measure.last = last;
    measure.callCount = std::min(last + 1, callCount()) - std::min(first, callCount());
    measure.from = m_tokens[first];
    measure.to = m_tokens[last];
    measure.sent = m_sent[last + 1] - m_sent[first];
    measure.resent = m_resent[last + 1] - m_resent[first];
    measure.compactions = static_cast<size_t>(std::ranges::count_if(m_marks, [&](const Mark &mark) {
        const size_t next = mark.isBeforeAll ? 0 : mark.column + 1;
        return next >= first && next <= last;
    }));
    measure.isExact = exactIn(first, last + 1) == last + 1 - first;
    return measure;
}

// --- range ----------------------------------------------------------------------------------------------------------

TimelineRange TimelineRange::zoomed(double factor, double anchor, size_t columns) const
{
    const double all = static_cast<double>(columns);
    const double wanted = std::clamp(width() / factor, std::min(kNarrowest, all), all);
    const double share = width() > 0 ? (anchor - from) / width() : 0.5;
    const double start = std::clamp(anchor - share * wanted, 0.0, all - wanted);
    return { start, start + wanted };
}

TimelineRange TimelineRange::moved(double columnsToTheRight, size_t columns) const
{
    const double start
        = std::clamp(from + columnsToTheRight, 0.0, std::max(0.0, static_cast<double>(columns) - width()));
    return { start, start + width() };
}

TimelineRange TimelineRange::revealing(size_t column, size_t columns) const
{
    const auto place = static_cast<double>(column);
    // Keeps some room around it in sight.
    const double air = std::min(width() / 8, 10.0);
    if (place < from)
        return moved(place - air - from, columns);
    if (place + 1 > to)
        return moved(place + 1 + air - to, columns);
    return *this;
}

// --- layout ---------------------------------------------------------------------------------------------------------

TimelineLayout::TimelineLayout(const TimelineSeries &series, TimelineRange range, Plot plot, double highest)
    : m_series(&series)
    , m_range(range)
    , m_plot(plot)
    , m_highest(std::max(highest, 1.0))
{
    m_plot.right = std::max(m_plot.right, m_plot.left + 1);
    m_plot.bottom = std::max(m_plot.bottom, m_plot.top + 1);
    if (m_range.width() <= 0)
        m_range = TimelineRange::all(std::max<size_t>(1, series.columnCount()));
}

double TimelineLayout::xAt(double place) const { return m_plot.left + (place - m_range.from) * columnWidth(); }

double TimelineLayout::yOf(double tokens) const
{
    const double share = std::clamp(tokens / m_highest, 0.0, 1.0);
    return m_plot.bottom - share * (m_plot.bottom - m_plot.top);
}

double TimelineLayout::tokensAt(double y) const
{
    return std::clamp((m_plot.bottom - y) / (m_plot.bottom - m_plot.top), 0.0, 1.0) * m_highest;
}

double TimelineLayout::placeAt(double x) const { return m_range.from + (x - m_plot.left) / columnWidth(); }

size_t TimelineLayout::columnAt(double x) const
{
    const double place = std::floor(std::clamp(placeAt(x), m_range.from, m_range.to));
    return static_cast<size_t>(std::clamp(place, 0.0, static_cast<double>(m_series->columnCount()) - 1));
}

double TimelineLayout::columnWidth() const { return (m_plot.right - m_plot.left) / m_range.width(); }

std::pair<size_t, size_t> TimelineLayout::columnsInSight() const
{
    const auto count = static_cast<double>(m_series->columnCount());
    const double first = std::clamp(std::floor(m_range.from) - 1, 0.0, count);
    const double last = std::clamp(std::ceil(m_range.to) + 1, first, count);
    return { static_cast<size_t>(first), static_cast<size_t>(last) };
}

std::vector<TimelineLayout::Span> TimelineLayout::emptySpans() const
{
    std::vector<Span> result;
    const auto [first, last] = columnsInSight();
    for (size_t column = first; column < last;) {
        Span span;
        span.first = column;
        span.last = column + 1;
        span.x = xOf(column);
        if (columnWidth() < 1) {
            // All columns whose middle lies in the same pixel.
            const double pixel = std::floor(span.x);
            const double next = std::ceil(placeAt(pixel + 1) - 0.5);
            span.last
                = static_cast<size_t>(std::clamp(next, static_cast<double>(column) + 1, static_cast<double>(last)));
            while (span.last < last && xOf(span.last) < pixel + 1)
                ++span.last; // rounding: this one is just inside the pixel
            span.x = pixel + 0.5;
        }
        result.push_back(span);
        column = span.last;
    }
    return result;
}

namespace {

template <typename Curve>
void fillFrom(const Curve &curve, TimelineLayout::Span &span)
{
    span.low = curve.tokens(curve.lowestIn(span.first, span.last));
    span.high = curve.tokens(curve.highestIn(span.first, span.last));
    span.entry = curve.tokens(span.first);
    span.exit = curve.tokens(span.last - 1);
}

} // namespace

std::vector<TimelineLayout::Span> TimelineLayout::spans() const
{
    std::vector<Span> result = emptySpans();
    for (Span &span : result) {
        fillFrom(*m_series, span);
        span.isExact = m_series->exactIn(span.first, span.last) > 0;
        span.isBroken = span.first == 0 || m_series->breaksAfter(span.first - 1);
    }
    return result;
}

std::vector<TimelineLayout::Span> TimelineLayout::spans(const PolicyCurve &curve) const
{
    if (curve.columnCount() != m_series->columnCount())
        return {};
    std::vector<Span> result = emptySpans();
    for (Span &span : result)
        fillFrom(curve, span);
    return result;
}

std::pair<double, double> TimelineLayout::extentOf(const Span &span, double before) const
{
    return { std::floor(std::min(yOf(span.high), yOf(before))), std::ceil(std::max(yOf(span.low), yOf(before))) };
}

std::vector<TimelineLayout::ActTick> TimelineLayout::actTicks(const PolicyCurve &curve) const
{
    std::vector<ActTick> ticks;
    const auto &acts = curve.acts();
    const auto from = static_cast<size_t>(std::max(0.0, std::floor(m_range.from)));
    auto at = std::ranges::lower_bound(acts, from);
    while (at != acts.end() && xOf(*at) <= m_plot.right) {
        const double x = xOf(*at);
        const double next = std::ceil(placeAt(x + kActSpacing) - 0.5);
        const auto end = std::lower_bound(at + 1, acts.end(), static_cast<size_t>(std::max(0.0, next)));
        if (x >= m_plot.left) {
            if (!ticks.empty())
                ticks.back().room = x - ticks.back().x;
            ticks.push_back({ *std::prev(end), x, m_plot.right - x });
        }
        at = end;
    }
    return ticks;
}

TimelineLayout::Look TimelineLayout::lookOf(CompactionKind kind)
{
    if (writesAnew(kind))
        return Look::Number;
    return kind == CompactionKind::Clearing ? Look::Triangle : Look::Arrow;
}

std::string TimelineLayout::MarkGroup::text() const
{
    // Compactions are numbered from 1.
    const std::string first = std::to_string(marks.front() + 1);
    return isSingle() ? first : first + "–" + std::to_string(marks.back() + 1);
}

double TimelineLayout::xOf(const TimelineSeries::Mark &mark) const
{
    return mark.isBeforeAll ? xAt(0) : xOf(mark.column);
}

std::vector<TimelineLayout::MarkGroup> TimelineLayout::markGroups(double digit) const
{
    std::array<std::vector<MarkGroup>, 3> lanes;
    const auto widthOf = [&](const MarkGroup &group) {
        if (group.look != Look::Number)
            return group.look == Look::Triangle ? kTriangleWidth : kArrowWidth;
        const auto figures = static_cast<double>(group.text().size()) - (group.isSingle() ? 0 : 2); // a dash is 3 bytes
        return std::max(2 * kMarkRadius, figures * digit + kMarkRadius);
    };
    const auto middle = [&](const MarkGroup &group) {
        const auto &marks = m_series->marks();
        const double x = (xOf(marks[group.marks.front()]) + xOf(marks[group.marks.back()])) / 2;
        const double half = std::min(group.width, m_plot.right - m_plot.left) / 2;
        return std::clamp(x, m_plot.left + half, std::max(m_plot.left + half, m_plot.right - half));
    };
    for (size_t i = 0; i < m_series->marks().size(); ++i) {
        const TimelineSeries::Mark &mark = m_series->marks()[i];
        const double x = xOf(mark);
        if (x < m_plot.left - 0.5 || x > m_plot.right + 0.5)
            continue;
        const Look look = lookOf(mark.kind);
        auto &lane = lanes[static_cast<size_t>(look)];
        MarkGroup group;
        group.look = look;
        group.marks = { i };
        group.y = look == Look::Number ? std::max(m_plot.top + kMarkRadius - 2, yOf(mark.before) - kMarkRadius - 3)
                                       : m_plot.bottom - 4;
        group.width = widthOf(group);
        group.x = middle(group);
        // A group that grew may reach the one before it: they join, until nothing overlaps.
        while (!lane.empty() && group.x - group.width / 2 < lane.back().x + lane.back().width / 2 + kMarkGap) {
            lane.back().marks.insert(lane.back().marks.end(), group.marks.begin(), group.marks.end());
            group.marks = std::move(lane.back().marks);
            group.y = std::min(group.y, lane.back().y);
            lane.pop_back();
            group.width = widthOf(group);
            group.x = middle(group);
        }
        lane.push_back(std::move(group));
    }
    std::vector<MarkGroup> result;
    for (auto &lane : lanes)
        std::ranges::move(lane, std::back_inserter(result));
    return result;
}

std::vector<size_t> TimelineLayout::drops() const
{
    std::vector<size_t> result;
    double lastPixel = m_plot.left - 10;
    for (size_t i = 0; i < m_series->marks().size(); ++i) {
        const TimelineSeries::Mark &mark = m_series->marks()[i];
        const double x = xOf(mark);
        if (mark.isBeforeAll || mark.kind == CompactionKind::Clearing || x < m_plot.left || x > m_plot.right
            || std::floor(x) == lastPixel)
            continue;
        lastPixel = std::floor(x);
        result.push_back(i);
    }
    return result;
}

std::vector<TimelineLayout::Tick> TimelineLayout::valueTicks(double spacing) const
{
    std::vector<Tick> ticks;
    const double height = m_plot.bottom - m_plot.top;
    const double step = std::max(1.0, roundStep(m_highest * spacing / height));
    for (double value = 0; value <= m_highest * (1 + 1e-9); value += step)
        ticks.push_back({ yOf(value), value, axisText(value) });
    return ticks;
}

std::vector<TimelineLayout::Tick> TimelineLayout::callTicks(double spacing) const
{
    std::vector<Tick> ticks;
    if (m_series->callCount() == 0)
        return ticks;
    const double step = std::max(1.0, roundStep(spacing / columnWidth()));
    const double end = std::min(m_range.to, static_cast<double>(m_series->callCount()));
    for (double call = std::ceil(std::max(0.0, m_range.from - 0.5) / step) * step; call < end; call += step) {
        const double x = xAt(call + 0.5);
        if (x >= m_plot.left && x <= m_plot.right)
            ticks.push_back({ x, call, std::to_string(static_cast<size_t>(call)) });
    }
    return ticks;
}

std::vector<TimelineLayout::TurnTick> TimelineLayout::turnTicks() const
{
    std::vector<TurnTick> ticks;
    const auto &starts = m_series->turnStarts();
    const auto from = static_cast<size_t>(std::max(0.0, std::floor(m_range.from)));
    const auto column = &TimelineSeries::TurnStart::column;
    auto at = std::ranges::lower_bound(starts, from, {}, column);
    while (at != starts.end() && xOf(at->column) <= m_plot.right) {
        const double x = xOf(at->column);
        if (x >= m_plot.left) {
            if (!ticks.empty())
                ticks.back().room = x - ticks.back().x;
            ticks.push_back({ at->number, x, m_plot.right - x });
        }
        // Searches by position for the next one that is not too near, so thousands of turns cost nothing.
        const double next = std::ceil(placeAt(x + kTurnSpacing) - 0.5);
        at = std::ranges::lower_bound(at + 1, starts.end(), static_cast<size_t>(std::max(0.0, next)), {}, column);
    }
    return ticks;
}

double timelineTop(double peak, double window, double simulatedPeak)
{
    const double room = std::max(peak, 1.0) * 1.12;
    const double top = window > 0 && window <= 3 * std::max(peak, 1.0) ? std::max(window, room) : room;
    return simulatedPeak <= top ? top : std::ceil(simulatedPeak * 1.02 / top * 4) / 4 * top;
}

std::string axisText(double value)
{
    const bool isMillions = value >= 1e6;
    const double scaled = isMillions ? value / 1e6 : value >= 1e3 ? value / 1e3 : value;
    return core::decimalText(std::round(scaled * 100) / 100) + (isMillions ? "M" : value >= 1e3 ? "k" : "");
}

} // namespace ui
