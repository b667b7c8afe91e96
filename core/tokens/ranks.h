// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/model_family.h"
#include "core/tokens/pieces.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace core {

/// The tokens of a byte-pair encoding. A token is known by its rank; lower ranks are joined earlier. Immutable and
/// shared between threads. The token bytes are compiled in (see resources/ranks/README.md); only the index is built:
/// about 15 ms and 3 MB for o200k_base.
class Ranks final {
public:
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

    explicit Ranks(Encoding encoding);

    [[nodiscard]] Encoding encoding() const { return m_encoding; }
    [[nodiscard]] PiecePattern pattern() const;
    /// Ranks are 0 to `count() - 1`.
    [[nodiscard]] size_t count() const { return m_begins.size(); }

    /// The rank of the token with these bytes, or kNone.
    [[nodiscard]] uint32_t of(std::string_view bytes) const;
    /// The same for a token of two bytes.
    [[nodiscard]] uint32_t ofPair(char first, char second) const { return m_pairs[pairIndex(first, second)]; }
    [[nodiscard]] std::string_view token(uint32_t rank) const
    {
        const char *begin = m_packed.data() + m_begins[rank];
        return { begin, static_cast<unsigned char>(begin[-1]) };
    }
    /// Upper bound on the size of a token at the start of `text`, which must not be empty.
    [[nodiscard]] size_t longestAt(std::string_view text) const
    {
        if (text.size() < kBeginning)
            return text.size();
        return std::min<size_t>(m_longestWith[beginningIndex(text)], text.size());
    }
    /// Size of the longest token in bytes.
    [[nodiscard]] size_t longest() const { return m_longestOfAll; }

private:
    [[nodiscard]] static size_t pairIndex(char first, char second)
    {
        return static_cast<size_t>(static_cast<unsigned char>(first)) << 8U | static_cast<unsigned char>(second);
    }
    /// Tokens are indexed by a hash of their first four bytes.
    static constexpr size_t kBeginning = 4;
    static constexpr unsigned kBeginningBits = 18;
    [[nodiscard]] static size_t beginningIndex(std::string_view text)
    {
        uint32_t value = 0;
        std::memcpy(&value, text.data(), kBeginning);
        return value * 0x9E3779B1U >> (32U - kBeginningBits);
    }
    void add(std::string_view token, uint32_t rank);

    Encoding m_encoding;
    std::string_view m_packed;      ///< for each token a length byte and that many bytes
    std::vector<uint32_t> m_begins; ///< by rank: offset of its bytes in m_packed
    std::vector<uint32_t> m_slots;  ///< hash table: rank + 1 in the low bits and a part of the hash above; 0 if free
    unsigned m_shift = 0;           ///< shift that turns a hash into an index of m_slots
    std::vector<uint32_t> m_pairs;
    std::vector<uint8_t> m_longestWith; ///< by first bytes: size of the longest token that starts with them, at least 3
    size_t m_longestOfAll = 1;
};

using RanksPtr = std::shared_ptr<const Ranks>;

/// The index of an encoding, which the first call builds.
[[nodiscard]] RanksPtr ranksOf(Encoding encoding);

} // namespace core
