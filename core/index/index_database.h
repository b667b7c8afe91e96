// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace core {

/// What went wrong in a database since it was opened. Any thread.
struct IndexFailures {
    std::atomic<int> write = 0;          ///< SQLite's code of the first change that failed; 0 for none
    std::atomic<bool> isDamaged = false; ///< a page was read that is not what was written

    void note(int code);
};

/// A prepared statement. Parameters are bound in their order.
class Statement final {
public:
    Statement(Statement &&other) noexcept = default;
    Statement &operator=(Statement &&other) noexcept = default;
    ~Statement() = default;

    Statement &bind(std::string_view text);
    Statement &bind(int64_t value);
    Statement &bind(double value);
    Statement &bindBytes(std::string_view bytes);
    Statement &bindNull();
    template <typename T>
    Statement &bind(const std::optional<T> &value)
    {
        if (!value)
            return bindNull();
        if constexpr (std::is_floating_point_v<T>)
            return bind(static_cast<double>(*value));
        else
            return bind(static_cast<int64_t>(*value));
    }

    /// The next row; false behind the last and after an error.
    [[nodiscard]] bool step();
    /// Runs a statement without rows and makes it ready for the next run. False after an error.
    bool run();
    /// Makes it ready for the next run.
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] int64_t integer(int column) const;
    [[nodiscard]] double number(int column) const;
    /// Valid until the next step.
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string string(int column) const { return std::string(text(column)); }

private:
    friend class IndexDatabase;
    struct Finalizer {
        void operator()(sqlite3_stmt *statement) const;
    };
    Statement(sqlite3_stmt *statement, std::shared_ptr<IndexFailures> failures)
        : m_statement(statement)
        , m_failures(std::move(failures))
    {
    }

    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement; ///< nullptr if it could not be prepared
    std::shared_ptr<IndexFailures> m_failures;
    int m_bound = 0;
};

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
    struct Closer {
        void operator()(sqlite3 *database) const;
    };
    IndexDatabase(sqlite3 *database, std::filesystem::path file)
        : m_database(database)
        , m_file(std::move(file))
    {
    }
    [[nodiscard]] static Result<IndexDatabase> openFile(const std::filesystem::path &file);
    /// Opens a file that is there; in memory if the path is empty.
    [[nodiscard]] static Result<IndexDatabase> openNamed(const std::filesystem::path &file);

    std::unique_ptr<sqlite3, Closer> m_database;
    std::filesystem::path m_file;
    std::shared_ptr<IndexFailures> m_failures = std::make_shared<IndexFailures>();
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
