// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/time_text.h"
#include "core/json/json.h"
#include "core/report/json_lines.h"
#include "core/report/policy_choice.h"
#include "core/report/run_sweep_lines.h"
#include "core/report/set_card.h"
#include "core/report/sweep_set_report.h"
#include "core/sweep/suggestion.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <format>
#include <numeric>
#include <random>
#include <ranges>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Result<void> addLines(RunSweepReader &reader, const std::string &lines)
{
    return eachJsonLine(
        lines, "lines", [&](const Json &line, const std::string &where) { return reader.add(line, where); });
}

SweepPlan planOf(std::string_view policy, size_t columns, size_t rows)
{
    SweepPlan plan { preset(policy), { "keep", Measure::Unit::Tokens, {} }, { "trigger", Measure::Unit::Tokens, {} },
        "2026-01-01" };
    for (size_t i = 0; i < columns; ++i)
        plan.x.values.push_back(1000 * static_cast<double>(i + 1));
    for (size_t i = 0; i < rows; ++i)
        plan.y.values.push_back(10'000 * static_cast<double>(i + 1));
    return plan;
}

/// A run that was recorded for a dollar and a million tokens, with 100 later uses and nothing lost.
RunSweep runOf(size_t number, size_t cells)
{
    RunSweep run;
    run.file = std::format("{:03}.jsonl", number);
    run.begun = run.ended = static_cast<Timestamp>(number) * 1000;
    run.calls = 10;
    run.uses = 100;
    run.window = 200'000;
    run.recorded[SweepMetric::Cost] = 1;
    run.recorded[SweepMetric::Tokens] = 1e6;
    run.cells.resize(cells);
    for (SweepFigures &each : run.cells) {
        each[SweepMetric::Cost] = 1;
        each[SweepMetric::Tokens] = 1e6;
        each[SweepMetric::Peak] = 100'000;
    }
    run.callIds = { number };
    return run;
}

std::vector<FileSweep> filesOf(const std::vector<RunSweep> &runs)
{
    std::vector<FileSweep> files;
    for (const RunSweep &run : runs)
        files.push_back({ { run }, {} });
    return files;
}

/// `count` runs, each changed by `change(run, number)`.
template <typename Change>
SweepSet setOf(size_t count, size_t cells, const Change &change)
{
    std::vector<RunSweep> runs;
    for (size_t i = 0; i < count; ++i) {
        runs.push_back(runOf(i, cells));
        change(runs.back(), i);
    }
    return sweepSet(planOf("none", cells, 1), filesOf(runs));
}

SuggestionOptions within(std::initializer_list<std::string_view> limits)
{
    SuggestionOptions options;
    for (const std::string_view each : limits)
        options.limits.push_back(parseLimit(each).value());
    return options;
}

std::vector<std::string> sampleFiles()
{
    const std::string folder = std::string(PALIMPSEST_SOURCE_DIR) + "/resources/samples/";
    return { folder + "messages-21.claude-code.jsonl", folder + "messages-21.codex.jsonl",
        folder + "messages-21.genkit.json", folder + "no such file" };
}

std::vector<FileSweep> sweptSamples(const SweepPlan &plan, unsigned threads)
{
    std::vector<FileSweep> files;
    RunSweepOptions options;
    options.threads = threads;
    const std::vector<std::string> names = sampleFiles();
    sweepFiles(names, plan, Prices::bundled(), options, [&](FileSweep file) { files.push_back(std::move(file)); });
    return files;
}

std::string documentOf(SweepSet set)
{
    SweepSetReport report { std::move(set), SweepMetric::Cost, std::nullopt };
    report.suggestion = suggest(report.set);
    return jsonText(sweepSetJson(report)) + sweepSetCsv(report) + drawSweepSet(report);
}

} // namespace

/// Sweeps of many runs: each once, side by side, put together from many machines, and what they suggest.
class SweepManyTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesCountOnce();
    void resumedSessionsShareTheirCalls();
    void whatTheUserTypedIsCountedByTexts();
    void whatIsNotSweptIsNamed();
    void spreadsEqualPlainComputation();
    void aPartOfTheRunsCanBeUnknown();
    void threadsDoNotMatter();
    void severalPlansComeToWhatEachDoesAlone();
    void linesPutTogetherAreTheSame();
    void olderLinesHoldNoComputedRecording();
    void linesThatAreNone_data();
    void linesThatAreNone();
    void datesAreRead_data();
    void datesAreRead();
    void limitsAreRead_data();
    void limitsAreRead();
    void theCheapestWithinLimitsIsSuggested();
    void suggestionsKeepTheirLimits();
    void limitsByTheHarnessesOwnPolicy();
    void moreMessagesMayBeLost();
    void laterRunsJudge();
    void cheaperCellsThatWereNotConsideredAreTold();
    void aSettingThatTheHarnessLacksStays();
    void thePartsAreSplitByDate();
    void runsWithoutPrices();
    void refusals();
    void intervals();
    void aPolicyIsChosenOnEarlierRuns();
    void aCardShowsWhatIsSuggested();
    void aCardOfFewRunsShowsTheirOwnSettings();
};

void SweepManyTest::copiesCountOnce()
{
    std::vector<RunSweep> runs(6, runOf(0, 1));
    const std::vector<std::vector<uint64_t>> ids { { 1, 2, 3 }, { 1, 2, 3, 4, 5 }, { 1, 2, 3, 4, 5, 6, 7 },
        { 1, 2, 10, 11, 12, 13 }, { 20, 21 }, { 20, 30 } };
    for (size_t i = 0; i < runs.size(); ++i) {
        runs[i].file = std::string(1, static_cast<char>('a' + i));
        runs[i].callIds = ids[i];
    }
    std::vector<FileSweep> files = filesOf(runs);
    files.push_back({ {}, { { "g", std::nullopt, "It is none.", true } } });
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(10); ++round) {
        std::ranges::shuffle(files, random);
        const SweepSet set = sweepSet(planOf("none", 1, 1), files);
        std::string kept;
        for (const RunSweep &run : set.runs)
            kept += run.file;
        QCOMPARE(kept, "cdef"); // the half of f is no more than half
        QCOMPARE(set.merged.size(), size_t(2));
        for (const MergedRun &each : set.merged)
            QCOMPARE(set.runs[each.into].file, "c");
        QCOMPARE(set.sharedCalls, size_t(3));
        QCOMPARE(
            countSentence(set), "7 files, 4 runs, 2 duplicates merged, 1 left out, 3 calls occur in two runs each");
    }
}

