// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/claude_tree.h"

#include "core/base/counted.h"
#include "core/formats/anthropic/anthropic_blocks.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

constexpr std::string_view kClearedText = "[Old tool result content cleared]";
constexpr std::string_view kSyntheticModel = "<synthetic>";
constexpr int kNone = -1;
constexpr uint32_t kNoRecord = HashIndex::kNone;

/// A place in the tree of messages: what the array ends with there.
struct Node {
    enum class Kind : uint8_t { Root, Message, Clearing };
    Kind kind = Kind::Message;
    Role role = Role::User;
    int parent = kNone;
    uint32_t thread = 0;
    uint32_t record = 0;     ///< the first one; the others of a message are chained to it
    uint32_t lastRecord = 0; ///< of that chain
    StringId messageId;
    int resultNode = kNone; ///< of an assistant message: the user message that carries its tool results
    bool isAnswered = false;
    MessageId message;
    BlockRanges array; ///< from the root to here
};

struct ThreadBuild {
    StringId agent;
    StringId parentTool;
    ThreadIndex index;
    int lastRecord = kNone;
    bool isUnlinked = false;
    std::unordered_map<StringId, int> assistants; ///< message id → node
    int lastAssistant = kNone;                    ///< the one that was asked for last
    std::vector<uint32_t> arrayRecords;           ///< its messages and clearings, in the order of the file
    std::vector<int> nodes;
};

class Assembly final {
public:
    Assembly(SessionBuilder &builder, const std::vector<ClaudeRecord> &records, const std::vector<Block> &blocks)
        : m_builder(builder)
        , m_records(records)
        , m_blocks(blocks)
        , m_state(records.size(), State::New)
        , m_isCut(records.size(), false)
        , m_nodeOf(records.size(), kNone)
        , m_threadOf(records.size(), 0)
        , m_parentOf(records.size(), kNoRecord)
        , m_nextOf(records.size(), kNoRecord)
    {
    }

    void run()
    {
        indexRecords();
        findParents();
        assignThreads();
        for (size_t i = 0; i < m_records.size(); ++i)
            processWithParents(i);
        emitMessages();
        for (size_t thread = 0; thread < m_threads.size(); ++thread)
            emitThread(thread);
        finishThreads();
        linkToolResults(m_builder.session());
    }

private:
    enum class State : uint8_t { New, Open, Done };

    void indexRecords()
    {
        m_byUuid.reserve(m_records.size());
        size_t copies = 0;
        for (size_t i = 0; i < m_records.size(); ++i) {
            if (m_records[i].uuid.isNull())
                continue;
            const auto [entry, isNew] = m_byUuid.tryEmplace(m_records[i].uuid, static_cast<uint32_t>(i));
            if (isNew)
                continue;
            const bool wasBroken = m_records[entry].type == ClaudeRecord::Type::Link;
            if (wasBroken && m_records[i].type != ClaudeRecord::Type::Link) {
                m_isStandIn = true;
                entry = static_cast<uint32_t>(i); // the first whole one counts
                continue;
            }
            m_state[i] = State::Done; // a copy that a resumed or forked session made
            ++copies;
        }
        if (copies > 0)
            m_builder.note(0,
                counted(copies, "record") + (copies == 1 ? " is" : " are")
                    + " a copy of an earlier one (same uuid); counted once.");
    }

    /// Looks up once what the records hang on: most on the one before them.
    void findParents()
    {
        for (size_t i = 0; i < m_records.size(); ++i) {
            const Hash &parent = m_records[i].parent;
            if (parent.isNull())
                continue;
            const bool followsLast
                = i > 0 && !m_isStandIn && m_state[i - 1] == State::New && m_records[i - 1].uuid == parent;
            m_parentOf[i] = followsLast ? static_cast<uint32_t>(i - 1) : m_byUuid.find(parent);
        }
    }

