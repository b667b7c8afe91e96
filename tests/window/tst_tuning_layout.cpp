// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_front.h"
#include "core/sweep/sweep_marks.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/tuning/map/cividis.h"
#include "ui/tuning/map/front_layout.h"
#include "ui/tuning/map/map_image.h"
#include "ui/tuning/map/map_layout.h"
#include "ui/tuning/map/sweep_map.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace ui;
using core::SweepMetric;
using Unit = core::Measure::Unit;

namespace {

core::SweepAxis axis(std::string setting, std::optional<Unit> unit, double first, double last, size_t count)
{
    core::SweepAxis made { std::move(setting), unit, {} };
    for (size_t i = 0; i < count; ++i)
        made.values.push_back(
            count > 1 ? first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1) : first);
    return made;
}

core::SweepAxis keepAxis(size_t count = 64) { return axis("keep", Unit::WindowFraction, 0.02, 0.6, count); }
core::SweepAxis triggerAxis(size_t count = 64) { return axis("trigger", Unit::WindowFraction, 0.1, 0.95, count); }

/// Figures that are all not known but for cost, lost uses and the largest prompt.
core::SweepFigures figures(double cost, double lost = 0, double peak = 0)
{
    core::SweepFigures made;
    made.values.fill(std::nan(""));
    made[SweepMetric::Cost] = cost;
    made[SweepMetric::LostUses] = lost;
    made[SweepMetric::Peak] = peak;
    return made;
}

std::shared_ptr<core::Sweep> sweepOf(size_t columns, size_t rows)
{
    auto sweep = std::make_shared<core::Sweep>();
    sweep->x = keepAxis(columns);
    sweep->y = triggerAxis(rows);
    sweep->cells.resize(columns * rows);
    return sweep;
}

/// CIE lightness of an sRGB colour.
double lightness(RampColour colour)
{
    const auto linear = [](uint8_t channel) {
        const double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

bool holds(const MapLayout::Box &box, int x, int y)
{
    return x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height;
}

} // namespace

/// Where the Tuning view puts things, without a window.
class TuningLayoutTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPixelIsInOneCell_data();
    void everyPixelIsInOneCell();
    void besideThePlotIsNoCell();
    void rowsGoUp();
    void valuesStandInTheirCells();
    void valuesUnderThePointerAreRound();
    void ticksNeverCollide();
    void ticksSayFractionsAndTokens();
    void anAxisFromNothingBeginsWithZero();
    void theRampGrowsEvenly();
    void theBestCellIsTheLightest();
    void cellsThatAreMissingShowTheCoarserOne();
    void betterCellsAreDotted();
    void priceCliffsAreLines();
    void coloursDifferNearTheRecordedValue();
    void refusedCellsAreGreyAndNotOnTheFront();
    void theBestCellKeepsTheLimits();
    void steadyCellsHaveEligibleNeighbours();
    void theFrontIsWhatNoOtherBeats();
    void pointsAreFoundAgain();
    void theRecordedTriggerIsTheLargestPromptBefore();
    void settingsThatCanBeSweptAreListed();
};

void TuningLayoutTest::everyPixelIsInOneCell_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows");
    QTest::newRow("an odd size") << 347 << 233 << 64 << 64;
    QTest::newRow("a multiple of the cells") << 128 + MapLayout::kLeft + MapLayout::kRight << 200 << 64 << 16;
    QTest::newRow("fewer pixels than cells") << 160 << 100 << 64 << 64;
    QTest::newRow("one cell") << 300 << 200 << 1 << 1;
    QTest::newRow("a prime number of cells") << 401 << 307 << 13 << 7;
}

void TuningLayoutTest::everyPixelIsInOneCell()
{
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, columns);
    QFETCH(int, rows);
    const MapLayout layout(
        width, height, keepAxis(static_cast<size_t>(columns)), triggerAxis(static_cast<size_t>(rows)), 0);
    const MapLayout::Box &plot = layout.plot();
    std::map<size_t, int> pixels;
    for (int y = plot.top; y < layout.bottom(); ++y) {
        for (int x = plot.left; x < layout.right(); ++x) {
            const auto cell = layout.cellAt(x, y);
            QVERIFY(cell.has_value());
            QVERIFY(holds(layout.boxOf(*cell), x, y));
            ++pixels[*cell];
        }
    }
    int sum = 0;
    for (size_t cell = 0; cell < static_cast<size_t>(columns) * static_cast<size_t>(rows); ++cell) {
        const MapLayout::Box box = layout.boxOf(cell);
        QCOMPARE(pixels[cell], box.width * box.height);
        sum += box.width * box.height;
    }
    QCOMPARE(sum, plot.width * plot.height);
}

