// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay.h"

#include <optional>
#include <span>
#include <string>

namespace core {

/// In how many calls a compaction would come, if the context goes on growing as it did in the last calls. An estimate.
struct Forecast {
    /// What the limit is.
    enum class Limit : uint8_t {
        Policy,         ///< the trigger of a policy
        LastCompaction, ///< the context before the last automatic compaction of this session
        Harness,        ///< the trigger of the harness, Claude Code
        Window,         ///< the model's window
    };
    Limit limit = Limit::Window;
    double at = 0;       ///< the limit; of a policy in the unit of its trigger
    double perCall = 0;  ///< mean growth in the same unit
    size_t calls = 0;    ///< 0: with the next call
    size_t measured = 0; ///< calls that the growth was measured over
    std::string unit;    ///< of `at` and `perCall`: `tokens`, `messages`

    /// `would compact in about 6 calls`, `the context window is full in about 40 calls`.
    [[nodiscard]] std::string words() const;
    /// Where it comes from: `Estimated: the context grew by 2,100 tokens a call in the last 8 calls. The policy acts at
    /// 160,000 tokens, as it counts them.`
    [[nodiscard]] std::string reason() const;
};

/// The calls until `limit`, by the growth in the last calls. `sizes` are the contexts of consecutive calls since the
/// array was last written anew; the last one is what the next call would send. nullopt if there are too few of them, if
/// they do not grow, or if the limit is too far away to say.
[[nodiscard]] std::optional<Forecast> forecast(std::span<const double> sizes, double limit);

/// The size to which the context of a thread can grow: where the session was last compacted automatically, else where
/// Claude Code compacts with this window (measured on recorded sessions; of other harnesses it is not known), else the
/// window.
struct ContextLimit {
    double tokens = 0; ///< 0 if unknown
    Forecast::Limit limit = Forecast::Limit::Window;
};
[[nodiscard]] ContextLimit contextLimit(const Session &session, ThreadIndex thread, double window);

/// The first call whose array the last compaction or rollback wrote. Growth is measured from it on.
[[nodiscard]] size_t startOfArray(const Thread &thread);

/// By the recorded contexts of a thread, up to its `contextLimit`.
[[nodiscard]] std::optional<Forecast> recordedForecast(
    const Session &session, ThreadIndex thread, const ArraySums &sums);
/// By the arrays that a policy would have sent, as the policy counts them. nullopt if the trigger is reached, but the
/// policy would change nothing of what was sent (see `hasActed`).
[[nodiscard]] std::optional<Forecast> policyForecast(const Replay &replay);

} // namespace core
