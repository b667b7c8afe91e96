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

/// `xxh3-128:` and 32 hexadecimal digits: what a ledger knows files by (`xxhsum -H2` prints the digits).
[[nodiscard]] std::string contentHash(std::string_view bytes);

/// What every object of a ledger keeps: members that another version wrote and this one does not know.
struct LedgerEntry {
    Json unknown;
};

/// A file that the ledger speaks of: known by its bytes, wherever it lies.
struct FileIdentity : LedgerEntry {
    std::string file; ///< its name without folders
    std::string format;
    uint64_t bytes = 0;
    std::string hash; ///< contentHash
};

/// One change of a compaction.
struct LedgerRewrite : LedgerEntry {
    SlotIndex slot; ///< in the array before; invalid where the change is no slot's
    MessageId message;
    BlockId block;
    std::string pointer; ///< where in the block, if not all of it
    std::string stage;
    std::string why;
    uint64_t beforeCharacters = 0;
    uint64_t afterCharacters = 0;
    std::string original; ///< name of an original; empty if nothing was removed
    std::string artifact; ///< name of an artifact; empty if the harness keeps none
    /// Where the harness itself has the text: artifact, working tree, git object, later slot; empty: nowhere. Nothing:
    /// not looked for, by an older version.
    std::optional<std::vector<std::string>> recoverableFrom;
    CallIndex fetchedBackAt; ///< the call by which the agent showed it to itself again; invalid: never
};

/// Bytes that we keep, as they stood in the session. `path`, `oid` and `bytes` are filled in by Store::commit.
struct LedgerOriginal : LedgerEntry {
    std::string name;
    std::string path; ///< in the tree
    std::string oid;
    uint64_t bytes = 0;
    /// How they stand for the text of the block, `empty`, `plain`, `json-string`, `json-value` or `base64` in the
    /// document; what is sealed is the text that it is. Nothing: a range of the session file, or not said, by an older
    /// version.
    std::optional<Coding> coding {};
};

/// What the harness would have kept, under its own name. `path`, `oid` and `bytes` are filled in by Store::commit.
struct LedgerArtifact : LedgerEntry {
    std::string name; ///< exactly as the harness would write it
    std::string path;
    std::string oid;
    uint64_t bytes = 0;
    bool isSameAsOriginal = false;
    std::string difference;                   ///< a sentence; empty where there is none
    std::vector<std::string> recoverableFrom; ///< artifact, working tree, git object, later slot; empty: nowhere
    CallIndex fetchedBackAt;                  ///< the call at which the agent read it again; invalid: never
};

/// How the session file comes back out of the exported one: `length` bytes at `at` of the export stand for those of an
/// original, which stood at `originalOffset` of the session file. Sorted by `at`, not overlapping.
struct LedgerSplice : LedgerEntry {
    uint64_t at = 0;
    uint64_t length = 0;
    uint64_t originalOffset = 0;
    std::string original; ///< name of an original; empty: no bytes, the export added some
};

/// What one committed compaction did, as `ledger.json` says it: which file, under which policy, what was rewritten and
/// why, and where every removed byte lies. Names may hold any bytes.
struct Ledger : LedgerEntry {
    FileIdentity session;
    std::optional<FileIdentity> exported; ///< nothing where no file was written
    ThreadIndex thread { 0U };
    CallIndex call; ///< invalid: the array at the end
    std::string policy;
    std::string policyHash; ///< contentHash of policy.json
    std::vector<LedgerRewrite> rewrites;
    std::vector<LedgerOriginal> originals;
    std::vector<LedgerArtifact> artifacts;
    std::vector<LedgerSplice> splices;
};

/// The word for a coding in documents.
[[nodiscard]] std::string_view nameOf(Coding coding);

/// The document of schema `palimpsest.ledger/1`, indented, with a line end. The same ledger gives the same bytes.
[[nodiscard]] std::string writeLedger(const Ledger &ledger);

/// Reads a ledger of this schema or an older one. Fails with Malformed for a newer one, for any other document, and for
/// a ledger with a path that is no isTreePath: `restore` writes files at these paths.
[[nodiscard]] Result<Ledger> parseLedger(std::string_view json, std::string_view where = {});

} // namespace core
