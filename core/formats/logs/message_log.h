// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/orphan_results.h"
#include "core/formats/reading/record_blocks.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"

namespace core {

/// A log whose records are the messages of one thread, in order, and of which nothing leaves the array. Its formats
/// derive from it and add the messages.
class MessageLog {
public:
    [[nodiscard]] bool isEmpty() const { return m_log.isEmpty(); }
    void finish(SessionBuilder &builder) const
    {
        m_log.write(builder, ThreadIndex(0U));
        linkToolResults(builder.session());
        noteOrphanResults(builder);
        setTypedTitle(builder);
    }

protected:
    /// A message of this record without blocks.
    static LoggedMessage messageOf(Role role, const Record &record)
    {
        LoggedMessage message;
        message.draft.role = role;
        message.draft.line = record.line;
        message.isResponse = role == Role::Assistant;
        return message;
    }
    /// A record that no format note knows: a slot of its own, with the whole record.
    void addUnknown(SessionBuilder &builder, const Record &record, std::string_view type)
    {
        LoggedMessage message = messageOf(Role::User, record);
        message.draft.blocks.push_back(
            RecordBlocks(builder, record).block(BlockKind::Opaque, record.bytes, decodeJsonString(type)));
        add(std::move(message));
    }
    void add(LoggedMessage message)
    {
        if (!message.draft.blocks.empty())
            m_log.add(std::move(message));
    }

private:
    ThreadLog m_log;
};

} // namespace core
