// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "core/writing/splice.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

std::string text(const std::string &words) { return R"({"type":"text","text":")" + words + R"("})"; }
std::string call(const std::string &id)
{
    return R"({"type":"toolRequest","id":")" + id
        + R"(","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"ls"}}}})";
}
std::string result(const std::string &id, const std::string &value)
{
    return R"({"type":"toolResponse","id":")" + id + R"(","toolResult":{"status":"success","value":)" + value + "}}";
}
std::string message(const std::string &role, const std::string &parts, const std::string &seen = "")
{
    return R"({"role":")" + role + R"(","created":1754898402,"content":[)" + parts + "]"
        + (seen.empty() ? "" : R"(,"metadata":)" + seen) + "}\n";
}

const std::string kHead = R"({"working_dir":"/w","description":"Tidy up","message_count":2,"total_tokens":9})"
                          "\n";
const std::string kGone = R"({"userVisible":true,"agentVisible":false})";
const std::string kForModel = R"({"userVisible":false,"agentVisible":true})";
const std::string kForNobody = R"({"userVisible":false,"agentVisible":false})";

QString atEnd(const SessionPtr &session, size_t thread = 0)
{
    return QString::fromStdString(testing::describe(*session, thread));
}

} // namespace

/// Sessions of Goose: lines, databases, exports.
class GooseTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsLines();
    void partsForThePersonAreNotSent();
    void otherParts();
    void aCompactionHidesWhatWasBefore();
    void twoCompactions();
    void noticesAreNotSent();
    void hiddenResultsLeaveAtTheEnd();
    void readsADatabase();
    void readsAnExport();
    void linesAreWritten();
    void aGrowingLogIsReadOn();
};

