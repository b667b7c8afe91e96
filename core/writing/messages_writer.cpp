// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/messages_writer.h"

#include "core/base/text.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/json/json_probe.h"
#include "core/json/json_tree.h"
#include "core/writing/message_turns.h"
#include "core/writing/splice_shapes.h"

#include <algorithm>
#include <map>
#include <set>

namespace core {

namespace {

bool isOfAnthropic(std::string_view format)
{
    return format == kClaudeCode.id || format == kClaudeSdkStream.id || format == kAnthropicMessages.id;
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : ",") + part;
    return text;
}

std::string listOf(const std::vector<std::string> &parts) { return "[" + joined(parts) + "]"; }

/// What base64 begins with tells the type where the file does not.
std::string mediaTypeOf(std::string_view told, std::string_view base64)
{
    if (told.find('/') != std::string_view::npos)
        return std::string(told);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kBeginnings { {
        { "iVBO", "image/png" },
        { "/9j/", "image/jpeg" },
        { "R0lG", "image/gif" },
        { "UklG", "image/webp" },
        { "JVBE", "application/pdf" },
    } };
    for (const auto &[beginning, type] : kBeginnings) {
        if (base64.starts_with(beginning))
            return std::string(type);
    }
    return "application/octet-stream";
}

bool isAddress(std::string_view text)
{
    return text.starts_with("http://") || text.starts_with("https://") || text.starts_with("file://")
        || text.starts_with("gs://");
}

/// A list of nothing but text parts, which three of the shapes write alike.
bool isListOfTexts(std::string_view raw)
{
    const JsonElements parts = jsonElements(raw);
    return isJsonArray(raw) && parts.isWhole && !parts.items.empty()
        && std::ranges::all_of(parts.items, [](std::string_view each) {
               const JsonMembers part(each);
               return part.string("type") == "text" && isJsonString(part.raw("text"));
           });
}

/// What a shape could not hold as it is, counted by kind.
class Notes final {
public:
    enum class Kind : uint8_t {
        BadBytes,
        FreeArguments,
        Opaque,
        DocumentAsText,
        MediaMoved,
        Order,
        Failures,
        NoSignature,
        LateSystem,
        Tools,
        Prelude,
        StrangeIds,
        LooseParts,
    };

    void count(Kind kind) { ++m_counts[kind]; }

    [[nodiscard]] std::vector<std::string> sentences() const
    {
        std::vector<std::string> list;
        for (const auto &[kind, count] : m_counts)
            list.push_back(sentence(kind, count));
        return list;
    }

private:
    static std::string sentence(Kind kind, size_t count)
    {
        const std::string number = groupedNumber(count);
        const auto of
            = [&](const char *one, const char *several) { return number + " " + (count == 1 ? one : several); };
        switch (kind) {
        case Kind::BadBytes:
            return of("text holds", "texts hold") + " bytes that are no UTF-8; they were replaced by U+FFFD.";
        case Kind::FreeArguments:
            return of("call has", "calls have")
                + " a text for arguments, where the shape wants an object; it stands in the member \"input\".";
        case Kind::Opaque:
            return of("block is", "blocks are") + " of a kind that the shape does not have; the JSON stands as a text.";
        case Kind::DocumentAsText:
            return of("document stands", "documents stand") + " as a text: the shape holds files only as bytes.";
        case Kind::MediaMoved:
            return of("image or file of a tool result stands", "images and files of tool results stand")
                + " in a user message behind it: the shape's results are texts.";
        case Kind::Order:
            return of("message of the model has", "messages of the model have")
                + " texts behind tool calls; the shape puts the calls last.";
        case Kind::Failures:
            return of("result is a failure", "results are failures") + ", which the shape cannot say.";
        case Kind::NoSignature:
            return of("thinking block has", "thinking blocks have")
                + " no signature; the provider will not take it as its own.";
        case Kind::LateSystem:
            return of("message of the system stands", "messages of the system stand")
                + " behind the beginning and became a user's.";
        case Kind::Tools:
            return of("tool definition was", "tool definitions were") + " left out.";
        case Kind::Prelude:
            return of("part", "parts") + " of the recorded system prompt that is no text was left out.";
        case Kind::StrangeIds:
            return of("id of a tool call holds", "ids of tool calls hold")
                + " characters that the API may refuse; they were left as they are.";
        case Kind::LooseParts:
            return of("part of a tool result stands", "parts of tool results stand") + " as a text behind it.";
        }
        return {};
    }