void TuningLayoutTest::besideThePlotIsNoCell()
{
    const MapLayout layout(400, 300, keepAxis(), triggerAxis(), 0);
    const MapLayout::Box &plot = layout.plot();
    QVERIFY(layout.cellAt(plot.left, plot.top));
    QVERIFY(!layout.cellAt(plot.left - 1, plot.top));
    QVERIFY(!layout.cellAt(plot.left, plot.top - 1));
    QVERIFY(!layout.cellAt(layout.right(), plot.top));
    QVERIFY(!layout.cellAt(plot.left, layout.bottom()));
    QVERIFY(!MapLayout(400, 300, {}, {}, 0).cellAt(100, 100));
}

void TuningLayoutTest::rowsGoUp()
{
    const MapLayout layout(400, 300, keepAxis(8), triggerAxis(8), 0);
    const MapLayout::Box &plot = layout.plot();
    QCOMPARE(layout.cellAt(plot.left, layout.bottom() - 1), std::optional<size_t>(0));
    QCOMPARE(layout.cellAt(layout.right() - 1, plot.top), std::optional<size_t>(63));
    QVERIFY(layout.yOf(0.9) < layout.yOf(0.2));
}

void TuningLayoutTest::valuesStandInTheirCells()
{
    const MapLayout layout(401, 307, keepAxis(), triggerAxis(), 200'000);
    for (size_t i = 0; i < 64; ++i) {
        const double x = keepAxis().values[i];
        const double y = triggerAxis().values[i];
        QCOMPARE(layout.cellAt(layout.xOf(x), layout.yOf(y)), std::optional(i * 64 + i));
        QVERIFY(std::abs(layout.x().exactValueAt(layout.x().at(x)) - x) < 1e-9);
    }
    // What the axis does not reach is at its end.
    QCOMPARE(layout.xOf(0.9), layout.xOf(0.6));
    QVERIFY(!layout.x().holds(0.9));
    QVERIFY(layout.x().holds(0.3));
}

void TuningLayoutTest::valuesUnderThePointerAreRound()
{
    const MapLayout layout(401, 307, keepAxis(), axis("trigger", Unit::Tokens, 20'000, 190'000, 64), 200'000);
    const AxisLayout messages(axis("keep", Unit::Messages, 1, 64, 64), 300, 0);
    for (int pixel = -20; pixel < 420; ++pixel) {
        const double share = layout.xValueAt(pixel) * 1000;
        QVERIFY(std::abs(share - std::round(share)) < 1e-6);
        QVERIFY(layout.xValueAt(pixel) >= 0.02 && layout.xValueAt(pixel) <= 0.6);
        const double tokens = layout.yValueAt(pixel);
        QVERIFY(tokens == 20'000 || tokens == 190'000 || std::fmod(tokens, 1000) == 0);
        const double count = messages.valueAt(pixel);
        QCOMPARE(count, std::round(count));
    }
}

void TuningLayoutTest::ticksNeverCollide()
{
    std::mt19937_64 random = core::seededRandom();
    const auto draw
        = [&](double least, double most) { return std::uniform_real_distribution<double>(least, most)(random); };
    constexpr double kGap = 12;
    for (int i = 0; i < core::caseCount(400); ++i) {
        const std::array units { std::optional(Unit::WindowFraction), std::optional(Unit::Tokens),
            std::optional(Unit::Messages), std::optional<Unit>() };
        const auto unit = units[static_cast<size_t>(i) % units.size()];
        const double scale = unit == Unit::WindowFraction ? 1 : unit == Unit::Tokens ? 1e6 : std::pow(10, draw(1, 5));
        const double first = unit == Unit::WindowFraction ? draw(0.01, 0.5) : std::round(draw(1, scale / 2));
        const double last = unit == Unit::WindowFraction ? draw(first, 1) : std::round(draw(first + 1, scale));
        const int length = static_cast<int>(draw(40, 1500));
        const double digit = draw(5, 9);
        const AxisLayout layout(axis("x", unit, first, last, 64), length, i % 3 == 0 ? 0 : 200'000);
        const std::vector<AxisTick> ticks = layout.ticks(digit, kGap);
        for (size_t tick = 0; tick < ticks.size(); ++tick) {
            QVERIFY(ticks[tick].at >= 0 && ticks[tick].at <= length);
            if (tick == 0)
                continue;
            const auto width = [&](const AxisTick &each) {
                return digit * static_cast<double>(std::max(each.text.size(), each.second.size()));
            };
            const double between
                = ticks[tick].at - ticks[tick - 1].at - (width(ticks[tick]) + width(ticks[tick - 1])) / 2;
            QVERIFY2(between >= kGap - 1e-6, qPrintable(QString::number(between)));
        }
    }
}

void TuningLayoutTest::ticksSayFractionsAndTokens()
{
    const auto ticks = AxisLayout(keepAxis(), 600, 200'000).ticks(7, 12);
    const auto tenth = std::ranges::find(ticks, "10 %", &AxisTick::text);
    QVERIFY(tenth != ticks.end());
    QCOMPARE(tenth->second, std::string("20k"));
    QVERIFY(AxisLayout(keepAxis(), 600, 0).ticks(7, 12).front().second.empty());
    const auto tokens = AxisLayout(axis("trigger", Unit::Tokens, 20'000, 190'000, 64), 400, 200'000).ticks(7, 12);
    const auto half = std::ranges::find(tokens, "100k", &AxisTick::text);
    QVERIFY(half != tokens.end());
    QCOMPARE(half->second, std::string("50 %"));
    // Never between whole messages.
    for (const AxisTick &tick : AxisLayout(axis("keep", Unit::Messages, 1, 5, 5), 900, 0).ticks(7, 12))
        QCOMPARE(tick.value, std::round(tick.value));
}

void TuningLayoutTest::anAxisFromNothingBeginsWithZero()
{
    const AxisLayout layout(axis("keep", Unit::Messages, 0, 64, 64), 640, 0);
    QCOMPARE(layout.ticks(7, 20).front().text, std::string("0"));
}

void TuningLayoutTest::theRampGrowsEvenly()
{
    QVERIFY(cividis(0) == (RampColour { 0x00, 0x20, 0x4d }));
    QVERIFY(cividis(1) == (RampColour { 0xff, 0xea, 0x46 }));
    QVERIFY(cividis(-1) == cividis(0) && cividis(2) == cividis(1));
    constexpr int kSteps = 10;
    const double even = (lightness(cividis(1)) - lightness(cividis(0))) / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const double step
            = lightness(cividis((i + 1.0) / kSteps)) - lightness(cividis(static_cast<double>(i) / kSteps));
        QVERIFY2(step > 0.8 * even && step < 1.2 * even, qPrintable(QString::number(step / even)));
    }
}

void TuningLayoutTest::theBestCellIsTheLightest()
{
    const auto sweep = sweepOf(2, 2);
    sweep->cells = { figures(10), figures(30), figures(20), figures(std::nan("")) };
    sweep->cells[1]->isExtrapolated = true;
    for (auto &cell : sweep->cells)
        (*cell)[SweepMetric::HitShare] = (*cell)[SweepMetric::Cost] / 100;
    const SweepMap cost(sweep, SweepMetric::Cost);
    QCOMPARE(cost.goodness(cost.value(0)), 1.0);
    QCOMPARE(cost.goodness(cost.value(1)), 0.0);
    QCOMPARE(cost.goodness(cost.value(2)), 0.5);
    QCOMPARE(cost.best(), 10.0);
    QCOMPARE(cost.worst(), 30.0);
    QCOMPARE(cost.extrapolatedCount(), size_t { 1 });
    QVERIFY(std::isnan(cost.value(3)));
    const SweepMap hits(sweep, SweepMetric::HitShare);
    QCOMPARE(hits.goodness(hits.value(1)), 1.0);
    QCOMPARE(hits.best(), 0.3);
    const SweepMap tokens(sweep, SweepMetric::Tokens);
    QVERIFY(!tokens.hasRange());
}

void TuningLayoutTest::cellsThatAreMissingShowTheCoarserOne()
{
    const auto sweep = sweepOf(10, 10);
    for (size_t row = 0; row < 10; row += 4) {
        for (size_t column = 0; column < 10; column += 4)
            sweep->cells[row * 10 + column] = figures(static_cast<double>(row * 10 + column));
    }
    sweep->cells[2 * 10 + 2] = figures(1000);
    const SweepMap map(sweep, SweepMetric::Cost);
    QCOMPARE(map.value(0), 0.0);
    QCOMPARE(map.value(1 * 10 + 1), 0.0);
    QCOMPARE(map.value(2 * 10 + 3), 1000.0);
    QCOMPARE(map.value(9 * 10 + 9), 88.0);
    QVERIFY(SweepMap(sweepOf(4, 4), SweepMetric::Cost).figures(5) == nullptr);
}

/// Cells better than the recorded run have a mark, large ones, small ones, and one without a neighbour.
void TuningLayoutTest::betterCellsAreDotted()
{
    for (const size_t count : { size_t(10), size_t(64) }) {
        const auto sweep = sweepOf(count, count);
        const size_t alone = count * (count - 1) + count - 1;
        for (size_t cell = 0; cell < count * count; ++cell)
            sweep->cells[cell] = figures(cell == alone || cell % count < count / 2 ? 10.0 : 20.0);
        const SweepMap map(sweep, SweepMetric::Cost);
        const auto better = [&](double reference) {
            std::vector<bool> cells(map.cellCount());
            for (size_t cell = 0; cell < cells.size(); ++cell)
                cells[cell] = map.isBetter(map.value(cell), reference);
            return cells;
        };
        QCOMPARE(std::ranges::count(better(15), true), static_cast<ptrdiff_t>(count * (count / 2) + 1));
        QVERIFY(!std::ranges::contains(better(10), true));     // as good is not better
        QVERIFY(!std::ranges::contains(better(10.009), true)); // nor is a difference that nobody sees
        QVERIFY(std::ranges::contains(better(10.011), true));
        QVERIFY(!std::ranges::contains(better(std::nan("")), true));
        const MapLayout layout(420, 420, sweep->x, sweep->y, 0);
        const auto dotsIn = [&](const QImage &image, size_t cell) {
            const MapLayout::Box box = layout.boxOf(cell);
            int dots = 0;
            for (int y = 0; y < box.height; ++y) {
                for (int x = 0; x < box.width; ++x)
                    dots += image.pixelColor(box.left - layout.plot().left + x, box.top - layout.plot().top + y)
                        == Qt::black;
            }
            return dots;
        };
        const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
        const QImage marked = ui::mapImage(map, layout, theme, 1, better(15));
        QVERIFY(dotsIn(marked, alone) > 0);
        QCOMPARE(dotsIn(marked, alone - 1), 0);
        int dotted = 0;
        for (size_t cell = 0; cell < count * count; ++cell) {
            const bool isBetter = cell == alone || cell % count < count / 2;
            QVERIFY(isBetter || dotsIn(marked, cell) == 0);
            dotted += dotsIn(marked, cell) > 0;
        }
        QVERIFY(dotted > 20);
        QCOMPARE(dotsIn(ui::mapImage(map, layout, theme, 1, better(std::nan(""))), alone), 0);
    }
}

void TuningLayoutTest::priceCliffsAreLines()
{
    const auto sweep = sweepOf(4, 3);
    for (size_t cell = 0; cell < 12; ++cell)
        sweep->cells[cell] = figures(1, 0, cell < 8 ? 200'000 : 200'001);
    const SweepMap map(sweep, SweepMetric::Cost, { .cliffs = { 200'000 } });
    QCOMPARE(map.cliffs().size(), size_t { 1 });
    QVERIFY(map.cliffs().front() == (MapLine { false, 2, 0, 4 }));
}

void TuningLayoutTest::coloursDifferNearTheRecordedValue()
{
    const auto sweep = sweepOf(4, 1);
    sweep->cells = { figures(16), figures(20), figures(30), figures(88) };
    const SweepMap whole(sweep, SweepMetric::Cost);
    QVERIFY(!whole.isCapped());
    QCOMPARE(whole.worst(), 88.0);
    const SweepMap capped(sweep, SweepMetric::Cost, { .reference = 24 });
    QVERIFY(capped.isCapped());
    QCOMPARE(capped.worst(), 24.0 + 2 * (24 - 16));
    QCOMPARE(capped.goodness(88), 0.0);
    QVERIFY(capped.goodness(16) - capped.goodness(20) > 2 * (whole.goodness(16) - whole.goodness(20)));
    // Of a metric where more is better, the range ends below.
    for (size_t cell = 0; cell < 4; ++cell)
        (*sweep->cells[cell])[SweepMetric::HitShare] = 0.9 - 0.25 * static_cast<double>(cell);
    const SweepMap hits(sweep, SweepMetric::HitShare, { .reference = 0.8 });
    QVERIFY(hits.isCapped());
    QCOMPARE(hits.worst(), 0.8 - 2 * 0.25 * 0.8); // at least a quarter of the recorded value
    sweep->cells = { figures(5), figures(5), figures(5), figures(5) };
    QVERIFY(!SweepMap(sweep, SweepMetric::Cost, { .reference = 24 }).hasSpread());
}

void TuningLayoutTest::refusedCellsAreGreyAndNotOnTheFront()
{
    const auto sweep = sweepOf(4, 1);
    sweep->cells = { figures(1, 0), figures(10, 2), figures(20, 1), figures(30, 0, 250'000) };
    (*sweep->cells[0])[SweepMetric::TornCalls] = 3;
    const std::vector<bool> accepted = core::eligibleCells(*sweep, { .window = 200'000 });
    QCOMPARE(accepted, (std::vector<bool> { false, true, true, false }));
    QVERIFY(core::eligibleCells(*sweep, {})[3]); // the window is not known
    QCOMPARE(
        core::sweepFront(*sweep, SweepMetric::Cost, SweepMetric::LostUses, accepted), (std::vector<size_t> { 1, 2 }));
    const SweepMap map(sweep, SweepMetric::Cost, { .accepted = accepted });
    QCOMPARE(map.refusedCount(), size_t { 2 });
    QCOMPARE(map.best(), 10.0); // the colours are those of the others
    QCOMPARE(map.worst(), 20.0);
    const MapLayout layout(420, 120, sweep->x, sweep->y, 0);
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    const QImage image = ui::mapImage(map, layout, theme, 1, std::vector<bool>(4));
    const auto colourOf = [&](size_t cell) {
        const MapLayout::Box box = layout.boxOf(cell);
        return image.pixelColor(box.left - layout.plot().left + box.width / 2, box.top - layout.plot().top + 3);
    };
    QCOMPARE(colourOf(0), colourOf(3));
    QVERIFY(colourOf(0).hsvSaturation() < 20);
    QVERIFY(colourOf(1).hsvSaturation() > 60);
}

void TuningLayoutTest::theBestCellKeepsTheLimits()
{
    const auto sweep = sweepOf(5, 1);
    sweep->cells = { figures(10, 5), figures(12, 1), figures(12, 0), figures(11, 0), std::nullopt };
    (*sweep->cells[3])[SweepMetric::LostMessages] = 9;
    const auto bestOf = [&](const core::CellLimits &limits) {
        return core::bestCell(*sweep, SweepMetric::Cost, core::eligibleCells(*sweep, limits));
    };
    QCOMPARE(bestOf({}), std::optional<size_t>(0));
    QCOMPARE(bestOf({ .lostUses = 1 }), std::optional<size_t>(3));
    QCOMPARE(bestOf({ .lostUses = 1, .lostMessages = 8 }), std::optional<size_t>(2)); // of equal ones, fewest lost uses
    QCOMPARE(bestOf({ .lostUses = -1 }), std::nullopt);
}

/// A steady cell has no neighbour that is not eligible; at the edge it has fewer neighbours.
void TuningLayoutTest::steadyCellsHaveEligibleNeighbours()
{
    const auto sweep = sweepOf(4, 3);
    sweep->cells.assign(12, figures(10, 0));
    std::vector<bool> eligible(12, true);
    std::vector<bool> accepted = eligible;
    QCOMPARE(core::steadyCells(sweep->x, sweep->y, accepted, eligible), eligible);
    eligible[0] = false;
    QCOMPARE(core::steadyCells(sweep->x, sweep->y, accepted, eligible),
        (std::vector<bool> { false, false, true, true, false, false, true, true, true, true, true, true }));
    accepted[0] = false; // a provider refuses it: that says nothing of its neighbours
    QCOMPARE(core::steadyCells(sweep->x, sweep->y, accepted, eligible), eligible);
    QCOMPARE(core::cellsAround(sweep->x, sweep->y, 0), (std::vector<size_t> { 1, 4, 5 }));
    QCOMPARE(core::cellsAround(sweep->x, sweep->y, 6), (std::vector<size_t> { 1, 2, 3, 5, 7, 9, 10, 11 }));
    QCOMPARE(core::cellsAround(sweep->x, sweep->y, 11), (std::vector<size_t> { 6, 7, 10 }));
}

void TuningLayoutTest::theFrontIsWhatNoOtherBeats()
{
    std::mt19937_64 random = core::seededRandom();
    for (int round = 0; round < core::caseCount(50); ++round) {
        const auto sweep = sweepOf(8, 8);
        for (auto &cell : sweep->cells) {
            if (random() % 8 != 0)
                cell = figures(random() % 8 == 0 ? std::nan("") : static_cast<double>(random() % 20),
                    static_cast<double>(random() % 10));
        }
        const std::vector<size_t> front = core::sweepFront(*sweep, SweepMetric::Cost, SweepMetric::LostUses);
        const auto isKnown
            = [&](size_t cell) { return sweep->cells[cell] && !std::isnan((*sweep->cells[cell])[SweepMetric::Cost]); };
        const auto beats = [&](size_t a, size_t b) {
            const core::SweepFigures &first = *sweep->cells[a];
            const core::SweepFigures &second = *sweep->cells[b];
            const bool isNoWorse = first[SweepMetric::Cost] <= second[SweepMetric::Cost]
                && first[SweepMetric::LostUses] <= second[SweepMetric::LostUses];
            return isNoWorse
                && (first[SweepMetric::Cost] < second[SweepMetric::Cost]
                    || first[SweepMetric::LostUses] < second[SweepMetric::LostUses]);
        };
        for (size_t cell = 0; cell < sweep->cells.size(); ++cell) {
            const bool isInFront = std::ranges::find(front, cell) != front.end();
            bool isBeaten = !isKnown(cell);
            bool hasTwin = false;
            for (size_t other = 0; other < sweep->cells.size() && isKnown(cell); ++other) {
                isBeaten |= isKnown(other) && beats(other, cell);
                hasTwin |= other < cell && isKnown(other) && !beats(other, cell)
                    && (*sweep->cells[other]).values[0] == (*sweep->cells[cell]).values[0]
                    && (*sweep->cells[other])[SweepMetric::LostUses] == (*sweep->cells[cell])[SweepMetric::LostUses];
            }
            QCOMPARE(isInFront, !isBeaten && !hasTwin);
        }
    }
}

void TuningLayoutTest::pointsAreFoundAgain()
{
    const auto sweep = sweepOf(4, 1);
    sweep->cells = { figures(10, 0), figures(20, 4), figures(30, 8), std::nullopt };
    const FrontLayout layout(
        *sweep, SweepMetric::Cost, SweepMetric::LostUses, figures(50, std::nan("")), { 10, 10, 110, 60 });
    QCOMPARE(layout.points().size(), size_t { 3 });
    QCOMPARE(layout.up().most, 50.0); // the recorded run has room, too
    QCOMPARE(layout.across().most, 8.0);
    QCOMPARE(layout.cellAt(60, 47.5, 5), std::optional<size_t>(1));
    QVERIFY(!layout.cellAt(60, 12, 5));
    QVERIFY(!layout.pointOf(3));
    for (const FrontLayout::Point &point : layout.points())
        QCOMPARE(layout.cellAt(point.x, point.y, 1), std::optional(point.cell));
}

void TuningLayoutTest::theRecordedTriggerIsTheLargestPromptBefore()
{
    core::RecordedSession recording;
    recording.typed("do it");
    for (const uint64_t prompt : { 1000U, 9000U, 5000U }) {
        recording.use("Read", "a.cpp", 40, prompt);
        recording.result(200);
    }
    recording.summarise(50);
    recording.use("Read", "a.cpp", 40, 700);
    recording.result(200);
    recording.clear(); // writes no array anew
    recording.use("Read", "a.cpp", 40, 800);
    recording.result(200);
    recording.rewrite(50);
    recording.reply("done", 300);
    const core::SessionPtr session = recording.finish();
    const core::ReplayGroundPtr ground
        = core::replayGround(session, core::ThreadIndex(0U), core::oneTokenACharacter(*session));
    QCOMPARE(core::recordedTriggers(*ground), (std::vector<double> { 9000, 800 }));
}

void TuningLayoutTest::settingsThatCanBeSweptAreListed()
{
    const core::PolicyPtr policy = core::preset("deep-agents");
    const core::SessionPtr session = core::session("u:10 a:200 t:5000 a:70");
    const std::vector<std::string> settings = core::sweepSettings(*policy);
    QVERIFY(settings.size() > 2);
    QCOMPARE(settings[0], std::string("trigger"));
    QCOMPARE(settings[1], std::string("keep"));
    for (const std::string &setting : settings) {
        const auto axis = core::parseAxis(*policy, *session, setting, 8);
        QVERIFY2(axis.has_value() && !axis->values.empty(), setting.c_str());
        QVERIFY(core::withSetting(*policy, setting, axis->textOf(axis->values.front())).has_value());
    }
    QVERIFY(!core::parseAxis(*policy, *session, "no such", 8));
}

PALIMPSEST_TEST(TuningLayoutTest)
#include "tst_tuning_layout.moc"
