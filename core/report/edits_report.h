// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "core/edits/edit_basis.h"
#include "core/edits/edit_remains.h"
#include "core/edits/edit_states.h"
#include "core/edits/edits.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace core {

/// The content of `edits` for a session.
struct EditsReport {
    Edits edits;
    std::vector<EditRemains> remains;   ///< by edit
    std::vector<EditBasis> bases;       ///< by edit, as recorded
    std::string policy;                 ///< id of the chosen policy; empty: none
    std::vector<EditBasis> policyBases; ///< by edit, under the policy; empty without one
    StandingGround ground;
    std::vector<EditStanding> standings; ///< by edit; empty without a folder
};

struct EditsReportOptions {
    std::filesystem::path folder; ///< to look for files and repository in; empty: none
    PolicyPtr policy;             ///< nullptr: none
    unsigned threads = 1;         ///< for counting tokens, which policies need
};

/// Finds the edits of a session, the recorded basis of each in its own thread's context, and the basis under a policy;
/// compares the edits with the files and the repository of a folder.
[[nodiscard]] EditsReport editsReport(const SessionPtr &session, const EditsReportOptions &options = {});

/// The document `palimpsest.edits/1`. `before_known` and `after_known`: every byte of the body is known. `state` is
/// null without a folder, `policy_basis` without a policy. `slots` of a basis are in context; a block that showed the
/// text but has left the context is in `last_shown`.
[[nodiscard]] nlohmann::ordered_json editsJson(const EditsReport &report);

/// `#41 Edit src/a.py · landed · no later edit replaces it · +4 -1 · read #38, 2 calls before, in context`
[[nodiscard]] std::string editSentence(const EditsReport &report, size_t number);
/// For the terminal: a line per edit, or a sentence if there is none. Ends with a line end.
[[nodiscard]] std::string drawEdits(const EditsReport &report);

} // namespace core
