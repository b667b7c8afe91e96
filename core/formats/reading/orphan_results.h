// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <vector>

namespace core {

/// A note for each tool result without its call before it. Looks at the array at the end of each thread; for results
/// that are in no such array, at the pool. Lists twenty notes and counts the others. Costs O(blocks).
[[nodiscard]] std::vector<Diagnostic> orphanResults(const SessionBuilder &builder);

/// Adds these notes to the session.
void noteOrphanResults(SessionBuilder &builder);

} // namespace core
