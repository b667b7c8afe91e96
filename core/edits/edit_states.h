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
    LandedAndChanged, ///< they once did: a later edit, a commit or an object tells; now some or all are gone
    Reverted,         ///< what it had replaced stands there again
    NeverLanded,      ///< it failed or was stopped, or there is neither file nor object that holds it
    Unknown,          ///< the file is not below the folder, or what it should hold is not known
};

/// An edit held against a repository.
struct EditStanding {
    EditState state = EditState::Unknown;
    bool isInWorkingTree = false; ///< the file there holds its lines
    bool isInHead = false;        ///< HEAD's does
    std::string blob;             ///< id of the body after it, where that is known
    bool isStored = false;        ///< the object database holds that blob
    std::string commit; ///< the oldest commit whose file is that body, or the body of a later edit that keeps its lines
    Timestamp commitTime = 0;
};

/// Holds every edit against the files below `folder` and the repository it belongs to. Nothing is written. Lines are
/// looked for as they stand together in the change; where a body is known whole, equality decides. Costs a diff of each
/// edit, and of the commits one look at each path that holds a body.
[[nodiscard]] std::vector<EditStanding> editStandings(
    const Edits &edits, const std::filesystem::path &folder, const Progress *progress = nullptr);

/// `landed`, `landed and changed since`, `reverted`, `never landed`, `unknown`.
[[nodiscard]] std::string_view nameOf(EditState state);

} // namespace core
