// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/file_view.h"

#include "core/base/text.h"
#include "core/edits/shell_changes.h"
#include "core/edits/tool_changes.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace core {

namespace {

/// Claude Code reads so many lines where no limit is given; others read more or all.
constexpr uint64_t kDefaultLines = 2000;

/// Words of a harness that has cut a text short.
constexpr auto kCutMarks = std::to_array<std::string_view>({ "tokens truncated", "chars truncated", "truncated output",
    "[... omitted", "more lines not shown", "[Showing lines", "〔已截断" });

/// How answers begin that speak of a file instead of showing it.
constexpr auto kNotes = std::to_array<std::string_view>({ "<system-reminder>", "File unchanged", "Error" });

/// A line of its own that stands for those that Codex leaves out in the middle: `[... omitted 4 of 260 lines ...]`.
bool hasOmittedLines(std::string_view text)
{
    constexpr std::string_view kOmitted = "[... omitted ";
    for (size_t at = text.find(kOmitted); at != std::string_view::npos; at = text.find(kOmitted, at + 1)) {
        const std::string_view line = text.substr(at, text.find('\n', at) - at);
        if ((at == 0 || text[at - 1] == '\n') && line.contains(" of ") && line.ends_with(" lines ...]"))
            return true;
    }
    return false;
}

bool isCut(std::string_view text)
{
    if (hasOmittedLines(text))
        return true;
    // In a file the same words may stand anywhere; harnesses write them at the beginning or the end.
    constexpr size_t kEdge = 300;
    const std::string_view head = text.substr(0, kEdge);
    const std::string_view tail = text.substr(text.size() - std::min(text.size(), kEdge));
    return std::ranges::any_of(
        kCutMarks, [&](std::string_view mark) { return head.contains(mark) || tail.contains(mark); });
}

/// Text of a result: of a list of content its first text.
std::string textOf(const Session &session, const Block &result)
{
    if (result.body.coding != Coding::JsonValue)
        return session.text(result.body);
    const std::string_view raw = session.rawBody(result.body);
    if (isJsonString(raw))
        return decodeJsonString(jsonString(raw));
    for (const std::string_view item : jsonElements(raw).items) {
        if (const JsonMembers members(item); isJsonString(members.raw("text")))
            return decodeJsonString(members.string("text"));
    }
    const JsonMembers members(raw);
    for (const std::string_view key : { "output", "content", "text" }) {
        if (isJsonString(members.raw(key)))
            return decodeJsonString(members.string(key));
    }
    return {};
}

/// The text without what harnesses add behind it.
std::string_view withoutReminders(std::string_view text)
{
    const size_t reminder = text.find("\n\n<system-reminder>");
    return text.substr(0, reminder);
}

/// pi says in the end how many lines there are behind those it shows.
std::optional<std::string_view> withoutRest(std::string_view text)
{
    const size_t note = text.rfind("\n\n[");
    if (note == std::string_view::npos || !text.substr(note).contains(" more lines in file. Use offset="))
        return std::nullopt;
    return text.substr(0, note);
}

struct NumberedLine {
    uint64_t number = 0;
    std::string_view text;
};

/// `  12→text`, `12` and a tab.
std::optional<NumberedLine> numbered(std::string_view line)
{
    const size_t size = lineNumberSize(line);
    if (size == 0)
        return std::nullopt;
    const size_t digit = line.find_first_of("0123456789");
    NumberedLine found;
    const auto [end, error] = std::from_chars(line.data() + digit, line.data() + size, found.number);
    if (error != std::errc())
        return std::nullopt;
    found.text = line.substr(size);
    return found;
}

/// Lines that are numbered one by one, from the first such line on.
struct NumberedText {
    uint64_t first = 0; ///< 1-based
    uint64_t count = 0;
    std::string text;       ///< lines joined by line feeds
    bool isArrow = false;   ///< numbers as Claude Code writes them, which shows the empty line behind the last feed
    bool isUnbroken = true; ///< nothing else stands behind
};

std::optional<NumberedText> numberedText(std::string_view text)
{
    NumberedText found;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const auto next = numbered(line);
        if (found.count == 0) {
            if (!next)
                continue;
            found.first = next->number;
            found.isArrow = line.substr(0, line.size() - next->text.size()).ends_with("→");
        } else if (!next || next->number != found.first + found.count) {
            found.isUnbroken = std::ranges::all_of(line, [](char c) { return c == ' ' || c == '\r'; }) && text.empty();
            break;
        } else {
            found.text += '\n';
        }
        found.text += next->text;
        ++found.count;
    }
    return found.count > 0 ? std::optional(std::move(found)) : std::nullopt;
}

FileView viewOf(NumberedText shown, std::optional<uint64_t> limit)
{
    FileView view;
    view.firstLine = shown.first > 0 ? shown.first - 1 : 0;
    view.reachesEnd = shown.count < limit.value_or(kDefaultLines) && shown.isUnbroken;
    view.text = std::move(shown.text);
    // Python's way of counting lines leaves open whether a line feed ends the file; most files have one.
    if (!view.reachesEnd || (!shown.isArrow && !view.text.ends_with('\n')))
        view.text += '\n';
    return view;
}

