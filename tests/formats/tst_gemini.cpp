// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "core/writing/splice.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>

using namespace core;
using namespace Qt::StringLiterals;
using testing::joined;

namespace {

/// A message record of a chat; `more` are further members.
std::string record(
    const std::string &id, const std::string &type, const std::string &content, const std::string &more = "")
{
    return R"({"id":")" + id + R"(","timestamp":"2026-03-09T08:14:01.000Z","type":")" + type + R"(","content":)"
        + content + (more.empty() ? "" : "," + more) + "}";
}

std::string user(const std::string &id, const std::string &words) { return record(id, "user", "\"" + words + "\""); }

/// A response of 100 input tokens, 60 of them cached, 10 of output and 5 of thoughts.
std::string answer(const std::string &id, const std::string &words, const std::string &more = "")
{
    return record(id, "gemini", "\"" + words + "\"",
        R"("model":"gemini-2.5-flash","tokens":{"input":100,"output":10,"cached":60,"thoughts":5,"tool":0,"total":115})"
            + (more.empty() ? "" : "," + more));
}

std::string call(const std::string &id, const std::string &output, const std::string &key = "output")
{
    return R"({"id":")" + id + R"(","name":"read_file","args":{"file_path":"a.cpp"},"status":")"
        + (key == "error" ? "error" : "success") + R"(","result":[{"functionResponse":{"id":")" + id
        + R"(","name":"read_file","response":{")" + key + R"(":")" + output + R"("}}}]})";
}

std::string calls(const std::string &list) { return R"("toolCalls":[)" + list + "]"; }
std::string thought(const std::string &words)
{
    return R"("thoughts":[{"subject":"Plan","description":")" + words + R"(","timestamp":"2026-03-09T08:14:00.000Z"}])";
}

std::string document(const std::vector<std::string> &messages)
{
    return R"({"sessionId":"s1","projectHash":"p1","startTime":"2026-03-09T08:14:00.000Z","messages":[)"
        + joined(messages, ",\n") + "]}";
}

std::string log(const std::vector<std::string> &records)
{
    return R"({"sessionId":"s1","projectHash":"p1","startTime":"2026-03-09T08:14:00.000Z","kind":"main"})"
           "\n"
        + joined(records, "\n") + "\n";
}

std::string sentAnswer(const std::string &record, const std::string &id, const std::string &output)
{
    return R"({"id":")" + record
        + R"(","timestamp":"2026-03-09T08:14:01.000Z","type":"user","content":[{"functionResponse":{"id":")" + id
        + R"(","name":"read_file","response":{"output":")" + output + R"("}}}]})";
}

/// The texts of an array, one after the other.
QString inShort(const SessionPtr &session, const BlockRanges &array)
{
    std::string words;
    array.forEach([&](BlockId id) { words += (words.empty() ? "" : " ") + session->text(session->block(id).body); });
    return QString::fromStdString(words);
}

const Thread &mainOf(const SessionPtr &session) { return session->threads.front(); }
QString atEnd(const SessionPtr &session) { return inShort(session, mainOf(session).end); }

} // namespace

/// Sessions of Gemini CLI, and contents of the Gemini API.
class GeminiTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAChat();
    void thoughtsAreNotSentAgain();
    void callsBehindANoticeJoinTheirResponse();
    void failedCallsAreErrors();
    void anUpdateReplacesItsRecord();
    void aResultSentAsAMessageCountsOnce();
    void aRewindCutsTheArray();
    void aRewindToAnUnknownMessageClearsAll();
    void aCompressionIsASummary();
    void maskedResultsAreAClearing();
    void settingTheSameMessagesChangesNothing();
    void aRewindAndTheNewArrayAreOneChange();
    void keptMessagesWithNewIdsAreTheSame();
    void resultsOfAResumedChatCountOnce();
    void resultsWrittenAnewAreNoCompaction();
    void dataOfAFileIsSent();
    void namedFilesAreNotTyped();
    void anUnansweredCallTakesNoLaterResult();
    void messagesWithoutIdsAreSkipped();
    void readsContents();
    void aSummaryInContentsIsNotTyped();
    void readsARequest();
    void recognises_data();
    void recognises();
    void aGrowingLogIsReadOn();
    void aChangedLogHoldsItsArrayAlone();
};

