// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

std::string listed(const std::vector<std::string> &messages) { return "[" + testing::joined(messages, ",\n") + "]"; }

std::string part(const std::string &text) { return R"({"type":"text","text":")" + text + "\"}"; }

std::string message(const std::string &role, const std::string &parts, int time, const std::string &more = "")
{
    return R"({"role":")" + role + R"(","content":[)" + parts + R"(],"ts":)" + std::to_string(time)
        + (more.empty() ? "" : "," + more) + "}";
}

std::string task(int time, const std::string &more = "")
{
    return message("user", part("<task>\\ngo\\n</task>") + "," + part("<environment_details>\\nx"), time, more);
}

std::string called(int time, const std::string &more = "")
{
    return message("assistant",
        part("look") + R"(,{"type":"tool_use","id":"t1","name":"write_to_file","input":{"path":"a","content":"b"}})",
        time, more);
}

std::string answered(int time, const std::string &more = "")
{
    return message("user", R"({"type":"tool_result","tool_use_id":"t1","content":"ok"})", time, more);
}

std::string arrayOf(const Session &session, const BlockRanges &array)
{
    std::string all;
    array.forEach([&](BlockId id) { all += (all.empty() ? "" : " | ") + session.text(session.block(id).body); });
    return all;
}

void write(const QString &path, const std::string &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(text));
}

} // namespace

/// Conversations of Cline and Roo Code.
class ClineTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aConversation();
    void whatTheHarnessWrote();
    void usageBesideTheConversation();
    void aFreshStart();
    void aSummaryThatReplaced();
    void hiddenMessages();
    void aSessionOfTheSdk();
    void aCompactionBesideTheMessages();
    void aCompactionOfOtherMessages();
    void aLongOutputIsNoted();
};

void ClineTest::aConversation()
{
    const auto session = testing::load(listed({ task(1000), called(2000), answered(3000) }));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "cline");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::diagnosticsOf(**session), "");
    QCOMPARE(testing::describe(**session),
        "user{text+typed \"<task>\ngo\n</task>\", text+injected \"<environment_details>\nx\"} "
        R"(assistant{text "look", call write_to_file#t1 "{"path": "a", "content": "b"}"} user{result write_to_file#t1 "ok"})");
    QCOMPARE((*session)->title, "go");
    QVERIFY((*session)->threads.front().calls.at(0).isDerived);
}

void ClineTest::whatTheHarnessWrote()
{
    const auto session = testing::load(listed({ task(1000), message("assistant", part("<read_file>"), 2000),
        message("user",
            part("[read_file for 'a'] Result:") + "," + part("body") + ","
                + part("\\n\\nNew instructions for task continuation:\\n<user_message>\\nstop\\n</user_message>"),
            3000) }));
    QVERIFY(session);
    size_t typed = 0;
    for (const Block &block : (*session)->blocks)
        typed += block.is(BlockFlag::Typed) ? 1 : 0;
    QCOMPARE(typed, 2U);
    QVERIFY((*session)->blocks[4].is(BlockFlag::Injected));
    QVERIFY((*session)->blocks.back().is(BlockFlag::Typed));
}

/// A request begins behind the response before it and ends with its own.
void ClineTest::usageBesideTheConversation()
{
    QTemporaryDir folder;
    const auto request = [](int time, const std::string &more) {
        return R"({"ts":)" + std::to_string(time) + R"(,"type":"say","say":"api_req_started","text":"{)" + more
            + R"(}"})";
    };
    const QString path = folder.filePath(u"api_conversation_history.json"_s);
    write(path, listed({ task(1000), called(2000), answered(2100), message("assistant", part("done"), 4000) }));
    write(folder.filePath(u"ui_messages.json"_s),
        listed({ request(500, R"(\"tokensIn\":7)"),
            request(1100,
                R"(\"tokensIn\":100,\"tokensOut\":9,\"cacheReads\":60,\"cacheWrites\":0,\"apiProtocol\":\"openai\")"),
            request(2200, R"(\"tokensIn\":100,\"tokensOut\":8,\"cacheReads\":60,\"cacheWrites\":5)") }));
    const auto session = loadSession(path.toStdString());
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[0].usage, (Usage { 40, 60, 0, 9 }));
    QCOMPARE(thread.calls[1].usage, (Usage { 100, 60, 5, 8 }));
    QVERIFY(!thread.calls[0].isDerived);
}

