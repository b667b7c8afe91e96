// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_marks.h"
#include "core/replay/replay_figures.h"
#include "core/tokens/weights.h"
#include "tests/policy_with.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

PolicyPtr marking(const char *places, testing::Settings settings = {}, const char *id = "none")
{
    settings.emplace_back("cache_marks", places);
    return testing::policyWith(id, settings);
}

Result<Policy> read(const std::string &marks)
{
    return parsePolicy(
        R"({"schema": "palimpsest.policy/1", "id": "mine", "name": "Mine", "cache_marks": )" + marks + "}");
}

/// System prompt and tools of 5,000 tokens and `bytes` bytes.
CostGround ground(double bytes)
{
    CostGround made;
    made.rules = cacheRules("claude-opus-4-5");
    made.prelude = 5'000;
    made.preludeBytes = bytes;
    made.calls.resize(2);
    return made;
}

/// The second call changes everything behind system prompt and tools.
ReplayCost costOf(const CostGround &ground, const CacheMarkPlaces &marks)
{
    RunCosting costing(ground, marks);
    costing.add({ .tokens = 30'000,
        .arrayTokens = 25'000,
        .beside = 5'000,
        .stableTokens = 23'000,
        .stableBlocks = 9,
        .blocks = 10 });
    costing.add({ .tokens = 40'000,
        .arrayTokens = 35'000,
        .beside = 5'000,
        .unchanged = 25'000,
        .stableTokens = 31'000,
        .stableBlocks = 13,
        .blocks = 14 });
    return costing.finish();
}

} // namespace

class CacheMarksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDocumentNamesThePlaces();
    void whatStandsBehindTheLastMarkIsNotCached();
    void aShortPreludeGetsNoMark();
    void otherProvidersMarkThemselves();
    void theMarkIsNeverOnACallWithoutResult();
    void theUsualMarksChangeNoFigure();
    void liveAndScratchMarkTheSame();
};

void CacheMarksTest::aDocumentNamesThePlaces()
{
    QVERIFY(read("null")->cacheMarks == CacheMarkPlaces());
    const auto marks = read(R"({"at": ["system", "last-tool", "stable-assistant"], "floor_bytes": 4096})");
    QVERIFY(marks);
    QVERIFY((marks->cacheMarks
        == CacheMarkPlaces {
            .system = true, .lastTool = true, .stableAssistant = true, .lastBlock = false, .floorBytes = 4096 }));
    QVERIFY(marks->cacheMarks == preset("iii-pr140-intended")->cacheMarks);
    QVERIFY((read(R"(["system", "last-block"])")->cacheMarks == CacheMarkPlaces()));
    for (const char *wrong : { R"(["first"])", R"("system")", "[1]", R"({"at": ["system"], "floor_bytes": -1})", "{}" })
        QVERIFY2(!read(wrong), wrong);
    QCOMPARE(read(R"(["first"])").error().message,
        std::string("“cache_marks” of the policy should be an array of \"system\", \"last-tool\", \"stable-assistant\" "
                    "and \"last-block\"."));
    const PolicyPtr changed = marking("system,stable-assistant", {}, "iii-pr140-intended");
    QVERIFY((changed->cacheMarks
        == CacheMarkPlaces {
            .system = true, .lastTool = false, .stableAssistant = true, .lastBlock = false, .floorBytes = 4096 }));
    const PolicyPtr none = marking("none");
    QVERIFY(!none->cacheMarks.system && !none->cacheMarks.lastBlock);
}

