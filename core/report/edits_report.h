// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edit_basis.h"
#include "core/edits/edit_states.h"
#include "core/edits/edits.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace core {

/// What `edits` says of a session.
struct EditsReport {
    Edits edits;
    std::vector<EditBasis> bases;        ///< by edit, as recorded
    std::vector<EditStanding> standings; ///< by edit; empty: there is no folder to look in
};

/// Finds the edits of a session and the recorded basis of each, every thread's in its own context; holds them against
/// the files and the repository of `folder`, if it is not empty.
[[nodiscard]] EditsReport editsReport(const SessionPtr &session, const std::filesystem::path &folder = {});

/// The document `palimpsest.edits/1`. `before_known` and `after_known`: every byte of the body is known. `state` is
/// null without a folder.
[[nodiscard]] nlohmann::ordered_json editsJson(const EditsReport &report);

/// For the terminal: a line for each edit, then the sums. Ends with a line end.
[[nodiscard]] std::string drawEdits(const EditsReport &report);

} // namespace core
