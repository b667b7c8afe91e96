// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text_lengths.h"

#include "core/json/json_escape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A text is read 64 bytes at a time. The byte classes become bit masks with one bit a byte, which needs the processor's
// vector instructions; the counting works on the masks and is the same code for all processors. Both steps process a
// few strides alternately, so that the calls between them cost nothing.

namespace core {

namespace {

constexpr size_t kStride = 64;
constexpr size_t kBatch = 8;

/// The byte classes of one stride, as masks with one bit a byte.
struct Stride {
    uint64_t backslash = 0;
    uint64_t simpleEscape = 0; ///< a letter of `\n` and its like; not computed if the stride has no backslash
    uint64_t nonAscii = 0;
    uint64_t continuation = 0; ///< 10xxxxxx
    uint64_t fourByteLead = 0; ///< 11110xxx
    // For JSON values only:
    uint64_t quote = 0;
    uint64_t slash = 0;
    uint64_t separator = 0; ///< `,` and `:`
    uint64_t blank = 0;
    uint64_t control = 0; ///< below 0x20
};

enum class Classes : uint8_t { Text, Value };

using ReadStrides = void (*)(const char *data, size_t count, Stride *strides);

bool isSimpleEscape(char letter)
{
    return letter == 'n' || letter == '"' || letter == 't' || letter == '\\' || letter == '/' || letter == 'r'
        || letter == 'b' || letter == 'f';
}

/// For any processor.
template <Classes kClasses>
void readStrides(const char *data, size_t count, Stride *strides)
{
    for (size_t k = 0; k < count; ++k, data += kStride) {
        Stride stride;
#if defined(__SSE2__)
        __m128i parts[4]; // NOLINT(*-avoid-c-arrays): std::array drops the type's alignment attribute
        for (size_t i = 0; i < 4; ++i)
            parts[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(data) + i);
        const auto bits = [&](auto &&classify) {
            uint64_t mask = 0;
            for (size_t i = 0; i < 4; ++i)
                mask |= uint64_t(uint32_t(_mm_movemask_epi8(classify(parts[i])))) << (16 * i);
            return mask;
        };
        const auto equal = [&](char c) {
            return bits([wanted = _mm_set1_epi8(c)](__m128i part) { return _mm_cmpeq_epi8(part, wanted); });
        };
        stride.backslash = equal('\\');
        stride.nonAscii = bits([](__m128i part) { return part; });
        if (stride.nonAscii != 0) {
            const auto below = [](__m128i part) { return _mm_cmplt_epi8(part, _mm_set1_epi8(char(0xC0))); };
            const auto above = [](__m128i part) { return _mm_cmpgt_epi8(part, _mm_set1_epi8(char(0xEF))); };
            stride.continuation = bits(below) & stride.nonAscii;
            stride.fourByteLead = bits(above) & stride.nonAscii;
        }
        if constexpr (kClasses == Classes::Value) {
            stride.quote = equal('"');
            stride.slash = equal('/');
            stride.separator = equal(',') | equal(':');
            stride.blank = equal(' ') | equal('\n') | equal('\t') | equal('\r');
            stride.control
                = bits([](__m128i part) { return _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1F)), part); });
        }
#else
        for (size_t i = 0; i < kStride; ++i) {
            const char c = data[i];
            const auto byte = static_cast<unsigned char>(c);
            const uint64_t bit = uint64_t(1) << i;
            stride.backslash |= c == '\\' ? bit : 0;
            stride.nonAscii |= byte >= 0x80 ? bit : 0;
            stride.continuation |= byte >= 0x80 && byte < 0xC0 ? bit : 0;
            stride.fourByteLead |= byte >= 0xF0 ? bit : 0;
            stride.quote |= c == '"' ? bit : 0;
            stride.slash |= c == '/' ? bit : 0;
            stride.separator |= c == ',' || c == ':' ? bit : 0;
            stride.blank |= c == ' ' || c == '\n' || c == '\t' || c == '\r' ? bit : 0;
            stride.control |= byte < 0x20 ? bit : 0;
        }
#endif
        for (uint64_t left = stride.backslash; left != 0; left &= left - 1) {
            // The byte behind each backslash, and the first byte, whose backslash may be in the stride before.
            const auto next = static_cast<size_t>(std::countr_zero(left)) + 1;
            if (next < kStride && isSimpleEscape(data[next]))
                stride.simpleEscape |= uint64_t(1) << next;
        }
        if (isSimpleEscape(data[0]))
            stride.simpleEscape |= 1;
        strides[k] = stride;
    }
}

