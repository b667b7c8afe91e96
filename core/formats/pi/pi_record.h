// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/json_records.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What one record of a pi session comes to. Source of the meanings: pi's docs/session.md and session-manager.ts.
struct PiEntry {
    enum class Type : uint8_t {
        Aside,         ///< not in the context, but others hang on it (model changes, labels, data of extensions)
        Message,       ///< what somebody said, what a tool or the person's `!` command gave, what an extension put in
        Compaction,    ///< a summary, and from which entry on the array goes on behind it
        BranchSummary, ///< the person went to another branch; tells what happened on the one left
    };
    Type type = Type::Aside;
    Role role = Role::User;
    bool isLinear = false;  ///< has no parent member (version 1): it follows the record before it
    bool isStopped = false; ///< a response that was aborted or failed
    bool isResponse = false;
    Hash id;
    Hash parent;
    Hash target;                            ///< a compaction's first kept entry, a branch summary's branch
    std::optional<uint64_t> firstKeptPlace; ///< of a compaction in version 1: among the records, the header is 0
    std::optional<uint64_t> tokensBefore;
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId externalId;
    StringId model;
    StringId responseId;
    StringId trigger;
    uint64_t line = 0;
    uint32_t firstBlock = 0; ///< into the tree's blocks
    uint32_t blockCount = 0;
};

/// A record as it was read, with what it says of the session.
struct PiRecord {
    PiEntry entry;
    std::vector<Block> blocks;
    uint64_t sideBytes = 0; ///< of it that were never in a context
    bool isHeader = false;
    std::string sessionId;
    std::string workingFolder;
    std::string name;        ///< what the person called the session
    std::string forkedFrom;  ///< the session that this one begins as a copy of
    std::string unknownRole; ///< of a message that nobody sends
};

/// Reads one record. Of a command that the person ran (`!ls`) the command and its output are a text each; the words and
/// fences that pi puts around them when it sends them (at most some 30 characters) are not there. Summaries likewise
/// stand without the sentence before them.
[[nodiscard]] PiRecord readPiRecord(SessionBuilder &builder, const Record &record);

} // namespace core
