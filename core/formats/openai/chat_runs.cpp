// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/chat_runs.h"

#include "core/base/text.h"
#include "core/formats/reading/json_records.h"
#include "core/session/request_log.h"

#include <algorithm>
#include <unordered_set>

namespace core {

namespace {

constexpr size_t kTitleLength = 80;
/// Enough decoded bytes for a title.
constexpr size_t kTitleBytes = 512;

} // namespace

bool hasRows(std::string_view bytes)
{
    const size_t first = bytes.find_first_of("{[");
    return first != std::string_view::npos && bytes[first] == '{' && !sampleOf(bytes).isSingleValue;
}

Result<DocumentText> documentText(SessionBuilder &builder, SourceId source)
{
    DocumentText found;
    const auto result = readDocument(builder, source, [&](simdjson::ondemand::document &document, SourceId holder) {
        found.source = holder;
        if (document.type() == simdjson::ondemand::json_type::array)
            found.text = document.get_array().raw_json();
        else
            found.text = document.get_object().raw_json();
    });
    if (!result || found.source != source) {
        const std::string_view text = builder.sourceBytes(source);
        const size_t first = text.find_first_of("{[");
        const auto whole = first != std::string_view::npos ? skipJson(text, first) : std::nullopt;
        if (!result && !whole)
            return std::unexpected(result.error());
        // A complete value followed by other text: the value is read, the rest is reported below.
        if (!result)
            found = { source, text.substr(first, *whole - first) };
        found.isCut = !whole;
    }
    const std::string_view bytes = builder.sourceBytes(found.source);
    const auto end = static_cast<size_t>(found.text.data() + found.text.size() - bytes.data());
    const size_t rest = bytes.find_first_not_of(std::string_view(" \t\r\n\0", 5), end);
    if (rest != std::string_view::npos)
        builder.warn(lineOfOffset(bytes, rest),
            "The JSON value ends before the file does; the last " + groupedNumber(bytes.size() - rest)
                + " bytes were not read.");
    return found;
}

void CallLinker::link(MessageDraft &message, Orphans orphans)
{
    const size_t own = m_calls.size();
    std::vector<const Block *> ownCalls;
    for (Block &block : message.blocks) {
        if (block.kind == BlockKind::ToolCall) {
            ownCalls.push_back(&block);
            if (!block.callId.isValid())
                block.callId = m_builder.intern("call without id " + std::to_string(++m_unnamed));
            m_byId[block.callId].push_back(m_calls.size());
            m_calls.push_back({ block.callId, block.name, block.subject });
        }
    }
    // The parts of one result are consecutive: they belong to the same call.
    const Block *previous = nullptr;
    for (Block &block : message.blocks) {
        const bool isPart = block.kind == BlockKind::ToolResult
            || (message.role == Role::Tool && (block.kind == BlockKind::Image || block.kind == BlockKind::Document));
        if (!isPart)
            continue;
        const StringId id = block.callId;
        if (previous != nullptr && (id == previous->callId || !id.isValid())) {
            block.callId = previous->callId;
            if (block.kind == BlockKind::ToolResult)
                block.name = previous->name;
            block.subject = previous->subject;
        } else {
            const std::optional<size_t> call = linkResult(block, message.line, orphans);
            if (call && *call >= own && ownCalls[*call - own] > &block) // in the same message
                noteOrphan(block, message.line);
        }
        if (block.kind == BlockKind::ToolResult)
            previous = &block;
    }
}

void CallLinker::noteOrphan(const Block &result, uint64_t line)
{
    m_diagnostics.push_back({ Severity::Note, line,
        result.callId.isValid() ? "A tool result answers the call " + std::string(m_builder.string(result.callId))
                + ", which is not before it."
                                : std::string("A tool result answers no earlier call.") });
}

void CallLinker::report()
{
    for (const Diagnostic &each : takeDiagnostics())
        m_builder.note(each.line, each.reason);
}

std::optional<size_t> CallLinker::linkResult(Block &block, uint64_t line, Orphans orphans)
{
    OpenCall *found = nullptr;
    if (block.callId.isValid()) {
        const auto entry = m_byId.find(block.callId);
        if (entry != m_byId.end()) {
            const auto open = std::ranges::find_if(
                entry->second.rbegin(), entry->second.rend(), [&](size_t i) { return !m_calls[i].isAnswered; });
            found = &m_calls[open != entry->second.rend() ? *open : entry->second.back()];
        }
    } else {
        while (m_firstOpen < m_calls.size() && m_calls[m_firstOpen].isAnswered)
            ++m_firstOpen;
        for (size_t i = m_firstOpen; i < m_calls.size() && found == nullptr; ++i) {
            if (!m_calls[i].isAnswered && (!block.name.isValid() || m_calls[i].name == block.name))
                found = &m_calls[i];
        }
    }
    if (found == nullptr) {
        if (orphans == Orphans::Noted)
            noteOrphan(block, line);
        return std::nullopt;
    }
    found->isAnswered = true;
    block.callId = found->id;
    if (found->name.isValid() && block.kind == BlockKind::ToolResult)
        block.name = found->name;
    block.subject = found->subject;
    return static_cast<size_t>(found - m_calls.data());
}

std::string titleOf(const SessionBuilder &builder, std::span<const ChatMessage> messages)
{
    for (const ChatMessage &message : messages) {
        for (const Block &block : message.draft.blocks) {
            if (block.is(BlockFlag::Typed) && block.lengths.bytes > 0)
                return snippet(builder.session().textHead(block.body, kTitleBytes), kTitleLength);
        }
    }
    return {};
}

namespace {

/// Prelude blocks form a separate message, which is in no array.
std::optional<BlockRange> addPrelude(SessionBuilder &builder, ThreadIndex thread, const ChatRun &run)
{
    if (run.prelude.empty())
        return std::nullopt;
    MessageDraft draft;
    draft.role = Role::System;
    draft.blocks = run.prelude;
    draft.line = run.prelude.front().recordLine;
    return builder.rangeOf(builder.addMessage(thread, draft));
}

void addToTotals(SessionBuilder &builder, const ChatRun &run)
{
    Session &session = builder.session();
    if (session.title.empty())
        session.title = titleOf(builder, run.messages);
    session.sideBytes += run.sideBytes;
    for (const ChatMessage &message : run.messages)
        session.sideBytes += message.sideBytes;
}

} // namespace

ThreadIndex addRun(SessionBuilder &builder, ThreadKind kind, ChatRun &run)
{
    addToTotals(builder, run);
    const ThreadIndex index
        = builder.addThread(kind, run.id, run.title.empty() ? titleOf(builder, run.messages) : run.title);
    const auto prelude = addPrelude(builder, index, run);
    CallLinker linker(builder);
    std::vector<MessageId> ids;
    std::vector<size_t> answers;
    for (size_t i = 0; i < run.messages.size(); ++i) {
        MessageDraft &draft = run.messages[i].draft;
        if (draft.role == Role::Assistant) {
            answers.push_back(i);
            if (!draft.model.isValid())
                draft.model = run.model;
        }
        linker.link(draft);
        ids.push_back(builder.addMessage(index, draft));
    }
    linker.report();
    builder.deriveCalls(index, ids);

    Thread &thread = builder.thread(index);
    thread.prelude = prelude;
    for (size_t k = 0; k < thread.calls.size(); ++k) {
        Call &call = thread.calls[k];
        call.prelude = prelude;
        call.usage = run.messages[answers[k]].usage;
        const bool isResponse = run.hasResponse && answers[k] + 1 == run.messages.size();
        if (isResponse) {
            call.usage = run.usage ? run.usage : call.usage;
            call.time = run.time ? run.time : call.time;
            call.responseId = run.responseId.isValid() ? run.responseId : call.responseId;
        }
        call.isDerived = !isResponse && !call.usage;
    }
    // A summary is where a harness cut the array; the file does not have what it replaced.
    for (size_t i = 0; i < run.messages.size(); ++i) {
        if (!run.messages[i].isSummary)
            continue;
        RecordedCompaction compaction;
        const auto next = static_cast<size_t>(std::ranges::lower_bound(answers, i) - answers.begin());
        if (next > 0)
            compaction.call = CallIndex(next - 1);
        compaction.after = next < thread.calls.size() ? thread.calls[next].input : thread.end;
        if (next < thread.calls.size() && thread.calls[next].usage)
            compaction.afterTokens = thread.calls[next].usage->prompt();
        compaction.line = run.messages[i].draft.line;
        thread.compactions.push_back(std::move(compaction));
        builder.note(run.messages[i].draft.line, "A summary replaces messages here that the file does not contain.");
    }
    return index;
}

namespace {

bool areEqual(const SessionBuilder &builder, const MessageDraft &a, const MessageDraft &b)
{
    const auto looksEqual = [](const Block &x, const Block &y) {
        return x.kind == y.kind && x.name == y.name && x.callId == y.callId && x.lengths == y.lengths;
    };
    return a.role == b.role && std::ranges::equal(a.blocks, b.blocks, looksEqual)
        && std::ranges::equal(a.blocks, b.blocks,
            [&](const Block &x, const Block &y) { return builder.contentHash(x) == builder.contentHash(y); });
}

/// Whether `next` starts with everything that `run` sent and extends it.
bool extends(const SessionBuilder &builder, const ChatRun &next, const ChatRun &run)
{
    const auto sent = std::span(run.messages).first(run.messages.size() - (run.hasResponse ? 1 : 0));
    const auto isMore = [](const ChatMessage &each) { return each.draft.role != Role::System; };
    if (next.messages.size() <= sent.size() || std::ranges::none_of(sent, isMore))
        return false;
    // From the end, because runs share their beginnings.
    for (size_t i = sent.size(); i > 0; --i) {
        if (!areEqual(builder, sent[i - 1].draft, next.messages[i - 1].draft))
            return false;
    }
    return true;
}

} // namespace

bool extendEachOther(const SessionBuilder &builder, std::span<const ChatRun> runs)
{
    for (size_t i = 1; i < runs.size(); ++i) {
        if (extends(builder, runs[i], runs[i - 1]))
            return true;
    }
    return false;
}

void addRecording(SessionBuilder &builder, std::span<ChatRun> runs)
{
    RequestLog log(builder);
    std::unordered_set<std::string> reported;
    for (ChatRun &run : runs) {
        addToTotals(builder, run);
        CallLinker linker(builder);
        RequestDraft request;
        for (ChatMessage &message : run.messages) {
            if (message.draft.role == Role::Assistant && !message.draft.model.isValid())
                message.draft.model = run.model;
            linker.link(message.draft);
            request.messages.push_back(std::move(message.draft));
        }
        // A result that lost its call to a compaction lacks it in every later request, too.
        for (const Diagnostic &each : linker.takeDiagnostics()) {
            if (reported.insert(each.reason).second)
                builder.warn(each.line, each.reason);
        }
        if (run.hasResponse) {
            request.response.push_back(std::move(request.messages.back()));
            request.messages.pop_back();
        }
        request.prelude = std::move(run.prelude);
        request.usage = run.usage;
        if (!request.usage && run.hasResponse)
            request.usage = run.messages.back().usage;
        request.time = run.time;
        request.model = run.model;
        request.responseId = run.responseId;
        request.line = run.line;
        log.add(std::move(request));
    }
    log.finish();
}

} // namespace core
