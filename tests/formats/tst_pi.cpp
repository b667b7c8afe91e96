// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/json_records.h"
#include "core/json/json_probe.h"
#include "core/money/cost.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"
#include "core/writing/splice.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace core;
using testing::describe;

namespace {

std::string header(const std::string &more = "")
{
    return R"({"type":"session","version":3,"id":"s1","timestamp":"2026-03-09T08:14:00.000Z","cwd":"/work")" + more
        + "}\n";
}

/// An entry with an id, the parent as JSON, and further members.
std::string entry(
    const std::string &type, const std::string &id, const std::string &parent, const std::string &more = "")
{
    return R"({"type":")" + type + R"(","id":")" + id + R"(","parentId":)"
        + (parent.empty() ? "null" : "\"" + parent + "\"") + R"(,"timestamp":"2026-03-09T08:14:01.000Z")"
        + (more.empty() ? "" : "," + more) + "}\n";
}

std::string message(const std::string &id, const std::string &parent, const std::string &role,
    const std::string &content, const std::string &more = "")
{
    return entry("message", id, parent,
        R"("message":{"role":")" + role + R"(","content":)" + content + (more.empty() ? "" : "," + more) + "}");
}

std::string text(const std::string &words) { return R"([{"type":"text","text":")" + words + R"("}])"; }
std::string user(const std::string &id, const std::string &parent, const std::string &words)
{
    return message(id, parent, "user", text(words));
}

constexpr const char *kUsage
    = R"("model":"claude-opus-4-5","usage":{"input":4,"output":40,"cacheRead":900,"cacheWrite":60,"totalTokens":1004})";

std::string answer(
    const std::string &id, const std::string &parent, const std::string &words, const std::string &stop = "stop")
{
    return message(id, parent, "assistant", text(words), std::string(kUsage) + R"(,"stopReason":")" + stop + "\"");
}

std::string call(const std::string &id, const std::string &parent, const std::string &callId)
{
    return message(id, parent, "assistant",
        R"([{"type":"toolCall","id":")" + callId + R"(","name":"read","arguments":{"path":"/work/a.cpp"}}])",
        std::string(kUsage) + R"(,"stopReason":"toolUse")");
}

std::string result(const std::string &id, const std::string &parent, const std::string &callId,
    const std::string &content, const std::string &more = "")
{
    return message(id, parent, "toolResult", content,
        R"("toolCallId":")" + callId + R"(","toolName":"read","isError":false)" + more);
}

std::string compaction(
    const std::string &id, const std::string &parent, const std::string &summary, const std::string &kept)
{
    return entry("compaction", id, parent,
        R"("summary":")" + summary + R"(","firstKeptEntryId":")" + kept + R"(","tokensBefore":1004)");
}

/// The file as a session that keeps all rules.
SessionPtr loaded(const std::string &file)
{
    const auto session = testing::load(file);
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    const std::string broken = testing::brokenRule(**session);
    if (!broken.empty())
        qFatal("%s", broken.c_str());
    return *session;
}

/// The texts of an array, one character each: `u a S` for messages "u…", "a…" and a summary.
std::string inShort(const SessionPtr &session, const BlockRanges &array)
{
    std::string words;
    array.forEach([&](BlockId id) { words += (words.empty() ? "" : " ") + session->text(session->block(id).body); });
    return words;
}

std::string atEnd(const SessionPtr &session) { return inShort(session, session->threads.front().end); }

QByteArray bytes(const std::string &text) { return QByteArray::fromStdString(text); }

/// A talk of four messages: u1, a1, u2, a2.
std::string talk()
{
    return header() + user("1", "", "u1") + answer("2", "1", "a1") + user("3", "2", "u2") + answer("4", "3", "a2");
}

} // namespace

