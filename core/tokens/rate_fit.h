// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/token_kinds.h"

namespace core {

/// The expected rates before any data, and their certainty.
struct RatePrior {
    KindValues rates {};
    KindValues spread {}; ///< standard deviations

    /// The published factor of a model's tokenizer for all text (see `tokenFactor`), and the provider's rule for
    /// images. Framing for Claude: 65 tokens a tool call with its result, 15 a user text (medians of what the calls of
    /// 18 Claude Code sessions cost beyond their text). For other models half as much, which is a guess.
    [[nodiscard]] static RatePrior ofModel(std::string_view model);
    /// Rates of one fit as a narrower prior for another fit of the same model.
    [[nodiscard]] static RatePrior around(const KindValues &rates);
};

/// The standard deviation that is assumed of a growth of `expected` tokens: 80 tokens (unrecorded reminders) and 6 % of
/// the growth. The 6 % is because texts of one kind differ: over 154 tool results of more than 1,500 tokens the rate
/// varies by 4.6 %.
[[nodiscard]] double growthDeviation(double expected);

/// Finds the rates that explain the growth of prompts: non-negative least squares with a prior, by coordinate descent
/// on the normal equations. The prior makes these definite, so it converges from any start.
class RateFit final {
public:
    explicit RateFit(const RatePrior &prior);

    /// The amounts added to an array between two calls, and the growth of the prompt in tokens. `trust`: the weight of
    /// this growth among the others, from 0 to 1.
    void add(const KindValues &growth, double tokens, double trust = 1);
    [[nodiscard]] KindValues rates() const;

private:
    KindValues m_start;
    std::array<KindValues, kTokenKinds> m_matrix {};
    KindValues m_right {};
};

} // namespace core
