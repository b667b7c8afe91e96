// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using testing::joined;

namespace {

/// A message of SWE-agent; `more` are further members.
std::string message(const std::string &role, const std::string &text, const std::string &more = "")
{
    return R"({"role":")" + role + R"(","content":")" + text + R"(","agent":"main")" + (more.empty() ? "" : "," + more)
        + "}";
}

std::string step(const std::string &response, const std::string &more = "")
{
    return R"({"action":"ls","observation":"a.py","response":")" + response + R"(","thought":"t","state":"{}")"
        + (more.empty() ? "" : "," + more) + "}";
}

std::string trajectory(const std::vector<std::string> &steps, const std::vector<std::string> &history)
{
    return R"({"environment":"main","trajectory":[)" + joined(steps, ",\n") + "],\n\"history\":["
        + joined(history, ",\n")
        + R"(],"info":{"exit_status":"submitted"},"replay_config":{"agent":{"model":{"name":"gpt-4o"}}}})";
}

const std::string kCall = R"("tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":)"
                          "\"{\\\"command\\\":\\\"ls\\\"}\"}}]";

std::string mini(const std::vector<std::string> &messages)
{
    return R"({"info":{"mini_version":"2.2.7","config":{"model":{"model_name":"deepseek/deepseek-chat"},"environment":{"cwd":"/testbed"}}},)"
           R"("messages":[)"
        + joined(messages, ",\n") + R"(],"trajectory_format":"mini-swe-agent-1.1","instance_id":"a-1"})";
}

std::string arrayOfCall(const Session &session, size_t call)
{
    std::string all;
    session.threads.front().calls.at(call).input.forEach(
        [&](BlockId id) { all += (all.empty() ? "" : " | ") + session.text(session.block(id).body); });
    return all;
}

std::string outputOfCall(const Session &session, size_t call)
{
    std::string all;
    const BlockRange output = session.threads.front().calls.at(call).output;
    for (uint32_t i = output.begin; i < output.end; ++i)
        all += (all.empty() ? "" : " | ") + session.text(session.block(BlockId(i)).body);
    return all;
}

} // namespace

/// Trajectories of SWE-agent and mini-SWE-agent.
class SweAgentTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTextTrajectory();
    void toolCalls();
    void whatWasSentInPlaceOfOldObservations();
    void queriesThatRepeatTheHistory();
    void aResponseThatWasSentBack();
    void arraysOfAnotherHistory();
    void aMiniTrajectory();
    void whoWroteAUserMessage();
};

void SweAgentTest::aTextTrajectory()
{
    const auto session = testing::load(trajectory({ step("look"), step("submit it") },
        { message("system", "s"), message("user", "shown", "\"is_demo\":true"), message("user", "the task"),
            message("assistant", "look", R"("thought":"look","action":"ls")"), message("user", "a.py") }));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "swe-agent");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session),
        R"(system{text "s"} user{text+injected "shown"} user{text+typed "the task"} assistant{text "look"} )"
        R"(user{text+injected "a.py"})");
    QCOMPARE((*session)->title, "the task");
    QCOMPARE((*session)->model, "gpt-4o");
    QCOMPARE((*session)->threads.front().calls.size(), 2U);
    QCOMPARE(arrayOfCall(**session, 0), "s | shown | the task");
    QCOMPARE(arrayOfCall(**session, 1), "s | shown | the task | look | a.py");
    QCOMPARE(outputOfCall(**session, 1), "submit it");
    QVERIFY((*session)->threads.front().calls.front().isDerived);
}

