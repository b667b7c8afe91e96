// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json.h"
#include "core/replay/replay_figures.h"
#include "core/report/compaction_report.h"
#include "core/tokens/array_weights.h"
#include "core/tokens/counted_tokens.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <format>
#include <random>

using namespace core;

namespace {

/// A preset, as it is or with limits drawn at random so that it acts in small sessions, too.
PolicyPtr drawnPolicy(std::mt19937_64 &random)
{
    const auto &all = presets();
    Policy drawn = *all[random() % all.size()];
    const auto set = [&](std::string_view key, const std::string &value) {
        if (auto made = withSetting(drawn, key, value))
            drawn = std::move(*made);
    };
    if (random() % 4 != 0)
        set("trigger", std::format("{}tok", 2'000 + random() % 80'000));
    if (random() % 4 != 0 && drawn.keep.measure.unit != Measure::Unit::Results)
        set("keep", std::format("{}tok", 1'000 + random() % 10'000));
    return std::make_shared<const Policy>(std::move(drawn));
}

/// A call of a run, and the same policy applied to the array of this call alone.
struct BothWays {
    ReplayPtr run;
    size_t call = 0;
    Compaction plan;
    CompactionSums sums;
};

/// Whether the run has the recorded array in front of the policy at `call`, and the harness knows what it knew.
bool isAsRecordedAt(const Replay &run, size_t call)
{
    const ReplayGround &ground = *run.ground;
    // A harness that takes its trigger from usage has no figure in the array of a log without usage.
    const bool isKnown = call == 0 || ground.recorded[call - 1] > 0;
    if (run.policy->counter.usage != Counter::Usage::None && !isKnown)
        return false;
    for (size_t i = 0; i < call; ++i) {
        const ReplayStep &step = run.steps[i];
        if (step.hasFired || step.changedBlocks > 0)
            return false;
    }
    return call < ground.log.firstCounterfactual;
}

} // namespace

/// A policy at one call has one size: in the replay, which the timeline draws, in the array after, and in what the
/// commands print.
class OneSumTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAssumedSummaryWeighsTheSameEverywhere();
    void aSummaryWithATextIsNotAssumed();
    void thinkingThatIsRemovedInItsTurn();
    void corpusHasOneSum_data();
    void corpusHasOneSum();
};

namespace {

BothWays bothWays(const ReplayGroundPtr &ground, const PolicyPtr &policy, size_t call)
{
    const SessionPtr &session = ground->log.session;
    BothWays both { replay(ground, policy), call, {}, {} };
    CompactOptions options;
    options.position = { ground->log.thread, CallIndex(call) };
    options.sums = ground->sums;
    const BlockRanges ranges = rangesAt(*session, options.position);
    both.plan = compact(Transcript(session, ranges), policy, *tokensAt(*session, ranges, ground->tokens), options);
    both.sums.before = ground->sums->at(options.position);
    both.sums.after = sumAfter(both.plan, both.sums.before, *ground->tokens);
    return both;
}

/// Where the figures of one call differ, as a sentence; empty if all are one.
std::string differenceOf(const BothWays &both)
{
    const ReplayStep &step = both.run->steps[both.call];
    const double total = both.sums.after.value();
    if (std::abs(step.tokens - total) > 0.5)
        return std::format("the run sends {:.1f}, the array has {:.1f}", step.tokens, total);
    const Json json = compactionJson(both.plan, *both.plan.afterTokens, nullptr, nullptr, &both.sums);
    if (std::abs(json["after"]["prompt"]["value"].get<double>() - step.tokens) > 1)
        return std::format("the run sends {:.1f}, the document has {}", step.tokens, json["after"]["prompt"].dump());
    const std::string line = shown(both.sums.before.total()) + " → " + shown(both.sums.after.total()) + " tokens\n";
    if (!drawCompaction(both.plan, *both.plan.afterTokens, nullptr, &both.sums).contains(line))
        return "the terminal does not have " + line;
    return {};
}

} // namespace

void OneSumTest::anAssumedSummaryWeighsTheSameEverywhere()
{
    const SessionPtr session = heavySession(20);
    const ReplayGroundPtr ground = replayGround(session, ThreadIndex(0U), roughTokens(*session));
    Policy policy = *withSetting(*preset("langchain-summarization"), "trigger", "9000tok");
    policy = *withSetting(policy, "keep", "3msg");
    const auto made = std::make_shared<const Policy>(policy);
    const ReplayPtr run = replay(ground, made);
    const auto first
        = static_cast<size_t>(std::ranges::find(run->steps, true, &ReplayStep::hasFired) - run->steps.begin());
    QVERIFY(first < run->callCount());
    const BothWays both = bothWays(ground, made, first);
    QCOMPARE(differenceOf(both), std::string());
    QVERIFY(both.plan.assumedSummary.has_value());
    QCOMPARE(both.plan.afterTokens->of(both.plan.after.blocks().front()), kAssumedSummaryTokens);
    const std::string text = drawCompaction(both.plan, *ground->tokens, nullptr, &both.sums);
    QVERIFY2(
        text.contains("assumed to have ~1,000 tokens (a fixed value, because no summary is recorded)"), text.c_str());
    const Json json = compactionJson(both.plan, *ground->tokens, nullptr, nullptr, &both.sums);
    QCOMPARE(json["assumed_summary"]["tokens"]["value"].get<double>(), kAssumedSummaryTokens);
}

