// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/chat_messages.h"

#include <span>

namespace core {

/// One array with what the file says of the call that it was sent in: a request, a run, a stored state.
struct ChatRun {
    std::vector<ChatMessage> messages; ///< the response included
    std::vector<Block> prelude;
    bool hasResponse = false; ///< the last message came back from a recorded call
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId model;
    StringId responseId;
    uint64_t line = 0;
    uint64_t sideBytes = 0;
    std::string id;
    std::string title;
};

/// True for rows of JSON objects, false for one document.
[[nodiscard]] bool hasRows(std::string_view bytes);

/// The one JSON value that a source is, as it stands in `source`: the file's, or that of a repaired copy.
struct DocumentText {
    SourceId source;
    std::string_view text;
    bool isCut = false; ///< the file ends too early, and the last things in it may be incomplete
};

/// Reads a source that is one JSON document as `readDocument` does, and hands out its text: what stands in it is looked
/// at once it is known to be whole. What follows the value is a diagnostic.
[[nodiscard]] Result<DocumentText> documentText(SessionBuilder &builder, SourceId source);

/// Ties tool results to their calls: gives them the call's name and subject and, where the format holds none, an id.
/// A result belongs to the latest call with its id that has none yet (harnesses that replay cached responses repeat
/// ids); without an id to the first open call of its name, or of any name where it has none.
class CallLinker final {
public:
    explicit CallLinker(SessionBuilder &builder)
        : m_builder(builder)
    {
    }
    void link(MessageDraft &message);
    [[nodiscard]] std::vector<Diagnostic> takeDiagnostics() { return std::exchange(m_diagnostics, {}); }

private:
    struct OpenCall {
        StringId id;
        StringId name;
        StringId subject;
        bool isAnswered = false;
    };
    void linkResult(Block &block, uint64_t line);

    SessionBuilder &m_builder;
    std::vector<OpenCall> m_calls;
    std::unordered_map<StringId, std::vector<size_t>> m_byId;
    size_t m_firstOpen = 0;
    uint32_t m_unnamed = 0;
    std::vector<Diagnostic> m_diagnostics;
};

/// The first text that the person typed, short enough for a title.
[[nodiscard]] std::string titleOf(const SessionBuilder &builder, std::span<const ChatMessage> messages);

/// Adds a run as a thread: prelude, messages, one call for every answer (derived where neither usage nor a response
/// was recorded), and a recorded compaction for every summary. The array before it is empty: the file does not hold it.
ThreadIndex addRun(SessionBuilder &builder, ThreadKind kind, ChatRun &run);

/// True if the runs are requests of one growing conversation: at least one of them begins with the whole array of the
/// run before it and goes on, and that array holds more than instructions.
[[nodiscard]] bool extendEachOther(const SessionBuilder &builder, std::span<const ChatRun> runs);

/// Adds the runs as a recording of requests: blocks that stand in several of them are one.
void addRecording(SessionBuilder &builder, std::span<ChatRun> runs);

} // namespace core
