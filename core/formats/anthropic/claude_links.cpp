// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/claude_links.h"

#include "core/base/counted.h"
#include "core/session/earlier_messages.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

constexpr std::string_view kSyntheticModel = "<synthetic>";

bool isMessage(const ClaudeRecord &record)
{
    return record.type == ClaudeRecord::Type::User || record.type == ClaudeRecord::Type::Assistant;
}

bool isLink(const ClaudeRecord &record) { return record.type == ClaudeRecord::Type::Link; }

/// Whether it has no content for an array, by its type or because it is damaged.
bool isEmpty(const ClaudeRecord &record) { return isLink(record) || (isMessage(record) && record.blockCount == 0); }

} // namespace

bool ClaudeLinks::update(const SessionBuilder &names)
{
    if (link(names))
        return false;
    reset();
    const bool isLinked = link(names);
    assert(isLinked); // nothing was linked before, so there is no past to change
    (void)isLinked;
    return true;
}

void ClaudeLinks::reset()
{
    m_linked = 0;
    m_state.clear();
    m_isCut.clear();
    m_nodeOf.clear();
    m_threadOf.clear();
    m_parentOf.clear();
    m_nextOf.clear();
    m_isAnswered.clear();
    m_byUuid.clear();
    m_missing.clear();
    m_isStandIn = false;
    m_copies = 0;
    m_hasMain = false;
    m_firstMessage.reset();
    m_threads.clear();
    m_byTool.clear();
    m_byAgent.clear();
    m_lastUnnamed = 0;
    m_nodes.clear();
    m_events.clear();
    m_anchors.clear();
    m_kept.clear();
    m_notes.clear();
}

/// Links the new records; returns false if they change earlier links.
bool ClaudeLinks::link(const SessionBuilder &names)
{
    if (m_threads.empty())
        m_threads.emplace_back();
    m_state.resize(m_records.size(), State::New);
    m_isCut.resize(m_records.size(), false);
    m_nodeOf.resize(m_records.size(), ClaudeNode::kNone);
    m_threadOf.resize(m_records.size(), 0);
    m_parentOf.resize(m_records.size(), kNoRecord);
    m_nextOf.resize(m_records.size(), kNoRecord);
    m_isAnswered.resize(m_records.size(), false);
    if (!indexRecords() || !findMainThread())
        return false;
    findParents();
    if (!findAnswered() || !assignThreads())
        return false;
    const size_t firstNode = m_nodes.size();
    for (size_t i = m_linked; i < m_records.size(); ++i)
        processWithParents(i);
    listNew(names, firstNode);
    m_linked = m_records.size();
    return true;
}

/// False if a new record is the parent of an earlier one.
bool ClaudeLinks::indexRecords()
{
    if (m_linked == 0)
        m_byUuid.reserve(m_records.size());
    for (size_t i = m_linked; i < m_records.size(); ++i) {
        const Hash &uuid = m_records[i].uuid;
        if (uuid.isNull())
            continue;
        const auto [entry, isNew] = m_byUuid.tryEmplace(uuid, static_cast<uint32_t>(i));
        if (isNew) {
            if (m_missing.contains(uuid))
                return false;
            continue;
        }
        if (isEmpty(m_records[entry]) && !isEmpty(m_records[i])) {
            if (entry < m_linked)
                return false;
            m_isStandIn = true;
            entry = static_cast<uint32_t>(i); // the first intact record counts
            continue;
        }
        m_state[i] = State::Done; // a copy from a resumed or forked session
        ++m_copies;
    }
    return true;
}

/// Looks up each record's parent once; for most it is the previous record.
void ClaudeLinks::findParents()
{
    for (size_t i = m_linked; i < m_records.size(); ++i) {
        const Hash &parent = m_records[i].parent;
        if (parent.isNull())
            continue;
        const bool followsLast
            = i > m_linked && !m_isStandIn && m_state[i - 1] == State::New && m_records[i - 1].uuid == parent;
        m_parentOf[i] = followsLast ? static_cast<uint32_t>(i - 1) : m_byUuid.find(parent);
        if (m_parentOf[i] == kNoRecord)
            m_missing.insert(parent);
    }
}