    std::map<Kind, size_t> m_counts;
};

bool isSealedResult(const Block &block)
{
    return block.kind == BlockKind::ToolResult && block.is(BlockFlag::Encrypted);
}

/// The JSON of a block as another provider may get it; nothing where none of it is sealed.
std::optional<std::string> withoutSealedIn(const Block &block, std::string_view json, Sealed sealed)
{
    const bool isParts = block.kind == BlockKind::ToolResult || block.kind == BlockKind::Opaque;
    return isParts && block.body.coding == Coding::JsonValue && sealed == Sealed::IsLeftOut ? withoutSealed(json)
                                                                                            : std::nullopt;
}

/// What was left out because nobody but its provider can read it; empty if nothing was.
std::string sealedNote(const Transcript &transcript, Sealed sealed)
{
    constexpr size_t kMostNamed = 8;
    const Session &session = *transcript.session();
    std::vector<std::string> places;
    std::set<std::string_view> kinds;
    size_t count = 0;
    size_t replaced = 0;
    for (size_t i = 0; i < transcript.slotCount(); ++i) {
        const size_t before = count;
        for (const BlockId id : transcript.blocksOf(transcript.slots()[i])) {
            const Block &block = transcript.block(id);
            const bool stands
                = isSealedResult(block) || withoutSealedIn(block, session.rawBody(block.body), sealed).has_value();
            if (!stands && !isLeftOut(block, sealed))
                continue;
            ++count;
            replaced += stands ? 1 : 0;
            kinds.insert(block.kind == BlockKind::ToolResult ? "tool result"
                    : block.kind == BlockKind::Thinking      ? "thinking block"
                    : block.kind == BlockKind::Opaque        ? "block"
                    : block.is(BlockFlag::Summary)           ? "summary"
                                                             : "text");
        }
        if (count > before)
            places.push_back("[" + std::to_string(i) + "]");
    }
    if (count == 0)
        return {};
    std::string where;
    for (size_t i = 0; i < std::min(places.size(), kMostNamed); ++i)
        where += (i == 0 ? "" : ", ") + places[i];
    if (places.size() > kMostNamed)
        where += " and " + groupedNumber(places.size() - kMostNamed) + " more";
    const std::string what = kinds.size() > 1 ? "block" : std::string(*kinds.begin());
    const std::string several = what == "summary" ? "summaries" : what + "s";
    return (count == 1 ? "The encrypted " + what + " at " + where + " was"
                       : groupedNumber(count) + " encrypted " + several + ", at " + where + ", were")
        + " left out: only the provider that wrote " + (count == 1 ? "it" : "them") + " can read "
        + (count == 1 ? "it." : "them.")
        + (replaced == 0 ? ""
                         : " “" + std::string(kSealed) + "” stands in "
                    + (replaced < count     ? "the place of " + groupedNumber(replaced) + " of them."
                            : replaced == 1 ? "its place."
                                            : "their places."));
}

class Writer final {
public:
    Writer(const Transcript &transcript, MessagesShape shape)
        : m_session(*transcript.session())
        , m_sealed(sealedIn(m_session.format, shape))
        , m_turns(turnsOf(transcript, m_sealed))
        , m_shape(shape)
        , m_isOfAnthropic(isOfAnthropic(m_session.format))
    {
    }

    WrittenMessages write(std::optional<BlockRange> prelude)
    {
        std::vector<std::string> system = systemOf(prelude);
        std::string json;
        switch (m_shape) {
        case MessagesShape::Anthropic:
            json = anthropic(std::move(system));
            break;
        case MessagesShape::OpenAi:
            json = openAi(system);
            break;
        case MessagesShape::LangChain:
            json = langChain(system);
            break;
        case MessagesShape::Genkit:
            json = genkit(system);
            break;
        }
        return { std::move(json), m_notes.sentences() };
    }

private:
    using Kind = Notes::Kind;

    // --- what all shapes share -------------------------------------------------------------------------------------

    [[nodiscard]] const Block &block(BlockId id) const { return m_session.block(id); }

    std::string quoted(std::string_view text)
    {
        if (!isValidUtf8(text)) {
            for (size_t i = 0; i < text.size();) {
                const CodePoint each = codePointAt(text, i);
                if (each.size == 1 && static_cast<unsigned char>(text[i]) >= 0x80) {
                    m_notes.count(Kind::BadBytes);
                    break;
                }
                i += each.size;
            }
        }
        return "\"" + escapedJson(text) + "\"";
    }
    std::string textOf(const Block &block)
    {
        if (isSealedResult(block))
            return quoted(kSealed);
        const std::string text = m_session.text(block.body);
        return quoted(withoutSealedIn(block, text, m_sealed).value_or(text));
    }
    std::string nameOf(const Block &block) { return quoted(m_session.string(block.name)); }
    std::string idOf(const Block &block) { return quoted(m_session.string(block.callId)); }

