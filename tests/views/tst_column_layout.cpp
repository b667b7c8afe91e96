// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/array/column_layout.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;
using core::RangeMaxima;
using ui::ColumnLayout;

namespace {

std::vector<double> randomWeights(std::mt19937_64 &random, size_t count)
{
    std::vector<double> weights(count);
    for (double &weight : weights)
        weight = static_cast<double>(random() % 100 < 90 ? random() % 200 : random() % 40'000);
    return weights;
}

} // namespace

class TestColumnLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLargestOfARangeIsFound();
    void everyItemIsInExactlyOneSpan();
    void aViewHasNoMoreSpansThanPixelsAllow();
    void aPlaceLeadsBackToItsItem();
    void shortItemsKeepALineAndLongOnesTheScale();
    void aColumnFillsTheHeightItIsFittedTo();
    void tooManyLinesScaleByTheHeaviest();
    void aHeavyItemNeverMergesWithLightOnes();
    void aFitShowsWeightsAtAnyCount_data();
    void aFitShowsWeightsAtAnyCount();
    void aFitFillsTheHeight();
    void nothingIsDrawnOfNothing();
};

void TestColumnLayout::theLargestOfARangeIsFound()
{
    auto random = core::seededRandom();
    for (int round = 0; round < core::caseCount(20); ++round) {
        const auto values = randomWeights(random, 1 + random() % 300);
        const RangeMaxima maxima(values);
        for (int i = 0; i < 50; ++i) {
            const size_t first = random() % values.size();
            const size_t last = first + 1 + random() % (values.size() - first);
            const auto begin = values.begin();
            const auto expected
                = std::max_element(begin + static_cast<ptrdiff_t>(first), begin + static_cast<ptrdiff_t>(last));
            QCOMPARE(maxima.indexOfLargest(first, last), static_cast<size_t>(expected - begin));
        }
    }
}

void TestColumnLayout::everyItemIsInExactlyOneSpan()
{
    auto random = core::seededRandom();
    for (int round = 0; round < core::caseCount(30); ++round) {
        const auto weights = randomWeights(random, 1 + random() % 2000);
        const ColumnLayout layout(weights, 23, 2, 0.01);
        const double zoom = std::pow(2.0, static_cast<double>(random() % 120) / 10.0 - 9.0);
        const auto spans = layout.spans(0, layout.totalHeight(zoom) + 1, zoom);
        size_t next = 0;
        double bottom = 0;
        for (const ColumnLayout::Span &span : spans) {
            QCOMPARE(span.first, next);
            QVERIFY(span.last > span.first);
            QVERIFY(span.heaviest >= span.first && span.heaviest < span.last);
            QVERIFY2(span.top >= bottom - 1e-6, "spans overlap");
            bottom = span.top + span.height;
            next = span.last;
        }
        QCOMPARE(next, weights.size());
    }
}

