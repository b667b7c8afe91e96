// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card_lanes.h"
#include "core/report/comparison.h"
#include "core/session/slot_label.h"

#include <array>

namespace core {

/// One figure of a card: the policy's value, its uncertainty, and the recorded value.
struct CardFigure {
    std::string title;       ///< `Tokens sent`
    std::string value;       ///< `12.3M`
    std::string interval;    ///< `±2 %, the band of the calibration`
    std::string recorded {}; ///< `recorded 14.1M`; empty if it adds nothing
    std::string computed {}; ///< for the recorded run `computed ~14.2M`; empty if equal
};

/// Tokens of one array: its slots by material, and its sum, which all views have.
struct CardArray {
    std::array<double, kMaterialCount> materials {};
    ArraySum sum;
};

/// One page for a team: what a policy would have made of a session. Contains figures and names, and no text of the
/// session unless requested (`CardOptions::texts`).
struct Card {
    std::string title; ///< a sentence
    std::string facts; ///< about the session
    std::array<CardFigure, 4> figures;
    // The context curve: prompt tokens by call.
    std::vector<double> recorded; ///< 0 without recorded usage
    std::vector<double> simulated;
    std::vector<uint32_t> compactions; ///< calls before which the harness compacted
    std::vector<uint32_t> fired;       ///< calls before which the policy acted
    size_t firstCounterfactual = 0;
    double window = 0; ///< tokens; 0 if unknown
    // Before and after, at one call:
    size_t call = 0;
    CardArray before;
    CardArray after;
    // Reach: pairs of tokens and the share of uses within them.
    std::vector<std::pair<double, double>> reach;
    size_t useCount = 0;
    std::vector<CardLane> lanes; ///< the traced texts; shown instead of the reach
    double keepTokens = 0;       ///< the policy's keep; 0 if it has no length in tokens
    double keepShare = 0;        ///< of the uses
    std::string keep;            ///< as written in the policy
    ComparisonTable table;       ///< recorded and simulated
    std::vector<std::string> foot;
};

struct CardOptions {
    std::optional<CallIndex> call {};    ///< for before and after; default: the call with the largest recorded prompt
    std::string version {};              ///< of the program
    std::vector<std::string> traced {};  ///< texts to trace; the first `kMostCardLanes` get a lane
    CardTexts texts = CardTexts::Hidden; ///< whether lanes show how the traced texts begin
};

/// The first twelve digits of the SHA-256 of a policy's document, which cards show.
[[nodiscard]] std::string documentHash(const Policy &policy);

/// The card of the report's first policy.
[[nodiscard]] Card card(const ReplayReport &report, const CardOptions &options = {});

/// Wilson's 95 % confidence interval of the share `hits` of `all`.
[[nodiscard]] std::pair<double, double> shareInterval(size_t hits, size_t all);

} // namespace core
