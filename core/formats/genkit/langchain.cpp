// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// LangChain: messages as `model_dump`, `messages_to_dict` or `dumpd` write them, in bare arrays, Deep Agents and
// LangGraph states and checkpoints; the model calls of LangSmith runs and of Monocle traces. Source:
// facts/formats.md 8.

#include "core/base/text.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/openai/new_items.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr size_t kSniffBytes = 16U << 20U;
constexpr size_t kSniffElements = 40;
constexpr size_t kSniffRows = 8;

bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// How likely this is a message of LangChain.
Likeness likenessOfMessage(const JsonMembers &message)
{
    static constexpr std::array<std::string_view, 5> kOwn { "human", "ai", "AIMessageChunk", "HumanMessageChunk",
        "ToolMessageChunk" };
    static constexpr std::array<std::string_view, 5> kShared { "system", "tool", "function", "chat", "remove" };
    if (message.has("lc")) {
        const auto names = jsonElements(message.raw("id")).items;
        const bool isMessage = !names.empty() && jsonString(names.back()).find("Message") != std::string_view::npos;
        return isMessage && isJsonObject(message.raw("kwargs")) ? Likeness::Certain : Likeness::No;
    }
    const std::string_view type = message.string("type");
    const bool isOwn = isOneOf(type, kOwn);
    if ((!isOwn && !isOneOf(type, kShared)) || (message.has("role") && type != "chat"))
        return Likeness::No;
    if (isJsonObject(message.raw("data")))
        return message.object("data").has("content") ? Likeness::Likely : Likeness::No;
    if (!message.has("content"))
        return type == "remove" ? Likeness::Maybe : Likeness::No;
    if (message.has("additional_kwargs") || message.has("response_metadata"))
        return Likeness::Certain;
    return isOwn ? Likeness::Likely : Likeness::Maybe;
}

Likeness likenessOfLangChainMessages(std::string_view array)
{
    Likeness most = Likeness::No;
    for (const std::string_view each : jsonElements(array, kSniffElements).items) {
        const JsonMembers message(each);
        const Likeness likeness = likenessOfMessage(message);
        if (likeness == Likeness::No && message.isWhole())
            return Likeness::No;
        most = std::max(most, likeness);
    }
    return most > Likeness::Maybe ? most : Likeness::No; // `tool` and `system` alone occur in many formats
}

/// Whether this is a LangSmith run.
bool isTraceRun(const JsonMembers &object)
{
    return object.has("run_type") && (object.has("inputs") || object.has("outputs"))
        && (object.has("dotted_order") || object.has("trace_id") || object.has("id"));
}

/// Whether this is a Monocle span.
bool isSpan(const JsonMembers &object)
{
    if (!object.has("context") && !object.has("trace_id"))
        return false;
    const JsonMembers attributes = object.object("attributes");
    return attributes.has("span.type") || attributes.has("monocle_apptrace.version");
}

/// The object that has a state's `messages`: a Deep Agents state, LangGraph's `values`, a checkpoint's
/// `channel_values`, a serialised prompt value.
JsonMembers stateOf(const JsonMembers &object)
{
    if (isJsonArray(object.raw("messages")))
        return object;
    for (const std::string_view key : { "values", "channel_values", "checkpoint", "kwargs" }) {
        if (!isJsonObject(object.raw(key)))
            continue;
        JsonMembers inner = stateOf(object.object(key));
        if (!inner.all().empty())
            return inner;
    }
    return {};
}

Likeness likenessOfElement(const JsonMembers &element)
{
    if (isTraceRun(element) || isSpan(element))
        return Likeness::Certain;
    return likenessOfMessage(element);
}

Likeness likenessOfObject(const JsonMembers &object)
{
    if (isTraceRun(object) || isSpan(object))
        return Likeness::Certain;
    for (const std::string_view run : jsonElements(object.raw("runs"), 1).items) {
        if (isTraceRun(JsonMembers(run)))
            return Likeness::Certain;
    }
    return likenessOfLangChainMessages(stateOf(object).raw("messages"));
}

