// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Trajectories of SWE-agent (`.traj`). Source: agents.py and history_processors.py of SWE-agent 0.5 to 1.1.

#include "core/base/text.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/new_message.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

/// One element of `trajectory`.
struct SweAgentStep {
    std::string_view raw;
    std::string_view response; ///< raw JSON
    std::string_view query;    ///< the array that the step sent, raw JSON; empty if it is not recorded
};

/// Reads one trajectory. `history` is what the harness kept: every message once and whole. What a step sent may differ:
/// history processors replace the text of old observations when they send the history. Versions from 1.0 on record the
/// array of each step, as `query`, or as `messages` after the step. Where a message of it differs from the history, the
/// text as sent is a stub beside the message.
///
/// **Calls.** Each response in the history is a call, and each step whose response is not in it: the last one, which
/// ends the run, and responses that the harness sent back because of an error. Usage is recorded only as a total.
class SweAgentReader final {
public:
    explicit SweAgentReader(const ReadContext &context)
        : m_context(context)
        , m_source(m_builder.addSource(context.source))
    {
        setFormat(m_builder.session(), kSweAgent);
        m_builder.session().harness = "SWE-agent";
        m_thread = m_builder.addThread(ThreadKind::Main);
    }

    Result<SessionPtr> read()
    {
        const auto document = documentText(m_builder, m_source);
        if (!document)
            return std::unexpected(document.error());
        const JsonMembers root(document->text);
        ChatReader chat(m_builder, document->source, LineCursor(m_builder.sourceBytes(document->source)));
        m_chat = &chat;
        std::vector<ChatMessage> history = readHistory(root.raw("history"));
        if (history.empty())
            return m_context.noRecords();
        if (m_context.isCancelled())
            return m_context.cancelled();
        readSteps(root.raw("trajectory"));
        describe(root, history);
        addHistory(history);
        chat.report();
        m_linker.report();
        return m_builder.finish();
    }

private:
    /// Reads a message of the history, or nothing if it is none.
    std::optional<ChatMessage> readMessage(std::string_view raw)
    {
        auto message = m_chat->read(raw);
        if (!message)
            return message;
        const JsonMembers members(raw);
        std::vector<Block> &blocks = message->draft.blocks;
        for (const std::string_view id : jsonElements(members.raw("tool_call_ids"), 1).items) {
            for (Block &block : blocks)
                block.callId = m_builder.intern(decodeJsonString(jsonString(id)));
        }
        // The thought and the action repeat the response.
        const uint64_t repeated = members.raw("thought").size() + members.raw("action").size();
        if (message->draft.role == Role::Assistant) {
            blocks.front().sideBytes += repeated;
            message->sideBytes += repeated;
        }
        return message;
    }

    std::vector<ChatMessage> readHistory(std::string_view array)
    {
        std::vector<ChatMessage> messages;
        bool hasTask = false;
        for (const std::string_view raw : jsonElements(array).items) {
            auto message = readMessage(raw);
            if (!message)
                continue;
            const bool isDemo = JsonMembers(raw).isTrue("is_demo");
            m_isDemo.push_back(isDemo);
            // The first message behind the demonstrations is the task; the others are observations.
            const bool isTask = message->draft.role == Role::User && !isDemo && !hasTask;
            hasTask = hasTask || isTask;
            markUser(*message, isTask);
            messages.push_back(std::move(*message));
        }
        return messages;
    }

    static void markUser(ChatMessage &message, bool isTask)
    {
        for (Block &block : message.draft.blocks) {
            if (block.kind != BlockKind::Text || message.draft.role != Role::User)
                continue;
            block.flags &= static_cast<uint16_t>(~static_cast<uint16_t>(BlockFlag::Typed));
            block.set(isTask ? BlockFlag::Typed : BlockFlag::Injected);
        }
    }

    void readSteps(std::string_view array)
    {
        for (const std::string_view raw : jsonElements(array).items) {
            const JsonMembers members(raw);
            m_builder.session().sideBytes += raw.size();
            const std::string_view before = m_steps.empty() ? std::string_view() : m_after;
            m_after = members.raw("messages");
            m_recordsArrays = m_recordsArrays || members.has("query") || members.has("messages");
            m_steps.push_back({ raw, members.raw("response"), members.has("query") ? members.raw("query") : before });
        }
    }