/// Sessions of pi.
class PiTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileMayBeginWithABranchSummary();
    void readsMessages();
    void readsParts_data();
    void readsParts();
    void resultsHaveDetails();
    void readsWhatIsSentAsAUsers();
    void usageIsThatOfTheCall();
    void stoppedResponses_data();
    void stoppedResponses();
    void callsOfStoppedResponses();
    void branches();
    void aBranchSummaryIsARollback();
    void compactions();
    void aCompactionOfVersionOne();
    void namesOfTheSession();
    void recognisesSessions_data();
    void recognisesSessions();
    void readsMalformedSamples_data();
    void readsMalformedSamples();
    void publishesWhileLoading();
    void stopsWhenCancelled();
    void anEvictedPrefixBecomesACompaction_data();
    void anEvictedPrefixBecomesACompaction();
    void compactionsFollowWhatTheyKeep_data();
    void compactionsFollowWhatTheyKeep();
    void readsTheCorpus_data();
    void readsTheCorpus();
    void costsAreThoseThatPiComputed();
};

/// The head of the file was cut off: there is no entry before the summary of the branch that was left.
void PiTest::aFileMayBeginWithABranchSummary()
{
    const SessionPtr session = loaded(entry("branch_summary", "5", "4", R"("summary":"S","fromId":"4")")
        + user("6", "5", "u3") + answer("7", "6", "a3"));
    QVERIFY2(atEnd(session).ends_with("u3 a3"), atEnd(session).c_str());
    QCOMPARE(session->threads.front().compactions.size(), 1U);
    QCOMPARE(inShort(session, session->threads.front().compactions.front().before), "");
}

void PiTest::readsMessages()
{
    const SessionPtr session = loaded(header() + entry("model_change", "0", "", R"("modelId":"m")")
        + message("1", "0", "user",
            R"([{"type":"text","text":"look"},{"type":"image","data":"iVBO","mimeType":"image/png"}])")
        + call("2", "1", "t1") + result("3", "2", "t1", text("int a;")) + answer("4", "3", "It is \\u00e9.")
        + message("5", "4", "user", "\"a string\""));
    QCOMPARE(session->format, "pi");
    QCOMPARE(session->workingFolder, "/work");
    QCOMPARE(session->model, "claude-opus-4-5");
    const std::string words
        = R"(user{text+typed "look", image image/png "iVBO"} assistant{call read#t1 "{"path": "/work/a.cpp"}"} )"
          R"(tool{result read#t1 "int a;"} assistant{text "It is é."} user{text+typed "a string"})";
    QCOMPARE(describe(*session), words);
    const Block &asked = session->blocks[2];
    QCOMPARE(session->string(asked.subject), "/work/a.cpp");
    QCOMPARE(session->string(session->message(asked.message).externalId), "2");
    QCOMPARE(session->record(asked), std::string_view(call("2", "1", "t1")).substr(0, session->record(asked).size()));
    QCOMPARE(testing::slotsAtEnd(session), 5U);
}