Likeness sniffLangChain(const Sample &sample)
{
    const size_t first = sample.all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return Likeness::No;
    const std::string_view text = sample.all.substr(first, kSniffBytes);
    if (isJsonArray(text)) {
        for (const std::string_view each : jsonElements(text, 1).items) {
            if (isTraceRun(JsonMembers(each)) || isSpan(JsonMembers(each)))
                return Likeness::Certain;
        }
        return likenessOfLangChainMessages(text);
    }
    if (!isJsonObject(text))
        return Likeness::No;
    if (sample.isSingleValue)
        return likenessOfObject(JsonMembers(text));
    // Rows: messages (chat histories in databases), runs, spans, states.
    Likeness most = Likeness::No;
    size_t rows = 0;
    for (const std::string_view record : sample.records) {
        if (record == "{}")
            continue;
        const auto offset = static_cast<size_t>(record.data() - sample.all.data());
        const JsonMembers row(sample.all.substr(offset), kSniffBytes);
        if (!row.isWhole() && rows > 0)
            continue; // truncated or damaged: other rows decide
        if (++rows > kSniffRows)
            break;
        const Likeness likeness = std::max(likenessOfElement(row), likenessOfObject(row));
        if (likeness == Likeness::No)
            return Likeness::No;
        most = std::max(most, likeness);
    }
    return most > Likeness::Maybe ? most : Likeness::No;
}

/// A message, run, span or state in the file.
struct Element {
    std::string_view text;
    SourceId source;
    uint64_t line = 0; ///< of a row; 0 in a document, where lines are counted
};

class LangChainReader final {
public:
    explicit LangChainReader(const ReadContext &context)
        : m_context(context)
        , m_source(m_builder.addSource(context.source))
    {
    }

    Result<SessionPtr> read();

private:
    [[nodiscard]] Result<std::vector<Element>> elements();
    [[nodiscard]] ChatReader &readerOf(const Element &element);

    void readMessages(std::span<const Element> elements);
    void readState(const Element &element);

    void collectTraceRuns(const Element &element, std::vector<Element> &runs) const;
    void readTrace(std::span<const Element> elements);
    [[nodiscard]] ChatRun readTraceRun(const Element &element);
    void addAnswer(ChatReader &reader, const JsonMembers &outputs, ChatRun &run);
    void readRootState(std::span<const Element> runs);

    void readSpans(std::span<const Element> spans);
    [[nodiscard]] std::optional<ChatRun> readSpan(const Element &element);
    [[nodiscard]] std::optional<ChatMessage> readSpanMessage(std::string_view raw, ChatReader &reader);

    using Calls = std::vector<std::pair<std::string, Element>>; ///< with their sort key
    void orderCalls(Calls &calls, const Element &last);

    const ReadContext &m_context;
    SessionBuilder m_builder;
    SourceId m_source;
    std::optional<ChatReader> m_reader;
    std::vector<ChatRun> m_runs;
    std::unordered_map<Hash, ChatMessage> m_spanMessages; ///< by hash of their string, as every span repeats them
    std::string m_harness = "LangChain";
    bool m_isRecording = false;
    bool m_isCut = false;
};

/// A document has one reader for its lifetime; each row has its own.
ChatReader &LangChainReader::readerOf(const Element &element)
{
    if (element.line != 0 || !m_reader) {
        if (m_reader)
            m_reader->report();
        m_reader.emplace(m_builder, element.source,
            element.line != 0 ? LineCursor(element.line) : LineCursor(m_builder.sourceBytes(element.source)));
    }
    return *m_reader;
}

/// The elements of an array or list of runs, the rows of a line format, or the single object of the file.
Result<std::vector<Element>> LangChainReader::elements()
{
    std::vector<Element> found;
    if (hasRows(m_context.source->bytes())) {
        forEachRecord(m_builder, m_source, m_context, [&](simdjson::ondemand::object &object, const Record &record) {
            const std::string_view raw = object.raw_json();
            found.push_back({ raw, record.source, record.line });
        });
        return found;
    }
    const auto document = documentText(m_builder, m_source);
    if (!document)
        return std::unexpected(document.error());
    m_isCut = document->isCut;
    const JsonElements array
        = jsonElements(isJsonArray(document->text) ? document->text : JsonMembers(document->text).raw("runs"));
    for (const std::string_view each : array.items)
        found.push_back({ each, document->source, 0 });
    if (found.empty() && isJsonObject(document->text))
        found.push_back({ document->text, document->source, 0 });
    return found;
}

void LangChainReader::readMessages(std::span<const Element> elements)
{
    ChatRun run;
    for (const Element &each : elements) {
        if (auto message = readerOf(each).read(each.text))
            run.messages.push_back(std::move(*message));
    }
    m_runs.push_back(std::move(run));
}

