// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edit_states.h"

#include "core/evidence/shown_text.h"
#include "core/git/git_buffers.h"
#include "core/git/repository_history.h"
#include "core/git/repository_texts.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

namespace core {

namespace {

constexpr size_t kMostVersionsRead = 500;
constexpr Timestamp kClockSlack = 60'000; ///< difference between the clocks of agent and committer; milliseconds
constexpr size_t kTellingBytes = 6;       ///< shorter lines occur anywhere

bool tells(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") != std::string_view::npos && !text.contains('\0');
}

/// Removes carriage returns of line ends, which are neither in what tools show nor in what they write.
std::string withLineFeeds(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')
            plain += text[i];
    }
    return plain;
}

/// Whether a text contains consecutive lines, starting at the beginning of a line.
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

/// The consecutive lines that an edit removed and added; stretches with gaps are left out.
struct Stretches {
    std::vector<std::string> removed;
    std::vector<std::string> added;
    std::vector<std::string> old;   ///< removed lines, and for an insertion the two lines around it
    std::vector<std::string> gone;  ///< removed lines that occur nowhere in the body after the edit
    std::vector<std::string> lines; ///< added lines that are long enough to be distinctive and are new
};

void addTellingLines(std::string_view stretch, std::string_view before, std::vector<std::string> &lines)
{
    forEachTrimmedLine(stretch, [&](std::string_view line) {
        if (line.size() >= kTellingBytes && !before.contains(line))
            lines.emplace_back(line);
    });
}

Stretches stretchesOf(const Edit &edit)
{
    const std::string before = withLineFeeds(edit.before.text.lines());
    const std::string after = withLineFeeds(edit.after.text.lines());
    const TextLines oldLines(before);
    const TextLines newLines(after);
    Stretches found;
    const auto hunks = lineHunks(before, after, Whitespace::Exact);
    for (const LineHunk &hunk : hunks.value_or(std::vector<LineHunk>())) {
        const std::string_view removed = oldLines.span(hunk.before).of(before);
        if (tells(removed)) {
            found.removed.emplace_back(removed);
            found.old.emplace_back(removed);
            if (!holds(after, removed))
                found.gone.emplace_back(removed);
        }
        const std::string_view added = newLines.span(hunk.after).of(after);
        if (tells(added)) {
            found.added.emplace_back(added);
            addTellingLines(added, before, found.lines);
        }
        const size_t at = hunk.before.first;
        if (hunk.before.isEmpty() && at > 0 && at < oldLines.count()) {
            const std::string_view seam = oldLines.span(LineRange { at - 1, at + 1 }).of(before);
            if (tells(seam) && !holds(after, seam))
                found.old.emplace_back(seam);
        }
    }
    return found;
}

/// The text of a file with line feeds, and its object id.
struct FileText {
    std::string text;
    std::string id;
};

/// Facts about an edit before the comparison.
struct Sought {
    std::optional<size_t> file; ///< index of its file, if it is examined
    Stretches change;
    std::string beforeId; ///< of known bodies, with line feeds
    std::string afterId;
    std::optional<Timestamp> time; ///< time of the call
    bool isFileThere = false;      ///< in the working tree
    bool isUndone = false;         ///< the file has the text that the edit had replaced
    bool isPartThere = false;      ///< the file has some of its lines
    bool isEvident = false;        ///< the repository has evidence of it
};

/// Whether a file with this text contains the edit's change; nullopt: the file does not exist.
bool standsIn(const Edit &edit, const Sought &sought, const std::optional<FileText> &file)
{
    if (edit.after.isAbsent || !file)
        return edit.after.isAbsent && !file;
    if (!sought.afterId.empty() && file->id == sought.afterId)
        return true;
    const Stretches &change = sought.change;
    if (change.added.empty() && change.removed.empty())
        return false; // nothing to recognise it by
    return change.added.empty() ? !holdsAny(file->text, change.removed) : holdsAll(file->text, change.added);
}

/// Whether the file has the replaced text again.
bool isUndoneIn(const Edit &edit, const Sought &sought, const std::optional<FileText> &file)
{
    const FileBody &before = edit.movedTo.empty() ? edit.before : edit.movedOver;
    if (!file)
        return before.isAbsent;
    if (before.isAbsent)
        return false;
    if (!sought.beforeId.empty() && file->id == sought.beforeId)
        return true;
    const Stretches &change = sought.change;
    return !change.old.empty() && holdsAll(file->text, change.old) && !holdsAny(file->text, change.added);
}

/// Whether a version of the file can be the result of the edit: it has everything added and nothing removed.
bool tookIt(const Edit &edit, const Sought &sought, const std::optional<FileText> &version)
{
    return standsIn(edit, sought, version) && (!version || !holdsAny(version->text, sought.change.gone));
}

/// Decides the state of an edit whose file is examined.
void decide(EditStanding &standing, const Edit &edit, const Sought &sought)
{
    const auto set = [&](EditState state, StandingReason reason) {
        standing.state = state;
        standing.reason = reason;
    };
    const bool cannotTell = !edit.after.isKnown() && sought.change.added.empty() && sought.change.removed.empty();
    if (standing.isInWorkingTree)
        return set(EditState::Landed, StandingReason::None);
    if (cannotTell)
        return set(EditState::Unknown, StandingReason::NotShown);
    if (sought.isUndone && sought.isEvident)
        return set(EditState::Reverted, StandingReason::None);
    if (sought.isUndone && sought.isFileThere)
        return set(EditState::NeverLanded, StandingReason::OldTextStands);
    if (sought.isEvident)
        return set(EditState::LandedAndChanged, StandingReason::None);
    if (sought.isFileThere)
        return set(EditState::Unknown, StandingReason::NotRecognised);
    set(EditState::NeverLanded, StandingReason::NoFile);
}

/// Maps paths to the trees of a repository.
class TreePaths final {
public:
    TreePaths(const Session &session, const std::filesystem::path &folder, const RepositoryHistory &history)
        : m_working(session.workingFolder)
        , m_isBare(history.isThere() && history.root().empty())
        , m_root(history.root())
    {
        std::error_code error;
        m_folder = std::filesystem::canonical(folder, error);
        if (!history.isThere())
            m_root = m_folder;
    }

