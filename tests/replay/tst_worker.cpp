// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_settings.h"
#include "core/compaction/policy_words.h"
#include "core/cuts/cut_replay.h"
#include "core/replay/worker_figures.h"
#include "core/tokens/weights.h"
#include "tests/claude_log.h"
#include "tests/policy_with.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <format>
#include <set>

using namespace core;

namespace {

/// Call k sends 2k + 1 messages: user and model take turns.
constexpr const char *kTurns = "u:40 a:80 u:120 a:160 u:200 a:240 u:280 a:320 u:360 a:400 u:440 a:480 u:520 a:560 "
                               "u:600 a:640 u:680 a:720";
constexpr double kSummary = 10;
constexpr double kPerToken = 3.45; ///< characters, as `roughTokens` counts them

/// Acts from 5 messages on and keeps 2.
PolicyPtr policy(testing::Settings settings)
{
    settings.insert(settings.begin(),
        { { "window", "none" }, { "trigger", "5msg" }, { "keep", "2msg" }, { "summary.tokens", "10" } });
    return testing::policyWith("claw-summary", settings);
}

ReplayGroundPtr groundOf(const SessionPtr &session)
{
    return replayGround(session, ThreadIndex(0U), roughTokens(*session));
}

ReplayPtr replayed(const SessionPtr &session, const testing::Settings &settings)
{
    return replay(groundOf(session), policy(settings));
}

std::string words(const WorkerRun &run)
{
    static const std::vector<std::string> kEnds { "pending", "lands", "fails", "outdated" };
    std::string text;
    for (const WorkerSummary &each : run.summaries)
        text += std::format("{}{}-{} {}", text.empty() ? "" : ", ", each.startedAt, each.endedAt,
            kEnds.at(static_cast<size_t>(each.end)));
    return text;
}

/// The number of messages that each call sends.
std::vector<uint32_t> messagesOf(const Replay &replay)
{
    std::vector<uint32_t> counts;
    for (size_t i = 0; i < replay.callCount(); ++i)
        counts.push_back(replay.steps[i].messageCount);
    return counts;
}

std::string words(const ReplayStep &step)
{
    return std::format(
        "prompt {:.3f} array {:.3f} unchanged {:.3f} summary {:.3f} messages {} blocks {} lost {} {}{}{} "
        "worker {:.3f} {:.3f} {}",
        step.tokens, step.arrayTokens, step.unchangedTokens, step.writtenSummary, step.messageCount, step.blockCount,
        step.lostBytes, step.isTorn ? "torn " : "", step.hasFired ? "fired " : "", step.isLanding ? "lands" : "",
        step.workerInput, step.workerOutput, step.decision.sentence());
}

std::string words(const SaidMeanwhile &said)
{
    return std::format("{} messages, {} typed, {:.2f} tokens", said.messages, said.typed, said.tokens);
}

std::string difference(const Replay &one, const Replay &other)
{
    for (size_t i = 0; i < one.steps.size(); ++i) {
        if (words(one.steps[i]) != words(other.steps[i]))
            return std::format("step {}: {} | {}", i, words(one.steps[i]), words(other.steps[i]));
    }
    const WorkerRun none;
    const WorkerRun &a = one.worker ? *one.worker : none;
    const WorkerRun &b = other.worker ? *other.worker : none;
    if (words(a) != words(b))
        return words(a) + " | " + words(b);
    for (size_t i = 0; i < a.summaries.size(); ++i) {
        const auto of = [](const WorkerSummary &each) {
            return std::format("covers {:.3f}, said {}, lost {}", each.covered, words(each.said), words(each.lost));
        };
        if (of(a.summaries[i]) != of(b.summaries[i]))
            return of(a.summaries[i]) + " | " + of(b.summaries[i]);
    }
    return {};
}

/// Recorded blocks in the array at the end.
std::set<BlockId> standingAt(const Replay &replay, uint32_t call)
{
    std::set<BlockId> standing;
    for (const ContextSpan &span : replay.spans.spans) {
        if (span.from <= call && call < span.to && span.block.index() < replay.ground->session().blocks.size())
            standing.insert(span.block);
    }
    return standing;
}

/// Turns of five seconds: the answer comes one second after the message, and the user types a minute later.
testing::ClaudeLog timedTurns(int count)
{
    testing::ClaudeLog log;
    for (int i = 0; i < count; ++i) {
        log.typed("Question " + std::to_string(i));
        log.answered("Answer " + std::to_string(i));
        if (i % 3 == 2)
            log.wait(2);
    }
    log.typed("Go on.");
    return log;
}

} // namespace

class WorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDocumentNamesTheWorker();
    void wrongMembersAreRefused_data();
    void wrongMembersAreRefused();
    void aWorkerNeedsSomethingToDo();
    void aSummaryLandsCallsLater();
    void theKeepMayCountFromTheLanding();
    void aFailedSaveIsPaidAndStartsAgain();
    void savesFailByNumber();
    void aReloadMayWaitForATurn();
    void secondsAreThoseOfTheRecording();
    void aSpeedGivesTheSeconds();
    void withoutTimesItNeverStarts();
    void aRewindMakesASummaryUseless();
    void atDelayZeroNothingDiffers();
    void liveAndScratchAreEqual();
    void nothingIsLost();
    void aModelOfItsOwnReadsNoCache();
    void callsAboveTheWindowAreCounted();
    void fastReplaysRefuseIt();
};

void WorkerTest::aDocumentNamesTheWorker()
{
    const auto read = [](const std::string &worker) {
        return parsePolicy(
            R"({"schema": "palimpsest.policy/1", "id": "mine", "name": "Mine", "persistence": "persistent",
            "stages": [{"stage": "summarise", "trigger": "policy"}], "worker": )"
            + worker + "}");
    };
    QVERIFY(!read("null")->worker && !preset("claude-code")->worker);
    const auto made = read(R"({"delay": "20s", "reload": "turn", "keep_from": "landing", "failing_saves": "4, 1",
        "request": "empty", "model": "claude-haiku-4-5"})");
    QVERIFY(made);
    SummaryWorker expected;
    expected.delay = { 20, WorkerDelay::Unit::Seconds };
    expected.reload = SummaryWorker::Reload::Turn;
    expected.keepFrom = SummaryWorker::KeepFrom::Landing;
    expected.failingSaves.numbers = { 1, 4 };
    expected.request = SummaryWorker::Request::Empty;
    expected.model = "claude-haiku-4-5";
    QVERIFY(*made->worker == expected);
    QVERIFY(workerOf(*made) != nullptr);
    for (const char *delay : { "0calls", "2calls", "1.5s", "80tok/s", "recorded" })
        QCOMPARE(parseWorkerDelay(delay)->text(), std::string(delay));
    for (const char *saves : { "none", "every 3", "1,4" })
        QCOMPARE(parseFailingSaves(saves)->text(), std::string(saves));
    const PolicyPtr set = policy({ { "worker", "3calls" }, { "worker.failing_saves", "every 2" },
        { "worker.reload", "turn" }, { "worker.model", "gpt-5" } });
    QCOMPARE(set->worker->delay.value, 3.0);
    QCOMPARE(set->worker->failingSaves.every, uint64_t(2));
    QVERIFY(deedSentence(*set).ends_with(
        "A worker writes the summary with gpt-5. It is saved 3 calls after the trigger and lands with the next typed "
        "message. Every 2. save fails."));
    QVERIFY(unknownMembersOf(*set).empty());
    QCOMPARE(changeSentence(*set, *policy({})), std::string("Changed: worker 3calls, was none."));
    QVERIFY(!withSetting(*set, "worker", "none")->worker);
}

