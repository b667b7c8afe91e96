// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/compaction.h"
#include "core/compaction/stages/head_facts.h"
#include "core/replay/replay_figures.h"
#include "core/tokens/weights.h"
#include "tests/claude_log.h"
#include "tests/policy_with.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view kText = "turn {turn}";

PolicyPtr policy(const testing::Settings &settings) { return testing::policyWith("claw-reminder", settings); }

/// Four user messages with a read behind each.
SessionPtr session()
{
    testing::ClaudeLog log;
    for (int i = 1; i <= 4; ++i) {
        log.typed("task " + std::to_string(i));
        log.read("/work/" + std::to_string(i) + ".txt", std::string(2000, 'x'));
        log.answered("Done " + std::to_string(i) + ".");
        log.wait(10);
    }
    return log.load();
}

Compaction compacted(const SessionPtr &session, const PolicyPtr &policy)
{
    return compact(Transcript(session, session->threads.front().end), policy, *roughTokens(*session));
}

std::vector<std::string> typedTexts(const Compaction &compaction)
{
    std::vector<std::string> texts;
    for (const BlockId id : compaction.after.blocks()) {
        const Block &block = compaction.after.block(id);
        if (block.is(BlockFlag::Typed))
            texts.push_back(compaction.after.session()->text(block.body));
    }
    return texts;
}

ReplayPtr replayed(const SessionPtr &session, const PolicyPtr &policy)
{
    return replay(replayGround(session, ThreadIndex(0U), roughTokens(*session)), policy);
}

} // namespace

class InjectionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePlaceChoosesTheMessages_data();
    void thePlaceChoosesTheMessages();
    void aLineWithAnUnknownFactIsLeftOut();
    void theFactsAreThoseOfTheMessage();
    void aMessageInOneSlotWithAResultHasItsOwnTime();
    void openTasksAreRead();
    void aPersonaIsNamedWhenItChanges();
    void aMovingReminderSendsOneTurnAnew();
    void itIsNoCompactionAndLosesNothing();
    void itAddsNoActToAnotherStage_data();
    void itAddsNoActToAnotherStage();
};

void InjectionTest::thePlaceChoosesTheMessages_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QStringList>("texts");
    const QStringList plain { u"task 1"_s, u"task 2"_s, u"task 3"_s, u"task 4"_s };
    const auto with = [&](const QList<int> &turns) {
        QStringList texts = plain;
        for (const int turn : turns)
            texts[turn - 1] += u"\n\nturn %1"_s.arg(turn);
        return texts;
    };
    QTest::newRow("the newest") << QStringList {} << with({ 4 });
    QTest::newRow("a pass every two") << QStringList { u"n=2"_s } << with({ 3, 4 });
    QTest::newRow("a pass every three") << QStringList { u"n=3"_s } << with({ 4 });
    QTest::newRow("no pass yet") << QStringList { u"n=9"_s } << with({ 1, 2, 3, 4 });
    QTest::newRow("every") << QStringList { u"place=every-user"_s } << with({ 1, 2, 3, 4 });
    QStringList first = plain;
    first[0] += u"\n\nturn 4"_s;
    QTest::newRow("the first, refreshed") << QStringList { u"place=first-user"_s } << first;
    QTest::newRow("the last message is a result") << QStringList { u"place=last-message"_s } << plain;
    QTest::newRow("off") << QStringList { u"inject=off"_s } << plain;
}

void InjectionTest::thePlaceChoosesTheMessages()
{
    QFETCH(const QStringList, settings);
    QFETCH(const QStringList, texts);
    for (const char *persistence : { "view", "persistent" }) {
        std::vector<std::pair<std::string, std::string>> all { { "inject.text", std::string(kText) },
            { "persistence", persistence } };
        for (const QString &each : settings)
            all.emplace_back(each.section(u'=', 0, 0).toStdString(), each.section(u'=', 1).toStdString());
        const Compaction compaction = compacted(session(), policy(all));
        QStringList found;
        for (const std::string &each : typedTexts(compaction))
            found.append(QString::fromStdString(each));
        QCOMPARE(found, texts);
        QVERIFY(compaction.validity.empty());
        const auto isReminded = [&](BlockId id) {
            const Block &block = compaction.after.block(id);
            return block.kind == BlockKind::ToolResult
                && compaction.after.session()->text(block.body).ends_with("\n\nturn 4");
        };
        QCOMPARE(std::ranges::any_of(compaction.after.blocks(), isReminded),
            settings == QStringList { u"place=last-message"_s });
    }
}