void TestColumnLayout::aViewHasNoMoreSpansThanPixelsAllow()
{
    const std::vector<double> weights(100'000, 10.0);
    const ColumnLayout layout(weights, 23, 2, 0.01);
    for (const double zoom : { 1.0, 0.1, 0.01, 0.001 }) {
        const auto spans = layout.spans(200, 1000, zoom);
        QVERIFY2(spans.size() <= 800 / 3 + 2, qPrintable(QString::number(spans.size())));
        QVERIFY(!spans.empty());
    }
}

void TestColumnLayout::aPlaceLeadsBackToItsItem()
{
    auto random = core::seededRandom();
    const auto weights = randomWeights(random, 500);
    const ColumnLayout layout(weights, 23, 2, 0.01);
    for (const double zoom : { 0.2, 1.0, 3.0 }) {
        for (size_t i = 0; i < weights.size(); ++i)
            QCOMPARE(layout.itemAt(layout.top(i, zoom) + layout.height(i, zoom) / 2, zoom), i);
    }
    QCOMPARE(layout.itemAt(-50, 1), size_t(0));
    QCOMPARE(layout.itemAt(1e12, 1), weights.size() - 1);
}

void TestColumnLayout::shortItemsKeepALineAndLongOnesTheScale()
{
    const ColumnLayout layout({ 0, 100, 5000 }, 23, 2, 0.01);
    QCOMPARE(layout.height(0, 1), 23.0);
    QCOMPARE(layout.height(1, 1), 23.0);
    QCOMPARE(layout.height(2, 1), 50.0);
    QCOMPARE(layout.totalHeight(1), 23.0 + 23.0 + 50.0 + 6.0);
}

void TestColumnLayout::aColumnFillsTheHeightItIsFittedTo()
{
    auto random = core::seededRandom();
    for (int round = 0; round < core::caseCount(20); ++round) {
        auto weights = randomWeights(random, 2 + random() % 20);
        weights.front() = 1000;
        const double scale = ui::fittingScale(weights, 23, 2, 900, 140);
        const double height = ColumnLayout(weights, 23, 2, scale).totalHeight(1);
        QVERIFY2(std::abs(height - 900) < 0.5, qPrintable(QString::number(height)));
    }
}

void TestColumnLayout::tooManyLinesScaleByTheHeaviest()
{
    std::vector<double> weights(400, 10.0);
    weights[7] = 20'000;
    QCOMPARE(ui::fittingScale(weights, 23, 2, 600, 140) * 20'000, 140.0);
}

void TestColumnLayout::aHeavyItemNeverMergesWithLightOnes()
{
    auto random = core::seededRandom();
    for (int round = 0; round < core::caseCount(20); ++round) {
        const auto weights = randomWeights(random, 1 + random() % 2000);
        const ColumnLayout layout(weights, 23, 2, 0.02);
        const double zoom = std::pow(2.0, static_cast<double>(random() % 100) / 10.0 - 9.0);
        const auto spans = layout.spans(0, layout.totalHeight(zoom) + 1, zoom);
        for (const ColumnLayout::Span &span : spans)
            QVERIFY(!span.isMerged() || layout.height(span.heaviest, zoom) < ColumnLayout::kMergeBelow);
        QVERIFY(static_cast<double>(spans.size()) <= layout.totalHeight(zoom) * 2 / ColumnLayout::kMergeBelow + 2);
    }
}

void TestColumnLayout::aFitShowsWeightsAtAnyCount_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("areLinesReadable");
    QTest::newRow("20 slots") << 20 << true;
    QTest::newRow("35 slots, as many as can be read") << 35 << true;
    QTest::newRow("150 slots") << 150 << false;
    QTest::newRow("1,000 slots") << 1000 << false;
    QTest::newRow("30,000 slots") << 30'000 << false;
}

void TestColumnLayout::aFitShowsWeightsAtAnyCount()
{
    QFETCH(const int, count);
    QFETCH(const bool, areLinesReadable);
    const double leastHeavy = count > 10'000 ? 25 : 80; // a twentieth of all
    constexpr double kHeight = 620;
    std::vector<double> weights(static_cast<size_t>(count), 17);
    weights[3] = 24'500;
    weights[9] = 8'000;
    weights[15] = 3'000;
    const double most = 140.0 / 24'500;
    const ui::Fit fit = ui::fitted(weights, 23, 2, most, kHeight);
    const ColumnLayout layout(weights, 23, 2, fit.scale / fit.zoom);
    const auto height = [&](size_t item) { return layout.height(item, fit.zoom); };
    QVERIFY(layout.totalHeight(fit.zoom) <= kHeight + 0.5);
    // The heavier, the taller, and clearly so.
    QVERIFY2(
        height(3) >= leastHeavy && height(3) >= 3 * height(0), qPrintable(u"%1, %2"_s.arg(height(3)).arg(height(0))));
    QVERIFY2(height(3) > 2 * height(9) && height(9) >= height(15) && height(15) >= height(0),
        qPrintable(u"%1, %2, %3"_s.arg(height(3)).arg(height(9)).arg(height(15))));
    QCOMPARE(height(0) >= 12.9, areLinesReadable);
    // Heavy items stand on their own, whatever merges around them.
    const auto spans = layout.spans(0, kHeight + 1, fit.zoom);
    for (const size_t heavy : { size_t(3), size_t(9) })
        QVERIFY(std::ranges::any_of(
            spans, [&](const ColumnLayout::Span &span) { return span.first == heavy && !span.isMerged(); }));
}

void TestColumnLayout::aFitFillsTheHeight()
{
    auto random = core::seededRandom();
    for (int round = 0; round < core::caseCount(20); ++round) {
        const auto weights = randomWeights(random, 60 + random() % 3000);
        const double most = ui::fittingScale(weights, 23, 2, 600, 140);
        const ui::Fit fit = ui::fitted(weights, 23, 2, most, 600);
        const double height = ColumnLayout(weights, 23, 2, fit.scale / fit.zoom).totalHeight(fit.zoom);
        QVERIFY2(std::abs(height - 600) < 0.5, qPrintable(QString::number(height)));
        QVERIFY(fit.scale <= most && fit.zoom <= 1);
    }
    const ui::Fit whole = ui::fitted({ 100, 200 }, 23, 2, 0.1, 600);
    QCOMPARE(whole.zoom, 1.0);
    QCOMPARE(whole.scale, 0.1);
}

void TestColumnLayout::nothingIsDrawnOfNothing()
{
    QVERIFY(ColumnLayout().spans(0, 100, 1).empty());
    QVERIFY(ColumnLayout({}, 23, 2, 1).spans(0, 100, 1).empty());
    QCOMPARE(ui::fittingScale({}, 23, 2, 600, 140), 0.0);
}

PALIMPSEST_TEST(TestColumnLayout)
#include "tst_column_layout.moc"
