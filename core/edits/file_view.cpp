// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/file_view.h"

#include "core/base/text.h"
#include "core/base/text_lines.h"
#include "core/edits/shell_changes.h"
#include "core/edits/tool_changes.h"
#include "core/evidence/shown_text.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace core {

namespace {

/// Default line limits of read tools: Deep Agents 100, earlier 500; Cursor 250; Claude Code and Gemini 2,000. A view
/// with this many lines may not reach the end of the file.
constexpr auto kDefaultLines = std::to_array<uint64_t>({ 100, 250, 500, 1000, 2000 });

/// A trimmed view that lacks at most this many of the requested lines may have lost them as blank lines.
constexpr uint64_t kMostBlankLines = 3;

/// Phrases of harnesses that have cut a text.
constexpr auto kCutMarks = std::to_array<std::string_view>(
    { "tokens truncated", "chars truncated", "truncated output", "[... omitted", "more lines not shown",
        "[Showing lines", "〔已截断", "file content has been truncated", "<persisted-output>" });

/// Beginnings of results that talk about a file instead of showing it.
constexpr auto kNotes = std::to_array<std::string_view>({ "<system-reminder>", "File unchanged", "Error" });

/// Whether `text` has a line that starts with `begin` and ends with `end`.
bool hasLine(std::string_view text, std::string_view begin, std::string_view end)
{
    for (size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin, at + 1)) {
        if ((at == 0 || text[at - 1] == '\n') && text.substr(at, text.find('\n', at) - at).ends_with(end))
            return true;
    }
    return false;
}

/// Codex and Claude Code replace lines in the middle by a line like `[... omitted 4 of 260 lines ...]` or `... [4 lines
/// truncated] ...`.
bool hasOmittedLines(std::string_view text)
{
    return hasLine(text, "[... omitted ", " lines ...]") || hasLine(text, "... [", " lines truncated] ...");
}

bool isCut(std::string_view text)
{
    if (hasOmittedLines(text))
        return true;
    // In a file the phrases may occur anywhere; harnesses write them at the beginning or the end.
    constexpr size_t kEdge = 300;
    const std::string_view head = text.substr(0, kEdge);
    const std::string_view tail = text.substr(text.size() - std::min(text.size(), kEdge));
    return std::ranges::any_of(
        kCutMarks, [&](std::string_view mark) { return head.contains(mark) || tail.contains(mark); });
}

/// The text of a result; of a content list its first text.
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

/// Removes pi's last line, which gives the number of lines not shown.
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

/// The lines of a file in opencode's frame, without the note behind them.
struct FramedText {
    std::string_view lines;
    bool reachesEnd = false;
};

std::optional<FramedText> framedText(std::string_view text)
{
    constexpr std::string_view kFile = "<file>\n"; // of older versions
    constexpr std::string_view kContent = "\n<content>\n";
    const size_t content = text.starts_with("<path>") ? text.find(kContent) : std::string_view::npos;
    if (text.starts_with(kFile))
        text.remove_prefix(kFile.size());
    else if (content != std::string_view::npos)
        text.remove_prefix(content + kContent.size());
    else
        return std::nullopt;
    const size_t note = std::min(text.rfind("\n\n("), text.size());
    return FramedText { text.substr(0, note), text.substr(note).starts_with("\n\n(End of file") };
}

/// Size of a line number in opencode's frame: `12: `, in older versions `00012| `.
size_t framedNumberSize(std::string_view line)
{
    const size_t behind = std::min(line.find_first_not_of("0123456789"), line.size());
    const std::string_view mark = line.substr(behind, 2);
    return behind > 0 && (mark == ": " || mark == "| ") ? behind + mark.size() : 0;
}

using NumberSize = size_t (*)(std::string_view);

