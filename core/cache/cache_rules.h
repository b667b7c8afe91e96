// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <string_view>

namespace core {

/// How a provider's prompt cache finds what it may read.
enum class CacheKind : uint8_t {
    Marks,       ///< Anthropic: where a breakpoint stands and one stood in a request before
    Steps,       ///< OpenAI before GPT-5.6: any common beginning, in steps of tokens, written for nothing
    Breakpoints, ///< OpenAI from GPT-5.6 on: at breakpoints, exactly; writes are billed
};

/// The rules of one provider's prompt cache, for one model. Times in milliseconds.
struct CacheRules {
    CacheKind kind = CacheKind::Marks;
    double minimum = 0;        ///< tokens; a shorter prompt or prefix is not cached
    double step = 1;           ///< reads are whole multiples of it
    uint32_t lookback = 0;     ///< blocks that a mark looks back for an older one; 0: all
    size_t breakpoints = 0;    ///< how many of the latest breakpoints are looked at; 0: all
    Timestamp lifetime = 0;    ///< since the last request that wrote or read an entry, where none is recorded
    Timestamp grace = 0;       ///< for how long beyond their lifetime entries are still found
    std::string_view sentence; ///< the rule in words, with its source
};

constexpr Timestamp kMinute = 60'000;
constexpr Timestamp kFiveMinutes = 5 * kMinute;
constexpr Timestamp kOneHour = 60 * kMinute;

/// The rules for a model by its recorded name (`claude-opus-4-5-20251101`, `anthropic/claude-opus-4.7`, `gpt-5-codex`).
/// Nothing where this program has no model of the cache: Gemini and DeepSeek promise nothing that could be computed
/// (implicit caching without guarantee; whole persisted units), of others no rules are published, and of a Claude model
/// that is newer than the published table the minimum is not known, so the largest in the table is taken.
[[nodiscard]] std::optional<CacheRules> cacheRules(std::string_view model);

} // namespace core
