// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

const std::string kHead
    = R"("schema_version":"ATIF-v1.5","session_id":"s1","agent":{"name":"terminus","version":"2","model_name":"gpt-5","tool_definitions":[{"type":"function","function":{"name":"bash"}}]})";
const std::string kSystem = R"({"step_id":1,"source":"system","message":"s"})";
const std::string kTask = R"({"step_id":2,"source":"user","message":"go"})";
const std::string kStep
    = R"({"step_id":3,"timestamp":"2025-12-11T22:17:50.071Z","source":"agent","message":"look","reasoning_content":"hm",)"
      R"("tool_calls":[{"tool_call_id":"c1","function_name":"bash","arguments":{"command":"ls"}}],)"
      R"("observation":{"results":[{"source_call_id":"c1","content":"a.py"},{"content":"a notice"}]},)"
      R"("metrics":{"prompt_tokens":100,"completion_tokens":9,"cached_tokens":60}})";

std::string document(const std::string &steps, const std::string &more = "")
{
    return "{" + kHead + ",\"steps\":[" + steps + "]" + (more.empty() ? "" : "," + more) + "}";
}

const std::string kArray
    = R"(system{text "s"} user{text+typed "go"} assistant{thinking "hm", text "look", call bash#c1 "{"command": "ls"}"} )"
      R"(tool{result bash#c1 "a.py"} user{text+injected "a notice"})";

} // namespace

/// Trajectories in ATIF.
class AtifTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDocument();
    void lines();
    void copiedSteps();
    void subagents();
    void resultsAsStepsOfTheHarness();
};

void AtifTest::aDocument()
{
    const auto session = testing::load(document(kSystem + ",\n" + kTask + ",\n" + kStep));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "atif");
    QCOMPARE((*session)->harness, "terminus 2");
    QCOMPARE((*session)->title, "go");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session), kArray);
    const Call &call = (*session)->threads.front().calls.at(0);
    QCOMPARE(call.usage, (Usage { 40, 60, 0, 9 }));
    QVERIFY(!call.isDerived);
    QVERIFY(call.prelude.has_value());
    QCOMPARE((*session)->modelOf(call), "gpt-5");
}

void AtifTest::lines()
{
    const auto session
        = testing::load("{\"__header__\":true," + kHead + "}\n" + kSystem + "\n" + kTask + "\n" + kStep + "\n");
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "atif");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::describe(**session), kArray);
}

void AtifTest::copiedSteps()
{
    const auto session = testing::load(document(kTask
        + R"(,{"step_id":3,"source":"agent","message":"old","is_copied_context":true},{"step_id":4,"source":"agent","message":"new"})"));
    QVERIFY(session);
    QCOMPARE((*session)->threads.front().calls.size(), 1U);
    QCOMPARE((*session)->threads.front().calls.front().input.blockCount(), 2U);
}

void AtifTest::subagents()
{
    const auto session
        = testing::load(document(kTask, R"("subagent_trajectories":[)" + document(kTask + "," + kStep) + "]"));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->threads.size(), 2U);
    QCOMPARE((*session)->threads[1].kind, ThreadKind::Subagent);
}

/// Not as the RFC has it.
void AtifTest::resultsAsStepsOfTheHarness()
{
    const auto session = testing::load(document(kTask
        + R"(,{"step_id":3,"source":"agent","message":"look","tool_calls":[{"id":"c1","name":"Bash","arguments":{"command":"ls"}}]})"
          R"(,{"step_id":4,"source":"system","message":"Tool result for c1","observation":{"type":"tool_result","content":"no","result":{"success":false}}})"));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QVERIFY2(testing::describe(**session).ends_with(R"(tool{result+error Bash#c1 "no"})"),
        testing::describe(**session).c_str());
}

PALIMPSEST_TEST(AtifTest)
#include "tst_atif.moc"
