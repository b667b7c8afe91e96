// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/outline.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

/// `turn 1 (2 messages, 1 call), compaction 1 (1 message), turn 1 continued (…)`
std::string written(const Outline &outline)
{
    std::string text;
    for (const OutlineEntry &entry : outline.entries) {
        text += text.empty() ? "" : ", ";
        text += entry.kind == OutlineEntry::Kind::Turn  ? "turn"
            : entry.kind == OutlineEntry::Kind::Opening ? "opening"
                                                        : "compaction";
        text += " " + std::to_string(entry.number) + (entry.isContinued ? " continued" : "") + " ("
            + std::to_string(entry.messageCount()) + "m " + std::to_string(entry.callCount) + "c)";
    }
    return text;
}

/// A recording drawn at random, with compactions of every kind.
SessionPtr randomRecording(std::mt19937_64 &random)
{
    RecordedSession recording;
    recording.typed("first");
    recording.reply("hello", 1000);
    for (int i = 0; i < 40; ++i) {
        switch (random() % 9) {
        case 0:
            recording.typed("go on");
            break;
        case 1:
            recording.injected("reminder");
            break;
        case 2:
            recording.summarise(50);
            break;
        case 3:
            recording.rollBack(1);
            recording.injected("again");
            break;
        case 4:
            recording.clear();
            break;
        case 5:
        case 6:
            recording.use("Read", "a.cpp", 30, random() % 2 == 0 ? 0 : 5000);
            recording.result(500);
            break;
        default:
            recording.reply("text", 4000);
            break;
        }
    }
    return recording.finish();
}

} // namespace

/// The life of a thread as turns and compactions, and where a block can be looked at.
class OutlineTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void turnsBeginWithWhatThePersonTyped();
    void whatComesBeforeTheFirstTurnIsAnOpening();
    void aCompactionCutsATurnInTwo();
    void aCompactionBetweenTurnsContinuesNone();
    void aClearingStandsWhereItHappened();
    void withoutTypedTextsUserTextsBeginTurns();
    void everyMessageStandsInExactlyOneEntry();
    void theNearestPositionHoldsTheBlock();
    void aBlockOfNoArrayHasNoPosition();
};

void OutlineTest::turnsBeginWithWhatThePersonTyped()
{
    const SessionPtr made = session("u:30 a:200 t:50 a:20 u:10 a:5 u:7");
    const Outline outline = outlineOf(*made, ThreadIndex(0));
    QCOMPARE(written(outline), std::string("turn 1 (4m 2c), turn 2 (2m 1c), turn 3 (1m 0c)"));
    QCOMPARE(outline.turnCount, size_t(3));
    QVERIFY(outline.entries[1].beginsTyped());
    QCOMPARE(outline.entries[1].firstCall, CallIndex(2));
    QVERIFY(!outline.entries[2].firstCall.isValid());
}

void OutlineTest::whatComesBeforeTheFirstTurnIsAnOpening()
{
    RecordedSession recording;
    recording.injected("<environment_context>");
    recording.typed("do it");
    recording.reply("done");
    QCOMPARE(written(outlineOf(*recording.finish(), ThreadIndex(0))), std::string("opening 0 (1m 0c), turn 1 (2m 1c)"));
}

void OutlineTest::aCompactionCutsATurnInTwo()
{
    RecordedSession recording;
    recording.typed("do it");
    recording.use("Read", "a.cpp");
    recording.result(900);
    recording.summarise(60);
    recording.reply("going on");
    recording.typed("and now");
    recording.reply("done");
    const Outline outline = outlineOf(*recording.finish(), ThreadIndex(0));
    QCOMPARE(written(outline),
        std::string("turn 1 (3m 1c), compaction 1 (1m 0c), turn 1 continued (1m 1c), turn 2 (2m 1c)"));
    QCOMPARE(outline.entries[1].firstCall, CallIndex(0));
    QVERIFY(!outline.entries[2].beginsTyped());
}

void OutlineTest::aCompactionBetweenTurnsContinuesNone()
{
    RecordedSession recording;
    recording.typed("do it");
    recording.reply("done");
    recording.summarise(60);
    recording.typed("and now");
    recording.reply("done");
    recording.summarise(60);
    QCOMPARE(written(outlineOf(*recording.finish(), ThreadIndex(0))),
        std::string("turn 1 (2m 1c), compaction 1 (1m 0c), turn 2 (2m 1c), compaction 2 (1m 0c)"));
}

