// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay.h"

namespace core {

/// The ground as if the texts that the user wrote had been there from the first call that contains their block. An
/// edited text enters the log in the place of its block, an inserted one after its message. What the cache reads before
/// that call stays. The calls themselves are as recorded.
///
/// The new blocks stand behind the session's own. Afterwards `options` pins the new blocks. Its lists of texts are
/// empty. It has no memo, because the memo belongs to the old session.
[[nodiscard]] ReplayGroundPtr editedGround(const ReplayGroundPtr &ground, ReplayOptions &options);

} // namespace core
