// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>

namespace core {

/// Tokens that a response wrote to Anthropic's cache, by lifetime.
struct CacheWrites {
    uint64_t fiveMinutes = 0;
    uint64_t oneHour = 0;
};

/// The lifetimes in the record of a call's response (`usage.cache_creation`); nullopt if it does not distinguish them.
/// Reads the record again. Few callers need the lifetimes, so Usage does not store them.
[[nodiscard]] std::optional<CacheWrites> recordedCacheWrites(const Session &session, const Call &call);

} // namespace core
