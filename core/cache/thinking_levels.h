// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string_view>

namespace core {

/// The level of thinking that records between that of a block and that of the block before it in the pool choose last
/// (pi: `thinking_level_change`, and the header in front of the first block); empty where none does. Reads the bytes
/// between the two anew: it is asked for seldom, and a member of Block would be carried by every block of every format.
[[nodiscard]] std::string_view thinkingLevelBefore(const Session &session, BlockId block);

} // namespace core
