// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
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
    std::vector<EditBasis> bases;       ///< by edit, as recorded
    std::string policy;                 ///< id of the chosen policy; empty: none
    std::vector<EditBasis> policyBases; ///< by edit, as they would have been under it; empty without one
    StandingGround ground;
    std::vector<EditStanding> standings; ///< by edit; empty: there is no folder to look in
};

struct EditsReportOptions {
    std::filesystem::path folder; ///< files and repository are looked for here; none if empty
    PolicyPtr policy;             ///< nullptr: none
    unsigned threads = 1;         ///< that may count tokens, which policies want
};

/// Finds the edits of a session and the recorded basis of each, every thread's in its own context, and the same under a
/// policy; holds them against the files and the repository of a folder.
[[nodiscard]] EditsReport editsReport(const SessionPtr &session, const EditsReportOptions &options = {});

/// The document `palimpsest.edits/1`. `before_known` and `after_known`: every byte of the body is known. `state` is
/// null without a folder, `policy_basis` without a policy. `slots` of a basis are in context; what once showed a text
/// that no longer is stands in `last_shown`.
[[nodiscard]] nlohmann::ordered_json editsJson(const EditsReport &report);

/// For the terminal: a line for each edit, then the sums. Ends with a line end.
[[nodiscard]] std::string drawEdits(const EditsReport &report);

} // namespace core
