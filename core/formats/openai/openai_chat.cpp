// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// OpenAI Chat Completions: a bare array of messages, a request body, a stored completion, a LiteLLM log, JSONL rows of
// requests, tau-bench results. Source: the API reference; facts/formats.md 11.

#include "core/base/text.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/openai/new_items.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

using simdjson::ondemand::json_type;

/// Bytes of a file, and below elements of an array, that are read to recognise it.
constexpr size_t kSniffBytes = 16U << 20U;
constexpr size_t kSniffElements = 60;
constexpr size_t kSniffRows = 8;

bool hasAny(const JsonMembers &members, std::span<const std::string_view> keys)
{
    return std::ranges::any_of(keys, [&](std::string_view key) { return members.has(key); });
}

bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// What one message shows about the format of its array.
enum class Trait {
    Foreign, ///< belongs to another format
    Plain,   ///< user or assistant with text, which Anthropic has, too
    System,  ///< instructions inside the array
    Chat,    ///< tool calls or results in Chat Completions' form
    Blocks,  ///< content blocks of Anthropic, unless Chat's tool messages are beside them
};

Trait traitOfContent(std::string_view content)
{
    static constexpr std::array<std::string_view, 7> kBlocks { "tool_use", "tool_result", "thinking",
        "redacted_thinking", "image", "document", "server_tool_use" };
    static constexpr std::array<std::string_view, 7> kForeign { "toolCall", "toolRequest", "toolResponse", "tool-call",
        "tool-result", "input_text", "output_text" };
    Trait trait = Trait::Plain;
    for (const std::string_view part : jsonElements(content, kSniffElements).items) {
        const JsonMembers members(part);
        if (!members.isWhole())
            continue;
        const std::string_view type = members.string("type");
        if (type.empty() || isOneOf(type, kForeign))
            return Trait::Foreign;
        if (isOneOf(type, kBlocks))
            trait = Trait::Blocks;
        else if (trait == Trait::Plain && (type == "image_url" || type == "input_audio" || type == "refusal"))
            trait = Trait::Chat;
    }
    return trait;
}

Trait traitOfMessage(const JsonMembers &message)
{
    // Members of other formats' messages: Gemini and opencode, Cline and Roo, mini-SWE-agent, SWE-agent, LangChain,
    // Inspect, pi, Goose, Cline's SDK, Cursor.
    static constexpr std::array<std::string_view, 24> kForeign { "parts", "ts", "extra", "agent", "message_type",
        "thought", "action", "observation", "lc", "kwargs", "data", "additional_kwargs", "response_metadata", "source",
        "toolCallId", "toolName", "stopReason", "created", "modelInfo", "metrics", "message", "uuid", "say",
        "projectHash" };
    const std::string_view role = message.string("role");
    if (hasAny(message, kForeign) || role.empty())
        return Trait::Foreign;
    if (role == "tool" || role == "function")
        return Trait::Chat;
    if (role != "system" && role != "developer" && role != "user" && role != "assistant")
        return Trait::Foreign;
    for (const std::string_view call : jsonElements(message.raw("tool_calls"), 1).items) {
        const JsonMembers members(call);
        const bool isOurs = isJsonObject(members.raw("function")) || isJsonObject(members.raw("custom"));
        return isOurs || !members.isWhole() ? Trait::Chat : Trait::Foreign; // Inspect: "function": "bash"
    }
    if (isJsonObject(message.raw("function_call")))
        return Trait::Chat;
    const std::string_view content = message.raw("content");
    const bool isBare = !message.has("content") && message.isWhole() && role != "assistant";
    if (isBare || isJsonObject(content))
        return Trait::Foreign;
    const Trait trait = traitOfContent(content);
    return trait == Trait::Plain && (role == "system" || role == "developer") ? Trait::System : trait;
}

/// The combined evidence of the first messages of an array.
struct Evidence {
    size_t seen = 0;
    bool isForeign = false;
    bool isChat = false; ///< traits of Chat Completions only, or instructions at the head of the array
    bool hasBlocks = false;

    [[nodiscard]] Likeness likeness() const
    {
        if (isForeign || seen == 0 || (hasBlocks && !isChat))
            return Likeness::No;
        return isChat ? Likeness::Likely : Likeness::Maybe;
    }
};

Evidence evidenceOf(std::string_view array)
{
    Evidence evidence;
    for (const std::string_view each : jsonElements(array, kSniffElements).items) {
        const JsonMembers message(each);
        if (!isJsonObject(each) || (!message.isWhole() && !message.has("role")))
            continue; // not a message, or truncated
        const Trait trait = traitOfMessage(message);
        evidence.isForeign = evidence.isForeign || trait == Trait::Foreign;
        evidence.isChat = evidence.isChat || trait == Trait::Chat || (trait == Trait::System && evidence.seen == 0);
        evidence.hasBlocks = evidence.hasBlocks || trait == Trait::Blocks;
        ++evidence.seen;
    }
    return evidence;
}

