// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

std::string entry(const std::string &id, const std::string &type, const std::string &data)
{
    return R"({"type":")" + type + R"(","data":{)" + data + R"(},"id":")" + id
        + R"(","timestamp":"2026-01-18T23:00:00.000Z","parentId":null})"
          "\n";
}
std::string start()
{
    return entry("e0", "session.start",
        R"("sessionId":"s1","copilotVersion":"0.0.420","selectedModel":"gpt-5","context":{"cwd":"/w"})");
}
std::string user(const std::string &id, const std::string &words)
{
    return entry(id, "user.message",
        R"("content":")" + words + R"(","transformedContent":"now )" + words + R"(","attachments":[])");
}
/// `more` are further members.
std::string answer(const std::string &id, const std::string &words, const std::string &more = R"("toolRequests":[])")
{
    return entry(id, "assistant.message", R"("messageId":"m)" + id + R"(","content":")" + words + R"(",)" + more);
}
std::string call(const std::string &id, const std::string &name, const std::string &arguments)
{
    return R"("toolRequests":[{"toolCallId":")" + id + R"(","name":")" + name + R"(","arguments":)" + arguments + "}]";
}
std::string result(
    const std::string &id, const std::string &call, const std::string &words, const std::string &more = "")
{
    return entry(id, "tool.execution_complete",
        R"("toolCallId":")" + call + R"(","success":true,"result":{"content":")" + words
            + R"(","detailedContent":"details"})" + more);
}

QString atEnd(const SessionPtr &session, size_t thread = 0)
{
    return QString::fromStdString(testing::describe(*session, thread));
}

} // namespace

/// Sessions of GitHub Copilot CLI.
class CopilotCliTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsASession();
    void failuresAreErrors();
    void subagentsAreThreads();
    void aCompactionKeepsWhatCameInMeanwhile();
    void theUsageOfACall();
    void aTruncationIsNoted();
    void aGrowingLogIsReadOn();
};

void CopilotCliTest::readsASession()
{
    const SessionPtr session = testing::sound(start() + entry("e1", "system.message", R"("content":"system")")
        + user("e2", "hi") + answer("e3", "", R"("reasoningText":"think",)" + call("c1", "bash", R"({"command":"ls"})"))
        + result("e4", "c1", "a b") + entry("e5", "hook.start", "") + answer("e6", "done"));
    QCOMPARE(QString::fromStdString(session->format), u"copilot-cli"_s);
    QCOMPARE(QString::fromStdString(session->harness), u"Copilot CLI 0.0.420"_s);
    QCOMPARE(QString::fromStdString(session->title), u"hi"_s);
    QCOMPARE(QString::fromStdString(session->model), u"gpt-5"_s);
    QCOMPARE(QString::fromStdString(session->workingFolder), u"/w"_s);
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "now hi"} assistant{thinking "think", call bash#c1 "{"command": "ls"}"} tool{result bash#c1 "a b"} assistant{text "done"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 4U);
    QVERIFY(!thread.calls[1].usage);
    QCOMPARE(thread.prelude.value().size(), 1U);
    QVERIFY(session->sideBytes > 0);
}

