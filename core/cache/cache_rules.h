// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <string_view>

namespace core {

/// How a provider's prompt cache looks up entries.
enum class CacheKind : uint8_t {
    Marks,       ///< Anthropic: a lookup succeeds at a breakpoint of this request that an earlier request also had
    Steps,       ///< OpenAI before GPT-5.6: any common prefix, in steps of tokens; writes are free
    Breakpoints, ///< OpenAI from GPT-5.6 on: exactly at breakpoints; writes are billed
};

/// The rules of one provider's prompt cache, for one model. Times in milliseconds.
struct CacheRules {
    CacheKind kind = CacheKind::Marks;
    double minimum = 0;        ///< tokens; shorter prompts and prefixes are not cached
    double step = 1;           ///< reads are multiples of it
    uint32_t lookback = 0;     ///< how many blocks a mark looks back for an older mark; 0: all
    size_t breakpoints = 0;    ///< how many of the latest breakpoints are tried; 0: all
    Timestamp lifetime = 0;    ///< since the last request that wrote or read the entry, unless a lifetime is recorded
    Timestamp grace = 0;       ///< how long after their lifetime entries are still found
    std::string_view sentence; ///< the rule in words, with its source
};

constexpr Timestamp kMinute = 60'000;
constexpr Timestamp kFiveMinutes = 5 * kMinute;
constexpr Timestamp kOneHour = 60 * kMinute;

/// The rules for a model by its recorded name (`claude-opus-4-5-20251101`, `anthropic/claude-opus-4.7`, `gpt-5-codex`).
/// nullopt if no rules are published. Also nullopt for Gemini and DeepSeek, because their hits cannot be computed:
/// Gemini does not guarantee its implicit cache, and DeepSeek reads only whole units that it has persisted. A Claude
/// model newer than the published table gets the largest
/// minimum in the table.
[[nodiscard]] std::optional<CacheRules> cacheRules(std::string_view model);

} // namespace core
