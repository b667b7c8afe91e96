// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/export.h"

namespace core {

/// The user's home folder and environment, as harnesses see them.
struct Surroundings {
    std::filesystem::path home;
    std::function<std::optional<std::string>(std::string_view name)> variable; ///< nullopt if it is not set

    [[nodiscard]] static Surroundings ofProcess();
};

struct ContinueOptions {
    Position position; ///< of the compaction's `before` array
    Timestamp time = 0;
    std::filesystem::path folder; ///< see ExportOptions
    Surroundings surroundings;
};

/// A copy of a session that its harness can resume.
struct Continued {
    std::string id; ///< of the new session
    std::filesystem::path file;
    std::string harness;
    std::string command; ///< for a shell; begins with `cd` where the harness must be started in the session's folder
    Exported exported;   ///< the store is beside the file
    std::vector<std::string> notes;
};

/// Why no harness can resume a session of this format, in a sentence; empty if one can.
[[nodiscard]] std::string whyNotContinued(const Session &session, Position position);

/// Writes the session with the compaction's `after` array as a new session into the folder of its harness: beside the
/// old file if that is there. Every record gets the new session id. The id depends only on the session file, the id of
/// the policy and the position; if a file or a store with this id exists, the next id is taken. Otherwise like
/// `exportCompaction`: the session file is not touched, and after an error there is no new file.
[[nodiscard]] Result<Continued> continueSession(const Compaction &compaction, const ContinueOptions &options);

/// Removes a copy that `continueSession` wrote, and its store. Fails with a sentence if the file has no such store or
/// has changed since: a harness that resumes the copy appends to it.
[[nodiscard]] Result<void> removeContinued(const std::filesystem::path &copy);

} // namespace core