#if defined(__x86_64__)
#define PALIMPSEST_AVX2 [[gnu::target("avx2,bmi,popcnt")]]

/// For processors of 2013 and later.
template <Classes kClasses>
PALIMPSEST_AVX2 void readStridesAvx2(const char *data, size_t count, Stride *strides)
{
    // Bytes that may follow a backslash, by the two halves of the byte: `highs` has a bit for each upper half that
    // occurs, `lows` has these bits for each lower half.
    const __m256i lows = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 1 | 2 | 4, 0, 2, 0, 1, 0, 0, 0, 0, 0, 8, 0, 1, 4)); // b r " · t · f · \ · n /
    const __m256i highs = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 4, 0, 0, 8, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i lowHalf = _mm256_set1_epi8(0x0F);
#define PALIMPSEST_BITS(low, high)                                                                                     \
    (uint64_t(uint32_t(_mm256_movemask_epi8(low))) | uint64_t(uint32_t(_mm256_movemask_epi8(high))) << 32U)
#define PALIMPSEST_EQUAL(c)                                                                                            \
    PALIMPSEST_BITS(_mm256_cmpeq_epi8(first, _mm256_set1_epi8(c)), _mm256_cmpeq_epi8(second, _mm256_set1_epi8(c)))
    for (size_t k = 0; k < count; ++k, data += kStride) {
        const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(data));
        const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(data) + 1);
        Stride &stride = strides[k];
        stride.backslash = PALIMPSEST_EQUAL('\\');
        stride.nonAscii = PALIMPSEST_BITS(first, second);
        stride.continuation = 0;
        stride.fourByteLead = 0;
        if (stride.nonAscii != 0) {
            const __m256i firstLead = _mm256_set1_epi8(char(0xC0));
            const __m256i lastThree = _mm256_set1_epi8(char(0xEF));
            stride.continuation
                = PALIMPSEST_BITS(_mm256_cmpgt_epi8(firstLead, first), _mm256_cmpgt_epi8(firstLead, second))
                & stride.nonAscii;
            stride.fourByteLead
                = PALIMPSEST_BITS(_mm256_cmpgt_epi8(first, lastThree), _mm256_cmpgt_epi8(second, lastThree))
                & stride.nonAscii;
        }
        // A shuffle uses the lower half of a byte as index and yields 0 if the highest bit is set.
        const __m256i firstHigh = _mm256_and_si256(_mm256_srli_epi16(first, 4), lowHalf);
        const __m256i secondHigh = _mm256_and_si256(_mm256_srli_epi16(second, 4), lowHalf);
        const __m256i firstClass
            = _mm256_and_si256(_mm256_shuffle_epi8(lows, first), _mm256_shuffle_epi8(highs, firstHigh));
        const __m256i secondClass
            = _mm256_and_si256(_mm256_shuffle_epi8(lows, second), _mm256_shuffle_epi8(highs, secondHigh));
        const __m256i none = _mm256_setzero_si256();
        stride.simpleEscape
            = PALIMPSEST_BITS(_mm256_cmpgt_epi8(firstClass, none), _mm256_cmpgt_epi8(secondClass, none));
        if constexpr (kClasses == Classes::Value) {
            stride.quote = PALIMPSEST_EQUAL('"');
            stride.slash = PALIMPSEST_EQUAL('/');
            stride.separator = PALIMPSEST_EQUAL(',') | PALIMPSEST_EQUAL(':');
            stride.blank
                = PALIMPSEST_EQUAL(' ') | PALIMPSEST_EQUAL('\n') | PALIMPSEST_EQUAL('\t') | PALIMPSEST_EQUAL('\r');
            const __m256i lastControl = _mm256_set1_epi8(0x1F);
            stride.control = PALIMPSEST_BITS(_mm256_cmpeq_epi8(_mm256_min_epu8(first, lastControl), first),
                _mm256_cmpeq_epi8(_mm256_min_epu8(second, lastControl), second));
        }
    }
