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

std::vector<core::BlockId> ArrayPicture::putBackWith(core::BlockId summary) const
{
    std::vector<core::BlockId> back;
    if (!isSimulated() || !after.block(summary).is(core::BlockFlag::Summary) || originOf(summary).isValid())
        return back;
    for (const core::BlockId id : after.blocksOf(after.slot(after.slotOf(summary)))) {
        if (id != summary && after.block(id).is(core::BlockFlag::Injected) && !originOf(id).isValid())
            back.push_back(id);
    }
    return back;
}

} // namespace ui
