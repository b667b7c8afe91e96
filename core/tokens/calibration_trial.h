// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/calibration.h"

namespace core {

/// A call whose prompt is not what the log adds up to, and what of the recording speaks for a reason.
struct Departure {
    enum class Sign : uint8_t {
        Resumed,      ///< the harness's own record says that the session was left and taken up again before the call
        NoUserRecord, ///< the log holds nothing of the user's between the two calls, so a turn is missing from it
        Rewritten,    ///< the cache was read no further than a part of the prompt before: what follows was changed
        Extended,     ///< more was sent than the log holds
        None,         ///< less was sent, and nothing says why
    };
    CallIndex call;
    double excess = 0; ///< recorded growth less the predicted, in tokens
    Sign sign = Sign::None;
    uint64_t cacheRead = 0; ///< by the call
};

/// What the calibration of a session is worth: rates fitted on the first half of a thread's calls predict the prompt of
/// each later call from the last recorded one of the first half on, taken up again only behind recorded compactions.
struct CalibrationTrial {
    ThreadIndex thread;
    size_t calls = 0;                 ///< with usage
    std::vector<PredictedCall> later; ///< of the second half
    double median = 0;                ///< of their absolute relative errors
    double p90 = 0;
    double band = 0; ///< the ninth decile over the first half, which figures are shown with
    /// The same errors where predictions are also taken up again at departures.
    double medianBetween = 0;
    double p90Between = 0;
    FittedRates fitted;                ///< on the first half
    std::vector<Departure> departures; ///< of the second half, by call
    /// Smaller gains: later calls that grew by at least 300 tokens and 30 % more than predicted, and by how much in
    /// all.
    size_t smallGains = 0;
    double smallGainTokens = 0;

    /// Fewer calls say little: they are listed apart.
    static constexpr size_t kEnoughCalls = 20;
    [[nodiscard]] bool hasEnoughCalls() const { return calls >= kEnoughCalls; }
};

/// Tries the thread with most recorded calls. Nothing where no prompt can be predicted: fewer than four calls with
/// usage.
[[nodiscard]] std::optional<CalibrationTrial> tryCalibration(
    const Session &session, const ExactTokens &counts, const PriorOf &priorOf = RatePrior::ofModel);

} // namespace core
