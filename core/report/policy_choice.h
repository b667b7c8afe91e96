// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/sweep_set_report.h"

#include <span>

namespace core {

/// Compares several policies, each with its best settings, on the same runs. The policy is chosen on the earlier runs
/// only, like its settings; the later runs judge all policies.
struct PolicyChoice {
    std::vector<SweepSetReport> policies; ///< each with its suggestion
    std::optional<size_t> chosen;         ///< index into `policies`; nullopt if none has a suggestion
};

/// Chooses the policy whose suggested settings have the lowest aim on the earlier runs; ties go to fewer lost uses
/// there, then to the first. Policies with another aim (tokens, where runs have no price) than the first one with a
/// suggestion are not compared.
[[nodiscard]] PolicyChoice choosePolicy(std::vector<SweepSetReport> policies);

/// The document `palimpsest.policy_choice/1`: the index of the chosen policy, and for each policy its
/// `palimpsest.sweep_set/1`.
[[nodiscard]] nlohmann::ordered_json policyChoiceJson(const PolicyChoice &choice);

/// For the terminal: the answer in sentences, a row per policy with the chosen one marked, then the statistics.
[[nodiscard]] std::string drawPolicyChoice(const PolicyChoice &choice);
/// The part of it below the answer.
[[nodiscard]] std::string policyTable(const PolicyChoice &choice);

} // namespace core
