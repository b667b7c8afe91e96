// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json.h"
#include "core/originals/store.h"
#include "core/writing/splice.h"

namespace core {

/// Adds to a compaction what brings the session file back: the identities of the file and of the exported one, the
/// splices, and each removed range as an original (`session/OFFSET`). The originals are views of the session's source.
void addSplices(StoredCompaction &into, const Session &session, const Spliced &spliced, std::string_view exportName);

/// An original as `restore` lists it.
struct ListedOriginal {
    LedgerOriginal entry;
    SlotIndex slot; ///< of the first rewrite that removed it; invalid if it belongs to no rewrite
    MessageId message;
    BlockId block;
    std::optional<std::vector<std::string>> recoverableFrom; ///< by the harness itself, of that rewrite
    bool isSplice = false;                                   ///< a range of the session file, there to bring it back
};
[[nodiscard]] std::vector<ListedOriginal> listOriginals(const Ledger &ledger);

/// The commit whose exported file this is, by its content; `path` is for the error.
[[nodiscard]] Result<CommitInfo> findExport(
    const Store &store, std::string_view exported, const std::filesystem::path &path);

/// The session file that a compaction was made from, byte for byte, out of the file that it exported. Errors: the file
/// is not the export of this commit (its name and size are in the sentence), no file was exported, or (Malformed) what
/// comes out is not what went in.
[[nodiscard]] Result<std::string> restoreSession(
    const Store &store, const CommitInfo &commit, std::string_view exported, const std::filesystem::path &path);

/// What the bytes of an original say: the text of a JSON string, the bytes that base64 stands for, any other as it is.
/// Errors: its coding is not said (Usage), or it is no base64 (Malformed).
[[nodiscard]] Result<std::string> decodedOriginal(const LedgerOriginal &original, std::string bytes);

/// The document of schema `palimpsest.restore/1`: the commit, and those originals and artifacts that are wanted (all if
/// no name is given). A name is a path in the tree or an exact name.
[[nodiscard]] Json restoreJson(const CommitInfo &commit, const Ledger &ledger, std::span<const std::string> names);

/// The same as text: the compaction, a line for each original and artifact.
[[nodiscard]] std::string drawRestorables(const CommitInfo &commit, const Ledger &ledger);

} // namespace core
