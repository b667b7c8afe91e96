// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_values.h"

#include "core/compaction/stage.h"

#include <algorithm>
#include <format>

namespace core {

namespace {

/// `clip-results` and `cap` of `clip-results.cap`: names of stages hold no point, those of parameters may.
std::pair<std::string_view, std::string_view> split(std::string_view path)
{
    const size_t point = path.find('.');
    return point == std::string_view::npos ? std::pair(std::string_view(), path)
                                           : std::pair(path.substr(0, point), path.substr(point + 1));
}

std::string_view nameOf(Keep::Rule rule)
{
    return rule == Keep::Rule::Crossing ? "crossing" : rule == Keep::Rule::Within ? "within" : "within-or-nothing";
}

std::string_view nameOf(Keep::Pairing pairing)
{
    return pairing == Keep::Pairing::None ? "none" : pairing == Keep::Pairing::Back ? "back" : "balanced";
}

std::string_view nameOf(Comparator comparator) { return comparator == Comparator::AtLeast ? ">=" : ">"; }

std::string windowText(const Policy &policy)
{
    return policy.window == Policy::Window::None   ? "none"
        : policy.window == Policy::Window::OfModel ? "model"
                                                   : Measure { policy.windowTokens, Measure::Unit::Tokens }.text();
}

std::string counterText(const Counter &counter)
{
    static constexpr std::array<std::string_view, 5> kMeasureNames { "tokens", "genkit-text", "langchain", "characters",
        "json-quarter" };
    return std::format("{}, {} characters a token{}", kMeasureNames.at(static_cast<size_t>(counter.kind)),
        counter.charactersPerToken, counter.usesRecorded ? ", recorded usage too" : "");
}

void addStage(const StageSpec &spec, std::vector<PolicyFact> &facts)
{
    facts.push_back({ spec.stage, spec.isEnabled ? "on" : "off" });
    const StageKind *kind = stageKind(spec.stage);
    if (!spec.isEnabled || kind == nullptr)
        return;
    const auto add = [&](std::string_view name, std::string value) {
        facts.push_back({ spec.stage + "." + std::string(name), std::move(value) });
    };
    add("trigger", spec.trigger ? spec.trigger->text() : spec.usesTrigger ? "policy" : "always");
    if (spec.trigger)
        add("trigger.comparator", std::string(nameOf(spec.trigger->comparator)));
    if (spec.keep) {
        add("keep", spec.keep->measure.text());
        add("keep.rule", std::string(nameOf(spec.keep->rule)));
        add("keep.pairing", std::string(nameOf(spec.keep->pairing)));
    }
    for (const ParameterSpec &parameter : kind->parameters) {
        const auto found = spec.values.find(parameter.name);
        add(parameter.name, shownValue(found == spec.values.end() ? parameter.initial : found->second));
    }
}

} // namespace

std::string shownValue(const ParameterValue &value)
{
    if (const bool *isOn = std::get_if<bool>(&value))
        return *isOn ? "on" : "off";
    if (const double *number = std::get_if<double>(&value))
        return std::format("{}", *number);
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    std::string names;
    for (const std::string &name : std::get<std::vector<std::string>>(value))
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

const StageSpec *PolicyValues::stage(std::string_view id) const
{
    const auto found = std::ranges::find(m_policy->stages, id, &StageSpec::stage);
    return found == m_policy->stages.end() ? nullptr : &*found;
}

bool PolicyValues::isOn(std::string_view id) const
{
    const StageSpec *spec = stage(id);
    return spec != nullptr && spec->isEnabled;
}

std::optional<ParameterValue> PolicyValues::parameter(std::string_view path) const
{
    const auto [id, name] = split(path);
    const StageSpec *spec = stage(id);
    const StageKind *kind = stageKind(id);
    const ParameterSpec *parameter = kind == nullptr ? nullptr : kind->parameter(name);
    if (spec == nullptr || parameter == nullptr)
        return std::nullopt;
    const auto found = spec->values.find(name);
    return found == spec->values.end() ? parameter->initial : found->second;
}

double PolicyValues::number(std::string_view path) const
{
    const auto value = parameter(path);
    return value && std::holds_alternative<double>(*value) ? std::get<double>(*value) : 0;
}

std::string PolicyValues::text(std::string_view path) const
{
    const auto value = parameter(path);
    return value && std::holds_alternative<std::string>(*value) ? std::get<std::string>(*value) : std::string();
}

Trigger PolicyValues::trigger(std::string_view path) const
{
    const StageSpec *spec = stage(split(path).first);
    if (spec == nullptr || spec->usesTrigger)
        return m_policy->trigger;
    return spec->trigger.value_or(Trigger());
}

Keep PolicyValues::keep(std::string_view path) const
{
    const StageSpec *spec = stage(split(path).first);
    return spec != nullptr && spec->keep ? *spec->keep : m_policy->keep;
}

std::vector<PolicyFact> factsOf(const Policy &policy)
{
    std::vector<PolicyFact> facts { { "view", std::string(nameOf(policy.view)) },
        { "length_unit", std::string(nameOf(policy.unit)) }, { "window", windowText(policy) },
        { "counter", counterText(policy.counter) }, { "trigger", policy.trigger.text() },
        { "trigger.comparator", std::string(nameOf(policy.trigger.comparator)) },
        { "keep", policy.keep.measure.text() }, { "keep.rule", std::string(nameOf(policy.keep.rule)) },
        { "keep.pairing", std::string(nameOf(policy.keep.pairing)) },
        { "persistence", policy.persistence == Persistence::View ? "view" : "persistent" } };
    for (const StageSpec &spec : policy.stages)
        addStage(spec, facts);
    return facts;
}

} // namespace core
