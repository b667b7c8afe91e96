// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/array_picture.h"

#include <algorithm>

namespace ui {

const core::HotBlock *ArrayPicture::hotBlock(core::SlotIndex slot, core::BlockId block) const
{
    const auto slotOf = [this](uint32_t place) { return hot->blocks[place].slot; };
    for (const uint32_t place : std::ranges::equal_range(hot->bySlot, slot, {}, slotOf)) {
        if (hot->blocks[place].block == block)
            return &hot->blocks[place];
    }
    return nullptr;
}

core::BlockId ArrayPicture::originOf(core::BlockId blockAfter) const
{
    if (!made())
        return blockAfter;
    const auto blocks = after.blocks();
    const auto found = std::ranges::find(blocks, blockAfter);
    return found == blocks.end() ? core::BlockId() : made()->origins[static_cast<size_t>(found - blocks.begin())];
}

} // namespace ui
