// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"
#include "core/session/request_log.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <unordered_map>

namespace core {

namespace {

constexpr double kLatest = 1e15; ///< largest number accepted as a time, in milliseconds since 1970
constexpr std::array<std::string_view, 8> kPartKeys { "text", "reasoning", "media", "toolRequest", "toolResponse",
    "data", "custom", "resource" };
/// The file system middleware's result in place of a failure that it queues as a user message.
constexpr std::string_view kFailedCall = "Tool call failed; see user message below";
constexpr size_t kHeadBytes = 400;

/// A model call recorded by a dev trace.
struct ModelSpan {
    JsonMembers members;
    JsonMembers attributes;
    double start = 0;
    uint64_t line = 0;
};

/// Reads what Genkit writes: messages, requests, snapshots and chats of session stores, dev traces.
/// Source: genkit js/ai/src parts.ts, model-types.ts, session.ts, session-stores.ts; see formats.md, section 9.
class GenkitReader final {
public:
    explicit GenkitReader(const ReadContext &context)
        : m_context(context)
    {
        m_source = m_builder.addSource(context.source);
        setFormat(m_builder.session(), kGenkit);
        m_builder.session().harness = "Genkit";
    }

    Result<SessionPtr> read()
    {
        std::string_view root;
        SourceId holder;
        const auto found
            = readDocument(m_builder, m_source, [&](simdjson::ondemand::document &document, SourceId documentHolder) {
                  root = document.raw_json().value();
                  holder = documentHolder;
              });
        if (!found)
            return std::unexpected(found.error());
        const std::string_view all = m_builder.sourceBytes(holder);
        LineCursor lines(all);
        const bool isRead = isJsonArray(root) ? readThread(ThreadKind::Main, {}, root, holder, lines)
                                              : readObject(JsonMembers(root), holder, lines);
        Session &session = m_builder.session();
        if (!isRead) {
            return failure(
                ErrorKind::Malformed, "The file contains no readable Genkit message.", m_context.source->name());
        }
        if (m_context.isCancelled())
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        session.recordCount = std::max<uint64_t>(session.recordCount, 1);
        linkCalls();
        titleThreads();
        return m_builder.finish();
    }

private:
    // --- containers ------------------------------------------------------------------------------------------------

    bool readObject(const JsonMembers &root, SourceId holder, LineCursor &lines)
    {
        if (root.has("traceId") && root.has("spans"))
            return readTrace(root, lines);
        if (root.has("snapshotId"))
            return readSnapshot(root, holder, lines);
        if (isJsonObject(root.raw("threads")))
            return readChat(root, holder, lines);
        // A request: its system prompt is one of the messages; its tools and documents are separate.
        m_builder.session().model = decodeJsonString(root.string("model"));
        const std::vector<Block> prelude = preludeOf(root, holder, lines);
        if (!readThread(ThreadKind::Main, {}, root.raw("messages"), holder, lines))
            return false;
        placePrelude(m_builder, ThreadIndex(0U), prelude);
        return true;
    }

    bool readSnapshot(const JsonMembers &root, SourceId holder, LineCursor &lines)
    {
        const JsonMembers state = root.object("state");
        const std::string id
            = decodeJsonString(state.has("sessionId") ? state.string("sessionId") : root.string("sessionId"));
        for (const std::string_view member : { "artifacts", "custom" })
            m_builder.session().sideBytes += state.raw(member).size();
        readArtifacts(state.raw("artifacts"), holder);
        // A snapshot holds the whole session so far. The store names its file by its id.
        if (const std::string parent = decodeJsonString(root.string("parentId")); !parent.empty()) {
            const std::filesystem::path own(m_context.source->name());
            m_builder.session().origin = { Origin::Kind::Fork, (own.parent_path() / (parent + ".json")).string() };
        }
        if (const std::string_view error = root.raw("error"); isJsonObject(error)) {
            m_builder.note(LineCursor(lines).lineOf(error),
                "The snapshot records a failure: " + decodeJsonString(JsonMembers(error).string("message")));
        }
        return readThread(ThreadKind::Main, id, state.raw("messages"), holder, lines);
    }

