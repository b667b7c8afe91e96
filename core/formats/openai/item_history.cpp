// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/item_history.h"

#include "core/session/alignment.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

namespace core {

namespace {

/// The user messages that Codex keeps when it compacts (COMPACT_USER_MESSAGE_MAX_TOKENS in
/// codex-rs/core/src/compact.rs), at four bytes a token.
constexpr uint64_t kKeptUserTokens = 20'000;
constexpr uint64_t kBytesPerToken = 4;

BlockRanges rangesOf(const SessionBuilder &builder, std::span<const MessageId> messages)
{
    std::vector<BlockRange> ranges;
    ranges.reserve(messages.size());
    for (const MessageId message : messages)
        ranges.push_back(builder.rangeOf(message));
    return BlockRanges::of(ranges);
}

} // namespace

ItemHistory::ItemHistory(SessionBuilder &builder, ResponsesItems &items, ThreadIndex thread)
    : m_builder(&builder)
    , m_items(&items)
    , m_thread(thread)
    , m_arrays(1)
{
}

ItemHistory::ItemHistory(const ItemHistory &other, SessionBuilder &builder, ResponsesItems &items)
    : ItemHistory(other)
{
    m_builder = &builder;
    m_items = &items;
}

// --- incoming items and copies -------------------------------------------------------------------------------------

void ItemHistory::setModel(StringId model)
{
    Event event;
    event.act = Act::Model;
    event.model = model;
    take(std::move(event));
}

void ItemHistory::addItem(ResponsesItem item)
{
    if (item.kind == ResponsesItem::Kind::Snapshot)
        return;
    m_items->link(item.draft);
    Event event;
    event.line = item.draft.line;
    event.items.push_back(std::move(item));
    take(std::move(event));
}

void ItemHistory::addUsage(const UsageReport &report)
{
    // Not a call: Codex reports the estimate of an array after it has compacted.
    const bool isCall = report.usage.prompt() > 0 || report.usage.output > 0;
    if (!isCall || !m_reports.insert(report.identity).second)
        return;
    Event event;
    event.act = Act::Usage;
    event.usage = report;
    event.line = report.line;
    take(std::move(event));
}

void ItemHistory::replace(std::vector<ResponsesItem> items, uint64_t line)
{
    std::erase_if(items, [](const ResponsesItem &item) { return item.kind == ResponsesItem::Kind::Snapshot; });
    Event event;
    event.act = Act::Replace;
    event.line = line;
    event.hash = Hash { items.size(), 1 };
    for (ResponsesItem &item : items) {
        m_items->link(item.draft);
        event.hash = combine(event.hash, hashOfDraft(item.draft));
    }
    event.items = std::move(items);
    take(std::move(event));
}

void ItemHistory::summarise(ResponsesItem summary, uint64_t line)
{
    for (Block &block : summary.draft.blocks)
        block.set(BlockFlag::Summary);
    Event event;
    event.act = Act::Summarise;
    event.line = line;
    event.hash = combine(Hash { 2, 2 }, hashOfDraft(summary.draft));
    event.items.push_back(std::move(summary));
    take(std::move(event));
}

void ItemHistory::rollBack(uint64_t turns, uint64_t line)
{
    Event event;
    event.act = Act::RollBack;
    event.turns = turns;
    event.line = line;
    event.hash = Hash { turns, 3 };
    take(std::move(event));
}

void ItemHistory::beginCopies()
{
    if (m_copies)
        endCopies();
    if (!m_log.empty())
        m_copies = Copies();
}

void ItemHistory::take(Event event)
{
    if (!m_copies) {
        apply(event);
        return;
    }
    const bool leavesTheArray = event.act == Act::Usage || event.act == Act::Model;
    if (!leavesTheArray && !isCopy(event)) {
        endCopies();
        apply(event);
        return;
    }
    if (!leavesTheArray) {
        ++m_copies->matched;
        m_copies->hasModelOutput
            = m_copies->hasModelOutput || std::ranges::any_of(event.items, &ResponsesItem::isModelOutput);
    }
    m_copies->held.push_back(std::move(event));
    if (m_copies->matched == m_log.size() && m_copies->hasModelOutput)
        endCopies();
}

bool ItemHistory::isCopy(const Event &event) const
{
    if (m_copies->matched == m_log.size())
        return false;
    const LogEntry &entry = m_log[m_copies->matched];
    if (entry.act != event.act)
        return false;
    return event.act == Act::Item ? hashOfMessage(entry.message) == hashOfDraft(event.items.front().draft)
                                  : entry.hash == event.hash;
}

void ItemHistory::endCopies()
{
    Copies copies = std::move(*m_copies);
    m_copies.reset();
    // A resume may describe the same environment again; model output does not repeat.
    if (!copies.hasModelOutput) {
        for (Event &event : copies.held)
            apply(event);
        return;
    }
    for (const Event &event : copies.held) {
        if (event.act == Act::Model)
            m_model = event.model;
    }
    const LogEntry state = m_log[copies.matched - 1];
    if (copies.matched == m_log.size())
        return;
    std::vector<MessageId> after(
        m_arrays[state.array].begin(), m_arrays[state.array].begin() + static_cast<ptrdiff_t>(state.length));
    change(CompactionKind::Rollback, std::move(after), copies.held.front().line);
}

void ItemHistory::apply(Event &event)
{
    switch (event.act) {
    case Act::Item:
        applyItem(event.items.front());
        break;
    case Act::Usage:
        applyUsage(event.usage);
        return;
    case Act::Model:
        m_model = event.model;
        return;
    case Act::Replace:
        applyReplace(event);
        break;
    case Act::Summarise:
        applySummarise(event.items.front(), event.line);
        break;
    case Act::RollBack:
        applyRollBack(event.turns, event.line);
        break;
    }
    m_log.push_back({ event.act, event.act == Act::Item ? array().back() : MessageId(), event.hash,
        static_cast<uint32_t>(m_arrays.size() - 1), static_cast<uint32_t>(array().size()) });
}

// --- the array and its calls ---------------------------------------------------------------------------------------

MessageId ItemHistory::addMessage(const ResponsesItem &item)
{
    const MessageId id = m_builder->addMessage(m_thread, item.draft);
    m_facts.resize(id.index() + 1);
    m_facts[id.index()] = { true, item.beginsTurn, item.isModelOutput, hasFlag(id, BlockFlag::Injected) };
    return id;
}

void ItemHistory::applyItem(const ResponsesItem &item)
{
    const MessageId id = addMessage(item);
    const BlockRange range = m_builder->rangeOf(id);
    if (item.isModelOutput) {
        extendResponse(item, range);
    } else if (item.draft.role == Role::User) {
        closeResponse();
        m_order = Order::Unknown;
    } else if (m_response && !m_response->parts.empty() && item.draft.role != Role::System) {
        m_response->isOpen = false;
    }
    array().push_back(id);
    m_ranges.append(range);
}

ItemHistory::Response &ItemHistory::beginResponse()
{
    m_response = Response();
    m_response->input = m_ranges;
    m_response->prelude = m_prelude;
    m_response->model = m_model;
    return *m_response;
}

void ItemHistory::extendResponse(const ResponsesItem &item, BlockRange output)
{
    using Kind = ResponsesItem::Kind;
    if (m_order == Order::Unknown)
        m_order = Order::ItemsFirst;
    if (m_response && !m_response->isOpen) {
        // Before 0.50 parallel calls were each recorded with their output, although they are one response. Its output
        // is then the first run, because a call's output is one range.
        if (m_order == Order::UsageFirst)
            return;
        closeResponse();
    }
    Response &response = m_response ? *m_response : beginResponse();
    // A message begins another response, unless it follows reasoning, a hosted tool or a commentary message.
    const bool goesOn = !response.parts.empty()
        && (item.kind != Kind::Message || response.lastKind == Kind::Reasoning || response.lastKind == Kind::HostedCall
            || response.lastIsCommentary);
    if (goesOn)
        response.parts.back().output.end = output.end;
    else
        response.parts.push_back({ output, item.draft.time, item.draft.line });
    response.lastKind = item.kind;
    response.lastIsCommentary = item.isCommentary;
}

void ItemHistory::applyUsage(const UsageReport &report)
{
    m_contextTokens = report.totalTokens > 0 ? report.totalTokens : report.usage.prompt() + report.usage.output;
    if (m_order == Order::ItemsFirst) {
        if (m_response && m_response->usage)
            closeResponse();
        Response &response = m_response ? *m_response : beginResponse();
        response.usage = report;
        // A response does not end with reasoning: the next item belongs to it.
        const bool goesOn = response.isOpen && response.lastKind == ResponsesItem::Kind::Reasoning;
        if (!goesOn)
            closeResponse();
        return;
    }
    m_order = Order::UsageFirst;
    closeResponse();
    beginResponse().usage = report;
}

void ItemHistory::closeResponse()
{
    if (!m_response)
        return;
    const Response response = std::move(*m_response);
    m_response.reset();
    Call call;
    call.input = response.input;
    call.prelude = response.prelude;
    call.model = response.model;
    if (response.usage) {
        call.usage = response.usage->usage;
        call.time = response.usage->time;
        call.line = response.usage->line;
        if (!response.parts.empty()) {
            call.output = { response.parts.front().output.begin, response.parts.back().output.end };
            call.time = response.parts.front().time ? response.parts.front().time : call.time;
            call.line = response.parts.front().line;
        }
        emitCall(std::move(call));
        return;
    }
    call.isDerived = true;
    for (const Response::Part &part : response.parts) {
        call.output = part.output;
        call.time = part.time;
        call.line = part.line;
        emitCall(call);
        call.input.append(part.output);
    }
}

void ItemHistory::emitCall(Call call)
{
    Thread &thread = m_builder->thread(m_thread);
    if (m_awaitsCall) {
        RecordedCompaction &compaction = thread.compactions.back();
        compaction.after = call.input;
        if (call.usage)
            compaction.afterTokens = call.usage->prompt();
        m_awaitsCall = false;
    }
    thread.calls.push_back(std::move(call));
}

void ItemHistory::sync()
{
    Thread &thread = m_builder->thread(m_thread);
    thread.end = m_ranges;
    thread.prelude = m_prelude;
    if (m_awaitsCall)
        thread.compactions.back().after = m_ranges;
}

void ItemHistory::finish()
{
    if (m_copies)
        endCopies();
    closeResponse();
    sync();
}

std::vector<MessageId> ItemHistory::openingMessages() const
{
    std::vector<MessageId> opening;
    for (const MessageId message : m_arrays.front()) {
        if (factsOf(message).isModelOutput)
            break;
        opening.push_back(message);
    }
    return opening;
}

// --- compactions ---------------------------------------------------------------------------------------------------

void ItemHistory::change(CompactionKind kind, std::vector<MessageId> after, uint64_t line)
{
    closeResponse();
    m_order = Order::Unknown;
    sync();
    Thread &thread = m_builder->thread(m_thread);
    RecordedCompaction compaction;
    compaction.kind = kind;
    if (!thread.calls.empty())
        compaction.call = CallIndex(thread.calls.size() - 1);
    compaction.before = m_ranges;
    compaction.beforeTokens = m_contextTokens;
    compaction.line = line;
    m_ranges = rangesOf(*m_builder, after);
    compaction.after = m_ranges;
    thread.compactions.push_back(std::move(compaction));
    m_arrays.push_back(std::move(after));
    m_contextTokens.reset();
    m_awaitsCall = true;
}

void ItemHistory::applyReplace(const Event &event)
{
    std::vector<Hash> before;
    for (const MessageId message : array())
        before.push_back(hashOfMessage(message));
    std::vector<Hash> after;
    for (const ResponsesItem &item : event.items)
        after.push_back(hashOfDraft(item.draft));
    const Alignment alignment = align(before, after);

    std::vector<bool> isTaken(m_builder->session().messages.size());
    for (const uint32_t place : alignment.places) {
        if (place != Alignment::kNone)
            isTaken[array()[place].index()] = true;
    }
    // Items dropped by an earlier compaction may come back; the newest first.
    std::unordered_map<Hash, std::vector<MessageId>> others;
    for (size_t i = 0; i < m_facts.size(); ++i) {
        const MessageId message(i);
        if (!isTaken[i] && m_facts[i].isItem)
            others[hashOfMessage(message)].push_back(message);
    }
    std::vector<MessageId> messages;
    bool hasNewSummary = false;
    for (size_t i = 0; i < event.items.size(); ++i) {
        if (alignment.places[i] != Alignment::kNone) {
            messages.push_back(array()[alignment.places[i]]);
            continue;
        }
        const auto found = others.find(after[i]);
        if (found != others.end() && !found->second.empty()) {
            messages.push_back(found->second.back());
            found->second.pop_back();
            continue;
        }
        messages.push_back(addMessage(event.items[i]));
        hasNewSummary = hasNewSummary || hasFlag(messages.back(), BlockFlag::Summary);
    }
    change(hasNewSummary ? CompactionKind::Summary : CompactionKind::Replacement, std::move(messages), event.line);
}

void ItemHistory::applySummarise(const ResponsesItem &summary, uint64_t line)
{
    std::vector<MessageId> after;
    for (const MessageId message : array()) {
        const Facts facts = factsOf(message);
        if (facts.isModelOutput || facts.beginsTurn)
            break;
        after.push_back(message);
    }
    std::vector<MessageId> kept;
    uint64_t tokensLeft = kKeptUserTokens;
    for (const MessageId message : array() | std::views::reverse) {
        const bool isKept
            = factsOf(message).beginsTurn && !factsOf(message).isInjected && !hasFlag(message, BlockFlag::Summary);
        if (!isKept || tokensLeft == 0)
            continue;
        // Codex cuts the middle of the message that no longer fits; here it stays complete, as recorded.
        kept.push_back(message);
        uint64_t bytes = 0;
        const BlockRange range = m_builder->rangeOf(message);
        for (uint32_t i = range.begin; i < range.end; ++i)
            bytes += m_builder->session().block(BlockId(i)).lengths.bytes;
        const uint64_t tokens = (bytes + kBytesPerToken - 1) / kBytesPerToken;
        tokensLeft -= std::min(tokensLeft, tokens);
    }
    std::ranges::reverse(kept);
    after.insert(after.end(), kept.begin(), kept.end());
    after.push_back(addMessage(summary));
    change(CompactionKind::Summary, std::move(after), line);
}

void ItemHistory::applyRollBack(uint64_t turns, uint64_t line)
{
    std::vector<size_t> begins;
    for (size_t i = 0; i < array().size(); ++i) {
        if (factsOf(array()[i]).beginsTurn)
            begins.push_back(i);
    }
    if (turns == 0 || begins.empty())
        return;
    size_t cut = turns >= begins.size() ? begins.front() : begins[begins.size() - turns];
    while (cut > begins.front() && factsOf(array()[cut - 1]).isInjected && !factsOf(array()[cut - 1]).beginsTurn)
        --cut;
    std::vector<MessageId> after(array().begin(), array().begin() + static_cast<ptrdiff_t>(cut));
    change(CompactionKind::Rollback, std::move(after), line);
}

// --- facts about messages ------------------------------------------------------------------------------------------

ItemHistory::Facts ItemHistory::factsOf(MessageId message) const
{
    return message.index() < m_facts.size() ? m_facts[message.index()] : Facts();
}

Hash ItemHistory::hashOfDraft(const MessageDraft &draft) const
{
    Hash hash { static_cast<uint64_t>(draft.role), draft.blocks.size() };
    for (const Block &block : draft.blocks)
        hash = combine(hash, m_builder->contentHash(block));
    return hash;
}

Hash ItemHistory::hashOfMessage(MessageId message) const
{
    if (m_hashes.size() <= message.index())
        m_hashes.resize(m_builder->session().messages.size());
    Hash &hash = m_hashes[message.index()];
    if (hash.isNull()) {
        const Message &entry = m_builder->session().message(message);
        const BlockRange range = m_builder->rangeOf(message);
        hash = { static_cast<uint64_t>(entry.role), range.size() };
        for (uint32_t i = range.begin; i < range.end; ++i)
            hash = combine(hash, m_builder->contentHash(m_builder->session().block(BlockId(i))));
    }
    return hash;
}

bool ItemHistory::hasFlag(MessageId message, BlockFlag flag) const
{
    const BlockRange range = m_builder->rangeOf(message);
    for (uint32_t i = range.begin; i < range.end; ++i) {
        if (m_builder->session().block(BlockId(i)).is(flag))
            return true;
    }
    return false;
}

} // namespace core