void WorkerTest::wrongMembersAreRefused_data()
{
    QTest::addColumn<QString>("worker");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("no object") << R"("2calls")"
                               << "“worker” of the policy should be an object such as {\"delay\": "
                                  "\"2calls\"}.";
    QTest::newRow("a half call") << R"({"delay": "1.5calls"})" << "“worker.delay” of the policy: A delay of a worker";
    QTest::newRow("no unit") << R"({"delay": "2"})" << "“worker.delay” of the policy: A delay of a worker";
    QTest::newRow("no speed") << R"({"delay": "0tok/s"})" << "“worker.delay” of the policy: A delay of a worker";
    QTest::newRow("a reload") << R"({"reload": "never"})" << "“worker.reload” of the policy should be call or turn.";
    QTest::newRow("a save") << R"({"failing_saves": "0"})" << "“worker.failing_saves” of the policy: Failing saves";
    QTest::newRow("every") << R"({"failing_saves": "every"})" << "“worker.failing_saves” of the policy: Failing saves";
    QTest::newRow("a keep") << R"({"keep_from": "end"})"
                            << "“worker.keep_from” of the policy should be trigger or landing.";
}

void WorkerTest::wrongMembersAreRefused()
{
    QFETCH(QString, worker);
    QFETCH(QString, sentence);
    const auto made = parsePolicy(
        R"({"schema": "palimpsest.policy/1", "id": "mine", "name": "Mine", "worker": )" + worker.toStdString() + "}");
    QVERIFY(!made);
    QVERIFY2(made.error().message.starts_with(sentence.toStdString()), made.error().message.c_str());
}

void WorkerTest::aWorkerNeedsSomethingToDo()
{
    for (const testing::Settings &settings : { testing::Settings { { "worker", "2calls" }, { "persistence", "view" } },
             testing::Settings { { "worker", "2calls" }, { "summarise", "off" } } }) {
        const PolicyPtr made = policy(settings);
        QVERIFY(workerOf(*made) == nullptr);
        QVERIFY(!replay(groundOf(session(kTurns)), made)->worker);
    }
    QVERIFY(deedSentence(*policy({ { "worker", "2calls" }, { "persistence", "view" } }))
            .ends_with("The worker has nothing to do: it needs the stage Summarise and persistence persistent."));
}

void WorkerTest::aSummaryLandsCallsLater()
{
    const ReplayPtr run = replayed(session(kTurns), { { "worker", "2calls" } });
    // Call 2 sends 5 messages. The summary covers all but 2 of them; at call 4 it stands before 6 messages. Call 5
    // would send 9 and starts the next.
    QCOMPARE(words(*run->worker), std::string("2-4 lands, 5-7 lands, 8-10 pending"));
    QCOMPARE(messagesOf(*run), (std::vector<uint32_t> { 1, 3, 5, 7, 7, 9, 11, 7, 9 }));
    const WorkerSummary &first = run->worker->summaries.front();
    QVERIFY(std::abs(first.covered - (40 + 80 + 120) / kPerToken) < 1e-3);
    QCOMPARE(first.written, kSummary);
    QCOMPARE(words(first.said), std::string("4 messages, 2 typed, 347.83 tokens"));
    QCOMPARE(first.lost.messages, size_t(0));
    for (size_t i = 0; i < run->callCount(); ++i) {
        QCOMPARE(run->steps[i].hasFired, i == 4 || i == 7);
        QCOMPARE(run->steps[i].isLanding, i == 4 || i == 7);
        QCOMPARE(run->steps[i].workerOutput > 0, i == 2 || i == 5 || i == 8);
    }
    QCOMPARE(workerDeed(*run, 2), std::string("the worker starts a summary"));
    QCOMPARE(workerDeed(*run, 3), std::string("the worker writes since call 2"));
    QCOMPARE(workerDeed(*run, 4), std::string("a summary of the worker lands (started at call 2)"));
    QVERIFY(decisionSentence(*run, 3).starts_with("the worker writes since call 2; "));
    const auto figures = workerSummaries(*run, {});
    QCOMPARE(figures[0].sentence(),
        std::string("call 2 → lands at call 4: covers ~70 tokens. Said meanwhile: 4 messages of ~348 tokens (2 typed); "
                    "all stay"));
    QVERIFY(figures[2].sentence().starts_with("call 8 → not saved at the end: "));
}