void GeminiTest::readsAChat()
{
    const SessionPtr session = testing::sound(document({ user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))),
        record("3", "info", "\"update\""), answer("4", "a2") }));
    QCOMPARE(QString::fromStdString(session->format), u"gemini-cli"_s);
    QCOMPARE(QString::fromStdString(session->title), u"u1"_s);
    QCOMPARE(atEnd(session), uR"(u1 a1 {"file_path": "a.cpp"} r1 a2)"_s);
    const Thread &thread = mainOf(session);
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(inShort(session, thread.calls[0].input), u"u1"_s);
    QCOMPARE(inShort(session, thread.calls[1].input), uR"(u1 a1 {"file_path": "a.cpp"} r1)"_s);
    const Usage usage = thread.calls[1].usage.value();
    QCOMPARE(usage.prompt(), 100U);
    QCOMPARE(usage.cacheRead, 60U);
    QCOMPARE(usage.output, 15U);
    QCOMPARE(usage.reasoning.value(), 5U);
    QCOMPARE(testing::slotsAtEnd(session), 4U);
    const Block &result = session->blocks[3];
    QCOMPARE(result.kind, BlockKind::ToolResult);
    QCOMPARE(QString::fromUtf8(session->string(result.subject)), u"a.cpp"_s);
}

void GeminiTest::thoughtsAreNotSentAgain()
{
    const SessionPtr session = testing::sound(
        document({ user("1", "u1"), answer("2", "a1", thought("t1")), user("3", "u2"), answer("4", "a2") }));
    QCOMPARE(atEnd(session), u"u1 a1 u2 a2"_s);
    const BlockRange output = mainOf(session).calls.front().output;
    QCOMPARE(output.size(), 2U);
    QCOMPARE(session->blocks[output.begin].kind, BlockKind::Thinking);
}

/// Gemini CLI writes the calls of a response as a record of their own, without usage, if a notice came between.
void GeminiTest::callsBehindANoticeJoinTheirResponse()
{
    const std::string bare = record("4", "gemini", "\"\"",
        R"("model":"gemini-2.5-flash","tokens":{"input":0,"output":0,"cached":0,"total":0},)"
            + calls(call("c1", "r1")));
    const SessionPtr session = testing::sound(
        document({ user("1", "u1"), answer("2", "a1"), record("3", "info", "\"update\""), bare, answer("5", "a2") }));
    QCOMPARE(mainOf(session).calls.size(), 2U);
    QCOMPARE(mainOf(session).calls.front().output.size(), 2U);
    QCOMPARE(testing::slotsAtEnd(session), 4U);
}

void GeminiTest::failedCallsAreErrors()
{
    const SessionPtr session
        = testing::sound(document({ user("1", "u1"), answer("2", "a1", calls(call("c1", "no such file", "error"))) }));
    QVERIFY(session->blocks.back().is(BlockFlag::Error));
    QCOMPARE(QString::fromStdString(session->text(session->blocks.back().body)), u"no such file"_s);
}

void GeminiTest::anUpdateReplacesItsRecord()
{
    const SessionPtr session = testing::sound(
        log({ user("1", "u1"), answer("2", "a1"), answer("2", "a1", calls(call("c1", "r1"))), answer("3", "a2") }));
    QCOMPARE(QString::fromStdString(session->format), u"gemini-cli-log"_s);
    QCOMPARE(atEnd(session), uR"(u1 a1 {"file_path": "a.cpp"} r1 a2)"_s);
    QCOMPARE(mainOf(session).calls.size(), 2U);
}

void GeminiTest::aResultSentAsAMessageCountsOnce()
{
    const SessionPtr session = testing::sound(log({ user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))),
        sentAnswer("3", "c1", "r1"), answer("4", "a2") }));
    QCOMPARE(atEnd(session), uR"(u1 a1 {"file_path": "a.cpp"} r1 a2)"_s);
    QCOMPARE(testing::slotsAtEnd(session), 4U);
}