void ClineTest::aFreshStart()
{
    const std::string hidden = R"("condenseParent":"k")";
    const auto session = testing::load(listed({ task(1000, hidden), message("assistant", part("look"), 2000, hidden),
        message("user", part("a.py"), 3000, hidden),
        message("user", part("## Conversation Summary"), 4000, R"("isSummary":true,"condenseId":"k")"),
        message("assistant", part("on"), 5000) }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::describe(**session), R"(user{text+summary "## Conversation Summary"} assistant{text "on"})");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QVERIFY(arrayOf(**session, thread.calls[0].input).starts_with("<task>"));
    QCOMPARE(arrayOf(**session, thread.calls[1].input), "## Conversation Summary");
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions.front().before.blockCount(), 4U);
    QVERIFY(thread.compactions.front().after == thread.calls[1].input);
}

/// Old versions keep three messages behind the summary, and nothing of what it replaced.
void ClineTest::aSummaryThatReplaced()
{
    const auto session
        = testing::load(listed({ task(1000), message("assistant", part("summed up"), 3000, R"("isSummary":true)"),
            message("user", part("r"), 3000), message("assistant", part("before it"), 3100),
            message("user", part("q"), 3200), message("assistant", part("behind it"), 5000) }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.calls.size(), 1U);
    QCOMPARE((*session)->text((*session)->block(BlockId(thread.calls[0].output.begin)).body), "behind it");
    QCOMPARE(thread.compactions.size(), 1U);
    QVERIFY(thread.compactions.front().before.isEmpty());
    QVERIFY(
        testing::diagnosticsOf(**session).contains("A summary replaces messages here that the file does not contain."));
    QCOMPARE(testing::slotsAtEnd(*session), 6U);
}

void ClineTest::hiddenMessages()
{
    const std::string hidden = R"("truncationParent":"k")";
    const auto session = testing::load(listed(
        { task(1000), message("assistant", part("one"), 2000, hidden), message("user", part("two"), 3000, hidden),
            message("assistant", part("[Sliding window truncation]"), 3999,
                R"("isTruncationMarker":true,"truncationId":"k")"),
            message("user", part("three"), 4000) }));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::slotsAtEnd(*session), 3U);
    QCOMPARE((*session)->threads.front().calls.size(), 1U);
    QCOMPARE((*session)->threads.front().compactions.size(), 1U);
    QCOMPARE((*session)->threads.front().compactions.front().kind, CompactionKind::Replacement);
}

void ClineTest::aSessionOfTheSdk()
{
    const auto session = testing::load(
        R"({"version":1,"updated_at":"2026-07-15","agent":"lead","sessionId":"s1","messages":[)"
        R"({"id":"m1","role":"user","content":[{"type":"text","text":"go"},{"type":"text","text":"<SYSTEM_NOTICE>\nbefore"}],"ts":1783376868634,"metadata":{"kind":"compaction"}},)"
        R"({"id":"m2","role":"assistant","content":[{"type":"text","text":"ok"}],"ts":1783376868700,"modelInfo":{"id":"anthropic/claude-opus-4.8"},)"
        R"("metrics":{"inputTokens":100,"outputTokens":9,"cacheReadTokens":60,"cacheWriteTokens":0}}],"system_prompt":"You are Cline"})");
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(testing::describe(**session),
        "user{text+typed \"go\", text+summary \"<SYSTEM_NOTICE>\nbefore\"} assistant{text \"ok\"}");
    const Call &call = (*session)->threads.front().calls.at(0);
    QCOMPARE(call.usage, (Usage { 40, 60, 0, 9 }));
    QCOMPARE((*session)->modelOf(call), "anthropic/claude-opus-4.8");
    QVERIFY(call.prelude.has_value());
    QCOMPARE((*session)->threads.front().compactions.size(), 1U);
}

namespace {

std::string sdkMessage(const std::string &id, const std::string &role, const std::string &words)
{
    return R"({"id":")" + id + R"(","role":")" + role + R"(","content":[)" + part(words) + R"(],"ts":1783376868634})";
}

/// A session of four messages, and what was compacted of the first ones.
SessionPtr compacted(const std::string &lastKey)
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"s1.messages.json"_s);
    write(path,
        R"({"version":1,"updated_at":"2026","agent":"lead","sessionId":"s1","messages":)"
            + listed({ sdkMessage("m1", "user", R"(<user_input mode=\"act\">go</user_input>)"),
                sdkMessage("m2", "assistant", "one"), sdkMessage("m3", "user", "on"),
                sdkMessage("m4", "assistant", "two") })
            + "}");
    write(folder.filePath(u"s1.compaction.json"_s),
        R"({"version":1,"source_message_count":3,"source_last_message_key":"id:)" + lastKey + R"(","messages":)"
            + listed(
                { R"({"role":"user","content":[)" + part("in short") + R"(],"metadata":{"kind":"compaction_summary"}})",
                    sdkMessage("m3", "user", "on") })
            + "}");
    const auto session = loadSession(path.toStdString());
    return session ? *session : nullptr;
}

} // namespace

/// Cline's SDK keeps all messages; the file beside them says what was sent from one of them on.
void ClineTest::aCompactionBesideTheMessages()
{
    const SessionPtr session = compacted("m3");
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(*session), "");
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(arrayOf(*session, thread.calls[0].input), "go");
    QCOMPARE(arrayOf(*session, thread.calls[1].input), "in short | on");
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(arrayOf(*session, thread.compactions[0].before), "go | one | on");
    QCOMPARE(arrayOf(*session, thread.compactions[0].after), "in short | on");
    QVERIFY(session->blocks[3].is(BlockFlag::Summary));
    QCOMPARE(testing::diagnosticsOf(*session), "");
}

void ClineTest::aCompactionOfOtherMessages()
{
    const SessionPtr session = compacted("m9");
    QVERIFY(session);
    QVERIFY(session->threads.front().compactions.empty());
    QCOMPARE(arrayOf(*session, session->threads.front().calls[1].input), "go | one | on");
    QVERIFY(testing::diagnosticsOf(*session).contains("is damaged or belongs to other messages"));
}

void ClineTest::aLongOutputIsNoted()
{
    const auto withOutput = [](size_t characters) {
        const std::string result
            = R"({"type":"tool_result","tool_use_id":"t1","content":")" + std::string(characters, 'x') + "\"}";
        const auto session = testing::load(R"({"version":1,"updated_at":"2026","sessionId":"s1","messages":)"
            + listed({ task(1), called(2), message("user", result, 3) }) + "}");
        return session ? testing::diagnosticsOf(**session) : "not read";
    };
    QCOMPARE(withOutput(8000), "");
    QVERIFY(withOutput(8001).contains(
        "The array shows 1 longer result as a whole. Cline may have sent only a part of it."));
}

PALIMPSEST_TEST(ClineTest)
#include "tst_cline.moc"
