// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/thread_tree.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

/// The call of a thread that answered with this block.
CallIndex answeringCall(const Thread &thread, BlockId block)
{
    const auto call = std::ranges::find_if(thread.calls,
        [&](const Call &each) { return each.output.begin <= block.value() && block.value() < each.output.end; });
    return call == thread.calls.end() ? CallIndex() : CallIndex(static_cast<size_t>(call - thread.calls.begin()));
}

/// The results of the tool calls that started threads, by the id of the call.
std::unordered_map<StringId, std::vector<BlockId>> resultsOfStarters(const Session &session)
{
    std::unordered_map<StringId, std::vector<BlockId>> results;
    for (const Thread &thread : session.threads) {
        if (thread.parentCall.isValid() && session.block(thread.parentCall).callId.isValid())
            results[session.block(thread.parentCall).callId];
    }
    for (uint32_t i = 0; !results.empty() && i < session.blocks.size(); ++i) {
        const Block &block = session.blocks[i];
        if (block.kind != BlockKind::ToolResult || block.is(BlockFlag::Stub))
            continue;
        if (const auto found = results.find(block.callId); found != results.end())
            found->second.push_back(BlockId(i));
    }
    return results;
}

} // namespace

ThreadIndex starterOf(const Session &session, ThreadIndex thread)
{
    const Thread &started = session.thread(thread);
    if (started.kind != ThreadKind::Subagent)
        return {};
    ThreadIndex starter(0U);
    if (started.parentCall.isValid() && session.block(started.parentCall).message.isValid())
        starter = session.message(session.block(started.parentCall).message).thread;
    return starter == thread ? ThreadIndex() : starter;
}

std::vector<ThreadIndex> rootsOf(const Session &session)
{
    std::vector<ThreadIndex> roots;
    for (size_t t = 0; t < session.threads.size(); ++t) {
        ThreadIndex top(t);
        size_t steps = 0;
        for (ThreadIndex next = top; next.isValid() && steps <= session.threads.size(); ++steps) {
            top = next;
            next = starterOf(session, top);
        }
        const bool isCircle = steps > session.threads.size(); // of a damaged file
        roots.push_back(isCircle ? ThreadIndex(t) : top);
    }
    return roots;
}

std::vector<ThreadNode> threadTree(const Session &session)
{
    const auto results = resultsOfStarters(session);
    std::vector<std::vector<ThreadNode>> below(session.threads.size());
    std::vector<ThreadNode> waiting; // the next one last
    for (size_t t = session.threads.size(); t-- > 0;) {
        ThreadNode node { ThreadIndex(t), 0, {}, {} };
        const BlockId parent = session.threads[t].parentCall;
        const ThreadIndex starter = starterOf(session, node.thread);
        if (!starter.isValid()) {
            waiting.push_back(std::move(node));
            continue;
        }
        node.startedAt.thread = starter;
        if (parent.isValid()) {
            node.startedAt.call = answeringCall(session.thread(starter), parent);
            if (const auto found = results.find(session.block(parent).callId); found != results.end())
                node.returned = found->second;
        }
        below[starter.index()].push_back(std::move(node));
    }
    std::vector<ThreadNode> tree;
    while (!waiting.empty()) {
        ThreadNode node = std::move(waiting.back());
        waiting.pop_back();
        // Those whose call is unknown come last.
        std::vector<ThreadNode> started = std::move(below[node.thread.index()]);
        std::ranges::stable_sort(started, std::ranges::greater {},
            [&](const ThreadNode &each) { return session.thread(each.thread).parentCall.value(); });
        for (ThreadNode &each : started) {
            each.depth = node.depth + 1;
            waiting.push_back(std::move(each));
        }
        tree.push_back(std::move(node));
    }
    // Threads of a damaged file that started each other.
    for (std::vector<ThreadNode> &circle : below) {
        for (const ThreadNode &each : circle)
            tree.push_back({ each.thread, 0, {}, {} });
    }
    return tree;
}

} // namespace core