    /// The texts of the recorded system prompt.
    std::vector<std::string> systemOf(std::optional<BlockRange> prelude)
    {
        std::vector<std::string> texts;
        if (!prelude)
            return texts;
        for (uint32_t i = prelude->begin; i < prelude->end; ++i) {
            const Block &each = m_session.blocks[i];
            if (each.is(BlockFlag::Tools))
                m_notes.count(Kind::Tools);
            else if (each.kind == BlockKind::Text)
                texts.push_back(textOf(each));
            else
                m_notes.count(Kind::Prelude);
        }
        return texts;
    }

    /// The value as written where it is whole JSON, without what another provider could not read.
    [[nodiscard]] std::optional<std::string> rawValue(const Block &block) const
    {
        if (block.body.coding != Coding::JsonValue)
            return std::nullopt;
        std::string raw(m_session.rawBody(block.body));
        if (auto open = withoutSealedIn(block, raw, m_sealed))
            return open;
        return isJson(raw) ? std::optional(std::move(raw)) : std::nullopt;
    }

    /// Arguments as an object.
    std::string argumentsOf(const Block &block)
    {
        std::string text = rawValue(block).value_or(m_session.text(block.body));
        if (text.empty())
            return "{}";
        const size_t first = text.find_first_not_of(" \t\r\n");
        if (first != std::string::npos && text[first] == '{' && isJson(text))
            return text;
        m_notes.count(Kind::FreeArguments);
        return "{\"input\":" + quoted(text) + "}";
    }

    /// What a result says: a text, or the list of texts that it was.
    std::string resultContent(const Block &block)
    {
        const auto raw = rawValue(block);
        return raw && isListOfTexts(*raw) ? *raw : textOf(block);
    }

    /// The member beside a thinking that the provider knows it again by.
    [[nodiscard]] std::string signatureOf(const Block &block) const
    {
        const std::string_view bytes = m_session.sources[block.body.source.index()]->bytes();
        const bool isInRecord = block.recordSize > 0 && block.body.offset >= block.recordOffset
            && block.body.offset + block.body.size <= block.recordOffset + block.recordSize
            && block.recordOffset + block.recordSize <= bytes.size();
        const auto tree = isInRecord ? JsonTree::parse(bytes, block.recordOffset) : std::nullopt;
        if (!tree)
            return {};
        const uint32_t text = tree->innermost(block.body.offset, block.body.offset + block.body.size);
        if (text == JsonTree::kNone || !tree->node(text).isMember())
            return {};
        const uint32_t part = tree->node(text).parent;
        uint32_t signature = tree->member(part, "signature");
        if (signature == JsonTree::kNone && isOfAnthropicIn(*tree, tree->node(part).parent))
            signature = tree->member(part, "thinkingSignature");
        return signature == JsonTree::kNone ? std::string() : decodeJsonString(jsonString(tree->raw(signature)));
    }

    /// pi says beside the `content` of a message which API wrote it.
    [[nodiscard]] static bool isOfAnthropicIn(const JsonTree &tree, uint32_t content)
    {
        if (content == JsonTree::kNone || tree.node(content).parent == JsonTree::kNone)
            return false;
        const uint32_t api = tree.member(tree.node(content).parent, "api");
        return api != JsonTree::kNone && tree.raw(api) == R"("anthropic-messages")";
    }

    /// An encrypted thinking is the signature of one that is shown to nobody.
    [[nodiscard]] bool isSignature(const Block &block) const
    {
        return block.body.coding == Coding::Base64 && signatureOf(block) == m_session.text(block.body);
    }

    std::string sealedThinking(const Block &block)
    {
        return (isSignature(block) ? R"({"type":"thinking","thinking":"","signature":)"
                                   : R"({"type":"redacted_thinking","data":)")
            + textOf(block) + "}";
    }

    [[nodiscard]] static bool isBytes(const Block &block) { return block.body.coding == Coding::Base64; }
    [[nodiscard]] std::string typeOf(const Block &block) const
    {
        return mediaTypeOf(m_session.string(block.name), isBytes(block) ? m_session.rawBody(block.body) : "");
    }
    std::string dataUrl(const Block &block)
    {
        return quoted("data:" + typeOf(block) + ";base64," + m_session.text(block.body));
    }
    /// A document that is no bytes, and an image that is neither bytes nor an address, stand as JSON or words.
    [[nodiscard]] bool isWords(const Block &block) const
    {
        return !isBytes(block)
            && (block.body.coding == Coding::JsonValue || !isAddress(m_session.textHead(block.body, 16)));
    }

