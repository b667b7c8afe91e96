// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"

#include "core/base/visible.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace core {

namespace {

constexpr size_t kStride = 64;

/// Which bytes of one 64-byte stride belong to which class, one bit a byte.
struct StrideMasks {
    uint64_t backslash = 0;
    uint64_t nonAscii = 0;
    uint64_t continuation = 0; ///< 10xxxxxx
    uint64_t fourByteLead = 0; ///< 11110xxx
};

#if defined(__SSE2__)
StrideMasks masksOf(const char *data)
{
    StrideMasks masks;
    const __m128i backslash = _mm_set1_epi8('\\');
    __m128i parts[4]; // NOLINT(*-avoid-c-arrays): std::array drops the type's alignment attribute
    for (size_t i = 0; i < 4; ++i) {
        parts[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(data) + i);
        const auto shift = 16 * i;
        masks.backslash |= uint64_t(uint32_t(_mm_movemask_epi8(_mm_cmpeq_epi8(parts[i], backslash)))) << shift;
        masks.nonAscii |= uint64_t(uint32_t(_mm_movemask_epi8(parts[i]))) << shift;
    }
    if (masks.nonAscii != 0) {
        const __m128i firstLead = _mm_set1_epi8(char(0xC0));
        const __m128i lastThree = _mm_set1_epi8(char(0xEF));
        for (size_t i = 0; i < 4; ++i) {
            const auto shift = 16 * i;
            const auto below = uint32_t(_mm_movemask_epi8(_mm_cmplt_epi8(parts[i], firstLead)));
            const auto above = uint32_t(_mm_movemask_epi8(_mm_cmpgt_epi8(parts[i], lastThree)));
            masks.continuation |= uint64_t(below) << shift;
            masks.fourByteLead |= uint64_t(above) << shift;
        }
        masks.continuation &= masks.nonAscii;
        masks.fourByteLead &= masks.nonAscii;
    }
    return masks;
}
#else
StrideMasks masksOf(const char *data)
{
    StrideMasks masks;
    for (size_t i = 0; i < kStride; ++i) {
        const auto byte = static_cast<unsigned char>(data[i]);
        const uint64_t bit = uint64_t(1) << i;
        masks.backslash |= byte == '\\' ? bit : 0;
        masks.nonAscii |= byte >= 0x80 ? bit : 0;
        masks.continuation |= byte >= 0x80 && byte < 0xC0 ? bit : 0;
        masks.fourByteLead |= byte >= 0xF0 ? bit : 0;
    }
    return masks;
}
#endif

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/// The code unit of `\uXXXX` at `position` (of the backslash), if it is well formed.
std::optional<uint32_t> codeUnitAt(std::string_view raw, size_t position)
{
    if (position + 6 > raw.size() || raw[position] != '\\' || raw[position + 1] != 'u')
        return std::nullopt;
    uint32_t unit = 0;
    for (size_t i = position + 2; i < position + 6; ++i) {
        const int digit = hexDigit(raw[i]);
        if (digit < 0)
            return std::nullopt;
        unit = unit * 16 + static_cast<uint32_t>(digit);
    }
    return unit;
}

bool isHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool isLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

uint32_t joinSurrogates(uint32_t high, uint32_t low) { return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00); }

uint64_t utf8Size(uint32_t codePoint)
{
    if (codePoint < 0x80)
        return 1;
    if (codePoint < 0x800)
        return 2;
    return codePoint < 0x10000 ? 3 : 4;
}

/// One escape of a JSON string: how many raw bytes it takes and the code point it stands for.
struct Escape {
    size_t rawSize = 1;
    uint32_t codePoint = '\\';
    bool isSimple = true; ///< `\n` and its like, as against `\uXXXX`
};

/// True for the letter behind the backslash of `\n` and its like.
bool isSimpleEscape(char letter)
{
    static constexpr std::array<bool, 256> kIsSimple = [] {
        std::array<bool, 256> table {};
        for (const char each : std::string_view("ntrbf\"\\/"))
            table[static_cast<unsigned char>(each)] = true;
        return table;
    }();
    return kIsSimple[static_cast<unsigned char>(letter)];
}