void OutlineTest::aClearingStandsWhereItHappened()
{
    RecordedSession recording;
    recording.typed("do it");
    recording.use("Read", "a.cpp");
    recording.result(900);
    recording.clear(); // its stub stands behind every block written so far
    recording.reply("going on");
    recording.clear(); // nothing new to clear
    recording.reply("done");
    QCOMPARE(written(outlineOf(*recording.finish(), ThreadIndex(0))),
        std::string("turn 1 (3m 1c), compaction 1 (0m 0c), turn 1 continued (1m 1c), compaction 2 (0m 0c), "
                    "turn 1 continued (1m 1c)"));
}

void OutlineTest::withoutTypedTextsUserTextsBeginTurns()
{
    SessionBuilder builder;
    const ThreadIndex thread = builder.addThread(ThreadKind::Subagent);
    const auto add = [&](Role role, BlockKind kind, bool isInjected) {
        MessageDraft draft;
        draft.role = role;
        draft.blocks = { builder.makeBlock(kind, builder.ownedBody("words", "test")) };
        if (isInjected)
            draft.blocks.front().set(BlockFlag::Injected);
        return builder.addMessage(thread, draft);
    };
    std::vector<MessageId> messages { add(Role::User, BlockKind::Text, true), add(Role::User, BlockKind::Text, false),
        add(Role::Assistant, BlockKind::ToolCall, false), add(Role::User, BlockKind::ToolResult, false) };
    builder.deriveCalls(thread, messages);
    QCOMPARE(written(outlineOf(*builder.finish(), thread)), std::string("opening 0 (1m 0c), turn 1 (3m 1c)"));
}

void OutlineTest::everyMessageStandsInExactlyOneEntry()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(40); ++i) {
        const SessionPtr made = randomRecording(random);
        const Outline outline = outlineOf(*made, ThreadIndex(0));
        QCOMPARE(outline.messages.size(), made->messages.size());
        size_t next = 0;
        size_t calls = 0;
        size_t compactions = 0;
        for (size_t k = 0; k < outline.entries.size(); ++k) {
            const OutlineEntry &entry = outline.entries[k];
            QCOMPARE(entry.firstMessage, next);
            for (; next < entry.lastMessage; ++next)
                QCOMPARE(outline.entryOf(outline.messages[next]), std::optional(k));
            calls += entry.callCount;
            compactions += entry.kind == OutlineEntry::Kind::Compaction ? 1U : 0U;
        }
        QCOMPARE(next, outline.messages.size());
        QCOMPARE(calls, made->threads.front().calls.size());
        QCOMPARE(compactions, made->threads.front().compactions.size());
        QCOMPARE(outline.entryOf(MessageId()), std::nullopt);
    }
}

void OutlineTest::theNearestPositionHoldsTheBlock()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr made = randomRecording(random);
        const size_t calls = made->threads.front().calls.size();
        const auto positionOf
            = [&](size_t place) { return Position { ThreadIndex(0), place < calls ? CallIndex(place) : CallIndex() }; };
        for (size_t block = 0; block < made->blocks.size(); ++block) {
            const size_t from = random() % (calls + 1);
            // The distance to the nearest array that holds it, the slow way.
            size_t best = calls + 1;
            for (size_t place = 0; place <= calls; ++place) {
                bool holds = false;
                shownRangesAt(*made, positionOf(place)).forEach([&](BlockId id) {
                    holds = holds || id.index() == block;
                });
                if (holds)
                    best = std::min(best, place > from ? place - from : from - place);
            }
            const auto found = nearestPositionWith(*made, BlockId(block), positionOf(from));
            QCOMPARE(found.has_value(), best <= calls);
            if (!found)
                continue;
            const size_t place = found->isEnd() ? calls : found->call.index();
            QCOMPARE(place > from ? place - from : from - place, best);
        }
    }
}

void OutlineTest::aBlockOfNoArrayHasNoPosition()
{
    const SessionPtr made = session("u:30 a:200");
    QCOMPARE(nearestPositionWith(*made, BlockId(), {}), std::nullopt);
    QCOMPARE(nearestPositionWith(*made, BlockId(99), {}), std::nullopt);
    QCOMPARE(nearestPositionWith(*made, BlockId(0), {}), std::optional(Position {}));
}

PALIMPSEST_TEST(OutlineTest)
#include "tst_outline.moc"