void PiTest::readsParts_data()
{
    QTest::addColumn<QByteArray>("entry");
    QTest::addColumn<QByteArray>("words");
    const std::string image = R"({"type":"image","data":"iVBO","mimeType":"image/png"})";
    const auto answers = [&](const char *name, const std::string &content, const std::string &words) {
        QTest::newRow(name) << bytes(result("3", "2", "t1", content)) << bytes("tool{result read#t1 " + words + "}");
    };
    answers("no result", "[]", R"("")");
    answers("a string", R"("plain")", R"("plain")");
    answers("a text and an image", R"([{"type":"text","text":"seen"},)" + image + "]",
        R"("seen", image image/png#t1 "iVBO")");
    answers("two texts around an image",
        R"([{"type":"text","text":"a"},)" + image + R"(,{"type":"text","text":"b"},{"type":"news"}])",
        "\"a\nb\", image image/png#t1 \"iVBO\", opaque#t1 \"{\"type\": \"news\"}\"");
    answers(
        "a text behind an image", "[" + image + R"(,{"type":"text","text":"a"}])", R"("a", image image/png#t1 "iVBO")");
    answers("an image", "[" + image + "]", R"("", image image/png#t1 "iVBO")");
    answers("two texts", R"([{"type":"text","text":"a"},{"type":"text","text":"b"}])", "\"a\nb\"");
    answers("a text and something unknown", R"([{"type":"text","text":"a"},{"type":"news"}])",
        R"("[{"type": "text", "text": "a"}, {"type": "news"}]")");
    const auto says = [](const char *name, const std::string &part, const std::string &words) {
        QTest::newRow(name) << bytes(message("3", "2", "assistant", "[" + part + "]", R"("stopReason":"stop")"))
                            << bytes("assistant{" + words + "}");
    };
    says("thinking", R"({"type":"thinking","thinking":"hm","thinkingSignature":"EoEC"})", R"(thinking "hm")");
    says("thinking in its signature", R"({"type":"thinking","thinking":"","thinkingSignature":"EoEC"})",
        R"(thinking+encrypted "EoEC")");
    says("redacted thinking", R"({"type":"thinking","thinking":"[hidden]","thinkingSignature":"EoEC","redacted":true})",
        R"(thinking+encrypted "EoEC")");
    says("an item of Responses", R"({"type":"thinking","thinking":"","thinkingSignature":"{\"id\":1}"})",
        R"(thinking+encrypted "{"id":1}")");
    says("no thinking", R"({"type":"thinking","thinking":"","thinkingSignature":""},{"type":"text","text":"a"})",
        R"(text "a")");
    says("an unknown part", R"({"type":"text","text":"a"},{"type":"news","x":1})",
        R"(text "a", opaque "{"type": "news", "x": 1}")");
}

void PiTest::readsParts()
{
    QFETCH(QByteArray, entry);
    QFETCH(QByteArray, words);
    const SessionPtr session = loaded(header() + user("1", "", "u") + call("2", "1", "t1") + entry.toStdString());
    const QByteArray all = bytes(describe(*session));
    QCOMPARE(all.mid(all.indexOf("} ", all.indexOf("call")) + 2), words);
}

void PiTest::resultsHaveDetails()
{
    const std::string details = R"({"diff":"+1"})";
    const SessionPtr session = loaded(header() + user("1", "", "u") + call("2", "1", "t1")
        + result("3", "2", "t1", text("a"), ",\"details\":" + details));
    QCOMPARE(session->blocks.back().sideBytes, details.size());
    QVERIFY(!session->blocks.back().is(BlockFlag::Error));
    const std::string failed = R"("toolCallId":"t1","toolName":"read","isError":true)";
    const SessionPtr other = loaded(
        header() + user("1", "", "u") + call("2", "1", "t1") + message("3", "2", "toolResult", text("a"), failed));
    QVERIFY(other->blocks.back().is(BlockFlag::Error));
}

void PiTest::readsWhatIsSentAsAUsers()
{
    const auto command = [](const std::string &id, const std::string &parent, const std::string &more) {
        return entry("message", id, parent, R"("message":{"role":"bashExecution","command":"ls",)" + more + "}");
    };
    const SessionPtr session = loaded(header() + command("1", "", R"("output":"a.txt","exitCode":0)")
        + command("2", "1", R"("output":"","exitCode":0)")
        + command("3", "2", R"("output":"x","excludeFromContext":true)")
        + entry("custom_message", "4", "3", R"("customType":"x","content":"by an extension","display":true)")
        + message("5", "4", "hookMessage", text("by a hook")) + message("6", "5", "user", text("<system-reminder>x"))
        + entry("custom", "7", "6", R"("data":{"role":"user"})") + message("8", "7", "prophet", text("unheard")));
    const std::string words = R"(user{text+injected "ls", text+injected "a.txt"} user{text+injected "ls"} )"
                              R"(user{text+injected "by an extension"} user{text+injected "by a hook"} )"
                              R"(user{text+injected "<system-reminder>x"})";
    QCOMPARE(describe(*session), words);
    QVERIFY(testing::diagnosticsOf(*session).find("the role prophet") != std::string::npos);
    QVERIFY(session->sideBytes > 300);
}

