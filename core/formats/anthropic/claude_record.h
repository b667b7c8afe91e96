// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/claude_queue.h"
#include "core/formats/anthropic/claude_tree.h"
#include "core/formats/reading/json_records.h"

#include <memory>
#include <span>

namespace core {

/// One parsed record of a Claude Code file, and its facts about the whole file. The caller stores its blocks.
struct ClaudeDraft {
    ClaudeRecord record;
    std::unique_ptr<ClaudeRecord> agent; ///< the subagent's message that a `progress` record repeats
    StringId version;                    ///< Claude Code's version
    StringId cwd;
    StringId branch;
    QueueStep queueStep = QueueStep::None;
    Hash queuedText;       ///< of the steps Enqueue and Logged
    bool isPrompt = false; ///< that text is no slash command and nothing that the harness wrote
    uint64_t sideBytes = 0;
    bool hasBrokenMessage = false; ///< a message that should be an object and is not
    bool isInTree = false;         ///< not metadata: titles, snapshots, steps of the queue
};

/// Parses single records. `ClaudeLinks` connects them.
class ClaudeRecordParser final {
public:
    /// `isStream`: the SDK's stream, which has the same messages in smaller envelopes. Names are interned in `names`.
    ClaudeRecordParser(SessionBuilder &names, bool isStream)
        : m_names(names)
        , m_isStream(isStream)
    {
    }

    /// Reads into `draft`, which must be new, and appends the record's blocks to `blocks`. Throws `simdjson_error` on
    /// damage.
    void parse(
        simdjson::ondemand::object &object, const Record &record, ClaudeDraft &draft, std::vector<Block> &blocks);

private:
    SessionBuilder &m_names;
    bool m_isStream;
};

/// Moves separately parsed records into a session: replaces name ids by those of the session, and makes offsets
/// relative to the file.
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
