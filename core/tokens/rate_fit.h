// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/token_kinds.h"

namespace core {

/// What is believed of the rates before anything was seen, and how firmly.
struct RatePrior {
    KindValues rates {};
    KindValues spread {}; ///< standard deviation of each

    /// The published factor of a model's tokenizer for every kind of text (see `tokenFactor`), an image as the
    /// provider's rule has it. Framing of Claude: 65 tokens a tool call with its result, 15 a user text (the medians of
    /// what the calls of 18 Claude Code sessions cost beyond their text); of others half as much, which is a guess.
    [[nodiscard]] static RatePrior ofModel(std::string_view model);
    /// The rates of one fit as the prior of another one of the same model: narrower.
    [[nodiscard]] static RatePrior around(const KindValues &rates);
};

/// Finds the rates that explain by how much prompts grew: non-negative least squares with a prior, by coordinate
/// descent on the normal equations, which converges from anywhere since the prior makes them definite.
///
/// A growth of e tokens is taken to scatter by 80 tokens (reminders that are not recorded) and 6 % of e (texts of one
/// kind differ: over 154 tool results of more than 1,500 tokens the rate scatters by 4.6 %).
class RateFit final {
public:
    explicit RateFit(const RatePrior &prior);

    /// The amounts that came to an array between two calls, and by how many tokens the prompt grew.
    void add(const KindValues &growth, double tokens);
    [[nodiscard]] KindValues rates() const;

private:
    KindValues m_start;
    std::array<KindValues, kTokenKinds> m_matrix {};
    KindValues m_right {};
};

} // namespace core
