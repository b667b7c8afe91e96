// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/responses_chain.h"

#include "core/formats/openai/item_history.h"

#include <algorithm>

namespace core {

namespace {

/// Number of recent requests searched for a `previous_response_id`.
constexpr size_t kRecent = 64;
/// Most requests that wait for a whole array.
constexpr size_t kMaxHeld = 256;

} // namespace

void ResponsesChain::add(ResponsesRequest request, std::optional<ResponsesResponse> response)
{
    auto link = std::make_shared<Link>();
    resolveReferences(request.items, request.line);
    if (response) {
        resolveReferences(response->items, request.line);
        link->answer = response->items;
        link->isAnswered = true;
        link->response = std::move(*response);
        link->response.items.clear();
        link->hasResponse = true;
    }
    if (!request.system.empty() && request.system.front().kind == BlockKind::Text) {
        const std::string head = m_builder.session().textHead(request.system.front().body, 80);
        m_isCodex = m_isCodex || head.find("Codex") != std::string::npos;
    }
    const bool isChained = !request.previousId.empty();
    if (isChained)
        link->parent = parentOf(request);
    if (isChained && !link->parent) {
        m_builder.note(request.line,
            "The request continues a response that is not in this file; the earlier messages are not known.");
    }
    link->request = std::move(request);
    if (!link->request.generates)
        link->isAnswered = true;
    m_recent.push_back(link);
    if (m_recent.size() > kRecent)
        m_recent.pop_front();
    if (!link->request.generates)
        return;

    const bool waits = link->parent && !link->parent->isAnswered;
    if (!isChained && !m_held.empty())
        findAnswers(*link);
    const bool stillWaits
        = std::ranges::any_of(m_held, [](const LinkPtr &held) { return held->parent && !held->parent->isAnswered; });
    if ((waits || stillWaits) && m_held.size() < kMaxHeld) {
        m_held.push_back(link);
        return;
    }
    releaseHeld();
    emit(link);
}

ResponsesChain::LinkPtr ResponsesChain::parentOf(const ResponsesRequest &request)
{
    const auto named = std::ranges::find_if(
        m_recent, [&](const LinkPtr &link) { return link->hasResponse && link->response.id == request.previousId; });
    if (named != m_recent.end())
        return *named;
    // Skip requests whose response has another id.
    for (auto link = m_recent.rbegin(); link != m_recent.rend(); ++link) {
        const bool isOther = (*link)->hasResponse && !(*link)->response.id.empty();
        if ((*link)->request.cacheKey == request.cacheKey && !isOther)
            return *link;
    }
    return nullptr;
}

std::vector<ResponsesItem> ResponsesChain::arrayOf(const Link &link)
{
    std::vector<const Link *> chain;
    for (const Link *each = &link; each != nullptr; each = each->parent.get())
        chain.push_back(each);
    std::vector<ResponsesItem> items;
    for (auto each = chain.rbegin(); each != chain.rend(); ++each) {
        items.insert(items.end(), (*each)->request.items.begin(), (*each)->request.items.end());
        if (*each != &link)
            items.insert(items.end(), (*each)->answer.begin(), (*each)->answer.end());
    }
    return items;
}

/// Finds the responses that waiting requests continue, in a whole array.
void ResponsesChain::findAnswers(const Link &whole)
{
    std::vector<Hash> hashes;
    for (const ResponsesItem &item : whole.request.items)
        hashes.push_back(hashOf(item.draft));
    const auto standsAt = [&](const std::vector<ResponsesItem> &items, size_t place) {
        if (place + items.size() > hashes.size())
            return false;
        for (size_t i = 0; i < items.size(); ++i) {
            if (hashOf(items[i].draft) != hashes[place + i])
                return false;
        }
        return true;
    };
    for (const LinkPtr &held : m_held) {
        if (!held->parent || held->parent->isAnswered || held->request.items.empty())
            continue;
        const std::vector<ResponsesItem> before = arrayOf(*held->parent);
        if (!standsAt(before, 0))
            continue;
        size_t end = before.size();
        while (end < hashes.size() && whole.request.items[end].isModelOutput
            && hashOf(held->request.items.front().draft) != hashes[end])
            ++end;
        if (!standsAt(held->request.items, end))
            continue;
        const auto begin = whole.request.items.begin();
        held->parent->answer.assign(begin + static_cast<ptrdiff_t>(before.size()), begin + static_cast<ptrdiff_t>(end));
        held->parent->isAnswered = true;
    }
}

void ResponsesChain::releaseHeld()
{
    for (const LinkPtr &link : m_held) {
        m_unknownAnswers += link->parent && !link->parent->isAnswered ? 1 : 0;
        emit(link);
    }
    m_held.clear();
}

void ResponsesChain::emit(const LinkPtr &link)
{
    if (!m_first) {
        m_first = link;
        return;
    }
    if (!m_log) {
        m_log.emplace(m_builder);
        m_log->add(draftOf(*m_first));
    }
    m_log->add(draftOf(*link));
}

bool ResponsesChain::finish()
{
    releaseHeld();
    if (m_unknownAnswers > 0) {
        m_builder.note(0,
            "Requests that continue a response outside the file: " + groupedNumber(m_unknownAnswers)
                + ". Their arrays do not contain the earlier messages.");
    }
    if (!m_first)
        return false;
    if (m_log)
        m_log->finish();
    else
        emitSingle(*m_first);
    return true;
}

RequestDraft ResponsesChain::draftOf(const Link &link)
{
    RequestDraft draft;
    for (ResponsesItem &item : arrayOf(link)) {
        if (item.kind == ResponsesItem::Kind::Snapshot)
            continue;
        m_items.link(item.draft);
        draft.messages.push_back(std::move(item.draft));
    }
    if (link.hasResponse) {
        for (const ResponsesItem &item : link.answer) {
            draft.response.push_back(item.draft);
            m_items.link(draft.response.back());
        }
        draft.usage = link.response.usage;
        draft.responseId = m_builder.intern(link.response.id);
    }
    draft.prelude = link.request.system;
    draft.prelude.insert(draft.prelude.end(), link.request.tools.begin(), link.request.tools.end());
    draft.time = link.request.time ? link.request.time : link.response.time;
    draft.model = link.request.model;
    draft.line = link.request.line;
    return draft;
}

/// A single request: its array grew with each call whose result it contains.
void ResponsesChain::emitSingle(const Link &link)
{
    const ThreadIndex thread = m_builder.addThread(ThreadKind::Main);
    ItemHistory history(m_builder, m_items, thread);
    MessageDraft prelude;
    prelude.role = Role::System;
    prelude.line = link.request.line;
    prelude.blocks = link.request.system;
    prelude.blocks.insert(prelude.blocks.end(), link.request.tools.begin(), link.request.tools.end());
    if (!prelude.blocks.empty())
        history.setPrelude(m_builder.rangeOf(m_builder.addMessage(thread, prelude)));
    history.setModel(link.request.model);
    m_builder.session().model = m_builder.string(link.request.model);
    for (ResponsesItem &item : arrayOf(link))
        history.addItem(std::move(item));
    for (const ResponsesItem &item : link.answer)
        history.addItem(item);
    if (link.hasResponse && link.response.usage) {
        UsageReport report;
        report.usage = *link.response.usage;
        report.time = link.response.time;
        report.line = link.request.line;
        report.identity = Hash { 1, 1 };
        history.addUsage(report);
    }
    history.finish();
}

/// Replaces an `item_reference` by the item that it names.
void ResponsesChain::resolveReferences(std::vector<ResponsesItem> &items, uint64_t line)
{
    for (ResponsesItem &item : items) {
        const StringId id = item.draft.externalId;
        if (!id.isValid())
            continue;
        if (item.kind != ResponsesItem::Kind::Reference) {
            m_itemsById.try_emplace(id, item);
            continue;
        }
        const auto named = m_itemsById.find(id);
        if (named != m_itemsById.end())
            item = named->second;
        else
            m_builder.note(line,
                "The item " + std::string(m_builder.string(id)) + " is not in this file, but a request refers to it.");
    }
}

Hash ResponsesChain::hashOf(const MessageDraft &draft) const
{
    Hash hash { static_cast<uint64_t>(draft.role), draft.blocks.size() };
    for (const Block &block : draft.blocks)
        hash = combine(hash, m_builder.contentHash(block));
    return hash;
}

} // namespace core
