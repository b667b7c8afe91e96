// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/session/slot_label.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/array/array_words.h"
#include "ui/array/composition.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/text/text_look.h"
#include "ui/weight/weight_model.h"
#include "ui/weight/weight_panel.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

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
    [[nodiscard]] QString slotName(uint32_t slot) const
    {
        for (int i = 0; i < view.itemCount(); ++i) {
            if (view.itemName(i).startsWith(u"slot %1,"_s.arg(slot)))
                return view.itemName(i);
        }
        return {};
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
    void narrowLabelsNameTheTools();
    void theArrayIsThereWithoutASession();
    void clickingASlotSelectsIt();
    void shiftAndControlSelectSeveral();
    void keysStepThroughSlots();
    void theKeepBoundaryIsDraggedAndUndoneInOneStep();
    void theArrayAfterFollowsTheOneBefore();
    void aClickOnAChangedSlotChoosesTheChange();
    void equalArraysScrollAsOne();
    void zoomingKeepsThePointUnderThePointer();
    void anotherCallKeepsWhatStandsAtTheTop();
    void thirtyThousandSlotsKeepEverySlotReachable();
    void itemsAreAccessibleObjects();
    void choosingAnotherUnitChangesTheFigures();
    void hoveringOutlinesButDoesNotSelect();
    void everyTextIsLegibleOnItsFill();
    void everyMaterialIsToldFromTheOthers();
    void hotSlotsAreThoseOfTheWeightPanel();
    void usesChangeTheOrderOfHotSlotsAlone();
    void theCacheIsToldOfEverySlot_data();
    void theCacheIsToldOfEverySlot();
    void withoutAModelOfTheCacheNothingIsToldOfIt();
    void aSmallArrayOpensWhole_data();
    void aSmallArrayOpensWhole();
    void aHeavySlotIsTallerThanALightOneWhenAllIsShown();
    void theCompositionAddsUpToTheTotal_data();
    void theCompositionAddsUpToTheTotal();
    void whatIsTakenOffStandsOutsideTheBar();
    void partsOfTheCompositionAreNamedAndChosen();
    void theKeepOfNoPolicyIsATrial();
    void theRemainderSaysWhatItIs();
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

void TestArrayView::narrowLabelsNameTheTools()
{
    const auto narrow = [](const char *role, const char *what) { return ui::narrowWords({ role, what, "/work/a" }); };
    QCOMPARE(narrow("model", "tool_call Read"), u"Read"_s);
    QCOMPARE(narrow("model", "tool_call Read ×2"), u"Read ×2"_s);
    QCOMPARE(narrow("tool", "result Read, Bash ×3"), u"Read, Bash ×3"_s);
    QCOMPARE(narrow("tool", "result ×2"), u"result ×2"_s); // no tool is recorded
    QCOMPARE(narrow("tool", "result"), u"result"_s);
    QCOMPARE(narrow("tool", "error Bash"), u"error Bash"_s);
    QCOMPARE(narrow("user", "text"), u"text"_s);
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
    // The handle stands at the line above slot 15, right of the slots: find it by its cursor.
    const QRect slot15 = shown.slotRect(15);
    QPoint handle;
    for (int x = slot15.right() + 100; x > slot15.left() && handle.isNull(); x -= 4) {
        QTest::mouseMove(&shown.view, { x, slot15.top() - 1 });
        if (shown.view.cursor().shape() == Qt::SplitVCursor)
            handle = { x - 10, slot15.top() - 1 };
    }
    QVERIFY2(!handle.isNull(), "the keep boundary has no handle");
    QVERIFY2(handle.x() > slot15.right(), "the handle of the keep boundary covers the words of slots");
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
            if (shown.view.itemName(i).startsWith(u"slot %1 after the compaction,"_s.arg(slot)))
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

void TestArrayView::aClickOnAChangedSlotChoosesTheChange()
{
    Shown shown(kLine, { 1200, 900 });
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("genkit-recipe-figure")), u"Choose"_s);
    const core::CompactionPtr made = shown.state.picture().simulated;
    QVERIFY(made != nullptr);
    int changed = 0;
    for (uint32_t slot = 0; slot < made->before.slotCount(); ++slot) {
        const SlotIndex after = made->afterOf[slot];
        if (!after.isValid() || made->fates[slot] == core::Fate::Summarised)
            continue;
        for (int i = 0; i < shown.view.itemCount(); ++i) {
            if (shown.view.itemName(i).startsWith(u"slot %1 after the compaction,"_s.arg(after.value())))
                shown.view.activateItem(i);
        }
        QCOMPARE(shown.state.currentSlot(), SlotIndex(slot));
        QCOMPARE(shown.state.selection(), std::vector { SlotIndex(slot) });
        const bool isChanged = made->fates[slot] != core::Fate::Kept;
        QCOMPARE(shown.state.shownChange().isValid(), isChanged);
        changed += isChanged ? 1 : 0;
        if (isChanged)
            QCOMPARE(shown.state.picture().originOf(shown.state.shownChange()), shown.state.currentBlock());
        shown.state.setCurrentSlot(SlotIndex(slot));
        QVERIFY(!shown.state.shownChange().isValid());
    }
    QVERIFY(changed > 0);
}