void GeminiTest::aRewindCutsTheArray()
{
    const SessionPtr session = testing::sound(log({ user("1", "u1"), answer("2", "a1"), user("3", "u2"),
        answer("4", "a2"), R"({"$rewindTo":"3"})", user("5", "u3"), answer("6", "a3") }));
    QCOMPARE(atEnd(session), u"u1 a1 u3 a3"_s);
    const Thread &thread = mainOf(session);
    QCOMPARE(thread.calls.size(), 3U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions.front().kind, CompactionKind::Rollback);
    QCOMPARE(inShort(session, thread.compactions.front().before), u"u1 a1 u2 a2"_s);
    QCOMPARE(inShort(session, thread.compactions.front().after), u"u1 a1 u3"_s);
}

void GeminiTest::aRewindToAnUnknownMessageClearsAll()
{
    const SessionPtr session = testing::sound(
        log({ user("1", "u1"), answer("2", "a1"), R"({"$rewindTo":"9"})", user("5", "u3"), answer("6", "a3") }));
    QCOMPARE(atEnd(session), u"u3 a3"_s);
}

/// The harness appends the messages of the new history, which have no model and no usage, and then sets them.
void GeminiTest::aCompressionIsASummary()
{
    const std::string summary = user("7", "<state_snapshot>s</state_snapshot>");
    const std::string thanks = record("8", "gemini", "[{\"text\":\"Got it.\"}]", R"("thoughts":[],"tokens":null)");
    const std::string kept = user("9", "u2");
    const std::string set = R"({"$set":{"messages":[)" + joined({ summary, thanks, kept }, ",") + "]}}";
    const SessionPtr session = testing::sound(
        log({ user("1", "u1"), answer("2", "a1"), user("3", "u2"), summary, thanks, kept, set, answer("10", "a2") }));
    const Thread &thread = mainOf(session);
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.compactions.size(), 1U);
    const RecordedCompaction &compaction = thread.compactions.front();
    QCOMPARE(compaction.kind, CompactionKind::Summary);
    QCOMPARE(inShort(session, compaction.before), u"u1 a1 u2"_s);
    QCOMPARE(inShort(session, compaction.after), u"<state_snapshot>s</state_snapshot> Got it. u2"_s);
    QCOMPARE(inShort(session, thread.calls.back().input), inShort(session, compaction.after));
    QCOMPARE(compaction.beforeTokens.value(), 100U);
}

void GeminiTest::maskedResultsAreAClearing()
{
    const std::string set = R"({"$set":{"messages":[)"
        + joined({ user("1", "u1"), answer("2", "a1", calls(call("c1", "<tool_output_masked>"))) }, ",") + "]}}";
    const SessionPtr session
        = testing::sound(log({ user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))), set, answer("3", "a2") }));
    QCOMPARE(mainOf(session).compactions.size(), 1U);
    QCOMPARE(mainOf(session).compactions.front().kind, CompactionKind::Clearing);
    QVERIFY(atEnd(session).contains(u"<tool_output_masked>"_s));
    QVERIFY(!atEnd(session).contains(u"r1"_s));
}

void GeminiTest::settingTheSameMessagesChangesNothing()
{
    const std::string set = R"({"$set":{"messages":[)" + joined({ user("1", "u1"), answer("2", "a1") }, ",") + "]}}";
    const SessionPtr session = testing::sound(
        log({ user("1", "u1"), answer("2", "a1"), record("3", "info", "\"update\""), set, answer("4", "a2") }));
    QVERIFY(mainOf(session).compactions.empty());
    QCOMPARE(atEnd(session), u"u1 a1 a2"_s);
}

