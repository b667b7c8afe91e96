// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"
#include "core/evidence/uses.h"

#include <array>

namespace core {

/// Whether a policy still had the text of a use in context.
enum class UseFate : uint8_t {
    Kept,    ///< the use's carrier is in context unchanged
    Covered, ///< another block shows the text: an earlier carrier, or the rest of a shortened one
    Fetched, ///< the use is the recorded agent reading the text again
    Lost,    ///< no block in context shows it
    Unknown, ///< its carrier is text that the harness put back without logging it, or that a replay leaves out, or that
             ///< a silent clearing may have removed
};
[[nodiscard]] std::string_view nameOf(UseFate fate);
inline constexpr size_t kUseFateCount = static_cast<size_t>(UseFate::Unknown) + 1;
inline constexpr size_t kUseKindCount = static_cast<size_t>(UseKind::Name) + 1;

/// The uses of one kind, counted by fate.
struct FateCounts {
    std::array<size_t, kUseFateCount> counts {}; ///< by UseFate

    [[nodiscard]] size_t operator[](UseFate fate) const { return counts[static_cast<size_t>(fate)]; }
    [[nodiscard]] size_t all() const;
};

/// What a run lost that was needed later. The recording defines the needs, whatever the policy: a model with less in
/// context might ask for other things.
struct Regret {
    std::vector<UseFate> fates;                      ///< by use
    std::array<FateCounts, kUseKindCount> byKind {}; ///< by UseKind
    /// The carrier of a lost use, and the first call whose response needed it; invalid before the first call.
    struct Fetch {
        BlockId block;
        CallIndex call;
        double tokens = 0;
    };
    std::vector<Fetch> fetches; ///< each block once
    /// User messages that no block of the final array holds word for word (message_carriers.h).
    std::vector<BlockId> lostMessages;
    size_t typedMessages = 0;

    /// Adds up the counts of `kinds`.
    [[nodiscard]] FateCounts of(UseKinds kinds = kHeadlineUses) const;
    /// Tokens to fetch the lost blocks again.
    [[nodiscard]] double fetchTokens() const;
};

/// Whether the spans are recorded or simulated. In the recorded world nothing is lost: the agent had what it used, even
/// if the log does not show where.
enum class RegretWorld : uint8_t { Simulated, Recorded };

/// `spans` come from the recording (with `sums`) or from a replay of the same thread; `tokens` are of the session's
/// blocks and `sums` of the thread. A block that a silent clearing may have removed is neither in context nor lost. A
/// use whose text is spread over several carriers is kept only if all of them are. Costs O(uses × carriers × log);
/// reads what is left of shortened carriers.
[[nodiscard]] Regret regretOf(const Session &session, const Uses &uses, const ContextSpans &spans,
    const BlockTokens &tokens, const ArraySums &sums, RegretWorld world);

} // namespace core
