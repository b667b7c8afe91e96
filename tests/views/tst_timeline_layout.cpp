// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/timeline/cache_band.h"
#include "ui/timeline/compared_curves.h"
#include "ui/timeline/finding_track.h"
#include "ui/timeline/policy_curve_painter.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/trace_lanes.h"
#include "ui/timeline/trigger_levels.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

using namespace ui;
using namespace Qt::StringLiterals;
using core::CompactionKind;

namespace {

core::ContextCurve curveOf(const std::vector<double> &tokens, double end = 0)
{
    core::ContextCurve curve;
    for (const double value : tokens)
        curve.calls.push_back({ value, core::Basis::Exact });
    curve.end.tokens = end;
    return curve;
}

core::RecordedCompaction compaction(size_t call, CompactionKind kind = CompactionKind::Summary)
{
    core::RecordedCompaction made;
    made.kind = kind;
    made.call = core::CallIndex(call);
    return made;
}

core::Outline turnsAt(const std::vector<size_t> &calls)
{
    core::Outline outline;
    for (const size_t call : calls) {
        core::OutlineEntry entry;
        entry.number = ++outline.turnCount;
        entry.callCount = 1;
        entry.firstCall = core::CallIndex(call);
        outline.entries.push_back(entry);
    }
    return outline;
}

constexpr TimelineLayout::Plot kPlot { 60, 860, 40, 240 };

struct Drawn {
    TimelineSeries series;
    TimelineLayout layout;

