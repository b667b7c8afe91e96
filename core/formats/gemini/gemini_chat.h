// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"
#include "core/session/builder.h"

#include <set>
#include <unordered_map>

namespace core {

/// Replays the records of a Gemini CLI chat: messages, updates of messages under the same id, `$set` and `$rewindTo`.
/// Source: chatRecordingService.ts of Gemini CLI (August 2026), `loadConversationRecord`.
///
/// **Calls.** Each response of the model is a call. In JSONL a record without model and usage is no call: the harness
/// writes such records itself. Thoughts are summaries for the reader; they are not sent again. Tool results stand in
/// the record of their call; newer versions record the message that sent them, too, and then that message counts.
///
/// **Compactions.** `$set.messages` is a new array. At a compression the harness first appends the new messages as
/// records of their own; these do not belong to the array before the compression. Messages that the compression keeps
/// get new ids there; they are recognised by what they send.
class GeminiChat final {
public:
    /// Applies one record. The bytes of `record` are in the source `holder`.
    void accept(SessionBuilder &builder, std::string_view record, SourceId holder, LineCursor &lines);
    /// Adds everything to the builder's main thread, which must be empty.
    void finish(SessionBuilder &builder) const;

    /// Whether no message was read so far.
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }

private:
    /// One message record in its latest version.
    struct Entry {
        std::string id;
        MessageDraft own;
        std::vector<Block> results; ///< recorded with the calls
        std::optional<Usage> usage;
        bool isContext = false;  ///< user or model; not a notice of the harness
        bool isResponse = false; ///< the model wrote it
        bool isCall = false;     ///< a response that was recorded when it came, not as a part of a new array
        bool isBare = false;     ///< calls alone: the rest of the response is in the record before
        Hash content;            ///< of what is sent of `own`
        Hash resultContent;      ///< of `results`
    };
    /// An array that grows until a record replaces it.
    struct Epoch {
        std::vector<uint32_t> array; ///< entries
        size_t firstEntry = 0;       ///< entries from here on came in after it began
        CompactionKind kind = CompactionKind::Replacement;
        uint64_t line = 0;
    };
    class Writer;

    Entry read(SessionBuilder &builder, const JsonMembers &record, std::string_view raw, SourceId holder,
        LineCursor &lines) const;
    void readModel(SessionBuilder &builder, const JsonMembers &record, SourceId holder, Entry &entry) const;
    void addMessage(SessionBuilder &builder, Entry entry);
    void setMessages(SessionBuilder &builder, std::string_view array, SourceId holder, LineCursor &lines);
    [[nodiscard]] static bool isSame(const Entry &recorded, const Entry &set, const std::set<StringId> &answered);
    size_t dropAppended(const std::vector<uint32_t> &after);
    void reuseKept(std::vector<uint32_t> &after, size_t known, size_t firstCopy, const std::set<StringId> &answered);
    void rewindTo(std::string_view id, uint64_t line);
    void begin(std::vector<uint32_t> array, CompactionKind kind, uint64_t line);
    [[nodiscard]] CompactionKind kindOf(const std::vector<uint32_t> &before, const std::vector<uint32_t> &after) const;
    [[nodiscard]] std::vector<uint32_t> inContext(const std::vector<uint32_t> &array) const;

    std::vector<Entry> m_entries;
    std::vector<Epoch> m_epochs { Epoch {} };
    std::unordered_map<std::string, uint32_t> m_places; ///< entries of the current array by id
    bool m_isDocument = false;                          ///< one JSON document of an older version
    /// A program has resumed the chat. The next array that it writes is skipped if it has fewer than two messages: it
    /// is only the beginning of a new chat.
    bool m_isResumed = false;
};

} // namespace core
