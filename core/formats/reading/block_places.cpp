// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/block_places.h"

#include <algorithm>

namespace core {

void setRecord(const SessionBuilder &builder, Block &block, SourceId holder, std::string_view raw, uint64_t line)
{
    block.recordLine = line;
    block.recordOffset = static_cast<uint64_t>(raw.data() - builder.sourceBytes(holder).data());
    block.recordSize = raw.size();
}

void setRecords(
    const SessionBuilder &builder, std::span<Block> blocks, SourceId holder, std::string_view raw, uint64_t line)
{
    for (Block &block : blocks) {
        if (!block.body.source.isValid())
            block.body.source = holder;
        if (block.body.source == holder)
            setRecord(builder, block, holder, raw, line);
    }
}

void growToBody(Block &block)
{
    if (block.body.coding != Coding::Empty)
        block.recordSize
            = std::max(block.recordOffset + block.recordSize, block.body.offset + block.body.size) - block.recordOffset;
}

void placePrelude(SessionBuilder &builder, ThreadIndex thread, const std::vector<Block> &blocks)
{
    if (blocks.empty())
        return;
    MessageDraft draft;
    draft.role = Role::System;
    draft.line = blocks.front().recordLine;
    draft.blocks = blocks;
    Thread &target = builder.thread(thread);
    target.prelude = builder.rangeOf(builder.addMessage(thread, draft));
    for (Call &call : target.calls)
        call.prelude = target.prelude;
}

} // namespace core
