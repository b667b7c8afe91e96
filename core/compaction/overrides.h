// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/session/block_key.h"

#include <string>
#include <vector>

namespace core {

/// Overrides as read: what the session has, and the keys that it has not (they are kept, and listed).
struct ReadOverrides {
    Overrides overrides;
    std::vector<std::string> unknown;
    std::vector<std::string> unknownMembers; ///< of the document: slips of the pen
};

/// The document `palimpsest.overrides/1`: `{"schema": …, "keep": [KEY…], "drop": [KEY…]}`; keys as BlockKeys writes
/// them. Fails with Malformed if the JSON has another schema, or keeps and drops the same block.
[[nodiscard]] Result<ReadOverrides> parseOverrides(
    const Session &session, std::string_view json, std::string_view where = {});

/// Keys of blocks that were overridden and that a session has not, or no longer.
struct MissingOverrides {
    std::vector<std::string> keep;
    std::vector<std::string> drop;
    [[nodiscard]] bool isEmpty() const { return keep.empty() && drop.empty(); }
    friend bool operator==(const MissingOverrides &, const MissingOverrides &) = default;
};

struct CarriedOverrides {
    Overrides overrides;
    MissingOverrides missing;
};

/// Overrides in another reading of their file, which may have grown or changed since: what it has not is missing, and
/// what was missing before is taken up where it is there again.
[[nodiscard]] CarriedOverrides carryOver(
    const Overrides &overrides, const MissingOverrides &missing, const BlockKeys &from, const BlockKeys &to);

} // namespace core
