// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/byte_pairs.h"

#include "core/tokens/short_key.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

constexpr unsigned kNeighbourBits = 15;
constexpr uint64_t kEmpty = ~uint64_t(0);

} // namespace

BytePairs::BytePairs(const Ranks &ranks)
    : m_ranks(ranks)
{
    assert(ranks.longest() * 2 <= kLongestPair);
}

uint64_t BytePairs::tokensOf(std::string_view piece, const Progress *progress)
{
    if (piece.size() == 1 || (piece.size() <= m_ranks.longest() && rankOf(piece) != Ranks::kNone))
        return 1;
    return piece.size() <= kShort ? join(piece) : search(piece, progress);
}

uint32_t BytePairs::rankOf(std::string_view bytes)
{
    ++m_steps;
    return bytes.size() == 2 ? m_ranks.ofPair(bytes[0], bytes[1]) : m_ranks.of(bytes);
}

/// Joins by the definition; returns the number of parts left, whose starts are in `m_begins`.
size_t BytePairs::join(std::string_view bytes)
{
    size_t parts = bytes.size();
    assert(parts <= kLongestPair);
    for (size_t i = 0; i < parts; ++i) {
        m_begins[i] = static_cast<uint16_t>(i);
        m_joined[i] = i + 1 < parts ? m_ranks.ofPair(bytes[i], bytes[i + 1]) : Ranks::kNone;
    }
    m_begins[parts] = static_cast<uint16_t>(parts);
    m_steps += parts;
    while (true) {
        const auto *first = std::ranges::min_element(m_joined.data(), m_joined.data() + parts);
        if (*first == Ranks::kNone)
            return parts;
        const auto at = static_cast<size_t>(first - m_joined.data());
        m_lastBoundary = m_begins[at + 1];
        std::copy(m_begins.data() + at + 2, m_begins.data() + parts + 1, m_begins.data() + at + 1);
        std::copy(m_joined.data() + at + 2, m_joined.data() + parts, m_joined.data() + at + 1);
        --parts;
        const auto joinedAt = [&](size_t i) {
            const size_t begin = m_begins[i];
            return rankOf(bytes.substr(begin, m_begins[i + 2] - begin));
        };
        m_joined[at] = at + 1 < parts ? joinedAt(at) : Ranks::kNone;
        if (at > 0)
            m_joined[at - 1] = joinedAt(at - 1);
    }
}

std::string_view BytePairs::bothTokens(uint32_t first, uint32_t second)
{
    const std::string_view token = m_ranks.token(first);
    const size_t size = token.copy(m_both.data(), token.size());
    return { m_both.data(), size + m_ranks.token(second).copy(m_both.data() + size, m_both.size() - size) };
}

BytePairs::Halves BytePairs::halvesOf(uint32_t rank)
{
    if (m_halves.empty())
        m_halves.resize(m_ranks.count());
    Halves &halves = m_halves[rank];
    if (halves.left == Ranks::kNone) {
        const std::string_view token = m_ranks.token(rank);
        const size_t parts = join(token);
        assert(parts == 1);
        halves = token.size() == parts
            ? Halves { rank, rank }
            : Halves { m_ranks.of(token.substr(0, m_lastBoundary)), m_ranks.of(token.substr(m_lastBoundary)) };
    }
    return halves;
}

/// Whether anything is joined across the boundary between two tokens. The joins of each token happen in rank order, and
/// so do those of both together. So the parts at both sides of the boundary can be traced back in time, from the tokens
/// to their last and first bytes. Two parts are joined across the boundary if the rank of their joint token comes
/// before the ranks of the joins that consumed them; of equal ranks the left join comes first.
bool BytePairs::meet(uint32_t first, uint32_t second)
{
    uint32_t endOfFirst = Ranks::kNone; // rank of the join that ends it
    uint32_t endOfSecond = Ranks::kNone;
    while (true) {
        const uint32_t both = rankOf(bothTokens(first, second));
        if (both < endOfFirst && both <= endOfSecond)
            return true;
        const Halves ofFirst = halvesOf(first);
        const Halves ofSecond = halvesOf(second);
        const bool isFirstByte = ofFirst.right == first;
        const bool isSecondByte = ofSecond.left == second;
        if (isFirstByte && isSecondByte)
            return false;
        // Undo the latest join first.
        if (isSecondByte || (!isFirstByte && first > second)) {
            endOfFirst = first;
            first = ofFirst.right;
        } else {
            endOfSecond = second;
            second = ofSecond.left;
        }
    }
}

bool BytePairs::areNeighbours(uint32_t first, uint32_t second)
{
    ++m_steps;
    const uint64_t key = (static_cast<uint64_t>(first) << 32U | second) << 1U;
    if (m_neighbours.empty())
        m_neighbours.resize(size_t(1) << kNeighbourBits, kEmpty);
    uint64_t &known = m_neighbours[(key * ShortKey::kOdd) >> (64U - kNeighbourBits)];
    if ((known & ~uint64_t(1)) != key)
        known = key | (meet(first, second) ? 0U : 1U);
    return (known & 1U) != 0;
}

/// Size of a token at the start of `rest` that fits behind the last one and does not end at a dead offset; 0 if there
/// is none. Any order of trying is correct. This one tries the last token again first, for runs of one character, then
/// long tokens.
size_t BytePairs::nextSize(std::string_view rest, size_t at)
{
    if (!m_row.empty()) {
        const std::string_view token = m_ranks.token(m_row.back());
        if (rest.starts_with(token) && !m_isDead[at + token.size()] && fits(m_row.back()))
            return token.size();
    }
    size_t size = m_ranks.longestAt(rest);
    for (; size > 0; --size) {
        if (m_isDead[at + size])
            continue;
        const uint32_t rank = rankOf(rest.substr(0, size));
        if (rank != Ranks::kNone && fits(rank))
            break;
    }
    return size;
}

uint64_t BytePairs::search(std::string_view piece, const Progress *progress)
{
    constexpr size_t kTurnsBetweenLooks = 4096;
    m_row.clear();
    m_isDead.assign(piece.size() + 1, false);
    size_t at = 0;
    for (size_t turns = 1; at < piece.size(); ++turns) {
        if (turns % kTurnsBetweenLooks == 0 && progress != nullptr && progress->isCancelled())
            return 0;
        if (const size_t size = nextSize(piece.substr(at), at); size > 0) {
            m_row.push_back(m_ranks.of(piece.substr(at, size)));
            at += size;
            continue;
        }
        // No token fits behind the last one, so there is no boundary here.
        assert(!m_row.empty());
        m_isDead[at] = true;
        at -= m_ranks.token(m_row.back()).size();
        m_row.pop_back();
    }
    return m_row.size();
}

} // namespace core
