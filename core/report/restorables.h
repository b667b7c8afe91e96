// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/originals/store.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace core {

/// The document of schema `palimpsest.restore/1`: the commit, and its originals and artifacts with these names or paths
/// in the store; all of them if no name is given.
[[nodiscard]] nlohmann::ordered_json restoreJson(
    const CommitInfo &commit, const Ledger &ledger, std::span<const std::string> names);

/// The same for people: the compaction, a line for each original and artifact.
[[nodiscard]] std::string drawRestorables(const CommitInfo &commit, const Ledger &ledger);

} // namespace core
