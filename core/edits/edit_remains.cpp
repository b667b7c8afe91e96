// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edit_remains.h"

#include "core/base/counted.h"
#include "core/edits/tool_changes.h"
#include "core/git/git_buffers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace core {

namespace {

using Owner = std::optional<size_t>; ///< the edit that wrote a line; nullopt: no edit, or nobody knows

std::string_view bareLine(std::string_view line)
{
    line.remove_suffix(line.ends_with('\n') ? 1 : 0);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
}

bool isGap(std::string_view line) { return line == std::string_view("\0", 1); }

/// Whether a line is more than blanks and brackets, which stand anywhere.
bool hasWords(std::string_view line)
{
    return std::ranges::any_of(line, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return std::isalnum(byte) != 0 || byte > 0x7f;
    });
}

/// A line that is not in the known text, and the edit that removed or hid it.
struct AwayLine {
    size_t owner = 0;
    Owner by;
};
using AwayLines = std::unordered_multimap<std::string, AwayLine>;

std::optional<AwayLine> taken(AwayLines &lines, std::string_view text)
{
    const auto found = lines.find(std::string(text));
    if (found == lines.end())
        return std::nullopt;
    const AwayLine line = found->second;
    lines.erase(found);
    return line;
}

/// A file at one moment of the session.
struct OwnedFile {
    std::string text;          ///< KnownText::lines()
    std::vector<Owner> owners; ///< by line of `text`
    AwayLines hidden;          ///< lines that may be in gaps
    AwayLines removed;         ///< a command may bring them back
    std::set<size_t> changers; ///< the edits of the file until now
};

/// What became of the lines of an edit.
struct Tally {
    struct Lines {
        uint64_t added = 0;
        std::map<size_t, uint64_t> removedBy; ///< by the edit that removes them
        uint64_t goneUntold = 0;              ///< gone, and no edit removes them
        uint64_t unknown = 0;
    };
    Lines telling; ///< lines with a letter or a digit
    Lines others;
    Owner perhapsBy;
    Owner deletedBy;

    Lines &of(std::string_view line) { return hasWords(line) ? telling : others; }
    [[nodiscard]] const Lines &counted() const { return telling.added > 0 ? telling : others; }
};

/// A line that is in one of two texts only.
struct LooseLine {
    size_t line = 0;
    std::string_view text;
    Owner owner;
    bool isOpen = false;    ///< beside a gap: it may be a part of a line
    bool isNearGap = false; ///< a gap of the other text is at its place
    bool isMatched = false;
};

/// The lines of a file that a next text has at another place, or not at all; and those that only the next text has.
struct Comparison {
    std::vector<LooseLine> lost;
    std::vector<LooseLine> fresh;
};

/// Whether the gaps of the body after an edit are those of the body before it.
bool keepsGaps(const Edit &edit)
{
    const bool isPlaced = edit.kind == ChangeKind::Replace || edit.kind == ChangeKind::Insert
        || edit.kind == ChangeKind::Patch || edit.kind == ChangeKind::Append;
    return isPlaced && edit.origin != EditOrigin::Outside && edit.before.text.gapCount() == edit.after.text.gapCount();
}

/// Whether the agent wrote the new lines itself. Other changes can bring back lines that were there once.
bool isWritten(const Edit &edit)
{
    return edit.origin != EditOrigin::Outside && edit.kind != ChangeKind::Rewrite && edit.kind != ChangeKind::Move;
}

/// The lines of a text between two others, without gaps.
std::vector<LooseLine> looseLines(
    std::string_view text, const TextLines &lines, LineRange range, const std::vector<Owner> *owners)
{
    const auto isGapAt
        = [&](size_t line) { return line < lines.count() && isGap(bareLine(lines.span(line).of(text))); };
    std::vector<LooseLine> loose;
    for (size_t line = range.first; line < range.end; ++line) {
        if (isGapAt(line))
            continue;
        const bool isOpen = isGapAt(line + 1) || (line > 0 && isGapAt(line - 1));
        loose.push_back({ .line = line,
            .text = bareLine(lines.span(line).of(text)),
            .owner = owners == nullptr ? Owner() : (*owners)[line],
            .isOpen = isOpen });
    }
    return loose;
}

