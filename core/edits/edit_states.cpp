// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edit_states.h"

#include "core/diff/git_buffers.h"
#include "core/edits/repository_history.h"
#include "core/originals/repository_texts.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

/// The stretches of lines that an edit took out and put in; those with gaps in them left out.
struct Stretches {
    std::vector<std::string> removed;
    std::vector<std::string> added;
};

bool tells(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") != std::string_view::npos && !text.contains('\0');
}

Stretches stretchesOf(const Edit &edit)
{
    const std::string before = edit.before.text.lines();
    const std::string after = edit.after.text.lines();
    const TextLines oldLines(before);
    const TextLines newLines(after);
    Stretches found;
    const auto hunks = lineHunks(before, after, Whitespace::Exact);
    for (const LineHunk &hunk : hunks.value_or(std::vector<LineHunk>())) {
        if (const auto text = oldLines.span(hunk.before).of(before); tells(text))
            found.removed.emplace_back(text);
        if (const auto text = newLines.span(hunk.after).of(after); tells(text))
            found.added.emplace_back(text);
    }
    return found;
}

/// A stretch of lines stands in a text, at the beginning of a line.
bool holds(std::string_view text, std::string_view lines)
{
    for (size_t at = text.find(lines); at != std::string_view::npos; at = text.find(lines, at + 1)) {
        if (at == 0 || text[at - 1] == '\n')
            return true;
    }
    return false;
}

bool holdsAll(std::string_view text, const std::vector<std::string> &stretches)
{
    return std::ranges::all_of(stretches, [&](const std::string &lines) { return holds(text, lines); });
}

bool holdsAny(std::string_view text, const std::vector<std::string> &stretches)
{
    return std::ranges::any_of(stretches, [&](const std::string &lines) { return holds(text, lines); });
}

/// The edit's change stands in a file of this text; nothing: there is no such file.
bool standsIn(const Edit &edit, const Stretches &change, const std::optional<std::string_view> &text)
{
    if (edit.after.isAbsent || !text)
        return edit.after.isAbsent && !text;
    if (edit.after.isKnown() && *text == edit.after.text.flat())
        return true;
    if (change.added.empty() && change.removed.empty())
        return false; // nothing to tell it by
    return change.added.empty() ? !holdsAny(*text, change.removed) : holdsAll(*text, change.added);
}

/// What it had replaced stands there again.
bool isUndoneIn(const Edit &edit, const Stretches &change, const std::optional<std::string_view> &text)
{
    const FileBody &before = edit.movedTo.empty() ? edit.before : edit.movedOver;
    if (!text)
        return before.isAbsent;
    if (before.isAbsent)
        return false;
    if (before.isKnown() && *text == before.text.flat())
        return true;
    return !change.removed.empty() && holdsAll(*text, change.removed) && !holdsAny(*text, change.added);
}

class Standings final {
public:
    Standings(const Edits &edits, const std::filesystem::path &folder, const Progress *progress)
        : m_edits(edits)
        , m_files(folder)
        , m_history(folder)
        , m_progress(progress)
    {
    }

    std::vector<EditStanding> find()
    {
        m_standings.resize(m_edits.edits.size());
        m_changes.resize(m_edits.edits.size());
        m_committed.resize(m_edits.edits.size());
        for (size_t i = 0; i < m_standings.size(); ++i) {
            if (m_progress != nullptr && m_progress->isCancelled())
                return std::move(m_standings);
            identify(i);
        }
        findCommits();
        for (size_t i = m_standings.size(); i-- > 0;)
            judge(i);
        return std::move(m_standings);
    }

private:
    [[nodiscard]] const std::string &pathOf(size_t edit) const
    {
        const Edit &each = m_edits.edits[edit];
        return each.movedTo.empty() ? each.path : each.movedTo;
    }
    void identify(size_t edit);
    void findCommits();
    void judge(size_t edit);
    void takeCommitOfLater(size_t edit);

    const Edits &m_edits;
    RepositoryTexts m_files;
    RepositoryHistory m_history;
    const Progress *m_progress;
    std::vector<EditStanding> m_standings;
    std::vector<Stretches> m_changes;
    std::vector<size_t> m_committed; ///< by edit: the next one on its file whose own body a commit holds
};

