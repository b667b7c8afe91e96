// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/slot_label.h"
#include "session_text.h"
#include "tests/recorded_session.h"
#include "ui/array/array_view.h"
#include "ui/text/text_look.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using core::SlotIndex;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kLine
    = "u:81 c:59 t:78 u:14521* c:49 t:79 u:6891* c:63 t:3434* c:2553* t:25 c:14990* t:49 c:63 t:311 a:92 "
      "u:60 c:49 t:79 u:6891 a:70";

/// A view on a session, shown offscreen.
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::ArrayView view { state };

    explicit Shown(const char *line = kLine, QSize size = { 900, 900 })
        : Shown(core::session(line), size)
    {
    }
    Shown(const core::SessionPtr &session, QSize size)
    {
        workspace.show(session);
        workspace.previewKeep({ 6, core::Measure::Unit::Messages });
        view.resize(size);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    [[nodiscard]] QRect slotRect(uint32_t slot) const
    {
        for (int i = 0; i < view.itemCount(); ++i) {
            if (view.itemName(i).startsWith(u"slot %1,"_s.arg(slot)))
                return view.itemRect(i);
        }
        return {};
    }
};

} // namespace

class TestArrayView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::installPaintedAccessibility(); } // before the first view asks for its interface
    void slotsHaveTheColourOfTheirMaterial();
    void theArrayIsThereWithoutASession();
    void clickingASlotSelectsIt();
    void shiftAndControlSelectSeveral();
    void keysStepThroughSlots();
    void theKeepBoundaryIsDraggedAndUndoneInOneStep();
    void theArrayAfterFollowsTheOneBefore();
    void zoomingKeepsThePointUnderThePointer();
    void anotherCallKeepsWhatStandsAtTheTop();
    void thirtyThousandSlotsKeepEverySlotReachable();
    void itemsAreAccessibleObjects();
    void choosingAnotherUnitChangesTheFigures();
    void hoveringOutlinesButDoesNotSelect();
    void everyTextIsLegibleOnItsFill();
    void aSmallArrayOpensWhole_data();
    void aSmallArrayOpensWhole();
};

void TestArrayView::slotsHaveTheColourOfTheirMaterial()
{
    Shown shown;
    const QImage image = shown.view.grab().toImage();
    const core::Transcript &transcript = shown.state.picture().before;
    QCOMPARE(transcript.slotCount(), size_t(21));
    for (uint32_t i = 0; i < 21; ++i) {
        const QRect rect = shown.slotRect(i);
        if (rect.height() < 12)
            continue;
        const QColor expected = shown.state.theme().of(core::materialOf(transcript, transcript.slot(SlotIndex(i))));
        // Between the selection's outline and the first figure there is nothing but the fill.
        QCOMPARE(image.pixelColor(rect.left() + 8, rect.center().y()), expected);
    }
}

void TestArrayView::theArrayIsThereWithoutASession()
{
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::ArrayView view(state);
    view.resize(500, 300);
    QVERIFY(!view.grab().isNull());
    QCOMPARE(view.itemCount(), 0);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::mouseClick(&view, Qt::LeftButton, {}, { 200, 200 });
}

void TestArrayView::clickingASlotSelectsIt()
{
    Shown shown;
    QSignalSpy changed(&shown.state, &ui::ViewState::currentChanged);
    const QRect rect = shown.slotRect(8);
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, rect.center());
    QCOMPARE(shown.state.currentSlot(), SlotIndex(8U));
    QCOMPARE(shown.state.selection(), std::vector { SlotIndex(8U) });
    QCOMPARE(changed.count(), 1);
}

void TestArrayView::shiftAndControlSelectSeveral()
{
    Shown shown;
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.slotRect(3).center());
    QTest::mouseClick(&shown.view, Qt::LeftButton, Qt::ShiftModifier, shown.slotRect(6).center());
    QCOMPARE(shown.state.selection().size(), size_t(4));
    QTest::mouseClick(&shown.view, Qt::LeftButton, Qt::ControlModifier, shown.slotRect(5).center());
    QCOMPARE(shown.state.selection().size(), size_t(3));
}

void TestArrayView::keysStepThroughSlots()
{
    Shown shown;
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(0U));
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QTest::keyClick(&shown.view, Qt::Key_J);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(2U));
    QTest::keyClick(&shown.view, Qt::Key_K);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(1U));
    QTest::keyClick(&shown.view, Qt::Key_BracketRight);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(3U));
    QTest::keyClick(&shown.view, Qt::Key_End);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(20U));
}