void PiTest::usageIsThatOfTheCall()
{
    const SessionPtr session = loaded(talk());
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QVERIFY(thread.calls[1].usage == (Usage { 4, 900, 60, 40 }));
    QCOMPARE(inShort(session, thread.calls[1].input), "u1 a1 u2");
    QCOMPARE(thread.calls[1].time, parseTime("2026-03-09T08:14:01.000Z"));
    QVERIFY(!thread.calls[1].isDerived);
    QCOMPARE(session->string(thread.calls[1].model), "claude-opus-4-5");
}

void PiTest::stoppedResponses_data()
{
    QTest::addColumn<QByteArray>("day");
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("sent again to 0.49.1") << QByteArray("2026-01-18") << QByteArray("u1 a1 half u2");
    QTest::newRow("left out since") << QByteArray("2026-01-19") << QByteArray("u1 a1 u2");
}

void PiTest::stoppedResponses()
{
    QFETCH(QByteArray, day);
    QFETCH(QByteArray, end);
    for (const char *stop : { "aborted", "error" }) {
        std::string file = header() + user("1", "", "u1") + answer("2", "1", "a1") + answer("3", "2", "half", stop)
            + message("4", "3", "assistant", "[]", R"("stopReason":"aborted","usage":{"input":0,"output":0})")
            + user("5", "4", "u2");
        for (size_t at = file.find("2026-03-09"); at != std::string::npos; at = file.find("2026-03-09"))
            file.replace(at, 10, day.toStdString());
        const SessionPtr session = loaded(file);
        QCOMPARE(bytes(atEnd(session)), end);
        // It was a call all the same; one that was given up before anything came is none.
        QCOMPARE(session->threads.front().calls.size(), 2U);
        QCOMPARE(inShort(session, session->threads.front().calls[1].input), "u1 a1");
    }
}

/// Of a response that failed the text is sent again, its calls are not: no result ever came.
void PiTest::callsOfStoppedResponses()
{
    std::string file = header() + user("1", "", "u1")
        + message("2", "1", "assistant",
            R"([{"type":"text","text":"half"},{"type":"toolCall","id":"c1","name":"edit","arguments":{}},)"
            R"({"type":"toolCall","id":"c2","name":"edit","arguments":{}}])",
            std::string(kUsage) + R"(,"stopReason":"error")")
        + user("3", "2", "u2") + answer("4", "3", "a2");
    for (size_t at = file.find("2026-03-09"); at != std::string::npos; at = file.find("2026-03-09"))
        file.replace(at, 10, "2025-11-20");
    const SessionPtr session = loaded(file);
    const auto &calls = session->threads.front().calls;
    QCOMPARE(calls.size(), 2U);
    QCOMPARE(inShort(session, calls[1].input), "u1 half u2");
    QCOMPARE(calls[0].output.size(), 3U); // it was the response all the same
    QCOMPARE(atEnd(session), "u1 half u2 a2");
}

void PiTest::branches()
{
    const SessionPtr session = loaded(talk() + user("5", "2", "u3") + answer("6", "5", "a3"));
    QCOMPARE(atEnd(session), "u1 a1 u3 a3");
    const auto &calls = session->threads.front().calls;
    QCOMPARE(calls.size(), 3U);
    QCOMPARE(inShort(session, calls[1].input), "u1 a1 u2");
    QCOMPARE(inShort(session, calls[2].input), "u1 a1 u3");
    QVERIFY(session->threads.front().compactions.empty());

    const SessionPtr lost = loaded(talk() + user("5", "nowhere", "u3"));
    QCOMPARE(atEnd(lost), "u1 a1 u2 a2 u3");
    QVERIFY(testing::diagnosticsOf(*lost).starts_with("6: "));
    QCOMPARE(atEnd(loaded(talk() + user("5", "5", "itself"))), "u1 a1 u2 a2 itself");
    QCOMPARE(atEnd(loaded(talk() + user("5", "", "a new root"))), "a new root");
    QCOMPARE(atEnd(loaded(talk() + user("3", "2", "a copy"))), "u1 a1 u2 a2");
}