    void describe(const JsonMembers &root, const std::vector<ChatMessage> &history)
    {
        Session &session = m_builder.session();
        session.recordCount = history.size();
        session.title = titleOf(m_builder, history);
        m_builder.thread(m_thread).title = session.title;
        const std::string_view raw = root.raw("replay_config");
        const std::string decoded = isJsonString(raw) ? decodeJsonString(jsonString(raw)) : std::string();
        const JsonMembers model
            = JsonMembers(isJsonString(raw) ? std::string_view(decoded) : raw).object("agent").object("model");
        session.model = decodeJsonString(firstString(model, { "name", "model_name" }));
        for (const std::string_view key : { "replay_config", "info" })
            session.sideBytes += root.raw(key).size();
        for (const ChatMessage &message : history)
            session.sideBytes += message.sideBytes;
    }

    /// Adds the messages and, before each response, the call that brought it.
    void addHistory(std::vector<ChatMessage> &history)
    {
        for (size_t i = 0; i < history.size(); ++i) {
            MessageDraft &draft = history[i].draft;
            m_linker.link(draft);
            const bool isAnswer = draft.role == Role::Assistant && !m_isDemo[i];
            if (!isAnswer) {
                keep(m_builder.addMessage(m_thread, draft));
                continue;
            }
            addLostSteps(draft);
            Call call;
            const bool isStep = m_nextStep < m_steps.size();
            const SweAgentStep step = isStep ? m_steps[m_nextStep++] : SweAgentStep {};
            prepare(call, step, draft.line);
            const MessageId id = m_builder.addMessage(m_thread, draft);
            finish(call, m_builder.rangeOf(id));
            keep(id);
        }
        while (m_nextStep < m_steps.size())
            addLostStep(m_steps[m_nextStep++]);
        m_builder.thread(m_thread).end = m_array;
    }

    void keep(MessageId id)
    {
        m_kept.push_back(id);
        m_array.append(m_builder.rangeOf(id));
    }

    /// The steps before the one with this response: the harness sent an error back, and the history has neither.
    void addLostSteps(const MessageDraft &answer)
    {
        const auto isStepOf = [&](const SweAgentStep &step) {
            const std::string_view text = jsonString(step.response);
            return std::ranges::any_of(answer.blocks, [&](const Block &block) {
                return block.kind == BlockKind::Text && m_builder.session().rawBody(block.body) == text;
            });
        };
        const auto rest = std::span(m_steps).subspan(m_nextStep);
        const auto found = std::ranges::find_if(rest, isStepOf);
        for (auto i = rest.begin(); found != rest.end() && i != found; ++i)
            addLostStep(m_steps[m_nextStep++]);
    }

    void addLostStep(const SweAgentStep &step)
    {
        if (!isJsonString(step.response) || step.response == "\"\"")
            return;
        ChatMessage answer = m_chat->readContent(Role::Assistant, step.response, step.raw);
        Call call;
        prepare(call, step, answer.draft.line);
        finish(call, m_builder.rangeOf(m_builder.addMessage(m_thread, answer.draft)));
    }

    /// The array of a call: the recorded one, where it has the messages of the history.
    void prepare(Call &call, const SweAgentStep &step, uint64_t line)
    {
        call.line = line;
        call.isDerived = step.query.empty() && !m_recordsArrays;
        BlockRanges sent;
        const size_t known = m_stubs.size();
        const bool isRecorded = !step.query.empty() && readQuery(step.query, sent);
        call.input = isRecorded ? sent : m_array;
        Thread &thread = m_builder.thread(m_thread);
        if (m_stubs.size() == known || thread.calls.empty())
            return;
        RecordedCompaction clearing;
        clearing.kind = CompactionKind::Clearing;
        clearing.call = CallIndex(thread.calls.size() - 1);
        clearing.before = m_uncleared;
        clearing.after = call.input;
        clearing.line = line;
        thread.compactions.push_back(std::move(clearing));
    }

    void finish(Call &call, BlockRange output)
    {
        call.output = output;
        m_builder.thread(m_thread).calls.push_back(std::move(call));
    }

