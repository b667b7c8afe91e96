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

/// The tokens of a byte-pair encoding, each known by its rank: the lower, the earlier two neighbours are joined to it.
/// Immutable; threads share one. The bytes are part of the program (see resources/ranks/README.md), only the index is
/// made: about 15 ms and 3 MB for o200k_base.
class Ranks final {
public:
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

    explicit Ranks(Encoding encoding);

    [[nodiscard]] Encoding encoding() const { return m_encoding; }
    [[nodiscard]] PiecePattern pattern() const;
    /// Ranks are 0 to `count() - 1`.
    [[nodiscard]] size_t count() const { return m_begins.size(); }

    /// The rank of the token that these bytes are, or kNone.
    [[nodiscard]] uint32_t of(std::string_view bytes) const;
    /// The same for two bytes.
    [[nodiscard]] uint32_t ofPair(char first, char second) const { return m_pairs[pairIndex(first, second)]; }
    [[nodiscard]] std::string_view token(uint32_t rank) const
    {
        const char *begin = m_packed.data() + m_begins[rank];
        return { begin, static_cast<unsigned char>(begin[-1]) };
    }
    /// No token at the beginning of `text`, which is not empty, has more bytes; often one has as many.
    [[nodiscard]] size_t longestAt(std::string_view text) const
    {
        if (text.size() < kBeginning)
            return text.size();
        return std::min<size_t>(m_longestWith[beginningIndex(text)], text.size());
    }
    /// Bytes of the longest token there is.
    [[nodiscard]] size_t longest() const { return m_longestOfAll; }

private:
    [[nodiscard]] static size_t pairIndex(char first, char second)
    {
        return static_cast<size_t>(static_cast<unsigned char>(first)) << 8U | static_cast<unsigned char>(second);
    }
    /// The first four bytes, brought down to an index.
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
    std::string_view m_packed;      ///< a byte of length and that many bytes, token behind token
    std::vector<uint32_t> m_begins; ///< by rank: where its bytes begin in m_packed
    std::vector<uint32_t> m_slots;  ///< by hash: rank + 1 in the low bits and a mark of the hash above, or 0
    unsigned m_shift = 0;           ///< brings a hash down to an index of m_slots
    std::vector<uint32_t> m_pairs;
    std::vector<uint8_t> m_longestWith; ///< by beginning: bytes of the longest token that has it, at least 3
    size_t m_longestOfAll = 1;
};

using RanksPtr = std::shared_ptr<const Ranks>;

/// Makes the index of an encoding: once for a job or a window, which hands it on.
[[nodiscard]] RanksPtr ranksOf(Encoding encoding);

} // namespace core
