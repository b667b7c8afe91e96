// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/text_edits.h"

#include "core/compaction/block_pool.h"
#include "core/json/json.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// Whether the record of a block has a signature for it: a provider checks the text against it.
bool isSigned(const Session &session, const Block &block)
{
    const std::string_view record = session.record(block);
    return record.contains("\"signature\"") || record.contains("\"thoughtSignature\"")
        || record.contains("\"encrypted_content\"");
}

} // namespace

std::optional<std::string> whyNotEditable(const Session &session, BlockId id)
{
    const Block &block = session.block(id);
    if (block.is(BlockFlag::Encrypted))
        return "Only the provider can read this block, so its text cannot be edited.";
    switch (block.kind) {
    case BlockKind::Text:
    case BlockKind::ToolCall:
    case BlockKind::ToolResult:
        return std::nullopt;
    case BlockKind::Thinking:
        if (isSigned(session, block))
            return "The thinking is signed. A provider refuses it if its text has changed. It can only be dropped.";
        return std::nullopt;
    case BlockKind::Image:
        return "An image has no text to edit. It can be dropped.";
    case BlockKind::Document:
        return "A document has no text to edit. It can be dropped.";
    default:
        return "This block is not a text, so it cannot be edited. It can be dropped.";
    }
}

std::optional<std::string> whyNotText(const Session &session, BlockId id, std::string_view text)
{
    if (auto why = whyNotEditable(session, id))
        return why;
    const Block &block = session.block(id);
    if (block.kind == BlockKind::ToolCall && block.body.coding == Coding::JsonValue && !parseJson(text).is_object())
        return "The arguments of a tool call are a JSON object, but the new text is not.";
    if (isBlank(text))
        return "A provider refuses a blank text. Drop the block instead.";
    return std::nullopt;
}

std::optional<std::string> whyNotInserted(const Session &session, Role role, std::string_view text)
{
    if (role == Role::Tool)
        return "A tool result needs its call, so it cannot be inserted.";
    if (session.traits->splice.roleOf(role) != role)
        return "The messages of this format have no system role. Insert the text as a message of the user.";
    if (isBlank(text))
        return "A provider refuses a blank message.";
    return std::nullopt;
}

bool partsCall(const Transcript &transcript, size_t place)
{
    if (transcript.session()->traits->shape == MessageShape::Responses)
        return false;
    const auto blocks = transcript.blocks();
    std::unordered_map<StringId, MessageId> waiting; // calls before the place, and their messages
    for (size_t i = 0; i < blocks.size(); ++i) {
        const Block &block = transcript.block(blocks[i]);
        if (block.kind == BlockKind::ToolCall && i < place)
            waiting[block.callId] = block.message;
        if (block.kind != BlockKind::ToolResult)
            continue;
        if (i >= place && waiting.contains(block.callId))
            return true;
        waiting.erase(block.callId);
    }
    // A call without a result may still get it, unless the array goes on.
    const MessageId last = place > 0 ? transcript.block(blocks[place - 1]).message : MessageId();
    return std::ranges::any_of(waiting, [&](const auto &call) { return call.second == last; });
}

std::optional<std::string> whyNotBehind(const Transcript &transcript, BlockId after)
{
    if (!after.isValid())
        return std::nullopt; // no call is before it
    const MessageId message = transcript.session()->block(after).message;
    const auto blocks = transcript.blocks();
    for (size_t place = blocks.size(); place > 0; --place) {
        if (transcript.block(blocks[place - 1]).message == message)
            return partsCall(transcript, place) ? std::optional(std::string(kParts)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<size_t> insertionOf(const Compaction &compaction, BlockId made, const Overrides &overrides)
{
    const Session &session = *compaction.before.session();
    const Session &after = *compaction.after.session();
    const std::string text = after.text(after.block(made).body);
    const auto blocks = compaction.after.blocks();
    auto place = static_cast<size_t>(std::ranges::find(blocks, made) - blocks.begin());
    while (place > 0 && !compaction.origins[std::min(place, blocks.size() - 1)].isValid())
        --place;
    const BlockId before = place < blocks.size() ? compaction.origins[place] : BlockId();
    const MessageId message = before.isValid() ? session.block(before).message : MessageId();
    std::optional<size_t> found;
    for (size_t i = 0; i < overrides.insert.size(); ++i) {
        const BlockId anchor = overrides.insert[i].after;
        const bool isBehind = (anchor.isValid() ? session.block(anchor).message : MessageId()) == message;
        if (overrides.insert[i].text == text && (isBehind || !found))
            found = i;
    }
    return found;
}

BlockChange editOf(const BlockPool &pool, BlockId id, const std::string &text)
{
    BlockChange change = pool.textChange(id, text, Fate::Edited, "you edited it");
    const Block &block = pool.block(id);
    if (block.kind == BlockKind::ToolCall && block.body.coding == Coding::JsonValue) {
        change.coding = Coding::JsonValue;
        change.lengths = jsonValueLengths(change.body);
        change.parts.front().after = change.lengths;
    }
    return change;
}

} // namespace core