    /// Main thread first; sidechains by the tool call that started them or by their agent (which may go on under a
    /// later call), else by their root.
    void assignThreads()
    {
        m_threads.emplace_back();
        const bool hasMain = std::ranges::any_of(m_records,
            [](const ClaudeRecord &record) { return !record.isSidechain && record.type != ClaudeRecord::Type::Link; });
        // The file of a subagent holds sidechain records only: its own agent is the main thread there.
        const auto firstMessage = std::ranges::find_if(
            m_records, [](const ClaudeRecord &record) { return record.type != ClaudeRecord::Type::Link; });
        const StringId mainAgent = firstMessage != m_records.end() ? firstMessage->agent : StringId();
        std::vector<size_t> linked(1, 0);
        std::vector<size_t> messages(1, 0);
        for (size_t i = 0; i < m_records.size(); ++i) {
            const ClaudeRecord &record = m_records[i];
            const bool isMain = !record.isSidechain || (!hasMain && record.agent == mainAgent);
            const uint32_t thread = isMain ? 0 : sideThreadOf(i);
            m_threadOf[i] = thread;
            linked.resize(m_threads.size(), 0);
            messages.resize(m_threads.size(), 0);
            if (record.type == ClaudeRecord::Type::User || record.type == ClaudeRecord::Type::Assistant)
                ++messages[thread];
            if (m_parentOf[i] != kNoRecord)
                ++linked[thread];
        }
        for (size_t thread = 0; thread < m_threads.size(); ++thread)
            m_threads[thread].isUnlinked = linked[thread] == 0 && messages[thread] > 1;
    }

    uint32_t sideThreadOf(size_t i)
    {
        const ClaudeRecord &record = m_records[i];
        const auto known = [](const std::unordered_map<StringId, uint32_t> &threads, StringId key) {
            const auto entry = key.isValid() ? threads.find(key) : threads.end();
            return entry == threads.end() ? 0 : entry->second;
        };
        const bool isLink = record.type == ClaudeRecord::Type::Link;
        const StringId tool = isLink ? StringId() : record.parentTool; // a link names the tool whose progress it tells
        const bool isNamed = tool.isValid() || record.agent.isValid();
        uint32_t thread = known(m_byTool, tool);
        if (thread == 0)
            thread = known(m_byAgent, record.agent);
        if (thread == 0 && !isNamed) {
            const uint32_t parent = m_parentOf[i];
            if (parent != kNoRecord && parent < i)
                thread = m_threadOf[parent];
            else if (record.isLinear)
                thread = m_lastUnnamed;
        }
        if (thread == 0) {
            if (isLink)
                return 0; // nothing stands in that thread yet, and this is no message
            thread = static_cast<uint32_t>(m_threads.size());
            m_threads.emplace_back();
        }
        ThreadBuild &build = m_threads[thread];
        if (record.agent.isValid()) {
            m_byAgent.try_emplace(record.agent, thread);
            if (!build.agent.isValid())
                build.agent = record.agent;
        }
        if (tool.isValid()) {
            m_byTool.try_emplace(tool, thread);
            if (!build.parentTool.isValid())
                build.parentTool = tool;
        }
        if (!isNamed)
            m_lastUnnamed = thread;
        return thread;
    }

    /// Parents first, whatever the order in the file. A circle of parent links is cut at its first record.
    void processWithParents(size_t start)
    {
        if (m_state[start] == State::Done)
            return;
        std::vector<size_t> &pending = m_pending;
        pending.assign(1, start);
        while (!pending.empty()) {
            const size_t at = pending.back();
            if (m_state[at] == State::Done) {
                pending.pop_back();
                continue;
            }
            const uint32_t parent = m_parentOf[at];
            const bool mustWait = parent != kNoRecord && m_state[parent] != State::Done && !isLinear(at);
            if (!mustWait) {
                process(at);
                m_state[at] = State::Done;
                pending.pop_back();
                continue;
            }
            m_state[at] = State::Open;
            if (m_state[parent] == State::New) {
                pending.push_back(parent);
                continue;
            }
            const auto circle = std::ranges::find(pending, static_cast<size_t>(parent));
            const size_t first = *std::min_element(circle, pending.end());
            m_builder.note(m_records[first].line,
                "The parent links run in a circle; this record is read as following the one before it.");
            m_isCut[first] = true;
            for (auto member = circle; member != pending.end(); ++member)
                m_state[*member] = State::New;
            pending.erase(circle, pending.end());
            pending.push_back(start);
        }
    }

