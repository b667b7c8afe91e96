// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "core/tokens/weights.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace core {

/// What became of a block or a slot.
enum class Fate : uint8_t {
    Kept,
    Shortened,  ///< a part of its text is left
    Replaced,   ///< a text that is no shorter stands in its place
    Offloaded,  ///< the text stands in an artifact, a pointer in its place
    Cleared,    ///< a placeholder without a pointer stands in its place
    Dropped,    ///< nothing stands in its place
    Summarised, ///< a summary stands for it and others
    Added,      ///< was not there before
};
[[nodiscard]] std::string_view nameOf(Fate fate);
/// Of a text of which a part is left: what is no shorter than it was is not shortened, whatever was taken from it.
[[nodiscard]] Fate shortenedTo(const TextLengths &before, const TextLengths &after);

/// One change.
struct Rewrite {
    BlockId block;       ///< of the array before; invalid for something added
    std::string pointer; ///< JSON pointer of a member of a tool call's arguments; empty for the whole body
    size_t stage = 0;    ///< index into the policy's stages; of an observed compaction, 0
    Fate fate = Fate::Kept;
    BlockId made;                   ///< the block that stands in its place, in the session after; invalid if none does
    TextLengths before;             ///< of what the stage found
    TextLengths after;              ///< of what it left
    std::string why;                ///< a clause: `14,990 characters are more than 400`
    std::optional<size_t> artifact; ///< into Compaction::artifacts
};

/// What a policy's harness itself would have kept, under its own name; made when it is read, out of the session after.
struct Artifact {
    std::string name;
    std::function<std::string(const Session &after)> text;
    std::vector<BlockId> blocks; ///< of the array before, that it was made of
    bool isAppended = false;     ///< a section behind what stands there already
};

/// How one stage fared.
struct StageReport {
    bool hasRun = false; ///< enabled and triggered
    std::string verdict; ///< why it acted or did not
    size_t cutoff = 0;   ///< first message it left alone
    size_t rewrites = 0;
    double savedTokens = 0;
    int64_t savedCharacters = 0;
};

/// Something in an array that a provider would refuse, or a stage that made things worse.
struct Violation {
    SlotIndex slot; ///< of the array it was found in; invalid for the whole
    std::string rule;
    std::string sentence;
};

/// Overrides of single blocks, apart from any policy.
struct Overrides {
    std::vector<BlockId> keep;
    std::vector<BlockId> drop;
    [[nodiscard]] bool isEmpty() const { return keep.empty() && drop.empty(); }
};

/// A transcript before, one after, and everything between. Immutable. The after-transcript has a session of its own:
/// the blocks of the one before, and the new ones behind them.
struct Compaction {
    PolicyPtr policy; ///< nullptr of an observed one
    Transcript before;
    Transcript after;
    BlockTokensPtr afterTokens;
    std::vector<BlockId> origins; ///< of each block of the after array: what it was before; invalid for an added one
    std::vector<Rewrite> rewrites;
    std::vector<Artifact> artifacts;
    std::vector<StageReport> stages;
    std::vector<Fate> fates;         ///< of each slot before: the gravest of its blocks'
    std::vector<Fate> fatesAfter;    ///< of each slot after: the gravest of the blocks that still stand in it
    std::vector<SlotIndex> afterOf;  ///< of each slot before: where it, or what stands for it, is; invalid if nowhere
    SlotIndex cutoff;                ///< first slot of the keep window, by the policy's own measure
    bool hasFired = false;           ///< a stage that waits for a trigger, the policy's or its own, acted
    bool isTriggerReached = false;   ///< the policy's
    std::string verdict;             ///< the policy's trigger's
    std::vector<Violation> validity; ///< of the array after; what held before already is left out

    [[nodiscard]] bool changesNothing() const { return rewrites.empty(); }
    /// The id of a stage; `observed` without a policy, `override` behind the policy's last.
    [[nodiscard]] std::string stageName(size_t stage) const;
    [[nodiscard]] std::string textOf(const Artifact &artifact) const { return artifact.text(*after.session()); }
    /// Whether `text`, that of the artifact, is the text of one original, byte for byte.
    [[nodiscard]] bool isSameAsOriginal(const Artifact &artifact, std::string_view text) const;
};
using CompactionPtr = std::shared_ptr<const Compaction>;

class ChangeMemo;

struct CompactOptions {
    Position position;            ///< where the transcript stands: for the recorded prompt and the time
    bool ignoresTriggers = false; ///< as if every trigger were reached: what the stages would do
    std::string sessionId;        ///< as the harness puts it into names; else the thread's id, else "session"
    Overrides overrides;
    std::shared_ptr<ChangeMemo> memo; ///< what plans of the same session have made already; may be none
};

/// Fills fates and places of the slots from rewrites and origins.
void settleFates(Compaction &compaction);

/// The smallest measure, in the unit of the policy's keep, whose window begins at `slot` or before it. Costs
/// O(messages × log).
[[nodiscard]] Measure keepBeginningAt(const Transcript &transcript, const Policy &policy, const BlockTokens &tokens,
    SlotIndex slot, const std::shared_ptr<ChangeMemo> &memo = {});

/// What `policy` makes of `transcript`: a plan, nothing is written. A pure function. Costs O(blocks), and the texts
/// that are shortened.
[[nodiscard]] Compaction compact(const Transcript &transcript, const PolicyPtr &policy, const BlockTokens &tokens,
    const CompactOptions &options = {});

} // namespace core