void SweepManyTest::resumedSessionsShareTheirCalls()
{
    const auto recorded = [](size_t calls, std::string_view task) {
        RecordedSession session;
        session.typed(std::string(task));
        for (size_t i = 0; i < calls; ++i) {
            session.use("Read", "file", 20 + i, 2000 + i * 100);
            session.result(400);
        }
        return session.finish();
    };
    const SweepPlan plan = planOf("deep-agents", 2, 2);
    const auto idsOf
        = [&](const SessionPtr &session) { return sweepSession("", session, plan, Prices {}).runs.front().callIds; };
    const auto early = idsOf(recorded(3, "a"));
    const auto resumed = idsOf(recorded(5, "a"));
    QCOMPARE(early.size(), size_t(3));
    QVERIFY(std::ranges::equal(early, resumed | std::views::take(3)));
    QVERIFY(std::ranges::find(early, resumed[3]) == early.end());
}

/// As user messages are counted everywhere (see isUserMessage).
void SweepManyTest::whatTheUserTypedIsCountedByTexts()
{
    RecordedSession recorded;
    recorded.typed("the task");
    recorded.typed("");
    recorded.reply("done", 2000);
    recorded.typed("more");
    recorded.reply("done", 2100);
    const FileSweep swept = sweepSession("", recorded.finish(), planOf("deep-agents", 1, 1), Prices {});
    QCOMPARE(swept.runs.front().typedMessages, size_t(2));
}

void SweepManyTest::whatIsNotSweptIsNamed()
{
    RecordedSession recorded;
    recorded.typed("the task");
    recorded.reply("done", 2000);
    const ThreadIndex subagent = recorded.builder().addThread(ThreadKind::Subagent, "agent", "look");
    const SessionPtr session = recorded.finish();
    const SweepPlan plan = planOf("deep-agents", 2, 2);
    RunSweepOptions options;
    const FileSweep alone = sweepSession("file", session, plan, Prices {}, options);
    QCOMPARE(alone.runs.size(), size_t(1));
    QVERIFY(alone.leftOut.empty());
    options.withSubagents = true;
    const FileSweep both = sweepSession("file", session, plan, Prices {}, options);
    QCOMPARE(both.leftOut.size(), size_t(1));
    QCOMPARE(both.leftOut.front().thread, subagent.value());
    QCOMPARE(both.leftOut.front().reason, "It has no calls.");
    options.since = *alone.runs.front().ended;
    QCOMPARE(sweepSession("file", session, plan, Prices {}, options).runs.size(), size_t(1));
    ++*options.since;
    const FileSweep old = sweepSession("file", session, plan, Prices {}, options);
    QVERIFY(old.runs.empty());
    QCOMPARE(old.leftOut.front().reason, "Its last call is older.");
}

void SweepManyTest::spreadsEqualPlainComputation()
{
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(50); ++round) {
        const SweepSet set = setOf(1 + random() % 30, 2, [&](RunSweep &run, size_t) {
            run.recorded[SweepMetric::Cost] = 1 + static_cast<double>(random() % 5);
            run.recorded[SweepMetric::Peak] = static_cast<double>(random() % 20);
            run.recorded[SweepMetric::LostUses] = kUnknown;
            run.cells[1][SweepMetric::Cost] = static_cast<double>(random() % 20);
            run.cells[1][SweepMetric::HitShare] = static_cast<double>(random() % 20) / 20;
            run.cells[1][SweepMetric::LostUses] = static_cast<double>(random() % 20);
        });
        const size_t last = set.runs.size() - 1;
        const auto rank
            = [&](double share) { return static_cast<size_t>(std::lround(share * static_cast<double>(last))); };
        std::vector<double> costs;
        std::vector<double> hits;
        std::vector<double> peaks;
        double sum = 0;
        for (const RunSweep &run : set.runs) {
            costs.push_back(run.cells[1][SweepMetric::Cost] / run.recorded[SweepMetric::Cost]);
            hits.push_back(run.cells[1][SweepMetric::HitShare]);
            peaks.push_back(run.recorded[SweepMetric::Peak]);
            sum += run.cells[1][SweepMetric::Cost];
        }
        const std::vector<double> unsorted = costs;
        std::ranges::sort(costs);
        std::ranges::sort(hits, std::greater());
        std::ranges::sort(peaks);
        const CellSpread cost = spreadOf(set, 1, SweepMetric::Cost);
        QCOMPARE(cost.median, costs[rank(0.5)]);
        QCOMPARE(cost.p90, costs[rank(0.9)]);
        QCOMPARE(cost.worst, costs.back());
        QCOMPARE(cost.sum, sum);
        QCOMPARE(unsorted[cost.worstRun], costs.back());
        const CellSpread hit = spreadOf(set, 1, SweepMetric::HitShare);
        QCOMPARE(hit.p90, hits[rank(0.9)]);
        QCOMPARE(hit.worst, hits.back());
        QVERIFY(std::isnan(hit.sum));
        QCOMPARE(recordedSpreadOf(set, SweepMetric::Peak).p90, peaks[rank(0.9)]);
        QCOMPARE(recordedSpreadOf(set, SweepMetric::Cost).worst, 1.0);
        QVERIFY(std::isnan(recordedSpreadOf(set, SweepMetric::LostUses).median));
        // Runs that lost nothing, as they were not compacted, do not stand for the others.
        SweepSet mixed = set;
        for (size_t i = 0; i < mixed.runs.size(); ++i)
            mixed.runs[i].recorded.values[static_cast<size_t>(SweepMetric::LostBytes)] = i == 0 ? std::nan("") : 0;
        QVERIFY(std::isnan(recordedSpreadOf(mixed, SweepMetric::LostBytes).median));
        mixed.runs.front().recorded.values[static_cast<size_t>(SweepMetric::LostBytes)] = 0;
        QCOMPARE(recordedSpreadOf(mixed, SweepMetric::LostBytes).median, 0.0);
        const std::vector<size_t> worst = worstRuns(set, 1, SweepMetric::LostUses);
        QCOMPARE(worst.size(), set.runs.size());
        for (size_t i = 1; i < worst.size(); ++i)
            QVERIFY(scaled(set.runs[worst[i - 1]], 1, SweepMetric::LostUses)
                >= scaled(set.runs[worst[i]], 1, SweepMetric::LostUses));
    }
}

