// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/originals/writing_trial.h"

#include "core/json/json.h"
#include "core/originals/restore.h"
#include "tests/file_bytes.h"
#include "tests/session_testing.h"

#include <fstream>

using namespace core;

namespace testing {

namespace {

namespace fs = std::filesystem;

const std::string kSession = "home/.claude/projects/-w/one.jsonl";

void write(const fs::path &path, const std::string &bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

fs::path played(const char *name) { return fs::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/played" / name; }

void makeHome(const fs::path &folder)
{
    write(
        folder / kSession, testing::bytesOf(samplePath(QStringLiteral("messages-21.claude-code.jsonl")).toStdString()));
    fs::permissions(folder / kSession, fs::perms::owner_read | fs::perms::owner_write);
    write(folder / "home/.claude/projects/-w/two.jsonl", testing::bytesOf(played("claude-code.jsonl")));
    write(folder / "home/.codex/sessions/2026/01/01/rollout-three.jsonl", testing::bytesOf(played("codex.jsonl")));
}

/// Lets a session grow, adds one and takes one away.
void changeHome(const fs::path &folder)
{
    const std::string bytes = testing::bytesOf(played("claude-code.jsonl"));
    const std::string last = bytes.substr(bytes.rfind('\n', bytes.size() - 2) + 1);
    write(folder / "home/.claude/projects/-w/two.jsonl", bytes + last);
    write(folder / "home/.pi/agent/sessions/--w--/four.jsonl", testing::bytesOf(played("pi.jsonl")));
    fs::remove(folder / "home/.codex/sessions/2026/01/01/rollout-three.jsonl");
}

Words operator+(Words words, const Words &more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Each original must be what its id says.
std::string problemOfStore(const fs::path &path, size_t fewest)
{
    const auto store = Store::open(path);
    const auto commits = store ? store->commits() : std::unexpected(store.error());
    if (!commits)
        return commits.error().sentence();
    if (commits->size() < fewest)
        return "An earlier compaction is gone from the store.";
    for (const CommitInfo &commit : *commits) {
        const auto ledger = store->ledger(commit);
        if (!ledger)
            return ledger.error().sentence();
        for (const LedgerOriginal &original : ledger->originals) {
            const auto bytes = store->read(commit, original.name);
            if (!bytes)
                return bytes.error().sentence();
            if (objectIdOf(*bytes) != original.oid || bytes->size() != original.bytes)
                return original.name + " is not what was stored.";
        }
    }
    return {};
}

bool isPrivate(const fs::path &path)
{
    return (fs::status(path).permissions() & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none;
}

} // namespace

const std::vector<WritingJob> &writingJobs()
{
    const std::string session = "@" + kSession;
    const Words policy { "--policy", "langchain-clear-tool-uses", "--as-if-fired" };
    const Words compact = Words { "compact", session } + policy;
    const Words earlier { "compact", session, "--policy", "langchain-clear-tool-uses", "--as-if-fired", "--store",
        "@old.git", "-o", "@earlier.jsonl" };
    const Words back { "restore", "@old.git", "--session", "@earlier.jsonl", "-o" };
    static const std::vector<WritingJob> kAll {
        { "an export and a new store", {}, compact + Words { "-o", "@new.jsonl" },
            compact + Words { "-o", "@newer.jsonl", "--store", "@new.jsonl.originals.git" } },
        { "an export into a store of another", { earlier },
            compact + Words { "-o", "@new.jsonl", "--store", "@old.git" },
            compact + Words { "-o", "@newer.jsonl", "--store", "@old.git" } },
        { "a continued session", {}, Words { "continue", session } + policy, {} },
        { "the first index", {}, { "list", "--json" }, {} },
        { "an index of changed files", { { "search", "the" } }, { "list", "--findings", "--json" }, {} },
        { "an index of words", {}, { "search", "the", "--json" }, {} },
        { "a restored session", { earlier }, back + Words { "@back.jsonl" }, back + Words { "@again.jsonl" } },
        { "restored originals", { earlier }, { "restore", "@old.git", "#2-0", "#4-0", "splice-0", "-o", "@back" }, {} },
        { "a report", {}, { "report", session, "-o", "@report.html" }, { "report", session, "-o", "@again.html" } },
        { "a guarded transcript", {}, { "guard", session, "--folder", "@guard" }, {} },
    };
    return kAll;
}

WritingTrial::WritingTrial(const WritingJob &job, fs::path folder)
    : m_job(job)
    , m_folder(folder / "place")
    , m_kept(folder / "kept")
    , m_program(m_folder,
          { { "HOME", (m_folder / "home").string() }, { "XDG_CACHE_HOME", (m_folder / "cache").string() },
              { "XDG_DATA_HOME", (m_folder / "data").string() }, { "XDG_CONFIG_HOME", (m_folder / "config").string() },
              { "CLAUDE_CONFIG_DIR", "" }, { "CODEX_HOME", "" } })
{
    makeHome(m_folder);
    for (const Words &words : job.before) {
        if (const TracedRun prepared = run(words); prepared.exitCode != 0)
            m_mistake = prepared.error + " ";
    }
    changeHome(m_folder);
    m_before = files();
    fs::copy(m_folder, m_kept, fs::copy_options::recursive);
    beginAgain();
    m_reference = run(job.command);
    if (m_reference.exitCode != 0)
        m_mistake += "The job fails: " + m_reference.error;
    m_whole = files();
}

void WritingTrial::beginAgain() const
{
    fs::remove_all(m_folder);
    fs::copy(m_kept, m_folder, fs::copy_options::recursive);
    for (const auto &[path, bytes] : m_before)
        fs::last_write_time(m_folder / path, fs::last_write_time(m_kept / path));
}

TracedRun WritingTrial::run(const Disturbance &disturbance)
{
    beginAgain();
    return m_program.run(absolute(m_job.command), disturbance);
}

Words WritingTrial::absolute(Words words) const
{
    for (std::string &word : words) {
        if (word.starts_with('@'))
            word = (m_folder / word.substr(1)).string();
    }
    return words;
}

/// All but those in stores and in the index, which have checks of their own.
WritingTrial::Files WritingTrial::files() const
{
    Files found;
    for (auto each = fs::recursive_directory_iterator(m_folder); each != fs::recursive_directory_iterator(); ++each) {
        const fs::path path = each->path();
        const std::string name = path.lexically_relative(m_folder);
        if (name.contains(".git.new-"))
            found[name]; // a store that was not finished
        if (path.extension() == ".git" || name.contains(".git.new-") || name == "cache")
            each.disable_recursion_pending();
        else if (each->is_regular_file())
            found[name] = testing::bytesOf(path);
    }
    return found;
}

std::vector<fs::path> WritingTrial::stores() const
{
    std::vector<fs::path> found;
    for (auto each = fs::recursive_directory_iterator(m_folder); each != fs::recursive_directory_iterator(); ++each) {
        if (each->path().extension() == ".git") {
            found.push_back(each->path());
            each.disable_recursion_pending();
        }
    }
    return found;
}

/// Whether the session comes back from it.
std::string WritingTrial::problemOfExport(const fs::path &exported) const
{
    std::string problem = "There is no store.";
    for (const fs::path &path : stores()) {
        const auto store = Store::open(path);
        const std::string bytes = testing::bytesOf(exported);
        const auto commit = store ? findExport(*store, bytes, exported) : std::unexpected(store.error());
        const auto back = commit ? restoreSession(*store, *commit, bytes, exported) : std::unexpected(commit.error());
        if (back && *back == m_before.at(kSession))
            return {};
        problem = back ? "Another file comes back." : back.error().sentence();
    }
    return exported.filename().string() + ": " + problem;
}

std::string WritingTrial::problemOfNewFile(const std::string &path, const std::string &bytes) const
{
    const std::string_view command = m_job.command.front();
    if (command == "guard") { // the time is in the name and in the report
        const bool isWhole = path.ends_with("/transcript.jsonl") ? bytes == m_before.at(kSession) : isJson(bytes);
        return isWhole ? std::string() : path + " is not whole.";
    }
    const auto whole = m_whole.find(path);
    if (whole == m_whole.end() || whole->second != bytes)
        return path + " is not what the whole run writes.";
    if (command == "continue" && !isPrivate(m_folder / path))
        return path + " can be read by others, unlike the session.";
    return command == "compact" || command == "continue" ? problemOfExport(m_folder / path) : std::string();
}

std::string WritingTrial::problem()
{
    m_hasNewFile = false;
    const Files now = files();
    for (const auto &[path, bytes] : m_before) {
        const auto found = now.find(path);
        if (found == now.end() || found->second != bytes)
            return path + " was changed.";
    }
    for (const auto &[path, bytes] : now) {
        if (m_before.contains(path))
            continue;
        if (path.contains(".new-")) {
            ++m_temporaryFiles;
            continue;
        }
        m_hasNewFile = true;
        if (std::string problem = problemOfNewFile(path, bytes); !problem.empty())
            return problem;
    }
    for (const fs::path &store : stores()) {
        const bool isOld = store.filename() == "old.git";
        if (std::string problem = problemOfStore(store, isOld ? 1 : 0); !problem.empty())
            return problem;
    }
    return {};
}

std::string WritingTrial::problemOfNextRun()
{
    const TracedRun next = run(m_hasNewFile && !m_job.other.empty() ? m_job.other : m_job.command);
    if (next.exitCode != 0)
        return "The next run fails with " + std::to_string(next.exitCode) + ", signal " + std::to_string(next.signal)
            + ": " + next.error;
    const std::string_view command = m_job.command.front();
    if ((command == "list" || command == "search") && next.output != m_reference.output)
        return "The next run prints something else: " + next.output;
    if (!m_job.other.empty() || command == "continue") // it wrote another file
        return {};
    for (const auto &[path, bytes] : m_whole) {
        if (command != "guard" && !fs::exists(m_folder / path))
            return path + " is not there after the next run.";
    }
    return problem();
}

} // namespace testing
