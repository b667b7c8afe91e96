// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace core {

/// Finds blocks of an array with equal texts. Examines only blocks that are as long as a block passed to `ask`. Where
/// two are equally long it reads their beginnings, and the whole texts where the beginnings are equal. Reads each text
/// at most once.
class TextTwins final {
public:
    explicit TextTwins(const Session &session)
        : m_session(session)
    {
    }

    /// Announces a query for texts as long as this block's.
    void ask(const Block &block) { m_byLength.try_emplace(lengthsOf(block)); }

    /// Finds the twins among the blocks of the array. Call once, after the last `ask`.
    void find(std::span<const BlockId> array);

    /// Indices in the array of the blocks with this block's text, ascending; empty if there is no other.
    [[nodiscard]] std::span<const uint32_t> placesOf(BlockId id) const;
    /// Number of this block's text, if another block has the same text.
    [[nodiscard]] uint32_t textOf(BlockId id) const;

    static constexpr uint32_t kNone = 0xffffffffU;

    /// The work done: blocks examined plus bytes of text read.
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
    std::unordered_map<Lengths, std::vector<uint32_t>, HashOfLengths> m_byLength; ///< indices in the array
    std::vector<std::vector<uint32_t>> m_texts;                                   ///< indices in the array, by text
    std::unordered_map<BlockId, uint32_t> m_textOf;
    uint64_t m_effort = 0;
};

} // namespace core
