// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/findings/findings_panel.h"
#include "ui/hub/thread_facts.h"
#include "ui/message/image_view.h"
#include "ui/sessions/day_bars.h"
#include "ui/timeline/timeline_view.h"

#include <QAccessible>
#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <QUndoStack>

using core::SlotIndex;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kLine = "u:81 c:59 t:78 u:14521 c:49 t:79 u:6891 c:63 t:3434 c:2553 t:25 c:14990 t:49 c:63 t:311 a:92";

core::SessionPtr calls(size_t count)
{
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.builder().session().windowTokens = 200'000;
    recording.typed("do it");
    for (size_t i = 0; i < count; ++i) {
        recording.use("Read", "a.cpp", 40, 20'000 + i * 3'000);
        recording.result("line " + std::to_string(i));
    }
    return recording.finish();
}

/// A view on a session, with the focus.
template <typename View>
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    View view { state };

    explicit Shown(const core::SessionPtr &session, QSize size = { 900, 700 })
    {
        workspace.show(session);
        view.resize(size);
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setFocus();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&view, key, modifiers); }
    [[nodiscard]] std::vector<uint32_t> selected() const
    {
        std::vector<uint32_t> numbers;
        for (const SlotIndex slot : state.selection())
            numbers.push_back(slot.value());
        return numbers;
    }
    [[nodiscard]] QString currentName() const
    {
        return view.currentItem() < 0 ? QString() : view.itemName(view.currentItem());
    }
};

using Numbers = std::vector<uint32_t>;

} // namespace

/// What the pointer does in a view, done with keys.
class TestViewKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shiftWithArrowsSelectsSlots();
    void anOutlinedSlotJoinsTheSelection();
    void thePartsOfTheBarAreChosen();
    void theKeepBoundaryMovesInOneStepOfUndo();
    void escapeTakesTheKeepBack();
    void theArrayAfterIsSteppedThrough();
    void arrowsWithShiftMeasureCalls();
    void tracesAreChosenAndHaveTheirMenu();
    void aLongTimelineTellsWhatIsInSight();
    void daysAreChosen();
    void aZoomedPictureMoves();
    void theMenuOfARowIsThatOfTheCurrentRow();
};

void TestViewKeys::shiftWithArrowsSelectsSlots()
{
    Shown<ui::ArrayView> shown(core::session(kLine));
    shown.state.setCurrentSlot(SlotIndex(4U));
    shown.press(Qt::Key_Right, Qt::ShiftModifier);
    shown.press(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), (Numbers { 4, 5, 6 }));
    QCOMPARE(shown.state.currentSlot(), SlotIndex(4U));
    for (int i = 0; i < 3; ++i)
        shown.press(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), (Numbers { 3, 4 }));
    for (int i = 0; i < 9; ++i)
        shown.press(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), (Numbers { 0, 1, 2, 3, 4 }));
}

