// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/apply_view.h"

#include "core/git/git_buffers.h"

#include <algorithm>

namespace core {

namespace {

/// The line (0-based) of byte `at` of the flat form; nullopt if gaps before it have no known line count.
std::optional<uint64_t> lineAt(const KnownText &text, size_t at)
{
    uint64_t line = 0;
    const KnownText before = text.slice(0, at);
    for (const KnownText::Part &part : before.parts()) {
        if (part.isGap() && !part.lines)
            return std::nullopt;
        line += part.isGap() ? *part.lines : static_cast<uint64_t>(std::ranges::count(part.view(), '\n'));
    }
    return line;
}

/// Whether a viewed part of the file has other lines than the known text. The known text above and below the part may
/// be anything.
bool showsOtherLines(std::string_view known, std::string_view seen)
{
    const uint64_t lines = lineCountOf(known);
    const auto hunks = lineHunks(known, seen, Whitespace::Exact);
    return hunks && std::ranges::any_of(*hunks, [&](const LineHunk &hunk) {
        return !hunk.after.isEmpty() || (hunk.before.first > 0 && hunk.before.end < lines);
    });
}

/// The bytes of a text from its first non-blank line to its last non-blank character.
struct Core {
    size_t begin = 0;
    size_t end = 0;
};

Core coreOf(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n\f\v";
    const size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    const size_t feed = text.rfind('\n', first);
    return { feed == std::string_view::npos ? 0 : feed + 1, text.find_last_not_of(kBlanks) + 1 };
}

/// The body of a file whose known lines equal those of a trimmed view. Blank lines and the end of the file keep their
/// known state. nullopt if lines differ or are not all known.
std::optional<FileBody> confirmed(const FileBody &file, const FileView &view, BlockId by)
{
    FileBody body = file;
    const auto begin = body.text.cutAtLine(view.firstLine);
    if (!begin)
        return std::nullopt;
    const auto last = view.lineCount ? body.text.cutAtLine(view.firstLine + *view.lineCount) : std::nullopt;
    const KnownText slice = body.text.slice(*begin, last.value_or(std::string::npos));
    const std::string known = slice.flat();
    const Core old = coreOf(known);
    const Core seen = coreOf(view.text);
    const std::string shown = view.text.substr(seen.begin, seen.end - seen.begin);
    if (!slice.isWhole() || known.substr(old.begin, old.end - old.begin) != shown)
        return std::nullopt;
    body.text.replace(*begin + old.begin, *begin + old.end, KnownText::of(shown, by));
    return body;
}

/// Whether the view starts at the line that the call asked for. A trimmed view that lacks lines may have lost blank
/// lines at its start; files rarely begin with blank lines.
bool isPlaced(const FileView &view)
{
    return !view.isTrimmed || view.firstLine == 0 || !view.lineCount || lineCountOf(view.text) >= *view.lineCount;
}

} // namespace

Viewed applyView(const FileBody &file, const FileView &view, BlockId by)
{
    if (auto body = view.isTrimmed && !file.isAbsent ? confirmed(file, view, by) : std::nullopt)
        return { std::move(*body) };
    if (!isPlaced(view))
        return { file };
    const KnownText shown = KnownText::of(view.text, by);
    Viewed viewed;
    viewed.after.text = KnownText::gap(view.firstLine);
    viewed.after.text.append(shown);
    if (!view.reachesEnd)
        viewed.after.text.append(KnownText::gap());
    if (view.isWhole()) {
        viewed.contradicts = file.isAbsent || !file.text.fits(view.text);
        if (viewed.contradicts)
            viewed.counts = changedLines(file, viewed.after);
        viewed.showsChange = !viewed.counts.isExact || viewed.counts.added + viewed.counts.removed > 0;
        return viewed;
    }
    KnownText known = file.text;
    const auto begin = known.cutAtLine(view.firstLine);
    const auto end
        = view.reachesEnd ? std::optional(std::string::npos) : known.cutAtLine(view.firstLine + lineCountOf(view.text));
    if (begin && end && known.slice(*begin, *end).fits(view.text)) {
        known.replace(*begin, *end, shown);
        viewed.after.text = std::move(known);
        return viewed;
    }
    viewed.contradicts = file.isKnown() || (begin && end);
    if (viewed.contradicts) {
        viewed.showsChange = showsOtherLines(file.text.lines(), view.text);
        viewed.counts = changedLines(file, viewed.after);
    }
    return viewed;
}

std::optional<Viewed> applyMove(const FileBody &file, const FileView &view)
{
    const std::string flat = file.text.flat();
    const size_t begin = view.text.empty() ? std::string::npos : flat.find(view.text);
    if (begin == std::string::npos || flat.find(view.text, begin + 1) != std::string::npos
        || (begin > 0 && flat[begin - 1] != '\n' && flat[begin - 1] != '\0'))
        return std::nullopt;
    const auto line = lineAt(file.text, begin);
    if (!line)
        return std::nullopt;
    Viewed moved { .after = { KnownText::gap(view.firstLine), false },
        .contradicts = true,
        .showsChange = true,
        .counts = { 0, 0, false } };
    moved.after.text.append(file.text.slice(begin, std::string::npos));
    moved.counts.added = view.firstLine > *line ? view.firstLine - *line : 0;
    moved.counts.removed = view.firstLine < *line ? *line - view.firstLine : 0;
    return moved;
}

} // namespace core