void SweepManyTest::aPartOfTheRunsCanBeUnknown()
{
    const SweepSet set = setOf(4, 1, [](RunSweep &run, size_t number) {
        run.cells[0][SweepMetric::Cost] = number < 2 ? kUnknown : static_cast<double>(number);
        run.recorded[SweepMetric::Cost] = number == 3 ? kUnknown : 1;
        run.uses = 0;
    });
    const CellSpread cost = spreadOf(set, 0, SweepMetric::Cost);
    QCOMPARE(cost.known, size_t(1));
    QCOMPARE(cost.median, 2.0);
    QCOMPARE(cost.sum, 5.0);
    const CellSpread uses = spreadOf(set, 0, SweepMetric::LostUses);
    QCOMPARE(uses.known, size_t(0));
    QVERIFY(std::isnan(uses.worst));
    QVERIFY(!drawSweepSet({ set, SweepMetric::LostUses, std::nullopt }).empty());
}

void SweepManyTest::threadsDoNotMatter()
{
    const SweepPlan plan = planOf("deep-agents", 3, 3);
    const std::string one = documentOf(sweepSet(plan, sweptSamples(plan, 1)));
    QVERIFY(one.contains("4 files, 3 runs, 0 duplicates merged, 1 left out"));
    QCOMPARE(documentOf(sweepSet(plan, sweptSamples(plan, 2))), one);
    QCOMPARE(documentOf(sweepSet(plan, sweptSamples(plan, 8))), one);
}

void SweepManyTest::severalPlansComeToWhatEachDoesAlone()
{
    const std::array plans { planOf("deep-agents", 3, 3), planOf("langchain-summarization", 2, 4) };
    std::array<std::vector<FileSweep>, 2> together;
    size_t told = 0;
    const std::vector<std::string> names = sampleFiles();
    sweepFiles(names, std::span(plans), Prices::bundled(), {}, [&](std::vector<FileSweep> made) {
        ++told;
        QCOMPARE(made.size(), plans.size());
        for (size_t i = 0; i < plans.size(); ++i)
            together[i].push_back(std::move(made[i]));
    });
    QCOMPARE(told, names.size());
    for (size_t i = 0; i < plans.size(); ++i)
        QCOMPARE(documentOf(sweepSet(plans[i], std::move(together[i]))),
            documentOf(sweepSet(plans[i], sweptSamples(plans[i], 1))));
}

void SweepManyTest::linesPutTogetherAreTheSame()
{
    const SweepPlan plan = planOf("deep-agents", 3, 3);
    std::vector<FileSweep> files = sweptSamples(plan, 2);
    for (FileSweep &file : files) {
        for (RunSweep &run : file.runs)
            run.reach = Reach({ 1'000, 80'000 });
    }
    const SweepSet made = sweepSet(plan, files);
    const std::string whole = documentOf(made);
    std::ranges::reverse(files);
    RunSweepReader reader;
    for (const FileSweep &file : files) {
        const auto added = addLines(reader, runSweepLines(plan, file));
        QVERIFY2(added, added ? "" : added.error().message.c_str());
    }
    QVERIFY(reader.plan());
    const SweepSet again = sweepSet(*reader.plan(), reader.take());
    QCOMPARE(documentOf(again), whole);
    QCOMPARE(reachOf(again).all().distances(), reachOf(made).all().distances());
    QVERIFY(reachOf(again).all().useCount() > 0);
}

void SweepManyTest::olderLinesHoldNoComputedRecording()
{
    const SweepPlan plan = planOf("deep-agents", 2, 1);
    RunSweep run = runOf(1, 2);
    run.bill = { .recorded = 2, .computed = 1.5, .calls = 3, .callCount = 4 };
    Json line = parseJson(runSweepLines(plan, { { run }, {} }));
    RunSweepReader reader;
    QVERIFY(addLines(reader, jsonText(line, -1)));
    line["schema"] = "palimpsest.sweep_run/1";
    line.erase("bill");
    for (const char *part : { "recorded", "cells" })
        QCOMPARE(line[part].erase("uncached_tokens"), size_t(1));
    QVERIFY(addLines(reader, jsonText(line, -1)));
    const std::vector<FileSweep> files = reader.take();
    QCOMPARE(files[0].runs[0].cells[1][SweepMetric::Uncached], run.cells[1][SweepMetric::Uncached]);
    QVERIFY(std::isnan(files[1].runs[0].cells[1][SweepMetric::Uncached]));
    QCOMPARE(files[0].runs[0].bill.computed, 1.5);
    QCOMPARE(files[0].runs[0].bill.callCount, size_t(4));
    QCOMPARE(files[0].runs[0].recorded[SweepMetric::Cost], run.recorded[SweepMetric::Cost]);
    // It was what usage says; tokens are still that.
    QVERIFY(std::isnan(files[1].runs[0].recorded[SweepMetric::Cost]));
    QCOMPARE(files[1].runs[0].recorded[SweepMetric::Tokens], run.recorded[SweepMetric::Tokens]);
    QVERIFY(!files[1].runs[0].bill.isKnown());
}