    [[nodiscard]] bool isLinear(size_t i) const
    {
        return m_records[i].isLinear || m_isCut[i] || m_threads[m_threadOf[i]].isUnlinked;
    }

    [[nodiscard]] int parentNode(size_t i)
    {
        const ClaudeRecord &record = m_records[i];
        const ThreadBuild &thread = m_threads[m_threadOf[i]];
        const int last = thread.lastRecord == kNone ? kNone : m_nodeOf[static_cast<size_t>(thread.lastRecord)];
        if (isLinear(i))
            return last;
        if (record.parent.isNull())
            return kNone;
        const uint32_t parent = m_parentOf[i];
        if (parent != kNoRecord && m_state[parent] == State::Done)
            return m_threadOf[parent] == m_threadOf[i] ? m_nodeOf[parent] : kNone;
        if (parent == kNoRecord && thread.lastRecord != kNone && record.type != ClaudeRecord::Type::Link) {
            m_builder.note(record.line,
                "The record that this one follows is not in the file; it is read as following the one before it.");
        }
        return last;
    }

    int newNode(Node::Kind kind, Role role, int parent, size_t record)
    {
        Node node;
        node.kind = kind;
        node.role = role;
        node.parent = parent;
        node.thread = m_threadOf[record];
        node.record = static_cast<uint32_t>(record);
        node.lastRecord = node.record;
        m_nodes.push_back(std::move(node));
        return static_cast<int>(m_nodes.size()) - 1;
    }

    [[nodiscard]] Node &node(int index) { return m_nodes[static_cast<size_t>(index)]; }

    void addRecord(Node &target, size_t record)
    {
        if (record == target.record)
            return;
        m_nextOf[target.lastRecord] = static_cast<uint32_t>(record);
        target.lastRecord = static_cast<uint32_t>(record);
    }

    /// Calls `visit` for the records of a message until it returns true; returns whether it did.
    template <typename Visitor>
    bool anyRecordOf(const Node &message, Visitor &&visit) const
    {
        for (uint32_t i = message.record; i != kNoRecord; i = m_nextOf[i]) {
            if (visit(m_records[i]))
                return true;
        }
        return false;
    }

    void process(size_t i)
    {
        const ClaudeRecord &record = m_records[i];
        ThreadBuild &thread = m_threads[m_threadOf[i]];
        int at = kNone;
        switch (record.type) {
        case ClaudeRecord::Type::Boundary:
            at = newNode(Node::Kind::Root, Role::User, kNone, i);
            m_events.push_back({ i, at });
            break;
        case ClaudeRecord::Type::Clearing:
            at = newNode(Node::Kind::Clearing, Role::User, parentNode(i), i);
            m_events.push_back({ i, at });
            break;
        case ClaudeRecord::Type::Link:
            at = parentNode(i);
            break;
        case ClaudeRecord::Type::User:
            at = addUser(i, parentNode(i));
            break;
        case ClaudeRecord::Type::Assistant:
            at = addAssistant(i, parentNode(i), thread);
            break;
        }
        m_nodeOf[i] = at;
        thread.lastRecord = static_cast<int>(i);
    }

    [[nodiscard]] bool hasToolResults(const ClaudeRecord &record) const
    {
        return std::any_of(m_blocks.begin() + record.firstBlock,
            m_blocks.begin() + record.firstBlock + record.blockCount,
            [](const Block &block) { return block.kind == BlockKind::ToolResult; });
    }