/// `  12→text`, `12` and a tab.
std::optional<NumberedLine> numbered(std::string_view line, NumberSize numberSize)
{
    const size_t size = numberSize(line);
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

/// Consecutively numbered lines, from the first one on.
struct NumberedText {
    uint64_t first = 0; ///< 1-based
    uint64_t count = 0;
    std::string text;       ///< lines joined by line feeds
    bool isArrow = false;   ///< numbers in Claude Code's form; it also shows the empty line behind the last line feed
    bool isUnbroken = true; ///< no other text follows
};

std::optional<NumberedText> numberedText(std::string_view text, NumberSize numberSize = lineNumberSize)
{
    NumberedText found;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const auto next = numbered(line, numberSize);
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

/// The lines that a read tool's arguments ask for.
struct AskedLines {
    uint64_t first = 0; ///< 0-based
    std::optional<uint64_t> count;
    bool isKnown = true; ///< false if other arguments may limit the lines, too
};

AskedLines askedLines(const JsonMembers &members)
{
    const auto from = [&](std::string_view key) {
        const auto line = members.number(key);
        return line ? std::optional(std::max<uint64_t>(*line, 1) - 1) : std::nullopt;
    };
    AskedLines asked;
    asked.first = from("offset").value_or(from("start_line").value_or(0));
    asked.count = members.number("limit");
    if (const auto end = members.number("end_line"))
        asked.count = *end > asked.first ? *end - asked.first : 0;
    constexpr std::string_view kUnderstood = " offset limit start_line end_line ";
    for (const JsonMembers::Member &member : members.all()) {
        const char begin = member.value.empty() ? '"' : member.value.front();
        const bool isBound = begin == '[' || begin == '-' || (begin >= '0' && begin <= '9');
        const bool isUnderstood
            = kUnderstood.contains(" " + std::string(member.key) + " ") && jsonUnsigned(member.value);
        asked.isKnown = asked.isKnown && (!isBound || isUnderstood);
    }
    return asked;
}

/// Whether a view of `count` lines reaches the end of the file.
bool endsBefore(const AskedLines &asked, uint64_t count)
{
    return asked.isKnown
        && (asked.count ? count < *asked.count
                        : count < kDefaultLines.back() && !std::ranges::contains(kDefaultLines, count));
}

FileView viewOf(NumberedText shown, const AskedLines &asked)
{
    FileView view;
    view.firstLine = shown.first > 0 ? shown.first - 1 : 0;
    view.reachesEnd = shown.isUnbroken && endsBefore(asked, shown.count);
    view.text = std::move(shown.text);
    // Claude Code shows the empty line behind the last line end of a file as a line. If the file may continue, it looks
    // like a blank line, so it is left out. Other tools do not show whether the file ends with a line end; most files
    // do.
    const bool hasEnd = view.text.ends_with('\n') && (shown.isArrow || view.reachesEnd);
    if (!hasEnd && !(shown.isArrow && view.reachesEnd))
        view.text += '\n';
    return view;
}

/// Claude Code records beside the context which lines it showed, and the file's line count.
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

/// Whether Claude Code shows a notebook's cells, whose text differs from the file.
bool showsCells(const ToolArguments &arguments, std::string_view text)
{
    return arguments.path().ends_with(".ipynb") && text.starts_with("<cell ");
}

std::optional<FileView> readView(const Session &session, const ToolArguments &arguments, const Block &result)
{
    if (auto recorded = recordedView(session, result))
        return recorded;
    const std::string text = textOf(session, result);
    const bool isNote = std::ranges::any_of(kNotes, [&](std::string_view words) { return text.starts_with(words); });
    const std::string_view shownText = withoutReminders(text);
    if (text.empty() || isNote || isCut(shownText) || showsCells(arguments, text))
        return std::nullopt;
    const AskedLines asked = askedLines(arguments.members());
    if (const auto framed = framedText(shownText)) {
        auto shown = numberedText(framed->lines, framedNumberSize);
        if (!shown)
            return std::nullopt;
        FileView view = viewOf(std::move(*shown), asked);
        view.reachesEnd = framed->reachesEnd;
        return view;
    }
    if (auto shown = numberedText(shownText))
        return viewOf(std::move(*shown), asked);
    if (!asked.isKnown) // then the shown lines are unknown, too
        return std::nullopt;
    FileView view;
    view.firstLine = asked.first;
    const auto part = withoutRest(text);
    view.text = part.value_or(text);
    const auto count = static_cast<uint64_t>(std::ranges::count(view.text, '\n')) + 1;
    view.reachesEnd = !part && (!asked.count || count < *asked.count);
    if (!view.reachesEnd && !view.text.ends_with('\n'))
        view.text += '\n';
    return view;
}

/// The output of a command.
struct Output {
    std::string text;
    bool isExact = false; ///< the harness keeps line ends and blank lines
};

Output outputOf(const Session &session, const Block &result)
{
    std::string text = textOf(session, result);
    if (text.starts_with("{\"output\":")) {
        if (const JsonMembers members(text); isJsonString(members.raw("output")))
            return { decodeJsonString(members.string("output")), true };
    }
    constexpr std::string_view kHead = "\nOutput:\n";
    if (const size_t head = text.find(kHead); head != std::string::npos && head < 300)
        return { text.substr(head + kHead.size()), true };
    const bool hasEnd = text.ends_with('\n');
    return { std::move(text), hasEnd };
}

/// Removes Claude Code's note that it has left the folder of a `cd`.
std::string_view withoutFolderNote(std::string_view text)
{
    const size_t line = text.rfind('\n') + 1;
    return text.substr(line).starts_with("Shell cwd was reset to ") ? text.substr(0, line > 0 ? line - 1 : 0) : text;
}

std::optional<FileView> printedView(const Session &session, const ToolArguments &arguments, const Block &result)
{
    const auto script = arguments.script();
    const auto shown = script ? shellView(*script, arguments.folder()) : std::nullopt;
    if (!shown)
        return std::nullopt;
    const Output output = outputOf(session, result);
    const std::string_view text = withoutFolderNote(output.text);
    if (text.empty() || isCut(text) || text.contains("tokens truncated"))
        return std::nullopt;
    FileView view;
    view.path = shown->path;
    view.firstLine = shown->firstLine;
    view.text = text;
    view.isTrimmed = !output.isExact;
    view.lineCount = shown->lineCount;
    if (shown->isNumbered) {
        auto lines = numberedText(text);
        if (!lines || lines->first != shown->firstLine + 1 || !lines->isUnbroken)
            return std::nullopt;
        view.text = std::move(lines->text) + "\n";
    }
    const uint64_t missing = view.isTrimmed && view.lineCount ? kMostBlankLines : 0;
    view.reachesEnd = !view.lineCount || lineCountOf(view.text) + missing < *view.lineCount
        || (output.isExact && !view.text.ends_with('\n'));
    if (!view.text.ends_with('\n') && !(output.isExact && view.reachesEnd))
        view.text += '\n';
    return view;
}

} // namespace

std::string commandOutput(const Session &session, const Block &result) { return outputOf(session, result).text; }

std::optional<FileView> snippetOf(const Session &session, const Block &result)
{
    const std::string text = textOf(session, result);
    auto shown = numberedText(withoutReminders(text));
    if (!shown || !shown->isArrow || shown->first == 0 || isCut(text))
        return std::nullopt;
    FileView view;
    view.firstLine = shown->first - 1;
    // The empty line behind the last line feed is shown, too, but does not count.
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
