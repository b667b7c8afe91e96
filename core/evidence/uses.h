// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/tokens/weights.h"

#include <optional>
#include <span>
#include <vector>

namespace core {

/// How a later block needed the text of an earlier one; never summed silently, as they differ in trust.
enum class UseKind : uint8_t {
    Quote,    ///< the old text of an edit, verbatim: high trust
    Repeat,   ///< a result shows at least half of the lines of an earlier one again: high trust
    SameCall, ///< the same tool with the same arguments, nothing written between
    Name,     ///< a code-shaped name: low trust
};

/// A set of kinds.
using UseKinds = uint8_t;
[[nodiscard]] constexpr UseKinds only(UseKind kind) { return static_cast<UseKinds>(1U << static_cast<unsigned>(kind)); }
/// The kinds that figures in headlines count; a change of them is a change of the name.
inline constexpr UseKinds kHeadlineUses = only(UseKind::Quote) | only(UseKind::Repeat);
inline constexpr std::string_view kHeadlineUsesName = "quote+repeat, v1";

/// A later need of an earlier text, bound to the newest block that shows it.
struct Use {
    UseKind kind = UseKind::Quote;
    /// No block shows the whole of a quoted text, but its lines stand in the carriers: all of them were used.
    bool isTogether = false;
    CallIndex call; ///< whose response needed it: wrote the block `by`, or asked for that result; invalid before any
    BlockId by;     ///< the tool call or text that quotes or names, the result that repeats, the call made again
    uint32_t firstCarrier = 0; ///< into Uses::carriers
    uint32_t carrierCount = 0; ///< at least one
};

/// The uses of one thread. Facts of the recording: no policy, price or token count is in them.
struct Uses {
    std::vector<BlockId> log; ///< every block of the thread once, in the order in which they entered its context
    /// What the person typed, ascending: of the log, and what a compaction took before any call was sent it.
    std::vector<BlockId> messages;
    std::vector<Use> uses;         ///< in the order of the blocks `by`
    std::vector<BlockId> carriers; ///< of each use the newest first, then earlier ones: see `kMostCarriers`
    std::vector<BlockId> unshown;  ///< calls with an old text, once for each that no block of the log shows
    /// By BlockId, of results that show a file and of tool calls that wrote or changed one: the first later tool call
    /// that wrote or changed the same file; invalid where none did.
    std::vector<BlockId> changedBy;
    uint64_t visits = 0;    ///< blocks, lines and holders of lines looked at
    uint64_t bytesRead = 0; ///< of bodies and in search of quotes

    /// How many carriers of one use are named at most (of a name two: the newest and the first).
    static constexpr size_t kMostCarriers = 8;

    /// The block that the use is bound to.
    [[nodiscard]] BlockId carrier(const Use &use) const { return carriers[use.firstCarrier]; }
    [[nodiscard]] std::span<const BlockId> carriersOf(const Use &use) const
    {
        return std::span(carriers).subspan(use.firstCarrier, use.carrierCount);
    }
};

/// Names that many sessions know, hashed, ascending.
using CommonNames = std::vector<uint64_t>;

struct UseOptions {
    bool withNames = false;                   ///< uses of kind Name too: many
    const CommonNames *commonNames = nullptr; ///< are no uses
};

/// Finds the uses of a thread by these definitions:
///
/// **Quote**: an old text of an edit that did not fail stands, byte for byte, in what an earlier block shows (see
/// shown_text.h). Where none shows the whole, all of its lines that are not blank must, without the blanks around them;
/// the carriers are then the newest block of each line. **Repeat**: of the distinct lines of at least 12 characters of
/// an earlier result, a result holds at least half, and no call that did not fail has written the file of either
/// between, nor wrote the later one's call itself. Both have at least 200 characters: shorter ones acknowledge. Of the
/// results that hold a line the newest 8 are looked at. **Same call**: equal tool and arguments, and no write between;
/// the carrier is the result. **Name**: 8 or more of letters, digits and `_` with a case change, digit or `_` inside,
/// written in arguments or a reply, not in the system prompt, tools or user text before it, and not common.
///
/// Summaries and stubs carry nothing: what they show is of other blocks. What shell commands write is not known. Costs
/// one reading of all texts, and a second one where quotes have several carriers together. Nothing if cancelled.
[[nodiscard]] std::optional<Uses> findUses(
    const Session &session, ThreadIndex thread, UseOptions options = {}, Progress *progress = nullptr);

/// The code-shaped names that more than `most` of the sessions show, in whatever block. Costs one reading of all texts.
[[nodiscard]] CommonNames commonNames(std::span<const SessionPtr> sessions, size_t most = 2);

/// To which of its carriers a use is bound.
enum class UseBinding : uint8_t {
    Newest, ///< what is needed: the text is there as long as any block shows it
    First,  ///< the first block that is named: a control, which makes every keep window look far too small
};

/// Of each use the tokens from the beginning of its carrier to the block that needed it, which is not counted: as many
/// of the last tokens have to be kept if the carrier is to stand among them whole.
[[nodiscard]] std::vector<double> useDistances(
    const Session &session, const Uses &uses, const BlockTokens &tokens, UseBinding binding = UseBinding::Newest);

} // namespace core
