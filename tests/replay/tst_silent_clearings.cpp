// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_replay.h"
#include "core/edits/session_bases.h"
#include "core/evidence/reach.h"
#include "core/evidence/trace.h"
#include "core/evidence/trace_verdict.h"
#include "core/replay/replay_figures.h"
#include "core/report/card.h"
#include "core/search/block_lives.h"
#include "core/weight/resent_unused.h"
#include "tests/evidence.h"
#include "tests/recorded_session.h"
#include "tests/test_program.h"

#include <QTest>

#include <array>
#include <format>
#include <optional>

using namespace core;

namespace {

constexpr ThreadIndex kMain(0U);
constexpr const char *kQuoted = "def first_listing_of(everything):";

constexpr const char *kSecond = "the second listing";
constexpr const char *kSecondQuoted = "the second listing rrr";

/// What else the log records: a clearing before call 3 that names no results, or a summary after call 5 and then an
/// edit that quotes the second result.
enum class Also : uint8_t { Nothing, Clearing, Summary };

/// The prompt of call 3 falls by 6,000 tokens: results of before may be gone. Call 3 quotes the first one.
struct Log {
    RecordedSession made;
    BlockId first;
    BlockId second;
    BlockId third;

    explicit Log(Also also = Also::Nothing)
    {
        made.builder().session().model = "claude-opus-4-5";
        made.builder().session().windowTokens = 200'000;
        made.typed("find the fault");
        made.use("Read", "a.py", 17, 20'000); // call 0
        first = result(std::string(kQuoted) + "\n" + std::string(6000, 'r'));
        made.use("Bash", "ls", 17, 26'055); // call 1
        second = result("the second listing " + std::string(4000, 'r'));
        made.use("Bash", "ls", 18, 30'095); // call 2
        third = result("the third listing");
        if (also == Also::Clearing) {
            RecordedCompaction clearing;
            clearing.kind = CompactionKind::Clearing;
            clearing.call = CallIndex(2U);
            made.builder().thread(kMain).compactions.push_back(clearing);
        }
        edit(kQuoted, 24'133); // call 3
        result("done");
        made.reply("so", 24'240); // call 4
        made.typed("go on");
        made.reply("so", 24'250); // call 5
        if (also != Also::Summary)
            return;
        made.summarise("all is well");
        edit(kSecondQuoted, 20'040); // call 6
        result("done");
        made.reply("so", 20'200); // call 7
    }

    BlockId result(std::string text) { return BlockId(made.builder().rangeOf(made.result(std::move(text))).begin); }

    void edit(const std::string &quoted, uint64_t prompt)
    {
        SessionBuilder &builder = made.builder();
        const std::string arguments
            = R"({"file_path":"a.py","old_string":")" + quoted + R"(","new_string":"def one():"})";
        Block call
            = builder.makeBlock(BlockKind::ToolCall, builder.ownedBody(arguments, "test"), builder.intern("Edit"));
        call.subject = builder.intern("a.py");
        call.callId = builder.intern("edit of " + quoted);
        made.answer(call, prompt);
    }
};

/// The log with everything that is made from it.
struct Made {
    Log log;
    SessionPtr session;
    BlockTokensPtr tokens;
    ArraySumsPtr sums;
    Uses uses;

    explicit Made(Also also = Also::Nothing)
        : log(also)
        , session(log.made.finish())
        , tokens(oneTokenACharacter(*session))
        , sums(arraySums(*session, kMain, *tokens))
        , uses(*findUses(*session, kMain))
    {
    }

    [[nodiscard]] Transcript array(Position position) const { return { session, rangesAt(*session, position) }; }
};

PolicyPtr policy(std::string_view id, std::initializer_list<std::pair<std::string_view, std::string_view>> settings)
{
    Policy changed = *preset(id);
    for (const auto &[key, value] : settings)
        changed = withSetting(changed, key, value).value();
    return std::make_shared<const Policy>(std::move(changed));
}

PolicyPtr clearingAll()
{
    return policy("langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "1results" } });
}

} // namespace

/// What a clearing that names no texts may have removed is unknown from that call to its end: neither there nor gone.
class SilentClearingsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBlockMayBeMissingFromTheClearingToItsEnd();
    void theLifeOfABlockIsUnknownFromTheClearingOn();
    void nothingIsResentUnusedThatMayNotHaveBeenSent();
    void hotZonesCountNoCallThatMayNotHaveHadTheBlock();
    void aUseOfSuchATextIsUnsure();
    void regretIsUnknownWhereTheTextMayBeMissing();
    void reachLeavesUnsureUsesOut();
    void aPolicyDoesNotBringTheTextBack();
    void aLaterCompactionMakesNothingSure();
    void anEditThatRestsOnSuchATextSaysSo();
    void theArrayOfOneCallHasTheSumOfTheRun();
    void theOwnRunLeavesOutWhatItsArrayStillHas();
    void aReplaySendsWhatWasRecorded();
    void aTriggerDoesNotCountWhatWasNotSent();
    void allReplaysLeaveOutTheSame_data();
    void allReplaysLeaveOutTheSame();
    void theCardAddsUp();
    void aFallBehindARecordedClearingIsItsOwn();
};

void SilentClearingsTest::aBlockMayBeMissingFromTheClearingToItsEnd()
{
    const Made made;
    QCOMPARE(made.sums->clearings.size(), size_t(1));
    QCOMPARE(made.sums->clearings[0].from, 3U);
    QVERIFY(!made.sums->clearings[0].isRecorded);
    for (const BlockId id : { made.log.first, made.log.second }) {
        QVERIFY(!made.sums->mayBeMissing(id, 2));
        QVERIFY(made.sums->mayBeMissing(id, 3));
        QVERIFY(made.sums->mayBeMissing(id, 6)); // at the end
    }
    QVERIFY(!made.sums->mayBeMissing(made.log.third, 3));
    QVERIFY(!made.sums->mayBeMissing(BlockId(0U), 4));
}

void SilentClearingsTest::theLifeOfABlockIsUnknownFromTheClearingOn()
{
    const Made made;
    const BlockLivesPtr lives = blockLives(made.session, made.tokens, 1, nullptr);
    const BlockLife &second = lives->of(made.log.second);
    QCOMPARE(second.unknownFrom, 3U);
    QVERIFY(callsText(second).ends_with(" to the end, unknown from call 3"));
    QCOMPARE(stateText(made.session->block(made.log.second), second),
        std::string("unknown from call 3: a silent clearing may have removed it"));
    QCOMPARE(lives->of(made.log.third).unknownFrom, BlockLife::kNever);
    QCOMPARE(lives->of(BlockId(0U)).unknownFrom, BlockLife::kNever);
    // Without tokens it is the log's.
    QVERIFY(blockLives(made.session, nullptr, 1, nullptr)->of(made.log.second).isAtEnd);
    QVERIFY(!blockLives(made.session, nullptr, 1, nullptr)->of(made.log.second).hasDoubts);
}

void SilentClearingsTest::nothingIsResentUnusedThatMayNotHaveBeenSent()
{
    const Made made;
    const Transcript array = made.array({});
    const auto resentOf = [&](BlockId id, UseKinds kinds) {
        const ResentUnused unused
            = resentUnused(array, {}, array.slotCount(), GroupBy::Block, made.tokens, made.uses, *made.sums, kinds);
        for (const UnusedGroup &group : unused.groups) {
            if (unused.blocksOf(group).front() == id)
                return group.resent / made.tokens->of(id);
        }
        return 0.0;
    };
    QCOMPARE(resentOf(made.log.first, 0), 2.0); // calls 1 and 2; calls 3, 4 and 5 are unsure
    QCOMPARE(resentOf(made.log.first, kHeadlineUses), 0.0);
    QCOMPARE(resentOf(made.log.second, 0), 1.0);
    QCOMPARE(resentOf(made.log.third, 0), 3.0);
}

void SilentClearingsTest::hotZonesCountNoCallThatMayNotHaveHadTheBlock()
{
    const Made made;
    const Position second { kMain, CallIndex(1U) };
    const Transcript array = made.array(second);
    const HotZones zones
        = hotZones(array, second, array.slotCount(), Weights(made.tokens, WeightUnit::Tokens), *made.sums);
    QCOMPARE(zones.blocks.front().block, made.log.first);
    QCOMPARE(zones.blocks.front().laterCalls, size_t(1));
    QCOMPARE(zones.blocks.front().resentLater, made.tokens->of(made.log.first));
}

void SilentClearingsTest::aUseOfSuchATextIsUnsure()
{
    const Made made;
    QCOMPARE(made.uses.uses.size(), size_t(1));
    const Use &use = made.uses.uses.front();
    QCOMPARE(made.uses.carrier(use), made.log.first);
    QCOMPARE(use.call, CallIndex(3U));
    QVERIFY(made.uses.isUnsure(use, *made.sums));
    QVERIFY(!made.uses.isUnsure(use, ArraySums()));
}

void SilentClearingsTest::regretIsUnknownWhereTheTextMayBeMissing()
{
    const Made made;
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    const auto fateIn = [&](const ContextSpans &spans, RegretWorld world) {
        const Regret regret = regretOf(*made.session, made.uses, spans, *made.tokens, *made.sums, world);
        return regret.fetches.empty() ? regret.fates.front() : UseFate::Lost;
    };
    QCOMPARE(fateIn(recordedSpans(made.session, kMain, made.sums.get()), RegretWorld::Recorded), UseFate::Unknown);
    for (const PolicyPtr &each : { preset("none"), clearingAll() })
        QCOMPARE(fateIn(replay(ground, each)->spans, RegretWorld::Simulated), UseFate::Unknown);
}

void SilentClearingsTest::reachLeavesUnsureUsesOut()
{
    const Made made;
    ReachCollector collector;
    QVERIFY(collector.add("a", *made.session, *made.tokens));
    QCOMPARE(collector.summary().sessions.front().unsure, size_t(1));
    QCOMPARE(collector.summary().all().useCount(), size_t(0));
}

/// A policy's array lacks what the recorded prompt lacked.
void SilentClearingsTest::aPolicyDoesNotBringTheTextBack()
{
    const Made made;
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    const ReplayPtr run = replay(ground, preset("none"));
    const std::array runs { run, replayFromScratch(ground, preset("none")) };
    for (const ReplayPtr &each : runs) {
        const Trace trace = *traceText(each->spans, kSecond);
        QCOMPARE(trace.at(2)->state, TraceState::Verbatim);
        QCOMPARE(trace.at(3)->state, TraceState::Unknown);
        QCOMPARE(trace.at(6)->state, TraceState::Unknown);
        QCOMPARE(traceText(each->spans, "the third listing")->at(6)->state, TraceState::Verbatim);
    }
    const CardLane lane = cardLane(
        1, kSecondQuoted, CardTexts::Hidden, recordedSpans(made.session, kMain, made.sums.get()), run->spans, {});
    QCOMPARE(lane.recorded.ending, std::string("not known after call 2"));
    QCOMPARE(lane.simulated.ending, lane.recorded.ending);
}

/// Without the recorded summary the harness would still lack what it had cleared.
void SilentClearingsTest::aLaterCompactionMakesNothingSure()
{
    const Made made(Also::Summary);
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    QCOMPARE(ground->log.firstCounterfactual, 6U);
    QVERIFY(!made.sums->mayBeMissing(made.log.second, 6)); // the summary replaced it
    const ReplayPtr run = replay(ground, preset("none"));
    QVERIFY(run->spans.mayBeMissing(made.log.second, 6));
    QCOMPARE(traceText(run->spans, kSecond)->at(6)->state, TraceState::Unknown);
    QCOMPARE(made.uses.uses.size(), size_t(2));
    const Regret regret
        = regretOf(*made.session, made.uses, run->spans, *made.tokens, *made.sums, RegretWorld::Simulated);
    QCOMPARE(regret.fates, (std::vector { UseFate::Unknown, UseFate::Unknown }));
}

void SilentClearingsTest::anEditThatRestsOnSuchATextSaysSo()
{
    const Made made;
    const Edits edits = *findEdits(made.session);
    QCOMPARE(edits.edits.size(), size_t(1));
    const SessionSums sums { made.sums };
    const EditUses uses { std::make_shared<const Uses>(made.uses) };
    const EditBasis recorded = recordedBases(edits, uses, sums).front();
    QCOMPARE(recorded.kind, BasisKind::Shown);
    QVERIFY(recorded.mayBeCleared);
    const std::string words = basisText(*made.session, recorded);
    QVERIFY2(words.ends_with(", 3 calls before, perhaps cleared"), words.c_str());
    const EditBasis under = basesUnder(edits, uses, preset("none"), made.tokens, sums)->front();
    QCOMPARE(basisText(*made.session, under), words);
    const EditBasis ofLog = editBases(edits, kMain, made.uses, recordedSpans(made.session, kMain)).front();
    QVERIFY(basisText(*made.session, ofLog).ends_with(", 3 calls before, in context"));
}

/// The array that a policy makes of one call has the tokens that its replay has there, and its trigger counts as many.
void SilentClearingsTest::theArrayOfOneCallHasTheSumOfTheRun()
{
    const Made made;
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    const PolicyPtr waiting = policy("langchain-clear-tool-uses", { { "trigger", "100000tok" } });
    const PolicyPtr cleared = clearingAll();
    for (const PolicyPtr &each : { preset("none"), waiting, cleared }) {
        const ReplayPtr run = replay(ground, each);
        for (uint32_t call = 0; call <= run->callCount(); ++call) {
            CompactOptions options;
            options.position = { kMain, call < run->callCount() ? CallIndex(call) : CallIndex() };
            options.sums = made.sums;
            const Compaction plan = compact(made.array(options.position), each, *made.tokens, options);
            const ArraySum sum = sumAfter(plan, made.sums->at(options.position), *made.tokens);
            QVERIFY2(std::abs(sum.value() - run->steps[call].tokens) < 0.01,
                std::format("{}, call {}: {} and {}", each->id, call, sum.value(), run->steps[call].tokens).c_str());
            if (each == waiting)
                QCOMPARE(plan.verdict, run->steps[call].decision.sentence());
            if (run->steps[call].hasFired)
                break; // a harness that keeps the array has another one from here on
        }
    }
    CompactOptions options;
    options.position = { kMain, CallIndex(4U) };
    options.sums = made.sums;
    options.ignoresTriggers = true;
    const Compaction plan = compact(made.array(options.position), cleared, *made.tokens, options);
    const ArraySum sum = sumAfter(plan, made.sums->at(options.position), *made.tokens);
    QCOMPARE(sum.notSent, 0.0); // nothing is left of what may not have been sent
    QVERIFY(sum.value() > 19'900);
}

/// The parts of a policy's own array add up to the prompt of the replay. What the recording did not send is subtracted
/// only while that array has it: once the policy has removed it, no remainder takes it back.
void SilentClearingsTest::theOwnRunLeavesOutWhatItsArrayStillHas()
{
    const Made made(Also::Summary);
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    const uint32_t last = ground->log.firstCounterfactual - 1;
    const ArraySum recorded = made.sums->at({ kMain, CallIndex(last) });
    QVERIFY(recorded.notSent > 5900);
    // Counts like `made.tokens`: LangChain counts less than the clearing left out, so its trigger would not be reached.
    const PolicyPtr clearing = policy(
        "langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "1results" }, { "counter", "tokens" } });
    const auto sumOf = [&](const PolicyPtr &with, uint32_t step) {
        const ReplayPtr run = replay(ground, with);
        const Position position { kMain, step < run->callCount() ? CallIndex(step) : CallIndex() };
        const CompactionPtr own = ownArrayAt(ground, with, position);
        double slots = 0;
        double unsure = 0;
        for (const BlockId id : own->after.blocks()) {
            slots += own->afterTokens->of(id);
            unsure += ground->unsentAt(step).holds(id) ? ground->tokens->of(id) : 0;
        }
        const ArraySum sum = promptSum(*run, step, slots, unsure);
        return std::abs(sum.value() - run->steps[step].tokens) < 0.01 ? std::optional(sum) : std::nullopt;
    };
    for (uint32_t step = 0; step <= ground->callCount(); ++step) {
        const auto none = sumOf(preset("none"), step);
        const auto cleared = sumOf(clearing, step);
        QVERIFY(none && cleared);
        if (step < last)
            continue;
        QVERIFY(std::abs(none->notSent - recorded.notSent) < 0.01);
        QCOMPARE(cleared->notSent, 0.0);
        for (const ArraySum &each : { *none, *cleared }) {
            QCOMPARE(each.prelude, recorded.prelude);
            QVERIFY(std::abs(each.remainder - recorded.remainder) < 1);
        }
    }
}

void SilentClearingsTest::aReplaySendsWhatWasRecorded()
{
    const Made made;
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    const ReplayPtr none = replay(ground, preset("none"));
    for (size_t call = 0; call < ground->callCount(); ++call)
        QCOMPARE(none->steps[call].tokens, ground->recorded[call]);
    const RecordedFiguresPtr recorded = recordedFigures(ground, Prices::bundled());
    QVERIFY(recorded->prompts.isAsRecorded());
    QVERIFY(recorded->costs->prelude > 19'000);
    // A policy that removes the results has nothing left to subtract.
    const ReplayPtr cleared = replay(ground, clearingAll());
    QVERIFY(cleared->steps[4].tokens > 19'900);
}

void SilentClearingsTest::aTriggerDoesNotCountWhatWasNotSent()
{
    const Made made;
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    const auto readAt = [](const Replay &of, size_t call) { return of.steps[call].decision.readings.front().value; };
    const ReplayPtr counted = replay(ground, policy("langchain-clear-tool-uses", { { "trigger", "100000tok" } }));
    QVERIFY(readAt(*counted, 2) > 2000); // four characters a token
    QCOMPARE(readAt(*counted, 3), 0.0);
    const ReplayPtr told = replay(ground, preset("pi"));
    QVERIFY(readAt(*told, 3) > 30'000); // the prompt of call 2
    QVERIFY(readAt(*told, 4) < 25'000);
}

void SilentClearingsTest::allReplaysLeaveOutTheSame_data()
{
    QTest::addColumn<QString>("id");
    for (const PolicyPtr &each : presets())
        QTest::newRow(each->id.c_str()) << QString::fromStdString(each->id);
}

void SilentClearingsTest::allReplaysLeaveOutTheSame()
{
    QFETCH(const QString, id);
    const Made made;
    const ReplayGroundPtr ground = replayGround(made.session, kMain, made.tokens);
    for (const char *trigger : { "1tok", "2000tok", "22000tok", "100000tok" }) {
        for (const char *keep : { "1msg", "3msg", "4000tok" }) {
            const PolicyPtr with = policy(id.toStdString(), { { "trigger", trigger }, { "keep", keep } });
            const ReplayPtr live = replay(ground, with);
            const ReplayPtr scratch = replayFromScratch(ground, with);
            for (size_t call = 0; call < live->steps.size(); ++call) {
                QCOMPARE(live->steps[call].tokens, scratch->steps[call].tokens);
                QCOMPARE(live->compactsAt(std::min(call, live->callCount() - 1)),
                    scratch->compactsAt(std::min(call, live->callCount() - 1)));
                QVERIFY(live->steps[call].tokens > 0);
            }
            const CutTablesPtr tables = cutTables(ground, with, &made.uses, nullptr);
            if (!tables)
                continue;
            CutReplay cuts(tables);
            if (!cuts.run(*with))
                continue;
            for (size_t call = 0; call < live->steps.size(); ++call) {
                QVERIFY(std::abs(cuts.callAt(call).tokens - live->steps[call].tokens) < 0.01);
                QVERIFY(std::abs(cuts.callAt(call).arrayTokens - live->steps[call].arrayTokens) < 0.01);
            }
            const Regret regret
                = regretOf(*made.session, made.uses, live->spans, *made.tokens, *made.sums, RegretWorld::Simulated);
            QCOMPARE(cuts.findLosses().lost, regret.of()[UseFate::Lost]);
        }
    }
}

void SilentClearingsTest::theCardAddsUp()
{
    const Made made;
    const ReplayReport report
        = *replayReport("a.jsonl", made.session, kMain, made.tokens, { preset("none") }, Prices::bundled());
    const Card shown = card(report, { .call = CallIndex(4U), .version = "1" });
    const ArraySum &sum = made.sums->at({ kMain, CallIndex(4U) });
    for (const CardArray &array : { shown.before, shown.after }) {
        QCOMPARE(std::lround(array.sum.value()), 24'240L);
        QVERIFY(array.sum.notSent > 5900 && array.sum.notSent < 6100);
        QVERIFY(std::abs(array.sum.notSent - sum.notSent) < 0.01);
        QVERIFY(std::abs(array.sum.remainder - sum.remainder) < 0.01);
        QCOMPARE(array.sum.prelude, sum.prelude);
    }
}

void SilentClearingsTest::aFallBehindARecordedClearingIsItsOwn()
{
    const Made made(Also::Clearing);
    QCOMPARE(made.sums->events.size(), size_t(1));
    QCOMPARE(made.sums->events[0].kind, SumEvent::Kind::Recorded);
    QCOMPARE(made.sums->clearings.size(), size_t(1));
    QVERIFY(made.sums->clearings[0].isRecorded);
    QVERIFY(made.sums->mayBeMissing(made.log.first, 3));
    const ContextSpans spans = recordedSpans(made.session, kMain, made.sums.get());
    const auto unlogged = unloggedStretches(made.session->thread(kMain), *made.sums);
    const std::string verdict
        = traceVerdict(spans, *traceText(spans, "the second listing", unlogged), unlogged, *made.tokens);
    QVERIFY2(
        verdict.contains(
            "A recorded clearing of ~6.0k tokens may have removed it; its record does not say which texts it removed."),
        verdict.c_str());
    QVERIFY(!verdict.contains("silent"));
}

PALIMPSEST_TEST(SilentClearingsTest)
#include "tst_silent_clearings.moc"