void OneSumTest::aSummaryWithATextIsNotAssumed()
{
    const SessionPtr session = heavySession(20);
    const ReplayGroundPtr ground = replayGround(session, ThreadIndex(0U), roughTokens(*session));
    for (const auto &[key, value] :
        { std::pair("summary.text", "what was done"), std::pair("summary.tokens", "700") }) {
        Policy policy = *withSetting(*preset("langchain-summarization"), "trigger", "9000tok");
        policy = *withSetting(*withSetting(policy, "keep", "3msg"), key, value);
        const auto made = std::make_shared<const Policy>(policy);
        const ReplayPtr run = replay(ground, made);
        QVERIFY(run->compactions() > 0);
        QVERIFY(!run->isSummaryAssumed);
        QVERIFY(!replayFromScratch(ground, made)->isSummaryAssumed);
        const auto first
            = static_cast<size_t>(std::ranges::find(run->steps, true, &ReplayStep::hasFired) - run->steps.begin());
        const BothWays both = bothWays(ground, made, first);
        QCOMPARE(differenceOf(both), std::string());
        QVERIFY(!both.plan.assumedSummary.has_value());
    }
}

/// Thinking weighs less behind the next message of the user. A run has one weight for it, the array of a call another.
void OneSumTest::thinkingThatIsRemovedInItsTurn()
{
    RecordedSession recorded;
    recorded.typed("the task");
    for (size_t i = 0; i < 12; ++i) {
        recorded.use("Read", "file " + std::to_string(i), 20, 2'000 + i * 1'100);
        recorded.result(4'000);
    }
    recorded.typed("go on");
    recorded.reply("done", 2'000 + 12 * 1'100);
    const SessionPtr session = recorded.finish();
    auto tokens = std::make_shared<BlockTokens>(*roughTokens(*session));
    // Takes every other tool call for thinking: this table alone says what thinking weighs.
    for (uint32_t i = 0; i < session->blocks.size(); ++i) {
        if (session->blocks[i].kind == BlockKind::ToolCall)
            tokens->thinking.push_back({ BlockId(i), tokens->tokens[i] + 50, tokens->tokens[i] });
    }
    QVERIFY(!tokens->thinking.empty());
    const ReplayGroundPtr ground = replayGround(session, ThreadIndex(0U), tokens);
    Policy policy = *withSetting(*preset("langchain-summarization"), "trigger", "9000tok");
    const auto made = std::make_shared<const Policy>(*withSetting(policy, "keep", "3msg"));
    const ReplayPtr run = replay(ground, made);
    const auto first
        = static_cast<size_t>(std::ranges::find(run->steps, true, &ReplayStep::hasFired) - run->steps.begin());
    QVERIFY(first < 12);
    QCOMPARE(differenceOf(bothWays(ground, made, first)), std::string());
}

void OneSumTest::corpusHasOneSum_data() { testing::addCorpusRows(4); }

void OneSumTest::corpusHasOneSum()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const auto loaded = loadSession(testing::corpus() / file.toStdString());
    if (!loaded)
        QSKIP("This file cannot be read.");
    const SessionPtr &session = *loaded;
    const BlockTokensPtr tokens = countedTokens(*session, 2, nullptr);
    std::mt19937_64 random = seededRandom();
    for (size_t thread = 0; thread < std::min<size_t>(session->threads.size(), 2); ++thread) {
        const ReplayGroundPtr ground = replayGround(session, ThreadIndex(thread), tokens);
        if (ground->callCount() == 0)
            continue;
        for (int i = caseCount(8); i > 0; --i) {
            const PolicyPtr policy = drawnPolicy(random);
            const ReplayPtr run = replay(ground, policy);
            // The first act is the last call at which the run has the recorded array.
            const auto acts = [](const ReplayStep &step) { return step.hasFired || step.changedBlocks > 0; };
            const auto act = std::ranges::find_if(run->steps, acts);
            const auto end = std::min<size_t>(static_cast<size_t>(act - run->steps.begin()) + 1, run->callCount());
            for (const size_t call : { end - 1, static_cast<size_t>(random() % end) }) {
                if (!isAsRecordedAt(*run, call))
                    continue;
                const BothWays both = bothWays(ground, policy, call);
                // A log with more than the prompt: nothing says what of it was sent.
                if (both.plan.changesNothing() && ground->besides[call] == 0)
                    continue;
                const std::string difference = differenceOf(both);
                QVERIFY2(difference.empty(),
                    std::format("{}, thread {}, call {}: {}", policy->id, thread, call, difference).c_str());
            }
        }
    }
}

PALIMPSEST_TEST(OneSumTest)
#include "tst_one_sum.moc"
