// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recovery.h"
#include "core/originals/store.h"

namespace core {

/// What a commit is told beside the compaction.
struct CommitOptions {
    Position position;
    int64_t seconds = 0;                                            ///< since 1970, UTC
    std::filesystem::path folder;                                   ///< where files are looked for (folderOf)
    std::optional<FileIdentity> exported;                           ///< of the file that was written, where one was
    std::vector<LedgerSplice> splices;                              ///< how the session file comes back out of it
    std::vector<std::pair<std::string, std::string>> moreOriginals; ///< name and bytes that the splices call for
};

/// Makes a plan real: stores the raw bytes of every block that a rewrite took something from, and the artifacts under
/// the harness's names, in one commit that is read back and compared before it counts. Only then may anything be cut:
/// an error means that nothing was stored and nothing may be. An artifact that the harness appends to is written behind
/// what the store holds of it from an earlier round of the same session: a commit made at an earlier call of the file,
/// or one that exported it. Costs the bytes that are stored, and a ledger for each commit of the store then.
[[nodiscard]] Result<CommitInfo> commit(const Compaction &compaction, Store &store, const CommitOptions &options);

/// The ledger's name of a block's original: `#412-0`, message and place in it.
[[nodiscard]] std::string originalName(const Session &session, BlockId block);

/// The blocks of the array before that lost something, ascending, each once.
[[nodiscard]] std::vector<BlockId> rewrittenBlocks(const Compaction &compaction);

/// How an artifact, whose text is `text`, differs from the originals that it was made of, in a sentence; empty if it
/// holds them byte for byte.
[[nodiscard]] std::string differenceOf(const Compaction &compaction, const Artifact &artifact, std::string_view text);

} // namespace core
