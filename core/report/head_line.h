// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <string>

namespace core {

/// The line under the menu: a description of the session, and one notable fact.
struct HeadLine {
    std::string harness; ///< `Claude Code 2.1.14`
    std::string
        facts; ///< `opus-4-5 · 225 calls · 3 compactions (49, 126, 219) · peak 155,023 of 200k · heaviest here: …`
};

/// `claude-opus-4-5-20251101` → `opus-4-5`: leaves out vendor and date.
[[nodiscard]] std::string shortModel(std::string_view model);

/// `15 of 42 user messages in context at the end`; empty if all of them are.
[[nodiscard]] std::string userMessageFact(const InContext &userMessages, CallIndex call);

/// `tokens` may be rough; `sums` are of the position's thread and these tokens. The heaviest subject (file or command)
/// is that of the array at `position`; so are the user messages, if traced (`inContextAt`, which reads all texts).
[[nodiscard]] HeadLine headLine(const Session &session, Position position, const BlockTokens &tokens,
    const ArraySums &sums, const InContext &userMessages = {});

} // namespace core
