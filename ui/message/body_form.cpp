// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/body_form.h"

#include "core/base/base64.h"
#include "core/base/text.h"
#include "ui/message/fields.h"
#include "ui/text/json_text.h"
#include "ui/text/text_guess.h"

#include <algorithm>
#include <array>

namespace ui {

namespace {

/// Tools whose results are the body of the file they were asked for, by a part of their name.
constexpr auto kReaders = std::to_array<std::string_view>({ "read", "view", "open", "cat", "get_file" });
/// Tools whose results are prose.
constexpr auto kWriters
    = std::to_array<std::string_view>({ "task", "agent", "webfetch", "websearch", "fetch", "skill" });

bool holdsOneOf(std::string_view name, std::span<const std::string_view> parts)
{
    const std::string low = core::lowered(name);
    return std::ranges::any_of(parts, [&](std::string_view part) { return low.find(part) != std::string::npos; });
}

/// The path in the subject of a call; commands and patterns are not paths.
bool isPath(std::string_view subject)
{
    const bool hasName = subject.find('.') != std::string_view::npos || subject.find('/') != std::string_view::npos;
    return hasName && subject.size() < 1024 && subject.find_first_of(" \n\t*?\"'") == std::string_view::npos;
}

BodyForm made(FormKind kind, TextContent content)
{
    const bool isCode
        = kind == FormKind::Numbered || kind == FormKind::Code || kind == FormKind::Diff || kind == FormKind::Terminal;
    return { kind, std::make_shared<const TextContent>(std::move(content)), !isCode, false };
}

TextContent contentOf(std::string text, std::string_view definition, std::string_view fileName = {})
{
    TextContent content;
    content.folds = runFolds(text);
    content.document = std::make_shared<const TextDocument>(std::move(text));
    content.languages.push_back({ 0, std::string(definition), std::string(fileName) });
    return content;
}

BodyForm terminalForm(std::string text)
{
    AnsiText ansi = parseAnsi(text);
    TextContent content;
    content.hidden = std::move(ansi.hidden);
    content.styles = std::move(ansi.styles);
    content.tabWidth = 8;
    content.document = std::make_shared<const TextDocument>(std::move(text));
    return made(FormKind::Terminal, std::move(content));
}

BodyForm jsonForm(std::string_view json, FormKind kind, Indent indent)
{
    const std::string pretty = prettyJson(json);
    TextContent content;
    const bool isIndented = indent == Indent::Pretty;
    content.document = std::make_shared<const TextDocument>(isIndented ? pretty : std::string(json));
    content.folds = jsonFolds(content.document->bytes());
    content.languages.push_back({ 0, "JSON", {} });
    content.numbering = isIndented ? Numbering::Lines : Numbering::None;
    content.tabWidth = 2;
    BodyForm form = made(kind, std::move(content));
    form.canIndent = pretty != json;
    return form;
}

BodyForm numberedForm(TextDocumentPtr document, NumberedLines lines, std::string_view fileName)
{
    TextContent content;
    content.document = std::move(document);
    content.hidden = std::move(lines.prefixes);
    content.numbers = std::move(lines.numbers);
    content.numbering = Numbering::Own;
    content.languages.push_back({ lines.firstLine, {}, std::string(fileName) });
    content.languages.push_back({ lines.lastLine + 1, {}, {} }); // reminders that a harness hung on
    return made(FormKind::Numbered, std::move(content));
}

/// A file body within a tag of the harness: the tags are not of the file's language.
BodyForm wrappedForm(std::string text, const std::string &fileName)
{
    TextContent content;
    content.document = std::make_shared<const TextDocument>(std::move(text));
    const TextDocument &document = *content.document;
    content.languages.push_back({ 1, {}, fileName });
    size_t last = document.lineCount() - 1;
    while (last > 1 && document.line(last).empty())
        --last;
    if (last > 1 && document.line(last).starts_with("</"))
        content.languages.push_back({ last, {}, {} });
    content.numbering = Numbering::Own;
    content.numbers.resize(document.lineCount(), 0);
    for (size_t line = 1; line < last + (content.languages.size() == 1 ? 1 : 0); ++line)
        content.numbers[line] = static_cast<uint32_t>(line);
    return made(FormKind::Code, std::move(content));
}

struct Hints {
    core::BlockKind kind = core::BlockKind::Text;
    std::string_view tool;
    std::string_view subject;
};

BodyForm textForm(std::string text, const Hints &hints, Indent indent)
{
    const bool isResult = hints.kind == core::BlockKind::ToolResult;
    if (hasAnsiColours(text))
        return terminalForm(std::move(text));
    if (isJson(text)) {
        if (!hasLongStrings(text))
            return jsonForm(text, FormKind::Json, indent);
        BodyForm form;
        form.kind = FormKind::Fields;
        form.content = fieldsOf(text);
        return form;
    }
    if (isResult) {
        auto document = std::make_shared<const TextDocument>(text);
        if (auto lines = numberedLines(*document))
            return numberedForm(std::move(document), std::move(*lines), hints.subject);
        const bool isBody
            = isPath(hints.subject) && holdsOneOf(hints.tool, kReaders) && text.find('\n') != std::string::npos;
        if (isBody)
            return made(FormKind::Code, contentOf(std::move(text), {}, hints.subject));
    } else if (const std::string path(wrappedPath(text)); !path.empty()) {
        return wrappedForm(std::move(text), path);
    }
    const std::string_view language = languageOf(text);
    if (language == "Diff")
        return made(FormKind::Diff, contentOf(std::move(text), language));
    const bool isProse = hints.kind == core::BlockKind::Text || hints.kind == core::BlockKind::Thinking
        || hints.kind == core::BlockKind::Document || holdsOneOf(hints.tool, kWriters);
    if (!language.empty() && !isProse)
        return made(FormKind::Code, contentOf(std::move(text), language));
    if (isProse || looksLikeMarkdown(text))
        return made(FormKind::Markdown, contentOf(std::move(text), "Markdown"));
    return made(FormKind::Plain, contentOf(std::move(text), {}));
}

std::string_view fileNameOf(const core::Session &session, const core::Block &block)
{
    const std::string_view subject = session.string(block.subject);
    return isPath(subject) ? subject : std::string_view();
}

BodyForm fieldsForm(std::string_view json, std::string_view fileName)
{
    BodyForm form;
    form.kind = FormKind::Fields;
    form.content = fieldsOf(json, fileName);
    return form;
}

} // namespace

BodyForm bodyForm(const core::Session &session, core::BlockId id, Indent indent)
{
    const core::Block &block = session.block(id);
    const core::Body &body = block.body;
    if (body.coding == core::Coding::Empty || body.size == 0)
        return {};
    if (block.is(core::BlockFlag::Encrypted))
        return { FormKind::Encrypted, nullptr, true, false };
    const bool isInlined = block.kind == core::BlockKind::Image && core::isDataUrl(session.textHead(body, 64));
    if (body.coding == core::Coding::Base64 || isInlined)
        return { block.kind == core::BlockKind::Image ? FormKind::Image : FormKind::Binary, nullptr, true, false };

    if (body.coding == core::Coding::JsonValue) {
        const std::string_view raw = session.rawBody(body);
        if (isJson(raw) && (block.kind == core::BlockKind::ToolCall || hasLongStrings(raw)))
            return fieldsForm(raw, fileNameOf(session, block));
        return jsonForm(indent == Indent::Pretty ? std::string(raw) : session.text(body), FormKind::Json, indent);
    }
    return ownForm(session, id, session.text(body), indent);
}

BodyForm ownForm(const core::Session &session, core::BlockId id, std::string text, Indent indent)
{
    const core::Block &block = session.block(id);
    if (block.kind == core::BlockKind::ToolCall && isJson(text))
        return fieldsForm(text, fileNameOf(session, block));
    return textForm(std::move(text), { block.kind, session.string(block.name), session.string(block.subject) }, indent);
}

BodyForm rawForm(const core::Session &session, core::BlockId id, Indent indent)
{
    const core::Block &block = session.block(id);
    const std::string_view record = session.record(block);
    if (record.empty())
        return {};
    if (indent == Indent::Pretty)
        return jsonForm(record, FormKind::Raw, indent);
    TextContent content;
    content.document = std::make_shared<const TextDocument>(record, session.sources[block.body.source.index()]);
    content.folds = jsonFolds(record);
    content.languages.push_back({ 0, "JSON", {} });
    content.tabWidth = 2;
    BodyForm form = made(FormKind::Raw, std::move(content));
    form.canIndent = true;
    return form;
}

BodyForm wholeForm(const core::Session &session, core::BlockId id, const core::SpilledOutput &whole, Indent indent)
{
    constexpr size_t kMost = size_t { 64 } << 20U;
    const core::Block &block = session.block(id);
    auto text = core::textOf(session, whole, kMost);
    if (!text)
        return { FormKind::Unreadable, nullptr, true, false };
    return textForm(
        std::move(*text), { block.kind, session.string(block.name), session.string(block.subject) }, indent);
}

std::string bodyBytes(const core::Session &session, core::BlockId id)
{
    const core::Block &block = session.block(id);
    if (block.body.coding == core::Coding::Base64 && !block.is(core::BlockFlag::Encrypted)) {
        if (auto bytes = core::decodeQuotedBase64(session.rawBody(block.body)))
            return *bytes;
    }
    return session.text(block.body);
}

} // namespace ui