    /// Sets `sent` to the array that a step sent. False if its messages are not those of the history.
    bool readQuery(std::string_view query, BlockRanges &sent)
    {
        const JsonElements elements = jsonElements(query);
        std::vector<ChatMessage> messages;
        for (const std::string_view raw : elements.items) {
            auto message = readMessage(raw);
            if (!message)
                return false;
            messages.push_back(std::move(*message));
        }
        const Session &session = m_builder.session();
        for (size_t i = 0; i < std::min(messages.size(), m_kept.size()); ++i) {
            const Message &kept = session.message(m_kept[i]);
            if (messages[i].draft.role != kept.role || messages[i].draft.blocks.size() != kept.count)
                return false;
        }
        m_uncleared = {};
        for (size_t i = 0; i < messages.size(); ++i) {
            if (i < m_kept.size()) {
                addSent(i, messages[i].draft, sent);
                continue;
            }
            // An answer and the error that it caused: sent for this call only.
            markUser(messages[i], false);
            m_linker.link(messages[i].draft);
            const BlockRange range = m_builder.rangeOf(m_builder.addMessage(m_thread, messages[i].draft));
            sent.append(range);
            m_uncleared.append(range);
        }
        return true;
    }

    /// Appends message `place` of the history as it was sent.
    void addSent(size_t place, const MessageDraft &draft, BlockRanges &sent)
    {
        const BlockRange kept = m_builder.rangeOf(m_kept[place]);
        for (uint32_t i = 0; i < kept.size(); ++i) {
            const BlockId own(kept.begin + i);
            Block block = draft.blocks[i];
            if (block.is(BlockFlag::CacheMark))
                m_builder.session().blocks[own.index()].set(BlockFlag::CacheMark);
            BlockId as = own;
            BlockId before = own;
            const Hash content = m_builder.contentHash(block);
            const Block &original = m_builder.session().block(own);
            block.name = original.name;
            if (m_builder.contentHash(block) != m_builder.contentHash(original)) {
                const auto known = m_stubs.find({ own, content });
                before = known != m_stubs.end() ? known->second : own;
                as = known != m_stubs.end() ? known->second : addStub(own, block, content);
            }
            sent.append({ as.value(), as.value() + 1 });
            m_uncleared.append({ before.value(), before.value() + 1 });
        }
    }

    BlockId addStub(BlockId own, Block stub, const Hash &content)
    {
        const Block &original = m_builder.session().block(own);
        stub.message = original.message;
        stub.callId = original.callId;
        stub.subject = original.subject;
        stub.sideBytes = 0;
        stub.flags &= static_cast<uint16_t>(~static_cast<uint16_t>(BlockFlag::Typed));
        stub.set(BlockFlag::Stub);
        const BlockId id = m_builder.addBlock(stub);
        m_stubs.emplace(std::pair(own, content), id);
        return id;
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    SourceId m_source;
    ThreadIndex m_thread;
    ChatReader *m_chat = nullptr;
    CallLinker m_linker { m_builder };
    std::vector<bool> m_isDemo;
    std::vector<SweAgentStep> m_steps;
    std::string_view m_after; ///< the array behind the last step
    size_t m_nextStep = 0;
    bool m_recordsArrays = false;
    std::vector<MessageId> m_kept;                       ///< the messages of the history so far
    BlockRanges m_array;                                 ///< their blocks
    std::map<std::pair<BlockId, Hash>, BlockId> m_stubs; ///< by the block that they stand for and their content
    BlockRanges m_uncleared;                             ///< the array of a call before its new stubs
};

Result<SessionPtr> readSweAgent(const ReadContext &context) { return SweAgentReader(context).read(); }

Likeness sniffSweAgent(const Sample &sample)
{
    constexpr size_t kSniffBytes = 64U << 20U;
    const bool isOwn = sample.head.contains("\"trajectory\"") || sample.head.contains("\"history\"");
    if (!sample.isSingleValue || !isOwn || sample.records.empty())
        return Likeness::No;
    const auto at = static_cast<size_t>(sample.records.front().data() - sample.all.data());
    const JsonMembers root(sample.all.substr(at), kSniffBytes);
    for (const std::string_view raw : jsonElements(root.raw("history"), 1).items) {
        const JsonMembers message(raw);
        if (message.has("role") && message.has("agent"))
            return isJsonArray(root.raw("trajectory")) ? Likeness::Certain : Likeness::Likely;
    }
    return Likeness::No;
}

std::string sweAgentMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "system"))
        + ",\"content\":" + newJsonString(message.text) + copiedMembers(JsonMembers(example), { "agent" }) + "}";
}

} // namespace

const Format kSweAgent { "swe-agent", "SWE-agent trajectory",
    "`.traj`; the arrays as sent, where the file records them with the steps", sniffSweAgent, openWhole<readSweAgent>,
    { .preset = "swe-agent", .splice = { .message = sweAgentMessage, .emptyContent = "null", .hasSystem = true } } };

} // namespace core
