// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/facts.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <set>

namespace core {

namespace {

constexpr size_t kSmallestName = 6;
constexpr size_t kLongestFact = 200;
constexpr size_t kFewestDigits = 3;
constexpr size_t kLongestExtension = 5;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSmall(char c) { return c >= 'a' && c <= 'z'; }
bool isCapital(char c) { return c >= 'A' && c <= 'Z'; }
bool isLetter(char c) { return isSmall(c) || isCapital(c); }
bool isWordByte(char c) { return isLetter(c) || isDigit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80U; }

/// Whether a character can stand inside of a fact.
bool isInside(char c) { return isWordByte(c) || std::string_view("./-:#,$@+~%").contains(c); }

std::string_view trimmed(std::string_view word)
{
    constexpr std::string_view kEnds = ".,:-+~%$@";
    constexpr std::string_view kBegins = ",:-+@$";
    while (!word.empty() && kEnds.contains(word.back()))
        word.remove_suffix(1);
    while (!word.empty() && kBegins.contains(word.front()))
        word.remove_prefix(1);
    return word;
}

/// `a.cpp:12` and `a.cpp:12-40` without the lines.
std::string_view withoutLine(std::string_view word)
{
    const size_t colon = word.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == word.size() || word.substr(0, colon).ends_with("http"))
        return word;
    const bool isLine = std::ranges::all_of(word.substr(colon + 1), [](char c) { return isDigit(c) || c == '-'; });
    return isLine ? withoutLine(word.substr(0, colon)) : word;
}

/// Whether the last part looks like `name.ext`.
bool hasExtension(std::string_view path)
{
    const std::string_view last = path.substr(path.rfind('/') + 1);
    const size_t dot = last.rfind('.');
    const size_t least = path.contains('/') ? 1 : 2; // "e.g" is no file
    if (dot == std::string_view::npos || dot < least || last.size() - dot - 1 > kLongestExtension
        || last.size() - dot - 1 < 1)
        return false;
    const std::string_view extension = last.substr(dot + 1);
    return isSmall(extension.front()) && std::ranges::all_of(extension, [](char c) { return isSmall(c) || isDigit(c); })
        && std::ranges::any_of(last.substr(0, dot), isLetter);
}

bool isPath(std::string_view word)
{
    if (word.contains("://"))
        return word.size() > word.find("://") + 6;
    if (!std::ranges::all_of(word, [](char c) { return isWordByte(c) || std::string_view("./-@+~#").contains(c); }))
        return false;
    if (!word.contains('/'))
        return hasExtension(word);
    // Words with a slash between them ("and/or", "read/write") are no paths.
    const auto slashes = std::ranges::count(word, '/');
    return hasExtension(word) || (slashes >= 2 && std::ranges::any_of(word, isLetter) && !word.contains("//"));
}

bool isName(std::string_view word)
{
    if (word.size() < kSmallestName || isDigit(word.front()) || !std::ranges::all_of(word, isWordByte)
        || std::ranges::none_of(word, isLetter))
        return false;
    for (size_t i = 1; i < word.size(); ++i) {
        const bool isHump = isCapital(word[i]) && isSmall(word[i - 1]);
        if (isHump || (word[i] == '_' && i + 1 < word.size()))
            return true;
    }
    return false;
}

bool isNumber(std::string_view word)
{
    const auto digits = static_cast<size_t>(std::ranges::count_if(word, isDigit));
    if (word.starts_with('#'))
        word.remove_prefix(1);
    const bool isPlain = !word.empty() && isDigit(word.front())
        && std::ranges::all_of(word, [](char c) { return isDigit(c) || c == ',' || c == '.'; });
    return isPlain && digits >= kFewestDigits;
}

std::optional<FactKind> kindOf(std::string_view word)
{
    if (word.size() < 3 || word.size() > kLongestFact)
        return std::nullopt;
    if (isNumber(word))
        return FactKind::Number;
    if (isPath(word))
        return FactKind::Path;
    return isName(word) ? std::optional(FactKind::Name) : std::nullopt;
}

/// `155,023` → `155023`.
std::string withoutSeparators(std::string_view text)
{
    std::string made;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool isSeparator
            = text[i] == ',' && i > 0 && isDigit(text[i - 1]) && i + 1 < text.size() && isDigit(text[i + 1]);
        if (!isSeparator)
            made += text[i];
    }
    return made;
}

bool holdsWord(std::string_view text, std::string_view word)
{
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        const bool begins = at == 0 || !isWordByte(text[at - 1]) || !isWordByte(word.front());
        const bool ends = end == text.size() || !isWordByte(text[end]) || !isWordByte(word.back());
        if (begins && ends)
            return true;
    }
    return false;
}

} // namespace

std::vector<Fact> factsOf(std::string_view text)
{
    std::vector<Fact> facts;
    std::set<std::string> known;
    for (size_t at = 0; at < text.size();) {
        if (!isInside(text[at])) {
            ++at;
            continue;
        }
        const size_t begin = at;
        while (at < text.size() && isInside(text[at]))
            ++at;
        const std::string_view word = withoutLine(trimmed(text.substr(begin, at - begin)));
        const auto kind = kindOf(word);
        if (!kind)
            continue;
        std::string fact = *kind == FactKind::Number ? withoutSeparators(word) : std::string(word);
        const std::string key = lowered(*kind == FactKind::Path ? fact.substr(fact.rfind('/') + 1) : fact);
        if (known.insert(key.empty() ? lowered(fact) : key).second)
            facts.push_back({ *kind, std::move(fact) });
    }
    return facts;
}

void FactFinder::read(std::string_view text) { m_texts.push_back(lowered(withoutSeparators(text))); }

bool FactFinder::holds(const Fact &fact) const
{
    std::string word = lowered(fact.text);
    if (const size_t slash = word.rfind('/'); slash != std::string::npos && slash + 1 < word.size())
        word.erase(0, slash + 1);
    if (fact.kind == FactKind::Number && word.starts_with('#'))
        word.erase(0, 1);
    return std::ranges::any_of(m_texts, [&](const std::string &text) { return holdsWord(text, word); });
}

} // namespace core
