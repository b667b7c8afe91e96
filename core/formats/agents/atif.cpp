// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Trajectories in ATIF (Harbor, terminal-bench): one document, or a header and one step a line. Source: the RFC of
// ATIF, versions 1.0 to 1.8.

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"

#include <algorithm>

namespace core {

namespace {

/// `prompt_tokens` counts the cached tokens, too.
std::optional<Usage> atifUsage(const JsonMembers &metrics)
{
    const auto prompt = metrics.number("prompt_tokens");
    if (!prompt)
        return std::nullopt;
    const uint64_t cached = std::min(*prompt, metrics.number("cached_tokens").value_or(0));
    return Usage { *prompt - cached, cached, 0, metrics.number("completion_tokens").value_or(0) };
}

/// Reads the steps of one trajectory.
class AtifReader final {
public:
    explicit AtifReader(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    void readHead(const JsonMembers &root, SourceId source, LineCursor &lines)
    {
        const JsonMembers agent = root.object("agent");
        m_run.id = decodeJsonString(root.string("session_id"));
        m_run.model = m_builder.intern(decodeJsonString(firstString(agent, { "model_name", "model" })));
        m_run.prelude = ChatReader(m_builder, source, lines).readTools(agent.raw("tool_definitions"));
        m_harness = decodeJsonString(agent.string("name"));
        if (const std::string version = decodeJsonString(agent.string("version")); !version.empty())
            m_harness += " " + version;
    }

    void readStep(std::string_view raw, SourceId source, uint64_t line)
    {
        m_source = source;
        m_raw = raw;
        m_line = line;
        const JsonMembers step(raw);
        ++m_builder.session().recordCount;
        m_time = parseTime(step.string("timestamp"));
        const std::string_view who = step.string("source");
        const JsonMembers observation = step.object("observation");
        if (who == "agent")
            readAgent(step);
        else if (!observation.has("content"))
            readWords(step, who == "user" ? Role::User : Role::System);
        for (const std::string_view result : jsonElements(observation.raw("results")).items)
            readResult(JsonMembers(result));
        // Writers that do not follow the RFC: one result, and the id of its call in the words of the step.
        if (observation.has("content"))
            addResult(observation.raw("content"), behindLastBlank(step.string("message")),
                observation.object("result").raw("success") == "false");
        for (const std::string_view key : { "extra", "metrics" })
            m_builder.session().sideBytes += step.raw(key).size();
    }

    [[nodiscard]] bool isEmpty() const { return m_run.messages.empty(); }
    [[nodiscard]] const std::string &harness() const { return m_harness; }

    ThreadIndex finish(ThreadKind kind)
    {
        const ThreadIndex index = addRun(m_builder, kind, m_run);
        // Steps that were copied from the trajectory before this one are not its calls.
        std::vector<Call> &calls = m_builder.thread(index).calls;
        for (auto i = m_copied.rbegin(); i != m_copied.rend(); ++i)
            calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(*i));
        return index;
    }

private:
    static std::string behindLastBlank(std::string_view raw)
    {
        return decodeJsonString(raw.substr(raw.find_last_of(' ') + 1));
    }

    ChatMessage started(Role role)
    {
        ChatMessage message;
        message.draft.role = role;
        message.draft.line = m_line;
        message.draft.time = m_time;
        return message;
    }

    void add(ChatMessage message, ChatAssembly &assembly)
    {
        std::vector<Block> &blocks = message.draft.blocks;
        blocks = std::move(assembly.thinking);
        for (ChatAssembly::Entry &entry : assembly.entries)
            blocks.push_back(std::move(entry.block));
        if (blocks.empty())
            blocks.push_back(
                m_builder.makeBlock(message.draft.role == Role::Tool ? BlockKind::ToolResult : BlockKind::Text, {}));
        setRecords(m_builder, blocks, m_source, m_raw, m_line);
        m_run.messages.push_back(std::move(message));
    }

    void readWords(const JsonMembers &step, Role role)
    {
        ChatAssembly assembly;
        ChatParts(m_builder, m_source).addContent(assembly, step.raw("message"));
        if (assembly.entries.empty())
            return;
        for (ChatAssembly::Entry &entry : assembly.entries) {
            if (role == Role::User && entry.block.kind == BlockKind::Text)
                entry.block.set(BlockFlag::Typed);
        }
        add(started(role), assembly);
    }

    void readAgent(const JsonMembers &step)
    {
        ChatMessage message = started(Role::Assistant);
        message.draft.model = m_builder.intern(decodeJsonString(step.string("model_name")));
        message.usage = atifUsage(step.object("metrics"));
        ChatParts parts(m_builder, m_source);
        ChatAssembly assembly;
        parts.addContent(assembly, step.raw("message"));
        parts.addThinking(assembly, step);
        for (const std::string_view raw : jsonElements(step.raw("tool_calls")).items) {
            const JsonMembers call(raw);
            const std::string_view arguments = call.raw("arguments");
            Block block = m_builder.makeBlock(BlockKind::ToolCall,
                isJsonString(arguments) ? m_builder.jsonStringBody(m_source, jsonString(arguments))
                                        : m_builder.jsonValueBody(m_source, arguments),
                m_builder.intern(decodeJsonString(firstString(call, { "function_name", "name" }))));
            block.callId = m_builder.intern(decodeJsonString(firstString(call, { "tool_call_id", "id" })));
            block.subject = m_builder.intern(subjectOfArguments(arguments));
            assembly.entries.push_back({ block, false, 0 });
        }
        if (step.isTrue("is_copied_context"))
            m_copied.push_back(m_agentSteps);
        ++m_agentSteps;
        add(std::move(message), assembly);
    }

