// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/sweep_set_report.h"

#include <span>

namespace core {

/// The best settings of several policies on the same runs, beside each other. Which policy is suggested is decided on
/// the earlier runs alone, as its settings are: the later ones judge it, and the others too.
struct PolicyChoice {
    std::vector<SweepSetReport> policies; ///< each with what is suggested of it
    std::optional<size_t> chosen;         ///< of `policies`; nothing where nothing can be suggested of any
};

/// Chosen is the policy whose settings come to the least on the earlier runs; of equal ones that with fewer lost uses
/// there, then the first. Policies that are judged by another aim (tokens, where runs have no price) than the first
/// that has a suggestion are not compared.
[[nodiscard]] PolicyChoice choosePolicy(std::vector<SweepSetReport> policies);

/// The document `palimpsest.policy_choice/1`: the place of the chosen policy, and of each policy its
/// `palimpsest.sweep_set/1`.
[[nodiscard]] nlohmann::ordered_json policyChoiceJson(const PolicyChoice &choice);

/// For the terminal: a row for each policy, the chosen one marked, and what is suggested in sentences.
[[nodiscard]] std::string drawPolicyChoice(const PolicyChoice &choice);

} // namespace core
