// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "core/writing/splice.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

QString atEnd(const SessionPtr &session, size_t thread = 0)
{
    return QString::fromStdString(testing::describe(*session, thread));
}

std::string kiro(const std::string &kind, const std::string &parts, const std::string &more = "")
{
    return R"({"version":"v1","kind":")" + kind + R"(","data":{"message_id":"m","content":[)" + parts + "]" + more
        + "}}\n";
}
std::string kiroText(const std::string &words) { return R"({"kind":"text","data":")" + words + R"("})"; }

std::string cursor(const std::string &role, const std::string &parts)
{
    return R"({"role":")" + role + R"(","message":{"content":[)" + parts + "]}}\n";
}
std::string droid(const std::string &role, const std::string &parts)
{
    return R"({"type":"message","id":"m","timestamp":"2026-03-09T08:14:01.000Z","message":{"role":")" + role
        + R"(","content":[)" + parts + "]}}\n";
}
const std::string kDroidStart = R"({"type":"session_start","id":"d1","title":"Modules","version":2,"cwd":"/w"})"
                                "\n";

/// A step of Antigravity; `more` has its content.
std::string step(const std::string &source, const std::string &type, const std::string &more)
{
    return R"({"step_index":1,"source":")" + source + R"(","type":")" + type
        + R"(","status":"DONE","created_at":"2026-03-09T08:14:01Z")" + more + "}\n";
}
std::string content(const std::string &words) { return R"(,"content":")" + words + "\""; }

std::string text(const std::string &words) { return R"({"type":"text","text":")" + words + R"("})"; }

} // namespace

/// Logs of Kiro CLI, Cursor, Droid, Grok CLI, Antigravity and Aider, and single messages of an API.
class SmallLogsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsKiro();
    void unknownRecordsOfKiroAreSlots();
    void kiroIsWritten();
    void readsCursor();
    void readsDroid();
    void readsGrok();
    void readsAntigravity();
    void growingLogsAreReadOn();
    void readsAider();
    void aiderRunsAreThreads();
    void commandsOfAiderAreNotSent();
    void linesOfAiderThatAreNoText();
    void aiderWithoutAPromptIsASentence();
    void oneMessage_data();
    void oneMessage();
};

