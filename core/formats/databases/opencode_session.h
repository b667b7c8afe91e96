// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/record_blocks.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace core {

/// The messages of one session of opencode and their parts, in order.
///
/// A message of the model has one or more steps; each is a call. The result of a tool stands in the part of its call;
/// it is a message behind the step. A compaction is a message with a part of type `compaction`, and the summary that
/// answers it; the array after it is these two and, in newer versions, the messages from `tail_start_id` on. Cleared
/// results have the time at which they were cleared; calls behind it are sent a stub. Source: session/message-v2.ts of
/// opencode (2026): `toModelMessages`, `filterCompacted`; session/compaction.ts.
class OpencodeSession final {
public:
    void addMessage(SessionBuilder &builder, const std::string &id, const JsonMembers &info, const Record &record);
    void addPart(SessionBuilder &builder, const std::string &message, std::string_view raw, const Record &record);
    /// Adds everything to a thread that has no messages.
    void write(SessionBuilder &builder, ThreadIndex thread) const;
    [[nodiscard]] bool isEmpty() const { return m_messages.empty(); }

    /// The id of the call whose part names the session that it started; invalid if none does.
    [[nodiscard]] StringId callOfChild(SessionBuilder &builder, const std::string &session) const;

private:
    /// The result of a call, and when it was cleared.
    struct Outcome {
        LoggedMessage message;
        std::optional<Timestamp> cleared;
    };
    struct Step {
        std::vector<Block> blocks;
        std::vector<Outcome> outcomes;
        std::optional<Usage> usage;
    };
    struct Message {
        std::string id;
        std::string answered; ///< the message that it answers
        MessageDraft draft;   ///< without blocks
        std::vector<Step> steps { Step {} };
        std::optional<Usage> usage;
        std::string tail; ///< where the array goes on behind a compaction
        bool isCompaction = false;
        bool isSummary = false;
        bool isFailed = false; ///< given up with an error; not sent again
    };
    /// Where the parts of a message are in a log.
    using Places = std::unordered_map<std::string, size_t>;
    class Writer;

    static void addUserPart(
        SessionBuilder &builder, const JsonMembers &part, const RecordBlocks &blocks, Message &message);
    void addTool(SessionBuilder &builder, const JsonMembers &part, const RecordBlocks &blocks, Message &message);

    std::vector<Message> m_messages;
    Places m_byId;
    std::unordered_map<std::string, std::string> m_children; ///< call ids by the sessions that they started
};

} // namespace core
