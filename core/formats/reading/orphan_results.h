// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <vector>

namespace core {

/// A note for each call that has a result and does not come before it: in the array at the end of a thread, or, for
/// results that are in no such array, in the pool. Beyond twenty they are counted, not listed. Costs O(blocks).
[[nodiscard]] std::vector<Diagnostic> orphanResults(const SessionBuilder &builder);

/// Adds these notes to the session.
void noteOrphanResults(SessionBuilder &builder);

} // namespace core