void SmallLogsTest::readsKiro()
{
    const SessionPtr session = testing::sound(kiro("Prompt", kiroText("hi"), R"(,"meta":{"timestamp":1780841667})")
        + kiro("AssistantMessage",
            R"({"kind":"thinking","data":{"text":"t","signature":"s","modelId":"m1"}},)" + kiroText("look")
                + R"(,{"kind":"toolUse","data":{"toolUseId":"c1","name":"shell","input":{"command":"ls"}}})"
                + R"(,{"kind":"toolUse","data":{"toolUseId":"c2","name":"fs_read","input":{"path":"a"}}})")
        + kiro("ToolResults",
            R"({"kind":"toolResult","data":{"toolUseId":"c1","content":[{"kind":"json","data":{"out":"x"}}],"status":"success"}},)"
            R"({"kind":"toolResult","data":{"toolUseId":"c2","content":[{"kind":"text","data":"no"}],"status":"error"}})",
            R"(,"results":{"c1":{"copy":1}})")
        + kiro("AssistantMessage", kiroText("done")));
    QCOMPARE(session->format, "kiro-cli");
    QCOMPARE(session->title, "hi");
    QCOMPARE(session->model, "m1");
    QCOMPARE(testing::diagnosticsOf(*session), "");
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{thinking "t", text "look", call shell#c1 "{"command": "ls"}", call fs_read#c2 "{"path": "a"}"} tool{result shell#c1 "{"out": "x"}", result+error fs_read#c2 "no"} assistant{text "done"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 7U);
    QCOMPARE(session->messages.front().time.value(), 1780841667000);
    QVERIFY(session->sideBytes >= 17); // the copies of the results
}

void SmallLogsTest::unknownRecordsOfKiroAreSlots()
{
    const SessionPtr session = testing::sound(kiro("Prompt", kiroText("hi") + R"(,{"kind":"image","data":{"a":1}})")
        + kiro("Compaction", R"({"kind":"text","data":"s"})"));
    QCOMPARE(atEnd(session).left(120),
        uR"(user{text+typed "hi", opaque image "{"kind": "image", "data": {"a": 1}}"} user{opaque Compaction "{"version": "v1", "kin)"_s);
    QCOMPARE(testing::slotsAtEnd(session), 2U);
}

void SmallLogsTest::kiroIsWritten()
{
    const SessionPtr session = testing::sound(
        kiro("Prompt", kiroText("hi")) + kiro("AssistantMessage", kiroText("a")) + kiro("Prompt", kiroText("b")));
    SpliceEdits edits;
    edits.droppedMessages.push_back(session->block(BlockId(0U)).message);
    edits.insertions.push_back({ session->block(BlockId(2U)).message, Role::User, "summary", true });
    const auto spliced = spliceSession(*session, edits);
    QVERIFY2(spliced, spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(atEnd(testing::sound(spliced->bytes)),
        uR"(assistant{text "a"} user{text+typed "summary"} user{text+typed "b"})"_s);
}

void SmallLogsTest::readsCursor()
{
    const SessionPtr session = testing::sound(cursor("user", text("hi"))
        + cursor("assistant", text("look") + R"(,{"type":"tool_use","name":"Shell","input":{"command":"ls"}})")
        + cursor("assistant", text("done")) + R"({"type":"turn_ended","status":"success"})" + "\n");
    QCOMPARE(session->format, "cursor");
    QCOMPARE(testing::diagnosticsOf(*session), "");
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{text "look", call Shell "{"command": "ls"}"} assistant{text "done"})"_s);
    QCOMPARE(session->threads.front().calls.size(), 2U);
}

void SmallLogsTest::readsDroid()
{
    const SessionPtr session = testing::sound(kDroidStart + droid("user", text("<system-reminder>a</system-reminder>"))
        + droid("user", text("hi"))
        + droid("assistant",
            R"({"type":"thinking","thinking":"t"},)" + text("look")
                + R"(,{"type":"tool_use","id":"c1","name":"Read","input":{"file_path":"a"}})")
        + droid("user", R"({"type":"tool_result","tool_use_id":"c1","content":"no","is_error":true})")
        + droid("assistant", text("done")));
    QCOMPARE(session->format, "droid");
    QCOMPARE(session->title, "Modules");
    QCOMPARE(session->workingFolder, "/w");
    QCOMPARE(session->threads.front().id, "d1");
    QCOMPARE(testing::diagnosticsOf(*session), "");
    QCOMPARE(session->threads.front().calls.size(), 2U);
    QVERIFY(session->blocks[0].is(BlockFlag::Injected) && session->blocks[1].is(BlockFlag::Typed));
    const Block &result = session->blocks[5];
    QVERIFY(result.kind == BlockKind::ToolResult && result.is(BlockFlag::Error));
    QCOMPARE(QString::fromUtf8(session->string(result.subject)), u"a"_s);
    QVERIFY(!spliceSession(*session, {}));
}

void SmallLogsTest::readsGrok()
{
    const SessionPtr session = testing::sound(
        R"({"type":"system","content":"You are Grok."})"
        "\n"
        R"({"type":"user","content":[{"type":"text","text":"<user_info>"}],"synthetic_reason":"environment_context"})"
        "\n"
        R"({"type":"user","content":[{"type":"text","text":"hi"}],"prompt_index":0})"
        "\n"
        R"({"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"x"})"
        "\n"
        R"({"type":"assistant","content":"","tool_calls":[{"id":"c1","name":"ls","arguments":"{\"path\":\"a\"}"}],"model_id":"grok-4.5"})"
        "\n"
        R"({"type":"tool_result","tool_call_id":"c1","content":"out"})"
        "\n"
        R"({"type":"assistant","content":"done","model_id":"grok-4.5"})"
        "\n");
    QCOMPARE(session->format, "grok-cli");
    QCOMPARE(session->model, "grok-4.5");
    QCOMPARE(session->title, "hi");
    QCOMPARE(testing::diagnosticsOf(*session), "");
    QCOMPARE(session->threads.front().calls.size(), 2U);
    QCOMPARE(testing::slotsAtEnd(session), 7U);
    QVERIFY(session->blocks[1].is(BlockFlag::Injected) && session->blocks[2].is(BlockFlag::Typed));
    QVERIFY(session->blocks[3].kind == BlockKind::Thinking && session->blocks[5].kind == BlockKind::ToolResult);
    QCOMPARE(session->text(session->blocks[3].body), "t");
    QCOMPARE(QString::fromUtf8(session->string(session->blocks[5].subject)), u"a"_s);
}

