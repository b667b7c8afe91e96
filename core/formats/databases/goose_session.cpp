// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/databases/goose_session.h"

#include "core/base/text.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/record_blocks.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// Parts of the window, which are never sent.
bool isOfWindow(std::string_view type)
{
    constexpr auto kTypes = std::to_array<std::string_view>({ "toolConfirmationRequest", "actionRequired",
        "systemNotification", "conversationCompacted", "contextLengthExceeded", "summarizationRequested" });
    return std::ranges::contains(kTypes, type);
}

/// Whether a part of a result is for the model: one may name its readers.
bool isForModel(std::string_view raw)
{
    const JsonMembers readers = JsonMembers(raw).object("annotations");
    return !isJsonArray(readers.raw("audience"))
        || std::ranges::contains(jsonElements(readers.raw("audience")).items, "\"assistant\"");
}

bool follows(const std::vector<size_t> &summaries, size_t i)
{
    return i > 0 && std::ranges::binary_search(summaries, i - 1);
}

/// Parts of a result that are only for the person are not sent.
void addResult(SessionBuilder &builder, const JsonMembers &part, const RecordBlocks &make, std::vector<Block> &blocks)
{
    const JsonMembers result = part.object("toolResult");
    const JsonMembers value = result.object("value");
    const std::string_view content = isJsonArray(result.raw("value")) ? result.raw("value") : value.raw("content");
    const std::vector<std::string_view> parts = jsonElements(content).items;
    const size_t first = blocks.size();
    const bool isWhole = std::ranges::all_of(parts, [](std::string_view each) {
        return isForModel(each) && !JsonMembers(each).has("data") && !JsonMembers(each).has("resource");
    });
    if (result.has("error") || (isWhole && !parts.empty())) {
        blocks.push_back(make.result(part.string("id"), result.has("error") ? result.raw("error") : content));
    } else {
        for (const std::string_view each : parts) {
            const JsonMembers own(each);
            if (!isForModel(each)) {
                builder.session().sideBytes += each.size();
            } else if (own.string("type") == "image") {
                blocks.push_back(make.media(own.raw("data"), own.string("mimeType")));
                blocks.back().callId = builder.intern(decodeJsonString(part.string("id")));
            } else {
                blocks.push_back(make.result(part.string("id"), own.has("text") ? own.raw("text") : each));
            }
        }
    }
    if (blocks.size() == first)
        blocks.push_back(make.result(part.string("id"), {}));
    for (size_t i = first; i < blocks.size(); ++i) {
        if (blocks[i].kind == BlockKind::ToolResult && (result.has("error") || value.isTrue("isError")))
            blocks[i].set(BlockFlag::Error);
    }
}

} // namespace

void GooseSession::add(SessionBuilder &builder, const JsonMembers &message, std::string_view content,
    const JsonMembers &metadata, const Record &record)
{
    Seen seen;
    MessageDraft &draft = seen.message.draft;
    draft.role = message.string("role") == "assistant" ? Role::Assistant : Role::User;
    draft.line = record.line;
    draft.externalId = internString(builder, message.string(message.has("message_id") ? "message_id" : "id"));
    draft.model = m_model;
    if (const auto time = jsonNumber(message.raw(message.has("created_timestamp") ? "created_timestamp" : "created")))
        draft.time = timeOfNumber(*time);
    seen.byModel = metadata.raw("agentVisible") != "false";
    seen.byUser = metadata.raw("userVisible") != "false";
    for (const std::string_view part : jsonElements(content).items)
        addPart(builder, part, record, seen);
    if (draft.blocks.empty())
        return; // only for the window
    const bool hasText = std::ranges::contains(draft.blocks, BlockKind::Text, &Block::kind);
    if (seen.isOfTool && draft.role == Role::User && !hasText)
        draft.role = Role::Tool;
    seen.message.isResponse = draft.role == Role::Assistant;
    m_seen.push_back(std::move(seen));
}

