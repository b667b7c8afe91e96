// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/validity.h"

#include "core/base/counted.h"
#include "core/compaction/stage.h"
#include "core/compaction/text_edits.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

/// Violations by stages, which are odd but accepted by providers.
constexpr std::string_view kLonger = "longer";
constexpr std::string_view kReclips = "reclips";

/// APIs in which user and model alternate and the user begins.
bool alternates(const Session &session) { return session.traits->mergesUsers(); }

/// Adds the texts inserted by hand that part a call from its result.
void addPartings(const Compaction &compaction, std::vector<Violation> &violations)
{
    const Transcript &after = compaction.after;
    for (const Rewrite &rewrite : compaction.rewrites) {
        if (rewrite.fate != Fate::Inserted)
            continue;
        const auto place = std::ranges::find(after.blocks(), rewrite.made) - after.blocks().begin();
        if (partsCall(after, static_cast<size_t>(place)))
            violations.push_back({ after.slotOf(rewrite.made), "parted-call", std::string(kParts) });
    }
}

/// Adds the stages whose texts are together longer than what they replace. A placeholder in the place of a few short
/// results is no fault.
void addLonger(const Compaction &compaction, std::vector<Violation> &violations)
{
    struct Sums {
        uint64_t before = 0;
        uint64_t after = 0;
        uint64_t texts = 0;
    };
    const std::vector<StageSpec> &stages = compaction.policy->stages;
    std::vector<Sums> sums(stages.size());
    for (const Rewrite &rewrite : compaction.rewrites) {
        const bool isReplacement = rewrite.stage < stages.size() && rewrite.block.isValid() && rewrite.made.isValid()
            && rewrite.fate != Fate::Summarised && rewrite.before.codePoints > 0;
        if (!isReplacement)
            continue;
        sums[rewrite.stage].before += rewrite.before.codePoints;
        sums[rewrite.stage].after += rewrite.after.codePoints;
        ++sums[rewrite.stage].texts;
    }
    for (size_t i = 0; i < stages.size(); ++i) {
        if (sums[i].after <= sums[i].before || injects(stages[i]))
            continue;
        violations.push_back({ SlotIndex(), std::string(kLonger),
            std::string(stageKind(stages[i].stage)->title) + " makes the array longer: " + groupedNumber(sums[i].after)
                + " characters in place of " + groupedNumber(sums[i].before) + ", in " + counted(sums[i].texts, "text")
                + "." });
    }
}

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
    const Session &session = *transcript.session();
    const auto slots = transcript.slots();
    struct Pending {
        std::string_view tool;
        SlotIndex slot; ///< invalid once the call has a result
    };
    constexpr uint32_t kNone = 0xffffffffU;
    // By call id: whether the array has the call, and which call waits for its result.
    std::vector<bool> isCalled(session.strings->size());
    std::vector<uint32_t> waiting(session.strings->size(), kNone);
    std::vector<Pending> calls;
    for (const BlockId id : transcript.blocks()) {
        const Block &block = transcript.block(id);
        if (block.callId.isValid() && block.kind == BlockKind::ToolCall)
            isCalled[block.callId.index()] = true;
    }
    for (size_t i = 0; i < slots.size(); ++i) {
        for (const BlockId id : transcript.blocksOf(slots[i])) {
            const Block &block = transcript.block(id);
            if (!block.callId.isValid())
                continue;
            uint32_t &call = waiting[block.callId.index()];
            if (block.kind == BlockKind::ToolResult && !isCalled[block.callId.index()])
                violations.push_back({ SlotIndex(i), "orphaned-result", "The tool result has no call before it." });
            if (block.kind != BlockKind::ToolCall && block.kind != BlockKind::ToolResult)
                continue;
            if (call != kNone)
                calls[call].slot = {};
            call = kNone;
            if (block.kind == BlockKind::ToolCall) {
                call = static_cast<uint32_t>(calls.size());
                calls.push_back({ session.string(block.name), SlotIndex(i) });
            }
        }
        if (isBare(transcript, slots[i]))
            violations.push_back({ SlotIndex(i), "empty-message", "The message is empty." });
        const bool repeatsModel
            = alternates(session) && i > 0 && slots[i].role == Role::Assistant && slots[i - 1].role == Role::Assistant;
        if (repeatsModel)
            violations.push_back({ SlotIndex(i), "role-order", "Two messages of the model follow each other." });
    }
    for (const Pending &call : calls) {
        if (call.slot.isValid() && call.slot.index() + 1 < slots.size()) // the last message may still get its results
            violations.push_back(
                { call.slot, "orphaned-call", "The call of " + std::string(call.tool) + " has no result after it." });
    }
    if (alternates(session) && !slots.empty() && slots.front().role == Role::Assistant)
        violations.push_back({ SlotIndex(0U), "role-order", "The array begins with a message of the model." });
    std::ranges::stable_sort(violations, {}, &Violation::slot);
    return violations;
}

std::vector<Violation> newViolations(const Compaction &compaction)
{
    // Violations are identified by rule and block, not by place.
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
    if (!compaction.policy)
        return result;
    addPartings(compaction, result);
    addLonger(compaction, result);
    for (const StageSpec &spec : compaction.policy->stages) {
        if (auto sentence = reclips(spec, compaction.policy->unit); sentence && spec.isEnabled)
            result.push_back({ SlotIndex(), std::string(kReclips), std::move(*sentence) });
    }
    return result;
}

bool isRefusal(const Violation &violation) { return violation.rule != kLonger && violation.rule != kReclips; }

std::vector<Violation> refusalsOf(const Compaction &compaction)
{
    std::vector<Violation> refusals;
    std::ranges::copy_if(compaction.validity, std::back_inserter(refusals), isRefusal);
    return refusals;
}

std::string refusalSentence(std::span<const Violation> refusals)
{
    const Violation &first = refusals.front();
    const std::string place = first.slot.isValid() ? " at [" + std::to_string(first.slot.value()) + "]" : "";
    return (refusals.size() == 1 ? "A provider would refuse the new array" + place
                                 : "A provider would refuse the new array in " + groupedNumber(refusals.size())
                       + " places, the first" + place)
        + ": " + first.sentence;
}

std::string AlikeViolations::sentence() const
{
    return first->sentence + (count > 1 ? " (" + groupedNumber(count) + " times)" : "");
}

std::vector<AlikeViolations> alikeIn(std::span<const Violation> violations)
{
    std::vector<AlikeViolations> runs;
    for (const Violation &each : violations) {
        const Violation *before = runs.empty() ? nullptr : runs.back().first;
        if (before != nullptr && before->slot == each.slot && before->sentence == each.sentence)
            ++runs.back().count;
        else
            runs.push_back({ &each, 1 });
    }
    return runs;
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
    // Assumes the longest length that `{n}` can be: a million characters.
    const double length
        = number("preview") + static_cast<double>(lengthIn(textLengths(filled(text, { { "n", "1,000,000" } })), unit));
    if (length <= number("cap"))
        return std::nullopt;
    return "With a cap of " + groupedNumber(static_cast<uint64_t>(number("cap"))) + " and a preview of "
        + groupedNumber(static_cast<uint64_t>(number("preview"))) + " characters, " + std::string(kind->title)
        + " clips texts again that it has already clipped, so the lengths stated in them become wrong.";
}

} // namespace core