/// Two messages stay at the landing. Those between the two keeps are in no summary.
void WorkerTest::theKeepMayCountFromTheLanding()
{
    const ReplayPtr run = replayed(session(kTurns), { { "worker", "2calls" }, { "worker.keep_from", "landing" } });
    QCOMPARE(words(*run->worker).substr(0, 9), std::string("2-4 lands"));
    QCOMPARE(run->steps[4].messageCount, uint32_t(3));
    const WorkerSummary &first = run->worker->summaries.front();
    QCOMPARE(words(first.said), std::string("4 messages, 2 typed, 347.83 tokens"));
    QCOMPARE(words(first.lost), std::string("4 messages, 2 typed, 255.07 tokens")); // a:160 u:200 a:240 u:280
    QVERIFY(workerSummaries(*run, {}).front().sentence().ends_with(
        "Lost, because no summary covers them: 4 messages of ~255 tokens (2 typed)"));
}

void WorkerTest::aFailedSaveIsPaidAndStartsAgain()
{
    const SessionPtr made = session(kTurns);
    const auto ground = groundOf(made);
    const auto recorded = recordedFigures(ground, Prices::bundled());
    const ReplayPtr run = replay(ground, policy({ { "worker", "2calls" }, { "worker.failing_saves", "1" } }));
    QCOMPARE(words(*run->worker), std::string("2-4 fails, 4-6 lands, 7-9 lands"));
    QCOMPARE(messagesOf(*run), (std::vector<uint32_t> { 1, 3, 5, 7, 9, 11, 7, 9, 11 }));
    const PolicyFiguresPtr figures = policyFigures(run, *recorded, nullptr);
    const ExtraCalls extra = extraCalls(figures->cost, ExtraCall::WorkerSummary);
    QCOMPARE(extra.count, size_t(3));
    QCOMPARE(extra.tokens.output, 3 * kSummary);
    QCOMPARE(extraCalls(figures->cost, ExtraCall::Summary).count, size_t(0));
    // Without a model of its own the request reads the prompt of the call before.
    QCOMPARE(extra.tokens.prompt(), run->steps[1].tokens + run->steps[3].tokens + run->steps[6].tokens);
    QVERIFY(workerWords(*run, figures->cost)
            ->head.starts_with("the worker starts 3 summaries: 2 land, 1 of the saves fails. Summaries whose save "
                               "fails cost ~"));
    QVERIFY(workerWords(*run, figures->cost)->head.ends_with("and 2 calls with the long array"));
    const auto sentences = extraCallSentences(*figures, {});
    QCOMPARE(sentences.size(), size_t(1));
    QVERIFY(sentences.front().ends_with("Nobody waits for them: a worker runs beside the session"));
}

void WorkerTest::savesFailByNumber()
{
    const auto run = [](const char *saves) {
        return words(*replayed(session(kTurns), { { "worker", "1calls" }, { "worker.failing_saves", saves } })->worker);
    };
    QCOMPARE(run("none"), std::string("2-3 lands, 4-5 lands, 6-7 lands, 8-9 lands"));
    QCOMPARE(run("every 2"), std::string("2-3 lands, 4-5 fails, 5-6 lands, 7-8 fails, 8-9 lands"));
    QCOMPARE(run("2,3"), std::string("2-3 lands, 4-5 fails, 5-6 fails, 6-7 lands, 8-9 lands"));
    QCOMPARE(
        run("every 1"), std::string("2-3 fails, 3-4 fails, 4-5 fails, 5-6 fails, 6-7 fails, 7-8 fails, 8-9 fails"));
}

void WorkerTest::aReloadMayWaitForATurn()
{
    // Call k sends 1, 3, 5, … messages again, but only the first and the last but one are typed.
    const SessionPtr made = session("u:40 c:40 t:80 c:40 t:80 c:40 t:80 c:40 t:80 a:40 u:40 a:80");
    QCOMPARE(words(*replayed(made, { { "worker", "1calls" } })->worker).substr(0, 9), std::string("2-3 lands"));
    const ReplayPtr run = replayed(made, { { "worker", "1calls" }, { "worker.reload", "turn" } });
    QCOMPARE(words(*run->worker), std::string("2-5 lands"));
}

