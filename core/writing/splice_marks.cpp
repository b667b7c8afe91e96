// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/splice_draft.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"

#include <algorithm>

namespace core {

void SpliceDraft::leaveOut(BlockId block, std::string sentence)
{
    m_problems.push_back({ block, m_session.block(block).message, std::move(sentence) });
}

void SpliceDraft::leaveOut(MessageId message, std::string sentence)
{
    m_problems.push_back({ BlockId(), message, std::move(sentence) });
}

bool SpliceDraft::isInFile(const Block &block) const
{
    return block.body.source == kFile && block.recordSize > 0
        && block.recordOffset + block.recordSize <= m_bytes.size();
}

std::string SpliceDraft::whyNotInFile(const Block &block)
{
    if (block.is(BlockFlag::Stub))
        return "The harness added this text while it ran; the file does not contain it.";
    return "This text is in a part of the file that had to be repaired or decoded to be read; it cannot be changed "
           "there.";
}

SpliceDraft::Unit &SpliceDraft::unitOf(const Block &block)
{
    Unit &unit = m_units[block.recordOffset];
    unit.begin = block.recordOffset;
    unit.end = std::max(unit.end, block.recordOffset + block.recordSize);
    return unit;
}

void SpliceDraft::takeEvictedPrefix()
{
    if (m_shape.compaction == nullptr)
        return;
    std::unordered_set<MessageId> evicted;
    // If only some blocks of an evicted message are in the array, the others are dropped one by one.
    const std::unordered_set<MessageId> dropped(m_edits.droppedMessages.begin(), m_edits.droppedMessages.end());
    const std::unordered_set<BlockId> droppedBlocks(m_edits.droppedBlocks.begin(), m_edits.droppedBlocks.end());
    MessageId first;
    bool isKept = false;
    rangesAt(m_session, m_edits.at.value_or(Position { ThreadIndex(0U), {} })).forEach([&](BlockId id) {
        const MessageId message = m_session.block(id).message;
        isKept = isKept || !(dropped.contains(message) || droppedBlocks.contains(id));
        if (!isKept)
            evicted.insert(message);
        else if (!first.isValid())
            first = message;
    });
    const auto isBefore
        = [&](const MessageInsertion &each) { return each.before == first || evicted.contains(each.before); };
    const auto summary = std::ranges::find_if(m_edits.insertions, isBefore);
    const bool isOne = std::ranges::count_if(m_edits.insertions, isBefore) == 1;
    if (evicted.contains(first)) // the array begins inside a message, which compaction records cannot express
        return;
    if (evicted.empty() || !isOne || !summary->isSummary || m_shape.roleOf(summary->role) != Role::User)
        return;
    if (first.isValid() && !isFreeRecord(m_session.block(m_session.message(first).first)))
        return;
    m_summary = summary->text;
    m_firstKept = first;
    const auto isEvicted = [&](MessageId each) { return evicted.contains(each); };
    const auto isOfEvicted = [&](BlockId each) { return isEvicted(m_session.block(each).message); };
    m_edits.insertions.erase(summary);
    std::erase_if(m_edits.droppedMessages, isEvicted);
    std::erase_if(m_edits.droppedBlocks, isOfEvicted);
    std::erase_if(m_edits.replacements, [&](const BlockReplacement &each) { return isOfEvicted(each.block); });
    m_notes.emplace_back("The summary was added as the harness's own compaction record. The messages that it replaces "
                         "are still in the file, but no longer sent.");
}

std::string_view SpliceDraft::typeOf(const Block &block) const
{
    return JsonMembers(m_bytes.substr(block.recordOffset, block.recordSize)).string("type");
}

bool SpliceDraft::isFreeRecord(const Block &block) const
{
    if (!m_shape.hasParents())
        return true;
    const std::string_view type = isInFile(block) ? typeOf(block) : std::string_view();
    return isInFile(block) && type != m_shape.links.progressType && !isCompaction(block);
}

bool SpliceDraft::isCompaction(const Block &block) const
{
    return !m_shape.links.compactionType.empty() && typeOf(block) == m_shape.links.compactionType;
}

void SpliceDraft::markDropped()
{
    constexpr const char *kTied = "The record with the summary also says which messages were kept. So the summary can "
                                  "be replaced, but not dropped.";
    for (const BlockId id : m_edits.droppedBlocks) {
        if (!isInFile(m_session.block(id)))
            leaveOut(id, whyNotInFile(m_session.block(id)));
        else if (isCompaction(m_session.block(id)))
            leaveOut(id, kTied);
        else
            m_isDropped[id.index()] = true;
    }
    std::unordered_map<MessageId, std::vector<BlockId>> messages;
    for (const MessageId id : m_edits.droppedMessages)
        messages[id];
    for (size_t i = 0; i < m_session.blocks.size() && !messages.empty(); ++i) {
        const auto found = messages.find(m_session.blocks[i].message);
        if (found != messages.end() && !m_session.blocks[i].is(BlockFlag::Stub))
            found->second.emplace_back(i);
    }
    for (const MessageId id : m_edits.droppedMessages) {
        const std::vector<BlockId> &blocks = messages[id];
        const auto foreign
            = std::ranges::find_if(blocks, [&](BlockId each) { return !isInFile(m_session.block(each)); });
        if (foreign != blocks.end()) {
            leaveOut(id, whyNotInFile(m_session.block(*foreign)));
            continue;
        }
        if (std::ranges::any_of(blocks, [&](BlockId each) { return isCompaction(m_session.block(each)); })) {
            leaveOut(id, kTied);
            continue;
        }
        m_droppedMessages.insert(id);
        for (const BlockId each : blocks)
            m_isDropped[each.index()] = true;
    }
    for (size_t i = 0; i < m_isDropped.size(); ++i) {
        if (m_isDropped[i])
            unitOf(m_session.blocks[i]).isTouched = true;
    }
}

void SpliceDraft::markReplaced()
{
    for (const BlockReplacement &each : m_edits.replacements) {
        const Block &block = m_session.block(each.block);
        if (m_isDropped[each.block.index()])
            continue;
        if (!isInFile(block)) {
            leaveOut(each.block, whyNotInFile(block));
            continue;
        }
        if (block.kind == BlockKind::Thinking && each.text.empty()) {
            // With a signature this would read as encrypted thinking.
            leaveOut(each.block, "Empty thinking cannot be written. It can be dropped.");
            continue;
        }
        m_replaced[each.block] = &each.text;
        unitOf(block).isTouched = true;
    }
}

void SpliceDraft::markInserted()
{
    for (size_t i = 0; i < m_edits.insertions.size(); ++i) {
        const MessageInsertion &each = m_edits.insertions[i];
        const Message &message = m_session.message(each.before);
        if (each.role == Role::Tool) {
            leaveOut(each.before, "A tool result without a call cannot be added.");
            continue;
        }
        if (message.count == 0 || !isInFile(m_session.block(message.first))) {
            leaveOut(each.before,
                "The message after the new one is in a part of the file that had to be repaired or decoded.");
            continue;
        }
        if (each.isBehind) {
            // The last record of the message that stays.
            BlockId last = message.first;
            for (uint32_t k = 0; k < message.count; ++k) {
                const BlockId id(message.first.index() + k);
                if (!m_isDropped[id.index()] && isInFile(m_session.block(id)))
                    last = id;
            }
            unitOf(m_session.block(last)).appended.push_back(i);
            continue;
        }
        const Block &first = m_session.block(message.first);
        const bool isInside = message.first.index() > 0
            && m_session.blocks[message.first.index() - 1].body.source == kFile
            && m_session.blocks[message.first.index() - 1].recordOffset == first.recordOffset;
        if (isInside) {
            leaveOut(
                each.before, "The message shares a record with the one before it. Nothing can be added between them.");
            continue;
        }
        if (!isFreeRecord(first)) {
            leaveOut(each.before,
                isCompaction(first) ? "Nothing can be added before the summary of a recorded compaction."
                                    : "Nothing can be added to a progress record that repeats a subagent's message.");
            continue;
        }
        unitOf(first).insertions.push_back(i);
    }
}

void SpliceDraft::attachBlocks()
{
    for (size_t i = 0; i < m_session.blocks.size(); ++i) {
        const Block &block = m_session.blocks[i];
        if (!isInFile(block))
            continue;
        const auto unit = m_units.find(block.recordOffset);
        if (unit != m_units.end())
            unit->second.blocks.emplace_back(i);
    }
}

void SpliceDraft::markCut()
{
    std::vector<BlockId> leaving = m_cut->blocks;
    for (const MessageId id : m_cut->messages) {
        const Message &message = m_session.message(id);
        for (uint32_t i = 0; i < message.count; ++i)
            leaving.emplace_back(message.first.index() + i);
    }
    for (const BlockId id : leaving)
        m_isDropped[id.index()] = true;
    const bool isMain = m_edits.at && m_edits.at->thread == ThreadIndex(0U);
    if (m_shape.isEventLog && isMain)
        cutRecords();
    for (const BlockId id : leaving) {
        const Block &block = m_session.block(id);
        if (isInFile(block) && !isCutAway(block.recordOffset))
            unitOf(block).isTouched = true;
    }
    m_droppedMessages.insert(m_cut->messages.begin(), m_cut->messages.end());
    m_notes.insert(m_notes.end(), m_cut->notes.begin(), m_cut->notes.end());
}

void SpliceDraft::cutRecords()
{
    std::map<uint64_t, uint64_t> staying; // begin and end of records
    std::unordered_set<uint64_t> leaving;
    for (size_t i = 0; i < m_session.blocks.size(); ++i) {
        const Block &block = m_session.blocks[i];
        if (!isInFile(block) || block.recordOffset < m_cut->from)
            continue;
        if (m_isDropped[i])
            leaving.insert(block.recordOffset);
        else
            staying[block.recordOffset] = block.recordOffset + block.recordSize;
    }
    if (m_shape.hasParents() && !staying.empty())
        keepSideLinks(staying, leaving);
    uint64_t at = behindLine(m_cut->from);
    const auto cutAway = [&](uint64_t end, bool isLast) {
        const bool beginsLine = at == 0 || m_bytes[at - 1] == '\n';
        if (at < end) {
            m_cutAway.push_back({ at, end });
            m_changes.push_back({ at, end, beginsLine || isLast ? "" : "\n" });
        }
    };
    for (const auto &[begin, end] : staying) {
        cutAway(begin, false);
        at = behindLine(end);
    }
    cutAway(m_bytes.size(), true);
}

void SpliceDraft::keepSideLinks(
    std::map<uint64_t, uint64_t> &staying, const std::unordered_set<uint64_t> &leaving) const
{
    std::unordered_set<std::string_view> gone;
    for (const Link &each : links()) {
        if (each.begin < m_cut->from || staying.contains(each.begin))
            continue;
        const bool hangsOnGone = isJsonString(each.parent) && gone.contains(jsonString(each.parent));
        if (each.isSidechain && !leaving.contains(each.begin) && !hangsOnGone)
            staying[each.begin] = each.end;
        else if (!each.uuid.empty())
            gone.insert(each.uuid);
    }
}

uint64_t SpliceDraft::behindLine(uint64_t at) const
{
    uint64_t behind = at;
    while (behind < m_bytes.size() && isLineBlank(m_bytes[behind]))
        ++behind;
    return behind < m_bytes.size() && m_bytes[behind] == '\n' ? behind + 1 : at;
}

bool SpliceDraft::isCutAway(uint64_t offset) const
{
    const auto next = std::ranges::upper_bound(m_cutAway, offset, {}, [](const auto &each) { return each.first; });
    return next != m_cutAway.begin() && offset < std::prev(next)->second;
}

} // namespace core
