// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/session_index.h"

#include <chrono>
#include <mutex>

namespace core {

/// Writes what threads have computed, in batches of a quarter of a second, so that lists grow while files are read,
/// few transactions are needed, and none is open while a file is read.
class IndexBatches final {
public:
    IndexBatches(const IndexDatabase &database, const UpdateOptions &options)
        : m_database(database)
        , m_options(options)
    {
    }

    /// `write` runs later inside a transaction, never two at once.
    void add(std::function<void()> write);
    [[nodiscard]] std::optional<Error> finish();

private:
    void flush();

    const IndexDatabase &m_database;
    const UpdateOptions &m_options;
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_waiting;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_returned = m_last; ///< freed memory, to the system
    std::optional<Error> m_error;
};

/// The statements that replace what the index knows of a file.
class FileWriter final {
public:
    explicit FileWriter(const IndexDatabase &database)
        : m_database(database)
    {
    }

    void forget(int64_t file);
    /// Replaces the row of a file; returns its number. Another program may have made one meanwhile.
    int64_t put(const SessionFile &file, const std::string &tail, const std::string &problem);
    void put(int64_t file, const SessionEntry &entry);
    /// Adds a file of which both ends have been read, unless another program has read it meanwhile.
    void putHead(const SessionFile &file, const std::vector<SessionEntry> &entries);
    void touch(int64_t file, int64_t changed) { m_touch.bind(changed).bind(file).run(); }

private:
    /// Forgets everything of a file but its own row.
    void clear(int64_t file);
    void insert(const SessionFile &file, const std::string &tail, const std::string &problem, bool isHead);
    [[nodiscard]] std::optional<int64_t> numberOf(const std::string &path);

    const IndexDatabase &m_database;
    Statement m_clearTexts
        = m_database.prepare("DELETE FROM texts WHERE rowid IN (SELECT id FROM blocks WHERE id >= ? AND id < ?)");
    Statement m_clearKept = m_database.prepare("DELETE FROM kept WHERE id >= ? AND id < ?");
    Statement m_clearUnsure = m_database.prepare("DELETE FROM unsure WHERE id >= ? AND id < ?");
    Statement m_clearBlocks = m_database.prepare("DELETE FROM blocks WHERE id >= ? AND id < ?");
    Statement m_clearEntries = m_database.prepare("DELETE FROM entries WHERE file = ?");
    Statement m_clearCosts = m_database.prepare("DELETE FROM costs WHERE file = ?");
    Statement m_clearBilled = m_database.prepare("DELETE FROM billed WHERE file = ?");
    Statement m_clearFindings = m_database.prepare("DELETE FROM findings WHERE file = ?");
    Statement m_forget = m_database.prepare("DELETE FROM files WHERE id = ?");
    Statement m_putFile = m_database.prepare(
        "INSERT INTO files(path, size, changed, tail, problem, is_head) VALUES(?, ?, ?, ?, nullif(?, ''), ?)");
    Statement m_findFile = m_database.prepare("SELECT id FROM files WHERE path = ?");
    Statement m_touch = m_database.prepare("UPDATE files SET changed = ? WHERE id = ?");
    Statement m_putCost = m_database.prepare("INSERT OR REPLACE INTO costs VALUES(?, ?, ?, ?, ?, ?, ?)");
    Statement m_putBilled = m_database.prepare("INSERT OR REPLACE INTO billed VALUES(?, ?, ?, ?)");
    Statement m_putEntry = m_database.prepare("INSERT OR REPLACE INTO entries VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                              "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
};

} // namespace core