/// Marks the records of the user that were answered. False if that parts a message that was linked.
bool ClaudeLinks::findAnswered()
{
    for (size_t i = m_linked; i < m_records.size(); ++i) {
        const uint32_t parent = m_parentOf[i];
        const bool isAnswer = m_records[i].type == ClaudeRecord::Type::Assistant && !m_records[i].isApiError
            && m_state[i] == State::New && parent != kNoRecord && m_records[parent].type == ClaudeRecord::Type::User;
        if (!isAnswer || m_isAnswered[parent])
            continue;
        m_isAnswered[parent] = true;
        if (parent < m_linked && m_nextOf[parent] != kNoRecord)
            return false;
    }
    return true;
}

/// Finds out whether there is a main thread, and which message is the first. False if that changes the threads of
/// earlier records.
bool ClaudeLinks::findMainThread()
{
    const bool hadMain = m_hasMain;
    const bool hadMessage = m_firstMessage.has_value();
    for (size_t i = m_linked; i < m_records.size(); ++i) {
        if (isLink(m_records[i]))
            continue;
        m_hasMain = m_hasMain || !m_records[i].isSidechain;
        if (!m_firstMessage)
            m_firstMessage = i;
    }
    return m_linked == 0 || (m_hasMain == hadMain && m_firstMessage.has_value() == hadMessage);
}

/// Main thread first; sidechains by the tool call that started them or by their agent (which may continue under a later
/// call), else by their root. False if an earlier thread gains or loses its links.
bool ClaudeLinks::assignThreads()
{
    // A subagent's file has sidechain records only; its own agent is the main thread there.
    const StringId mainAgent = m_firstMessage ? m_records[*m_firstMessage].agent : StringId();
    const size_t threadsBefore = m_linked == 0 ? 0 : m_threads.size();
    for (size_t i = m_linked; i < m_records.size(); ++i) {
        const ClaudeRecord &record = m_records[i];
        const bool isMain = !record.isSidechain || (!m_hasMain && record.agent == mainAgent);
        m_threadOf[i] = isMain ? 0 : sideThreadOf(i);
        ClaudeThread &thread = m_threads[m_threadOf[i]];
        thread.messageCount += isMessage(record) ? 1 : 0;
        thread.linkedCount += m_parentOf[i] != kNoRecord ? 1 : 0;
    }
    for (size_t i = 0; i < m_threads.size(); ++i) {
        ClaudeThread &thread = m_threads[i];
        const bool isUnlinked = thread.linkedCount == 0 && thread.messageCount > 1;
        if (isUnlinked != thread.isUnlinked && i < threadsBefore)
            return false;
        thread.isUnlinked = isUnlinked;
    }
    return true;
}

uint32_t ClaudeLinks::sideThreadOf(size_t i)
{
    const ClaudeRecord &record = m_records[i];
    const auto known = [](const std::unordered_map<StringId, uint32_t> &threads, StringId key) {
        const auto entry = key.isValid() ? threads.find(key) : threads.end();
        return entry == threads.end() ? 0 : entry->second;
    };
    const bool isNoMessage = isLink(record);
    const StringId tool = isNoMessage ? StringId() : record.parentTool; // for other records this names the tool they
                                                                        // report on
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
        if (isNoMessage)
            return 0; // that thread is still empty, and this is no message
        thread = static_cast<uint32_t>(m_threads.size());
        m_threads.emplace_back();
    }
    ClaudeThread &build = m_threads[thread];
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

/// Links parents first, whatever the order in the file. Cuts a cycle of parent links at its first record.
void ClaudeLinks::processWithParents(size_t start)
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
        note(m_records[first].line, "The parent links run in a circle; this record was attached to the one before it.");
        m_isCut[first] = true;
        for (auto member = circle; member != pending.end(); ++member)
            m_state[*member] = State::New;
        pending.erase(circle, pending.end());
        pending.push_back(start);
    }
}

bool ClaudeLinks::isLinear(size_t i) const
{
    return m_records[i].isLinear || m_isCut[i] || m_threads[m_threadOf[i]].isUnlinked;
}

int ClaudeLinks::parentNode(size_t i)
{
    const ClaudeRecord &record = m_records[i];
    const ClaudeThread &thread = m_threads[m_threadOf[i]];
    const int last = thread.lastRecord == kNone ? kNone : m_nodeOf[static_cast<size_t>(thread.lastRecord)];
    if (isLinear(i))
        return last;
    if (record.parent.isNull())
        return kNone;
    const uint32_t parent = m_parentOf[i];
    if (parent != kNoRecord && m_state[parent] == State::Done)
        return m_threadOf[parent] == m_threadOf[i] ? m_nodeOf[parent] : kNone;
    if (parent == kNoRecord)
        noteLostParent(i);
    if (parent == kNoRecord && last != kNone && !node(last).hasLostRecord) {
        node(last).hasLostRecord = true;
        markChanged(last);
    }
    return last;
}

