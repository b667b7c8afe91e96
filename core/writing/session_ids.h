// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/writing/splice.h"

namespace core {

/// A new file of the session with another session id: every record that holds the session's id gets `id`. The result
/// still says how to undo all changes. Fails with a sentence if no record has an id, or if the new file does not read
/// as before. Costs reading both files.
[[nodiscard]] Result<Spliced> withSessionId(const Session &session, const Spliced &spliced, const std::string &id);

/// How to undo two edits of a file, one after the other.
[[nodiscard]] std::vector<InverseSplice> joined(
    const std::vector<InverseSplice> &first, const std::vector<InverseSplice> &second);

} // namespace core
