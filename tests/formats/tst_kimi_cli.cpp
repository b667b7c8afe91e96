// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

std::string record(const std::string &type, const std::string &more)
{
    return R"({"type":")" + type + R"(",)" + more + R"(,"time":1785612803281})" + "\n";
}
std::string message(const std::string &words, const std::string &origin = R"({"kind":"user"})")
{
    return record("context.append_message",
        R"("message":{"role":"user","content":[{"type":"text","text":")" + words + R"("}],"toolCalls":[],"origin":)"
            + origin + "}");
}
std::string loopEvent(const std::string &type, const std::string &more)
{
    return record("context.append_loop_event", R"("event":{"type":")" + type + R"(",)" + more + "}");
}
std::string begin() { return loopEvent("step.begin", R"("uuid":"s","step":1)"); }
std::string text(const std::string &words)
{
    return loopEvent("content.part", R"("part":{"type":"text","text":")" + words + R"("})");
}
std::string thought(const std::string &words)
{
    return loopEvent("content.part", R"("part":{"type":"think","think":")" + words + R"("})");
}
std::string call(const std::string &id)
{
    return loopEvent("tool.call", R"("toolCallId":")" + id + R"(","name":"Bash","args":{"command":"ls"})");
}
std::string result(const std::string &id, const std::string &output, const std::string &more = "")
{
    return loopEvent("tool.result", R"("toolCallId":")" + id + R"(","result":{"output":)" + output + more + "}");
}
std::string end()
{
    return loopEvent("step.end",
        R"("uuid":"s","usage":{"inputOther":40,"output":7,"inputCacheRead":60,"inputCacheCreation":0},"messageId":"m")");
}
std::string answer(const std::string &words) { return begin() + text(words) + end(); }
std::string request() { return record("llm.request", R"("kind":"loop","model":"kimi-k2")"); }

QString atEnd(const SessionPtr &session) { return QString::fromStdString(testing::describe(*session)); }

} // namespace

/// Wire logs of Kimi CLI.
class KimiCliTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsALog();
    void resultsFollowTheirStep();
    void wordsOfTheHarnessAreInjected();
    void aCompactionKeepsPrompts();
    void anOldCompactionKeepsTheEnd();
    void undoneAndClearedMessagesLeave();
    void aGrowingLogIsReadOn();
};

void KimiCliTest::readsALog()
{
    const SessionPtr session = testing::sound(record("metadata", R"("protocol_version":"1.4")")
        + record("config.update", R"("systemPrompt":"sys","cwd":"/w")")
        + record("llm.tools_snapshot", R"("tools":[{"name":"Bash"}])") + message("hi") + begin() + request()
        + thought("t") + text("a") + end());
    QCOMPARE(QString::fromStdString(session->format), u"kimi-cli"_s);
    QCOMPARE(QString::fromStdString(session->title), u"hi"_s);
    QCOMPARE(QString::fromStdString(session->model), u"kimi-k2"_s);
    QCOMPARE(QString::fromStdString(session->workingFolder), u"/w"_s);
    QCOMPARE(atEnd(session), uR"(user{text+typed "hi"} assistant{thinking "t", text "a"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 1U);
    QCOMPARE(thread.prelude.value().size(), 2U);
    const Usage usage = thread.calls[0].usage.value();
    QCOMPARE(usage.prompt(), 100U);
    QCOMPARE(usage.cacheRead, 60U);
    QCOMPARE(usage.output, 7U);
}

void KimiCliTest::resultsFollowTheirStep()
{
    const SessionPtr session = testing::sound(message("hi") + begin() + call("c1") + result("c1", "\"r1\"")
        + message("note", R"({"kind":"injection"})") + call("c2")
        + result("c2", R"([{"type":"text","text":"x"},{"type":"text","text":"y"}])", R"(,"isError":true)") + end()
        + answer("done"));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{call Bash#c1 "{"command": "ls"}", call Bash#c2 "{"command": "ls"}"} tool{result Bash#c1 "r1"} user{text+injected "note"} tool{result+error Bash#c2 "x
y"} assistant{text "done"})"_s);
    QCOMPARE(session->threads.front().calls.size(), 2U);
    QCOMPARE(session->threads.front().calls[1].input.blockCount(), 6U);
}

void KimiCliTest::wordsOfTheHarnessAreInjected()
{
    const SessionPtr session = testing::sound(message("reminder", R"({"kind":"injection","variant":"plan_mode"})")
        + message("task", R"({"kind":"system_trigger","name":"subagent"})") + answer("a"));
    QCOMPARE(atEnd(session), uR"(user{text+injected "reminder"} user{text "task"} assistant{text "a"})"_s);
}

void KimiCliTest::aCompactionKeepsPrompts()
{
    const SessionPtr session = testing::sound(message("u1") + answer("a1") + message("u2") + answer("a2")
        + message("u3") + answer("a3")
        + record("context.apply_compaction",
            R"("summary":"short","contextSummary":"sum","compactedCount":6,"tokensBefore":900,"tokensAfter":90,"keptUserMessageCount":2)")
        + answer("a4"));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "u2"} user{text+typed "u3"} user{text+summary "sum"} assistant{text "a4"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 4U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].beforeTokens.value(), 900U);
    QCOMPARE(thread.compactions[0].afterTokens.value(), 100U);
    QCOMPARE(thread.compactions[0].after.blockCount(), 3U);
}

void KimiCliTest::anOldCompactionKeepsTheEnd()
{
    const SessionPtr session = testing::sound(message("u1") + answer("a1") + message("u2")
        + record("context.apply_compaction", R"("summary":"sum","compactedCount":2)") + answer("a2"));
    QCOMPARE(atEnd(session), uR"(user{text+summary "sum"} user{text+typed "u2"} assistant{text "a2"})"_s);
}

void KimiCliTest::undoneAndClearedMessagesLeave()
{
    const SessionPtr undone = testing::sound(message("u1") + answer("a1") + message("u2") + answer("a2")
        + record("context.undo", R"("count":1)") + message("u3"));
    QCOMPARE(atEnd(undone), uR"(user{text+typed "u1"} assistant{text "a1"} user{text+typed "u3"})"_s);
    QCOMPARE(undone->threads.front().compactions.front().kind, CompactionKind::Rollback);
    const SessionPtr cleared
        = testing::sound(message("u1") + answer("a1") + record("context.clear", R"("x":1)") + message("u2"));
    QCOMPARE(atEnd(cleared), uR"(user{text+typed "u2"})"_s);
}

void KimiCliTest::aGrowingLogIsReadOn()
{
    const std::string log = message("u1") + begin() + request() + call("c1") + result("c1", "\"r\"") + end()
        + record("context.apply_compaction", R"("summary":"s","keptUserMessageCount":1)") + answer("a");
    const std::string problem = testing::problemOfGrowing(kKimiCli, log);
    QVERIFY2(problem.empty(), problem.c_str());
}

PALIMPSEST_TEST(KimiCliTest)
#include "tst_kimi_cli.moc"