void WorkerTest::secondsAreThoseOfTheRecording()
{
    // A second between the messages, so two between the calls; two minutes after every third answer.
    const SessionPtr made = timedTurns(9).load();
    const auto run = [&](const char *delay) { return words(*replayed(made, { { "worker", delay } })->worker); };
    // The worker starts at the end of the answer before call 2, one second before the message of call 2.
    QCOMPARE(run("1s").substr(0, 9), std::string("2-2 lands"));
    QCOMPARE(run("2s").substr(0, 9), std::string("2-3 lands"));
    QCOMPARE(run("60s").substr(0, 9), std::string("2-3 lands")); // two minutes pass before the message of call 3
    QCOMPARE(run("122s").substr(0, 9), std::string("2-3 lands"));
    QCOMPARE(run("130s").substr(0, 9), std::string("2-6 lands"));
    QCOMPARE(run("9000s"), std::string("2-9 lands")); // behind the last call
}

void WorkerTest::aSpeedGivesTheSeconds()
{
    testing::ClaudeLog log;
    for (int i = 0; i < 6; ++i) {
        log.setUsage(0, 0, 100, 100); // in one second
        log.typed("Question");
        log.answered("Answer");
    }
    const SessionPtr made = log.load();
    const auto run
        = [&](const char *delay) { return replayed(made, { { "summary.tokens", "300" }, { "worker", delay } }); };
    const ReplayPtr recorded = run("recorded");
    QVERIFY(recorded->worker->isDelayKnown);
    QCOMPARE(*recorded->worker->seconds, 3.0);
    QCOMPARE(words(*recorded->worker), words(*run("3s")->worker));
    QCOMPARE(words(*run("100tok/s")->worker), words(*run("3s")->worker));
    QCOMPARE(*run("50tok/s")->worker->seconds, 6.0);
}

void WorkerTest::withoutTimesItNeverStarts()
{
    const SessionPtr made = session(kTurns);
    for (const char *delay : { "20s", "80tok/s", "recorded" }) {
        const ReplayPtr run = replayed(made, { { "worker", delay } });
        QVERIFY(!run->worker->isDelayKnown);
        QVERIFY(run->worker->summaries.empty());
        QCOMPARE(run->compactions(), size_t(0));
        QVERIFY(workerWords(*run, {})->head.starts_with("the worker never starts: its delay is a time"));
    }
}

void WorkerTest::aRewindMakesASummaryUseless()
{
    ReplayGround ground = *groundOf(session(kTurns));
    // At call 3 the user takes back all but the first message.
    ground.log.steps[3].kept = 1;
    for (size_t i = 4; i < ground.log.steps.size(); ++i)
        ground.log.steps[i].kept = ground.log.steps[i - 1].size();
    const ReplayPtr run = replay(std::make_shared<const ReplayGround>(ground), policy({ { "worker", "2calls" } }));
    QCOMPARE(words(*run->worker).substr(0, 12), std::string("2-3 outdated"));
    QVERIFY(!run->steps[4].hasFired);
    const ReplayPtr scratch
        = replayFromScratch(std::make_shared<const ReplayGround>(ground), policy({ { "worker", "2calls" } }));
    QCOMPARE(difference(*run, *scratch), std::string());
}

