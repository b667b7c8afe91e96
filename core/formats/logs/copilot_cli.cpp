// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"
#include "core/formats/reading/record_blocks.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace core {

namespace {

/// Replays the events of a session of GitHub Copilot CLI in their order. A subagent's events name the call that
/// started it, or (version 1.0.102) the agent. The prompt of a user is what was sent: `transformedContent`.
/// Source: the event types of github/copilot-sdk (2026), and recorded sessions.
class CopilotLog final {
public:
    static constexpr std::string_view kHarness = "Copilot CLI";

    void accept(SessionBuilder &builder, const Record &record);
    [[nodiscard]] bool isEmpty() const { return m_isEmpty; }
    void finish(SessionBuilder &builder) const;

private:
    /// The main agent or a subagent.
    struct Agent {
        ThreadLog log;
        std::string title;
        size_t atStart = 0;                      ///< messages in the array when the last compaction began
        std::vector<ThreadLog::Index> compacted; ///< what a summary replaced since the last prompt
    };

    /// An event with its data.
    struct Event {
        const Record &record;
        JsonMembers members;
        JsonMembers data;
        std::string_view type;
    };

    bool acceptMessage(SessionBuilder &builder, const Event &event);
    void acceptState(SessionBuilder &builder, const Event &event);
    void addResponse(SessionBuilder &builder, const Event &event, Agent &agent) const;
    [[nodiscard]] static Usage usageOf(const JsonMembers &said);
    static void addResult(SessionBuilder &builder, const Event &event, Agent &agent);
    static void compact(SessionBuilder &builder, const Event &event, Agent &agent);
    static void abort(const Event &event, Agent &agent);
    [[nodiscard]] static LoggedMessage messageOf(SessionBuilder &builder, const Event &event, Role role);
    [[nodiscard]] std::string idOf(const Event &event) const;
    Agent &agentOf(const Event &event);