bool isTauBenchResult(const JsonMembers &element) { return element.has("traj") && element.has("task_id"); }

Likeness likenessOfArray(std::string_view array)
{
    const JsonElements elements = jsonElements(array, 1);
    if (elements.items.empty())
        return Likeness::No;
    const JsonMembers first(elements.items.front());
    if (isTauBenchResult(first))
        return evidenceOf(first.raw("traj")).likeness() == Likeness::No ? Likeness::No : Likeness::Certain;
    return evidenceOf(array).likeness();
}

/// `{object: "list", data: […]}`: stored completions, or the messages of one of them.
Likeness likenessOfList(std::string_view data)
{
    for (const std::string_view each : jsonElements(data, 1).items) {
        if (JsonMembers(each).string("object") == "chat.completion")
            return Likeness::Certain;
    }
    return evidenceOf(data).likeness();
}

/// Whether this is an OpenAI model, with any gateway's name in front.
bool isOpenAiModel(std::string_view model)
{
    model = model.substr(model.rfind('/') + 1);
    return model.starts_with("gpt") || model.starts_with("chatgpt")
        || (model.size() >= 2 && model.front() == 'o' && model[1] >= '1' && model[1] <= '9');
}

/// A body that both APIs accept is Maybe; with marks of Anthropic, their reader wins ties.
Likeness likenessOfObject(const JsonMembers &object)
{
    static constexpr std::array<std::string_view, 17> kForeign { "trajectory", "trajectory_format", "history",
        "projectHash", "snapshotId", "traceId", "conversation", "contents", "samples", "eval", "schema_version",
        "run_type", "system_prompt", "todos", "files", "sessionId", "lc" };
    static constexpr std::array<std::string_view, 5> kAnthropic { "system", "anthropic_version", "thinking",
        "context_management", "stop_sequences" };
    static constexpr std::array<std::string_view, 14> kChat { "max_completion_tokens", "response_format",
        "stream_options", "frequency_penalty", "presence_penalty", "parallel_tool_calls", "logit_bias", "logprobs",
        "top_logprobs", "reasoning_effort", "seed", "functions", "function_call", "n" };
    if (hasAny(object, kForeign))
        return Likeness::No;
    const std::string_view kind = object.string("object");
    if (kind == "list" && isJsonArray(object.raw("data")))
        return likenessOfList(object.raw("data"));
    const bool isCompletion = kind == "chat.completion" || kind == "traffic.completion"
        || isJsonArray(object.object("response").raw("choices"));
    const std::string_view array = object.raw("messages");
    if (!isJsonArray(array))
        return isCompletion && isJsonArray(object.raw("choices")) ? Likeness::Certain : Likeness::No;
    const Evidence messages = evidenceOf(array);
    if (messages.isForeign)
        return Likeness::No;
    if (isCompletion || isJsonArray(object.raw("choices")))
        return Likeness::Certain;
    if (messages.isChat)
        return Likeness::Likely;
    bool isOurs = hasAny(object, kChat) || isOpenAiModel(object.string("model"));
    for (const std::string_view tool : jsonElements(object.raw("tools"), 1).items) {
        const JsonMembers members(tool);
        if (members.has("input_schema"))
            return Likeness::No;
        isOurs = isOurs || isJsonObject(members.raw("function")) || isJsonObject(members.raw("custom"));
    }
    if (messages.likeness() == Likeness::No || (hasAny(object, kAnthropic) && !isOurs))
        return Likeness::No;
    return isOurs ? Likeness::Likely : Likeness::Maybe;
}

Likeness sniff(const Sample &sample)
{
    const size_t first = sample.all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return Likeness::No;
    const std::string_view text = sample.all.substr(first, kSniffBytes);
    if (isJsonArray(text))
        return likenessOfArray(text);
    if (!isJsonObject(text))
        return Likeness::No;
    if (sample.isSingleValue)
        return likenessOfObject(JsonMembers(text));
    // Rows: each of the first ones is a request.
    Likeness least = Likeness::Certain;
    size_t rows = 0;
    for (const std::string_view record : sample.records) {
        if (rows == kSniffRows)
            break;
        if (record == "{}")
            continue;
        const auto offset = static_cast<size_t>(record.data() - sample.all.data());
        const JsonMembers row(sample.all.substr(offset), kSniffBytes);
        if (!row.isWhole() && rows > 0)
            continue; // truncated or damaged: other rows decide
        least = std::min(least, likenessOfObject(row));
        ++rows;
    }
    return rows == 0 ? Likeness::No : least;
}

