// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// `api_conversation_history.json` of Cline and Roo Code, and the sessions of Cline's SDK. Source: condense/index.ts and
// task-persistence of Roo Code, ContextManager.ts and the SDK of Cline.

#include "core/base/text.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/anthropic/anthropic_request.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr size_t kClineHead = 400;

/// A message of the file with what the harness says of it.
struct ClineMessage {
    MessageDraft draft;
    std::optional<Usage> usage;
    std::string condenseParent; ///< the summary that hides it
    std::string truncationParent;
    std::string hides; ///< the id under which it hides other messages
    bool isSummary = false;
};

/// A request as `ui_messages.json` records it.
struct ClineRequest {
    Timestamp time = 0;
    Usage usage;
};

/// `tokensIn` counts the cached tokens where the provider speaks OpenAI's protocol.
Usage clineUsage(const JsonMembers &said)
{
    Usage usage;
    usage.input = said.number("tokensIn").value_or(0);
    usage.output = said.number("tokensOut").value_or(0);
    usage.cacheRead = said.number("cacheReads").value_or(0);
    usage.cacheWrite = said.number("cacheWrites").value_or(0);
    const uint64_t cached = usage.cacheRead + usage.cacheWrite;
    if (said.string("apiProtocol") == "openai" && cached <= usage.input)
        usage.input -= cached;
    return usage;
}

/// The requests in the file beside a conversation, by time. None if there is no such file.
std::vector<ClineRequest> requestsBeside(const std::string &name)
{
    constexpr std::string_view kOwn = "api_conversation_history.json";
    std::vector<ClineRequest> requests;
    if (!name.ends_with(kOwn))
        return requests;
    const auto source = Source::open(name.substr(0, name.size() - kOwn.size()) + "ui_messages.json");
    if (!source)
        return requests;
    for (const std::string_view raw : jsonElements((*source)->bytes()).items) {
        const JsonMembers members(raw);
        if (members.string("say") != "api_req_started")
            continue;
        const std::string text = decodeJsonString(members.string("text"));
        const Usage usage = clineUsage(JsonMembers(text));
        const auto number = jsonNumber(members.raw("ts"));
        if (const auto time = number ? timeOfNumber(*number) : std::nullopt; time && usage.prompt() > 0)
            requests.push_back({ *time, usage });
    }
    std::ranges::stable_sort(requests, {}, &ClineRequest::time);
    return requests;
}

/// Marks who wrote the texts of a user message. The harness puts what the person typed between tags.
void markClineUser(const SessionBuilder &builder, MessageDraft &draft, bool isSdk)
{
    for (Block &block : draft.blocks) {
        if (block.kind != BlockKind::Text || block.callId.isValid())
            continue;
        const std::string head = builder.session().textHead(block.body, kClineHead);
        const std::string_view words
            = std::string_view(head).substr(std::min(head.find_first_not_of(" \n"), head.size()));
        const bool isTagged = words.starts_with("<task>") || words.starts_with("<user_message>")
            || words.starts_with("<feedback>") || words.starts_with("<answer>")
            || words.starts_with("New instructions for task continuation:\n<user_message>");
        const bool isNotice = words.starts_with("<SYSTEM_NOTICE>") || words.starts_with("<environment_details>");
        block.flags &= static_cast<uint16_t>(
            ~(static_cast<unsigned>(BlockFlag::Typed) | static_cast<unsigned>(BlockFlag::Injected)));
        block.set(isTagged || (isSdk && !isNotice) ? BlockFlag::Typed : BlockFlag::Injected);
    }
}

class ClineReader final {
public:
    explicit ClineReader(const ReadContext &context)
        : m_context(context)
        , m_requests(m_builder)
        , m_source(m_builder.addSource(context.source))
    {
        setFormat(m_builder.session(), kCline);
        m_builder.session().harness = "Cline or Roo Code";
        m_thread = m_builder.addThread(ThreadKind::Main);
    }