    [[nodiscard]] bool isBare() const { return m_isBare; }
    [[nodiscard]] const std::filesystem::path &root() const { return m_root; }

    /// The path relative to the root; nullopt for files elsewhere. `isItself`: a link at the end of the path is not
    /// followed.
    [[nodiscard]] std::optional<std::string> of(const std::filesystem::path &path, bool isItself) const
    {
        if (path.empty() || path.string().starts_with('~') || path.string().contains('\0'))
            return std::nullopt;
        if (m_isBare)
            return path.is_absolute() ? std::nullopt : inTree(path.lexically_normal());
        if (auto found = inTree(real(m_folder / path, isItself).lexically_relative(m_root)))
            return found;
        if (!path.is_absolute() || !m_working.is_absolute())
            return std::nullopt;
        // Recorded elsewhere: resolve it relative to the folder as it was relative to the recorded one.
        return inTree(real(m_folder / path.lexically_relative(m_working), isItself).lexically_relative(m_root));
    }

private:
    [[nodiscard]] static std::optional<std::string> inTree(const std::filesystem::path &path)
    {
        const bool isThere = !path.empty() && path != "." && *path.begin() != "..";
        return isThere ? std::optional(path.string()) : std::nullopt;
    }
    [[nodiscard]] static std::filesystem::path real(const std::filesystem::path &path, bool isItself)
    {
        std::error_code error;
        const auto whole = path.lexically_normal();
        auto found = isItself ? std::filesystem::weakly_canonical(whole.parent_path(), error) / whole.filename()
                              : std::filesystem::weakly_canonical(whole, error);
        return error ? whole : found;
    }

