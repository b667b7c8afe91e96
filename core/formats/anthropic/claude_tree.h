// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/claude_links.h"

#include <map>

namespace core {

/// Rebuilds the arrays of a Claude Code session from its records: the parent links make a tree (rewinds are branches,
/// parallel tool results are not), response records with one message id are one message wherever they stand, tool
/// results of one response are one user message, a compaction boundary starts a new array.
///
/// Every response is a call, on the active path or on an abandoned one; its array is the path that leads to it.
///
/// Between snapshots the session stays in the builder: what follows the first changed message in the pool is put there
/// again, everything before it stays.
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

    /// Makes room for as many records and blocks in all.
    void reserve(size_t records, size_t blocks);
    [[nodiscard]] size_t recordCount() const { return m_records.size(); }
    [[nodiscard]] size_t blockCount() const { return m_blocks.size(); }

    /// The session of all records so far. Costs O(blocks) for the copy, and otherwise what was added, unless that
    /// changes the past.
    [[nodiscard]] SessionPtr snapshot();
    /// The same; the builder and the records are used up.
    [[nodiscard]] SessionPtr finish();

private:
    static constexpr int kNone = ClaudeNode::kNone;

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
    /// How far the pool reaches with a thread, and how many of its nodes are in it.
    struct Emitted {
        size_t messages = 0;
        size_t blocks = 0;
        size_t nodes = 0;
    };
    std::vector<Emitted> m_emitted; ///< by thread
    std::optional<Body> m_clearedBody;
    std::unordered_map<BlockId, BlockId> m_stubs;                  ///< by the block that each stands for
    std::map<std::pair<uint32_t, uint64_t>, std::string> m_titles; ///< by the place of the body
    MessageDraft m_draft;
};

} // namespace core
