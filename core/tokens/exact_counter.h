// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/tokens/byte_pairs.h"
#include "core/tokens/ranks.h"
#include "core/tokens/short_key.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// Counts tokens exactly like `encode_ordinary` of tiktoken 1.0.22 (npm): names of special tokens (`<|endoftext|>`) in
/// a text are plain text. One object per thread. Caches pieces: 3 MB, and 3 MB more once a piece is longer than 128
/// bytes.
///
/// A text that is not UTF-8 is counted as readers would decode it: each lone surrogate (three bytes of generalised
/// UTF-8), and each longest run of bytes that could begin a character, is one U+FFFD.
class ExactCounter final {
public:
    explicit ExactCounter(RanksPtr ranks);

    /// Takes linear time for any text. If `progress` is cancelled during the call, the result is meaningless.
    [[nodiscard]] uint64_t count(std::string_view text, const Progress *progress = nullptr);

    [[nodiscard]] const Ranks &ranks() const { return *m_ranks; }
    /// Work for pieces that were not cached; see BytePairs.
    [[nodiscard]] uint64_t steps() const { return m_pairs.steps(); }

private:
    /// A short piece and its token count, stored in the four highest bits of `high`, which keys leave free.
    struct Remembered {
        uint64_t low = 0;
        uint64_t high = 0;
    };

    /// The same for a piece of sixteen bytes or more.
    struct RememberedLong {
        static constexpr size_t kLongest = 60;
        uint16_t count = 0;
        uint16_t size = 0;
        std::array<char, kLongest> bytes {};
    };

    template <PiecePattern kPattern>
    [[nodiscard]] uint64_t countPieces(std::string_view text, const Progress *progress);
    [[nodiscard]] uint64_t tokensOfPieces(
        std::string_view text, size_t begin, std::span<const size_t> ends, const Progress *progress);
    [[nodiscard]] uint64_t tokensOfLong(std::string_view piece, const Progress *progress);
    [[nodiscard]] uint64_t lookUp(ShortKey key, uint64_t hash, std::string_view piece);

    RanksPtr m_ranks;
    BytePairs m_pairs;
    std::vector<Remembered> m_recent;   ///< hash table; fits into the processor's cache
    std::vector<Remembered> m_known;    ///< hash table of entries that m_recent has evicted
    std::vector<RememberedLong> m_long; ///< hash table
};

} // namespace core
