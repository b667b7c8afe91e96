// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edit_basis.h"
#include "core/replay/replay.h"

#include <memory>
#include <optional>
#include <vector>

namespace core {

/// The uses of every thread that edits files, by thread; nullptr for the others.
using EditUses = std::vector<std::shared_ptr<const Uses>>;

/// Costs what `findUses` costs, for each of these threads; those in `known` cost nothing. Nothing if cancelled.
[[nodiscard]] std::optional<EditUses> usesOfEdits(
    const Edits &edits, EditUses known = {}, Progress *progress = nullptr);

/// The basis of every edit, by its number, each thread's in its own context as recorded.
[[nodiscard]] std::vector<EditBasis> recordedBases(const Edits &edits, const EditUses &uses);

/// The same as it would have been under a policy. Replays the policy over each of these threads. Nothing if cancelled.
[[nodiscard]] std::optional<std::vector<EditBasis>> basesUnder(const Edits &edits, const EditUses &uses,
    const PolicyPtr &policy, const BlockTokensPtr &tokens, const ReplayOptions &options = {});

} // namespace core
