// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/claude_links.h"

#include <map>

namespace core {

/// Rebuilds the arrays of a Claude Code session from its records. Parent links form a tree: rewinds are branches,
/// parallel tool results are not. Response records with the same message id are one message, wherever they are. The
/// tool results of one response are one user message. A compaction boundary starts a new array.
///
/// Every response is a call, on the active path or on an abandoned one. Its array is the path that leads to it.
///
/// Between snapshots the session stays in the builder: the pool is rebuilt from the first changed message on.
class ClaudeTree final {
public:
    explicit ClaudeTree(SessionBuilder &builder)
        : m_builder(builder)
        , m_links(m_records, m_blocks)
    {
    }
    ClaudeTree(const ClaudeTree &) = delete;
    ClaudeTree &operator=(const ClaudeTree &) = delete;
    ~ClaudeTree() = default;

    void add(ClaudeRecord record, std::span<const Block> blocks);

    /// Reserves room for that many records and blocks in all.
    void reserve(size_t records, size_t blocks);
    [[nodiscard]] size_t recordCount() const { return m_records.size(); }
    [[nodiscard]] size_t blockCount() const { return m_blocks.size(); }

    /// The session of all records so far. Costs O(blocks) for the copy plus what was added since, unless new records
    /// change earlier links.
    [[nodiscard]] SessionPtr snapshot();
    /// The same; consumes builder and records.
    [[nodiscard]] SessionPtr finish();

private:
    static constexpr int kNone = ClaudeNode::kNone;

    [[nodiscard]] std::vector<Diagnostic> notes() const;
    void update();
    void clear();
    void emitFrom(size_t threadNumber);
    void emitNode(ClaudeNode &target);
    void emitCalls(size_t threadNumber, int firstChanged);
    void emitCompactions(size_t threadNumber);
    void finishThreads();
    void setTitles();

    [[nodiscard]] BlockRanges cleared(const BlockRanges &array, const std::vector<StringId> &calls);
    BlockId addStub(BlockId original);
    void appendKept(ClaudeNode &target);
    [[nodiscard]] BlockRange blocksOf(uint32_t recordIndex) const;
    [[nodiscard]] bool isSentAgain(const ClaudeNode &message) const;
    [[nodiscard]] Call callOf(const ClaudeNode &response) const;
    [[nodiscard]] RecordedCompaction compactionOf(size_t recordIndex, size_t nextCall) const;
    [[nodiscard]] RecordedCompaction summaryOf(
        size_t recordIndex, int nodeIndex, size_t nextEvent, const std::vector<Call> &calls) const;
    [[nodiscard]] RecordedCompaction clearingOf(
        size_t recordIndex, int nodeIndex, const std::vector<Call> &calls) const;
    [[nodiscard]] const std::vector<int> &responsesBeside(size_t recordIndex) const;
    [[nodiscard]] size_t callBehind(size_t recordIndex) const;
    [[nodiscard]] bool hangsOn(int nodeIndex, int above) const;
    [[nodiscard]] int lastArrayNode(size_t threadNumber, size_t limit) const;
    [[nodiscard]] uint32_t recordOf(int nodeIndex) const { return m_links.node(nodeIndex).record; }

    SessionBuilder &m_builder;
    std::vector<ClaudeRecord> m_records;
    std::vector<Block> m_blocks;
    ClaudeLinks m_links;
    /// The end of a thread's part of the pool, and the number of its nodes there.
    struct Emitted {
        size_t messages = 0;
        size_t blocks = 0;
        size_t nodes = 0;
    };
    std::vector<Emitted> m_emitted; ///< by thread
    std::optional<Body> m_clearedBody;
    std::unordered_map<BlockId, BlockId> m_stubs;                  ///< by the block that each stub replaces
    std::map<std::pair<uint32_t, uint64_t>, std::string> m_titles; ///< by source and offset of the body
    MessageDraft m_draft;
};

} // namespace core
