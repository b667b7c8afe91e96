// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy_run.h"
#include "core/replay/worker_clock.h"

namespace core {

/// Runs a policy with a worker on drafts: its stages act as in `runPolicy`, but what `summarise` writes lands when the
/// worker's clock says so. For replays that plan every call from scratch.
class LaterSummary final {
public:
    /// nullopt if the policy has no worker. Ground and policy must outlive the object.
    [[nodiscard]] static std::optional<LaterSummary> of(const ReplayGround &ground, const StageContext &context);

    void truncate(size_t step, size_t kept) { m_clock.truncate(step, kept); }
    /// `log` are the blocks of the log at this step. Notes the worker's request in `step`.
    [[nodiscard]] PolicyRun run(
        Draft &draft, const StageContext &context, double known, std::span<const BlockId> log, ReplayStep &step);
    [[nodiscard]] WorkerRun finish(size_t steps) { return m_clock.finish(steps); }

private:
    LaterSummary(const Policy &policy, WorkerClock clock);

    void summarise(StageRun &run, bool isReached, std::span<const BlockId> log, ReplayStep &step, PolicyRun &result);
    void start(const StageRun &run, size_t cut, std::span<const BlockId> log, ReplayStep &step);
    bool land(StageRun &run, std::span<const BlockId> log);

    Policy m_before; ///< with the stages before `summarise`
    Policy m_behind; ///< with the stages behind it
    size_t m_stage = 0;
    size_t m_step = 0;
    WorkerClock m_clock;
};

} // namespace core