/// Everything read from a file, before it is added to the session.
struct Collected {
    std::vector<ChatRun> runs;
    std::string harness = "Chat Completions";
    std::optional<uint64_t> windowTokens;
    std::vector<Diagnostic> diagnostics;
    uint64_t records = 1; ///< elements of an array or list, rows
    bool areRuns = false; ///< tau-bench and stored completions: separate runs, whatever they share

    void takeFrom(ChatReader &reader)
    {
        const auto more = reader.takeDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
};

/// Seconds since 1970, as `created` and LiteLLM's `timestamp` give them.
std::optional<Timestamp> timeOf(std::string_view raw)
{
    const auto seconds = jsonNumber(raw);
    if (isJsonString(raw))
        return parseTime(jsonString(raw));
    return seconds && *seconds <= 1e11 ? timeOfNumber(*seconds) : std::nullopt;
}

/// OpenHands tags its LiteLLM calls: `"openhands_version:1.0.0"`.
std::string harnessOfTags(const JsonMembers &kwargs)
{
    constexpr std::string_view kTag = "openhands_version:";
    const JsonMembers metadata = kwargs.object("extra_body").object("metadata");
    for (const std::string_view tag : jsonElements(metadata.raw("tags")).items) {
        if (jsonString(tag).starts_with(kTag))
            return "OpenHands " + decodeJsonString(jsonString(tag).substr(kTag.size()));
    }
    return "LiteLLM";
}

/// The first choice is the response that enters the array; the others were dropped.
void addAnswer(SessionBuilder &builder, ChatReader &reader, const JsonMembers &completion, ChatRun &run)
{
    const auto choices = jsonElements(completion.raw("choices")).items;
    if (!choices.empty()) {
        if (auto answer = reader.read(JsonMembers(choices.front()).raw("message"))) {
            run.messages.push_back(std::move(*answer));
            run.hasResponse = true;
        }
        for (const std::string_view other : std::span(choices).subspan(1))
            run.sideBytes += other.size();
    }
    run.usage = chatUsage(completion.raw("usage"));
    run.responseId = builder.intern(decodeJsonString(completion.string("id")));
    if (completion.has("model"))
        run.model = builder.intern(decodeJsonString(completion.string("model")));
    run.time = timeOf(completion.raw("created"));
}

/// Reads a request body, a stored completion or a log of one call.
ChatRun readRequest(SessionBuilder &builder, ChatReader &reader, const JsonMembers &object, std::string_view place,
    Collected &collected)
{
    ChatRun run;
    run.line = reader.lineOf(place);
    run.model = builder.intern(decodeJsonString(object.string("model")));
    const JsonMembers kwargs = object.object("kwargs");
    run.prelude = reader.readTools(object.has("tools") ? object.raw("tools") : kwargs.raw("tools"));
    const auto functions = reader.readTools(object.raw("functions"));
    run.prelude.insert(run.prelude.end(), functions.begin(), functions.end());
    run.messages = reader.readAll(object.raw("messages"));
    const bool isLog = isJsonObject(object.raw("response"));
    const JsonMembers completion = isLog ? object.object("response") : object;
    if (completion.has("choices") || completion.has("usage"))
        addAnswer(builder, reader, completion, run);
    if (object.has("kwargs")) {
        collected.harness = harnessOfTags(kwargs);
        run.sideBytes += object.raw("kwargs").size();
    }
    if (isLog && object.has("timestamp"))
        run.time = timeOf(object.raw("timestamp"));
    if (const auto window = object.number("context_window"))
        collected.windowTokens = window;
    return run;
}

/// tau-bench: the data around the trajectory (solution, reward) was never in the agent's context.
ChatRun readTauBench(ChatReader &reader, const JsonMembers &result, std::string_view place)
{
    ChatRun run;
    run.line = reader.lineOf(place);
    run.messages = reader.readAll(result.raw("traj"));
    run.sideBytes = result.raw("info").size();
    const auto plain = [&](std::string_view key) {
        const std::string_view raw = result.raw(key);
        return isJsonString(raw) ? decodeJsonString(jsonString(raw)) : std::string(raw);
    };
    run.id = plain("task_id");
    run.title = "Task " + run.id;
    if (result.has("trial")) {
        run.id += "/" + plain("trial");
        run.title += ", trial " + plain("trial");
    }
    return run;
}

void readArray(ChatReader &reader, std::string_view array, const ReadContext &context, Collected &collected)
{
    const JsonElements elements = jsonElements(array);
    collected.records = elements.items.size();
    if (elements.items.empty() || !isTauBenchResult(JsonMembers(elements.items.front(), kSniffBytes))) {
        ChatRun run;
        run.line = 1;
        run.messages = reader.readAll(array);
        collected.runs.push_back(std::move(run));
        return;
    }
    collected.harness = "tau-bench";
    collected.areRuns = true;
    for (const std::string_view each : elements.items) {
        if (context.isCancelled())
            return;
        const JsonMembers result(each);
        if (!result.has("traj")) {
            reader.warn(each, "A result without a trajectory was skipped.");
            continue;
        }
        collected.runs.push_back(readTauBench(reader, result, each));
        context.setFraction(static_cast<double>(each.data() - array.data()) / static_cast<double>(array.size()));
    }
}

/// `{object: "list", data}`: completions, each a run, or the messages of one. The API lists completions newest first.
void readList(SessionBuilder &builder, ChatReader &reader, const JsonMembers &list, Collected &collected)
{
    const auto items = jsonElements(list.raw("data")).items;
    collected.records = items.size();
    if (items.empty() || JsonMembers(items.front()).has("role")) {
        ChatRun run;
        run.line = 1;
        run.messages = reader.readAll(list.raw("data"));
        collected.runs.push_back(std::move(run));
        return;
    }
    collected.areRuns = true;
    for (const std::string_view each : items)
        collected.runs.push_back(readRequest(builder, reader, JsonMembers(each), each, collected));
    std::ranges::stable_sort(collected.runs, {}, [](const ChatRun &run) { return run.time.value_or(0); });
}

Result<Collected> readWhole(SessionBuilder &builder, SourceId source, const ReadContext &context)
{
    const auto document = documentText(builder, source);
    if (!document)
        return std::unexpected(document.error());
    Collected collected;
    ChatReader reader(builder, document->source, LineCursor(builder.sourceBytes(document->source)));
    const JsonMembers object(document->text);
    if (isJsonArray(document->text))
        readArray(reader, document->text, context, collected);
    else if (object.string("object") == "list")
        readList(builder, reader, object, collected);
    else
        collected.runs.push_back(readRequest(builder, reader, object, document->text, collected));
    collected.takeFrom(reader);
    return collected;
}

Result<Collected> readRows(SessionBuilder &builder, SourceId source, const ReadContext &context)
{
    Collected collected;
    collected.records = 0;
    forEachRecord(builder, source, context, [&](simdjson::ondemand::object &object, const Record &record) {
        const std::string_view raw = object.raw_json();
        const JsonMembers row(raw);
        if (row.all().empty())
            return;
        ChatReader reader(builder, record.source, LineCursor(record.line));
        if (!row.has("messages") && !row.has("choices"))
            reader.warn(raw, "This row contains no messages and was skipped.");
        else
            collected.runs.push_back(readRequest(builder, reader, row, raw, collected));
        collected.takeFrom(reader);
        ++collected.records;
    });
    return collected;
}

Result<SessionPtr> read(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    auto collected
        = hasRows(context.source->bytes()) ? readRows(builder, source, context) : readWhole(builder, source, context);
    if (!collected)
        return std::unexpected(collected.error());
    if (context.isCancelled())
        return failure(ErrorKind::Cancelled, "Reading was cancelled.", context.source->name());
    const bool hasMessages
        = std::ranges::any_of(collected->runs, [](const ChatRun &run) { return !run.messages.empty(); });
    if (!hasMessages)
        return failure(ErrorKind::Malformed, "No message could be read from the file.", context.source->name());

    Session &session = builder.session();
    setFormat(session, kOpenAiChat);
    session.harness = collected->harness;
    session.windowTokens = collected->windowTokens;
    session.recordCount = collected->records;
    for (const Diagnostic &each : collected->diagnostics)
        builder.warn(each.line, each.reason);
    if (!collected->areRuns && extendEachOther(builder, collected->runs)) {
        addRecording(builder, collected->runs);
    } else {
        const bool isOne = collected->runs.size() == 1 && !collected->areRuns;
        for (ChatRun &run : collected->runs)
            addRun(builder, isOne ? ThreadKind::Main : ThreadKind::Run, run);
    }
    return builder.finish();
}

} // namespace

const Format kOpenAiChat { "openai-chat", "OpenAI Chat Completions",
    "arrays of messages, request bodies, stored completions, LiteLLM and OpenHands logs, JSONL rows, tau-bench results",
    sniff, openWhole<read>,
    { .readsNearest = true,
        .splice = { .message = newChatMessage,
            .emptyContent = "null",
            .repeatsCalls = true,
            .endsInRecording = true,
            .hasSystem = true } } };

} // namespace core
