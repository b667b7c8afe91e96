// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/base/sqlite.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace core {

/// The SQLite file of the index, readable by its owner only. Several programs may have it open: one writes at a time,
/// the others read what was there before. It is a cache: a damaged file is replaced by an empty one, at once if it
/// cannot be opened, else the next time.
class IndexDatabase final {
public:
    ~IndexDatabase();
    IndexDatabase(IndexDatabase &&other) noexcept = default;
    IndexDatabase &operator=(IndexDatabase &&other) noexcept = default;

    /// Opens or makes `index-N.sqlite` in the folder, N being the version of the schema, so that programs of different
    /// versions do not disturb each other.
    [[nodiscard]] static Result<IndexDatabase> open(const std::filesystem::path &folder);

    /// A database that is not kept.
    [[nodiscard]] static Result<IndexDatabase> inMemory();

    [[nodiscard]] Statement prepare(std::string_view sql) const;
    bool run(std::string_view sql) const;
    /// The change that failed first since `forgetFailure`, or else the last error, in SQLite's words.
    [[nodiscard]] std::string lastError() const;
    [[nodiscard]] bool hasFailed() const { return m_failures->write != 0; }
    void forgetFailure() const { m_failures->write = 0; }
    /// Whether a page was read that is not what was written: what was read may lack rows.
    [[nodiscard]] bool isDamaged() const { return m_failures->isDamaged; }

private:
    IndexDatabase(sqlite3 *database, std::filesystem::path file)
        : m_database(database)
        , m_file(std::move(file))
    {
    }
    [[nodiscard]] static Result<IndexDatabase> openFile(const std::filesystem::path &file);
    /// Opens a file that is there; in memory if the path is empty.
    [[nodiscard]] static Result<IndexDatabase> openNamed(const std::filesystem::path &file);

    DatabaseHandle m_database;
    std::filesystem::path m_file;
    std::shared_ptr<DatabaseFailures> m_failures = std::make_shared<DatabaseFailures>();
};

/// A transaction, which ends with `commit` or is undone.
class Transaction final {
public:
    explicit Transaction(const IndexDatabase &database)
        : m_database(database)
        , m_isOpen(database.run("BEGIN IMMEDIATE"))
    {
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    ~Transaction()
    {
        if (m_isOpen)
            m_database.run("ROLLBACK");
    }

    /// False if another program kept writing, or the disk is full.
    bool commit()
    {
        if (m_isOpen && m_database.run("COMMIT"))
            m_isOpen = false;
        else
            return false;
        return true;
    }
    [[nodiscard]] bool isOpen() const { return m_isOpen; }

private:
    const IndexDatabase &m_database;
    bool m_isOpen;
};

} // namespace core
