// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/messages_writer.h"

#include "core/formats/reading/format.h"
#include "core/writing/shape_writer.h"

#include <algorithm>

namespace core {

namespace {

std::unique_ptr<ShapeWriter> writerOf(const Transcript &transcript, MessagesShape shape)
{
    switch (shape) {
    case MessagesShape::Anthropic:
        return anthropicWriter(transcript);
    case MessagesShape::OpenAi:
        return openAiWriter(transcript);
    case MessagesShape::LangChain:
        return langChainWriter(transcript);
    case MessagesShape::Genkit:
        return genkitWriter(transcript);
    }
    return {};
}

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
    const auto all = formats();
    const auto found = std::ranges::find_if(
        all, [&](const Format *each) { return each->traits.readsNearest && each->traits.nearest == shape; });
    return found == all.end() ? std::string_view() : (*found)->id;
}

WrittenMessages writeMessages(const Transcript &transcript, MessagesShape shape, std::optional<BlockRange> prelude)
{
    if (!transcript.session())
        return {};
    const auto writer = writerOf(transcript, shape);
    std::string json = writer->write(writer->systemOf(prelude));
    WrittenMessages written { std::move(json), writer->notes().sentences() };
    std::string sealed = sealedNote(transcript, sealedIn(*transcript.session(), shape));
    if (!sealed.empty())
        written.notes.insert(written.notes.begin(), std::move(sealed));
    return written;
}

} // namespace core
