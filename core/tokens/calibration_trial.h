// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/calibration.h"

namespace core {

/// A call whose prompt does not match the log, with evidence for the reason.
struct Departure {
    enum class Sign : uint8_t {
        Resumed,      ///< the harness recorded that the session was closed and resumed before the call
        NoUserRecord, ///< the log has no user text between the two calls, so a turn is missing
        Rewritten,    ///< the call read only a part of the previous prompt from the cache, so the rest was rewritten
        Extended,     ///< more was sent than the log contains
        None,         ///< less was sent, without a known reason
    };
    CallIndex call;
    double excess = 0; ///< recorded minus predicted growth, in tokens
    Sign sign = Sign::None;
    uint64_t cacheRead = 0; ///< of the call
};

/// A test of a session's calibration. Rates fitted on the first half of a thread's calls predict the prompts of the
/// second half. A prediction starts at the last recorded prompt of the first half and restarts only after recorded
/// compactions.
struct CalibrationTrial {
    ThreadIndex thread;
    size_t calls = 0;                 ///< calls with usage
    std::vector<PredictedCall> later; ///< calls of the second half
    double median = 0;                ///< of their absolute relative errors
    double p90 = 0;
    double band = 0; ///< ninth decile of the errors in the first half, shown with figures
    /// The same errors if predictions also restart at departures.
    double medianBetween = 0;
    double p90Between = 0;
    FittedRates fitted;                ///< on the first half
    std::vector<Departure> departures; ///< of the second half, in call order
    /// Number and sum of smaller gains: later calls that grew by more than predicted: at least 300 tokens more, and at
    /// least 30 % more.
    size_t smallGains = 0;
    double smallGainTokens = 0;

    /// Sessions with fewer calls say little and are listed separately.
    static constexpr size_t kEnoughCalls = 20;
    [[nodiscard]] bool hasEnoughCalls() const { return calls >= kEnoughCalls; }
};

/// Tests the thread with most recorded calls. nullopt with fewer than four calls with usage.
[[nodiscard]] std::optional<CalibrationTrial> tryCalibration(
    const Session &session, const ExactTokens &counts, const PriorOf &priorOf = RatePrior::ofModel);

} // namespace core
