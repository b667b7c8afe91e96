// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/continuation.h"

#include "core/base/counted.h"
#include "core/base/shell_word.h"
#include "core/json/json_probe.h"
#include "core/originals/restore.h"
#include "core/session/format_traits.h"
#include "core/writing/splice_draft.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace core {

namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 200; ///< of a folder that Claude Code names after another

fs::path storeOf(const fs::path &copy) { return copy.string() + ".originals.git"; }

/// The folder of all sessions of the harness.
fs::path sessionsFolder(const ResumeShape &shape, const Surroundings &surroundings)
{
    std::optional<std::string> own;
    if (!shape.variable.empty())
        own = surroundings.variable(shape.variable);
    const fs::path home = own && !own->empty() ? fs::path(*own) : surroundings.home / shape.home;
    return home / shape.sessions;
}

/// The folder of the old file, if it is a folder that the harness uses for sessions.
std::optional<fs::path> folderOfOld(const Session &session, const fs::path &sessions, const fs::path &ownFolder)
{
    std::error_code error;
    const fs::path root = fs::weakly_canonical(sessions, error);
    const fs::path old = fs::weakly_canonical(session.sources.front()->name(), error).parent_path();
    const fs::path below = old.lexically_relative(root);
    const auto depth = [](const fs::path &path) { return std::distance(path.begin(), path.end()); };
    if (error || below.empty() || *below.begin() == ".." || below == "." || depth(below) != depth(ownFolder))
        return std::nullopt;
    return sessions / below;
}

/// Whether the file is that of a subagent: its first message says so.
bool isOfSubagent(const Session &session)
{
    const Thread &thread = session.threads.front();
    BlockId first;
    thread.end.forEach([&](BlockId id) { first = first.isValid() ? first : id; });
    if (thread.kind == ThreadKind::Subagent || !first.isValid())
        return thread.kind == ThreadKind::Subagent;
    return JsonMembers(session.record(session.block(first))).isTrue("isSidechain");
}

/// The command, and what stands in its way.
void addCommand(Continued &made, const std::string &folder, const ResumeShape &shape)
{
    std::error_code error;
    const bool isThere = fs::is_directory(folder, error);
    if (!isThere && !folder.empty())
        made.notes.push_back("The folder of the session, " + folder + ", is not on this computer. " + made.harness
            + (shape.isByProject ? " finds the session only if you start " + made.harness + " in that folder."
                                 : " perhaps cannot resume the session without this folder."));
    if (folder.empty())
        made.notes.push_back(
            "The session does not name its folder. Start " + made.harness + " in the folder of the project.");
    made.command = std::string(shape.command) + " " + shellWord(shape.takesPath ? made.file.string() : made.id);
    if (!shape.next.empty())
        made.command += " && " + std::string(shape.next) + " " + shellWord(made.id);
    if (shape.isTakenIn && !folder.empty())
        made.command.insert(0, "cd " + shellWord(folder) + " && ");
    if (!shape.isByProject)
        return;
    const fs::path below = fs::path(shape.folder({ made.id, folder, 0 }));
    const std::string project = below.begin()->string();
    const bool isOfProject
        = std::ranges::any_of(made.file.parent_path(), [&](const fs::path &part) { return part == project; });
    if (isOfProject)
        made.command.insert(0, "cd " + shellWord(folder) + " && ");
    else
        made.notes.push_back("The session names one project, but the new file is in the folder of another one. Start "
            + made.harness + " in that other project; from any other folder " + made.harness
            + " does not find the session.");
}

/// What became of the messages that the user typed. Empty if all of them are there.
std::string typedNote(const Compaction &compaction)
{
    size_t typed = 0;
    for (const BlockId id : compaction.before.blocks())
        typed += compaction.before.block(id).is(BlockFlag::Typed) ? 1 : 0;
    std::set<BlockId> gone;
    bool hasNote = false;
    for (const Rewrite &each : compaction.rewrites) {
        hasNote = hasNote || each.fate == Fate::Added;
        const bool isRemoval = each.fate == Fate::Summarised || each.fate == Fate::Dropped;
        if (isRemoval && each.block.isValid() && compaction.before.block(each.block).is(BlockFlag::Typed))
            gone.insert(each.block);
    }
    if (gone.empty())
        return {};
    const bool isOne = gone.size() == 1;
    return (typed == 1 ? "The text" : groupedNumber(gone.size()) + " of the " + counted(typed, "text"))
        + " that you typed " + (isOne ? "is" : "are") + " not in the new session."
        + (hasNote ? std::string(" A note that Palimpsest wrote by rules, without a model, stands in ")
                    + (isOne ? "its" : "their") + " place."
                   : "");
}

/// A copy is as private as the session file; the harness appends to it. Its store is always private.
fs::perms permissionsOfCopy(const Session &session)
{
    constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;
    std::error_code error;
    const fs::file_status old = fs::status(session.sources.front()->name(), error);
    return error || old.type() != fs::file_type::regular
        ? fs::perms::unknown
        : fs::perms::owner_read | fs::perms::owner_write | (old.permissions() & kOthers);
}

} // namespace