/// `todos` and `files` (the virtual file system) belong to the program; the model sees only what its tools return of
/// them.
void LangChainReader::readState(const Element &element)
{
    const JsonMembers state = stateOf(JsonMembers(element.text));
    ChatReader &reader = readerOf(element);
    if (state.all().empty()) {
        reader.warn(element.text, "This record contains no messages and was skipped.");
        return;
    }
    ChatRun run;
    run.line = reader.lineOf(element.text);
    for (const std::string_view key : { "todos", "files" }) {
        run.sideBytes += state.raw(key).size();
        if (state.has(key))
            m_harness = "Deep Agents";
    }
    run.messages = reader.readAll(state.raw("messages"));
    m_runs.push_back(std::move(run));
}

void LangChainReader::collectTraceRuns(const Element &element, std::vector<Element> &runs) const
{
    const JsonMembers run(element.text);
    runs.push_back(element);
    for (const std::string_view child : jsonElements(run.raw("child_runs")).items)
        collectTraceRuns({ child, element.source, element.line }, runs);
}

/// The model calls of a trace, in order, form a recording of requests; subagents are its other threads.
void LangChainReader::readTrace(std::span<const Element> elements)
{
    m_harness = "LangSmith";
    m_isRecording = true;
    std::vector<Element> runs;
    for (const Element &each : elements)
        collectTraceRuns(each, runs);
    Calls calls;
    for (const Element &each : runs) {
        const JsonMembers run(each.text);
        if (run.string("run_type") == "llm")
            calls.emplace_back(run.string(run.string("dotted_order").empty() ? "start_time" : "dotted_order"), each);
        else
            m_builder.session().sideBytes += run.raw("extra").size();
    }
    if (calls.empty()) {
        readRootState(runs);
        return;
    }
    orderCalls(calls, runs.back());
    for (const auto &[order, element] : calls) {
        if (m_context.isCancelled())
            return;
        ChatRun run = readTraceRun(element);
        if (!run.messages.empty())
            m_runs.push_back(std::move(run));
    }
}

/// Sorts the calls, which may be in order of ending or any other. Drops the last call of a truncated file: with half of
/// its array it would look like a compaction.
void LangChainReader::orderCalls(Calls &calls, const Element &last)
{
    const bool isLastCut = m_isCut && calls.size() > 1 && calls.back().second.text.data() == last.text.data();
    if (isLastCut) {
        readerOf(last).warn(last.text, "The last call of the trace is cut off and was skipped.");
        calls.pop_back();
    }
    std::ranges::stable_sort(calls, {}, [](const auto &call) -> const std::string & { return call.first; });
}

/// For traces without model calls: uses the longest array that any run received or returned.
void LangChainReader::readRootState(std::span<const Element> runs)
{
    m_isRecording = false;
    const Element *best = nullptr;
    std::string_view longest;
    for (const Element &each : runs) {
        for (const std::string_view key : { "outputs", "inputs" }) {
            const std::string_view array = JsonMembers(each.text).object(key).raw("messages");
            if (isJsonArray(array) && array.size() > longest.size()) {
                longest = array;
                best = &each;
            }
        }
    }
    if (best == nullptr)
        return;
    ChatRun run;
    run.messages = readerOf(*best).readAll(longest);
    m_runs.push_back(std::move(run));
}

ChatRun LangChainReader::readTraceRun(const Element &element)
{
    const JsonMembers members(element.text);
    ChatReader &reader = readerOf(element);
    const JsonMembers extra = members.object("extra");
    const JsonMembers parameters = extra.object("invocation_params");
    ChatRun run;
    run.line = reader.lineOf(element.text);
    run.prelude = reader.readTools(parameters.raw("tools"));
    std::string_view messages = members.object("inputs").raw("messages");
    const auto batches = jsonElements(messages, 1).items;
    if (!batches.empty() && isJsonArray(batches.front()))
        messages = batches.front();
    run.messages = reader.readAll(messages);
    run.time = parseTime(members.string("start_time"));
    run.responseId = m_builder.intern(decodeJsonString(members.string("id")));
    std::string_view model = extra.object("metadata").string("ls_model_name");
    for (const std::string_view key : { "model", "model_name" })
        model = model.empty() ? parameters.string(key) : model;
    run.model = m_builder.intern(decodeJsonString(model));
    addAnswer(reader, members.object("outputs"), run);
    if (!run.usage)
        run.usage = chatUsage(element.text); // `prompt_tokens` is a member of the run
    return run;
}

