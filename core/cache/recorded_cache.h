// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_lifetimes.h"
#include "core/cache/cache_model.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// One recorded call: the model's prediction beside the recorded figures.
struct RecordedCacheCall {
    Position position;
    std::optional<Timestamp> sent;
    Usage usage;
    CacheWrites writes;     ///< recorded; tokens without a recorded lifetime count as five minutes
    Timestamp lifetime = 0; ///< of its writes; 0: the default
    uint32_t options = 0;   ///< see CacheCall
    CacheReading predicted;
    /// Why the recorded call read less than the previous call had left in the cache. None if it read all of that,
    /// within a twentieth of its prompt; Kept if it did so although the model predicted a loss. If the model predicted
    /// the loss: the model's cause. Else the cause that the records show, or Unknown. So every wrong prediction has a
    /// cause.
    CacheCause found = CacheCause::None;

    /// Whether the predicted read is within a twentieth of the prompt.
    [[nodiscard]] bool isRight() const;
    [[nodiscard]] bool isRecordedHit() const { return found == CacheCause::None || found == CacheCause::Kept; }
};

/// All calls of a session with recorded usage that is not in doubt, ordered by time.
struct RecordedCache {
    std::vector<RecordedCacheCall> calls;
    std::string_view rule; ///< in words; empty without a model of this cache
    /// Some call read or wrote a cache. If none did, the harness may not have asked for caching, and nothing is
    /// predicted.
    bool hasFigures = false;
    /// No call read or wrote a cache, though by the rules some would have. There was no cache, and replays assume none.
    bool isWithoutCache = false;
};

/// Which calls reveal the length of system prompt and tools, if the log does not contain them.
enum class PreludeSource : uint8_t {
    AllCalls,    ///< all calls whose recorded read ended there; the length is the same at every call
    CallsBefore, ///< only earlier calls, so that a prediction uses no later knowledge
};

/// Runs the cache model over the recorded calls of all threads, with the rules for the model of most calls. Prompt
/// sizes are the recorded ones; `tokens` is used only for an array that keeps a part of the previous array. A
/// prediction never uses the record of its own or a later call, except for the length of system prompt and tools (see
/// PreludeSource). O(calls + changes), plus O(calls) for each rewind.
[[nodiscard]] RecordedCache recordedCache(
    const Session &session, const BlockTokens &tokens, PreludeSource source = PreludeSource::AllCalls);

} // namespace core
