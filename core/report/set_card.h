// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card.h"
#include "core/report/sweep_set_report.h"

namespace core {

/// The distribution of a figure over the runs.
struct CardSpread {
    std::string title;
    std::vector<double> values;     ///< one per run, ascending
    std::optional<double> recorded; ///< the recorded value, if all runs have the same
    SweepMetric metric = SweepMetric::Cost;
};

/// Reach over sessions: the share of each session's uses within the last N tokens.
struct CardFan {
    std::vector<double> tokens;
    std::vector<double> low; ///< first decile of the sessions
    std::vector<double> median;
    std::vector<double> high; ///< last decile
    size_t sessions = 0;
    size_t uses = 0;
    double keepTokens = 0; ///< the keep of the settings; 0 if it has no length in tokens
    std::string keep;
};

/// One page for a team: the results of one pair of a policy's settings over many sessions. Contains figures and file
/// names, no text of a session.
struct SetCard {
    std::string title; ///< a sentence
    std::string facts;
    std::array<CardFigure, 4> figures;
    std::array<CardSpread, 2> spreads; ///< of cost or tokens, and of the largest prompt
    CardFan fan;
    std::vector<std::string> verdict; ///< the suggestion and its price, or why there is none; sentences
    std::vector<std::string> foot;
};

struct SetCardOptions {
    SuggestionOptions suggestion;
    std::string version; ///< of the program
};

/// The card of the suggested settings; without a suggestion, of the cell nearest to the policy's own settings. `set`
/// must have runs.
[[nodiscard]] SetCard setCard(const SweepSet &set, const SetCardOptions &options = {});

} // namespace core