void TestArrayView::theKeepBoundaryIsDraggedAndUndoneInOneStep()
{
    Shown shown;
    QCOMPARE(shown.state.picture().cutoff, size_t(15));
    // The handle stands on the line above slot 15, near the right edge: find it by its cursor.
    const QRect slot15 = shown.slotRect(15);
    QPoint handle;
    for (int x = slot15.right(); x > slot15.left() && handle.isNull(); x -= 4) {
        QTest::mouseMove(&shown.view, { x, slot15.top() - 1 });
        if (shown.view.cursor().shape() == Qt::SplitVCursor)
            handle = { x - 10, slot15.top() - 1 };
    }
    QVERIFY2(!handle.isNull(), "the keep boundary has no handle");
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, handle);
    for (const uint32_t slot : { 14U, 13U, 12U, 11U })
        QTest::mouseMove(&shown.view, { handle.x(), shown.slotRect(slot).top() + 2 });
    QCOMPARE(shown.state.picture().cutoff, size_t(11));
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, { handle.x(), shown.slotRect(11).top() + 2 });
    QCOMPARE(shown.workspace.keep(), (core::Measure { 10, core::Measure::Unit::Messages }));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.state.picture().cutoff, size_t(15));
    shown.workspace.undoStack().redo();
    QCOMPARE(shown.state.picture().cutoff, size_t(11));
}

void TestArrayView::theArrayAfterFollowsTheOneBefore()
{
    std::string line;
    for (int i = 0; i < 200; ++i)
        line += "u:30 a:400 c:900 t:6000 a:120 ";
    Shown shown(core::session(line), { 1200, 700 });
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("genkit-recipe-figure")), u"Choose"_s);
    QVERIFY(shown.state.picture().simulated != nullptr);
    const auto after = [&](uint32_t slot) {
        for (int i = 0; i < shown.view.itemCount(); ++i) {
            if (shown.view.itemName(i).startsWith(u"slot %1 after,"_s.arg(slot)))
                return shown.view.itemRect(i);
        }
        return QRect();
    };
    for (const uint32_t slot : { 500U, 900U, 40U }) {
        shown.state.setCurrentSlot(SlotIndex(slot));
        shown.view.centreCurrent();
        shown.state.setCurrentSlot(SlotIndex(slot));
        QVERIFY(!shown.slotRect(slot).isEmpty());
        QVERIFY2(!after(slot).isEmpty(), qPrintable(QString::number(slot) + u" stands beside something else"_s));
    }
}