    /// True if a result of the record stands in the node already: the call was answered once more, on a branch.
    [[nodiscard]] bool repeatsResult(int nodeIndex, const ClaudeRecord &record)
    {
        const auto blocksOf
            = [&](const ClaudeRecord &each) { return std::span(m_blocks).subspan(each.firstBlock, each.blockCount); };
        return anyRecordOf(node(nodeIndex), [&](const ClaudeRecord &each) {
            return std::ranges::any_of(blocksOf(each), [&](const Block &there) {
                return there.kind == BlockKind::ToolResult
                    && std::ranges::any_of(blocksOf(record), [&](const Block &block) {
                           return block.kind == BlockKind::ToolResult && block.callId == there.callId;
                       });
            });
        });
    }

    int addUser(size_t i, int parent)
    {
        const ClaudeRecord &record = m_records[i];
        if (record.blockCount == 0)
            return parent;
        int at = kNone;
        if (parent != kNone && node(parent).kind == Node::Kind::Message) {
            Node &above = node(parent);
            if (above.role == Role::User && !above.isAnswered)
                at = parent;
            else if (above.role == Role::Assistant && above.resultNode != kNone && hasToolResults(record)
                && !repeatsResult(above.resultNode, record))
                at = above.resultNode; // results of parallel calls hang on different records of one response
        }
        if (at == kNone) {
            at = newNode(Node::Kind::Message, Role::User, parent, i);
            if (parent != kNone && node(parent).role == Role::Assistant && hasToolResults(record))
                node(parent).resultNode = at;
        }
        addRecord(node(at), i);
        return at;
    }

    int addAssistant(size_t i, int parent, ThreadBuild &thread)
    {
        const ClaudeRecord &record = m_records[i];
        if (record.isApiError)
            return parent; // shown to the person, never sent
        int at = kNone;
        int *known = nullptr;
        if (record.messageId.isValid()) {
            if (thread.lastAssistant != kNone && node(thread.lastAssistant).messageId == record.messageId)
                at = thread.lastAssistant;
            else
                known = &thread.assistants.try_emplace(record.messageId, kNone).first->second;
            if (known != nullptr)
                at = *known;
        }
        if (at == kNone) {
            at = newNode(Node::Kind::Message, Role::Assistant, parent, i);
            node(at).messageId = record.messageId;
            if (known != nullptr)
                *known = at;
            if (parent != kNone)
                node(parent).isAnswered = true;
        }
        addRecord(node(at), i);
        return at;
    }

    /// Puts the messages into the pool, thread by thread, and finds the array at every node.
    void emitMessages()
    {
        for (size_t thread = 0; thread < m_threads.size(); ++thread) {
            m_threads[thread].index = m_builder.addThread(thread == 0 ? ThreadKind::Main : ThreadKind::Subagent,
                std::string(m_builder.string(m_threads[thread].agent)));
        }
        for (size_t i = 0; i < m_nodes.size(); ++i)
            m_threads[m_nodes[i].thread].nodes.push_back(static_cast<int>(i));
        for (size_t i = 0; i < m_records.size(); ++i) {
            const ClaudeRecord::Type type = m_records[i].type;
            if (type != ClaudeRecord::Type::Link && type != ClaudeRecord::Type::Boundary && m_nodeOf[i] != kNone)
                m_threads[m_threadOf[i]].arrayRecords.push_back(static_cast<uint32_t>(i));
        }
        m_builder.reserve(m_nodes.size(), m_blocks.size());
        MessageDraft draft;
        for (const ThreadBuild &thread : m_threads) {
            for (const int index : thread.nodes)
                emitNode(node(index), draft);
        }
    }

    void emitNode(Node &target, MessageDraft &draft)
    {
        if (target.parent != kNone)
            target.array = node(target.parent).array;
        if (target.kind == Node::Kind::Clearing) {
            target.array = cleared(target.array, m_records[target.record].clearedCalls);
            return;
        }
        if (target.kind != Node::Kind::Message)
            return;
        const ClaudeRecord &first = m_records[target.record];
        draft.blocks.clear();
        draft.role = target.role;
        draft.line = first.line;
        draft.time = first.time;
        draft.externalId = target.messageId.isValid() ? target.messageId : first.recordId;
        draft.model = first.model;
        anyRecordOf(target, [&](const ClaudeRecord &record) {
            for (uint32_t k = 0; k < record.blockCount; ++k) {
                Block block = m_blocks[record.firstBlock + k];
                block.recordLine = record.line;
                block.recordOffset = record.offset;
                block.recordSize = record.size;
                if (target.thread != 0)
                    block.flags = static_cast<uint16_t>(block.flags & ~static_cast<uint16_t>(BlockFlag::Typed));
                draft.blocks.push_back(block);
            }
            return false;
        });
        target.message = m_builder.addMessage(m_threads[target.thread].index, draft);
        target.array.append(m_builder.rangeOf(target.message));
    }

