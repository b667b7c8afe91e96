// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/assumed_summary.h"
#include "core/tokens/silent_clearings.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace core {

/// What a compaction did to a block or a slot.
enum class Fate : uint8_t {
    Kept,
    Shortened,  ///< a part of its text is left
    Replaced,   ///< another text, no shorter, replaces it
    Offloaded,  ///< its text is in an artifact, a pointer replaces it
    Cleared,    ///< a placeholder without a pointer replaces it
    Dropped,    ///< nothing replaces it
    Summarised, ///< a summary replaces it and others
    Edited,     ///< a text that the user wrote replaces it
    Inserted,   ///< new in the `after` array: a text that the user wrote
    Added,      ///< new in the `after` array
};
[[nodiscard]] std::string_view nameOf(Fate fate);
/// Shortened, or Replaced if the text did not become shorter.
[[nodiscard]] Fate shortenedTo(const TextLengths &before, const TextLengths &after);

/// One change of a block.
struct Rewrite {
    BlockId block;       ///< in the `before` array; invalid for an added block
    std::string pointer; ///< JSON pointer of a member of a tool call's arguments; empty for the whole body
    size_t stage = 0;    ///< index into the policy's stages; 0 for an observed compaction
    Fate fate = Fate::Kept;
    BlockId made;                   ///< the block that replaces it, in the session after; invalid if none does
    TextLengths before;             ///< lengths before the stage
    TextLengths after;              ///< lengths after it
    std::string why;                ///< a clause: `14,990 characters are more than 400`
    std::optional<size_t> artifact; ///< index into Compaction::artifacts
};

/// A file that the policy's harness itself would have kept, under its own name. Its text is computed on demand from the
/// session after.
struct Artifact {
    std::string name;
    std::function<std::string(const Session &after)> text;
    std::vector<BlockId> blocks; ///< blocks of the `before` array that it contains
    bool isAppended = false;     ///< appended as a section to the existing file
};

/// The result of one stage.
struct StageReport {
    bool hasRun = false; ///< enabled and triggered
    std::string verdict; ///< why it acted or did not
    std::string note;    ///< see `StageKind::note`
    size_t cutoff = 0;   ///< the first message that it left alone
    size_t rewrites = 0;
    double savedTokens = 0;
    int64_t savedCharacters = 0;
};

/// Something that a provider would refuse in an array, or a stage that made things worse.
struct Violation {
    SlotIndex slot; ///< in the array it was found in; invalid for the whole array
    std::string rule;
    std::string sentence;
};

/// A text that replaces the text of a block; for a tool call its arguments, a JSON object.
struct TextEdit {
    BlockId block;
    std::string text;
    friend bool operator==(const TextEdit &, const TextEdit &) = default;
};

/// A new message after the message of a block. An array contains it if, before any stage acts, it contains a block of
/// that message. With an invalid block it is the first message of every array.
struct TextInsertion {
    BlockId after;
    Role role = Role::User; ///< User, Assistant, or System where the format has system messages
    std::string text;
    friend bool operator==(const TextInsertion &, const TextInsertion &) = default;
};

/// Blocks kept, dropped or rewritten by hand, and texts inserted by hand, independent of any policy. They hold from the
/// first call on. No stage changes a kept block or a text that the user wrote.
struct Overrides {
    std::vector<BlockId> keep;
    std::vector<BlockId> drop;
    std::vector<TextEdit> replace;     ///< by block, ascending; none of them dropped
    std::vector<TextInsertion> insert; ///< several after one message keep their order
    [[nodiscard]] bool isEmpty() const { return keep.empty() && drop.empty() && !writesText(); }
    [[nodiscard]] bool writesText() const { return !replace.empty() || !insert.empty(); }
    friend bool operator==(const Overrides &, const Overrides &) = default;
};

/// Two arrays and all differences between them: `before`, the array before the compaction, and `after`, the array after
/// it. Immutable. `after` has its own session: the blocks of the session of `before`, followed by the new blocks.
struct Compaction {
    PolicyPtr policy; ///< nullptr if observed
    Transcript before;
    Transcript after;
    BlockTokensPtr afterTokens;
    std::vector<BlockId> origins; ///< by block of the `after` array: its block before; invalid if added
    std::vector<Rewrite> rewrites;
    std::vector<Artifact> artifacts;
    std::vector<StageReport> stages;
    std::vector<Fate> fates;        ///< by slot before: the gravest fate of its blocks
    std::vector<Fate> fatesAfter;   ///< by slot after: the gravest fate of its blocks
    std::vector<SlotIndex> afterOf; ///< by slot before: the slot after that holds it or its replacement; invalid if
                                    ///< none
    SlotIndex cutoff;               ///< first slot of the keep window, by the policy's measure
    bool hasFired = false;          ///< a triggered stage acted, by the policy's trigger or its own
    bool isTriggerReached = false;  ///< of the policy
    std::string verdict;            ///< of the policy's trigger
    std::optional<AssumedSummary> assumedSummary; ///< if a summary that it wrote has an assumed size
    UnsentText unsent;                            ///< what silent clearings left out of the array before
    std::vector<Violation> validity; ///< of the `after` array, without violations that the `before` array already had

    [[nodiscard]] bool changesNothing() const { return rewrites.empty(); }
    /// The id of a stage; `observed` without a policy, `override` for the index behind the policy's last stage.
    [[nodiscard]] std::string stageName(size_t stage) const;
    [[nodiscard]] std::string textOf(const Artifact &artifact) const { return artifact.text(*after.session()); }
    /// Whether `text`, the artifact's content, equals one original byte for byte.
    [[nodiscard]] bool isSameAsOriginal(const Artifact &artifact, std::string_view text) const;
};
using CompactionPtr = std::shared_ptr<const Compaction>;

/// The total of the array after the compaction, from the total `before`: adds the change of the slots. Text that a
/// silent clearing had removed counts on neither side; `counted`, the table of the session, has the tokens of this
/// text. A replay of the policy has the same total.
[[nodiscard]] ArraySum sumAfter(const Compaction &compaction, const ArraySum &before, const BlockTokens &counted);

class ChangeMemo;

struct CompactOptions {
    Position position;            ///< of the transcript: for the recorded prompt and the time
    bool ignoresTriggers = false; ///< acts as if every trigger were reached
    std::string sessionId;        ///< as the harness puts it into names; default: the thread's id, else "session"
    Overrides overrides;
    std::shared_ptr<ChangeMemo> memo; ///< changes cached by plans of the same session; may be null
    ArraySumsPtr sums; ///< of the thread: triggers do not count what silent clearings left out; null counts all
};

/// Computes the fates and places of slots from rewrites and origins.
void settleFates(Compaction &compaction);

/// The smallest keep, in the unit of the policy's keep, that keeps `slot`. Costs O(messages × log).
[[nodiscard]] Measure keepBeginningAt(const Transcript &transcript, const Policy &policy, const BlockTokens &tokens,
    SlotIndex slot, const std::shared_ptr<ChangeMemo> &memo = {});

/// Plans what `policy` makes of `transcript`; writes nothing. A pure function. Costs O(blocks), plus the texts that are
/// shortened.
[[nodiscard]] Compaction compact(const Transcript &transcript, const PolicyPtr &policy, const BlockTokens &tokens,
    const CompactOptions &options = {});

} // namespace core
