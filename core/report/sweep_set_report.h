// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/suggestion.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What `palimpsest sweep` says of many sessions.
struct SweepSetReport {
    SweepSet set;
    SweepMetric metric = SweepMetric::Cost;       ///< what the terminal's map shows, and what worst runs are worst in
    std::optional<Result<Suggestion>> suggestion; ///< nothing where none was asked for
};

/// The document `palimpsest.sweep_set/1`: what was counted once, the runs with what was recorded, each cell with
/// median, 90th percentile and worst of each metric and, where that makes sense, its sum; the suggestion.
[[nodiscard]] nlohmann::ordered_json sweepSetJson(const SweepSetReport &report);

/// A line for each cell, of each metric the sum, the median, the 90th percentile and the worst.
[[nodiscard]] std::string sweepSetCsv(const SweepSetReport &report);

/// For the terminal: the medians of one metric as a map, the best cells, the runs that the best one serves worst, the
/// suggestion in words.
[[nodiscard]] std::string drawSweepSet(const SweepSetReport &report);

/// `26 files, 19 runs, 3 duplicates merged, 4 left out`
[[nodiscard]] std::string countSentence(const SweepSet &set);

/// A suggestion in sentences, each on a line: the policy, what it saves, how later runs judged it, what it gives up,
/// the runs that it serves worst.
[[nodiscard]] std::vector<std::string> suggestionSentences(const SweepSet &set, const Suggestion &made);
/// `lost uses at most 1.0 % of all: 0.4 % on the earlier runs, 0.6 % on the later ones, kept`
[[nodiscard]] std::string verdictText(const Suggestion::Verdict &verdict);
/// Of the sentences the one that says what it gives up.
[[nodiscard]] std::string givesUpSentence(const SweepSet &set, const Suggestion &made);

/// What usage says of runs whose recorded cost is computed as the cells' are; empty where it says nothing of them.
[[nodiscard]] std::string billSentence(const SweepSet &set, std::span<const size_t> runs);

/// The name of a run: its file, and its thread where that is not the first.
[[nodiscard]] std::string runName(const RunSweep &run);

} // namespace core
