// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/tokens/ranks.h"

#include <array>
#include <vector>

namespace core {

/// How many tokens a piece is. One for each thread.
///
/// By definition the pieces' bytes are joined two neighbours at a time, always the two whose token has the lowest rank,
/// of equal ones the first, until no two are a token. A piece that is a token as a whole is one token, whether or not
/// joining leads there.
///
/// Short pieces are joined so. Of long ones the result is looked for instead, from left to right: a row of tokens is
/// the result exactly if each token, and each two neighbours, are the result of joining their own bytes (nothing is
/// ever joined across a boundary of the result, and what happens on both sides of one does not depend on what lies
/// further away). The beginning of a result is the result of its beginning, so no place in a piece is a boundary in
/// more than one way, each is tried at most once, and any piece takes linear time.
///
/// What tokens are neighbours is found without joining, which rests on two facts of the ranks (tst_exact_counter holds
/// them): the bytes of every token are joined to it, and in no token is one of a lower rank joined after one of a
/// higher.
class BytePairs final {
public:
    explicit BytePairs(const Ranks &ranks);

    /// `piece` is not empty. If `progress` is cancelled meanwhile, the result is meaningless.
    [[nodiscard]] uint64_t tokensOf(std::string_view piece, const Progress *progress = nullptr);

    /// True if the bytes of two tokens, in this order, are joined to these two tokens.
    [[nodiscard]] bool areNeighbours(uint32_t first, uint32_t second);

    /// How often a rank has been looked up, or two tokens been compared, since this was made: the work that pieces
    /// cost.
    [[nodiscard]] uint64_t steps() const { return m_steps; }

private:
    static constexpr size_t kShort = 128;       ///< bytes up to which a piece is joined by definition
    static constexpr size_t kLongestPair = 512; ///< two tokens of 255 bytes fit

    /// The two tokens that were joined last to make a token; of a single byte itself, twice.
    struct Halves {
        uint32_t left = Ranks::kNone; ///< until it is asked for
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
    // Of joining. Parts: where each begins, and the rank of the token that it makes with the next.
    std::array<uint16_t, kLongestPair + 1> m_begins {};
    std::array<uint32_t, kLongestPair + 1> m_joined {};
    size_t m_lastBoundary = 0; ///< between the two parts that were joined last
    // Of a search.
    std::vector<uint32_t> m_row;        ///< the tokens so far
    std::vector<bool> m_isDead;         ///< by offset: known to be no boundary
    std::vector<Halves> m_halves;       ///< by rank
    std::vector<uint64_t> m_neighbours; ///< by hash: two tokens, and in the lowest bit whether they are neighbours
};

} // namespace core
