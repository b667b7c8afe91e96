// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_words.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/policy_settings.h"

#include <algorithm>

namespace core {

namespace {

constexpr size_t kMostNamed = 3; ///< changes

std::string titleOf(std::string_view stage)
{
    const StageKind *kind = stageKind(stage);
    return std::string(kind == nullptr ? stage : kind->title);
}

/// `At every call`, `From 62 % of window on`, `Above 100,000 tokens`.
std::string whenWords(const Trigger &trigger)
{
    if (trigger.isAlways())
        return "At every call";
    std::string words = trigger.words();
    if (words.starts_with("window"))
        words.insert(0, "the ");
    return trigger.comparator == Comparator::MoreThan ? "Above " + words : "From " + words + " on";
}

const PolicyFact *factOf(const std::vector<PolicyFact> &facts, const std::string &path)
{
    const auto found = std::ranges::find(facts, path, &PolicyFact::path);
    return found == facts.end() ? nullptr : &*found;
}

/// `keep 6 messages, was 10 % of window`, `Clip tool arguments off`, `clip-args.chars 500, was 2000`.
std::string changeText(const PolicyFact &fact, const PolicyFact *was, const Policy &now, const Policy &before)
{
    if (fact.path == "trigger")
        return formatted("trigger {}, was {}", now.trigger.words(), before.trigger.words());
    if (fact.path == "keep")
        return formatted("keep {}, was {}", now.keep.measure.words(), before.keep.measure.words());
    if (stageKind(fact.path) != nullptr)
        return titleOf(fact.path) + (was == nullptr ? " added" : " " + fact.value);
    const auto shown = [](const std::string &value) { return value.empty() ? "empty" : value.c_str(); };
    return formatted("{} {}, was {}", fact.path, shown(fact.value), shown(was->value));
}

} // namespace

std::string deedSentence(const Policy &policy)
{
    if (!hasStageOn(policy))
        return "No stage is on: the policy changes nothing.";
    std::vector<std::pair<std::string, std::string>> groups; // when, and the stages
    for (const StageSpec &spec : policy.stages) {
        if (!spec.isEnabled)
            continue;
        std::string when = whenWords(spec.trigger ? *spec.trigger : spec.usesTrigger ? policy.trigger : Trigger {});
        const auto found = std::ranges::find(groups, when, &std::pair<std::string, std::string>::first);
        if (found == groups.end())
            groups.emplace_back(std::move(when), titleOf(spec.stage));
        else
            found->second += ", " + titleOf(spec.stage);
    }
    std::string text;
    for (const auto &[when, stages] : groups)
        text += formatted("{}{}: {}.", text.empty() ? "" : " ", when, stages);
    if (readsKeep(policy))
        text += formatted(" Keep: the last {}.", policy.keep.measure.words());
    if (const std::string worker = workerSentence(policy); !worker.empty())
        text += " " + worker;
    return text;
}

std::string workerSentence(const Policy &policy)
{
    if (!policy.worker)
        return {};
    return workerOf(policy) != nullptr ? policy.worker->sentence()
                                       : "The worker has nothing to do: it needs the stage Summarise and persistence "
                                         "persistent.";
}

std::string changeSentence(const Policy &now, const Policy &before)
{
    const std::vector<PolicyFact> facts = factsOf(now);
    const std::vector<PolicyFact> old = factsOf(before);
    std::string text;
    size_t count = 0;
    const auto add = [&](const std::string &change) {
        if (++count <= kMostNamed)
            text += (text.empty() ? "" : "; ") + change;
    };
    for (const PolicyFact &fact : facts) {
        const PolicyFact *was = factOf(old, fact.path);
        // The settings of a stage that was off or absent are no change of their own.
        if ((was == nullptr && stageKind(fact.path) != nullptr) || (was != nullptr && was->value != fact.value))
            add(changeText(fact, was, now, before));
    }
    for (const PolicyFact &fact : old) {
        if (stageKind(fact.path) != nullptr && factOf(facts, fact.path) == nullptr)
            add(titleOf(fact.path) + " removed");
    }
    if (count == 0 && facts != old)
        add("the order of the stages");
    if (count == 0)
        return {};
    return formatted("Changed: {}{}.", text, count > kMostNamed ? formatted("; and {} more", count - kMostNamed) : "");
}

} // namespace core