    /// For a block that the shape has no part for.
    std::string opaqueText(const Block &block)
    {
        m_notes.count(block.kind == BlockKind::Document ? Kind::DocumentAsText : Kind::Opaque);
        return textOf(block);
    }

    [[nodiscard]] static bool isText(const Block &block)
    {
        return block.kind == BlockKind::Text || block.kind == BlockKind::ToolResult;
    }
    std::string wordsOf(const Block &block) { return isText(block) ? textOf(block) : opaqueText(block); }

    /// Thinking, then what is said, then calls: the order of the shapes that hold calls beside the content.
    struct Answer {
        std::vector<BlockId> thinking;
        std::vector<BlockId> content;
        std::vector<BlockId> calls;
    };
    Answer answerOf(const MessageTurn &turn)
    {
        Answer answer;
        bool isMoved = false;
        for (const BlockId id : turn.blocks) {
            const BlockKind kind = block(id).kind;
            isMoved = isMoved || (kind == BlockKind::Thinking && !(answer.content.empty() && answer.calls.empty()))
                || (kind != BlockKind::ToolCall && kind != BlockKind::Thinking && !answer.calls.empty());
            (kind == BlockKind::Thinking          ? answer.thinking
                    : kind == BlockKind::ToolCall ? answer.calls
                                                  : answer.content)
                .push_back(id);
        }
        if (isMoved)
            m_notes.count(Kind::Order);
        return answer;
    }

    // --- Anthropic -------------------------------------------------------------------------------------------------

    std::string anthropicMedia(const Block &block)
    {
        const std::string type = block.kind == BlockKind::Image ? "image" : "document";
        const std::string text = m_session.text(block.body);
        std::string source;
        if (isBytes(block))
            source = R"({"type":"base64","media_type":)" + quoted(typeOf(block)) + ",\"data\":" + quoted(text) + "}";
        else if (!isWords(block))
            source = R"({"type":"url","url":)" + quoted(text) + "}";
        else if (block.kind == BlockKind::Document)
            source = R"({"type":"text","media_type":"text/plain","data":)" + quoted(text) + "}";
        else
            return R"({"type":"text","text":)" + opaqueText(block) + "}";
        return "{\"type\":\"" + type + "\",\"source\":" + source + "}";
    }

    std::string anthropicThinking(const Block &block)
    {
        if (block.is(BlockFlag::Encrypted))
            return sealedThinking(block);
        const std::string signature = signatureOf(block);
        if (signature.empty())
            m_notes.count(Kind::NoSignature);
        return R"({"type":"thinking","thinking":)" + textOf(block) + ",\"signature\":" + quoted(signature) + "}";
    }

    std::string anthropicPart(const Block &block)
    {
        switch (block.kind) {
        case BlockKind::Text:
            return R"({"type":"text","text":)" + textOf(block) + "}";
        case BlockKind::Thinking:
            return anthropicThinking(block);
        case BlockKind::ToolCall:
            noteId(block);
            return R"({"type":"tool_use","id":)" + idOf(block) + ",\"name\":" + nameOf(block)
                + ",\"input\":" + argumentsOf(block) + "}";
        case BlockKind::Image:
        case BlockKind::Document:
            return anthropicMedia(block);
        case BlockKind::ToolResult:
        case BlockKind::Opaque:
            break;
        }
        const auto raw = rawValue(block);
        if (m_isOfAnthropic && raw && isJsonObject(*raw) && !JsonMembers(*raw).string("type").empty())
            return *raw;
        return R"({"type":"text","text":)" + opaqueText(block) + "}";
    }