    explicit Drawn(size_t calls, TimelineRange range = {},
        const std::vector<core::RecordedCompaction> &compactions = {}, const std::vector<size_t> &turns = {},
        uint32_t seed = 1)
    {
        std::mt19937 random(seed);
        std::vector<double> tokens(calls);
        for (double &value : tokens)
            value = 1000 + static_cast<double>(random() % 150'000);
        series = TimelineSeries(curveOf(tokens, 2000), compactions, turnsAt(turns));
        if (range.width() <= 0)
            range = TimelineRange::all(series.columnCount());
        layout = TimelineLayout(series, range, kPlot, timelineTop(series.peak(), 200'000));
    }
    Drawn(const Drawn &) = delete;
    Drawn &operator=(const Drawn &) = delete;
};

/// Fires before every call that `firesEvery` divides; counterfactual from a call on.
core::Replay replayOf(size_t calls, size_t firesEvery, size_t counterfactualFrom)
{
    core::Replay replay;
    for (size_t i = 0; i <= calls; ++i) {
        core::ReplayStep step;
        step.tokens = 1000 + static_cast<double>(i * 7919 % 90'000);
        step.hasFired = i > 0 && i % firesEvery == 0;
        step.isCounterfactual = i >= counterfactualFrom;
        replay.steps.push_back(step);
    }
    return replay;
}

} // namespace

/// Where everything of the timeline stands, without a window.
class TimelineLayoutTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silentClearingsAreKept();
    void everyColumnIsDrawnExactlyOnce();
    void aSpanKnowsItsLowestAndHighest();
    void placesAndColumnsAgree();
    void zoomKeepsWhatIsUnderThePointer();
    void rangesStayWithinTheAxis();
    void revealingMovesAsLittleAsNeeded();
    void everyCompactionIsInOneGroup();
    void marksDoNotOverlapAndStayInside();
    void everyPlaceOfAFindingIsInOneMark();
    void looksTellTheKindsApart();
    void theCurveBreaksWhereTheArrayWasWrittenAnew();
    void ticksAreRoundAndApart();
    void turnTicksAreNumbered();
    void measuringAddsUp();
    void theWindowIsInSightWhereItHelps();
    void axisTextIsShort();
    void aHundredThousandCallsCostPixels();
    void anEmptySeriesHasNoColumns();
    void triggersHaveHeights_data();
    void triggersHaveHeights();
    void aHeightIsARoundTrigger();
    void levelsAreSaidInFewWords();
    void labelsStandWhereNothingElseDoes();
    void aPolicyCurveKnowsItsSums();
    void aPolicyCurveIsDrawnExactlyOnce();
    void ticksOfActsStandApart();
    void whatIsCounterfactualBeginsAtACall();
    void theWordOfThatPartLeavesTheCurveInSight();
    void lanesHaveNoHoles();
    void lanesOfOneStateAreOnePiece();
    void rowsOfLanesAreFoundByTheirHeight();
    void theBandsOfTheCacheAreFoundByTheirHeight();
    void theCacheBandIsDrawnByPixels();
};

void TimelineLayoutTest::aPolicyCurveKnowsItsSums()
{
    const core::Replay replay = replayOf(100, 10, 60);
    const PolicyCurve curve(replay);
    QCOMPARE(curve.columnCount(), size_t(101));
    double sum = 0;
    for (size_t i = 20; i < 40; ++i)
        sum += replay.steps[i].tokens;
    QCOMPARE(curve.sentIn(20, 40), sum);
    QCOMPARE(curve.sentIn(100, 101), 0.0); // the end is no call
    QCOMPARE(curve.actsIn(20, 40), size_t(2));
    QCOMPARE(curve.actsIn(21, 40), size_t(1));
    QCOMPARE(curve.actsIn(0, 101), size_t(9)); // nor does it act before the end
}

void TimelineLayoutTest::aPolicyCurveIsDrawnExactlyOnce()
{
    for (const size_t calls : { size_t(1), size_t(30), size_t(799), size_t(10'000) }) {
        const Drawn drawn(calls);
        const core::Replay replay = replayOf(calls, 7, calls / 2);
        const PolicyCurve curve(replay);
        const auto spans = drawn.layout.spans(curve);
        QVERIFY(spans.size() <= 802);
        QCOMPARE(spans.front().first, size_t(0));
        QCOMPARE(spans.back().last, calls + 1);
        for (size_t k = 0; k < spans.size(); ++k) {
            QVERIFY(k == 0 || spans[k].first == spans[k - 1].last);
            double highest = 0;
            for (size_t i = spans[k].first; i < spans[k].last; ++i)
                highest = std::max(highest, replay.steps[i].tokens);
            QCOMPARE(spans[k].high, highest);
        }
    }
    // Of another thread it draws nothing.
    const Drawn drawn(12);
    QVERIFY(drawn.layout.spans(PolicyCurve(replayOf(11, 2, 11))).empty());
}

void TimelineLayoutTest::ticksOfActsStandApart()
{
    const Drawn few(100);
    const auto ticks = few.layout.actTicks(PolicyCurve(replayOf(100, 10, 100)));
    QCOMPARE(ticks.size(), size_t(10)); // that of the end, too: it would act before a next call
    QCOMPARE(ticks.front().column, size_t(10));
    QCOMPARE(ticks.front().x, few.layout.xOf(10));
    const Drawn many(10'000);
    const auto dense = many.layout.actTicks(PolicyCurve(replayOf(10'000, 1, 10'000)));
    QVERIFY(dense.size() > 100 && dense.size() <= 801 / 3 + 1);
    for (size_t i = 1; i < dense.size(); ++i) {
        QVERIFY(dense[i].x - dense[i - 1].x >= 2.9);
        QCOMPARE(dense[i - 1].room, dense[i].x - dense[i - 1].x);
    }
}

void TimelineLayoutTest::whatIsCounterfactualBeginsAtACall()
{
    QCOMPARE(PolicyCurve(replayOf(20, 3, 12)).firstCounterfactual(), size_t(12));
    // Nobody answered the end: that alone is no other world.
    QCOMPARE(PolicyCurve(replayOf(20, 3, 20)).firstCounterfactual(), size_t(21));
}

void TimelineLayoutTest::theWordOfThatPartLeavesTheCurveInSight()
{
    const Drawn drawn(100);
    const auto labelAt = [&](double tokens) {
        core::Replay replay = replayOf(100, 10, 20);
        for (core::ReplayStep &step : replay.steps)
            step.tokens = tokens;
        const PolicyCurve curve(replay);
        const QRectF label = ui::PolicyCurvePainter::counterfactualLabel(drawn.layout, curve);
        for (const auto &span : drawn.layout.spans(curve)) {
            const double y = drawn.layout.yOf(span.high);
            const bool isBeside = span.x < label.left() || span.x > label.right();
            if (!isBeside && y >= label.top() && y <= label.bottom())
                return QRectF();
        }
        return label;
    };
    const QRectF usual = labelAt(20'000);
    QVERIFY(!usual.isEmpty() && usual.top() < drawn.layout.plot().top + 10);
    const QRectF aside = labelAt(drawn.layout.highest() * 0.98);
    QVERIFY(!aside.isEmpty() && aside.top() > usual.bottom() && aside.bottom() < drawn.layout.plot().bottom);
}

void TimelineLayoutTest::lanesHaveNoHoles()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(40); ++i) {
        const auto calls = static_cast<uint32_t>(2 + random() % 3000);
        const Drawn drawn(calls);
        core::Trace trace;
        for (auto at = static_cast<uint32_t>(random() % calls); at <= calls;) {
            const auto to = std::min(calls + 1, at + 1 + static_cast<uint32_t>(random() % (calls / 2 + 1)) / 20);
            trace.lanes.push_back({ at, to, static_cast<core::TraceState>(random() % 4), {}, {} });
            at = to;
        }
        const auto pieces = lanePieces(trace, drawn.layout);
        QVERIFY(!pieces.empty());
        QCOMPARE(pieces.front().left, drawn.layout.xAt(trace.lanes.front().from));
        QCOMPARE(pieces.back().right, kPlot.right);
        for (size_t k = 1; k < pieces.size(); ++k) {
            QCOMPARE(pieces[k].left, pieces[k - 1].right);
            QVERIFY(pieces[k - 1].width() >= kShortestPiece);
        }
    }
}

void TimelineLayoutTest::lanesOfOneStateAreOnePiece()
{
    const Drawn drawn(9); // 80 pixels a column
    core::Trace trace;
    using State = core::TraceState;
    trace.lanes = { { 1, 3, State::Verbatim, core::BlockId(1U), {} }, { 3, 5, State::Verbatim, core::BlockId(2U), {} },
        { 5, 8, State::Partial, core::BlockId(3U), {} }, { 8, 10, State::Gone, {}, {} } };
    const auto pieces = lanePieces(trace, drawn.layout);
    QCOMPARE(pieces.size(), size_t(3));
    QCOMPARE(pieces[0].right, drawn.layout.xAt(5));
    QVERIFY(!pieces[0].isMixed);
    QCOMPARE(pieces[1].from, uint32_t(5));
    QVERIFY(pieces[2].state == State::Gone);
    // Of many calls a pixel, states that cannot be told apart are one mixed piece.
    const Drawn narrow(9000);
    core::Trace flicker;
    for (uint32_t i = 0; i <= 9000; ++i)
        flicker.lanes.push_back({ i, i + 1, i % 2 == 0 ? State::Verbatim : State::Gone, {}, {} });
    const auto merged = lanePieces(flicker, narrow.layout);
    QCOMPARE(merged.size(), size_t(1));
    QVERIFY(merged.front().isMixed);
}

void TimelineLayoutTest::rowsOfLanesAreFoundByTheirHeight()
{
    for (const bool hasPolicy : { false, true }) {
        const LaneRows rows { 100, 2, hasPolicy };
        QCOMPARE(rows.rowAt(99), size_t(2));
        QCOMPARE(rows.rowAt(rows.topOf(0) + 1), size_t(0));
        QCOMPARE(rows.rowAt(rows.topOf(1) + 1), size_t(1));
        QCOMPARE(rows.rowAt(100 + 2 * rows.row()), size_t(2));
        QVERIFY(!rows.isPolicyAt(rows.topOf(1) + LaneRows::kBar));
        QCOMPARE(rows.isPolicyAt(rows.policyTopOf(1) + 1), hasPolicy);
        QVERIFY(100 + rows.height() >= rows.topOf(1) + LaneRows::kBar);
        QVERIFY(!hasPolicy || rows.policyTopOf(0) + LaneRows::kBar <= rows.topOf(1));
    }
    QCOMPARE((LaneRows { 100, 0, true }.height()), 0.0);
}

void TimelineLayoutTest::theBandsOfTheCacheAreFoundByTheirHeight()
{
    const CacheRows rows { 50, 2 };
    QVERIFY(!rows.bandAt(49));
    QCOMPARE(rows.bandAt(rows.topOf(0)), std::optional<size_t>(0));
    QCOMPARE(rows.bandAt(rows.topOf(1)), std::optional<size_t>(1));
    QCOMPARE(rows.bandAt(rows.wordsTop() + 1), std::optional<size_t>(2)); // the words
    QVERIFY(!rows.bandAt(50 + CacheRows::heightOf(2)));
    QVERIFY(!(CacheRows { 50, 0 }.bandAt(51)));
    QCOMPARE(CacheRows::heightOf(0), 0.0);
    const CompareRows table { 50, 3 };
    QCOMPARE(table.rowAt(table.topOf(2) + 1), size_t(2));
    QCOMPARE(table.rowAt(50 + CompareRows::heightOf(3)), size_t(3));
}

namespace {

/// A run in which every call reads nine tenths of its prompt; the cache of every 100th was broken.
core::PolicyFigures cachedRun(size_t calls)
{
    core::PolicyFigures figures;
    figures.cost.rule = "a rule";
    for (size_t i = 0; i < calls; ++i) {
        core::ReplayCallCost call;
        const bool isBroken = i > 0 && i % 100 == 0;
        call.cache.read = isBroken ? 0 : 900;
        call.cache.uncached = isBroken ? 1000 : 100;
        call.cache.cause = isBroken ? core::CacheCause::Idle : core::CacheCause::None;
        figures.cost.calls.push_back(call);
    }
    figures.cost.unpricedCalls = calls;
    return figures;
}

} // namespace

void TimelineLayoutTest::theCacheBandIsDrawnByPixels()
{
    for (const size_t calls : { size_t(1), size_t(30), size_t(250), size_t(20'000) }) {
        const CacheBand band(cachedRun(calls));
        const Drawn drawn(calls);
        const TimelineLayout::Plot &plot = drawn.layout.plot();
        const std::vector<CachePiece> pieces = band.pieces(drawn.layout);
        QVERIFY(pieces.size() <= static_cast<size_t>(plot.right - plot.left) + 2);
        // Without holes, up to the column of the end.
        QVERIFY(std::abs(pieces.front().left - plot.left) < 1);
        QVERIFY(std::abs(pieces.back().right - drawn.layout.xAt(static_cast<double>(calls))) < 1);
        for (size_t i = 1; i < pieces.size(); ++i)
            QVERIFY(std::abs(pieces[i].left - pieces[i - 1].right) < 1e-6);
        const auto shown = static_cast<size_t>(std::ranges::count(pieces, true, &CachePiece::hasMiss));
        QCOMPARE(shown, band.misses().size());
        QCOMPARE(band.misses().size(), (calls - 1) / 100);
    }
    // What share of all prompts was read does not depend on how they are merged.
    const CacheBand band(cachedRun(20'000));
    QVERIFY(std::abs(band.readShare() - (0.9 * 19'801) / 20'000) < 1e-9);
    QCOMPARE(QString::fromStdString(band.money()), QStringLiteral("price unknown"));
    QVERIFY(CacheBand(core::PolicyFigures()).isEmpty()); // no model of the cache
}

void TimelineLayoutTest::silentClearingsAreKept()
{
    core::ContextCurve curve = curveOf({ 10'000, 30'000, 18'000 }, 19'000);
    curve.events = { { core::CallIndex(1), core::SumEvent::Kind::PutIn, 9000 },
        { core::CallIndex(2), core::SumEvent::Kind::Cleared, 12'500 } };
    const TimelineSeries series(curve, {}, {});
    QCOMPARE(series.clearings().size(), size_t(1));
    QCOMPARE(series.clearedBefore(1), 0.0);
    QCOMPARE(series.clearedBefore(2), 12'500.0);
    QCOMPARE(series.marks().size(), size_t(0)); // no compaction is recorded
}

void TimelineLayoutTest::everyColumnIsDrawnExactlyOnce()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(60); ++i) {
        const size_t calls = random() % 4 == 0 ? random() % 20'000 : random() % 400;
        const auto columns = static_cast<double>(calls + 1);
        const double from = columns * static_cast<double>(random() % 100) / 100;
        const double to = from + (columns - from) * (1 + static_cast<double>(random() % 100)) / 100;
        const Drawn drawn(calls, { from, to }, {}, {}, static_cast<uint32_t>(random()));
        const auto spans = drawn.layout.spans();
        QVERIFY(!spans.empty());
        QVERIFY(spans.size() <= 802 + 2);
        for (size_t k = 1; k < spans.size(); ++k) {
            QCOMPARE(spans[k].first, spans[k - 1].last);
            QVERIFY(spans[k].x > spans[k - 1].x);
        }
        // All that is in sight, and at most one more at either side for the lines that lead out.
        QVERIFY(static_cast<double>(spans.front().first) <= std::floor(from));
        QVERIFY(static_cast<double>(spans.front().first) >= std::floor(from) - 1);
        QVERIFY(spans.back().last >= std::min<size_t>(calls + 1, static_cast<size_t>(std::ceil(to))));
    }
}

void TimelineLayoutTest::aSpanKnowsItsLowestAndHighest()
{
    const Drawn drawn(9000);
    bool isMerged = false;
    for (const TimelineLayout::Span &span : drawn.layout.spans()) {
        double low = 1e9;
        double high = 0;
        for (size_t column = span.first; column < span.last; ++column) {
            low = std::min(low, drawn.series.tokens(column));
            high = std::max(high, drawn.series.tokens(column));
        }
        QCOMPARE(span.low, low);
        QCOMPARE(span.high, high);
        QCOMPARE(span.entry, drawn.series.tokens(span.first));
        QCOMPARE(span.exit, drawn.series.tokens(span.last - 1));
        isMerged = isMerged || span.last - span.first > 1;
    }
    QVERIFY(isMerged);
}

void TimelineLayoutTest::placesAndColumnsAgree()
{
    for (const size_t calls : { 0U, 1U, 5U, 225U, 700U }) {
        const Drawn drawn(calls);
        for (size_t column = 0; column <= calls; ++column) {
            QCOMPARE(drawn.layout.columnAt(drawn.layout.xOf(column)), column);
            QVERIFY(drawn.layout.xOf(column) > kPlot.left && drawn.layout.xOf(column) < kPlot.right);
        }
        QCOMPARE(drawn.layout.columnAt(-100), size_t(0));
        QCOMPARE(drawn.layout.columnAt(5000), calls); // the end
    }
    const Drawn zoomed(225, { 100, 110 });
    QCOMPARE(zoomed.layout.columnAt(kPlot.left + 1), size_t(100));
    QCOMPARE(zoomed.layout.columnAt(kPlot.right - 1), size_t(109));
    QCOMPARE(zoomed.layout.yOf(0), kPlot.bottom);
    QCOMPARE(zoomed.layout.yOf(zoomed.layout.highest()), kPlot.top);
    QCOMPARE(zoomed.layout.yOf(1e12), kPlot.top);
}

void TimelineLayoutTest::zoomKeepsWhatIsUnderThePointer()
{
    const TimelineRange all = TimelineRange::all(1000);
    const TimelineRange near = all.zoomed(4, 300, 1000);
    QCOMPARE(near.width(), 250.0);
    QCOMPARE((300 - near.from) / near.width(), 0.3);
    QCOMPARE(near.zoomed(1 / 4.0, 300, 1000), all);
    // At the edge the range stays inside.
    const TimelineRange edge = all.zoomed(4, 1000, 1000);
    QCOMPARE(edge.to, 1000.0);
}

void TimelineLayoutTest::rangesStayWithinTheAxis()
{
    std::mt19937_64 random = core::seededRandom();
    for (const size_t columns : { 1U, 3U, 50U, 5000U }) {
        TimelineRange range = TimelineRange::all(columns);
        for (int i = 0; i < 300; ++i) {
            const double anchor = range.from + range.width() * static_cast<double>(random() % 101) / 100;
            if (random() % 2 == 0)
                range = range.zoomed(random() % 2 == 0 ? 1.7 : 0.6, anchor, columns);
            else
                range = range.moved(static_cast<double>(random() % 2000) - 1000, columns);
            QVERIFY(range.from >= 0);
            QVERIFY(range.to <= static_cast<double>(columns) + 1e-6);
            QVERIFY(range.width() >= std::min<double>(TimelineRange::kNarrowest, static_cast<double>(columns)) - 1e-6);
        }
    }
}

void TimelineLayoutTest::revealingMovesAsLittleAsNeeded()
{
    const TimelineRange range { 100, 200 };
    QCOMPARE(range.revealing(150, 1000), range);
    QCOMPARE(range.revealing(199, 1000), range);
    const TimelineRange left = range.revealing(50, 1000);
    QVERIFY(left.from <= 50 && left.from > 30);
    QCOMPARE(left.width(), range.width());
    const TimelineRange right = range.revealing(500, 1000);
    QVERIFY(right.to >= 501 && right.to < 520);
}

void TimelineLayoutTest::everyCompactionIsInOneGroup()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(40); ++i) {
        const size_t calls = 50 + random() % 2000;
        std::vector<core::RecordedCompaction> compactions;
        for (size_t call = random() % 30; call < calls; call += 1 + random() % 90)
            compactions.push_back(compaction(call, static_cast<CompactionKind>(random() % 4)));
        const Drawn drawn(calls, {}, compactions);
        std::set<size_t> seen;
        for (const TimelineLayout::MarkGroup &group : drawn.layout.markGroups(7)) {
            for (const size_t mark : group.marks) {
                QVERIFY(seen.insert(mark).second);
                QCOMPARE(TimelineLayout::lookOf(drawn.series.marks()[mark].kind), group.look);
            }
            QVERIFY(std::ranges::is_sorted(group.marks));
        }
        QCOMPARE(seen.size(), compactions.size());
    }
    // What is out of sight has no mark.
    const Drawn zoomed(200, { 100, 150 }, { compaction(20), compaction(120), compaction(180) });
    const auto groups = zoomed.layout.markGroups(7);
    QCOMPARE(groups.size(), size_t(1));
    QCOMPARE(groups.front().text(), std::string("2"));
}

void TimelineLayoutTest::marksDoNotOverlapAndStayInside()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(60); ++i) {
        const size_t calls = 1 + random() % 300;
        std::vector<core::RecordedCompaction> compactions;
        for (size_t call = 0; call < calls; call += 1 + random() % 20)
            compactions.push_back(compaction(call));
        const Drawn drawn(calls, {}, compactions);
        const auto groups = drawn.layout.markGroups(7);
        for (size_t k = 0; k < groups.size(); ++k) {
            QVERIFY(groups[k].x - groups[k].width / 2 >= kPlot.left - 1e-6);
            QVERIFY(groups[k].x + groups[k].width / 2 <= kPlot.right + 1e-6);
            if (k > 0)
                QVERIFY(groups[k].x - groups[k].width / 2 > groups[k - 1].x + groups[k - 1].width / 2);
        }
    }
    const Drawn crowded(2000, {}, { compaction(1000), compaction(1004), compaction(1008) });
    QCOMPARE(crowded.layout.markGroups(7).front().text(), std::string("1–3"));
}

void TimelineLayoutTest::everyPlaceOfAFindingIsInOneMark()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(40); ++i) {
        const size_t calls = 2 + random() % 3000;
        core::Findings findings;
        for (uint32_t finding = 0; finding < 1 + random() % 900; ++finding) {
            findings.findings.emplace_back().rank
                = random() % 2 == 0 ? core::FindingRank::Lost : core::FindingRank::Costs;
            findings.places.push_back({ core::ThreadIndex(0U), static_cast<uint32_t>(random() % calls), finding });
            findings.places.push_back({ core::ThreadIndex(1U), 0, finding });
        }
        std::ranges::sort(findings.places);
        const FindingTrack track(findings, core::ThreadIndex(0U));
        QCOMPARE(track.count(), findings.findings.size());
        const double from = static_cast<double>(random() % calls) / 2;
        const Drawn drawn(calls, { from, from + static_cast<double>(calls) / 2 });
        size_t next = 0;
        while (next < track.count() && drawn.layout.xOf(track.columnOf(next)) < kPlot.left)
            ++next;
        double before = -FindingTrack::kRoom;
        const auto groups = track.groups(drawn.layout);
        QVERIFY(static_cast<double>(groups.size()) <= (kPlot.right - kPlot.left) / FindingTrack::kRoom + 1);
        for (const FindingTrack::Group &group : groups) {
            QCOMPARE(group.first, next);
            QVERIFY(group.count() > 0);
            QVERIFY(group.x - before >= FindingTrack::kRoom);
            bool isLost = false;
            for (const size_t finding : track.findingsOf(group))
                isLost = isLost || findings.findings[finding].rank == core::FindingRank::Lost;
            QCOMPARE(group.isLost, isLost);
            before = group.x;
            next = group.end;
        }
        QVERIFY(next == track.count() || drawn.layout.xOf(track.columnOf(next)) > kPlot.right);
    }
}

void TimelineLayoutTest::looksTellTheKindsApart()
{
    using Look = TimelineLayout::Look;
    QCOMPARE(TimelineLayout::lookOf(CompactionKind::Summary), Look::Number);
    QCOMPARE(TimelineLayout::lookOf(CompactionKind::Replacement), Look::Number);
    QCOMPARE(TimelineLayout::lookOf(CompactionKind::Clearing), Look::Triangle);
    QCOMPARE(TimelineLayout::lookOf(CompactionKind::Rollback), Look::Arrow);
    const Drawn drawn(10, {}, { compaction(3), compaction(3, CompactionKind::Clearing) });
    const auto groups = drawn.layout.markGroups(7);
    QCOMPARE(groups.size(), size_t(2));
    QVERIFY(groups[0].y < drawn.layout.yOf(drawn.series.tokens(3))); // above the curve
    QVERIFY(groups[1].y > kPlot.bottom - 10);                        // on the axis
}

void TimelineLayoutTest::theCurveBreaksWhereTheArrayWasWrittenAnew()
{
    const Drawn drawn(
        10, {}, { compaction(3), compaction(5, CompactionKind::Clearing), compaction(7, CompactionKind::Rollback) });
    std::set<size_t> broken;
    for (const TimelineLayout::Span &span : drawn.layout.spans()) {
        if (span.isBroken)
            broken.insert(span.first);
    }
    QCOMPARE(broken, (std::set<size_t> { 0, 4, 8 }));
    QCOMPARE(drawn.layout.drops(), (std::vector<size_t> { 0, 2 }));
    QCOMPARE(drawn.series.marks()[0].before, drawn.series.tokens(3));
    QCOMPARE(drawn.series.marks()[0].after, drawn.series.tokens(4));

    // One before any call, and one behind the last.
    core::RecordedCompaction early = compaction(0);
    early.call = {};
    early.beforeTokens = 90'000;
    const Drawn edges(5, {}, { early, compaction(4) });
    QVERIFY(edges.series.marks()[0].isBeforeAll);
    QCOMPARE(edges.series.marks()[0].before, 90'000.0);
    QCOMPARE(edges.series.marks()[1].after, 2000.0);
    QCOMPARE(edges.layout.markGroups(7).size(), size_t(2));
}

void TimelineLayoutTest::ticksAreRoundAndApart()
{
    for (const size_t calls : { 1U, 9U, 225U, 40'000U }) {
        const Drawn drawn(calls);
        const auto values = drawn.layout.valueTicks(26);
        QCOMPARE(values.front().text, std::string("0"));
        for (size_t i = 1; i < values.size(); ++i)
            QVERIFY(values[i - 1].at - values[i].at >= 26 - 1e-6);
        const auto callTicks = drawn.layout.callTicks(60);
        QVERIFY(!callTicks.empty());
        QCOMPARE(callTicks.front().text, std::string("0"));
        for (size_t i = 1; i < callTicks.size(); ++i)
            QVERIFY(callTicks[i].at - callTicks[i - 1].at >= 60 - 1e-6);
        QVERIFY(callTicks.back().value < static_cast<double>(calls));
    }
    const Drawn drawn(225);
    QCOMPARE(drawn.layout.valueTicks(26)[1].text, std::string("50k"));
    const Drawn zoomed(225, { 100.7, 130 });
    QVERIFY(zoomed.layout.callTicks(60).front().value >= 100);
}

void TimelineLayoutTest::turnTicksAreNumbered()
{
    const Drawn drawn(100, {}, {}, { 0, 10, 10, 50, 51 });
    const auto ticks = drawn.layout.turnTicks();
    std::vector<size_t> numbers;
    for (const TimelineLayout::TurnTick &tick : ticks)
        numbers.push_back(tick.number);
    // Two turns begin at call 10: the second is the one that it answers.
    QCOMPARE(numbers, (std::vector<size_t> { 1, 3, 4, 5 }));
    QCOMPARE(ticks[1].x, drawn.layout.xOf(10));
    QVERIFY(std::abs(ticks[1].room - 40 * drawn.layout.columnWidth()) < 1e-6);

    std::vector<size_t> many(30'000);
    for (size_t i = 0; i < many.size(); ++i)
        many[i] = i;
    const Drawn crowded(30'000, {}, {}, many);
    const auto few = crowded.layout.turnTicks();
    QVERIFY(few.size() > 100 && few.size() <= 201);
    for (size_t i = 1; i < few.size(); ++i)
        QVERIFY(few[i].x - few[i - 1].x >= 4 - 1e-6);
}

void TimelineLayoutTest::measuringAddsUp()
{
    const TimelineSeries series(curveOf({ 100, 150, 40, 60 }, 80), {}, {});
    const auto whole = series.measure(0, 3);
    QCOMPARE(whole.callCount, size_t(4));
    QCOMPARE(whole.sent, 350.0);
    QCOMPARE(whole.resent, 0.0 + 100 + 40 + 40);
    QCOMPARE(whole.from, 100.0);
    QCOMPARE(whole.to, 60.0);
    QVERIFY(whole.isExact);
    const auto turned = series.measure(2, 1);
    QCOMPARE(turned.first, size_t(1));
    QCOMPARE(turned.sent, 190.0);
    // The end is no call: it is not sent, and not exact.
    const auto toTheEnd = series.measure(3, 4);
    QCOMPARE(toTheEnd.callCount, size_t(1));
    QCOMPARE(toTheEnd.sent, 60.0);
    QCOMPARE(toTheEnd.to, 80.0);
    QVERIFY(!toTheEnd.isExact);
    QCOMPARE(series.measure(4, 4).callCount, size_t(0));
}

void TimelineLayoutTest::theWindowIsInSightWhereItHelps()
{
    QCOMPARE(timelineTop(155'000, 200'000), 200'000.0);
    QVERIFY(timelineTop(210'000, 200'000) > 210'000);
    QVERIFY(timelineTop(30'000, 1'000'000) < 40'000); // it would press the curve flat
    QVERIFY(timelineTop(30'000, 0) > 30'000);
    QVERIFY(timelineTop(0, 0) > 0);
    // A policy's curve is in sight, too; the scale changes by quarters only.
    QCOMPARE(timelineTop(155'000, 200'000, 190'000), 200'000.0);
    QCOMPARE(timelineTop(155'000, 200'000, 201'000), 250'000.0);
    QCOMPARE(timelineTop(155'000, 200'000, 240'000), 250'000.0);
    QCOMPARE(timelineTop(155'000, 200'000, 342'000), 350'000.0);
}

void TimelineLayoutTest::axisTextIsShort()
{
    QCOMPARE(axisText(0), std::string("0"));
    QCOMPARE(axisText(500), std::string("500"));
    QCOMPARE(axisText(50'000), std::string("50k"));
    QCOMPARE(axisText(2500), std::string("2.5k"));
    QCOMPARE(axisText(1'500'000), std::string("1.5M"));
    QCOMPARE(axisText(1'047'576), std::string("1.05M"));
}

void TimelineLayoutTest::aHundredThousandCallsCostPixels()
{
    std::vector<core::RecordedCompaction> compactions;
    for (size_t call = 0; call < 100'000; call += 700)
        compactions.push_back(compaction(call, call % 2 == 0 ? CompactionKind::Summary : CompactionKind::Clearing));
    const Drawn drawn(100'000, {}, compactions, { 0, 500, 1000 });
    size_t things = 0;
    for (int i = 0; i < 10; ++i) {
        things += drawn.layout.spans().size() + drawn.layout.markGroups(7).size() + drawn.layout.turnTicks().size()
            + drawn.layout.callTicks(60).size() + drawn.layout.drops().size();
    }
    QVERIFY(things < 10 * 2500);
}

void TimelineLayoutTest::anEmptySeriesHasNoColumns()
{
    const TimelineSeries none;
    QVERIFY(none.isEmpty());
    QCOMPARE(none.peak(), 0.0);
    const Drawn noCalls(0);
    QCOMPARE(noCalls.series.columnCount(), size_t(1));
    QVERIFY(noCalls.layout.callTicks(60).empty());
    QCOMPARE(noCalls.layout.spans().size(), size_t(1));
}

void TimelineLayoutTest::triggersHaveHeights_data()
{
    QTest::addColumn<QString>("trigger");
    QTest::addColumn<QString>("stageTrigger");
    QTest::addColumn<double>("main");
    QTest::addColumn<QList<double>>("others");
    QTest::addColumn<bool>("isMovable");
    const QString none;
    const QList<double> noOthers;
    QTest::newRow("a share is of the window") << u"\"0.85w\""_s << none << 170'000.0 << noOthers << true;
    QTest::newRow("a share of 0.1234567 is cut to whole tokens")
        << u"\"0.1234567w\""_s << none << 24'691.0 << noOthers << true;
    QTest::newRow("tokens are what they are") << u"\"60000tok\""_s << none << 60'000.0 << noOthers << true;
    QTest::newRow("of any, the lowest counts")
        << u"{\"any\": [\"170000tok\", \"0.5w\", \"20msg\"]}"_s << none << 100'000.0 << QList { 170'000.0 } << false;
    QTest::newRow("of all, the highest counts")
        << u"{\"all\": [\"0.25w\", \"170000tok\"]}"_s << none << 170'000.0 << QList { 50'000.0 } << false;
    QTest::newRow("messages have no height") << u"\"20msg\""_s << none << 0.0 << noOthers << false;
    QTest::newRow("always has none") << u"\"always\""_s << none << 0.0 << noOthers << false;
    QTest::newRow("a stage's own trigger is another one")
        << u"\"0.85w\""_s << u"\"40000tok\""_s << 170'000.0 << QList { 40'000.0 } << true;
    QTest::newRow("a stage's trigger at the same height is not drawn twice")
        << u"\"0.85w\""_s << u"\"0.85w\""_s << 170'000.0 << noOthers << true;
    QTest::newRow("a stage's trigger counts where the policy's has no height")
        << u"\"20msg\""_s << u"\"40000tok\""_s << 40'000.0 << noOthers << false;
}

void TimelineLayoutTest::triggersHaveHeights()
{
    QFETCH(const QString, trigger);
    QFETCH(const QString, stageTrigger);
    QFETCH(const double, main);
    QFETCH(const QList<double>, others);
    QFETCH(const bool, isMovable);
    const QString stage = stageTrigger.isEmpty() ? QString() : u", \"trigger\": "_s + stageTrigger;
    const QString document
        = uR"({"schema": "palimpsest.policy/1", "id": "p", "name": "P", "trigger": %1, "stages": [{"stage": "clip-texts"%2}]})"_s
              .arg(trigger, stage);
    auto policy = core::parsePolicy(document.toStdString());
    QVERIFY2(policy, policy ? "" : policy.error().sentence().c_str());
    const TriggerLevels levels = TriggerLevels::of(*policy, 200'000);
    QCOMPARE(levels.main ? levels.main->tokens : 0.0, main);
    QList<double> heights;
    for (const TriggerLevel &level : levels.others)
        heights << level.tokens;
    QCOMPARE(heights, others);
    QCOMPARE(levels.isMovable, isMovable);
    // What is off does not act; a share of a window that nobody knows has no height.
    policy->stages.front().isEnabled = false;
    QVERIFY(TriggerLevels::of(*policy, 200'000).others.size() <= policy->trigger.measures.size());
    const bool isInTokens = trigger.contains(u"tok");
    QCOMPARE(TriggerLevels::of(*policy, 0).main.has_value(), isInTokens);
}

void TimelineLayoutTest::aHeightIsARoundTrigger()
{
    using core::Measure;
    const Measure share { 0.85, Measure::Unit::WindowFraction };
    const Measure tokens { 170'000, Measure::Unit::Tokens };
    QCOMPARE(triggerAt(share, 120'300, 200'000, 1500).value, 0.6);
    QCOMPARE(triggerAt(share, 120'300, 200'000, 300).value, 0.602); // finer where a pixel is less
    QCOMPARE(triggerAt(share, 0, 200'000, 1500).value, 0.005);
    QCOMPARE(triggerAt(share, 300'000, 200'000, 1500).value, 1.0);
    QCOMPARE(triggerAt(tokens, 120'300, 200'000, 1500).value, 120'000.0);
    QCOMPARE(triggerAt(tokens, 120'349, 200'000, 150).value, 120'300.0);
    QCOMPARE(triggerAt(tokens, 0, 0, 1500).value, 1000.0);
    QCOMPARE(triggerAt(tokens, 7.4, 0, 0.2).value, 7.0);
    // Every pixel of a plot is taken for its own height, within half a step.
    const Drawn drawn(100);
    for (double y = kPlot.top; y <= kPlot.bottom; ++y)
        QVERIFY(std::abs(drawn.layout.yOf(drawn.layout.tokensAt(y)) - y) < 1e-9);
    QCOMPARE(drawn.layout.tokensAt(kPlot.bottom + 50), 0.0);
    QCOMPARE(drawn.layout.tokensAt(0), drawn.layout.highest());
}

void TimelineLayoutTest::levelsAreSaidInFewWords()
{
    using core::Measure;
    QCOMPARE(levelText({ { 0.85, Measure::Unit::WindowFraction }, 170'000 }), std::string("85 % · 170k"));
    QCOMPARE(levelText({ { 0.8125, Measure::Unit::WindowFraction }, 162'500 }), std::string("81.3 % · 162.5k"));
    QCOMPARE(levelText({ { 60'000, Measure::Unit::Tokens }, 60'000 }), std::string("60k"));
}

void TimelineLayoutTest::labelsStandWhereNothingElseDoes()
{
    QCOMPARE(freePlace(10, 200, 50, {}), std::optional(10.0));
    QCOMPARE(freePlace(10, 200, 50, { { 70, 90 } }), std::optional(10.0)); // it fits before
    QCOMPARE(freePlace(10, 200, 50, { { 50, 60 } }), std::optional(60.0));
    QCOMPARE(freePlace(10, 200, 50, { { 100, 120 }, { 30, 60 }, { 0, 20 } }), std::optional(120.0));
    QCOMPARE(freePlace(10, 200, 50, { { 30, 80 }, { 40, 50 } }), std::optional(80.0)); // one within another
    QCOMPARE(freePlace(10, 200, 50, { { 30, 60 }, { 90, 160 } }), std::nullopt);
    QCOMPARE(freePlace(10, 40, 50, {}), std::nullopt);
}

PALIMPSEST_TEST(TimelineLayoutTest)
#include "tst_timeline_layout.moc"
