// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/file_bodies.h"

#include "core/base/text_lines.h"
#include "core/git/git_buffers.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace core {

namespace {

std::string joined(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    return text;
}

/// Number of lines of `text` that the known text does not contain; its first line may be the end of a line, its last
/// the beginning.
uint64_t linesNotIn(std::string_view known, std::string_view text)
{
    const auto ofKnown = [&](const auto &isSuch) {
        for (std::string_view rest = known; !rest.empty();) {
            const size_t end = std::min(rest.find('\n'), rest.size());
            if (isSuch(rest.substr(0, end)))
                return true;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return false;
    };
    uint64_t count = 0;
    bool isFirst = true;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const bool isLast = end == std::string_view::npos;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(isLast ? text.size() : end + 1);
        const bool isFound = ofKnown([&](std::string_view each) {
            return isFirst && isLast ? each.contains(line)
                : isFirst            ? each.ends_with(line)
                : isLast             ? each.starts_with(line)
                                     : each == line;
        });
        count += isFound ? 0 : 1;
        isFirst = false;
    }
    return count;
}

/// An unknown text that contains `text` somewhere.
KnownText around(const KnownText &text)
{
    KnownText made = KnownText::gap();
    made.append(text);
    made.append(KnownText::gap());
    return made;
}

// --- finding and putting in ---------------------------------------------------------------------------------------

/// The only gap at or behind `from`; nullopt if there are none or several.
std::optional<size_t> onlyGap(const KnownText &text, size_t from)
{
    std::optional<size_t> found;
    size_t at = 0;
    for (const KnownText::Part &part : text.parts()) {
        if (part.isGap() && at >= from) {
            if (found)
                return std::nullopt;
            found = at;
        }
        at += part.size;
    }
    return found;
}

/// Upper bound on the bytes at the end of `left` that may be the beginning of `right`.
size_t overlapOf(std::string_view left, std::string_view right)
{
    for (size_t size = std::min(left.size(), right.size()); size > 0; --size) {
        if (left.ends_with(right.substr(0, size)))
            return size;
    }
    return 0;
}

/// Removes known text that may be a part of `what`, which as a whole is not in the known text: `what` may begin or end
/// in the stretches beside a gap, or contain a stretch between two gaps.
KnownText withoutPartsOf(const KnownText &text, std::string_view what)
{
    KnownText made;
    size_t at = 0;
    const auto &parts = text.parts();
    for (size_t i = 0; i < parts.size();) {
        if (parts[i].isGap()) {
            made.append(text.slice(at, at + 1));
            ++at;
            ++i;
            continue;
        }
        std::string known;
        const bool isBehindGap = i > 0;
        for (; i < parts.size() && !parts[i].isGap(); ++i)
            known += parts[i].view();
        const bool isBeforeGap = i < parts.size();
        const bool isInside = what.contains(known);
        const size_t head = isBehindGap ? overlapOf(what, known) : 0;
        const size_t tail = isBeforeGap ? overlapOf(known, what) : 0;
        if (isInside || head + tail >= known.size()) {
            made.append(KnownText::gap());
        } else {
            made.append(head > 0 ? KnownText::gap() : KnownText());
            made.append(text.slice(at + head, at + known.size() - tail));
            made.append(tail > 0 ? KnownText::gap() : KnownText());
        }
        at += known.size();
    }
    return made;
}

/// Places an unknown text: into the only gap behind `from`; if there are several, the text behind `from` becomes
/// unknown except for `what`. Returns the offset behind it.
size_t putIntoGap(KnownText &text, size_t from, const KnownText &what)
{
    const auto gap = onlyGap(text, from);
    const size_t begin = gap.value_or(from);
    KnownText filling = around(what);
    const size_t size = filling.flat().size();
    text.replace(begin, gap ? begin + 1 : std::string::npos, filling);
    return begin + size - 1;
}

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

/// Applies one change to a file.
class Application final {
public:
    Application(const FileBody &file, BlockId by)
        : m_by(by)
    {
        m_applied.before = file;
        m_applied.after = file;
        m_applied.after.isAbsent = false;
    }

    Applied apply(const FileChange &change)
    {
        KnownText &text = m_applied.after.text;
        switch (change.kind) {
        case ChangeKind::Replace:
            for (const Replacement &each : change.replacements)
                replace(each, change.replacements.size() == 1);
            break;
        case ChangeKind::Insert:
            insert(change);
            break;
        case ChangeKind::Write:
            text = KnownText::of(change.text, m_by);
            break;
        case ChangeKind::Append:
            text.append(KnownText::of(change.text, m_by));
            break;
        case ChangeKind::Patch:
            for (const PatchHunk &hunk : change.hunks)
                patch(hunk, change.hunks.size() == 1);
            if (change.settlesEnd)
                settleEnd();
            break;
        case ChangeKind::Delete:
            m_applied.after = FileBody::absent();
            break;
        case ChangeKind::Rewrite:
            if (change.replacements.empty() || !text.isWhole() || m_applied.before.isAbsent)
                text = KnownText::gap();
            for (const Replacement &each : change.replacements)
                substitute(each);
            break;
        case ChangeKind::Copy: // not handled here
            text = KnownText::gap();
            break;
        case ChangeKind::Move:
            if (m_applied.before.isAbsent) // the file had reappeared
                m_applied.before = m_applied.after = FileBody();
            break;
        }
        return std::move(m_applied);
    }

private:
    void replace(const Replacement &each, bool isOnly);
    void insert(const FileChange &change);
    void substitute(const Replacement &each);
    void patch(const PatchHunk &hunk, bool isOnly);
    void settleEnd();
    /// Replaces an old text that must have been there but is not known.
    void replaceUnknown(const std::string &before, const std::string &after, bool isOnly);
    void rest(size_t begin, size_t end)
    {
        for (const BlockId block : m_applied.after.text.origins(begin, end)) {
            if (block.isValid() && block != m_by && std::ranges::find(m_applied.basis, block) == m_applied.basis.end())
                m_applied.basis.push_back(block);
        }
    }

