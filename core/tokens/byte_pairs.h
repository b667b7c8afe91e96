// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/tokens/ranks.h"

#include <array>
#include <vector>

namespace core {

/// Counts the tokens of a piece. One object per thread.
///
/// The definition: start with single bytes and repeatedly join the two neighbours whose joint token has the lowest rank
/// (the first of equals), until no two neighbours form a token. A piece that is itself a token is one token, even if
/// joining would not lead there.
///
/// Short pieces follow the definition. Long pieces are searched from left to right instead. A row of tokens is the
/// result exactly if each token, and each two neighbours, are the result of joining their own bytes: nothing is ever
/// joined across a boundary of the result, and what happens on one side of a boundary does not depend on the other
/// side. A prefix of the result is the result of that prefix. So each offset is a boundary in at most one way and is
/// tried at most once, and any piece takes linear time.
///
/// Whether two tokens can be neighbours is decided without joining. This relies on two properties of the ranks, which
/// tst_exact_counter checks: joining the bytes of a token yields that token, and while it is joined, ranks never
/// decrease.
class BytePairs final {
public:
    explicit BytePairs(const Ranks &ranks);

    /// `piece` must not be empty. If `progress` is cancelled during the call, the result is meaningless.
    [[nodiscard]] uint64_t tokensOf(std::string_view piece, const Progress *progress = nullptr);

    /// True if joining the bytes of both tokens, in this order, yields these two tokens.
    [[nodiscard]] bool areNeighbours(uint32_t first, uint32_t second);

    /// Rank look-ups and token comparisons since construction: a measure of the work.
    [[nodiscard]] uint64_t steps() const { return m_steps; }

private:
    static constexpr size_t kShort = 128;       ///< longest piece in bytes that is joined by definition
    static constexpr size_t kLongestPair = 512; ///< room for two tokens of 255 bytes

    /// The two tokens joined last to form a token; a single byte has itself twice.
    struct Halves {
        uint32_t left = Ranks::kNone; ///< until it is looked up
        uint32_t right = Ranks::kNone;
    };

    [[nodiscard]] uint32_t rankOf(std::string_view bytes);
    [[nodiscard]] size_t join(std::string_view bytes);
    [[nodiscard]] uint64_t search(std::string_view piece, const Progress *progress);
    [[nodiscard]] size_t nextSize(std::string_view rest, size_t at);
    [[nodiscard]] Halves halvesOf(uint32_t rank);
    [[nodiscard]] bool fits(uint32_t rank) { return m_row.empty() || areNeighbours(m_row.back(), rank); }
    [[nodiscard]] bool meet(uint32_t first, uint32_t second);
    [[nodiscard]] std::string_view bothTokens(uint32_t first, uint32_t second);

    const Ranks &m_ranks;
    uint64_t m_steps = 0;
    std::array<char, kLongestPair> m_both {};
    // For joining: start of each part, and rank of the token that it forms with the next part.
    std::array<uint16_t, kLongestPair + 1> m_begins {};
    std::array<uint32_t, kLongestPair + 1> m_joined {};
    size_t m_lastBoundary = 0; ///< between the two parts joined last
    // For the search:
    std::vector<uint32_t> m_row;        ///< the tokens so far
    std::vector<bool> m_isDead;         ///< by offset: known not to be a boundary
    std::vector<Halves> m_halves;       ///< by rank
    std::vector<uint64_t> m_neighbours; ///< a hash table of token pairs; the lowest bit says whether they are
                                        ///< neighbours
};

} // namespace core
