// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/array_reading.h"

#include "core/cache/cache_marks.h"
#include "core/context/array_difference.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr double kSameTokens
    = 256; ///< tolerance for reading all that the previous call left; two steps of OpenAI's cache
constexpr size_t kMarkedLast = 2; ///< harnesses mark the last two user messages in every request

bool beginsWithSummary(const Transcript &array)
{
    return !array.isEmpty() && array.block(array.blocksOf(array.slots().front()).front()).is(BlockFlag::Summary);
}

/// The end of the first `blocks` blocks.
SlotPlace placeBehind(const Transcript &array, uint64_t blocks, const BlockTokens &tokens)
{
    const auto slots = array.slots();
    for (size_t i = 0; i < slots.size(); ++i) {
        const Slot &slot = slots[i];
        if (blocks >= slot.firstBlock + slot.blockCount)
            continue;
        double before = 0;
        for (uint64_t b = slot.firstBlock; b < blocks; ++b)
            before += tokens.of(array.blocks()[b]);
        const double whole = tokens.of(array, slot);
        return { SlotIndex(i), whole > 0 ? before / whole : 0 };
    }
    return { SlotIndex(slots.size()), 0 };
}

/// The end of a read of `read` tokens out of `prompt`. System prompt and tools come first; text injected after a
/// compaction comes after the summary.
SlotPlace placeByWeight(
    const Transcript &array, const ArraySum &sum, const BlockTokens &tokens, double read, double prompt)
{
    const auto slots = array.slots();
    const double injected = sum.besides() - sum.prelude;
    double whole = sum.besides();
    for (const Slot &slot : slots)
        whole += tokens.of(array, slot);
    const bool isBehindSummary = beginsWithSummary(array);
    double left = prompt > 0 ? read * whole / prompt : 0;
    left -= sum.prelude + (isBehindSummary ? 0 : injected);
    for (size_t i = 0; i < slots.size(); ++i) {
        const double weight = tokens.of(array, slots[i]);
        if (left < weight)
            return { SlotIndex(i), weight > 0 ? std::max(0.0, left / weight) : 0 };
        left -= weight + (i == 0 && isBehindSummary ? injected : 0);
    }
    return { SlotIndex(slots.size()), 0 };
}

/// Where breakpoints of a recorded array stood: those that the recording shows, else where the harness puts them.
std::vector<BlockId> recordedMarks(const Transcript &array)
{
    std::vector<BlockId> marked;
    const auto blocks = array.blocks();
    for (size_t i = blocks.size(); i-- > 0 && marked.size() < kMarkedLast;) {
        if (array.block(blocks[i]).is(BlockFlag::CacheMark))
            marked.push_back(blocks[i]);
    }
    std::ranges::reverse(marked);
    if (marked.empty() && array.session()->traits->marksLastUsers)
        return markedBlocks(array, MarkPlacement::LastUsers);
    return marked;
}

bool hasMarks(const Session &session)
{
    const std::optional<CacheRules> rules = cacheRules(session.model);
    return rules && rules->kind == CacheKind::Marks;
}

/// The number of blocks that a call's array shares with that of the previous call; nullopt if it does not continue that
/// array.
std::optional<uint64_t> blocksBefore(const Session &session, Position position)
{
    const auto &calls = session.thread(position.thread).calls;
    if (position.call.index() == 0)
        return std::nullopt;
    const BlockRanges &before = calls[position.call.index() - 1].input;
    const uint64_t common = differenceOf(rangesOf(before), rangesOf(calls[position.call.index()].input)).common;
    return common == before.blockCount() ? std::optional(common) : std::nullopt;
}

/// What a replay counts for this array: it weighs thinking as at the end of the thread, and not as in this array.
double weightInReplay(const Replay &replay, const Transcript &array, const BlockTokens &tokens)
{
    const size_t recorded = replay.ground->session().blocks.size();
    double weight = 0;
    for (const BlockId id : array.blocks())
        weight += id.index() < recorded ? replay.ground->tokens->of(id) : tokens.of(id);
    return weight;
}

} // namespace

std::optional<ArrayReading> recordedReading(const RecordedCache &cache, Position position, const Transcript &array,
    const ArraySum &sum, const BlockTokens &tokens)
{
    const auto call = std::ranges::find(cache.calls, position, &RecordedCacheCall::position);
    if (position.isEnd() || call == cache.calls.end())
        return std::nullopt;
    const Session &session = *array.session();
    ArrayReading reading;
    reading.read = static_cast<double>(call->usage.cacheRead);
    reading.prompt = static_cast<double>(call->usage.prompt());
    reading.cause = call->found;
    reading.idle = call->predicted.idle;
    const bool isAll = call->isRecordedHit() && std::abs(reading.read - call->predicted.left) <= kSameTokens;
    const std::optional<uint64_t> blocks = isAll ? blocksBefore(session, position) : std::nullopt;
    reading.isEndExact = blocks.has_value();
    reading.end = blocks ? placeBehind(array, *blocks, tokens)
                         : placeByWeight(array, sum, tokens, reading.read, reading.prompt);
    if (hasMarks(session))
        reading.marked = recordedMarks(array);
    return reading;
}

std::optional<ArrayReading> simulatedReading(
    const Replay &replay, const ReplayCost &cost, Position position, const Compaction &compaction, const ArraySum &sum)
{
    if (cost.rule.empty() || position.isEnd() || position.call.index() >= replay.callCount())
        return std::nullopt;
    const Transcript &array = compaction.after;
    const BlockTokens &tokens = *compaction.afterTokens;
    ArrayReading reading;
    if (hasMarks(replay.ground->session())) {
        for (const MarkPlacement placement : placementsOf(replay.policy->cacheMarks))
            std::ranges::copy(markedBlocks(array, placement), std::back_inserter(reading.marked));
        const auto [first, last] = std::ranges::unique(reading.marked);
        reading.marked.erase(first, last);
    }
    const ReplayStep &step = replay.steps[position.call.index()];
    const ArraySum after = sumAfter(compaction, sum, *replay.ground->tokens);
    const double besidesTokens = after.besides();
    if (step.blockCount == array.blocks().size()
        && std::abs(step.arrayTokens - weightInReplay(replay, array, tokens)) < 0.5) {
        const CacheReading &sent = cost.calls[position.call.index()].cache;
        reading.source = ArrayReading::Source::Replayed;
        reading.read = sent.read;
        reading.prompt = step.tokens;
        reading.cause = sent.cause;
        reading.idle = sent.idle;
        reading.end = placeByWeight(array, after, tokens, reading.read, after.value());
        return reading;
    }
    reading.source = ArrayReading::Source::Shared;
    const auto before = compaction.before.blocks();
    size_t common = 0;
    while (common < std::min(before.size(), compaction.origins.size()) && compaction.origins[common] == before[common]
        && array.blocks()[common] == before[common])
        ++common;
    reading.end = placeBehind(array, common, tokens);
    reading.isEndExact = true;
    reading.read = besidesTokens;
    for (size_t i = 0; i < common; ++i)
        reading.read += tokens.of(array.blocks()[i]);
    reading.prompt = after.value();
    if (common < before.size())
        reading.cause = beginsWithSummary(array) ? CacheCause::Compaction : CacheCause::Clearing;
    return reading;
}

} // namespace core
