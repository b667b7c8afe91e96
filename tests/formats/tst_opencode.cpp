// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "core/json/json_probe.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A message with its parts, as the export holds it; the number is its time.
struct Said {
    std::string info;
    std::vector<std::string> parts;
};

Said user(const std::string &id, const std::vector<std::string> &parts, int time = 1)
{
    return { R"({"id":")" + id + R"(","role":"user","time":{"created":17000000000)" + std::to_string(10 + time) + "}}",
        parts };
}
Said answer(const std::string &id, const std::vector<std::string> &parts, const std::string &more = "", int time = 1)
{
    return { R"({"id":")" + id + R"(","role":"assistant","modelID":"m1","providerID":"p","time":{"created":17000000000)"
            + std::to_string(10 + time)
            + R"(},"finish":"stop","tokens":{"total":118,"input":40,"output":7,"reasoning":11,"cache":{"read":50,"write":10}})"
            + more + "}",
        parts };
}
std::string text(const std::string &words, const std::string &more = "")
{
    return R"({"type":"text","text":")" + words + "\"" + more + "}";
}
std::string tool(const std::string &id, const std::string &state, const std::string &name = "read")
{
    return R"({"type":"tool","callID":")" + id + R"(","tool":")" + name + R"(","state":{)" + state + "}}";
}
std::string done(const std::string &output, const std::string &more = "")
{
    return R"("status":"completed","input":{"filePath":"a.ts"},"output":")" + output
        + R"(","title":"","metadata":{}, "time":{"start":1,"end":2)" + more + "}";
}

std::string exported(const std::vector<Said> &messages)
{
    std::string all;
    for (const Said &each : messages) {
        std::string parts;
        for (const std::string &part : each.parts)
            parts += (parts.empty() ? "" : ",") + part;
        all += std::string(all.empty() ? "" : ",\n") + R"({"info":)" + each.info + R"(,"parts":[)" + parts + "]}";
    }
    return R"({"info":{"id":"ses_1","title":"Mine","directory":"/w"},"messages":[)" + all + "]}";
}

QString atEnd(const SessionPtr &session, size_t thread = 0)
{
    return QString::fromStdString(testing::describe(*session, thread));
}

} // namespace

/// Sessions of opencode: its export and its database.
class OpencodeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnExport();
    void stepsAreCalls();
    void failedAndOpenCallsHaveResults();
    void partsOfTheUser();
    void aSummaryKeepsTheTail();
    void clearedResultsAreStubs();
    void readsADatabase();
};

