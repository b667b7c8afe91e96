// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/money/cost.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>

using namespace core;

namespace {

constexpr Price kPrice { 5, 25, 0.5, 6.25, 10 };

RunCall callOf(double read, double written, CacheCause cause = CacheCause::None, double fresh = 0)
{
    RunCall call;
    call.tokens.cacheRead = read;
    call.tokens.cacheWrite5m = written;
    call.price = kPrice;
    call.cause = cause;
    call.fresh = fresh;
    return call;
}

std::vector<double> costsOf(const std::vector<RunCall> &run)
{
    std::vector<double> costs;
    for (const RunCall &call : run)
        costs.push_back(call.cost());
    return costs;
}

double sumOf(const std::vector<RunCall> &run)
{
    double sum = 0;
    for (const RunCall &call : run)
        sum += call.cost();
    return sum;
}

bool isNear(double a, double b) { return std::abs(a - b) < 1e-9; }

Prices pricesOf(std::string_view model)
{
    return *Prices::parse(R"({"schema": "palimpsest.prices/1", "models": [{"id": "m", "names": [")" + std::string(model)
            + R"("], "prices": [{"tiers": [{"input": 5, "output": 25, "cache_read": 0.5, "cache_write_5m": 6.25,
               "cache_write_1h": 10}]}]}]})",
        "test");
}

} // namespace

/// Costs of runs, where differences come from, and when a compaction has paid back.
class CostTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsAddUpToTheCost();
    void rewritesGoToTheirCause();
    void aDifferenceIsSplitFiveWays();
    void aCompactionPaysBackOrNever();
    void theClosedFormAgreesWithTheRuns();
    void aRecordedSessionIsPricedTwice();
    void subagentsCostBesideTheirThread();
    void anUnknownModelHasNoPrice();
    void amountsAreShownInDollars();
};

