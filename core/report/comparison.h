// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/replay_report.h"

namespace core {

/// One run in a comparison: the recorded one, or a policy's. Unknown figures (no price, no model of the cache, no uses)
/// are nullopt.
struct ComparedRun {
    std::string name;       ///< `recorded`, or the policy's name; `pi, edited` if its settings are not the preset's
    size_t refused = 0;     ///< calls that a provider would refuse
    PromptSums prompts;     ///< sum over all calls
    size_t compactions = 0; ///< summaries and clearings, also the silent ones of the recorded run
    std::string compactionWords;          ///< see `compactionWords`
    std::optional<double> hitShare;       ///< share of prompt tokens read from the cache
    std::optional<double> cost;           ///< dollars
    std::optional<double> costDifference; ///< minus the recorded run's `cost`: positive if this run costs more
    // For the recorded run only, figures by usage:
    std::optional<PromptSums> promptsByUsage; ///< if different from `prompts`
    std::optional<double> hitShareByUsage;
    RecordedBill bill;
    std::optional<size_t> lostUses;
    size_t uses = 0;
    std::optional<size_t> lostMessages; ///< user messages not in context at the end
    size_t messages = 0;
    std::optional<TokenFigure> fetchTokens; ///< to fetch the texts of lost uses again
    std::optional<uint64_t> lostBytes;      ///< lost for good: the harness has no artifact
};

/// The recorded run: prompts, cost and cache hits as computed with the policies' model, plus the figures by usage.
/// `messages`: user messages at the end, if known. It has no losses, because the recorded agent had everything it used.
[[nodiscard]] ComparedRun comparedRecording(const RecordedFigures &recorded, const std::optional<InContext> &messages);
[[nodiscard]] ComparedRun comparedPolicy(const PolicyFigures &policy, const RecordedFigures &recorded);
/// The recorded run, then the policies in order.
[[nodiscard]] std::vector<ComparedRun> comparedRuns(const ReplayReport &report);

/// A table with a row per run, to show and to copy. Refused calls are a column if there are any.
struct ComparisonTable {
    struct Cell {
        std::string shown;        ///< `~12.3M`, `3 of 214`, `—` if unknown
        std::string plain;        ///< the plain number, for a spreadsheet; empty if unknown
        std::string plainByUsage; ///< for the recorded run the figure by usage, if different
        bool isBest = false;      ///< best of its column, if the runs differ; never of a run with refused calls
    };
    struct Row {
        std::string name;
        std::vector<Cell> cells; ///< by column
    };
    std::vector<std::string> columns;
    std::vector<Row> rows;
};
[[nodiscard]] ComparisonTable comparisonTable(const std::vector<ComparedRun> &runs);

/// For the terminal; a dot marks the best value of a column.
[[nodiscard]] std::string drawComparison(const ComparisonTable &table);
/// Plain numbers separated by tabs, a line per run, for the clipboard. Figures by usage are separate columns at the
/// end.
[[nodiscard]] std::string comparisonTsv(const ComparisonTable &table);

} // namespace core
