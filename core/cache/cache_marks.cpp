// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_marks.h"

#include <algorithm>
#include <unordered_set>

namespace core {

namespace {

constexpr size_t kMarkedUsers = 2;

/// Goes backwards, so that the results of all later user messages are known at each assistant message.
std::optional<BlockId> stableAssistantBlock(const Transcript &array)
{
    std::unordered_set<StringId> answered;
    for (size_t i = array.slotCount(); i-- > 0;) {
        const Slot &slot = array.slots()[i];
        const auto blocks = array.blocksOf(slot);
        if (slot.role == Role::Assistant && !blocks.empty()) {
            const bool isStable = std::ranges::all_of(blocks, [&](BlockId id) {
                const Block &block = array.block(id);
                return block.kind != BlockKind::ToolCall || answered.contains(block.callId);
            });
            if (isStable)
                return blocks.back();
            continue;
        }
        for (const BlockId id : blocks) {
            if (array.block(id).kind == BlockKind::ToolResult)
                answered.insert(array.block(id).callId);
        }
    }
    return std::nullopt;
}

std::vector<BlockId> lastUserBlocks(const Transcript &array)
{
    std::vector<BlockId> marked;
    for (size_t i = array.slotCount(); i-- > 0 && marked.size() < kMarkedUsers;) {
        const Slot &slot = array.slots()[i];
        if ((slot.role == Role::User || slot.role == Role::Tool) && slot.blockCount > 0)
            marked.push_back(array.blocksOf(slot).back());
    }
    std::ranges::reverse(marked);
    return marked;
}

} // namespace

std::vector<BlockId> markedBlocks(const Transcript &array, MarkPlacement placement)
{
    switch (placement) {
    case MarkPlacement::StableAssistant:
        if (const auto block = stableAssistantBlock(array))
            return { *block };
        return {};
    case MarkPlacement::LastUsers:
        return lastUserBlocks(array);
    case MarkPlacement::LastBlock:
        if (!array.blocks().empty())
            return { array.blocks().back() };
        return {};
    }
    return {};
}

} // namespace core
