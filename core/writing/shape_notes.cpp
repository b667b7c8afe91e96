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

} // namespace

std::vector<std::string> ShapeNotes::sentences() const
{
    std::vector<std::string> list;
    for (const auto &[kind, count] : m_counts)
        list.push_back(sentence(kind, count));
    return list;
}

} // namespace core
