// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/builder.h"

#include "core/session/doubtful_prompts.h"
#include "core/session/model_window.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace core {

SessionBuilder::SessionBuilder() = default;

SourceId SessionBuilder::addSource(SourcePtr source)
{
    m_session.sources.push_back(std::move(source));
    return SourceId(m_session.sources.size() - 1);
}

void SessionBuilder::replaceSource(SourceId id, SourcePtr source) { m_session.sources[id.index()] = std::move(source); }

std::string_view SessionBuilder::sourceBytes(SourceId source) const
{
    return m_session.sources[source.index()]->bytes();
}

StringId SessionBuilder::intern(std::string_view text)
{
    if (text.empty())
        return {};
    const auto [number, isNew] = m_stringIds.tryEmplace(hashOf(text), static_cast<uint32_t>(m_strings.size()));
    if (isNew)
        m_strings.add(text);
    return StringId(number);
}

namespace {

Body makeBody(SourceId id, std::string_view source, std::string_view raw, Coding coding)
{
    Body body;
    body.source = id; // an empty body has a source too, that of its record
    if (raw.empty()) {
        // An empty body gets the offset at which it could be written; null for texts that are in no source.
        if (raw.data() >= source.data() && raw.data() <= source.data() + source.size())
            body.offset = static_cast<uint64_t>(raw.data() - source.data());
        return body;
    }
    assert(raw.data() >= source.data() && raw.data() + raw.size() <= source.data() + source.size());
    body.coding = coding;
    body.offset = static_cast<uint64_t>(raw.data() - source.data());
    body.size = raw.size();
    return body;
}

} // namespace

Body SessionBuilder::plainBody(SourceId source, std::string_view raw) const
{
    Body body = makeBody(source, sourceBytes(source), raw, Coding::Plain);
    body.lengths = textLengths(raw);
    return body;
}

Body SessionBuilder::jsonStringBody(SourceId source, std::string_view rawBetweenQuotes) const
{
    Body body = makeBody(source, sourceBytes(source), rawBetweenQuotes, Coding::JsonString);
    body.lengths = jsonStringLengths(rawBetweenQuotes);
    return body;
}

Body SessionBuilder::jsonValueBody(SourceId source, std::string_view raw) const
{
    Body body = makeBody(source, sourceBytes(source), raw, Coding::JsonValue);
    body.lengths = jsonValueLengths(raw);
    return body;
}

Body SessionBuilder::textPartsBody(SourceId source, std::string_view raw) const
{
    Body body = makeBody(source, sourceBytes(source), raw, Coding::TextParts);
    body.lengths = textPartsLengths(raw);
    return body;
}

Body SessionBuilder::base64Body(SourceId source, std::string_view rawBetweenQuotes) const
{
    Body body = makeBody(source, sourceBytes(source), rawBetweenQuotes, Coding::Base64);
    body.lengths = { 0, 0, rawBetweenQuotes.size() };
    return body;
}

Body SessionBuilder::ownedBody(std::string text, std::string_view name)
{
    if (text.empty())
        return {};
    const SourceId source = addSource(Source::own(std::move(text), std::string(name)));
    return plainBody(source, sourceBytes(source));
}

Block SessionBuilder::makeBlock(BlockKind kind, const Body &body, StringId name) const
{
    Block block;
    block.kind = kind;
    block.body = body;
    block.name = name;
    block.lengths = body.lengths;
    if (kind == BlockKind::ToolCall)
        block.lengths += textLengths(string(name));
    return block;
}

Hash SessionBuilder::contentHash(const Block &block) const
{
    const std::string_view raw = m_session.rawBody(block.body);
    Hash body;
    if (block.body.coding == Coding::JsonString && raw.find('\\') != std::string_view::npos)
        body = hashOf(decodeJsonString(raw));
    else if (block.body.coding == Coding::JsonValue)
        body = hashOf(canonicalJson(raw));
    else if (block.body.coding == Coding::TextParts)
        body = hashOf(joinedTextParts(raw));
    else
        body = hashOf(raw);
    const Hash kind { static_cast<uint64_t>(block.kind), 0 };
    return combine(combine(kind, hashOf(string(block.name))), combine(hashOf(string(block.callId)), body));
}