    /// The array with the results of the named calls replaced by stubs, each in its own message.
    BlockRanges cleared(const BlockRanges &array, const std::vector<StringId> &calls)
    {
        const std::unordered_set<StringId> wanted(calls.begin(), calls.end());
        std::vector<BlockRange> ranges;
        array.forEach([&](BlockId id) {
            const Block &block = m_builder.session().block(id);
            uint32_t place = id.value();
            const bool isCleared
                = block.callId.isValid() && !block.is(BlockFlag::Stub) && wanted.contains(block.callId);
            if (isCleared && block.kind != BlockKind::ToolResult && block.kind != BlockKind::ToolCall)
                return; // images of a result go with it
            if (isCleared && block.kind == BlockKind::ToolResult) {
                const auto known = m_stubs.find(id);
                place = known != m_stubs.end() ? known->second.value() : addStub(id).value();
            }
            if (!ranges.empty() && ranges.back().end == place)
                ++ranges.back().end;
            else
                ranges.push_back({ place, place + 1 });
        });
        return BlockRanges::of(ranges);
    }

    BlockId addStub(BlockId original)
    {
        if (!m_clearedBody)
            m_clearedBody = m_builder.ownedBody(std::string(kClearedText), "cleared by microcompaction");
        const Block &block = m_builder.session().block(original);
        Block stub = m_builder.makeBlock(BlockKind::ToolResult, *m_clearedBody);
        stub.callId = block.callId;
        stub.message = block.message;
        stub.recordLine = block.recordLine;
        stub.set(BlockFlag::Stub);
        const BlockId id = m_builder.addBlock(stub);
        m_stubs.emplace(original, id);
        return id;
    }

    /// The calls and compactions of one thread, in the order of the file.
    void emitThread(size_t threadNumber)
    {
        Thread &thread = m_builder.thread(m_threads[threadNumber].index);
        std::vector<int> responses;
        for (const int index : m_threads[threadNumber].nodes) {
            const Node &each = node(index);
            if (each.kind == Node::Kind::Message && each.role == Role::Assistant
                && m_builder.string(m_records[each.record].model) != kSyntheticModel)
                responses.push_back(index);
        }
        std::ranges::stable_sort(responses, {}, [&](int index) { return node(index).record; });
        thread.calls.reserve(responses.size());
        for (const int index : responses)
            thread.calls.push_back(callOf(node(index)));
        std::vector<std::pair<size_t, int>> events;
        std::ranges::copy_if(m_events, std::back_inserter(events),
            [&](const auto &event) { return m_threadOf[event.first] == threadNumber; });
        std::ranges::sort(events);
        for (size_t i = 0; i < events.size(); ++i) {
            const size_t nextEvent = i + 1 < events.size() ? events[i + 1].first : m_records.size();
            thread.compactions.push_back(m_records[events[i].first].type == ClaudeRecord::Type::Boundary
                    ? summaryOf(events[i].first, events[i].second, nextEvent, thread, responses)
                    : clearingOf(events[i].first, events[i].second, thread, responses));
        }
        const int last = lastArrayNode(threadNumber, m_records.size());
        if (last != kNone)
            thread.end = node(last).array;
    }

    Call callOf(const Node &response)
    {
        Call call;
        if (response.parent != kNone)
            call.input = node(response.parent).array;
        call.output = m_builder.rangeOf(response.message);
        anyRecordOf(response, [&](const ClaudeRecord &record) {
            // The lines of one response repeat its usage; early ones hold partial output counts.
            if (record.usage && record.usage->prompt() > 0
                && (!call.usage || record.usage->output >= call.usage->output))
                call.usage = record.usage;
            return false;
        });
        const ClaudeRecord &first = m_records[response.record];
        call.time = first.time;
        call.model = first.model;
        call.responseId = response.messageId;
        call.line = first.line;
        return call;
    }

