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

/// One recorded call: what the cache model says of it beside what was recorded.
struct RecordedCacheCall {
    Position position;
    std::optional<Timestamp> sent;
    Usage usage;
    CacheWrites writes;     ///< recorded; of what no lifetime is told, all is of five minutes
    Timestamp lifetime = 0; ///< of what it writes; 0: as long as is usual
    uint32_t options = 0;   ///< see CacheCall
    CacheReading predicted;
    /// Why the recorded call read less than the one before it left; None if it read all of it within a twentieth of its
    /// prompt, Kept if the model did not foresee that. Where the model foresaw the loss, the model's; else what the
    /// records show, Unknown if they show nothing. So wherever the prediction is wrong there is a cause.
    CacheCause found = CacheCause::None;

    /// The predicted read is within a twentieth of the prompt.
    [[nodiscard]] bool isRight() const;
    [[nodiscard]] bool isRecordedHit() const { return found == CacheCause::None || found == CacheCause::Kept; }
};

/// All calls of a session that recorded their usage, in order of time.
struct RecordedCache {
    std::vector<RecordedCacheCall> calls;
    std::string_view rule; ///< in words; empty where there is no model of this cache
    /// Some call read or wrote a cache. Where none did, the harness may have asked for none: nothing is predicted.
    bool hasFigures = false;
    /// No call read or wrote a cache, though by the rules some would have: there was none, and replays have none
    /// either.
    bool isWithoutCache = false;
};

/// From where it is taken how long system prompt and tools are, where the log does not hold them.
enum class PreludeSource : uint8_t {
    AllCalls,    ///< the recorded reads of all calls that ended there: a size, whenever it shows
    CallsBefore, ///< only those of calls before: nothing that a prediction could not know
};

/// Runs the cache model over the recorded calls of all threads of a session, by the rules for the model of most calls.
/// Prompts are the recorded ones; what an array keeps of one before it is weighed by `tokens` only where it keeps a
/// part. Whether and how much a call reads is never taken from its own record or a later one, but for the length of
/// system prompt and tools (see PreludeSource). O(calls + changes), and O(calls) more for each rewind.
[[nodiscard]] RecordedCache recordedCache(
    const Session &session, const BlockTokens &tokens, PreludeSource source = PreludeSource::AllCalls);

} // namespace core