void LangChainReader::addAnswer(ChatReader &reader, const JsonMembers &outputs, ChatRun &run)
{
    std::string_view answer;
    std::string_view text;
    auto generations = jsonElements(outputs.raw("generations"), 1).items;
    if (!generations.empty() && isJsonArray(generations.front()))
        generations = jsonElements(generations.front(), 1).items;
    if (!generations.empty()) {
        const JsonMembers generation(generations.front());
        answer = generation.raw("message");
        text = generation.raw("text");
    }
    for (const std::string_view key : { "messages", "choices" }) {
        for (const std::string_view each : jsonElements(outputs.raw(key), 1).items)
            answer = answer.empty() ? (key == "choices" ? JsonMembers(each).raw("message") : each) : answer;
    }
    for (const std::string_view key : { "message", "output" })
        answer = answer.empty() && isJsonObject(outputs.raw(key)) ? outputs.raw(key) : answer;
    std::optional<ChatMessage> message;
    if (isJsonObject(answer))
        message = reader.read(answer);
    else if (isJsonString(text))
        message = reader.readContent(Role::Assistant, text, text);
    if (message) {
        run.usage = message->usage;
        run.messages.push_back(std::move(*message));
        run.hasResponse = true;
    }
    if (!run.usage)
        run.usage = chatUsage(outputs.object("llm_output").raw("token_usage"));
    if (!run.usage)
        run.usage = chatUsage(outputs.raw("usage_metadata"));
}

/// `inference.framework` spans are LangChain's model calls. Without them uses those of the client library.
void LangChainReader::readSpans(std::span<const Element> spans)
{
    m_isRecording = true;
    const auto typeOf
        = [](const Element &span) { return JsonMembers(span.text).object("attributes").string("span.type"); };
    const bool hasFramework
        = std::ranges::any_of(spans, [&](const Element &span) { return typeOf(span) == "inference.framework"; });
    Calls calls;
    for (const Element &each : spans) {
        const bool isCall
            = hasFramework ? typeOf(each) == "inference.framework" : typeOf(each).starts_with("inference");
        if (isCall)
            calls.emplace_back(JsonMembers(each.text).string("start_time"), each);
        else
            m_builder.session().sideBytes += each.text.size();
    }
    orderCalls(calls, spans.back());
    for (const auto &[start, element] : calls) {
        if (m_context.isCancelled())
            return;
        if (auto run = readSpan(element))
            m_runs.push_back(std::move(*run));
    }
}

std::optional<ChatRun> LangChainReader::readSpan(const Element &element)
{
    const JsonMembers span(element.text);
    const JsonMembers attributes = span.object("attributes");
    ChatReader &reader = readerOf(element);
    ChatRun run;
    run.line = reader.lineOf(element.text);
    run.time = parseTime(span.string("start_time"));
    run.responseId = m_builder.intern(decodeJsonString(span.object("context").string("span_id")));
    for (const JsonMembers::Member &member : attributes.all()) {
        // `entity.2.type`: "model.llm.gpt-5.5" beside `entity.2.name`: "gpt-5.5"
        const bool isModel = member.key.starts_with("entity.") && member.key.ends_with(".type")
            && jsonString(member.value).starts_with("model.");
        if (isModel)
            run.model = m_builder.intern(
                decodeJsonString(attributes.string(std::string(member.key.substr(0, member.key.size() - 4)) + "name")));
    }
    if (const std::string_view workflow = attributes.string("workflow.name"); !workflow.empty())
        m_harness = decodeJsonString(workflow);

    std::optional<ChatMessage> answer;
    for (const std::string_view each : jsonElements(span.raw("events")).items) {
        const JsonMembers event(each);
        const JsonMembers facts = event.object("attributes");
        const std::string_view name = event.string("name");
        if (name == "data.input") {
            const std::string_view input = facts.raw("input");
            const auto messages
                = isJsonArray(input) ? jsonElements(input).items : std::vector<std::string_view> { input };
            for (const std::string_view raw : messages) {
                if (auto message = readSpanMessage(raw, reader))
                    run.messages.push_back(std::move(*message));
            }
        } else if (name == "data.output") {
            answer = readSpanMessage(facts.raw("response"), reader);
        } else if (name == "metadata") {
            run.usage = chatUsage(event.raw("attributes"));
        }
    }
    if (run.messages.empty())
        return std::nullopt;
    if (answer) {
        answer->draft.role = Role::Assistant;
        run.messages.push_back(std::move(*answer));
        run.hasResponse = true;
    }
    return run;
}