    /// `[{name, parts: [{text}], metadata?}]`
    void readArtifacts(std::string_view array, SourceId holder)
    {
        for (const std::string_view raw : jsonElements(array).items) {
            const JsonMembers artifact(raw);
            std::vector<std::string_view> texts;
            for (const std::string_view part : jsonElements(artifact.raw("parts")).items) {
                if (const std::string_view text = JsonMembers(part).raw("text"); isJsonString(text))
                    texts.push_back(jsonString(text));
            }
            SavedText saved { decodeJsonString(artifact.string("name")), {} };
            if (saved.name.empty() || texts.empty())
                continue;
            if (texts.size() == 1) {
                saved.body = m_builder.jsonStringBody(holder, texts.front());
            } else {
                std::string whole;
                for (const std::string_view text : texts)
                    whole += decodeJsonString(text);
                saved.body = m_builder.ownedBody(std::move(whole), m_context.source->name());
            }
            m_builder.session().savedTexts.push_back(std::move(saved));
        }
    }

    /// `{id, state?, threads: {main: […], name: […]}}`
    bool readChat(const JsonMembers &root, SourceId holder, LineCursor &lines)
    {
        m_builder.session().sideBytes += root.raw("state").size();
        const JsonMembers threads = root.object("threads");
        std::vector<JsonMembers::Member> members = threads.all();
        const auto main = std::ranges::find(members, "main", &JsonMembers::Member::key);
        LineCursor mainLines(m_builder.sourceBytes(holder));
        if (main != members.end()) {
            readThread(ThreadKind::Main, "main", main->value, holder, mainLines);
            members.erase(main);
        }
        for (const JsonMembers::Member &each : members) {
            const ThreadKind kind = m_builder.session().threads.empty() ? ThreadKind::Main : ThreadKind::Run;
            readThread(kind, decodeJsonString(each.key), each.value, holder, lines);
        }
        return !m_builder.session().threads.empty();
    }

    /// Reads an array of messages as a separate thread; false if it has none.
    bool readThread(ThreadKind kind, std::string id, std::string_view array, SourceId holder, LineCursor &lines)
    {
        std::vector<MessageDraft> drafts = messagesOf(array, holder, lines);
        if (drafts.empty())
            return false;
        const ThreadIndex thread = m_builder.addThread(kind, std::move(id));
        std::vector<MessageId> messages;
        for (MessageDraft &draft : drafts) {
            if (draft.blocks.empty())
                draft.blocks.push_back(m_builder.makeBlock(BlockKind::Opaque, {}));
            messages.push_back(m_builder.addMessage(thread, draft));
        }
        m_builder.deriveCalls(thread, messages);
        return true;
    }

    /// `lines` is a copy, because the places may be before or behind the messages.
    std::vector<Block> preludeOf(const JsonMembers &request, SourceId holder, LineCursor lines)
    {
        std::vector<Block> prelude;
        const auto add = [&](BlockKind kind, std::string_view raw, std::string_view name) -> Block & {
            Block &block = prelude.emplace_back(
                m_builder.makeBlock(kind, m_builder.jsonValueBody(holder, raw), m_builder.intern(name)));
            setRecord(m_builder, block, holder, raw, lines.lineOf(raw));
            return block;
        };
        for (const JsonMembers::Member &each : request.all()) {
            if (each.key == "tools") {
                for (const std::string_view raw : jsonElements(each.value).items)
                    add(BlockKind::Opaque, raw, decodeJsonString(JsonMembers(raw).string("name")))
                        .set(BlockFlag::Tools);
            } else if (each.key == "docs") {
                for (const std::string_view raw : jsonElements(each.value).items)
                    add(BlockKind::Document, raw, {});
            }
        }
        return prelude;
    }

    // --- traces ----------------------------------------------------------------------------------------------------