void GooseTest::readsLines()
{
    const SessionPtr session = testing::sound(kHead + message("user", text("hi"))
        + message(
            "assistant", R"({"type":"thinking","thinking":"t","signature":"s"},)" + text("look") + "," + call("c1"))
        + message("user", result("c1", R"({"content":[{"type":"text","text":"a\nb"}],"isError":true})"))
        + message("assistant", text("done")));
    QCOMPARE(session->format, "goose-log");
    QCOMPARE(session->harness, "Goose");
    QCOMPARE(session->title, "Tidy up");
    QCOMPARE(session->workingFolder, "/w");
    QCOMPARE(testing::diagnosticsOf(*session), "");
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{thinking "t", text "look", call developer__shell#c1 "{"command": "ls"}"} tool{result+error developer__shell#c1 "a
b"} assistant{text "done"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 5U);
    QCOMPARE(thread.calls[1].time.value(), 1754898402000);
    QVERIFY(!thread.calls[1].usage);
}

void GooseTest::partsForThePersonAreNotSent()
{
    const SessionPtr session = testing::sound(kHead + message("user", text("hi")) + message("assistant", call("c1"))
        + message("user",
            result("c1",
                R"([{"type":"text","text":"for the model","annotations":{"audience":["assistant"]}},)"
                R"({"type":"text","text":"for the person","annotations":{"audience":["user"],"priority":0.0}},)"
                R"({"type":"image","data":"QUJD","mimeType":"image/png"}])")));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{call developer__shell#c1 "{"command": "ls"}"} tool{result developer__shell#c1 "for the model", image image/png#c1 "QUJD"})"_s);
    QVERIFY(session->sideBytes > 50);
}

void GooseTest::otherParts()
{
    const SessionPtr session = testing::sound(kHead
        + message("user", text("hi") + R"(,{"type":"image","data":"QUJD","mimeType":"image/png"})")
        + message("assistant",
            R"({"type":"redactedThinking","data":"x"},{"type":"toolConfirmationRequest","id":"c1"},)"
            R"({"type":"toolRequest","id":"c9","toolCall":{"status":"error","error":"bad"}},{"type":"new","a":1})")
        + message("assistant", R"({"type":"systemNotification","notificationType":"inlineMessage","msg":"m"})"));
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi", image image/png "QUJD"} assistant{thinking+encrypted "x", opaque toolRequest "{"type": "toolRequest", "id": "c9", "toolCall": {"status": "error", "error": "bad"}}", opaque new "{"type": "new", "a": 1}"})"_s);
}

/// The last prompt is hidden from everybody and repeated behind the summary.
void GooseTest::aCompactionHidesWhatWasBefore()
{
    const SessionPtr session
        = testing::sound(kHead + message("user", text("u1"), kGone) + message("assistant", text("a1"), kGone)
            + message("user", text("u2"), kForNobody) + message("user", text("summary"), kForModel)
            + message("assistant", text("Your context was compacted."), kForModel) + message("user", text("u2"))
            + message("assistant", text("a2")));
    QCOMPARE(atEnd(session),
        uR"(user{text+summary "summary"} assistant{text+injected "Your context was compacted."} user{text+typed "u2"} assistant{text "a2"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[0].input.blockCount(), 1U);
    QCOMPARE(thread.calls[1].input.blockCount(), 3U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Summary);
    QCOMPARE(thread.compactions[0].before.blockCount(), 3U);
    QVERIFY(thread.compactions[0].after == thread.calls[1].input);
    QCOMPARE(testing::diagnosticsOf(*session), "");
}

void GooseTest::twoCompactions()
{
    const SessionPtr session
        = testing::sound(kHead + message("user", text("u1"), kGone) + message("user", text("s1"), kForNobody)
            + message("assistant", text("c1"), kForNobody) + message("user", text("u2"), kGone)
            + message("assistant", text("a2"), kGone) + message("user", text("s2"), kForModel)
            + message("assistant", text("c2"), kForModel) + message("user", text("u3")));
    QCOMPARE(atEnd(session), uR"(user{text+summary "s2"} assistant{text+injected "c2"} user{text+typed "u3"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.compactions.size(), 2U);
    QCOMPARE(thread.compactions[1].before.blockCount(), 4U);
    QCOMPARE(thread.calls.size(), 1U);
    QCOMPARE(thread.calls[0].input.blockCount(), 3U);
}

void GooseTest::noticesAreNotSent()
{
    const SessionPtr session = testing::sound(kHead + message("user", text("hi"))
        + message("assistant", text("Out of credits."), kGone) + message("assistant", text("a")));
    QCOMPARE(atEnd(session), uR"(user{text+typed "hi"} assistant{text "a"})"_s);
    QCOMPARE(session->threads.front().calls.size(), 1U);
    QVERIFY(session->threads.front().compactions.empty());
}

void GooseTest::hiddenResultsLeaveAtTheEnd()
{
    const SessionPtr session
        = testing::sound(kHead + message("user", text("hi")) + message("assistant", call("c1"), kGone)
            + message("user", result("c1", "[]"), kGone) + message("assistant", text("a")));
    QCOMPARE(atEnd(session), uR"(user{text+typed "hi"} assistant{text "a"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 3U);
    QCOMPARE(thread.compactions.size(), 1U);
    QVERIFY(testing::diagnosticsOf(*session).contains("Goose hid 2 messages from the model."));
}

void GooseTest::readsADatabase()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(u"sessions.db"_s).toStdString();
    sqlite3 *base = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &base), SQLITE_OK);
    const auto run = [&](const std::string &statements) {
        QCOMPARE(sqlite3_exec(base, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    };
    run("CREATE TABLE sessions(id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT, "
        "updated_at TIMESTAMP, model_config_json TEXT);"
        "CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT, "
        "content_json TEXT, created_timestamp INTEGER, timestamp TIMESTAMP, tokens INTEGER, metadata_json TEXT);"
        "INSERT INTO sessions VALUES('20260101_1','','Old','user','/a','2026-01-01 10:00:00',NULL);"
        "INSERT INTO sessions VALUES('20260101_2','New','','user','/b','2026-01-02 "
        "10:00:00','{\"model_name\":\"m1\"}');");
    const auto add = [&](const std::string &session, const std::string &role, const std::string &parts, int time,
                         const std::string &seen) {
        run("INSERT INTO messages VALUES(NULL,'msg','" + session + "','" + role + "','[" + parts + "]',"
            + std::to_string(time) + ",NULL,NULL,'" + seen + "')");
    };
    add("20260101_1", "user", text("old"), 5, "{}");
    add("20260101_2", "assistant", text("second"), 1754898403, "{}"); // rows in another order than time
    add("20260101_2", "user", text("first"), 1754898402, R"({"userVisible":true,"agentVisible":true})");
    sqlite3_close_v2(base);
    const auto loaded = loadSession(path);
    QVERIFY2(loaded, loaded ? "" : loaded.error().sentence().c_str());
    QCOMPARE(testing::brokenRule(**loaded), "");
    QCOMPARE((*loaded)->format, "goose");
    QCOMPARE((*loaded)->title, "New");
    QCOMPARE((*loaded)->workingFolder, "/b");
    QCOMPARE((*loaded)->model, "m1");
    QCOMPARE((*loaded)->threads.size(), 2U);
    QCOMPARE(atEnd(*loaded), uR"(user{text+typed "first"} assistant{text "second"})"_s);
    QCOMPARE(atEnd(*loaded, 1), uR"(user{text+typed "old"})"_s);
    QVERIFY(!spliceSession(**loaded, {}));
}

void GooseTest::readsAnExport()
{
    const SessionPtr session
        = testing::sound(R"({"id":"20260101_1","name":"Tidy up","working_dir":"/w","conversation":[)"
            + message("user", text("hi")) + "," + message("assistant", text("a")) + "]}");
    QCOMPARE(session->format, "goose-export");
    QCOMPARE(session->title, "Tidy up");
    QCOMPARE(session->threads.front().id, "20260101_1");
    QCOMPARE(atEnd(session), uR"(user{text+typed "hi"} assistant{text "a"})"_s);
}

void GooseTest::linesAreWritten()
{
    const SessionPtr session = testing::sound(
        kHead + message("user", text("hi")) + message("assistant", text("a")) + message("user", text("more")));
    SpliceEdits edits;
    edits.droppedMessages.push_back(session->block(BlockId(0U)).message);
    edits.insertions.push_back({ session->block(BlockId(2U)).message, Role::User, "summary of it", true });
    const auto spliced = spliceSession(*session, edits);
    QVERIFY2(spliced, spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(atEnd(testing::sound(spliced->bytes)),
        uR"(assistant{text "a"} user{text+typed "summary of it"} user{text+typed "more"})"_s);
}

void GooseTest::aGrowingLogIsReadOn()
{
    const std::string log = kHead + message("user", text("u1"), kGone) + message("user", text("s"), kForModel)
        + message("assistant", text("c"), kForModel) + message("assistant", call("c1"))
        + message("user", result("c1", "[]")) + message("assistant", text("a"));
    const std::string problem = testing::problemOfGrowing(kGooseLog, log);
    QVERIFY2(problem.empty(), problem.c_str());
}

PALIMPSEST_TEST(GooseTest)
#include "tst_goose.moc"
