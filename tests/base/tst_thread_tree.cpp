// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/thread_tree.h"
#include "tests/recorded_session.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

/// `0, 2 at 0/1 (1 result), 3 at 0/?`: each thread with the thread and call that started it, indented by depth.
std::string written(const Session &session)
{
    std::string text;
    for (const ThreadNode &node : threadTree(session)) {
        text += text.empty() ? "" : ", ";
        text += std::string(node.depth, '>') + std::to_string(node.thread.value());
        if (node.depth == 0)
            continue;
        const CallIndex call = node.startedAt.call;
        text += " at " + std::to_string(node.startedAt.thread.value()) + "/"
            + (call.isValid() ? std::to_string(call.value()) : std::string("?"));
        if (!node.returned.empty())
            text += " (" + std::to_string(node.returned.size()) + ")";
    }
    return text;
}

ThreadIndex startThread(RecordedSession &recording, BlockId parent)
{
    const ThreadIndex thread = recording.builder().addThread(ThreadKind::Subagent);
    recording.builder().thread(thread).parentCall = parent;
    return thread;
}

/// The block with which the main thread answered that call.
BlockId answerOf(RecordedSession &recording, CallIndex call)
{
    return BlockId(recording.builder().thread(ThreadIndex(0U)).calls[call.index()].output.begin);
}

/// A message of one tool call in another thread.
BlockId callIn(RecordedSession &recording, ThreadIndex thread)
{
    SessionBuilder &builder = recording.builder();
    MessageDraft draft;
    draft.role = Role::Assistant;
    draft.blocks = { builder.makeBlock(BlockKind::ToolCall, builder.ownedBody("{}", "test"), builder.intern("Task")) };
    return BlockId(builder.rangeOf(builder.addMessage(thread, draft)).begin);
}

} // namespace

/// Who started whom.
class ThreadTreeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneThreadIsATree();
    void eachThreadStandsBelowItsStarter();
    void runsStandBesideEachOther();
    void noThreadIsLostInACircle();
    void rootsAreTheTops();
};

void ThreadTreeTest::oneThreadIsATree()
{
    RecordedSession recording;
    recording.typed("go");
    recording.reply("ok");
    QCOMPARE(written(*recording.finish()), std::string("0"));
}

/// In the order of their calls, not of their numbers; those without a call come last.
void ThreadTreeTest::eachThreadStandsBelowItsStarter()
{
    RecordedSession recording;
    recording.typed("go");
    recording.reply("first");
    const CallIndex early = recording.use("Task", {});
    recording.result(10);
    const CallIndex late = recording.use("Task", {});
    recording.result(10);
    startThread(recording, {});
    const ThreadIndex second = startThread(recording, answerOf(recording, late));
    startThread(recording, answerOf(recording, early));
    startThread(recording, callIn(recording, second));
    QCOMPARE(written(*recording.finish()), std::string("0, >3 at 0/1 (1), >2 at 0/2 (1), >>4 at 2/?, >1 at 0/?"));
}

void ThreadTreeTest::runsStandBesideEachOther()
{
    RecordedSession recording;
    recording.typed("go");
    (void)recording.builder().addThread(ThreadKind::Run);
    (void)recording.builder().addThread(ThreadKind::Run);
    QCOMPARE(written(*recording.finish()), std::string("0, 1, 2"));
}

void ThreadTreeTest::noThreadIsLostInACircle()
{
    RecordedSession recording;
    recording.typed("go");
    SessionBuilder &builder = recording.builder();
    const ThreadIndex one = builder.addThread(ThreadKind::Subagent);
    const ThreadIndex other = builder.addThread(ThreadKind::Subagent);
    builder.thread(one).parentCall = callIn(recording, other);
    builder.thread(other).parentCall = callIn(recording, one);
    const SessionPtr session = recording.finish();
    QCOMPARE(threadTree(*session).size(), size_t(3));
    QCOMPARE(rootsOf(*session).size(), size_t(3));
}

void ThreadTreeTest::rootsAreTheTops()
{
    RecordedSession recording;
    recording.typed("go");
    const CallIndex call = recording.use("Task", {});
    const ThreadIndex subagent = startThread(recording, answerOf(recording, call));
    startThread(recording, callIn(recording, subagent));
    (void)recording.builder().addThread(ThreadKind::Run);
    const std::vector<ThreadIndex> expected { ThreadIndex(0), ThreadIndex(0), ThreadIndex(0), ThreadIndex(3) };
    QCOMPARE(rootsOf(*recording.finish()), expected);
}

PALIMPSEST_TEST(ThreadTreeTest)

#include "tst_thread_tree.moc"
