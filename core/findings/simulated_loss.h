// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/compaction_loss.h"

namespace core {

/// `simulatedLoss` of one compaction alone, whose array is that of `position`. `tokens` is the table of the session;
/// nullopt if cancelled.
[[nodiscard]] std::optional<CompactionLoss> simulatedLoss(const Compaction &compaction, Position position,
    const BlockTokensPtr &tokens, const Prices &prices, Progress *progress = nullptr);

} // namespace core
