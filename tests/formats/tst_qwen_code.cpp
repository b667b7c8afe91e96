// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A record; `parent` "" is none.
std::string record(const std::string &id, const std::string &parent, const std::string &type, const std::string &more)
{
    return R"({"uuid":")" + id + R"(","parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"")
        + R"(,"sessionId":"s1","timestamp":"2026-08-17T13:00:00.000Z","type":")" + type
        + R"(","cwd":"/w","version":"0.21.13",)" + more + "}\n";
}
std::string user(const std::string &id, const std::string &parent, const std::string &words)
{
    return record(id, parent, "user", R"("message":{"role":"user","parts":[{"text":")" + words + R"("}]})");
}
std::string answer(const std::string &id, const std::string &parent, const std::string &parts)
{
    return record(id, parent, "assistant",
        R"("model":"qwen3-coder","usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,"candidatesTokenCount":10,"thoughtsTokenCount":4,"totalTokenCount":110},"message":{"role":"model","parts":[)"
            + parts + "]}");
}
std::string text(const std::string &words) { return R"({"text":")" + words + R"("})"; }
std::string call(const std::string &id)
{
    return R"({"functionCall":{"id":")" + id + R"(","name":"read_file","args":{"path":"a.cpp"}}})";
}
std::string result(
    const std::string &id, const std::string &parent, const std::string &callId, const std::string &status)
{
    return record(id, parent, "tool_result",
        R"("toolCallResult":{"callId":")" + callId + R"(","status":")" + status
            + R"("},"message":{"role":"user","parts":[{"functionResponse":{"id":")" + callId
            + R"(","name":"read_file","response":{"output":"o"}}}]})");
}
std::string compression(const std::string &id, const std::string &parent, const std::string &history)
{
    return record(id, parent, "system",
        R"("subtype":"chat_compression","systemPayload":{"info":{"originalTokenCount":900,"newTokenCount":90},"compressedHistory":[)"
            + history + "]}");
}
std::string content(const std::string &role, const std::string &words)
{
    return R"({"role":")" + role + R"(","parts":[)" + text(words) + "]}";
}

} // namespace

/// Chats of Qwen Code.
class QwenCodeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAChat();
    void recordsOfOneIdAreOneMessage();
    void aRewindIsARollback();
    void aCompressionKeepsWhatItShowsAgain();
    void wordsTypedMeanwhileJoinTheResults();
    void aTitleOfTheUserCounts();
    void aGrowingLogIsReadOn();
};

void QwenCodeTest::readsAChat()
{
    const SessionPtr session
        = testing::sound(user("1", "", "hi") + answer("2", "1", R"({"text":"t","thought":true},)" + call("c1"))
            + result("3", "2", "c1", "error") + answer("4", "3", text("done")));
    QCOMPARE(QString::fromStdString(session->format), u"qwen-code"_s);
    QCOMPARE(QString::fromStdString(session->harness), u"Qwen Code 0.21.13"_s);
    QCOMPARE(QString::fromStdString(session->title), u"hi"_s);
    QCOMPARE(QString::fromStdString(testing::describe(*session)),
        uR"(user{text+typed "hi"} assistant{thinking "t", call read_file#c1 "{"path": "a.cpp"}"} user{result+error read_file#c1 "o"} assistant{text "done"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 4U);
    const Usage usage = thread.calls[1].usage.value();
    QCOMPARE(usage.prompt(), 100U);
    QCOMPARE(usage.cacheRead, 60U);
    QCOMPARE(usage.output, 10U);
    QCOMPARE(usage.reasoning.value(), 4U);
    QCOMPARE(QString::fromStdString(session->model), u"qwen3-coder"_s);
}

void QwenCodeTest::recordsOfOneIdAreOneMessage()
{
    const SessionPtr session
        = testing::sound(user("1", "", "hi") + answer("2", "1", text("a")) + answer("2", "1", text("b")));
    QCOMPARE(QString::fromStdString(testing::describe(*session)),
        uR"(user{text+typed "hi"} assistant{text "a", text "b"})"_s);
    QCOMPARE(session->threads.front().calls.size(), 1U);
}

void QwenCodeTest::aRewindIsARollback()
{
    const SessionPtr session = testing::sound(user("1", "", "u1") + answer("2", "1", text("a1")) + user("3", "2", "u2")
        + answer("4", "3", text("a2")) + record("5", "2", "system", R"("subtype":"rewind","systemPayload":{})")
        + user("6", "5", "u3"));
    QCOMPARE(QString::fromStdString(testing::describe(*session)),
        uR"(user{text+typed "u1"} assistant{text "a1"} user{text+typed "u3"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Rollback);
    QCOMPARE(thread.compactions[0].before.blockCount(), 4U);
}

void QwenCodeTest::aCompressionKeepsWhatItShowsAgain()
{
    const SessionPtr session = testing::sound(user("1", "", "u1") + answer("2", "1", text("a1")) + user("3", "2", "u2")
        + answer("4", "3", text("a2"))
        + compression("5", "4",
            content("user", "sum") + "," + content("model", "ok") + "," + content("user", "u2") + ","
                + content("model", "a2"))
        + user("6", "5", "u3") + answer("7", "6", text("a3")));
    QCOMPARE(QString::fromStdString(testing::describe(*session)),
        uR"(user{text+summary "sum"} assistant{text "ok"} user{text+typed "u2"} assistant{text "a2"} user{text+typed "u3"} assistant{text "a3"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 3U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].beforeTokens.value(), 900U);
    QCOMPARE(thread.compactions[0].after.blockCount(), 5U);
    QCOMPARE(session->blocks.size(), 8U); // kept messages count once
}

void QwenCodeTest::wordsTypedMeanwhileJoinTheResults()
{
    const std::string words
        = R"("subtype":"mid_turn_user_message","message":{"role":"user","parts":[{"text":"stop"}]})";
    const SessionPtr session = testing::sound(user("1", "", "u1") + answer("2", "1", call("c1"))
        + result("3", "2", "c1", "success") + record("4", "3", "user", words) + answer("5", "4", text("a")));
    QCOMPARE(QString::fromStdString(testing::describe(*session)),
        uR"(user{text+typed "u1"} assistant{call read_file#c1 "{"path": "a.cpp"}"} user{result read_file#c1 "o", text+typed "stop"} assistant{text "a"})"_s);
}

void QwenCodeTest::aTitleOfTheUserCounts()
{
    const SessionPtr session = testing::sound(user("1", "", "u1")
        + record("2", "1", "system", R"("subtype":"custom_title","systemPayload":{"customTitle":"Mine"})"));
    QCOMPARE(QString::fromStdString(session->title), u"Mine"_s);
}

void QwenCodeTest::aGrowingLogIsReadOn()
{
    const std::string log = user("1", "", "u1") + answer("2", "1", call("c1")) + result("3", "2", "c1", "success")
        + compression("4", "3", content("user", "sum")) + user("5", "4", "u2") + answer("6", "5", text("a"));
    const std::string problem = testing::problemOfGrowing(kQwenCode, log);
    QVERIFY2(problem.empty(), problem.c_str());
}

PALIMPSEST_TEST(QwenCodeTest)
#include "tst_qwen_code.moc"
