// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_axis.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/stage.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace core {

namespace {

constexpr double kUsualWindow = 200'000; ///< for policies that count in tokens, if the model's window is unknown
constexpr double kMostCounted = 64;

/// A parameter of a stage, found by `STAGE.PARAMETER`, or by `PARAMETER` in the first stage that has it.
struct FoundParameter {
    size_t stage = 0;
    const ParameterSpec *spec = nullptr;
};

bool isNumeric(const ParameterSpec &spec)
{
    return spec.type == ParameterSpec::Type::Count || spec.type == ParameterSpec::Type::Number;
}

std::optional<FoundParameter> parameterOf(const Policy &policy, std::string_view setting)
{
    for (size_t i = 0; i < policy.stages.size(); ++i) {
        const StageKind *kind = stageKind(policy.stages[i].stage);
        if (kind == nullptr)
            continue;
        const std::string prefix = std::string(kind->id) + ".";
        const std::string_view name = setting.starts_with(prefix) ? setting.substr(prefix.size()) : setting;
        if (const ParameterSpec *spec = kind->parameter(name); spec != nullptr && isNumeric(*spec))
            return FoundParameter { i, spec };
    }
    return std::nullopt;
}

double numberIn(const Policy &policy, const FoundParameter &found)
{
    const auto &values = policy.stages[found.stage].values;
    const auto value = values.find(found.spec->name);
    return std::get<double>(value != values.end() ? value->second : found.spec->initial);
}

struct Range {
    double first = 0;
    double last = 0;
};

Range measureRange(bool isTrigger, Measure::Unit unit, double window)
{
    const Range shares = isTrigger ? Range { 0.1, 0.95 } : Range { 0.02, 0.6 };
    const double whole = window > 0 ? window : kUsualWindow;
    switch (unit) {
    case Measure::Unit::WindowFraction:
        return shares;
    case Measure::Unit::Tokens:
        return { shares.first * whole, shares.last * whole };
    case Measure::Unit::Messages:
    case Measure::Unit::Results:
    case Measure::Unit::Turns:
        break;
    }
    return { 1, kMostCounted };
}

std::unexpected<Error> refuse(std::string_view text, std::string sentence)
{
    return failure(ErrorKind::Usage, std::move(sentence), std::string(text));
}

/// The nearest multiple of ten to the power of `digits`.
double roundedTo(int digits, double value)
{
    const double power = std::pow(10, std::abs(digits)); // a whole number, thus exact
    return digits < 0 ? std::round(value * power) / power : std::round(value / power) * power;
}

/// Evenly spaced and distinct. Both ends are exact. Between them, values are rounded to the largest power of ten that
/// moves them by at most a sixth of a step.
std::vector<double> valuesOf(const Range &range, size_t count, bool isShare)
{
    const int finest = isShare ? -4 : 0;
    const double step = count > 1 ? (range.last - range.first) / static_cast<double>(count - 1) : 0;
    const int digits = step > 0 ? static_cast<int>(std::floor(std::log10(step / 3) + 1e-9)) : finest;
    std::vector<double> values;
    for (size_t i = 0; i < count; ++i) {
        const bool isLast = i > 0 && i + 1 == count;
        const double exact = isLast ? range.last : range.first + step * static_cast<double>(i);
        const double value = roundedTo(isLast || i == 0 ? finest : std::max(digits, finest), exact);
        if (values.empty() || value > values.back())
            values.push_back(value);
    }
    return values;
}

/// A measure in the unit of an axis.
std::optional<double> measureIn(const Measure &measure, const SweepAxis &axis, double window)
{
    using Unit = Measure::Unit;
    if (measure.unit == axis.unit && measure.less == 0)
        return measure.value;
    const auto isLength = [](Unit unit) { return unit == Unit::Tokens || unit == Unit::WindowFraction; };
    if (!axis.unit || !isLength(measure.unit) || !isLength(*axis.unit) || window <= 0)
        return std::nullopt;
    const double tokens = measure.tokensIn(window);
    return axis.unit == Unit::Tokens ? tokens : tokens / window;
}

std::optional<double> plainNumber(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// One end of a range of measures. A bare number with a point is a share of the window; another takes the unit of the
/// other end, and is refused if that has none either.
Result<Measure> endOf(std::string_view text, std::optional<Measure::Unit> unit)
{
    const auto number = plainNumber(text);
    if (number && text.contains('.'))
        return Measure { *number, Measure::Unit::WindowFraction };
    return number && unit ? Measure { *number, *unit } : parseMeasure(text);
}

/// A trigger or a keep window.
Result<SweepAxis> measureAxis(
    SweepAxis axis, const Range &initial, std::string_view range, std::string_view text, size_t count)
{
    Range ends = initial;
    if (const size_t dots = range.find(".."); dots != std::string_view::npos) {
        const auto last = endOf(range.substr(dots + 2), {});
        if (!last)
            return std::unexpected(last.error());
        const auto first = endOf(range.substr(0, dots), last->unit);
        if (!first)
            return std::unexpected(first.error());
        if (first->unit != last->unit)
            return refuse(text, "Give both ends of the range the same unit.");
        axis.unit = last->unit;
        ends = { first->value, last->value };
    } else if (!range.empty()) {
        return refuse(text, "A range is written FIRST..LAST, for example keep=4000tok..24000tok.");
    }
    if (ends.first < 0 || ends.last < ends.first)
        return refuse(text, "A range goes from a smaller value to a larger one.");
    if (axis.unit == Measure::Unit::WindowFraction && ends.last > 1)
        return refuse(text, "A share of the window is at most 1.");
    axis.values = valuesOf(ends, count, axis.unit == Measure::Unit::WindowFraction);
    return axis;
}

/// Moves the value that is nearest to another one there. The first and the last stay.
void takeIn(std::vector<double> &values, double value)
{
    constexpr size_t kEnds = 2;
    if (values.size() <= kEnds || std::ranges::contains(values, value))
        return;
    const auto distance = [&](double each) { return std::abs(each - value); };
    *std::min_element(values.begin() + 1, values.end() - 1, [&](double a, double b) {
        return distance(a) < distance(b);
    }) = value;
}

Result<SweepAxis> parameterAxis(SweepAxis axis, const Policy &policy, const FoundParameter &found,
    std::string_view range, std::string_view text, size_t count)
{
    constexpr double kAround = 8;
    const double now = std::max(1.0, numberIn(policy, found));
    Range ends { now / kAround, now * kAround };
    if (const size_t dots = range.find(".."); dots != std::string_view::npos) {
        const auto first = plainNumber(range.substr(0, dots));
        const auto last = plainNumber(range.substr(dots + 2));
        if (!first || !last || *last < *first)
            return refuse(text, "Give two numbers without a unit, the smaller one first.");
        ends = { *first, *last };
    } else if (!range.empty()) {
        return refuse(text, "A range is written FIRST..LAST, for example clip-arguments.cap=100..2000.");
    }
    ends = { std::clamp(ends.first, found.spec->least, found.spec->most),
        std::clamp(ends.last, found.spec->least, found.spec->most) };
    axis.values = valuesOf(ends, count, false);
    return axis;
}

/// The settings of a policy that can be swept.
std::string settingsOf(const Policy &policy)
{
    std::string names;
    for (const std::string &setting : sweepSettings(policy))
        names += (names.empty() ? "" : ", ") + setting;
    return names;
}

} // namespace

std::string SweepAxis::textOf(double value) const
{
    return unit ? Measure { value, *unit }.text() : formatted("{:.0f}", value); // parameters are whole numbers
}

std::string SweepAxis::wordsOf(double value) const
{
    if (unit == Measure::Unit::WindowFraction)
        value = std::round(value * 1000) / 1000; // one digit after the point: between cells there are more
    return unit ? Measure { value, *unit }.words() : formatted("{:.0f}", value);
}

size_t SweepAxis::nearest(double value) const
{
    const auto distance = [&](double each) { return std::abs(each - value); };
    return static_cast<size_t>(std::ranges::min_element(values, {}, distance) - values.begin());
}

std::vector<std::string> sweepSettings(const Policy &policy)
{
    std::vector<std::string> names { "trigger", "keep" };
    for (const StageSpec &stage : policy.stages) {
        const StageKind *kind = stageKind(stage.stage);
        for (const ParameterSpec &spec : kind != nullptr ? kind->parameters : std::vector<ParameterSpec>()) {
            const std::string name = formatted("{}.{}", kind->id, spec.name);
            if (isNumeric(spec) && std::ranges::find(names, name) == names.end())
                names.push_back(name);
        }
    }
    return names;
}

std::string settingWords(std::string_view setting)
{
    const size_t dot = setting.find('.');
    const StageKind *kind = dot == std::string_view::npos ? nullptr : stageKind(setting.substr(0, dot));
    if (kind == nullptr)
        return std::string(setting);
    std::string parameter(setting.substr(dot + 1));
    std::ranges::replace(parameter, '-', ' ');
    std::string words = formatted("{}: {}", kind->title, parameter);
    return lowered(words);
}

Result<SweepAxis> parseAxis(const Policy &policy, const Session &session, std::string_view text, size_t count)
{
    const size_t equals = std::min(text.find('='), text.size());
    const std::string_view range = text.substr(std::min(equals + 1, text.size()));
    SweepAxis axis;
    axis.setting = text.substr(0, equals);
    const bool isTrigger = axis.setting == "trigger";
    if (isTrigger || axis.setting == "keep") {
        const bool hasNone = isTrigger && policy.trigger.isAlways();
        axis.unit = hasNone ? Measure::Unit::Tokens
            : isTrigger     ? policy.trigger.measures.front().unit
                            : policy.keep.measure.unit;
        const double window = policy.windowOf(session);
        Range initial = measureRange(isTrigger, *axis.unit, window);
        const PolicyPtr named = preset(policy.id); // so that its value stays in the range while the policy is edited
        for (const Policy *each : { &policy, named ? named.get() : &policy }) {
            if (const auto own = valueIn(*each, axis, window))
                initial = { std::min(initial.first, *own), std::max(initial.last, *own) };
        }
        auto made = measureAxis(axis, initial, range, text, count);
        const auto own = made && range.empty()
            ? valueIn(named ? *named : policy, *made, window > 0 ? window : kUsualWindow)
            : std::nullopt;
        if (own)
            takeIn(made->values, *own); // the map has a cell of the preset's own settings
        return made;
    }
    if (const auto found = parameterOf(policy, axis.setting)) {
        // Refuses what `--set` refuses: a parameter of several stages without its stage.
        if (const auto same = withSetting(policy, axis.setting, formatted("{}", numberIn(policy, *found))); !same)
            return refuse(text, same.error().message);
        return parameterAxis(axis, policy, *found, range, text, count);
    }
    return refuse(text, formatted("Settings of {} that can be an axis: {}.", policy.id, settingsOf(policy)));
}

void set(Policy &policy, const SweepAxis &axis, double value)
{
    if (axis.setting == "keep") {
        policy.keep.measure = { value, *axis.unit };
    } else if (axis.setting == "trigger") {
        policy.trigger.measures.assign(1, { value, *axis.unit });
        policy.trigger.joining = Trigger::Joining::Any;
    } else if (const auto found = parameterOf(policy, axis.setting)) {
        policy.stages[found->stage].values.insert_or_assign(std::string(found->spec->name), value);
    }
}

std::optional<double> valueIn(const Policy &policy, const SweepAxis &axis, double window)
{
    if (axis.setting == "keep")
        return measureIn(policy.keep.measure, axis, window);
    if (axis.setting == "trigger")
        return policy.trigger.isAlways() ? std::nullopt : measureIn(policy.trigger.measures.front(), axis, window);
    const auto found = parameterOf(policy, axis.setting);
    return found ? std::optional(numberIn(policy, *found)) : std::nullopt;
}

} // namespace core