void InjectionTest::aLineWithAnUnknownFactIsLeftOut()
{
    const SessionPtr made = session();
    QCOMPARE(typedTexts(compacted(made, policy({ { "inject.text", "Status: {git}\nTurn: {turn}\n{other} {brace" } })))
                 .back(),
        std::string("task 4\n\nTurn: 4\n{other} {brace"));
    // Nothing is known: nothing is added.
    QVERIFY(compacted(made, policy({ { "inject.text", "Reminder\n{git}" } })).changesNothing());
    QCOMPARE(typedTexts(compacted(made, policy({ { "inject.text", "Be brief." } }))).back(),
        std::string("task 4\n\nBe brief."));
}

void InjectionTest::theFactsAreThoseOfTheMessage()
{
    testing::ClaudeLog log;
    log.typed("begin");
    log.edit("/work/a.cpp", "one", "two");
    log.call("Bash", { { "command", "git commit -am first" } });
    log.result("[main 123] first");
    log.edit("/work/b.cpp", "one", "two");
    log.edit("/work/c.cpp", "one", "two");
    log.edit("/work/b.cpp", "two", "three");
    log.call("Edit", { { "file_path", "/work/d.cpp" }, { "old_string", "x" }, { "new_string", "y" } });
    log.result("String to replace not found", true);
    log.call("Bash", { { "command", "git status --short" } });
    log.result(" M b.cpp\n M c.cpp\n");
    log.answered("Done.");
    log.wait(40);
    log.typed("what did I change?");
    log.edit("/work/e.cpp", "one", "two"); // behind the message: not known yet
    const auto told = [&](const char *text) {
        const std::string last = typedTexts(compacted(log.load(), policy({ { "inject.text", text } }))).back();
        const size_t at = last.find("\n\n");
        return at == std::string::npos ? std::string() : last.substr(at + 2);
    };
    QCOMPARE(told("{git}"), std::string("M b.cpp\n M c.cpp"));
    const std::string edited = told("{edited}");
    QVERIFY2(edited.starts_with("2 files edited since the last git commit, the first 40 minutes ago"), edited.c_str());
    QVERIFY2(edited.ends_with(": /work/b.cpp; /work/c.cpp"), edited.c_str());
    QVERIFY2(told("{since}").starts_with("40 minutes"), told("{since}").c_str());
    QVERIFY2(told("{time}").ends_with(" UTC"), told("{time}").c_str());
}

void InjectionTest::aMessageInOneSlotWithAResultHasItsOwnTime()
{
    testing::ClaudeLog log;
    log.typed("begin");
    log.call("Bash", { { "command", "rm -r build" } });
    log.result("The user does not want to proceed with this tool use.", true);
    log.wait(3);
    log.typed("leave the folder alone");
    const SessionPtr made = log.load();
    QCOMPARE(made->messages.size(), size_t(3)); // the result and the second text are one message
    QCOMPARE(typedTexts(compacted(made, policy({ { "inject.text", "{time}, {since} later" } }))).back(),
        std::string("leave the folder alone\n\n2026-01-01 00:03 UTC, 3 minutes later"));
}

void InjectionTest::openTasksAreRead()
{
    using stages::openTasks;
    QVERIFY(openTasks(R"({"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending"}]})")
        == std::vector<std::string> { "b" });
    QVERIFY(openTasks(R"({"explanation":"x","plan":[{"step":"one","status":"in_progress"}]})")
        == std::vector<std::string> { "one" });
    QVERIFY(openTasks(R"({"todos":[]})") == std::vector<std::string> {});
    QVERIFY(!openTasks(R"({"todos":"one"})"));
    QVERIFY(!openTasks("no JSON"));
}

void InjectionTest::aPersonaIsNamedWhenItChanges()
{
    const PolicyPtr persona = preset("claw-persona");
    const SessionPtr made = session();
    const std::vector<std::string> texts = typedTexts(compacted(made, persona));
    QVERIFY2(texts.back().starts_with("task 4\n\n[persona changed to CFO]\n[From the harness: you speak as the CFO: "),
        texts.back().c_str());
    QCOMPARE(texts.front(), std::string("task 1"));
}