void Standings::identify(size_t edit)
{
    const Edit &each = m_edits.edits[edit];
    if (each.outcome != EditOutcome::Landed)
        return;
    m_changes[edit] = stretchesOf(each);
    if (!each.after.isKnown() || each.after.isAbsent)
        return;
    m_standings[edit].blob = m_history.blobOf(each.after.text.flat());
    m_standings[edit].isStored = m_history.holdsBlob(m_standings[edit].blob);
}

void Standings::findCommits()
{
    std::map<std::pair<std::string, std::string>, size_t> placeOf; // by path and blob
    for (size_t i = 0; i < m_standings.size(); ++i) {
        if (m_standings[i].isStored)
            placeOf.try_emplace({ pathOf(i), m_standings[i].blob }, 0);
    }
    std::vector<RepositoryHistory::Wanted> wanted;
    for (auto &[key, place] : placeOf) {
        place = wanted.size();
        wanted.push_back({ key.first, key.second, {}, 0 });
    }
    m_history.findCommits(wanted, m_progress);
    for (size_t i = 0; i < m_standings.size(); ++i) {
        if (!m_standings[i].isStored)
            continue;
        const auto &found = wanted[placeOf.at({ pathOf(i), m_standings[i].blob })];
        m_standings[i].commit = found.commit;
        m_standings[i].commitTime = found.time;
    }
}

/// Edits that were committed together have one commit: that of the last body.
void Standings::takeCommitOfLater(size_t edit)
{
    const Edit *next = m_edits.next(edit);
    m_committed[edit] = edit;
    if (!m_standings[edit].commit.empty() || next == nullptr)
        return;
    const auto later = static_cast<size_t>(next - m_edits.edits.data());
    m_committed[edit] = m_committed[later];
    const FileBody &body = m_edits.edits[m_committed[later]].after;
    if (m_standings[later].commit.empty() || !standsIn(m_edits.edits[edit], m_changes[edit], body.text.flat()))
        return;
    m_standings[edit].commit = m_standings[later].commit;
    m_standings[edit].commitTime = m_standings[later].commitTime;
}

void Standings::judge(size_t edit)
{
    const Edit &each = m_edits.edits[edit];
    EditStanding &standing = m_standings[edit];
    const bool failed = each.outcome == EditOutcome::Failed || each.outcome == EditOutcome::Interrupted;
    if (failed)
        standing.state = EditState::NeverLanded;
    const std::string &path = pathOf(edit);
    if (each.outcome != EditOutcome::Landed || path.starts_with('/') || path.starts_with('~'))
        return;
    takeCommitOfLater(edit);
    const auto now = m_files.fileAt(path);
    const auto head = m_history.headText(path);
    standing.isInWorkingTree = standsIn(each, m_changes[edit], now);
    standing.isInHead = standsIn(each, m_changes[edit], head);
    const bool isUndone = isUndoneIn(each, m_changes[edit], now);
    const bool cannotTell = !each.after.isKnown() && m_changes[edit].added.empty() && m_changes[edit].removed.empty();
    const bool hasTrace = standing.isStored || !standing.commit.empty() || m_edits.next(edit) != nullptr
        || (now && holdsAny(*now, m_changes[edit].added));
    if (standing.isInWorkingTree)
        standing.state = EditState::Landed;
    else if (cannotTell)
        standing.state = EditState::Unknown;
    else if (isUndone && (now || standing.isStored || !standing.commit.empty()))
        standing.state = EditState::Reverted;
    else if (hasTrace)
        standing.state = EditState::LandedAndChanged;
    else
        standing.state = now ? EditState::Unknown : EditState::NeverLanded;
}

} // namespace

std::vector<EditStanding> editStandings(
    const Edits &edits, const std::filesystem::path &folder, const Progress *progress)
{
    return Standings(edits, folder, progress).find();
}

std::string_view nameOf(EditState state)
{
    switch (state) {
    case EditState::Landed:
        return "landed";
    case EditState::LandedAndChanged:
        return "landed and changed since";
    case EditState::Reverted:
        return "reverted";
    case EditState::NeverLanded:
        return "never landed";
    case EditState::Unknown:
        return "unknown";
    }
    return "unknown";
}

} // namespace core
