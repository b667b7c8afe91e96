// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/memory_folder.h"

#include "core/base/counted.h"
#include "core/base/readable_folder.h"
#include "core/base/source.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/compaction/texts.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>

namespace core {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostEntries = 20'000;
constexpr size_t kMostFilesRead = 500;
constexpr size_t kMostFileBytes = 32'000;
constexpr int64_t kMostWords = 200; ///< the time of SQLite grows with words × their places in all files
constexpr int64_t kMostTags = 20;
constexpr size_t kTitleCharacters = 80;
constexpr size_t kMostTexts = 10'000;
constexpr size_t kMostFolders = 8;

/// SQLite gives a word that half of the files contain 0.000001 and less: `kMostWords` of them stay below this.
constexpr double kLeastScore = 0.001;
constexpr size_t kFewFiles = 2; ///< of which no word is in less than half

constexpr const char *kTables = R"(
CREATE VIRTUAL TABLE files USING fts5(text, content='', tokenize='unicode61');
CREATE VIRTUAL TABLE file_words USING fts5vocab(files, 'row');
CREATE VIRTUAL TABLE asked USING fts5(text, content='', tokenize='unicode61');
CREATE VIRTUAL TABLE asked_words USING fts5vocab(asked, 'row');
BEGIN;
)";

bool isNamedAsText(const fs::path &path)
{
    const std::string ending = lowered(path.extension().native());
    return ending == ".md" || ending == ".txt";
}

/// The value of a line `key: value` of a front matter, without quotes.
std::string_view frontValue(std::string_view line, std::string_view key)
{
    if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ':')
        return {};
    std::string_view value = stripped(line.substr(key.size() + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
        value = value.substr(1, value.size() - 2);
    return value;
}

/// The words of a Markdown heading `## Words ##`; empty if the line is none.
std::string_view headingOf(std::string_view line)
{
    const size_t marks = std::min(line.find_first_not_of('#'), line.size());
    if (marks == 0 || marks > 6 || marks == line.size() || (line[marks] != ' ' && line[marks] != '\t'))
        return {};
    const std::string_view words = stripped(line.substr(marks));
    return stripped(words.substr(0, words.find_last_not_of('#') + 1));
}

/// What a front matter calls the file; empty if it does not say.
std::string_view frontTitle(std::span<const std::string_view> lines)
{
    for (const std::string_view key : { "title", "name", "description" }) {
        for (const std::string_view line : lines) {
            if (const std::string_view value = frontValue(line, key); !value.empty())
                return value;
        }
    }
    return {};
}

/// What a front matter calls the file, else its first heading, else its first line.
std::string memoryTitle(std::string_view text)
{
    const std::vector<std::string_view> all = splitLines(text, LineRule::JavaScript);
    std::span<const std::string_view> lines(all);
    const auto isRule = [](std::string_view line) { return stripped(line) == "---"; };
    if (!lines.empty() && isRule(lines.front())) {
        const auto end = std::ranges::find_if(lines.subspan(1), isRule);
        const auto count = static_cast<size_t>(end - lines.begin());
        if (count < lines.size()) {
            if (const std::string_view title = frontTitle(lines.subspan(1, count - 1)); !title.empty())
                return snippet(title, kTitleCharacters);
            lines = lines.subspan(count + 1);
        }
    }
    std::string_view first;
    for (const std::string_view line : lines) {
        if (const std::string_view heading = headingOf(stripped(line)); !heading.empty())
            return snippet(heading, kTitleCharacters);
        if (first.empty())
            first = stripped(line);
    }
    return snippet(first, kTitleCharacters);
}

/// The beginning of a text file; nullopt if it cannot be read or is no text.
std::optional<std::string> beginningOf(const fs::path &file)
{
    const auto source = Source::openMapped(file);
    if (!source)
        return std::nullopt;
    std::string text((*source)->bytes().substr(0, kMostFileBytes));
    if (text.contains('\0'))
        return std::nullopt;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
    return text;
}

Result<fs::path> memoryPlace(const std::string &named, const Session &session)
{
    if (named.empty())
        return failure(ErrorKind::Usage, "The parameter memory-folder is empty.");
    if (named == "~" || named.starts_with("~/")) {
        const char *home = std::getenv("HOME");
        if (home == nullptr || *home == '\0')
            return failure(ErrorKind::NotFound, "HOME is not set.", named);
        return fs::path(home + named.substr(1));
    }
    if (fs::path(named).is_absolute())
        return fs::path(named);
    const fs::path working = session.workingFolder;
    if (!working.is_absolute())
        return failure(ErrorKind::NotFound,
            "The path is relative to the working folder of the session, and the session records none.", named);
    std::error_code error;
    const fs::path root = fs::canonical(working, error);
    if (error)
        return failure(
            ErrorKind::NotFound, "The working folder of the session is not on this computer.", working.string());
    fs::path place = fs::weakly_canonical(root / named, error);
    const fs::path below = place.lexically_relative(root);
    if (error || below.empty() || *below.begin() == "..")
        return failure(
            ErrorKind::NotFound, "This is outside of the working folder of the session. Write the whole path.", named);
    return place;
}

std::string whyUnknown(const Error &error) { return "{memory} is not known. " + visibleText(error.sentence()); }

} // namespace

