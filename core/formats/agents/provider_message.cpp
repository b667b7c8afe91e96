// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// One message of an API as a file: a response of Anthropic or Gemini, or a message of one of the three. A response of
// OpenAI is a stored completion (openai_chat.cpp). Source: the references of the APIs.

#include "core/base/text.h"
#include "core/formats/gemini/gemini_parts.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"

#include <algorithm>

namespace core {

namespace {

std::optional<Usage> geminiUsage(const JsonMembers &figures)
{
    const auto prompt = figures.number("promptTokenCount");
    if (!prompt)
        return std::nullopt;
    const uint64_t cached = std::min(*prompt, figures.number("cachedContentTokenCount").value_or(0));
    const uint64_t thoughts = figures.number("thoughtsTokenCount").value_or(0);
    return Usage { *prompt - cached, cached, 0, figures.number("candidatesTokenCount").value_or(0) + thoughts,
        thoughts };
}

/// The content of a Gemini response, or the document itself if it is one.
std::string_view geminiContent(std::string_view text)
{
    const JsonMembers root(text);
    if (!isJsonArray(root.raw("candidates")))
        return isJsonArray(root.raw("parts")) && root.has("role") ? text : std::string_view();
    const auto candidates = jsonElements(root.raw("candidates"), 1).items;
    const std::string_view content
        = candidates.empty() ? std::string_view() : JsonMembers(candidates.front()).raw("content");
    return isJsonArray(JsonMembers(content).raw("parts")) ? content : std::string_view();
}

ChatMessage geminiMessage(SessionBuilder &builder, SourceId source, std::string_view raw, uint64_t line)
{
    const JsonMembers content(raw);
    ChatMessage message;
    MessageDraft &draft = message.draft;
    draft.role = content.string("role") == "user" ? Role::User : Role::Assistant;
    draft.line = line;
    GeminiParts(builder, source).add(content.raw("parts"), draft.blocks);
    setRecords(builder, draft.blocks, source, raw, line);
    if (draft.role == Role::User)
        markGeminiUser(builder, draft);
    return message;
}

Result<SessionPtr> readProviderMessage(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    setFormat(builder.session(), kProviderMessage);
    const auto document = documentText(builder, source);
    if (!document)
        return std::unexpected(document.error());
    const JsonMembers root(document->text);
    LineCursor lines(builder.sourceBytes(document->source));
    ChatRun run;
    const std::string_view content = geminiContent(document->text);
    if (!content.empty()) {
        run.messages.push_back(geminiMessage(builder, document->source, content, lines.lineOf(content)));
        run.usage = geminiUsage(root.object("usageMetadata"));
    } else {
        ChatReader chat(builder, document->source, lines);
        if (auto message = chat.read(document->text))
            run.messages.push_back(std::move(*message));
        chat.report();
        if (isJsonObject(root.raw("usage")))
            run.usage = chatUsage(root.raw("usage"));
    }
    if (run.messages.empty() || run.messages.front().draft.blocks.empty())
        return context.noRecords();
    run.hasResponse = run.messages.front().draft.role == Role::Assistant;
    run.model = builder.intern(decodeJsonString(firstString(root, { "model", "modelVersion" })));
    run.responseId = builder.intern(decodeJsonString(firstString(root, { "id", "responseId" })));
    builder.session().recordCount = 1;
    addRun(builder, ThreadKind::Main, run);
    builder.note(0, "The file is one message. What was sent before it is not recorded.");
    return builder.finish();
}

Likeness sniffProviderMessage(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty() || !isJsonObject(sample.records.front()))
        return Likeness::No;
    const std::string_view text = sample.records.front();
    const JsonMembers root(text);
    if (!geminiContent(text).empty())
        return root.has("candidates") ? Likeness::Certain : Likeness::Maybe;
    if (root.string("type") == "message" && root.string("role") == "assistant" && isJsonArray(root.raw("content")))
        return root.has("usage") ? Likeness::Certain : Likeness::Maybe;
    const bool isKnown = isOneOf(root.string("role"), { "user", "assistant", "system", "developer", "tool" });
    const auto parts = jsonElements(root.raw("content"), 1).items;
    const bool isTyped = !parts.empty() && JsonMembers(parts.front()).has("type");
    const bool hasContent = isJsonString(root.raw("content")) || isTyped || isJsonArray(root.raw("tool_calls"));
    return isKnown && hasContent && !root.has("messages") ? Likeness::Maybe : Likeness::No;
}

} // namespace

const Format kProviderMessage { "provider-message", "Message of a provider",
    "one message or response of the APIs of Anthropic, OpenAI or Gemini; Palimpsest cannot export to this format",
    sniffProviderMessage, openWhole<readProviderMessage>, {} };

} // namespace core
