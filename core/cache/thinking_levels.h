// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string_view>

namespace core {

/// The last thinking level chosen in the records between a block and the block before it in the pool (pi:
/// `thinking_level_change`, and the header in front of the first block); empty if none. Reads the bytes between the two
/// again instead of storing a member in Block, as few callers need it and every block of every format would carry it.
[[nodiscard]] std::string_view thinkingLevelBefore(const Session &session, BlockId block);

} // namespace core
