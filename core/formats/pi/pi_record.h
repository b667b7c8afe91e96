// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/json_records.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// The content of one record of a pi session. Source of the meanings: pi's docs/session.md and session-manager.ts.
struct PiEntry {
    enum class Type : uint8_t {
        Aside,         ///< not in the context, but may be a parent (model changes, labels, data of extensions)
        Message,       ///< a message, the output of a tool or of the user's `!` command, or content by an extension
        Compaction,    ///< a summary, and the entry from which the array continues behind it
        BranchSummary, ///< the user switched branches; summarises the branch they left
    };
    Type type = Type::Aside;
    Role role = Role::User;
    bool isLinear = false;  ///< has no parent member (version 1): it follows the record before it
    bool isStopped = false; ///< an aborted or failed response
    bool isResponse = false;
    Hash id;
    Hash parent;
    Hash target;                            ///< a compaction's first kept entry, or a branch summary's branch
    std::optional<uint64_t> firstKeptPlace; ///< of a compaction in version 1: record index; the header is 0
    std::optional<uint64_t> tokensBefore;
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId externalId;
    StringId model;
    StringId responseId;
    StringId trigger;
    uint64_t line = 0;
    uint32_t firstBlock = 0; ///< index into the tree's blocks
    uint32_t blockCount = 0;
};

/// A parsed record, with its facts about the session.
struct PiRecord {
    PiEntry entry;
    std::vector<Block> blocks;
    uint64_t sideBytes = 0; ///< bytes of it that were never in a context
    bool isHeader = false;
    std::string sessionId;
    std::string workingFolder;
    std::string name;        ///< the user's name for the session
    std::string forkedFrom;  ///< the session it was forked from
    std::string unknownRole; ///< of a message with an unknown role
};

/// Reads one record. A command that the user ran (`!ls`) becomes two texts, the command and its output, without the
/// words and fences that pi adds when it sends them (some 30 characters at most). Summaries come without pi's sentence
/// before them, too.
[[nodiscard]] PiRecord readPiRecord(SessionBuilder &builder, const Record &record);

} // namespace core
