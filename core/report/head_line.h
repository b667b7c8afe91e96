// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <string>

namespace core {

/// The line under the menu: what this is, and one sentence of what stands out.
struct HeadLine {
    std::string harness; ///< `Claude Code 2.1.14`
    std::string facts;   ///< `opus-4-5 · 225 calls · 3 compactions (49, 126, 219) · peak 155,023 of 200k · heaviest: …`
};

/// `tokens` may hold rough figures; the heaviest subject (file or command) is of the array at `position`.
[[nodiscard]] HeadLine headLine(const Session &session, Position position, const BlockTokens &tokens);

} // namespace core