void GooseSession::write(SessionBuilder &builder, ThreadIndex thread) const
{
    const std::vector<size_t> summaries = summaryPlaces();
    const size_t last = summaries.empty() ? 0 : summaries.back();
    ThreadLog log;
    std::vector<bool> isSent; // by message of the log: the model still sees it
    for (size_t i = 0; i < m_seen.size(); ++i) {
        const Seen &seen = m_seen[i];
        const bool isSummary = std::ranges::binary_search(summaries, i);
        // Behind the last compaction a hidden text was never sent; only results of tools are hidden later.
        if (!seen.byModel && !isSummary && i >= last && !seen.isOfTool)
            continue;
        LoggedMessage message = seen.message;
        for (Block &block : message.draft.blocks) {
            if (block.kind == BlockKind::Text && (isSummary || !seen.byUser))
                block.flags = static_cast<uint16_t>(isSummary ? BlockFlag::Summary : BlockFlag::Injected);
        }
        // What Goose itself answers to a summary is no response.
        message.isResponse = message.isResponse && (seen.byUser || !follows(summaries, i));
        isSent.push_back(seen.byModel);
        if (!isSummary) {
            log.add(std::move(message));
            continue;
        }
        message.isResponse = false;
        RecordedCompaction how;
        how.line = message.draft.line;
        const ThreadLog::Index index = log.store(std::move(message));
        log.replace({ index }, std::move(how));
    }
    hideRest(builder, log, isSent);
    log.write(builder, thread);
}

/// A prompt and a reply, neither seen by the person, stand for everything before them. The first message that the
/// model sees does, too, if it is not for the person: in older versions the two are one.
std::vector<size_t> GooseSession::summaryPlaces() const
{
    std::vector<size_t> places;
    bool isFirst = true;
    for (size_t i = 0; i < m_seen.size(); ++i) {
        const Seen &seen = m_seen[i];
        const bool isReplied
            = i + 1 < m_seen.size() && !m_seen[i + 1].byUser && m_seen[i + 1].message.draft.role == Role::Assistant;
        const bool isPair = seen.message.draft.role == Role::User && isReplied;
        if (i > 0 && !seen.byUser && !seen.isOfTool && (isPair || (isFirst && seen.byModel)))
            places.push_back(i);
        isFirst = isFirst && !seen.byModel;
    }
    return places;
}

/// The array at the end holds what the model sees, whatever hid the rest.
void GooseSession::hideRest(SessionBuilder &builder, ThreadLog &log, const std::vector<bool> &isSent)
{
    std::vector<ThreadLog::Index> array = log.array();
    const size_t hidden = std::erase_if(array, [&](ThreadLog::Index index) { return !isSent[index]; });
    if (hidden == 0)
        return;
    RecordedCompaction how;
    how.kind = CompactionKind::Replacement;
    how.line = log.at(log.array().back()).draft.line;
    builder.note(how.line,
        "Goose hid " + groupedNumber(hidden) + (hidden == 1 ? " message" : " messages")
            + " from the model. The file does not say when. Palimpsest shows the array as if Goose had hidden "
            + (hidden == 1 ? "it" : "them") + " after the last call.");
    log.replace(std::move(array), std::move(how));
}

void GooseSession::addPart(SessionBuilder &builder, std::string_view raw, const Record &record, Seen &seen)
{
    const RecordBlocks make(builder, record);
    const JsonMembers part(raw);
    const std::string_view type = part.string("type");
    std::vector<Block> &blocks = seen.message.draft.blocks;
    if (type == "text") {
        if (part.string("text").empty())
            return;
        Block &block = blocks.emplace_back(make.block(BlockKind::Text, part.raw("text")));
        if (seen.message.draft.role == Role::User)
            markUserText(builder, block);
    } else if (type == "toolRequest" || type == "frontendToolRequest") {
        seen.isOfTool = true;
        const JsonMembers call = part.object("toolCall");
        const JsonMembers value = call.object("value");
        if (value.has("name"))
            blocks.push_back(make.call(value.string("name"), part.string("id"), value.raw("arguments")));
        else
            blocks.push_back(make.block(BlockKind::Opaque, raw, type)); // a call that could not be read
    } else if (type == "toolResponse") {
        seen.isOfTool = true;
        addResult(builder, part, make, blocks);
    } else if (type == "thinking") {
        const bool isHidden = part.string("thinking").empty();
        if (!isHidden || !part.string("signature").empty())
            blocks.push_back(make.block(BlockKind::Thinking, part.raw(isHidden ? "signature" : "thinking")));
        if (isHidden && !blocks.empty() && blocks.back().kind == BlockKind::Thinking)
            blocks.back().set(BlockFlag::Encrypted);
    } else if (type == "redactedThinking") {
        blocks.push_back(make.block(BlockKind::Thinking, part.raw("data")));
        blocks.back().set(BlockFlag::Encrypted);
    } else if (type == "image") {
        blocks.push_back(make.media(part.raw("data"), part.string("mimeType")));
    } else if (isOfWindow(type)) {
        builder.session().sideBytes += raw.size();
    } else {
        blocks.push_back(make.block(BlockKind::Opaque, raw, decodeJsonString(type)));
    }
}

} // namespace core
