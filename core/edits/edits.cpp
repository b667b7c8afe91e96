// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edits.h"

#include "core/edits/apply_view.h"
#include "core/edits/hunk_fit.h"
#include "core/edits/named_files.h"
#include "core/edits/recorded_change.h"
#include "core/edits/shell_script.h"
#include "core/edits/tool_events.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace core {

namespace {

/// Names of git's stash in changes.
constexpr std::string_view kPutAside = "git stash";
constexpr std::string_view kBringBack = "git stash "; // pop, apply

EditOrigin originOf(ChangeMaker maker)
{
    return maker == ChangeMaker::Tool ? EditOrigin::Tool
        : maker == ChangeMaker::Shell ? EditOrigin::Shell
                                      : EditOrigin::ShellPatch;
}

/// The home folder above a working folder, if the path shows it: `/home/ada` for `/home/ada/work`.
std::string homeAbove(const std::string &folder)
{
    for (const std::string_view homes : { "/Users/", "/home/" }) {
        if (folder.starts_with(homes) && folder.size() > homes.size())
            return folder.substr(0, folder.find('/', homes.size()));
    }
    return folder == "/root" || folder.starts_with("/root/") ? "/root" : "";
}

/// Replays the tool calls of a session on the known text of its files.
class EditFinder final {
public:
    EditFinder(const SessionPtr &session, Progress *progress)
        : m_session(*session)
        , m_progress(progress)
        , m_home(homeAbove(session->workingFolder))
        , m_records(*session)
    {
        m_edits.session = session;
    }

    std::optional<Edits> find()
    {
        layOutCalls();
        const std::vector<ToolEvent> events = toolEvents(m_session);
        for (size_t i = 0; i < events.size(); ++i) {
            if (m_progress != nullptr && m_progress->isCancelled())
                return std::nullopt;
            if (m_progress != nullptr)
                m_progress->setFraction(static_cast<double>(i) / static_cast<double>(events.size()));
            if (i > 0 && isRun(events[i]) && events[i].thread != events[i - 1].thread)
                m_files.clear();
            look(events[i]);
        }
        return std::move(m_edits);
    }

private:
    /// The known body of a file, and its history.
    struct File {
        FileBody body;
        BlockId last;                     ///< the last block that showed or changed it
        std::optional<size_t> unseen {};  ///< the edit that made it unknown, until a complete view follows
        bool isEdited = false;            ///< by the agent
        std::optional<size_t> outside {}; ///< the change outside of the log that a partial view has revealed
        std::optional<FileBody> aside {}; ///< the body that `git stash` put aside, until the file is changed
    };

    [[nodiscard]] bool isRun(const ToolEvent &event) const
    {
        return m_session.thread(event.thread).kind == ThreadKind::Run;
    }
    void layOutCalls();
    void look(const ToolEvent &event);
    void heedStash(const ToolEvent &event, std::vector<AskedChange> &changes);
    void view(const ToolEvent &event, const std::optional<FileView> &seen);
    void change(const ToolEvent &event, const AskedChange &asked);
    /// `written` is the path as the call wrote it, which records use.
    void changeFile(const ToolEvent &event, const AskedChange &asked, const std::string &written, bool isUncertain);
    void move(Edit &edit);
    /// Sets the known body as the body after the edit that had made the file unknown.
    void fillIn(File &file);
    [[nodiscard]] std::vector<std::string> knownPaths() const;
    [[nodiscard]] Applied applied(const FileBody &body, const AskedChange &asked, BlockId by);
    void land(Edit &edit, const AskedChange &asked, const std::optional<RecordedChange> &record, const Block &result);
    void adopt(Edit &edit, const RecordedChange &record, File &file);
    void adoptLines(Edit &edit, const RecordedHunk &hunk, File &file);
    void check(Edit &edit, const RecordedChange &record) const;
    void addOutside(const ToolEvent &event, const std::string &path, const File &file, FileBody after,
        std::optional<LineCounts> counts = std::nullopt);
    [[nodiscard]] std::string pathOf(const std::string &written) const
    {
        std::string path = std::filesystem::path(written).lexically_normal().string();
        if (path.starts_with("~/") && !m_home.empty())
            path.replace(0, 1, m_home);
        if (path.size() > 1 && path.ends_with('/'))
            path.pop_back();
        return path == m_session.workingFolder ? "." : std::string(m_session.pathInFolder(path));
    }

