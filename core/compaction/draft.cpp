// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/draft.h"

#include <algorithm>
#include <cassert>

namespace core {

Draft::Draft(const Transcript &before, MessageShape shape, const BlockTokens &tokens, ChangeMemo *memo)
    : m_pool(before.session(), tokens, memo)
    , m_thread(before.isEmpty() ? ThreadIndex(0U) : before.session()->message(before.slots().front().id).thread)
{
    const auto blocks = before.blocks();
    m_elements.reserve(blocks.size());
    for (const BlockId id : blocks) {
        m_elements.push_back({ id, id });
        count(id, 1);
    }
    for (const ViewMessage &message : messagesOf(before, shape)) {
        const bool isSummary = std::ranges::any_of(blocks.subspan(message.first, message.count),
            [&](BlockId id) { return before.block(id).is(BlockFlag::Summary); });
        m_messages.push_back({ message.role, message.first, message.count, isSummary });
    }
}

Draft::Draft(const SessionPtr &session, ThreadIndex thread, const BlockTokens &tokens, ChangeMemo *memo)
    : m_pool(session, tokens, memo)
    , m_thread(thread)
{
}

void Draft::append(BlockId block, Role role, bool startsMessage)
{
    if (startsMessage || m_messages.empty())
        m_messages.push_back({ role, static_cast<uint32_t>(m_elements.size()), 0 });
    ++m_messages.back().count;
    m_messages.back().isSummary = m_messages.back().isSummary || this->block(block).is(BlockFlag::Summary);
    m_elements.push_back({ block, block });
    count(block, 1);
}

void Draft::truncate(size_t count)
{
    m_evicted = std::min(m_evicted, count);
    const size_t kept = std::min(m_elements.size(), m_front + count - m_evicted);
    for (size_t i = kept; i < m_elements.size(); ++i) {
        if (!m_elements[i].isGone)
            this->count(m_elements[i].block, -1);
    }
    m_elements.resize(kept);
    while (!m_messages.empty() && m_messages.back().first >= kept)
        m_messages.pop_back();
    if (!m_messages.empty())
        m_messages.back().count
            = std::min(m_messages.back().count, static_cast<uint32_t>(kept) - m_messages.back().first);
}

bool Draft::isEmpty(const Message &message) const { return std::ranges::all_of(elementsOf(message), &Element::isGone); }

void Draft::count(BlockId block, int sign)
{
    m_size.tokens += sign * tokens(block);
    m_size.characters += sign * static_cast<int64_t>(this->block(block).lengths.codePoints);
}

void Draft::change(size_t element, const BlockChange &change, size_t stage, std::optional<size_t> artifact)
{
    Element &target = m_elements[element];
    assert(!target.isGone && !target.isPinned && !change.parts.empty());
    count(target.block, -1);
    target.block = m_pool.addChanged(target.block, change);
    count(target.block, 1);
    for (const BlockChange::Part &part : change.parts) {
        m_rewrites.push_back({ .block = target.origin,
            .pointer = part.pointer,
            .stage = stage,
            .fate = change.fate,
            .made = target.block,
            .before = part.before,
            .after = part.after,
            .why = part.why,
            .artifact = artifact });
    }
}

void Draft::restore(size_t element)
{
    Element &target = m_elements[element];
    assert(!target.isGone && !target.isPinned && target.origin.isValid());
    count(target.block, -1);
    target.block = target.origin;
    count(target.block, 1);
}

void Draft::drop(size_t element, Rewrite rewrite)
{
    Element &target = m_elements[element];
    assert(!target.isGone && !target.isPinned);
    target.isGone = true;
    count(target.block, -1);
    rewrite.block = target.origin;
    rewrite.before = block(target.block).lengths;
    if (rewrite.fate == Fate::Kept)
        rewrite.fate = Fate::Dropped;
    m_rewrites.push_back(std::move(rewrite));
}

void Draft::insertAt(size_t place, Role role, const std::string &text)
{
    const auto at = static_cast<uint32_t>(place);
    const BlockId made = m_pool.addMessage(text, role, m_thread);
    count(made, 1);
    m_elements.insert(m_elements.begin() + at, { made, BlockId(), false, true });
    const auto next = at == 0 ? m_messages.begin() : std::ranges::upper_bound(m_messages, at - 1, {}, &Message::first);
    for (auto each = next; each != m_messages.end(); ++each)
        ++each->first;
    std::vector<Message> added { { role, at, 1 } };
    if (next != m_messages.begin()) {
        Message &holder = *std::prev(next);
        const uint32_t rest = holder.first + holder.count - at;
        holder.count -= rest;
        if (rest > 0) // the new text divides the message
            added.push_back({ holder.role, at + 1, rest, holder.isSummary });
    }
    m_messages.insert(next, added.begin(), added.end());
    m_rewrites.push_back({ .block = {},
        .pointer = {},
        .stage = SIZE_MAX,
        .fate = Fate::Inserted,
        .made = made,
        .before = {},
        .after = block(made).lengths,
        .why = "you inserted it",
        .artifact = {} });
}

void Draft::noteAdded(BlockId made, const Rewrite &common)
{
    count(made, 1);
    Rewrite added = common;
    added.fate = Fate::Added;
    added.made = made;
    added.artifact.reset();
    added.after = block(made).lengths;
    m_rewrites.push_back(std::move(added));
}

void Draft::evict(size_t end, const Replacement &replacement, const Rewrite &common)
{
    if (end == 0)
        return;
    const uint32_t firstKept
        = end < m_messages.size() ? m_messages[end].first : static_cast<uint32_t>(m_elements.size());
    std::vector<Element> elements;
    std::vector<Message> messages;
    std::vector<BlockId> added;
    BlockId summaryBlock;
    if (!replacement.summary.empty()) {
        summaryBlock = m_pool.addSummary(replacement.summary, m_thread, replacement.summaryTokens);
        added.push_back(summaryBlock);
    }
    for (const std::string &file : replacement.files)
        added.push_back(m_pool.addInjected(file, m_thread));
    for (const BlockId id : added)
        noteAdded(id, common);
    const auto addMessage = [&](SummaryPlace here) {
        if (here != replacement.place || added.empty())
            return;
        messages.push_back(
            { Role::User, static_cast<uint32_t>(elements.size()), static_cast<uint32_t>(added.size()), true });
        for (const BlockId id : added)
            elements.push_back({ id, BlockId() });
    };
    addMessage(SummaryPlace::First);
    for (size_t i = 0; i < end; ++i) {
        const Message &message = m_messages[i];
        const auto first = static_cast<uint32_t>(elements.size());
        for (uint32_t k = message.first; k < message.first + message.count; ++k) {
            const Element &element = m_elements[k];
            if (element.isGone)
                continue;
            if (element.isPinned || std::ranges::binary_search(replacement.carried, size_t { k })) {
                elements.push_back(element);
                continue;
            }
            Rewrite rewrite = common;
            rewrite.fate = replacement.summary.empty() ? Fate::Dropped : Fate::Summarised;
            rewrite.block = element.origin;
            rewrite.made = summaryBlock;
            rewrite.before = block(element.block).lengths;
            m_rewrites.push_back(std::move(rewrite));
            count(element.block, -1);
        }
        if (elements.size() > first)
            messages.push_back(
                { message.role, first, static_cast<uint32_t>(elements.size()) - first, message.isSummary });
    }
    addMessage(SummaryPlace::Last);
    const auto shift = static_cast<uint32_t>(elements.size());
    for (size_t i = end; i < m_messages.size(); ++i) {
        messages.push_back(m_messages[i]);
        messages.back().first = m_messages[i].first - firstKept + shift;
    }
    elements.insert(elements.end(), m_elements.begin() + firstKept, m_elements.end());
    m_evicted += std::max<size_t>(firstKept, m_front) - m_front;
    m_front = shift + std::max<size_t>(firstKept, m_front) - firstKept;
    m_elements = std::move(elements);
    m_messages = std::move(messages);
}

void Draft::finish(Compaction &compaction)
{
    std::vector<BlockRange> ranges;
    compaction.origins.clear();
    for (const Element &element : m_elements) {
        if (element.isGone)
            continue;
        compaction.origins.push_back(element.origin);
        const uint32_t place = element.block.value();
        if (!ranges.empty() && ranges.back().end == place)
            ++ranges.back().end;
        else
            ranges.push_back({ place, place + 1 });
    }
    const BlockRanges after = BlockRanges::of(ranges);
    compaction.after = Transcript(m_pool.finish(m_thread, after, compaction.afterTokens), after);
    compaction.rewrites = std::move(m_rewrites);
    compaction.artifacts = std::move(m_artifacts);
}

DraftArray::DraftArray(const Draft &draft, const Policy &policy)
    : m_draft(draft)
    , m_counter(policy, *draft.pool().session())
    , m_facts(draft.messages().size())
{
}

MessageFacts DraftArray::factsOf(size_t message) const
{
    std::optional<MessageFacts> &facts = m_facts[message];
    if (!facts) {
        m_blocks.clear();
        for (const Draft::Element &element : m_draft.elementsOf(m_draft.messages()[message])) {
            if (!element.isGone)
                m_blocks.push_back(element.block);
        }
        facts = m_counter.factsOf(m_draft.pool(), m_draft.messages()[message].role, m_blocks);
    }
    return *facts;
}

double DraftArray::tokensFrom(size_t message) const
{
    const size_t wanted = messageCount() - message;
    while (m_sums.size() < wanted)
        m_sums.push_back((m_sums.empty() ? 0 : m_sums.back()) + factsOf(messageCount() - m_sums.size() - 1).tokens);
    return wanted == 0 ? 0 : m_sums[wanted - 1];
}

double DraftArray::totalTokens() const
{
    double sum = 0;
    for (size_t i = 0; i < messageCount(); ++i)
        sum += factsOf(i).inTotal;
    return m_counter.total(sum);
}

size_t DraftArray::resultCount() const
{
    size_t count = 0;
    for (size_t i = 0; i < messageCount(); ++i)
        count += factsOf(i).results;
    return count;
}

size_t DraftArray::turnCount() const
{
    size_t count = 0;
    for (size_t i = 0; i < messageCount(); ++i)
        count += factsOf(i).isTyped ? 1 : 0;
    return count;
}

void DraftArray::forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const
{
    for (const Draft::Element &element : m_draft.elementsOf(m_draft.messages()[message])) {
        if (!element.isGone)
            visit(m_draft.block(element.block));
    }
}

} // namespace core