void SweepManyTest::linesThatAreNone_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("part");
    QTest::newRow("no JSON") << u"{"_s << u"["_s << u"not a line of schema palimpsest.sweep_run/2"_s;
    QTest::newRow("another document") << u"sweep_run/2"_s << u"sweep_run/9"_s
                                      << u"not a line of schema palimpsest.sweep_run/2"_s;
    QTest::newRow("other settings") << u"\"2000tok\""_s << u"\"2001tok\""_s << u"The policy, settings or prices"_s;
    QTest::newRow("other prices") << u"2026-01-01"_s << u"2026-01-02"_s << u"The policy, settings or prices"_s;
    QTest::newRow("a member that is missing")
        << u"\"calls\""_s << u"\"cells of a prison\""_s << u"The member “calls” of this line is missing."_s;
    QTest::newRow("a member of another type")
        << u"\"thread\":0"_s << u"\"thread\":\"0\""_s << u"is missing or has the wrong type"_s;
    QTest::newRow("a cell too many") << u"\"peak\":[0"_s << u"\"peak\":[0,0"_s << u"is missing or has the wrong type"_s;
}

void SweepManyTest::linesThatAreNone()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, part);
    const SweepPlan plan = planOf("deep-agents", 2, 1);
    RunSweep run = runOf(1, 2);
    run.cells[0][SweepMetric::Peak] = 0;
    const std::string good = runSweepLines(plan, { { run }, {} });
    QString changed = QString::fromStdString(good);
    QVERIFY(changed.contains(from));
    changed.replace(changed.indexOf(from), from.size(), to);
    RunSweepReader reader;
    QVERIFY(addLines(reader, good));
    const auto added = addLines(reader, good + changed.toStdString());
    QVERIFY(!added);
    QVERIFY2(added.error().message.contains(part.toStdString()), added.error().message.c_str());
    QCOMPARE(added.error().where, "lines:2");
}

void SweepManyTest::datesAreRead_data()
{
    constexpr qint64 kHour = 3'600'000;
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("before"); // now; -1: it is none
    QTest::newRow("the day that began twelve hours ago") << QByteArray("2026-01-31") << 12 * kHour;
    QTest::newRow("the day before") << QByteArray("2026-01-30") << 36 * kHour;
    QTest::newRow("days") << QByteArray("7d") << 7 * 24 * kHour;
    QTest::newRow("hours") << QByteArray("12h") << 12 * kHour;
    QTest::newRow("weeks") << QByteArray("2w") << 14 * 24 * kHour;
    for (const char *none :
        { "", "d", "7", "-7d", "7m", "1e3d", "7 d", "100001d", "2026-02-30", "2026-01-31 noon", "soon" })
        QTest::addRow("none: \"%s\"", none) << QByteArray(none) << qint64 { -1 };
}

void SweepManyTest::datesAreRead()
{
    QFETCH(const QByteArray, text);
    QFETCH(const qint64, before);
    constexpr Timestamp kNow = 1'769'860'800'000; // 2026-01-31, noon
    QCOMPARE(sinceText(kNow), std::string("2026-01-31 12:00 UTC"));
    QCOMPARE(sinceText(kNow - kNow % (24 * 3'600'000)), std::string("2026-01-31"));
    const auto since = parseSince(text.toStdString(), kNow);
    QCOMPARE(since, before < 0 ? std::nullopt : std::optional<Timestamp>(kNow - before));
}

void SweepManyTest::limitsAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("a share") << u"lost_uses=1%"_s << u"Lost uses at most 1 % of all uses"_s;
    QTest::newRow("a number of uses") << u"lost_uses=3"_s << u"Lost uses at most 3"_s;
    QTest::newRow("tokens") << u"peak=150k tok"_s << u"Peak context at most 150,000 tokens"_s;
    QTest::newRow("a bare number of tokens") << u"peak=150000"_s << u"Peak context at most 150,000 tokens"_s;
    QTest::newRow("bytes") << u"lost_bytes=0"_s << u"Bytes lost for good at most 0 bytes"_s;
    QTest::newRow("a metric that is none") << u"joy=1"_s << QString();
    QTest::newRow("a metric without a limit") << u"cost=1"_s << QString();
    QTest::newRow("no number") << u"lost_uses=few"_s << QString();
    QTest::newRow("less than nothing") << u"lost_uses=-1"_s << QString();
    QTest::newRow("a share of no whole") << u"peak=5%"_s << QString();
    QTest::newRow("messages of tokens") << u"peak=5msg"_s << QString();
    QTest::newRow("tokens of uses") << u"lost_uses=5tok"_s << QString();
    QTest::newRow("nothing") << u"lost_uses"_s << QString();
}

void SweepManyTest::limitsAreRead()
{
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    const auto limit = parseLimit(text.toStdString());
    QCOMPARE(limit.has_value(), !sentence.isEmpty());
    if (limit)
        QCOMPARE(QString::fromStdString(limit->text()), sentence);
    else
        QCOMPARE(limit.error().kind, ErrorKind::Usage);
}

