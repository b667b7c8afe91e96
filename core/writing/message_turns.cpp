// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/message_turns.h"

namespace core {

std::vector<MessageTurn> turnsOf(const Transcript &transcript, Sealed sealed)
{
    std::vector<MessageTurn> turns;
    for (const Slot &slot : transcript.slots()) {
        bool isNew = true; // the slot has not started a turn yet
        for (const BlockId id : transcript.blocksOf(slot)) {
            const Block &block = transcript.block(id);
            if (isLeftOut(block, sealed))
                continue;
            const bool isResult = block.kind == BlockKind::ToolResult;
            const bool goesOn = !turns.empty() && turns.back().role == Role::Tool && !turns.back().results.empty();
            const bool isPart = goesOn && block.kind != BlockKind::ToolCall && block.callId.isValid()
                && transcript.block(turns.back().results.back().result).callId == block.callId;
            if (isResult || isPart) {
                if (turns.empty() || turns.back().role != Role::Tool)
                    turns.push_back({ Role::Tool, {}, {} });
                if (isPart)
                    turns.back().results.back().parts.push_back(id);
                else
                    turns.back().results.push_back({ id, {} });
                isNew = true;
                continue;
            }
            const Role role = slot.role == Role::Tool ? Role::User : slot.role;
            const bool joins = !turns.empty() && turns.back().role == role && (role == Role::Assistant || !isNew);
            if (!joins)
                turns.push_back({ role, {}, {} });
            turns.back().blocks.push_back(id);
            isNew = false;
        }
    }
    return turns;
}

} // namespace core
