// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/commit.h"
#include "core/writing/messages_writer.h"
#include "core/writing/splice.h"

#include <filesystem>
#include <optional>

namespace core {

/// What the session file has to become so that the array at the end of the thread is the compaction's array after. Of
/// an array before the end everything leaves that came later.
[[nodiscard]] SpliceEdits editsOf(const Compaction &compaction, Position position = {});

/// Where a compaction leaves.
struct ExportOptions {
    Position position;           ///< where the compaction's array before stands
    std::filesystem::path file;  ///< the new session file; none if empty
    std::filesystem::path store; ///< the originals; beside the file, `OUT.originals.git`, if empty
    int64_t seconds = 0;         ///< since 1970, UTC
    /// Where the files that the session speaks of are looked for; the session's own folder, where it is here, if empty.
    std::filesystem::path folder;
    /// The file holds the array alone, in the shape of another API; nothing: the session's own format.
    std::optional<MessagesShape> shape;
};

/// What was written.
struct Exported {
    CommitInfo commit;
    std::filesystem::path store;
    std::optional<FileIdentity> file;
    std::vector<std::string> notes; ///< what another shape could not hold, what the file still holds
};

/// Makes a compaction real, in this order: the new file is made in memory, taken back to the old one as a trial and
/// written beside its place; the originals go into the store and are read back; and only then the file is put in its
/// place. An existing file is never overwritten; the session file is never touched. An error leaves no file behind, and
/// one of the file no store either. A file that cannot hold every change of the array is an error of kind Internal, of
/// one sentence, as is all else for which a session cannot be written in its own format. A file in another shape has
/// nothing in common with the session's: there the whole session file is one original.
[[nodiscard]] Result<Exported> exportCompaction(const Compaction &compaction, const ExportOptions &options);

} // namespace core
