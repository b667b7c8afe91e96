// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "core/replay/replay.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// What `trace` says of one thread: the life of a text or block, or of every user message.
struct TraceReport {
    ThreadIndex thread { 0U };
    std::string policy; ///< its id; empty: as recorded
    ContextSpans spans;
    std::vector<UnloggedStretch> unlogged;
    BlockTokensPtr tokens;
    std::vector<Trace> userMessages;
    std::optional<Trace> trace; ///< of what was asked for; without it the user messages are shown
};

/// The recorded life of a thread, its user messages traced.
[[nodiscard]] TraceReport traceReport(const SessionPtr &session, ThreadIndex thread, BlockTokensPtr tokens);

/// The same as a policy would have had it. The simulated world holds nothing that the log does not.
[[nodiscard]] TraceReport traceReport(const Replay &replay);

/// The document `palimpsest.trace/1`: `lanes` count calls, both ends included; what is after the last record stands in
/// `end`. Without a text of its own each user message is one of `traces`.
[[nodiscard]] nlohmann::ordered_json traceJson(const TraceReport &report);

/// For the terminal: a lane on at most `columns` columns, its stretches in words, the verdict; of the user messages a
/// lane each. Ends with a line end.
[[nodiscard]] std::string drawTrace(const TraceReport &report, size_t columns = 100);

} // namespace core
