// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

namespace core {

/// Overrides as read: what the session has, and the keys that it has not (they are kept, and listed).
struct ReadOverrides {
    Overrides overrides;
    std::vector<std::string> unknown;
};

/// The document `palimpsest.overrides/1`: `{"schema": …, "keep": [KEY…], "drop": [KEY…]}`; keys as BlockKeys writes
/// them.
[[nodiscard]] Result<ReadOverrides> parseOverrides(
    const Session &session, std::string_view json, std::string_view where = {});
[[nodiscard]] std::string writeOverrides(const Session &session, const Overrides &overrides);

} // namespace core
