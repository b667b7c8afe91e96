// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/json_text.h"

#include "core/base/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

constexpr size_t kIndent = 2;
/// Deeper levels get no more indent: a million brackets would make a million times as many blanks.
constexpr size_t kMaxIndentedDepth = 60;
constexpr size_t kLongRun = 1000;
/// Shorter objects stay on one line.
constexpr size_t kWorthFolding = 80;
constexpr size_t kMaxFolds = 100'000;

size_t afterBlanks(std::string_view text, size_t i)
{
    while (i < text.size() && core::isBlank(text[i]))
        ++i;
    return i;
}

/// The end of the string whose opening quote is at `open`; the end of the text if it is not closed.
size_t endOfString(std::string_view json, size_t open)
{
    size_t i = json.find_first_of("\"\\", open + 1);
    while (i != std::string_view::npos && json[i] != '"')
        i = json.find_first_of("\"\\", i + 2); // behind the escaped character
    return i == std::string_view::npos ? json.size() : i + 1;
}

void breakLine(std::string &out, size_t depth)
{
    out += '\n';
    out.append(kIndent * std::min(depth, kMaxIndentedDepth), ' ');
}

/// Characters that long runs are made of: those of base64, numbers and identifiers.
bool isRunByte(char byte)
{
    const auto c = static_cast<unsigned char>(byte);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/'
        || c == '=' || c == '-' || c == '_';
}

std::string words(const char *text, size_t count)
{
    return QCoreApplication::translate("ui::TextFold", text)
        .arg(QString::fromStdString(core::groupedNumber(count)))
        .toStdString();
}

void addRuns(std::string_view text, std::vector<TextFold> &folds)
{
    for (size_t i = 0; i < text.size() && folds.size() < kMaxFolds;) {
        // A long run covers every kLongRun-th byte: look there first, and back from it only where it may be one.
        const size_t probe = i + kLongRun - 1;
        if (probe >= text.size())
            break;
        size_t begin = probe + 1;
        while (begin > i && isRunByte(text[begin - 1]))
            --begin;
        if (begin > i) {
            i = begin; // another character is at begin - 1
            if (begin == probe + 1)
                continue;
        }
        size_t end = probe + 1;
        while (end < text.size() && isRunByte(text[end]))
            ++end;
        if (end - begin >= kLongRun) {
            folds.push_back({ begin, end, words("… %1 characters", end - begin), end - begin < text.size() });
        }
        i = end;
    }
}

} // namespace

std::string prettyJson(std::string_view json)
{
    std::string out;
    out.reserve(json.size() + json.size() / 4);
    size_t depth = 0;
    for (size_t i = afterBlanks(json, 0); i < json.size(); i = afterBlanks(json, i)) {
        const char c = json[i];
        switch (c) {
        case '"': {
            const size_t end = endOfString(json, i);
            out.append(json, i, end - i);
            i = end;
            continue;
        }
        case '{':
        case '[': {
            out += c;
            const size_t next = afterBlanks(json, i + 1);
            if (next < json.size() && json[next] == (c == '{' ? '}' : ']')) {
                out += json[next];
                i = next + 1;
                continue;
            }
            breakLine(out, ++depth);
            break;
        }
        case '}':
        case ']':
            depth -= depth > 0 ? 1 : 0;
            breakLine(out, depth);
            out += c;
            break;
        case ',':
            out += c;
            breakLine(out, depth);
            break;
        case ':':
            out += ": ";
            break;
        default: {
            // A number, a word, or damage: up to the next blank or structural character.
            const size_t end = std::min(json.find_first_of("{}[],:\" \t\r\n", i + 1), json.size());
            out.append(json, i, end - i);
            const size_t next = afterBlanks(json, end);
            const bool isFollowedByMore = next > end && next < json.size()
                && std::string_view("{}[],:").find(json[next]) == std::string_view::npos;
            if (isFollowedByMore)
                out += ' '; // two words of damaged JSON stay two
            i = end;
            continue;
        }
        }
        ++i;
    }
    return out;
}

bool isJson(std::string_view text)
{
    size_t i = afterBlanks(text, 0);
    if (i >= text.size() || (text[i] != '{' && text[i] != '['))
        return false;
    // `[` opens many log lines, so the next characters must fit.
    const size_t next = afterBlanks(text, i + 1);
    const std::string_view first = text[i] == '{' ? "\"}" : "\"{[]-0123456789tfn";
    if (next >= text.size() || first.find(text[next]) == std::string_view::npos)
        return false;
    std::string open;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            const size_t end = endOfString(text, i);
            if (end == text.size() && text.back() != '"')
                return false;
            i = end;
            continue;
        }
        if (c == '{' || c == '[') {
            open += c == '{' ? '}' : ']';
        } else if (c == '}' || c == ']') {
            if (open.empty() || open.back() != c)
                return false;
            open.pop_back();
            if (open.empty())
                return afterBlanks(text, i + 1) == text.size();
        } else {
            const bool isToken = core::isBlank(c) || std::string_view(",:+-.").find(c) != std::string_view::npos
                || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E';
            if (!isToken)
                return false;
        }
        ++i;
    }
    return false;
}

size_t endOfJson(std::string_view json, size_t begin)
{
    if (begin < json.size() && json[begin] != '"' && json[begin] != '{' && json[begin] != '[')
        return std::min(json.find_first_of(",:]} \t\r\n", begin), json.size());
    size_t depth = 0;
    for (size_t i = begin; i < json.size();) {
        const char c = json[i];
        if (c == '"')
            i = endOfString(json, i);
        else
            ++i;
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && depth > 0)
            --depth;
        if (depth == 0)
            return i;
    }
    return json.size();
}

std::vector<TextFold> jsonFolds(std::string_view json)
{
    struct Open {
        size_t offset = 0;
        size_t line = 0;
        size_t fold = 0; ///< its index in `folds`, which is sorted by begin
    };
    std::vector<TextFold> folds;
    std::vector<Open> open;
    size_t line = 0;
    for (size_t i = 0; i < json.size() && folds.size() < kMaxFolds;) {
        const char c = json[i];
        if (c == '"') {
            i = endOfString(json, i);
            continue;
        }
        if (c == '\n') {
            ++line;
        } else if (c == '{' || c == '[') {
            open.push_back({ i, line, folds.size() });
            folds.emplace_back();
        } else if ((c == '}' || c == ']') && !open.empty()) {
            const Open opened = open.back();
            open.pop_back();
            const size_t lines = line - opened.line;
            const size_t size = i - opened.offset - 1;
            if (lines > 1)
                folds[opened.fold] = { opened.offset + 1, i, words("… %1 lines", lines + 1), false };
            else if (size >= kWorthFolding)
                folds[opened.fold] = { opened.offset + 1, i, words("… %1 characters", size), false };
        }
        ++i;
    }
    std::erase_if(folds, [](const TextFold &fold) { return fold.end == 0; });
    const auto brackets = static_cast<std::ptrdiff_t>(folds.size());
    addRuns(json, folds);
    std::ranges::inplace_merge(folds, folds.begin() + brackets, {}, &TextFold::begin);
    return folds;
}

std::vector<TextFold> runFolds(std::string_view text)
{
    std::vector<TextFold> folds;
    addRuns(text, folds);
    return folds;
}

} // namespace ui