void TestViewKeys::anOutlinedSlotJoinsTheSelection()
{
    Shown<ui::ArrayView> shown(core::session(kLine));
    shown.state.setCurrentSlot(SlotIndex(4U));
    shown.press(Qt::Key_Space, Qt::ControlModifier); // nothing is outlined yet
    QCOMPARE(shown.selected(), (Numbers { 4 }));
    for (int i = 0; i < 3; ++i)
        shown.press(Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(shown.selected(), (Numbers { 4 }));
    QVERIFY2(shown.currentName().startsWith(u"slot 7,"_s), qPrintable(shown.currentName()));
    shown.press(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(shown.selected(), (Numbers { 4, 7 }));
    shown.press(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(shown.selected(), (Numbers { 4 }));
    shown.press(Qt::Key_Right); // a step forgets the outline
    QCOMPARE(shown.state.currentSlot(), SlotIndex(5U));
    QVERIFY2(shown.currentName().startsWith(u"slot 5,"_s), qPrintable(shown.currentName()));
}

void TestViewKeys::thePartsOfTheBarAreChosen()
{
    Shown<ui::ArrayView> shown(core::session(kLine));
    std::vector<Numbers> parts;
    for (int i = 0; i < 12 && (i < 2 || parts.front() != parts.back()); ++i) {
        shown.press(Qt::Key_M);
        parts.push_back(shown.selected());
        QVERIFY2(shown.currentName().contains(u'%'), qPrintable(shown.currentName())); // a part, not a slot
    }
    QCOMPARE(parts.front(), parts.back()); // it goes round
    parts.pop_back();
    Numbers all;
    for (const Numbers &part : parts)
        all.insert(all.end(), part.begin(), part.end());
    std::ranges::sort(all);
    Numbers wanted(16);
    std::ranges::generate(wanted, [i = 0U]() mutable { return i++; });
    QCOMPARE(all, wanted); // every slot has texts of one part here
    const Numbers first = shown.selected();
    shown.press(Qt::Key_M, Qt::ShiftModifier);
    QVERIFY(shown.selected() != first);
    shown.press(Qt::Key_M);
    QCOMPARE(shown.selected(), first);
}

void TestViewKeys::theKeepBoundaryMovesInOneStepOfUndo()
{
    Shown<ui::ArrayView> shown(core::session(kLine));
    shown.workspace.previewKeep({ 6, core::Measure::Unit::Messages });
    QCOMPARE(shown.state.picture().cutoff, size_t(10));
    const int undone = shown.workspace.undoStack().count();
    for (int i = 0; i < 3; ++i)
        QTest::keyPress(&shown.view, Qt::Key_Up, Qt::ShiftModifier);
    QTRY_COMPARE(shown.state.picture().cutoff, size_t(7));
    QCOMPARE(shown.currentName(), u"keep 9 messages, the last 9 of 16 slots"_s);
    QTest::keyRelease(&shown.view, Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(shown.workspace.undoStack().count(), undone + 1);
    shown.press(Qt::Key_Down, Qt::ShiftModifier);
    QTRY_COMPARE(shown.state.picture().cutoff, size_t(8));
    shown.workspace.undoStack().undo();
    shown.workspace.undoStack().undo();
    QTRY_COMPARE(shown.state.picture().cutoff, size_t(10));
}

void TestViewKeys::escapeTakesTheKeepBack()
{
    Shown<ui::ArrayView> shown(core::session(kLine));
    shown.workspace.previewKeep({ 6, core::Measure::Unit::Messages });
    const int undone = shown.workspace.undoStack().count();
    QTest::keyPress(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QTRY_COMPARE(shown.state.picture().cutoff, size_t(11));
    shown.press(Qt::Key_Escape);
    QTRY_COMPARE(shown.state.picture().cutoff, size_t(10));
    QTest::keyRelease(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(shown.workspace.undoStack().count(), undone);
}

void TestViewKeys::theArrayAfterIsSteppedThrough()
{
    Shown<ui::ArrayView> shown(core::session(kLine));
    shown.press(Qt::Key_PageDown, Qt::ControlModifier); // there is none
    QVERIFY(!shown.currentName().contains(u"after"_s));
    shown.workspace.previewPlan(shown.workspace.planWith(core::preset("deep-agents")));
    shown.workspace.previewKeep({ 4, core::Measure::Unit::Messages });
    shown.state.waitForPicture();
    QVERIFY(shown.state.picture().after.slotCount() > 0);
    shown.state.setCurrentSlot(SlotIndex(0U));
    QStringList names;
    for (int i = 0; i < 40; ++i) {
        shown.press(Qt::Key_PageDown, Qt::ControlModifier);
        if (names.isEmpty() || names.back() != shown.currentName())
            names << shown.currentName();
    }
    const auto slots = static_cast<qsizetype>(shown.state.picture().after.slotCount());
    QCOMPARE(names.size(), slots);
    for (qsizetype i = 0; i < slots; ++i)
        QVERIFY2(names[i].startsWith(u"slot %1 after the compaction, "_s.arg(i)), qPrintable(names[i]));
    shown.press(Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(shown.currentName(), names[slots - 2]);
}

void TestViewKeys::arrowsWithShiftMeasureCalls()
{
    Shown<ui::TimelineView> shown(calls(20), { 900, 260 });
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QVERIFY(!shown.view.measured());
    for (int i = 0; i < 4; ++i)
        shown.press(Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(shown.view.measured().has_value());
    QCOMPARE(shown.view.measured()->first, size_t(0));
    QCOMPARE(shown.view.measured()->last, size_t(4));
    for (int i = 0; i < 4; ++i)
        shown.press(Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(!shown.view.measured());
    shown.press(Qt::Key_Right, Qt::ShiftModifier);
    shown.press(Qt::Key_Escape);
    QVERIFY(!shown.view.measured());
}

void TestViewKeys::tracesAreChosenAndHaveTheirMenu()
{
    Shown<ui::TimelineView> shown(calls(20), { 900, 300 });
    ui::Traces &traces = shown.workspace.facts().traces();
    traces.traceText("do it");
    traces.traceText("line 3");
    shown.workspace.facts().waitForFacts();
    shown.view.setContextActions({ new QAction(u"other"_s, &shown.view) });
    QCOMPARE(traces.count(), size_t(2));
    traces.setCurrent({});
    shown.press(Qt::Key_T);
    QVERIFY(traces.current().has_value());
    const size_t first = *traces.current();
    QVERIFY2(shown.currentName().startsWith(u"trace of "_s), qPrintable(shown.currentName()));
    shown.press(Qt::Key_T);
    QVERIFY(*traces.current() != first);
    shown.press(Qt::Key_T, Qt::ShiftModifier);
    QCOMPARE(*traces.current(), first);
    const auto menuOf = [&] {
        QContextMenuEvent asked(QContextMenuEvent::Keyboard, { 1, 1 }, shown.view.mapToGlobal(QPoint(1, 1)));
        QCoreApplication::sendEvent(&shown.view, &asked);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        const QString title = menu != nullptr ? menu->actions().front()->text() : QString();
        if (menu != nullptr)
            menu->close();
        return title;
    };
    QCOMPARE(menuOf(), u"Remove Trace"_s);
    shown.press(Qt::Key_Home); // a step goes back to the calls
    QCOMPARE(menuOf(), u"other"_s);
    QVERIFY2(shown.currentName().startsWith(u"call 0"_s), qPrintable(shown.currentName()));
}

void TestViewKeys::aLongTimelineTellsWhatIsInSight()
{
    Shown<ui::TimelineView> shown(calls(5'000), { 900, 260 });
    const std::vector<int> items = shown.view.itemsInSight();
    QVERIFY(items.size() < 900);
    QVERIFY(items.size() > 100);
    QVERIFY(std::ranges::is_sorted(items));
    shown.press(Qt::Key_Home);
    for (int i = 0; i < 7; ++i)
        shown.press(Qt::Key_Right);
    QCOMPARE(shown.view.currentItem(), 7);
    QVERIFY(std::ranges::binary_search(shown.view.itemsInSight(), 7));
}

void TestViewKeys::daysAreChosen()
{
    ui::DayBars days;
    days.setContents(nullptr);
    days.resize(days.sizeHint());
    days.show();
    QVERIFY(QTest::qWaitForWindowExposed(&days));
    QSignalSpy chosen(&days, &ui::DayBars::chosen);
    const auto last = [&] { return chosen.back().front().value<std::optional<std::pair<int, int>>>(); };
    QTest::keyClick(&days, Qt::Key_Left);
    QTest::keyClick(&days, Qt::Key_Left);
    const int day = last()->first;
    QCOMPARE(last()->second, day);
    QTest::keyClick(&days, Qt::Key_Left, Qt::ShiftModifier);
    QTest::keyClick(&days, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(*last(), std::pair(day - 2, day));
    QVERIFY(days.isItemSelected(days.currentItem()));
    QTest::keyClick(&days, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(*last(), std::pair(day - 1, day));
    QTest::keyClick(&days, Qt::Key_Escape);
    QVERIFY(!last());
}

void TestViewKeys::aZoomedPictureMoves()
{
    ui::ImageView view;
    QImage image(400, 300, QImage::Format_RGB32);
    image.fill(Qt::red);
    view.resize(200, 150);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setPicture({ { image }, u"png"_s, 1 });
    const QRectF fitted = view.pictureRect();
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.pictureRect(), fitted); // it is all there
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(&view, Qt::Key_Plus);
    const QRectF zoomed = view.pictureRect();
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.pictureRect().left() < zoomed.left() - 5);
    QTest::keyClick(&view, Qt::Key_Left);
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(view.pictureRect().top() > zoomed.top() + 5);
    QCOMPARE(view.pictureRect().left(), zoomed.left());
}

void TestViewKeys::theMenuOfARowIsThatOfTheCurrentRow()
{
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::FindingsPanel panel { state };
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.typed("Please never rename the table users_old, other teams read it.");
    for (uint64_t i = 0; i < 12; ++i) {
        if (i == 6)
            recording.summarise(500);
        recording.use("Read", "a.cpp", 40, 20'000);
        recording.result("the same line every time, and it is long enough to be found again later");
    }
    workspace.show(recording.finish());
    panel.resize(1000, 260);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    panel.waitForContent();
    QAction row(u"of the row"_s);
    panel.setRowActions({ &row });
    auto *table = panel.findChild<QTreeView *>(u"findingsTable"_s);
    QVERIFY(table->model()->rowCount() > 0);
    const QModelIndex last = table->model()->index(table->model()->rowCount() - 1, 0);
    table->setCurrentIndex(last);
    const QPoint middle = table->rect().center(); // where Qt says that the key was pressed
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, middle, table->mapToGlobal(middle));
    QCoreApplication::sendEvent(table, &asked);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    const QRect place(
        table->viewport()->mapToGlobal(table->visualRect(last).topLeft()), table->visualRect(last).size());
    QVERIFY2(place.contains(menu->pos()), "the menu is not at the current row");
    menu->close();
    // The keys 1 to 9 follow the links.
    state.setPosition({});
    QTest::keyClick(table, Qt::Key_9);
    QTest::keyClick(table, Qt::Key_1);
    QVERIFY(state.position().call.isValid() || state.currentBlock().isValid());
}

PALIMPSEST_TEST(TestViewKeys)

#include "tst_view_keys.moc"