void CostTest::partsAddUpToTheCost()
{
    std::mt19937_64 random = seededRandom();
    std::uniform_real_distribution<double> tokens(0, 100'000);
    for (int i = 0; i < caseCount(20); ++i) {
        std::vector<RunCall> run(10);
        for (RunCall &call : run) {
            call = callOf(tokens(random), tokens(random), CacheCause(random() % 17), tokens(random));
            call.tokens.input = tokens(random);
            call.tokens.output = tokens(random);
            call.isSummary = random() % 4 == 0;
            call.refetched = random() % 3 == 0 ? tokens(random) : 0;
        }
        QVERIFY(isNear(costParts(run).total(), sumOf(run)));
    }
}

void CostTest::rewritesGoToTheirCause()
{
    // A prompt of 100,000, of which 1,000 are new, read, or lost and written again at 6.25 instead of 0.5.
    const CostParts read = costParts(std::vector { callOf(99'000, 1'000, CacheCause::None, 1'000) });
    QVERIFY(isNear(read.resent, 0.0495 + 0.00625));
    QVERIFY(isNear(read.total(), read.resent));
    const CostParts idle = costParts(std::vector { callOf(0, 100'000, CacheCause::Idle, 1'000) });
    QVERIFY(isNear(idle.resent, read.resent));
    QVERIFY(isNear(idle.idleRewrites, 99'000 * 5.75 / 1e6));
    const CostParts compacted = costParts(std::vector { callOf(0, 100'000, CacheCause::Compaction, 1'000) });
    QVERIFY(isNear(compacted.compactionRewrites, idle.idleRewrites));
    QCOMPARE(compacted.idleRewrites, 0.0);
    const CostParts model = costParts(std::vector { callOf(0, 100'000, CacheCause::ModelChange, 1'000) });
    QVERIFY(isNear(model.resent, 0.625));
    RunCall hour = callOf(0, 0, CacheCause::Idle);
    hour.tokens.cacheWrite1h = 100'000;
    QVERIFY(isNear(costParts(std::vector { hour }).idleRewrites, 0.95));
}

void CostTest::aDifferenceIsSplitFiveWays()
{
    std::vector<RunCall> recorded { callOf(0, 50'000, CacheCause::FirstCall, 50'000), callOf(50'000, 1'000, {}, 1'000),
        callOf(0, 52'000, CacheCause::Idle, 1'000) };
    RunCall summary = callOf(50'000, 0);
    summary.tokens.output = 2'000;
    summary.isSummary = true;
    std::vector<RunCall> replayed { recorded[0], summary, callOf(20'000, 3'000, CacheCause::Compaction, 1'000),
        callOf(0, 24'000, CacheCause::Idle, 1'000) };
    replayed[3].refetched = 800;
    const CostParts parts = difference(costParts(replayed), costParts(recorded));
    QVERIFY(isNear(parts.total(), sumOf(replayed) - sumOf(recorded)));
    QVERIFY(isNear(parts.summaries, (50'000 * 0.5 + 2'000 * 25) / 1e6));
    QVERIFY(isNear(parts.compactionRewrites, 2'000 * 5.75 / 1e6));
    QVERIFY(isNear(parts.idleRewrites, (23'000 - 51'000) * 5.75 / 1e6)); // smaller because the context is
    QVERIFY(isNear(parts.refetched, 800 * 6.25 / 1e6));
    QVERIFY(isNear(parts.resent, -28'000 * 2 * 0.5 / 1e6));
}

void CostTest::aCompactionPaysBackOrNever()
{
    const std::vector<double> without(10, 3.0);
    const std::vector<double> with { 3, 3, 7, 2, 2, 2, 2, 2, 2, 2 }; // 4 more once, 1 less at each call after
    const PayBack paid = payBack(with, without, 2);
    QCOMPARE(paid.after, std::optional<size_t>(4));
    QCOMPARE(paid.followed, size_t(7));
    QCOMPARE(paid.sentence(), std::string("pays back after 4 calls (7 calls came after the compaction)"));
    const PayBack never = payBack(std::span(with).first(5), without, 2);
    QCOMPARE(never.after, std::optional<size_t>());
    QCOMPARE(never.sentence(), std::string("does not pay back in the 2 calls that followed"));
    QCOMPARE(payBack(std::vector { 1.0, 2.0 }, std::vector { 2.0, 2.0 }, 0).sentence(),
        std::string("pays back at once (1 call came after the compaction)"));
    QCOMPARE(payBack(with, without, 99).sentence(), std::string("does not pay back in the 0 calls that followed"));
    QCOMPARE((PayBack { 1, 1 }.sentence()), std::string("pays back after 1 call (1 call came after the compaction)"));
}

void CostTest::theClosedFormAgreesWithTheRuns()
{
    // yologdev/yoagent 101: R > I / H × (input − read) / read. 30,000 tokens behind the change are sent as input once,
    // 20,000 are gone.
    const double rewritten = 30'000;
    const double removed = 20'000;
    const double needed = rewritten / removed * (kPrice.input - kPrice.cacheRead) / kPrice.cacheRead;
    QVERIFY(isNear(needed, 13.5));
    std::vector<RunCall> without(30, callOf(60'000, 0));
    std::vector<RunCall> with(30, callOf(40'000, 0));
    with[3] = callOf(30'000, 0, CacheCause::Compaction); // what stood before the change is read
    with[3].tokens.input = rewritten;
    with[3].tokens.cacheRead = 60'000 - rewritten; // the closed form lets saving begin at the call after
    const PayBack paid = payBack(costsOf(with), costsOf(without), 3);
    QCOMPARE(paid.after, std::optional<size_t>(14)); // the first whole number above
}

void CostTest::aRecordedSessionIsPricedTwice()
{
    RecordedSession recording;
    recording.typed("a task");
    recording.reply("one", 10'001);
    recording.reply("two", 20'001);
    SessionBuilder &builder = recording.builder();
    std::vector<Call> &calls = builder.thread(ThreadIndex(0)).calls;
    calls[0].usage = Usage { 1, 0, 10'000, 10 };
    calls[1].usage = Usage { 1, 10'000, 10'000, 10 };
    for (Call &call : calls)
        call.model = builder.intern("claude-opus-4-5-20251101");
    builder.session().model = "claude-opus-4-5-20251101";
    const SessionPtr made = recording.finish();
    const RecordedCache cache = recordedCache(*made, *oneTokenACharacter(*made));
    const SessionCost cost = recordedCost(*made, cache, pricesOf("claude-opus-4-5"));
    QCOMPARE(cost.calls.size(), size_t(2));
    QVERIFY(isNear(cost.recorded, (2 * 5 + 20'000 * 6.25 + 10'000 * 0.5 + 20 * 25) / 1e6));
    QVERIFY(isNear(cost.computed, cost.recorded)); // every call was foreseen
    QCOMPARE(cost.sentence(), std::string("$0.13 by usage; Palimpsest computes $0.13."));
    const std::vector<RunCall> run = recordedRun(*made, ThreadIndex(0), cache, pricesOf("claude-opus-4-5"));
    QCOMPARE(run.size(), size_t(2));
    QCOMPARE(run[1].fresh, 10'001.0);
    QVERIFY(isNear(costParts(run).total(), cost.recorded));
}

/// Three subagents: two are threads of the session, one of them started by the other; the third has no records.
void CostTest::subagentsCostBesideTheirThread()
{
    RecordedSession recording;
    SessionBuilder &builder = recording.builder();
    recording.typed("a task");
    const Usage used { 1'000, 0, 0, 10 };
    std::vector<CallIndex> own;
    std::vector<BlockId> starts;
    for (const char *what : { "first", "elsewhere" }) {
        own.push_back(recording.use("Task", what, 20, 1'001));
        starts.emplace_back(builder.session().blocks.size() - 1);
        recording.result("done");
    }
    recording.use("Task", "refused", 20, 1'001);
    recording.result("no", true);
    const ThreadIndex first = builder.addThread(ThreadKind::Subagent, "a1", "looks around");
    const ThreadIndex second = builder.addThread(ThreadKind::Subagent, "a2", "looks deeper");
    const ThreadIndex other = builder.addThread(ThreadKind::Run, "", "another run");
    MessageDraft draft;
    draft.role = Role::Assistant;
    draft.blocks = { builder.makeBlock(BlockKind::ToolCall, builder.ownedBody("{}", "test"), builder.intern("Agent")) };
    const MessageId nested = builder.addMessage(first, draft);
    builder.thread(first).parentCall = starts[0];
    builder.thread(second).parentCall = builder.session().message(nested).first;
    const auto call = [&](ThreadIndex thread, std::string_view model) {
        Call made;
        made.usage = used;
        made.model = builder.intern(model);
        builder.thread(thread).calls.push_back(made);
    };
    for (Call &each : builder.thread(ThreadIndex(0U)).calls) {
        each.usage = used;
        each.model = builder.intern("claude-opus-4-5");
    }
    call(first, "claude-opus-4-5");
    call(first, "claude-opus-4-5");
    call(second, "claude-opus-4-5");
    call(second, "nobody-sells-it");
    call(other, "claude-opus-4-5");
    const SessionPtr made = recording.finish();
    const double one = (1'000 * 5 + 10 * 25) / 1e6;
    const SessionCost cost = recordedCost(*made, RecordedCache(), pricesOf("claude-opus-4-5"));
    const CostByThread of = costByThread(*made, ThreadIndex(0U), cost);
    QVERIFY(isNear(of.own.recorded, 3 * one));
    QCOMPARE(of.subagents.size(), size_t(2));
    QVERIFY(isNear(of.ofSubagents().recorded, 3 * one));
    QCOMPARE(of.ofSubagents().unpricedCalls, size_t(1));
    QCOMPARE(of.others.size(), size_t(1));
    QVERIFY(isNear(of.ofAll().recorded, cost.recorded));
    QCOMPARE(of.subagentsNotInFile, size_t(1)); // the refused one never ran
    QCOMPARE(of.words(), std::string("$0.03 with its 2 subagents, 1 subagent not in the file"));
    const std::vector<std::string> lines = of.lines(*made);
    QCOMPARE(lines.size(), size_t(6));
    QCOMPARE(lines[0], std::string("this thread: $0.02 for 3 calls"));
    QCOMPARE(lines[1], std::string("subagent 1, “looks around”: $0.01 for 2 calls"));
    QCOMPARE(lines[2], std::string("subagent 2, “looks deeper”: $0.00525 for 2 calls, 1 of them without a price"));
    QCOMPARE(lines[4], std::string("all 4 threads: $0.04 for 8 calls, 1 of them without a price"));
    QCOMPARE(lines[5], std::string("1 subagent is not in the file: its cost is not known"));
    // A subagent has those that it started itself.
    const CostByThread ofFirst = costByThread(*made, first, cost);
    QCOMPARE(ofFirst.subagents.size(), size_t(1));
    QCOMPARE(ofFirst.others.size(), size_t(2));
    QVERIFY(costByThread(*made, other, cost).subagents.empty());
}

void CostTest::anUnknownModelHasNoPrice()
{
    RecordedSession recording;
    recording.typed("a task");
    recording.reply("one", 1'000);
    recording.builder().session().model = "some-model";
    const SessionPtr made = recording.finish();
    const SessionCost cost = recordedCost(*made, recordedCache(*made, *oneTokenACharacter(*made)), pricesOf("other"));
    QCOMPARE(cost.recorded, 0.0);
    QCOMPARE(cost.calls[0].recorded, std::optional<double>());
    QCOMPARE(cost.sentence(), std::string("No price for 1 call of some-model."));
    const SessionCost known
        = recordedCost(*made, recordedCache(*made, *oneTokenACharacter(*made)), pricesOf("some-model"));
    QCOMPARE(known.sentence(), std::string("$0.000754 by usage."));
    RunCall unpriced;
    unpriced.tokens.input = 1e6;
    QCOMPARE(costParts(std::vector { unpriced }).total(), 0.0);
}

void CostTest::amountsAreShownInDollars()
{
    QCOMPARE(dollars(4.024), std::string("$4.02"));
    QCOMPARE(dollars(-0.5), std::string("\u2212$0.50"));
    QCOMPARE(dollars(0), std::string("$0.00"));
    QCOMPARE(dollars(0.000123456), std::string("$0.000123"));
}

PALIMPSEST_TEST(CostTest)
#include "tst_cost.moc"
