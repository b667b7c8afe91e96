// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/commit.h"
#include "core/writing/messages_writer.h"
#include "core/writing/splice.h"

#include <filesystem>
#include <optional>

namespace core {

/// The edits of the session file after which the last array of the thread equals the compaction's `after` array. If the
/// compaction is of an earlier array, everything later is removed.
[[nodiscard]] SpliceEdits editsOf(const Compaction &compaction, Position position = {});

struct ExportOptions {
    Position position;           ///< position of the compaction's `before` array
    std::filesystem::path file;  ///< the new session file; none if empty
    std::filesystem::path store; ///< the store of originals; if empty `OUT.originals.git` beside the file
    int64_t seconds = 0;         ///< since 1970, UTC
    /// The folder with the files that the agent worked on. If empty: the working folder that the session records, if it
    /// is on this computer.
    std::filesystem::path folder;
    /// Writes the array alone in the shape of another API; nullopt: the session's own format.
    std::optional<MessagesShape> shape;
    /// Writes the array alone as a file that opencode takes in as this session.
    std::optional<NewSession> takenIn;
    std::string sessionId; ///< the new file gets this session id; empty: it keeps that of the session
    /// Of the new file, from its first byte on; `unknown`: those of any new file.
    std::filesystem::perms permissions = std::filesystem::perms::unknown;
};

struct Exported {
    CommitInfo commit;
    std::filesystem::path store;
    std::optional<FileIdentity> file;
    std::vector<std::string> notes; ///< what another shape could not hold, and what the file still contains
};

/// Commits and exports a compaction, in this order: makes the new file in memory, restores the session file from it as
/// a trial, and writes it to a temporary file; stores the originals and reads them back; moves the file into place.
/// Never overwrites a file and never touches the session file. After an error there is no new file, and if writing the
/// file failed, no store either. Fails with Internal and one sentence if the file cannot hold every change of the
/// array, or if the session cannot be written in its own format for another reason. A file in another shape shares
/// nothing with the session file, so the whole session file is one original.
[[nodiscard]] Result<Exported> exportCompaction(const Compaction &compaction, const ExportOptions &options);

} // namespace core
