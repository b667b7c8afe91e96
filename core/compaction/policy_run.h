// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core {

/// The session's name in the names that a harness makes: the one that is given, else the thread's id, else "session".
[[nodiscard]] std::string sessionIdOf(const Session &session, ThreadIndex thread, const std::string &given);

/// Drops and pins what the person said, among the elements from `first` on.
void applyOverrides(Draft &draft, const Overrides &overrides, size_t first = 0);

/// Whether any stage is on.
[[nodiscard]] bool hasStageOn(const Policy &policy);
/// What a policy says that has no stage on.
inline constexpr std::string_view kNoStage = "changes nothing: no stage is on";
/// Whether a stage that is on acts only when a trigger is reached, its own or the policy's.
[[nodiscard]] bool waitsForTrigger(const Policy &policy);

/// What a policy did to an array.
struct PolicyRun {
    TriggerVerdict verdict;  ///< of the policy's trigger, on the array as it was
    TriggerVerdict decision; ///< of the last stage that waits for a trigger, counted anew; else `verdict`
    bool hasFired = false;   ///< a stage that waits for a trigger acted
    std::vector<StageReport> stages;
    std::vector<bool> firedStages; ///< by stage: it waits for a trigger and acted, or decided by itself that it is time
};

/// Lets the stages of `told.policy` work on the draft, one after the other. `recordedTokens` is what the harness
/// knows of its last call; with `ignoresTriggers` every stage acts as if its trigger were reached.
[[nodiscard]] PolicyRun runPolicy(
    Draft &draft, const StageContext &told, double recordedTokens, bool ignoresTriggers = false);

} // namespace core
