// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/rate_fit.h"

#include <span>
#include <vector>

namespace core {

/// The growth from one call with usage to the next of the same thread: the amounts added to the array (minus those
/// removed by a branch or a recorded clearing), and the growth of the recorded prompt in tokens.
struct PromptGrowth {
    CallIndex before;
    CallIndex after;
    double promptBefore = 0; ///< recorded
    double promptAfter = 0;
    KindValues amounts {};
    /// A recorded summary or replacement is between the two calls, or the model changed, so the prompts are not
    /// comparable.
    bool startsAnew = false;

    [[nodiscard]] double tokens() const { return promptAfter - promptBefore; }
    /// Tokens that the log does not explain.
    [[nodiscard]] double excess(const KindValues &rates) const { return tokens() - tokensOf(amounts, rates); }
};

/// In call order; one fewer than calls with usage.
[[nodiscard]] std::vector<PromptGrowth> promptGrowths(
    const Session &session, ThreadIndex thread, const TokenAmounts &amounts);

/// Whether the growth of the prompt differs so much from the growth of the log that something is missing from the log.
/// Less: by more than 2,000 tokens, and by more than 30 % of the expected growth. More: by more than 3,000 tokens, and
/// by more than 50 % of it. Reasons: an unlogged clearing, a resumed session, dropped thinking, an
/// injected file.
[[nodiscard]] bool isDeparture(const PromptGrowth &growth, const KindValues &rates);
/// The same from the expected growth and what the prompt grew beyond it.
[[nodiscard]] bool isDeparture(double excess, double expected);

struct FittedRates {
    KindValues rates {};
    size_t growths = 0;    ///< fitted growths
    size_t departures = 0; ///< growths left out
};

/// Fits the growths of one model that neither start anew nor are departures. A first fit finds the departures. Growths
/// that the fit misses by more than three standard deviations hold text that no record has, more often than not: they
/// count less, in inverse proportion to the miss (Huber's weights, four rounds).
[[nodiscard]] FittedRates fitRates(std::span<const PromptGrowth> growths, const RatePrior &prior);

/// Where a prediction restarts from a recorded prompt.
enum class Restart : uint8_t {
    WhereAnew,        ///< only after recorded compactions and model changes
    WhereNotRecorded, ///< also at departures
};

struct PredictedCall {
    CallIndex call;
    double predicted = 0;
    double recorded = 0;

    [[nodiscard]] double error() const { return (predicted - recorded) / recorded; }
};

/// Predicts the prompt of each call: the last recorded prompt at a restart plus the cost of the growths since. Calls at
/// a restart get no prediction.
[[nodiscard]] std::vector<PredictedCall> predictPrompts(
    std::span<const PromptGrowth> growths, const KindValues &rates, Restart restart);

/// The absolute relative error that `share` of the calls stay below; 0 without calls.
[[nodiscard]] double errorQuantile(std::span<const PredictedCall> calls, double share);

} // namespace core
