// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/exact_counter.h"

#include "core/base/text.h"
#include "core/tokens/piece_scanner.h"

namespace core {

namespace {

constexpr unsigned kRecentBits = 15; ///< 512 KB
constexpr unsigned kKnownBits = 17;  ///< 2 MB
constexpr unsigned kLongBits = 13;   ///< 512 KB

constexpr unsigned kCountShift = 60;
constexpr uint64_t kKeyMask = (uint64_t(1) << kCountShift) - 1;

constexpr size_t kSixteen = 16;
constexpr size_t kBatch = 128; ///< pieces

/// The number of invalid bytes at `at` that become one U+FFFD: the longest prefix of a possible character.
size_t sizeOfMalformed(std::string_view text, size_t at)
{
    const auto isIn = [&](size_t i, unsigned first, unsigned last) {
        const auto byte = i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
        return byte >= first && byte <= last;
    };
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0xE0 || lead > 0xF4)
        return 1;
    const unsigned first = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned last = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (!isIn(at + 1, first, last))
        return 1;
    return lead >= 0xF0 && isIn(at + 2, 0x80, 0xBF) ? 3 : 2;
}

std::string wellFormed(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        const CodePoint each = codePointAt(text, i);
        const bool isSurrogate = each.value >= 0xD800 && each.value < 0xE000;
        const bool isMalformed = each.size == 1 && each.value >= 0x80;
        appendUtf8(result, isSurrogate ? 0xFFFD : each.value);
        i += isMalformed ? sizeOfMalformed(text, i) : each.size;
    }
    return result;
}

} // namespace

ExactCounter::ExactCounter(RanksPtr ranks)
    : m_ranks(std::move(ranks))
    , m_pairs(*m_ranks)
    , m_recent(size_t(1) << kRecentBits)
    , m_known(size_t(1) << kKnownBits)
    , m_long(size_t(1) << kLongBits)
{
}

uint64_t ExactCounter::count(std::string_view text, const Progress *progress)
{
    if (!isValidUtf8(text))
        return count(wellFormed(text), progress);
    return m_ranks->pattern() == PiecePattern::O200k ? countPieces<PiecePattern::O200k>(text, progress)
                                                     : countPieces<PiecePattern::Cl100k>(text, progress);
}

template <PiecePattern kPattern>
uint64_t ExactCounter::countPieces(std::string_view text, const Progress *progress)
{
    PieceScanner<kPattern> scanner(text);
    std::array<size_t, kBatch> ends {};
    uint64_t sum = 0;
    for (size_t begin = 0; begin < text.size();) {
        if (progress != nullptr && progress->isCancelled())
            return 0;
        // First finds the ends of pieces, then their counts: two short loops that the processor can pipeline.
        size_t count = 0;
        for (size_t end = begin; count < kBatch && end < text.size(); ++count) {
            end = scanner.endOfPiece(end);
            ends[count] = end;
        }
        sum += tokensOfPieces(text, begin, std::span(ends).first(count), progress);
        begin = ends[count - 1];
    }
    return sum;
}

uint64_t ExactCounter::tokensOfPieces(
    std::string_view text, size_t begin, std::span<const size_t> ends, const Progress *progress)
{
    uint64_t sum = 0;
    for (const size_t end : ends) {
        const std::string_view piece = text.substr(begin, end - begin);
        if (piece.size() > ShortKey::kLongest) {
            sum += tokensOfLong(piece, progress);
        } else {
            const bool hasSixteen = begin + kSixteen <= text.size();
            const ShortKey key = hasSixteen ? ShortKey::ofSixteen(piece.data(), piece.size()) : ShortKey::of(piece);
            const uint64_t hash = key.hash();
            const Remembered &recent = m_recent[hash >> (64U - kRecentBits)];
            const bool isKnown = recent.low == key.low && (recent.high & kKeyMask) == key.high;
            sum += isKnown ? recent.high >> kCountShift : lookUp(key, hash, piece);
        }
        begin = end;
    }
    return sum;
}

uint64_t ExactCounter::tokensOfLong(std::string_view piece, const Progress *progress)
{
    if (piece.size() > RememberedLong::kLongest)
        return m_pairs.tokensOf(piece, progress);
    RememberedLong &known = m_long[quickHash(piece) >> (64U - kLongBits)];
    if (piece == std::string_view(known.bytes.data(), known.size))
        return known.count;
    known.count = static_cast<uint16_t>(m_pairs.tokensOf(piece));
    known.size = static_cast<uint16_t>(piece.copy(known.bytes.data(), piece.size()));
    return known.count;
}

uint64_t ExactCounter::lookUp(ShortKey key, uint64_t hash, std::string_view piece)
{
    Remembered &recent = m_recent[hash >> (64U - kRecentBits)];
    Remembered &known = m_known[hash >> (64U - kKnownBits)];
    if (known.low == key.low && (known.high & kKeyMask) == key.high) {
        recent = known;
        return known.high >> kCountShift;
    }
    const uint64_t count = m_pairs.tokensOf(piece);
    recent = { key.low, key.high | count << kCountShift };
    known = recent;
    return count;
}

} // namespace core