/// Follows the lines of all files through the edits.
class RemainsFinder final {
public:
    explicit RemainsFinder(const Edits &edits)
        : m_edits(edits)
        , m_tallies(edits.edits.size())
    {
    }

    std::vector<EditRemains> find()
    {
        for (size_t i = 0; i < m_edits.edits.size(); ++i) {
            const Edit &edit = m_edits.edits[i];
            const bool isRun = m_edits.session->thread(edit.thread).kind == ThreadKind::Run;
            if (isRun && i > 0 && m_edits.edits[i - 1].thread != edit.thread)
                forgetFiles();
            if (edit.outcome == EditOutcome::Landed || edit.outcome == EditOutcome::Untold)
                follow(i);
        }
        forgetFiles();
        std::vector<EditRemains> remains;
        for (size_t i = 0; i < m_tallies.size(); ++i)
            remains.push_back(verdict(i));
        return remains;
    }

private:
    void follow(size_t number);
    /// Takes over what the log showed of the file since its last edit.
    void meet(OwnedFile &file, const FileBody &before);
    void change(OwnedFile &file, size_t number);
    void heedOldTexts(OwnedFile &file, size_t number);
    void hideNewTexts(OwnedFile &file, size_t number);
    void add(OwnedFile &file, size_t number, const LooseLine &line);
    void remove(OwnedFile &file, Owner by, std::string_view text, size_t owner);
    void removeAll(OwnedFile &file, size_t by);
    void forgetFiles();
    [[nodiscard]] EditRemains verdict(size_t number) const;

    const Edits &m_edits;
    std::map<std::string, OwnedFile> m_files;
    std::vector<Tally> m_tallies; ///< by edit
};

/// Puts the next text in place of a file's text. Lines in both keep their owners, also where they stand elsewhere.
/// `mayJoin`: a line beside a gap can be a part of a whole line of the other text.
Comparison putNext(OwnedFile &file, const std::string &next, bool mayJoin)
{
    Comparison loose;
    const TextLines oldLines(file.text);
    const TextLines newLines(next);
    std::vector<Owner> owners(newLines.count());
    auto hunks = lineHunks(file.text, next, Whitespace::Exact);
    if (!hunks)
        hunks = { LineHunk { { 0, oldLines.count() }, { 0, newLines.count() } } };
    size_t oldLine = 0;
    size_t newLine = 0;
    const auto copyTo = [&](size_t end) {
        for (; oldLine < end; ++oldLine, ++newLine)
            owners[newLine] = file.owners[oldLine];
    };
    for (const LineHunk &hunk : *hunks) {
        copyTo(hunk.before.first);
        auto lost = looseLines(file.text, oldLines, hunk.before, &file.owners);
        auto fresh = looseLines(next, newLines, hunk.after, nullptr);
        for (LooseLine &line : lost)
            line.isNearGap = fresh.size() < hunk.after.count();
        loose.lost.insert(loose.lost.end(), lost.begin(), lost.end());
        loose.fresh.insert(loose.fresh.end(), fresh.begin(), fresh.end());
        oldLine = hunk.before.end;
        newLine = hunk.after.end;
    }
    copyTo(oldLines.count());
    std::unordered_multimap<std::string_view, size_t> freshAt;
    for (size_t i = loose.fresh.size(); i-- > 0;)
        freshAt.emplace(loose.fresh[i].text, i);
    const auto match = [&](LooseLine &line, LooseLine &with) {
        line.isMatched = with.isMatched = true;
        owners[with.line] = line.owner;
    };
    for (LooseLine &line : loose.lost) {
        if (const auto found = freshAt.find(line.text); hasWords(line.text) && found != freshAt.end()) {
            match(line, loose.fresh[found->second]);
            freshAt.erase(found);
        }
    }
    const auto isOpen = [](const LooseLine &line) { return line.isOpen; };
    const bool canJoin
        = mayJoin && (std::ranges::any_of(loose.lost, isOpen) || std::ranges::any_of(loose.fresh, isOpen));
    for (LooseLine &line : loose.lost) {
        if (!canJoin || line.isMatched || !hasWords(line.text))
            continue;
        const auto joins = [&](const LooseLine &each) {
            return !each.isMatched && hasWords(each.text)
                && ((line.isOpen && each.text.contains(line.text)) || (each.isOpen && line.text.contains(each.text)));
        };
        if (const auto found = std::ranges::find_if(loose.fresh, joins); found != loose.fresh.end())
            match(line, *found);
    }
    file.owners = std::move(owners);
    return loose;
}