/// Gemini CLI writes both for one rewind; the notices before it are not in the new array.
void GeminiTest::aRewindAndTheNewArrayAreOneChange()
{
    std::vector<std::string> records { user("1", "u1") };
    for (int i = 0; i < 20; ++i)
        records.push_back(record("i" + std::to_string(i), "info", "\"update\""));
    const std::string set = R"({"$set":{"messages":[)" + user("1", "u1") + "," + answer("2", "a1") + "]}}";
    for (const std::string &each : { answer("2", "a1"), user("3", "u2"), answer("4", "a2"),
             std::string(R"({"$rewindTo":"3"})"), set, user("5", "u3"), answer("6", "a3") })
        records.push_back(each);
    const SessionPtr session = testing::sound(log(records));
    QCOMPARE(atEnd(session), u"u1 a1 u3 a3"_s);
    QCOMPARE(mainOf(session).compactions.size(), 1U);
    QCOMPARE(mainOf(session).calls.size(), 3U);
}

void GeminiTest::keptMessagesWithNewIdsAreTheSame()
{
    const std::vector<std::string> set { user("n1", "<state_snapshot>s"),
        record("n2", "gemini", "[{\"text\":\"Got it.\"}]", R"("thoughts":[],"tokens":null)"), user("n3", "u2") };
    std::vector<std::string> records { user("1", "u1"), answer("2", "a1"), user("3", "u2") };
    records.insert(records.end(), set.begin(), set.end());
    records.push_back(R"({"$set":{"messages":[)" + joined(set, ",") + "]}}");
    records.push_back(answer("4", "a2"));
    const SessionPtr session = testing::sound(log(records));
    const auto typed = std::ranges::count_if(session->blocks, [](const Block &b) { return b.is(BlockFlag::Typed); });
    QCOMPARE(typed, 2);
    QCOMPARE(atEnd(session), u"<state_snapshot>s Got it. u2 a2"_s);
    QCOMPARE(mainOf(session).compactions.size(), 1U);
}

/// A chat of an older version holds the results with their calls only; a resumed one gets messages for them.
void GeminiTest::resultsOfAResumedChatCountOnce()
{
    const std::string set = R"({"$set":{"messages":[)"
        + joined(
            { user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))), sentAnswer("2_response", "c1", "r1") }, ",")
        + "]}}";
    const SessionPtr session = testing::sound(
        log({ user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))), set, user("3", "u2"), answer("4", "a2") }));
    QCOMPARE(atEnd(session), uR"(u1 a1 {"file_path": "a.cpp"} r1 u2 a2)"_s);
}

/// The harness writes the results of all parallel calls into the record of each.
void GeminiTest::resultsWrittenAnewAreNoCompaction()
{
    const auto both = [](const std::string &id) {
        return R"({"id":")" + id
            + R"(","name":"read_file","args":{},"status":"success","result":[{"functionResponse":{"id":)"
              R"("c1","name":"read_file","response":{"output":"r1"}}},{"functionResponse":{"id":"c2","name":"read_file",)"
              R"("response":{"output":"r2"}}}]})";
    };
    const std::string sent
        = R"({"id":"3","type":"user","content":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"r1"}}},)"
          R"({"functionResponse":{"id":"c2","name":"read_file","response":{"output":"r2"}}}]})";
    const auto one = [](const std::string &id, const std::string &output) {
        std::string text = call(id, output);
        text.replace(text.find(R"({"file_path":"a.cpp"})"), 21, "{}");
        return text;
    };
    const std::string set = R"({"$set":{"messages":[)"
        + joined({ user("1", "u1"), answer("2", "a1", calls(both("c1") + "," + both("c2"))), sent }, ",") + "]}}";
    const SessionPtr session = testing::sound(log({ user("1", "u1"),
        answer("2", "a1", calls(one("c1", "r1") + "," + one("c2", "r2"))), sent, set, answer("4", "a2") }));
    QVERIFY(mainOf(session).compactions.empty());
    QCOMPARE(atEnd(session), u"u1 a1 {} {} r1 r2 a2"_s);
}

void GeminiTest::dataOfAFileIsSent()
{
    const std::string data = record(
        "4", "info", R"([{"text":"Binary content:"},{"inlineData":{"mimeType":"image/png","data":"aGVsbG8="}}])");
    const std::string sent
        = R"({"id":"3","type":"user","content":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"r1",)"
          R"("__binary_injection__":[{"inlineData":{"mimeType":"image/png","data":"aGVsbG8="}}]}}}]})";
    const SessionPtr session = testing::sound(
        log({ user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))), sent, data, answer("5", "a2") }));
    QCOMPARE(atEnd(session), uR"(u1 a1 {"file_path": "a.cpp"} r1 Binary content: aGVsbG8= a2)"_s);
    const auto image = std::ranges::count(session->blocks, BlockKind::Image, &Block::kind);
    QCOMPARE(image, 1);
}

