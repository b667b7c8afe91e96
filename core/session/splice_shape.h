// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <string>
#include <string_view>

namespace core {

/// A message that an edit adds to a file.
struct NewMessage {
    Role role = Role::User;
    std::string_view text;
    bool isSummary = false;
    std::string uuid;   ///< for formats whose records name each other
    std::string parent; ///< raw JSON, for the same
};

/// A summary in the place of everything before the first kept record.
struct NewCompaction {
    std::string_view summary;
    std::string id;
    std::string parent;         ///< raw JSON
    std::string_view firstKept; ///< its id; empty where records have none
    size_t firstKeptPlace = 0;  ///< among all records of the file, from 0
    uint64_t tokensBefore = 0;
};

/// What the splice writer must know of a format. Everything else follows from the places of the bodies in the file.
struct SpliceShape {
    /// Writes a new message. `example` is the record that it goes before; `isLine` says whether that record is a whole
    /// line. nullptr: files of the format cannot be written.
    std::string (*message)(const NewMessage &message, std::string_view example, bool isLine) = nullptr;
    /// Writes the format's own record of a compaction, for the end of a file whose last record is `last`. nullptr: the
    /// format has no such record.
    std::string (*compaction)(const NewCompaction &compaction, std::string_view last) = nullptr;

    /// For a format whose later records replace earlier ones. Writes a file that holds only `records`, which are those
    /// of one array, behind the first record of the old file. nullptr: records are never replaced.
    std::string (*flat)(std::string_view first, std::span<const std::string_view> records) = nullptr;

    /// The members by which records refer to each other, and record types that are tied to their neighbours.
    struct Links {
        std::string_view id {};             ///< the record's own: `uuid`
        std::string_view parent {};         ///< the record that it follows: `parentUuid`; empty: records have no links
        std::string_view logicalParent {};  ///< the record that came before it: `logicalParentUuid`
        std::string_view firstKept {};      ///< the first record that a compaction keeps: `firstKeptEntryId`
        std::string_view firstKeptPlace {}; ///< the same as an index among all records: `firstKeptEntryIndex`
        std::string_view compactionType {}; ///< records of this type stay, and nothing can be added before them
        std::string_view progressType {};   ///< nothing can be added before records of this type
    };
    Links links {};
    std::string_view emptyContent = "[]"; ///< written for a dropped content, if other blocks of the message stay
    /// The member of a record that holds a whole new array: `replacement_history`. Empty: no record has one.
    std::string_view newArrayKey {};
    bool repeatsCalls = false;    ///< a message may hold its tool calls twice
    bool endsInRecording = false; ///< in a file of several requests, only the last one is the array
    bool isEventLog = false;      ///< records in the order in which they were written, not all of them messages
    bool hasSystem = false;       ///< the array may hold system messages

    [[nodiscard]] bool hasParents() const { return !links.parent.empty(); }
    /// The role that a new message gets when it is read again.
    [[nodiscard]] Role roleOf(Role role) const { return role == Role::System && !hasSystem ? Role::User : role; }
};

} // namespace core