void RemainsFinder::follow(size_t number)
{
    const Edit &edit = m_edits.edits[number];
    const auto [place, isNew] = m_files.try_emplace(edit.path);
    OwnedFile &file = place->second;
    if (isNew) {
        file.text = edit.before.text.lines();
        file.owners.resize(TextLines(file.text).count());
    }
    meet(file, edit.before);
    change(file, number);
    file.changers.insert(number);
    if (edit.movedTo.empty() || edit.outcome != EditOutcome::Landed)
        return;
    if (const auto target = m_files.find(edit.movedTo); target != m_files.end())
        removeAll(target->second, number);
    m_files[edit.movedTo] = std::exchange(file, {});
}

void RemainsFinder::meet(OwnedFile &file, const FileBody &before)
{
    const std::string next = before.text.lines();
    if (next != file.text) {
        Comparison loose = putNext(file, next, true);
        for (const LooseLine &line : loose.fresh) {
            const auto hidden = line.isMatched ? std::nullopt : taken(file.hidden, line.text);
            if (hidden)
                file.owners[line.line] = hidden->owner;
        }
        for (const LooseLine &line : loose.lost) {
            if (line.owner && !line.isMatched)
                file.hidden.emplace(line.text, AwayLine { *line.owner, std::nullopt });
        }
        file.text = next;
    }
    if (!before.isKnown())
        return;
    for (const auto &[text, line] : std::exchange(file.hidden, {}))
        remove(file, line.by, text, line.owner);
}

void RemainsFinder::change(OwnedFile &file, size_t number)
{
    const Edit &edit = m_edits.edits[number];
    if (edit.after.isAbsent) {
        removeAll(file, number);
        return;
    }
    if (!edit.before.isKnown() && !file.hidden.empty())
        heedOldTexts(file, number);
    const std::string next = edit.after.text.lines();
    const bool areGapsKept = keepsGaps(edit);
    Comparison loose = putNext(file, next, !areGapsKept);
    for (const LooseLine &line : loose.lost) {
        if (!line.owner || line.isMatched)
            continue;
        const bool isSure = edit.after.isKnown() || (areGapsKept && !line.isNearGap);
        if (isSure)
            remove(file, number, line.text, *line.owner);
        else
            file.hidden.emplace(line.text, AwayLine { *line.owner, number });
    }
    for (const LooseLine &line : loose.fresh) {
        if (!line.isMatched)
            add(file, number, line);
    }
    file.text = next;
    if (!edit.after.isKnown()) {
        hideNewTexts(file, number);
        return;
    }
    for (const auto &[text, line] : std::exchange(file.hidden, {}))
        remove(file, number, text, line.owner);
}

/// The old and the new lines that a call asks for, replacement by replacement.
template <typename Take>
void forEachAsked(const Session &session, const Edit &edit, const Take &take)
{
    const auto linesOf = [](const std::string &text) {
        std::vector<std::string> lines;
        const TextLines all(text);
        for (size_t i = 0; i < all.count(); ++i)
            lines.emplace_back(bareLine(all.span(i).of(text)));
        return lines;
    };
    for (const FileChange &asked : askedChanges(session, edit)) {
        for (const Replacement &each : asked.replacements)
            take(linesOf(each.before), linesOf(each.after));
        for (const PatchHunk &hunk : asked.hunks)
            take(hunk.before, hunk.after);
    }
}

