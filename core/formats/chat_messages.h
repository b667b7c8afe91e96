// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/json_probe.h"
#include "core/session/builder.h"

#include <utility>

namespace core {

/// Lines of a text at offsets that mostly grow: looking up n of them costs one pass over the text.
class LineCounter final {
public:
    explicit LineCounter(std::string_view text)
        : m_text(text)
    {
    }
    /// Everything stands on one line of the file: a record of a line format, a text decoded out of a string.
    explicit LineCounter(uint64_t line)
        : m_line(line)
        , m_isFixed(true)
    {
    }

    /// `place` points into the text.
    [[nodiscard]] uint64_t at(std::string_view place);

private:
    std::string_view m_text;
    size_t m_offset = 0;
    uint64_t m_line = 1;
    bool m_isFixed = false;
};

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
    ChatReader(SessionBuilder &builder, SourceId source, LineCounter lines);

    /// One message as it is written; nothing if it is none, with a diagnostic that says why.
    [[nodiscard]] std::optional<ChatMessage> read(std::string_view raw);
    /// All messages of an array. A cut or damaged end is a diagnostic; what stands before it is read.
    [[nodiscard]] std::vector<ChatMessage> readAll(std::string_view array);
    /// Text or content parts that stand alone with a role, as traces write them.
    [[nodiscard]] ChatMessage readContent(Role role, std::string_view content, std::string_view record);
    /// The `tools` (or the older `functions`) of a request: one block each.
    [[nodiscard]] std::vector<Block> readTools(std::string_view array);

    [[nodiscard]] uint64_t lineOf(std::string_view place) { return m_lines.at(place); }
    [[nodiscard]] SourceId source() const { return m_source; }
    void warn(std::string_view place, std::string reason);
    /// What was found amiss since the last call.
    [[nodiscard]] std::vector<Diagnostic> takeDiagnostics() { return std::exchange(m_diagnostics, {}); }

private:
    struct Assembly;

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
    LineCounter m_lines;
    std::vector<Diagnostic> m_diagnostics;
};

/// Usage as OpenAI, LiteLLM, OpenRouter, DeepSeek, Anthropic and LangChain write it. `prompt_tokens`, and
/// `input_tokens` beside `input_token_details`, include what was read from or written to the cache; Anthropic's own
/// `input_tokens` does not. Where the parts are larger than the whole, an older writer left them out of it.
[[nodiscard]] std::optional<Usage> chatUsage(std::string_view raw);

/// The name of a tool definition in OpenAI's or Anthropic's form.
[[nodiscard]] std::string toolNameOf(std::string_view definition);

} // namespace core
