// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/pi/pi_tree.h"

#include "core/base/counted.h"
#include "core/base/hash_index.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/orphan_results.h"

#include <ranges>
#include <unordered_set>

namespace core {

namespace {

constexpr uint32_t kNone = HashIndex::kNone;
const ThreadIndex kMain(0U);

/// pi 0.49.2 of 2026-01-19 stops sending aborted and failed responses (its changelog).
constexpr Timestamp kSkipsStopped = 1'768'780'800'000;

/// An entry with its parent and the array at it.
struct Node {
    uint32_t parent = kNone;
    BlockRange own;               ///< the blocks of its message
    std::vector<BlockRange> sent; ///< its ranges in later arrays
    BlockRanges array;
};

class Assembly final {
public:
    Assembly(SessionBuilder &builder, const std::vector<PiEntry> &entries, const std::vector<Block> &blocks)
        : m_builder(builder)
        , m_entries(entries)
        , m_blocks(blocks)
        , m_nodes(entries.size())
    {
    }

    void run()
    {
        m_builder.reserve(m_entries.size(), m_blocks.size());
        for (const Block &block : m_blocks) {
            if (block.kind == BlockKind::ToolResult)
                m_answered.insert(block.callId);
        }
        for (uint32_t i = 0; i < m_entries.size(); ++i)
            place(i);
        if (m_copies > 0)
            m_builder.note(0,
                counted(m_copies, "record")
                    + (m_copies == 1 ? " is a copy of an earlier one" : " are copies of earlier ones")
                    + " (same id). Palimpsest counts each record once.");
        if (m_last != kNone)
            m_builder.thread(kMain).end = m_nodes[m_last].array;
        closeCompactions();
        linkToolResults(m_builder.session());
    }

private:
    [[nodiscard]] Thread &thread() { return m_builder.thread(kMain); }

    void place(uint32_t i)
    {
        const PiEntry &entry = m_entries[i];
        if (!entry.id.isNull() && !m_byId.tryEmplace(entry.id, i).second) {
            ++m_copies;
            return;
        }
        m_nodes[i].parent = parentOf(i);
        if (entry.isResponse)
            addCall(i);
        else
            addMessage(i);
        setArray(i);
        m_last = i;
    }

    /// The parent is an earlier entry; an entry with another parent follows the record before it.
    uint32_t parentOf(uint32_t i)
    {
        const PiEntry &entry = m_entries[i];
        if (entry.isLinear)
            return m_last;
        if (entry.parent.isNull())
            return kNone;
        const uint32_t parent = m_byId.find(entry.parent);
        if (parent != kNone && parent != i)
            return parent;
        m_builder.note(entry.line,
            "In the file, the parent of this record does not stand before this record. Palimpsest attached the record "
            "to the one before.");
        return m_last;
    }

    void addMessage(uint32_t i)
    {
        const PiEntry &entry = m_entries[i];
        Node &node = m_nodes[i];
        if (entry.blockCount == 0)
            return;
        MessageDraft draft;
        draft.role = entry.role;
        draft.line = entry.line;
        draft.time = entry.time;
        draft.externalId = entry.externalId;
        draft.model = entry.model;
        draft.blocks.assign(
            m_blocks.begin() + entry.firstBlock, m_blocks.begin() + entry.firstBlock + entry.blockCount);
        node.own = m_builder.rangeOf(m_builder.addMessage(kMain, draft));
        if (!entry.isStopped)
            node.sent.push_back(node.own);
        else if (entry.time.value_or(0) < kSkipsStopped)
            node.sent = ofStopped(draft, node.own);
    }

    /// The parts of an aborted or failed response that are sent again: its text, but no calls without results. Evidence
    /// from recorded prompts: 17,379 characters of such calls and two messages made the next prompt 59 tokens longer,
    /// 597 characters of text 211.
    [[nodiscard]] std::vector<BlockRange> ofStopped(const MessageDraft &draft, BlockRange own) const
    {
        std::vector<BlockRange> sent;
        for (uint32_t i = 0; i < draft.blocks.size(); ++i) {
            const Block &block = draft.blocks[i];
            if (block.kind == BlockKind::ToolCall && !m_answered.contains(block.callId))
                continue;
            const uint32_t id = own.begin + i;
            if (!sent.empty() && sent.back().end == id)
                ++sent.back().end;
            else
                sent.push_back({ id, id + 1 });
        }
        return sent;
    }