void WorkerTest::atDelayZeroNothingDiffers()
{
    std::mt19937_64 random = seededRandom();
    size_t landed = 0;
    for (const PolicyPtr &each : presets()) {
        const SessionPtr made = session(randomLine(random, 60));
        const auto ground = groundOf(made);
        const auto recorded = recordedFigures(ground, Prices::bundled());
        testing::Settings settings { { "persistence", "persistent" }, { "trigger", "3000tok" }, { "keep", "4msg" },
            { "worker", "none" } };
        const ReplayPtr without = replay(ground, testing::policyWith(each->id.c_str(), settings));
        settings.back().second = "0calls";
        Policy with = *testing::policyWith(each->id.c_str(), settings);
        if (with.worker)
            with.worker = SummaryWorker(); // presets may have a model of their own
        const ReplayPtr run = replay(ground, std::make_shared<const Policy>(with));
        for (size_t i = 0; i < run->steps.size(); ++i) {
            ReplayStep step = run->steps[i];
            step.workerInput = step.workerOutput = 0;
            step.isLanding = false;
            QVERIFY2(words(step) == words(without->steps[i]),
                std::format("{} {}: {} | {}", each->id, i, words(step), words(without->steps[i])).c_str());
        }
        QVERIFY(run->spans.spans == without->spans.spans);
        landed += run->worker ? run->worker->summaries.size() : 0;
        CostGround costs = *recorded->costs;
        costs.rules = cacheRules("claude-opus-4-5");
        const ReplayCost one = replayCost(*run, costs, nullptr);
        const ReplayCost other = replayCost(*without, costs, nullptr);
        if (each->id == "iii-pr140-as-coded")
            continue; // its summaries are paid for and never sent
        QCOMPARE(one.run.size(), other.run.size());
        for (size_t i = 0; i < one.run.size(); ++i) {
            QCOMPARE(one.run[i].tokens.prompt(), other.run[i].tokens.prompt());
            QCOMPARE(one.run[i].tokens.cacheRead, other.run[i].tokens.cacheRead);
            QCOMPARE(one.run[i].tokens.output, other.run[i].tokens.output);
        }
    }
    QVERIFY(landed > 20);
}

void WorkerTest::liveAndScratchAreEqual()
{
    std::mt19937_64 random = seededRandom();
    size_t landed = 0;
    for (const PolicyPtr &each : presets()) {
        for (int i = 0; i < caseCount(2); ++i) {
            const auto ground = groundOf(session(randomLine(random, 60)));
            const testing::Settings settings { { "persistence", "persistent" }, { "trigger", "3000tok" },
                { "keep", "4msg" }, { "worker", std::to_string(random() % 6) + "calls" },
                { "worker.keep_from", random() % 2 == 0 ? "landing" : "trigger" },
                { "worker.reload", random() % 2 == 0 ? "call" : "turn" },
                { "worker.failing_saves", random() % 2 == 0 ? "none" : "every 3" } };
            const PolicyPtr made = testing::policyWith(each->id.c_str(), settings);
            const ReplayPtr live = replay(ground, made);
            const ReplayPtr scratch = replayFromScratch(ground, made);
            QVERIFY2(difference(*live, *scratch).empty(), (each->id + ": " + difference(*live, *scratch)).c_str());
            landed += live->worker ? live->worker->summaries.size() : 0;
        }
    }
    QVERIFY(landed > 20);
}

/// Every block of the log stands in the array, was covered by a summary that landed, or counts as lost.
void WorkerTest::nothingIsLost()
{
    std::mt19937_64 random = seededRandom();
    size_t landed = 0;
    for (int i = 0; i < caseCount(20); ++i) {
        const auto ground = groundOf(session(randomLine(random, 60)));
        const bool isFromLanding = i % 2 == 1;
        const ReplayPtr run = replay(ground,
            policy({ { "trigger", "8msg" }, { "worker", std::to_string(random() % 6) + "calls" },
                { "worker.keep_from", isFromLanding ? "landing" : "trigger" } }));
        for (const WorkerSummary &each : run->worker->summaries) {
            if (each.end != WorkerSummary::End::Landed || each.endedAt >= run->callCount() || each.startedAt == 0
                || each.startedAt == each.endedAt)
                continue;
            ++landed;
            // What the calls until the landing sent, and the call of the landing does not.
            const std::set<BlockId> after = standingAt(*run, each.endedAt);
            const std::set<BlockId> atStart = standingAt(*run, each.startedAt);
            double gone = 0;
            for (const BlockId id : atStart)
                gone += after.contains(id) ? 0 : ground->tokens->of(id);
            double goneSince = 0;
            for (size_t step = each.startedAt + 1; step <= each.endedAt; ++step) {
                for (const BlockId id : ground->log.addedAt(step))
                    goneSince += after.contains(id) ? 0 : ground->tokens->of(id);
            }
            if (!isFromLanding) {
                QCOMPARE(goneSince, 0.0);
                QCOMPARE(each.lost.tokens, 0.0);
            }
            // What was in the array at the start and is no summary counts as covered or lost.
            const bool hadSummary = run->worker->summaries.front().startedAt != each.startedAt;
            const double expected = each.covered - (hadSummary ? kSummary : 0) + each.lost.tokens;
            QVERIFY2(std::abs(gone + goneSince - expected) < 0.01,
                std::format("{} + {} | {} + {}", gone, goneSince, each.covered, each.lost.tokens).c_str());
        }
    }
    QVERIFY(landed > 20);
}

