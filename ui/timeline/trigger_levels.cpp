// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/trigger_levels.h"

#include "core/base/decimal_text.h"
#include "ui/timeline/timeline_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {

using core::Measure;
using core::Trigger;

namespace {

std::vector<TriggerLevel> levelsOf(const Trigger &trigger, double windowTokens)
{
    std::vector<TriggerLevel> levels;
    for (const Measure &measure : trigger.measures) {
        if (measure.unit == Measure::Unit::Tokens)
            levels.push_back({ measure, std::max(1.0, measure.value) });
        else if (measure.unit == Measure::Unit::WindowFraction && windowTokens > 0)
            levels.push_back({ measure, measure.thresholdIn(windowTokens) });
    }
    std::ranges::sort(levels, {}, &TriggerLevel::tokens);
    return levels;
}

} // namespace

TriggerLevels TriggerLevels::of(const core::Policy &policy, double windowTokens)
{
    TriggerLevels result;
    std::vector<TriggerLevel> all = levelsOf(policy.trigger, windowTokens);
    if (!all.empty())
        result.main = policy.trigger.joining == Trigger::Joining::All ? all.back() : all.front();
    result.isMovable = result.main && policy.trigger.measures.size() == 1;
    for (const core::StageSpec &stage : policy.stages) {
        if (!stage.isEnabled || !stage.trigger)
            continue;
        const std::vector<TriggerLevel> own = levelsOf(*stage.trigger, windowTokens);
        all.insert(all.end(), own.begin(), own.end());
    }
    std::ranges::sort(all, {}, &TriggerLevel::tokens);
    if (!result.main && !all.empty())
        result.main = all.front();
    for (const TriggerLevel &level : all) {
        const double highest = result.others.empty() ? 0 : result.others.back().tokens;
        if (level.tokens != result.main->tokens && level.tokens != highest)
            result.others.push_back(level);
    }
    return result;
}

Measure triggerAt(const Measure &now, double tokens, double windowTokens, double tokensPerPixel)
{
    if (now.unit == Measure::Unit::WindowFraction) {
        // Thousandths, or the halves of a percent that the slider knows.
        const double step = tokensPerPixel / windowTokens < 0.005 ? 0.001 : 0.005;
        const double share = std::round(tokens / windowTokens / step) * step;
        return { std::round(std::clamp(share, step, 1.0) * 1000) / 1000, now.unit };
    }
    const double step = std::max(1.0, std::pow(10, std::floor(std::log10(std::max(1.0, tokensPerPixel)))));
    return { std::max(step, std::round(tokens / step) * step), now.unit };
}

std::string levelText(const TriggerLevel &level)
{
    std::string tokens = axisText(level.tokens);
    if (level.measure.unit != Measure::Unit::WindowFraction || level.measure.less > 0)
        return tokens;
    return core::decimalText(std::round(level.measure.value * 1000) / 10) + " % · " + tokens;
}

std::optional<double> freePlace(double from, double to, double width, std::vector<std::pair<double, double>> taken)
{
    std::ranges::sort(taken);
    for (const auto &[begin, end] : taken) {
        if (begin < from + width)
            from = std::max(from, end);
    }
    return from + width <= to ? std::optional(from) : std::nullopt;
}

} // namespace ui
