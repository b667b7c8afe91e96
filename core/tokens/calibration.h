// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/prompt_growth.h"
#include "core/tokens/weights.h"

#include <functional>
#include <optional>

namespace core {

/// Calls of one thread and one model between which the array was only extended, and what tokens cost in them.
struct CalibratedStretch {
    ThreadIndex thread;
    CallIndex first;
    CallIndex last; ///< included
    StringId model;
    FittedRates fitted;
};

/// The tokens of a session's blocks, fitted to the usage that its calls recorded.
struct Calibration {
    std::vector<CalibratedStretch> stretches; ///< by thread, in the order of the calls
    /// The band of the shown figures: the ninth decile of the error with which the rates of the first half of the calls
    /// (of the thread that has most) give the prompts of that half, as a share of the prompt. It is that of arrays;
    /// single blocks scatter more.
    double error = 0;
    BlockTokensPtr tokens;
};

/// What to expect of a model before anything was fitted, by its recorded name.
using PriorOf = std::function<RatePrior(std::string_view model)>;

/// Fits, model by model, what blocks cost to how prompts grew in all threads; then each stretch again, with the fit of
/// its model as the prior. A block has the weight that it had when it first entered a context: with its share of the
/// framing, and thinking of past turns as past thinking (so it may come to nothing). Nothing where fewer than 19
/// growths could be fitted. `counts` in o200k_base. Costs O(blocks + ranges of all arrays), about 1 ms for 400 calls.
[[nodiscard]] std::optional<Calibration> calibrate(
    const Session &session, const ExactTokens &counts, const PriorOf &priorOf = RatePrior::ofModel);

/// The thread with most calls that recorded their usage: the one that a calibration is measured on.
[[nodiscard]] ThreadIndex mostRecordedThread(const Session &session);

/// Rates fitted on the first half of the calls of a thread, and how well they fit it.
struct FirstHalf {
    size_t growths = 0; ///< from call to call within it
    FittedRates fitted;
    double band = 0; ///< see Calibration::error
};

/// `growths` are those of the thread.
[[nodiscard]] FirstHalf fitFirstHalf(
    const Session &session, ThreadIndex thread, std::span<const PromptGrowth> growths, const PriorOf &priorOf);

} // namespace core
