// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/reach.h"
#include "core/sweep/sweep.h"

#include <functional>
#include <span>

namespace core {

/// What the sweeps of many runs share: a policy, two of its settings, and the basis of the figures.
struct SweepPlan {
    PolicyPtr policy;
    SweepAxis x;
    SweepAxis y;
    std::string pricesOf; ///< date of the price snapshot

    [[nodiscard]] size_t cellCount() const { return x.values.size() * y.values.size(); }
    /// `keep 10 % of window, trigger 50 % of window`
    [[nodiscard]] std::string settingsOf(size_t cell) const;
};

/// The sweep of one run (a thread of a session), and the facts kept after the session is released. About 100 bytes a
/// cell.
struct RunSweep {
    std::string file;
    uint32_t thread = 0;
    std::string title;
    std::string model;
    std::optional<Timestamp> begun; ///< time of its first call, if recorded
    std::optional<Timestamp> ended; ///< time of its last call
    size_t calls = 0;
    size_t uses = 0;          ///< of headline kinds
    size_t typedMessages = 0; ///< user messages
    double window = 0;        ///< context window of its model in tokens; 0 if unknown
    Basis basis = Basis::Estimated;
    double counterfactualShare = 0;  ///< share of its calls after the first recorded compaction
    Reach reach;                     ///< of its quotes, to their newest carriers; whole tokens
    SweepFigures recorded;           ///< computed like the cells: see recordedSweepFigures
    std::optional<SweepFigures> own; ///< of `ownRun`
    RecordedBill bill;               ///< the same by usage
    std::vector<SweepFigures> cells; ///< row by row of the plan's y
    /// Identities of its calls, independent of the file: a hash of response id and content or, without an id, of all
    /// responses so far. Finds copies.
    std::vector<uint64_t> callIds;
};

/// A file or run that was not swept.
struct LeftOut {
    std::string file;
    std::optional<uint32_t> thread; ///< nullopt: the whole file
    std::string reason;             ///< one sentence
    bool isUnreadable = false;      ///< the file could not be read as a session; else it has nothing to sweep
};

/// The result for one file.
struct FileSweep {
    std::vector<RunSweep> runs;
    std::vector<LeftOut> leftOut;
};

struct RunSweepOptions {
    bool withSubagents = false;     ///< subagents count as runs, too; else only main threads and runs
    std::optional<Timestamp> since; ///< leaves out runs whose last call is older or has no time
    unsigned threads = 1;
    Progress *progress = nullptr; ///< cancels; its fraction belongs to the file that reported last
};

/// Loads a session, sweeps its runs by each plan, and releases it. Returns one result for each plan.
[[nodiscard]] std::vector<FileSweep> sweepFile(const std::string &file, std::span<const SweepPlan> plans,
    const Prices &prices, const RunSweepOptions &options = {});

/// The same for a loaded session.
[[nodiscard]] std::vector<FileSweep> sweepSession(const std::string &file, const SessionPtr &session,
    std::span<const SweepPlan> plans, const Prices &prices, const RunSweepOptions &options = {});
/// For one plan.
[[nodiscard]] FileSweep sweepSession(const std::string &file, const SessionPtr &session, const SweepPlan &plan,
    const Prices &prices, const RunSweepOptions &options = {});

/// Sweeps files, as many in parallel as there are threads. Each file is loaded once and released as soon as it is
/// swept. Calls `done` with one result for each plan, in the order of the files, as soon as all earlier files are done;
/// calls never overlap, and there are none after cancelling. The results do not depend on the number of threads; those
/// of a plan do not depend on the other plans.
void sweepFiles(std::span<const std::string> files, std::span<const SweepPlan> plans, const Prices &prices,
    const RunSweepOptions &options, const std::function<void(std::vector<FileSweep>)> &done);
/// For one plan.
void sweepFiles(std::span<const std::string> files, const SweepPlan &plan, const Prices &prices,
    const RunSweepOptions &options, const std::function<void(FileSweep)> &done);

} // namespace core