void TestArrayView::zoomingKeepsThePointUnderThePointer()
{
    auto random = core::seededRandom();
    Shown shown(core::session(core::randomLine(random, 300)), { 800, 600 });
    const QPoint at(300, 300);
    for (int i = 0; i < 4; ++i) {
        QWheelEvent down(at, shown.view.mapToGlobal(at), {}, { 0, -120 * 4 }, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(&shown.view, &down);
    }
    const int item = shown.view.itemAt(at);
    QVERIFY(item > 0);
    QWheelEvent zoom(
        at, shown.view.mapToGlobal(at), {}, { 0, 240 }, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&shown.view, &zoom);
    QVERIFY(shown.view.zoom() > 1.3);
    QCOMPARE(shown.view.itemAt(at), item);
}

void TestArrayView::anotherCallKeepsWhatStandsAtTheTop()
{
    core::RecordedSession recording;
    recording.typed("do it");
    for (int i = 0; i < 40; ++i) {
        recording.use("Read", "a.cpp");
        recording.result(300);
    }
    recording.summarise(200);
    recording.reply("ok");
    Shown shown(recording.finish(), { 900, 400 });
    const auto call = [](size_t number) { return core::Position { core::ThreadIndex(0U), core::CallIndex(number) }; };
    shown.state.setPosition(call(39));
    shown.state.setCurrentSlot(SlotIndex(60U));
    const QRect before = shown.slotRect(60);
    QVERIFY(!before.isEmpty());
    shown.state.setPosition(call(38));
    QCOMPARE(shown.slotRect(60).top(), before.top());
    // Of an array that has no slot of that number any more, the top is shown.
    shown.state.setPosition(call(40));
    QCOMPARE(shown.state.picture().before.slotCount(), size_t(1));
    QVERIFY(!shown.slotRect(0).isEmpty());
}

void TestArrayView::thirtyThousandSlotsKeepEverySlotReachable()
{
    std::string line;
    for (int i = 0; i < 15'000; ++i)
        line += "u:30 a:400 ";
    Shown shown(core::session(line), { 900, 700 });
    QCOMPARE(shown.state.picture().before.slotCount(), size_t(30'000));
    shown.view.fit();
    QVERIFY(!shown.view.grab().isNull());
    shown.state.setCurrentSlot(SlotIndex(29'999U));
    QVERIFY(!shown.view.itemRect(29'999).isEmpty());
    shown.view.zoomAt(1e6, 300);
    shown.state.setCurrentSlot(SlotIndex(15'000U));
    QVERIFY(shown.view.itemRect(15'000).height() > 20);
}

void TestArrayView::itemsAreAccessibleObjects()
{
    Shown shown;
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&shown.view);
    QVERIFY(interface != nullptr);
    QCOMPARE(interface->childCount(), 21);
    QAccessibleInterface *slot11 = interface->child(11);
    QVERIFY(slot11 != nullptr);
    const QString name = slot11->text(QAccessible::Name);
    QVERIFY2(name.startsWith(u"slot 11, model, tool call run, about "_s), qPrintable(name));
    QVERIFY2(name.endsWith(u", hot"_s), qPrintable(name));
    slot11->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(shown.state.currentSlot(), SlotIndex(11U));
    QVERIFY(slot11->state().selected);
    QVERIFY(!interface->child(12)->state().selected);
}

void TestArrayView::choosingAnotherUnitChangesTheFigures()
{
    Shown shown;
    shown.state.setUnit(core::WeightUnit::Characters);
    bool found = false;
    for (int i = 0; i < shown.view.itemCount(); ++i)
        found = found || shown.view.itemName(i).contains(u"14,990 characters"_s);
    QVERIFY(found);
}

void TestArrayView::hoveringOutlinesButDoesNotSelect()
{
    Shown shown;
    const auto selected = shown.state.selection();
    QTest::mouseMove(&shown.view, shown.slotRect(6).center());
    QVERIFY(shown.state.hoveredBlock().isValid());
    QCOMPARE(shown.state.picture().before.slotOf(shown.state.hoveredBlock()), SlotIndex(6U));
    QCOMPARE(shown.state.selection(), selected);
}

void TestArrayView::everyTextIsLegibleOnItsFill()
{
    constexpr double kLegible = 4.5; // WCAG AA
    for (const auto appearance : { ui::Appearance::Light, ui::Appearance::Dark }) {
        const ui::Theme theme = ui::Theme::make(appearance);
        const auto check = [&](const QColor &text, const QColor &ground) {
            QVERIFY2(ui::contrast(text, ground) >= kLegible, qPrintable(text.name() + u" on "_s + ground.name()));
        };
        for (const QColor &fill : theme.materials) {
            check(theme.onFill, fill);
            check(theme.onFillSecondary, fill);
        }
        for (const QColor &ground : { theme.window, theme.base, theme.accentGround }) {
            check(theme.text, ground);
            check(theme.secondary, ground);
        }
        check(theme.accent, theme.base);
        check(theme.hot, theme.base);
        check(theme.base, theme.accent);
    }
}

void TestArrayView::aSmallArrayOpensWhole_data()
{
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("isWhole");
    QTest::newRow("in a high view, with room for what is heavy") << 1000 << true;
    QTest::newRow("in a lower view, with lower lines") << 420 << true;
    QTest::newRow("not where its lines could not be read") << 300 << false;
}

void TestArrayView::aSmallArrayOpensWhole()
{
    QFETCH(const int, height);
    QFETCH(const bool, isWhole);
    for (const auto mode : { ui::ArrayMode::Slots, ui::ArrayMode::Bars }) {
        Shown shown(kLine, { 900, height });
        shown.view.setMode(mode);
        const QRect first = shown.view.itemRect(0);
        const QRect last = shown.view.itemRect(20);
        QCOMPARE(!first.isEmpty() && last.height() >= 12, isWhole);
        // A zoom that the person chose stays when the height of the view changes.
        shown.view.zoomAt(1.25, 100);
        const double zoom = shown.view.zoom();
        shown.view.resize(900, height + 50);
        QCOMPARE(shown.view.zoom(), zoom);
    }
}

QTEST_MAIN(TestArrayView)
#include "tst_array_view.moc"