    /// What both kinds have. The calls of the thread are its `responses`, in that order.
    RecordedCompaction compactionOf(size_t recordIndex, size_t nextCall)
    {
        const ClaudeRecord &record = m_records[recordIndex];
        RecordedCompaction compaction;
        compaction.trigger = m_builder.string(record.trigger);
        compaction.figures = record.figures;
        compaction.line = record.line;
        if (nextCall > 0)
            compaction.call = CallIndex(nextCall - 1);
        return compaction;
    }

    /// The first call behind a record of the file.
    [[nodiscard]] size_t callBehind(size_t recordIndex, const std::vector<int> &responses) const
    {
        const auto next = std::ranges::upper_bound(
            responses, recordIndex, {}, [&](int index) { return static_cast<size_t>(recordOf(index)); });
        return static_cast<size_t>(next - responses.begin());
    }

    [[nodiscard]] uint32_t recordOf(int nodeIndex) const { return m_nodes[static_cast<size_t>(nodeIndex)].record; }

    RecordedCompaction summaryOf(
        size_t recordIndex, int nodeIndex, size_t nextEvent, const Thread &thread, const std::vector<int> &responses)
    {
        const ClaudeRecord &record = m_records[recordIndex];
        const size_t next = callBehind(recordIndex, responses);
        RecordedCompaction compaction = compactionOf(recordIndex, next);
        compaction.kind = CompactionKind::Summary;
        compaction.beforeTokens = record.preTokens;
        const uint32_t logical = record.logicalParent.isNull() ? kNoRecord : m_byUuid.find(record.logicalParent);
        int before = logical != kNoRecord ? m_nodeOf[logical] : kNone;
        const int last = lastArrayNode(m_threadOf[recordIndex], recordIndex);
        // Results may have been cleared behind the message that the boundary names.
        const bool isCleared = last != kNone && node(last).kind == Node::Kind::Clearing && node(last).parent == before;
        if (before == kNone || isCleared)
            before = last;
        if (before != kNone)
            compaction.before = node(before).array;
        const bool isSent = next < responses.size() && recordOf(responses[next]) < nextEvent;
        if (isSent) {
            compaction.after = thread.calls[next].input;
            if (thread.calls[next].usage)
                compaction.afterTokens = thread.calls[next].usage->prompt();
            return compaction;
        }
        const int end = lastArrayNode(m_threadOf[recordIndex], nextEvent);
        const bool isBehind = end != kNone && recordOf(end) > recordIndex;
        compaction.after = node(isBehind ? end : nodeIndex).array;
        return compaction;
    }

    /// What the record calls `preTokens` and `tokensSaved` are the tokens of results alone, by the harness's own count
    /// of four characters each; the contexts are known from the calls on both sides.
    RecordedCompaction clearingOf(
        size_t recordIndex, int nodeIndex, const Thread &thread, const std::vector<int> &responses)
    {
        const size_t next = callBehind(recordIndex, responses);
        RecordedCompaction compaction = compactionOf(recordIndex, next);
        compaction.kind = CompactionKind::Clearing;
        const int before = node(nodeIndex).parent;
        if (before != kNone)
            compaction.before = node(before).array;
        compaction.after = node(nodeIndex).array;
        const auto promptOf = [&](size_t call) -> std::optional<uint64_t> {
            const std::optional<Usage> &usage = thread.calls[call].usage;
            return usage ? std::optional(usage->prompt()) : std::nullopt;
        };
        if (next > 0 && hangsOn(nodeIndex, responses[next - 1]))
            compaction.beforeTokens = promptOf(next - 1);
        if (next < responses.size() && hangsOn(responses[next], nodeIndex))
            compaction.afterTokens = promptOf(next);
        return compaction;
    }