/// The record stays where it is in the file.
void ClaudeLinks::noteLostParent(size_t i)
{
    const ClaudeRecord &record = m_records[i];
    if (m_threads[m_threadOf[i]].lastRecord != kNone)
        note(record.line,
            "The parent of this record is not in the file. Palimpsest attached the record to the one before.");
    else if (m_threadOf[i] == 0 && !record.isSidechain)
        note(record.line, std::string(kEarlierMessagesMissing));
    else
        note(record.line, "The parent of this record is not in the file.");
}

int ClaudeLinks::newNode(ClaudeNode::Kind kind, Role role, int parent, size_t record)
{
    ClaudeNode node;
    node.kind = kind;
    node.role = role;
    node.parent = parent;
    node.thread = m_threadOf[record];
    node.record = static_cast<uint32_t>(record);
    node.lastRecord = node.record;
    const int index = static_cast<int>(m_nodes.size());
    m_threads[node.thread].nodes.push_back(index);
    m_nodes.push_back(std::move(node));
    return index;
}

void ClaudeLinks::addRecord(int nodeIndex, size_t record)
{
    ClaudeNode &target = node(nodeIndex);
    if (record == target.record)
        return;
    m_nextOf[target.lastRecord] = static_cast<uint32_t>(record);
    target.lastRecord = static_cast<uint32_t>(record);
    markChanged(nodeIndex);
}

void ClaudeLinks::markChanged(int nodeIndex)
{
    ClaudeThread &thread = m_threads[node(nodeIndex).thread];
    const bool isKnown = thread.firstChanged < thread.nodes.size() && thread.nodes[thread.firstChanged] <= nodeIndex;
    if (!isKnown)
        thread.firstChanged
            = static_cast<size_t>(std::ranges::lower_bound(thread.nodes, nodeIndex) - thread.nodes.begin());
}

void ClaudeLinks::process(size_t i)
{
    const ClaudeRecord &record = m_records[i];
    ClaudeThread &thread = m_threads[m_threadOf[i]];
    int at = kNone;
    switch (record.type) {
    case ClaudeRecord::Type::Boundary:
        at = newNode(ClaudeNode::Kind::Root, Role::User, kNone, i);
        m_events.push_back({ i, at });
        break;
    case ClaudeRecord::Type::Clearing:
        at = newNode(ClaudeNode::Kind::Clearing, Role::User, parentNode(i), i);
        m_events.push_back({ i, at });
        break;
    case ClaudeRecord::Type::Link:
        at = parentNode(i);
        break;
    case ClaudeRecord::Type::User:
        at = addUser(i, parentNode(i));
        break;
    case ClaudeRecord::Type::Assistant:
        at = addAssistant(i, parentNode(i));
        break;
    }
    if (record.kept)
        m_anchors.try_emplace(record.kept->anchor, static_cast<uint32_t>(i));
    m_nodeOf[i] = m_anchors.contains(record.uuid) ? addKept(i, at) : at;
    thread.lastRecord = static_cast<int>(i);
}

/// Adds the messages that a compaction kept behind the record, as Claude Code 2.1.330 does: all of them, or none if one
/// is not in the file.
int ClaudeLinks::addKept(size_t anchor, int parent)
{
    const auto boundary = m_anchors.extract(m_records[anchor].uuid);
    std::vector<uint32_t> records = keptRecords(*m_records[boundary.mapped()].kept);
    if (records.empty())
        return parent;
    const int at = newNode(ClaudeNode::Kind::Kept, Role::User, parent, anchor);
    m_kept.emplace(at, std::move(records));
    return at;
}

std::vector<uint32_t> ClaudeLinks::keptRecords(const KeptMessages &kept) const
{
    std::vector<uint32_t> records;
    if (kept.hasList) {
        for (const Hash &each : kept.list) {
            records.push_back(find(each));
            if (records.back() == kNoRecord || m_state[records.back()] != State::Done)
                return {};
        }
        return records;
    }
    for (uint32_t at = find(kept.tail); at != kNoRecord && records.size() < m_records.size(); at = m_parentOf[at]) {
        records.push_back(at);
        if (m_state[at] != State::Done)
            return {};
        if (m_records[at].uuid == kept.head) {
            std::ranges::reverse(records);
            return records;
        }
    }
    return {};
}

