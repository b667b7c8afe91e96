// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/tokens/exact_tokens.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What `palimpsest tokens` says of one file: an array counted in one encoding, or a plain text.
struct TokenReport {
    std::string file;
    Encoding encoding = Encoding::O200kBase;
    uint64_t tokens = 0; ///< of the text; what is no text is not in it
    uint64_t bytes = 0;  ///< of a plain text
    // Of a session; a plain text has no counts.
    Position position;
    Transcript transcript;
    ExactTokensPtr counts;

    [[nodiscard]] bool isSession() const { return counts != nullptr; }
};

/// Counts the array at `position`.
[[nodiscard]] TokenReport tokenReport(
    std::string file, const SessionPtr &session, Position position, ExactTokensPtr counts);

/// The document `palimpsest.tokens/1`. `tokens` are exact for the encoding that they are in, and null where there is no
/// text; `with_estimates` adds what images (by the provider's rule), documents and encrypted bodies are estimated to be
/// in the `not_counted` blocks that hold such, and is null where there are none. Where the encoding is not the
/// model's own (`model_encoding`: null if it is not published), `model_tokens` holds an estimate in the model's tokens.
[[nodiscard]] nlohmann::ordered_json tokensJson(std::span<const TokenReport> reports);

enum class TokenDetail : uint8_t { Kinds, Slots };

/// A line a file, the count first; below a session's what it was counted in, and a line a kind or slot.
[[nodiscard]] std::string drawTokens(std::span<const TokenReport> reports, TokenDetail detail);

} // namespace core