void CacheMarksTest::whatStandsBehindTheLastMarkIsNotCached()
{
    const ReplayCost stable = costOf(ground(20'000), { .system = true, .stableAssistant = true, .lastBlock = false });
    // 5,000 of system prompt and tools, and 23,000 up to the mark.
    QCOMPARE(stable.calls[0].cache.written, 28'000.0);
    QCOMPARE(stable.calls[0].cache.uncached, 2'000.0);
    QCOMPARE(stable.calls[1].cache.read, 28'000.0);
    QCOMPARE(stable.calls[1].cache.written, 8'000.0);
    QCOMPARE(stable.calls[1].cache.uncached, 4'000.0);
    const ReplayCost last = costOf(ground(20'000), {});
    QCOMPARE(last.calls[1].cache.read, 30'000.0);
    QCOMPARE(last.calls[1].cache.written, 10'000.0);
    const ReplayCost none = costOf(ground(20'000), { .system = false, .lastBlock = false });
    QCOMPARE(none.calls[1].cache.read + none.calls[1].cache.written, 0.0);
    QCOMPARE(none.calls[1].cache.uncached, 40'000.0);
}

void CacheMarksTest::aShortPreludeGetsNoMark()
{
    const CacheMarkPlaces marks { .system = true, .lastBlock = false, .floorBytes = 4096 };
    QCOMPARE(costOf(ground(4'096), marks).calls[1].cache.read, 5'000.0);
    QCOMPARE(costOf(ground(4'095), marks).calls[1].cache.read, 0.0);
    // The floor is of system prompt and tools only.
    const CacheMarkPlaces more { .system = true, .stableAssistant = true, .lastBlock = false, .floorBytes = 4096 };
    QCOMPARE(costOf(ground(4'095), more).calls[1].cache.read, 28'000.0);
}

void CacheMarksTest::otherProvidersMarkThemselves()
{
    CostGround made = ground(20'000);
    for (const char *model : { "gpt-5", "gpt-5.6" }) {
        made.rules = cacheRules(model);
        const ReplayCost usual = costOf(made, {});
        const ReplayCost none = costOf(made, { .system = false, .lastBlock = false });
        QVERIFY(usual.calls[1].cache.read > 0);
        QCOMPARE(none.calls[1].cache.read, usual.calls[1].cache.read);
        QCOMPARE(none.calls[1].cache.written, usual.calls[1].cache.written);
    }
}

/// The same place as `markedBlocks` finds in the array of the call.
void CacheMarksTest::theMarkIsNeverOnACallWithoutResult()
{
    std::mt19937_64 random = seededRandom();
    size_t found = 0;
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr made = session(randomLine(random, 50));
        const ReplayPtr run
            = replay(replayGround(made, ThreadIndex(0U), roughTokens(*made)), marking("system,stable-assistant"));
        for (size_t call = 0; call < run->callCount(); ++call) {
            const Transcript array(made, made->threads.front().calls[call].input);
            const auto marked = markedBlocks(array, MarkPlacement::StableAssistant);
            size_t blocks = 0;
            double tokens = 0;
            for (size_t k = 0; !marked.empty() && blocks == 0; ++k) {
                tokens += run->ground->tokens->of(array.blocks()[k]);
                blocks = array.blocks()[k] == marked.front() ? k + 1 : 0;
            }
            QCOMPARE(size_t { run->steps[call].stableBlocks }, blocks);
            QVERIFY(std::abs(run->steps[call].stableTokens - tokens) < 0.01);
            found += marked.empty() ? 0 : 1;
        }
    }
    QVERIFY(found > 0);
}

void CacheMarksTest::theUsualMarksChangeNoFigure()
{
    std::mt19937_64 random = seededRandom();
    for (const PolicyPtr &each : presets()) {
        const SessionPtr made = session(randomLine(random, 40));
        const auto of = replayGround(made, ThreadIndex(0U), roughTokens(*made));
        const auto recorded = recordedFigures(of, Prices::bundled());
        CostGround costs = *recorded->costs;
        costs.rules = cacheRules("claude-opus-4-5");
        Policy plain = *each;
        plain.cacheMarks = {};
        const auto run = replay(of, std::make_shared<const Policy>(plain));
        const ReplayCost one = replayCost(*run, costs, nullptr);
        const ReplayCost other
            = replayCost(*replay(of, marking("system,last-block", {}, each->id.c_str())), costs, nullptr);
        // Only a floor that the preset has itself could make a difference.
        for (size_t i = 0; each->cacheMarks.floorBytes == 0 && i < one.calls.size(); ++i)
            QCOMPARE(one.calls[i].cache.read, other.calls[i].cache.read);
    }
}

void CacheMarksTest::liveAndScratchMarkTheSame()
{
    std::mt19937_64 random = seededRandom();
    for (const PolicyPtr &each : presets()) {
        const SessionPtr made = session(randomLine(random, 40));
        const auto of = replayGround(made, ThreadIndex(0U), roughTokens(*made));
        for (const char *persistence : { "view", "persistent" }) {
            const PolicyPtr policy = marking(
                "stable-assistant", { { "persistence", persistence }, { "trigger", "4000tok" } }, each->id.c_str());
            const ReplayPtr live = replay(of, policy);
            const ReplayPtr scratch = replayFromScratch(of, policy);
            for (size_t i = 0; i < live->steps.size(); ++i) {
                QVERIFY2(live->steps[i].stableBlocks == scratch->steps[i].stableBlocks, each->id.c_str());
                QVERIFY2(
                    std::abs(live->steps[i].stableTokens - scratch->steps[i].stableTokens) < 0.01, each->id.c_str());
            }
        }
    }
}

PALIMPSEST_TEST(CacheMarksTest)
#include "tst_cache_marks.moc"
