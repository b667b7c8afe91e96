// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/markup.h"

#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace core {

namespace {

constexpr auto kEntities = std::to_array<std::pair<std::string_view, char>>(
    { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&#39;", '\'' } });

/// Tags inside a line: a text goes on behind them.
constexpr auto kInline = std::to_array<std::string_view>(
    { "a", "b", "code", "span", "em", "strong", "i", "del", "ins", "small", "tspan" });

/// Not a character of XML.
bool isNoCharacter(uint32_t codePoint) { return (codePoint & 0xFFFEU) == 0xFFFEU; }

bool isAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view nameOfTag(std::string_view tag)
{
    const size_t begin = tag.starts_with("</") ? 2 : 1;
    size_t end = begin;
    while (end < tag.size() && (isAsciiLetter(tag[end]) || (tag[end] >= '0' && tag[end] <= '9')))
        ++end;
    return tag.substr(begin, end - begin);
}

/// The code point of `&#12;` or `&#x0c;` at the start of a text, and its size; 0 if there is none.
std::pair<uint32_t, size_t> numericEntity(std::string_view text)
{
    const size_t end = text.find(';');
    if (!text.starts_with("&#") || end == std::string_view::npos || end > 10)
        return {};
    const bool isHex = text[2] == 'x' || text[2] == 'X';
    const char *first = text.data() + (isHex ? 3 : 2);
    uint32_t value = 0;
    const auto [last, error] = std::from_chars(first, text.data() + end, value, isHex ? 16 : 10);
    return error == std::errc() && last == text.data() + end ? std::pair(value, end + 1) : std::pair(0U, size_t(0));
}

void addUnmarked(UnmarkedText &made, std::string_view text, size_t place)
{
    made.text += text;
    made.places.insert(made.places.end(), text.size(), place);
}

} // namespace

std::string escapedMarkup(std::string_view text)
{
    std::string made;
    made.reserve(text.size() + text.size() / 8);
    for (size_t i = 0; i < text.size();) {
        const char c = text[i];
        const auto *entity = std::ranges::find(kEntities, c, &std::pair<std::string_view, char>::second);
        if (entity != kEntities.end()) {
            made += entity->first;
            ++i;
        } else if (c == '\t' || (c >= 0x20 && c < 0x7F)) {
            made += c;
            ++i;
        } else {
            const CodePoint at = codePointAt(text, i);
            const std::string mark = isNoCharacter(at.value) ? "\uFFFD" : visibleMark(at.value);
            if (mark.empty())
                appendUtf8(made, at.value);
            else
                made += mark;
            i += at.size;
        }
    }
    return made;
}

std::string escapedMarkdown(std::string_view text)
{
    static constexpr std::string_view kActing = "\\`*_{}[]<>#|~&!$@^";
    const std::string visible = visibleText(text);
    std::string made;
    for (size_t i = 0; i < visible.size(); ++i) {
        const char c = visible[i];
        const std::string_view before = std::string_view(visible).substr(0, i);
        // `https://`, `javascript:`, `www.` become links by themselves; `- `, `+ `, `1. `, `=` at the start act, too.
        const bool isScheme = c == ':' && !before.empty() && isAsciiLetter(before.back());
        const bool isWeb = c == '.' && lowered(before.substr(before.size() - std::min<size_t>(3, i))) == "www";
        const bool isFirst = before.find_first_not_of(" 0123456789") == std::string_view::npos
            && (c == '-' || c == '+' || c == '=' || ((c == '.' || c == ')') && i > 0));
        if (kActing.contains(c) || isScheme || isWeb || isFirst)
            made += '\\';
        made += c;
    }
    return made;
}

UnmarkedText withoutMarkup(std::string_view markup)
{
    UnmarkedText made;
    for (size_t i = 0; i < markup.size();) {
        if (markup[i] == '<') {
            const size_t end = std::min(markup.find('>', i), markup.size() - 1);
            const std::string_view tag = markup.substr(i, end + 1 - i);
            const std::string_view name = nameOfTag(tag);
            if (!std::ranges::contains(kInline, name))
                addUnmarked(made, "\n", i);
            i = end + 1;
            if (name == "style" && !tag.starts_with("</"))
                i = std::min(markup.find("</style", i), markup.size());
            continue;
        }
        if (markup[i] == '&') {
            const auto *entity = std::ranges::find_if(
                kEntities, [&](const auto &each) { return markup.substr(i).starts_with(each.first); });
            if (entity != kEntities.end()) {
                addUnmarked(made, std::string_view(&entity->second, 1), i);
                i += entity->first.size();
                continue;
            }
            if (const auto [value, size] = numericEntity(markup.substr(i)); size > 0) {
                std::string character;
                appendUtf8(character, value);
                addUnmarked(made, character, i);
                i += size;
                continue;
            }
        }
        addUnmarked(made, markup.substr(i, 1), i);
        ++i;
    }
    return made;
}

UnmarkedText withoutJsonEscapes(std::string_view text)
{
    UnmarkedText made;
    for (size_t i = 0; i < text.size();) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            addUnmarked(made, text.substr(i, 1), i);
            ++i;
            continue;
        }
        const char c = text[i + 1];
        uint32_t value = 0;
        if (c == 'u' && i + 6 <= text.size()) {
            const auto [last, error] = std::from_chars(text.data() + i + 2, text.data() + i + 6, value, 16);
            if (error == std::errc() && last == text.data() + i + 6) {
                std::string character;
                appendUtf8(character, value);
                addUnmarked(made, character, i);
                i += 6;
                continue;
            }
        }
        addUnmarked(made,
            c == 'n'       ? "\n"
                : c == 't' ? "\t"
                : c == 'r' ? "\r"
                           : std::string_view(text).substr(i + 1, 1),
            i);
        i += 2;
    }
    return made;
}

} // namespace core
