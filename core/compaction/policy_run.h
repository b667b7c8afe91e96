// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"
#include "core/tokens/silent_clearings.h"

namespace core {

/// The session's id in names that a harness makes: `given`, else the thread's id, else "session".
[[nodiscard]] std::string sessionIdOf(const Session &session, ThreadIndex thread, const std::string &given);

/// Drops, pins and rewrites overridden blocks among the elements from `first` on, and inserts the new texts behind
/// them.
void applyOverrides(Draft &draft, const Overrides &overrides, size_t first = 0);

/// Tokens of the draft's blocks that silent clearings had removed. A changed block counts as sent.
[[nodiscard]] double unsentTokens(const Draft &draft, const UnsentText &unsent);

[[nodiscard]] bool hasStageOn(const Policy &policy);
/// The verdict of a policy without an enabled stage.
inline constexpr std::string_view kNoStage = "changes nothing: no stage is on";
/// Whether an enabled stage waits for a trigger, its own or the policy's.
[[nodiscard]] bool waitsForTrigger(const Policy &policy);
/// Whether a stage reads the policy's keep.
[[nodiscard]] bool readsKeep(const Policy &policy);
/// How the triggers that its stages wait for count tokens: `counts text parts only, 4 characters a token`. Empty where
/// none of them looks at tokens.
[[nodiscard]] std::string countingWords(const Policy &policy);

/// The memory folders of a new run; the `memo` of its session, which may be null, knows those of earlier runs.
[[nodiscard]] std::shared_ptr<MemoryFolders> memoriesOf(const std::shared_ptr<ChangeMemo> &memo);
/// What the enabled stages say of a run (`StageKind::note`).
[[nodiscard]] std::vector<std::string> stageNotes(const Session &session, const StageContext &context);

/// The effects of a policy on an array.
struct PolicyRun {
    TriggerVerdict verdict;  ///< of the policy's trigger, on the array before the stages
    TriggerVerdict decision; ///< of the last stage with a trigger, on the array before it; else `verdict`
    bool hasFired = false;   ///< a triggered stage acted
    std::vector<StageReport> stages;
    std::vector<bool> firedStages; ///< by stage: a triggered stage acted, or a trigger-less stage decided to act
};

/// Runs the stages of `told.policy` on the draft in order. `recordedTokens`: the prompt of the last call, as
/// the harness knows it. With `ignoresTriggers` every stage acts as if its trigger were reached.
[[nodiscard]] PolicyRun runPolicy(
    Draft &draft, const StageContext &told, double recordedTokens, bool ignoresTriggers = false);

} // namespace core
