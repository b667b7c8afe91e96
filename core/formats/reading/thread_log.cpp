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
    const Index index = store(std::move(message));
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
        result.push_back(store(std::move(message)));
    }
    return result;
}

ThreadLog::Index ThreadLog::store(LoggedMessage message)
{
    m_messages.push_back(std::move(message));
    return static_cast<Index>(m_messages.size() - 1);
}

void ThreadLog::replace(std::vector<Index> array, RecordedCompaction how)
{
    Epoch &last = m_epochs.back();
    if (last.array.empty() || array == last.array)
        last.array = std::move(array);
    else
        m_epochs.push_back({ array, std::move(how), array.size() });
}

/// Lays one log into one thread.
class ThreadLog::Writer final {
public:
    Writer(const ThreadLog &log, SessionBuilder &builder, ThreadIndex thread)
        : m_log(log)
        , m_builder(builder)
        , m_thread(thread)
        , m_placed(log.m_messages.size())
    {
    }

    void write(const Epoch &epoch)
    {
        const size_t firstCall = m_builder.thread(m_thread).calls.size();
        const BlockRanges before = std::exchange(m_array, {});
        BlockRanges begun;
        for (size_t i = 0; i < epoch.array.size(); ++i) {
            place(epoch.array[i]);
            if (i + 1 == epoch.begun)
                begun = m_array;
        }
        m_builder.thread(m_thread).end = m_array;
        if (&epoch != &m_log.m_epochs.front())
            addCompaction(epoch.how, firstCall, before, begun);
    }

private:
    struct Placed {
        MessageId message;
        BlockRange blocks;
    };

    /// Appends a message to the array, and to the pool if it is new there.
    void place(Index index)
    {
        const LoggedMessage &message = m_log.m_messages[index];
        std::optional<Placed> &placed = m_placed[index];
        if (!placed) {
            placed = message.stubOf ? addStub(message) : add(message);
            if (message.isResponse && (placed->blocks.size() > 0 || message.usage))
                m_builder.thread(m_thread).calls.push_back(callOf(message, m_array, placed->blocks));
        }
        if (placed->blocks.size() > 0)
            m_array.append(placed->blocks);
    }

    [[nodiscard]] Placed add(const LoggedMessage &message)
    {
        if (message.draft.blocks.empty())
            return {};
        const MessageId id = m_builder.addMessage(m_thread, message.draft);
        return { id, m_builder.rangeOf(id) };
    }

    [[nodiscard]] Placed addStub(const LoggedMessage &message)
    {
        const auto begin = static_cast<uint32_t>(m_builder.session().blocks.size());
        const MessageId id = m_placed[*message.stubOf]->message;
        for (Block block : message.draft.blocks) {
            block.message = id;
            m_builder.addBlock(block);
        }
        return { id, { begin, static_cast<uint32_t>(m_builder.session().blocks.size()) } };
    }

    void addCompaction(
        RecordedCompaction compaction, size_t firstCall, const BlockRanges &before, const BlockRanges &begun)
    {
        Thread &thread = m_builder.thread(m_thread);
        const bool hasCall = firstCall < thread.calls.size();
        compaction.before = before;
        if (firstCall > 0)
            compaction.call = CallIndex(firstCall - 1);
        const bool isClearing = compaction.kind == CompactionKind::Clearing;
        compaction.after = isClearing ? begun : hasCall ? thread.calls[firstCall].input : m_array;
        if (hasCall && !isClearing && thread.calls[firstCall].usage)
            compaction.afterTokens = thread.calls[firstCall].usage->prompt();
        thread.compactions.push_back(std::move(compaction));
    }

    const ThreadLog &m_log;
    SessionBuilder &m_builder;
    ThreadIndex m_thread;
    std::vector<std::optional<Placed>> m_placed; ///< by message
    BlockRanges m_array;
};

void ThreadLog::write(SessionBuilder &builder, ThreadIndex thread) const
{
    Writer writer(*this, builder, thread);
    for (const Epoch &epoch : m_epochs)
        writer.write(epoch);
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