    /// Every model call is a request with its response; model spans inside of another repeat the same call.
    bool readTrace(const JsonMembers &root, LineCursor &lines)
    {
        const JsonMembers spans = root.object("spans");
        std::unordered_map<std::string_view, std::string_view> parents;
        std::set<std::string_view> models;
        std::vector<ModelSpan> found;
        for (const JsonMembers::Member &each : spans.all()) {
            ModelSpan span { JsonMembers(each.value), {}, 0, lines.lineOf(each.value) };
            span.attributes = span.members.object("attributes");
            span.start = std::min(jsonNumber(span.members.raw("startTime")).value_or(0), kLatest);
            parents[each.key] = span.members.string("parentSpanId");
            if (span.attributes.string("genkit:metadata:subtype") != "model")
                continue;
            models.insert(each.key);
            found.push_back(std::move(span));
        }
        const auto isInner = [&](const ModelSpan &span) {
            size_t steps = 0;
            std::string_view parent = span.members.string("parentSpanId");
            while (!parent.empty() && steps++ < parents.size()) {
                if (models.contains(parent))
                    return true;
                const auto next = parents.find(parent);
                parent = next == parents.end() ? std::string_view() : next->second;
            }
            return false;
        };
        std::erase_if(found, isInner);
        std::ranges::stable_sort(found, {}, &ModelSpan::start);
        m_builder.session().recordCount = spans.all().size();
        RequestLog log(m_builder);
        size_t calls = 0;
        for (const ModelSpan &span : found)
            calls += sendSpan(log, span) ? 1 : 0;
        if (calls == 0)
            return false;
        log.finish();
        m_builder.thread(ThreadIndex(0U)).id = decodeJsonString(root.string("traceId"));
        return true;
    }

    bool sendSpan(RequestLog &log, const ModelSpan &span)
    {
        const auto input = decoded(span.attributes.string("genkit:input"), span.line);
        const JsonMembers request(input ? m_builder.sourceBytes(*input) : std::string_view());
        LineCursor lines(span.line);
        RequestDraft draft;
        draft.line = span.line;
        draft.time = span.start > 0 ? std::optional(static_cast<Timestamp>(span.start)) : std::nullopt;
        draft.model = m_builder.intern(decodeJsonString(span.attributes.string("genkit:name")));
        if (input) {
            draft.messages = messagesOf(request.raw("messages"), *input, lines);
            draft.prelude = preludeOf(request, *input, lines);
        }
        if (draft.messages.empty()) {
            m_builder.warn(span.line, "The input of this model call could not be read; the call was left out.");
            return false;
        }
        if (const auto output = decoded(span.attributes.string("genkit:output"), span.line))
            readAnswer(JsonMembers(m_builder.sourceBytes(*output)), *output, lines, draft);
        else if (span.attributes.string("genkit:state") == "error")
            m_builder.note(span.line, "This model call failed: it has no answer.");
        log.add(std::move(draft));
        return true;
    }

    /// Decodes JSON inside of a JSON string into a separate source.
    std::optional<SourceId> decoded(std::string_view rawBetweenQuotes, uint64_t line)
    {
        if (rawBetweenQuotes.empty())
            return std::nullopt;
        const SourceId id
            = m_builder.addSource(Source::own(decodeJsonString(rawBetweenQuotes), m_context.source->name()));
        if (!JsonMembers(m_builder.sourceBytes(id)).isWhole())
            m_builder.warn(line, "The data of this span is cut off or not valid JSON; only its beginning was read.");
        return id;
    }