Result<std::vector<MemoryFile>> memoryFiles(const fs::path &folder)
{
    if (const auto readable = readableFolder(folder.string()); !readable)
        return std::unexpected(readable.error());
    std::vector<MemoryFile> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (size_t count = 0; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (++count > kMostEntries)
            return failure(ErrorKind::NotReadable,
                "The folder has more than " + groupedNumber(kMostEntries) + " entries; name a smaller one.",
                folder.string());
        std::error_code gone; // the file vanished meanwhile
        if (entry->path().filename().native().starts_with('.')) {
            entry.disable_recursion_pending();
        } else if (isNamedAsText(entry->path()) && fs::is_regular_file(entry->symlink_status(gone))) {
            MemoryFile file { entry->path().lexically_relative(folder).native(), 0, 0 };
            file.size = entry->file_size(gone);
            file.changed = entry->last_write_time(gone).time_since_epoch().count();
            files.push_back(std::move(file));
        }
    }
    if (error)
        return failure(ErrorKind::NotReadable, "The folder cannot be read: " + error.message() + ".", folder.string());
    if (files.empty())
        return failure(ErrorKind::NotFound, "The folder has no .md or .txt file.", folder.string());
    std::ranges::sort(files, {}, &MemoryFile::path);
    return files;
}

// --- MemoryFolder ---------------------------------------------------------------------------------------------------

MemoryFolder::MemoryFolder(const fs::path &folder, std::vector<MemoryFile> files)
    : m_files(std::move(files))
{
    sqlite3 *opened = nullptr;
    const int result = sqlite3_open_v2(
        ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nullptr);
    m_database.reset(opened);
    if (result != SQLITE_OK || sqlite3_exec(opened, kTables, nullptr, nullptr, nullptr) != SQLITE_OK) {
        m_note = whyUnknown({ ErrorKind::Internal, std::string("SQLite fails: ") + sqlite3_errmsg(opened) + ".", {} });
        m_database.reset();
        return;
    }
    Statement add(m_database, "INSERT INTO files(rowid, text) VALUES(?, ?)");
    size_t unread = 0;
    for (const MemoryFile &file : std::span(m_files).first(std::min(m_files.size(), kMostFilesRead))) {
        const auto text = beginningOf(folder / file.path);
        add.bind(static_cast<int64_t>(m_tags.size() + 1));
        if (!text || !add.bind(file.path + "\n" + *text).run()) {
            add.reset();
            ++unread;
            continue;
        }
        const std::string title = memoryTitle(*text);
        m_tags.push_back(visibleText(file.path) + (title.empty() ? "" : ": " + title));
    }
    sqlite3_exec(opened, "COMMIT", nullptr, nullptr, nullptr);
    const std::string where = visibleText(folder.string()) + ": ";
    if (m_files.size() > kMostFilesRead)
        m_note = where + "Of " + groupedNumber(m_files.size()) + " text files, {memory} knows only the first "
            + groupedNumber(kMostFilesRead) + " by path.";
    if (unread > 0)
        m_note += (m_note.empty() ? where : " ") + "{memory} leaves out " + counted(unread, "file")
            + " without readable text.";
}

std::vector<size_t> MemoryFolder::ranked(std::string_view text) const
{
    std::vector<size_t> files;
    if (!Statement(m_database, "INSERT INTO asked(asked) VALUES('delete-all')").run()
        || !Statement(m_database, "INSERT INTO asked(rowid, text) VALUES(1, ?)").bind(text).run())
        return files;
    std::string wanted;
    Statement words(m_database,
        "SELECT a.term FROM asked_words a JOIN file_words f ON f.term = a.term ORDER BY f.doc, a.term LIMIT ?");
    words.bind(kMostWords);
    while (words.step())
        wanted += (wanted.empty() ? "\"" : " OR \"") + words.string(0) + "\"";
    Statement found(
        m_database, "SELECT rowid, bm25(files) AS score FROM files WHERE files MATCH ? ORDER BY score, rowid LIMIT ?");
    found.bind(wanted).bind(kMostTags);
    while (!wanted.empty() && found.step()) {
        const bool isWeak = -found.number(1) < kLeastScore; // SQLite gives the best file the lowest score
        if (!isWeak || m_tags.size() <= kFewFiles)
            files.push_back(static_cast<size_t>(found.integer(0)) - 1);
    }
    return files;
}

std::vector<std::string> MemoryFolder::tags(std::string_view text, size_t most) const
{
    std::vector<std::string> tags;
    if (!m_database)
        return tags;
    const std::scoped_lock lock(m_mutex);
    if (m_ranked.size() >= kMostTexts)
        m_ranked.clear();
    const auto [known, isNew] = m_ranked.try_emplace(hashOf(text));
    if (isNew)
        known->second = ranked(text);
    for (const size_t file : std::span(known->second).first(std::min(known->second.size(), most)))
        tags.push_back(m_tags[file]);
    return tags;
}

// --- the folders of runs --------------------------------------------------------------------------------------------

MemoryFolderPtr MemoryShelf::find(const fs::path &folder, const std::vector<MemoryFile> &files) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_folders.find(folder);
    return found != m_folders.end() && found->second->files() == files ? found->second : nullptr;
}

void MemoryShelf::put(const fs::path &folder, MemoryFolderPtr made)
{
    const std::scoped_lock lock(m_mutex);
    if (m_folders.size() >= kMostFolders)
        m_folders.clear();
    m_folders[folder] = std::move(made);
}

MemoryFolderPtr MemoryFolders::at(const std::string &named, const Session &session)
{
    const std::scoped_lock lock(m_mutex);
    MemoryFolderPtr &known = m_folders[named];
    if (known)
        return known;
    const auto place = memoryPlace(named, session);
    auto files = place ? memoryFiles(*place) : Result<std::vector<MemoryFile>>(std::unexpected(place.error()));
    if (!files)
        return known = std::make_shared<MemoryFolder>(whyUnknown(files.error()));
    known = m_shelf ? m_shelf->find(*place, *files) : nullptr;
    if (!known) {
        known = std::make_shared<MemoryFolder>(*place, std::move(*files));
        if (m_shelf)
            m_shelf->put(*place, known);
    }
    return known;
}

} // namespace core
