// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/base/sqlite.h"
#include "core/session/session.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <unordered_map>

namespace core {

/// A text file of a memory folder, as the folder lists it.
struct MemoryFile {
    std::string path; ///< relative to the folder
    uint64_t size = 0;
    int64_t changed = 0; ///< on the clock of the file system
    friend bool operator==(const MemoryFile &, const MemoryFile &) = default;
};

/// The files of a folder and of its subfolders that end in .md or .txt, by path. Hidden files and folders are left out,
/// and no symbolic link is followed. Fails if the folder has none of them, or more than 20,000 entries.
[[nodiscard]] Result<std::vector<MemoryFile>> memoryFiles(const std::filesystem::path &folder);

/// The files of a memory folder, ranked against a text by BM25 as SQLite computes it. Reads them once, at most 500
/// files and 32,000 bytes of each; what is no text is left out. Any thread.
class MemoryFolder final {
public:
    MemoryFolder(const std::filesystem::path &folder, std::vector<MemoryFile> files);
    /// A folder that cannot be used. `why` is a sentence.
    explicit MemoryFolder(std::string why)
        : m_note(std::move(why))
    {
    }

    /// The files as they were listed.
    [[nodiscard]] const std::vector<MemoryFile> &files() const { return m_files; }
    /// Why there are no tags, or which files are left out; empty if there is nothing to say.
    [[nodiscard]] const std::string &note() const { return m_note; }
    /// One line for each of the best files for a text, at most 20: `path: title`. Equal files are in the order of their
    /// paths. A file that shares no word with the text has none; nor has one that shares only words that about half of
    /// the files contain, if these are more than two.
    [[nodiscard]] std::vector<std::string> tags(std::string_view text, size_t most) const;

private:
    /// Indices into `m_tags`.
    [[nodiscard]] std::vector<size_t> ranked(std::string_view text) const;

    std::vector<MemoryFile> m_files;
    std::string m_note;
    std::vector<std::string> m_tags;                                ///< by row of the table `files`, from 1 on
    DatabaseHandle m_database;                                      ///< in memory; nullptr without files
    mutable std::mutex m_mutex;                                     ///< for the database and the cache
    mutable std::unordered_map<Hash, std::vector<size_t>> m_ranked; ///< by text
};
using MemoryFolderPtr = std::shared_ptr<const MemoryFolder>;

/// The memory folders that earlier runs of policies read, to be used again while they list the same files. Any thread.
class MemoryShelf final {
public:
    /// nullptr if the folder is not known, or lists other files now.
    [[nodiscard]] MemoryFolderPtr find(const std::filesystem::path &folder, const std::vector<MemoryFile> &files) const;
    void put(const std::filesystem::path &folder, MemoryFolderPtr made);

private:
    mutable std::mutex m_mutex;
    std::map<std::filesystem::path, MemoryFolderPtr> m_folders;
};

/// The memory folders of one run of a policy over one session. What a run reads of a folder does not change during the
/// run. Any thread.
class MemoryFolders final {
public:
    explicit MemoryFolders(std::shared_ptr<MemoryShelf> shelf = {})
        : m_shelf(std::move(shelf))
    {
    }

    /// The folder that a policy names: an absolute path, one that begins with `~`, or one relative to the session's
    /// working folder, which it must not leave. Never nullptr.
    [[nodiscard]] MemoryFolderPtr at(const std::string &named, const Session &session);

private:
    std::shared_ptr<MemoryShelf> m_shelf; ///< may be null
    std::mutex m_mutex;
    std::map<std::string, MemoryFolderPtr, std::less<>> m_folders; ///< as named
};

} // namespace core
