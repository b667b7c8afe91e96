// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"
#include "core/session/builder.h"

#include <utility>

namespace core {

/// One message of a Chat Completions or LangChain array.
struct ChatMessage {
    MessageDraft draft;
    std::optional<Usage> usage; ///< of the call that wrote it, where the message itself holds it
    uint64_t sideBytes = 0;     ///< that stand beside its blocks, and those of the blocks
    bool isSummary = false;
};

/// Reads messages of OpenAI's Chat Completions and of LangChain's three forms into drafts. The two share their parts:
/// LangChain stores OpenAI's, Anthropic's and its own content blocks side by side, and traces hold either.
///
/// It changes nothing in the builder but interned names and sources, so that a document can be read twice.
class ChatReader final {
public:
    /// `source` holds the messages that are given to `read`.
    ChatReader(SessionBuilder &builder, SourceId source, LineCursor lines);

    /// One message as it is written; nothing if it is none, with a diagnostic that says why.
    [[nodiscard]] std::optional<ChatMessage> read(std::string_view raw);
    /// All messages of an array. A cut or damaged end is a diagnostic; what stands before it is read.
    [[nodiscard]] std::vector<ChatMessage> readAll(std::string_view array);
    /// Text or content parts that stand alone with a role, as traces write them.
    [[nodiscard]] ChatMessage readContent(Role role, std::string_view content, std::string_view record);
    /// The `tools` (or the older `functions`) of a request: one block each.
    [[nodiscard]] std::vector<Block> readTools(std::string_view array);

    [[nodiscard]] uint64_t lineOf(std::string_view place) { return m_lines.lineOf(place); }
    void warn(std::string_view place, std::string reason);
    /// What was found amiss since the last call.
    [[nodiscard]] std::vector<Diagnostic> takeDiagnostics() { return std::exchange(m_diagnostics, {}); }

private:
    struct Assembly;
    struct Opened {
        JsonMembers fields;
        std::string type; ///< LangChain's, in its short form; empty for Chat's
    };

    [[nodiscard]] std::optional<Opened> open(std::string_view raw);
    [[nodiscard]] std::optional<Role> roleOf(const Opened &message, std::string_view raw);
    void addResultFacts(ChatMessage &message, const JsonMembers &fields);
    void addAnswerFacts(ChatMessage &message, const JsonMembers &fields);

    void addContent(Assembly &message, std::string_view raw);
    void addPart(Assembly &message, std::string_view raw);
    void addImagePart(Assembly &message, const JsonMembers &part, std::string_view raw);
    void addDocumentPart(Assembly &message, const JsonMembers &part, std::string_view raw);
    void addCallPart(Assembly &message, const JsonMembers &part, std::string_view raw);
    void addImage(Assembly &message, std::string_view url, std::string_view mediaType);
    void addReasoning(Assembly &message, const JsonMembers &part);
    void addResultContent(Assembly &message, std::string_view raw);
    void addToolResultPart(Assembly &message, const JsonMembers &part);
    [[nodiscard]] Block call(std::string_view name, std::string_view id, std::string_view arguments);
    [[nodiscard]] std::optional<Block> callOf(std::string_view raw);
    void addCalls(Assembly &message, const JsonMembers &fields);
    void addThinking(Assembly &message, const JsonMembers &fields);
    [[nodiscard]] Block text(BlockKind kind, std::string_view rawBetweenQuotes);
    [[nodiscard]] Block value(BlockKind kind, std::string_view raw);
    [[nodiscard]] ChatMessage finished(Assembly &message, std::string_view record);
    void setFlags(ChatMessage &message) const;

    SessionBuilder &m_builder;
    SourceId m_source;
    LineCursor m_lines;
    std::vector<Diagnostic> m_diagnostics;
};

/// Usage as OpenAI, LiteLLM, OpenRouter, DeepSeek, Anthropic and LangChain write it. `prompt_tokens`, and
/// `input_tokens` beside `input_token_details`, include what was read from or written to the cache; Anthropic's own
/// `input_tokens` does not. Where the parts are larger than the whole, an older writer left them out of it.
[[nodiscard]] std::optional<Usage> chatUsage(std::string_view raw);

/// The name of a tool definition in OpenAI's or Anthropic's form.
[[nodiscard]] std::string toolNameOf(std::string_view definition);

} // namespace core
