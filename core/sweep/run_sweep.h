// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/reach.h"
#include "core/sweep/sweep.h"

#include <functional>
#include <span>

namespace core {

/// What the sweeps of many runs share: a policy, two of its settings, and what figures rest on.
struct SweepPlan {
    PolicyPtr policy;
    SweepAxis x;
    SweepAxis y;
    std::string pricesOf; ///< the date of the prices

    [[nodiscard]] size_t cellCount() const { return x.values.size() * y.values.size(); }
    /// `keep 10 % of window, trigger 50 % of window`
    [[nodiscard]] std::string settingsOf(size_t cell) const;
};

/// The sweep of one run, a thread of a session, and what is left of that when the session is dropped. About 100 bytes a
/// cell.
struct RunSweep {
    std::string file;
    uint32_t thread = 0;
    std::string title;
    std::string model;
    std::optional<Timestamp> begun; ///< its first call, where calls have times
    std::optional<Timestamp> ended; ///< its last one
    size_t calls = 0;
    size_t uses = 0;          ///< that headlines count
    size_t typedMessages = 0; ///< written by the person
    double window = 0;        ///< of its model, tokens; 0 where that is not known
    Basis basis = Basis::Estimated;
    double counterfactualShare = 0;  ///< of its calls: sent after the first recorded compaction
    Reach reach;                     ///< of its quotes, by their newest carriers; whole tokens
    SweepFigures recorded;           ///< see recordedSweepFigures: computed as the cells' are
    RecordedBill bill;               ///< what usage says of that
    std::vector<SweepFigures> cells; ///< row by row of the plan's y
    /// What each of its calls is, whatever file it stands in: its response's id and all that it holds, or without an id
    /// all responses so far. Hashed; for finding copies.
    std::vector<uint64_t> callIds;
};

/// What was not swept, and why.
struct LeftOut {
    std::string file;
    std::optional<uint32_t> thread; ///< nothing: the whole file
    std::string reason;             ///< a sentence
    bool isUnreadable = false;      ///< no session could be had of the file; else there is nothing to sweep
};

/// What became of one file.
struct FileSweep {
    std::vector<RunSweep> runs;
    std::vector<LeftOut> leftOut;
};

struct RunSweepOptions {
    bool withSubagents = false;     ///< subagents are runs too; else main threads and runs alone
    std::optional<Timestamp> since; ///< runs whose last call is older, or has no time, are left out
    unsigned threads = 1;
    Progress *progress = nullptr; ///< cancels; its fraction is of whatever file told last
};

/// Loads a session, sweeps its runs by each of the plans and drops it. What is returned is as long as `plans`.
[[nodiscard]] std::vector<FileSweep> sweepFile(const std::string &file, std::span<const SweepPlan> plans,
    const Prices &prices, const RunSweepOptions &options = {});

/// The same of a loaded session.
[[nodiscard]] std::vector<FileSweep> sweepSession(const std::string &file, const SessionPtr &session,
    std::span<const SweepPlan> plans, const Prices &prices, const RunSweepOptions &options = {});
/// By one plan.
[[nodiscard]] FileSweep sweepSession(const std::string &file, const SessionPtr &session, const SweepPlan &plan,
    const Prices &prices, const RunSweepOptions &options = {});

/// Sweeps files, as many at a time as there are threads, each loaded once and in memory no longer than it takes. `done`
/// is called with what the plans make of each file, in the order of the files, as soon as all before are done; never
/// twice at a time. Nothing more is called once it is cancelled. What comes out does not depend on the number of
/// threads, nor of what a plan makes on the other plans.
void sweepFiles(std::span<const std::string> files, std::span<const SweepPlan> plans, const Prices &prices,
    const RunSweepOptions &options, const std::function<void(std::vector<FileSweep>)> &done);
/// By one plan.
void sweepFiles(std::span<const std::string> files, const SweepPlan &plan, const Prices &prices,
    const RunSweepOptions &options, const std::function<void(FileSweep)> &done);

} // namespace core
