// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"
#include "core/session/format_traits.h"
#include "core/tokens/weights.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// Requests change as those of Claude Code do, but every message is a slot.
inline constexpr FormatTraits kLikeClaudeCode { .options = RequestOptions::OfClaudeCode, .marksLastUsers = true };

/// Writes a recorded session step by step, as a harness would have: messages, calls with their usage, and compactions.
/// For tests of what follows from a recording; `session(…)` of session_text.h is for arrays alone.
class RecordedSession final {
public:
    RecordedSession() { m_thread = m_builder.addThread(ThreadKind::Main, "main", "the task"); }

    [[nodiscard]] SessionBuilder &builder() { return m_builder; }

    MessageId typed(std::string text) { return userText(std::move(text), BlockFlag::Typed); }
    MessageId injected(std::string text) { return userText(std::move(text), BlockFlag::Injected); }

    /// A call that was sent the array as it stands and answered with a text. A prompt of 0 records no usage.
    CallIndex reply(std::string text, uint64_t prompt = 0)
    {
        return call(block(BlockKind::Text, std::move(text)), prompt);
    }
    /// The same, answered with a tool call of `size` characters besides its name.
    CallIndex use(std::string_view tool, std::string_view subject, size_t size = 20, uint64_t prompt = 0)
    {
        Block made = block(BlockKind::ToolCall, std::string(size, 'x'), tool);
        made.subject = m_builder.intern(subject);
        made.callId = m_lastCallId = m_builder.intern("call " + std::to_string(++m_callIds));
        m_lastTool = made.name;
        m_lastSubject = made.subject;
        return call(made, prompt);
    }
    /// The same, answered with any block.
    CallIndex answer(const Block &block, uint64_t prompt = 0) { return call(block, prompt); }
    /// Answers the last tool call.
    MessageId result(size_t size, bool isError = false) { return result(std::string(size, 'r'), isError); }
    MessageId result(std::string text, bool isError = false)
    {
        Block made = block(BlockKind::ToolResult, std::move(text));
        made.name = m_lastTool;
        made.subject = m_lastSubject;
        made.callId = m_lastCallId;
        if (isError)
            made.set(BlockFlag::Error);
        return add(Role::User, made);
    }

    /// The array becomes one summary of `size` characters.
    MessageId summarise(size_t size) { return summarise(std::string(size, 's')); }
    MessageId summarise(std::string text) { return compact(CompactionKind::Summary, std::move(text)); }
    MessageId rewrite(size_t size) { return compact(CompactionKind::Replacement, std::string(size, 's')); }
    /// The last `messages` messages are taken back.
    void rollBack(size_t messages)
    {
        begin(CompactionKind::Rollback);
        m_array.resize(m_array.size() - messages);
        m_ranges = BlockRanges::of(m_array);
    }
    /// Every tool result in the array becomes a stub.
    void clear()
    {
        begin(CompactionKind::Clearing);
        for (BlockRange &range : m_array) {
            const Block &old = m_builder.session().block(BlockId(range.begin));
            if (old.kind != BlockKind::ToolResult || old.is(BlockFlag::Stub))
                continue;
            Block stub = block(BlockKind::ToolResult, "[cleared]");
            stub.callId = old.callId;
            stub.message = old.message;
            stub.set(BlockFlag::Stub);
            const BlockId id = m_builder.addBlock(stub);
            range = { id.value(), id.value() + 1 };
        }
        m_ranges = BlockRanges::of(m_array);
        m_builder.thread(m_thread).compactions.back().after = m_ranges;
    }

    [[nodiscard]] SessionPtr finish()
    {
        Thread &thread = m_builder.thread(m_thread);
        thread.end = m_ranges;
        settle(thread.end, std::nullopt);
        return m_builder.finish();
    }

private:
    Block block(BlockKind kind, std::string text, std::string_view name = {})
    {
        return m_builder.makeBlock(kind, m_builder.ownedBody(std::move(text), "test"), m_builder.intern(name));
    }

