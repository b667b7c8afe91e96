// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

namespace core {

/// Whether the ids of `before` name the same blocks, messages, threads and calls in `grown`: a later reading by the
/// same reader. False if new records changed the order of the pool, as when a thread grows that is not the last one, or
/// if the user went back to an earlier message. Costs O(blocks); reads no text.
[[nodiscard]] bool continues(const Session &before, const Session &grown);

/// Whether two readings of one file begin with the same message: the session went on. False if the file holds another
/// session now.
[[nodiscard]] bool beginsAlike(const Session &before, const Session &now);

} // namespace core