void PiTest::aBranchSummaryIsARollback()
{
    const SessionPtr session = loaded(
        talk() + entry("branch_summary", "5", "2", R"("fromId":"4","summary":"told")") + answer("6", "5", "a3"));
    QCOMPARE(atEnd(session), "u1 a1 told a3");
    const auto &made = session->threads.front().compactions;
    QCOMPARE(made.size(), 1U);
    QCOMPARE(made[0].kind, CompactionKind::Rollback);
    QCOMPARE(inShort(session, made[0].before), "u1 a1 u2 a2");
    QCOMPARE(inShort(session, made[0].after), "u1 a1 told");
    QCOMPARE(made[0].call, CallIndex(1U));
}

void PiTest::compactions()
{
    const SessionPtr session = loaded(talk() + compaction("5", "4", "S1", "3") + user("6", "5", "u3")
        + answer("7", "6", "a3") + compaction("8", "7", "S2", "4"));
    QCOMPARE(atEnd(session), "S2 a2 u3 a3"); // the first summary is on the path, and not sent any more
    const auto &made = session->threads.front().compactions;
    QCOMPARE(made.size(), 2U);
    QCOMPARE(made[0].kind, CompactionKind::Summary);
    QCOMPARE(made[0].call, CallIndex(1U));
    QCOMPARE(made[0].beforeTokens, std::optional<uint64_t>(1004));
    QCOMPARE(made[0].afterTokens, std::optional<uint64_t>(964));
    QCOMPARE(inShort(session, made[0].before), "u1 a1 u2 a2");
    QCOMPARE(inShort(session, made[0].after), "S1 u2 a2 u3");
    QCOMPARE(inShort(session, made[1].before), "S1 u2 a2 u3 a3");
    QCOMPARE(inShort(session, made[1].after), "S2 a2 u3 a3");
    QVERIFY(!made[1].afterTokens);
    QVERIFY(session->block(BlockId(4)).is(BlockFlag::Summary));
    QCOMPARE(made[0].figures, (std::vector<RecordedFigure> { { "tokensBefore", 1004 } }));
    // No call was sent what the first of these left.
    const SessionPtr twice = loaded(talk() + compaction("5", "4", "S1", "3") + compaction("6", "5", "S2", "4")
        + user("7", "6", "u3") + answer("8", "7", "a3"));
    const auto &both = twice->threads.front().compactions;
    QCOMPARE(both.size(), 2U);
    QCOMPARE(inShort(twice, both[0].after), "S1 u2 a2");
    QVERIFY(!both[0].afterTokens);
    QCOMPARE(inShort(twice, both[1].before), "S1 u2 a2");
    QCOMPARE(inShort(twice, both[1].after), "S2 a2 u3");
    QCOMPARE(atEnd(loaded(talk() + compaction("5", "4", "S", "elsewhere"))), "S");
    // On another branch there was no compaction.
    QCOMPARE(atEnd(loaded(talk() + compaction("5", "4", "S", "3") + user("6", "4", "u3"))), "u1 a1 u2 a2 u3");
}

void PiTest::aCompactionOfVersionOne()
{
    const auto old = [](std::string line) {
        const size_t from = line.find(R"("id":)");
        return line.erase(from, line.find(R"("timestamp")") - from);
    };
    const std::string head = R"({"type":"session","id":"s1","timestamp":"2025-12-09T00:53:29.825Z","cwd":"/work"})"
                             "\n";
    const SessionPtr session = loaded(head + old(user("1", "", "u1")) + old(answer("2", "1", "a1"))
        + old(user("3", "2", "u2")) + old(answer("4", "3", "a2"))
        + R"({"type":"compaction","timestamp":"2025-12-09T00:54:29.825Z","summary":"S","firstKeptEntryIndex":3})"
          "\n"
        + old(user("6", "", "u3")));
    QCOMPARE(atEnd(session), "S u2 a2 u3");
    QVERIFY(session->diagnostics.empty());
}

