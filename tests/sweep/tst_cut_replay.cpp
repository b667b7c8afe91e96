// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/change_memo.h"
#include "core/cuts/cut_track.h"
#include "core/sweep/sweep.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/sweep_cells.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <format>
#include <random>
#include <utility>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const ThreadIndex kMain(0U);

/// A model whose prices leap at 9,000 tokens, and twice that.
Prices steepPrices(std::string_view model)
{
    return *Prices::parse(std::format(R"({{"schema": "palimpsest.prices/1", "models": [{{"id": "m", "names": ["{}"],
        "prices": [{{"tiers": [
            {{"input": 3, "output": 15, "cache_read": 0.3, "cache_write_5m": 3.75, "cache_write_1h": 6}},
            {{"above": 9000, "input": 6, "output": 22, "cache_read": 0.6, "cache_write_5m": 7.5, "cache_write_1h": 12}},
            {{"above": 18000, "input": 9, "output": 30, "cache_read": 1, "cache_write_5m": 11, "cache_write_1h": 20}}
        ]}}]}}]}})",
                              model),
        "test");
}

/// Turns of a person with tool calls, whose prompts begin below the minimum of caches: some pauses outlast entries,
/// some calls have many results, some turns are taken back, some run a skill, whose requests have other options.
SessionPtr drawnSession(std::mt19937_64 &random, size_t calls, std::string_view model)
{
    RecordedSession recorded;
    recorded.builder().session().traits = &kLikeClaudeCode;
    recorded.builder().session().model = model;
    recorded.typed("the task");
    uint64_t prompt = 300;
    for (size_t i = 0; i < calls; ++i) {
        if (random() % 9 == 0)
            recorded.typed(std::string(random() % 900, 'u'));
        if (random() % 12 == 0)
            recorded.injected("Base directory for this skill: a folder");
        recorded.use("Read", "file " + std::to_string(random() % 12), 20 + random() % 60, prompt + random() % 40);
        for (size_t results = random() % 12 == 0 ? random() % 26 : 1; results > 0; --results) {
            const size_t size = random() % 3000;
            recorded.result(size);
            prompt += size / 4 + 10;
        }
        if (random() % 40 == 0)
            recorded.rollBack(1);
    }
    recorded.reply("done", prompt);
    Timestamp time = 1'700'000'000'000;
    for (Call &call : recorded.builder().thread(kMain).calls) {
        time += random() % 8 == 0 ? kFiveMinutes + static_cast<Timestamp>(random() % kMinute) : kMinute / 4;
        call.time = random() % 60 == 0 ? time - kMinute : time;
        call.model = recorded.builder().intern(random() % 50 == 0 ? "another model" : model);
        if (call.usage) // written, so that the time of what it was sent counts
            call.usage->cacheWrite = std::exchange(call.usage->input, 0);
        Session &session = recorded.builder().session();
        call.input.forEachRange([&](BlockRange range) {
            Message &last = session.messages[session.blocks[range.end - 1].message.index()];
            last.time = *call.time - static_cast<Timestamp>(random() % kMinute);
        });
    }
    return recorded.finish();
}

/// A policy over tables, run at one trigger and keep window.
struct Run {
    Run(const SessionPtr &session, std::string_view policy)
        : ground(sweepGround(session, kMain, roughTokens(*session), Prices::bundled()))
        , tables(cutTables(ground->recorded->ground, preset(policy), ground->uses.get(), ground->memo))
        , replay(tables)
        , costing(tables, *ground->recorded->costs)
    {
    }

    SweepGroundPtr ground;
    CutTablesPtr tables;
    CutReplay replay;
    CutCosting costing;
};

Policy withWindows(std::string_view id, std::string_view keep, std::string_view trigger)
{
    return *withSetting(*withSetting(*preset(id), "keep", keep), "trigger", trigger);
}

} // namespace

/// Runs by cuts: cells of drawn sessions are single replays, and most calls are not looked at.
class CutReplayTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawnCellsAreSingleReplays_data();
    void drawnCellsAreSingleReplays();
    void tracksChangeNothing();
    void visitsGrowWithFirings();
    void visitsAreThoseOfShorterTexts();
    void maximaAreThoseOfRanges();
};

void CutReplayTest::drawnCellsAreSingleReplays_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("model");
    for (const char *policy : { "langchain-summarization", "langchain-clear-tool-uses", "deep-agents", "genkit-recipe",
             "pi", "iii-pr140-intended", "claw-commit" }) {
        for (const char *model : { "claude-sonnet-4-5", "gpt-5-codex", "gpt-5.6", "gemini-2.5-pro" })
            QTest::addRow("%s under the cache of %s", policy, model) << policy << model;
    }
}

void CutReplayTest::drawnCellsAreSingleReplays()
{
    QFETCH(const QString, policy);
    QFETCH(const QString, model);
    std::mt19937_64 random = seededRandom();
    const PolicyPtr preset = core::preset(policy.toStdString());
    for (int i = caseCount(1); i > 0; --i) {
        const SessionPtr session = drawnSession(random, 40 + random() % 80, model.toStdString());
        const SweepGroundPtr ground
            = sweepGround(session, kMain, roughTokens(*session), steepPrices(model.toStdString()));
        const auto keep
            = parseAxis(*preset, *session, random() % 2 == 0 ? "keep=300tok..9000tok" : "keep=1msg..30msg", 5);
        const auto trigger = parseAxis(*preset, *session, "trigger=1500tok..30000tok", 5);
        const SweepPtr made = sweep(ground, preset, *keep, *trigger);
        for (size_t cell = 0; cell < made->cells.size(); ++cell) {
            const size_t column = cell % keep->values.size();
            const size_t row = cell / keep->values.size();
            const auto single = sweepCell(*ground, std::make_shared<const Policy>(*policyAt(*made, column, row)));
            const std::string found = testing::difference(*made->at(column, row), *single);
            QVERIFY2(found.empty(),
                std::format("keep={} trigger={}: {}", keep->textOf(keep->values[column]),
                    trigger->textOf(trigger->values[row]), found)
                    .c_str());
        }
    }
}

