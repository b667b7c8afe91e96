// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/column_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui {

namespace {

constexpr double kShareOfLines = 0.5;  ///< of the height, for lines; the rest shows weights
constexpr double kShareOfTexts = 0.85; ///< the same while all lines can have text
constexpr double kReadable = 0.57;     ///< of a line

double columnHeight(const std::vector<double> &weights, double line, double gap, double scale)
{
    double sum = 0;
    for (const double weight : weights)
        sum += std::max(line, weight * scale) + gap;
    return sum;
}

} // namespace

ColumnLayout::ColumnLayout(const std::vector<double> &weights, double line, double gap, double scale)
    : m_gap(gap)
    , m_heaviest(weights)
{
    m_tops.reserve(weights.size() + 1);
    double top = 0;
    for (const double weight : weights) {
        m_tops.push_back(top);
        top += std::max(line, weight * scale) + gap;
    }
    m_tops.push_back(top);
}

double ColumnLayout::height(size_t item, double zoom) const
{
    const double whole = (m_tops[item + 1] - m_tops[item]) * zoom;
    // The gap gives way first when there is no room.
    return whole - std::min(m_gap * zoom, whole / 4);
}

size_t ColumnLayout::itemAt(double y, double zoom) const
{
    if (count() == 0)
        return 0;
    const auto next = std::ranges::upper_bound(m_tops, y / zoom);
    const auto index = static_cast<ptrdiff_t>(next - m_tops.begin()) - 1;
    return static_cast<size_t>(std::clamp<ptrdiff_t>(index, 0, static_cast<ptrdiff_t>(count()) - 1));
}

std::vector<ColumnLayout::Span> ColumnLayout::spans(double from, double to, double zoom) const
{
    std::vector<Span> result;
    if (count() == 0 || to <= from || from >= totalHeight(zoom))
        return result;
    size_t item = itemAt(std::max(from, 0.0), zoom);
    while (item < count() && top(item, zoom) < to) {
        size_t last = item + 1;
        if (height(item, zoom) < kMergeBelow) {
            // Adds items until the span is visible, then those that start in its last pixel.
            const double end = top(item, zoom) + kMergeBelow;
            const auto next = std::ranges::lower_bound(
                m_tops.begin() + static_cast<ptrdiff_t>(item) + 1, m_tops.end() - 1, end / zoom);
            last = std::max(last, static_cast<size_t>(next - m_tops.begin()));
            // A heavy item stays on its own. At most one begins in so few pixels.
            const size_t heaviest = m_heaviest.indexOfLargest(item, last);
            if (height(heaviest, zoom) >= kMergeBelow)
                last = heaviest;
        }
        Span span;
        span.first = item;
        span.last = last;
        span.heaviest = m_heaviest.indexOfLargest(item, last);
        span.top = top(item, zoom);
        const double whole = m_tops[last] * zoom - span.top;
        span.height = last - item == 1 ? height(item, zoom) : whole;
        result.push_back(span);
        item = last;
    }
    return result;
}

Fit fitted(const std::vector<double> &weights, double line, double gap, double mostScale, double height)
{
    if (height <= 0 || columnHeight(weights, line, gap, mostScale) <= height)
        return { 1.0, mostScale };
    const double lines = static_cast<double>(weights.size()) * (line + gap);
    Fit fit { std::min(1.0, kShareOfLines * height / lines), mostScale };
    if (lines * kReadable <= kShareOfTexts * height)
        fit.zoom = std::max(fit.zoom, kReadable);
    const auto heightOf
        = [&](const Fit &each) { return columnHeight(weights, line * each.zoom, gap * each.zoom, each.scale); };
    // What the heavy items do not need at their full height is for the lines.
    double &changed = heightOf(fit) > height ? fit.scale : fit.zoom;
    double low = heightOf(fit) > height ? 0 : fit.zoom;
    double high = heightOf(fit) > height ? mostScale : 1.0;
    for (int i = 0; i < 40; ++i) {
        changed = (low + high) / 2;
        (heightOf(fit) > height ? high : low) = changed;
    }
    changed = low;
    return fit;
}

double fittingScale(const std::vector<double> &weights, double line, double gap, double height, double tallest)
{
    const double heaviest = weights.empty() ? 0 : *std::ranges::max_element(weights);
    if (heaviest <= 0)
        return 0;
    if (columnHeight(weights, line, gap, 0) >= height)
        return std::max(line, tallest) / heaviest;
    double low = 0;
    double high = height / heaviest;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (columnHeight(weights, line, gap, middle) > height ? high : low) = middle;
    }
    return low;
}

} // namespace ui
