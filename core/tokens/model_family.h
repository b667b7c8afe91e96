// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

/// The encodings whose tokens are published, so that a text can be counted exactly (exact_counter.h).
enum class Encoding : uint8_t {
    O200kBase,
    O200kHarmony, ///< o200k_base with other special tokens: of ordinary text the same tokens
    Cl100kBase,
};
inline constexpr std::array<Encoding, 3> kEncodings { Encoding::O200kBase, Encoding::O200kHarmony,
    Encoding::Cl100kBase };

/// `o200k_base`, as tiktoken calls it.
[[nodiscard]] std::string_view nameOf(Encoding encoding);
[[nodiscard]] std::optional<Encoding> encodingNamed(std::string_view name);

/// The encoding of a model, by its name as sessions record it; nothing where it is not published or not one of these.
/// Source: the table of models of tiktoken 1.0.22 (npm): cl100k_base for gpt-3.5 and gpt-4, o200k_base for gpt-4o,
/// gpt-4.1, gpt-4.5, gpt-5, chatgpt-4o and the o-series; o200k_harmony for gpt-oss by its own repository. Names that
/// are newer than the table go with their line: gpt-5.1-codex with gpt-5.
[[nodiscard]] std::optional<Encoding> encodingOf(std::string_view model);

} // namespace core
