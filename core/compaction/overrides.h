// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/session/block_key.h"

#include <string>
#include <vector>

namespace core {

/// Parsed overrides: those found in the session, and the keys that the session does not have (kept and listed).
struct ReadOverrides {
    Overrides overrides;
    std::vector<std::string> unknown;
    std::vector<std::string> unknownMembers; ///< of the document: probably typing errors
};

/// Parses the document `palimpsest.overrides/1`: `{"schema": …, "keep": [KEY…], "drop": [KEY…]}` with keys as in
/// BlockKeys. Fails with Malformed if the JSON has another schema, or keeps and drops the same block.
[[nodiscard]] Result<ReadOverrides> parseOverrides(
    const Session &session, std::string_view json, std::string_view where = {});

/// Keys of overridden blocks that the session does not have (any more).
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

/// Transfers overrides to another reading of their file, which may have grown or changed. Keys without a block become
/// missing; missing keys whose block is there again become overrides.
[[nodiscard]] CarriedOverrides carryOver(
    const Overrides &overrides, const MissingOverrides &missing, const BlockKeys &from, const BlockKeys &to);

} // namespace core