/// Claude Code records beside the context which lines it has shown, and how many there are.
std::optional<FileView> recordedView(const Session &session, const Block &result)
{
    const JsonMembers file = JsonMembers(session.record(result)).object("toolUseResult").object("file");
    const auto first = file.number("startLine");
    const auto count = file.number("numLines");
    const auto total = file.number("totalLines");
    if (!first || !count || !total || !isJsonString(file.raw("content")))
        return std::nullopt;
    FileView view;
    view.firstLine = *first > 0 ? *first - 1 : 0;
    view.text = decodeJsonString(file.string("content"));
    view.reachesEnd = view.firstLine + *count >= *total;
    if (!view.reachesEnd)
        view.text += '\n';
    return view;
}

/// Claude Code shows a notebook's cells, which is another text than the file.
bool showsCells(const ToolArguments &arguments, std::string_view text)
{
    return arguments.path().ends_with(".ipynb") && text.starts_with("<cell ");
}

std::optional<FileView> readView(const Session &session, const ToolArguments &arguments, const Block &result)
{
    if (auto recorded = recordedView(session, result))
        return recorded;
    const std::string text = textOf(session, result);
    const auto limit = arguments.members().number("limit");
    const bool isNote = std::ranges::any_of(kNotes, [&](std::string_view words) { return text.starts_with(words); });
    const std::string_view shownText = withoutReminders(text);
    if (text.empty() || isNote || isCut(shownText) || showsCells(arguments, text))
        return std::nullopt;
    if (auto shown = numberedText(shownText))
        return viewOf(std::move(*shown), limit);
    if (arguments.members().has("view_range"))
        return std::nullopt;
    FileView view;
    const uint64_t first = arguments.members().number("offset").value_or(1);
    view.firstLine = first > 0 ? first - 1 : 0;
    const auto part = withoutRest(text);
    view.text = part.value_or(text);
    const auto count = static_cast<uint64_t>(std::ranges::count(view.text, '\n')) + 1;
    view.reachesEnd = !part && (!limit || count < *limit);
    if (!view.reachesEnd && !view.text.ends_with('\n'))
        view.text += '\n';
    return view;
}

std::optional<FileView> printedView(const Session &session, const ToolArguments &arguments, const Block &result)
{
    const auto script = arguments.script();
    const auto shown = script ? shellView(*script, arguments.folder()) : std::nullopt;
    if (!shown)
        return std::nullopt;
    std::string text = commandOutput(session, result);
    if (text.empty() || isCut(text) || text.contains("tokens truncated"))
        return std::nullopt;
    FileView view;
    view.path = shown->path;
    view.firstLine = shown->firstLine;
    const auto numberedLines = numberedText(text);
    view.text = numberedLines && numberedLines->first == shown->firstLine + 1 && numberedLines->isUnbroken
        ? numberedLines->text + "\n"
        : std::move(text);
    const auto count = static_cast<uint64_t>(std::ranges::count(view.text, '\n'));
    view.reachesEnd = !shown->lineCount || count < *shown->lineCount;
    if (!view.text.ends_with('\n') && !view.reachesEnd)
        view.text += '\n';
    return view;
}

} // namespace

std::string commandOutput(const Session &session, const Block &result)
{
    std::string text = textOf(session, result);
    if (text.starts_with("{\"output\":")) {
        if (const JsonMembers members(text); isJsonString(members.raw("output")))
            return decodeJsonString(members.string("output"));
    }
    const size_t head = text.find("\nOutput:\n");
    if (head != std::string::npos && head < 300)
        return text.substr(head + std::string_view("\nOutput:\n").size());
    return text;
}

std::optional<FileView> snippetOf(const Session &session, const Block &result)
{
    const std::string text = textOf(session, result);
    auto shown = numberedText(withoutReminders(text));
    if (!shown || !shown->isArrow || shown->first == 0 || isCut(text))
        return std::nullopt;
    FileView view;
    view.firstLine = shown->first - 1;
    // The line behind the last line feed of a file is shown too: it is none.
    view.text = std::move(shown->text);
    if (!view.text.ends_with('\n'))
        view.text += '\n';
    return view;
}

std::optional<FileView> fileViewOf(const Session &session, const Block &call, const Block &result)
{
    if (result.is(BlockFlag::Error) || result.is(BlockFlag::Stub) || result.is(BlockFlag::Encrypted))
        return std::nullopt;
    const ToolDeed deed = toolDeed(session, call);
    if (deed != ToolDeed::Read && deed != ToolDeed::Run && deed != ToolDeed::Edit)
        return std::nullopt;
    const ToolArguments arguments(session, call);
    if (deed == ToolDeed::Edit && !arguments.isToShow())
        return std::nullopt;
    if (deed == ToolDeed::Run)
        return printedView(session, arguments, result);
    std::string path = arguments.path();
    auto view = path.empty() ? std::nullopt : readView(session, arguments, result);
    if (view)
        view->path = std::move(path);
    return view;
}

} // namespace core
