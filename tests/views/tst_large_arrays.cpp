// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/recorded_session.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/hub/thread_facts.h"
#include "ui/weight/weight_model.h"
#include "ui/weight/weight_panel.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using core::CallIndex;
using core::SlotIndex;

namespace {

constexpr uint32_t kUses = 3'000; ///< two blocks each: more than are read at once

/// One result is much larger than the others.
core::SessionPtr manyUses()
{
    core::RecordedSession recording;
    recording.typed("turn");
    for (uint32_t i = 0; i < kUses; ++i) {
        recording.use("Read", "src/file" + std::to_string(i) + ".cpp", 30);
        recording.result(i == 1'000 ? size_t { 90'000 } : size_t { 300 + i % 7 });
    }
    return recording.finish();
}

core::Position at(uint32_t call) { return { core::ThreadIndex(0U), CallIndex(call) }; }

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };

    Shown()
    {
        state.setUnit(core::WeightUnit::Characters);
        workspace.show(manyUses());
    }
    /// Until uses, hot blocks and reasons are there.
    void settle()
    {
        workspace.facts().waitForFacts();
        QTRY_VERIFY(workspace.facts().uses() != nullptr);
        QTRY_VERIFY(isExplained());
    }
    [[nodiscard]] bool isExplained() const
    {
        const auto &blocks = state.picture().hot->blocks;
        return !state.isFindingHot() && !blocks.empty()
            && std::ranges::none_of(blocks, [](const core::HotBlock &each) { return each.reason.empty(); });
    }
};

} // namespace

/// What a choice in an array of thousands of blocks costs the thread of the window, by shape.
class LargeArraysTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hotBlocksAreFoundBesideTheWindow();
    void hotBlocksOfThePlanBeforeStandWhileAPlanIsDragged();
    void theOpeningSlotIsTheHottest();
    void aChosenSlotStaysWhenTheHottestIsFound();
    void aHotBlockIsFoundByItsSlot();
    void rowsAreGroupedOnceForHotBlocksAndOnceForReasons();
};

void LargeArraysTest::hotBlocksAreFoundBesideTheWindow()
{
    Shown shown;
    shown.settle();
    QSignalSpy picture(&shown.state, &ui::ViewState::pictureChanged);
    QSignalSpy hot(&shown.state, &ui::ViewState::hotChanged);
    shown.state.setPosition(at(2'900));
    QCOMPARE(picture.count(), 1);
    QVERIFY(shown.state.isFindingHot());
    QVERIFY(shown.state.picture().hot->blocks.empty()); // nothing is said of this array yet
    shown.state.waitForPicture();
    QVERIFY(hot.count() >= 1);
    QCOMPARE(picture.count(), 1);
    const ui::ArrayPicture &now = shown.state.picture();
    const core::HotZones expected = core::hotZones(
        now.before, now.position, now.cutoff, now.weights, *shown.workspace.sums(core::ThreadIndex(0U)));
    QVERIFY(!expected.blocks.empty());
    QCOMPARE(now.hot->bySlot.size(), expected.bySlot.size());
    for (const core::HotBlock &each : expected.blocks)
        QVERIFY(now.hotBlock(each.slot, each.block) != nullptr);
}

void LargeArraysTest::hotBlocksOfThePlanBeforeStandWhileAPlanIsDragged()
{
    Shown shown;
    shown.settle();
    const ui::HotZonesPtr before = shown.state.picture().hot;
    shown.workspace.previewKeep({ 5'500, core::Measure::Unit::Messages });
    QCOMPARE(shown.state.picture().hot, before);
    QVERIFY(shown.state.isFindingHot());
    shown.state.waitForPicture();
    QVERIFY(shown.state.picture().hot != before);
    for (const core::HotBlock &each : shown.state.picture().hot->blocks)
        QVERIFY(each.slot.index() < shown.state.picture().cutoff);
}

void LargeArraysTest::theOpeningSlotIsTheHottest()
{
    Shown shown;
    QVERIFY(shown.state.isFindingHot());
    shown.state.waitForPicture();
    QCOMPARE(shown.state.currentSlot(), shown.state.picture().hot->blocks.front().slot);
    QVERIFY(shown.state.currentSlot() != SlotIndex(0U));
}

void LargeArraysTest::aChosenSlotStaysWhenTheHottestIsFound()
{
    Shown shown;
    QVERIFY(shown.state.isFindingHot());
    shown.state.setCurrentSlot(SlotIndex(7U));
    shown.settle();
    QCOMPARE(shown.state.currentSlot(), SlotIndex(7U));
}

void LargeArraysTest::aHotBlockIsFoundByItsSlot()
{
    Shown shown;
    shown.settle();
    const ui::ArrayPicture &picture = shown.state.picture();
    for (const core::HotBlock &each : picture.hot->blocks)
        QCOMPARE(picture.hotBlock(each.slot, each.block), &each);
    QVERIFY(picture.hotBlock(SlotIndex(), core::BlockId(1U)) == nullptr);
}

void LargeArraysTest::rowsAreGroupedOnceForHotBlocksAndOnceForReasons()
{
    Shown shown;
    ui::WeightPanel panel(shown.state);
    panel.setInSight(true);
    const auto *model = panel.findChild<ui::WeightModel *>();
    QVERIFY(model != nullptr);
    shown.settle();
    QTRY_VERIFY(model->knowsResentUnused());
    QSignalSpy hot(&shown.state, &ui::ViewState::hotChanged);
    QSignalSpy rows(model, &QAbstractItemModel::modelReset);
    shown.state.setPosition(at(2'900));
    QCOMPARE(rows.count(), 0);
    QTRY_VERIFY(shown.isExplained());
    QCOMPARE(hot.count(), 2);
    QTRY_VERIFY(rows.count() >= 1 && rows.count() <= 2);
}

PALIMPSEST_TEST(LargeArraysTest)
#include "tst_large_arrays.moc"
