// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/rate_fit.h"

#include "core/tokens/model_family.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr double kCallFraming = 65;
constexpr double kTurnFraming = 15;
constexpr double kRateSpread = 0.25;
constexpr double kFramingSpread = 8;
constexpr double kNarrower = 0.4;   ///< factor for the prior around a fit
constexpr double kCallScatter = 80; ///< tokens
constexpr double kTextScatter = 0.06;

KindValues spreads(double share)
{
    KindValues spread;
    spread.fill(kRateSpread * share);
    valueOf(spread, TokenKind::PastThinking) = 2 * kRateSpread * share; // kept or dropped by the model, so the least
                                                                        // certain
    valueOf(spread, TokenKind::CallFraming) = kFramingSpread * share;
    valueOf(spread, TokenKind::TurnFraming) = kFramingSpread * share;
    return spread;
}

} // namespace

RatePrior RatePrior::ofModel(std::string_view model)
{
    const TokenizerFamily family = tokenizerFamily(model);
    const bool isClaude = family == TokenizerFamily::ClaudeOld || family == TokenizerFamily::ClaudeNew;
    RatePrior prior;
    prior.rates.fill(tokenFactor(family));
    valueOf(prior.rates, TokenKind::Media) = 1;
    if (family == TokenizerFamily::OpenAi) // the provider leaves it out behind the next message of the user
        valueOf(prior.rates, TokenKind::PastThinking) = 0;
    valueOf(prior.rates, TokenKind::CallFraming) = isClaude ? kCallFraming : kCallFraming / 2;
    valueOf(prior.rates, TokenKind::TurnFraming) = isClaude ? kTurnFraming : kTurnFraming / 2;
    prior.spread = spreads(1);
    return prior;
}

RatePrior RatePrior::around(const KindValues &rates) { return { rates, spreads(kNarrower) }; }

double growthDeviation(double expected) { return std::hypot(kCallScatter, kTextScatter * expected); }

RateFit::RateFit(const RatePrior &prior)
    : m_start(prior.rates)
{
    for (size_t i = 0; i < kTokenKinds; ++i) {
        m_matrix[i][i] = 1 / (prior.spread[i] * prior.spread[i]);
        m_right[i] = m_matrix[i][i] * prior.rates[i];
    }
}

void RateFit::add(const KindValues &growth, double tokens, double trust)
{
    const double deviation = growthDeviation(tokensOf(growth, m_start));
    const double weight = trust / (deviation * deviation);
    for (size_t i = 0; i < kTokenKinds; ++i) {
        for (size_t j = 0; j < kTokenKinds; ++j)
            m_matrix[i][j] += weight * growth[i] * growth[j];
        m_right[i] += weight * growth[i] * tokens;
    }
}

KindValues RateFit::rates() const
{
    constexpr int kSweeps = 10'000;
    constexpr double kSettled = 1e-9;
    KindValues rates = m_start;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        double change = 0;
        for (size_t i = 0; i < kTokenKinds; ++i) {
            const double slope = m_right[i] - tokensOf(m_matrix[i], rates);
            const double better = std::max(0.0, rates[i] + slope / m_matrix[i][i]);
            change = std::max(change, std::abs(better - rates[i]));
            rates[i] = better;
        }
        if (change < kSettled)
            break;
    }
    return rates;
}

} // namespace core
