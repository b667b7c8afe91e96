// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/prompt_growth.h"
#include "core/tokens/weights.h"

#include <functional>
#include <optional>

namespace core {

/// Calls of one thread and one model during which the array only grew, and the fitted token rates.
struct CalibratedStretch {
    ThreadIndex thread;
    CallIndex first;
    CallIndex last; ///< inclusive
    StringId model;
    FittedRates fitted;
};

/// Token counts of a session's blocks, fitted to recorded usage.
struct Calibration {
    std::vector<CalibratedStretch> stretches; ///< by thread, in the order of the calls
    /// Half-width of the shown band, as a share of the prompt. It is measured on the thread with most calls: rates are
    /// fitted on the first half of its calls and reproduce the prompts of that half; the ninth decile of their errors
    /// is the half-width. Valid for arrays; single blocks scatter more.
    double error = 0;
    BlockTokensPtr tokens;
};

/// The prior of a model, by its recorded name.
using PriorOf = std::function<RatePrior(std::string_view model)>;

/// Fits block costs to the growth of prompts in all threads, first for each model, then for each stretch with its
/// model's fit as the prior. A block's count is its cost when it first entered a context: with its share of framing,
/// and thinking of past turns at the rate of past thinking (possibly zero). nullopt if fewer than 19 growths could be
/// fitted. `counts` must be in o200k_base. Costs O(blocks + ranges of all arrays), about 1 ms for 400 calls.
[[nodiscard]] std::optional<Calibration> calibrate(
    const Session &session, const ExactTokens &counts, const PriorOf &priorOf = RatePrior::ofModel);

/// The thread with most recorded usage, on which a calibration is measured.
[[nodiscard]] ThreadIndex mostRecordedThread(const Session &session);

/// Rates fitted on the first half of a thread's calls, and their error there.
struct FirstHalf {
    size_t growths = 0; ///< growths between the calls of this half
    FittedRates fitted;
    double band = 0; ///< see Calibration::error
};

/// `growths` must be those of the thread.
[[nodiscard]] FirstHalf fitFirstHalf(
    const Session &session, ThreadIndex thread, std::span<const PromptGrowth> growths, const PriorOf &priorOf);

} // namespace core