    /// `{message}`, or `{candidates: [{message}]}` of older versions.
    void readAnswer(const JsonMembers &answer, SourceId holder, LineCursor &lines, RequestDraft &draft)
    {
        std::string_view message = answer.raw("message");
        if (message.empty()) {
            const JsonElements candidates = jsonElements(answer.raw("candidates"), 1);
            if (!candidates.items.empty())
                message = JsonMembers(candidates.items.front()).raw("message");
        }
        if (isJsonObject(message)) {
            MessageDraft response = messageOf(message, holder, lines);
            response.role = Role::Assistant;
            response.time = draft.time;
            response.model = draft.model;
            draft.response.push_back(std::move(response));
        }
        const JsonMembers usage = answer.object("usage");
        const uint64_t input = usage.number("inputTokens").value_or(0);
        const uint64_t output = usage.number("outputTokens").value_or(0) + usage.number("thoughtsTokens").value_or(0);
        if (input + output == 0)
            return;
        const uint64_t cached = std::min(input, usage.number("cachedContentTokens").value_or(0));
        draft.usage = Usage { input - cached, cached, 0, output };
    }

    // --- messages --------------------------------------------------------------------------------------------------

    std::vector<MessageDraft> messagesOf(std::string_view array, SourceId holder, LineCursor &lines)
    {
        std::vector<MessageDraft> drafts;
        for (const std::string_view raw : jsonElements(array).items) {
            if (isJsonObject(raw))
                drafts.push_back(messageOf(raw, holder, lines));
            else
                m_builder.warn(lines.lineOf(raw), "An element of the messages is not a message; it was skipped.");
        }
        return drafts;
    }

    MessageDraft messageOf(std::string_view raw, SourceId holder, LineCursor &lines)
    {
        const JsonMembers members(raw);
        MessageDraft draft;
        draft.line = lines.lineOf(raw);
        const std::string_view role = members.string("role");
        if (role == "model")
            draft.role = Role::Assistant;
        else if (role == "tool")
            draft.role = Role::Tool;
        else if (role == "system")
            draft.role = Role::System;
        else if (role != "user")
            m_builder.warn(draft.line, "The role \"" + snippet(role, 40) + "\" is not known; it is read as user.");
        const std::string_view content = members.raw("content");
        if (isJsonString(content)) // a message written by hand
            draft.blocks.push_back(textBlock(jsonString(content), holder));
        for (const std::string_view part : jsonElements(content).items)
            addPart(part, holder, draft.blocks, {});
        for (Block &block : draft.blocks) {
            setRecord(m_builder, block, holder, raw, draft.line);
            if (block.kind == BlockKind::Text && !block.callId.isValid())
                flag(block, draft.role);
        }
        return draft;
    }

    void flag(Block &block, Role role) const
    {
        if (role != Role::User)
            return;
        const std::string head = m_builder.session().textHead(block.body, kHeadBytes);
        if (looksInjected(head)) {
            block.set(BlockFlag::Injected);
            return;
        }
        // Bodies and failures that the file system middleware queues as user messages were not typed.
        const bool isQueued
            = head.starts_with("<read_file path=") || (head.starts_with("Tool \"") && head.contains("\" failed: "));
        if (!isQueued)
            block.set(BlockFlag::Typed);
    }

    Block textBlock(std::string_view rawBetweenQuotes, SourceId holder) const
    {
        return m_builder.makeBlock(BlockKind::Text, m_builder.jsonStringBody(holder, rawBetweenQuotes));
    }

    /// The text of a string, or the JSON of another value.
    Body valueBody(std::string_view raw, SourceId holder) const
    {
        return isJsonString(raw) ? m_builder.jsonStringBody(holder, jsonString(raw))
                                 : m_builder.jsonValueBody(holder, raw);
    }

