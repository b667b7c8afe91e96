// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/stable_order.h"
#include "core/weight/hot_zones.h"
#include "core/weight/resent_unused.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <numeric>

using namespace core;

class HotZoneFinderTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFinderRanksForEveryWindow();
    void anOrderAsksOnceForEachKey();
};

void HotZoneFinderTest::aFinderRanksForEveryWindow()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(40); ++i) {
        const SessionPtr made = session(randomLine(random, 1 + random() % 60));
        const Transcript array(made, made->threads.front().end);
        const Weights weights(roughTokens(*made), static_cast<WeightUnit>(random() % 3));
        const Position position = random() % 2 == 0 ? Position() : Position { ThreadIndex(0), CallIndex(0) };
        std::vector<uint32_t> ranks(made->blocks.size());
        for (uint32_t &rank : ranks)
            rank = static_cast<uint32_t>(random() % 5);
        HotZoneFinder finder(array, position, weights, ArraySums());
        const auto blocksOf = [](const HotZones &zones) {
            std::vector<BlockId> blocks;
            for (const HotBlock &each : zones.blocks)
                blocks.push_back(each.block);
            return blocks;
        };
        for (const bool isRanked : { false, true, false }) {
            finder.rank(isRanked ? std::span<const uint32_t>(ranks) : std::span<const uint32_t>());
            for (const size_t cutoff : { array.slotCount() / 2, array.slotCount() }) {
                HotZones expected = hotZones(array, position, cutoff, weights, ArraySums());
                if (isRanked)
                    rankHotZones(expected, ranks);
                expected.index();
                const HotZones found = finder.before(cutoff);
                QCOMPARE(blocksOf(found), blocksOf(expected));
                QCOMPARE(found.bySlot, expected.bySlot);
                const SlotIndex first(random() % array.slotCount());
                const SlotIndex last(first.index() + random() % (array.slotCount() - first.index()));
                const bool hasAny = std::ranges::any_of(
                    found.blocks, [&](const HotBlock &each) { return first <= each.slot && each.slot <= last; });
                QCOMPARE(found.hasIn(first, last), hasAny);
            }
        }
    }
}

void HotZoneFinderTest::anOrderAsksOnceForEachKey()
{
    std::mt19937_64 random = seededRandom();
    std::vector<double> figures(5000);
    for (double &figure : figures)
        figure = static_cast<double>(random() % 700) / 7 - (random() % 2 == 0 ? 50.0 : 0.0);
    std::vector<uint32_t> order(figures.size());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<uint32_t> expected = order;
    std::ranges::stable_sort(expected, std::ranges::greater(), [&](uint32_t i) { return figures[i]; });
    size_t asked = 0;
    orderBy(order, [&](uint32_t i) {
        ++asked;
        return descendingKey(figures[i]);
    });
    QCOMPARE(order, expected);
    QCOMPARE(asked, figures.size());
    std::vector<uint32_t> none;
    orderBy(none, [](uint32_t) { return uint64_t { 0 }; });
    QVERIFY(none.empty());
}

PALIMPSEST_TEST(HotZoneFinderTest)
#include "tst_hot_zone_finder.moc"
