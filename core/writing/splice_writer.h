// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/writing/splice.h"
#include "core/writing/splice_cut.h"

namespace core {

/// The session file: the first source of a session.
inline constexpr SourceId kFile { 0U };

/// Writes the edits at the places of the blocks. Does not check how a reader sees the result; `spliceSession` does. The
/// format of the session must define a `SpliceShape` with a `message` function. Also removes what `cut` (may be
/// nullptr) removes.
[[nodiscard]] Result<Spliced> writeSplices(const Session &session, const SpliceEdits &edits, const SpliceCut *cut);

} // namespace core
