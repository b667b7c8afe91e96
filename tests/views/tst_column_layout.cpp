// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/array/column_layout.h"

#include <QTest>

#include <numeric>

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

void TestColumnLayout::nothingIsDrawnOfNothing()
{
    QVERIFY(ColumnLayout().spans(0, 100, 1).empty());
    QVERIFY(ColumnLayout({}, 23, 2, 1).spans(0, 100, 1).empty());
    QCOMPARE(ui::fittingScale({}, 23, 2, 600, 140), 0.0);
}

PALIMPSEST_TEST(TestColumnLayout)
#include "tst_column_layout.moc"
