// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/ranks.h"

#include "core/tokens/rank_data.h"
#include "core/tokens/short_key.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace core {

namespace {

constexpr unsigned kRankBits = 18;
constexpr uint32_t kRankMask = (1U << kRankBits) - 1;

/// The bits from `m_shift` up are the index; the middle bits distinguish tokens with the same index.
uint32_t markOf(uint64_t hash) { return static_cast<uint32_t>(hash >> 16U) << kRankBits; }

template <Encoding kEncoding>
const RanksPtr &sharedRanks()
{
    static const RanksPtr made = std::make_shared<const Ranks>(kEncoding);
    return made;
}

} // namespace

Ranks::Ranks(Encoding encoding)
    : m_encoding(encoding)
    , m_packed(pattern() == PiecePattern::O200k ? packedO200k() : packedCl100k())
    , m_pairs(1U << 16U, kNone)
    , m_longestWith(size_t(1) << kBeginningBits, kBeginning - 1)
{
    for (size_t i = 0; i < m_packed.size(); i += 1 + static_cast<unsigned char>(m_packed[i]))
        m_begins.push_back(static_cast<uint32_t>(i + 1));
    assert(m_begins.size() < kRankMask);
    const size_t slots = std::bit_ceil(m_begins.size() * 2);
    m_slots.resize(slots);
    m_shift = 64U - static_cast<unsigned>(std::countr_zero(slots));
    for (uint32_t rank = 0; rank < m_begins.size(); ++rank)
        add(token(rank), rank);
}

PiecePattern Ranks::pattern() const
{
    return m_encoding == Encoding::Cl100kBase ? PiecePattern::Cl100k : PiecePattern::O200k;
}

void Ranks::add(std::string_view token, uint32_t rank)
{
    const uint64_t hash = quickHash(token);
    size_t slot = hash >> m_shift;
    while (m_slots[slot] != 0)
        slot = (slot + 1) % m_slots.size();
    m_slots[slot] = markOf(hash) | (rank + 1);
    m_longestOfAll = std::max(m_longestOfAll, token.size());
    if (token.size() == 2)
        m_pairs[pairIndex(token[0], token[1])] = rank;
    if (token.size() >= kBeginning) {
        uint8_t &longest = m_longestWith[beginningIndex(token)];
        longest = std::max(longest, static_cast<uint8_t>(token.size()));
    }
}

uint32_t Ranks::of(std::string_view bytes) const
{
    const uint64_t hash = quickHash(bytes);
    const uint32_t mark = markOf(hash);
    for (size_t slot = hash >> m_shift; m_slots[slot] != 0; slot = (slot + 1) % m_slots.size()) {
        if ((m_slots[slot] & ~kRankMask) != mark)
            continue;
        const uint32_t rank = (m_slots[slot] & kRankMask) - 1;
        if (token(rank) == bytes)
            return rank;
    }
    return kNone;
}

RanksPtr ranksOf(Encoding encoding)
{
    switch (encoding) {
    case Encoding::O200kBase:
        return sharedRanks<Encoding::O200kBase>();
    case Encoding::O200kHarmony:
        return sharedRanks<Encoding::O200kHarmony>();
    case Encoding::Cl100kBase:
        break;
    }
    return sharedRanks<Encoding::Cl100kBase>();
}

} // namespace core
