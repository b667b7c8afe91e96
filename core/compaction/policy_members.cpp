// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_members.h"

#include "core/compaction/stage.h"
#include "core/json/json.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 13> kOfPolicy { "schema", "id", "name", "description", "provenance", "view",
    "length_unit", "window", "counter", "trigger", "keep", "persistence", "stages" };
constexpr std::array<std::string_view, 4> kOfStage { "stage", "enabled", "trigger", "keep" };
constexpr std::array<std::string_view, 3> kOfKeep { "measure", "rule", "pairing" };
constexpr std::array<std::string_view, 4> kOfTrigger { "any", "all", "at", "comparator" };
constexpr std::array<std::string_view, 3> kOfCounter { "kind", "characters_per_token", "uses_recorded" };

void addUnknown(const Json &object, std::span<const std::string_view> known, const std::string &prefix,
    std::vector<std::string> &unknown, const StageKind *kind = nullptr)
{
    if (!object.is_object())
        return;
    for (const auto &[name, value] : object.items()) {
        const bool isKnown
            = std::ranges::find(known, name) != known.end() || (kind != nullptr && kind->parameter(name) != nullptr);
        if (!isKnown)
            unknown.push_back(prefix + name);
    }
    for (const auto &[member, members] : { std::pair { "keep", std::span<const std::string_view>(kOfKeep) },
             std::pair { "trigger", std::span<const std::string_view>(kOfTrigger) },
             std::pair { "counter", std::span<const std::string_view>(kOfCounter) } }) {
        const auto found = object.find(member);
        if (found != object.end() && std::ranges::find(known, member) != known.end())
            addUnknown(*found, members, prefix + member + ".", unknown);
    }
}

} // namespace

std::string unknownMemberSentence(const std::string &member)
{
    return "The policy says “" + member + "”, which this program does not know; it does nothing.";
}

std::vector<std::string> unknownMembersOf(const Policy &policy)
{
    std::vector<std::string> unknown;
    const Json document = parseJson(policy.document);
    addUnknown(document, kOfPolicy, {}, unknown);
    const auto stages = document.is_object() ? document.find("stages") : document.end();
    for (size_t i = 0; i < policy.stages.size() && stages != document.end() && i < stages->size(); ++i) {
        const std::string &stage = policy.stages[i].stage;
        addUnknown((*stages)[i], kOfStage, stage + ".", unknown, stageKind(stage));
    }
    return unknown;
}

} // namespace core
