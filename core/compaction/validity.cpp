// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/validity.h"

#include "core/compaction/stage.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace core {

namespace {

/// APIs in which user and model take turns and the user begins.
bool alternates(const Session &session) { return session.merging == SlotMerging::ConsecutiveUsers; }

bool isBare(const Transcript &transcript, const Slot &slot)
{
    return std::ranges::all_of(transcript.blocksOf(slot), [&](BlockId id) {
        const Block &block = transcript.block(id);
        const bool isContent = block.kind != BlockKind::Text && block.kind != BlockKind::Thinking;
        return !isContent && block.lengths.bytes == 0;
    });
}

} // namespace

std::vector<Violation> violationsOf(const Transcript &transcript)
{
    std::vector<Violation> violations;
    struct Pending {
        size_t slot = 0;
        std::string_view tool;
    };
    std::unordered_map<StringId, Pending> open;
    const Session &session = *transcript.session();
    const auto slots = transcript.slots();
    for (size_t i = 0; i < slots.size(); ++i) {
        for (const BlockId id : transcript.blocksOf(slots[i])) {
            const Block &block = transcript.block(id);
            if (!block.callId.isValid())
                continue;
            if (block.kind == BlockKind::ToolCall) {
                open[block.callId] = { i, session.string(block.name) };
            } else if (block.kind == BlockKind::ToolResult && open.erase(block.callId) == 0) {
                const bool isRepeated = std::ranges::any_of(transcript.blocks(), [&](BlockId each) {
                    return transcript.block(each).kind == BlockKind::ToolCall
                        && transcript.block(each).callId == block.callId;
                });
                if (!isRepeated)
                    violations.push_back({ SlotIndex(i), "orphaned-result", "The tool result has no call before it." });
            }
        }
        if (isBare(transcript, slots[i]))
            violations.push_back({ SlotIndex(i), "empty-message", "The message holds nothing." });
        const bool repeatsModel
            = alternates(session) && i > 0 && slots[i].role == Role::Assistant && slots[i - 1].role == Role::Assistant;
        if (repeatsModel)
            violations.push_back({ SlotIndex(i), "role-order", "Two messages of the model follow each other." });
    }
    for (const auto &[id, pending] : open) {
        if (pending.slot + 1 < slots.size()) // calls of the last message are still to be answered
            violations.push_back({ SlotIndex(pending.slot), "orphaned-call",
                "The call of " + std::string(pending.tool) + " has no result behind it." });
    }
    if (alternates(session) && !slots.empty() && slots.front().role == Role::Assistant)
        violations.push_back({ SlotIndex(0U), "role-order", "The array begins with a message of the model." });
    std::ranges::stable_sort(violations, {}, &Violation::slot);
    return violations;
}

std::vector<Violation> newViolations(const Compaction &compaction)
{
    // A violation is known by its rule and the block it is about, not by its place.
    std::map<std::pair<std::string, BlockId>, size_t> known;
    const auto about
        = [](const Transcript &transcript, const std::vector<BlockId> &origins, const Violation &violation) {
              const Slot &slot = transcript.slot(violation.slot);
              const BlockId first = transcript.blocksOf(slot).front();
              return origins.empty() ? first : origins[slot.firstBlock];
          };
    for (const Violation &violation : violationsOf(compaction.before))
        ++known[{ violation.rule, about(compaction.before, {}, violation) }];
    std::vector<Violation> result;
    for (Violation &violation : violationsOf(compaction.after)) {
        const auto entry = known.find({ violation.rule, about(compaction.after, compaction.origins, violation) });
        if (entry != known.end() && entry->second > 0)
            --entry->second;
        else
            result.push_back(std::move(violation));
    }
    for (const Rewrite &rewrite : compaction.rewrites) {
        const bool isLonger = rewrite.made.isValid() && rewrite.block.isValid() && rewrite.fate != Fate::Summarised
            && rewrite.after.codePoints > rewrite.before.codePoints;
        if (isLonger)
            result.push_back({ compaction.after.slotOf(rewrite.made), "longer",
                "What stands in its place is longer: " + groupedNumber(rewrite.after.codePoints) + " characters for "
                    + groupedNumber(rewrite.before.codePoints) + "." });
    }
    if (compaction.policy) {
        for (const StageSpec &spec : compaction.policy->stages) {
            if (auto sentence = reclips(spec, compaction.policy->unit); sentence && spec.isEnabled)
                result.push_back({ SlotIndex(), "reclips", std::move(*sentence) });
        }
    }
    return result;
}

std::optional<std::string> reclips(const StageSpec &spec, LengthUnit unit)
{
    const StageKind *kind = stageKind(spec.stage);
    if (kind == nullptr || kind->parameter("preview") == nullptr || kind->parameter("suffix") == nullptr)
        return std::nullopt;
    const auto number = [&](std::string_view name) {
        const auto found = spec.values.find(name);
        return std::get<double>(found != spec.values.end() ? found->second : kind->parameter(name)->initial);
    };
    const auto suffix = spec.values.find("suffix");
    const std::string text
        = std::get<std::string>(suffix != spec.values.end() ? suffix->second : kind->parameter("suffix")->initial);
    // A million characters is as long a number as a text will have.
    const double length
        = number("preview") + static_cast<double>(lengthIn(textLengths(filled(text, { { "n", "1,000,000" } })), unit));
    if (length <= number("cap"))
        return std::nullopt;
    return "With a cap of " + groupedNumber(static_cast<uint64_t>(number("cap"))) + " and a preview of "
        + groupedNumber(static_cast<uint64_t>(number("preview"))) + " characters " + std::string(kind->title)
        + " clips its own clips again, and the length they tell decays.";
}

} // namespace core
