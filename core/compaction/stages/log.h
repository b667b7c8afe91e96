// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

#include <optional>
#include <vector>

namespace core::stages {

/// The messages of an array before which an entry of the log ends, ascending. An entry covers the messages from the
/// entry before it on. No entry separates a tool result from its call.
[[nodiscard]] std::vector<size_t> logEnds(const Draft &draft, const StageParameters &log);

/// What a model needs for one entry of the log; nullopt if the harness writes the log itself.
struct LogRequest {
    double asked = 0;         ///< tokens that ask for the entry
    double written = 0;       ///< tokens of the entry, assumed
    bool readsAnswer = false; ///< it runs behind the last answer of a turn, which no call has sent yet
};
[[nodiscard]] std::optional<LogRequest> logRequest(const StageParameters &log);

} // namespace core::stages
