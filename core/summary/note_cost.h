// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/money/prices.h"
#include "core/summary/note_stream.h"
#include "core/tokens/weights.h"

namespace core {

/// Tokens of a text for a model: exact if its encoding is published, else estimated.
[[nodiscard]] TokenFigure tokensFor(std::string_view model, std::string_view text);

/// Size and cost of a request before it is sent.
struct SummaryEstimate {
    TokenFigure prompt;
    uint64_t outputLimit = 0;
    std::optional<double> least; ///< in dollars: the prompt alone; nullopt without a price
    std::optional<double> most;  ///< with an answer of the whole limit

    /// `~12.3k tokens, $0.04 to $0.10`.
    [[nodiscard]] std::string sentence() const;
};
[[nodiscard]] SummaryEstimate summaryEstimate(
    const SummaryTarget &target, const SummaryPrompt &prompt, const Prices &prices, Timestamp time);

/// The cost by the usage that the server reported, in dollars; nullopt without a price.
[[nodiscard]] std::optional<double> noteCost(
    const Usage &usage, std::string_view model, const Prices &prices, Timestamp time);

} // namespace core
