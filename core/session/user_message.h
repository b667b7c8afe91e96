// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

namespace core {

/// A text that the person typed, as all counts of user messages have it: no image, no document, and not an empty one.
[[nodiscard]] inline bool isUserMessage(const Block &block)
{
    return block.kind == BlockKind::Text && block.is(BlockFlag::Typed) && block.lengths.bytes > 0;
}

} // namespace core
