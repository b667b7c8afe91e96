// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/json/json.h"
#include "core/session/block_key.h"

#include <string>
#include <vector>

namespace core {

/// Overrides by key: those of a document, and those whose block the session does not have (any more).
struct KeyedOverrides {
    struct Edit {
        std::string block;
        std::string text;
        friend bool operator==(const Edit &, const Edit &) = default;
    };
    struct Insertion {
        std::string after; ///< empty, in a document null: at the start of the array
        Role role = Role::User;
        std::string text;
        friend bool operator==(const Insertion &, const Insertion &) = default;
    };
    std::vector<std::string> keep;
    std::vector<std::string> drop;
    std::vector<Edit> replace;
    std::vector<Insertion> insert;

    [[nodiscard]] bool isEmpty() const { return keep.empty() && drop.empty() && replace.empty() && insert.empty(); }
    /// All keys, in the order of the lists.
    [[nodiscard]] std::vector<std::string> keys() const;
    friend bool operator==(const KeyedOverrides &, const KeyedOverrides &) = default;
};
using MissingOverrides = KeyedOverrides;

/// Parsed overrides: those found in the session, and the others (kept and listed).
struct ReadOverrides {
    Overrides overrides;
    MissingOverrides missing;                ///< those of blocks that the session does not have
    std::vector<std::string> unknownMembers; ///< of the document: probably typing errors
};

/// Parses the document `palimpsest.overrides/2`: `{"schema": …, "keep": [KEY…], "drop": [KEY…], "replace": [{"block":
/// KEY, "text": …}…], "insert": [{"after": KEY, "role": "user", "text": …}…]}` with keys as in BlockKeys. Version 1 has
/// `keep` and `drop` only. Fails with Malformed if the JSON has another schema, if a block is dropped and also kept or
/// replaced, or if a text cannot stand there (`whyNotText`, `whyNotInserted`); names the member.
[[nodiscard]] Result<ReadOverrides> parseOverrides(
    const Session &session, std::string_view json, std::string_view where = {});

/// The document of version 2 that `parseOverrides` reads.
[[nodiscard]] std::string overridesDocument(
    const Overrides &overrides, const BlockKeys &keys, const MissingOverrides &missing = {});

/// The lists of a document as `parseOverrides` reads them, but without a session: texts are not checked.
[[nodiscard]] Result<KeyedOverrides> parseKeyedOverrides(std::string_view json, std::string_view where = {});
/// The lists of a document, for a JSON object that has other members, too.
[[nodiscard]] Json overridesJson(const KeyedOverrides &lists);
[[nodiscard]] KeyedOverrides keyedOverrides(
    const Overrides &overrides, const BlockKeys &keys, const MissingOverrides &missing = {});

/// Merges the changes of two windows: `theirs` with the changes that lead from `base` to `mine`. Where both changed the
/// same block, `mine` counts.
[[nodiscard]] KeyedOverrides merged(
    const KeyedOverrides &base, const KeyedOverrides &mine, const KeyedOverrides &theirs);

struct CarriedOverrides {
    Overrides overrides;
    MissingOverrides missing;
};

/// Transfers overrides to another reading of their file, which may have grown or changed. Keys without a block become
/// missing; missing keys whose block is there again become overrides.
[[nodiscard]] CarriedOverrides carryOver(
    const Overrides &overrides, const MissingOverrides &missing, const BlockKeys &from, const BlockKeys &to);

} // namespace core