    std::filesystem::path m_folder;
    std::filesystem::path m_working; ///< as recorded
    bool m_isBare;
    std::filesystem::path m_root;
};

class Standings final {
public:
    Standings(const Edits &edits, const std::filesystem::path &folder, const Progress *progress)
        : m_edits(edits)
        , m_history(folder)
        , m_paths(*edits.session, folder, m_history)
        , m_files(m_paths.root())
        , m_progress(progress)
        , m_standings(edits.edits.size())
        , m_sought(edits.edits.size())
    {
    }

    std::vector<EditStanding> find()
    {
        for (size_t i = 0; i < m_standings.size() && !isCancelled(); ++i)
            identify(i);
        const auto versions = m_history.versionsOf(m_places, m_progress);
        for (const FileVersion &version : versions | std::views::join)
            m_committed.insert(version.blob);
        for (size_t file = 0; file < m_places.size() && !isCancelled(); ++file) {
            findCommits(m_editsOf[file], versions[file]);
            compare(file);
        }
        for (size_t i = m_standings.size(); i-- > 0 && !isCancelled();)
            judge(i);
        return std::move(m_standings);
    }

private:
    [[nodiscard]] bool isCancelled() const { return m_progress != nullptr && m_progress->isCancelled(); }
    [[nodiscard]] std::optional<FileText> textOf(std::optional<std::string_view> bytes) const
    {
        if (!bytes)
            return std::nullopt;
        FileText file { withLineFeeds(*bytes), {} };
        file.id = m_history.blobOf(file.text);
        return file;
    }
    [[nodiscard]] std::optional<FileText> textOfBlob(const std::string &blob) const
    {
        return textOf(m_history.textOf(blob));
    }
    [[nodiscard]] std::string idOf(const FileBody &body) const
    {
        return body.isKnown() && !body.isAbsent ? m_history.blobOf(withLineFeeds(body.text.flat())) : std::string();
    }
    [[nodiscard]] std::optional<Timestamp> timeOf(const Edit &edit) const;

    void identify(size_t edit);
    void place(size_t edit);
    void findCommits(std::vector<size_t> edits, const std::vector<FileVersion> &versions);
    void take(size_t edit, const FileVersion &version);
    void compare(size_t file);
    void judge(size_t edit);
    [[nodiscard]] std::optional<size_t> nextOf(size_t edit) const;

