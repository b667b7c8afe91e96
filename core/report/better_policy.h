// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/policy_choice.h"

#include <functional>

namespace core {

/// Whether a policy would have done better than the recordings of the other sessions of a project. Settings are chosen
/// on the earlier ones and judged on the later ones; the session that asks takes no part in the choice.
struct BetterPolicy {
    size_t files = 0;             ///< other files with sessions
    size_t runs = 0;              ///< their runs, without copies
    size_t copies = 0;            ///< runs left out because they share calls with the session
    PolicyChoice choice;          ///< made on the others
    std::optional<RunSweep> here; ///< the session's own run under the chosen settings: one cell

    /// The suggestion, if the other runs show a saving within the limits.
    [[nodiscard]] const Suggestion *found() const;
};

/// What a search needs, and how many other files there are. To be said before it starts.
[[nodiscard]] std::string betterPolicyNeed(size_t otherFiles);

/// The files in the folder of a file, itself included.
[[nodiscard]] std::vector<std::string> filesBeside(const std::string &file);

/// Sweeps a few presets, each of which reproduces a harness, over keep and trigger: in the other files, and in the
/// session. Files of `others` that are `file` are left out. If they hold too few runs, sweeps nothing. `tell` gets the
/// number of files done. nullopt if cancelled.
[[nodiscard]] std::optional<BetterPolicy> findBetterPolicy(const std::string &file, const SessionPtr &session,
    std::span<const std::string> others, const Prices &prices, const RunSweepOptions &options,
    const std::function<void(size_t done)> &tell = {});

/// What was found, or why nothing was, in sentences; the first is the answer.
[[nodiscard]] std::vector<std::string> betterPolicySentences(const BetterPolicy &better);
/// The member `better_policy` of the document of findings.
[[nodiscard]] nlohmann::ordered_json betterPolicyJson(const BetterPolicy &better);

} // namespace core
