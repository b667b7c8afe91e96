// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay.h"

namespace core {

/// The ground as it would be if the texts that the user wrote had been there from the first call that holds their block
/// on. So an edited text enters the log in the place of its block, and an inserted one behind its message; what the
/// cache reads before that call stays. The calls themselves are as recorded.
///
/// The new blocks stand behind the session's own. `options` names them as kept, and writes no text any more; its memo,
/// which is of the old session, is forgotten.
[[nodiscard]] ReplayGroundPtr editedGround(const ReplayGroundPtr &ground, ReplayOptions &options);

} // namespace core
