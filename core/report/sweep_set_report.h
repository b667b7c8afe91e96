// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/suggestion.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace core {

/// The content of `palimpsest sweep` for many sessions.
struct SweepSetReport {
    SweepSet set;
    SweepMetric metric = SweepMetric::Cost;       ///< shown in the terminal's map, and used to rank the worst runs
    std::optional<Result<Suggestion>> suggestion; ///< nullopt if none was requested
};

/// The document `palimpsest.sweep_set/1`: merged duplicates, the runs with their recorded figures, for each cell the
/// median, 90th percentile and worst of each metric (and the sum where it makes sense), and the suggestion.
[[nodiscard]] nlohmann::ordered_json sweepSetJson(const SweepSetReport &report);

/// A line per cell, with sum, median, 90th percentile and worst of each metric.
[[nodiscard]] std::string sweepSetCsv(const SweepSetReport &report);

/// For the terminal: the medians of one metric as a map, the best cells, the runs in which the best cell does worst,
/// and the suggestion in words.
[[nodiscard]] std::string drawSweepSet(const SweepSetReport &report);

/// `26 files, 19 runs, 3 duplicates merged, 4 left out`
[[nodiscard]] std::string countSentence(const SweepSet &set);

/// The answer: `adviceSentence`, `excludedSentence`, `widerSentence` and `alternativeSentence` if there are any, and
/// `givesUpSentence`.
[[nodiscard]] std::vector<std::string> suggestionHead(const SweepSet &set, const Suggestion &made);
/// The statistics behind it, a sentence or figure per line: saving, reliability, figures, limits, and the runs in
/// which it does worst.
[[nodiscard]] std::vector<std::string> suggestionDetails(const SweepSet &set, const Suggestion &made);
/// Whether to use the settings or to keep those of the recording: the verdict, in one line. Names the settings, unless
/// nothing is known of them.
[[nodiscard]] std::string adviceSentence(const SweepSet &set, const Suggestion &made);
/// Why the advice is to stay although other settings are cheaper: they were not considered. Empty if none are, or if
/// the advice is not to stay.
[[nodiscard]] std::string excludedSentence(const SweepSet &set, const Suggestion &made);
/// What else is known of settings that the verdict is not for; empty if there is nothing.
[[nodiscard]] std::string alternativeSentence(const SweepSet &set, const Suggestion &made);
/// What could be saved if more user messages may be lost; empty if that is not more.
[[nodiscard]] std::string widerSentence(const SweepSet &set, const Suggestion &made);
/// `Lost uses at most 1 %: 0.4 % on the earlier runs, 0.6 % on the later ones; limit kept`
[[nodiscard]] std::string verdictText(const Suggestion::Verdict &verdict);
/// What the suggestion gives up.
[[nodiscard]] std::string givesUpSentence(const SweepSet &set, const Suggestion &made);

/// A line each, as `visibleText`.
[[nodiscard]] std::string linesOf(std::span<const std::string> sentences);

/// The cost by usage of runs whose recorded cost is computed like the cells'; empty without usage.
[[nodiscard]] std::string billSentence(const SweepSet &set, std::span<const size_t> runs);

/// The name of a run: its file, and its thread unless it is the first.
[[nodiscard]] std::string runName(const RunSweep &run);

} // namespace core