#undef PALIMPSEST_EQUAL
#undef PALIMPSEST_BITS
}
#endif

/// Calls `add(stride, begin)` for every stride of a text; the last one is padded with NUL bytes.
template <ReadStrides kRead, typename Add>
[[gnu::always_inline]] inline void forEachStride(std::string_view text, Add &add)
{
    std::array<Stride, kBatch> strides;
    size_t i = 0;
    while (text.size() - i >= kStride) {
        const size_t count = std::min(kBatch, (text.size() - i) / kStride);
        kRead(text.data() + i, count, strides.data());
        for (size_t k = 0; k < count; ++k, i += kStride)
            add(strides[k], i);
    }
    if (i < text.size()) {
        std::array<char, kStride> rest {};
        std::memcpy(rest.data(), text.data() + i, text.size() - i);
        kRead(rest.data(), 1, strides.data());
        add(strides.front(), i);
    }
}

#define PALIMPSEST_INLINE [[gnu::always_inline]] inline

PALIMPSEST_INLINE uint64_t bitCount(uint64_t bits) { return static_cast<uint64_t>(std::popcount(bits)); }

/// Counts plain UTF-8, without regard to escapes.
struct Utf8Counter {
    uint64_t continuations = 0;
    uint64_t fourByteLeads = 0;

    PALIMPSEST_INLINE void add(const Stride &stride)
    {
        if (stride.nonAscii == 0)
            return;
        continuations += bitCount(stride.continuation);
        fourByteLeads += bitCount(stride.fourByteLead);
    }
    [[nodiscard]] TextLengths lengths(uint64_t bytes) const
    {
        const uint64_t codePoints = bytes - continuations;
        return { codePoints, codePoints + fourByteLeads, bytes };
    }
};

/// Distinguishes backslashes that escape from escaped ones: in a run of them every other one escapes.
struct EscapeFinder {
    uint64_t isNextEscaped = 0;

    /// The bytes after an escaping backslash. An addition carries along each run of backslashes; the result at its end
    /// shows whether the run is odd.
    PALIMPSEST_INLINE uint64_t escapedBytes(uint64_t backslash)
    {
        constexpr uint64_t kOddBits = 0xAAAA'AAAA'AAAA'AAAA;
        const uint64_t escaping = backslash & ~isNextEscaped;
        const uint64_t alternating = (((escaping << 1U) | kOddBits) - escaping) ^ kOddBits;
        const uint64_t escaped = alternating ^ (backslash | isNextEscaped);
        isNextEscaped = (alternating & backslash) >> (kStride - 1);
        return escaped;
    }
};

/// Counts the text of a JSON string. Counts every byte as a character first; then subtracts the difference between an
/// escape and its character.
struct StringCounter {
    std::string_view raw;
    Utf8Counter utf8;
    EscapeFinder escapes;
    uint64_t simpleEscapes = 0;
    TextLengths escaped;
    size_t behindPair = 0; ///< the second half of a surrogate pair is counted with the first

