// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string_view>

namespace core {

/// Which tokenizer a model has, as far as it changes an estimate.
enum class TokenizerFamily : uint8_t {
    OpenAi,    ///< o200k_base, which the estimate is fitted to
    ClaudeOld, ///< Claude up to Opus 4.6, Sonnet 4.6 and Haiku 4.5
    ClaudeNew, ///< Opus 4.7 and later, Sonnet 5, Haiku 5, Fable, Mythos
    Other,     ///< not known: taken as o200k_base
};

/// The tokenizer of a model, by its name as sessions record it (`claude-opus-4-5-20251101`,
/// `anthropic/claude-opus-4.7`, `claude-3-5-sonnet-20241022`, `gpt-5-codex`). A Claude name without a version counts as
/// an old one.
[[nodiscard]] TokenizerFamily tokenizerFamily(std::string_view model);

/// Tokens of a family for one token of o200k_base. Sources: OpenAI by definition 1; Claude 1.18 (old) and 1.53 (new),
/// measured once with the provider's counting endpoint (sammcj/ingest, pull request 65, 2026-08-11: 429 → 506 → 656
/// tokens). The old factor agrees with Claude's published 2023 vocabulary (1.09 × o200k here, × 1.1 as ai-tokenizer has
/// it = 1.20), the new one with the vendor's "approximately 30 percent more" (1.18 × 1.3).
[[nodiscard]] double tokenFactor(TokenizerFamily family);

} // namespace core
