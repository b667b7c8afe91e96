// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/builder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

namespace core {

namespace {

constexpr size_t kMaxSubject = 300;

/// Skips one JSON value that starts at `i`; returns the offset behind it.
size_t skipValue(std::string_view raw, size_t i)
{
    int depth = 0;
    bool inString = false;
    for (; i < raw.size(); ++i) {
        const char c = raw[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
            if (!inString && depth == 0)
                return i + 1;
            continue;
        }
        if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (--depth <= 0)
                return depth == 0 ? i + 1 : i;
        } else if (c == ',' && depth == 0) {
            return i;
        }
    }
    return raw.size();
}

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

} // namespace

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
    body.source = id; // of an empty body too: its record stands there
    if (raw.empty()) {
        // Where nothing stands, something may be written; null for texts that are in no source.
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
    std::ranges::stable_sort(session.diagnostics, {}, &Diagnostic::line);
}

std::optional<uint64_t> knownWindow(std::string_view model)
{
    if (model.find("[1m]") != std::string_view::npos)
        return 1'000'000;
    if (model.find("claude") != std::string_view::npos)
        return 200'000;
    if (startsWith(model, "gpt-5"))
        return 272'000;
    if (startsWith(model, "gpt-4.1"))
        return 1'047'576;
    if (startsWith(model, "gpt-4o"))
        return 128'000;
    if (startsWith(model, "o3") || startsWith(model, "o4") || startsWith(model, "o1"))
        return 200'000;
    return std::nullopt;
}

bool looksInjected(std::string_view text)
{
    static constexpr std::array<std::string_view, 24> kBeginnings { "<system-reminder>", "<environment_context>",
        "<user_instructions>", "# AGENTS.md", "<permissions instructions>", "<collaboration_mode>", "<turn_aborted>",
        "<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>",
        "<local-command-caveat>", "<bash-stdout>", "<bash-stderr>", "Operation stopped by hook", "<ide_opened_file>",
        "<ide_selection>", "Caveat: The messages below were generated", "[Request interrupted by user",
        "<task-notification>", "Base directory for this skill:", "CRITICAL: Respond with TEXT ONLY",
        "Your task is to create a detailed summary of the conversation so far", "[SUGGESTION MODE" };
    return std::ranges::any_of(kBeginnings, [&](std::string_view each) { return startsWith(text, each); });
}

std::string subjectOfArguments(std::string_view raw)
{
    // Keys in order of how well they say what a call is about.
    static constexpr std::array<std::string_view, 16> kKeys { "file_path", "path", "notebook_path", "filePath",
        "filename", "file", "command", "cmd", "pattern", "query", "url", "description", "prompt", "skill", "name",
        "subject" };
    size_t best = kKeys.size();
    std::string_view value;
    size_t i = raw.find('{');
    if (i == std::string_view::npos)
        return {};
    ++i;
    const auto skipBlanks = [&] {
        while (i < raw.size() && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == ','))
            ++i;
    };
    while (best > 0) {
        skipBlanks();
        if (i >= raw.size() || raw[i] != '"')
            break;
        const size_t keyEnd = skipValue(raw, i);
        const std::string_view key = raw.substr(i + 1, keyEnd - i - 2);
        i = keyEnd;
        while (i < raw.size() && (raw[i] == ':' || raw[i] == ' ' || raw[i] == '\n'))
            ++i;
        const size_t valueBegin = i;
        const auto *found = std::ranges::find(kKeys, key);
        const auto rank = static_cast<size_t>(found - kKeys.begin());
        const bool isString = i < raw.size() && raw[i] == '"';
        const bool isList = i < raw.size() && raw[i] == '[';
        i = skipValue(raw, i);
        if (rank < best && (isString || isList)) {
            best = rank;
            value = raw.substr(valueBegin, i - valueBegin);
        }
    }
    if (value.empty())
        return {};
    if (value.front() == '"') {
        value = value.substr(1, value.size() >= 2 ? value.size() - 2 : 0);
        size_t cut = std::min(value.size(), kMaxSubject);
        while (cut < value.size() && cut > 0
            && ((static_cast<unsigned char>(value[cut]) & 0xC0U) == 0x80U || value[cut - 1] == '\\'))
            --cut;
        return decodeJsonString(value.substr(0, cut));
    }
    // A list of words, as in a shell command: ["bash", "-lc", "ls"]
    std::string joined;
    for (size_t k = 1; k < value.size() && joined.size() < kMaxSubject;) {
        if (value[k] != '"') {
            ++k;
            continue;
        }
        const size_t end = skipValue(value, k);
        const std::string word = decodeJsonString(value.substr(k + 1, end - k >= 2 ? end - k - 2 : 0));
        if (word != "bash" && word != "-lc" && word != "-c") {
            joined += joined.empty() ? "" : " ";
            joined += word;
        }
        k = end;
    }
    if (joined.size() > kMaxSubject)
        joined = std::string(firstCodePoints(joined, kMaxSubject / 4));
    return joined;
}

} // namespace core