    PALIMPSEST_INLINE void operator()(const Stride &stride, size_t begin)
    {
        utf8.add(stride);
        if ((stride.backslash | escapes.isNextEscaped) == 0)
            return;
        const uint64_t bytes = escapes.escapedBytes(stride.backslash);
        const uint64_t simple = bytes & stride.simpleEscape;
        simpleEscapes += bitCount(simple);
        if (simple != bytes)
            addOthers(bytes & ~simple, begin);
    }
    /// Handles `\uXXXX` and malformed escapes.
    [[gnu::noinline]] void addOthers(uint64_t bytes, size_t begin)
    {
        for (; bytes != 0; bytes &= bytes - 1) {
            const size_t position = begin + static_cast<size_t>(std::countr_zero(bytes)) - 1;
            if (position < behindPair)
                continue;
            const JsonEscape escape = jsonEscapeAt(raw, position);
            escaped += { escape.rawSize - 1, escape.rawSize - (escape.codePoint >= 0x10000 ? 2U : 1U),
                escape.rawSize - utf8Size(escape.codePoint) };
            behindPair = position + escape.rawSize;
        }
    }
    [[nodiscard]] TextLengths lengths() const
    {
        const TextLengths all = utf8.lengths(raw.size());
        return { all.codePoints - escaped.codePoints - simpleEscapes,
            all.utf16Units - escaped.utf16Units - simpleEscapes, all.bytes - escaped.bytes - simpleEscapes };
    }
};

/// Lengths of a code point inside a canonical JSON string, where some characters need an escape.
TextLengths quotedLengths(uint32_t codePoint)
{
    if (codePoint < 0x20) {
        const bool isShort
            = codePoint == '\n' || codePoint == '\r' || codePoint == '\t' || codePoint == '\b' || codePoint == '\f';
        return isShort ? TextLengths { 2, 2, 2 } : TextLengths { 6, 6, 6 };
    }
    if (codePoint == '"' || codePoint == '\\')
        return { 2, 2, 2 };
    return { 1, codePoint >= 0x10000 ? 2U : 1U, utf8Size(codePoint) };
}

/// Counts a JSON value in canonical form. Counts every byte first. Outside of strings it subtracts blanks and adds one
/// behind each separator; inside of strings it replaces escapes by their canonical form.
struct ValueCounter {
    std::string_view raw;
    Utf8Counter utf8;
    EscapeFinder escapes;
    uint64_t isInString = 0; ///< all bits, or none
    uint64_t more = 0;       ///< additional characters of one byte each; unsigned numbers wrap
    TextLengths changed;     ///< the same for other escapes
    size_t behindPair = 0;
    bool isOdd = false; ///< a backslash outside of a string or a control character in one: the text is not JSON

    PALIMPSEST_INLINE void operator()(const Stride &stride, size_t begin)
    {
        utf8.add(stride);
        uint64_t escaped = 0;
        if ((stride.backslash | escapes.isNextEscaped) != 0)
            escaped = escapes.escapedBytes(stride.backslash);
        const uint64_t inside = insideOfStrings(stride.quote & ~escaped);
        more += bitCount(stride.separator & ~inside) - bitCount(stride.blank & ~inside);
        isOdd = isOdd || (stride.control & inside) != 0;
        if (escaped == 0 && stride.backslash == 0)
            return;
        isOdd = isOdd || (stride.backslash & ~inside) != 0;
        const uint64_t simple = escaped & stride.simpleEscape;
        more -= bitCount(simple & stride.slash); // `\/`, the one that needs no escape
        if (simple != escaped)
            addOthers(escaped & ~simple, begin);
    }
    /// Marks the bytes from each opening quote to before its closing quote: each bit is the parity of the quotes up to
    /// it.
    PALIMPSEST_INLINE uint64_t insideOfStrings(uint64_t quotes)
    {
        uint64_t bits = quotes;
        if (bits != 0) {
            for (unsigned shift = 1; shift < kStride; shift *= 2)
                bits ^= bits << shift;
        }
        bits ^= isInString;
        isInString = uint64_t(0) - (bits >> (kStride - 1));
        return bits;
    }
    [[gnu::noinline]] void addOthers(uint64_t bytes, size_t begin)
    {
        for (; bytes != 0; bytes &= bytes - 1) {
            const size_t position = begin + static_cast<size_t>(std::countr_zero(bytes)) - 1;
            if (position < behindPair)
                continue;
            const JsonEscape escape = jsonEscapeAt(raw, position);
            const TextLengths written = quotedLengths(escape.codePoint);
            changed.codePoints += written.codePoints - escape.rawSize;
            changed.utf16Units += written.utf16Units - escape.rawSize;
            changed.bytes += written.bytes - escape.rawSize;
            behindPair = position + escape.rawSize;
        }
    }
    [[nodiscard]] TextLengths lengths() const
    {
        // Text that is not JSON takes the slow path, which is very rare.
        return isOdd ? textLengths(canonicalJson(raw))
                     : utf8.lengths(raw.size()) + changed + TextLengths { more, more, more };
    }
};

