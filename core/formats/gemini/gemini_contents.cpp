// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/gemini/gemini_parts.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"

#include <algorithm>

namespace core {

namespace {

/// The array of a request or of a checkpoint; the whole text where it is an array.
std::string_view contentsOf(std::string_view root)
{
    if (isJsonArray(root))
        return root;
    const JsonMembers members(root);
    for (const std::string_view key : { "contents", "clientHistory", "history" }) {
        if (const std::string_view array = members.raw(key); isJsonArray(array))
            return array;
    }
    return {};
}

/// Reads the `contents` of the Gemini API: an array, a request body, a checkpoint of Gemini CLI (`/chat save`, restore
/// points). Calls are derived from the model's messages.
/// Source: `Content`, `GenerateContentRequest` of the Gemini API; checkpointUtils.ts of Gemini CLI.
class GeminiContentsReader final {
public:
    explicit GeminiContentsReader(const ReadContext &context)
        : m_context(context)
        , m_source(m_builder.addSource(context.source))
    {
        m_thread = m_builder.addThread(ThreadKind::Main);
        setFormat(m_builder.session(), kGeminiContents);
    }

    Result<SessionPtr> read()
    {
        std::string_view root;
        const auto found
            = readDocument(m_builder, m_source, [&](simdjson::ondemand::document &document, SourceId holder) {
                  root = document.raw_json().value();
                  m_holder = holder;
              });
        if (!found)
            return std::unexpected(found.error());
        LineCursor lines(m_builder.sourceBytes(m_holder));
        std::vector<MessageId> messages;
        std::vector<Block> prelude;
        if (isJsonObject(root)) {
            const JsonMembers request(root);
            m_builder.session().model = decodeJsonString(request.string("model"));
            prelude = preludeOf(request);
            for (const std::string_view key : { "toolCall", "authType" })
                m_builder.session().sideBytes += request.raw(key).size();
        }
        for (const std::string_view raw : jsonElements(contentsOf(root)).items)
            addContent(raw, lines, messages);
        if (messages.empty())
            return m_context.noRecords();
        if (m_context.isCancelled())
            return m_context.cancelled();
        m_builder.session().recordCount = messages.size();
        m_builder.deriveCalls(m_thread, messages);
        placePrelude(m_builder, m_thread, prelude);
        linkGeminiCalls(m_builder);
        setTypedTitle(m_builder);
        return m_builder.finish();
    }

private:
    void addContent(std::string_view raw, LineCursor &lines, std::vector<MessageId> &messages)
    {
        const JsonMembers content(raw);
        MessageDraft draft;
        draft.line = lines.lineOf(raw);
        const std::string_view role = content.string("role");
        if (!isJsonObject(raw) || !content.has("parts")) {
            m_builder.warn(draft.line, "An element of the contents has no parts; it was skipped.");
            return;
        }
        draft.role = role == "model" ? Role::Assistant : role == "system" ? Role::System : Role::User;
        GeminiParts(m_builder, m_holder).add(content.raw("parts"), draft.blocks);
        if (draft.blocks.empty())
            draft.blocks.push_back(m_builder.makeBlock(BlockKind::Opaque, {}));
        for (Block &block : draft.blocks)
            setRecord(m_builder, block, m_holder, raw, draft.line);
        if (draft.role == Role::User)
            markGeminiUser(m_builder, draft);
        messages.push_back(m_builder.addMessage(m_thread, draft));
    }

    /// System instruction and tools of a request.
    std::vector<Block> preludeOf(const JsonMembers &request)
    {
        std::vector<Block> prelude;
        const auto append = [&](std::vector<Block> blocks, std::string_view raw) {
            for (Block &block : blocks)
                setRecord(m_builder, block, m_holder, raw, 1);
            prelude.insert(prelude.end(), blocks.begin(), blocks.end());
        };
        for (const std::string_view key : { "systemInstruction", "system_instruction" }) {
            const std::string_view raw = request.raw(key);
            if (raw.empty())
                continue;
            const JsonMembers content(raw);
            std::vector<Block> blocks;
            GeminiParts(m_builder, m_holder).add(content.has("parts") ? content.raw("parts") : raw, blocks);
            append(std::move(blocks), raw);
        }
        for (const std::string_view tool : jsonElements(request.raw("tools")).items) {
            const JsonMembers members(tool);
            const std::string_view camel = members.raw("functionDeclarations");
            const JsonElements functions = jsonElements(camel.empty() ? members.raw("function_declarations") : camel);
            for (const std::string_view raw : functions.items) {
                Block block = m_builder.makeBlock(BlockKind::Opaque, m_builder.jsonValueBody(m_holder, raw),
                    m_builder.intern(decodeJsonString(JsonMembers(raw).string("name"))));
                block.set(BlockFlag::Tools);
                append({ block }, raw);
            }
        }
        return prelude;
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    SourceId m_source;
    SourceId m_holder;
    ThreadIndex m_thread;
};

Result<SessionPtr> readGeminiContents(const ReadContext &context) { return GeminiContentsReader(context).read(); }

Likeness sniffGeminiContents(const Sample &sample)
{
    constexpr size_t kLooked = 20;
    if (!sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    Likeness best = Likeness::No;
    for (const std::string_view raw : jsonElements(contentsOf(sample.records.front()), kLooked).items) {
        const JsonMembers content(raw);
        const std::string_view role = content.string("role");
        const bool isRole = role == "user" || role == "model" || role == "function";
        if (content.has("content") || content.has("type") || (!isRole && content.isWhole()))
            return Likeness::No;
        if (isJsonArray(content.raw("parts")))
            best = std::max(best, role == "model" ? Likeness::Likely : Likeness::Maybe);
    }
    return best;
}

std::string geminiContent(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "model", "user"))
        + ",\"parts\":[{\"text\":" + newJsonString(message.text) + "}]}";
}

} // namespace

const Format kGeminiContents { "gemini-contents", "Gemini API contents",
    "arrays and request bodies of the Gemini API; checkpoints of Gemini CLI (`/chat save`)", sniffGeminiContents,
    openWhole<readGeminiContents>, { .shape = MessageShape::Gemini, .splice = { .message = geminiContent } } };

} // namespace core