void TestArrayView::equalArraysScrollAsOne()
{
    std::string line;
    for (int i = 0; i < 100; ++i)
        line += "u:30 a:90 ";
    Shown shown(core::session(line), { 1200, 700 });
    ui::Plan plan = shown.workspace.planWith(core::preset("langchain-summarization"));
    plan.honoursTriggers = true;
    shown.workspace.commitPlan(plan, u"Choose"_s);
    shown.state.waitForPicture();
    QVERIFY(shown.state.picture().made() && shown.state.picture().made()->changesNothing());
    int half = 0; // where the items of the right column begin
    while (!shown.view.itemName(half).contains(u"after the compaction"_s))
        ++half;
    const auto areAside = [&] {
        int inSight = 0;
        for (int i = 0; i < half; ++i) {
            const QRect before = shown.view.itemRect(i);
            const QRect after = shown.view.itemRect(half + i);
            // A hot slot is a pixel higher.
            if (std::abs(before.top() - after.top()) > 1 || before.bottom() != after.bottom())
                return false;
            inSight += before.isEmpty() ? 0 : 1;
        }
        return inSight > 5;
    };
    for (const ui::ArrayMode mode : { ui::ArrayMode::Slots, ui::ArrayMode::BarsHeaviest }) {
        shown.view.setMode(mode);
        QVERIFY(areAside());
        for (const int x : { 1000, 200 }) { // over either column
            const QPointF at(x, 400);
            const int before = shown.view.itemAt(at.toPoint());
            QWheelEvent wheel(at, shown.view.mapToGlobal(at), {}, { 0, -240 }, Qt::NoButton, Qt::NoModifier,
                Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&shown.view, &wheel);
            QVERIFY(shown.view.itemAt(at.toPoint()) != before);
            QVERIFY(areAside());
        }
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
    const auto parts = shown.view.accessibleDescription().count(u';') + 1;
    QCOMPARE(interface->childCount(), 21 + static_cast<int>(parts) + 1); // slots, the bar's parts, the keep boundary
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

namespace {

/// Linear light.
double linear(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple times(const Matrix &matrix, const Triple &vector)
{
    Triple made {};
    for (size_t row = 0; row < 3; ++row)
        made[row] = std::inner_product(vector.begin(), vector.end(), matrix[row].begin(), 0.0);
    return made;
}

/// L*a*b* of a colour as an eye sees it.
Triple labOf(const QColor &colour, const Matrix &eye)
{
    static constexpr Matrix kXyz { { { 0.4124, 0.3576, 0.1805 }, { 0.2126, 0.7152, 0.0722 },
        { 0.0193, 0.1192, 0.9505 } } };
    Triple light = times(eye, { linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF()) });
    for (double &part : light)
        part = std::clamp(part, 0.0, 1.0);
    const Triple xyz = times(kXyz, light);
    const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = root(xyz[0] / 0.9505);
    const double y = root(xyz[1]);
    const double z = root(xyz[2] / 1.089);
    return { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

/// The usual eye, and those without one kind of cones (Machado, Oliveira, Fernandes 2009, severity 1).
constexpr std::array<Matrix, 4> kEyes { {
    { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
    { { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } } },
    { { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } } },
    { { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } } },
} };

} // namespace

void TestArrayView::everyMaterialIsToldFromTheOthers()
{
    constexpr double kDistance = 10;
    for (const auto appearance : { ui::Appearance::Light, ui::Appearance::Dark }) {
        const auto materials = ui::Theme::make(appearance).materials;
        for (const Matrix &eye : kEyes) {
            for (size_t i = 0; i < materials.size(); ++i) {
                for (size_t j = i + 1; j < materials.size(); ++j) {
                    const Triple one = labOf(materials[i], eye);
                    const Triple other = labOf(materials[j], eye);
                    const double apart = std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
                    QVERIFY2(apart >= kDistance,
                        qPrintable(u"%1 and %2: %3"_s.arg(materials[i].name(), materials[j].name()).arg(apart)));
                }
            }
        }
    }
}

namespace {

/// Slots: 0 user, then a tool call and its result again and again; each call reads what the one before was sent.
core::SessionPtr cachedCalls(bool isLost)
{
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5-20251101";
    recording.builder().session().traits = &core::kLikeClaudeCode;
    recording.typed("do it");
    for (uint64_t i = 0; i < 6; ++i) {
        recording.use("Read", "file" + std::to_string(i) + ".cpp", 40, 10'000 + i * 5000);
        recording.result(std::string(static_cast<size_t>(20'000 - i * 2000), 'r'));
    }
    auto &calls = recording.builder().thread(core::ThreadIndex(0U)).calls;
    for (size_t i = 0; i < calls.size(); ++i) {
        const uint64_t prompt = 10'000 + i * 5000;
        const uint64_t read = i == 0 || (isLost && i == 4) ? 0 : prompt - 5000;
        calls[i].usage = core::Usage { 0, read, prompt - read, 10 };
        if (isLost && i >= 4)
            calls[i].time = *calls[i].time + core::kOneHour;
    }
    return recording.finish();
}

} // namespace

void TestArrayView::hotSlotsAreThoseOfTheWeightPanel()
{
    Shown shown(cachedCalls(false), { 900, 900 });
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(5U) });
    ui::WeightPanel panel(shown.state);
    panel.setInSight(true);
    panel.setGroupBy(core::GroupBy::Block);
    const QRect before = shown.slotRect(4);
    const core::BlockId current = shown.state.currentBlock();
    QSignalSpy hot(&shown.state, &ui::ViewState::hotChanged);
    QSignalSpy picture(&shown.state, &ui::ViewState::pictureChanged);
    const bool isKnown = shown.workspace.facts().uses() != nullptr; // while the window came up
    shown.workspace.facts().waitForFacts();
    QTRY_VERIFY(shown.workspace.facts().uses() != nullptr);
    QTRY_VERIFY(isKnown || hot.count() > 0);
    QCOMPARE(picture.count(), 0); // nothing but the edges changes
    QCOMPARE(shown.slotRect(4), before);
    QCOMPARE(shown.state.currentBlock(), current);
    const auto *model = panel.findChild<ui::WeightModel *>();
    QVERIFY(model != nullptr);
    QTRY_VERIFY(model->knowsResentUnused());
    std::vector<core::BlockId> listed;
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, 0).data(ui::WeightModel::HotRole).toBool())
            listed.push_back(model->group(row).heaviest);
    }
    std::vector<core::BlockId> marked;
    for (const core::HotBlock &each : shown.state.picture().hot->blocks)
        marked.push_back(each.block);
    QCOMPARE(marked, listed);
    QVERIFY(!listed.empty());
    // The edges and the keys say the same.
    const QImage image = shown.view.grab().toImage();
    for (uint32_t slot = 0; slot < 11; ++slot) {
        const bool isHot = shown.state.picture().hot->of(SlotIndex(slot)) != nullptr;
        const QRect rect = shown.slotRect(slot);
        if (rect.height() < 8)
            continue;
        QCOMPARE(image.pixelColor(rect.left() + 3, rect.center().y()) == shown.state.theme().hot, isHot);
        QCOMPARE(shown.slotName(slot).contains(u", hot"_s), isHot);
    }
}

void TestArrayView::usesChangeTheOrderOfHotSlotsAlone()
{
    const auto sample
        = core::loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.genkit.json");
    QVERIFY(sample.has_value());
    Shown shown(*sample, { 900, 900 });
    const auto hot = [&] {
        std::vector<uint32_t> slots;
        for (const core::HotBlock &each : shown.state.picture().hot->blocks)
            slots.push_back(each.slot.value());
        std::ranges::sort(slots);
        return slots;
    };
    const std::vector<uint32_t> expected { 3, 6, 8, 9, 11 };
    QCOMPARE(hot(), expected);
    shown.workspace.facts().waitForFacts();
    QTRY_VERIFY(shown.workspace.facts().uses() != nullptr);
    QCOMPARE(hot(), expected);
}

void TestArrayView::theCacheIsToldOfEverySlot_data()
{
    QTest::addColumn<ui::ArrayMode>("mode");
    QTest::addColumn<bool>("isDark");
    QTest::newRow("as slots") << ui::ArrayMode::Slots << false;
    QTest::newRow("as bars") << ui::ArrayMode::Bars << false;
    QTest::newRow("heaviest first") << ui::ArrayMode::BarsHeaviest << false;
    QTest::newRow("in dark colours") << ui::ArrayMode::Slots << true;
}

void TestArrayView::theCacheIsToldOfEverySlot()
{
    QFETCH(const ui::ArrayMode, mode);
    QFETCH(const bool, isDark);
    for (const bool isLost : { false, true }) {
        Shown shown(cachedCalls(isLost), { 900, 900 });
        shown.state.setTheme(ui::Theme::make(isDark ? ui::Appearance::Dark : ui::Appearance::Light));
        shown.view.setMode(mode);
        shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(4U) });
        shown.workspace.figures().waitForFigures();
        const auto nameOf = [&](uint32_t slot) { return shown.slotName(slot); };
        // Call 4 goes on from slots 0 to 6 of call 3.
        QVERIFY2(nameOf(6).contains(isLost ? u", not read from the cache"_s : u", read from the cache"_s),
            qPrintable(nameOf(6)));
        QVERIFY2(nameOf(7).contains(u", not read from the cache"_s), qPrintable(nameOf(7)));
        QVERIFY(nameOf(8).endsWith(u"cache mark"_s));
        QVERIFY(nameOf(6).contains(u"cache mark"_s));
        QVERIFY(!nameOf(7).contains(u"cache mark"_s));
        QCOMPARE(nameOf(0).contains(u"idle for 59 min"_s), isLost);
        // The rail stands beside what was read.
        const QImage image = shown.view.grab().toImage();
        const QColor &rail = shown.state.theme().secondary;
        const auto hasRail = [&](uint32_t slot) {
            const QRect rect = shown.slotRect(slot);
            return image.pixelColor(rect.left() - 3, rect.center().y()) == rail;
        };
        QCOMPARE(hasRail(3), !isLost);
        QCOMPARE(hasRail(5), !isLost);
        QVERIFY(!hasRail(7));
        if (mode == ui::ArrayMode::BarsHeaviest)
            continue;
        // A line between what was read and what was new; red where the cache was lost.
        const QRect first = shown.slotRect(isLost ? 0 : 7);
        const QColor line = isLost ? shown.state.theme().hot : shown.state.theme().text;
        bool hasLine = false;
        for (int y = first.top() - 4; y <= first.top() + 1; ++y)
            hasLine = hasLine || image.pixelColor(first.left() - 5, y) == line;
        QVERIFY(hasLine);
    }
}