    MessageId add(Role role, const Block &made)
    {
        MessageDraft draft;
        draft.role = role;
        draft.time = m_time += 1000;
        draft.blocks = { made };
        const MessageId id = m_builder.addMessage(m_thread, draft);
        m_array.push_back(m_builder.rangeOf(id));
        m_ranges.append(m_array.back());
        return id;
    }

    MessageId userText(std::string text, BlockFlag flag)
    {
        Block made = block(BlockKind::Text, std::move(text));
        made.set(flag);
        return add(Role::User, made);
    }

    CallIndex call(const Block &answer, uint64_t prompt)
    {
        Call made;
        made.input = m_ranges;
        made.time = m_time;
        if (prompt > 0)
            made.usage = Usage { 1, prompt - 1, 0, 10 };
        settle(made.input, prompt > 0 ? std::optional(prompt) : std::nullopt);
        made.output = m_builder.rangeOf(add(Role::Assistant, answer));
        std::vector<Call> &calls = m_builder.thread(m_thread).calls;
        calls.push_back(std::move(made));
        return CallIndex(calls.size() - 1);
    }

    void begin(CompactionKind kind)
    {
        Thread &thread = m_builder.thread(m_thread);
        settle(m_ranges, std::nullopt); // no call was sent what stands here
        RecordedCompaction compaction;
        compaction.kind = kind;
        if (!thread.calls.empty())
            compaction.call = CallIndex(thread.calls.size() - 1);
        compaction.before = m_ranges;
        thread.compactions.push_back(compaction);
    }

    MessageId compact(CompactionKind kind, std::string text)
    {
        begin(kind);
        m_array.clear();
        m_ranges = {};
        Block made = block(BlockKind::Text, std::move(text));
        made.set(BlockFlag::Summary);
        return add(Role::User, made);
    }

    /// What the compactions since the last call became.
    void settle(const BlockRanges &array, std::optional<uint64_t> tokens)
    {
        for (; m_settled < m_builder.thread(m_thread).compactions.size(); ++m_settled) {
            RecordedCompaction &compaction = m_builder.thread(m_thread).compactions[m_settled];
            if (compaction.kind != CompactionKind::Clearing)
                compaction.after = array;
            compaction.afterTokens = tokens;
        }
    }

    SessionBuilder m_builder;
    ThreadIndex m_thread;
    std::vector<BlockRange> m_array; ///< one message each
    BlockRanges m_ranges;            ///< the same
    Timestamp m_time = 1'700'000'000'000;
    size_t m_callIds = 0;
    size_t m_settled = 0;
    StringId m_lastCallId;
    StringId m_lastTool;
    StringId m_lastSubject;
};

/// A table that says 1 token a character, so that figures in tests can be added in the head.
[[nodiscard]] inline BlockTokensPtr oneTokenACharacter(const Session &session)
{
    auto table = std::make_shared<BlockTokens>();
    for (const Block &block : session.blocks)
        table->tokens.push_back(static_cast<float>(block.lengths.codePoints));
    return table;
}

/// Tool calls with results of 4,000 characters, a thousand tokens each.
inline SessionPtr heavySession(size_t calls)
{
    RecordedSession recorded;
    recorded.typed("the task");
    for (size_t i = 0; i < calls; ++i) {
        recorded.use("Read", "file " + std::to_string(i), 20, 2000 + i * 1100);
        recorded.result(4000);
    }
    recorded.reply("done", 2000 + calls * 1100);
    return recorded.finish();
}

/// Forty calls of a model with a window of 200,000 tokens, up to where it is nearly full; results of about a thousand
/// tokens, each other text.
inline SessionPtr fortyCalls()
{
    RecordedSession recorded;
    recorded.builder().session().model = "claude-opus-4-5";
    recorded.builder().session().windowTokens = 200'000;
    recorded.typed("do it");
    for (uint64_t i = 0; i < 40; ++i) {
        recorded.use("Read", "file " + std::to_string(i), 20, 9'000 + i * 4'100);
        recorded.result("result " + std::to_string(i) + std::string(4'000, 'r'));
    }
    return recorded.finish();
}

} // namespace core
