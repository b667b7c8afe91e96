// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_items.h"

#include "core/session/format_traits.h"

#include <algorithm>

namespace core::requests {

namespace {

void complete(MessageDraft &draft, const SessionBuilder &builder)
{
    for (Block &block : draft.blocks) {
        block.content = builder.contentHash(block);
        if (block.recordLine == 0)
            block.recordLine = draft.line;
    }
}

} // namespace

Items::Items(const RequestDraft &request)
{
    for (size_t i = 0; i < request.messages.size(); ++i) {
        begins.push_back(keys.size());
        for (const Block &block : request.messages[i].blocks) {
            keys.push_back(keyOf(request.messages[i].role, block));
            blocks.push_back(&block);
            messages.push_back(static_cast<uint32_t>(i));
        }
    }
    begins.push_back(keys.size());
}

size_t Items::firstOwn() const
{
    const auto own = std::ranges::find_if(blocks, [](const Block *each) { return !each->is(BlockFlag::Injected); });
    return static_cast<size_t>(own - blocks.begin());
}

Hash Items::start() const
{
    Hash hash;
    const size_t own = firstOwn();
    for (size_t i = 0; i < keys.size() && i <= own; ++i)
        hash = combine(hash, keys[i]);
    return hash;
}

Hash keyOf(Role role, const Block &block) { return combine(block.content, { static_cast<uint64_t>(role), 0 }); }

bool isModelOutput(const Block &block, Role role)
{
    return role == Role::Assistant || block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
}

void prepare(RequestDraft &request, const SessionBuilder &builder)
{
    const bool mergesUsers = builder.session().traits->mergesUsers();
    std::vector<MessageDraft> messages;
    messages.reserve(request.messages.size());
    for (MessageDraft &draft : request.messages) {
        complete(draft, builder);
        const bool joins
            = mergesUsers && draft.role == Role::User && !messages.empty() && messages.back().role == Role::User;
        if (joins)
            std::ranges::move(draft.blocks, std::back_inserter(messages.back().blocks));
        else
            messages.push_back(std::move(draft));
    }
    request.messages = std::move(messages);
    for (MessageDraft &draft : request.response) {
        if (draft.line == 0)
            draft.line = request.line;
        complete(draft, builder);
    }
    Block nothing = builder.makeBlock(BlockKind::Opaque, {});
    nothing.content = builder.contentHash(nothing);
    for (std::vector<MessageDraft> *drafts : { &request.messages, &request.response }) {
        for (MessageDraft &draft : *drafts) {
            if (draft.blocks.empty())
                draft.blocks.push_back(nothing);
        }
    }
}

} // namespace core::requests