    const Edits &m_edits;
    RepositoryHistory m_history;
    TreePaths m_paths;
    RepositoryTexts m_files;
    const Progress *m_progress;
    std::vector<EditStanding> m_standings;
    std::vector<Sought> m_sought; ///< by edit
    std::vector<std::string> m_places;
    std::vector<std::vector<size_t>> m_editsOf; ///< by file number
    std::map<std::string, size_t> m_numberOf;   ///< file number by path
    std::set<std::string> m_committed;          ///< blob ids, of all files
};

std::optional<Timestamp> Standings::timeOf(const Edit &edit) const
{
    const Session &session = *m_edits.session;
    const BlockId block = edit.use.isValid() ? edit.use : edit.result;
    const MessageId message = block.isValid() ? session.block(block).message : MessageId();
    return message.isValid() ? session.message(message).time : std::nullopt;
}

void Standings::identify(size_t edit)
{
    const Edit &each = m_edits.edits[edit];
    if (each.outcome != EditOutcome::Landed)
        return;
    Sought &sought = m_sought[edit];
    sought.change = stretchesOf(each);
    sought.beforeId = idOf(each.movedTo.empty() ? each.before : each.movedOver);
    sought.afterId = idOf(each.after);
    sought.time = timeOf(each);
    place(edit);
    if (!each.after.isKnown() || each.after.isAbsent)
        return;
    m_standings[edit].blob = m_history.blobOf(each.after.text.flat());
    m_standings[edit].isStored = m_history.holdsBlob(m_standings[edit].blob);
}

void Standings::place(size_t edit)
{
    const Edit &each = m_edits.edits[edit];
    const auto path = m_paths.of(each.movedTo.empty() ? each.path : each.movedTo, each.after.isAbsent);
    if (!path)
        return;
    const auto [number, isNew] = m_numberOf.try_emplace(*path, m_places.size());
    if (isNew) {
        m_places.push_back(*path);
        m_editsOf.emplace_back();
    }
    m_sought[edit].file = number->second;
    m_editsOf[number->second].push_back(edit);
}

void Standings::take(size_t edit, const FileVersion &version)
{
    EditStanding &standing = m_standings[edit];
    standing.commit = version.commit;
    standing.commitTime = version.time;
    standing.isCommitInHistory = version.isInHistory;
}

/// Finds for each edit of one file the first version that contains it. A version older than the edit can match only by
/// chance, unless it is equal to the last byte and no later version is.
void Standings::findCommits(std::vector<size_t> edits, const std::vector<FileVersion> &versions)
{
    std::map<size_t, const FileVersion *> older;
    size_t readCount = 0;
    for (const FileVersion &version : versions) {
        const auto isOlder
            = [&](size_t edit) { return m_sought[edit].time && version.time + kClockSlack < *m_sought[edit].time; };
        for (const size_t edit : edits) {
            if (isOlder(edit) && !version.blob.empty() && version.blob == m_standings[edit].blob)
                older.try_emplace(edit, &version);
        }
        if (std::ranges::all_of(edits, isOlder))
            continue;
        if (++readCount > kMostVersionsRead || isCancelled())
            break;
        const auto text = textOfBlob(version.blob);
        if (!text && !version.blob.empty())
            continue; // too large to read
        std::erase_if(edits, [&](size_t edit) {
            // Without a time it is unknown whether lines were removed by the edit or had not been added yet.
            const bool isTold = m_sought[edit].time || !m_sought[edit].change.added.empty()
                || (text && text->id == m_sought[edit].afterId);
            if (isOlder(edit) || !isTold || !tookIt(m_edits.edits[edit], m_sought[edit], text))
                return false;
            take(edit, version);
            return true;
        });
    }
    for (const size_t edit : edits) {
        if (const auto found = older.find(edit); found != older.end())
            take(edit, *found->second);
    }
}

/// Compares the edits of one file with the file in the working tree, in HEAD and in the index.
void Standings::compare(size_t file)
{
    const std::string &path = m_places[file];
    const auto now = m_paths.isBare() ? std::nullopt : textOf(m_files.fileAt(path));
    const auto head = textOfBlob(m_history.headBlob(path));
    const auto index = textOfBlob(m_history.indexBlob(path));
    for (const size_t edit : m_editsOf[file]) {
        const Edit &each = m_edits.edits[edit];
        Sought &sought = m_sought[edit];
        EditStanding &standing = m_standings[edit];
        standing.isInWorkingTree = !m_paths.isBare() && standsIn(each, sought, now);
        standing.isInHead = standsIn(each, sought, head);
        sought.isFileThere = now.has_value();
        sought.isUndone = isUndoneIn(each, sought, now);
        sought.isPartThere = now
            && (holdsAny(now->text, sought.change.added)
                || std::ranges::any_of(
                    sought.change.lines, [&](const std::string &line) { return now->text.contains(line); }));
        // A stored object that no commit has at another path, as two files may have equal content.
        const bool isKept = standing.isStored && !m_committed.contains(standing.blob) && tells(each.after.text.flat());
        const bool hasText = !sought.change.added.empty() || !sought.afterId.empty();
        sought.isEvident = isKept || !standing.commit.empty() || sought.isPartThere
            || (hasText && (standing.isInWorkingTree || (index && tookIt(each, sought, index))));
    }
}

std::optional<size_t> Standings::nextOf(size_t edit) const
{
    const Edit *next = m_edits.next(edit);
    return next == nullptr ? std::nullopt : std::optional(static_cast<size_t>(next - m_edits.edits.data()));
}

void Standings::judge(size_t edit)
{
    const Edit &each = m_edits.edits[edit];
    EditStanding &standing = m_standings[edit];
    if (each.outcome == EditOutcome::Failed || each.outcome == EditOutcome::Interrupted) {
        standing.state = EditState::NeverLanded;
        standing.reason = StandingReason::Failed;
    }
    if (each.outcome == EditOutcome::Untold)
        standing.reason = StandingReason::Untold;
    if (each.outcome != EditOutcome::Landed)
        return;
    Sought &sought = m_sought[edit];
    if (!sought.file || m_paths.isBare()) {
        standing.reason = m_paths.isBare() ? StandingReason::NoWorkingTree : StandingReason::Elsewhere;
        return;
    }
    // Text that a later edit of the file found was there.
    if (const auto next = nextOf(edit))
        sought.isEvident = sought.isEvident || m_sought[*next].isEvident;
    decide(standing, each, sought);
}

} // namespace

