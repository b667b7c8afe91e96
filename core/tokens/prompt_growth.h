// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/rate_fit.h"

#include <span>
#include <vector>

namespace core {

/// From one call of a thread that recorded its usage to the next: what came to the array (less what left it: a branch,
/// a recorded clearing) and by how many tokens the recorded prompt grew.
struct PromptGrowth {
    CallIndex before;
    CallIndex after;
    double promptBefore = 0; ///< recorded
    double promptAfter = 0;
    KindValues amounts {};
    /// A recorded summary or replacement lies between, or the model changed: the two prompts do not belong together.
    bool startsAnew = false;

    [[nodiscard]] double tokens() const { return promptAfter - promptBefore; }
    /// What the log does not explain.
    [[nodiscard]] double excess(const KindValues &rates) const { return tokens() - tokensOf(amounts, rates); }
};

/// In the order of the calls; one fewer than there are calls with usage.
[[nodiscard]] std::vector<PromptGrowth> promptGrowths(
    const Session &session, ThreadIndex thread, const TokenAmounts &amounts);

/// True where the prompt grew by so much less (2,000 tokens and 30 % of what was expected) or more (3,000 and 50 %)
/// than the log shows that something went on which it does not hold: a clearing without a record, a resumed session,
/// thinking that was dropped, a file that was put in.
[[nodiscard]] bool isDeparture(const PromptGrowth &growth, const KindValues &rates);

struct FittedRates {
    KindValues rates {};
    size_t growths = 0;    ///< that were fitted
    size_t departures = 0; ///< that were left out
};

/// The rates of the growths of one model that neither start anew nor depart; what departs is judged by a first fit.
[[nodiscard]] FittedRates fitRates(std::span<const PromptGrowth> growths, const RatePrior &prior);

/// Where a prediction takes up a recorded prompt again.
enum class Restart : uint8_t {
    WhereAnew,        ///< behind recorded compactions and model changes only
    WhereNotRecorded, ///< there, and at departures
};

struct PredictedCall {
    CallIndex call;
    double predicted = 0;
    double recorded = 0;

    [[nodiscard]] double error() const { return (predicted - recorded) / recorded; }
};

/// The prompt of each call by adding up what the growths cost from the recorded prompt before the first of them on. A
/// call where the prediction is taken up again is none.
[[nodiscard]] std::vector<PredictedCall> predictPrompts(
    std::span<const PromptGrowth> growths, const KindValues &rates, Restart restart);

/// The absolute relative error that a share of the calls stays below; 0 of no calls.
[[nodiscard]] double errorQuantile(std::span<const PredictedCall> calls, double share);

} // namespace core
