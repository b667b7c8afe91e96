// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/worker_figures.h"
#include "core/tokens/weights.h"
#include "tests/claude_log.h"
#include "tests/policy_with.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <format>

using namespace core;

namespace {

ReplayGroundPtr groundOf(const SessionPtr &session)
{
    return replayGround(session, ThreadIndex(0U), roughTokens(*session));
}

/// The number of messages that each call sends.
std::vector<uint32_t> messagesOf(const Replay &replay)
{
    std::vector<uint32_t> counts;
    for (size_t i = 0; i < replay.callCount(); ++i)
        counts.push_back(replay.steps[i].messageCount);
    return counts;
}

/// The calls at which summaries started and landed, in pairs.
std::vector<uint32_t> landingsOf(const Replay &replay)
{
    std::vector<uint32_t> calls;
    for (const WorkerSummary &each : replay.worker->summaries) {
        if (each.end == WorkerSummary::End::Landed)
            calls.insert(calls.end(), { each.startedAt, each.endedAt });
    }
    return calls;
}

} // namespace

class HarnessDefectsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theHarnessNeverSendsItsSummary();
    void defectsHaveTheirCalls();
    void fetchedResultsAreCounted_data();
    void fetchedResultsAreCounted();
};

/// As coded: the array stays as it is, and the worker starts again and again.
void HarnessDefectsTest::theHarnessNeverSendsItsSummary()
{
    const testing::Settings settings { { "trigger", "5msg" }, { "keep", "2msg" } };
    const auto ground = groundOf(session(
        "u:40 a:80 u:120 a:160 u:200 a:240 u:280 a:320 u:360 a:400 u:440 a:480 u:520 a:560 u:600 a:640 u:680 a:720"));
    const ReplayPtr coded = replay(ground, testing::policyWith("iii-pr140-as-coded", settings));
    QCOMPARE(landingsOf(*coded), (std::vector<uint32_t> { 2, 3, 4, 5, 6, 7, 8, 9 }));
    QCOMPARE(messagesOf(*coded), (std::vector<uint32_t> { 1, 3, 5, 7, 9, 11, 13, 15, 17 }));
    const ReplayPtr intended = replay(ground, testing::policyWith("iii-pr140-intended", settings));
    QCOMPARE(messagesOf(*intended), (std::vector<uint32_t> { 1, 3, 5, 5, 7, 5, 7, 5, 7 }));
    const auto defects = harnessDefects(*coded, nullptr, {});
    const auto unsent = std::ranges::find(defects, std::string_view("summary_never_sent"), &HarnessDefect::name);
    QVERIFY(unsent != defects.end());
    QCOMPARE(unsent->calls, (std::vector<size_t> { 3, 5, 7 }));
    QVERIFY(!unsent->isOfReview);
    const auto corrected = harnessDefects(*intended, nullptr, {});
    QVERIFY(!std::ranges::contains(corrected, std::string_view("summary_never_sent"), &HarnessDefect::name));
}

void HarnessDefectsTest::defectsHaveTheirCalls()
{
    // Results of 9,000 characters are cut, those of 100 are not. Call k sends the results before it.
    const auto ground = groundOf(session("u:40 c:40 t:9000 c:40 t:100 c:40 t:9000 a:40 u:40 a:40"));
    const ReplayPtr run = replay(ground, preset("iii-pr140-intended"));
    const auto defects = harnessDefects(*run, nullptr, {});
    QCOMPARE(defects.front().name, std::string_view("unchecked_save"));
    QVERIFY(defects.front().isOfReview);
    QCOMPARE(defects.front().calls, (std::vector<size_t> { 1, 3 }));
    QVERIFY(defects.front().sentence.contains("2 results cut, first sent with calls 1, 3. If a save of them fails"));
    const ReplayPtr failing
        = replay(ground, testing::policyWith("iii-pr140-intended", { { "truncate-results.saves", "off" } }));
    QVERIFY(harnessDefects(*failing, nullptr, {}).front().sentence.contains("2 results lost"));
    // The last three messages begin with a result.
    const auto torn = groundOf(session("u:40 c:40 t:80 c:40 t:80 c:40 t:80 a:40 u:40 a:40"));
    const ReplayPtr cut
        = replay(torn, testing::policyWith("iii-pr140-intended", { { "trigger", "5msg" }, { "keep", "3msg" } }));
    const auto found = harnessDefects(*cut, nullptr, {});
    const auto pair = std::ranges::find(found, std::string_view("result_without_call"), &HarnessDefect::name);
    QVERIFY(pair != found.end());
    for (size_t i = 0; i < cut->callCount(); ++i)
        QCOMPARE(std::ranges::contains(pair->calls, i), cut->steps[i].isTorn);
    QVERIFY(!pair->calls.empty());
    QVERIFY(harnessDefects(*replay(ground, preset("claude-code")), nullptr, {}).empty());
}