Escape escapeAt(std::string_view raw, size_t position)
{
    if (position + 1 >= raw.size())
        return {};
    switch (raw[position + 1]) {
    case 'n':
        return { 2, '\n', true };
    case 't':
        return { 2, '\t', true };
    case 'r':
        return { 2, '\r', true };
    case 'b':
        return { 2, '\b', true };
    case 'f':
        return { 2, '\f', true };
    case '"':
    case '\\':
    case '/':
        return { 2, static_cast<unsigned char>(raw[position + 1]), true };
    case 'u':
        break;
    default:
        return {};
    }
    const auto unit = codeUnitAt(raw, position);
    if (!unit)
        return {};
    if (isHighSurrogate(*unit)) {
        const auto low = codeUnitAt(raw, position + 6);
        if (low && isLowSurrogate(*low))
            return { 12, joinSurrogates(*unit, *low), false };
    }
    return { 6, *unit, false };
}

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

void appendQuoted(std::string &out, char c)
{
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    case '\b':
        out += "\\b";
        return;
    case '\f':
        out += "\\f";
        return;
    default:
        break;
    }
    if (static_cast<unsigned char>(c) < 0x20) {
        std::array<char, 8> buffer {};
        std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += buffer.data();
        return;
    }
    out += c;
}

void appendQuotedCodePoint(std::string &out, uint32_t codePoint)
{
    if (codePoint < 0x80)
        appendQuoted(out, static_cast<char>(codePoint));
    else
        appendUtf8(out, codePoint);
}

/// How much of a JSON string, from inside it, stands for itself: no quote, escape or control character.
size_t lengthOfPlainRun(std::string_view raw)
{
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i lastControl = _mm_set1_epi8(0x1F);
    for (; i + 16 <= raw.size(); i += 16) {
        const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i *>(raw.data() + i));
        const __m128i isControl = _mm_cmpeq_epi8(_mm_min_epu8(data, lastControl), data);
        const __m128i stops
            = _mm_or_si128(isControl, _mm_or_si128(_mm_cmpeq_epi8(data, quote), _mm_cmpeq_epi8(data, backslash)));
        if (const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(stops)); mask != 0)
            return i + static_cast<size_t>(std::countr_zero(mask));
    }
#endif
    while (i < raw.size() && raw[i] != '"' && raw[i] != '\\' && static_cast<unsigned char>(raw[i]) >= 0x20)
        ++i;
    return i;
}

/// End (past the closing quote) of the JSON string that opens at `open`.
size_t endOfString(std::string_view raw, size_t open)
{
    size_t i = open + 1;
    while (i < raw.size()) {
        const auto *hit = static_cast<const char *>(std::memchr(raw.data() + i, '"', raw.size() - i));
        if (hit == nullptr)
            return raw.size();
        const auto quote = static_cast<size_t>(hit - raw.data());
        size_t backslashes = 0;
        while (quote - backslashes > i && raw[quote - backslashes - 1] == '\\')
            ++backslashes;
        if (backslashes % 2 == 0)
            return quote + 1;
        i = quote + 1;
    }
    return raw.size();
}

bool isJsonBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Length of the well-formed UTF-8 sequence at `i`, or 0.
size_t sequenceLength(std::string_view text, size_t i)
{
    const auto at = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned lead = at(i);
    if (lead < 0x80)
        return 1;
    const auto isContinuation = [&](size_t k) { return k < text.size() && (at(k) & 0xC0U) == 0x80U; };
    if (lead >= 0xC2 && lead <= 0xDF)
        return isContinuation(i + 1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (!isContinuation(i + 1) || !isContinuation(i + 2))
            return 0;
        if ((lead == 0xE0 && at(i + 1) < 0xA0) || (lead == 0xED && at(i + 1) > 0x9F))
            return 0;
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (!isContinuation(i + 1) || !isContinuation(i + 2) || !isContinuation(i + 3))
            return 0;
        if ((lead == 0xF0 && at(i + 1) < 0x90) || (lead == 0xF4 && at(i + 1) > 0x8F))
            return 0;
        return 4;
    }
    return 0;
}

} // namespace

