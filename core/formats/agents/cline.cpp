// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// `api_conversation_history.json` of Cline and Roo Code, and the sessions of Cline's SDK. Source: condense/index.ts and
// task-persistence of Roo Code, ContextManager.ts and the SDK of Cline.

#include "core/base/counted.h"
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

/// Cline's SDK keeps what the person typed between tags, which it does not send.
void dropInputTags(const SessionBuilder &builder, Block &block)
{
    constexpr std::string_view kOpen = "<user_input mode=";
    constexpr std::string_view kClose = "</user_input>";
    if (block.body.coding != Coding::JsonString)
        return;
    const std::string_view raw = builder.sourceBytes(block.body.source).substr(block.body.offset, block.body.size);
    const size_t begin = raw.find('>') + 1;
    if (!raw.starts_with(kOpen) || !raw.ends_with(kClose) || begin + kClose.size() > raw.size())
        return;
    const std::string_view typed = raw.substr(begin, raw.size() - begin - kClose.size());
    block.body = builder.jsonStringBody(block.body.source, typed);
    block.lengths = block.body.lengths;
}

/// Marks who wrote the texts of a user message. The harness puts what the person typed between tags.
void markClineUser(const SessionBuilder &builder, MessageDraft &draft, bool isTypedUntagged)
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
        block.set(isTagged || (isTypedUntagged && !isNotice) ? BlockFlag::Typed : BlockFlag::Injected);
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
                readMessages(document.get_array(), holder, lines, m_messages);
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
        if (const SourcePtr manifest = m_isSdk ? fileBeside(".json") : nullptr)
            m_builder.session().workingFolder = decodeJsonString(JsonMembers(manifest->bytes()).string("cwd"));
        if (m_isSdk)
            readCompaction();
        addAll();
        setTitle();
        linkToolResults(m_builder.session());
        noteOrphanResults(m_builder);
        if (m_isSdk)
            noteLongResults();
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
                readMessages(value.get_array(), holder, lines, m_messages);
            } else if (key == "agent" && isString(value)) {
                m_isSubagent = rawString(value) == "subagent";
            } else if (key == "system_prompt" && isString(value)) {
                const std::string_view raw = rawString(value);
                Block block = m_builder.makeBlock(BlockKind::Text, m_builder.jsonStringBody(holder, raw));
                setRecord(m_builder, block, holder, raw, lines.lineOf(raw));
                m_prelude.push_back(block);
            }
        }
    }

    void readMessages(ondemand::array array, SourceId holder, LineCursor &lines, std::vector<ClineMessage> &into)
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
            into.push_back(std::move(message));
        }
    }

    /// Version 3.0.65 cuts outputs when it sends them. Files have a limit of their own, which few reach.
    void noteLongResults()
    {
        constexpr uint64_t kMostSent = 8000;
        const auto count = std::ranges::count_if(m_builder.session().blocks, [&](const Block &block) {
            return block.kind == BlockKind::ToolResult && block.lengths.codePoints > kMostSent
                && m_builder.string(block.name) != "read_files";
        });
        if (count > 0)
            m_builder.note(0,
                "Cline's SDK sends at most 8,000 characters of an output. The array shows "
                    + counted(static_cast<uint64_t>(count), "longer result")
                    + " as a whole. Cline may have sent only a part of " + (count == 1 ? "it." : "them."));
    }

    /// A file of the same session of Cline's SDK, or null.
    [[nodiscard]] SourcePtr fileBeside(std::string_view ending) const
    {
        constexpr std::string_view kOwn = ".messages.json";
        const std::string name = m_context.name();
        if (!name.ends_with(kOwn))
            return nullptr;
        const auto source = Source::open(name.substr(0, name.size() - kOwn.size()).append(ending));
        return source ? *source : nullptr;
    }

    /// Cline's SDK keeps what it compacted last in a file beside the messages: the array that stands for all messages
    /// up to one that it names.
    void readCompaction()
    {
        const SourcePtr beside = fileBeside(".compaction.json");
        if (!beside)
            return;
        const JsonMembers state(beside->bytes());
        const std::string_view key = state.string("source_last_message_key");
        const auto last = std::ranges::find_if(m_messages, [&](const ClineMessage &message) {
            return key.starts_with("id:") && m_builder.string(message.draft.externalId) == key.substr(3);
        });
        if (!state.isWhole() || last == m_messages.end()) {
            m_builder.note(0,
                "The `.compaction.json` beside this file is damaged or belongs to other messages. Palimpsest does not "
                "use it.");
            return;
        }
        m_compactedAt = static_cast<size_t>(last - m_messages.begin()) + 1;
        const auto found
            = readDocument(m_builder, m_builder.addSource(beside), [&](ondemand::document &document, SourceId holder) {
                  m_compacted.clear();
                  LineCursor lines(m_builder.sourceBytes(holder));
                  ondemand::object object = document.get_object();
                  auto messages = memberOf(object, "messages");
                  if (messages && messages->type() == ondemand::json_type::array)
                      readMessages(messages->get_array(), holder, lines, m_compacted);
              });
        if (!found || m_compacted.empty())
            m_compactedAt.reset();
    }

    /// The array of the file beside this one. What stands in this file, too, is the same message.
    BlockRanges compactedArray()
    {
        BlockRanges array;
        for (ClineMessage &message : m_compacted) {
            const auto before = std::span(m_messages).first(m_ids.size());
            const auto same = std::ranges::find_if(
                before, [&](const ClineMessage &each) { return isSame(each.draft, message.draft); });
            if (same != before.end()) {
                array.append(m_builder.rangeOf(m_ids[static_cast<size_t>(same - before.begin())]));
                continue;
            }
            message.draft.line = before.back().draft.line;
            for (Block &block : message.draft.blocks)
                block.recordLine = message.draft.line;
            array.append(m_builder.rangeOf(m_builder.addMessage(m_thread, message.draft)));
        }
        return array;
    }

    [[nodiscard]] bool isSame(const MessageDraft &one, const MessageDraft &other) const
    {
        const auto hash = [this](const Block &block) { return m_builder.contentHash(block); };
        return one.externalId.isValid() && one.externalId == other.externalId
            && std::ranges::equal(one.blocks, other.blocks, {}, hash, hash);
    }

    void describe(ClineMessage &message, const JsonMembers &members)
    {
        MessageDraft &draft = message.draft;
        if (const auto time = jsonNumber(members.raw("ts")))
            draft.time = timeOfNumber(*time);
        const JsonMembers metadata = members.object("metadata");
        const bool isWhollySummary = metadata.string("kind") == "compaction_summary";
        message.isSummary = isWhollySummary || members.isTrue("isSummary") || metadata.string("kind") == "compaction";
        message.condenseParent = decodeJsonString(members.string("condenseParent"));
        message.truncationParent = decodeJsonString(members.string("truncationParent"));
        message.hides = decodeJsonString(
            members.isTrue("isTruncationMarker") ? members.string("truncationId") : members.string("condenseId"));
        if (draft.role == Role::User)
            markClineUser(m_builder, draft, m_isSdk && !m_isSubagent && !isWhollySummary);
        for (Block &block : draft.blocks) {
            if (m_isSdk && block.is(BlockFlag::Typed))
                dropInputTags(m_builder, block);
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
        BlockRanges compacted;
        for (const ClineMessage &message : m_messages) {
            m_ids.push_back(m_builder.addMessage(m_thread, message.draft));
            if (m_compactedAt == m_ids.size())
                compacted = compactedArray();
        }
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
            if (m_compactedAt == i + 1) {
                settle(m_builder.thread(m_thread), array);
                addCompaction(i, array, CompactionKind::Summary);
                array = compacted;
            }
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

    /// A message of the file is the compaction.
    void addCompaction(size_t place, const BlockRanges &before)
    {
        const ClineMessage &message = m_messages[place];
        const bool isReplaced = message.isSummary && message.hides.empty();
        settle(m_builder.thread(m_thread), before);
        addCompaction(place, isReplaced ? BlockRanges() : before,
            message.isSummary ? CompactionKind::Summary : CompactionKind::Replacement);
        if (isReplaced)
            m_builder.note(message.draft.line, "A summary replaces messages here that the file does not contain.");
    }

    void addCompaction(size_t place, const BlockRanges &before, CompactionKind kind)
    {
        const ClineMessage &message = m_messages[place];
        Thread &thread = m_builder.thread(m_thread);
        RecordedCompaction compaction;
        compaction.kind = kind;
        compaction.before = before;
        compaction.line = message.draft.line;
        if (!thread.calls.empty())
            compaction.call = CallIndex(thread.calls.size() - 1);
        thread.compactions.push_back(std::move(compaction));
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
    std::vector<ClineMessage> m_compacted; ///< what stands for the messages before `m_compactedAt`
    std::optional<size_t> m_compactedAt;
    std::vector<Block> m_prelude;
    uint64_t m_side = 0;
    size_t m_settled = 0; ///< compactions with the array behind them
    bool m_isSdk = false;
    bool m_isSubagent = false;
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
    "api_conversation_history.json, with the usage from ui_messages.json beside it; sessions of Cline's SDK, with the "
    "compaction and the folder from the files beside them",
    sniffCline, openWhole<readCline>,
    { .shape = MessageShape::Anthropic,
        .nearest = MessagesShape::Anthropic,
        .preset = "cline",
        .splice = { .message = clineMessage } } };

} // namespace core