void PiTest::namesOfTheSession()
{
    QCOMPARE(loaded(talk())->title, "u1");
    const SessionPtr named = loaded(talk() + entry("session_info", "5", "4", R"("name":"Mine")"));
    QCOMPARE(named->title, "Mine");
    const SessionPtr fork = loaded(header(R"(,"parentSession":"/old.jsonl")") + user("1", "", "u1"));
    QVERIFY(testing::diagnosticsOf(*fork).find("a fork of /old.jsonl") != std::string::npos);
    QCOMPARE(fork->threads.front().id, "s1");
}

void PiTest::recognisesSessions_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<bool>("isPi");
    QTest::newRow("a header") << bytes(header()) << true;
    QTest::newRow("messages") << bytes(user("1", "", "u") + answer("2", "1", "a")) << true;
    QTest::newRow("one message") << bytes(user("1", "", "u") + "\n" + user("2", "1", "u")) << true;
    QTest::newRow("a command") << QByteArray(
        R"({"type":"message","timestamp":"t","message":{"role":"bashExecution","command":"ls"}})"
        "\n{}") << true;
    QTest::newRow("Claude Code") << QByteArray(
        R"({"type":"user","uuid":"a","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"x"}})"
        "\n{}") << false;
    QTest::newRow("Codex") << QByteArray(R"({"type":"session_meta","payload":{"id":"a","cwd":"/"}})"
                                         "\n{}")
                           << false;
    QTest::newRow("another session") << QByteArray(R"({"type":"session","name":"x"})"
                                                   "\n{}")
                                     << false;
    QTest::newRow("another message") << QByteArray(R"({"type":"message","message":{"role":"user"}})"
                                                   "\n{}")
                                     << false;
}

void PiTest::recognisesSessions()
{
    QFETCH(QByteArray, file);
    QFETCH(bool, isPi);
    QCOMPARE(testing::formatOf(file.toStdString()) == "pi", isPi);
}

void PiTest::readsMalformedSamples_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<QByteArray>("damaged");
    std::ifstream table(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed/EXPECTED.tsv");
    for (std::string row; std::getline(table, row);) {
        const QStringList cells = QString::fromStdString(row).split(u'\t');
        if (cells.size() > 3 && cells[1] == u"pi")
            QTest::newRow(qPrintable(cells[0])) << cells[0] << cells[2].toInt() << cells[3].toUtf8();
    }
}

void PiTest::readsMalformedSamples()
{
    QFETCH(QString, file);
    QFETCH(int, slotCount);
    QFETCH(QByteArray, damaged);
    const auto session
        = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed" / file.toStdString());
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE((*session)->format, "pi");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(static_cast<int>(testing::slotsAtEnd(*session)), slotCount);
    std::string warned;
    for (const Diagnostic &each : (*session)->diagnostics) {
        if (each.severity == Severity::Warning)
            warned += (warned.empty() ? "" : ",") + std::to_string(each.line);
    }
    QCOMPARE(bytes(warned.empty() ? "-" : warned), damaged);
}

