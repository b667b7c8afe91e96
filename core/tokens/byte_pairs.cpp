// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/byte_pairs.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

constexpr unsigned kFitsBits = 15;
constexpr uint64_t kEmpty = ~uint64_t(0);
constexpr uint32_t kNothing = 1U << 20U; ///< stands for no token before; ranks are smaller

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

/// Joins by definition; returns how many parts are left, which begin at `m_begins`.
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

/// True if `before`, or nothing, and `rank` are what their bytes are joined to.
bool BytePairs::fits(uint32_t before, uint32_t rank)
{
    ++m_steps;
    const uint64_t key = (static_cast<uint64_t>(before) << 24U | rank) << 1U;
    if (m_fits.empty())
        m_fits.resize(size_t(1) << kFitsBits, kEmpty);
    uint64_t &known = m_fits[(key * 0x9E3779B97F4A7C15U) >> (64 - kFitsBits)];
    if ((known & ~uint64_t(1)) == key)
        return (known & 1U) != 0;

    std::array<char, kLongestPair> both {};
    size_t boundary = 0;
    if (before != kNothing) {
        const std::string_view token = m_ranks.token(before);
        boundary = token.copy(both.data(), token.size());
    }
    const std::string_view token = m_ranks.token(rank);
    const size_t size = boundary + token.copy(both.data() + boundary, token.size());
    const size_t parts = join({ both.data(), size });
    const bool isFit = before == kNothing ? parts == 1 : parts == 2 && m_begins[1] == boundary;
    known = key | (isFit ? 1U : 0U);
    return isFit;
}

/// Takes the longest token that fits to the one before it; where none does, goes back and takes a shorter one.
uint64_t BytePairs::search(std::string_view piece, const Progress *progress)
{
    constexpr size_t kTurnsBetweenLooks = 4096;
    constexpr size_t kAny = std::string_view::npos;
    m_row.clear();
    m_isDead.assign(piece.size() + 1, false);
    size_t at = 0;
    size_t allowed = kAny; // bytes of the token that is looked for
    for (size_t turns = 1; at < piece.size(); ++turns) {
        if (turns % kTurnsBetweenLooks == 0 && progress != nullptr && progress->isCancelled())
            return 0;
        const std::string_view rest = piece.substr(at);
        const size_t longest = rest.size() == 1 ? 1 : std::min(m_ranks.longestWith(rest[0], rest[1]), rest.size());
        const uint32_t before = m_row.empty() ? kNothing : m_row.back();
        uint32_t rank = Ranks::kNone;
        size_t size = std::min(longest, allowed);
        for (; size > 0; --size) {
            if (m_isDead[at + size])
                continue;
            rank = rankOf(rest.substr(0, size));
            if (rank != Ranks::kNone && fits(before, rank))
                break;
        }
        if (size > 0) {
            m_row.push_back(rank);
            at += size;
            allowed = kAny;
        } else {
            // Nothing fits behind the last token, so it does not end here.
            assert(!m_row.empty());
            m_isDead[at] = true;
            const size_t taken = m_ranks.token(m_row.back()).size();
            m_row.pop_back();
            at -= taken;
            allowed = taken - 1;
        }
    }
    return m_row.size();
}

} // namespace core
