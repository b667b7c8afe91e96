// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

std::string listed(const std::vector<std::string> &events)
{
    std::string all;
    for (const std::string &event : events)
        all += (all.empty() ? "[" : ",\n") + event;
    return all + "]";
}

std::string said(int id, const std::string &source, const std::string &text)
{
    return R"({"id":)" + std::to_string(id) + R"(,"timestamp":"2025-01-27T22:44:56.900854","source":")" + source
        + R"(","action":"message","args":{"content":")" + text + R"("}})";
}

/// The response `r` with the call `c`; 100 tokens, of which 60 were cached.
std::string metadata(const std::string &response, const std::string &call)
{
    return R"("tool_call_metadata":{"function_name":"execute_bash","tool_call_id":")" + call
        + R"(","model_response":{"id":")" + response
        + R"(","model":"claude","choices":[{"message":{"role":"assistant","content":"look","tool_calls":[{"id":")"
        + call + R"(","type":"function","function":{"name":"execute_bash","arguments":"{\"command\":\"ls\"}"}}]}}],)"
        + R"("usage":{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":60}}}})";
}

std::string ran(int id, const std::string &response, const std::string &call, const std::string &action = "run")
{
    return R"({"id":)" + std::to_string(id) + R"(,"source":"agent","action":")" + action
        + R"(","args":{"command":"ls","thought":"look"},)" + metadata(response, call) + "}";
}

std::string seen(int id, const std::string &response, const std::string &call, const std::string &text)
{
    return R"({"id":)" + std::to_string(id) + R"(,"source":"agent","cause":1,"observation":"run",)"
        + metadata(response, call) + R"(,"content":")" + text + R"(","extras":{"command":"ls"},"success":true})";
}

std::string condensed(int id, const std::string &members)
{
    return R"({"id":)" + std::to_string(id) + R"(,"source":"agent","action":"condensation","args":{)" + members + "}}";
}

std::string arrayOf(const Session &session, const BlockRanges &array)
{
    std::string all;
    array.forEach([&](BlockId id) { all += (all.empty() ? "" : " | ") + session.text(session.block(id).body); });
    return all;
}

/// An event of version 1.
std::string made(const std::string &id, const std::string &kind, const std::string &members)
{
    return R"({"id":")" + id + R"(","timestamp":"2026-01-27T22:44:56.900854","source":"agent","kind":")" + kind + "\","
        + members + "}";
}

std::string action(
    const std::string &id, const std::string &response, const std::string &call, const std::string &thought)
{
    return made(id, "ActionEvent",
        R"("thought":[)" + (thought.empty() ? "" : R"({"type":"text","text":")" + thought + R"("})")
            + R"(],"action":{"kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":")" + call
            + R"(","tool_call":{"id":")" + call
            + R"(","name":"terminal","arguments":"{\"command\":\"ls\"}"},"llm_response_id":")" + response + "\"");
}

std::string result(const std::string &id, const std::string &call, const std::string &text)
{
    return made(id, "ObservationEvent",
        R"("observation":{"kind":"TerminalObservation","content":[{"type":"text","text":")" + text
            + R"("}],"is_error":false},"action_id":"a","tool_name":"terminal","tool_call_id":")" + call + "\"");
}

const std::string kPrompt
    = made("p", "SystemPromptEvent", R"("system_prompt":{"type":"text","text":"s"},"tools":[{"title":"terminal"}])");
const std::string kTask = made("m", "MessageEvent",
    R"("llm_message":{"role":"user","content":[{"type":"text","text":"go"}]},"extended_content":[{"type":"text","text":"a rule"}])");

} // namespace

/// Events of OpenHands, before version 1 and from it on.
class OpenHandsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTrajectory();
    void theCallThatEndsTheConversation();
    void parallelCalls();
    void aCondensation();
    void forgottenEvents();
    void aDelegate();
    void anEvaluation();
    void eventsOfVersion1();
    void aCondensationOfVersion1();
};

void OpenHandsTest::aTrajectory()
{
    const auto session = testing::load(
        listed({ R"({"id":0,"source":"environment","observation":"agent_state_changed","content":"","extras":{}})",
            said(1, "user", "go"), ran(2, "r1", "c1"), seen(3, "r1", "c1", "a.py"), said(4, "agent", "done") }));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "openhands");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session),
        R"(user{text+typed "go"} assistant{text "look", call execute_bash#c1 "{"command":"ls"}"} )"
        R"(tool{result execute_bash#c1 "a.py"} assistant{text "done"})");
    QCOMPARE((*session)->title, "go");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[0].usage, (Usage { 40, 60, 0, 9 }));
    QVERIFY(!thread.calls[0].isDerived);
    QVERIFY(thread.calls[1].isDerived);
    QCOMPARE((*session)->modelOf(thread.calls[0]), "claude");
}

