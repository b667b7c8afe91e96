// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/silent_clearings.h"

#include "core/tokens/token_kinds.h"

#include <algorithm>

namespace core {

namespace {

constexpr double kEnoughWeight = 0.8; ///< of what is missing
constexpr double kSlack = 0.02;       ///< of the prompt: places are estimated by weight
constexpr double kCut = 0.9;          ///< of the previous prompt; a longer read says nothing about the place

/// The blocks that this call and the call `before` both sent, after the part that the cache still read.
std::vector<BlockId> behindRead(
    const Thread &thread, const ArraySums &sums, size_t before, size_t call, const BlockTokens &tokens)
{
    const Call &there = thread.calls[call];
    const double prompt = sums.calls[before].value();
    const double read = static_cast<double>(there.usage->cacheRead);
    const double cut = read > 0 && read < kCut * prompt ? read - kSlack * prompt : 0;
    std::vector<BlockId> sent;
    thread.calls[before].input.forEach([&](BlockId id) { sent.push_back(id); });
    std::ranges::sort(sent);
    std::vector<BlockId> found;
    double place = sums.calls[before].besides();
    there.input.forEach([&](BlockId id) {
        place += tokens.of(id);
        if (place > cut && std::ranges::binary_search(sent, id))
            found.push_back(id);
    });
    std::ranges::sort(found);
    return found;
}

double weightOf(const std::vector<BlockId> &blocks, const BlockTokens &tokens)
{
    double sum = 0;
    for (const BlockId id : blocks)
        sum += tokens.of(id);
    return sum;
}

/// The first array after `call` that was written anew, or in which the cleared text is back.
uint32_t endOf(const Thread &thread, const ArraySums &sums, CallIndex call)
{
    auto end = static_cast<uint32_t>(thread.calls.size() + 1);
    for (const RecordedCompaction &each : thread.compactions) {
        const bool writesAnew = each.kind == CompactionKind::Summary || each.kind == CompactionKind::Replacement;
        if (writesAnew && each.call.isValid() && each.call >= call)
            end = std::min(end, each.call.value() + 1);
    }
    for (const SumEvent &event : sums.events) {
        if (event.kind == SumEvent::Kind::Returned && event.call > call)
            end = std::min(end, event.call.value());
    }
    return end;
}

} // namespace

std::vector<SilentClearing> silentClearings(
    const Session &session, ThreadIndex threadIndex, const ArraySums &sums, const BlockTokens &tokens)
{
    const Thread &thread = session.thread(threadIndex);
    std::vector<SilentClearing> clearings;
    for (const SumEvent &event : sums.events) {
        if (event.kind != SumEvent::Kind::Cleared && event.kind != SumEvent::Kind::Recorded)
            continue;
        size_t before = event.call.index();
        while (before > 0) {
            --before;
            if (sums.calls[before].isRecorded())
                break;
        }
        SilentClearing &made = clearings.emplace_back();
        made.from = event.call.value();
        made.to = endOf(thread, sums, event.call);
        made.tokens = event.tokens;
        made.isRecorded = event.kind == SumEvent::Kind::Recorded;
        const std::vector<BlockId> behind = behindRead(thread, sums, before, event.call.index(), tokens);
        std::ranges::copy_if(behind, std::back_inserter(made.blocks), [&](BlockId id) {
            const Block &block = session.block(id);
            return block.kind == BlockKind::ToolResult && !block.is(BlockFlag::Stub);
        });
        if (weightOf(made.blocks, tokens) >= kEnoughWeight * made.tokens)
            continue;
        made.blocks.clear();
        std::ranges::copy_if(behind, std::back_inserter(made.blocks),
            [&](BlockId id) { return !isUserText(session, session.block(id)); });
    }
    return clearings;
}

void UnsentText::weigh(const BlockTokens &table) { weight = weightOf(blocks, table); }

UnsentText unsentAt(std::span<const SilentClearing> clearings, uint32_t call, const BlockTokens &tokens)
{
    UnsentText unsent;
    for (const SilentClearing &each : clearings) {
        if (call < each.from || call >= each.to)
            continue;
        unsent.tokens += each.tokens;
        unsent.blocks.insert(unsent.blocks.end(), each.blocks.begin(), each.blocks.end());
    }
    std::ranges::sort(unsent.blocks);
    unsent.blocks.erase(std::ranges::unique(unsent.blocks).begin(), unsent.blocks.end());
    unsent.weigh(tokens);
    return unsent;
}

std::vector<UnsureSpan> unsureSpans(std::span<const SilentClearing> clearings)
{
    std::vector<UnsureSpan> spans;
    for (const SilentClearing &each : clearings) {
        for (const BlockId id : each.blocks)
            spans.push_back({ id, each.from, each.to });
    }
    std::ranges::stable_sort(spans, {}, &UnsureSpan::block);
    std::vector<UnsureSpan> joined;
    for (const UnsureSpan &span : spans) {
        if (!joined.empty() && joined.back().block == span.block && span.from <= joined.back().to)
            joined.back().to = std::max(joined.back().to, span.to);
        else
            joined.push_back(span);
    }
    return joined;
}

} // namespace core
