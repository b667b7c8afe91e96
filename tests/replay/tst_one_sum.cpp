// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_replay.h"
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
    void whatChangesNothingHasTheRecordedSum();
    void thinkingThatIsRemovedInItsTurn();
    void thinkingWeighsTheSameInAllReplays_data();
    void thinkingWeighsTheSameInAllReplays();
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

/// Whether the keep ends by tokens, and the array has thinking that weighs more in this call than at the end of the
/// thread. Replays measure the keep with the weights at the end, so it can begin at an earlier message.
bool weighsThinkingInKeep(const Compaction &plan, const Policy &policy, const BlockTokens &atEnd)
{
    const Measure::Unit unit = policy.keep.measure.unit;
    if (unit != Measure::Unit::Tokens && unit != Measure::Unit::WindowFraction)
        return false;
    return std::ranges::any_of(
        plan.before.blocks(), [&](BlockId id) { return std::abs(plan.afterTokens->of(id) - atEnd.of(id)) > 0.5; });
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

/// The array of a policy that does not act is the recorded one: its size is no second estimate.
void OneSumTest::whatChangesNothingHasTheRecordedSum()
{
    const SessionPtr session = heavySession(20);
    const ReplayGroundPtr ground = replayGround(session, ThreadIndex(0U), roughTokens(*session));
    const BothWays both = bothWays(ground, preset("none"), session->threads.front().calls.size() - 1);
    QVERIFY(both.plan.changesNothing());
    QVERIFY(both.sums.before.isRecorded() && both.sums.after.isRecorded());
    QCOMPARE(both.sums.after.value(), both.sums.before.value());
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

namespace {

/// Thinking weighs less behind the next message of the user.
struct Thinking {
    SessionPtr session;
    BlockTokensPtr tokens;

    Thinking()
    {
        RecordedSession recorded;
        uint64_t prompt = 2'000;
        recorded.typed("the task");
        for (size_t i = 0; i < 16; ++i, prompt += 1'100) {
            recorded.use("Read", "file " + std::to_string(i), 20, prompt);
            recorded.result(4'000);
            if (i == 11)
                recorded.typed("go on");
        }
        recorded.typed("and on");
        recorded.reply("done", prompt);
        session = recorded.finish();
        // Takes every tool call for thinking: this table alone says what thinking weighs.
        auto table = std::make_shared<BlockTokens>(*roughTokens(*session));
        for (uint32_t i = 0; i < session->blocks.size(); ++i) {
            if (session->blocks[i].kind == BlockKind::ToolCall)
                table->thinking.push_back({ BlockId(i), table->tokens[i] + 50, table->tokens[i] });
        }
        tokens = std::move(table);
    }
};

PolicyPtr summarisingAt(const std::string &trigger)
{
    const Policy policy = *withSetting(*preset("langchain-summarization"), "trigger", trigger);
    return std::make_shared<const Policy>(*withSetting(policy, "keep", "3msg"));
}

} // namespace

/// A run and the array of a call weigh thinking as the call did: what a policy removes in its turn weighs in full.
void OneSumTest::thinkingThatIsRemovedInItsTurn()
{
    const Thinking made;
    const ReplayGroundPtr ground = replayGround(made.session, ThreadIndex(0U), made.tokens);
    const PolicyPtr policy = summarisingAt("9000tok");
    const ReplayPtr run = replay(ground, policy);
    const auto first
        = static_cast<size_t>(std::ranges::find(run->steps, true, &ReplayStep::hasFired) - run->steps.begin());
    QVERIFY(first < 12);
    const BothWays both = bothWays(ground, policy, first);
    QCOMPARE(differenceOf(both), std::string());
    const BlockTokensPtr there
        = tokensAt(*made.session, rangesAt(*made.session, { ThreadIndex(0U), CallIndex(first) }), made.tokens);
    double expected = both.sums.before.value() + kAssumedSummaryTokens;
    size_t removed = 0;
    for (const BlockId id : both.plan.before.blocks()) {
        if (std::ranges::contains(both.plan.after.blocks(), id))
            continue;
        expected -= there->of(id);
        removed += made.session->block(id).kind == BlockKind::ToolCall ? 1 : 0;
    }
    QVERIFY(removed > 2);
    QVERIFY2(std::abs(run->steps[first].tokens - expected) < 0.5,
        std::format("{} and {}", run->steps[first].tokens, expected).c_str());
    const ReplayPtr none = replay(ground, preset("none"));
    for (size_t call = 0; call < ground->callCount(); ++call)
        QVERIFY(std::abs(none->steps[call].tokens - ground->recorded[call]) < 0.01);
}

void OneSumTest::thinkingWeighsTheSameInAllReplays_data()
{
    QTest::addColumn<QString>("id");
    for (const PolicyPtr &each : presets())
        QTest::newRow(each->id.c_str()) << QString::fromStdString(each->id);
}

void OneSumTest::thinkingWeighsTheSameInAllReplays()
{
    QFETCH(const QString, id);
    const Thinking made;
    const ReplayGroundPtr ground = replayGround(made.session, ThreadIndex(0U), made.tokens);
    for (const char *trigger : { "1tok", "6000tok", "12000tok" }) {
        for (const char *keep : { "1msg", "6msg", "5000tok" }) {
            const auto with = withSetting(*preset(id.toStdString()), "trigger", trigger);
            const auto policy = std::make_shared<const Policy>(*withSetting(*with, "keep", keep));
            const ReplayPtr live = replay(ground, policy);
            const ReplayPtr scratch = replayFromScratch(ground, policy);
            for (size_t call = 0; call < live->steps.size(); ++call)
                QVERIFY2(std::abs(live->steps[call].tokens - scratch->steps[call].tokens) < 0.01,
                    std::format("{}, {}, call {}: {} and {}", trigger, keep, call, live->steps[call].tokens,
                        scratch->steps[call].tokens)
                        .c_str());
            const CutTablesPtr tables = cutTables(ground, policy, nullptr, nullptr);
            if (!tables)
                continue;
            CutReplay cuts(tables);
            if (!cuts.run(*policy))
                continue;
            for (size_t call = 0; call < live->steps.size(); ++call) {
                QVERIFY(std::abs(cuts.callAt(call).tokens - live->steps[call].tokens) < 0.01);
                QVERIFY(std::abs(cuts.callAt(call).arrayTokens - live->steps[call].arrayTokens) < 0.01);
            }
        }
    }
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
        for (int i = caseCount(5); i > 0; --i) {
            const PolicyPtr policy = drawnPolicy(random);
            const ReplayPtr run = replay(ground, policy);
            if (run->worker) // its summaries cover the array of an earlier call
                continue;
            // The first act is the last call at which the run has the recorded array.
            const auto acts = [](const ReplayStep &step) { return step.hasFired || step.changedBlocks > 0; };
            const auto act = std::ranges::find_if(run->steps, acts);
            const auto end = std::min<size_t>(static_cast<size_t>(act - run->steps.begin()) + 1, run->callCount());
            for (const size_t call : { end - 1, static_cast<size_t>(random() % end) }) {
                if (!isAsRecordedAt(*run, call))
                    continue;
                const BothWays both = bothWays(ground, policy, call);
                // A log with more than the prompt: nothing says what of it was sent.
                const UnsentText &unsent = ground->unsentAt(call);
                const double besides = both.sums.before.besides() + std::min(unsent.tokens, unsent.weight);
                if (both.plan.changesNothing() && besides <= 0)
                    continue;
                if (weighsThinkingInKeep(both.plan, *policy, *ground->tokens))
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