bool ClaudeLinks::hasToolResults(const ClaudeRecord &record) const
{
    return std::any_of(m_blocks.begin() + record.firstBlock, m_blocks.begin() + record.firstBlock + record.blockCount,
        [](const Block &block) { return block.kind == BlockKind::ToolResult; });
}

/// Whether the node already has a result of the record: the call was answered again, on a branch.
bool ClaudeLinks::repeatsResult(int nodeIndex, const ClaudeRecord &record) const
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

/// True if the record before it was answered: what hangs on that one, too, is a branch that the answer does not see.
bool ClaudeLinks::hangsOnAnswered(size_t i) const
{
    return !isLinear(i) && m_parentOf[i] != kNoRecord && m_isAnswered[m_parentOf[i]];
}

int ClaudeLinks::addUser(size_t i, int parent)
{
    const ClaudeRecord &record = m_records[i];
    if (record.blockCount == 0)
        return parent;
    int at = kNone;
    if (parent != kNone && node(parent).kind == ClaudeNode::Kind::Message) {
        ClaudeNode &above = node(parent);
        if (above.role == Role::User && !above.isAnswered && !hangsOnAnswered(i))
            at = parent;
        else if (above.role == Role::Assistant && above.resultNode != kNone && hasToolResults(record)
            && !repeatsResult(above.resultNode, record))
            at = above.resultNode; // results of parallel calls have different records of one response as parents
    }
    if (at == kNone) {
        at = newNode(ClaudeNode::Kind::Message, Role::User, parent, i);
        if (parent != kNone && node(parent).role == Role::Assistant && hasToolResults(record))
            node(parent).resultNode = at;
    }
    addRecord(at, i);
    return at;
}

int ClaudeLinks::addAssistant(size_t i, int parent)
{
    ClaudeThread &thread = m_threads[m_threadOf[i]];
    const ClaudeRecord &record = m_records[i];
    if (record.isApiError)
        return parent; // shown to the user, never sent
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
        at = newNode(ClaudeNode::Kind::Message, Role::Assistant, parent, i);
        node(at).messageId = record.messageId;
        if (known != nullptr)
            *known = at;
        if (parent != kNone)
            node(parent).isAnswered = true;
    }
    addRecord(at, i);
    return at;
}

/// Lists the new nodes and records by thread.
void ClaudeLinks::listNew(const SessionBuilder &names, size_t firstNode)
{
    std::vector<size_t> responsesBefore;
    for (const ClaudeThread &thread : m_threads)
        responsesBefore.push_back(thread.responses.size());
    for (size_t i = firstNode; i < m_nodes.size(); ++i) {
        const ClaudeNode &each = m_nodes[i];
        const bool isCall = each.kind == ClaudeNode::Kind::Message && each.role == Role::Assistant
            && names.string(m_records[each.record].model) != kSyntheticModel;
        if (isCall)
            m_threads[each.thread].responses.push_back(static_cast<int>(i));
    }
    for (size_t i = 0; i < m_threads.size(); ++i)
        std::stable_sort(m_threads[i].responses.begin() + static_cast<ptrdiff_t>(responsesBefore[i]),
            m_threads[i].responses.end(), [&](int a, int b) { return node(a).record < node(b).record; });
    for (size_t i = m_linked; i < m_records.size(); ++i) {
        const ClaudeRecord::Type type = m_records[i].type;
        if (type != ClaudeRecord::Type::Link && type != ClaudeRecord::Type::Boundary && m_nodeOf[i] != kNone)
            m_threads[m_threadOf[i]].arrayRecords.push_back(static_cast<uint32_t>(i));
    }
}

void ClaudeLinks::setUnchanged()
{
    for (ClaudeThread &thread : m_threads)
        thread.firstChanged = thread.nodes.size();
}

std::vector<Diagnostic> ClaudeLinks::notes() const
{
    std::vector<Diagnostic> all;
    if (m_copies > 0)
        all.push_back({ Severity::Note, 0,
            counted(m_copies, "record")
                + (m_copies == 1 ? " is a copy of an earlier one" : " are copies of earlier ones")
                + " (same uuid). Palimpsest counts each record once." });
    all.insert(all.end(), m_notes.begin(), m_notes.end());
    return all;
}

} // namespace core
