// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/alignment.h"
#include "core/session/request_items.h"

namespace core::requests {

/// The blocks and messages of all requests, each once, before they are put into the builder's pool. Blocks and messages
/// have numbers here; `Alignment::kNone` means none.
class Pool final {
public:
    [[nodiscard]] size_t size() const { return m_blocks.size(); }
    [[nodiscard]] const Block &block(uint32_t id) const { return m_blocks[id].block; }
    [[nodiscard]] Hash key(uint32_t id) const { return m_blocks[id].key; }
    [[nodiscard]] uint32_t messageOf(uint32_t id) const { return m_blocks[id].message; }
    [[nodiscard]] Role roleOf(uint32_t id) const { return m_messages[messageOf(id)].head.role; }
    [[nodiscard]] bool isModelOutput(uint32_t id) const { return requests::isModelOutput(block(id), roleOf(id)); }
    [[nodiscard]] std::vector<Hash> keysOf(std::span<const uint32_t> blocks) const;

    /// A request's array as blocks of the pool. `known` holds the known block of each item, or none; new ones are added
    /// for the rest. `mergesUsers`: the session's slots merge user messages.
    [[nodiscard]] std::vector<uint32_t> arrayOf(
        const RequestDraft &request, const Items &items, std::vector<uint32_t> known, bool mergesUsers);
    /// Adds a recorded response message and returns its blocks, which stay together.
    [[nodiscard]] std::vector<uint32_t> addOutput(const MessageDraft &draft);
    /// The new assistant messages directly after the known part of `array`: the output of the previous call. Blocks
    /// from `knownBlocks` on are new.
    [[nodiscard]] std::vector<uint32_t> inferredOutput(std::span<const uint32_t> array, size_t knownBlocks);

    /// Puts the messages of these blocks into the builder's pool, unless they are there.
    void place(std::span<const uint32_t> blocks, ThreadIndex thread, SessionBuilder &builder);
    /// Blocks that have been placed, as ranges of the builder's pool.
    [[nodiscard]] BlockRanges rangesOf(std::span<const uint32_t> blocks) const;
    void appendRanges(BlockRanges &ranges, std::span<const uint32_t> blocks) const;
    /// The blocks of an output as one range; they are adjacent unless another thread shares only some of them.
    [[nodiscard]] BlockRange contiguous(std::span<const uint32_t> blocks) const;

private:
    static constexpr uint32_t kNone = Alignment::kNone;

    struct PoolBlock {
        Block block;
        Hash key; ///< role and content
        uint32_t message = 0;
        BlockId placed;
    };
    struct PoolMessage {
        MessageDraft head; ///< without its blocks
        std::vector<uint32_t> blocks;
        uint32_t claimedBy = kNone; ///< the latest request that has it
        bool isOutput = false;
        bool isPlaced = false;
    };

    void resolveOwners(const RequestDraft &request, const Items &items, size_t message, bool mergesUsers,
        std::vector<uint32_t> &found) const;
    uint32_t addMessage(const MessageDraft &draft);
    uint32_t addBlock(const Block &block, Hash key, uint32_t message, uint32_t behind, uint32_t before);

    std::vector<PoolBlock> m_blocks;
    std::vector<PoolMessage> m_messages;
    uint32_t m_requestCount = 0;
};

} // namespace core::requests
