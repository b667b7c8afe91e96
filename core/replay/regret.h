// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"
#include "core/evidence/uses.h"

#include <array>

namespace core {

/// What became of a use where a policy decided what is in context.
enum class UseFate : uint8_t {
    Kept,    ///< the block that it is bound to is in context, as it was recorded
    Covered, ///< another one shows the text: an earlier carrier, or what is left of one
    Fetched, ///< the recorded agent showed the text to itself again: that is the use
    Lost,    ///< nothing in context shows it
    Unknown, ///< it is bound to text that the harness put back without a word in the log, or which a replay leaves out
};
[[nodiscard]] std::string_view nameOf(UseFate fate);

/// The uses of one kind, by their fate.
struct FateCounts {
    std::array<size_t, 5> counts {}; ///< by UseFate

    [[nodiscard]] size_t operator[](UseFate fate) const { return counts[static_cast<size_t>(fate)]; }
    [[nodiscard]] size_t all() const;
};

/// What a run lost that was needed later. The recording decides what was needed, whatever the policy: a model that has
/// less in context may ask for other things.
struct Regret {
    std::vector<UseFate> fates;          ///< of each use
    std::array<FateCounts, 4> byKind {}; ///< by UseKind
    /// A block that a lost use is bound to, and the call whose response needed it first; invalid before any.
    struct Fetch {
        BlockId block;
        CallIndex call;
        double tokens = 0;
    };
    std::vector<Fetch> fetches; ///< each block once
    /// Typed by the person, and in no block of the array at the end word for word (see message_carriers.h).
    std::vector<BlockId> lostMessages;
    size_t typedMessages = 0;

    /// Of the kinds that headlines count.
    [[nodiscard]] FateCounts of(UseKinds kinds = kHeadlineUses) const;
    /// To fetch again what was lost.
    [[nodiscard]] double fetchTokens() const;
};

/// Whether what is asked about happened: what the recorded agent used was there, though the log may not show where.
enum class RegretWorld : uint8_t { Simulated, Recorded };

/// `spans` are those of a replay of the same thread, or of the recording; `tokens` are of the session's blocks. A use
/// that several blocks carry together is kept if all of them are. Costs O(uses × carriers × log), and reads what is
/// left of carriers that were shortened.
[[nodiscard]] Regret regretOf(
    const Session &session, const Uses &uses, const ContextSpans &spans, const BlockTokens &tokens, RegretWorld world);

} // namespace core
