// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"
#include "core/replay/call_times.h"
#include "core/replay/replay.h"

#include <span>

namespace core {

/// When the summaries of a policy's worker start and land, step by step. At each step call `truncate`, then `settle`;
/// if no summary is in work and the trigger is reached, `start`, then `settle` again. Times are the recorded ones: a
/// summary starts when the call before and its tools have ended, and can land with the first call that is sent after it
/// was saved. The step behind the last call is later than any time.
class WorkerClock final {
public:
    enum class Event : uint8_t { None, Fails, Lands };

    /// `summaryTokens` is the size of each summary.
    WorkerClock(const ReplayGround &ground, const SummaryWorker &worker, double summaryTokens);

    /// Call before the log loses its blocks from `kept` on. A summary that covers one of them is of no use.
    void truncate(size_t step, size_t kept);
    /// Whether a summary in work is saved and loaded by the time of this step.
    [[nodiscard]] Event settle(size_t step);
    /// Whether a summary may start: none is in work, and its delay is known.
    [[nodiscard]] bool canStart(size_t step) const;
    /// `logEnd` blocks of the log are in the array; the summary covers those before `coveredEnd`, of so many tokens.
    void start(size_t step, size_t logEnd, size_t coveredEnd, double coveredTokens);

    [[nodiscard]] const SummaryWorker &worker() const { return m_worker; }
    /// Of the newest summary; see `start`.
    [[nodiscard]] size_t coveredEnd() const { return m_coveredEnd; }
    /// Notes what was said since the summary that landed last started: the blocks of the log from then on.
    /// `lost` are the blocks that left the array with it although it does not cover them.
    void noteSaid(std::span<const BlockId> log, std::span<const BlockId> lost);
    /// The request for the summary that started at this step.
    void noteRequest(ReplayStep &step) const;
    /// What it did in the whole run.
    [[nodiscard]] WorkerRun finish(size_t steps);

private:
    [[nodiscard]] bool isSaved(size_t step) const;
    [[nodiscard]] bool isLoaded(size_t step) const;
    [[nodiscard]] std::optional<Timestamp> startTime(size_t step) const;
    [[nodiscard]] SaidMeanwhile said(std::span<const BlockId> blocks) const;
    [[nodiscard]] WorkerSummary &newest() { return m_run.summaries.back(); }

    const ReplayGround *m_ground;
    SummaryWorker m_worker;
    double m_summaryTokens;
    std::vector<CallTimes> m_times;
    bool m_isWriting = false;
    size_t m_coveredEnd = 0;
    size_t m_saidFrom = 0;                ///< index into the log
    std::optional<Timestamp> m_savedTime; ///< of the summary in work, if its delay is a time
    uint64_t m_saves = 0;
    WorkerRun m_run;
};

/// The clock of a policy with a worker; nullopt without one. The policy has the size of its summaries.
[[nodiscard]] std::optional<WorkerClock> workerClock(const ReplayGround &ground, const StageContext &context);

} // namespace core
