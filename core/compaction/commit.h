// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recovery.h"
#include "core/originals/store.h"

namespace core {

/// Inputs of a commit besides the compaction.
struct CommitOptions {
    Position position;
    int64_t seconds = 0;                                            ///< since 1970, UTC
    std::filesystem::path folder;                                   ///< working folder to look for files in (folderOf)
    std::optional<FileIdentity> exported;                           ///< the written file, if any
    std::vector<LedgerSplice> splices;                              ///< how to rebuild the session file from it
    std::vector<std::pair<std::string, std::string>> moreOriginals; ///< name and bytes of originals that the splices
                                                                    ///< need
};

/// Commits a plan to the store: the raw bytes of every rewritten block and the artifacts under the harness's names, in
/// one commit that is read back and compared. Nothing may be cut before this has succeeded; after an error nothing is
/// stored. If the harness appends to an artifact, the new version starts with the version that an earlier commit
/// stored. That is the commit for an earlier call of this session, or the commit that exported this file. Time:
/// O(stored bytes). For appended artifacts it also reads the ledger of each commit in the store.
[[nodiscard]] Result<CommitInfo> commit(const Compaction &compaction, Store &store, const CommitOptions &options);

/// The name of a block's original in the ledger: `#412-0`, message and index in it.
[[nodiscard]] std::string originalName(const Session &session, BlockId block);

/// The blocks of the array before the compaction whose text was shortened or removed; ascending, without duplicates.
[[nodiscard]] std::vector<BlockId> rewrittenBlocks(const Compaction &compaction);

/// One sentence on how an artifact with content `text` differs from its originals; empty if it contains them byte for
/// byte.
[[nodiscard]] std::string differenceOf(const Compaction &compaction, const Artifact &artifact, std::string_view text);

} // namespace core