void OpenHandsTest::theCallThatEndsTheConversation()
{
    const auto session
        = testing::load(listed({ said(1, "user", "go"), ran(2, "r1", "c1", "finish"), said(3, "user", "more") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::describe(**session), R"(user{text+typed "go"} assistant{text "look"} user{text+typed "more"})");
    QCOMPARE((*session)->threads.front().calls.front().output.size(), 2U);
}

void OpenHandsTest::parallelCalls()
{
    const auto session = testing::load(
        listed({ said(1, "user", "go"), ran(2, "r1", "c1"), ran(3, "r1", "c1"), seen(4, "r1", "c1", "a") }));
    QVERIFY(session);
    QCOMPARE((*session)->threads.front().calls.size(), 1U);
    QCOMPARE(testing::slotsAtEnd(*session), 3U);
}

void OpenHandsTest::aCondensation()
{
    const auto session = testing::load(listed({ said(1, "user", "go"), ran(2, "r1", "c1"), seen(3, "r1", "c1", "a.py"),
        ran(4, "r2", "c2"), seen(5, "r2", "c2", "b.py"),
        condensed(6, R"("forgotten_event_ids":[2,3],"summary":"it looked","summary_offset":1)"), ran(7, "r3", "c3") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.compactions.size(), 1U);
    const RecordedCompaction &compaction = thread.compactions.front();
    QCOMPARE(compaction.kind, CompactionKind::Summary);
    QCOMPARE(compaction.call, CallIndex(1U));
    const std::string call = R"(look | {"command":"ls"})";
    QCOMPARE(arrayOf(**session, compaction.before), "go | " + call + " | a.py | " + call + " | b.py");
    QCOMPARE(arrayOf(**session, compaction.after), "go | it looked | " + call + " | b.py");
    QVERIFY(thread.calls[2].input == compaction.after);
}

void OpenHandsTest::forgottenEvents()
{
    const auto session = testing::load(listed({ said(1, "user", "go"), ran(2, "r1", "c1"), seen(3, "r1", "c1", "a.py"),
        said(4, "user", "on"), condensed(5, R"("forgotten_events_start_id":2,"forgotten_events_end_id":3)") }));
    QVERIFY(session);
    QCOMPARE(testing::describe(**session), R"(user{text+typed "go"} user{text+typed "on"})");
    QCOMPARE((*session)->threads.front().compactions.front().kind, CompactionKind::Replacement);
    QVERIFY((*session)->threads.front().compactions.front().after == (*session)->threads.front().end);
}

void OpenHandsTest::aDelegate()
{
    const auto session = testing::load(listed({ said(1, "user", "go"), ran(2, "r1", "c1", "delegate"),
        said(3, "user", "the part"), ran(4, "r2", "c2"), seen(5, "r2", "c2", "x"),
        R"({"id":6,"source":"agent","observation":"delegate",)" + metadata("r1", "c1")
            + R"(,"content":"did it","extras":{}})" }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->threads.size(), 2U);
    QCOMPARE((*session)->threads[1].kind, ThreadKind::Subagent);
    QCOMPARE((*session)->threads[1].title, "the part");
    QCOMPARE(testing::slotsAtEnd(*session, 0), 3U);
    QCOMPARE(testing::slotsAtEnd(*session, 1), 3U);
    QVERIFY(testing::describe(**session).ends_with(R"(tool{result execute_bash#c1 "did it"})"));
}

/// Two rows; the old events have no source and no responses.
void OpenHandsTest::anEvaluation()
{
    const std::string row
        = R"({"instance_id":"i-1","history":[{"action":"message","content":"go"},)"
          R"([{"action":"run","command":"ls","thought":"look"},{"observation":"run","content":"a.py","command":"ls"}],)"
          R"({"action":"finish","thought":"done","outputs":{}}]})";
    const auto session = testing::load(row + "\n" + row + "\n");
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->threads.size(), 2U);
    QCOMPARE((*session)->threads[0].kind, ThreadKind::Run);
    QCOMPARE((*session)->threads[0].id, "i-1");
    QCOMPARE(testing::describe(**session, 1),
        R"(user{text+typed "go"} assistant{text "look", call run#action 1 "ls"} tool{result run#action 1 "a.py"} assistant{text "done"})");
    QVERIFY(testing::diagnosticsOf(**session).contains("put together from the thought and the action"));
}

void OpenHandsTest::eventsOfVersion1()
{
    const std::vector<std::string> events { kPrompt, kTask, action("a1", "r1", "c1", "look"),
        action("a2", "r1", "c2", ""), result("o1", "c1", "a.py"),
        made("e", "AgentErrorEvent", R"("error":"no","tool_name":"terminal","tool_call_id":"c2")"),
        made("x", "ConversationStateUpdateEvent", R"("key":"a","value":1)") };
    std::string lines;
    for (const std::string &each : events)
        lines += each + "\n";
    for (const std::string &text : { listed(events), lines }) {
        const auto session = testing::load(text);
        QVERIFY2(session, session ? "" : session.error().sentence().c_str());
        QCOMPARE((*session)->format, "openhands-events");
        QCOMPARE(testing::brokenRule(**session), "");
        QCOMPARE(testing::diagnosticsOf(**session), "");
        QCOMPARE(testing::describe(**session),
            R"(system{text "s"} user{text+typed "go", text+injected "a rule"} )"
            R"(assistant{text "look", call terminal#c1 "{"command":"ls"}", call terminal#c2 "{"command":"ls"}"} )"
            R"(tool{result terminal#c1 "a.py"} tool{result+error terminal#c2 "no"})");
        QCOMPARE((*session)->threads.front().calls.size(), 1U);
        QVERIFY((*session)->threads.front().prelude.has_value());
    }
}

void OpenHandsTest::aCondensationOfVersion1()
{
    const auto session = testing::load(listed({ kPrompt, kTask, action("a1", "r1", "c1", "look"),
        result("o1", "c1", "a.py"), action("a2", "r2", "c2", "more"), result("o2", "c2", "b.py"),
        made("k", "Condensation",
            R"("forgotten_event_ids":["a1","o1"],"summary":"it looked","summary_offset":2,"llm_response_id":"q")"),
        action("a3", "r3", "c3", "on") }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(arrayOf(**session, thread.compactions.front().after),
        R"(s | go | a rule | it looked | more | {"command":"ls"} | b.py)");
    QVERIFY(thread.calls.at(2).input == thread.compactions.front().after);
}

PALIMPSEST_TEST(OpenHandsTest)
#include "tst_openhands.moc"
