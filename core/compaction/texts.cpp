// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/texts.h"

#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr uint32_t kFirstTwoUnits = 0x10000;

/// Python's blanks beyond ASCII.
bool isPythonBlank(uint32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029
        || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool isPythonLineEnd(uint32_t c)
{
    return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

size_t startOfLast(std::string_view text)
{
    size_t at = text.size() - 1;
    while (at > 0 && text.size() - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
        --at;
    return at;
}

uint64_t unitsOf(const CodePoint &c, LengthUnit unit)
{
    switch (unit) {
    case LengthUnit::CodePoints:
        return 1;
    case LengthUnit::Utf16Units:
        return c.value >= kFirstTwoUnits ? 2 : 1;
    case LengthUnit::Bytes:
        return c.size;
    }
    return 1;
}

uint32_t highSurrogate(uint32_t c) { return 0xd7c0U + (c >> 10U); }
uint32_t lowSurrogate(uint32_t c) { return 0xdc00U + (c & 0x3ffU); }

} // namespace

std::string_view nameOf(LengthUnit unit)
{
    switch (unit) {
    case LengthUnit::CodePoints:
        return "code_points";
    case LengthUnit::Utf16Units:
        return "utf16_units";
    case LengthUnit::Bytes:
        return "bytes";
    }
    return "code_points";
}

std::optional<LengthUnit> lengthUnitOf(std::string_view name)
{
    for (const LengthUnit unit : { LengthUnit::CodePoints, LengthUnit::Utf16Units, LengthUnit::Bytes }) {
        if (nameOf(unit) == name)
            return unit;
    }
    return std::nullopt;
}

uint64_t lengthIn(const TextLengths &lengths, LengthUnit unit)
{
    switch (unit) {
    case LengthUnit::CodePoints:
        return lengths.codePoints;
    case LengthUnit::Utf16Units:
        return lengths.utf16Units;
    case LengthUnit::Bytes:
        return lengths.bytes;
    }
    return lengths.codePoints;
}

std::string headOf(std::string_view utf8, uint64_t count, LengthUnit unit)
{
    size_t at = 0;
    uint64_t taken = 0;
    while (at < utf8.size() && taken < count) {
        const CodePoint c = codePointAt(utf8, at);
        const uint64_t units = unitsOf(c, unit);
        if (taken + units > count) {
            std::string head(utf8.substr(0, at));
            if (unit == LengthUnit::Utf16Units)
                appendUtf8(head, highSurrogate(c.value));
            return head;
        }
        taken += units;
        at += c.size;
    }
    return std::string(utf8.substr(0, at));
}

std::string tailOf(std::string_view utf8, uint64_t count, LengthUnit unit)
{
    size_t at = utf8.size();
    uint64_t taken = 0;
    while (at > 0 && taken < count) {
        const size_t start = startOfLast(utf8.substr(0, at));
        const CodePoint c = codePointAt(utf8, start);
        const bool isWhole = start + c.size == at;
        const uint64_t units = isWhole ? unitsOf(c, unit) : 1;
        if (taken + units > count) {
            std::string tail;
            if (unit == LengthUnit::Utf16Units)
                appendUtf8(tail, lowSurrogate(c.value));
            return tail.append(utf8.substr(at));
        }
        taken += units;
        at = isWhole ? start : at - 1;
    }
    return std::string(utf8.substr(at));
}

std::string_view rightStripped(std::string_view utf8)
{
    while (!utf8.empty()) {
        const size_t start = startOfLast(utf8);
        const CodePoint c = codePointAt(utf8, start);
        if (start + c.size != utf8.size() || !isPythonBlank(c.value))
            break;
        utf8 = utf8.substr(0, start);
    }
    return utf8;
}

std::string_view stripped(std::string_view utf8)
{
    utf8 = rightStripped(utf8);
    while (!utf8.empty()) {
        const CodePoint c = codePointAt(utf8, 0);
        if (!isPythonBlank(c.value))
            break;
        utf8.remove_prefix(c.size);
    }
    return utf8;
}

bool OrderedFinder::holds(std::string_view part)
{
    size_t at = m_text.find(part, m_next);
    if (at == std::string_view::npos && m_next > 0)
        at = m_text.find(part);
    if (at != std::string_view::npos)
        m_next = at + part.size();
    return at != std::string_view::npos;
}

std::vector<std::string_view> splitLines(std::string_view utf8, LineRule rule)
{
    std::vector<std::string_view> lines;
    size_t begin = 0;
    if (rule == LineRule::JavaScript) {
        for (size_t end = utf8.find('\n'); end != std::string_view::npos; end = utf8.find('\n', begin)) {
            lines.push_back(utf8.substr(begin, end - begin));
            begin = end + 1;
        }
        lines.push_back(utf8.substr(begin));
        return lines;
    }
    for (size_t at = 0; at < utf8.size();) {
        const CodePoint c = codePointAt(utf8, at);
        if (!isPythonLineEnd(c.value)) {
            at += c.size;
            continue;
        }
        lines.push_back(utf8.substr(begin, at - begin));
        at += c.size;
        if (c.value == '\r' && at < utf8.size() && utf8[at] == '\n')
            ++at;
        begin = at;
    }
    if (begin < utf8.size())
        lines.push_back(utf8.substr(begin));
    return lines;
}

std::string filled(
    std::string_view pattern, std::initializer_list<std::pair<std::string_view, std::string_view>> values)
{
    std::string result;
    while (!pattern.empty()) {
        const size_t open = pattern.find('{');
        result.append(pattern.substr(0, open));
        if (open == std::string_view::npos)
            break;
        pattern.remove_prefix(open);
        const size_t close = pattern.find('}');
        const std::string_view name
            = close == std::string_view::npos ? std::string_view() : pattern.substr(1, close - 1);
        const auto *const value
            = std::ranges::find(values, name, &std::pair<std::string_view, std::string_view>::first);
        if (value != values.end()) {
            result.append(value->second);
            pattern.remove_prefix(close + 1);
        } else {
            result += '{';
            pattern.remove_prefix(1);
        }
    }
    return result;
}

std::string ClipRule::clipped(std::string_view head, const TextLengths &whole) const
{
    std::string result = headOf(head, preview, unit);
    if (stripsHead)
        result.resize(rightStripped(result).size());
    return result + filled(suffix, { { "n", groupedNumber(lengthIn(whole, unit)) } });
}

std::string SampleRule::of(std::string_view text) const
{
    const std::vector<std::string_view> all = splitLines(text, lines);
    std::string result;
    const auto show = [&](size_t from, size_t count) {
        // Numbers are as wide as the widest of their own part.
        const size_t width = std::to_string(from + count).size();
        for (size_t i = from; i < from + count; ++i) {
            if (!result.empty())
                result += '\n';
            if (hasLineNumbers) {
                const std::string number = std::to_string(i + 1);
                result.append(width - std::min(width, number.size()), ' ').append(number).append("  ");
            }
            result += headOf(all[i], lineCap, unit);
        }
    };
    if (all.size() <= headLines + tailLines) {
        show(0, all.size());
        return result;
    }
    show(0, headLines);
    result += (result.empty() ? "" : "\n")
        + filled(omitted, { { "n", std::to_string(all.size() - headLines - tailLines) } });
    show(all.size() - tailLines, tailLines);
    return result;
}

namespace {

/// Code points of Python's `repr` of a JSON string's text.
uint64_t reprLengthOfString(std::string_view raw)
{
    const std::string text = decodeJsonString(raw);
    const bool hasSingle = text.find('\'') != std::string::npos;
    const bool hasDouble = text.find('"') != std::string::npos;
    const bool escapesSingle = hasSingle && hasDouble; // otherwise the other quote is used
    uint64_t length = 2;
    for (size_t at = 0; at < text.size();) {
        const CodePoint c = codePointAt(text, at);
        at += c.size;
        if (c.value == '\\' || c.value == '\n' || c.value == '\r' || c.value == '\t'
            || (c.value == '\'' && escapesSingle))
            length += 2;
        else if (c.value < 0x20 || c.value == 0x7f || (c.value >= 0x80 && c.value < 0xa1) || c.value == 0xad)
            length += 4; // \x1b
        else if ((c.value >= 0xd800 && c.value < 0xe000) || c.value == 0x2028 || c.value == 0x2029
            || (c.value >= 0x2000 && c.value <= 0x200f) || c.value == 0x202f || c.value == 0x205f || c.value == 0x3000
            || c.value == 0xfeff || (c.value >= 0xe000 && c.value < 0xf900))
            length += 6; // \u2028
        else
            ++length;
    }
    return length;
}

} // namespace

uint64_t pythonReprLength(std::string_view json)
{
    uint64_t length = 0;
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') {
            const auto behind = skipJsonString(json, i);
            const size_t end = behind ? *behind - 1 : json.size();
            length += reprLengthOfString(json.substr(i + 1, end - i - 1));
            i = end;
        } else if (c == ',' || c == ':') {
            length += 2; // with the following blank
        } else if (c == 't' || c == 'n') {
            length += 4; // True, None
            i += 3;
        } else if (c == 'f') {
            length += 5; // False
            i += 4;
        } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            ++length;
        }
    }
    return length;
}

uint64_t jsonStringifyLength(std::string_view json)
{
    uint64_t dropped = 0; // blanks between values, and escapes that are not needed
    bool isString = false;
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') {
            isString = !isString;
        } else if (!isString) {
            dropped += c == ' ' || c == '\t' || c == '\n' || c == '\r' ? 1 : 0;
        } else if (c == '\\') {
            ++i;
            const bool isCode = i + 4 < json.size() && json[i] == 'u';
            const bool isNeeded = isCode && json.substr(i + 1, 2) == "00" && json[i + 3] < '2'; // a control character
            if (isCode && !isNeeded)
                dropped += 5;
            else if (json.substr(i, 1) == "/")
                dropped += 1;
        }
    }
    return textLengths(json).utf16Units - dropped;
}

} // namespace core