void InjectionTest::aMovingReminderSendsOneTurnAnew()
{
    const SessionPtr made = session();
    const ReplayPtr plain = replayed(made, preset("none"));
    const ReplayPtr moving = replayed(made, policy({ { "inject.text", "turn {turn}" } }));
    const ReplayPtr kept = replayed(made, policy({ { "inject.text", "turn {turn}" }, { "place", "every-user" } }));
    const ReplayPtr inPlace = replayed(made, policy({ { "inject.text", "turn {turn}" }, { "place", "first-user" } }));
    QCOMPARE(plain->callCount(), size_t(8)); // two a user message
    const auto broken = [&](const ReplayPtr &replay, size_t call) {
        return replay->steps[call - 1].arrayTokens - replay->steps[call].unchangedTokens;
    };
    const auto extra = [&](const ReplayPtr &replay, size_t call) {
        return replay->steps[call].arrayTokens - plain->steps[call].arrayTokens;
    };
    for (size_t call = 1; call < 8; ++call) {
        const bool isNewTurn = call % 2 == 0;
        QCOMPARE(broken(plain, call), 0.0);
        QCOMPARE(broken(kept, call), 0.0);
        // A reminder that moves on breaks the cache at the user message before; one in place at the first.
        const double turn = plain->steps[call - 1].arrayTokens - (call > 2 ? plain->steps[call - 3].arrayTokens : 0);
        QVERIFY(isNewTurn ? broken(moving, call) > 0 && broken(moving, call) < turn + 40 : broken(moving, call) == 0);
        QVERIFY(isNewTurn ? inPlace->steps[call].unchangedTokens == 0 : broken(inPlace, call) == 0);
        // One reminder is in the array at a time, or one for each user message.
        QVERIFY(extra(moving, call) > 0 && extra(moving, call) < 40);
        QVERIFY(isNewTurn ? extra(kept, call) > extra(kept, call - 1) : extra(kept, call) == extra(kept, call - 1));
    }
    QVERIFY(extra(kept, 7) > 2 * extra(moving, 7));
}

void InjectionTest::itIsNoCompactionAndLosesNothing()
{
    for (const char *persistence : { "view", "persistent" }) {
        const ReplayPtr made = replayed(session(), policy({ { "persistence", persistence } }));
        QCOMPARE(made->compactions(), size_t(0));
        QCOMPARE(made->lostBytes(), uint64_t(0));
        QCOMPARE(made->torn(), size_t(0));
        QVERIFY(made->quietActs().blocks == 0);
        QCOMPARE(firingSentence(*made), std::string("adds text and removes nothing"));
    }
}

void InjectionTest::itAddsNoActToAnotherStage_data()
{
    QTest::addColumn<QString>("persistence");
    QTest::addColumn<bool>("isFirst");
    for (const QString &persistence : { u"view"_s, u"persistent"_s }) {
        for (const bool isFirst : { false, true })
            QTest::addRow("%s, injected %s", qPrintable(persistence), isFirst ? "before" : "behind")
                << persistence << isFirst;
    }
}

/// A reminder that moves changes what was sent. The trigger of a stage that clears nothing stays open meanwhile.
void InjectionTest::itAddsNoActToAnotherStage()
{
    QFETCH(const QString, persistence);
    QFETCH(const bool, isFirst);
    const PolicyPtr clearing = testing::policyWith(
        "langchain-clear-tool-uses", { { "trigger", "100tok" }, { "persistence", persistence.toStdString() } });
    Policy both = withStageAdded(*clearing, "inject");
    both = withStageSetting(both, 1, "text", kText).value();
    if (isFirst)
        both = withStageMoved(both, 1, 0);
    const SessionPtr made = session();
    const ReplayPtr plain = replayed(made, clearing);
    const ReplayPtr injected = replayed(made, std::make_shared<const Policy>(both));
    QVERIFY(plain->compactions() > 0 && plain->compactions() < 3); // three of four results stay
    QCOMPARE(compactionWords(*injected), compactionWords(*plain));
    for (size_t call = 0; call < plain->callCount(); ++call)
        QCOMPARE(injected->compactsAt(call), plain->compactsAt(call));
    QVERIFY(injected->steps.back().arrayTokens > plain->steps.back().arrayTokens);
}

PALIMPSEST_TEST(InjectionTest)
#include "tst_injection.moc"
