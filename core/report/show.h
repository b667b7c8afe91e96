// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/keep_window.h"
#include "core/evidence/trace.h"
#include "core/weight/hot_zones.h"
#include "core/weight/resent_unused.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// How many slots and blocks ever stood in an array of one thread, each once, whatever compaction or rewinding dropped.
struct LifeCount {
    size_t slots = 0;
    size_t blocks = 0;
};
/// Costs O(ranges of all calls + blocks of the pool), not the sum of all arrays.
[[nodiscard]] LifeCount lifeCount(const Session &session, ThreadIndex thread);

/// Everything that `show` says about one array, whether as JSON, in the terminal or in the window.
struct Shown {
    SessionPtr session;
    Position position;
    Transcript transcript;
    Weights weights;
    Measure keep;
    size_t cutoff = 0;   ///< first slot of the keep window
    HotZones hot;        ///< ranked by tokens resent unused
    ResentUnused unused; ///< of single blocks
    Unlogged unlogged;
    InContext userMessages; ///< that stand in the array word for word, of those up to it

    /// Characters, bytes and tokens at once, whatever unit `weights` has.
    struct Sums {
        TextLengths lengths;
        double tokens = 0;
    };
    [[nodiscard]] Sums sumsOf(std::span<const BlockId> blocks) const;
    [[nodiscard]] Sums totals() const { return sumsOf(transcript.blocks()); }
    [[nodiscard]] const Thread &thread() const { return session->thread(position.thread); }
    /// The call looked at; nullptr at the end of the session, where the next call has not been made.
    [[nodiscard]] const Call *call() const;
    /// The recorded system prompt and tools that belong to the array, if any.
    [[nodiscard]] std::optional<BlockRange> prelude() const;
};

/// Puts together what is shown of the array at `position`.
[[nodiscard]] Shown shownAt(SessionPtr session, Position position, const Weights &weights, const Measure &keep);

/// The document `palimpsest.show/2` (see architecture.md): the array with its weights and hot zones, the session
/// around it, and what was wrong with the file. Bytes that are not UTF-8 become U+FFFD when it is written out.
[[nodiscard]] nlohmann::ordered_json showJson(const Shown &shown);

} // namespace core