TextLengths textLengths(std::string_view utf8)
{
    uint64_t continuations = 0;
    uint64_t fourByteLeads = 0;
    const auto add = [&](const StrideMasks &masks) {
        continuations += static_cast<uint64_t>(std::popcount(masks.continuation));
        fourByteLeads += static_cast<uint64_t>(std::popcount(masks.fourByteLead));
    };
    size_t i = 0;
    for (; i + kStride <= utf8.size(); i += kStride) {
        const StrideMasks masks = masksOf(utf8.data() + i);
        if (masks.nonAscii != 0)
            add(masks);
    }
    if (i < utf8.size()) {
        std::array<char, kStride> rest {};
        std::memcpy(rest.data(), utf8.data() + i, utf8.size() - i);
        add(masksOf(rest.data()));
    }
    const uint64_t codePoints = utf8.size() - continuations;
    return { codePoints, codePoints + fourByteLeads, utf8.size() };
}

TextLengths jsonStringLengths(std::string_view raw)
{
    // Every byte is counted as a character first; continuation bytes and escapes are taken off as they are met.
    uint64_t continuations = 0;
    uint64_t fourByteLeads = 0;
    TextLengths escaped; // by how much escapes are longer than what they stand for
    size_t behindEscape = 0;
    const auto stride = [&](const char *data, size_t begin) {
        const StrideMasks masks = masksOf(data);
        if (masks.nonAscii != 0) {
            continuations += static_cast<uint64_t>(std::popcount(masks.continuation));
            fourByteLeads += static_cast<uint64_t>(std::popcount(masks.fourByteLead));
        }
        uint64_t backslashes = masks.backslash;
        if (behindEscape > begin)
            backslashes &= behindEscape - begin >= kStride ? 0 : ~uint64_t(0) << (behindEscape - begin);
        while (backslashes != 0) {
            const auto bit = static_cast<size_t>(std::countr_zero(backslashes));
            const size_t position = begin + bit;
            if (position + 1 < raw.size() && isSimpleEscape(raw[position + 1])) {
                escaped += { 1, 1, 1 };
                behindEscape = position + 2;
            } else {
                const Escape escape = escapeAt(raw, position);
                escaped += { escape.rawSize - 1, escape.rawSize - (escape.codePoint >= 0x10000 ? 2U : 1U),
                    escape.rawSize - utf8Size(escape.codePoint) };
                behindEscape = position + escape.rawSize;
            }
            const size_t next = behindEscape - begin;
            backslashes &= next >= kStride ? 0 : ~uint64_t(0) << next;
        }
    };
    size_t i = 0;
    for (; i + kStride <= raw.size(); i += kStride)
        stride(raw.data() + i, i);
    if (i < raw.size()) {
        std::array<char, kStride> rest {};
        std::memcpy(rest.data(), raw.data() + i, raw.size() - i);
        stride(rest.data(), i);
    }
    const uint64_t codePoints = raw.size() - continuations;
    return { codePoints - escaped.codePoints, codePoints + fourByteLeads - escaped.utf16Units,
        raw.size() - escaped.bytes };
}

size_t findPair(std::string_view text, char first, char second)
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
    for (; i + 1 < text.size(); ++i) {
        if (text[i] == first && text[i + 1] == second)
            return i;
    }
    return std::string_view::npos;
}