void SweAgentTest::toolCalls()
{
    const auto session = testing::load(trajectory({ step("look") },
        { message("user", "go"), message("assistant", "look", kCall),
            message("tool", "a.py", R"("tool_call_ids":["c1"])") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session),
        R"(user{text+typed "go"} assistant{text "look", call bash#c1 "{"command":"ls"}"} tool{result bash#c1 "a.py"})");
}

/// Version 1.0 records the array behind each step, 1.1 the array that the step sent.
void SweAgentTest::whatWasSentInPlaceOfOldObservations()
{
    const std::string task = message("user", "go");
    const std::string one = message("assistant", "one");
    const std::string seen = message("user", "a\\nb\\nc");
    const std::string gone = message("user", "Old environment output: (3 lines omitted)");
    const std::string two = message("assistant", "two");
    const std::string more = message("user", "d");
    const std::string three = message("assistant", "three");
    const auto list = [](const std::string &key, const std::vector<std::string> &messages) {
        return "\"" + key + "\":[" + joined(messages, ",\n") + "]";
    };
    const auto after = trajectory({ step("one", list("messages", { task, one, seen })),
                                      step("two", list("messages", { task, one, gone, two, more })),
                                      step("three", list("messages", { task, one, gone, two, more, three })) },
        { task, one, seen, two, more, three });
    const auto before
        = trajectory({ step("one", list("query", { task })), step("two", list("query", { task, one, seen })),
                         step("three", list("query", { task, one, gone, two, more })) },
            { task, one, seen, two, more, three });
    for (const std::string &text : { after, before }) {
        const auto session = testing::load(text);
        QVERIFY(session);
        QCOMPARE(testing::brokenRule(**session), "");
        QCOMPARE(testing::diagnosticsOf(**session), "");
        const Thread &thread = (*session)->threads.front();
        QCOMPARE(thread.calls.size(), 3U);
        QCOMPARE(arrayOfCall(**session, 1), "go | one | a\nb\nc");
        QCOMPARE(arrayOfCall(**session, 2), "go | one | Old environment output: (3 lines omitted) | two | d");
        QVERIFY(!thread.calls[0].isDerived);
        QVERIFY(!thread.calls[2].isDerived);
        QCOMPARE(thread.compactions.size(), 1U);
        QCOMPARE(thread.compactions.front().kind, CompactionKind::Clearing);
        QCOMPARE(thread.compactions.front().call, CallIndex(1U));
        QCOMPARE(thread.compactions.front().before.blockCount(), 5U);
        QCOMPARE(testing::slotsAtEnd(*session), 6U);
        QVERIFY(testing::describe(**session).contains("a\nb\nc") || testing::describe(**session).contains("a\\nb\\nc"));
    }
}

void SweAgentTest::queriesThatRepeatTheHistory()
{
    const std::string task = message("user", "go");
    const std::string marked
        = R"({"role":"user","content":[{"type":"text","text":"go","cache_control":{"type":"ephemeral"}}],"agent":"main"})";
    const auto session = testing::load(
        trajectory({ step("one", "\"query\":[" + marked + "]") }, { task, message("assistant", "one") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->blocks.size(), 2U);
    QVERIFY((*session)->blocks.front().is(BlockFlag::CacheMark));
    QVERIFY((*session)->threads.front().compactions.empty());
}

/// The harness sends the response and the error back. The history has only the response that came then.
void SweAgentTest::aResponseThatWasSentBack()
{
    const std::string task = message("user", "go");
    const std::string again
        = "\"query\":[" + joined({ task, message("assistant", "bad"), message("user", "an error") }, ",\n") + "]";
    const auto session = testing::load(trajectory(
        { step("bad", "\"query\":[" + task + "]"), step("good", again) }, { task, message("assistant", "good") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->threads.front().calls.size(), 2U);
    QCOMPARE(outputOfCall(**session, 0), "bad");
    QCOMPARE(arrayOfCall(**session, 1), "go | bad | an error");
    QCOMPARE(outputOfCall(**session, 1), "good");
    QCOMPARE(testing::slotsAtEnd(*session), 2U);
}

void SweAgentTest::arraysOfAnotherHistory()
{
    const auto session = testing::load(trajectory({ step("one", "\"query\":[" + message("system", "s") + "]") },
        { message("user", "go"), message("assistant", "one") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(arrayOfCall(**session, 0), "go");
}

void SweAgentTest::aMiniTrajectory()
{
    const auto session = testing::load(mini({ R"({"role":"system","content":"s"})", R"({"role":"user","content":"go"})",
        R"({"role":"assistant","content":"look",)" + kCall
            + R"(,"extra":{"response":{"model":"deepseek-chat","usage":{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":60}}},"timestamp":1776066176.6}})",
        R"({"role":"tool","tool_call_id":"c1","content":"<returncode>1</returncode>","extra":{"returncode":1}})",
        R"({"role":"exit","content":"diff"})" }));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "mini-swe-agent");
    QCOMPARE((*session)->harness, "mini-SWE-agent 2.2.7");
    QCOMPARE((*session)->workingFolder, "/testbed");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session),
        R"(system{text "s"} user{text+typed "go"} assistant{text "look", call bash#c1 "{"command":"ls"}"} )"
        R"(tool{result+error bash#c1 "<returncode>1</returncode>"})");
    const Call &call = (*session)->threads.front().calls.at(0);
    QCOMPARE(call.usage, (Usage { 40, 60, 0, 9 }));
    QVERIFY(!call.isDerived);
    QCOMPARE(call.time, Timestamp(1776066176600));
    QCOMPARE((*session)->modelOf(call), "deepseek-chat");
}

void SweAgentTest::whoWroteAUserMessage()
{
    const auto session = testing::load(mini({ R"({"role":"user","content":"go"})",
        R"({"role":"assistant","content":"look"})", R"({"role":"user","content":"no command found"})",
        R"({"role":"user","content":"Interrupted by user: stop","extra":{"interrupt_type":"UserInterruption"}})" }));
    QVERIFY(session);
    QCOMPARE(testing::describe(**session),
        R"(user{text+typed "go"} assistant{text "look"} user{text+injected "no command found"} )"
        R"(user{text+typed "Interrupted by user: stop"})");
}

PALIMPSEST_TEST(SweAgentTest)
#include "tst_swe_agent.moc"