    void addCall(uint32_t i)
    {
        const PiEntry &entry = m_entries[i];
        addMessage(i);
        if (entry.blockCount == 0 && !entry.usage)
            return; // given up before any output
        Call call;
        call.input = arrayBefore(i);
        call.output = m_nodes[i].own;
        call.usage = entry.usage;
        call.time = entry.time;
        call.model = entry.model;
        call.responseId = entry.responseId;
        call.line = entry.line;
        for (const size_t each : m_open) {
            thread().compactions[each].after = call.input;
            if (call.usage)
                thread().compactions[each].afterTokens = call.usage->prompt();
        }
        m_open.clear();
        thread().calls.push_back(std::move(call));
    }

    [[nodiscard]] const BlockRanges &arrayBefore(uint32_t i) const
    {
        return m_nodes[i].parent == kNone ? m_empty : m_nodes[m_nodes[i].parent].array;
    }

    /// Sets the array at the entry, and its effect on the thread.
    void setArray(uint32_t i)
    {
        Node &node = m_nodes[i];
        const PiEntry &entry = m_entries[i];
        if (entry.type == PiEntry::Type::Compaction) {
            node.array = compacted(i);
            note(i, CompactionKind::Summary, arrayBefore(i));
            return;
        }
        node.array = arrayBefore(i);
        for (const BlockRange range : node.sent)
            node.array.append(range);
        if (entry.type == PiEntry::Type::BranchSummary) {
            const uint32_t target = m_byId.find(entry.target);
            const uint32_t left = target == kNone || target >= i ? m_last : target;
            note(i, CompactionKind::Rollback, left == kNone ? m_empty : m_nodes[left].array);
        }
    }

    /// The summary, then the messages of the path from the first kept entry on. An entry that is not on the path keeps
    /// nothing, as in pi.
    [[nodiscard]] BlockRanges compacted(uint32_t i) const
    {
        BlockRanges array;
        array.append(m_nodes[i].own);
        std::vector<BlockRange> kept;
        for (uint32_t at = m_nodes[i].parent; at != kNone; at = m_nodes[at].parent) {
            const bool isMessage = m_entries[at].type != PiEntry::Type::Compaction;
            for (const BlockRange range : m_nodes[at].sent | std::views::reverse) {
                if (isMessage)
                    kept.push_back(range);
            }
            if (isFirstKept(i, at)) {
                for (const BlockRange range : kept | std::views::reverse)
                    array.append(range);
                break;
            }
        }
        return array;
    }

    [[nodiscard]] bool isFirstKept(uint32_t compaction, uint32_t at) const
    {
        const PiEntry &entry = m_entries[compaction];
        if (!entry.target.isNull())
            return m_entries[at].id == entry.target;
        return entry.firstKeptPlace == at;
    }

    void note(uint32_t i, CompactionKind kind, const BlockRanges &before)
    {
        const PiEntry &entry = m_entries[i];
        RecordedCompaction compaction;
        compaction.kind = kind;
        if (!thread().calls.empty())
            compaction.call = CallIndex(thread().calls.size() - 1);
        compaction.trigger = m_builder.string(entry.trigger);
        compaction.before = before;
        compaction.beforeTokens = entry.tokensBefore;
        if (entry.tokensBefore)
            compaction.figures.push_back({ "tokensBefore", *entry.tokensBefore });
        compaction.line = entry.line;
        for (const size_t each : m_open) // no call sent the result of these compactions
            thread().compactions[each].after = before;
        m_open.clear();
        m_open.push_back(thread().compactions.size());
        thread().compactions.push_back(std::move(compaction));
    }

    /// Ends the compactions that no call followed.
    void closeCompactions()
    {
        for (const size_t each : m_open)
            thread().compactions[each].after = thread().end;
    }

    SessionBuilder &m_builder;
    const std::vector<PiEntry> &m_entries;
    const std::vector<Block> &m_blocks;
    std::vector<Node> m_nodes; ///< by entry
    HashIndex m_byId;
    std::unordered_set<StringId> m_answered; ///< calls with a result anywhere
    BlockRanges m_empty;
    uint32_t m_last = kNone;    ///< the entry before, in the file
    std::vector<size_t> m_open; ///< compactions without a call behind them so far
    size_t m_copies = 0;
};

} // namespace

void PiTree::add(PiEntry entry, std::span<const Block> blocks)
{
    entry.firstBlock = static_cast<uint32_t>(m_blocks.size());
    entry.blockCount = static_cast<uint32_t>(blocks.size());
    m_blocks.insert(m_blocks.end(), blocks.begin(), blocks.end());
    m_entries.push_back(entry);
}

SessionPtr PiTree::finish(SessionBuilder &builder) const
{
    Assembly(builder, m_entries, m_blocks).run();
    noteOrphanResults(builder);
    return builder.finish();
}

} // namespace core
