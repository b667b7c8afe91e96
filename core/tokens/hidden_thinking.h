// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "core/tokens/exact_tokens.h"

#include <unordered_map>

namespace core {

/// The tokens of encrypted thinking, by block: the reasoning tokens of the response, shared out by the lengths of its
/// encrypted bodies. Readable thinking of such a response (summaries) has 0. The reasoning tokens are those that usage
/// records. For OpenAI's models without that figure they are estimated from the length, but are at most the output
/// tokens minus the other blocks. Blocks of other responses have no entry.
[[nodiscard]] std::unordered_map<BlockId, double> hiddenThinking(const Session &session, const ExactTokens &counts);

} // namespace core
