// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/claude_tree.h"

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/orphan_results.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace core {

namespace {

constexpr std::string_view kClearedText = "[Old tool result content cleared]";

} // namespace

void ClaudeTree::add(ClaudeRecord record, std::span<const Block> blocks)
{
    // Adding the source here gives it the same number however the file grew.
    if (record.type == ClaudeRecord::Type::Clearing && !m_clearedBody)
        m_clearedBody = m_builder.ownedBody(std::string(kClearedText), "cleared by microcompaction");
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

SessionPtr ClaudeTree::snapshot()
{
    update();
    return m_builder.snapshot(notes());
}

SessionPtr ClaudeTree::finish()
{
    update();
    std::ranges::move(notes(), std::back_inserter(m_builder.session().diagnostics));
    return m_builder.finish();
}

std::vector<Diagnostic> ClaudeTree::notes() const
{
    std::vector<Diagnostic> notes = orphanResults(m_builder);
    std::ranges::copy(m_links.notes(), std::back_inserter(notes));
    return notes;
}

/// Updates the builder's session from the records.
void ClaudeTree::update()
{
    if (m_links.update(m_builder))
        clear();
    const std::vector<ClaudeThread> &threads = m_links.threads();
    Session &session = m_builder.session();
    while (session.threads.size() < threads.size())
        m_builder.addThread(session.threads.empty() ? ThreadKind::Main : ThreadKind::Subagent);
    m_emitted.resize(threads.size(), { session.messages.size(), session.blocks.size(), 0 });
    const auto changed
        = std::ranges::find_if(threads, [](const ClaudeThread &each) { return each.firstChanged < each.nodes.size(); });
    if (changed != threads.end())
        emitFrom(static_cast<size_t>(changed - threads.begin()));
    for (size_t i = 0; i < threads.size(); ++i) {
        session.threads[i].id = m_builder.string(threads[i].agent);
        emitCompactions(i);
        const int last = lastArrayNode(i, m_records.size());
        session.threads[i].end = last != kNone ? m_links.node(last).array : BlockRanges();
    }
    m_links.setUnchanged();
    finishThreads();
    linkToolResults(session);
}

/// Discards everything added to the builder.
void ClaudeTree::clear()
{
    Session &session = m_builder.session();
    session.threads.clear();
    session.messages.clear();
    session.blocks.clear();
    m_stubs.clear();
    m_emitted.clear();
}

/// Adds messages to the pool again: those of this thread from the first changed one on, and all of later threads.
void ClaudeTree::emitFrom(size_t threadNumber)
{
    Session &session = m_builder.session();
    const std::vector<ClaudeThread> &threads = m_links.threads();
    Emitted start = m_emitted[threadNumber];
    const size_t firstChanged = threads[threadNumber].firstChanged;
    if (firstChanged < start.nodes) {
        const ClaudeNode &first = m_links.node(threads[threadNumber].nodes[firstChanged]);
        start = { first.messagesBefore, first.blocksBefore, firstChanged };
    }
    session.messages.resize(start.messages);
    session.blocks.resize(start.blocks);
    std::erase_if(m_stubs, [&](const auto &each) { return each.second.index() >= start.blocks; });
    if (session.blocks.empty())
        m_builder.reserve(m_links.nodes().size(), m_blocks.size());
    for (size_t i = threadNumber; i < threads.size(); ++i) {
        const std::vector<int> &nodes = threads[i].nodes;
        const size_t first = i == threadNumber ? start.nodes : 0;
        for (size_t k = first; k < nodes.size(); ++k)
            emitNode(m_links.node(nodes[k]));
        m_emitted[i] = { session.messages.size(), session.blocks.size(), nodes.size() };
        if (first < nodes.size())
            emitCalls(i, nodes[first]);
    }
}

void ClaudeTree::emitNode(ClaudeNode &target)
{
    target.messagesBefore = static_cast<uint32_t>(m_builder.session().messages.size());
    target.blocksBefore = static_cast<uint32_t>(m_builder.session().blocks.size());
    target.array = target.parent != kNone ? m_links.node(target.parent).array : BlockRanges();
    if (target.kind == ClaudeNode::Kind::Clearing) {
        target.array = cleared(target.array, m_records[target.record].clearedCalls);
        return;
    }
    if (target.kind == ClaudeNode::Kind::Kept)
        appendKept(target);
    if (target.kind != ClaudeNode::Kind::Message)
        return;
    const ClaudeRecord &first = m_records[target.record];
    m_draft.blocks.clear();
    m_draft.role = target.role;
    m_draft.line = first.line;
    m_draft.time = first.time;
    m_draft.externalId = target.messageId.isValid() ? target.messageId : first.recordId;
    m_draft.model = first.model;
    m_links.anyRecordOf(target, [&](const ClaudeRecord &record) {
        const Timestamp delay = record.time && first.time ? *record.time - *first.time : 0;
        for (uint32_t k = 0; k < record.blockCount; ++k) {
            Block block = m_blocks[record.firstBlock + k];
            block.delay = std::in_range<int32_t>(delay) ? static_cast<int32_t>(delay) : 0;
            block.recordLine = record.line;
            block.recordOffset = record.offset;
            block.recordSize = record.size;
            if (target.thread != 0)
                block.flags = static_cast<uint16_t>(block.flags & ~static_cast<uint16_t>(BlockFlag::Typed));
            m_draft.blocks.push_back(block);
        }
        return false;
    });
    target.message = m_builder.addMessage(ThreadIndex(target.thread), m_draft);
    if (isSentAgain(target))
        target.array.append(m_builder.rangeOf(target.message));
}

/// Each block once, whatever a damaged file repeats.
void ClaudeTree::appendKept(ClaudeNode &target)
{
    std::unordered_set<BlockId> known;
    target.array.forEach([&](BlockId id) { known.insert(id); });
    for (const uint32_t record : m_links.keptAt(static_cast<int>(&target - m_links.nodes().data()))) {
        if (m_links.threadOf(record) != target.thread)
            continue;
        const BlockRange range = blocksOf(record);
        for (uint32_t i = range.begin; i < range.end; ++i) {
            if (known.emplace(i).second)
                target.array.append({ i, i + 1 });
        }
    }
}

/// The blocks of one record in its message.
BlockRange ClaudeTree::blocksOf(uint32_t recordIndex) const
{
    int at = m_links.nodeOf(recordIndex);
    if (at != kNone && m_links.node(at).kind == ClaudeNode::Kind::Kept)
        at = m_links.node(at).parent; // the record is an anchor
    if (at == kNone || m_links.node(at).kind != ClaudeNode::Kind::Message)
        return {};
    BlockRange range = m_builder.rangeOf(m_links.node(at).message);
    const bool isThere = m_links.anyRecordOf(m_links.node(at), [&](const ClaudeRecord &each) {
        range.end = range.begin + each.blockCount;
        if (&each == &m_records[recordIndex])
            return true;
        range.begin = range.end;
        return false;
    });
    return isThere ? range : BlockRange();
}

/// An interrupted answer may be thinking alone. Claude Code 2.1.33 and later never send it again; 2.1.32 did. Where the
/// next record is not in the file, the answer was longer.
bool ClaudeTree::isSentAgain(const ClaudeNode &message) const
{
    const BlockRange range = m_builder.rangeOf(message.message);
    return message.role == Role::User || message.hasLostRecord || !m_records[message.record].dropsBareThinking
        || std::ranges::any_of(std::span(m_builder.session().blocks).subspan(range.begin, range.size()),
            [](const Block &block) { return block.kind != BlockKind::Thinking; });
}

/// The array after replacing the results of these calls by stubs, each in its own message.
BlockRanges ClaudeTree::cleared(const BlockRanges &array, const std::vector<StringId> &calls)
{
    const std::unordered_set<StringId> wanted(calls.begin(), calls.end());
    std::vector<BlockRange> ranges;
    array.forEach([&](BlockId id) {
        const Block &block = m_builder.session().block(id);
        uint32_t place = id.value();
        const bool isCleared = block.callId.isValid() && !block.is(BlockFlag::Stub) && wanted.contains(block.callId);
        if (isCleared && block.kind != BlockKind::ToolResult && block.kind != BlockKind::ToolCall)
            return; // images of a result are removed with it
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

BlockId ClaudeTree::addStub(BlockId original)
{
    const Block &block = m_builder.session().block(original);
    Block stub = m_builder.makeBlock(BlockKind::ToolResult, *m_clearedBody);
    stub.callId = block.callId;
    stub.message = block.message;
    stub.recordLine = block.recordLine;
    stub.delay = block.delay;
    stub.set(BlockFlag::Stub);
    const BlockId id = m_builder.addBlock(stub);
    m_stubs.emplace(original, id);
    return id;
}

/// Makes the calls of a thread in file order, from the first one with a changed node on.
void ClaudeTree::emitCalls(size_t threadNumber, int firstChanged)
{
    const std::vector<int> &responses = m_links.threads()[threadNumber].responses;
    std::vector<Call> &calls = m_builder.session().threads[threadNumber].calls;
    const auto from = std::ranges::find_if(responses, [&](int index) { return index >= firstChanged; });
    calls.resize(std::min(calls.size(), static_cast<size_t>(from - responses.begin())));
    if (calls.empty())
        calls.reserve(responses.size());
    for (size_t i = calls.size(); i < responses.size(); ++i)
        calls.push_back(callOf(m_links.node(responses[i])));
}

Call ClaudeTree::callOf(const ClaudeNode &response) const
{
    Call call;
    if (response.parent != kNone)
        call.input = m_links.node(response.parent).array;
    call.output = m_builder.rangeOf(response.message);
    m_links.anyRecordOf(response, [&](const ClaudeRecord &record) {
        // The lines of one response repeat its usage; early ones have partial output counts.
        if (record.usage && record.usage->prompt() > 0 && (!call.usage || record.usage->output >= call.usage->output))
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

void ClaudeTree::emitCompactions(size_t threadNumber)
{
    Thread &thread = m_builder.session().threads[threadNumber];
    thread.compactions.clear();
    std::vector<std::pair<size_t, int>> events;
    std::ranges::copy_if(m_links.events(), std::back_inserter(events),
        [&](const auto &event) { return m_links.threadOf(event.first) == threadNumber; });
    std::ranges::sort(events);
    for (size_t i = 0; i < events.size(); ++i) {
        const size_t nextEvent = i + 1 < events.size() ? events[i + 1].first : m_records.size();
        thread.compactions.push_back(m_records[events[i].first].type == ClaudeRecord::Type::Boundary
                ? summaryOf(events[i].first, events[i].second, nextEvent, thread.calls)
                : clearingOf(events[i].first, events[i].second, thread.calls));
    }
}

/// The call nodes of the thread of a record.
const std::vector<int> &ClaudeTree::responsesBeside(size_t recordIndex) const
{
    return m_links.threads()[m_links.threadOf(recordIndex)].responses;
}

/// The fields that both kinds of compaction share.
RecordedCompaction ClaudeTree::compactionOf(size_t recordIndex, size_t nextCall) const
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

/// The first call behind a record in the file.
size_t ClaudeTree::callBehind(size_t recordIndex) const
{
    const std::vector<int> &responses = responsesBeside(recordIndex);
    const auto next = std::ranges::upper_bound(
        responses, recordIndex, {}, [&](int index) { return static_cast<size_t>(recordOf(index)); });
    return static_cast<size_t>(next - responses.begin());
}

RecordedCompaction ClaudeTree::summaryOf(
    size_t recordIndex, int nodeIndex, size_t nextEvent, const std::vector<Call> &calls) const
{
    const std::vector<int> &responses = responsesBeside(recordIndex);
    const ClaudeRecord &record = m_records[recordIndex];
    const size_t next = callBehind(recordIndex);
    RecordedCompaction compaction = compactionOf(recordIndex, next);
    compaction.kind = CompactionKind::Summary;
    compaction.beforeTokens = record.preTokens;
    const uint32_t logical
        = record.logicalParent.isNull() ? ClaudeLinks::kNoRecord : m_links.find(record.logicalParent);
    int before = logical != ClaudeLinks::kNoRecord ? m_links.nodeOf(logical) : kNone;
    const int last = lastArrayNode(m_links.threadOf(recordIndex), recordIndex);
    // Results may have been cleared behind the message that the boundary names.
    const bool isCleared
        = last != kNone && m_links.node(last).kind == ClaudeNode::Kind::Clearing && m_links.node(last).parent == before;
    if (before == kNone || isCleared)
        before = last;
    if (before != kNone)
        compaction.before = m_links.node(before).array;
    const bool isSent = next < responses.size() && recordOf(responses[next]) < nextEvent;
    if (isSent) {
        compaction.after = calls[next].input;
        if (calls[next].usage)
            compaction.afterTokens = calls[next].usage->prompt();
        return compaction;
    }
    const int end = lastArrayNode(m_links.threadOf(recordIndex), nextEvent);
    const bool isBehind = end != kNone && recordOf(end) > recordIndex;
    compaction.after = m_links.node(isBehind ? end : nodeIndex).array;
    return compaction;
}

/// `preTokens` and `tokensSaved` in the record count results only, at four characters a token. The sizes of contexts
/// come from the calls before and after.
RecordedCompaction ClaudeTree::clearingOf(size_t recordIndex, int nodeIndex, const std::vector<Call> &calls) const
{
    const std::vector<int> &responses = responsesBeside(recordIndex);
    const size_t next = callBehind(recordIndex);
    RecordedCompaction compaction = compactionOf(recordIndex, next);
    compaction.kind = CompactionKind::Clearing;
    const int before = m_links.node(nodeIndex).parent;
    if (before != kNone)
        compaction.before = m_links.node(before).array;
    compaction.after = m_links.node(nodeIndex).array;
    const auto promptOf = [&](size_t call) -> std::optional<uint64_t> {
        const std::optional<Usage> &usage = calls[call].usage;
        return usage ? std::optional(usage->prompt()) : std::nullopt;
    };
    if (next > 0 && hangsOn(nodeIndex, responses[next - 1]))
        compaction.beforeTokens = promptOf(next - 1);
    if (next < responses.size() && hangsOn(responses[next], nodeIndex))
        compaction.afterTokens = promptOf(next);
    return compaction;
}

/// Whether `above` is an ancestor of the node, without a compaction between them.
bool ClaudeTree::hangsOn(int nodeIndex, int above) const
{
    int at = m_links.node(nodeIndex).parent;
    while (at > above && m_links.node(at).kind == ClaudeNode::Kind::Message) // parents come first
        at = m_links.node(at).parent;
    return at == above;
}

/// The node of the last record before `limit` that changed the array.
int ClaudeTree::lastArrayNode(size_t threadNumber, size_t limit) const
{
    const std::vector<uint32_t> &records = m_links.threads()[threadNumber].arrayRecords;
    const auto behind = std::ranges::lower_bound(records, limit);
    return behind == records.begin() ? kNone : m_links.nodeOf(*std::prev(behind));
}

/// Sets the titles, and the tool call that started each subagent.
void ClaudeTree::finishThreads()
{
    Session &session = m_builder.session();
    const std::vector<ClaudeThread> &threads = m_links.threads();
    std::unordered_map<StringId, BlockId> starters;
    for (const ClaudeThread &each : threads) {
        if (each.parentTool.isValid())
            starters.try_emplace(each.parentTool);
    }
    for (size_t i = 0; i < session.blocks.size() && !starters.empty(); ++i) {
        if (session.blocks[i].kind != BlockKind::ToolCall)
            continue;
        const auto starter = starters.find(session.blocks[i].callId);
        if (starter != starters.end() && !starter->second.isValid())
            starter->second = BlockId(i);
    }
    for (size_t i = 0; i < threads.size(); ++i) {
        const auto starter = starters.find(threads[i].parentTool);
        session.threads[i].parentCall = starter != starters.end() ? starter->second : BlockId();
    }
    setTitles();
}

/// A thread's title is the beginning of its task.
void ClaudeTree::setTitles()
{
    Session &session = m_builder.session();
    for (Thread &thread : session.threads)
        thread.title.clear();
    for (const Message &message : session.messages) {
        Thread &thread = session.threads[message.thread.index()];
        if (!thread.title.empty() || message.role != Role::User)
            continue;
        for (uint32_t k = 0; k < message.count; ++k) {
            const Block &block = session.blocks[message.first.index() + k];
            const bool isTask
                = thread.kind == ThreadKind::Main ? block.is(BlockFlag::Typed) : block.kind == BlockKind::Text;
            if (!isTask)
                continue;
            const auto [known, isNew] = m_titles.try_emplace({ block.body.source.value(), block.body.offset });
            if (isNew)
                known->second = snippet(session.textHead(block.body, 400), 80);
            thread.title = known->second;
            break;
        }
    }
    session.title = session.threads.front().title;
}

} // namespace core
