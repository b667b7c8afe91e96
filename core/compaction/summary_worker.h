// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The time between the trigger and the moment at which the summary is saved.
struct WorkerDelay {
    enum class Unit : uint8_t {
        Calls,
        Seconds,
        TokensPerSecond, ///< the time in which a model of this speed writes the summary
        RecordedSpeed,   ///< the same for the speed of the session's model
    };
    double value = 0;
    Unit unit = Unit::Calls;

    /// `2calls`, `20s`, `80tok/s`, `recorded`. `parseWorkerDelay` returns the same delay.
    [[nodiscard]] std::string text() const;
    /// `2 calls`, `20 seconds`, `the time for the summary at 80 tokens a second`.
    [[nodiscard]] std::string words() const;
    friend bool operator==(const WorkerDelay &, const WorkerDelay &) = default;
};
[[nodiscard]] Result<WorkerDelay> parseWorkerDelay(std::string_view text);

/// Which saves of summaries fail, counted from 1.
struct FailingSaves {
    uint64_t every = 0;            ///< each n-th; 0: none
    std::vector<uint64_t> numbers; ///< these, ascending

    [[nodiscard]] bool fails(uint64_t number) const;
    [[nodiscard]] bool isEmpty() const { return every == 0 && numbers.empty(); }
    /// `none`, `every 3`, `1,4`. `parseFailingSaves` returns the same.
    [[nodiscard]] std::string text() const;
    friend bool operator==(const FailingSaves &, const FailingSaves &) = default;
};
[[nodiscard]] Result<FailingSaves> parseFailingSaves(std::string_view text);

/// A worker that writes the summaries of the stage `summarise` beside the session. It starts at the trigger, on the
/// array of that moment. While it writes, the harness goes on and the array grows. There is never a second summary in
/// work. A summary whose save fails is lost, and the worker starts again.
struct SummaryWorker {
    /// When the harness looks whether a summary was saved.
    enum class Reload : uint8_t {
        Call, ///< before each call
        Turn, ///< before the first call after a typed message
    };
    /// From where on messages stay behind the summary.
    enum class KeepFrom : uint8_t {
        Trigger, ///< from the keep at the trigger on: the summary covers all that goes
        Landing, ///< from the keep at the landing on: what was said since the trigger may go, and no summary covers it
    };
    /// What the request for a summary sends.
    enum class Request : uint8_t {
        Messages, ///< the messages that the summary replaces
        Empty,    ///< none of them
    };
    WorkerDelay delay;
    Reload reload = Reload::Call;
    KeepFrom keepFrom = KeepFrom::Trigger;
    FailingSaves failingSaves;
    std::string model; ///< writes the summary; empty: the model of the session, which reads the prompt from the cache
    Request request = Request::Messages;

    /// `A worker writes the summary. It is saved 2 calls after the trigger and lands with the next call.`
    [[nodiscard]] std::string sentence() const;
    friend bool operator==(const SummaryWorker &, const SummaryWorker &) = default;
};

} // namespace core
