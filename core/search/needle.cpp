// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/search/needle.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

constexpr char32_t kFoldedEnd = 0x530; ///< no capital from here on is folded

constexpr unsigned char lowerByte(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? static_cast<unsigned char>(byte - 'A' + 'a') : byte;
}

constexpr std::array<unsigned char, 256> kLowered = [] {
    std::array<unsigned char, 256> table {};
    for (size_t i = 0; i < table.size(); ++i)
        table[i] = lowerByte(static_cast<unsigned char>(i));
    return table;
}();

unsigned char byteAt(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

/// Whether all writers of JSON write the character of a string as it is, but for `\u` escapes.
bool isSafe(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '/';
}

bool isSafeInValue(char c) { return isSafe(c) && c != ' ' && c != ',' && c != ':'; }

template <typename Predicate>
std::string_view longestPart(std::string_view text, const Predicate &belongs)
{
    std::string_view best;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = begin;
        while (end < text.size() && belongs(text[end]))
            ++end;
        if (end - begin > best.size())
            best = text.substr(begin, end - begin);
        begin = end + 1;
    }
    return best;
}

/// Pairs of a capital and its small letter, one behind the other.
bool isCapitalOfPair(char32_t c)
{
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e) || (c >= 0x4c1 && c <= 0x4ce))
        return c % 2 == 1;
    const bool isPaired = (c >= 0x100 && c <= 0x12f) || (c >= 0x132 && c <= 0x137) || (c >= 0x14a && c <= 0x177)
        || (c >= 0x460 && c <= 0x481) || (c >= 0x48a && c <= 0x4bf) || (c >= 0x4d0 && c <= 0x52f);
    return isPaired && c % 2 == 0;
}

} // namespace

char32_t foldedCase(char32_t c)
{
    if (c < 0x80)
        return kLowered[c];
    if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3ab) || (c >= 0x410 && c <= 0x42f))
        return c + 32;
    if (c >= 0x400 && c <= 0x40f)
        return c + 80;
    if (c >= 0x388 && c <= 0x38a)
        return c + 37;
    switch (c) {
    case 0x178: // Ÿ
        return 0xff;
    case 0x386: // Ά
        return 0x3ac;
    case 0x38c: // Ό
        return 0x3cc;
    case 0x38e: // Ύ
    case 0x38f: // Ώ
        return c + 63;
    case 0x3c2: // ς
        return 0x3c3;
    case 0x4c0: // Ӏ
        return 0x4cf;
    default:
        return isCapitalOfPair(c) ? c + 1 : c;
    }
}

Needle::Ascii::Ascii(std::string_view text)
{
    for (const char c : text)
        lowered += static_cast<char>(kLowered[static_cast<unsigned char>(c)]);
    steps.fill(static_cast<uint32_t>(lowered.size()));
    for (size_t i = 0; i + 1 < lowered.size(); ++i) {
        const unsigned char low = byteAt(lowered, i);
        const auto step = static_cast<uint32_t>(lowered.size() - 1 - i);
        steps[low] = step;
        if (low >= 'a' && low <= 'z')
            steps[low - 'a' + 'A'] = step;
    }
}

size_t Needle::Ascii::find(std::string_view text, size_t from) const
{
    const size_t last = lowered.size() - 1;
    const unsigned char end = byteAt(lowered, last);
    for (size_t at = from; at + last < text.size();) {
        const unsigned char byte = byteAt(text, at + last);
        if (kLowered[byte] == end) {
            size_t i = 0;
            while (i < last && kLowered[byteAt(text, at + i)] == byteAt(lowered, i))
                ++i;
            if (i == last)
                return at;
        }
        at += steps[byte];
    }
    return std::string_view::npos;
}

Needle::Needle(std::string_view text)
    : m_text(text)
{
    assert(!text.empty());
    if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
        m_ascii.emplace(text);
    } else {
        for (size_t at = 0; at < text.size();) {
            const CodePoint next = codePointAt(text, at);
            m_folded += foldedCase(next.value);
            at += next.size;
        }
        // The bytes with which the first character may begin, in any case.
        const auto mayBegin = [&](char32_t codePoint) {
            std::string bytes;
            appendUtf8(bytes, codePoint);
            m_beginnings[static_cast<unsigned char>(bytes.front())] = true;
        };
        mayBegin(m_folded.front());
        for (char32_t each = 0; each < kFoldedEnd; ++each) {
            if (foldedCase(each) == m_folded.front())
                mayBegin(each);
        }
    }
    if (const std::string_view part = longestPart(text, isSafe); !part.empty())
        m_inString.emplace(part);
    if (const std::string_view part = longestPart(text, isSafeInValue); !part.empty())
        m_inValue.emplace(part);
}

std::optional<TextPlace> Needle::find(std::string_view text, size_t from) const
{
    if (m_ascii) {
        const size_t at = m_ascii->find(text, from);
        return at == std::string_view::npos ? std::nullopt : std::optional(TextPlace { at, at + m_text.size() });
    }
    const auto begins = [this](char c) { return m_beginnings[static_cast<unsigned char>(c)]; };
    for (; from < text.size(); ++from) {
        if (!begins(text[from]))
            continue;
        size_t at = from;
        size_t matched = 0;
        while (matched < m_folded.size() && at < text.size()) {
            const CodePoint next = codePointAt(text, at);
            if (foldedCase(next.value) != m_folded[matched])
                break;
            at += next.size;
            ++matched;
        }
        if (matched == m_folded.size())
            return TextPlace { from, at };
    }
    return std::nullopt;
}

std::optional<size_t> Needle::mayEndAt(std::string_view raw, Coding coding) const
{
    const auto &part = coding == Coding::JsonValue ? m_inValue : m_inString;
    const bool isEscaped = raw.find("\\u") != std::string_view::npos;
    if (isEscaped)
        return raw.size();
    if (!part) {
        const bool mayBegin = m_ascii
            || std::ranges::any_of(raw, [this](char c) { return m_beginnings[static_cast<unsigned char>(c)]; });
        return mayBegin ? std::optional(raw.size()) : std::nullopt;
    }
    const size_t at = part->find(raw, 0);
    if (at == std::string_view::npos)
        return std::nullopt;
    // Escapes only make the text shorter than its bytes; the other parts of the needle follow.
    return coding == Coding::JsonValue ? raw.size() : std::min(raw.size(), at + m_text.size());
}

} // namespace core
