// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/sqlite.h"

#include <sqlite3.h>

#include <utility>

namespace core {

void DatabaseCloser::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

bool isDatabaseDamage(int code)
{
    const int kind = code & 0xFF;
    return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
}

void DatabaseFailures::note(int code)
{
    const int kind = code & 0xFF;
    if (kind == SQLITE_CONSTRAINT || kind == SQLITE_TOOBIG)
        return; // of one row; the others are written
    if (isDatabaseDamage(code))
        isDamaged = true;
    int none = 0;
    write.compare_exchange_strong(none, code);
}

Statement::Statement(const DatabaseHandle &database, std::string_view sql, std::shared_ptr<DatabaseFailures> failures)
    : m_failures(std::move(failures))
{
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(database.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    m_statement.reset(statement);
}

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
    if (isDatabaseDamage(code))
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

} // namespace core
