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

/// `verbatim`, `partial`, `gone` or `unknown`: the word of the documents.
[[nodiscard]] std::string_view nameOf(TraceState state);

/// The content of `trace` for one thread: the trace of a text or block, or of every user message.
struct TraceReport {
    ThreadIndex thread { 0U };
    std::string policy; ///< id of the policy; empty: as recorded
    ContextSpans spans;
    std::vector<UnloggedStretch> unlogged;
    BlockTokensPtr tokens;
    std::vector<Trace> userMessages;
    std::optional<Trace> trace; ///< the requested trace; without it the user messages are shown
};

/// Traces the user messages in the recorded arrays of a thread.
[[nodiscard]] TraceReport traceReport(const SessionPtr &session, ThreadIndex thread, BlockTokensPtr tokens);

/// The same under a policy. The simulated arrays have no unlogged text.
[[nodiscard]] TraceReport traceReport(const Replay &replay);

/// The document `palimpsest.trace/1`: `lanes` are ranges of calls, both ends inclusive; `end` is the state after the
/// last record. Without a requested trace `traces` has one element per user message.
[[nodiscard]] nlohmann::ordered_json traceJson(const TraceReport &report);

/// For the terminal: a lane of at most `columns` columns, its stretches in words, and the verdict; for user messages a
/// lane each, or a sentence if there is none. Ends with a line end.
[[nodiscard]] std::string drawTrace(const TraceReport &report, size_t columns = 100);

} // namespace core
