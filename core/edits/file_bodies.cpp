// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/file_bodies.h"

#include "core/base/text_lines.h"
#include "core/git/git_buffers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <unordered_map>

namespace core {

namespace {

std::string joined(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    return text;
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
            m_applied.gaps = Gaps::Any;
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
            m_applied.gaps = Gaps::Any;
            break;
        case ChangeKind::Rewrite:
            m_applied.gaps = Gaps::Any;
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
        m_applied.counts = changedLines({ text, false }, { around(KnownText::of(before, m_by)), false });
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
        m_applied.gaps = Gaps::Any;
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
    if (at) {
        m_applied.before.text = text; // with the same gaps: a cut makes two of one
        text.replace(*at, *at, KnownText::of(std::move(lines), m_by));
    } else {
        text = around(KnownText::of(std::move(lines), m_by));
        m_applied.gaps = Gaps::Any;
    }
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

// --- counting lines -----------------------------------------------------------------------------------------------

/// The known lines, without line ends. A line that reaches into a gap has a NUL there.
std::vector<std::string> knownLines(const KnownText &text)
{
    const std::string gap(1, '\0');
    std::vector<std::string> lines;
    std::string line;
    const auto take = [&] {
        if (line != gap)
            lines.push_back(line);
        line.clear();
    };
    for (const KnownText::Part &part : text.parts()) {
        if (part.isGap()) {
            if (!line.empty()) {
                line += line == gap ? "" : gap;
                take();
            }
            line = part.lines ? std::string() : gap;
            continue;
        }
        for (const char c : part.view()) {
            if (c == '\n')
                take();
            else
                line += c;
        }
    }
    if (!line.empty())
        take();
    return lines;
}

bool isOpen(std::string_view line) { return line.starts_with('\0') || line.ends_with('\0'); }

/// Whether two different lines may be the same one, if what the gaps hold of it is put in. Text that was never seen
/// does not make the end of one line the beginning of another.
bool mayBeSame(std::string_view open, std::string_view other)
{
    const auto ends = [](std::string_view line) { return std::pair(line.starts_with('\0'), line.ends_with('\0')); };
    const auto known = [](std::string_view line) {
        line.remove_prefix(line.starts_with('\0') ? 1 : 0);
        line.remove_suffix(line.ends_with('\0') ? 1 : 0);
        return line;
    };
    const auto [startsInGap, endsInGap] = ends(open);
    const auto holds = [&](std::string_view whole, std::string_view part) {
        return startsInGap && endsInGap ? whole.contains(part)
            : startsInGap               ? whole.ends_with(part)
                                        : whole.starts_with(part);
    };
    const std::string_view one = known(open);
    const std::string_view two = known(other);
    if (!isOpen(other))
        return holds(two, one);
    if (ends(open) != ends(other))
        return two.contains(withoutBlanks(one)) || one.contains(withoutBlanks(two));
    const bool areBetweenTheSameGaps = startsInGap && endsInGap;
    return !areBetweenTheSameGaps && (holds(two, one) || holds(one, two));
}

/// The lines that one text must have more often than the other, wherever they stand.
LineCounts provenLines(const KnownText &before, const KnownText &after, Gaps gaps)
{
    std::unordered_map<std::string, int64_t> balance;
    for (std::string &line : knownLines(before))
        ++balance[std::move(line)];
    for (std::string &line : knownLines(after))
        --balance[std::move(line)];
    std::vector<std::string_view> gone;
    std::vector<std::string_view> come;
    for (const auto &[line, count] : balance) {
        auto &lines = count > 0 ? gone : come;
        lines.insert(lines.end(), static_cast<size_t>(std::abs(count)), line);
    }
    const auto open = [](std::string_view line) { return isOpen(line); };
    uint64_t same = 0;
    for (const std::string_view line : gone | std::views::filter(open))
        same += std::ranges::any_of(come, [&](std::string_view each) { return mayBeSame(line, each); }) ? 1 : 0;
    for (const std::string_view line : come | std::views::filter(open))
        same += std::ranges::any_of(gone, [&](std::string_view each) { return !isOpen(each) && mayBeSame(line, each); })
            ? 1
            : 0;
    const bool areSame = gaps == Gaps::Same && before.gapCount() == after.gapCount();
    const auto atLeast = [&](bool isOtherKnown, const std::vector<std::string_view> &lines) {
        return areSame || isOtherKnown ? lines.size() - std::min<uint64_t>(same, lines.size()) : 0;
    };
    return { atLeast(before.isWhole(), come), atLeast(after.isWhole(), gone), false };
}

} // namespace

LineCounts changedLines(const FileBody &before, const FileBody &after, Gaps gaps)
{
    if (!before.isKnown() || !after.isKnown())
        return provenLines(before.text, after.text, gaps);
    const std::string old = before.text.flat();
    const std::string made = after.text.flat();
    // Only the part behind the common prefix costs a comparison.
    const auto head = static_cast<size_t>(std::ranges::mismatch(old, made).in1 - old.begin());
    const size_t feed = head == 0 ? std::string::npos : old.rfind('\n', head - 1);
    const size_t begin = feed == std::string::npos ? 0 : feed + 1;
    LineCounts counts;
    const auto hunks
        = lineHunks(std::string_view(old).substr(begin), std::string_view(made).substr(begin), Whitespace::Exact);
    for (const LineHunk &hunk : hunks.value_or(std::vector<LineHunk>())) {
        counts.added += hunk.after.count();
        counts.removed += hunk.before.count();
    }
    return counts;
}

Applied applyChange(const FileBody &file, const FileChange &change, BlockId by)
{
    return Application(file, by).apply(change);
}

} // namespace core
