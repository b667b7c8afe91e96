// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <string>

namespace core {

/// The line under the menu: what this is, and one sentence of what stands out.
struct HeadLine {
    std::string harness; ///< `Claude Code 2.1.14`
    std::string facts;   ///< `opus-4-5 · 225 calls · 3 compactions (49, 126, 219) · peak 155,023 of 200k · heaviest: …`
};

/// `15 of 42 user messages in context at the end`; empty where all are, which says nothing.
[[nodiscard]] std::string userMessageFact(const InContext &userMessages, CallIndex call);

/// `tokens` may hold rough figures; the heaviest subject (file or command) is of the array at `position`, and so are
/// the user messages, where they have been traced (`inContextAt`): that reads all texts.
[[nodiscard]] HeadLine headLine(
    const Session &session, Position position, const BlockTokens &tokens, const InContext &userMessages = {});

} // namespace core