    /// The kind of a part is the one of its members that names a kind.
    void addPart(std::string_view raw, SourceId holder, std::vector<Block> &blocks, StringId callId)
    {
        const JsonMembers part(raw);
        const size_t first = blocks.size();
        if (const std::string_view value = part.raw("toolRequest"); isJsonObject(value)) {
            addCall(JsonMembers(value), holder, blocks);
        } else if (const std::string_view response = part.raw("toolResponse"); isJsonObject(response)) {
            addResult(JsonMembers(response), holder, blocks);
        } else if (const std::string_view media = part.raw("media"); isJsonObject(media)) {
            addMedia(JsonMembers(media), holder, blocks);
        } else if (isJsonString(part.raw("text"))) {
            blocks.push_back(textBlock(part.string("text"), holder));
        } else if (isJsonString(part.raw("reasoning"))) {
            blocks.push_back(
                m_builder.makeBlock(BlockKind::Thinking, m_builder.jsonStringBody(holder, part.string("reasoning"))));
        } else if (const std::string_view resource = part.raw("resource"); isJsonObject(resource)) {
            const Body body = m_builder.jsonStringBody(holder, JsonMembers(resource).string("uri"));
            blocks.push_back(m_builder.makeBlock(BlockKind::Document, body, m_builder.intern("resource")));
        } else {
            const auto *kind = std::ranges::find_if(kPartKeys, [&](std::string_view key) { return part.has(key); });
            const bool isKnown = kind != kPartKeys.end();
            const Body body = m_builder.jsonValueBody(holder, isKnown ? part.raw(*kind) : raw);
            blocks.push_back(m_builder.makeBlock(BlockKind::Opaque, body, m_builder.intern(isKnown ? *kind : "")));
        }
        for (size_t i = first; i < blocks.size() && callId.isValid(); ++i)
            blocks[i].callId = callId;
    }

    void addCall(const JsonMembers &call, SourceId holder, std::vector<Block> &blocks)
    {
        const std::string_view input = call.raw("input");
        const StringId name = m_builder.intern(decodeJsonString(call.string("name")));
        Block block = m_builder.makeBlock(BlockKind::ToolCall, valueBody(input, holder), name);
        block.callId = m_builder.intern(decodeJsonString(call.string("ref")));
        if (isJsonObject(input))
            block.subject = m_builder.intern(subjectOfArguments(input));
        blocks.push_back(block);
    }

    /// Adds the output, then content that the tool sent with it as separate blocks.
    void addResult(const JsonMembers &response, SourceId holder, std::vector<Block> &blocks)
    {
        const StringId name = m_builder.intern(decodeJsonString(response.string("name")));
        Block block = m_builder.makeBlock(BlockKind::ToolResult, valueBody(response.raw("output"), holder), name);
        block.callId = m_builder.intern(decodeJsonString(response.string("ref")));
        const bool isMissing = response.object("output").raw("found") == "false"; // read_artifact
        if (isMissing || response.string("output").starts_with(kFailedCall))
            block.set(BlockFlag::Error);
        blocks.push_back(block);
        for (const std::string_view part : jsonElements(response.raw("content")).items)
            addPart(part, holder, blocks, block.callId);
    }

    void addMedia(const JsonMembers &media, SourceId holder, std::vector<Block> &blocks)
    {
        constexpr std::string_view kBase64 = ";base64,";
        const std::string_view url = media.string("url");
        std::string type = decodeJsonString(media.string("contentType"));
        const size_t head = url.substr(0, kHeadBytes).find(kBase64);
        const bool isData = url.starts_with("data:");
        if (isData && type.empty())
            type = url.substr(5, url.substr(0, kHeadBytes).find_first_of(";,") - 5);
        const bool isImage = type.starts_with("image/");
        const Body body = isData && head != std::string_view::npos
            ? m_builder.base64Body(holder, url.substr(head + kBase64.size()))
            : m_builder.jsonStringBody(holder, url);
        blocks.push_back(
            m_builder.makeBlock(isImage ? BlockKind::Image : BlockKind::Document, body, m_builder.intern(type)));
    }

    // --- after reading ---------------------------------------------------------------------------------------------

