// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/originals/store.h"

#include <filesystem>
#include <span>

namespace core {

/// An original in the listing of `restore`.
struct ListedOriginal {
    LedgerOriginal entry;
    SlotIndex slot; ///< of the first rewrite that removed it; invalid if no rewrite did
    MessageId message;
    BlockId block;
    std::optional<std::vector<std::string>> recoverableFrom; ///< by the harness itself, for that rewrite
    bool isSplice = false;                                   ///< a range of the session file, needed to rebuild it
};
[[nodiscard]] std::vector<ListedOriginal> listOriginals(const Ledger &ledger);

/// The commit whose exported file has this content; `path` is for error messages.
[[nodiscard]] Result<CommitInfo> findExport(
    const Store &store, std::string_view exported, const std::filesystem::path &path);

/// Rebuilds the session file, byte for byte, from the file that a compaction exported. Fails if the file is not the
/// export of this commit (the message has the export's name and size), if no file was exported, and with Malformed if
/// the rebuilt file differs from the session file.
[[nodiscard]] Result<std::string> restoreSession(
    const Store &store, const CommitInfo &commit, std::string_view exported, const std::filesystem::path &path);

/// Decodes the bytes of an original: a JSON string and a list of texts to the text, base64 to bytes. Leaves bytes
/// with another coding as they are. Fails with Usage if the coding is not recorded, with Malformed if the base64 is
/// invalid.
[[nodiscard]] Result<std::string> decodedOriginal(const LedgerOriginal &original, std::string bytes);

enum class OriginalForm : uint8_t { AsStored, Decoded };

/// The bytes of an original or artifact, by its name or its path in the store. With `Decoded`: the text that an
/// original encodes.
[[nodiscard]] Result<std::string> readOriginal(
    const Store &store, const CommitInfo &commit, const Ledger &ledger, const std::string &name, OriginalForm form);

/// Writes originals and artifacts into `folder`, each at its path in the store (parseLedger has checked the paths). The
/// folder is made if need be. An error if another file is there already, or a link on the way.
[[nodiscard]] Result<void> restoreInto(const Store &store, const CommitInfo &commit, const Ledger &ledger,
    std::span<const std::string> names, const std::filesystem::path &folder, OriginalForm form);

} // namespace core
