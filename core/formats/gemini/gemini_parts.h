// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

namespace core {

/// Turns the content of Gemini messages into blocks: a string, a part, or an array of both. Parts are recognised by
/// their members, in camelCase (REST, JavaScript) and snake_case (Python). Unknown parts become opaque blocks.
/// Source: `Part` of the Gemini API; `PartListUnion` of @google/genai.
class GeminiParts final {
public:
    /// `holder` is the source that contains the content.
    GeminiParts(SessionBuilder &builder, SourceId holder)
        : m_builder(builder)
        , m_holder(holder)
    {
    }

    void add(std::string_view content, std::vector<Block> &blocks) const;
    /// A call with its arguments as JSON.
    [[nodiscard]] Block callBlock(std::string_view name, std::string_view id, std::string_view arguments) const;
    /// A text of the file that is not a part: a thought, a result recorded as a string. `raw` is between its quotes.
    [[nodiscard]] Block stringBlock(BlockKind kind, std::string_view raw, std::string_view name = {}) const;

private:
    void addPart(std::string_view raw, std::vector<Block> &blocks) const;
    void addResponse(std::string_view raw, std::vector<Block> &blocks) const;
    [[nodiscard]] Block mediaBlock(std::string_view raw, BlockKind otherwise) const;

    SessionBuilder &m_builder;
    SourceId m_holder;
};

/// Gives every call and result of the pool an id, where the file has none: a result answers the first open call of its
/// name in the message with calls before it. Then names the results after their calls, and notes those without a call.
void linkGeminiCalls(SessionBuilder &builder);

/// Marks a user message that is Gemini CLI's summary, else its texts as typed or as injected by the harness. A message
/// with a tool result was not typed, nor were the files that a prompt names with `@`.
void markGeminiUser(const SessionBuilder &builder, MessageDraft &draft);

} // namespace core