    Result<SessionPtr> read()
    {
        const auto found = readDocument(m_builder, m_source, [&](ondemand::document &document, SourceId holder) {
            m_messages.clear();
            m_prelude.clear();
            LineCursor lines(m_builder.sourceBytes(holder));
            if (document.type() == ondemand::json_type::array)
                readMessages(document.get_array(), holder, lines);
            else
                readSession(document.get_object(), holder, lines);
        });
        if (!found)
            return std::unexpected(found.error());
        if (m_messages.empty())
            return m_context.noRecords();
        if (m_context.isCancelled())
            return m_context.cancelled();
        takeUsage();
        addAll();
        setTitle();
        linkToolResults(m_builder.session());
        noteOrphanResults(m_builder);
        return m_builder.finish();
    }

private:
    void readSession(ondemand::object object, SourceId holder, LineCursor &lines)
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "messages" && value.type() == ondemand::json_type::array) {
                m_isSdk = true;
                readMessages(value.get_array(), holder, lines);
            } else if (key == "system_prompt" && isString(value)) {
                const std::string_view raw = rawString(value);
                Block block = m_builder.makeBlock(BlockKind::Text, m_builder.jsonStringBody(holder, raw));
                setRecord(m_builder, block, holder, raw, lines.lineOf(raw));
                m_prelude.push_back(block);
            }
        }
    }

    void readMessages(ondemand::array array, SourceId holder, LineCursor &lines)
    {
        for (ondemand::value element : array) {
            if (!isObject(element))
                continue;
            ondemand::object object = element.get_object();
            const std::string_view raw = object.raw_json();
            object.reset();
            const JsonMembers members(raw);
            ClineMessage message;
            message.draft = m_requests.readMessage(object, holder, lines);
            // Reasoning that is kept for the provider is no message.
            if (!members.has("role") || message.draft.blocks.empty()) {
                m_side += raw.size();
                continue;
            }
            describe(message, members);
            m_messages.push_back(std::move(message));
        }
    }

    void describe(ClineMessage &message, const JsonMembers &members)
    {
        MessageDraft &draft = message.draft;
        if (const auto time = jsonNumber(members.raw("ts")))
            draft.time = timeOfNumber(*time);
        const JsonMembers metadata = members.object("metadata");
        message.isSummary = members.isTrue("isSummary") || metadata.string("kind") == "compaction";
        message.condenseParent = decodeJsonString(members.string("condenseParent"));
        message.truncationParent = decodeJsonString(members.string("truncationParent"));
        message.hides = decodeJsonString(
            members.isTrue("isTruncationMarker") ? members.string("truncationId") : members.string("condenseId"));
        if (draft.role == Role::User)
            markClineUser(m_builder, draft, m_isSdk);
        for (Block &block : draft.blocks) {
            const bool isNotice = m_isSdk && block.is(BlockFlag::Typed);
            if (message.isSummary && block.kind == BlockKind::Text && !isNotice) {
                block.flags = static_cast<uint16_t>(block.flags & ~static_cast<unsigned>(BlockFlag::Injected));
                block.set(BlockFlag::Summary);
            }
        }
        const JsonMembers metrics = members.object("metrics");
        if (metrics.number("inputTokens")) {
            // The SDK counts cached tokens as a part of the input.
            Usage usage { *metrics.number("inputTokens"), metrics.number("cacheReadTokens").value_or(0),
                metrics.number("cacheWriteTokens").value_or(0), metrics.number("outputTokens").value_or(0) };
            usage.input -= std::min(usage.input, usage.cacheRead + usage.cacheWrite);
            message.usage = usage;
        }
        draft.model = m_builder.intern(decodeJsonString(members.object("modelInfo").string("id")));
    }

    /// A response is saved behind its request and before the next one.
    void takeUsage()
    {
        const std::vector<ClineRequest> requests = requestsBeside(m_context.name());
        Timestamp before = 0;
        for (ClineMessage &message : m_messages) {
            if (message.draft.role != Role::Assistant || !message.draft.time || message.isSummary)
                continue;
            const Timestamp time = *message.draft.time;
            const auto next = std::ranges::upper_bound(requests, time, {}, &ClineRequest::time);
            if (next != requests.begin() && std::prev(next)->time >= before)
                message.usage = std::prev(next)->usage;
            before = time;
        }
    }

    /// Whether a message is hidden when the messages before `end` are there.
    [[nodiscard]] bool isHidden(const ClineMessage &message, size_t end) const
    {
        const auto isThere = [&](const std::string &id) {
            const auto upTo = std::span(m_messages).first(end);
            return !id.empty() && std::ranges::any_of(upTo, [&](const ClineMessage &m) { return m.hides == id; });
        };
        return isThere(message.condenseParent) || isThere(message.truncationParent);
    }

    [[nodiscard]] BlockRanges arrayAt(size_t end, size_t known) const
    {
        BlockRanges array;
        for (size_t i = 0; i < end; ++i) {
            if (!isHidden(m_messages[i], known))
                array.append(m_builder.rangeOf(m_ids[i]));
        }
        return array;
    }

    void addAll()
    {
        Session &session = m_builder.session();
        session.recordCount = m_messages.size();
        session.sideBytes += m_side;
        for (const ClineMessage &message : m_messages)
            m_ids.push_back(m_builder.addMessage(m_thread, message.draft));
        const bool hasHidden = std::ranges::any_of(
            m_messages, [](const ClineMessage &m) { return !m.condenseParent.empty() || !m.truncationParent.empty(); });
        BlockRanges array;
        size_t lost = 0; // messages that were sent before the summary in front of them was written
        for (size_t i = 0; i < m_messages.size(); ++i) {
            const ClineMessage &message = m_messages[i];
            if (message.isSummary || !message.hides.empty()) {
                addCompaction(i, array);
                array = hasHidden ? arrayAt(i, i + 1) : array;
                lost = message.draft.role == Role::Assistant && message.isSummary ? i + kKept : lost;
            } else if (message.draft.role == Role::Assistant && (lost == 0 || i > lost)) {
                addCall(i, array);
            }
            if (!hasHidden || !isHidden(message, i + 1))
                array.append(m_builder.rangeOf(m_ids[i]));
        }
        Thread &thread = m_builder.thread(m_thread);
        thread.end = array;
        settle(thread, array);
        placePrelude(m_builder, m_thread, m_prelude);
    }

    /// The task without its tags.
    void setTitle()
    {
        Session &session = m_builder.session();
        const auto typed = std::ranges::find_if(session.blocks, [](const Block &b) { return b.is(BlockFlag::Typed); });
        if (typed == session.blocks.end())
            return;
        const std::string head = session.textHead(typed->body, kClineHead);
        std::string_view words = head;
        if (words.starts_with('<') && words.contains('>'))
            words.remove_prefix(words.find('>') + 1);
        session.title = snippet(words.substr(0, words.find("</")), kTitleCodePoints);
        m_builder.thread(m_thread).title = session.title;
    }

    void addCall(size_t place, const BlockRanges &array)
    {
        const ClineMessage &message = m_messages[place];
        Thread &thread = m_builder.thread(m_thread);
        Call call;
        call.input = array;
        call.output = m_builder.rangeOf(m_ids[place]);
        call.usage = message.usage;
        call.time = message.draft.time;
        call.model = message.draft.model;
        call.isDerived = !message.usage;
        call.line = message.draft.line;
        settle(thread, array, call.usage);
        thread.calls.push_back(std::move(call));
    }

    void addCompaction(size_t place, const BlockRanges &before)
    {
        const ClineMessage &message = m_messages[place];
        Thread &thread = m_builder.thread(m_thread);
        settle(thread, before);
        const bool isReplaced = message.isSummary && message.hides.empty();
        RecordedCompaction compaction;
        compaction.kind = message.isSummary ? CompactionKind::Summary : CompactionKind::Replacement;
        compaction.before = isReplaced ? BlockRanges() : before;
        compaction.line = message.draft.line;
        if (!thread.calls.empty())
            compaction.call = CallIndex(thread.calls.size() - 1);
        thread.compactions.push_back(std::move(compaction));
        if (isReplaced)
            m_builder.note(message.draft.line, "A summary replaces messages here that the file does not contain.");
    }

    /// The array behind the compactions that wait for it.
    void settle(Thread &thread, const BlockRanges &array, const std::optional<Usage> &usage = {})
    {
        for (; m_settled < thread.compactions.size(); ++m_settled) {
            thread.compactions[m_settled].after = array;
            if (usage)
                thread.compactions[m_settled].afterTokens = usage->prompt();
        }
    }

    static constexpr size_t kKept = 3; ///< messages that a condensation of old versions keeps behind its summary

    const ReadContext &m_context;
    SessionBuilder m_builder;
    RequestReader m_requests;
    SourceId m_source;
    ThreadIndex m_thread;
    std::vector<ClineMessage> m_messages;
    std::vector<MessageId> m_ids;
    std::vector<Block> m_prelude;
    uint64_t m_side = 0;
    size_t m_settled = 0; ///< compactions with the array behind them
    bool m_isSdk = false;
};

