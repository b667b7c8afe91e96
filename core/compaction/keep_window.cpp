// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/keep_window.h"

#include "core/session/format_traits.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

/// The tokens of a fraction of the window.
double tokensOfFraction(const Transcript &transcript, double fraction, const BlockTokens &tokens)
{
    if (transcript.session()->windowTokens)
        return fraction * static_cast<double>(*transcript.session()->windowTokens);
    double array = 0;
    for (const BlockId id : transcript.blocks())
        array += tokens.of(id);
    return fraction * array;
}

/// The slot of the nth tool result, or nth user message, from the end.
size_t cutoffByCount(const Transcript &transcript, const Measure &keep)
{
    const auto slots = transcript.slots();
    const auto wanted = static_cast<size_t>(std::max(0.0, keep.value));
    size_t seen = 0;
    for (size_t i = slots.size(); i > 0 && wanted > 0; --i) {
        const auto blocks = transcript.blocksOf(slots[i - 1]);
        const auto counts = [&](BlockId id) {
            const Block &block = transcript.block(id);
            return keep.unit == Measure::Unit::Results ? block.kind == BlockKind::ToolResult
                                                       : block.is(BlockFlag::Typed);
        };
        const auto found = static_cast<size_t>(std::ranges::count_if(blocks, counts));
        seen += keep.unit == Measure::Unit::Turns ? std::min<size_t>(found, 1) : found;
        if (seen >= wanted)
            return i - 1;
    }
    return wanted == 0 ? slots.size() : 0;
}

} // namespace

size_t keepCutoff(const Transcript &transcript, const Measure &keep, const BlockTokens &tokens)
{
    const auto slots = transcript.slots();
    if (slots.empty())
        return 0;
    if (keep.unit == Measure::Unit::Messages) {
        const double kept = std::max(0.0, std::floor(keep.value));
        return kept >= static_cast<double>(slots.size()) ? 0 : slots.size() - static_cast<size_t>(kept);
    }
    if (keep.unit == Measure::Unit::Results || keep.unit == Measure::Unit::Turns)
        return cutoffByCount(transcript, keep);
    const double target
        = keep.unit == Measure::Unit::WindowFraction ? tokensOfFraction(transcript, keep.value, tokens) : keep.value;
    size_t cutoff = slots.size() - 1;
    double sum = tokens.of(transcript, slots[cutoff]);
    while (cutoff > 0) {
        sum += tokens.of(transcript, slots[cutoff - 1]);
        if (sum > target)
            break;
        --cutoff;
    }
    return cutoff;
}

Measure openingKeep(const Session &session)
{
    if (const uint32_t messages = session.traits->openingMessages; messages > 0)
        return { static_cast<double>(messages), Measure::Unit::Messages };
    return { 0.1, Measure::Unit::WindowFraction };
}

} // namespace core