    /// Links results to calls by `ref`, else by name and order. Calls without a `ref` get an id that no harness writes.
    void linkCalls()
    {
        Session &session = m_builder.session();
        std::unordered_map<StringId, std::vector<StringId>> open; // by name: ids of calls without ref, oldest first
        std::set<StringId> known;
        uint64_t count = 0;
        for (Block &block : session.blocks) {
            if (block.kind == BlockKind::ToolCall) {
                if (!block.callId.isValid()) {
                    block.callId = m_builder.intern("call without ref " + std::to_string(++count));
                    open[block.name].push_back(block.callId);
                }
                known.insert(block.callId);
            } else if (block.kind == BlockKind::ToolResult) {
                std::vector<StringId> &waiting = open[block.name];
                if (!block.callId.isValid() && !waiting.empty()) {
                    block.callId = waiting.front();
                    waiting.erase(waiting.begin());
                }
                if (!known.contains(block.callId)) {
                    m_builder.warn(block.recordLine,
                        "A tool response answers no recorded call: "
                            + std::string(m_builder.string(block.callId.isValid() ? block.callId : block.name)) + ".");
                }
            }
        }
        linkToolResults(session);
    }

    void titleThreads()
    {
        Session &session = m_builder.session();
        for (const Block &block : session.blocks) {
            std::string &title = session.threads[session.message(block.message).thread.index()].title;
            if (title.empty() && block.is(BlockFlag::Typed))
                title = snippet(session.textHead(block.body, kHeadBytes), 80);
        }
        session.title = session.threads.front().title;
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    SourceId m_source;
};

// --- recognising ---------------------------------------------------------------------------------------------------

/// Recognises Genkit's messages by their roles and by parts without a `type`.
Likeness likenessOfGenkitMessages(std::string_view array)
{
    constexpr size_t kMessages = 20;
    Likeness likeness = Likeness::No;
    for (const std::string_view raw : jsonElements(array, kMessages).items) {
        const JsonMembers message(raw);
        const std::string_view role = message.string("role");
        const bool isRole = role == "system" || role == "user" || role == "model" || role == "tool";
        if (!isRole && (!role.empty() || message.isWhole()))
            return Likeness::No;
        for (const std::string_view rawPart : jsonElements(message.raw("content"), kMessages).items) {
            const JsonMembers part(rawPart);
            const bool isPart = std::ranges::any_of(kPartKeys, [&](std::string_view key) { return part.has(key); });
            if (part.has("type"))
                return Likeness::No;
            const bool isOwn = part.has("toolRequest") || part.has("toolResponse") || role == "model";
            likeness = std::max(likeness, !isPart ? Likeness::No : isOwn ? Likeness::Likely : Likeness::Maybe);
        }
    }
    return likeness;
}

Likeness sniffGenkit(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    constexpr size_t kLooked = 8U << 20U;
    const auto offset = static_cast<size_t>(sample.records.front().data() - sample.all.data());
    const std::string_view text = sample.all.substr(offset, kLooked);
    if (isJsonArray(text))
        return likenessOfGenkitMessages(text);
    const JsonMembers root(text);
    if (root.has("traceId") && isJsonObject(root.raw("spans")))
        return root.raw("spans").contains("\"genkit:") ? Likeness::Certain : Likeness::No;
    if (root.has("snapshotId") && isJsonObject(root.raw("state")))
        return Likeness::Certain;
    if (root.has("id") && isJsonObject(root.raw("threads"))) {
        const JsonMembers threads = root.object("threads");
        Likeness best = Likeness::No;
        for (const JsonMembers::Member &each : threads.all())
            best = std::max(best, likenessOfGenkitMessages(each.value));
        return best;
    }
    return likenessOfGenkitMessages(root.raw("messages"));
}

Result<SessionPtr> readGenkit(const ReadContext &context) { return GenkitReader(context).read(); }

std::string genkitMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "model", "system"))
        + ",\"content\":[{\"text\":" + newJsonString(message.text) + "}]}";
}

} // namespace

const Format kGenkit { "genkit", "Genkit",
    "message arrays and requests, snapshots and chats of session stores, dev traces (.genkit/traces)", sniffGenkit,
    openWhole<readGenkit>,
    { .shape = MessageShape::Genkit,
        .nearest = MessagesShape::Genkit,
        .readsNearest = true,
        .openingMessages = 6,
        .splice = { .message = genkitMessage, .endsInRecording = true, .hasSystem = true } } };

} // namespace core