void GeminiTest::namedFilesAreNotTyped()
{
    const SessionPtr session
        = testing::sound(log({ record("1", "user",
                                   R"([{"text":"look at @a.cpp"},{"text":"\n--- Content from referenced files ---"},)"
                                   R"({"text":"\nContent from @a.cpp:\n"},{"text":"int x;"}])"),
            answer("2", "a1") }));
    QVERIFY(session->blocks[0].is(BlockFlag::Typed));
    for (size_t i = 1; i < 4; ++i)
        QVERIFY(session->blocks[i].is(BlockFlag::Injected));
}

void GeminiTest::anUnansweredCallTakesNoLaterResult()
{
    const std::string asks = R"({"role":"model","parts":[{"functionCall":{"name":"read_file","args":{}}}]})";
    const SessionPtr session = testing::sound("["
                                              R"({"role":"user","parts":[{"text":"u1"}]},)"
        + asks + R"(,{"role":"user","parts":[{"text":"stop"}]},)" + asks
        + R"(,{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"r1"}}}]}])");
    QCOMPARE(session->blocks[4].callId, session->blocks[3].callId);
    QVERIFY(session->blocks[1].callId != session->blocks[3].callId);
}

void GeminiTest::messagesWithoutIdsAreSkipped()
{
    const SessionPtr session = testing::sound(document({ user("1", "u1"), user("", "lost"), answer("2", "a1") }));
    QCOMPARE(atEnd(session), u"u1 a1"_s);
    QCOMPARE(session->diagnostics.size(), 1U);
}

void GeminiTest::readsContents()
{
    const SessionPtr session = testing::sound(R"([{"role":"user","parts":[{"text":"<session_context>\nToday"}]},
        {"role":"user","parts":[{"text":"u1"},{"inlineData":{"mimeType":"image/png","data":"aGVsbG8="}}]},
        {"role":"model","parts":[{"text":"t1","thought":true},{"functionCall":{"name":"read_file","args":{"file_path":"a.cpp"}}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"r1"}}}]},
        {"role":"model","parts":[{"text":"a1"}]}])");
    QCOMPARE(QString::fromStdString(session->format), u"gemini-contents"_s);
    QVERIFY(session->blocks[0].is(BlockFlag::Injected));
    QVERIFY(session->blocks[1].is(BlockFlag::Typed));
    QCOMPARE(session->blocks[2].kind, BlockKind::Image);
    QCOMPARE(session->blocks[3].kind, BlockKind::Thinking);
    QCOMPARE(session->blocks[4].callId, session->blocks[5].callId);
    QCOMPARE(QString::fromUtf8(session->string(session->blocks[5].subject)), u"a.cpp"_s);
    QCOMPARE(mainOf(session).calls.size(), 2U);
}

void GeminiTest::aSummaryInContentsIsNotTyped()
{
    const SessionPtr session
        = testing::sound(R"([{"role":"user","parts":[{"text":"<state_snapshot>\n  <overall_goal>"}]},
        {"role":"model","parts":[{"text":"Got it."}]},{"role":"user","parts":[{"text":"u1"}]},
        {"role":"model","parts":[{"text":"a1"}]}])");
    QVERIFY(session->blocks[0].is(BlockFlag::Summary));
    QVERIFY(!session->blocks[0].is(BlockFlag::Typed));
    QVERIFY(session->blocks[2].is(BlockFlag::Typed));
    QCOMPARE(QString::fromStdString(session->title), u"u1"_s);
}