void HarnessDefectsTest::fetchedResultsAreCounted_data()
{
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("argument");
    QTest::addColumn<int>("fetched");
    const QString cut
        = QStringLiteral("[result truncated — 9000 bytes — call agent_call with function=\"result::fetch\", "
                         "payload={\"call_id\": \"toolu_1\"} to retrieve the full output]\n\nhead");
    QTest::newRow("result::fetch") << cut << "agent_call" << "result::fetch toolu_1" << 1;
    QTest::newRow("the id alone") << cut << "lookup" << "toolu_1" << 1;
    QTest::newRow("another id") << cut << "lookup" << "toolu_10" << 0;
    QTest::newRow("a file of Claude Code")
        << "Output too large (9KB). Full output saved to: /none/tool-results/b7.txt\n\nPreview:\nfirst" << "Read"
        << "/none/tool-results/b7.txt" << 1;
    QTest::newRow("in a command")
        << "Output too large (9KB). Full output saved to: /none/tool-results/b7.txt\n\nPreview:\nfirst" << "Bash"
        << "grep -n x /none/tool-results/b7.txt|head" << 1;
    QTest::newRow("a path with a blank") << "x\n\n[Showing lines 1-20 of 900. Full output: /none/a b.log]" << "Bash"
                                         << "cat '/none/a b.log'" << 1;
    QTest::newRow("another file") << "x\n\n[Showing lines 1-20 of 900. Full output: /none/ab.log]" << "Bash"
                                  << "cat /none/ab.log.old" << 0;
    QTest::newRow("nothing was shortened") << "all of it" << "Read" << "/none/tool-results/b7.txt" << 0;
}

void HarnessDefectsTest::fetchedResultsAreCounted()
{
    QFETCH(QString, part);
    QFETCH(QString, tool);
    QFETCH(QString, argument);
    QFETCH(int, fetched);
    testing::ClaudeLog log;
    log.typed("Go.");
    log.call("Bash", { { "command", "make" } });
    log.result(part.toStdString());
    log.call(tool.toStdString(), { { "argument", argument.toStdString() } });
    log.result(part.toStdString());
    log.answered("Done.");
    const SessionPtr made = log.load();
    const FetchedOutputs found = fetchedOutputs(appendLog(made, ThreadIndex(0U)));
    QCOMPARE(found.fetched.size(), static_cast<size_t>(fetched));
    if (fetched == 0)
        return;
    QCOMPARE(found.fetched.front().call, CallIndex(1U));
    QCOMPARE(found.fetched.front().tool, std::string_view(tool.toStdString()));
    QVERIFY(found.fetched.front().isPartAgain);
    QVERIFY(found.sentence().ends_with(std::format("fetched 1 time, at call 1 ({})", tool.toStdString())));
    const ReplayPtr run = replay(groundOf(made), preset("iii-pr140-as-coded"));
    const auto defects = harnessDefects(*run, nullptr, found);
    QCOMPARE(defects.back().name, std::string_view("fetched_result_cut_again"));
    QCOMPARE(defects.back().calls, (std::vector<size_t> { 1 }));
}

PALIMPSEST_TEST(HarnessDefectsTest)
#include "tst_harness_defects.moc"
