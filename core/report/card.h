// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card_lanes.h"
#include "core/report/comparison.h"
#include "core/session/slot_label.h"

#include <array>

namespace core {

/// One figure of a card: what the policy comes to, how far that can be trusted, what was recorded.
struct CardFigure {
    std::string title;       ///< `Tokens sent`
    std::string value;       ///< `12.3M`
    std::string interval;    ///< `±2 %, the band of the calibration`
    std::string recorded {}; ///< `recorded 14.1M`; empty where that says nothing
    std::string computed {}; ///< `we compute ~14.2M` of the recorded run; empty where that is the same
};

/// Tokens of one array by what they are.
struct CardArray {
    std::array<double, kMaterialCount> materials {};
    double unlogged = 0; ///< sent beside it, and not in the log
    [[nodiscard]] double total() const;
};

/// One page for a team: what a policy would have made of a session. It holds figures and names, and no text of the
/// session unless that was asked for (`CardOptions::texts`).
struct Card {
    std::string title; ///< a sentence
    std::string facts; ///< of the session
    std::array<CardFigure, 4> figures;
    // The saw-tooth: tokens of each call's prompt.
    std::vector<double> recorded; ///< 0 where no usage was recorded
    std::vector<double> simulated;
    std::vector<uint32_t> compactions; ///< calls before which the recording was compacted
    std::vector<uint32_t> fired;       ///< calls before which the policy acted
    size_t firstCounterfactual = 0;
    double window = 0; ///< tokens; 0 where it is not known
    // Before and after, at one call.
    size_t call = 0;
    CardArray before;
    CardArray after;
    // Reach: the share of uses within the last so many tokens.
    std::vector<std::pair<double, double>> reach;
    size_t useCount = 0;
    std::vector<CardLane> lanes; ///< what became of texts that were asked for; they stand in place of the reach
    double keepTokens = 0;       ///< what the policy keeps; 0 where its keep is no length in tokens
    double keepShare = 0;        ///< of the uses
    std::string keep;            ///< as the policy has it
    ComparisonTable table;       ///< recorded and simulated
    std::vector<std::string> foot;
};

struct CardOptions {
    std::optional<CallIndex> call {};    ///< of before and after; the heaviest recorded one without it
    std::string version {};              ///< of the program
    std::vector<std::string> traced {};  ///< texts to trace, of which the first `kMostCardLanes` have a lane
    CardTexts texts = CardTexts::Hidden; ///< of the traced ones: how they begin
};

/// The first twelve digits of the SHA-256 of a policy's document: what cards name it by.
[[nodiscard]] std::string documentHash(const Policy &policy);

/// Of the report's first policy.
[[nodiscard]] Card card(const ReplayReport &report, const CardOptions &options = {});

/// Where the share of `hits` of `all` may lie, of 95 in 100 samples as large (Wilson's interval).
[[nodiscard]] std::pair<double, double> shareInterval(size_t hits, size_t all);

} // namespace core
