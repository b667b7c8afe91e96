// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/axis_layout.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace ui {

using Unit = core::Measure::Unit;

namespace {

/// Wide enough for rounding errors of sums of steps, far smaller than any step.
constexpr double kHair = 1e-9;

bool isInTokens(const core::SweepAxis &axis) { return axis.unit == Unit::Tokens || axis.unit == Unit::WindowFraction; }

size_t widest(const std::vector<AxisTick> &ticks)
{
    size_t characters = 1;
    for (const AxisTick &tick : ticks)
        characters = std::max({ characters, tick.text.size(), tick.second.size() });
    return characters;
}

} // namespace

double roundStep(double value)
{
    const double power = std::pow(10, std::floor(std::log10(std::max(value, 1e-12))));
    for (const double step : { 1.0, 2.0, 5.0 }) {
        if (step * power >= value * (1 - kHair))
            return step * power;
    }
    return 10 * power;
}

std::string shortTokens(double tokens)
{
    if (tokens >= 999'500)
        return core::formatted("{:.3g}M", tokens / 1e6);
    if (tokens >= 999.5)
        return core::formatted("{:.3g}k", tokens / 1e3);
    return core::formatted("{:.0f}", tokens);
}

AxisLayout::AxisLayout(core::SweepAxis axis, int length, double window)
    : m_axis(std::move(axis))
    , m_length(std::max(length, 1))
    , m_window(window)
{
}

int AxisLayout::begin(size_t cell) const
{
    return static_cast<int>(cell * static_cast<size_t>(m_length) / std::max<size_t>(count(), 1));
}

size_t AxisLayout::cellAt(double pixel) const
{
    if (count() == 0)
        return 0;
    const auto place = static_cast<int>(std::floor(std::clamp(pixel, 0.0, m_length - 1.0)));
    // Rounding down may leave a pixel's guess one cell short.
    size_t cell = static_cast<size_t>(place) * count() / static_cast<size_t>(m_length);
    while (cell + 1 < count() && begin(cell + 1) <= place)
        ++cell;
    return cell;
}

double AxisLayout::middle(size_t cell) const
{
    return (static_cast<double>(cell) + 0.5) * m_length / static_cast<double>(std::max<size_t>(count(), 1));
}

double AxisLayout::at(double value) const
{
    const std::vector<double> &values = m_axis.values;
    if (values.size() < 2)
        return m_length / 2.0;
    const auto above = std::clamp<size_t>(
        static_cast<size_t>(std::ranges::upper_bound(values, value) - values.begin()), 1, values.size() - 1);
    const double share = (value - values[above - 1]) / (values[above] - values[above - 1]);
    return middle(above - 1) + std::clamp(share, 0.0, 1.0) * (middle(above) - middle(above - 1));
}

double AxisLayout::exactValueAt(double pixel) const
{
    const std::vector<double> &values = m_axis.values;
    if (values.size() < 2)
        return values.empty() ? 0 : values.front();
    const auto last = static_cast<double>(values.size() - 1);
    const double place = std::clamp(pixel / m_length * (last + 1) - 0.5, 0.0, last);
    const size_t below = std::min(static_cast<size_t>(place), values.size() - 2);
    return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

double AxisLayout::valueAt(double pixel) const
{
    const std::vector<double> &values = m_axis.values;
    const double exact = exactValueAt(pixel);
    if (values.size() < 2)
        return exact;
    const double perPixel = (values.back() - values.front()) / m_length;
    // Steps of 0.1 % of the window, as in the slider; otherwise whole numbers.
    const double grain = m_axis.unit == Unit::WindowFraction ? 0.001
        : m_axis.unit == Unit::Tokens                        ? std::max(1.0, roundStep(perPixel))
                                                             : 1.0;
    const double rounded = std::round(exact / grain) * grain;
    const double tidy = grain < 1 ? std::round(rounded * 1000) / 1000 : rounded;
    return std::clamp(tidy, values.front(), values.back());
}

bool AxisLayout::holds(double value) const
{
    return count() > 0 && value >= m_axis.values.front() * (1 - kHair) && value <= m_axis.values.back() * (1 + kHair);
}

std::optional<double> AxisLayout::tokensOf(double value) const
{
    if (m_axis.unit == Unit::Tokens)
        return value;
    if (m_axis.unit == Unit::WindowFraction && m_window > 0)
        return value * m_window;
    return std::nullopt;
}

std::optional<double> AxisLayout::valueOf(double tokens) const
{
    if (m_axis.unit == Unit::Tokens)
        return tokens;
    if (m_axis.unit == Unit::WindowFraction && m_window > 0)
        return tokens / m_window;
    return std::nullopt;
}

AxisTick AxisLayout::tickOf(double value, double step) const
{
    AxisTick tick { at(value), value, {}, {} };
    if (m_axis.unit == Unit::WindowFraction) {
        tick.text = core::formatted("{:.{}f} %", value * 100, step < 0.01 - kHair ? 1 : 0);
        if (m_window > 0)
            tick.second = shortTokens(value * m_window);
    } else if (m_axis.unit == Unit::Tokens) {
        tick.text = shortTokens(value);
        if (m_window > 0)
            tick.second = core::formatted("{:.0f} %", value / m_window * 100);
    } else {
        tick.text = value >= 10'000 ? shortTokens(value) : core::formatted("{:.0f}", value);
    }
    return tick;
}

std::vector<AxisTick> AxisLayout::ticksOf(double step) const
{
    std::vector<AxisTick> ticks;
    const std::vector<double> &values = m_axis.values;
    if (values.empty())
        return ticks;
    if (values.size() == 1)
        return { tickOf(values.front(), values.front()) };
    for (double index = std::ceil(values.front() / step - kHair); index * step <= values.back() * (1 + kHair); ++index)
        ticks.push_back(tickOf(index * step + 0.0, step)); // never -0
    return ticks;
}

std::vector<AxisTick> AxisLayout::ticks(double digit, double gap) const
{
    if (count() < 2)
        return ticksOf(1);
    const double perPixel = (m_axis.values.back() - m_axis.values.front()) / m_length;
    const double finest = isInTokens(m_axis) ? 0 : 1;
    for (double step = roundStep(std::max(perPixel * gap, finest));; step = roundStep(step * 1.5)) {
        std::vector<AxisTick> ticks = ticksOf(step);
        const double needed = static_cast<double>(widest(ticks)) * digit + gap;
        const auto tooClose = [&](const AxisTick &a, const AxisTick &b) { return std::abs(b.at - a.at) < needed; };
        if (ticks.size() < 2 || std::ranges::adjacent_find(ticks, tooClose) == ticks.end())
            return ticks;
    }
}

} // namespace ui
