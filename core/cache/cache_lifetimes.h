// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>

namespace core {

/// Tokens that a response wrote to Anthropic's cache, by how long they are kept.
struct CacheWrites {
    uint64_t fiveMinutes = 0;
    uint64_t oneHour = 0;
};

/// What the record of a call's response says (`usage.cache_creation`); nothing where it does not tell lifetimes apart.
/// Reads the record anew: it is asked for seldom, and a member of Usage would be carried by every call of every format.
[[nodiscard]] std::optional<CacheWrites> recordedCacheWrites(const Session &session, const Call &call);

} // namespace core
