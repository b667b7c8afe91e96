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

bool isDamage(int code)
{
    const int kind = code & 0xFF;
    return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
}

void removeDatabase(const std::filesystem::path &file)
{
    std::error_code ignored;
    for (const char *ending : { "", "-wal", "-shm" })
        std::filesystem::remove(file.string() + ending, ignored);
}

} // namespace

void IndexFailures::note(int code)
{
    const int kind = code & 0xFF;
    if (kind == SQLITE_CONSTRAINT || kind == SQLITE_TOOBIG)
        return; // of one row; the others are written
    if (isDamage(code))
        isDamaged = true;
    int none = 0;
    write.compare_exchange_strong(none, code);
}

// --- Statement ------------------------------------------------------------------------------------------------------

void Statement::Finalizer::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

Statement &Statement::bind(std::string_view text)
{
    sqlite3_bind_text64(m_statement.get(), ++m_bound, text.data() == nullptr ? "" : text.data(), text.size(),
        SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Statement &Statement::bind(int64_t value)
{
    sqlite3_bind_int64(m_statement.get(), ++m_bound, value);
    return *this;
}

Statement &Statement::bind(double value)
{
    sqlite3_bind_double(m_statement.get(), ++m_bound, value);
    return *this;
}

Statement &Statement::bindBytes(std::string_view bytes)
{
    sqlite3_bind_blob64(
        m_statement.get(), ++m_bound, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(), SQLITE_TRANSIENT);
    return *this;
}

Statement &Statement::bindNull()
{
    sqlite3_bind_null(m_statement.get(), ++m_bound);
    return *this;
}

bool Statement::step()
{
    const int code = m_statement ? sqlite3_step(m_statement.get()) : SQLITE_DONE;
    if (isDamage(code))
        m_failures->isDamaged = true;
    return code == SQLITE_ROW;
}

bool Statement::run()
{
    const int code = m_statement ? sqlite3_step(m_statement.get()) : SQLITE_ERROR;
    if (code != SQLITE_DONE)
        m_failures->note(code);
    reset();
    return code == SQLITE_DONE;
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
    m_bound = 0;
}

bool Statement::isNull(int column) const { return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL; }
int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_statement.get(), column); }
double Statement::number(int column) const { return sqlite3_column_double(m_statement.get(), column); }

std::string_view Statement::text(int column) const
{
    const auto *bytes = static_cast<const char *>(sqlite3_column_blob(m_statement.get(), column));
    return bytes == nullptr
        ? std::string_view()
        : std::string_view(bytes, static_cast<size_t>(sqlite3_column_bytes(m_statement.get(), column)));
}

// --- IndexDatabase --------------------------------------------------------------------------------------------------

void IndexDatabase::Closer::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

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
    return failure(isDamage(code) || code == SQLITE_ERROR ? ErrorKind::Malformed : ErrorKind::NotReadable,
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

Statement IndexDatabase::prepare(std::string_view sql) const
{
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(m_database.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    return { statement, m_failures };
}

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