/// An old text shows lines that no body shows.
void RemainsFinder::heedOldTexts(OwnedFile &file, size_t number)
{
    using Lines = std::vector<std::string>;
    forEachAsked(*m_edits.session, m_edits.edits[number], [&](const Lines &before, const Lines &after) {
        for (const std::string &line : before) {
            const auto hidden = std::ranges::contains(after, line) ? std::nullopt : taken(file.hidden, line);
            if (hidden)
                remove(file, number, line, hidden->owner);
        }
    });
}

/// Of several new texts in an unknown file, the body holds only one.
void RemainsFinder::hideNewTexts(OwnedFile &file, size_t number)
{
    using Lines = std::vector<std::string>;
    if (!isWritten(m_edits.edits[number]) || m_edits.edits[number].outcome != EditOutcome::Landed)
        return;
    std::multiset<std::string_view> shown;
    const TextLines lines(file.text);
    for (size_t i = 0; i < lines.count(); ++i)
        shown.insert(bareLine(lines.span(i).of(file.text)));
    forEachAsked(*m_edits.session, m_edits.edits[number], [&](const Lines &before, const Lines &after) {
        for (const std::string &line : after) {
            if (!hasWords(line) || std::ranges::contains(before, line))
                continue;
            if (const auto found = shown.find(line); found != shown.end()) {
                shown.erase(found);
                continue;
            }
            ++m_tallies[number].of(line).added;
            file.hidden.emplace(line, AwayLine { number, std::nullopt });
        }
    });
}

/// A new line belongs to the edit, or to an earlier one whose line is back.
void RemainsFinder::add(OwnedFile &file, size_t number, const LooseLine &line)
{
    const Edit &edit = m_edits.edits[number];
    Owner &owner = file.owners[line.line];
    if (isWritten(edit)) {
        const auto hidden = edit.before.isKnown() ? std::nullopt : taken(file.hidden, line.text);
        owner = hidden ? Owner(hidden->owner) : Owner(number);
    } else if (const auto hidden = taken(file.hidden, line.text)) {
        owner = hidden->owner;
    } else if (const auto removed = taken(file.removed, line.text)) {
        owner = removed->owner;
        Tally::Lines &lines = m_tallies[removed->owner].of(line.text);
        if (removed->by && --lines.removedBy[*removed->by] == 0)
            lines.removedBy.erase(*removed->by);
        else if (!removed->by)
            --lines.goneUntold;
    } else if (edit.before.isKnown()) {
        owner = number;
    }
    if (owner == number)
        ++m_tallies[number].of(line.text).added;
}

void RemainsFinder::remove(OwnedFile &file, Owner by, std::string_view text, size_t owner)
{
    Tally::Lines &lines = m_tallies[owner].of(text);
    if (by)
        ++lines.removedBy[*by];
    else
        ++lines.goneUntold;
    file.removed.emplace(text, AwayLine { owner, by });
}

/// The file is deleted, or another one comes to its place.
void RemainsFinder::removeAll(OwnedFile &file, size_t by)
{
    const TextLines lines(file.text);
    for (size_t i = 0; i < lines.count(); ++i) {
        if (file.owners[i])
            remove(file, by, bareLine(lines.span(i).of(file.text)), *file.owners[i]);
    }
    for (const auto &[text, line] : std::exchange(file.hidden, {}))
        remove(file, by, text, line.owner);
    for (const size_t changer : file.changers) {
        if (!m_edits.edits[changer].after.isAbsent && m_edits.edits[by].after.isAbsent)
            m_tallies[changer].deletedBy = by;
    }
    file.text.clear();
    file.owners.clear();
}

void RemainsFinder::forgetFiles()
{
    for (const auto &[path, file] : m_files) {
        for (const auto &[text, line] : file.hidden) {
            Tally &tally = m_tallies[line.owner];
            ++tally.of(text).unknown;
            if (line.by && (!tally.perhapsBy || *line.by < *tally.perhapsBy))
                tally.perhapsBy = line.by;
        }
    }
    m_files.clear();
}

