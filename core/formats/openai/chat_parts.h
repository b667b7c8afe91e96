// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json_probe.h"
#include "core/session/builder.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// A message while its members are being collected.
struct ChatAssembly {
    struct Entry {
        Block block;
        bool isEcho = false;  ///< a content part that may only repeat one of the message's tool calls
        uint64_t rawSize = 0; ///< of the part
    };

    std::vector<Block> thinking; ///< reasoning that stands beside the content
    std::vector<Entry> entries;  ///< the content, in order
    Role role = Role::User;
    bool hasCacheMark = false;
    uint64_t sideBytes = 0; ///< bytes of the message that repeat its blocks

    void add(Block block)
    {
        if (block.body.coding != Coding::Empty)
            entries.push_back({ std::move(block), false, 0 });
    }
    [[nodiscard]] bool hasThinking() const
    {
        return std::ranges::any_of(entries, [](const Entry &entry) {
            return entry.block.kind == BlockKind::Thinking && !entry.block.is(BlockFlag::Encrypted);
        });
    }
};

/// Reads the parts of messages of OpenAI's Chat Completions and of LangChain into blocks: texts, images, files, tool
/// calls, results, reasoning. It changes nothing in the builder but interned names and sources.
class ChatParts final {
public:
    ChatParts(SessionBuilder &builder, SourceId source)
        : m_builder(builder)
        , m_source(source)
    {
    }

    void addContent(ChatAssembly &message, std::string_view raw);
    void addDocumentPart(ChatAssembly &message, const JsonMembers &part, std::string_view raw);
    void addResultContent(ChatAssembly &message, std::string_view raw);
    void addCalls(ChatAssembly &message, const JsonMembers &fields);
    void addThinking(ChatAssembly &message, const JsonMembers &fields);
    [[nodiscard]] Block text(BlockKind kind, std::string_view rawBetweenQuotes);

private:
    void addPart(ChatAssembly &message, std::string_view raw);
    void addImagePart(ChatAssembly &message, const JsonMembers &part, std::string_view raw);
    void addCallPart(ChatAssembly &message, const JsonMembers &part, std::string_view raw);
    void addImage(ChatAssembly &message, std::string_view url, std::string_view mediaType);
    void addReasoning(ChatAssembly &message, const JsonMembers &part);
    void addToolResultPart(ChatAssembly &message, const JsonMembers &part);
    [[nodiscard]] Block call(std::string_view name, std::string_view id, std::string_view arguments);
    [[nodiscard]] std::optional<Block> callOf(std::string_view raw);
    [[nodiscard]] Block value(BlockKind kind, std::string_view raw);
    [[nodiscard]] Block listBlock(std::string_view raw);

    SessionBuilder &m_builder;
    SourceId m_source;
};

/// The first of these members that is a string with something in it, between its quotes.
[[nodiscard]] std::string_view firstString(const JsonMembers &members, std::initializer_list<std::string_view> keys);

[[nodiscard]] inline bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

} // namespace core