void SweepManyTest::theCheapestWithinLimitsIsSuggested()
{
    // From cheap to dear: one that tears results, one whose prompts are too large, one that loses too much, one beside
    // it, the one that is wanted, and a dear one.
    const SweepSet set = setOf(20, 6, [](RunSweep &run, size_t number) {
        for (size_t i = 0; i < 6; ++i)
            run.cells[i][SweepMetric::Cost] = 0.1 * static_cast<double>(i + 1);
        run.cells[0][SweepMetric::TornCalls] = number == 3 ? 1 : 0;
        run.cells[1][SweepMetric::Peak] = number == 4 ? 200'001 : 0;
        run.cells[2][SweepMetric::LostUses] = number < 12 ? 2 : 0;
        run.cells[3][SweepMetric::LostUses] = 1;
        run.cells[4][SweepMetric::LostUses] = 1;
    });
    const auto made = suggest(set, within({ "lost_uses=1%" }));
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QCOMPARE(made->cell, size_t(4));
    QCOMPARE(made->aim, SweepMetric::Cost);
    QVERIFY(std::abs(made->laterShare - 0.5) < 1e-12);
    QVERIFY(made->isSavingShown());
    QCOMPARE(made->agreement, 1.0);
    QVERIFY(made->verdicts.front().isKept());
    QCOMPARE(suggest(set, within({ "lost_uses=2%" }))->cell, size_t(2));
    QCOMPARE(suggest(set, within({ "lost_uses=11" }))->cell, size_t(5));
    QCOMPARE(suggest(set, within({ "lost_uses=1%", "peak=99999" })).has_value(), false);
    QVERIFY(made->advice() == Suggestion::Advice::Use);
    QVERIFY(adviceSentence(set, *made).ends_with("it saves 50.0 % of the cost on the 8 later runs."));
    SweepSet few = set; // nothing was used in most later runs, so nothing could be lost there
    for (const size_t run : made->later)
        few.runs[run].uses = run == made->later.front() ? 12 : 0;
    QVERIFY2(adviceSentence(few, *made).starts_with("Not sure (only 12 uses): No compaction with keep "),
        adviceSentence(few, *made).c_str());
    Suggestion judged = *made; // the same saving, but a limit that later runs exceed
    judged.verdicts.front().later = 2 * judged.verdicts.front().limit.most;
    QVERIFY(judged.advice() == Suggestion::Advice::LimitExceeded);
    const std::string settings = "No compaction with " + set.plan.settingsOf(judged.cell);
    QCOMPARE(adviceSentence(set, judged),
        "Stay with what was recorded. The best settings that the earlier runs allow, " + settings
            + ", save 50.0 % of the cost on the 8 later runs, but exceed the limit “Lost uses at most 1 % of all uses” "
              "there: 2.0 "
              "% of at most 1.0 %.");
    QVERIFY(alternativeSentence(set, *made).empty());
    QVERIFY(alternativeSentence(set, judged).empty());
    judged.laterShare = kUnknown;
    QVERIFY(judged.advice() == Suggestion::Advice::Unknown);
    QVERIFY(givesUpSentence(set, *made).starts_with("It loses 8 of 800 uses, in 8 of 8 runs"));
}