void TestArrayView::withoutAModelOfTheCacheNothingIsToldOfIt()
{
    Shown shown;
    shown.workspace.figures().waitForFigures();
    for (int i = 0; i < shown.view.itemCount(); ++i)
        QVERIFY2(!shown.view.itemName(i).contains(u"cache"_s), qPrintable(shown.view.itemName(i)));
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

void TestArrayView::aHeavySlotIsTallerThanALightOneWhenAllIsShown()
{
    std::string line = "u:60";
    for (int i = 0; i < 150; ++i)
        line += i == 70 ? " c:60 t:80000*" : " c:60 t:60";
    Shown shown(line.c_str());
    shown.view.fit();
    const QRect heavy = shown.slotRect(142);
    const QRect light = shown.slotRect(144);
    const core::Transcript &array = shown.state.picture().before;
    const auto weight = [&](uint32_t slot) { return shown.state.weights().of(array, array.slot(SlotIndex(slot))); };
    QVERIFY(weight(142) > 15'000 && weight(144) < 30);
    QVERIFY2(heavy.height() >= 3 * light.height() && heavy.height() >= 8,
        qPrintable(u"%1 and %2 pixels"_s.arg(heavy.height()).arg(light.height())));
}

void TestArrayView::theCompositionAddsUpToTheTotal_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("heavy results") << QString();
    QTest::newRow("Claude Code") << u"claude-code/entireio+cli/cd-95adddad32-0.full.jsonl"_s;
    QTest::newRow("Codex")
        << u"codex/Monotoba+OpenPrintKit/rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23.jsonl"_s;
    QTest::newRow("pi") << u"pi/badlogic+pi-mono/compact.v1.jsonl"_s;
}

void TestArrayView::theCompositionAddsUpToTheTotal()
{
    QFETCH(const QString, file);
    if (!file.isEmpty() && testing::corpus().empty())
        QSKIP("There is no corpus here.");
    ui::Workspace workspace;
    if (file.isEmpty())
        workspace.show(core::heavySession(20));
    else
        QVERIFY(workspace.openNow(testing::corpus() / file.toStdString()));
    ui::ViewState state(workspace);
    const core::Thread &thread = workspace.session()->thread(core::ThreadIndex(0U));
    const size_t step = std::max<size_t>(1, thread.calls.size() / 12);
    size_t seen = 0;
    for (size_t call = 0; call <= thread.calls.size(); call += step) {
        const bool isEnd = call + step > thread.calls.size();
        state.setPosition({ core::ThreadIndex(0U), isEnd ? core::CallIndex() : core::CallIndex(call) });
        state.waitForPicture();
        const ui::ArrayPicture &picture = state.picture();
        const auto prelude = isEnd ? thread.prelude : thread.calls[call].prelude;
        const ui::ArrayColumn column(picture.before, picture.weights, picture.sum, prelude, ui::ArrayMode::Slots);
        const auto parts = ui::compositionOf(column, picture.weights);
        double sum = 0;
        int percent = 0;
        for (const ui::CompositionPart &part : parts) {
            sum += part.weight;
            percent += part.percent;
        }
        const double total = picture.sum.value();
        // Parts of less than half a token are not shown.
        QVERIFY2(std::abs(sum - total) <= 1 + total * 1e-6, qPrintable(u"%1 for %2"_s.arg(sum).arg(total)));
        QCOMPARE(percent, 100);
        const auto pieces = ui::compositionPieces(parts, 10, 410);
        QCOMPARE(pieces.size(), parts.size());
        QCOMPARE(pieces.front().left, 10.0);
        QVERIFY(std::abs(pieces.back().right - 410) < 1e-6);
        ++seen;
    }
    QVERIFY(seen > 5);
}

void TestArrayView::whatIsTakenOffStandsOutsideTheBar()
{
    const core::SessionPtr session = core::session("u:100 a:300 s:600");
    const core::Transcript transcript(session, session->thread(core::ThreadIndex(0U)).end);
    const core::Weights weights(core::oneTokenACharacter(*session), core::WeightUnit::Tokens);
    core::ArraySum sum;
    sum.prelude = 500;
    sum.slots = 1000;
    sum.unlogged = 250;
    sum.notSent = 400;
    sum.remainder = -50;
    const ui::ArrayColumn column(transcript, weights, sum, {}, ui::ArrayMode::Slots);
    const auto parts = ui::compositionOf(column, weights);
    using Kind = ui::ArrayItem::Kind;
    std::vector<std::pair<Kind, double>> found;
    for (const ui::CompositionPart &part : parts)
        found.emplace_back(part.kind, part.weight);
    QCOMPARE(found.size(), size_t(6));
    QCOMPARE(found[0], (std::pair { Kind::Prelude, 500.0 }));
    QCOMPARE(found[1], (std::pair { Kind::Slot, 600.0 })); // system
    QCOMPARE(found[2], (std::pair { Kind::Slot, 400.0 })); // prose
    QCOMPARE(found[3], (std::pair { Kind::Unlogged, 250.0 }));
    QCOMPARE(found[4], (std::pair { Kind::NotSent, -400.0 }));
    QCOMPARE(found[5], (std::pair { Kind::Remainder, -50.0 }));
    QCOMPARE(column.wholeWeight(), 1300.0);
    QCOMPARE(parts[1].percent, 46);
    QCOMPARE(parts[4].percent, -31);
    const auto pieces = ui::compositionPieces(parts, 0, 2205); // one pixel a token, and the gap
    QCOMPARE(pieces[3].right, 1750.0);
    QCOMPARE(pieces[4].left, 1755.0);
    QCOMPARE(pieces[5].right, 2205.0);
}

void TestArrayView::partsOfTheCompositionAreNamedAndChosen()
{
    Shown shown(core::heavySession(20), { 900, 700 });
    const core::Transcript &transcript = shown.state.picture().before;
    const std::vector<SlotIndex> results = ui::slotsWith(transcript, core::Material::Bulk);
    QCOMPARE(results.size(), size_t(20));
    // Output is nearly all of this array: the middle of the bar.
    const QRect column = shown.slotRect(2);
    const QPoint middle(column.center().x(), 55);
    QHelpEvent help(QEvent::ToolTip, middle, shown.view.mapToGlobal(middle));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"files and output: "_s), qPrintable(QToolTip::text()));
    QVERIFY2(QToolTip::text().contains(u" % of the prompt"_s), qPrintable(QToolTip::text()));
    QVERIFY(shown.view.accessibleDescription().contains(u"files and output ~"_s));
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, middle);
    QCOMPARE(shown.state.selection(), results);
    QCOMPARE(shown.view.grab().toImage().pixelColor(middle), shown.state.theme().of(core::Material::Bulk));
    // With the colours of the roles it names the roles.
    shown.state.setColourBy(ui::ColourBy::Role);
    const QString words = shown.view.accessibleDescription();
    QVERIFY2(words.contains(u"tool ~"_s) && !words.contains(u"files and output"_s), qPrintable(words));
    QVERIFY(ui::slotsWith(transcript, core::Material::ToolRequest, ui::ColourBy::Role).size() >= 20);
    QCOMPARE(ui::slotsWith(transcript, core::Material::Bulk, ui::ColourBy::Role), results);
}

