// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using testing::joined;

namespace {

std::string message(
    const std::string &id, const std::string &role, const std::string &text, const std::string &more = "")
{
    return "{" + (id.empty() ? "" : R"("id":")" + id + "\",") + R"("content":")" + text + R"(","role":")" + role + "\""
        + (more.empty() ? "" : "," + more) + "}";
}

/// A model event with 100 tokens of input, 60 of them cached.
std::string model(const std::vector<std::string> &input, const std::string &answer, const std::string &total = "109")
{
    return R"({"event":"model","timestamp":"2025-05-12T20:28:13+00:00","model":"openai/gpt-4o","input":[)"
        + joined(input, ",\n") + R"(],"tools":[{"name":"bash"}],"output":{"model":"gpt-4o","choices":[{"message":)"
        + answer + R"(}],"usage":{"input_tokens":100,"output_tokens":9,"total_tokens":)" + total
        + R"(,"input_tokens_cache_read":60}}})";
}

std::string log(
    const std::vector<std::string> &messages, const std::vector<std::string> &events, const std::string &more = "")
{
    return R"({"version":2,"status":"success","eval":{"task":"t","model":"openai/gpt-4o","packages":{"inspect_ai":"0.3.90"}},"samples":[{"id":1,"epoch":1,)"
           R"("input":"go","messages":[)"
        + joined(messages, ",\n") + R"(],"events":[)" + joined(events, ",\n") + "]" + (more.empty() ? "" : "," + more)
        + "}]}";
}

std::string arrayOf(const Session &session, const BlockRanges &array)
{
    std::string all;
    array.forEach([&](BlockId id) { all += (all.empty() ? "" : " | ") + session.text(session.block(id).body); });
    return all;
}

const std::string kTask = message("u", "user", "go", R"("source":"input")");

} // namespace

/// Logs of Inspect.
class InspectTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSample();
    void whatEachCallSent();
    void callsOfScorers();
    void logsWithoutIds();
    void cachedTokens();
};

void InspectTest::aSample()
{
    const std::string call
        = R"("tool_calls":[{"id":"c1","function":"bash","arguments":{"cmd":"ls"},"type":"function"}])";
    const auto session = testing::load(
        log({ kTask, message("a", "assistant", "look", call),
                message("r", "tool", "no",
                    R"("tool_call_id":"c1","function":"bash","error":{"type":"timeout","message":"late"})"),
                message("n", "user", "go on", R"("source":"other")") },
            { model({ kTask }, message("a", "assistant", "look", call)) }));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "inspect");
    QCOMPARE((*session)->harness, "Inspect 0.3.90");
    QCOMPARE((*session)->title, "t");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session),
        R"(user{text+typed "go"} assistant{text "look", call bash#c1 "{"cmd": "ls"}"} tool{result+error bash#c1 "no"} user{text+injected "go on"})");
    const Call &first = (*session)->threads.front().calls.at(0);
    QCOMPARE(first.usage, (Usage { 40, 60, 0, 9 }));
    QVERIFY(!first.isDerived);
    QVERIFY(first.prelude.has_value());
}

/// A message that was sent and is not in the sample any more stands in the array of its call, with its attachment.
void InspectTest::whatEachCallSent()
{
    const std::string old = message("o", "user", "attachment://h1");
    const std::string one = message("a", "assistant", "one");
    const std::string two = message("b", "assistant", "two");
    const auto session = testing::load(log({ kTask, two },
        { model({ kTask, old }, one), R"({"event":"compaction","type":"trim","tokens_before":100,"tokens_after":50})",
            model({ kTask }, two) },
        R"("attachments":{"h1":"a long text"})"));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(arrayOf(**session, thread.calls[0].input), "go | a long text");
    QCOMPARE(arrayOf(**session, thread.calls[1].input), "go");
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(arrayOf(**session, thread.compactions.front().before), "go | a long text | one");
    QVERIFY(thread.compactions.front().after == thread.calls[1].input);
    QCOMPARE(thread.compactions.front().beforeTokens, 100U);
}

void InspectTest::callsOfScorers()
{
    const std::string answer = message("a", "assistant", "one");
    const auto session = testing::load(log({ kTask, answer },
        { model({ kTask }, answer),
            model({ message("x", "user", "is it right?") }, message("y", "assistant", "yes")) }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->threads.size(), 2U);
    QCOMPARE((*session)->threads[0].calls.size(), 1U);
    QCOMPARE((*session)->threads[1].kind, ThreadKind::Subagent);
    QCOMPARE((*session)->threads[1].calls.size(), 1U);
    QCOMPARE((*session)->threads[1].calls.front().usage, (Usage { 40, 60, 0, 9 }));
}

void InspectTest::logsWithoutIds()
{
    const std::string answer = message("", "assistant", "one");
    const auto session = testing::load(
        log({ message("", "user", "go"), answer }, { model({ message("", "user", "tc://x") }, answer) }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.calls.size(), 1U);
    QCOMPARE(arrayOf(**session, thread.calls[0].input), "go");
    QVERIFY(!thread.calls[0].isDerived);
}

/// Some providers count cached tokens in the input, others beside it: the total says which.
void InspectTest::cachedTokens()
{
    const std::string answer = message("a", "assistant", "one");
    const auto session = testing::load(log({ kTask, answer }, { model({ kTask }, answer, "169") }));
    QVERIFY(session);
    QCOMPARE((*session)->threads.front().calls.at(0).usage, (Usage { 100, 60, 0, 9 }));
}

PALIMPSEST_TEST(InspectTest)
#include "tst_inspect.moc"
