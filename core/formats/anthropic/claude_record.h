// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/claude_tree.h"
#include "core/formats/reading/json_records.h"

#include <memory>
#include <span>

namespace core {

/// One parsed record of a Claude Code file, and what it says about the whole file. The caller keeps the list with its
/// blocks.
struct ClaudeDraft {
    ClaudeRecord record;
    std::unique_ptr<ClaudeRecord> agent; ///< the message of a subagent that a `progress` record repeats
    StringId version;                    ///< of Claude Code
    StringId cwd;
    uint64_t sideBytes = 0;
    bool hasBrokenMessage = false; ///< a message that is no object, where there should be one
    bool isInTree = false;         ///< not metadata: titles, snapshots, queue operations
};

/// Parses single records. `ClaudeLinks` connects them.
class ClaudeRecordParser final {
public:
    /// The stream of the SDK holds the same messages in thinner envelopes. Names are interned in `names`.
    ClaudeRecordParser(SessionBuilder &names, bool isStream)
        : m_names(names)
        , m_isStream(isStream)
    {
    }

    /// Reads into `draft`, a new one, and appends the record's blocks to `blocks`. Throws `simdjson_error` on damage.
    void parse(
        simdjson::ondemand::object &object, const Record &record, ClaudeDraft &draft, std::vector<Block> &blocks);

private:
    SessionBuilder &m_names;
    bool m_isStream;
};

/// Moves records that were parsed apart into a session: replaces the ids of names by those of the session, and counts
/// offsets from the beginning of the file.
class NameMap final {
public:
    NameMap(const SessionBuilder &from, SessionBuilder &to)
        : m_from(from)
        , m_to(to)
        , m_known(from.stringCount())
    {
    }

    void adopt(ClaudeRecord &record, std::span<Block> blocks, uint64_t bytesBefore);
    void adopt(StringId &id);

private:
    const SessionBuilder &m_from;
    SessionBuilder &m_to;
    std::vector<StringId> m_known; ///< by the former id
};

} // namespace core