/// Steps of tools do not name their calls.
void SmallLogsTest::readsAntigravity()
{
    const SessionPtr session = testing::sound(step("USER_EXPLICIT", "USER_INPUT", content("hi"))
        + step("SYSTEM", "CONVERSATION_HISTORY", "")
        + step("MODEL", "PLANNER_RESPONSE",
            R"(,"thinking":"t","tool_calls":[{"name":"ls","args":{"path":"a"}},{"name":"view","args":{"path":"b"}}])")
        + step("MODEL", "LIST_DIRECTORY", content("one")) + step("MODEL", "VIEW_FILE", content("two"))
        + step("MODEL", "GENERIC", content("three")) + step("SYSTEM", "CHECKPOINT", content("resumed"))
        + step("MODEL", "PLANNER_RESPONSE", content("done")));
    QCOMPARE(session->format, "antigravity");
    QVERIFY(testing::diagnosticsOf(*session).starts_with("7: Antigravity shortened the array here."));
    QCOMPARE(session->threads.front().calls.size(), 2U);
    QCOMPARE(testing::slotsAtEnd(session), 7U);
    QVERIFY(session->blocks[0].is(BlockFlag::Typed));
    for (const size_t i : { 4, 5 }) {
        QVERIFY(session->blocks[i].kind == BlockKind::ToolResult);
        QCOMPARE(session->string(session->blocks[i].subject), i == 4 ? "a" : "b");
    }
    QVERIFY(session->blocks[6].is(BlockFlag::Injected) && session->blocks[7].is(BlockFlag::Injected));
}

void SmallLogsTest::growingLogsAreReadOn()
{
    const std::string ofDroid = testing::problemOfGrowing(
        kDroid, kDroidStart + droid("user", text("hi")) + droid("assistant", text("a")) + droid("user", text("b")));
    QVERIFY2(ofDroid.empty(), ofDroid.c_str());
    const std::string ofSteps = testing::problemOfGrowing(kAntigravity,
        step("USER_EXPLICIT", "USER_INPUT", content("hi"))
            + step("MODEL", "PLANNER_RESPONSE", R"(,"tool_calls":[{"name":"ls","args":{}}])")
            + step("MODEL", "LIST_DIRECTORY", content("one")) + step("MODEL", "PLANNER_RESPONSE", content("a")));
    QVERIFY2(ofSteps.empty(), ofSteps.c_str());
    const std::string ofKiro = testing::problemOfGrowing(kKiroCli,
        kiro("Prompt", kiroText("hi")) + kiro("AssistantMessage", kiroText("a")) + kiro("Other", "")
            + kiro("Prompt", kiroText("b")));
    QVERIFY2(ofKiro.empty(), ofKiro.c_str());
    const std::string ofCursor = testing::problemOfGrowing(
        kCursor, cursor("user", text("hi")) + cursor("assistant", text("a")) + cursor("user", text("b")));
    QVERIFY2(ofCursor.empty(), ofCursor.c_str());
}

void SmallLogsTest::readsAider()
{
    const SessionPtr session
        = testing::sound("\n# aider chat started at 2025-10-20 21:49:17\n\n"
                         "> Aider v0.86.1  \n> Main model: gemini/g with diff-fenced edit format  \n\n"
                         "#### Add a test  \n#### for the parser  \n\n"
                         "Here it is:\n\na.py\n```\n> quoted\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n\n"
                         "> Tokens: 1.2k sent, 300 received.  \n> Applied edit to a.py  \n\n"
                         "The edit failed to lint; here is another.\n\n"
                         "> Tokens: 1.5k sent, 100 received.  \n\n"
                         "#### thanks  \n");
    QCOMPARE(session->format, "aider");
    QCOMPARE(session->model, "gemini/g");
    QVERIFY(testing::diagnosticsOf(*session).starts_with("0: Aider records neither the files of a chat"));
    QCOMPARE(atEnd(session),
        u"user{text+typed \"Add a test\nfor the parser\"} assistant{text \"Here it is:\n\na.py\n```\n> quoted\n"
        "<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\"} assistant{text \"The edit failed to lint; here is "
        "another.\"} "
        "user{text+typed \"thanks\"}"_s);
    QCOMPARE(session->threads.size(), 1U);
    QCOMPARE(session->threads.front().kind, ThreadKind::Main);
    QCOMPARE(session->threads.front().calls.size(), 2U);
    QCOMPARE(session->messages.front().line, 7U);
    QCOMPARE(session->messages[1].line, 10U);
    QVERIFY(!spliceSession(*session, {}));
}

