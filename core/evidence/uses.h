// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/tokens/array_sums.h"

#include <optional>
#include <span>
#include <vector>

namespace core {

/// How a later block needed the text of an earlier block. The kinds differ in trust, so figures never add them up
/// silently.
enum class UseKind : uint8_t {
    Quote,    ///< the old text of an edit, byte for byte: high trust
    Repeat,   ///< a result repeats at least half of the lines of an earlier result: high trust
    SameCall, ///< the same tool with the same arguments, without a write between
    Name,     ///< a code-shaped name: low trust
};

/// A set of kinds.
using UseKinds = uint8_t;
[[nodiscard]] constexpr UseKinds only(UseKind kind) { return static_cast<UseKinds>(1U << static_cast<unsigned>(kind)); }
/// The kinds that the main figures count. Reports print the name: change it together with the set.
inline constexpr UseKinds kHeadlineUses = only(UseKind::Quote) | only(UseKind::Repeat);
inline constexpr std::string_view kHeadlineUsesName = "quote+repeat, v1"; ///< for JSON
inline constexpr std::string_view kHeadlineUsesWords = "quotes and repeats";

/// A later need of an earlier text, bound to the newest block that shows the text.
struct Use {
    UseKind kind = UseKind::Quote;
    /// No block shows all of a quoted text, but the carriers together show its lines: all of them were used.
    bool isTogether = false;
    CallIndex call; ///< the call whose response wrote `by` or requested the result `by`; invalid before the first call
    BlockId by;     ///< the tool call or text that quotes or names, the repeating result, or the repeated call
    uint32_t firstCarrier = 0; ///< index into Uses::carriers
    uint32_t carrierCount = 0; ///< at least one
};

/// The uses of one thread. They depend on the recording only, not on policies, prices or token counts.
struct Uses {
    std::vector<BlockId> log; ///< every block of the thread once, in the order of entering its context
    /// User messages, ascending: those of the log, and those that a compaction removed before any call sent them.
    std::vector<BlockId> messages;
    std::vector<Use> uses;         ///< in the order of the blocks `by`
    std::vector<BlockId> carriers; ///< of each use: the newest first, then earlier ones; see `kMostCarriers`
    std::vector<BlockId> unshown;  ///< calls with an old text that no block of the log shows; one entry for each such
                                   ///< text
    /// By BlockId, for results that show a file and for tool calls that wrote or edited one: the first later tool call
    /// that wrote or edited the same file; invalid if there is none.
    std::vector<BlockId> changedBy;
    uint64_t visits = 0;    ///< blocks, lines and holders of lines examined
    uint64_t bytesRead = 0; ///< bytes of bodies read, and of searches for quotes

    /// Most carriers stored for one use. A use of kind Name has two: the newest and the first.
    static constexpr size_t kMostCarriers = 8;

    /// How many uses of these kinds there are.
    [[nodiscard]] size_t count(UseKinds kinds) const;
    /// The carrier that the use is bound to.
    [[nodiscard]] BlockId carrier(const Use &use) const { return carriers[use.firstCarrier]; }
    [[nodiscard]] std::span<const BlockId> carriersOf(const Use &use) const
    {
        return std::span(carriers).subspan(use.firstCarrier, use.carrierCount);
    }
    /// The carriers that hold the text: all of them together, else the newest alone.
    [[nodiscard]] std::span<const BlockId> boundOf(const Use &use) const
    {
        return carriersOf(use).first(use.isTogether ? use.carrierCount : 1);
    }
    /// Whether a silent clearing may have removed the text before the call that used it. Then the use does not prove
    /// that the text was in context.
    [[nodiscard]] bool isUnsure(const Use &use, const ArraySums &sums) const;
};

/// Hashes of names that occur in many sessions, ascending.
using CommonNames = std::vector<uint64_t>;

struct UseOptions {
    bool withNames = false;                   ///< include uses of kind Name, which are many
    const CommonNames *commonNames = nullptr; ///< these do not count as uses
};

/// Finds the uses of a thread by these definitions:
///
/// **Quote**: an edit that did not fail has an old text that an earlier block shows byte for byte (shown_text.h). If no
/// block shows all of it, earlier blocks must show each of its non-blank lines, trimmed; the carriers are then the
/// newest block of each line. If the old text has only import lines, the block must show the edited file, or a file
/// that is not known. **Repeat**: a result contains at least half of the distinct lines of an earlier result that have
/// 12 characters or more. Import lines (import_lines.h) count only if both show the same file. No successful call wrote
/// the file of either result between them, and the later result's own call did not write. Both results have at least
/// 200 characters without reminders, which do not count; shorter ones only say that the tool succeeded. Of the results
/// that contain a line, the newest 8 are examined. **Same call**: the same tool with equal arguments, without a write
/// between; the carrier is the result; the result of a read counts only with 200 or more characters. **Name**: 8 or
/// more letters, digits and `_` with a case change, digit or `_` inside, written in arguments or a reply. It does not
/// occur in the system prompt, tools or user text before it, and is not common.
///
/// Summaries and stubs carry nothing, because they repeat other blocks. Writes by shell commands are not detected.
/// Reads all texts once, and a second time if quotes have several carriers together. nullopt if cancelled.
[[nodiscard]] std::optional<Uses> findUses(
    const Session &session, ThreadIndex thread, UseOptions options = {}, Progress *progress = nullptr);

/// The code-shaped names that more than `most` of the sessions contain, in any block. Reads all texts once.
[[nodiscard]] CommonNames commonNames(std::span<const SessionPtr> sessions, size_t most = 2);

/// Which carrier of a use counts.
enum class UseBinding : uint8_t {
    Newest, ///< the need itself: the text is available as long as any block shows it
    First,  ///< the earliest carrier. Only for comparison: with it every keep window seems too small
};

/// For each use the tokens from the beginning of its carrier to the block that needed it, exclusive. Keeping this many
/// of the last tokens keeps the whole carrier.
[[nodiscard]] std::vector<double> useDistances(
    const Session &session, const Uses &uses, const BlockTokens &tokens, UseBinding binding = UseBinding::Newest);

} // namespace core
