// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/keep_window.h"
#include "core/evidence/trace.h"
#include "core/tokens/array_sums.h"
#include "core/weight/hot_zones.h"
#include "core/weight/resent_unused.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// Numbers of distinct slots and blocks that were ever in an array of one thread, including those dropped later.
struct LifeCount {
    size_t slots = 0;
    size_t blocks = 0;
};
/// Costs O(ranges of all calls + blocks of the pool), not the sum of the array sizes.
[[nodiscard]] LifeCount lifeCount(const Session &session, ThreadIndex thread);

/// Everything that `show` prints about one array, for JSON, the terminal and the window.
struct Shown {
    SessionPtr session;
    Position position;
    Transcript transcript;
    Weights weights;
    Measure keep;
    size_t cutoff = 0;       ///< first slot of the keep window
    HotZones hot;            ///< ranked by tokens resent unused
    ResentUnused unused;     ///< by single blocks
    ArraySumsPtr threadSums; ///< of all calls of the thread
    InContext userMessages;  ///< how many user messages up to here the array holds word for word

    /// Characters, bytes and tokens together, whatever the unit of `weights`.
    struct Sums {
        TextLengths lengths;
        double tokens = 0;
    };
    [[nodiscard]] Sums sumsOf(std::span<const BlockId> blocks) const;
    /// What the array adds up to.
    [[nodiscard]] const ArraySum &sum() const { return threadSums->at(position); }
    [[nodiscard]] Sums totals() const { return sumsOf(transcript.blocks()); }
    [[nodiscard]] const Thread &thread() const { return session->thread(position.thread); }
    /// The call of the position; nullptr for the end of the session.
    [[nodiscard]] const Call *call() const;
    /// The recorded system prompt and tools of the array, if any.
    [[nodiscard]] std::optional<BlockRange> prelude() const;
};

/// Collects the facts about the array at `position`.
[[nodiscard]] Shown shownAt(SessionPtr session, Position position, const Weights &weights, const Measure &keep);

/// Whether the document holds the texts of the blocks. They cost the array's size.
enum class BlockTexts : uint8_t { LeftOut, Included };

/// The document `palimpsest.show/3` (see resources/manual/json.md): the array with its weights and hot zones, the
/// session, and its diagnostics. Invalid UTF-8 becomes U+FFFD on output.
[[nodiscard]] nlohmann::ordered_json showJson(const Shown &shown, BlockTexts texts = BlockTexts::LeftOut);

} // namespace core
