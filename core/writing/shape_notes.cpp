// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/shape_notes.h"

#include "core/base/text.h"

namespace core {

namespace {

using Kind = ShapeNotes::Kind;

std::string sentence(Kind kind, size_t count)
{
    const std::string number = groupedNumber(count);
    const auto of = [&](const char *one, const char *several) { return number + " " + (count == 1 ? one : several); };
    switch (kind) {
    case Kind::BadBytes:
        return of("text contains", "texts contain") + " bytes that are not UTF-8; they were replaced by U+FFFD.";
    case Kind::FreeArguments:
        return of("call has", "calls have")
            + " text as arguments, but this API needs an object; the text is in the member \"input\".";
    case Kind::Opaque:
        return of("block is", "blocks are") + " of a kind that this API does not have; the JSON was written as text.";
    case Kind::DocumentAsText:
        return of("document was", "documents were") + " written as text: this API takes files only as bytes.";
    case Kind::MediaMoved:
        return of("image or file of a tool result was", "images and files of tool results were")
            + " moved to a user message after the result: this API takes only text in results.";
    case Kind::Order:
        return of("message of the model has", "messages of the model have")
            + " text after tool calls; this API puts the calls last.";
    case Kind::Failures:
        return of("result is a failure", "results are failures") + ", which this API cannot express.";
    case Kind::NoSignature:
        return of("thinking block has", "thinking blocks have")
            + " no signature; the provider will not accept the thinking as its own.";
    case Kind::LateSystem:
        return of("system message after the beginning became a user message.",
            "system messages after the beginning became user messages.");
    case Kind::Tools:
        return of("tool definition was", "tool definitions were") + " left out.";
    case Kind::Prelude:
        return of("part of the recorded system prompt is not text and was left out.",
            "parts of the recorded system prompt are not text and were left out.");
    case Kind::StrangeIds:
        return of("id of a tool call contains", "ids of tool calls contain")
            + " characters that the API may refuse; they were left unchanged.";
    case Kind::LooseParts:
        return of("part of a tool result was", "parts of tool results were") + " written as text after the result.";
    }
    return {};
}

} // namespace

std::vector<std::string> ShapeNotes::sentences() const
{
    std::vector<std::string> list;
    for (const auto &[kind, count] : m_counts)
        list.push_back(sentence(kind, count));
    return list;
}

} // namespace core