ThreadIndex SessionBuilder::addThread(ThreadKind kind, std::string id, std::string title)
{
    Thread thread;
    thread.kind = kind;
    thread.id = std::move(id);
    thread.title = std::move(title);
    m_session.threads.push_back(std::move(thread));
    return ThreadIndex(m_session.threads.size() - 1);
}

void SessionBuilder::reserve(size_t messages, size_t blocks)
{
    m_session.messages.reserve(m_session.messages.size() + messages);
    m_session.blocks.reserve(m_session.blocks.size() + blocks);
}

MessageId SessionBuilder::addMessage(ThreadIndex thread, const MessageDraft &draft)
{
    const MessageId id(m_session.messages.size());
    Message message;
    message.role = draft.role;
    message.first = BlockId(m_session.blocks.size());
    message.count = static_cast<uint32_t>(draft.blocks.size());
    message.line = draft.line;
    message.time = draft.time;
    message.externalId = draft.externalId;
    message.model = draft.model;
    message.thread = thread;
    for (Block block : draft.blocks) {
        block.message = id;
        if (block.recordLine == 0)
            block.recordLine = draft.line;
        m_session.blocks.push_back(block);
    }
    m_session.messages.push_back(message);
    return id;
}

BlockId SessionBuilder::addBlock(const Block &block)
{
    assert(block.message.isValid());
    m_session.blocks.push_back(block);
    return BlockId(m_session.blocks.size() - 1);
}

BlockRange SessionBuilder::rangeOf(MessageId message) const
{
    const Message &entry = m_session.messages[message.index()];
    return { entry.first.value(), entry.first.value() + entry.count };
}

void SessionBuilder::addDiagnostic(Severity severity, uint64_t line, std::string reason)
{
    m_session.diagnostics.push_back({ severity, line, std::move(reason) });
}

void SessionBuilder::deriveCalls(ThreadIndex threadIndex, std::span<const MessageId> messages)
{
    Thread &target = thread(threadIndex);
    BlockRanges array;
    for (const MessageId id : messages) {
        const Message &message = m_session.messages[id.index()];
        const BlockRange range = rangeOf(id);
        if (message.role == Role::Assistant) {
            Call call;
            call.input = array;
            call.output = range;
            call.time = message.time;
            call.model = message.model;
            call.responseId = message.externalId;
            call.line = message.line;
            call.isDerived = true;
            target.calls.push_back(std::move(call));
        }
        array.append(range);
    }
    target.end = array;
}

SessionPtr SessionBuilder::snapshot(std::span<const Diagnostic> more) const
{
    auto copy = std::make_shared<Session>(m_session);
    copy->strings = std::make_shared<const Strings>(m_strings);
    copy->diagnostics.insert(copy->diagnostics.end(), more.begin(), more.end());
    complete(*copy);
    return copy;
}

SessionPtr SessionBuilder::finish()
{
    m_session.strings = std::make_shared<const Strings>(std::move(m_strings));
    complete(m_session);
    auto result = std::make_shared<const Session>(std::move(m_session));
    m_session = {};
    m_strings = {};
    m_stringIds.clear();
    return result;
}

void SessionBuilder::complete(Session &session)
{
    if (session.threads.empty())
        session.threads.emplace_back();
    if (session.model.empty()) {
        std::map<std::string_view, size_t> counts;
        for (const Thread &each : session.threads) {
            StringId last;
            size_t *count = nullptr;
            for (const Call &call : each.calls) {
                if (!call.model.isValid())
                    continue;
                if (call.model != last)
                    count = &counts[session.string(call.model)];
                last = call.model;
                ++*count;
            }
            if (!counts.empty())
                break; // the main thread decides
        }
        const auto most = std::ranges::max_element(counts, {}, [](const auto &entry) { return entry.second; });
        if (most != counts.end())
            session.model = most->first;
    }
    if (!session.windowTokens)
        session.windowTokens = knownWindow(session.model);
    markDoubtfulPrompts(session);
    std::ranges::stable_sort(session.diagnostics, {}, &Diagnostic::line);
}

} // namespace core