    void readResult(const JsonMembers &result)
    {
        addResult(result.raw("content"), decodeJsonString(result.string("source_call_id")), false);
    }

    /// A result without a call is what the harness tells the agent.
    void addResult(std::string_view content, const std::string &call, bool isError)
    {
        ChatParts parts(m_builder, m_source);
        ChatAssembly assembly;
        const bool isValue = isJsonObject(content);
        if (isValue)
            assembly.add(m_builder.makeBlock(BlockKind::ToolResult, m_builder.jsonValueBody(m_source, content)));
        else
            parts.addResultContent(assembly, content);
        for (ChatAssembly::Entry &entry : assembly.entries) {
            entry.block.callId = m_builder.intern(call);
            if (isError && entry.block.kind == BlockKind::ToolResult)
                entry.block.set(BlockFlag::Error);
            if (call.empty() && entry.block.kind == BlockKind::ToolResult) {
                entry.block.kind = BlockKind::Text;
                entry.block.set(BlockFlag::Injected);
            }
        }
        add(started(call.empty() ? Role::User : Role::Tool), assembly);
    }

    SessionBuilder &m_builder;
    ChatRun m_run;
    std::string m_harness;
    std::vector<size_t> m_copied; ///< places among the steps of the agent
    size_t m_agentSteps = 0;
    SourceId m_source; ///< of the step that is read, as the three below
    std::string_view m_raw;
    uint64_t m_line = 0;
    std::optional<Timestamp> m_time;
};

/// Reads a trajectory and those of its subagents, which a newer version embeds.
void readAtifDocument(
    SessionBuilder &builder, const JsonMembers &root, SourceId source, LineCursor &lines, ThreadKind kind)
{
    AtifReader reader(builder);
    reader.readHead(root, source, lines);
    for (const std::string_view raw : jsonElements(root.raw("steps")).items) {
        if (isJsonObject(raw))
            reader.readStep(raw, source, lines.lineOf(raw));
    }
    if (kind == ThreadKind::Main)
        builder.session().harness = reader.harness();
    if (!reader.isEmpty())
        reader.finish(kind);
    if (kind != ThreadKind::Main)
        return;
    for (const std::string_view raw : jsonElements(root.raw("subagent_trajectories")).items)
        readAtifDocument(builder, JsonMembers(raw), source, lines, ThreadKind::Subagent);
    if (isJsonString(root.raw("continued_trajectory_ref")))
        builder.note(0,
            "The trajectory goes on in another file: " + decodeJsonString(root.string("continued_trajectory_ref"))
                + ".");
}

Result<SessionPtr> readAtif(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    setFormat(builder.session(), kAtif);
    if (!hasRows(context.source->bytes())) {
        const auto document = documentText(builder, source);
        if (!document)
            return std::unexpected(document.error());
        LineCursor lines(builder.sourceBytes(document->source));
        readAtifDocument(builder, JsonMembers(document->text), document->source, lines, ThreadKind::Main);
    } else {
        AtifReader reader(builder);
        forEachRecord(builder, source, context, [&](simdjson::ondemand::object &object, const Record &record) {
            const std::string_view raw = object.raw_json().value();
            const JsonMembers members(raw);
            LineCursor lines(record.line);
            if (members.has("__header__") || members.has("schema_version"))
                reader.readHead(members, record.source, lines);
            else
                reader.readStep(raw, record.source, record.line);
        });
        builder.session().harness = reader.harness();
        if (!reader.isEmpty())
            reader.finish(ThreadKind::Main);
    }
    if (context.isCancelled())
        return context.cancelled();
    if (builder.session().messages.empty())
        return context.noRecords();
    return builder.finish();
}

Likeness sniffAtif(const Sample &sample)
{
    if (sample.records.empty())
        return Likeness::No;
    const JsonMembers root(sample.records.front());
    const bool isNamed = root.string("schema_version").starts_with("ATIF");
    if (isNamed)
        return Likeness::Certain;
    return root.has("schema_version") && root.has("agent") && isJsonArray(root.raw("steps")) ? Likeness::Certain
                                                                                             : Likeness::No;
}

std::string atifMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"source\":" + newJsonString(roleWord(message.role, "agent", "system"))
        + ",\"message\":" + newJsonString(message.text) + "}";
}

} // namespace

const Format kAtif { "atif", "ATIF trajectory",
    "trajectory.json of Harbor and terminal-bench; also JSONL with one step on each line", sniffAtif,
    openWhole<readAtif>, { .splice = { .message = atifMessage, .emptyContent = "\"\"", .hasSystem = true } } };

} // namespace core
