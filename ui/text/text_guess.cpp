// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_guess.h"

#include "core/base/text.h"
#include "ui/text/json_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ui {

namespace {

constexpr size_t kLookedLines = 80;
constexpr size_t kLookedBytes = 16U << 10U;
/// Lines that decide whether a text is numbered.
constexpr size_t kSampledLines = 400;

/// Visits the first lines of a text, without their line feeds, until the visitor says stop.
template <typename Visitor>
void forEachLine(std::string_view text, size_t maxLines, Visitor &&visit)
{
    size_t at = 0;
    for (size_t line = 0; line < maxLines && at < text.size(); ++line) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (!visit(text.substr(at, end - at)))
            return;
        at = end + 1;
    }
}

/// The prefix that a tool puts before a line.
struct Prefix {
    uint32_t number = 0;
    size_t size = 0;
    bool isArrow = false; ///< only a tool writes this prefix
};

std::optional<Prefix> prefixOf(std::string_view line)
{
    static constexpr std::string_view kArrow = "→";
    size_t i = 0;
    while (i < line.size() && i < 10 && line[i] == ' ')
        ++i;
    const size_t first = i;
    uint32_t number = 0;
    for (; i < line.size() && i - first < 8 && core::isDigit(line[i]); ++i)
        number = number * 10 + static_cast<uint32_t>(line[i] - '0');
    if (i == first || i == line.size())
        return std::nullopt;
    const std::string_view rest = line.substr(i);
    if (rest.starts_with(kArrow))
        return Prefix { number, i + kArrow.size(), true };
    if (rest.starts_with('\t'))
        return Prefix { number, i + 1, false };
    if (rest.starts_with("| "))
        return Prefix { number, i + 2, false };
    return std::nullopt;
}

bool isListItem(std::string_view line)
{
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos || first > 6)
        return false;
    line.remove_prefix(first);
    if (line.starts_with("- ") || line.starts_with("* "))
        return true;
    size_t i = 0;
    while (i < line.size() && core::isDigit(line[i]))
        ++i;
    return i > 0 && line.substr(i).starts_with(". ");
}

} // namespace

bool looksLikeDiff(std::string_view text)
{
    bool isDiff = false;
    bool hadOld = false;
    forEachLine(text.substr(0, kLookedBytes), kLookedLines, [&](std::string_view line) {
        const bool isHunk = line.starts_with("@@ -") && line.find(" @@", 4) != std::string_view::npos;
        isDiff = line.starts_with("diff --git ") || line.starts_with("*** Begin Patch") || isHunk
            || (hadOld && line.starts_with("+++ "));
        hadOld = line.starts_with("--- ");
        return !isDiff;
    });
    return isDiff;
}

bool looksLikeMarkdown(std::string_view text)
{
    size_t headings = 0;
    size_t items = 0;
    size_t others = 0; // fences, tables, emphasis: plain logs have none
    forEachLine(text.substr(0, kLookedBytes), kLookedLines, [&](std::string_view line) {
        const size_t hashes = line.find_first_not_of('#');
        if (hashes != std::string_view::npos && hashes > 0 && hashes <= 6 && line[hashes] == ' ')
            ++headings;
        else if (isListItem(line))
            ++items;
        if (line.starts_with("```") || line.starts_with("|--") || line.starts_with("| --"))
            ++others;
        const size_t bold = line.find("**");
        if (bold != std::string_view::npos && line.find("**", bold + 3) != std::string_view::npos)
            ++others;
        return true;
    });
    return (headings > 0 && headings + items + others >= 3) || (items >= 3 && others > 0) || others >= 3;
}

std::string_view languageOf(std::string_view text)
{
    const std::string_view head = text.substr(0, kLookedBytes);
    if (head.starts_with("#!")) {
        static constexpr auto kInterpreters
            = std::to_array<std::pair<std::string_view, std::string_view>>({ { "python", "Python" }, { "bash", "Bash" },
                { "zsh", "Zsh" }, { "node", "JavaScript" }, { "deno", "TypeScript" }, { "perl", "Perl" },
                { "ruby", "Ruby" }, { "php", "PHP/PHP" }, { "sh", "Bash" } });
        const std::string_view line = head.substr(0, head.find('\n'));
        for (const auto &[interpreter, language] : kInterpreters) {
            if (line.find(interpreter) != std::string_view::npos)
                return language;
        }
    }
    if (head.starts_with("<?xml"))
        return "XML";
    if (head.starts_with("<!DOCTYPE html") || head.starts_with("<!doctype html") || head.starts_with("<html"))
        return "HTML";
    if (looksLikeDiff(head))
        return "Diff";
    return isJson(text) ? "JSON" : "";
}

std::optional<NumberedLines> numberedLines(const TextDocument &document)
{
    size_t looked = 0;
    size_t numbered = 0;
    size_t counting = 0;
    uint32_t previous = 0;
    bool beginsWithNumber = false;
    bool beginsWithArrow = false;
    for (size_t line = 0; line < document.lineCount() && looked < kSampledLines; ++line) {
        const std::string_view text = document.line(line);
        if (text.find_first_not_of(" \r") == std::string_view::npos)
            continue;
        const auto prefix = prefixOf(text);
        if (looked == 0) {
            beginsWithNumber = prefix.has_value();
            beginsWithArrow = prefix && prefix->isArrow;
        }
        ++looked;
        if (!prefix)
            continue;
        ++numbered;
        counting += prefix->number == previous + 1 ? 1 : 0;
        previous = prefix->number;
    }
    // Long reminders may follow a short file. The first number of a run may be any; one line alone must be at the top.
    const bool isMost = numbered > 0 && (beginsWithArrow || numbered * 10 >= looked * 6);
    const bool countsUp = numbered == 1 ? beginsWithNumber : (counting + 1) * 10 >= numbered * 8;
    if (!isMost || !countsUp)
        return std::nullopt;

    NumberedLines result;
    result.numbers.resize(document.lineCount(), 0);
    for (size_t line = 0; line < document.lineCount(); ++line) {
        const auto prefix = prefixOf(document.line(line));
        if (!prefix)
            continue;
        if (result.prefixes.empty())
            result.firstLine = line;
        result.lastLine = line;
        const size_t start = document.lineStart(line);
        result.prefixes.push_back({ start, start + prefix->size });
        result.numbers[line] = prefix->number;
    }
    return result;
}

std::string_view wrappedPath(std::string_view text)
{
    const std::string_view head = text.substr(0, text.find('>'));
    if (head.size() == text.size() || !head.starts_with('<') || head.find('\n') != std::string_view::npos)
        return {};
    for (const std::string_view key : { " path=\"", " file_path=\"", " filename=\"", " file=\"" }) {
        const size_t at = head.find(key);
        if (at == std::string_view::npos)
            continue;
        const size_t begin = at + key.size();
        const size_t end = head.find('"', begin);
        return end == std::string_view::npos ? std::string_view() : head.substr(begin, end - begin);
    }
    return {};
}

} // namespace ui
