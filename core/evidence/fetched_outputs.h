// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/append_log.h"

#include <string>
#include <vector>

namespace core {

/// The agent asked for the whole of a tool result of which its harness had sent a part.
struct FetchedOutput {
    BlockId request;          ///< the tool call
    BlockId part;             ///< the result that named the whole; invalid if the log has none with this name
    CallIndex call;           ///< the call whose response asks
    bool isPartAgain = false; ///< the answer is a part, too, and names a whole
    std::string_view tool;    ///< its name, as the session has it
};

/// What a thread's log says of such results.
struct FetchedOutputs {
    size_t parts = 0; ///< results that name a whole elsewhere
    std::vector<FetchedOutput> fetched;

    /// `the agent fetched 2 of 5 shortened results again: calls 12, 40 (result::fetch)`; empty if no result was
    /// shortened.
    [[nodiscard]] std::string sentence() const;
};

/// Finds the calls of `result::fetch`, and the calls of any tool whose arguments hold the name that an earlier result
/// gave. Reads the arguments of the tool calls and the ends of the results.
[[nodiscard]] FetchedOutputs fetchedOutputs(const AppendLog &log);

} // namespace core