template <ReadStrides kRead>
PALIMPSEST_INLINE TextLengths countText(std::string_view utf8)
{
    Utf8Counter counter;
    const auto add = [&counter](const Stride &stride, size_t) __attribute__((always_inline)) { counter.add(stride); };
    forEachStride<kRead>(utf8, add);
    return counter.lengths(utf8.size());
}

template <ReadStrides kRead, typename Counter>
PALIMPSEST_INLINE TextLengths countJson(std::string_view raw)
{
    Counter counter;
    counter.raw = raw;
    forEachStride<kRead>(raw, counter);
    return counter.lengths();
}

TextLengths textOfAny(std::string_view utf8) { return countText<readStrides<Classes::Text>>(utf8); }
TextLengths jsonStringOfAny(std::string_view raw) { return countJson<readStrides<Classes::Text>, StringCounter>(raw); }
TextLengths jsonValueOfAny(std::string_view raw) { return countJson<readStrides<Classes::Value>, ValueCounter>(raw); }

size_t pairFrom(std::string_view text, size_t i, char first, char second)
{
    for (; i + 1 < text.size(); ++i) {
        if (text[i] == first && text[i + 1] == second)
            return i;
    }
    return std::string_view::npos;
}

size_t pairOfAny(std::string_view text, char first, char second)
{
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i wantFirst = _mm_set1_epi8(first);
    const __m128i wantSecond = _mm_set1_epi8(second);
    for (; i + 17 <= text.size(); i += 16) {
        const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i *>(text.data() + i));
        const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i *>(text.data() + i + 1));
        const int mask
            = _mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(here, wantFirst), _mm_cmpeq_epi8(next, wantSecond)));
        if (mask != 0)
            return i + static_cast<size_t>(std::countr_zero(static_cast<unsigned>(mask)));
    }
#endif
    return pairFrom(text, i, first, second);
}

LineLook lineOfAny(std::string_view text, size_t begin)
{
    const auto *hit = static_cast<const char *>(std::memchr(text.data() + begin, '\n', text.size() - begin));
    const size_t end = hit != nullptr ? static_cast<size_t>(hit - text.data()) : text.size();
    return { end, pairOfAny(text.substr(begin, end - begin), '}', '{') != std::string_view::npos };
}

constexpr TextCounters kForAny { "any processor", textOfAny, jsonStringOfAny, jsonValueOfAny, pairOfAny, lineOfAny };

#if defined(__x86_64__)
PALIMPSEST_AVX2 TextLengths textAvx2(std::string_view utf8) { return countText<readStridesAvx2<Classes::Text>>(utf8); }
PALIMPSEST_AVX2 TextLengths jsonStringAvx2(std::string_view raw)
{
    return countJson<readStridesAvx2<Classes::Text>, StringCounter>(raw);
}
PALIMPSEST_AVX2 TextLengths jsonValueAvx2(std::string_view raw)
{
    return countJson<readStridesAvx2<Classes::Value>, ValueCounter>(raw);
}

