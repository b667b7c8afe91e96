// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <vector>

namespace core {

/// Where results without a call are looked for.
enum class OrphansIn : uint8_t {
    All,  ///< in the array at the end of each thread; for results that are in no such array, in the pool
    Ends, ///< in these arrays alone: the pool also holds messages of earlier arrays, not in the order of those arrays
};

/// A note for each tool result without its call before it. Lists twenty notes and counts the others. Costs O(blocks).
[[nodiscard]] std::vector<Diagnostic> orphanResults(const SessionBuilder &builder, OrphansIn where = OrphansIn::All);

/// Adds these notes to the session.
void noteOrphanResults(SessionBuilder &builder, OrphansIn where = OrphansIn::All);

} // namespace core
