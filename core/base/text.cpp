// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"

#include "core/base/decimal_text.h"
#include "core/base/visible.h"
#include "core/json/json_escape.h"
#include "core/json/text_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <simdjson.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace core {

namespace {

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

/// Length of the prefix, inside of a JSON string, without quotes, escapes or control characters.
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

JsonEscape jsonEscapeAt(std::string_view raw, size_t position)
{
    if (position + 1 >= raw.size())
        return {};
    switch (raw[position + 1]) {
    case 'n':
        return { 2, '\n' };
    case 't':
        return { 2, '\t' };
    case 'r':
        return { 2, '\r' };
    case 'b':
        return { 2, '\b' };
    case 'f':
        return { 2, '\f' };
    case '"':
    case '\\':
    case '/':
        return { 2, static_cast<unsigned char>(raw[position + 1]) };
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
            return { 12, joinSurrogates(*unit, *low) };
    }
    return { 6, *unit };
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
        const JsonEscape escape = jsonEscapeAt(raw, i);
        appendUtf8(out, escape.codePoint);
        i += escape.rawSize;
    }
    return i;
}

TextLengths textPartsLengths(std::string_view raw)
{
    TextLengths lengths;
    JsonTextParts parts(raw);
    bool isFirst = true;
    while (const auto part = parts.next()) {
        if (!isFirst)
            lengths += { 1, 1, 1 };
        isFirst = false;
        lengths += jsonStringLengths(*part);
    }
    return lengths;
}

std::string joinedTextParts(std::string_view raw)
{
    std::string out;
    JsonTextParts parts(raw);
    bool isFirst = true;
    while (const auto part = parts.next()) {
        if (!isFirst)
            out += '\n';
        isFirst = false;
        out += decodeJsonString(*part);
    }
    return out;
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
            else if (!isBlank(c))
                out += c;
            continue;
        }
        const size_t plain = lengthOfPlainRun(raw.substr(i, enough - out.size()));
        out.append(raw, i, plain);
        i += plain;
        if (plain > 0)
            continue;
        if (c == '\\') {
            const JsonEscape escape = jsonEscapeAt(raw, i);
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

std::string escapedJson(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + text.size() / 16);
    size_t plain = 0; // where what need not be escaped begins
    const auto flush = [&](size_t end) { out += text.substr(plain, end - plain); };
    for (size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
            ++i;
            continue;
        }
        const CodePoint each = codePointAt(text, i);
        const bool isSurrogate = each.value >= 0xD800 && each.value < 0xE000;
        const bool isBroken = each.size == 1 && c >= 0x80;
        if (each.size > 1 && !isSurrogate) {
            i += each.size;
            continue;
        }
        flush(i);
        if (isBroken)
            out += "\xEF\xBF\xBD";
        else if (c == '"' || c == '\\')
            out += std::string("\\") + static_cast<char>(c);
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\r')
            out += "\\r";
        else if (c == 0x7F)
            out += '\x7F';
        else
            out += formatted("\\u{:04x}", each.value);
        i += each.size;
        plain = i;
    }
    flush(text.size());
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

size_t lineNumberSize(std::string_view line)
{
    constexpr std::string_view kArrow = "→";
    const size_t number = line.find_first_not_of(' ');
    const size_t behind = number == std::string_view::npos ? number : line.find_first_not_of("0123456789", number);
    if (behind == std::string_view::npos || behind == number)
        return 0;
    const std::string_view rest = line.substr(behind);
    const size_t mark = rest.starts_with('\t') ? 1 : rest.starts_with(kArrow) ? kArrow.size() : 0;
    return mark == 0 ? 0 : behind + mark;
}

bool isValidUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

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

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char &c : result)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
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
    if (value < 999.5)
        return decimalText(value, 0);
    const bool isMillions = value >= 999'500;
    const double scaled = isMillions ? value / 1e6 : value / 1e3;
    const int decimals = scaled < 9.995 ? (isMillions ? 2 : 1) : scaled < 99.95 ? 1 : 0;
    return decimalText(scaled, decimals) + (isMillions ? "M" : "k");
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
