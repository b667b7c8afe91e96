// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <span>
#include <vector>

namespace core {

/// One record of a Claude Code file, as far as the shape of the conversation depends on it.
struct ClaudeRecord {
    enum class Type : uint8_t {
        Link, ///< not in the context, but other records hang on it (`progress`, `system`)
        User,
        Assistant,
        Boundary, ///< `compact_boundary`: the array starts anew behind it
        Clearing, ///< `microcompact_boundary`: listed tool results become stubs from here on
    };
    Type type = Type::Link;
    bool isSidechain = false;
    bool isMeta = false;
    bool isSummary = false;
    bool isApiError = false;
    bool isLinear = false; ///< has no parent member: it follows the record before it in its thread
    Hash uuid;
    Hash parent;
    Hash logicalParent;
    StringId messageId; ///< the response's
    StringId recordId;  ///< the uuid in words, of messages that are no response
    StringId model;
    StringId agent;
    StringId parentTool;
    StringId trigger;
    std::optional<Usage> usage;
    std::optional<uint64_t> preTokens;
    std::optional<Timestamp> time;
    std::vector<StringId> clearedCalls;
    std::vector<RecordedFigure> figures; ///< that it tells of its compaction
    SourceId source;
    uint64_t line = 0;
    uint64_t offset = 0;
    uint64_t size = 0;
    uint32_t firstBlock = 0; ///< into the tree's blocks
    uint32_t blockCount = 0;
};

/// Rebuilds the arrays of a Claude Code session from its records: the parent links make a tree (rewinds are branches,
/// parallel tool results are not), response records with one message id are one message wherever they stand, tool
/// results of one response are one user message, a compaction boundary starts a new array.
///
/// Every response is a call, on the active path or on an abandoned one; its array is the path that leads to it.
class ClaudeTree final {
public:
    enum class Keep : uint8_t { Everything, Nothing };

    explicit ClaudeTree(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    void add(ClaudeRecord record, std::span<const Block> blocks);

    /// Makes room for as many records and blocks in all.
    void reserve(size_t records, size_t blocks);
    [[nodiscard]] size_t recordCount() const { return m_records.size(); }
    [[nodiscard]] size_t blockCount() const { return m_blocks.size(); }

    /// The session as far as records have been added. With Keep::Nothing the builder and the records are used up.
    [[nodiscard]] SessionPtr assemble(Keep keep);

private:
    SessionBuilder &m_builder;
    std::vector<ClaudeRecord> m_records;
    std::vector<Block> m_blocks;
};

} // namespace core
