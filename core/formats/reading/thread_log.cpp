// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/thread_log.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace core {

namespace {

constexpr size_t kHeadBytes = 400;

Hash contentOf(const SessionBuilder &builder, const MessageDraft &draft)
{
    Hash content { static_cast<uint64_t>(draft.role), 1 };
    for (const Block &block : draft.blocks)
        content = combine(content, builder.contentHash(block));
    return content;
}

Call callOf(const LoggedMessage &message, const BlockRanges &input, BlockRange output)
{
    Call call;
    call.input = input;
    call.output = output;
    call.usage = message.usage;
    call.time = message.draft.time;
    call.model = message.draft.model;
    call.responseId = message.responseId;
    call.line = message.draft.line;
    return call;
}

} // namespace

ThreadLog::Index ThreadLog::add(LoggedMessage message)
{
    const auto index = static_cast<Index>(m_messages.size());
    m_messages.push_back(std::move(message));
    m_epochs.back().array.push_back(index);
    return index;
}

std::vector<ThreadLog::Index> ThreadLog::adopt(const SessionBuilder &builder, std::vector<LoggedMessage> messages)
{
    std::multimap<Hash, Index> old;
    for (const Index index : array())
        old.emplace(contentOf(builder, m_messages[index].draft), index);
    std::vector<Index> result;
    for (LoggedMessage &message : messages) {
        const auto same = old.find(contentOf(builder, message.draft));
        if (same != old.end()) {
            result.push_back(same->second);
            old.erase(same);
            continue;
        }
        message.isResponse = false;
        result.push_back(static_cast<Index>(m_messages.size()));
        m_messages.push_back(std::move(message));
    }
    return result;
}

void ThreadLog::replace(std::vector<Index> array, RecordedCompaction how)
{
    Epoch &last = m_epochs.back();
    if (last.array.empty() || array == last.array)
        last.array = std::move(array);
    else
        m_epochs.push_back({ std::move(array), std::move(how) });
}

void ThreadLog::write(SessionBuilder &builder, ThreadIndex thread) const
{
    std::vector<std::optional<BlockRange>> placed(m_messages.size());
    BlockRanges array;
    for (const Epoch &epoch : m_epochs) {
        const size_t firstCall = builder.thread(thread).calls.size();
        const BlockRanges before = std::exchange(array, {});
        for (const Index index : epoch.array) {
            const LoggedMessage &message = m_messages[index];
            std::optional<BlockRange> &place = placed[index];
            if (!place) {
                const bool isEmpty = message.draft.blocks.empty();
                place = isEmpty ? BlockRange {} : builder.rangeOf(builder.addMessage(thread, message.draft));
                if (message.isResponse && (!isEmpty || message.usage))
                    builder.thread(thread).calls.push_back(callOf(message, array, *place));
            }
            if (place->size() > 0)
                array.append(*place);
        }
        Thread &target = builder.thread(thread);
        target.end = array;
        if (&epoch == &m_epochs.front())
            continue;
        RecordedCompaction compaction = epoch.how;
        compaction.before = before;
        compaction.after = array;
        if (firstCall > 0)
            compaction.call = CallIndex(firstCall - 1);
        if (firstCall < target.calls.size()) {
            compaction.after = target.calls[firstCall].input;
            if (const std::optional<Usage> &usage = target.calls[firstCall].usage)
                compaction.afterTokens = usage->prompt();
        }
        target.compactions.push_back(std::move(compaction));
    }
}

BlockId callOfId(const SessionBuilder &builder, StringId callId)
{
    const std::vector<Block> &blocks = builder.session().blocks;
    const auto call = std::ranges::find_if(
        blocks, [&](const Block &each) { return each.kind == BlockKind::ToolCall && each.callId == callId; });
    return callId.isValid() && call != blocks.end() ? BlockId(static_cast<uint32_t>(call - blocks.begin())) : BlockId();
}

void setTypedTitle(SessionBuilder &builder)
{
    Session &session = builder.session();
    const auto typed = std::ranges::find_if(session.blocks, [](const Block &b) { return b.is(BlockFlag::Typed); });
    if (session.title.empty() && typed != session.blocks.end())
        session.title = snippet(session.textHead(typed->body, kHeadBytes), kTitleCodePoints);
    if (builder.thread(ThreadIndex(0U)).title.empty())
        builder.thread(ThreadIndex(0U)).title = session.title;
}

} // namespace core