    const Session &m_session;
    Progress *m_progress;
    std::string m_home; ///< the meaning of `~`; empty if unknown
    RecordedChanges m_records;
    Edits m_edits;
    std::map<std::string, File> m_files;
    bool m_hasAside = false;         ///< some file has a stashed body
    bool m_movesHead = false;        ///< the current script changes the commit that the stash is applied to
    std::vector<CallIndex> m_callOf; ///< by block: the call that wrote it
};

void EditFinder::layOutCalls()
{
    m_callOf.resize(m_session.blocks.size());
    for (const Thread &thread : m_session.threads) {
        for (size_t call = 0; call < thread.calls.size(); ++call) {
            const BlockRange output = thread.calls[call].output;
            for (uint32_t i = output.begin; i < output.end; ++i)
                m_callOf[i] = CallIndex(call);
        }
    }
}

void EditFinder::look(const ToolEvent &event)
{
    std::vector<AskedChange> changes = changesOf(m_session, m_session.block(event.call));
    heedStash(event, changes);
    for (const AskedChange &asked : changes)
        change(event, asked);
    if (!event.result.isValid())
        return;
    const Block &result = m_session.block(event.result);
    if (changes.empty())
        view(event, fileViewOf(m_session, m_session.block(event.call), result));
    else if (changes.size() == 1 && changes.front().maker == ChangeMaker::Tool && !result.is(BlockFlag::Error))
        if (auto around = snippetOf(m_session, result)) {
            around->path = changes.front().change.path;
            view(event, around);
        }
}

/// Whether a script may change the commit that a stash is applied to.
bool movesHead(const std::string &script)
{
    constexpr std::string_view kMovers
        = " am checkout cherry-pick commit merge pull rebase reset restore revert switch ";
    return std::ranges::any_of(parseShell(script), [&](const ShellCommand &command) {
        return nameOf(command) == "git" && std::ranges::any_of(command.words, [&](const ShellWord &word) {
            return kMovers.contains(" " + word.text + " ");
        });
    });
}

/// Handles `git stash`. A script that puts changes aside and brings them back changes nothing. Stashed bodies are
/// forgotten if they may come back differently.
void EditFinder::heedStash(const ToolEvent &event, std::vector<AskedChange> &changes)
{
    const auto isPush = [](const AskedChange &asked) { return asked.change.command == kPutAside; };
    const auto pushed = std::ranges::find_if(changes, isPush);
    m_movesHead = false;
    if (!m_hasAside && pushed == changes.end())
        return;
    const auto script = ToolArguments(m_session, m_session.block(event.call)).script();
    m_movesHead = script && movesHead(*script);
    if (m_movesHead) {
        for (auto &[path, file] : m_files)
            file.aside.reset();
        m_hasAside = false;
        return;
    }
    const bool hasFailed = !event.result.isValid() || m_session.block(event.result).is(BlockFlag::Error);
    if (pushed == changes.end() || hasFailed)
        return;
    const auto popped = std::next(pushed);
    if (popped != changes.end() && popped->change.command.starts_with(kBringBack)
        && popped->change.path == pushed->change.path && pushed->certainty != RunCertainty::Perhaps
        && popped->certainty != RunCertainty::Perhaps)
        changes.erase(pushed, std::next(popped));
}

/// The effect of a view on a body. If lines above it were added or removed, the text behind it moves along.
Viewed viewedIn(const FileBody &body, const FileView &seen, BlockId by)
{
    constexpr auto kTelling = 3; // lines; fewer may occur anywhere
    Viewed viewed = applyView(body, seen, by);
    if (!viewed.contradicts || seen.isWhole() || std::ranges::count(seen.text, '\n') < kTelling)
        return viewed;
    auto moved = applyMove(body, seen);
    if (!moved)
        return viewed;
    moved->after = applyView(moved->after, seen, by).after;
    return std::move(*moved);
}

void EditFinder::view(const ToolEvent &event, const std::optional<FileView> &seen)
{
    if (!seen)
        return;
    const std::string path = pathOf(seen->path);
    File &file = m_files[path];
    Viewed viewed = viewedIn(file.body, *seen, event.result);
    if (viewed.contradicts) {
        file.outside.reset();
        file.aside.reset();
        // If all viewed lines were known, the change is elsewhere in the file.
        if (viewed.showsChange) {
            if (file.body.isKnown() && !viewed.after.isKnown())
                file.outside = m_edits.edits.size();
            addOutside(event, path, file, viewed.after, viewed.counts);
        }
        file.unseen.reset();
    }
    file.body = std::move(viewed.after);
    file.last = event.result;
    fillIn(file);
}

void count(Edit &edit, Gaps gaps = Gaps::Any)
{
    const LineCounts lines = changedLines(edit.before, edit.after, gaps);
    edit.added = lines.added;
    edit.removed = lines.removed;
    edit.isCountKnown = lines.isExact;
}

/// Counts the lines that the hunks of a landed patch change, whatever the rest of the file is.
void countHunks(Edit &edit, const std::vector<PatchHunk> &hunks)
{
    const auto bodyOf = [&](const std::vector<std::string> &lines) {
        std::string text;
        for (const std::string &line : lines)
            text += line + "\n";
        return FileBody { KnownText::of(std::move(text), edit.use), false };
    };
    edit.added = edit.removed = 0;
    for (const PatchHunk &hunk : hunks) {
        const LineCounts lines = changedLines(bodyOf(hunk.before), bodyOf(hunk.after));
        edit.added += lines.added;
        edit.removed += lines.removed;
    }
    edit.isCountKnown = true;
}

void EditFinder::fillIn(File &file)
{
    if (file.outside && file.body.isKnown()) {
        Edit &edit = m_edits.edits[*std::exchange(file.outside, std::nullopt)];
        edit.after = file.body;
        count(edit);
    }
    if (!file.unseen || !file.body.isKnown())
        return;
    Edit &edit = m_edits.edits[*std::exchange(file.unseen, std::nullopt)];
    edit.after = file.body;
    if (edit.kind == ChangeKind::Move)
        edit.before = file.body;
    edit.isAfterSeen = true;
    count(edit);
}

void EditFinder::addOutside(
    const ToolEvent &event, const std::string &path, const File &file, FileBody after, std::optional<LineCounts> counts)
{
    Edit edit;
    edit.origin = EditOrigin::Outside;
    edit.thread = event.thread;
    edit.use = file.last;
    edit.result = event.result;
    edit.path = path;
    edit.before = file.body;
    edit.after = std::move(after);
    const LineCounts lines = counts ? *counts : changedLines(edit.before, edit.after);
    edit.added = lines.added;
    edit.removed = lines.removed;
    edit.isCountKnown = lines.isExact;
    m_edits.edits.push_back(std::move(edit));
}

std::vector<std::string> EditFinder::knownPaths() const
{
    std::vector<std::string> paths;
    for (const auto &[path, file] : m_files) {
        if (!file.body.isAbsent)
            paths.push_back(path);
    }
    return paths;
}

void EditFinder::change(const ToolEvent &event, const AskedChange &asked)
{
    AskedChange each = asked;
    each.change.path = pathOf(asked.change.path);
    for (std::string *path : { &each.change.movedTo, &each.change.from }) {
        if (!path->empty())
            *path = pathOf(*path);
    }
    if (asked.maker != ChangeMaker::Shell)
        return changeFile(event, each, asked.change.path, false);
    for (NamedChange &named : namedChanges(each.change, knownPaths())) {
        each.change = std::move(named.change);
        changeFile(event, each, asked.change.path, named.isUncertain);
    }
}

void EditFinder::changeFile(
    const ToolEvent &event, const AskedChange &asked, const std::string &written, bool isUncertain)
{
    const Block *result = event.result.isValid() ? &m_session.block(event.result) : nullptr;
    Edit edit;
    edit.origin = originOf(asked.maker);
    edit.kind = asked.change.kind;
    edit.outcome = outcomeOf(m_session, asked, result);
    if (edit.outcome == EditOutcome::Landed && m_records.tellsFailure(*result))
        edit.outcome = EditOutcome::Failed;
    const bool isDone = edit.outcome == EditOutcome::Landed;
    if (isUncertain && isDone)
        edit.outcome = EditOutcome::Untold;
    edit.thread = event.thread;
    edit.call = m_callOf[event.call.index()];
    edit.use = event.call;
    edit.result = event.result;
    edit.path = asked.change.path;
    edit.movedTo = asked.change.movedTo;
    edit.copiedFrom = asked.change.from;
    edit.command = asked.change.command;
    File &file = m_files[edit.path];
    // A stashed body comes back unchanged, unless the file was changed since.
    std::optional<FileBody> aside;
    if (isDone && !m_movesHead && edit.command == kPutAside)
        aside = file.body;
    const std::optional<FileBody> restored
        = isDone && edit.command.starts_with(kBringBack) ? std::exchange(file.aside, std::nullopt) : std::nullopt;
    if (isUncertain && !file.isEdited) { // not an edit unless there is evidence of a change
        if (edit.outcome == EditOutcome::Untold)
            file = { restored.value_or(FileBody()), edit.use, {}, false, {}, std::move(aside) };
        m_hasAside = m_hasAside || file.aside;
        return;
    }
    file.isEdited = true;
    if (edit.outcome == EditOutcome::Landed) {
        land(edit, asked, m_records.find(*result, written), *result);
    } else {
        edit.before = file.body;
        const bool isUntold = edit.outcome == EditOutcome::Untold;
        edit.after = isUntold ? restored.value_or(FileBody()) : file.body;
        edit.isCountKnown = !isUntold;
        edit.basis = applyChange(file.body, asked.change, edit.use).basis;
        if (restored)
            count(edit);
        if (isUntold)
            file = { edit.after, file.last, {}, true, {}, {} };
        if (isUntold && !restored)
            file.unseen = m_edits.edits.size();
    }
    if (aside) {
        file.aside = std::move(aside);
        m_hasAside = true;
    }
    m_edits.edits.push_back(std::move(edit));
}

/// Whether the result of a write tool says that the file was created.
bool saysCreated(const Session &session, const Block &result)
{
    constexpr size_t kHead = 60;
    const std::string head = session.textHead(result.body, kHead);
    return std::string_view(head).substr(0, kHead).contains("created");
}

/// The new text as inserted by JavaScript's `replace`, which early versions of pi use: `$$` is a dollar sign, `$&` the
/// old text.
std::string putInByJavaScript(const Replacement &each)
{
    std::string text;
    for (size_t i = 0; i < each.after.size(); ++i) {
        const std::string_view pair = std::string_view(each.after).substr(i, 2);
        const bool isPattern = pair == "$$" || pair == "$&";
        if (pair == "$&")
            text += each.before;
        else
            text += each.after[i];
        i += isPattern ? 1 : 0;
    }
    return text;
}

bool differs(const RecordedChange &record, const Applied &applied)
{
    return hunksFit(record.hunks, applied.before.text, applied.after.text) == false;
}

/// Applies a change to a file. If the result differs from the record, applies it like JavaScript's `replace` if that
/// matches.
Applied applyRecorded(const FileBody &file, FileChange change, const RecordedChange &record, BlockId by)
{
    Applied applied = applyChange(file, change, by);
    if (change.replacements.empty() || !differs(record, applied))
        return applied;
    for (Replacement &each : change.replacements)
        each.after = putInByJavaScript(each);
    Applied put = applyChange(file, change, by);
    return differs(record, put) ? applied : put;
}

/// A copy takes the body of another file; other changes apply to the file's own body.
Applied EditFinder::applied(const FileBody &body, const AskedChange &asked, BlockId by)
{
    if (asked.change.kind != ChangeKind::Copy)
        return applyChange(body, asked.change, by);
    Applied copied;
    copied.before = body;
    copied.gaps = Gaps::Any;
    const auto from = m_files.find(asked.change.from);
    if (from != m_files.end() && !from->second.body.isAbsent)
        copied.after = from->second.body;
    return copied;
}

void EditFinder::land(
    Edit &edit, const AskedChange &asked, const std::optional<RecordedChange> &record, const Block &result)
{
    File &file = m_files[edit.path];
    const bool makesFile = asked.change.kind == ChangeKind::Write && !file.body.isKnown()
        && file.body.text.knownBytes() == 0 && (asked.change.isNewFile || saysCreated(m_session, result));
    if (makesFile)
        file.body = FileBody::absent();
    if (record)
        adopt(edit, *record, file);
    Applied applied = record ? applyRecorded(file.body, asked.change, *record, edit.use)
                             : this->applied(file.body, asked, edit.use);
    if (applied.contradicts)
        addOutside({ edit.use, edit.result, edit.thread, 0 }, edit.path, file, applied.before, applied.counts);
    edit.before = std::move(applied.before);
    edit.after = std::move(applied.after);
    edit.basis = std::move(applied.basis);
    if (record)
        check(edit, *record);
    const bool isUntold = edit.kind == ChangeKind::Rewrite; // the arguments do not show it: a notebook's cell
    if (record && record->after && (isUntold || edit.agreement == Agreement::Differs))
        edit.after.text = KnownText::of(*record->after, edit.use);
    edit.isFromRecord = edit.isFromRecord || (record && record->after && isUntold);
    count(edit, applied.gaps);
    if (!edit.isCountKnown && asked.change.kind == ChangeKind::Patch)
        countHunks(edit, asked.change.hunks);
    file = { edit.after, edit.use, std::nullopt, true };
    const bool isToldLater
        = edit.kind == ChangeKind::Rewrite || edit.kind == ChangeKind::Move || edit.kind == ChangeKind::Copy;
    if (isToldLater && !edit.after.isKnown())
        file.unseen = m_edits.edits.size();
    if (!edit.movedTo.empty())
        move(edit);
}

/// If nothing is known about a file at the target, there was none.
void EditFinder::move(Edit &edit)
{
    const auto target = m_files.find(edit.movedTo);
    if (target != m_files.end())
        edit.movedOver = target->second.body;
    m_files[edit.movedTo] = std::exchange(m_files[edit.path], { FileBody::absent(), edit.use, std::nullopt, true });
}

/// Compares the known body with the recorded text before the change, and continues from the record.
void EditFinder::adopt(Edit &edit, const RecordedChange &record, File &file)
{
    if (record.isNewFile && !record.original && file.body.text.knownBytes() == 0)
        file.body = FileBody::absent();
    if (!record.original) {
        for (const RecordedHunk &hunk : record.hunks)
            adoptLines(edit, hunk, file);
        return;
    }
    if (file.body.isKnown() && file.body.text.flat() == *record.original)
        return;
    FileBody recorded { KnownText::of(*record.original, {}), false };
    edit.isFromRecord = true;
    if (file.body.isAbsent || !file.body.text.fits(*record.original)) {
        edit.agreement = Agreement::Differs;
        addOutside({ edit.use, edit.result, edit.thread, 0 }, edit.path, file, recorded);
        file.unseen.reset();
        file.outside.reset();
    }
    file.body = std::move(recorded);
    fillIn(file);
}

/// The old side of a hunk, as unchanged lines.
RecordedHunk foundBy(const RecordedHunk &hunk)
{
    RecordedHunk found { hunk.beforeLine, hunk.beforeLine, {} };
    for (const std::string &line : hunk.lines) {
        if (line.starts_with(' ') || line.starts_with('-'))
            found.lines.push_back(' ' + line.substr(1));
    }
    return found;
}

FileView viewOf(const RecordedHunk &hunk)
{
    FileView view;
    view.firstLine = hunk.beforeLine > 0 ? hunk.beforeLine - 1 : 0;
    for (const std::string &line : hunk.lines)
        view.text += line.substr(1) + "\n";
    return view;
}

/// Compares the known body with the recorded lines before the change, and continues from them.
void EditFinder::adoptLines(Edit &edit, const RecordedHunk &hunk, File &file)
{
    const RecordedHunk found = foundBy(hunk);
    if (hunksFit({ found }, file.body.text, file.body.text) != false)
        return;
    edit.isFromRecord = true;
    edit.agreement = Agreement::Differs;
    const FileView view = viewOf(found);
    Viewed viewed = applyMove(file.body, view).value_or(applyView(file.body, view, {}));
    addOutside({ edit.use, edit.result, edit.thread, 0 }, edit.path, file, viewed.after, viewed.counts);
    file.unseen.reset();
    file.outside.reset();
    file.body = std::move(viewed.after);
}

/// Compares the bodies with the recorded change.
void EditFinder::check(Edit &edit, const RecordedChange &record) const
{
    if (edit.agreement == Agreement::Differs)
        return;
    if (record.original)
        edit.agreement = Agreement::Agrees;
    const auto compare = [&](std::optional<bool> agrees) {
        if (agrees && edit.agreement != Agreement::Differs)
            edit.agreement = *agrees ? Agreement::Agrees : Agreement::Differs;
    };
    compare(hunksFit(record.hunks, edit.before.text, edit.after.text));
    if (record.after)
        compare(edit.after.text.fits(*record.after));
}

} // namespace

const Edit *Edits::previous(size_t edit) const
{
    for (size_t i = edit; i-- > 0;) {
        const bool hasLanded = edits[i].outcome == EditOutcome::Landed;
        if (hasLanded && (edits[i].movedTo.empty() ? edits[i].path : edits[i].movedTo) == edits[edit].path)
            return &edits[i];
    }
    return nullptr;
}

const Edit *Edits::next(size_t edit) const
{
    const std::string &path = edits[edit].movedTo.empty() ? edits[edit].path : edits[edit].movedTo;
    for (size_t i = edit + 1; i < edits.size(); ++i) {
        if (edits[i].outcome == EditOutcome::Landed && edits[i].path == path)
            return &edits[i];
    }
    return nullptr;
}

std::optional<Edits> findEdits(const SessionPtr &session, Progress *progress)
{
    return EditFinder(session, progress).find();
}

std::vector<FileChange> askedChanges(const Session &session, const Edit &edit)
{
    std::vector<FileChange> changes;
    for (AskedChange &asked : changesOf(session, session.block(edit.use))) {
        if (session.pathInFolder(asked.change.path) == edit.path || edit.path.ends_with(asked.change.path))
            changes.push_back(std::move(asked.change));
    }
    return changes;
}

} // namespace core
