// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace core {

/// Which blocks of an array hold equal texts. Only blocks as long as one that is asked about are looked at; of those,
/// the first bytes are read where two are equally long, and the whole text where their beginnings are equal too: each
/// text is read once at most.
class TextTwins final {
public:
    explicit TextTwins(const Session &session)
        : m_session(session)
    {
    }

    /// Texts as long as this block's will be asked about.
    void ask(const Block &block) { m_byLength.try_emplace(lengthsOf(block)); }

    /// Finds them among the blocks of the array, in its order.
    void find(std::span<const BlockId> array);

    /// Places in the array that hold the text of this block, in order; empty if no other place does.
    [[nodiscard]] std::span<const uint32_t> placesOf(BlockId id) const;
    /// The number of the text of this block, if other places hold it too.
    [[nodiscard]] uint32_t textOf(BlockId id) const;

    static constexpr uint32_t kNone = 0xffffffffU;

    /// How much was done: blocks looked at, and bytes read of their texts.
    [[nodiscard]] uint64_t effort() const { return m_effort; }

private:
    struct Lengths {
        uint64_t codePoints = 0;
        uint64_t bytes = 0;
        friend bool operator==(const Lengths &, const Lengths &) = default;
    };
    struct HashOfLengths {
        size_t operator()(const Lengths &lengths) const
        {
            return lengths.codePoints * 0x9E3779B97F4A7C15U + lengths.bytes;
        }
    };
    static Lengths lengthsOf(const Block &block) { return { block.body.lengths.codePoints, block.body.lengths.bytes }; }

    void findIn(std::span<const BlockId> array, const std::vector<uint32_t> &places);
    [[nodiscard]] Hash headHash(BlockId id);
    [[nodiscard]] Hash textHash(BlockId id);

    const Session &m_session;
    std::unordered_map<Lengths, std::vector<uint32_t>, HashOfLengths> m_byLength; ///< places in the array
    std::vector<std::vector<uint32_t>> m_texts;                                   ///< the same, by text
    std::unordered_map<BlockId, uint32_t> m_textOf;
    uint64_t m_effort = 0;
};

} // namespace core
