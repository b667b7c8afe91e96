// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/writing/splice.h"

namespace core {

/// What the records of a new file say of its session.
struct NewRecords {
    std::string id;         ///< of the session, in every record that holds one; empty: it stays
    double addedTokens = 0; ///< by which the new array is larger: the last recorded usage changes by this size
};

/// A new file of the session whose records say what `records` says. The result still says how to undo all changes.
/// Fails with a sentence if there is a new id and no record has one, or if the new file does not read as before. Costs
/// reading both files.
[[nodiscard]] Result<Spliced> asNewSession(const Session &session, const Spliced &spliced, const NewRecords &records);

/// How to undo two edits of a file, one after the other.
[[nodiscard]] std::vector<InverseSplice> joined(
    const std::vector<InverseSplice> &first, const std::vector<InverseSplice> &second);

} // namespace core
