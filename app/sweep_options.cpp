// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/sweep_options.h"

#include "app/session_options.h"
#include "core/base/time_text.h"

#include <array>

namespace app {

namespace {

constexpr size_t kMostValues = 256;
constexpr size_t kUsualValues = 16;

core::Error wrong(std::string sentence) { return { core::ErrorKind::Usage, std::move(sentence), {} }; }

core::Result<size_t> parseCount(std::string_view option, const std::string &text)
{
    const auto count = parseNumber(option, text);
    if (!count || *count < 1 || *count > kMostValues)
        return std::unexpected(wrong("--" + std::string(option) + " takes a number from 1 to "
            + std::to_string(kMostValues) + ", not \"" + text + "\"."));
    return *count;
}

/// The text for `parseAxis`, and the number of values.
struct AxisWords {
    std::string text;
    size_t count = kUsualValues;
};

/// The value of `--keep A:B:N` or `--trigger A:B:N`.
core::Result<AxisWords> parseRange(const std::string &setting, const std::string &text)
{
    const size_t first = text.find(':');
    const size_t second = text.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos)
        return std::unexpected(wrong("--" + setting + " takes FIRST:LAST:COUNT, not \"" + text + "\"."));
    const auto count = parseCount(setting, text.substr(second + 1));
    if (!count)
        return std::unexpected(count.error());
    return AxisWords { setting + "=" + text.substr(0, first) + ".." + text.substr(first + 1, second - first - 1),
        *count };
}

/// The axis of `--option SETTING` or `--measure A:B:N`; by default the setting `measure`.
core::Result<AxisWords> axisWords(
    const Arguments &arguments, const std::string &option, const std::string &measure, size_t count)
{
    const auto range = arguments.value(measure);
    if (range && arguments.has(option))
        return std::unexpected(wrong("--" + measure + " and --" + option + " are the same axis."));
    if (range)
        return parseRange(measure, *range);
    return AxisWords { arguments.value(option).value_or(measure), count };
}

} // namespace

std::string metricNames()
{
    std::string names;
    for (size_t i = 0; i < core::kSweepMetricCount; ++i)
        names += (names.empty() ? "" : ", ") + std::string(core::infoOf(static_cast<core::SweepMetric>(i)).id);
    return names;
}

core::Result<core::PolicyPtr> parseOnePolicy(const Arguments &arguments)
{
    const auto policies = parsePolicies(arguments);
    if (!policies)
        return std::unexpected(policies.error());
    if (policies->empty())
        return core::failure(
            core::ErrorKind::Usage, "sweep needs a --policy; `palimpsest policies` lists the presets.");
    if (policies->size() > 1)
        return core::failure(core::ErrorKind::Usage, "You can give several policies only with --suggest.");
    return policies->front();
}

core::Result<SweepAxes> parseAxes(const core::Policy &policy, const core::Session &session, const Arguments &arguments)
{
    size_t count = kUsualValues;
    if (const auto text = arguments.value("grid")) {
        const auto parsed = parseCount("grid", *text);
        if (!parsed)
            return std::unexpected(parsed.error());
        count = *parsed;
    }
    std::array<core::SweepAxis, 2> axes;
    constexpr auto kNames = std::to_array<std::array<const char *, 2>>({ { "x", "keep" }, { "y", "trigger" } });
    for (size_t i = 0; i < axes.size(); ++i) {
        const auto words = axisWords(arguments, kNames[i][0], kNames[i][1], count);
        if (!words)
            return std::unexpected(words.error());
        auto axis = core::parseAxis(policy, session, words->text, words->count);
        if (!axis)
            return std::unexpected(axis.error());
        axes[i] = std::move(*axis);
    }
    if (axes[0].setting == axes[1].setting)
        return std::unexpected(
            wrong("Both axes are " + axes[0].setting + ": choose two different settings, with --x and --y."));
    return SweepAxes { std::move(axes[0]), std::move(axes[1]) };
}

core::Result<core::SweepMetric> parseMetric(const Arguments &arguments)
{
    const std::string name(arguments.value("metric").value_or("cost"));
    if (const auto metric = core::sweepMetric(name))
        return *metric;
    return std::unexpected(wrong("There is no metric \"" + name + "\"; there are " + metricNames() + "."));
}

core::Result<std::optional<core::Timestamp>> parseSince(const Arguments &arguments)
{
    const auto text = arguments.value("since");
    if (!text)
        return std::nullopt;
    if (const auto since = core::parseSince(*text, core::timeNow()))
        return since;
    return std::unexpected(wrong("--since takes a date like 2026-01-31, or 7d, 12h, 2w, not \"" + *text + "\"."));
}

core::Result<core::SuggestionOptions> parseSuggestionOptions(const Arguments &arguments)
{
    core::SuggestionOptions options;
    for (const std::string &text : arguments.values("limit")) {
        auto limit = core::parseLimit(text);
        if (!limit)
            return std::unexpected(limit.error());
        options.limits.push_back(*limit);
    }
    if (options.limits.empty())
        options.limits = core::usualLimits();
    if (const auto text = arguments.value("seed")) {
        const auto seed = parseNumber("seed", *text);
        if (!seed)
            return std::unexpected(seed.error());
        options.seed = *seed;
    }
    return options;
}

} // namespace app