void PiTest::publishesWhileLoading()
{
    std::string file = header();
    const std::string long1(900, 'u');
    for (int i = 0; i < 12'000; ++i)
        file += user(std::to_string(i), i == 0 ? "" : std::to_string(i - 1), long1);
    std::vector<SessionPtr> published;
    Progress progress;
    const auto session = loadSession(
        Source::own(std::move(file), "big"), &progress, [&](const SessionPtr &each) { published.push_back(each); });
    QVERIFY(session);
    QVERIFY((*session)->isComplete);
    QCOMPARE((*session)->messages.size(), 12'000U);
    for (const SessionPtr &each : published) {
        QVERIFY(!each->isComplete);
        QCOMPARE(testing::brokenRule(*each), "");
        QVERIFY(!each->threads.front().end.isEmpty());
    }
    QVERIFY(progress.fraction() > 0.9);
}

void PiTest::stopsWhenCancelled()
{
    Progress progress;
    progress.cancel();
    const auto session = loadSession(Source::own(talk(), "talk"), &progress);
    QVERIFY(!session);
    QCOMPARE(session.error().kind, ErrorKind::Cancelled);
}

namespace {

/// Messages of the array at the end, in order.
std::vector<MessageId> messagesAtEnd(const SessionPtr &session)
{
    std::vector<MessageId> messages;
    session->threads.front().end.forEach([&](BlockId id) {
        if (messages.empty() || messages.back() != session->block(id).message)
            messages.push_back(session->block(id).message);
    });
    return messages;
}

} // namespace

void PiTest::anEvictedPrefixBecomesACompaction_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("kept"); ///< the first message that stays
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("a talk") << bytes(talk()) << 2 << QByteArray("new u2 a2");
    QTest::newRow("everything") << bytes(talk()) << 4 << QByteArray("new");
    const std::string compacted
        = talk() + compaction("5", "4", "S", "3") + user("6", "5", "u3") + answer("7", "6", "a3");
    QTest::newRow("kept from before an earlier one") << bytes(compacted) << 2 << QByteArray("new a2 u3 a3");
    QTest::newRow("kept from behind it") << bytes(compacted) << 3 << QByteArray("new u3 a3");
    QTest::newRow("no line end") << bytes(talk()).chopped(1) << 3 << QByteArray("new a2");
}

/// Everything before a message gives way to a summary: one record is added, and nothing else changes.
void PiTest::anEvictedPrefixBecomesACompaction()
{
    QFETCH(QByteArray, file);
    QFETCH(int, kept);
    QFETCH(QByteArray, end);
    const SessionPtr session = loaded(file.toStdString());
    const std::vector<MessageId> messages = messagesAtEnd(session);
    SpliceEdits edits;
    edits.droppedMessages.assign(messages.begin(), messages.begin() + kept);
    edits.insertions.push_back(
        { messages[std::min<size_t>(static_cast<size_t>(kept), messages.size() - 1)], Role::User, "new", true });
    const auto spliced = spliceSession(*session, edits);
    QVERIFY2(spliced, spliced ? "" : spliced.error().sentence().c_str());
    QVERIFY(spliced->problems.empty());
    QVERIFY(spliced->bytes.starts_with(file.toStdString()));
    const SessionPtr again = loaded(spliced->bytes);
    QCOMPARE(bytes(atEnd(again)), end);
    QCOMPARE(again->threads.front().compactions.size(), session->threads.front().compactions.size() + 1);
    QCOMPARE(again->threads.front().compactions.back().beforeTokens, std::optional<uint64_t>(964));
    QCOMPARE(again->block(BlockId(again->blocks.size() - 1)).is(BlockFlag::Summary), true);
    QCOMPARE(spliced->inverse.size(), 1U);
    QCOMPARE(spliced->inverse.front().originalSize, 0U);
}

void PiTest::compactionsFollowWhatTheyKeep_data()
{
    QTest::addColumn<bool>("hasIds");
    QTest::addColumn<QByteArray>("edit"); ///< `m` drop a message, `i` add before it; its place in the array
    QTest::addColumn<QByteArray>("end");
    for (const bool hasIds : { true, false }) {
        const auto row = [&](const char *name, const char *edit, const char *end) {
            QTest::newRow((std::string(name) + (hasIds ? ", by id" : ", by place")).c_str())
                << hasIds << QByteArray(edit) << QByteArray(end);
        };
        row("the first kept goes", "m1", "S a2 u3");
        row("two go", "m1 m2", "S u3");
        row("something is added before it", "i1", "S new u2 a2 u3");
        row("it gives way to something", "m1 i1", "S new a2 u3");
        row("one behind the compaction goes", "m3", "S u2 a2");
        row("something is added behind it", "i3", "S u2 a2 new u3");
        row("the summary stays", "m0", "S u2 a2 u3");
        row("nothing stands before the summary", "i0", "S u2 a2 u3");
    }
}

void PiTest::compactionsFollowWhatTheyKeep()
{
    QFETCH(bool, hasIds);
    QFETCH(QByteArray, edit);
    QFETCH(QByteArray, end);
    std::string file = talk() + compaction("5", "4", "S", "3") + user("6", "5", "u3");
    if (!hasIds) {
        std::istringstream lines(std::exchange(file, {}));
        for (std::string line; std::getline(lines, line);) {
            const size_t from = line.find(R"("id":)");
            if (line.find("parentId") != std::string::npos)
                line.erase(from, line.find(R"("timestamp")") - from);
            const size_t kept = line.find(R"("firstKeptEntryId":"3")");
            if (kept != std::string::npos)
                line.replace(kept, 22, R"("firstKeptEntryIndex":3)");
            file += line + "\n";
        }
    }
    const SessionPtr session = loaded(file);
    QCOMPARE(atEnd(session), "S u2 a2 u3");
    const std::vector<MessageId> messages = messagesAtEnd(session);
    SpliceEdits edits;
    for (const QByteArray &each : edit.split(' ')) {
        const MessageId id = messages[static_cast<size_t>(each[1] - '0')];
        if (each[0] == 'm')
            edits.droppedMessages.push_back(id);
        else
            edits.insertions.push_back({ id, Role::User, "new", false });
    }
    const auto spliced = spliceSession(*session, edits);
    QVERIFY2(spliced, spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(bytes(atEnd(loaded(spliced->bytes))), end);
    QCOMPARE(spliced->problems.size(), edit.endsWith('0') ? 1U : 0U);
}

void PiTest::readsTheCorpus_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("no corpus") << QString();
    for (const std::string &file : testing::corpusFiles({ "pi" }))
        QTest::newRow(file.c_str()) << QString::fromStdString(file);
}

void PiTest::readsTheCorpus()
{
    QFETCH(QString, file);
    if (testing::corpus().empty())
        QSKIP("The corpus of real files is not here; PALIMPSEST_CORPUS names it.");
    if (file.isEmpty())
        return;
    const auto session = loadSession(testing::corpus() / file.toStdString());
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE((*session)->format, "pi");
    QCOMPARE(testing::brokenRule(**session), "");
    const auto expected = testing::expectedOf(file.toStdString());
    QCOMPARE(expected.size(), 1U);
    auto numbers = expected.front().numbers;
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(testing::slotsAtEnd(*session), numbers["slots_end"]);
    QCOMPARE(testing::slotsInLife(*session), numbers["slots_life"]);
    QCOMPARE(thread.calls.size(), numbers["calls"]);
    QCOMPARE(thread.compactions.size(), numbers["compactions"]);
    for (const Diagnostic &each : (*session)->diagnostics)
        QVERIFY2(each.severity == Severity::Note, each.reason.c_str());
}

/// pi writes what it takes each response to have cost: the same prices times the same usage.
void PiTest::costsAreThoseThatPiComputed()
{
    if (testing::corpus().empty())
        QSKIP("The corpus of real files is not here; PALIMPSEST_CORPUS names it.");
    size_t compared = 0;
    for (const std::string &file : testing::corpusFiles({ "pi" })) {
        const auto loadedFile = loadSession(testing::corpus() / file);
        QVERIFY(loadedFile);
        const Session &session = **loadedFile;
        const SessionCost ours
            = recordedCost(session, recordedCache(session, *roughTokens(session)), Prices::bundled());
        if (ours.unpricedCalls > 0)
            continue;
        double theirs = 0;
        for (const Call &call : session.threads.front().calls) {
            if (call.output.size() == 0)
                continue;
            const JsonMembers record(session.record(session.blocks[call.output.begin]));
            theirs += jsonNumber(record.object("message").object("usage").object("cost").raw("total")).value_or(0);
        }
        qInfo("%s: pi $%.4f, ours $%.4f", file.c_str(), theirs, ours.recorded);
        QVERIFY(std::abs(theirs - ours.recorded) < 0.0001 * theirs);
        ++compared;
    }
    QVERIFY(compared >= 3);
}

PALIMPSEST_TEST(PiTest)
#include "tst_pi.moc"
