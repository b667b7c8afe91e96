// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/chat_parts.h"
#include "core/json/line_cursor.h"
#include "core/session/builder.h"

#include <utility>

namespace core {

/// One message of a Chat Completions or LangChain array.
struct ChatMessage {
    MessageDraft draft;
    std::optional<Usage> usage; ///< of the call that wrote it, if the message has it
    uint64_t sideBytes = 0;     ///< bytes of the message outside of its blocks, plus the `sideBytes` of the blocks
    bool isSummary = false;
};

/// Reads messages of OpenAI's Chat Completions and of LangChain's three forms into drafts. They share their parts:
/// LangChain stores OpenAI's, Anthropic's and its own content blocks side by side, and traces contain any of them.
///
/// Changes only interned names and sources of the builder, so that a document can be read twice.
class ChatReader final {
public:
    /// `source` must contain the messages passed to `read`.
    ChatReader(SessionBuilder &builder, SourceId source, LineCursor lines);

    /// Reads one message; nullopt if it is not one, with a diagnostic for the reason.
    [[nodiscard]] std::optional<ChatMessage> read(std::string_view raw);
    /// Reads all messages of an array. A truncated or damaged end becomes a diagnostic; everything before it is read.
    [[nodiscard]] std::vector<ChatMessage> readAll(std::string_view array);
    /// Reads text or content parts that have only a role, as traces write them.
    [[nodiscard]] ChatMessage readContent(Role role, std::string_view content, std::string_view record);
    /// Reads the `tools` (or the older `functions`) of a request: one block each.
    [[nodiscard]] std::vector<Block> readTools(std::string_view array);

    [[nodiscard]] uint64_t lineOf(std::string_view place) { return m_lines.lineOf(place); }
    void warn(std::string_view place, std::string reason);
    /// Gives the builder the diagnostics since the last call.
    void report();
    /// Returns them instead.
    [[nodiscard]] std::vector<Diagnostic> takeDiagnostics() { return std::exchange(m_diagnostics, {}); }

private:
    struct Opened {
        JsonMembers fields;
        std::string type; ///< LangChain's type in its short form; empty for Chat
    };

    [[nodiscard]] std::optional<Opened> open(std::string_view raw);
    [[nodiscard]] std::optional<Role> roleOf(const Opened &message, std::string_view raw);
    void addResultFacts(ChatMessage &message, const JsonMembers &fields);
    void addAnswerFacts(ChatMessage &message, const JsonMembers &fields);

    [[nodiscard]] ChatMessage finished(ChatAssembly &message, std::string_view record);
    void setFlags(ChatMessage &message) const;

    SessionBuilder &m_builder;
    SourceId m_source;
    ChatParts m_parts;
    LineCursor m_lines;
    std::vector<Diagnostic> m_diagnostics;
};

/// Reads usage as OpenAI, LiteLLM, OpenRouter, DeepSeek, Anthropic and LangChain write it. `prompt_tokens`, and
/// `input_tokens` beside `input_token_details`, include cache reads and writes; Anthropic's own `input_tokens` does
/// not. If the parts exceed the whole, an older writer did not include them.
[[nodiscard]] std::optional<Usage> chatUsage(std::string_view raw);

/// The name of a tool definition in OpenAI's or Anthropic's form.
[[nodiscard]] std::string toolNameOf(std::string_view definition);

} // namespace core
