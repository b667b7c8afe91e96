// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/session/body.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// `xxh3-128:` and 32 hexadecimal digits, by which ledgers identify files (`xxhsum -H2` prints the digits).
[[nodiscard]] std::string contentHash(std::string_view bytes);

/// Base of all ledger objects: keeps members written by other versions and unknown to this one.
struct LedgerEntry {
    Json unknown;
};

/// A file named by a ledger. Identified by its content, wherever it is.
struct FileIdentity : LedgerEntry {
    std::string file; ///< file name without folders
    std::string format;
    uint64_t bytes = 0;
    std::string hash; ///< contentHash
};

/// One change of a compaction.
struct LedgerRewrite : LedgerEntry {
    SlotIndex slot; ///< in the `before` array; invalid if the change has no slot
    MessageId message;
    BlockId block;
    std::string pointer; ///< JSON pointer inside the block; empty for all of it
    std::string stage;
    std::string why;
    uint64_t beforeCharacters = 0;
    uint64_t afterCharacters = 0;
    std::string original; ///< name of an original; empty if nothing was removed
    std::string artifact; ///< name of an artifact; empty if the harness keeps none
    /// Where the harness itself still has the text: artifact, working tree, git object, later slot; empty: nowhere.
    /// nullopt: not determined, by an older version.
    std::optional<std::vector<std::string>> recoverableFrom;
    CallIndex fetchedBackAt; ///< the call by which the agent read it again; invalid: never
};

/// Original bytes that the store keeps. Store::commit fills in `path`, `oid` and `bytes`.
struct LedgerOriginal : LedgerEntry {
    std::string name;
    std::string path; ///< in the git tree
    std::string oid;
    uint64_t bytes = 0;
    /// How the bytes encode the block's text: `empty`, `plain`, `json-string`, `json-value`, `text-parts` or `base64`
    /// in the document; encrypted text counts as text: `json-string`. nullopt: a range of the session file, or an older
    /// version did not record it.
    std::optional<Coding> coding {};
};

/// A file that the harness would have kept, under the harness's name. Store::commit fills in `path`, `oid` and `bytes`.
struct LedgerArtifact : LedgerEntry {
    std::string name; ///< as the harness would write it
    std::string path;
    std::string oid;
    uint64_t bytes = 0;
    bool isSameAsOriginal = false;
    std::string difference;                   ///< a sentence; empty if there is none
    std::vector<std::string> recoverableFrom; ///< artifact, working tree, git object, later slot; empty: nowhere
    CallIndex fetchedBackAt;                  ///< the call by which the agent read it again; invalid: never
};

/// How to rebuild the session file from the export: `length` bytes at `at` of the export replace the bytes of an
/// original, which were at `originalOffset` of the session file. Splices are sorted by `at` and do not overlap.
struct LedgerSplice : LedgerEntry {
    uint64_t at = 0;
    uint64_t length = 0;
    uint64_t originalOffset = 0;
    std::string original; ///< name of an original; empty if the export only added bytes
};

/// The content of `ledger.json`, the record of one committed compaction: the file, the policy, every rewrite with its
/// reason, and the place of all removed bytes. Names may contain any bytes.
struct Ledger : LedgerEntry {
    FileIdentity session;
    std::optional<FileIdentity> exported; ///< nullopt if no file was written
    ThreadIndex thread { 0U };
    CallIndex call; ///< invalid: the final array
    std::string policy;
    std::string policyHash; ///< contentHash of policy.json
    std::vector<LedgerRewrite> rewrites;
    std::vector<LedgerOriginal> originals;
    std::vector<LedgerArtifact> artifacts;
    std::vector<LedgerSplice> splices;
};

/// The name of a coding in documents.
[[nodiscard]] std::string_view nameOf(Coding coding);

/// The document of schema `palimpsest.ledger/1`, indented, with a final line end. Equal ledgers give equal bytes.
[[nodiscard]] std::string writeLedger(const Ledger &ledger);

/// Reads a ledger of this schema or an older one. Fails with Malformed for a newer schema, for other documents, and if
/// a path is not an isTreePath: `restore` writes files to these paths.
[[nodiscard]] Result<Ledger> parseLedger(std::string_view json, std::string_view where = {});

} // namespace core
