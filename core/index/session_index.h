// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/index_database.h"
#include "core/index/session_entry.h"
#include "core/index/session_places.h"

#include <functional>
#include <string>
#include <vector>

namespace core {

/// A file with sessions, as the search needs it.
struct IndexedFile {
    int64_t id = 0;                ///< its number in the index
    uint64_t size = 0;             ///< when it was indexed
    int64_t newest = 0;            ///< the end of its newest conversation, or its own time
    std::vector<uint32_t> entries; ///< places in IndexedSessions::entries, newest first
};

/// What the index knows: all its conversations, and the files that are none.
struct IndexedSessions {
    std::vector<SessionEntry> entries; ///< newest first
    std::vector<IndexedFile> byNumber; ///< the files of the entries, by id
    size_t files = 0;
    uint64_t bytes = 0;
    size_t otherFiles = 0;   ///< files in the folders that are not sessions
    size_t heads = 0;        ///< files of which only both ends have been read
    size_t withoutTexts = 0; ///< files with sessions whose texts cannot be searched yet
    size_t withoutFindings = 0;
};

/// What an update did.
struct IndexUpdate {
    size_t files = 0; ///< found in the folders
    size_t read = 0;  ///< new or changed
    size_t gone = 0;  ///< no longer there
    uint64_t bytesRead = 0;
    size_t heads = 0; ///< new files that were first read at both ends only
    uint64_t headBytesRead = 0;
};

struct UpdateOptions {
    unsigned threads = 1;
    Progress *progress = nullptr;
    /// Called after each batch that is written, from any thread but never from two at once.
    std::function<void()> changed {};
};

/// The index of the sessions on this computer: a list with what each contains, the words of their texts, and their
/// findings. A file is read again if its size, or its time and its last bytes, have changed. Several programs may use
/// it at once. It never writes a session file.
class SessionIndex final {
public:
    /// The number of a block in the index is its number in its session plus this × the number of its file.
    static constexpr int64_t kBlocksOfFile = int64_t { 1 } << 24;

    /// Opens the index in this folder (see `indexFolder`).
    [[nodiscard]] static Result<SessionIndex> open(const std::filesystem::path &folder);
    /// An index that is not kept.
    [[nodiscard]] static Result<SessionIndex> inMemory();

    /// First tier: finds the files, reads new and changed ones, newest first, and forgets those that are gone. Of large
    /// new files it reads both ends first, so that the list soon has all titles. Files that are not sessions are
    /// remembered, too.
    Result<IndexUpdate> update(const SessionPlaces &places, const Prices &prices, const UpdateOptions &options);
    /// Second tier: takes the words of all texts, newest files first, until all files have theirs or it is cancelled.
    Result<IndexUpdate> addTexts(const UpdateOptions &options);
    /// Third tier: looks for findings, and for texts that a silent clearing may have removed, newest files first.
    Result<IndexUpdate> addFindings(const Prices &prices, const UpdateOptions &options);

    [[nodiscard]] IndexedSessions sessions() const;
    /// The newest session file whose working folder is `project`, is inside it, or contains it. Reads files that the
    /// index does not know yet, newest first, until one is found. Fails with NotFound.
    [[nodiscard]] Result<std::string> latest(const SessionPlaces &places, const std::filesystem::path &project) const;
    [[nodiscard]] const IndexDatabase &database() const { return m_database; }

private:
    explicit SessionIndex(IndexDatabase database)
        : m_database(std::move(database))
    {
    }

    IndexDatabase m_database;
};

} // namespace core