/// A message is JSON `{role: content}` inside of a JSON string. The string is decoded into a separate source, which
/// holds the bodies.
std::optional<ChatMessage> LangChainReader::readSpanMessage(std::string_view raw, ChatReader &reader)
{
    if (!isJsonString(raw))
        return std::nullopt;
    const Hash key = hashOf(raw);
    if (const auto known = m_spanMessages.find(key); known != m_spanMessages.end())
        return known->second;
    const SourceId holder
        = m_builder.addSource(Source::own(decodeJsonString(jsonString(raw)), m_context.source->name()));
    const std::string_view text = m_builder.sourceBytes(holder);
    const JsonMembers object(text);
    std::optional<ChatMessage> message;
    for (const JsonMembers::Member &member : object.all()) {
        static constexpr std::array<std::pair<std::string_view, Role>, 8> kRoles { { { "system", Role::System },
            { "developer", Role::System }, { "human", Role::User }, { "user", Role::User }, { "ai", Role::Assistant },
            { "assistant", Role::Assistant }, { "tool", Role::Tool }, { "function", Role::Tool } } };
        const auto *role = std::ranges::find(kRoles, member.key, &std::pair<std::string_view, Role>::first);
        if (role == kRoles.end())
            continue;
        ChatReader inner(m_builder, holder, LineCursor(reader.lineOf(raw)));
        message = inner.readContent(role->second, member.value, text);
        break;
    }
    if (!message)
        message = reader.readContent(Role::User, raw, raw);
    m_spanMessages.emplace(key, *message);
    return message;
}

Result<SessionPtr> LangChainReader::read()
{
    const auto found = elements();
    if (!found)
        return std::unexpected(found.error());
    const auto whole
        = std::ranges::find_if(*found, [](const Element &each) { return !JsonMembers(each.text).all().empty(); });
    if (whole != found->end()) {
        const JsonMembers first(whole->text);
        if (isTraceRun(first))
            readTrace(*found);
        else if (isSpan(first))
            readSpans(*found);
        else if (!stateOf(first).all().empty())
            std::ranges::for_each(*found, [this](const Element &each) { readState(each); });
        else
            readMessages(*found);
    }
    if (m_reader)
        m_reader->report();
    if (m_context.isCancelled())
        return failure(ErrorKind::Cancelled, "Reading was cancelled.", m_context.source->name());
    if (std::ranges::all_of(m_runs, [](const ChatRun &run) { return run.messages.empty(); }))
        return failure(ErrorKind::Malformed, "No message could be read from the file.", m_context.source->name());

    Session &session = m_builder.session();
    setFormat(session, kLangChain);
    session.harness = m_harness;
    session.recordCount = found->size();
    if (m_isRecording || extendEachOther(m_builder, m_runs)) {
        addRecording(m_builder, m_runs);
    } else {
        for (ChatRun &run : m_runs)
            addRun(m_builder, m_runs.size() == 1 ? ThreadKind::Main : ThreadKind::Run, run);
    }
    return m_builder.finish();
}

Result<SessionPtr> readLangChain(const ReadContext &context) { return LangChainReader(context).read(); }

/// In the form in which the message before it is written: `dumpd`, `messages_to_dict`, `model_dump` or with a role.
std::string langChainMessage(const NewMessage &message, std::string_view example, bool isLine)
{
    const JsonMembers other(example);
    const std::string_view type = message.role == Role::Assistant ? "ai"
        : message.role == Role::System                            ? "system"
                                                                  : "human";
    const std::string_view name = message.role == Role::Assistant ? "AIMessage"
        : message.role == Role::System                            ? "SystemMessage"
                                                                  : "HumanMessage";
    // Deep Agents and LangChain's summarization mark theirs like this.
    const std::string source = message.isSummary && message.role == Role::User
        ? std::string(R"(,"additional_kwargs":{"lc_source":"summarization"})")
        : std::string();
    const std::string plain
        = "{\"content\":" + newJsonString(message.text) + source + ",\"type\":" + newJsonString(type) + "}";
    if (other.has("lc"))
        return R"({"lc":1,"type":"constructor","id":["langchain","schema","messages",)" + newJsonString(name)
            + "],\"kwargs\":" + plain + "}";
    if (isJsonObject(other.raw("data")) && other.has("type") && !other.has("content"))
        return "{\"type\":" + newJsonString(type) + ",\"data\":" + plain + "}";
    return other.has("role") && !other.has("type") ? newChatMessage(message, example, isLine) : plain;
}

} // namespace

const Format kLangChain { "langchain", "LangChain",
    "messages, Deep Agents and LangGraph states, checkpoints, LangSmith runs, Monocle traces", sniffLangChain,
    openWhole<readLangChain>,
    { .nearest = MessagesShape::LangChain,
        .readsNearest = true,
        .splice = { .message = langChainMessage,
            .emptyContent = "\"\"",
            .repeatsCalls = true,
            .endsInRecording = true,
            .hasSystem = true } } };

} // namespace core