void OpencodeTest::readsAnExport()
{
    const SessionPtr session = testing::sound(exported({ user("1", { text("hi") }),
        answer("2",
            { R"({"type":"step-start"})", R"({"type":"reasoning","text":"t"})", text("look"), tool("c1", done("o")),
                R"({"type":"patch","hash":"h","files":[]})" }),
        answer("3", { text("done") }) }));
    QCOMPARE(QString::fromStdString(session->format), u"opencode-export"_s);
    QCOMPARE(QString::fromStdString(session->title), u"Mine"_s);
    QCOMPARE(QString::fromStdString(session->workingFolder), u"/w"_s);
    QCOMPARE(QString::fromStdString(session->model), u"m1"_s);
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{thinking "t", text "look", call read#c1 "{"filePath": "a.ts"}"} tool{result read#c1 "o"} assistant{text "done"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 5U);
    const Usage usage = thread.calls[1].usage.value();
    QCOMPARE(usage.prompt(), 100U);
    QCOMPARE(usage.cacheRead, 50U);
    QCOMPARE(usage.cacheWrite, 10U);
    QCOMPARE(usage.output, 18U);
    QCOMPARE(usage.reasoning.value(), 11U);
}

void OpencodeTest::stepsAreCalls()
{
    const std::string finish
        = R"({"type":"step-finish","reason":"tool-calls","tokens":{"input":5,"output":1,"reasoning":0,"cache":{"read":0,"write":0}}})";
    const SessionPtr session = testing::sound(exported({ user("1", { text("hi") }),
        answer("2",
            { R"({"type":"step-start"})", tool("c1", done("o")), finish, R"({"type":"step-start"})", text("done"),
                finish }) }));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{call read#c1 "{"filePath": "a.ts"}"} tool{result read#c1 "o"} assistant{text "done"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[0].usage.value().prompt(), 5U);
    QCOMPARE(thread.calls[1].input.blockCount(), 3U);
}

void OpencodeTest::failedAndOpenCallsHaveResults()
{
    const SessionPtr session = testing::sound(exported({ user("1", { text("hi") }),
        answer("2",
            { tool("c1", R"("status":"error","input":{},"error":"denied","time":{"start":1,"end":2})"),
                tool("c2", R"("status":"running","input":{},"time":{"start":1})") }),
        answer("3", { R"({"type":"reasoning","text":"t"})" }, R"(,"error":{"name":"APIError"})") }));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{call read#c1 "{}", call read#c2 "{}"} tool{result+error read#c1 "denied"} tool{result+error+stub read#c2 "[Tool execution was interrupted]"})"_s);
    QCOMPARE(session->threads.front().calls.size(), 1U);
}

void OpencodeTest::partsOfTheUser()
{
    const SessionPtr session = testing::sound(exported({ user("1",
        { text("see"), text("note", R"(,"synthetic":true)"), text("no", R"(,"ignored":true)"),
            R"({"type":"file","mime":"text/plain","url":"file:///a"})",
            R"({"type":"file","mime":"image/png","url":"data:image/png;base64,QUJD"})",
            R"({"type":"agent","name":"plan"})" }) }));
    QCOMPARE(session->blocks.size(), 3U);
    QVERIFY(session->blocks[1].is(BlockFlag::Injected));
    QCOMPARE(session->blocks[2].kind, BlockKind::Image);
    QCOMPARE(session->text(session->blocks[2].body), "QUJD");
    QCOMPARE(QString::fromUtf8(session->string(session->blocks[2].name)), u"image/png"_s);
}

void OpencodeTest::aSummaryKeepsTheTail()
{
    const SessionPtr session
        = testing::sound(exported({ user("1", { text("u1") }), answer("2", { text("a1") }), user("3", { text("u2") }),
            answer("4", { text("a2") }), user("5", { R"({"type":"compaction","auto":true,"tail_start_id":"3"})" }),
            answer("6", { text("sum") }, R"(,"summary":true,"parentID":"5")"), user("7", { text("u3") }),
            answer("8", { text("a3") }) }));
    QCOMPARE(atEnd(session),
        uR"(user{text+stub "What did we do so far?"} assistant{text+summary "sum"} user{text+typed "u2"} assistant{text "a2"} user{text+typed "u3"} assistant{text "a3"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 3U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Summary);
    QCOMPARE(thread.compactions[0].after.blockCount(), 5U);
    QCOMPARE(thread.compactions[0].afterTokens.value(), 100U);
}

void OpencodeTest::clearedResultsAreStubs()
{
    const SessionPtr session = testing::sound(exported({ user("1", { text("u1") }, 1),
        answer("2", { tool("c1", done("long", R"(,"compacted":1700000000040)")) }, "", 2),
        answer("3", { text("a1") }, "", 3), user("4", { text("u2") }, 50), answer("5", { text("a2") }, "", 51) }));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "u1"} assistant{call read#c1 "{"filePath": "a.ts"}"} tool{result+stub read#c1 "[Old tool result content cleared]"} assistant{text "a1"} user{text+typed "u2"} assistant{text "a2"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Clearing);
    QCOMPARE(thread.compactions[0].before.blockCount(), 4U);
    QCOMPARE(thread.compactions[0].after.blockCount(), 4U);
    QCOMPARE(session->blocks.size(), 7U);
    std::vector<uint32_t> sent;
    thread.calls[1].input.forEach([&](BlockId id) { sent.push_back(id.value()); });
    QCOMPARE(sent, (std::vector<uint32_t> { 0, 1, 2 })); // the call before it had the whole result
}

void OpencodeTest::readsADatabase()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(u"opencode.db"_s).toStdString();
    sqlite3 *base = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &base), SQLITE_OK);
    std::string rows
        = "CREATE TABLE session(id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_updated INTEGER);"
          "CREATE TABLE message(id TEXT, session_id TEXT, data TEXT);"
          "CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, data TEXT);"
          "INSERT INTO session VALUES('ses_1',NULL,'/w','Mine',5),('ses_2','ses_1','/w','Child',6)";
    const auto add = [&](const std::string &session, const std::string &id, const Said &said) {
        rows += ";INSERT INTO message VALUES('" + id + "','" + session + "','" + said.info + "')";
        for (size_t i = 0; i < said.parts.size(); ++i)
            rows += ";INSERT INTO part VALUES('p" + id + std::to_string(i) + "','" + id + "','" + session + "','"
                + said.parts[i] + "')";
    };
    const std::string task
        = R"("status":"completed","input":{},"output":"found","metadata":{"sessionId":"ses_2"},"time":{"start":1,"end":2})";
    add("ses_1", "1", user("1", { text("hi") }));
    add("ses_1", "2", answer("2", { tool("c1", task, "task") }));
    add("ses_2", "3", user("3", { text("task") }));
    add("ses_2", "4", answer("4", { text("found") }));
    add("ses_1", "5", answer("5", { text("done") }));
    QCOMPARE(sqlite3_exec(base, rows.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close_v2(base);
    const auto session = loadSession(path);
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(QString::fromStdString((*session)->format), u"opencode"_s);
    QCOMPARE(QString::fromStdString((*session)->title), u"Mine"_s);
    QCOMPARE(atEnd(*session),
        uR"(user{text+typed "hi"} assistant{call task#c1 "{}"} tool{result task#c1 "found"} assistant{text "done"})"_s);
    QCOMPARE(atEnd(*session, 1), uR"(user{text+injected "task"} assistant{text "found"})"_s);
    const Thread &child = (*session)->threads[1];
    QCOMPARE(child.kind, ThreadKind::Subagent);
    QCOMPARE((*session)->block(child.parentCall).kind, BlockKind::ToolCall);
}

PALIMPSEST_TEST(OpencodeTest)
#include "tst_opencode.moc"
