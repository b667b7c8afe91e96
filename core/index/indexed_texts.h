// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/source.h"
#include "core/index/index_database.h"
#include "core/search/block_lives.h"

namespace core {

/// One block with its text and the words beside it.
struct IndexedBlock {
    BlockId id;
    std::string text;
    std::string names; ///< of the tool and its subject: `search` finds calls and results by them, too
};

/// The texts that the index takes of a session, in pool order.
[[nodiscard]] std::vector<IndexedBlock> indexedBlocks(const Session &session);

/// Writes the words of a session's blocks. A text that does not stand in the session file as it is (of a database, of
/// a compressed file, of JSON inside a string) is kept too: to find it again, the whole file would have to be read.
class TextWriter final {
public:
    explicit TextWriter(const IndexDatabase &database)
        : m_database(database)
    {
    }

    /// `path` is that of the session file. Does nothing if another program has read a newer version of the file.
    void put(int64_t file, const std::string &path, const Session &session, const BlockLives &lives,
        const std::vector<IndexedBlock> &blocks);

private:
    const IndexDatabase &m_database;
    Statement m_putBlock
        = m_database.prepare("INSERT OR REPLACE INTO blocks VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Statement m_putText = m_database.prepare("INSERT INTO texts(rowid, text) VALUES(?, ?)");
    Statement m_keep = m_database.prepare("INSERT OR REPLACE INTO kept VALUES(?, ?)");
    Statement m_find = m_database.prepare("SELECT 1 FROM files WHERE id = ? AND has_texts = 0");
    Statement m_mark = m_database.prepare("UPDATE files SET has_texts = 1 WHERE id = ?");
};

/// Reads the texts of indexed blocks: those of one session file at a time.
class TextReader final {
public:
    explicit TextReader(const IndexDatabase &database)
        : m_kept(database.prepare("SELECT text FROM kept WHERE id = ?"))
    {
    }

    /// False if the file has changed since it was indexed, so that nothing is known about its blocks. `size` is that of
    /// the file when it was indexed.
    [[nodiscard]] bool open(const std::string &path, uint64_t size);
    /// The text of a block; `isKept` says that the index has it.
    [[nodiscard]] std::string text(int64_t id, bool isKept, const Body &body);

private:
    Statement m_kept;
    std::string m_path;
    Session m_file; ///< the session file as its only source, once a text in it has been asked for
};

} // namespace core