void SmallLogsTest::aiderRunsAreThreads()
{
    const SessionPtr session = testing::sound("# aider chat started at 2025-10-20 21:49:17\n#### one\n\nA\n"
                                              "# aider chat started at 2025-10-21 08:00:00\n> nothing\n"
                                              "# aider chat started at 2025-10-22 08:00:00\n#### two\n\nB\n");
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(session->threads[0].kind, ThreadKind::Run);
    QCOMPARE(session->threads[0].id, "2025-10-22 08:00:00");
    QCOMPARE(atEnd(session), uR"(user{text+typed "two"} assistant{text "B"})"_s);
    QCOMPARE(atEnd(session, 1), uR"(user{text+typed "one"} assistant{text "A"})"_s);
}

void SmallLogsTest::commandsOfAiderAreNotSent()
{
    const SessionPtr session
        = testing::sound("# aider chat started at 2025-10-20 21:49:17\n#### /add a.py\n> Added a.py\n\n"
                         "#### /ask why?\n\nBecause.\n\n> Tokens: 1k sent\n#### /drop\n");
    QCOMPARE(atEnd(session), uR"(user{text+typed "/ask why?"} assistant{text "Because."})"_s);
    QVERIFY(session->sideBytes > 20);
}

void SmallLogsTest::linesOfAiderThatAreNoText()
{
    const SessionPtr session
        = testing::sound("# aider chat started at 2025-10-20 21:49:17\n#### hi\n\nA \xFF\xC3 B\nC\n");
    QCOMPARE(atEnd(session), u"user{text+typed \"hi\"} assistant{text \"A ?? B\nC\"}"_s);
    QVERIFY(testing::diagnosticsOf(*session).contains("4: The line holds bytes that are not UTF-8"));
}

void SmallLogsTest::aiderWithoutAPromptIsASentence()
{
    const auto session = testing::load("# aider chat started at 2025-10-20 21:49:17\n> Aider\n#### /add a\n");
    QVERIFY(!session);
    QCOMPARE(session.error().message, "This chat history of Aider has no prompt that was sent to a model.");
}

void SmallLogsTest::oneMessage_data()
{
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("array");
    QTest::addColumn<int>("prompt"); // tokens of the call; 0: none recorded, -1: no call
    const auto row = [](const char *name, const QString &document, const QString &array, int prompt) {
        QTest::newRow(name) << document << array << prompt;
    };
    row("a response of Anthropic",
        uR"({"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"a"},{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":3}})"_s,
        uR"(assistant{thinking "t", text "a", call Bash#c1 "{"command": "ls"}"})"_s, 15);
    row("a message of Anthropic", uR"({"role":"user","content":[{"type":"text","text":"hi"}]})"_s,
        uR"(user{text+typed "hi"})"_s, -1);
    row("a message of OpenAI",
        uR"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]})"_s,
        uR"(assistant{call f#c1 "{}"})"_s, 0);
    row("a response of Gemini",
        uR"({"candidates":[{"content":{"role":"model","parts":[{"text":"a"},{"functionCall":{"name":"f","args":{}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":20,"cachedContentTokenCount":5,"candidatesTokenCount":3},"modelVersion":"gemini-x"})"_s,
        {}, 20);
    row("a content of Gemini", uR"({"role":"user","parts":[{"text":"hi"}]})"_s, uR"(user{text+typed "hi"})"_s, -1);
}

void SmallLogsTest::oneMessage()
{
    QFETCH(QString, document);
    QFETCH(QString, array);
    QFETCH(int, prompt);
    const SessionPtr session = testing::sound(document.toStdString());
    QCOMPARE(session->format, "provider-message");
    QCOMPARE(
        testing::diagnosticsOf(*session), "0: The file is one message. What was sent before it is not recorded.\n");
    if (!array.isEmpty())
        QCOMPARE(atEnd(session), array);
    QCOMPARE(session->messages.size(), 1U);
    const std::vector<Call> &calls = session->threads.front().calls;
    QCOMPARE(calls.size(), prompt < 0 ? 0U : 1U);
    if (prompt > 0)
        QCOMPARE(calls.front().usage.value().prompt(), static_cast<uint64_t>(prompt));
    if (prompt >= 0)
        QVERIFY(calls.front().input.isEmpty());
}

PALIMPSEST_TEST(SmallLogsTest)
#include "tst_small_logs.moc"
