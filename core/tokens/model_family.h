// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

/// Tokenizer families, as far as they change an estimate.
enum class TokenizerFamily : uint8_t {
    OpenAi,    ///< o200k_base, on which the estimate was fitted
    ClaudeOld, ///< Claude up to Opus 4.6, Sonnet 4.6 and Haiku 4.5
    ClaudeNew, ///< Opus 4.7 and later, Sonnet 5, Haiku 5, Fable, Mythos
    Other,     ///< unknown; treated as o200k_base
};

/// The tokenizer of a model by its recorded name (`claude-opus-4-5-20251101`, `anthropic/claude-opus-4.7`,
/// `claude-3-5-sonnet-20241022`, `gpt-5-codex`). A Claude name without a version counts as old.
[[nodiscard]] TokenizerFamily tokenizerFamily(std::string_view model);

/// Tokens of a family per token of o200k_base. OpenAI: 1 by definition. Claude: 1.18 (old) and 1.53 (new), measured
/// once with the provider's counting endpoint (sammcj/ingest, pull request 65, 2026-08-11: 429 → 506 → 656 tokens). The
/// old factor agrees with Claude's published 2023 vocabulary (1.09 × o200k here, × 1.1 as ai-tokenizer has it = 1.20),
/// the new one with the vendor's "approximately 30 percent more" (1.18 × 1.3).
[[nodiscard]] double tokenFactor(TokenizerFamily family);

/// Published encodings, with which text can be counted exactly (exact_counter.h).
enum class Encoding : uint8_t {
    O200kBase,
    O200kHarmony, ///< o200k_base with other special tokens; same tokens for ordinary text
    Cl100kBase,
};
inline constexpr std::array kEncodings { Encoding::O200kBase, Encoding::O200kHarmony, Encoding::Cl100kBase };

/// The name in tiktoken: `o200k_base`.
[[nodiscard]] std::string_view nameOf(Encoding encoding);
[[nodiscard]] std::optional<Encoding> encodingNamed(std::string_view name);

/// The encoding of a model by its recorded name; nullopt if it is unpublished or not in Encoding. Source: the model
/// table of tiktoken 1.0.22 (npm): cl100k_base for gpt-3.5 and gpt-4, o200k_base for gpt-4o, gpt-4.1, gpt-4.5, gpt-5,
/// chatgpt-4o and the o-series; o200k_harmony for gpt-oss by its own repository. Newer names count as their line:
/// gpt-5.1-codex as gpt-5.
[[nodiscard]] std::optional<Encoding> encodingOf(std::string_view model);

} // namespace core