void SweepManyTest::suggestionsKeepTheirLimits()
{
    std::mt19937_64 random = seededRandom();
    const SuggestionOptions options = within({ "lost_uses=1%", "peak=90000", "lost_user_messages=20" });
    size_t suggested = 0;
    for (int round = 0; round < caseCount(50); ++round) {
        const SweepSet set = setOf(10 + random() % 10, 12, [&](RunSweep &run, size_t) {
            run.recorded[SweepMetric::Cost] = 1000; // more than all cells
            for (SweepFigures &each : run.cells) {
                each[SweepMetric::Cost] = static_cast<double>(random() % 1000);
                each[SweepMetric::LostUses] = static_cast<double>(random() % 4 == 0 ? random() % 4 : 0);
                each[SweepMetric::Peak] = static_cast<double>(80'000 + random() % 10'500);
                each[SweepMetric::LostMessages] = static_cast<double>(random() % 4);
            }
        });
        const auto earlier = static_cast<size_t>(std::lround(0.6 * static_cast<double>(set.runs.size())));
        std::array<std::optional<std::pair<double, double>>, 12> prices; // within the limits
        for (size_t cell = 0; cell < 12; ++cell) {
            double cost = 0;
            double lost = 0;
            double peak = 0;
            double messages = 0;
            for (size_t run = 0; run < earlier; ++run) {
                const SweepFigures &figures = set.runs[run].cells[cell];
                cost += figures[SweepMetric::Cost];
                lost += figures[SweepMetric::LostUses];
                peak = std::max(peak, figures[SweepMetric::Peak]);
                messages += figures[SweepMetric::LostMessages];
            }
            if (lost > static_cast<double>(earlier) || peak > 90'000 || messages > 20)
                continue;
            prices[cell] = { cost, lost }; // of equally cheap ones that which loses less
        }
        const auto cheapestOf = [&](bool isSteady) {
            std::optional<size_t> cheapest;
            for (size_t cell = 0; cell < 12; ++cell) {
                const bool hasNeighbours = (cell == 0 || prices[cell - 1]) && (cell == 11 || prices[cell + 1]);
                if (prices[cell] && (hasNeighbours || !isSteady) && (!cheapest || *prices[cell] < *prices[*cheapest]))
                    cheapest = cell;
            }
            return cheapest;
        };
        const std::optional<size_t> steady = cheapestOf(true);
        const std::optional<size_t> cheapest = steady ? steady : cheapestOf(false);
        SuggestionOptions quick = options;
        quick.rounds = 20;
        const auto made = suggest(set, quick);
        QCOMPARE(made ? std::optional(made->passedOver ? made->passedOver->cell : made->cell) : std::nullopt, cheapest);
        suggested += cheapest ? 1 : 0;
    }
    QVERIFY(suggested > 0);
}

/// The limits follow what the harness's own policy loses in the same runs, as for one session.
void SweepManyTest::limitsByTheHarnessesOwnPolicy()
{
    const SweepSet set = setOf(20, 3, [](RunSweep &run, size_t number) {
        const bool isEarly = number < 12;
        for (size_t i = 0; i < 3; ++i)
            run.cells[i][SweepMetric::Cost] = 0.5 + 0.1 * static_cast<double>(i);
        run.own = run.cells[2];
        (*run.own)[SweepMetric::Cost] = 0.8;
        (*run.own)[SweepMetric::LostUses] = isEarly ? 5 : 3;
        (*run.own)[SweepMetric::LostMessages] = 2;
        run.cells[0][SweepMetric::LostUses] = isEarly ? 5 : 4; // too many on the later runs
        run.cells[1][SweepMetric::LostUses] = 3;
        run.cells[1][SweepMetric::LostMessages] = 2;
    });
    std::vector<size_t> all(set.runs.size());
    std::iota(all.begin(), all.end(), size_t { 0 });
    const std::vector<SweepLimit> limits = usualLimits();
    QCOMPARE(limits[0], parseLimit("lost_uses=own").value());
    QCOMPARE(limits[1], parseLimit("lost_user_messages=own").value());
    QCOMPARE(mostOver(set, all, limits[0]), (12 * 5 + 8 * 3) / 2000.0);
    QCOMPARE(mostOver(set, all, limits[1]), 40.0);
    const auto made = suggest(set, { .limits = limits });
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    // The first cell keeps the limits on the earlier runs only, so the next one is to be tried.
    QVERIFY(made->advice() == Suggestion::Advice::Try);
    QCOMPARE(made->cell, size_t(1));
    QCOMPARE(made->passedOver->cell, size_t(0));
    QCOMPARE(made->laterOfOwn, 0.6 / 0.8);
    QVERIFY(made->keepsLimits());
    const std::vector<std::string> head = suggestionHead(set, *made);
    QVERIFY2(head[0].ends_with("it saves 40.0 % of the cost (25.0 % less than the harness's own policy) and keeps the "
                               "limits."),
        head[0].c_str());
    QVERIFY2(
        head[1].contains("saves 50.0 % on the later runs, but exceeds a limit there (Lost uses no more than by the "
                         "harness's own policy, or 1 % of all uses: 4.0 % of at most 3.0 %)"),
        head[1].c_str());
    // Without the harness's own policy, only 1 % of the uses and no message may be lost.
    SweepSet unknown = set;
    for (RunSweep &run : unknown.runs)
        run.own.reset();
    QCOMPARE(mostOver(unknown, all, limits[0]), 0.01);
    const auto strict = suggest(unknown, { .limits = limits });
    QVERIFY(strict && strict->cell == 2 && strict->advice() == Suggestion::Advice::Use);
    QVERIFY(std::isnan(strict->laterOfOwn));
}

/// What a limit on lost messages costs is told.
void SweepManyTest::moreMessagesMayBeLost()
{
    const SweepSet set = setOf(20, 2, [](RunSweep &run, size_t) {
        run.cells[0][SweepMetric::Cost] = 0.5;
        run.cells[0][SweepMetric::LostMessages] = 3;
        run.cells[1][SweepMetric::Cost] = 0.9;
    });
    const auto made = suggest(set, { .limits = usualLimits() });
    QVERIFY(made && made->cell == 1 && made->wider);
    QCOMPARE(made->wider->cell, size_t(0));
    QVERIFY2(widerSentence(set, *made).contains("saves 50.0 % on the later runs. It loses 24 of the messages"),
        widerSentence(set, *made).c_str());
    QVERIFY(!suggest(set, within({ "lost_uses=1%" }))->wider);
}

void SweepManyTest::laterRunsJudge()
{
    // What is cheap on the earlier runs is dear on the later ones, and loses there.
    const SweepSet set = setOf(20, 2, [](RunSweep &run, size_t number) {
        const bool isEarly = number < 12;
        run.cells[0][SweepMetric::Cost] = isEarly ? 0.5 : 1.5 + 0.1 * static_cast<double>(number % 4);
        run.cells[0][SweepMetric::LostUses] = isEarly ? 0 : static_cast<double>(number);
    });
    const auto made = suggest(set, within({ "lost_uses=1%" }));
    QVERIFY(made);
    QCOMPARE(made->cell, size_t(0));
    QCOMPARE(made->earlierShare, 0.5);
    QCOMPARE(made->laterShare, 1.65);
    QVERIFY(made->laterInterval.low > 1.5 && made->laterInterval.high < 1.8);
    QVERIFY(!made->isSavingShown());
    QVERIFY(!made->verdicts.front().isKept());
    QVERIFY(suggestionDetails(set, *made)[1].contains(" With only 8 later runs, the true interval is wider. "));
    QCOMPARE(made->verdicts.front().earlier, 0.0);
    QCOMPARE(made->worst, (std::vector<size_t> { 19, 15, 18 })); // equally dear: those that lose more
    std::string words;
    for (const std::string &sentence : suggestionDetails(set, *made))
        words += sentence + "\n";
    QVERIFY(made->advice() == Suggestion::Advice::NoSaving);
    QCOMPARE(adviceSentence(set, *made),
        "Nothing is better than what was recorded. The best alternative, No compaction with "
            + set.plan.settingsOf(made->cell) + ", costs 165.0 % of the recorded cost on the 8 later runs.");
    QVERIFY(alternativeSentence(set, *made).contains("No saving is shown on the 8 later runs"));
    QCOMPARE(suggestionHead(set, *made),
        (std::vector { adviceSentence(set, *made), alternativeSentence(set, *made), givesUpSentence(set, *made) }));
    QVERIFY(words.contains("not kept"));
    QVERIFY(words.contains("165.0 % of what was recorded"));
}

/// Else the advice to stay would contradict a map with cheaper cells.
void SweepManyTest::cheaperCellsThatWereNotConsideredAreTold()
{
    const SweepSet set = setOf(20, 4, [](RunSweep &run, size_t number) {
        for (size_t i = 0; i < 3; ++i)
            run.cells[i][SweepMetric::Cost] = 0.5 + 0.1 * static_cast<double>(i);
        run.cells[0][SweepMetric::LostUses] = 5;
        run.cells[1][SweepMetric::TornCalls] = number == 2 ? 1 : 0;
        run.cells[2][SweepMetric::LostUses] = number == 1 ? 100 : 0;
        run.cells[3][SweepMetric::Cost] = 1.2;
    });
    std::vector<size_t> all(set.runs.size());
    std::iota(all.begin(), all.end(), size_t { 0 });
    const SuggestionOptions options = within({ "lost_uses=1%" });
    QCOMPARE(eligibleCells(set, all, options.limits), (std::vector<bool> { false, false, false, true }));
    const auto made = suggest(set, options);
    QVERIFY(made);
    QCOMPARE(made->cell, size_t(3));
    QVERIFY(made->advice() == Suggestion::Advice::NoSaving);
    QCOMPARE(made->excluded, size_t(3));
    const std::string sentence = "On the earlier runs, 3 of 4 settings cost less than the recording, but they exceed a "
                                 "limit, or a provider would refuse some calls.";
    QCOMPARE(excludedSentence(set, *made), sentence);
    QCOMPARE(suggestionHead(set, *made)[1], sentence);
    Suggestion one = *made;
    one.excluded = 1;
    QVERIFY(
        excludedSentence(set, one).contains("1 of 4 settings costs less than the recording, but it exceeds a limit"));
    // Within wider limits one of them is the suggestion.
    QVERIFY(suggest(set, within({}))->advice() == Suggestion::Advice::Use);
    QVERIFY(excludedSentence(set, *suggest(set, within({}))).empty());
}

/// Codex cannot be told how much to keep: a cheaper keep is no suggestion.
void SweepManyTest::aSettingThatTheHarnessLacksStays()
{
    SweepSet set = setOf(20, 4, [](RunSweep &run, size_t) {
        for (size_t i = 0; i < 4; ++i)
            run.cells[i][SweepMetric::Cost] = 0.8 - 0.1 * static_cast<double>(i);
    });
    set.plan = planOf("deep-agents", 2, 2);
    set.plan.x = { "keep", Measure::Unit::Messages, { 0, 4 } };
    QCOMPARE(suggest(set, {})->cell, size_t(3));
    QVERIFY(suggest(set, {})->fixed.empty());
    set.plan.policy = preset("codex");
    const auto made = suggest(set, {});
    QCOMPARE(made->cell, size_t(2)); // keep 0, and the better of two triggers
    QCOMPARE(made->fixed, std::string("keep"));
    QVERIFY(std::ranges::any_of(suggestionDetails(set, *made), [](const std::string &line) {
        return line.contains("Codex has no setting for keep, so that stays as it is.");
    }));
}

void SweepManyTest::thePartsAreSplitByDate()
{
    std::mt19937_64 random = seededRandom();
    std::vector<RunSweep> runs;
    for (size_t i = 0; i < 15; ++i) {
        runs.push_back(runOf(i, 1));
        runs.back().file = std::to_string(random());
    }
    runs[14].begun.reset();
    std::ranges::shuffle(runs, random);
    const SweepSet set = sweepSet(planOf("none", 1, 1), filesOf(runs));
    const auto made = suggest(set, {});
    QVERIFY(made);
    QCOMPARE(made->withoutDate, size_t(1));
    QCOMPARE(made->earlier.size(), size_t(8));
    QCOMPARE(made->later.size(), size_t(6));
    for (const size_t early : made->earlier) {
        for (const size_t late : made->later)
            QVERIFY(*set.runs[early].begun < *set.runs[late].begun);
    }
}

void SweepManyTest::runsWithoutPrices()
{
    const auto unpriced = [](size_t count) {
        return setOf(20, 2, [&](RunSweep &run, size_t number) {
            run.cells[1][SweepMetric::Tokens] = 5e5;
            run.cells[0][SweepMetric::Cost] = 0.5;
            if (number % 2 == 0 && number / 2 < count) {
                run.recorded[SweepMetric::Cost] = kUnknown;
                for (SweepFigures &each : run.cells)
                    each[SweepMetric::Cost] = kUnknown;
            } else if (number % 2 == 1 && number / 2 + 10 < count) {
                run.recorded[SweepMetric::Cost] = kUnknown;
            }
        });
    };
    const auto few = suggest(unpriced(4), {});
    QVERIFY(few);
    QCOMPARE(few->aim, SweepMetric::Cost);
    QCOMPARE(few->withoutPrice, size_t(4));
    QCOMPARE(few->cell, size_t(0));
    const SweepSet most = unpriced(11);
    const auto tokens = suggest(most, {});
    QVERIFY(tokens);
    QCOMPARE(tokens->aim, SweepMetric::Tokens);
    QCOMPARE(tokens->cell, size_t(1));
    QCOMPARE(tokens->laterShare, 0.5);
    QVERIFY(suggestionDetails(most, *tokens)[1].contains("no price"));
    QVERIFY(adviceSentence(most, *tokens).contains("it saves 50.0 % of the tokens on the"));
}

void SweepManyTest::refusals()
{
    const auto unchanged = [](RunSweep &, size_t) { };
    const auto few = suggest(setOf(9, 1, unchanged), {});
    QVERIFY(!few);
    QCOMPARE(few.error().message, "A suggestion needs at least 10 runs with dates; there are 9.");
    const auto torn
        = suggest(setOf(10, 1, [](RunSweep &run, size_t) { run.cells[0][SweepMetric::TornCalls] = 1; }), {});
    QVERIFY(!torn);
    QVERIFY(torn.error().message.starts_with("With each of these settings a provider would refuse some calls"));
    const auto none = suggest(setOf(10, 1, unchanged), within({ "peak=5" }));
    QVERIFY(!none);
    QVERIFY(none.error().message.ends_with("Peak context at most 5 tokens."));
    const SweepSetReport report { setOf(9, 1, unchanged), SweepMetric::Cost, few };
    QCOMPARE(sweepSetJson(report)["suggestion"]["reason"].get<std::string>(), few.error().message);
    QVERIFY(drawSweepSet(report).contains(few.error().message));
}

void SweepManyTest::intervals()
{
    const std::vector<double> values { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };
    const auto mean = [&](std::span<const size_t> drawn) {
        double sum = 0;
        for (const size_t each : drawn)
            sum += values[each];
        return sum / static_cast<double>(drawn.size());
    };
    const Interval interval = resampledInterval(values.size(), 1, 4000, mean);
    // The mean is 10.5; of a resampled one the standard error is sqrt(33.25 / 20) = 1.289.
    QVERIFY(std::abs(interval.low - (10.5 - 1.96 * 1.289)) < 0.15);
    QVERIFY(std::abs(interval.high - (10.5 + 1.96 * 1.289)) < 0.15);
    const Interval again = resampledInterval(values.size(), 1, 4000, mean);
    QCOMPARE(again.low, interval.low);
    QCOMPARE(again.high, interval.high);
    const Interval other = resampledInterval(values.size(), 2, 40, mean);
    QVERIFY(other.low != resampledInterval(values.size(), 3, 40, mean).low);
    QVERIFY(std::isnan(resampledInterval(0, 1, 10, mean).low));
    QVERIFY(std::isnan(resampledInterval(5, 1, 10, [](std::span<const size_t>) { return kUnknown; }).high));
    // The first draws on every machine: those of the Mersenne twister.
    Resampler resampler(1000, 5489);
    const auto drawn = resampler.draw();
    QCOMPARE(drawn[0], size_t(14514284786278117030ULL % 1000));
    QCOMPARE(drawn[1], size_t(4620546740167642908ULL % 1000));
}

/// The later runs do not choose: there the first of the two would have been cheaper.
void SweepManyTest::aPolicyIsChosenOnEarlierRuns()
{
    const auto reportOf = [](const char *preset, double earlier, double later, std::string_view id = {}) {
        SweepSet set = setOf(20, 1,
            [&](RunSweep &run, size_t number) { run.cells[0][SweepMetric::Cost] = number < 12 ? earlier : later; });
        Policy policy = policyNamed(preset).value();
        if (!id.empty())
            policy.id = id;
        set.plan.policy = std::make_shared<const Policy>(std::move(policy));
        Result<Suggestion> made = suggest(set, within({ "lost_uses=1%" }));
        return SweepSetReport { std::move(set), SweepMetric::Cost, std::move(made) };
    };
    SweepSetReport none = reportOf("none", 1, 1);
    none.suggestion = failure(ErrorKind::Empty, "There is nothing to suggest.");
    const PolicyChoice choice = choosePolicy(
        { reportOf("deep-agents", 0.9, 0.3, "壱弐参四伍六七八九"), none, reportOf("genkit-recipe", 0.8, 0.7) });
    QCOMPARE(choice.chosen, std::optional<size_t>(2));
    const std::string drawn = drawPolicyChoice(choice);
    QVERIFY2(drawn.contains("* genkit-recipe") && drawn.contains("80.0 %") && drawn.contains("70.0 %"), drawn.c_str());
    QVERIFY2(drawn.contains("There is nothing to suggest.\n"), drawn.c_str());
    QVERIFY2(drawn.contains("* genkit-recipe       keep "), drawn.c_str()); // as wide as the widest name, in columns
    QVERIFY2(drawn.contains("Use Genkit compaction recipe with"), drawn.c_str());
    const Json document = policyChoiceJson(choice);
    QCOMPARE(document["chosen"].get<size_t>(), size_t(2));
    QCOMPARE(document["policies"].size(), size_t(3));
    QVERIFY(!choosePolicy({ none }).chosen);
    QVERIFY(policyChoiceJson(choosePolicy({ none }))["chosen"].is_null());
}

void SweepManyTest::aCardShowsWhatIsSuggested()
{
    // The second cell costs four fifths and loses nothing; the third half, and half of the uses.
    const SweepSet set = setOf(40, 3, [](RunSweep &run, size_t number) {
        run.cells[1][SweepMetric::Cost] = 0.7 + 0.005 * static_cast<double>(number);
        run.cells[2][SweepMetric::Cost] = 0.5;
        run.cells[2][SweepMetric::LostUses] = 50;
        run.reach = Reach({ 700, 800, 900, 1'000, number < 20 ? 1'500.0 : 60'000.0 });
    });
    SetCardOptions options;
    options.suggestion = within({ "lost_uses=1%" });
    options.version = "1.2.3";
    const SetCard made = setCard(set, options);
    const Suggestion suggestion = suggest(set, options.suggestion).value();
    QCOMPARE(suggestion.cell, size_t(1));
    QVERIFY2(made.title.contains("keep 2,000 tokens") && made.title.contains("cost")
            && made.title.contains(std::format("over {} later runs", suggestion.later.size())),
        made.title.c_str());
    QCOMPARE(made.facts, countSentence(set));
    QCOMPARE(made.figures[0].value, std::format("{:.0f} %", suggestion.laterShare * 100));
    QVERIFY(made.figures[0].interval.contains("95 % interval"));
    QVERIFY(made.figures[1].value.starts_with("0 of "));
    QCOMPARE(made.spreads[0].values.size(), suggestion.later.size());
    QVERIFY(std::ranges::is_sorted(made.spreads[0].values));
    QVERIFY(std::abs(made.spreads[0].values.back() - 0.895) < 1e-9);
    QCOMPARE(made.spreads[1].values, std::vector<double>(suggestion.later.size(), 100'000.0));
    QCOMPARE(made.fan.keep, std::string("2,000 tokens"));
    QCOMPARE(made.fan.keepTokens, 2000.0);
    QCOMPARE(made.fan.sessions, size_t(40));
    QCOMPARE(made.fan.uses, size_t(200));
    const auto at5k = std::ranges::find(made.fan.tokens, 5'000.0) - made.fan.tokens.begin();
    QCOMPARE(made.fan.low[static_cast<size_t>(at5k)], 0.8);
    QCOMPARE(made.fan.high[static_cast<size_t>(at5k)], 1.0);
    QVERIFY(made.verdict.front().starts_with("Use No compaction with keep 2,000 tokens"));
    QCOMPARE(made.verdict.back(), givesUpSentence(set, suggestion));
    QVERIFY(made.verdict[3].starts_with("Lost uses at most 1 % of all uses: 0.0 % on")
        && made.verdict[3].ends_with(" kept."));
    QVERIFY(made.foot.back().contains("Palimpsest 1.2.3"));
}

void SweepManyTest::aCardOfFewRunsShowsTheirOwnSettings()
{
    const SweepSet set = setOf(3, 2, [](RunSweep &run, size_t number) {
        run.cells[0][SweepMetric::Cost] = 1.5;
        run.recorded[SweepMetric::Cost] = number == 0 ? kUnknown : 1;
    });
    const SetCard made = setCard(set);
    QVERIFY(made.verdict.front().starts_with("Nothing is suggested: "));
    // Not all have a price: tokens are compared.
    QVERIFY2(made.title.contains("would have sent 0 % less than recorded over 3 runs"), made.title.c_str());
    QCOMPARE(made.spreads[0].values.size(), size_t(3));
    QCOMPARE(made.fan.sessions, size_t(0));
}

PALIMPSEST_TEST(SweepManyTest)
#include "tst_sweep_many.moc"
