// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card.h"
#include "core/report/sweep_set_report.h"

namespace core {

/// How a figure lies over the runs.
struct CardSpread {
    std::string title;
    std::vector<double> values;     ///< of a run each, ascending
    std::optional<double> recorded; ///< the same of the recording, where all runs share it
    SweepMetric metric = SweepMetric::Cost;
};

/// How far back uses reach, over sessions: of each the share of uses within the last so many tokens.
struct CardFan {
    std::vector<double> tokens;
    std::vector<double> low; ///< below which a tenth of the sessions lie
    std::vector<double> median;
    std::vector<double> high; ///< and nine tenths
    size_t sessions = 0;
    size_t uses = 0;
    double keepTokens = 0; ///< what the settings keep; 0 where that is no length in tokens
    std::string keep;
};

/// One page for a team: what one pair of a policy's settings comes to over many sessions. It holds figures and the
/// names of files, no text of a session.
struct SetCard {
    std::string title; ///< a sentence
    std::string facts;
    std::array<CardFigure, 4> figures;
    std::array<CardSpread, 2> spreads; ///< of money or tokens, and of the largest prompt
    CardFan fan;
    std::vector<std::string> verdict; ///< what is suggested and what that gives up, or why nothing is; sentences
    std::vector<std::string> foot;
};

struct SetCardOptions {
    SuggestionOptions suggestion;
    std::string version; ///< of the program
};

/// Of the settings that are suggested; where nothing can be, of the cell that lies nearest to the policy's own. `set`
/// holds one run at least.
[[nodiscard]] SetCard setCard(const SweepSet &set, const SetCardOptions &options = {});

} // namespace core
