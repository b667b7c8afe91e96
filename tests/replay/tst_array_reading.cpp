// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_marks.h"
#include "core/formats/reading/format.h"
#include "core/replay/array_reading.h"
#include "core/tokens/array_weights.h"
#include "core/weight/resent_unused.h"
#include "tests/evidence.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

Position call(size_t number) { return { ThreadIndex(0U), CallIndex(number) }; }

/// Five calls of Claude Code, a summary behind call 2: each reads what the one before was sent, the one behind the
/// summary nothing but 5,000 tokens of system prompt and tools.
SessionPtr fiveCalls()
{
    RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.builder().session().traits = &kLikeClaudeCode;
    recording.typed(std::string(2000, 'a'));
    const std::vector<uint64_t> prompts { 15'000, 30'000, 45'000, 25'000, 40'000 };
    for (size_t i = 0; i < prompts.size(); ++i) {
        if (i == 3)
            recording.summarise(500);
        recording.use("Read", "a.cpp", 40, prompts[i]);
        recording.result(14'000);
    }
    std::vector<Call> &calls = recording.builder().thread(ThreadIndex(0U)).calls;
    const std::vector<uint64_t> reads { 0, 15'000, 30'000, 5000, 25'000 };
    for (size_t i = 0; i < calls.size(); ++i)
        calls[i].usage = Usage { 0, reads[i], prompts[i] - reads[i], 10 };
    return recording.finish();
}

struct Read {
    SessionPtr session = fiveCalls();
    BlockTokensPtr tokens = oneTokenACharacter(*session);
    RecordedCache cache = recordedCache(*session, *tokens);

    [[nodiscard]] Transcript array(Position position) const { return { session, rangesAt(*session, position) }; }
    [[nodiscard]] std::optional<ArrayReading> at(size_t number) const
    {
        const Position position = call(number);
        return recordedReading(
            cache, position, array(position), arraySums(*session, position.thread, *tokens)->at(position), *tokens);
    }
};

std::vector<BlockId> blocksOf(const HotZones &zones)
{
    std::vector<BlockId> blocks;
    for (const HotBlock &each : zones.blocks)
        blocks.push_back(each.block);
    return blocks;
}

} // namespace

class ArrayReadingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReadOfAllThatWasLeftEndsWhereTheArrayBeforeDid();
    void aBrokenCacheIsReadUpToTheSystemPrompt();
    void breakpointsStandOnTheLastTwoUserMessages();
    void withoutAModelOfTheCacheThereIsNothing();
    void aPolicyThatActsHereBreaksTheCacheAtTheFirstSlotThatItChanges();
    void aReplayedArrayIsReadAsTheReplayHasIt();
    void openThinkingDoesNotMakeAnotherArray();
    void whatWasInTheCacheBeforeTheLogIsReadByWhoLeavesTheFirstCallAlone();
    void theWindowRanksHotZonesAsTheTerminalDoes();
};

void ArrayReadingTest::aReadOfAllThatWasLeftEndsWhereTheArrayBeforeDid()
{
    const Read read;
    for (const size_t number : { size_t(1), size_t(2) }) {
        const auto reading = read.at(number);
        QVERIFY(reading);
        QCOMPARE(reading->cause, CacheCause::None);
        QVERIFY(reading->isEndExact);
        const Transcript before = read.array(call(number - 1));
        QCOMPARE(reading->end, (SlotPlace { SlotIndex(before.slotCount()), 0 }));
        QVERIFY(before.slotCount() < read.array(call(number)).slotCount());
    }
    QCOMPARE(read.at(2)->readShare(), 2.0 / 3);
}

void ArrayReadingTest::aBrokenCacheIsReadUpToTheSystemPrompt()
{
    const Read read;
    const auto reading = read.at(3);
    QVERIFY(reading);
    QCOMPARE(reading->cause, CacheCause::Compaction);
    QVERIFY(!reading->isEndExact);
    QCOMPARE(reading->end.slot, SlotIndex(0U));
    QCOMPARE(read.at(0)->cause, CacheCause::FirstCall);
    QCOMPARE(read.at(0)->end, SlotPlace {});
}

void ArrayReadingTest::breakpointsStandOnTheLastTwoUserMessages()
{
    const Read read;
    const Transcript array = read.array(call(2));
    QCOMPARE(read.at(2)->marked, markedBlocks(array, MarkPlacement::LastUsers));
    QCOMPARE(read.at(2)->marked.size(), size_t(2));
}

void ArrayReadingTest::withoutAModelOfTheCacheThereIsNothing()
{
    Read read;
    QVERIFY(!recordedReading(read.cache, {}, read.array({}), {}, *read.tokens)); // the end is no call
    read.cache = {};
    QVERIFY(!read.at(1));
}

void ArrayReadingTest::aPolicyThatActsHereBreaksTheCacheAtTheFirstSlotThatItChanges()
{
    const Read read;
    const ReplayGroundPtr ground = replayGround(read.session, ThreadIndex(0U), read.tokens);
    const ReplayPtr none = replay(ground, preset("none"));
    const ReplayCost cost = replayCost(*none, *costGround(*ground, read.cache, Prices::bundled()), nullptr);
    CompactOptions options;
    options.position = call(2);
    options.ignoresTriggers = true;
    for (const auto &[policy, cause] : { std::pair("langchain-clear-tool-uses", CacheCause::Clearing),
             std::pair("langchain-summarization", CacheCause::Compaction) }) {
        auto changed = *preset(policy);
        changed = *withSetting(changed, "keep", "1msg");
        const Compaction made
            = compact(read.array(call(2)), std::make_shared<const Policy>(changed), *read.tokens, options);
        QVERIFY(!made.changesNothing());
        const auto reading = simulatedReading(*none, cost, call(2), made, {});
        QVERIFY(reading);
        QCOMPARE(reading->source, ArrayReading::Source::Shared);
        QCOMPARE(reading->cause, cause);
        const auto first = std::ranges::find_if(made.fates, [](Fate fate) { return fate != Fate::Kept; });
        QCOMPARE(reading->end.slot.index(), static_cast<size_t>(first - made.fates.begin()));
    }
}

void ArrayReadingTest::aReplayedArrayIsReadAsTheReplayHasIt()
{
    const Read read;
    const ReplayGroundPtr ground = replayGround(read.session, ThreadIndex(0U), read.tokens);
    const ReplayPtr none = replay(ground, preset("none"));
    const ReplayCost cost = replayCost(*none, *costGround(*ground, read.cache, Prices::bundled()), nullptr);
    const Compaction made = compact(read.array(call(2)), preset("none"), *read.tokens, {});
    const auto reading = simulatedReading(
        *none, cost, call(2), made, arraySums(*read.session, ThreadIndex(0), *read.tokens)->at(call(2)));
    QVERIFY(reading);
    QCOMPARE(reading->source, ArrayReading::Source::Replayed);
    QCOMPARE(reading->read, cost.calls[2].cache.read);
    QCOMPARE(reading->prompt, none->steps[2].tokens);
    // Automatic caching marks the last block.
    QCOMPARE(reading->marked, std::vector { made.after.blocks().back() });
}

/// A replay weighs thinking as at the end of the thread, an array as its call was sent it.
void ArrayReadingTest::openThinkingDoesNotMakeAnotherArray()
{
    RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.builder().session().traits = &kLikeClaudeCode;
    recording.typed(std::string(2000, 'a'));
    SessionBuilder &builder = recording.builder();
    recording.answer(builder.makeBlock(BlockKind::Thinking, builder.ownedBody(std::string(900, 't'), "test")), 12'000);
    recording.injected("more");
    recording.reply("so", 12'904);
    recording.typed("go on");
    recording.reply("so", 12'010);
    std::vector<Call> &calls = builder.thread(ThreadIndex(0U)).calls;
    for (Call &each : calls)
        each.usage = Usage { 0, 6000, each.usage->prompt() - 6000, 10 };
    const SessionPtr session = recording.finish();
    BlockTokens table = *oneTokenACharacter(*session);
    table.thinking.push_back({ BlockId(1U), 900, 0 });
    weighAtEnd(*session, table);
    const auto tokens = std::make_shared<const BlockTokens>(table);
    const ReplayGroundPtr ground = replayGround(session, ThreadIndex(0U), tokens);
    const ReplayPtr none = replay(ground, preset("none"));
    const RecordedCache cache = recordedCache(*session, *tokens);
    const ReplayCost cost = replayCost(*none, *costGround(*ground, cache, Prices::bundled()), nullptr);
    const Transcript array(session, rangesAt(*session, call(1)));
    const BlockTokensPtr there = tokensAt(*session, rangesAt(*session, call(1)), tokens);
    QCOMPARE(there->of(BlockId(1U)), 900.0);
    QCOMPARE(tokens->of(BlockId(1U)), 0.0);
    const Compaction made = compact(array, preset("none"), *there, {});
    const auto reading
        = simulatedReading(*none, cost, call(1), made, arraySums(*session, ThreadIndex(0U), *tokens)->at(call(1)));
    QVERIFY(reading);
    QCOMPARE(reading->source, ArrayReading::Source::Replayed);
}

void ArrayReadingTest::whatWasInTheCacheBeforeTheLogIsReadByWhoLeavesTheFirstCallAlone()
{
    RecordedSession recorded;
    recorded.builder().session().model = "claude-opus-4-5";
    recorded.typed("go on with what we had");
    recorded.use("Read", "first file", 20, 50'000);
    recorded.result(6'000);
    recorded.use("Read", "second file", 20, 52'000);
    recorded.builder().thread(ThreadIndex(0U)).calls.front().usage = Usage { 100, 49'000, 900, 20 };
    const SessionPtr session = recorded.finish();
    const BlockTokensPtr tokens = oneTokenACharacter(*session);
    const ReplayGroundPtr ground = replayGround(session, ThreadIndex(0U), tokens);
    const CostGroundPtr costs = costGround(*ground, recordedCache(*session, *tokens), Prices::bundled());
    const ReplayCost alone = replayCost(*replay(ground, preset("none")), *costs, nullptr);
    QCOMPARE(alone.calls[0].cache.read, 49'000.0);
    QCOMPARE(alone.calls[0].cache.read + alone.calls[0].cache.written + alone.calls[0].cache.uncached, 50'000.0);
    QVERIFY(alone.calls[1].cache.read > 49'000);

    // Another prompt is not the one that was in the cache.
    RunCosting costing(*costs);
    costing.add({ .tokens = 40'000, .arrayTokens = 30'000, .beside = 10'000, .blocks = 1 });
    QCOMPARE(costing.finish().calls[0].cache.read, 0.0);
}

void ArrayReadingTest::theWindowRanksHotZonesAsTheTerminalDoes()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    size_t compared = 0;
    for (const std::string &file : evidenceFiles()) {
        const auto loaded = loadSession(testing::corpus() / file);
        QVERIFY2(loaded, file.c_str());
        const SessionPtr &session = *loaded;
        const BlockTokensPtr tokens = charactersBy33(*session);
        const Weights weights(tokens, WeightUnit::Tokens);
        const auto uses = findUses(*session, ThreadIndex(0U));
        QVERIFY(uses);
        const ArraySumsPtr sums = arraySums(*session, ThreadIndex(0U), *tokens);
        const size_t calls = session->thread(ThreadIndex(0U)).calls.size();
        const Position position = calls > 2 ? call(calls / 2) : Position();
        const Transcript array(session, rangesAt(*session, position));
        const HotZoneFinder finder(array, position, weights, *sums);
        const std::vector<uint32_t> ranks = unusedRanks(
            *session, resentUnused(array, position, array.slotCount(), GroupBy::Block, tokens, *uses, *sums));
        for (const size_t cutoff : { array.slotCount() / 3, array.slotCount() * 9 / 10, array.slotCount() }) {
            HotZones shown = finder.before(cutoff);
            rankHotZones(shown, ranks);
            HotZones printed = hotZones(array, position, cutoff, weights, *sums);
            rankHotZones(printed,
                unusedRanks(*session, resentUnused(array, position, cutoff, GroupBy::Block, tokens, *uses, *sums)));
            QCOMPARE(blocksOf(shown), blocksOf(printed));
            QVERIFY(std::ranges::all_of(
                shown.blocks, [&](const HotBlock &each) { return each.slot.index() < cutoff && shown.of(each.slot); }));
            ++compared;
        }
        if (compared > 12)
            return;
    }
    QVERIFY(compared > 6);
}

PALIMPSEST_TEST(ArrayReadingTest)
#include "tst_array_reading.moc"
