// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/shape_writer.h"

#include "core/base/text.h"
#include "core/json/json.h"
#include "core/json/json_probe.h"
#include "core/json/json_tree.h"
#include "core/json/text_parts.h"

#include <algorithm>
#include <array>

namespace core {

std::string joined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : ",") + part;
    return text;
}

std::string listOf(const std::vector<std::string> &parts) { return "[" + joined(parts) + "]"; }

namespace {

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
/// A list of nothing but text parts, which three of the shapes write alike.
bool isTypedTexts(std::string_view raw)
{
    const JsonElements parts = jsonElements(raw);
    return isJsonArray(raw) && parts.isWhole && !parts.items.empty()
        && std::ranges::all_of(parts.items, [](std::string_view each) {
               const JsonMembers part(each);
               return part.string("type") == "text" && isJsonString(part.raw("text"));
           });
}

/// pi says beside the `content` of a message which API wrote it.
bool isOfAnthropicIn(const JsonTree &tree, uint32_t content)
{
    if (content == JsonTree::kNone || tree.node(content).parent == JsonTree::kNone)
        return false;
    const uint32_t api = tree.member(tree.node(content).parent, "api");
    return api != JsonTree::kNone && tree.raw(api) == R"("anthropic-messages")";
}

} // namespace

ShapeWriter::ShapeWriter(const Transcript &transcript, MessagesShape shape)
    : m_session(*transcript.session())
    , m_sealed(sealedIn(m_session, shape))
    , m_turns(turnsOf(transcript, m_sealed))
{
}

std::string ShapeWriter::quoted(std::string_view text)
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

std::string ShapeWriter::textOf(const Block &block)
{
    if (isSealedResult(block))
        return quoted(kSealed);
    const std::string text = m_session.text(block.body);
    return quoted(withoutSealedIn(block, text, m_sealed).value_or(text));
}

std::vector<std::string> ShapeWriter::systemOf(std::optional<BlockRange> prelude)
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

std::optional<std::string> ShapeWriter::rawValue(const Block &block) const
{
    if (block.body.coding != Coding::JsonValue)
        return std::nullopt;
    std::string raw(m_session.rawBody(block.body));
    if (auto open = withoutSealedIn(block, raw, m_sealed))
        return open;
    return isJson(raw) ? std::optional(std::move(raw)) : std::nullopt;
}

std::string ShapeWriter::argumentsOf(const Block &block)
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

std::string ShapeWriter::resultContent(const Block &block)
{
    if (block.body.coding == Coding::TextParts)
        return "[" + textPartsOf(block) + "]";
    const auto raw = rawValue(block);
    return raw && isTypedTexts(*raw) ? *raw : textOf(block);
}

std::string ShapeWriter::textPartsOf(const Block &block)
{
    constexpr std::string_view kOpening = R"({"type":"text","text":)";
    if (block.body.coding != Coding::TextParts)
        return std::string(kOpening) + textOf(block) + "}";
    std::string parts;
    for (JsonTextParts texts(m_session.rawBody(block.body)); const auto text = texts.next();)
        parts += (parts.empty() ? "" : ",") + std::string(kOpening) + quoted(decodeJsonString(*text)) + "}";
    return parts;
}

std::string ShapeWriter::signatureOf(const Block &block) const
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

bool ShapeWriter::isSignature(const Block &block) const
{
    return block.body.coding == Coding::Base64 && signatureOf(block) == m_session.text(block.body);
}

std::string ShapeWriter::sealedThinking(const Block &block)
{
    return (isSignature(block) ? R"({"type":"thinking","thinking":"","signature":)"
                               : R"({"type":"redacted_thinking","data":)")
        + textOf(block) + "}";
}

std::string ShapeWriter::typeOf(const Block &block) const
{
    return mediaTypeOf(m_session.string(block.name), isBytes(block) ? m_session.rawBody(block.body) : "");
}

std::string ShapeWriter::dataUrl(const Block &block)
{
    return quoted("data:" + typeOf(block) + ";base64," + m_session.text(block.body));
}

bool ShapeWriter::isWords(const Block &block) const
{
    return !isBytes(block)
        && (block.body.coding == Coding::JsonValue || !isAddress(m_session.textHead(block.body, 16)));
}

std::string ShapeWriter::opaqueText(const Block &block)
{
    m_notes.count(block.kind == BlockKind::Document ? Kind::DocumentAsText : Kind::Opaque);
    return textOf(block);
}

bool ShapeWriter::isText(const Block &block)
{
    return block.kind == BlockKind::Text || block.kind == BlockKind::ToolResult;
}

ShapeWriter::Answer ShapeWriter::answerOf(const MessageTurn &turn)
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

} // namespace core
