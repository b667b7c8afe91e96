// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/card.h"
#include "core/report/comparison.h"
#include "core/sweep/sweep_figures.h"
#include "tests/recorded_session.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace core;

namespace {

ComparedRun run(const char *name, double tokens, double cost, std::optional<size_t> lost = {})
{
    ComparedRun made;
    made.name = name;
    made.prompts = PromptSums { .sum = { tokens, Basis::Exact, 0 }, .peak = { tokens, Basis::Exact, 0 }, .calls = 1 };
    made.cost = cost;
    made.lostUses = lost;
    made.uses = 20;
    return made;
}

const ComparisonTable::Cell &cell(const ComparisonTable &table, size_t row, const char *column)
{
    const auto found = std::ranges::find(table.columns, column);
    return table.rows.at(row).cells.at(static_cast<size_t>(found - table.columns.begin()));
}

/// Forty calls with results of a thousand tokens, a summary in the middle; and Deep Agents at every call of it.
ReplayReport reportOf(const char *setting = "60000tok")
{
    RecordedSession recorded;
    recorded.builder().session().model = "claude-opus-4-5";
    recorded.builder().session().windowTokens = 200'000;
    recorded.typed("the secret task");
    for (uint64_t i = 0; i < 40; ++i) {
        if (i == 25)
            recorded.summarise(2'000);
        recorded.use("Read", "file " + std::to_string(i), 20, 9'000 + (i < 25 ? i : i - 25) * 4'100);
        recorded.result(4'000);
    }
    const SessionPtr session = recorded.finish();
    const auto policy = withSetting(*preset("deep-agents"), "trigger", setting);
    return *replayReport("folder/session.jsonl", session, ThreadIndex(0U), oneTokenACharacter(*session),
        { std::make_shared<const Policy>(*policy) }, Prices());
}

} // namespace

/// Runs in a table, and the card of one.
class ComparisonTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBestOfEachColumnIsMarked();
    void aRefusedRunIsNeverBest();
    void whatIsNotKnownIsNoNumber();
    void copiesArePlainNumbers();
    void theTableHoldsTheReplaysFigures();
    void compactionsAreCountedInOneWay();
    void anIntervalIsWilsons();
    void theArraysOfACardAddUpToTheirPrompts();
    void theCardSaysWhatItStandsOn();
    void lanesTellWhatBecameOfTexts();
    void textsAreShownOnRequestAlone();
};

void ComparisonTest::theBestOfEachColumnIsMarked()
{
    ComparedRun cached = run("b", 50'000, 4);
    cached.hitShare = 0.9;
    ComparedRun uncached = run("a", 40'000, 5);
    uncached.hitShare = 0.5;
    const ComparisonTable table = comparisonTable({ uncached, cached, run("c", 40'000, 4.5) });
    QVERIFY(cell(table, 0, "tokens sent").isBest && cell(table, 2, "tokens sent").isBest);
    QVERIFY(!cell(table, 1, "tokens sent").isBest);
    QVERIFY(cell(table, 1, "cost").isBest && !cell(table, 0, "cost").isBest);
    QVERIFY(cell(table, 1, "cache hits").isBest && !cell(table, 0, "cache hits").isBest); // more is better
    // Where all are alike none is.
    QVERIFY(!cell(table, 0, "compactions").isBest && !cell(table, 1, "compactions").isBest);
    QVERIFY(drawComparison(table).contains("• $4.00"));
    // What looks alike is equally good.
    ComparedRun alike = cached;
    alike.hitShare = 0.9004;
    alike.cost = 4.001;
    const ComparisonTable close = comparisonTable({ cached, alike, uncached });
    for (const char *column : { "cache hits", "cost" })
        QVERIFY(cell(close, 0, column).isBest && cell(close, 1, column).isBest && !cell(close, 2, column).isBest);
    QVERIFY(!cell(comparisonTable({ cached, alike }), 0, "cache hits").isBest);
}

void ComparisonTest::aRefusedRunIsNeverBest()
{
    ComparedRun refused = run("a", 40'000, 4, 0);
    refused.refused = 12;
    const ComparisonTable table = comparisonTable({ refused, run("b", 50'000, 5, 1), run("c", 60'000, 6, 2) });
    QCOMPARE(table.columns.front(), "refused calls");
    QCOMPARE(cell(table, 0, "refused calls").shown, "12");
    for (const char *column : { "tokens sent", "cost", "lost uses" })
        QVERIFY(!cell(table, 0, column).isBest && cell(table, 1, column).isBest && !cell(table, 2, column).isBest);
    QVERIFY(!std::ranges::contains(comparisonTable({ run("b", 1, 1) }).columns, "refused calls"));
}

void ComparisonTest::whatIsNotKnownIsNoNumber()
{
    const ComparisonTable table = comparisonTable({ run("recorded", 10, 1), run("policy", 10, 2, 3) });
    QCOMPARE(cell(table, 0, "lost uses").shown, std::string("—"));
    QCOMPARE(cell(table, 0, "lost uses").plain, std::string());
    QCOMPARE(cell(table, 1, "lost uses").shown, std::string("3 of 20"));
    QVERIFY(!cell(table, 1, "lost uses").isBest); // better than nothing is no best
}

void ComparisonTest::copiesArePlainNumbers()
{
    ComparedRun made = run("a\tb", 1'234'567, 4.25, 3);
    made.costDifference = -0.5;
    const std::string text = comparisonTsv(comparisonTable({ made }));
    const QStringList lines = QString::fromStdString(text).split(u'\n');
    QCOMPARE(lines.size(), 3); // head, run, end of the last line
    const QStringList cells = lines[1].split(u'\t');
    QCOMPARE(cells.size(), lines[0].split(u'\t').size());
    QCOMPARE(cells[1], QStringLiteral("1234567"));
    QCOMPARE(cells[6], QStringLiteral("4.25"));
    QCOMPARE(cells[7], QStringLiteral("3"));
    QCOMPARE(cell(comparisonTable({ made }), 0, "cost").shown, std::string("$4.25 (−$0.50)"));
}

void ComparisonTest::theTableHoldsTheReplaysFigures()
{
    const ReplayReport report = reportOf();
    const std::vector<ComparedRun> runs = comparedRuns(report);
    QCOMPARE(runs.size(), size_t(2));
    double sum = 0;
    for (size_t call = 0; call < report.ground->callCount(); ++call)
        sum += report.ground->recorded[call];
    QCOMPARE(runs[0].prompts.sum.value, sum);
    QVERIFY(runs[0].prompts.sum.basis == Basis::Exact && !runs[0].promptsByUsage);
    QCOMPARE(runs[0].compactions, size_t(1));
    QCOMPARE(runs[1].prompts.sum.value, report.policies.front()->replay->totalTokens());
    QCOMPARE(runs[1].prompts.peak.value, report.policies.front()->replay->peak());
    QCOMPARE(*runs[1].lostUses, report.policies.front()->regret->of()[UseFate::Lost]);
    QVERIFY(!runs[0].lostUses);
}

/// Table, legend and map count alike: summaries and clearings, also those that no record says.
void ComparisonTest::compactionsAreCountedInOneWay()
{
    const ReplayReport report = reportOf();
    const ComparisonTable table = comparisonTable(comparedRuns(report));
    QCOMPARE(cell(table, 0, "compactions").shown, std::string("1 summary"));
    QCOMPARE(cell(table, 1, "compactions").shown, compactionWords(*report.policies.front()->replay));
    RecordedFigures cleared = *report.recorded;
    cleared.silentClearings = 1;
    const ComparedRun run = comparedRecording(cleared, std::nullopt);
    QCOMPARE(run.compactionWords, std::string("1 summary, 1 silent clearing"));
    QCOMPARE(run.compactions, size_t(2));
    QCOMPARE(recordedSweepFigures(cleared)[SweepMetric::Compactions],
        100.0 * static_cast<double>(run.compactions) / static_cast<double>(report.ground->callCount()));
}

void ComparisonTest::anIntervalIsWilsons()
{
    // 0 of 75: 0 to z²/(n + z²); 3 of 10 from the textbook.
    const double z2 = 1.959964 * 1.959964;
    const auto [low, high] = shareInterval(0, 75);
    QCOMPARE(low, 0.0);
    QVERIFY(std::abs(high - z2 / (75 + z2)) < 1e-9);
    const auto [lowThree, highThree] = shareInterval(3, 10);
    QVERIFY(std::abs(lowThree - 0.1078) < 1e-4);
    QVERIFY(std::abs(highThree - 0.6032) < 1e-4);
    QCOMPARE(shareInterval(0, 0), std::pair(0.0, 1.0));
}

void ComparisonTest::theArraysOfACardAddUpToTheirPrompts()
{
    const ReplayReport report = reportOf();
    const Card made = card(report, { .call = CallIndex(20U), .version = "1" });
    QCOMPARE(made.call, size_t(20));
    const auto slotsOf
        = [](const CardArray &array) { return std::accumulate(array.materials.begin(), array.materials.end(), 0.0); };
    const ArraySum &sum = report.ground->sums->at({ ThreadIndex(0U), CallIndex(20U) });
    QCOMPARE(made.before.sum.value(), report.ground->recorded[20]);
    QCOMPARE(made.before.sum.prelude, sum.prelude);
    QCOMPARE(made.before.sum.remainder, sum.remainder);
    QVERIFY(made.before.sum.prelude > 0);
    QVERIFY(std::abs(slotsOf(made.before) - sum.slots) < 1);
    const ReplayStep &step = report.policies.front()->replay->steps[20];
    QVERIFY(std::abs(made.after.sum.value() - step.tokens) < 0.01);
    QVERIFY(std::abs(slotsOf(made.after) - step.arrayTokens) < 1);
    QVERIFY(made.after.sum.value() < made.before.sum.value());
    QCOMPARE(made.recorded.size(), report.ground->callCount());
    QCOMPARE(made.simulated.size(), report.ground->callCount());
    QVERIFY(!made.fired.empty());
    QCOMPARE(made.compactions, std::vector<uint32_t>({ 25 }));
    // Without a call: the heaviest.
    QCOMPARE(card(report).call, size_t(24));
}

void ComparisonTest::theCardSaysWhatItStandsOn()
{
    const ReplayReport report = reportOf();
    const Card made = card(report, { .call = {}, .version = "1.2.3" });
    const std::vector<ComparedRun> runs = comparedRuns(report);
    QVERIFY2(made.title.starts_with("Deep Agents would have sent ~"), made.title.c_str());
    QVERIFY(made.title.contains(
        runs[1].prompts.sum.value <= runs[0].prompts.sum.value ? " % less than recorded" : " % more than recorded"));
    QVERIFY(made.facts.starts_with("session.jsonl"));
    std::string foot;
    for (const std::string &line : made.foot)
        foot += line;
    for (const char *words : { "quotes and repeats", "Palimpsest 1.2.3", "trigger 60,000 tokens",
             "counterfactual from call 25", "Tokens estimated", "summaries without a text" })
        QVERIFY2(foot.contains(words), words);
    // Another setting is another document.
    QVERIFY(made.foot != card(reportOf("50000tok"), { .call = {}, .version = "1.2.3" }).foot);
    std::string all = made.title + made.facts + foot;
    for (const CardFigure &figure : made.figures)
        all += figure.title + figure.value + figure.interval + figure.recorded;
    QVERIFY(!all.contains("secret"));
    // Without prices the second figure is the peak.
    QCOMPARE(made.figures[1].title, std::string("Peak context"));
}

void ComparisonTest::lanesTellWhatBecameOfTexts()
{
    const Card made = card(reportOf(), { .version = "1", .traced = { "the secret task", "never said" } });
    QCOMPARE(made.lanes.size(), size_t(2));
    const CardLane &task = made.lanes[0];
    QVERIFY2(task.name.starts_with("1 · user") && task.name.contains("#0"), task.name.c_str());
    // The recording was summarised before call 25; what it holds of the task then, the summary says.
    QVERIFY(task.recorded.stretches.size() >= 2);
    QVERIFY(task.recorded.stretches[0].state == TraceState::Verbatim);
    QCOMPARE(task.recorded.stretches[0].from, uint32_t(0));
    QCOMPARE(task.recorded.stretches[0].to, uint32_t(25));
    QVERIFY2(task.recorded.ending.ends_with("last sent at call 24"), task.recorded.ending.c_str());
    uint32_t last = 0;
    for (const CardLife::Stretch &stretch : task.simulated.stretches) {
        QCOMPARE(stretch.from, last);
        last = stretch.to;
    }
    QCOMPARE(last, uint32_t(40));
    QVERIFY(made.lanes[1].recorded.stretches.empty());
    QCOMPARE(made.lanes[1].recorded.ending, std::string("never in context"));
    // A page has room for three.
    QCOMPARE(card(reportOf(), { .traced = { "a", "b", "c", "d" } }).lanes.size(), kMostCardLanes);
}

void ComparisonTest::textsAreShownOnRequestAlone()
{
    CardOptions options { .version = "1", .traced = { "the secret task" } };
    const Card hidden = card(reportOf(), options);
    QVERIFY(!hidden.lanes[0].name.contains("secret"));
    QVERIFY(hidden.foot.back().ends_with("no text of the session on this card"));
    options.texts = CardTexts::Shown;
    const Card shown = card(reportOf(), options);
    QVERIFY2(shown.lanes[0].name.ends_with("“the secret task”"), shown.lanes[0].name.c_str());
    QVERIFY(!shown.foot.back().contains("no text"));
}

PALIMPSEST_TEST(ComparisonTest)
#include "tst_comparison.moc"