Result<SessionPtr> readCline(const ReadContext &context) { return ClineReader(context).read(); }

Likeness sniffCline(const Sample &sample)
{
    constexpr size_t kLooked = 4;
    if (!sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    const auto at = static_cast<size_t>(sample.records.front().data() - sample.all.data());
    const std::string_view text = sample.all.substr(at, 16U << 20U);
    const JsonMembers session(text);
    if (session.has("sessionId") && isJsonArray(session.raw("messages")) && session.has("updated_at"))
        return Likeness::Certain;
    Likeness likeness = Likeness::No;
    for (const std::string_view raw : jsonElements(text, kLooked).items) {
        const JsonMembers message(raw);
        const std::string_view role = message.string("role");
        const bool isOurs = (role == "user" || role == "assistant") && message.has("ts") && message.has("content");
        if (!isOurs && message.isWhole())
            return Likeness::No;
        likeness = isOurs ? Likeness::Certain : likeness;
    }
    return likeness;
}

std::string clineMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const std::string id = JsonMembers(example).has("id") ? ",\"id\":" + newJsonString(message.uuid) : std::string();
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "user"))
        + ",\"content\":[{\"type\":\"text\",\"text\":" + newJsonString(message.text) + "}]" + id
        + copiedMembers(JsonMembers(example), { "ts" }) + "}";
}

} // namespace

const Format kCline { "cline", "Cline and Roo Code conversation",
    "api_conversation_history.json, with the usage from ui_messages.json beside it; sessions of Cline's SDK",
    sniffCline, openWhole<readCline>,
    { .shape = MessageShape::Anthropic,
        .nearest = MessagesShape::Anthropic,
        .preset = "cline",
        .splice = { .message = clineMessage } } };

} // namespace core