    void noteId(const Block &block)
    {
        const std::string_view id = m_session.string(block.callId);
        const bool isPlain = !id.empty() && std::ranges::all_of(id, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        if (!isPlain)
            m_notes.count(Kind::StrangeIds);
    }

    /// The result, and behind it what no result can hold.
    void addAnthropicResult(const TurnResult &each, std::vector<std::string> &parts)
    {
        const Block &result = block(each.result);
        std::vector<std::string> inner;
        std::vector<std::string> behind;
        for (const BlockId id : each.parts) {
            const BlockKind kind = block(id).kind;
            const bool isOwn = (kind == BlockKind::Image && isBytes(block(id))) || kind == BlockKind::Opaque
                || kind == BlockKind::ToolResult;
            (isOwn ? inner : behind).push_back(anthropicResultPart(block(id)));
        }
        const auto raw = rawValue(result);
        std::string content
            = raw && m_isOfAnthropic && isJsonArray(*raw) && inner.empty() ? *raw : resultContent(result);
        if (!inner.empty()) {
            if (m_session.text(result.body).empty())
                content = listOf(inner);
            else
                content = R"([{"type":"text","text":)" + textOf(result) + "}," + joined(inner) + "]";
        }
        parts.push_back(R"({"type":"tool_result","tool_use_id":)" + idOf(result) + ",\"content\":" + content
            + (result.is(BlockFlag::Error) ? ",\"is_error\":true}" : "}"));
        parts.insert(parts.end(), behind.begin(), behind.end());
    }

    std::string anthropicResultPart(const Block &block)
    {
        if (isText(block) || (block.kind == BlockKind::Opaque && block.body.coding != Coding::JsonValue))
            return R"({"type":"text","text":)" + textOf(block) + "}";
        return anthropicPart(block);
    }

    std::string anthropic(std::vector<std::string> system)
    {
        std::vector<std::string> messages;
        std::vector<std::string> parts;
        bool isAnswer = false;
        bool hasOwnParts = false;
        const auto close = [&] {
            if (!parts.empty())
                messages.push_back(std::string("{\"role\":") + (isAnswer ? "\"assistant\"" : "\"user\"")
                    + ",\"content\":" + listOf(parts) + "}");
            parts.clear();
        };
        for (const MessageTurn &turn : m_turns) {
            if (turn.role == Role::System && messages.empty() && parts.empty()) {
                for (const BlockId id : turn.blocks)
                    system.push_back(block(id).kind == BlockKind::Text ? textOf(block(id)) : opaqueText(block(id)));
                continue;
            }
            if (turn.role == Role::System)
                m_notes.count(Kind::LateSystem);
            if ((turn.role == Role::Assistant) != isAnswer)
                close();
            isAnswer = turn.role == Role::Assistant;
            for (const TurnResult &each : turn.results)
                addAnthropicResult(each, parts);
            for (const BlockId id : turn.blocks) {
                const BlockKind kind = block(id).kind;
                hasOwnParts = hasOwnParts || kind == BlockKind::ToolCall || kind == BlockKind::Thinking;
                parts.push_back(anthropicPart(block(id)));
            }
            hasOwnParts = hasOwnParts || !turn.results.empty();
        }
        close();
        std::string json = "{";
        if (m_session.model.find("claude") != std::string::npos)
            json += "\"model\":" + quoted(m_session.model) + ",";
        json += "\"max_tokens\":4096";
        std::vector<std::string> blocks;
        for (const std::string &text : system)
            blocks.push_back(R"({"type":"text","text":)" + text + "}");
        if (!blocks.empty())
            json += ",\"system\":" + listOf(blocks);
        else if (!hasOwnParts)
            json += R"(,"thinking":{"type":"disabled"})"; // nothing else tells whose request this is
        return json + ",\"messages\":" + listOf(messages) + "}\n";
    }

    // --- OpenAI ----------------------------------------------------------------------------------------------------

    std::string openAiPart(const Block &block)
    {
        if (block.kind == BlockKind::Image && (isBytes(block) || !isWords(block)))
            return R"({"type":"image_url","image_url":{"url":)" + (isBytes(block) ? dataUrl(block) : textOf(block))
                + "}}";
        if (block.kind == BlockKind::Document && isBytes(block)) {
            const std::string_view name = m_session.string(block.subject);
            return R"({"type":"file","file":{"filename":)" + quoted(name.empty() ? "file" : name)
                + ",\"file_data\":" + dataUrl(block) + "}}";
        }
        return R"({"type":"text","text":)" + wordsOf(block) + "}";
    }

    /// One text alone is a string.
    std::string openAiContent(const std::vector<BlockId> &ids)
    {
        if (ids.size() == 1 && block(ids.front()).kind == BlockKind::Text)
            return textOf(block(ids.front()));
        std::vector<std::string> parts;
        for (const BlockId id : ids)
            parts.push_back(openAiPart(block(id)));
        return listOf(parts);
    }

    std::string openAiAnswer(const MessageTurn &turn)
    {
        const Answer answer = answerOf(turn);
        std::string message = R"({"role":"assistant","content":)"
            + (!answer.content.empty()     ? openAiContent(answer.content)
                    : answer.calls.empty() ? "\"\"" // without calls a content is wanted
                                           : "null");
        std::vector<std::string> plain;
        std::vector<std::string> details;
        for (const BlockId id : answer.thinking) {
            if (block(id).is(BlockFlag::Encrypted))
                details.push_back(R"({"type":"reasoning.encrypted","data":)" + textOf(block(id)) + "}");
            else
                details.push_back(R"({"type":"reasoning.text","text":)" + textOf(block(id)) + "}");
            plain.push_back(textOf(block(id)));
        }
        if (answer.thinking.size() == 1 && !block(answer.thinking.front()).is(BlockFlag::Encrypted))
            message += ",\"reasoning_content\":" + plain.front();
        else if (!details.empty())
            message += ",\"reasoning_details\":" + listOf(details);
        std::vector<std::string> calls;
        for (const BlockId id : answer.calls)
            calls.push_back("{\"id\":" + idOf(block(id)) + R"(,"type":"function","function":{"name":)"
                + nameOf(block(id)) + ",\"arguments\":" + textOf(block(id)) + "}}");
        if (!calls.empty())
            message += ",\"tool_calls\":" + listOf(calls);
        return message + "}";
    }

    /// Each result is a message; what is no text in them follows in one of a user.
    void addOpenAiResults(const MessageTurn &turn, std::vector<std::string> &messages)
    {
        std::vector<BlockId> behind;
        for (const TurnResult &each : turn.results) {
            const Block &result = block(each.result);
            if (result.is(BlockFlag::Error))
                m_notes.count(Kind::Failures);
            messages.push_back(
                R"({"role":"tool","tool_call_id":)" + idOf(result) + ",\"content\":" + resultContent(result) + "}");
            for (const BlockId id : each.parts) {
                const bool isMedia = block(id).kind == BlockKind::Image || block(id).kind == BlockKind::Document;
                m_notes.count(isMedia ? Kind::MediaMoved : Kind::LooseParts);
                behind.push_back(id);
            }
        }
        if (!behind.empty())
            messages.push_back(R"({"role":"user","content":)" + openAiContent(behind) + "}");
    }

    std::string openAi(const std::vector<std::string> &system)
    {
        std::vector<std::string> messages;
        for (const std::string &text : system)
            messages.push_back(R"({"role":"system","content":)" + text + "}");
        for (const MessageTurn &turn : m_turns) {
            if (turn.role == Role::Tool)
                addOpenAiResults(turn, messages);
            else if (turn.role == Role::Assistant)
                messages.push_back(openAiAnswer(turn));
            else
                messages.push_back(std::string("{\"role\":") + (turn.role == Role::System ? "\"system\"" : "\"user\"")
                    + ",\"content\":" + openAiContent(turn.blocks) + "}");
        }
        const bool isOwnModel = m_session.model.find("gpt") != std::string::npos;
        return (isOwnModel ? "{\"model\":" + quoted(m_session.model) + "," : std::string("{"))
            + "\"messages\":" + listOf(messages) + "}\n";
    }

    // --- LangChain -------------------------------------------------------------------------------------------------

    std::string langChainPart(const Block &block)
    {
        const bool isImage = block.kind == BlockKind::Image;
        if (isImage || block.kind == BlockKind::Document) {
            const std::string type = isImage ? "{\"type\":\"image\"" : "{\"type\":\"file\"";
            if (isBytes(block))
                return type + ",\"base64\":" + textOf(block) + ",\"mime_type\":" + quoted(typeOf(block)) + "}";
            if (!isWords(block))
                return type + ",\"url\":" + textOf(block) + "}";
            if (!isImage)
                return type + R"(,"source_type":"text","text":)" + textOf(block) + R"(,"mime_type":"text/plain"})";
        }
        if (block.kind == BlockKind::Thinking && block.is(BlockFlag::Encrypted))
            return sealedThinking(block);
        if (block.kind == BlockKind::Thinking) {
            const std::string signature = signatureOf(block);
            return R"({"type":"thinking","thinking":)" + textOf(block)
                + (signature.empty() ? "}" : ",\"signature\":" + quoted(signature) + "}");
        }
        return R"({"type":"text","text":)" + wordsOf(block) + "}";
    }

    std::string langChainContent(const std::vector<BlockId> &ids)
    {
        if (ids.empty())
            return "\"\"";
        if (ids.size() == 1 && block(ids.front()).kind == BlockKind::Text)
            return textOf(block(ids.front()));
        std::vector<std::string> parts;
        for (const BlockId id : ids)
            parts.push_back(langChainPart(block(id)));
        return listOf(parts);
    }

    static std::string langChainMessage(std::string_view type, const std::string &content, bool isSummary = false)
    {
        return "{\"type\":\"" + std::string(type) + "\",\"content\":" + content
            + (isSummary ? R"(,"additional_kwargs":{"lc_source":"summarization"},"response_metadata":{})"
                         : R"(,"additional_kwargs":{},"response_metadata":{})");
    }

    std::string langChainAnswer(const MessageTurn &turn)
    {
        const Answer answer = answerOf(turn);
        std::vector<BlockId> content = answer.thinking;
        content.insert(content.end(), answer.content.begin(), answer.content.end());
        std::vector<std::string> calls;
        for (const BlockId id : answer.calls)
            calls.push_back("{\"name\":" + nameOf(block(id)) + ",\"args\":" + argumentsOf(block(id))
                + ",\"id\":" + idOf(block(id)) + R"(,"type":"tool_call"})");
        return langChainMessage("ai", langChainContent(content)) + ",\"tool_calls\":" + listOf(calls) + "}";
    }

    void addLangChainResults(const MessageTurn &turn, std::vector<std::string> &messages)
    {
        std::vector<BlockId> behind;
        for (const TurnResult &each : turn.results) {
            const Block &result = block(each.result);
            std::vector<std::string> parts;
            for (const BlockId id : each.parts) {
                const Block &part = block(id);
                // An image that stands as words would make a list of texts, which reads as one.
                if (part.kind == BlockKind::Document || (part.kind == BlockKind::Image && !isWords(part))) {
                    parts.push_back(langChainPart(part));
                } else {
                    m_notes.count(Kind::LooseParts);
                    behind.push_back(id);
                }
            }
            std::string content = resultContent(result);
            if (!parts.empty()) {
                if (!m_session.text(result.body).empty())
                    parts.insert(parts.begin(), R"({"type":"text","text":)" + textOf(result) + "}");
                content = listOf(parts);
            }
            messages.push_back(langChainMessage("tool", content) + ",\"name\":" + nameOf(result) + ",\"tool_call_id\":"
                + idOf(result) + R"(,"status":)" + (result.is(BlockFlag::Error) ? "\"error\"}" : "\"success\"}"));
        }
        if (!behind.empty())
            messages.push_back(langChainMessage("human", langChainContent(behind)) + "}");
    }

    std::string langChain(const std::vector<std::string> &system)
    {
        std::vector<std::string> messages;
        for (const std::string &text : system)
            messages.push_back(langChainMessage("system", text) + "}");
        for (const MessageTurn &turn : m_turns) {
            if (turn.role == Role::Tool) {
                addLangChainResults(turn, messages);
            } else if (turn.role == Role::Assistant) {
                messages.push_back(langChainAnswer(turn));
            } else {
                const bool isSummary = turn.role == Role::User
                    && std::ranges::any_of(turn.blocks, [&](BlockId id) { return block(id).is(BlockFlag::Summary); });
                messages.push_back(langChainMessage(turn.role == Role::System ? "system" : "human",
                                       langChainContent(turn.blocks), isSummary)
                    + "}");
            }
        }
        return listOf(messages) + "\n";
    }

    // --- Genkit ----------------------------------------------------------------------------------------------------

    std::string genkitPart(const Block &block)
    {
        switch (block.kind) {
        case BlockKind::Text:
            return "{\"text\":" + textOf(block) + "}";
        case BlockKind::Thinking:
            return "{\"reasoning\":" + textOf(block) + "}";
        case BlockKind::ToolCall:
            return R"({"toolRequest":{"name":)" + nameOf(block) + ",\"ref\":" + idOf(block)
                + ",\"input\":" + genkitInput(block) + "}}";
        case BlockKind::Image:
        case BlockKind::Document:
            if (isBytes(block))
                return R"({"media":{"url":)" + dataUrl(block) + ",\"contentType\":" + quoted(typeOf(block)) + "}}";
            if (!isWords(block))
                return R"({"media":{"url":)" + textOf(block)
                    + ",\"contentType\":" + quoted(block.kind == BlockKind::Image ? "image/*" : typeOf(block)) + "}}";
            break;
        case BlockKind::ToolResult:
        case BlockKind::Opaque:
            break;
        }
        return "{\"text\":" + wordsOf(block) + "}";
    }

    /// Any value will do; a text that is an object is one.
    std::string genkitInput(const Block &block)
    {
        const std::string text = rawValue(block).value_or(m_session.text(block.body));
        if (text.empty())
            return "{}";
        return isJson(text) ? text : quoted(text);
    }

    std::string genkitMessage(std::string_view role, const std::vector<std::string> &parts)
    {
        return "{\"role\":\"" + std::string(role) + "\",\"content\":" + listOf(parts) + "}";
    }

    void addGenkitResults(const MessageTurn &turn, std::vector<std::string> &messages)
    {
        std::vector<std::string> parts;
        std::vector<std::string> behind;
        for (const TurnResult &each : turn.results) {
            const Block &result = block(each.result);
            if (result.is(BlockFlag::Error))
                m_notes.count(Kind::Failures);
            std::vector<std::string> content;
            for (const BlockId id : each.parts) {
                const bool isMedia = block(id).kind == BlockKind::Image || block(id).kind == BlockKind::Document;
                if (!isMedia)
                    m_notes.count(Kind::LooseParts);
                (isMedia ? content : behind).push_back(genkitPart(block(id)));
            }
            parts.push_back(R"({"toolResponse":{"name":)" + nameOf(result) + ",\"ref\":" + idOf(result)
                + ",\"output\":" + rawValue(result).value_or(textOf(result))
                + (content.empty() ? "}}" : ",\"content\":" + listOf(content) + "}}"));
        }
        messages.push_back(genkitMessage("tool", parts));
        if (!behind.empty())
            messages.push_back(genkitMessage("user", behind));
    }

    std::string genkit(const std::vector<std::string> &system)
    {
        std::vector<std::string> messages;
        for (const std::string &text : system)
            messages.push_back(genkitMessage("system", { "{\"text\":" + text + "}" }));
        for (const MessageTurn &turn : m_turns) {
            if (turn.role == Role::Tool) {
                addGenkitResults(turn, messages);
                continue;
            }
            std::vector<std::string> parts;
            for (const BlockId id : turn.blocks)
                parts.push_back(genkitPart(block(id)));
            messages.push_back(genkitMessage(turn.role == Role::Assistant ? "model"
                    : turn.role == Role::System                           ? "system"
                                                                          : "user",
                parts));
        }
        return "{\"messages\":" + listOf(messages) + "}\n";
    }

    const Session &m_session;
    Sealed m_sealed;
    std::vector<MessageTurn> m_turns;
    MessagesShape m_shape;
    bool m_isOfAnthropic;
    Notes m_notes;
};

} // namespace

std::string_view nameOf(MessagesShape shape)
{
    switch (shape) {
    case MessagesShape::Anthropic:
        return "anthropic";
    case MessagesShape::OpenAi:
        return "openai";
    case MessagesShape::LangChain:
        return "langchain";
    case MessagesShape::Genkit:
        return "genkit";
    }
    return {};
}

std::optional<MessagesShape> messagesShapeOf(std::string_view name)
{
    const auto *found = std::ranges::find(kMessagesShapes, name, [](MessagesShape each) { return nameOf(each); });
    return found == kMessagesShapes.end() ? std::nullopt : std::optional(*found);
}

std::string_view formatOf(MessagesShape shape)
{
    switch (shape) {
    case MessagesShape::Anthropic:
        return kAnthropicMessages.id;
    case MessagesShape::OpenAi:
        return kOpenAiChat.id;
    case MessagesShape::LangChain:
        return kLangChain.id;
    case MessagesShape::Genkit:
        return kGenkit.id;
    }
    return {};
}

MessagesShape nearestShape(std::string_view format)
{
    if (isOfAnthropic(format))
        return MessagesShape::Anthropic;
    if (format == kLangChain.id)
        return MessagesShape::LangChain;
    return format == kGenkit.id ? MessagesShape::Genkit : MessagesShape::OpenAi;
}

Sealed sealedIn(std::string_view format, MessagesShape shape)
{
    const bool takesAnthropic = shape == MessagesShape::Anthropic || shape == MessagesShape::LangChain;
    return format == formatOf(shape) || (isOfAnthropic(format) && takesAnthropic) ? Sealed::Stays : Sealed::IsLeftOut;
}

std::optional<std::string> withoutSealed(std::string_view json)
{
    constexpr std::string_view kKey = "encrypted_";
    const auto tree = json.contains(kKey) ? JsonTree::parse(json, 0) : std::nullopt;
    if (!tree)
        return std::nullopt;
    std::string text;
    uint64_t copied = 0;
    for (uint32_t i = 0; i < tree->nodes().size(); ++i) {
        const JsonTree::Node &node = tree->node(i);
        const bool isSealed = node.opening == '"' && node.end - node.begin > 2 && tree->keyOf(i).starts_with(kKey)
            && tree->member(node.parent, "type") != JsonTree::kNone;
        if (!isSealed)
            continue;
        text += std::string(json.substr(copied, node.begin - copied)) + "\"" + std::string(kSealed) + "\"";
        copied = node.end;
    }
    if (copied == 0)
        return std::nullopt;
    return text + std::string(json.substr(copied));
}

WrittenMessages writeMessages(const Transcript &transcript, MessagesShape shape, std::optional<BlockRange> prelude)
{
    if (!transcript.session())
        return {};
    WrittenMessages written = Writer(transcript, shape).write(prelude);
    std::string sealed = sealedNote(transcript, sealedIn(transcript.session()->format, shape));
    if (!sealed.empty())
        written.notes.insert(written.notes.begin(), std::move(sealed));
    return written;
}

} // namespace core
