// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <filesystem>

namespace core {

/// Where the harness itself still has a removed text, and when its agent read it again.
struct Recovery {
    /// `artifact` (the harness's artifact, or one in the session file, has the text and is not overwritten later),
    /// `working tree` (the file named by the call has it now), `git object` (it is a blob), `later slot` (another slot
    /// of the `after` array shows it); empty: nowhere.
    std::vector<std::string> from;
    CallIndex fetchedBackAt; ///< the call of the recorded run by which the agent read it again
};

/// The same for all rewrites and artifacts of a compaction, in their order.
struct Recoveries {
    std::vector<Recovery> rewrites;
    std::vector<Recovery> artifacts;
};

struct RecoveryOptions {
    ThreadIndex thread { 0U };
    CallIndex nextCall;           ///< the first call after the compaction; invalid: none was recorded
    std::filesystem::path folder; ///< folder to look for files and repository in; empty: none
};

/// Looks for every removed text of 40 characters or more (shorter texts are equal by chance) and every artifact. A text
/// counts as fetched back when a later result of the thread contains it again. It also counts when a later result reads
/// the same path, before the next write to it, and contains at least half of the text's lines of 12 or more characters.
/// An artifact counts when a later call names it. For a simulated compaction this describes the recorded run, which had
/// no artifacts. Reads and hashes each text once, and examines the first 64 later readings of a path.
[[nodiscard]] Recoveries recoveriesOf(const Compaction &compaction, const RecoveryOptions &options);

/// The folder to look in: `named`, else the session's own if it exists on this machine, else none.
[[nodiscard]] std::filesystem::path folderOf(const Session &session, const std::filesystem::path &named);

} // namespace core