Surroundings Surroundings::ofProcess()
{
    Surroundings own;
    own.variable = [](std::string_view name) -> std::optional<std::string> {
        const char *value = std::getenv(std::string(name).c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
    own.home = own.variable("HOME").value_or("");
    return own;
}

std::string whyNotContinued(const Session &session, Position position)
{
    const ResumeShape &shape = session.traits->resume;
    if (shape.file == nullptr || (session.traits->splice.message == nullptr && !shape.isTakenIn))
        return "Palimpsest cannot continue this session: it cannot write a file of the format " + session.format
            + " that a harness would resume.";
    const std::string harness(shape.harness);
    const bool isMain = shape.isTakenIn // a database has several sessions
        ? session.thread(position.thread).kind != ThreadKind::Subagent
        : position.thread == ThreadIndex(0U) && !isOfSubagent(session);
    if (!isMain)
        return harness + " resumes main threads only, not those of subagents.";
    if (session.workingFolder.empty() && shape.isByProject)
        return "The session does not name its working folder, so " + harness + " would not find the new session.";
    return {};
}

Result<Continued> continueSession(const Compaction &compaction, const ContinueOptions &options)
{
    const Session &session = *compaction.before.session();
    const ResumeShape &shape = session.traits->resume;
    const std::string &old = session.sources.front()->name();
    if (const std::string why = whyNotContinued(session, options.position); !why.empty())
        return failure(ErrorKind::UnknownFormat, why, old);
    if (options.surroundings.home.empty())
        return failure(ErrorKind::NotWritable, "There is no home folder: HOME is not set.", old);
    const bool isOneDocument = shape.file({}).ends_with(".json");
    if (isOneDocument && !JsonMembers(session.sources.front()->bytes()).isWhole())
        return failure(ErrorKind::NotWritable,
            "The file ends in the middle of a value, so " + std::string(shape.harness)
                + " would not read a copy of it.",
            old);
    const fs::path sessions = sessionsFolder(shape, options.surroundings);
    const std::string seed = contentHash(session.sources.front()->bytes());
    const std::string how = (compaction.policy ? compaction.policy->id : std::string()) + " "
        + (options.position.isEnd() ? "end" : std::to_string(options.position.call.value()))
        + (options.position.thread == ThreadIndex(0U) ? "" : " " + std::to_string(options.position.thread.value()));
    const std::string workingFolder
        = shape.folderOf == nullptr ? session.workingFolder : shape.folderOf(session, options.position.thread);
    Continued made;
    made.harness = shape.harness;
    std::error_code error;
    for (size_t number = 0; made.id.empty() || fs::exists(made.file, error) || fs::exists(storeOf(made.file), error);
        ++number) {
        NewSession named { newId(seed, how, number), workingFolder, options.time };
        if (shape.asId != nullptr)
            named.id = shape.asId(named.id);
        const fs::path own = shape.folder(named);
        const auto beside = folderOfOld(session, sessions, own);
        if (!beside && own.begin()->string().size() > kLongestName)
            return failure(ErrorKind::NotWritable,
                "The path of the working folder is so long that " + made.harness
                    + " shortens it, in a way that Palimpsest does not know. So Palimpsest cannot name the folder of "
                      "the new file. Use `compact -o` and move the file yourself.",
                old);
        made.id = named.id;
        made.file = beside.value_or(sessions / own) / shape.file(named);
    }
    fs::create_directories(made.file.parent_path(), error);
    ExportOptions target;
    target.position = options.position;
    target.file = made.file;
    target.store = storeOf(made.file);
    target.seconds = options.time / 1000;
    target.folder = options.folder;
    if (shape.isTakenIn)
        target.takenIn = NewSession { made.id, workingFolder, options.time };
    else
        target.sessionId = made.id;
    target.permissions = permissionsOfCopy(session);
    auto exported = exportCompaction(compaction, target);
    if (!exported)
        return std::unexpected(exported.error());
    made.notes = exported->notes;
    if (std::string note = typedNote(compaction); !note.empty())
        made.notes.push_back(std::move(note));
    made.exported = std::move(*exported);
    addCommand(made, workingFolder, shape);
    return made;
}

Result<void> removeContinued(const fs::path &copy)
{
    const fs::path place = storeOf(copy);
    const auto keep = [&](const std::string &why) {
        return failure(ErrorKind::NotWritable, why + " Nothing was removed.", copy.string());
    };
    std::error_code error;
    if (fs::is_symlink(copy, error) || fs::is_symlink(place, error))
        return keep("The path is a link.");
    std::string bytes;
    {
        const auto source = Source::open(copy.string());
        if (!source)
            return std::unexpected(source.error());
        bytes = (*source)->bytes();
    }
    const auto store = Store::open(place);
    if (!store)
        return keep(
            "Palimpsest did not write this file as a continued session: there is no store of originals beside it.");
    const auto commits = store->commits();
    if (!commits)
        return std::unexpected(commits.error());
    if (commits->size() != 1)
        return keep("The store beside it holds more than the originals of this file.");
    const auto ledger = store->ledger(commits->front());
    if (!ledger)
        return std::unexpected(ledger.error());
    if (!ledger->exported || ledger->exported->file != copy.filename().string())
        return keep("The store beside it is that of another file.");
    if (ledger->exported->bytes != bytes.size() || ledger->exported->hash != contentHash(bytes))
        return keep(bytes.size() > ledger->exported->bytes ? "The session has grown since Palimpsest wrote it."
                                                           : "The session has changed since Palimpsest wrote it.");
    if (!fs::remove(copy, error) || error)
        return failure(
            ErrorKind::NotWritable, "The file could not be removed: " + error.message() + ".", copy.string());
    fs::remove_all(place, error);
    if (error)
        return failure(
            ErrorKind::NotWritable, "The store could not be removed: " + error.message() + ".", place.string());
    return {};
}

} // namespace core
