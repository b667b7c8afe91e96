// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/measure.h"
#include "core/tokens/weights.h"

namespace core {

/// Index of the first slot of the keep window: the trailing slots that hold at most `keep`. Slots before it may be
/// rewritten, it and those after it stay verbatim. A window fraction is of the model's window where that is known, else
/// of the array. Token measures keep whole slots, and at least the last one; `0msg` keeps none. Costs O(blocks kept),
/// with a fraction of an unknown window O(blocks).
[[nodiscard]] size_t keepCutoff(const Transcript &transcript, const Measure &keep, const BlockTokens &tokens);

/// What a session opens with, before anybody chose: a tenth of the model's window (the Deep Agents default); for Genkit
/// the last six messages, what the compaction recipe for it keeps.
[[nodiscard]] Measure openingKeep(const Session &session);

} // namespace core