    std::map<std::string, Agent> m_agents; ///< by the call that started them; "" is the main one
    std::vector<std::string> m_order;      ///< the subagents as they began
    std::map<std::string, std::string> m_callOfAgent;
    std::map<std::string, Usage> m_usage; ///< by the id of the provider's response
    std::vector<Block> m_system;
    StringId m_model;
    bool m_isEmpty = true;
};

void CopilotLog::accept(SessionBuilder &builder, const Record &record)
{
    const JsonMembers members(record.bytes);
    const Event event { record, members, members.object("data"), members.string("type") };
    ++builder.session().recordCount;
    if (acceptMessage(builder, event)) {
        m_isEmpty = false;
        return;
    }
    builder.session().sideBytes += record.bytes.size();
    acceptState(builder, event);
}

/// The call that started the agent of an event; empty for the main one.
std::string CopilotLog::idOf(const Event &event) const
{
    std::string call = decodeJsonString(event.data.string("parentToolCallId"));
    if (!call.empty())
        return call;
    const auto agent = m_callOfAgent.find(decodeJsonString(event.members.string("agentId")));
    return agent == m_callOfAgent.end() ? std::string() : agent->second;
}

CopilotLog::Agent &CopilotLog::agentOf(const Event &event)
{
    const std::string id = idOf(event);
    if (!id.empty() && !m_agents.contains(id))
        m_order.push_back(id);
    return m_agents[id];
}

LoggedMessage CopilotLog::messageOf(SessionBuilder &builder, const Event &event, Role role)
{
    LoggedMessage message;
    message.draft.role = role;
    message.draft.line = event.record.line;
    message.draft.time = parseTime(event.members.string("timestamp"));
    message.draft.externalId = internString(builder, event.members.string("id"));
    return message;
}

/// Returns whether the event is a message of an array.
bool CopilotLog::acceptMessage(SessionBuilder &builder, const Event &event)
{
    const RecordBlocks blocks(builder, event.record);
    if (event.type == "user.message") {
        LoggedMessage message = messageOf(builder, event, Role::User);
        const bool isTransformed = isJsonString(event.data.raw("transformedContent"));
        Block block = blocks.block(BlockKind::Text, event.data.raw(isTransformed ? "transformedContent" : "content"));
        const std::string_view source = event.data.string("source");
        const bool isTyped = (source.empty() || source == "user") && idOf(event).empty();
        block.set(isTyped ? BlockFlag::Typed : BlockFlag::Injected);
        message.draft.blocks.push_back(block);
        if (builder.session().title.empty() && block.is(BlockFlag::Typed))
            builder.session().title = snippet(decodeJsonString(event.data.string("content")), kTitleCodePoints);
        Agent &agent = agentOf(event);
        agent.compacted.clear();
        agent.log.add(std::move(message));
    } else if (event.type == "assistant.message") {
        addResponse(builder, event, agentOf(event));
    } else if (event.type == "tool.execution_complete") {
        addResult(builder, event, agentOf(event));
    } else if (event.type == "system.message" && idOf(event).empty()) {
        m_system = { blocks.block(BlockKind::Text, event.data.raw("content")) };
    } else if (event.type == "session.compaction_complete" && !event.data.string("summaryContent").empty()) {
        compact(builder, event, agentOf(event));
    } else {
        return false;
    }
    return true;
}

void CopilotLog::addResponse(SessionBuilder &builder, const Event &event, Agent &agent) const
{
    const RecordBlocks blocks(builder, event.record);
    LoggedMessage message = messageOf(builder, event, Role::Assistant);
    message.isResponse = true;
    message.responseId = internString(builder, event.data.string("messageId"));
    const std::string_view model = event.data.string("model");
    message.draft.model = model.empty() ? m_model : internString(builder, model);
    if (const auto usage = m_usage.find(decodeJsonString(event.data.string("apiCallId"))); usage != m_usage.end())
        message.usage = usage->second;
    std::vector<Block> &parts = message.draft.blocks;
    if (!event.data.string("reasoningText").empty()) {
        parts.push_back(blocks.block(BlockKind::Thinking, event.data.raw("reasoningText")));
    } else if (!event.data.string("reasoningOpaque").empty()) {
        parts.push_back(blocks.block(BlockKind::Thinking, event.data.raw("reasoningOpaque")));
        parts.back().set(BlockFlag::Encrypted);
    }
    if (!event.data.string("content").empty())
        parts.push_back(blocks.block(BlockKind::Text, event.data.raw("content")));
    for (const std::string_view raw : jsonElements(event.data.raw("toolRequests")).items) {
        const JsonMembers call(raw);
        parts.push_back(blocks.call(call.string("name"), call.string("toolCallId"), call.raw("arguments")));
    }
    agent.log.add(std::move(message));
}

/// The input counts what was read from a cache and written to it, whatever the provider.
Usage CopilotLog::usageOf(const JsonMembers &said)
{
    Usage usage { said.number("inputTokens").value_or(0), said.number("cacheReadTokens").value_or(0),
        said.number("cacheWriteTokens").value_or(0), said.number("outputTokens").value_or(0) };
    usage.input -= std::min(usage.input, usage.cacheRead + usage.cacheWrite);
    return usage;
}

/// `detailedContent` is for the person; the model is sent `content`.
void CopilotLog::addResult(SessionBuilder &builder, const Event &event, Agent &agent)
{
    const JsonMembers result = event.data.object("result");
    const JsonMembers error = event.data.object("error");
    LoggedMessage message = messageOf(builder, event, Role::Tool);
    Block block = RecordBlocks(builder, event.record)
                      .result(event.data.string("toolCallId"),
                          result.has("content") ? result.raw("content") : error.raw("message"));
    if (event.data.raw("success") == "false")
        block.set(BlockFlag::Error);
    block.sideBytes = result.raw("detailedContent").size() + event.data.raw("toolTelemetry").size();
    builder.session().sideBytes += block.sideBytes;
    message.draft.blocks.push_back(block);
    agent.log.add(std::move(message));
}

/// The summary replaces what was there when the compaction began; what came in meanwhile stays.
void CopilotLog::compact(SessionBuilder &builder, const Event &event, Agent &agent)
{
    LoggedMessage summary = messageOf(builder, event, Role::User);
    summary.draft.blocks.push_back(
        RecordBlocks(builder, event.record).block(BlockKind::Text, event.data.raw("summaryContent")));
    summary.draft.blocks.back().set(BlockFlag::Summary);
    std::vector<ThreadLog::Index> kept = agent.log.array();
    const auto firstKept = kept.begin() + static_cast<std::ptrdiff_t>(std::min(agent.atStart, kept.size()));
    agent.compacted.assign(kept.begin(), firstKept);
    kept.erase(kept.begin(), firstKept);
    RecordedCompaction how;
    how.line = event.record.line;
    how.beforeTokens = event.data.number("preCompactionTokens");
    for (const std::string_view key :
        { "preCompactionTokens", "postCompactionTokens", "messagesRemoved", "tokensRemoved" }) {
        if (const auto value = event.data.number(key))
            how.figures.push_back({ std::string(key), *value });
    }
    std::vector<LoggedMessage> summaries;
    summaries.push_back(std::move(summary));
    std::vector<ThreadLog::Index> array = agent.log.adopt(builder, std::move(summaries));
    array.insert(array.end(), kept.begin(), kept.end());
    agent.log.replace(std::move(array), std::move(how));
}

/// If the user interrupts, Copilot CLI 1.0.102 forgets a summary of the same turn: the next request has all messages.
void CopilotLog::abort(const Event &event, Agent &agent)
{
    const std::vector<ThreadLog::Index> &array = agent.log.array();
    if (agent.compacted.empty() || array.empty())
        return;
    std::vector<ThreadLog::Index> all = std::exchange(agent.compacted, {});
    all.insert(all.end(), array.begin() + 1, array.end());
    RecordedCompaction how;
    how.kind = CompactionKind::Rollback;
    how.line = event.record.line;
    agent.log.replace(std::move(all), std::move(how));
}

void CopilotLog::acceptState(SessionBuilder &builder, const Event &event)
{
    Session &session = builder.session();
    const JsonMembers &data = event.data;
    if (event.type == "session.start") {
        if (const std::string_view version = data.string("copilotVersion"); !version.empty())
            session.harness = std::string(kHarness) + " " + decodeJsonString(version);
        session.workingFolder = decodeJsonString(data.object("context").string("cwd"));
        session.branch = decodeJsonString(data.object("context").string("branch"));
        builder.thread(ThreadIndex(0U)).id = decodeJsonString(data.string("sessionId"));
        m_model = internString(builder, data.string("selectedModel"));
    } else if (event.type == "session.model_change") {
        m_model = internString(builder, data.string("newModel"));
    } else if (event.type == "session.usage_record") {
        const JsonMembers usage = data.object("usage");
        if (const std::string id = decodeJsonString(usage.string("apiCallId")); !id.empty() && usage.has("inputTokens"))
            m_usage[id] = usageOf(usage);
    } else if (event.type == "session.compaction_start") {
        Agent &agent = agentOf(event);
        agent.atStart = agent.log.array().size();
    } else if (event.type == "abort") {
        abort(event, agentOf(event));
    } else if (event.type == "session.truncation") {
        builder.note(event.record.line,
            "The harness left messages out of the array here. The file does not say which. So Palimpsest shows all of "
            "them as sent.");
    } else if (event.type == "subagent.started") {
        const std::string id = decodeJsonString(data.string("toolCallId"));
        if (!m_agents.contains(id))
            m_order.push_back(id);
        const std::string_view name = data.string("agentDisplayName");
        if (const std::string_view agent = event.members.string("agentId"); !agent.empty())
            m_callOfAgent[decodeJsonString(agent)] = id;
        m_agents[id].title = decodeJsonString(name.empty() ? data.string("agentName") : name);
    }
}

void CopilotLog::finish(SessionBuilder &builder) const
{
    if (const auto main = m_agents.find(""); main != m_agents.end())
        main->second.log.write(builder, ThreadIndex(0U));
    for (const std::string &id : m_order) {
        const Agent &agent = m_agents.at(id);
        if (agent.log.isEmpty())
            continue;
        const ThreadIndex thread = builder.addThread(ThreadKind::Subagent, id, agent.title);
        agent.log.write(builder, thread);
        builder.thread(thread).parentCall = callOfId(builder, builder.intern(id));
    }
    placePrelude(builder, ThreadIndex(0U), m_system);
    linkToolResults(builder.session());
    noteOrphanResults(builder);
    setTypedTitle(builder);
}

Likeness sniffCopilot(const Sample &sample)
{
    constexpr std::array<std::string_view, 5> kOwn { "session.start", "user.message", "assistant.message",
        "tool.execution_complete", "assistant.turn_start" };
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        const JsonMembers members(record);
        if (!isJsonObject(members.raw("data")) || !std::ranges::contains(kOwn, members.string("type")))
            continue;
        best = std::max(best, members.object("data").has("copilotVersion") ? Likeness::Certain : Likeness::Likely);
    }
    return best;
}

std::string copilotMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const std::string role(roleWord(message.role, "assistant", "user"));
    return "{\"type\":\"" + role + R"(.message","data":{"content":)" + newJsonString(message.text)
        + (role == "user" ? R"(,"attachments":[]})" : R"(,"toolRequests":[]})")
        + ",\"id\":" + newJsonString(message.uuid) + copiedMembers(JsonMembers(example), { "timestamp" })
        + ",\"parentId\":" + message.parent + "}";
}

} // namespace

const Format kCopilotCli { "copilot-cli", "Copilot CLI events",
    "~/.copilot/session-state/*/events.jsonl; compactions, subagents; the usage of each call from version 1.0.102 on",
    sniffCopilot, openLog<CopilotLog, kCopilotCli>,
    { .splice = { .message = copilotMessage,
          .links = { .id = "id", .parent = "parentId" },
          .emptyContent = "\"\"",
          .isEventLog = true } } };

} // namespace core