TextLengths jsonValueLengths(std::string_view raw)
{
    TextLengths lengths;
    const auto addAscii = [&](uint64_t count) { lengths += TextLengths { count, count, count }; };
    for (size_t i = 0; i < raw.size();) {
        const char c = raw[i];
        if (c == '"') {
            const size_t end = endOfString(raw, i);
            const std::string_view inner = raw.substr(i + 1, end - i >= 2 ? end - i - 2 : 0);
            lengths += textLengths(inner);
            addAscii(2);
            for (size_t k = inner.find('\\'); k != std::string_view::npos; k = inner.find('\\', k)) {
                const Escape escape = escapeAt(inner, k);
                const TextLengths written = quotedLengths(escape.codePoint);
                lengths.codePoints += written.codePoints - escape.rawSize;
                lengths.utf16Units += written.utf16Units - escape.rawSize;
                lengths.bytes += written.bytes - escape.rawSize;
                k += escape.rawSize;
            }
            i = end;
            continue;
        }
        if (c == ',' || c == ':')
            addAscii(2);
        else if (!isJsonBlank(c))
            addAscii(1);
        ++i;
    }
    return lengths;
}

std::string decodeJsonString(std::string_view raw)
{
    std::string out;
    out.reserve(raw.size());
    for (size_t i = 0; i < raw.size();)
        i += appendJsonString(out, raw.substr(i), raw.size());
    return out;
}

size_t appendJsonString(std::string &out, std::string_view raw, size_t wanted)
{
    const size_t enough = out.size() + wanted;
    size_t i = 0;
    while (i < raw.size() && out.size() < enough) {
        const size_t most = std::min(raw.size() - i, enough - out.size());
        const auto *hit = static_cast<const char *>(std::memchr(raw.data() + i, '\\', most));
        const size_t plain = hit == nullptr ? most : static_cast<size_t>(hit - raw.data()) - i;
        out.append(raw, i, plain);
        i += plain;
        if (hit == nullptr)
            continue;
        const Escape escape = escapeAt(raw, i);
        appendUtf8(out, escape.codePoint);
        i += escape.rawSize;
    }
    return i;
}

std::string canonicalJson(std::string_view raw)
{
    std::string out;
    out.reserve(raw.size() + raw.size() / 16);
    bool isInString = false;
    for (size_t i = 0; i < raw.size();)
        i += appendCanonicalJson(out, raw.substr(i), raw.size(), isInString);
    return out;
}

size_t appendCanonicalJson(std::string &out, std::string_view raw, size_t wanted, bool &isInString)
{
    const size_t enough = out.size() + wanted;
    size_t i = 0;
    while (i < raw.size() && out.size() < enough) {
        const char c = raw[i];
        if (!isInString) {
            ++i;
            isInString = c == '"';
            if (c == ',')
                out += ", ";
            else if (c == ':')
                out += ": ";
            else if (!isJsonBlank(c))
                out += c;
            continue;
        }
        const size_t plain = lengthOfPlainRun(raw.substr(i, enough - out.size()));
        out.append(raw, i, plain);
        i += plain;
        if (plain > 0)
            continue;
        if (c == '\\') {
            const Escape escape = escapeAt(raw, i);
            appendQuotedCodePoint(out, escape.codePoint);
            i += escape.rawSize;
            continue;
        }
        ++i;
        isInString = c != '"';
        if (isInString)
            appendQuoted(out, c); // a raw control character, which JSON does not allow
        else
            out += c;
    }
    return i;
}

std::string quoteJson(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 2);
    out += '"';
    for (const char c : text)
        appendQuoted(out, c);
    out += '"';
    return out;
}

CodePoint codePointAt(std::string_view utf8, size_t at)
{
    const auto byte = [&](size_t k) { return uint32_t(static_cast<unsigned char>(utf8[at + k])); };
    switch (sequenceLength(utf8, at)) {
    case 1:
        return { byte(0), 1 };
    case 2:
        return { ((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU), 2 };
    case 3:
        return { ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU), 3 };
    case 4:
        return {
            ((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU), 4
        };
    default:
        break;
    }
    const bool isSurrogate
        = at + 2 < utf8.size() && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF && (byte(2) & 0xC0U) == 0x80U;
    if (isSurrogate)
        return { 0xD000U | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU), 3 };
    return { 0xFFFD, 1 };
}

