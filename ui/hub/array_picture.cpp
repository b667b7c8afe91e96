// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/array_picture.h"

#include <algorithm>

namespace ui {

core::BlockId ArrayPicture::originOf(core::BlockId blockAfter) const
{
    if (!made())
        return blockAfter;
    const auto blocks = after.blocks();
    const auto found = std::ranges::find(blocks, blockAfter);
    return found == blocks.end() ? core::BlockId() : made()->origins[static_cast<size_t>(found - blocks.begin())];
}

} // namespace ui
