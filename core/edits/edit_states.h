// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/edits/edits.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The state of an edit in a working tree and its history.
enum class EditState : uint8_t {
    Landed,           ///< its lines are in the file
    LandedAndChanged, ///< its lines were there once: some still are, or a later edit, a commit or a stored object shows
                      ///< it
    Reverted,         ///< the old lines are back, and there is evidence that the edit was there
    NeverLanded,      ///< it failed or was stopped, or there is no trace of it outside of the log
    Unknown,          ///< the file is not in the working tree, or its expected content is unknown
};

/// The reason for a state that the edit's own lines do not explain.
enum class StandingReason : uint8_t {
    None,
    Failed,        ///< the harness refused it or the user stopped it
    Untold,        ///< its result does not say whether it landed
    Elsewhere,     ///< the file is not in the working tree
    NoWorkingTree, ///< the repository is bare
    NotShown,      ///< the log does not show the content after the edit
    NotRecognised, ///< the file has neither the new lines nor the old ones
    OldTextStands, ///< the file has the old lines, and there is no trace of the new ones
    NoFile,        ///< the file does not exist, and there is no trace of the new lines
};

/// An edit compared with a repository.
struct EditStanding {
    EditState state = EditState::Unknown;
    StandingReason reason = StandingReason::None;
    bool isInWorkingTree = false; ///< the file in the working tree has its lines
    bool isInHead = false;        ///< the file in HEAD has its lines
    std::string blob;             ///< object id of the body after the edit, if known
    bool isStored = false;        ///< the object database has that blob
    std::string commit;           ///< the first commit that contains the edit
    Timestamp commitTime = 0;
    bool isCommitInHistory = true; ///< the commit is in HEAD's history; else on another branch, a tag, the stash or
                                   ///< only in a reflog
};

/// Compares every edit with the files of `folder`'s working tree (outside of a repository: the files below `folder`)
/// and with its history. Read-only. Resolves links in paths. Paths outside of the recorded working folder are also
/// tried relative to it. Looks for the lines of a change as consecutive lines; if a body is known completely, bodies
/// are compared. Ignores differences in line ends.
///
/// The commit of an edit is the first whose file equals the body after it, or the first not older than the edit that
/// has its added lines and lacks the removed ones. "Reverted" needs evidence that the edit was there: such a commit,
/// the index, an object, some of its lines, or a later edit of the file with such evidence.
///
/// Costs a diff of each edit, the cost of RepositoryHistory::versionsOf, and one reading of each version of a file
/// until all its edits have a commit. Reads at most the first 500 versions of a file that are not older than its edits.
[[nodiscard]] std::vector<EditStanding> editStandings(
    const Edits &edits, const std::filesystem::path &folder, const Progress *progress = nullptr);

/// The place that edits are compared with.
struct StandingGround {
    std::filesystem::path folder; ///< the named folder, or the session's own; empty if neither is on this machine
    std::filesystem::path root;   ///< of the working tree; empty outside of a repository and for bare repositories
    bool isRepository = false;

    [[nodiscard]] bool isBare() const { return isRepository && root.empty(); }
};

[[nodiscard]] StandingGround standingGround(const std::filesystem::path &folder);

/// Why the states are incomplete: no folder, no repository or no working tree. One sentence; empty if they are
/// complete.
[[nodiscard]] std::string limitOf(const StandingGround &ground);

/// `landed`, `landed and changed since`, `reverted`, `never landed`, `unknown`.
[[nodiscard]] std::string_view nameOf(EditState state);

/// For documents: `not_in_working_tree`; empty for None.
[[nodiscard]] std::string_view nameOf(StandingReason reason);

/// To follow a colon: `the file is not in the working tree`; empty for None.
[[nodiscard]] std::string_view sentenceOf(StandingReason reason);

/// `landed and changed since`, `unknown: the file is not in the working tree`.
[[nodiscard]] std::string stateText(const EditStanding &standing);

/// The state with its evidence: `landed · in the working tree · in HEAD · blob 12345678 · since commit 12345678`.
[[nodiscard]] std::string standingText(const EditStanding &standing);

} // namespace core
