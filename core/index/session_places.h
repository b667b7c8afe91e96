// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// The value of an environment variable; empty if it is not set.
using Environment = std::function<std::string(const char *name)>;
/// Of this process.
[[nodiscard]] std::string processEnvironment(const char *name);

/// The folders in which sessions are looked for.
struct SessionPlaces {
    std::vector<std::filesystem::path> folders;
    std::vector<std::filesystem::path> excluded; ///< folders inside, which are left out

    /// The folders that exist of those in which the known harnesses keep their sessions. A harness's own variable moves
    /// its folder: CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_DATA_HOME. `~/.config/palimpsest/excluded-folders` lists folders
    /// to leave out, one a line.
    [[nodiscard]] static SessionPlaces known(const Environment &environment = processEnvironment);
};

/// A file that may hold a session.
struct SessionFile {
    std::string path;
    uint64_t size = 0;
    int64_t changed = 0; ///< nanoseconds since 1970 of the last change; of a database or its `-wal`, the later
};

/// The files of these folders whose names end like those of sessions (`.jsonl`, `.json`, `.jsonl.zst`, `.db`, `.traj`,
/// `.eval`), newest first; without hidden files, links, and what is excluded. The given folders themselves may be
/// hidden.
[[nodiscard]] std::vector<SessionFile> sessionFiles(const SessionPlaces &places);

/// The file at this path as `sessionFiles` would list it now; nullopt if it is none.
[[nodiscard]] std::optional<SessionFile> sessionFileAt(const std::string &path);

/// The folder for the index: `$XDG_CACHE_HOME/palimpsest`, else `~/.cache/palimpsest`; empty without a home.
[[nodiscard]] std::filesystem::path indexFolder(const Environment &environment = processEnvironment);

} // namespace core
