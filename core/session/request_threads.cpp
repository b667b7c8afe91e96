// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_threads.h"

#include <algorithm>

namespace core::requests {

namespace {

/// The branches of a thread: each goes on where the one before was left.
struct Line {
    std::vector<uint32_t> branches;
    size_t calls = 0;
};

std::vector<Line> joinBranches(std::span<const Branch> branches)
{
    std::vector<Line> lines;
    std::vector<uint32_t> lineOf(branches.size());
    std::vector<bool> hasSuccessor(branches.size());
    for (uint32_t i = 0; i < branches.size(); ++i) {
        const uint32_t origin = branches[i].origin;
        const bool goesOn = origin != Alignment::kNone && !hasSuccessor[origin]
            && branches[origin].calls.size() == branches[i].originCalls;
        if (goesOn)
            hasSuccessor[origin] = true;
        lineOf[i] = goesOn ? lineOf[origin] : static_cast<uint32_t>(lines.size());
        if (!goesOn)
            lines.emplace_back();
        lines[lineOf[i]].branches.push_back(i);
        lines[lineOf[i]].calls += branches[i].calls.size();
    }
    const auto main = std::ranges::max_element(lines, {}, &Line::calls); // the first of equals
    if (main != lines.end())
        std::rotate(lines.begin(), main, main + 1);
    return lines;
}

class ThreadWriter final {
public:
    ThreadWriter(std::span<const Branch> branches, Pool &pool, Preludes &preludes, SessionBuilder &builder)
        : m_branches(branches)
        , m_pool(pool)
        , m_preludes(preludes)
        , m_builder(builder)
    {
    }

    void place(const Line &line, ThreadIndex index);
    /// The beginning of the first text that the user wrote.
    [[nodiscard]] std::string titleOf(const Line &line) const;

private:
    std::span<const Branch> m_branches;
    Pool &m_pool;
    Preludes &m_preludes;
    SessionBuilder &m_builder;
};

std::string ThreadWriter::titleOf(const Line &line) const
{
    const std::vector<uint32_t> &array = m_branches[line.branches.front()].calls.front().tail;
    const auto isTask = [&](uint32_t id) {
        const Block &block = m_pool.block(id);
        return block.kind == BlockKind::Text && !block.is(BlockFlag::Injected) && m_pool.roleOf(id) == Role::User;
    };
    const auto task = std::ranges::find_if(array, isTask);
    if (task == array.end())
        return {};
    return snippet(m_builder.session().textHead(m_pool.block(*task).body, 4 * kTitleCodePoints), kTitleCodePoints);
}

void ThreadWriter::place(const Line &line, ThreadIndex index)
{
    std::vector<Call> calls;
    std::vector<RecordedCompaction> compactions;
    std::vector<uint32_t> array;
    std::vector<uint32_t> preludes;
    BlockRanges ranges;
    BlockRanges end;
    for (const uint32_t branchIndex : line.branches) {
        const Branch &branch = m_branches[branchIndex];
        if (!calls.empty()) {
            RecordedCompaction compaction;
            compaction.kind = branch.kind;
            compaction.call = CallIndex(calls.size() - 1);
            compaction.before = end;
            compaction.line = branch.calls.front().facts.line;
            if (calls.back().usage)
                compaction.beforeTokens = calls.back().usage->prompt();
            if (branch.calls.front().facts.usage)
                compaction.afterTokens = branch.calls.front().facts.usage->prompt();
            compactions.push_back(std::move(compaction));
        }
        bool isFirst = true;
        for (const CallNote &note : branch.calls) {
            const bool extends = !isFirst && note.kept == array.size();
            array.resize(isFirst ? 0 : note.kept);
            array.insert(array.end(), note.tail.begin(), note.tail.end());
            m_pool.place(note.tail, index, m_builder);
            if (extends)
                m_pool.appendRanges(ranges, note.tail);
            else
                ranges = m_pool.rangesOf(array);
            m_pool.place(note.output, index, m_builder);
            end = ranges;
            m_pool.appendRanges(end, note.output);

            Call call = note.facts;
            call.input = ranges;
            call.output = m_pool.contiguous(note.output);
            calls.push_back(std::move(call));
            preludes.push_back(note.prelude);
            if (isFirst && !compactions.empty())
                compactions.back().after = ranges;
            isFirst = false;
        }
    }
    // Behind the messages, so that an array that grows is one range.
    for (size_t i = 0; i < calls.size(); ++i) {
        if (preludes[i] != Alignment::kNone)
            calls[i].prelude = m_preludes.place(preludes[i], index, m_builder);
    }
    Thread &thread = m_builder.thread(index);
    thread.prelude = calls.back().prelude;
    thread.calls = std::move(calls);
    thread.compactions = std::move(compactions);
    thread.end = std::move(end);
}

/// A thread under another system prompt and other tools than the main thread is the harness's own: a subagent, a
/// request for a title. Nobody typed what it was sent.
void unmarkTyped(SessionBuilder &builder, size_t firstBlock)
{
    for (Block &block : std::span(builder.session().blocks).subspan(firstBlock))
        block.flags = static_cast<uint16_t>(block.flags & ~static_cast<uint16_t>(BlockFlag::Typed));
}

} // namespace

void writeThreads(std::span<const Branch> branches, Pool &pool, Preludes &preludes, SessionBuilder &builder)
{
    ThreadWriter writer(branches, pool, preludes, builder);
    const std::vector<Line> lines = joinBranches(branches);
    for (const Line &line : lines) {
        const Branch &first = branches[line.branches.front()];
        ThreadKind kind = ThreadKind::Main;
        bool isAlike = true;
        if (&line != &lines.front()) {
            const Branch &mainEnd = branches[lines.front().branches.back()];
            isAlike = preludes.areAlike(first.prelude, mainEnd.prelude);
            const bool isRun = first.firstRequest > mainEnd.lastRequest && isAlike;
            kind = isRun ? ThreadKind::Run : ThreadKind::Subagent;
        }
        const size_t firstBlock = builder.session().blocks.size();
        writer.place(line, builder.addThread(kind, {}, writer.titleOf(line)));
        if (!isAlike)
            unmarkTyped(builder, firstBlock);
    }
}

} // namespace core::requests