PALIMPSEST_AVX2 size_t pairAvx2(std::string_view text, char first, char second)
{
    const __m256i wantFirst = _mm256_set1_epi8(first);
    const __m256i wantSecond = _mm256_set1_epi8(second);
    size_t i = 0;
    for (; i + 33 <= text.size(); i += 32) {
        const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(text.data() + i));
        const __m256i next = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(text.data() + i + 1));
        const int mask = _mm256_movemask_epi8(
            _mm256_and_si256(_mm256_cmpeq_epi8(here, wantFirst), _mm256_cmpeq_epi8(next, wantSecond)));
        if (mask != 0)
            return i + static_cast<size_t>(std::countr_zero(static_cast<unsigned>(mask)));
    }
    return pairFrom(text, i, first, second);
}

PALIMPSEST_AVX2 LineLook lineAvx2(std::string_view text, size_t begin)
{
    const __m256i feed = _mm256_set1_epi8('\n');
    const __m256i closing = _mm256_set1_epi8('}');
    const __m256i opening = _mm256_set1_epi8('{');
    const auto *data = reinterpret_cast<const __m256i *>(text.data() + begin);
    __m256i braces = _mm256_setzero_si256();
    size_t i = begin;
    for (; i + 65 <= text.size(); i += 64, data += 2) {
        const __m256i first = _mm256_loadu_si256(data);
        const __m256i second = _mm256_loadu_si256(data + 1);
        const auto *shifted = reinterpret_cast<const __m256i *>(reinterpret_cast<const char *>(data) + 1);
        const __m256i behindFirst = _mm256_loadu_si256(shifted);
        const __m256i behindSecond = _mm256_loadu_si256(shifted + 1);
        braces = _mm256_or_si256(braces,
            _mm256_or_si256(
                _mm256_and_si256(_mm256_cmpeq_epi8(first, closing), _mm256_cmpeq_epi8(behindFirst, opening)),
                _mm256_and_si256(_mm256_cmpeq_epi8(second, closing), _mm256_cmpeq_epi8(behindSecond, opening))));
        const __m256i isFeedInFirst = _mm256_cmpeq_epi8(first, feed);
        const __m256i isFeedInSecond = _mm256_cmpeq_epi8(second, feed);
        if (_mm256_testz_si256(isFeedInFirst, isFeedInFirst) != 0
            && _mm256_testz_si256(isFeedInSecond, isFeedInSecond) != 0)
            continue;
        const uint64_t feeds = uint64_t(uint32_t(_mm256_movemask_epi8(isFeedInFirst)))
            | uint64_t(uint32_t(_mm256_movemask_epi8(isFeedInSecond))) << 32U;
        return { i + static_cast<size_t>(std::countr_zero(feeds)), _mm256_testz_si256(braces, braces) == 0 };
    }
    // The pair found in the strides, or one in the rest, which may start with their last byte.
    const LineLook rest = i < text.size() ? lineOfAny(text, i) : LineLook { text.size(), false };
    return { rest.end, rest.hasBraces || _mm256_testz_si256(braces, braces) == 0 };
}

constexpr TextCounters kForAvx2 { "AVX2", textAvx2, jsonStringAvx2, jsonValueAvx2, pairAvx2, lineAvx2 };
constexpr std::array kAll { kForAny, kForAvx2 };

bool hasAvx2()
{
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0
        && __builtin_cpu_supports("popcnt") != 0;
}
#else
constexpr std::array kAll { kForAny };
bool hasAvx2() { return false; }
#endif

const TextCounters &fastest()
{
    static const TextCounters &counters = textCounters().back();
    return counters;
}

} // namespace

std::span<const TextCounters> textCounters() { return std::span(kAll).first(hasAvx2() ? kAll.size() : 1); }

TextLengths textLengths(std::string_view utf8) { return fastest().text(utf8); }
TextLengths jsonStringLengths(std::string_view raw) { return fastest().jsonString(raw); }
TextLengths jsonValueLengths(std::string_view raw) { return fastest().jsonValue(raw); }
LineLook lookAtLine(std::string_view text, size_t begin) { return fastest().line(text, begin); }
size_t findPair(std::string_view text, char first, char second) { return fastest().pair(text, first, second); }

} // namespace core
