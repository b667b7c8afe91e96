// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/claude_tree.h"
#include "core/formats/reading/json_records.h"

#include <memory>
#include <span>

namespace core {

/// One record of a Claude Code file as it was read, with what the file as a whole is told by it. The blocks of its
/// records stand in a list that the caller keeps.
struct ClaudeDraft {
    ClaudeRecord record;
    std::unique_ptr<ClaudeRecord> agent; ///< the message of a subagent that a `progress` record repeats
    StringId version;                    ///< of Claude Code
    StringId cwd;
    uint64_t sideBytes = 0;
    bool hasBrokenMessage = false; ///< a message that is no object, where there should be one
    bool isInTree = false;         ///< not metadata: titles, snapshots, queue operations
};

/// Reads single records; what they are to each other is for others (claude_tree.h).
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

/// Brings records that were read apart into a session: their names get the ids that they have there, and places are
/// counted from the beginning of the file.
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
    std::vector<StringId> m_known; ///< by the id there was
};

} // namespace core
