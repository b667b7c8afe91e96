// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/index_database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace core {

namespace {

constexpr int kBusyMilliseconds = 5'000;

/// Raise the number in the name of the file with every change.
constexpr const char *kName = "index-5.sqlite";
constexpr const char *kSchema = R"(
CREATE TABLE IF NOT EXISTS files(
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT UNIQUE NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL, tail BLOB,
  has_texts INTEGER NOT NULL DEFAULT 0, has_findings INTEGER NOT NULL DEFAULT 0, is_head INTEGER NOT NULL DEFAULT 0,
  problem TEXT);
CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries(
  file INTEGER NOT NULL, thread INTEGER NOT NULL, id TEXT, format TEXT, harness TEXT, model TEXT, title TEXT,
  folder TEXT, begin INTEGER, end INTEGER, calls INTEGER, subagents INTEGER, typed INTEGER, peak REAL,
  is_peak_recorded INTEGER, window INTEGER, cost REAL, subagent_cost REAL, is_cost_partial INTEGER, last_typed TEXT,
  curve BLOB, compactions BLOB, branch TEXT, origin_kind INTEGER, origin_id TEXT, PRIMARY KEY(file, thread)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS billed(
  file INTEGER NOT NULL, thread INTEGER NOT NULL, first INTEGER NOT NULL, calls BLOB, PRIMARY KEY(file, thread));
CREATE INDEX IF NOT EXISTS billed_first ON billed(first);
CREATE TABLE IF NOT EXISTS findings(
  file INTEGER NOT NULL, thread INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT, rank INTEGER, count INTEGER,
  money REAL, what TEXT, PRIMARY KEY(file, thread, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS costs(
  file INTEGER NOT NULL, thread INTEGER NOT NULL, day INTEGER NOT NULL, model TEXT NOT NULL, calls INTEGER,
  tokens INTEGER, cost REAL, PRIMARY KEY(file, thread, day, model)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocks(
  id INTEGER PRIMARY KEY, thread INTEGER, message INTEGER, role INTEGER, kind INTEGER, flags INTEGER, tool TEXT,
  subject TEXT, first INTEGER, last INTEGER, at_end INTEGER, bytes INTEGER, is_kept INTEGER, coding INTEGER,
  offset INTEGER, size INTEGER);
CREATE TABLE IF NOT EXISTS unsure(id INTEGER PRIMARY KEY, since INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS kept(id INTEGER PRIMARY KEY, text BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
  text, content='', contentless_delete=1, detail=none, tokenize='unicode61');
)";

void removeDatabase(const std::filesystem::path &file)
{
    std::error_code ignored;
    for (const char *ending : { "", "-wal", "-shm" })
        std::filesystem::remove(file.string() + ending, ignored);
}

} // namespace

IndexDatabase::~IndexDatabase()
{
    const bool isToRemove = m_database && !m_file.empty() && isDamaged();
    m_database.reset();
    if (isToRemove)
        removeDatabase(m_file);
}

Result<IndexDatabase> IndexDatabase::openFile(const std::filesystem::path &file)
{
    // Only the owner may read what SQLite makes: the log beside it gets the same mode.
    const int made = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (made < 0)
        return failure(ErrorKind::NotWritable,
            std::string("The index of sessions cannot be written: ") + std::strerror(errno) + ".", file.string());
    ::fchmod(made, 0600);
    ::close(made);
    return openNamed(file);
}

Result<IndexDatabase> IndexDatabase::inMemory() { return openNamed({}); }

Result<IndexDatabase> IndexDatabase::openNamed(const std::filesystem::path &file)
{
    const std::string name = file.empty() ? ":memory:" : file.string();
    sqlite3 *opened = nullptr;
    const int result = sqlite3_open_v2(name.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nullptr);
    IndexDatabase database(opened, file);
    if (result != SQLITE_OK)
        return failure(
            ErrorKind::NotReadable, "The index of sessions cannot be opened: " + database.lastError() + ".", name);
    sqlite3_busy_timeout(opened, kBusyMilliseconds);
    // A cache: it need not survive a loss of power.
    const bool isReady = database.run("PRAGMA journal_mode = WAL") && database.run("PRAGMA synchronous = NORMAL")
        && database.run("PRAGMA temp_store = MEMORY") && database.run(kSchema);
    if (isReady)
        return database;
    const int code = sqlite3_errcode(opened);
    return failure(isDatabaseDamage(code) || code == SQLITE_ERROR ? ErrorKind::Malformed : ErrorKind::NotReadable,
        "The index of sessions cannot be read: " + database.lastError() + ".", name);
}

Result<IndexDatabase> IndexDatabase::open(const std::filesystem::path &folder)
{
    if (folder.empty())
        return failure(ErrorKind::NotFound, "There is no folder for the index of sessions: HOME is not set.");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::filesystem::path file = folder / kName;
    auto database = openFile(file);
    if (database || database.error().kind != ErrorKind::Malformed)
        return database;
    removeDatabase(file);
    return openFile(file);
}

Statement IndexDatabase::prepare(std::string_view sql) const { return { m_database, sql, m_failures }; }

bool IndexDatabase::run(std::string_view sql) const
{
    return sqlite3_exec(m_database.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::string IndexDatabase::lastError() const
{
    const int failed = m_failures->write;
    return failed != 0 ? sqlite3_errstr(failed) : sqlite3_errmsg(m_database.get());
}

} // namespace core