void CutReplayTest::tracksChangeNothing()
{
    std::mt19937_64 random = seededRandom();
    size_t followed = 0;
    for (const char *id : { "langchain-summarization", "langchain-clear-tool-uses", "genkit-recipe", "pi" }) {
        Run run(drawnSession(random, 150, "claude-sonnet-4-5"), id);
        for (const char *keep : { "500tok", "4000tok", "12msg" }) {
            CutTracks tracks(run.tables, withWindows(id, keep, "1tok"), *run.ground->recorded->costs);
            for (int trigger = 1000; trigger < 40'000; trigger = trigger * 3 / 2) {
                const Policy policy = withWindows(id, keep, std::format("{}tok", trigger));
                if (!run.replay.run(policy))
                    continue;
                const SweepFigures alone = cutFigures(run.replay, run.costing, *run.ground->recorded);
                QVERIFY(run.replay.run(policy, &tracks));
                const std::string found
                    = testing::difference(cutFigures(run.replay, run.costing, *run.ground->recorded), alone);
                QVERIFY2(found.empty(), std::format("{} keep {} trigger {}: {}", id, keep, trigger, found).c_str());
                followed += static_cast<size_t>(std::ranges::count_if(
                    run.replay.pieces(), [](const CutPiece &piece) { return piece.track != nullptr; }));
            }
        }
    }
    QVERIFY(followed > 20);
}

void CutReplayTest::visitsGrowWithFirings()
{
    const char *id = "langchain-summarization";
    Run run(heavySession(2000), id);
    const Policy rare = withWindows(id, "20msg", "500000tok");
    QVERIFY(run.replay.run(rare));
    const auto fired = static_cast<size_t>(
        std::ranges::count_if(run.replay.pieces(), [](const CutPiece &piece) { return piece.call.hasFired; }));
    QVERIFY(fired > 1 && fired < 12);
    // One for each, the first call and the step behind the last; what a cache is asked of is as few.
    QCOMPARE(run.replay.visits(), fired + 2);
    (void)cutFigures(run.replay, run.costing, *run.ground->recorded);
    QVERIFY2(run.costing.visits() < 3 * fired + 16, std::to_string(run.costing.visits()).c_str());
    // A trigger that is always reached makes each call a visit, and on a track none.
    const Policy often = withWindows(id, "20msg", "2000tok");
    const uint64_t before = run.replay.visits();
    QVERIFY(run.replay.run(often));
    QVERIFY(run.replay.visits() - before > 1900);
    CutTracks tracks(run.tables, often, *run.ground->recorded->costs);
    const uint64_t alone = run.replay.visits();
    QVERIFY(run.replay.run(often, &tracks));
    QVERIFY2(run.replay.visits() - alone < 64, std::to_string(run.replay.visits() - alone).c_str());
}

void CutReplayTest::visitsAreThoseOfShorterTexts()
{
    std::vector<uint64_t> visits;
    for (const size_t length : { 40, 40'000 }) {
        RecordedSession recorded;
        recorded.typed("the task");
        for (size_t i = 0; i < 300; ++i) {
            recorded.use("Read", "file " + std::to_string(i));
            recorded.result(length);
        }
        const char *id = "langchain-summarization";
        Run run(recorded.finish(), id);
        QVERIFY(run.replay.run(withWindows(id, "20msg", "120msg")));
        (void)cutFigures(run.replay, run.costing, *run.ground->recorded);
        visits.push_back(run.replay.visits());
        QVERIFY(run.replay.pieces().size() > 3 && run.replay.pieces().size() < 20);
    }
    QCOMPARE(visits.front(), visits.back());
}

void CutReplayTest::maximaAreThoseOfRanges()
{
    std::mt19937_64 random = seededRandom();
    for (size_t count = 0; count < 40; ++count) {
        std::vector<double> values;
        for (size_t i = 0; i < count; ++i)
            values.push_back(static_cast<double>(random() % 30));
        const RangeMaxima maxima(values);
        for (size_t from = 0; from < count; ++from) {
            for (size_t to = from + 1; to <= count; ++to)
                QCOMPARE(maxima.largest(from, to),
                    *std::max_element(
                        values.begin() + static_cast<ptrdiff_t>(from), values.begin() + static_cast<ptrdiff_t>(to)));
            for (double wanted = 0; wanted < 31; ++wanted) {
                const auto first = std::find_if(values.begin() + static_cast<ptrdiff_t>(from), values.end(),
                    [&](double value) { return value >= wanted; });
                QCOMPARE(maxima.first(from, [&](double value) { return value >= wanted; }),
                    static_cast<size_t>(first - values.begin()));
            }
        }
    }
}

PALIMPSEST_TEST(CutReplayTest)

#include "tst_cut_replay.moc"
