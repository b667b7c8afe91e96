// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace core {

struct DatabaseCloser {
    void operator()(sqlite3 *database) const;
};
/// An open SQLite database.
using DatabaseHandle = std::unique_ptr<sqlite3, DatabaseCloser>;

/// Whether an error of SQLite says that a file is not what was written, or is no database.
[[nodiscard]] bool isDatabaseDamage(int code);

/// What went wrong in a database since it was opened. Any thread.
struct DatabaseFailures {
    std::atomic<int> write = 0;          ///< SQLite's code of the first change that failed; 0 for none
    std::atomic<bool> isDamaged = false; ///< a page was read that is not what was written

    void note(int code);
};

/// A prepared statement. Parameters are bound in their order.
class Statement final {
public:
    Statement(const DatabaseHandle &database, std::string_view sql,
        std::shared_ptr<DatabaseFailures> failures = std::make_shared<DatabaseFailures>());
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
    struct Finalizer {
        void operator()(sqlite3_stmt *statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement; ///< nullptr if it could not be prepared
    std::shared_ptr<DatabaseFailures> m_failures;
    int m_bound = 0;
};

} // namespace core