void GeminiTest::readsARequest()
{
    const SessionPtr session
        = testing::sound(R"({"model":"gemini-2.5-pro","systemInstruction":{"parts":[{"text":"be brief"}]},
        "tools":[{"functionDeclarations":[{"name":"read_file"},{"name":"write_file"}]}],
        "contents":[{"role":"user","parts":[{"text":"u1"}]}]})");
    QCOMPARE(QString::fromStdString(session->model), u"gemini-2.5-pro"_s);
    QCOMPARE(mainOf(session).prelude.value().size(), 3U);
    QCOMPARE(atEnd(session), u"u1"_s);
}

void GeminiTest::recognises_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format");
    const auto row = [](const char *name, const std::string &file, const QString &format) {
        QTest::newRow(name) << QString::fromStdString(file) << format;
    };
    row("a chat", document({ user("1", "u1") }), u"gemini-cli"_s);
    row("a log", log({ user("1", "u1") }), u"gemini-cli-log"_s);
    row("a saved chat",
        R"({"history":[{"role":"user","parts":[{"text":"u1"}]},{"role":"model","parts":[{"text":"a1"}]}]})",
        u"gemini-contents"_s);
    row("Genkit, which has content",
        R"([{"role":"user","content":[{"text":"u1"}]},{"role":"model","content":[{"text":"a1"}]}])", u"genkit"_s);
}

void GeminiTest::recognises()
{
    QFETCH(QString, file);
    QFETCH(QString, format);
    const auto session = testing::load(file.toStdString());
    QVERIFY(session);
    QCOMPARE(QString::fromStdString((*session)->format), format);
}

/// A log that is read while it grows equals the log read whole.
void GeminiTest::aGrowingLogIsReadOn()
{
    const std::string set = R"({"$set":{"messages":[)" + user("7", "<state_snapshot>s") + "]}}";
    const std::string whole = log({ user("1", "u1"), answer("2", "a1", calls(call("c1", "r1"))),
        sentAnswer("3", "c1", "r1"), answer("4", "a2", thought("t")), set, user("8", "u2"), answer("9", "a3") });
    const std::string problem = testing::problemOfGrowing(kGeminiCliLog, whole);
    QVERIFY2(problem.empty(), problem.c_str());
}

/// A record that others replace cannot be changed where it stands.
void GeminiTest::aChangedLogHoldsItsArrayAlone()
{
    const std::string before = log({ user("1", "u1"), answer("2", "a1"), answer("2", "a1", calls(call("c1", "r1"))),
        sentAnswer("3", "c1", "r1"), answer("4", "a2"), user("5", "u2"), R"({"$rewindTo":"5"})", user("6", "u3") });
    const SessionPtr session = testing::sound(before);
    QCOMPARE(atEnd(session), uR"(u1 a1 {"file_path": "a.cpp"} r1 a2 u3)"_s);
    SpliceEdits edits;
    mainOf(session).end.forEach([&](BlockId id) {
        if (session->block(id).kind == BlockKind::ToolResult)
            edits.replacements.push_back({ id, "cleared" });
    });
    QCOMPARE(edits.replacements.size(), 1U);
    const auto spliced = spliceSession(*session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(atEnd(testing::sound(spliced->bytes)), uR"(u1 a1 {"file_path": "a.cpp"} cleared a2 u3)"_s);
    QVERIFY(spliced->bytes.starts_with(before.substr(0, before.find('\n') + 1)));
    QCOMPARE(std::ranges::count(spliced->bytes, '\n'), 6);
    // A program that resumes the chat would send the result of the call beside the message.
    QVERIFY(!spliced->bytes.contains("r1"));
    const std::vector<std::string_view> removed { before };
    QCOMPARE(unsplice(spliced->bytes, spliced->inverse, removed).value(), before);

    SpliceEdits cut;
    cut.at = Position { ThreadIndex(0U), CallIndex(1U) };
    const auto earlier = spliceSession(*session, cut);
    QVERIFY2(earlier.has_value(), earlier ? "" : earlier.error().sentence().c_str());
    QCOMPARE(atEnd(testing::sound(earlier->bytes)), uR"(u1 a1 {"file_path": "a.cpp"} r1)"_s);
}

PALIMPSEST_TEST(GeminiTest)

#include "tst_gemini.moc"