void WorkerTest::aModelOfItsOwnReadsNoCache()
{
    const auto ground = groundOf(timedTurns(9).load());
    const auto recorded = recordedFigures(ground, Prices::bundled());
    const auto cost = [&](testing::Settings settings) {
        settings.emplace_back("worker", "2calls");
        return policyFigures(replay(ground, policy(settings)), *recorded, nullptr);
    };
    const PolicyFiguresPtr own = cost({ { "worker.model", "claude-haiku-4-5" } });
    const ExtraCalls extra = extraCalls(own->cost, ExtraCall::WorkerSummary);
    double covered = 0;
    for (const WorkerSummary &each : own->replay->worker->summaries)
        covered += each.startedAt < own->replay->callCount() ? each.covered : 0;
    QCOMPARE(extra.tokens.input, covered);
    QCOMPARE(extra.tokens.cacheRead, 0.0);
    const Price price = *Prices::bundled().priceAt("claude-haiku-4-5", *ground->session().messages.back().time, 100);
    QVERIFY(std::abs(*extra.cost - costOf(extra.tokens, price)) < 1e-9);
    QVERIFY(extraCalls(cost({})->cost, ExtraCall::WorkerSummary).tokens.cacheRead > 0);
    const ExtraCalls empty = extraCalls(cost({ { "worker.request", "empty" } })->cost, ExtraCall::WorkerSummary);
    QCOMPARE(empty.tokens.prompt(), 0.0);
    QCOMPARE(empty.tokens.output, extra.tokens.output);
    const PolicyFiguresPtr unknown = cost({ { "worker.model", "nobody-9" } });
    QVERIFY(!extraCalls(unknown->cost, ExtraCall::WorkerSummary).cost);
    QCOMPARE(unknown->cost.unpricedCalls, extra.count);
}

void WorkerTest::callsAboveTheWindowAreCounted()
{
    Session small = *session(kTurns);
    small.windowTokens = 250;
    const auto ground = groundOf(std::make_shared<const Session>(small));
    const ReplayPtr run = replay(ground, policy({ { "worker", "2calls" } }));
    const std::vector<uint32_t> refused = refusedCalls(*run).aboveWindow;
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < run->callCount(); ++i) {
        if (run->steps[i].tokens > 250)
            expected.push_back(i);
    }
    QCOMPARE(refused, expected);
    QVERIFY(!expected.empty());
    size_t all = 0;
    for (const WorkerSummaryFigures &each : workerSummaries(*run, {})) {
        const auto within
            = [&](uint32_t call) { return call >= each.summary.startedAt && call < each.summary.endedAt; };
        QCOMPARE(each.refused, static_cast<size_t>(std::ranges::count_if(expected, within)));
        all += each.refused;
    }
    QVERIFY(all > 0);
}

void WorkerTest::fastReplaysRefuseIt()
{
    const auto ground = groundOf(session(kTurns));
    QVERIFY(cutTables(ground, policy({}), nullptr, nullptr) != nullptr);
    QVERIFY(cutTables(ground, policy({ { "worker", "2calls" } }), nullptr, nullptr) == nullptr);
}

PALIMPSEST_TEST(WorkerTest)
#include "tst_worker.moc"