    BlockId m_by;
    Applied m_applied;
    size_t m_cursor = 0; ///< each hunk is below the one before
};

void Application::replaceUnknown(const std::string &before, const std::string &after, bool isOnly)
{
    KnownText &text = m_applied.after.text;
    if (text.isWhole()) {
        m_applied.contradicts = true;
        m_applied.counts = { std::max<uint64_t>(1, linesNotIn(text.flat(), before)), 0, false };
        text = KnownText::gap();
        m_applied.before = FileBody();
    }
    text = withoutPartsOf(text, before);
    // With several changes, later old texts are not in the body before in this form.
    if (isOnly) {
        m_applied.before.text = text;
        putIntoGap(m_applied.before.text, 0, KnownText::of(before, m_by));
    } else {
        m_applied.before.text = KnownText::gap();
    }
    m_applied.before.isAbsent = false;
    m_cursor = putIntoGap(text, std::min(m_cursor, text.flat().size()), KnownText::of(after, m_by));
}

void Application::replace(const Replacement &each, bool isOnly)
{
    KnownText &text = m_applied.after.text;
    const std::string flat = text.flat();
    std::string before = each.before;
    if (each.takesLineEnd && each.after.empty() && !before.ends_with('\n') && flat.contains(before + "\n"))
        before += '\n';
    size_t found = before.empty() ? std::string::npos : flat.find(before);
    if (found == std::string::npos) {
        m_cursor = 0;
        replaceUnknown(each.before, each.after, isOnly);
        return;
    }
    std::vector<size_t> places;
    for (; found != std::string::npos; found = flat.find(before, found + before.size())) {
        places.push_back(found);
        rest(found, found + before.size());
        if (!each.isEverywhere)
            break;
    }
    const KnownText by = KnownText::of(each.after, m_by);
    for (const size_t place : std::views::reverse(places))
        text.replace(place, place + before.size(), by);
}

/// Replaces the first or every occurrence in each line, like `sed`.
void Application::substitute(const Replacement &each)
{
    KnownText &text = m_applied.after.text;
    if (!text.isWhole())
        return;
    const std::string flat = text.flat();
    std::vector<size_t> places;
    for (size_t at = flat.find(each.before); at != std::string::npos;) {
        places.push_back(at);
        at += each.before.size();
        if (!each.isEverywhere)
            at = flat.find('\n', at);
        at = flat.find(each.before, std::min(at, flat.size()));
    }
    const KnownText by = KnownText::of(each.after, m_by);
    for (const size_t place : std::views::reverse(places))
        text.replace(place, place + each.before.size(), by);
}

void Application::insert(const FileChange &change)
{
    KnownText &text = m_applied.after.text;
    const auto at = text.cutAtLine(change.line);
    std::string lines = change.text;
    if (!lines.ends_with('\n'))
        lines += '\n';
    if (at)
        text.replace(*at, *at, KnownText::of(std::move(lines), m_by));
    else
        text = around(KnownText::of(std::move(lines), m_by));
}

// --- hunks --------------------------------------------------------------------------------------------------------

std::string_view withoutEnd(std::string_view line)
{
    line = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
    return line;
}

std::string_view withoutBlanks(std::string_view line)
{
    line = withoutEnd(line);
    const size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

std::string_view withoutFeed(std::string_view line)
{
    if (line.ends_with('\n'))
        line.remove_suffix(1);
    return line;
}

/// Comparisons of two lines, strictest first.
constexpr std::array kLikeness { withoutFeed, withoutEnd, withoutBlanks };

/// The first lines of a flat text, from byte `from` on, that match the given ones.
std::optional<LineRange> findLines(
    std::string_view flat, const TextLines &lines, const std::vector<std::string> &wanted, size_t from)
{
    size_t first = 0;
    while (first < lines.count() && lines.start(first) < from)
        ++first;
    for (const auto &likeness : kLikeness) {
        for (size_t line = first; line + wanted.size() <= lines.count(); ++line) {
            const auto isEqual
                = [&](size_t i) { return likeness(lines.span(line + i).of(flat)) == likeness(wanted[i]); };
            size_t equal = 0;
            while (equal < wanted.size() && isEqual(equal))
                ++equal;
            if (equal == wanted.size())
                return LineRange { line, line + equal };
        }
    }
    return std::nullopt;
}

void Application::patch(const PatchHunk &hunk, bool isOnly)
{
    KnownText &text = m_applied.after.text;
    if (hunk.before.empty()) { // without old lines it goes to the end
        text.append(KnownText::of(joined(hunk.after), m_by));
        return;
    }
    const std::string flat = text.flat();
    const TextLines lines(flat);
    if (!hunk.anchor.empty()) {
        if (const auto anchor = findLines(flat, lines, { hunk.anchor }, m_cursor))
            m_cursor = lines.start(anchor->end);
    }
    auto found = findLines(flat, lines, hunk.before, m_cursor);
    if (!found)
        found = findLines(flat, lines, hunk.before, 0);
    if (!found) {
        replaceUnknown(joined(hunk.before), joined(hunk.after), isOnly);
        return;
    }
    rest(lines.start(found->first), lines.start(found->end));
    // Context lines keep their text and their origin.
    size_t head = 0;
    while (head < std::min(hunk.before.size(), hunk.after.size()) && hunk.before[head] == hunk.after[head]
        && withoutFeed(lines.span(found->first + head).of(flat)) == hunk.before[head])
        ++head;
    const size_t begin = lines.start(found->first + head);
    const size_t end = lines.start(found->end);
    const std::string after = joined({ hunk.after.begin() + static_cast<std::ptrdiff_t>(head), hunk.after.end() });
    text.replace(begin, end, KnownText::of(after, m_by));
    m_cursor = begin + after.size();
}

/// Codex splits off the empty line behind the last line feed, and ends the last line with a line feed unless it is
/// empty (`derive_new_contents_from_chunks`).
void Application::settleEnd()
{
    KnownText &text = m_applied.after.text;
    if (text.parts().empty() || text.parts().back().isGap())
        return;
    const std::string flat = text.flat();
    if (flat == "\n" || flat.ends_with("\n\n"))
        text.replace(flat.size() - 1, flat.size(), KnownText());
    else if (!flat.ends_with('\n'))
        text.append(KnownText::of("\n", m_by));
}

// --- views --------------------------------------------------------------------------------------------------------

/// Counts the lines that differ between the known text and a viewed part of the file. Ignores the known text above and
/// below the part.
LineCounts seenDifference(std::string_view known, std::string_view seen)
{
    LineCounts counts { 0, 0, false };
    const auto hunks = lineHunks(known, seen, Whitespace::Exact);
    const uint64_t lines = lineCountOf(known);
    for (const LineHunk &hunk : hunks.value_or(std::vector<LineHunk>())) {
        const bool isAtEdge = hunk.before.first == 0 || hunk.before.end == lines;
        counts.added += hunk.after.count();
        counts.removed += isAtEdge ? std::min(hunk.before.count(), hunk.after.count()) : hunk.before.count();
    }
    return counts;
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

LineCounts changedLines(const FileBody &before, const FileBody &after)
{
    const std::string old = before.text.lines();
    const std::string made = after.text.lines();
    LineCounts counts { 0, 0, before.isKnown() && after.isKnown() };
    // Only the part behind the common prefix costs a comparison.
    const auto head = static_cast<size_t>(std::ranges::mismatch(old, made).in1 - old.begin());
    const size_t feed = head == 0 ? std::string::npos : old.rfind('\n', head - 1);
    const size_t begin = feed == std::string::npos ? 0 : feed + 1;
    const std::string_view oldRest = std::string_view(old).substr(begin);
    const std::string_view madeRest = std::string_view(made).substr(begin);
    const TextLines oldLines(oldRest);
    const TextLines madeLines(madeRest);
    const auto knownIn = [](LineRange range, const TextLines &lines, std::string_view text) {
        return range.count() - static_cast<size_t>(std::ranges::count(lines.span(range).of(text), '\0'));
    };
    const auto hunks = lineHunks(oldRest, madeRest, Whitespace::Exact);
    for (const LineHunk &hunk : hunks.value_or(std::vector<LineHunk>())) {
        counts.added += knownIn(hunk.after, madeLines, madeRest);
        counts.removed += knownIn(hunk.before, oldLines, oldRest);
    }
    return counts;
}

Applied applyChange(const FileBody &file, const FileChange &change, BlockId by)
{
    return Application(file, by).apply(change);
}

Viewed applyView(const FileBody &file, const FileView &view, BlockId by)
{
    if (auto body = view.isTrimmed && !file.isAbsent ? confirmed(file, view, by) : std::nullopt)
        return { std::move(*body), false, {} };
    if (!isPlaced(view))
        return { file, false, {} };
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
    if (viewed.contradicts)
        viewed.counts = seenDifference(file.text.lines(), view.text);
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
    Viewed moved { .after = { KnownText::gap(view.firstLine), false }, .contradicts = true, .counts = { 0, 0, false } };
    moved.after.text.append(file.text.slice(begin, std::string::npos));
    moved.counts.added = view.firstLine > *line ? view.firstLine - *line : 0;
    moved.counts.removed = view.firstLine < *line ? *line - view.firstLine : 0;
    return moved;
}

} // namespace core