std::vector<EditStanding> editStandings(
    const Edits &edits, const std::filesystem::path &folder, const Progress *progress)
{
    return Standings(edits, folder, progress).find();
}

StandingGround standingGround(const std::filesystem::path &folder)
{
    if (folder.empty())
        return {};
    const RepositoryHistory history(folder);
    return { folder, history.root(), history.isThere() };
}

std::string limitOf(const StandingGround &ground)
{
    if (ground.folder.empty())
        return "No file was checked: the session's working folder is not on this machine, or none is recorded.";
    if (!ground.isRepository)
        return "The folder is not in a git repository: only files were checked, not the history.";
    return ground.isBare() ? "The repository is bare: it has no working tree, so only its history was checked."
                           : std::string();
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

std::string_view nameOf(StandingReason reason)
{
    switch (reason) {
    case StandingReason::None:
        return {};
    case StandingReason::Failed:
        return "failed";
    case StandingReason::Untold:
        return "outcome_not_told";
    case StandingReason::Elsewhere:
        return "not_in_working_tree";
    case StandingReason::NoWorkingTree:
        return "no_working_tree";
    case StandingReason::NotShown:
        return "text_not_logged";
    case StandingReason::NotRecognised:
        return "not_recognised";
    case StandingReason::OldTextStands:
        return "old_text_stands";
    case StandingReason::NoFile:
        return "no_file";
    }
    return {};
}

std::string_view sentenceOf(StandingReason reason)
{
    switch (reason) {
    case StandingReason::None:
        return {};
    case StandingReason::Failed:
        return "it failed or was stopped";
    case StandingReason::Untold:
        return "the log does not show whether it landed";
    case StandingReason::Elsewhere:
        return "the file is not in the working tree";
    case StandingReason::NoWorkingTree:
        return "the repository is bare, without a working tree";
    case StandingReason::NotShown:
        return "the log does not show its result";
    case StandingReason::NotRecognised:
        return "the file has neither the new nor the old lines of the edit";
    case StandingReason::OldTextStands:
        return "the file still has the old lines, and no commit, stash or object of git has the new ones";
    case StandingReason::NoFile:
        return "the file does not exist, and no commit, stash or object of git has its lines";
    }
    return {};
}

std::string stateText(const EditStanding &standing)
{
    std::string text(nameOf(standing.state));
    if (standing.reason != StandingReason::None)
        text.append(": ").append(sentenceOf(standing.reason));
    return text;
}

std::string standingText(const EditStanding &standing)
{
    constexpr size_t kHashDigits = 8;
    std::string text = stateText(standing);
    if (standing.isInWorkingTree)
        text += " · in the working tree";
    if (standing.isInHead)
        text += " · in HEAD";
    if (standing.isStored)
        text += " · blob " + standing.blob.substr(0, kHashDigits);
    if (standing.commit.empty())
        return text;
    const std::string commit = standing.commit.substr(0, kHashDigits);
    return text
        + (standing.isCommitInHistory ? " · since commit " + commit
                                      : " · in commit " + commit + ", outside HEAD's history");
}

} // namespace core
