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

/// What became of an edit in a working tree and its history.
enum class EditState : uint8_t {
    Landed,           ///< its lines stand in the file
    LandedAndChanged, ///< they once did: a part of them, a later edit, a commit or an object tells
    Reverted,         ///< what it had replaced stands there again, and something tells that the edit was there
    NeverLanded,      ///< it failed or was stopped, or nothing but the log holds it
    Unknown,          ///< the file is not in the working tree, or what it should hold is not known
};

/// What a state that is not told by the edit's own lines rests on.
enum class StandingReason : uint8_t {
    None,
    Failed,        ///< the harness refused or stopped it
    Untold,        ///< its answer does not say whether it landed
    Elsewhere,     ///< the file is not in the working tree
    NoWorkingTree, ///< the repository is bare
    NotShown,      ///< the log does not show what it made of the file
    NotRecognised, ///< the file holds neither its lines nor what they replaced
    OldTextStands, ///< what it replaced stands there, and nothing holds its lines
    NoFile,        ///< there is no such file, and nothing holds its lines
};

/// An edit held against a repository.
struct EditStanding {
    EditState state = EditState::Unknown;
    StandingReason reason = StandingReason::None;
    bool isInWorkingTree = false; ///< the file there holds its lines
    bool isInHead = false;        ///< HEAD's does
    std::string blob;             ///< id of the body after it, where that is known
    bool isStored = false;        ///< the object database holds that blob
    std::string commit;           ///< the first one that took it
    Timestamp commitTime = 0;
    bool isCommitInHistory = true; ///< of HEAD; else another branch, a tag, the stash or a reflog names it
};

/// Holds every edit against the files of the working tree that `folder` belongs to (in no repository: below it), and
/// against its history. Nothing is written. Paths are compared as they really are, links resolved; those outside the
/// recorded working folder also by their way from there. Lines are looked for as they stand together in the change;
/// where a body is known whole, equality decides. How lines end does not count.
///
/// The commit that took an edit is the first one whose file is the body after it, or which, not older than the edit,
/// has its added lines and not the removed ones. "Reverted" wants evidence that the edit was there: such a commit, the
/// index, an object, a part of its lines, or a later edit of the file that has any of these.
///
/// Costs a diff of each edit, what RepositoryHistory::versionsOf costs, and one reading of each version of a file as
/// long as there are edits of it without a commit: of one file the first 500 that are not older than they.
[[nodiscard]] std::vector<EditStanding> editStandings(
    const Edits &edits, const std::filesystem::path &folder, const Progress *progress = nullptr);

/// What edits are held against.
struct StandingGround {
    std::filesystem::path folder; ///< that was named, or the session's own; empty: neither is on this machine
    std::filesystem::path root;   ///< of the working tree; empty in no repository and in a bare one
    bool isRepository = false;

    [[nodiscard]] bool isBare() const { return isRepository && root.empty(); }
};

[[nodiscard]] StandingGround standingGround(const std::filesystem::path &folder);

/// Why the states tell less than they might: there is no folder, no repository, no working tree. A sentence; empty if
/// there is nothing to say.
[[nodiscard]] std::string limitOf(const StandingGround &ground);

/// `landed`, `landed and changed since`, `reverted`, `never landed`, `unknown`.
[[nodiscard]] std::string_view nameOf(EditState state);

/// `not_in_working_tree`: for documents; empty where there is none.
[[nodiscard]] std::string_view nameOf(StandingReason reason);

/// `the file is not in the working tree`: follows a colon; empty where there is none.
[[nodiscard]] std::string_view sentenceOf(StandingReason reason);

/// `landed and changed since`, `unknown: the file is not in the working tree`.
[[nodiscard]] std::string stateText(const EditStanding &standing);

/// The same with what tells it: `landed · in the working tree · in HEAD · blob 12345678 · since commit 12345678`.
[[nodiscard]] std::string standingText(const EditStanding &standing);

} // namespace core
