// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/measure.h"
#include "core/tokens/weights.h"

namespace core {

/// Index of the first slot of the keep window of a measure alone, for views without a policy (what a policy keeps is
/// `cutoffOf`, message_array.h): the trailing slots that together hold at most `keep`. A window fraction refers to the
/// model's window if known, else to the array. Token measures keep whole slots, and at least the last one; `0msg` keeps
/// none. Costs O(blocks kept), for a fraction of an unknown window O(blocks).
[[nodiscard]] size_t keepCutoff(const Transcript &transcript, const Measure &keep, const BlockTokens &tokens);

/// The initial keep of a new session: a tenth of the model's window (the Deep Agents default); for Genkit the last six
/// messages, as in its compaction recipe.
[[nodiscard]] Measure openingKeep(const Session &session);

} // namespace core
