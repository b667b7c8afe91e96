// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edit_basis.h"
#include "core/replay/replay.h"

#include <memory>
#include <optional>
#include <vector>

namespace core {

/// By thread: its uses if it edits files, else nullptr.
using EditUses = std::vector<std::shared_ptr<const Uses>>;

/// Runs `findUses` for each of these threads, except those in `known`. nullopt if cancelled.
[[nodiscard]] std::optional<EditUses> usesOfEdits(
    const Edits &edits, EditUses known = {}, Progress *progress = nullptr);

/// By number of the edit: its basis in the recorded context of its thread. `sums` know what silent clearings may have
/// removed.
[[nodiscard]] std::vector<EditBasis> recordedBases(const Edits &edits, const EditUses &uses, const SessionSums &sums);

/// The same under a policy, which is replayed over each of these threads. nullopt if cancelled.
[[nodiscard]] std::optional<std::vector<EditBasis>> basesUnder(const Edits &edits, const EditUses &uses,
    const PolicyPtr &policy, const BlockTokensPtr &tokens, const SessionSums &sums, const ReplayOptions &options = {});

} // namespace core
