// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/splice_draft.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"
#include "core/json/text_parts.h"

#include <algorithm>
#include <simdjson.h>

namespace core {

void SpliceDraft::changeUnit(Unit &unit)
{
    if (!unit.isTouched)
        return;
    unit.isDropped = std::ranges::all_of(unit.blocks, [&](BlockId each) { return m_isDropped[each.index()]; });
    if (unit.isDropped)
        return;
    const auto tree = JsonTree::parse(m_bytes, unit.begin);
    if (!tree || tree->root().end > unit.end) {
        for (const BlockId each : unit.blocks) {
            if (m_isDropped[each.index()] || m_replaced.contains(each))
                refuse(each, "The record of this block is damaged; it was left unchanged.");
        }
        return;
    }
    dropParts(unit, *tree);
    for (const BlockId each : unit.blocks) {
        const auto replaced = m_replaced.find(each);
        if (replaced != m_replaced.end())
            replace(each, *replaced->second, *tree);
    }
}

void SpliceDraft::refuse(BlockId block, std::string sentence)
{
    m_isDropped[block.index()] = false;
    const MessageId message = m_session.block(block).message;
    const bool isNamed = std::ranges::contains(m_edits.droppedBlocks, block) || m_replaced.contains(block);
    if (isNamed)
        leaveOut(block, sentence);
    if (m_droppedMessages.erase(message) > 0)
        leaveOut(message, std::move(sentence));
}

uint32_t SpliceDraft::leafOf(const Block &block, const JsonTree &tree) const
{
    const Body &body = block.body;
    if (body.coding != Coding::Empty)
        return tree.innermost(body.offset, body.offset + body.size);
    const bool isEmptyString
        = body.offset > 0 && body.offset < m_bytes.size() && m_bytes.substr(body.offset - 1, 2) == "\"\"";
    return isEmptyString ? tree.innermost(body.offset - 1, body.offset + 1) : JsonTree::kNone;
}

std::vector<uint32_t> SpliceDraft::textParts(uint32_t list, const JsonTree &tree)
{
    std::vector<uint32_t> parts = tree.children(list);
    std::erase_if(parts, [&](uint32_t each) { return !jsonTextPart(tree.raw(each)); });
    return parts;
}

void SpliceDraft::dropParts(const Unit &unit, const JsonTree &tree)
{
    std::unordered_map<BlockId, uint32_t> leaves;
    std::vector<uint32_t> kept(tree.nodes().size(), 0);
    for (const BlockId id : unit.blocks) {
        leaves[id] = leafOf(m_session.block(id), tree);
        if (m_isDropped[id.index()] && leaves[id] == JsonTree::kNone)
            refuse(id, "The block is empty, and the file does not show its place.");
    }
    for (const BlockId id : unit.blocks) {
        if (m_isDropped[id.index()] && leavesPartOfResult(id, unit))
            refuse(id, "A result cannot be dropped while its images stay.");
    }
    for (const BlockId id : unit.blocks) {
        if (m_isDropped[id.index()])
            continue;
        const uint32_t leaf = leaves[id] == JsonTree::kNone ? 0 : leaves[id];
        std::vector<uint32_t> places = copiesOf(id, leaf, tree);
        places.push_back(leaf);
        for (const uint32_t place : places) {
            for (uint32_t at = place; at != JsonTree::kNone; at = tree.node(at).parent)
                ++kept[at];
        }
    }
    std::unordered_set<uint32_t> dropped;
    for (const BlockId id : unit.blocks) {
        if (!m_isDropped[id.index()])
            continue;
        uint32_t top = leaves[id];
        while (tree.node(top).parent != JsonTree::kNone && kept[tree.node(top).parent] == 0)
            top = tree.node(top).parent;
        const BlockKind kind = m_session.block(id).kind;
        const bool isBare = top == leaves[id] && tree.node(top).isMember();
        if (top == 0 || kept[top] > 0 || (isBare && (kind == BlockKind::ToolCall || kind == BlockKind::ToolResult))) {
            refuse(id, "The block cannot be dropped alone: it shares its place in the file with another block.");
            continue;
        }
        dropped.insert(top);
        dropCopies(id, top, tree, dropped);
    }
    for (const BlockId id : unit.blocks) {
        if (m_session.block(id).body.coding != Coding::TextParts || !m_replaced.contains(id))
            continue;
        const std::vector<uint32_t> texts = textParts(leaves[id], tree);
        dropped.insert(texts.begin() + 1, texts.end());
    }
    dropNodes(tree, std::move(dropped));
}

bool SpliceDraft::leavesPartOfResult(BlockId id, const Unit &unit) const
{
    const Block &block = m_session.block(id);
    return block.kind == BlockKind::ToolResult && std::ranges::any_of(unit.blocks, [&](BlockId other) {
        const Block &each = m_session.block(other);
        return !m_isDropped[other.index()] && each.kind != BlockKind::ToolCall && each.callId == block.callId
            && each.callId.isValid();
    });
}

std::vector<uint32_t> SpliceDraft::copiesOf(BlockId id, uint32_t top, const JsonTree &tree) const
{
    std::vector<uint32_t> found;
    const Block &block = m_session.block(id);
    const std::string_view callId = m_session.string(block.callId);
    if (!m_shape.repeatsCalls || block.kind != BlockKind::ToolCall || callId.empty())
        return found;
    for (uint32_t i = 1; i < tree.nodes().size(); ++i) {
        const std::string_view key = tree.keyOf(i);
        if ((key != "id" && key != "call_id") || tree.node(i).opening != '"')
            continue;
        const uint32_t object = tree.node(i).parent;
        const JsonTree::Node &node = tree.node(object);
        const bool isOwn = node.begin <= tree.node(top).end && tree.node(top).begin <= node.end;
        const bool isElement = node.parent != JsonTree::kNone && tree.node(node.parent).opening == '[';
        if (!isOwn && isElement && decodeJsonString(jsonString(tree.raw(i))) == callId)
            found.push_back(object);
    }
    return found;
}

void SpliceDraft::dropCopies(
    BlockId id, uint32_t top, const JsonTree &tree, std::unordered_set<uint32_t> &dropped) const
{
    for (const uint32_t copy : copiesOf(id, top, tree))
        dropped.insert(copy);
}

void SpliceDraft::dropNodes(const JsonTree &tree, std::unordered_set<uint32_t> dropped)
{
    std::erase_if(dropped, [&](uint32_t each) {
        uint32_t above = tree.node(each).parent;
        while (above != JsonTree::kNone && !dropped.contains(above))
            above = tree.node(above).parent;
        return above != JsonTree::kNone;
    });
    std::unordered_set<uint32_t> parents;
    for (const uint32_t each : dropped) {
        const bool isContent = tree.keyOf(each) == "content" || tree.keyOf(each) == "summary";
        if (isContent)
            m_changes.push_back({ tree.node(each).begin, tree.node(each).end,
                std::string(tree.keyOf(each) == "summary" ? "[]" : m_shape.emptyContent) });
        else
            parents.insert(tree.node(each).parent);
    }
    for (const uint32_t parent : parents) {
        std::vector<SpliceChild> children;
        for (const uint32_t child : tree.children(parent)) {
            const bool isContent = tree.keyOf(child) == "content" || tree.keyOf(child) == "summary";
            children.push_back(
                { tree.node(child).outerBegin(), tree.node(child).end, dropped.contains(child) && !isContent, {}, {} });
        }
        changeChildren(children, m_changes);
    }
}

void SpliceDraft::replace(BlockId id, const std::string &text, const JsonTree &tree)
{
    const Block &block = m_session.block(id);
    const Body &body = block.body;
    const uint32_t leaf = leafOf(block, tree);
    if (leaf == JsonTree::kNone) {
        refuse(id, "The block is empty, and the file has no place for its text.");
        return;
    }
    switch (body.coding) {
    case Coding::Empty:
    case Coding::JsonString:
        m_changes.push_back({ body.offset, body.offset + body.size, escapedJson(text) });
        break;
    case Coding::JsonValue:
        if (block.kind == BlockKind::ToolResult) {
            m_changes.push_back({ body.offset, body.offset + body.size, "\"" + escapedJson(text) + "\"" });
        } else if (!isWholeJson(text)) {
            refuse(id, "The file contains JSON here, but the new text is not JSON.");
            return;
        } else {
            m_changes.push_back({ body.offset, body.offset + body.size, text });
        }
        break;
    case Coding::TextParts: {
        const std::string_view first = *jsonTextPart(tree.raw(textParts(leaf, tree).front()));
        const auto begin = static_cast<uint64_t>(first.data() - m_bytes.data());
        m_changes.push_back({ begin, begin + first.size(), escapedJson(text) });
        break;
    }
    case Coding::Plain:
    case Coding::Base64:
        refuse(id, "The block is not text in the file. It can be dropped, but not replaced by text.");
        return;
    }
    replaceCopies(id, leaf, text, tree);
}

bool SpliceDraft::isWholeJson(std::string_view text)
{
    const auto tree = JsonTree::parse(text, 0);
    return tree && text.find_first_not_of(" \t\r\n", tree->root().end) == std::string_view::npos
        && simdjsonAccepts(text);
}

bool SpliceDraft::simdjsonAccepts(std::string_view text)
{
    simdjson::dom::parser parser;
    return parser.parse(text.data(), text.size()).error() == simdjson::SUCCESS;
}

void SpliceDraft::replaceCopies(BlockId id, uint32_t leaf, const std::string &text, const JsonTree &tree)
{
    for (const uint32_t copy : copiesOf(id, leaf, tree)) {
        uint32_t holder = tree.member(copy, "function");
        if (holder == JsonTree::kNone)
            holder = copy;
        for (const std::string_view key : { "arguments", "args", "input" }) {
            const uint32_t arguments = tree.member(holder, key);
            if (arguments == JsonTree::kNone)
                continue;
            const bool isString = tree.node(arguments).opening == '"';
            if (isString || isWholeJson(text))
                m_changes.push_back({ tree.node(arguments).begin, tree.node(arguments).end,
                    isString ? "\"" + escapedJson(text) + "\"" : text });
        }
    }
}

} // namespace core
