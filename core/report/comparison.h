// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/replay_report.h"

namespace core {

/// One run among others: the recorded one, or that of a policy. What is not known (no price, no model of the cache, no
/// uses) is nothing.
struct ComparedRun {
    std::string name;   ///< `recorded`, or the policy's
    PromptSums prompts; ///< of all calls
    size_t compactions = 0;
    std::optional<double> hitShare;       ///< of prompt tokens, those read from the cache
    std::optional<double> cost;           ///< dollars
    std::optional<double> costDifference; ///< from the recorded run's `cost`: positive where this one costs more
    // Of the recorded run alone, beside what we compute of it:
    std::optional<PromptSums> promptsByUsage; ///< where they are not the same
    std::optional<double> hitShareByUsage;
    RecordedBill bill;
    std::optional<size_t> lostUses;
    size_t uses = 0;
    std::optional<size_t> lostMessages; ///< typed by the person, not in context at the end
    size_t messages = 0;
    std::optional<TokenFigure> fetchTokens; ///< to fetch again what lost uses needed
    std::optional<uint64_t> lostBytes;      ///< beyond the harness's own means
};

/// The recorded run: prompts, cost and cache hits as we compute them, by the model that the policies' are computed by,
/// and what usage says beside; `messages` of the person at its end, where they are known. What it lost is not told: all
/// that the recorded agent used was there.
[[nodiscard]] ComparedRun comparedRecording(const RecordedFigures &recorded, const std::optional<InContext> &messages);
[[nodiscard]] ComparedRun comparedPolicy(const PolicyFigures &policy, const RecordedFigures &recorded);
/// The recorded run first, then the policies in their order.
[[nodiscard]] std::vector<ComparedRun> comparedRuns(const ReplayReport &report);

/// A table of runs, a row each: what front ends show and copy.
struct ComparisonTable {
    struct Cell {
        std::string shown;        ///< `~12.3M`, `3 of 214`, `—` where nothing is known
        std::string plain;        ///< the number alone, for a spreadsheet; empty where nothing is known
        std::string plainByUsage; ///< of the recorded run the same as usage says, where it says something else
        bool isBest = false;      ///< of its column, where the runs differ
    };
    struct Row {
        std::string name;
        std::vector<Cell> cells; ///< one a column
    };
    std::vector<std::string> columns;
    std::vector<Row> rows;
};
[[nodiscard]] ComparisonTable comparisonTable(const std::vector<ComparedRun> &runs);

/// For the terminal; the best of a column has a dot before it.
[[nodiscard]] std::string drawComparison(const ComparisonTable &table);
/// Plain numbers between tabs, a line a run: what is copied. What usage says stands in columns of its own behind.
[[nodiscard]] std::string comparisonTsv(const ComparisonTable &table);

} // namespace core
