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

/// Counts the tokens of texts exactly, as tiktoken 1.0.22 (npm) does with `encode_ordinary`: names of special tokens
/// (`<|endoftext|>`) that stand in a text are text. One for each thread; it remembers pieces, at a cost of
/// 3 MB, and as much again once a piece is longer than 128 bytes.
///
/// A text that is not UTF-8 is counted as if it had been decoded first, as readers do: each lone surrogate (three bytes
/// of generalised UTF-8), and each longest run of bytes that could begin a character, is one U+FFFD.
class ExactCounter final {
public:
    explicit ExactCounter(RanksPtr ranks);

    /// Takes linear time for any text. If `progress` is cancelled meanwhile, the result is meaningless.
    [[nodiscard]] uint64_t count(std::string_view text, const Progress *progress = nullptr);

    [[nodiscard]] const Ranks &ranks() const { return *m_ranks; }
    /// See BytePairs: what was not remembered.
    [[nodiscard]] uint64_t steps() const { return m_pairs.steps(); }

private:
    /// A short piece and how many tokens it is: the latter in the four highest bits of `high`, which a key leaves free.
    struct Remembered {
        uint64_t low = 0;
        uint64_t high = 0;
    };

    /// The same of a piece of sixteen bytes and more.
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
    std::vector<Remembered> m_recent;   ///< by hash; stays in the processor's cache
    std::vector<Remembered> m_known;    ///< by hash; what m_recent has forgotten
    std::vector<RememberedLong> m_long; ///< by hash
};

} // namespace core