EditRemains RemainsFinder::verdict(size_t number) const
{
    const Edit &edit = m_edits.edits[number];
    const Tally &tally = m_tallies[number];
    const Tally::Lines &lines = tally.counted();
    EditRemains remains;
    if (edit.outcome != EditOutcome::Landed)
        return remains;
    uint64_t removed = lines.goneUntold;
    if (lines.added == 0)
        remains.deletedBy = tally.deletedBy;
    for (const auto &[by, count] : lines.removedBy) {
        removed += count;
        if (m_edits.edits[by].after.isAbsent)
            remains.deletedBy = by;
        else
            remains.by.push_back(by);
    }
    remains.added = lines.added;
    remains.unknown = lines.unknown;
    remains.left = lines.added - removed - lines.unknown;
    remains.perhapsBy = lines.unknown > 0 ? tally.perhapsBy : Owner();
    const bool areAddedKnown = edit.after.isKnown() || edit.kind != ChangeKind::Rewrite;
    if (remains.deletedBy && remains.left + lines.unknown == 0)
        remains.kind = RemainsKind::Deleted;
    else if (lines.added == 0)
        remains.kind = areAddedKnown ? RemainsKind::None : RemainsKind::Unknown;
    else if (removed == lines.added)
        remains.kind = RemainsKind::Replaced;
    else if (removed > 0)
        remains.kind = RemainsKind::Part;
    else
        remains.kind = lines.unknown > 0 ? RemainsKind::Unknown : RemainsKind::Whole;
    return remains;
}

/// `#336, #400`; the message of the edit itself is told apart.
std::string namesOf(const Edits &edits, size_t number, const std::vector<size_t> &by)
{
    constexpr size_t kMost = 6;
    std::vector<std::string> names;
    for (const size_t each : by) {
        const Edit &edit = edits.edits[each];
        const bool isOutside = edit.origin == EditOrigin::Outside;
        const MessageId message = edit.use.isValid() ? edits.session->block(edit.use).message : MessageId();
        const bool isSame = edits.session->block(edits.edits[number].use).message == message;
        std::string name = isOutside ? std::string("a change outside the log")
            : !message.isValid()     ? std::string("the prelude")
                                     : (isSame ? "a later call of #" : "#") + std::to_string(message.value());
        if (std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    }
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMost)
        text += " and " + counted(names.size() - kMost, "more change");
    return text;
}

} // namespace

std::vector<EditRemains> editRemains(const Edits &edits) { return RemainsFinder(edits).find(); }

std::string remainsText(const Edits &edits, size_t number, const EditRemains &remains)
{
    const std::string by = namesOf(edits, number, remains.by);
    const std::string rest = remains.unknown > 0 ? "; of the rest it is not known" : "";
    switch (remains.kind) {
    case RemainsKind::None:
        return {};
    case RemainsKind::Whole:
        return "no later edit replaces it";
    case RemainsKind::Part:
        return (by.empty() ? "replaced in part, the log does not show by what" : "replaced in part by " + by) + rest;
    case RemainsKind::Replaced:
        return by.empty() ? "replaced, the log does not show by what" : "replaced by " + by;
    case RemainsKind::Deleted:
        return (by.empty() ? "" : "replaced in part by " + by + ", then ") + "file deleted by "
            + namesOf(edits, number, { *remains.deletedBy });
    case RemainsKind::Unknown:
        return "not known whether a later edit replaces it"
            + (remains.perhapsBy ? ": " + namesOf(edits, number, { *remains.perhapsBy }) + " may have" : std::string());
    }
    return {};
}

std::string outcomeText(const Edits &edits, size_t number, const EditRemains &remains, const EditStanding *standing)
{
    const bool isDenied = standing != nullptr && standing->state == EditState::NeverLanded;
    const std::string later = remainsText(edits, number, remains);
    switch (edits.edits[number].outcome) {
    case EditOutcome::Landed:
        return std::string(isDenied ? "reported as landed" : "landed") + (later.empty() ? "" : " · ") + later;
    case EditOutcome::Failed:
        return "failed";
    case EditOutcome::Interrupted:
        return "interrupted";
    case EditOutcome::Untold:
        return "unknown: " + std::string(sentenceOf(StandingReason::Untold));
    }
    return {};
}

} // namespace core
