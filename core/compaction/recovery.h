// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <filesystem>

namespace core {

/// From where the harness itself could have something back, and when its agent did.
struct Recovery {
    /// `artifact` (the harness's own holds the text, and none of its name is written after it), `working tree` (the
    /// file that the call named holds it now), `git object` (a blob is it), `later slot` (the array after shows it
    /// elsewhere); empty: nowhere.
    std::vector<std::string> from;
    CallIndex fetchedBackAt; ///< the call of the recorded run by which the agent showed it to itself again
};

/// The same for all of a compaction, in its order.
struct Recoveries {
    std::vector<Recovery> rewrites;
    std::vector<Recovery> artifacts;
};

struct RecoveryOptions {
    ThreadIndex thread { 0U };
    CallIndex nextCall;           ///< the first call behind the compaction; invalid: none was recorded
    std::filesystem::path folder; ///< files and repository are looked for here; none if empty
};

/// Looks for every removed text of 40 characters or more (shorter ones are equal by chance) and every artifact. Fetched
/// back is what a later result of the thread shows again: the same text, or, reading the same path before it is written
/// to again, at least half of its lines of 12 or more characters; an artifact, when a later call names it. For a
/// simulated compaction this is what the recorded run read, which had no artifacts. Texts are read and hashed once;
/// of one path the first 64 later readings count.
[[nodiscard]] Recoveries recoveriesOf(const Compaction &compaction, const RecoveryOptions &options);

/// The folder to look in: the one that is named, else the session's own where this machine has it, else none.
[[nodiscard]] std::filesystem::path folderOf(const Session &session, const std::filesystem::path &named);

} // namespace core