void appendUtf8(std::string &out, uint32_t codePoint)
{
    if (codePoint < 0x80) {
        out += static_cast<char>(codePoint);
    } else if (codePoint < 0x800) {
        out += static_cast<char>(0xC0 | (codePoint >> 6));
        out += static_cast<char>(0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
        out += static_cast<char>(0xE0 | (codePoint >> 12));
        out += static_cast<char>(0x80 | ((codePoint >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (codePoint & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (codePoint >> 18));
        out += static_cast<char>(0x80 | ((codePoint >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((codePoint >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (codePoint & 0x3F));
    }
}

bool isValidUtf8(std::string_view text)
{
    for (size_t i = 0; i < text.size();) {
        const size_t length = sequenceLength(text, i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

std::string repairJsonText(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    bool inString = false;
    bool escaped = false;
    for (size_t i = 0; i < text.size();) {
        const char c = text[i];
        const size_t length = sequenceLength(text, i);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            ++i;
            escaped = false;
            continue;
        }
        if (c == '\0') {
            ++i;
            continue;
        }
        if (inString && static_cast<unsigned char>(c) < 0x20) {
            appendQuoted(out, c);
            escaped = false;
            ++i;
            continue;
        }
        if (c == '"' && !escaped)
            inString = !inString;
        escaped = inString && c == '\\' && !escaped;
        out.append(text, i, length);
        i += length;
    }
    return out;
}

std::string_view firstCodePoints(std::string_view utf8, size_t count)
{
    size_t i = 0;
    while (i < utf8.size() && count > 0) {
        ++i;
        while (i < utf8.size() && (static_cast<unsigned char>(utf8[i]) & 0xC0U) == 0x80U)
            ++i;
        --count;
    }
    return utf8.substr(0, i);
}

std::string snippet(std::string_view utf8, size_t maxCodePoints)
{
    constexpr std::string_view kBlanks = " \t\r\v\f";
    std::string out;
    size_t count = 0;
    size_t cut = 0; // bytes of `out` that leave room for the ellipsis
    bool pendingBlank = false;
    for (size_t i = 0; i < utf8.size();) {
        if (utf8[i] == '\n' && count > 0)
            break;
        if (utf8[i] == '\n' || kBlanks.contains(utf8[i])) {
            pendingBlank = count > 0;
            ++i;
            continue;
        }
        const CodePoint at = codePointAt(utf8, i);
        const std::string mark = visibleMark(at.value);
        const size_t wanted = mark.empty() ? 1 : textLengths(mark).codePoints;
        if (count + (pendingBlank ? 1 : 0) + wanted > maxCodePoints) {
            out.resize(cut);
            return maxCodePoints == 0 ? out : out + "…";
        }
        if (pendingBlank)
            out += ' ';
        count += wanted + (pendingBlank ? 1 : 0);
        pendingBlank = false;
        if (!mark.empty())
            out += mark;
        else
            appendUtf8(out, at.value);
        if (count < maxCodePoints)
            cut = out.size();
        i += at.size;
    }
    return out;
}

std::string groupedNumber(uint64_t value)
{
    std::string digits = std::to_string(value);
    for (size_t i = digits.size(); i > 3;) {
        i -= 3;
        digits.insert(i, 1, ',');
    }
    return digits;
}

std::string shortNumber(double value)
{
    std::array<char, 32> buffer {};
    const auto print = [&](const char *format, double number) {
        std::snprintf(buffer.data(), buffer.size(), format, number);
        return std::string(buffer.data());
    };
    if (value < 999.5)
        return print("%.0f", value);
    const bool isMillions = value >= 999'500;
    const double scaled = isMillions ? value / 1e6 : value / 1e3;
    const char *format = scaled < 9.995 ? "%.2f" : scaled < 99.95 ? "%.1f" : "%.0f";
    if (!isMillions && scaled < 9.995)
        format = "%.1f";
    return print(format, scaled) + (isMillions ? "M" : "k");
}

uint64_t lineOfOffset(std::string_view text, uint64_t offset)
{
    uint64_t line = 1;
    const char *at = text.data();
    const char *end = text.data() + std::min<uint64_t>(offset, text.size());
    while (at < end) {
        const auto *hit = static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
        if (hit == nullptr)
            break;
        ++line;
        at = hit + 1;
    }
    return line;
}

} // namespace core