void TestArrayView::theKeepOfNoPolicyIsATrial()
{
    Shown shown;
    const auto tip = [&] { return shown.view.itemTip(shown.view.itemCount() - 1); };
    QVERIFY2(tip().startsWith(u"keep 6 messages, the last 6 of 21 slots\n"_s), qPrintable(tip()));
    QVERIFY2(tip().contains(u"A trial, not a setting of the harness"_s), qPrintable(tip()));
    const QPoint handle = shown.view.itemRect(shown.view.itemCount() - 1).center();
    QHelpEvent help(QEvent::ToolTip, handle, shown.view.mapToGlobal(handle));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"A trial"_s), qPrintable(QToolTip::text()));
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("genkit-recipe-figure")), u"Choose"_s);
    QVERIFY2(tip().contains(u"The policy keeps the messages below this line"_s), qPrintable(tip()));
    QVERIFY2(!tip().contains(u"trial"_s), qPrintable(tip()));
}

void TestArrayView::theRemainderSaysWhatItIs()
{
    core::RecordedSession recorded;
    recorded.typed(std::string(4000, 't'));
    for (uint64_t call = 0; call < 8; ++call) { // no estimate of what grows by a call fits all of them
        recorded.reply(std::string(400, 'a'), 10'000 + call * 300 + (call % 2) * 80);
        recorded.typed("go on");
    }
    Shown shown(recorded.finish(), { 900, 900 });
    std::set<bool> negative;
    for (uint32_t call = 0; call < 8; ++call) {
        shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(call) });
        const core::ArraySum &sum = shown.state.picture().sum;
        if (!sum.isRecorded() || std::abs(sum.remainder) < 1)
            continue;
        QString tip;
        for (int i = 0; i < shown.view.itemCount() && tip.isEmpty(); ++i) {
            if (shown.view.itemName(i).startsWith(u"remainder, "_s))
                tip = shown.view.itemTip(i);
        }
        QVERIFY2(tip.contains(u"The error of the estimates"_s), qPrintable(tip));
        QVERIFY2(tip.contains(sum.remainder < 0 ? u"together larger than the recorded prompt"_s
                                                : u"together smaller than the recorded prompt"_s),
            qPrintable(tip));
        negative.insert(sum.remainder < 0);
    }
    QVERIFY(!negative.empty());
}

PALIMPSEST_TEST(TestArrayView)
#include "tst_array_view.moc"
