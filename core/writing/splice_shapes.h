// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>

namespace core {

/// What the splice writer has to know of a format; everything else follows from where the bodies stand.
struct SpliceShape {
    std::string_view format;
    /// The members by which records name each other, and types that are tied to what stands around them.
    struct Links {
        std::string_view id;             ///< of the record itself: `uuid`
        std::string_view parent;         ///< what it hangs on: `parentUuid`; empty: records name nothing
        std::string_view logicalParent;  ///< what came before it: `logicalParentUuid`
        std::string_view firstKept;      ///< from where on a compaction keeps the path: `firstKeptEntryId`
        std::string_view firstKeptPlace; ///< the same as a place among all records: `firstKeptEntryIndex`
        std::string_view compactionType; ///< records of this type stay, and nothing can be added before them
        std::string_view progressType;   ///< nothing can be added before records of this type
    };
    Links links;
    bool repeatsCalls = false;   ///< a message may hold its tool calls twice
    bool endsInRecording = true; ///< of several requests the last one alone is the array
    bool isEventLog = false;     ///< records, not all of them messages, in the order in which they came about
    /// A new message as the format writes it. `example` is the record that it is to stand before, `isLine` whether
    /// that is a whole line; `uuid` and `parent` (raw JSON) are for formats with parents.
    std::string (*message)(const struct NewMessage &message, std::string_view example, bool isLine) = nullptr;
    std::string_view emptyContent = "null"; ///< stands for a content that was dropped from beside other blocks
    bool hasSystem = true;                  ///< messages of the system stand in the array
    /// The format's own record of a compaction, for the end of a file whose last record is `last`; nullptr where no
    /// record can stand for that.
    std::string (*compaction)(const struct NewCompaction &compaction, std::string_view last) = nullptr;

    [[nodiscard]] bool hasParents() const { return !links.parent.empty(); }
    /// Whose a new message reads as.
    [[nodiscard]] Role roleOf(Role role) const { return role == Role::System && !hasSystem ? Role::User : role; }
};

struct NewMessage {
    Role role = Role::User;
    std::string_view text;
    bool isSummary = false;
    std::string uuid;
    std::string parent;
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

/// nullptr if files of the format cannot be written.
[[nodiscard]] const SpliceShape *spliceShapeOf(std::string_view format);

/// `text` as it stands between the quotes of a JSON string. Lone surrogates are escaped, bytes that are no UTF-8 become
/// U+FFFD.
[[nodiscard]] std::string escapedJson(std::string_view text);

} // namespace core
