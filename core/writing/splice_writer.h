// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/writing/splice.h"
#include "core/writing/splice_cut.h"
#include "core/writing/splice_shapes.h"

namespace core {

/// The session file: the source that a reader is given is the first of its session.
inline constexpr SourceId kFile { 0U };

/// Writes the edits at the places where the blocks stand, whatever a reader makes of the result: `spliceSession` looks
/// at that. The session's format has a shape. With a cut (or nullptr) what leaves by it leaves, too.
[[nodiscard]] Result<Spliced> writeSplices(const Session &session, const SpliceEdits &edits, const SpliceCut *cut);

} // namespace core
