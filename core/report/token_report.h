// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/tokens/exact_tokens.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// The content of `palimpsest tokens` for one file: an array or a plain text, counted in one encoding.
struct TokenReport {
    std::string file;
    Encoding encoding = Encoding::O200kBase;
    uint64_t tokens = 0; ///< of the text only
    uint64_t bytes = 0;  ///< of a plain text
    // For a session; a plain text has no `counts`.
    Position position;
    Transcript transcript;
    ExactTokensPtr counts;

    [[nodiscard]] bool isSession() const { return counts != nullptr; }
};

/// Counts the array at `position`.
[[nodiscard]] TokenReport tokenReport(
    std::string file, const SessionPtr &session, Position position, ExactTokensPtr counts);

/// The document `palimpsest.tokens/1`. `tokens` are exact for their encoding, and null without text. `with_estimates`
/// adds estimates for images (by the provider's rule), documents and encrypted bodies in the `not_counted` blocks; null
/// without such blocks. If the encoding is not the model's own (`model_encoding`, null if unpublished), `model_tokens`
/// is an estimate in the model's tokens.
[[nodiscard]] nlohmann::ordered_json tokensJson(std::span<const TokenReport> reports);

enum class TokenDetail : uint8_t { Kinds, Slots };

/// A line per file, the count first; below a session the encoding, then a line per kind or slot.
[[nodiscard]] std::string drawTokens(std::span<const TokenReport> reports, TokenDetail detail);

} // namespace core
