// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/chat_messages.h"

#include <span>

namespace core {

/// One array with the facts about its call: a request, a run, a stored state.
struct ChatRun {
    std::vector<ChatMessage> messages; ///< including the response
    std::vector<Block> prelude;
    bool hasResponse = false; ///< the last message is the response of a recorded call
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

/// The single JSON value of a source, in `source`: the file's, or a repaired copy's.
struct DocumentText {
    SourceId source;
    std::string_view text;
    bool isCut = false; ///< the file is truncated, and its last values may be incomplete
};

/// Reads a source that is one JSON document like `readDocument`, and returns its text. The content is read only once
/// the text is known to be complete. Text behind the value becomes a diagnostic.
[[nodiscard]] Result<DocumentText> documentText(SessionBuilder &builder, SourceId source);

/// Links tool results to their calls: sets the call's name and subject and, in formats without ids, an id. A result
/// belongs to the latest call with its id that has no result yet (harnesses that replay cached responses repeat ids).
/// Without an id it belongs to the first open call of its name, or of any name if it has none.
class CallLinker final {
public:
    enum class Orphans : uint8_t { Noted, Silent }; ///< results without a call

    explicit CallLinker(SessionBuilder &builder)
        : m_builder(builder)
    {
    }
    void link(MessageDraft &message, Orphans orphans = Orphans::Noted);
    /// Gives the builder the diagnostics since the last call.
    void report();
    /// Returns them instead.
    [[nodiscard]] std::vector<Diagnostic> takeDiagnostics() { return std::exchange(m_diagnostics, {}); }

private:
    struct OpenCall {
        StringId id;
        StringId name;
        StringId subject;
        bool isAnswered = false;
    };
    /// The place of the call in `m_calls`; nullopt without one.
    std::optional<size_t> linkResult(Block &block, uint64_t line, Orphans orphans);
    void noteOrphan(const Block &result, uint64_t line);

    SessionBuilder &m_builder;
    std::vector<OpenCall> m_calls;
    std::unordered_map<StringId, std::vector<size_t>> m_byId;
    size_t m_firstOpen = 0;
    uint32_t m_unnamed = 0;
    std::vector<Diagnostic> m_diagnostics;
};

/// The first user message, shortened for a title.
[[nodiscard]] std::string titleOf(const SessionBuilder &builder, std::span<const ChatMessage> messages);

/// Adds a run as a thread: prelude, messages, one call for every response (derived if neither usage nor a response was
/// recorded), and a recorded compaction for every summary. The array before a compaction is empty, as the file does not
/// contain it.
ThreadIndex addRun(SessionBuilder &builder, ThreadKind kind, ChatRun &run);

/// Whether the runs are requests of one growing conversation: at least one of them starts with the whole array of the
/// run before it and extends it, and that array has more than instructions.
[[nodiscard]] bool extendEachOther(const SessionBuilder &builder, std::span<const ChatRun> runs);

/// Adds the runs as a recording of requests: blocks in several requests become one.
void addRecording(SessionBuilder &builder, std::span<ChatRun> runs);

} // namespace core