void CopilotCliTest::failuresAreErrors()
{
    const SessionPtr session
        = testing::sound(start() + user("e1", "hi") + answer("e2", "", call("c1", "bash", R"("{\"command\":\"ls\"}")"))
            + entry("e3", "tool.execution_complete",
                R"("toolCallId":"c1","success":false,"error":{"message":"denied","code":"denied"})"));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "now hi"} assistant{call bash#c1 "{"command":"ls"}"} tool{result+error bash#c1 "denied"})"_s);
    QCOMPARE(QString::fromUtf8(session->string(session->blocks[1].subject)), u"ls"_s);
}

void CopilotCliTest::subagentsAreThreads()
{
    const std::string of = R"(,"parentToolCallId":"c1")";
    const SessionPtr session
        = testing::sound(start() + user("e1", "hi") + answer("e2", "", call("c1", "task", R"({"prompt":"look"})"))
            + entry("e3", "subagent.started", R"("toolCallId":"c1","agentName":"explore","agentDisplayName":"Explore")")
            + answer("e4", "", call("c2", "bash", R"({"command":"ls"})") + of) + result("e5", "c2", "a", of)
            + answer("e6", "found", R"("toolRequests":[])" + of) + result("e7", "c1", "found") + answer("e8", "done"));
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "now hi"} assistant{call task#c1 "{"prompt": "look"}"} tool{result task#c1 "found"} assistant{text "done"})"_s);
    QCOMPARE(atEnd(session, 1),
        uR"(assistant{call bash#c2 "{"command": "ls"}"} tool{result bash#c2 "a"} assistant{text "found"})"_s);
    const Thread &agent = session->threads[1];
    QCOMPARE(agent.kind, ThreadKind::Subagent);
    QCOMPARE(QString::fromStdString(agent.title), u"Explore"_s);
    QCOMPARE(session->block(agent.parentCall).kind, BlockKind::ToolCall);
}

void CopilotCliTest::aCompactionKeepsWhatCameInMeanwhile()
{
    const SessionPtr session = testing::sound(start() + user("e1", "u1") + answer("e2", "a1")
        + entry("e3", "session.compaction_start", "") + user("e4", "u2")
        + entry("e5", "session.compaction_complete",
            R"("success":true,"preCompactionTokens":1000,"messagesRemoved":2,"summaryContent":"sum")")
        + answer("e6", "a2"));
    QCOMPARE(atEnd(session), uR"(user{text+summary "sum"} user{text+typed "now u2"} assistant{text "a2"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 2U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Summary);
    QCOMPARE(thread.compactions[0].beforeTokens.value(), 1000U);
    QCOMPARE(thread.compactions[0].before.blockCount(), 3U);
}

/// Its record stands before the response and names it. The input counts the cached tokens.
void CopilotCliTest::theUsageOfACall()
{
    const SessionPtr session = testing::sound(start() + user("e1", "hi")
        + entry("e2", "session.usage_record",
            R"("usage":{"inputTokens":5000,"outputTokens":9,"cacheReadTokens":2000,"cacheWriteTokens":700,"apiCallId":"r1"})")
        + answer("e3", "one", R"("apiCallId":"r1","toolRequests":[])")
        + answer("e4", "two", R"("apiCallId":"r2","toolRequests":[])"));
    const std::vector<Call> &calls = session->threads.front().calls;
    QCOMPARE(calls.size(), 2U);
    QCOMPARE(calls[0].usage, (Usage { 2300, 2000, 700, 9 }));
    QVERIFY(!calls[1].usage);
}

void CopilotCliTest::aTruncationIsNoted()
{
    const SessionPtr session = testing::sound(
        start() + user("e1", "u1") + answer("e2", "a1") + entry("e3", "session.truncation", R"("tokenLimit":100)"));
    QCOMPARE(QString::fromStdString(testing::diagnosticsOf(*session)).trimmed(),
        u"4: The harness left messages out of the array here. The file does not say which. So Palimpsest shows all of them as sent."_s);
}

void CopilotCliTest::aGrowingLogIsReadOn()
{
    const std::string log = start() + user("e1", "u1") + answer("e2", "", call("c1", "bash", "{}"))
        + result("e3", "c1", "r") + answer("e4", "a", R"("toolRequests":[],"parentToolCallId":"c1")")
        + entry("e5", "session.compaction_complete", R"("success":true,"summaryContent":"sum")") + answer("e6", "b");
    const std::string problem = testing::problemOfGrowing(kCopilotCli, log);
    QVERIFY2(problem.empty(), problem.c_str());
}

PALIMPSEST_TEST(CopilotCliTest)
#include "tst_copilot_cli.moc"
