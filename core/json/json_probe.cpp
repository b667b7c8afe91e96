// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json_probe.h"

#include "core/json/blank.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace core {

namespace {

size_t skipBlanks(std::string_view text, size_t i)
{
    while (i < text.size() && isBlank(text[i]))
        ++i;
    return i;
}

} // namespace

std::optional<size_t> skipJsonString(std::string_view text, size_t begin)
{
    for (size_t quote = text.find('"', begin + 1); quote != std::string_view::npos; quote = text.find('"', quote + 1)) {
        size_t slashes = 0;
        while (text[quote - 1 - slashes] == '\\')
            ++slashes;
        if (slashes % 2 == 0)
            return quote + 1;
    }
    return std::nullopt;
}

std::optional<size_t> skipJson(std::string_view text, size_t begin)
{
    size_t i = skipBlanks(text, begin);
    if (i >= text.size())
        return std::nullopt;
    if (text[i] == '"')
        return skipJsonString(text, i);
    if (text[i] != '{' && text[i] != '[') {
        const size_t start = i;
        while (i < text.size() && !isBlank(text[i]) && std::string_view(",:]}").find(text[i]) == std::string_view::npos)
            ++i;
        return i == start ? std::nullopt : std::optional(i);
    }
    size_t depth = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            const auto end = skipJsonString(text, i);
            if (!end)
                return std::nullopt;
            i = *end;
            continue;
        }
        ++i;
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            return i;
    }
    return std::nullopt;
}

std::string_view jsonString(std::string_view raw)
{
    if (!isJsonString(raw))
        return {};
    raw.remove_prefix(1);
    if (raw.ends_with('"'))
        raw.remove_suffix(1);
    return raw;
}

std::optional<uint64_t> jsonUnsigned(std::string_view raw)
{
    constexpr double kMost = 1e15; // more is damage, and thousands of these can still be added up
    const auto number = jsonNumber(raw);
    if (!number || *number < 0 || *number > kMost)
        return std::nullopt;
    uint64_t whole = 0;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), whole);
    return error == std::errc() && end == raw.data() + raw.size() ? whole : static_cast<uint64_t>(*number);
}

std::optional<double> jsonNumber(std::string_view raw)
{
    double number = 0;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), number);
    // It also takes the words of numbers that JSON has not: nan, -INF.
    if (raw.empty() || error != std::errc() || end != raw.data() + raw.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

JsonMembers::JsonMembers(std::string_view text, size_t budget)
{
    text = text.substr(0, budget);
    size_t i = skipBlanks(text, 0);
    if (i >= text.size() || text[i] != '{')
        return;
    ++i;
    while (true) {
        i = skipBlanks(text, i);
        if (i < text.size() && text[i] == '}') {
            m_isWhole = true;
            return;
        }
        if (i >= text.size() || text[i] != '"')
            return;
        const auto keyEnd = skipJsonString(text, i);
        if (!keyEnd)
            return;
        const std::string_view key = text.substr(i + 1, *keyEnd - i - 2);
        i = skipBlanks(text, *keyEnd);
        if (i >= text.size() || text[i] != ':')
            return;
        i = skipBlanks(text, i + 1);
        const auto end = skipJson(text, i);
        if (!end) {
            if (i < text.size() && (text[i] == '{' || text[i] == '['))
                add(key, text.substr(i));
            return;
        }
        add(key, text.substr(i, *end - i));
        i = skipBlanks(text, *end);
        if (i < text.size() && text[i] == ',')
            ++i;
        else if (i < text.size() && text[i] != '}')
            return;
    }
}

bool JsonMembers::has(std::string_view key) const
{
    return std::ranges::find(m_members, key, &Member::key) != m_members.end();
}

std::string_view JsonMembers::raw(std::string_view key) const
{
    for (auto member = m_members.rbegin(); member != m_members.rend(); ++member) {
        if (member->key == key)
            return member->value;
    }
    return {};
}

JsonElements jsonElements(std::string_view text, size_t limit)
{
    JsonElements elements;
    size_t i = skipBlanks(text, 0);
    if (i >= text.size() || text[i] != '[')
        return elements;
    ++i;
    while (elements.items.size() < limit) {
        i = skipBlanks(text, i);
        if (i >= text.size())
            return elements;
        if (text[i] == ']') {
            elements.isWhole = true;
            return elements;
        }
        if (text[i] == ',') {
            ++i;
            continue;
        }
        const auto end = skipJson(text, i);
        if (!end) {
            if (text[i] != '}' && text[i] != ':')
                elements.items.push_back(text.substr(i));
            return elements;
        }
        elements.items.push_back(text.substr(i, *end - i));
        i = *end;
    }
    return elements;
}

} // namespace core