    /// Whether the path that leads to a node leads over another one, and no compaction between.
    [[nodiscard]] bool hangsOn(int nodeIndex, int above)
    {
        int at = node(nodeIndex).parent;
        while (at > above && node(at).kind == Node::Kind::Message) // parents come first
            at = node(at).parent;
        return at == above;
    }

    /// The node of the last record before `limit` in the file that changed the array.
    [[nodiscard]] int lastArrayNode(size_t threadNumber, size_t limit) const
    {
        const std::vector<uint32_t> &records = m_threads[threadNumber].arrayRecords;
        const auto behind = std::ranges::lower_bound(records, limit);
        return behind == records.begin() ? kNone : m_nodeOf[*std::prev(behind)];
    }

    /// Titles, and which tool call started a subagent.
    void finishThreads()
    {
        std::unordered_map<StringId, BlockId> calls;
        Session &session = m_builder.session();
        for (size_t i = 0; i < session.blocks.size() && m_threads.size() > 1; ++i) {
            if (session.blocks[i].kind == BlockKind::ToolCall)
                calls.try_emplace(session.blocks[i].callId, BlockId(i));
        }
        for (const ThreadBuild &build : m_threads) {
            Thread &thread = m_builder.thread(build.index);
            const auto parent = calls.find(build.parentTool);
            if (build.parentTool.isValid() && parent != calls.end())
                thread.parentCall = parent->second;
        }
        for (const Message &message : session.messages) {
            Thread &thread = session.threads[message.thread.index()];
            if (!thread.title.empty() || message.role != Role::User)
                continue;
            for (uint32_t k = 0; k < message.count; ++k) {
                const Block &block = session.blocks[message.first.index() + k];
                const bool isTask
                    = thread.kind == ThreadKind::Main ? block.is(BlockFlag::Typed) : block.kind == BlockKind::Text;
                if (isTask) {
                    thread.title = snippet(session.textHead(block.body, 400), 80);
                    break;
                }
            }
        }
        session.title = session.threads.front().title;
    }

    SessionBuilder &m_builder;
    const std::vector<ClaudeRecord> &m_records;
    const std::vector<Block> &m_blocks;
    std::vector<State> m_state;
    std::vector<bool> m_isCut; ///< its parent link closes a circle
    std::vector<int> m_nodeOf;
    std::vector<uint32_t> m_threadOf;
    std::vector<uint32_t> m_parentOf; ///< the record that the parent link names
    std::vector<uint32_t> m_nextOf;   ///< the next record of the same message
    std::vector<size_t> m_pending;
    HashIndex m_byUuid;
    bool m_isStandIn = false; ///< a uuid does not stand for the first record that has it
    std::vector<ThreadBuild> m_threads;
    std::unordered_map<StringId, uint32_t> m_byTool;
    std::unordered_map<StringId, uint32_t> m_byAgent;
    uint32_t m_lastUnnamed = 0; ///< the last side thread that only its root names
    std::vector<Node> m_nodes;
    std::vector<std::pair<size_t, int>> m_events; ///< compactions: record, node
    std::unordered_map<BlockId, BlockId> m_stubs;
    std::optional<Body> m_clearedBody;
};

} // namespace

void ClaudeTree::add(ClaudeRecord record, std::span<const Block> blocks)
{
    record.firstBlock = static_cast<uint32_t>(m_blocks.size());
    record.blockCount = static_cast<uint32_t>(blocks.size());
    m_blocks.insert(m_blocks.end(), blocks.begin(), blocks.end());
    m_records.push_back(std::move(record));
}

void ClaudeTree::reserve(size_t records, size_t blocks)
{
    m_records.reserve(records);
    m_blocks.reserve(blocks);
}

SessionPtr ClaudeTree::assemble(Keep keep)
{
    if (keep == Keep::Nothing) {
        Assembly(m_builder, m_records, m_blocks).run();
        return m_builder.finish();
    }
    SessionBuilder copy = m_builder;
    Assembly(copy, m_records, m_blocks).run();
    return copy.finish();
}

} // namespace core
