// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/hub/bookmarks.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/timeline/timeline_view.h"

#include <QAccessible>
#include <QBackingStore>
#include <QPaintEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <set>

using namespace Qt::StringLiterals;
using core::CallIndex;

namespace {

constexpr int kPillBottom = 43; ///< a row of the pill below its word

/// Twenty calls, a summary behind call 9.
core::SessionPtr twentyCalls()
{
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.typed("do it");
    for (uint64_t i = 0; i < 20; ++i) {
        if (i == 10)
            recording.summarise(500);
        if (i == 5)
            recording.typed("and then");
        const uint64_t since = i < 10 ? i : i - 10;
        recording.use("Read", "a.cpp", 40, 20'000 + since * 13'000);
        recording.result(2000);
    }
    return recording.finish();
}

/// A view on a session, shown offscreen.
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::TimelineView view { state };

    explicit Shown(const core::SessionPtr &session = twentyCalls(), QSize size = { 900, 210 })
    {
        ui::installPaintedAccessibility();
        workspace.show(session);
        view.resize(size);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    /// The number of items once the findings are among them.
    [[nodiscard]] int itemsWithFindings()
    {
        workspace.findings().waitForFindings();
        const int count = 22 + static_cast<int>(workspace.findings().get()->places.size()); // calls, end, compaction
        return QTest::qWaitFor([&] { return view.itemCount() == count; }) ? count : -1;
    }
    /// The middle of a call's column, at half the height of the plot.
    [[nodiscard]] QPoint at(int column) const { return view.itemRect(column).center(); }
    [[nodiscard]] size_t chosen() const
    {
        return state.position().call.isValid() ? state.position().call.index() : SIZE_MAX;
    }

    void move(QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {})
    {
        QMouseEvent event(QEvent::MouseMove, to, view.mapToGlobal(to), Qt::NoButton, button, modifiers);
        QCoreApplication::sendEvent(&view, &event);
    }
    void wheel(QPoint to, int delta, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(
            to, view.mapToGlobal(to), {}, { 0, delta }, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }
    /// Under a preset, or a changed one.
    void follow(const char *preset, const char *key = nullptr, const char *value = "")
    {
        core::PolicyPtr policy = core::preset(preset);
        QVERIFY(policy != nullptr);
        if (key != nullptr)
            policy = std::make_shared<const core::Policy>(core::withSetting(*policy, key, value).value());
        workspace.previewPlan(workspace.planWith(policy));
    }
    /// The label of the trigger is the last item.
    [[nodiscard]] QRect label() const { return view.itemRect(view.itemCount() - 1); }
    [[nodiscard]] std::string trigger() const { return workspace.plan().policy->trigger.text(); }
    [[nodiscard]] QImage picture() const
    {
        QImage image(view.size(), QImage::Format_RGB32);
        QPainter painter(&image);
        view.paint(painter, image.rect());
        return image;
    }
};

/// Whether some pixel of the column at `x` between two heights has the colour.
bool hasColour(const QImage &image, int x, int from, int to, const QColor &colour)
{
    for (int y = from; y < to; ++y) {
        if (image.pixelColor(x, y) == colour)
            return true;
    }
    return false;
}

} // namespace

/// The timeline as people use it: real events on a real window, pixels where they must be.
class TimelineViewTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itOpensAtTheHeaviestCall();
    void aClickChoosesACall();
    void theLastColumnIsTheEnd();
    void aDragScrubs();
    void keysStepThroughCalls();
    void whatIsUnderThePointerIsReadOut();
    void zoomKeepsTheCallUnderThePointer();
    void panningMovesAndFittingShowsAll();
    void aShiftDragMeasures();
    void theGroundIsUnderTheCurve();
    void theChosenCallIsALineAndAPill();
    void thePillIsNeverClipped_data();
    void thePillIsNeverClipped();
    void aCompactionIsARedCircleWithADottedDrop();
    void ofTwoCompactionsBehindOneCallEachIsShown();
    void kindsOfCompactionLookDifferent();
    void theWindowIsADashedLine();
    void aCurveBeyondTheWindowIsInSight();
    void aMovedTriggerPaintsLikeAllOfIt_data();
    void aMovedTriggerPaintsLikeAllOfIt();
    void estimatedPartsAreLighter();
    void everySizeAndSessionIsPainted();
    void itemsAreAccessibleObjects();
    void findingsAreDots();
    void bookmarksAreRibbons();
    void aThreadHasItsOwnCurve();
    void picturesAreTheSameAsTheScreen();
    void theTriggerIsALineWithItsWords();
    void aPolicyIsPaintedAtEverySize();
    void theTriggerIsDragged();
    void escapeTakesADragBack();
    void theTriggerMovesByKeys();
    void triggersThatAreNotOneMeasureStay();
    void aTriggerAboveThePlotIsPulledIn();
    void theLabelCoversNoOtherWords_data();
    void theLabelCoversNoOtherWords();
    void aPolicyHasACurveOfItsOwn();
    void theCurveFollowsWhileTheTriggerIsDragged();
    void aSlowCurveWaitsUntilTheDragStandsStill();
    void theCounterfactualPartIsHatched();
    void aDragOnTheAxisMeasures();
    void aMeasuredRangeTellsWhatThePolicySent();
    void aTraceIsALane();
    void aClickOnALaneGoesThere();
    void tracesAreRemoved();
    void underAPolicyATraceHasASecondLane();
    void theCacheHasALane();
    void aModelWithoutAPriceSaysWhereToGiveOne();
    void withoutACacheThereIsNoLane();
    void aPolicyHasABandAndASumOfItsOwn();
    void otherPoliciesAreCompared();
    void theLayerOfCurvesIsWhatIsPainted();
};

void TimelineViewTest::aPolicyHasACurveOfItsOwn()
{
    Shown shown;
    QVERIFY(shown.view.policyWords().isEmpty());
    const QRect column = shown.view.itemRect(4);
    const int middle = (column.top() + column.bottom()) / 2;
    const QColor accent = shown.state.theme().accent;
    QVERIFY(!hasColour(shown.picture(), column.center().x(), middle, column.bottom(), accent));
    shown.follow("deep-agents", "trigger", "190000tok");
    shown.workspace.replays().waitForReplay();
    QVERIFY2(
        shown.view.policyWords().startsWith(u"policy: no compaction, peak "_s), qPrintable(shown.view.policyWords()));
    shown.workspace.figures().waitForFigures();
    const core::PromptSums &computed = shown.workspace.figures().recorded()->prompts.computed;
    const QString recorded = u"(recorded run: "_s + QString::fromStdString(core::shownShort(computed.sum));
    QVERIFY2(shown.view.policyWords().contains(recorded), qPrintable(shown.view.policyWords()));
    // In a narrow view the facts say whose they are.
    QVERIFY2(shown.view.factsFor(2000).startsWith(u"Deep Agents: no compaction, peak "_s),
        qPrintable(shown.view.factsFor(2000)));
    QCOMPARE(shown.view.factsFor(10), u"Deep Agents: no compaction"_s);
    QVERIFY(hasColour(shown.picture(), column.center().x(), middle, column.bottom(), accent));
    shown.workspace.previewPlan(shown.workspace.planWith(core::PolicyPtr()));
    QVERIFY(shown.view.policyWords().isEmpty());
    QVERIFY(!hasColour(shown.picture(), column.center().x(), middle, column.bottom(), accent));
}

void TimelineViewTest::theCurveFollowsWhileTheTriggerIsDragged()
{
    Shown shown;
    shown.follow("langchain-summarization", "trigger", "190000tok");
    shown.workspace.replays().waitForReplay();
    const QString before = shown.view.policyWords();
    const QRect column = shown.view.itemRect(4);
    shown.workspace.beginGesture();
    for (const char *trigger : { "100000tok", "40000tok", "2000tok" })
        shown.follow("langchain-summarization", "trigger", trigger);
    shown.workspace.replays().waitForReplay();
    QVERIFY(shown.view.policyWords() != before);
    // The newest that was asked for, and it says what it assumes; the axis has stayed.
    QCOMPARE(shown.workspace.replays().current()->policy->trigger.text(), std::string("2000tok"));
    QVERIFY2(shown.view.policyWords().contains(u"each summary is assumed to have ~"_s),
        qPrintable(shown.view.policyWords()));
    QCOMPARE(shown.view.itemRect(4), column);
}

void TimelineViewTest::aSlowCurveWaitsUntilTheDragStandsStill()
{
    using namespace std::chrono_literals;
    Shown shown;
    shown.follow("langchain-summarization", "trigger", "190000tok");
    ui::Replays &replays = shown.workspace.replays();
    replays.waitForReplay();
    const QSignalSpy made(&replays, &ui::Replays::changed);
    const auto drag = [&] {
        for (const char *trigger : { "100000tok", "40000tok", "2000tok" })
            shown.follow("langchain-summarization", "trigger", trigger);
    };
    // Quick ones: the first step's, and the newest's after it.
    replays.setSlow(1h);
    drag();
    replays.waitForReplay();
    QCOMPARE(made.count(), 2);
    // Slow ones: nothing is begun while the plan moves, and then the newest, which nobody has to ask for.
    replays.setSlow(0ns);
    drag();
    QVERIFY(replays.isRunning());
    QTRY_VERIFY(!replays.isRunning());
    QCOMPARE(made.count(), 3);
    QCOMPARE(replays.current()->policy->trigger.text(), std::string("2000tok"));
    // The end of a gesture waits for nothing: not where it changed something, not where it came back, not undone.
    replays.setSlow(0ns, 1h);
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("langchain-summarization")), u"Choose"_s);
    QTRY_COMPARE(made.count(), 4);
    const auto gesture = [&](bool isCancelled, bool comesBack) {
        shown.workspace.beginGesture();
        drag();
        if (comesBack)
            shown.workspace.previewPlan(shown.workspace.planWith(core::preset("langchain-summarization")));
        isCancelled ? shown.workspace.cancelGesture() : shown.workspace.endGesture(u"Drag"_s);
    };
    gesture(true, false);
    QTRY_COMPARE(made.count(), 5);
    gesture(false, true);
    QTRY_COMPARE(made.count(), 6);
    QVERIFY(!shown.workspace.isPreviewing());
    gesture(false, false);
    QTRY_COMPARE(made.count(), 7);
    shown.workspace.undoStack().undo();
    QTRY_COMPARE(made.count(), 8);
    QCOMPARE(replays.current()->policy->trigger.text(), shown.workspace.plan().policy->trigger.text());
    // A policy that is taken away takes what waits with it.
    drag();
    shown.workspace.commitPlan(shown.workspace.planWith(core::PolicyPtr()), u"As Recorded"_s);
    QVERIFY(!replays.isRunning());
    QVERIFY(!replays.current());
}

void TimelineViewTest::theCounterfactualPartIsHatched()
{
    Shown shown;
    shown.follow("deep-agents", "trigger", "190000tok");
    shown.workspace.replays().waitForReplay();
    const QImage image = shown.picture();
    const int bottom = shown.view.itemRect(4).bottom();
    const auto coloursOf = [&](int column) {
        std::set<QRgb> colours;
        const int x = shown.at(column).x() + 5;
        for (int y = bottom - 10; y < bottom - 2; ++y)
            colours.insert(image.pixel(x, y));
        return colours.size();
    };
    QCOMPARE(coloursOf(4), size_t(1));
    QVERIFY(coloursOf(14) > 1);
}

void TimelineViewTest::aDragOnTheAxisMeasures()
{
    Shown shown;
    const auto axisAt = [&](int column) {
        const QRect rect = shown.view.itemRect(column);
        return QPoint(rect.center().x(), rect.bottom() + 20);
    };
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, axisAt(12));
    QCOMPARE(shown.chosen(), size_t(12));
    shown.move(axisAt(8), Qt::LeftButton);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, axisAt(8));
    const auto measured = shown.view.measured();
    QVERIFY(measured);
    QCOMPARE(measured->first, size_t(8));
    QCOMPARE(measured->last, size_t(12));
    QCOMPARE(measured->compactions, size_t(1));
    QVERIFY2(shown.view.readOut().contains(u"1 compaction"_s), qPrintable(shown.view.readOut()));
    // A click chooses, and measures nothing.
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, axisAt(3));
    QCOMPARE(shown.chosen(), size_t(3));
    QVERIFY(!shown.view.measured());
}

void TimelineViewTest::aMeasuredRangeTellsWhatThePolicySent()
{
    Shown shown;
    const core::Policy often
        = core::withSetting(*core::preset("langchain-summarization"), "trigger", "2000tok").value();
    shown.workspace.previewPlan(shown.workspace.planWith(
        std::make_shared<const core::Policy>(core::withSetting(often, "keep", "1msg").value())));
    shown.workspace.replays().waitForReplay();
    const core::Replay &replay = *shown.workspace.replays().current();
    size_t acts = 0;
    for (size_t i = 2; i <= 6; ++i)
        acts += replay.steps[i].hasFired ? 1 : 0;
    QVERIFY(acts > 0);
    QTest::mousePress(&shown.view, Qt::LeftButton, Qt::ShiftModifier, shown.at(2));
    shown.move(shown.at(6), Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, Qt::ShiftModifier, shown.at(6));
    const QString words = shown.view.readOut();
    QVERIFY2(words.contains(u"sent 360k, policy ~"_s), qPrintable(words));
    QVERIFY2(words.contains(u"0 compactions, policy %1 · "_s.arg(acts)), qPrintable(words));
}

void TimelineViewTest::aTraceIsALane()
{
    Shown shown;
    ui::Traces &traces = shown.workspace.facts().traces();
    shown.workspace.findings().waitForFindings();
    const int items = shown.view.itemCount();
    const int height = shown.view.minimumSizeHint().height();
    traces.traceText(" do it\n");
    traces.traceText("do it"); // the same
    QCOMPARE(traces.count(), size_t(1));
    QTRY_VERIFY(traces.at(0).life != nullptr);
    QVERIFY2(traces.at(0).verdict.startsWith(u"Last sent at call 9."_s), qPrintable(traces.at(0).verdict));
    QCOMPARE(shown.view.itemCount(), items + 1);
    QVERIFY(shown.view.minimumSizeHint().height() > height);
    QVERIFY(shown.view.itemName(items).startsWith(u"trace of “do it”, Last sent"_s));
    // Its verdict is below it.
    const QRect lane = shown.view.itemRect(items);
    const QPoint words(300, lane.bottom() + 9);
    QHelpEvent help(QEvent::ToolTip, words, shown.view.mapToGlobal(words));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"Last sent at call 9."_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
    // Solid while it stands there, hollow behind.
    const QImage image = shown.picture();
    const auto pixel
        = [&](int column) { return image.pixelColor(shown.view.itemRect(column).right() - 3, lane.bottom() - 2); };
    QCOMPARE(pixel(8), shown.state.theme().accent);
    QCOMPARE(pixel(16), shown.state.theme().base);
}

void TimelineViewTest::aClickOnALaneGoesThere()
{
    Shown shown;
    ui::Traces &traces = shown.workspace.facts().traces();
    traces.traceText("do it");
    QTRY_VERIFY(traces.at(0).life != nullptr);
    const QRect lane = shown.view.itemRect(shown.view.itemCount() - 1);
    const QPoint place(shown.at(5).x(), lane.center().y());
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, place);
    QCOMPARE(shown.chosen(), size_t(5));
    QCOMPARE(shown.state.currentBlock(), traces.at(0).life->at(5)->carrier);
    QCOMPARE(traces.current(), std::optional<size_t>(0));
    QHelpEvent help(QEvent::ToolTip, place, shown.view.mapToGlobal(place));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"call 5: in context, word for word"_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

void TimelineViewTest::tracesAreRemoved()
{
    Shown shown;
    ui::Traces &traces = shown.workspace.facts().traces();
    traces.traceText("do it");
    traces.traceText("and then");
    traces.traceBlock(shown.state.currentBlock());
    QCOMPARE(traces.count(), size_t(3));
    traces.setCurrent(1);
    shown.view.setFocus();
    QTest::keyClick(&shown.view, Qt::Key_Delete); // the current one
    QCOMPARE(traces.count(), size_t(2));
    QCOMPARE(traces.at(0).text, std::string("do it"));
    QTest::keyClick(&shown.view, Qt::Key_Delete); // the newest
    QCOMPARE(traces.count(), size_t(1));
    QTRY_VERIFY(traces.at(0).life != nullptr);
    shown.workspace.show(twentyCalls()); // of another session nothing was asked
    QCOMPARE(traces.count(), size_t(0));
}

namespace {

/// Twenty calls, each of which reads what the one before was sent; the cache of call 12 was lost in an hour of idling.
core::SessionPtr cachedCalls(const char *model = "claude-opus-4-5-20251101")
{
    core::RecordedSession recording;
    recording.builder().session().model = model;
    recording.builder().session().traits = &core::kLikeClaudeCode;
    recording.typed("do it");
    for (uint64_t i = 0; i < 20; ++i) {
        recording.use("Read", "a.cpp", 40, 20'000 + i * 5000);
        recording.result(std::string(20'000, 'r'));
    }
    auto &calls = recording.builder().thread(core::ThreadIndex(0U)).calls;
    for (size_t i = 0; i < calls.size(); ++i) {
        const uint64_t prompt = 20'000 + i * 5000;
        const uint64_t read = i == 0 || i == 12 ? 0 : prompt - 5000;
        calls[i].usage = core::Usage { 0, read, prompt - read, 10 };
        calls[i].time = *calls[i].time + static_cast<core::Timestamp>(i >= 12 ? core::kOneHour : 0);
    }
    return recording.finish();
}

QString tipAt(ui::TimelineView &view, QPoint place)
{
    QHelpEvent help(QEvent::ToolTip, place, view.mapToGlobal(place));
    QCoreApplication::sendEvent(&view, &help);
    const QString words = QToolTip::text();
    QToolTip::hideText();
    return words;
}

} // namespace

void TimelineViewTest::underAPolicyATraceHasASecondLane()
{
    Shown shown;
    ui::Traces &traces = shown.workspace.facts().traces();
    traces.traceText("do it");
    QTRY_VERIFY(traces.at(0).life != nullptr);
    QVERIFY(traces.at(0).policyLife == nullptr);
    const int height = shown.view.lanesHeight();
    const core::Policy policy = *core::withSetting(*core::preset("langchain-summarization"), "trigger", "6000tok");
    shown.workspace.commitPlan(shown.workspace.planWith(*core::withSetting(policy, "keep", "2msg")), u"Choose"_s);
    QTRY_VERIFY(traces.at(0).policyLife != nullptr);
    QVERIFY(shown.view.lanesHeight() > height);
    // The recording loses it behind call 9; the policy acts sooner.
    const auto state = [&](uint32_t call) { return traces.at(0).policyLife->at(call)->state; };
    QCOMPARE(state(0), core::TraceState::Verbatim);
    QCOMPARE(traces.at(0).life->at(8)->state, core::TraceState::Verbatim);
    QCOMPARE(state(8), core::TraceState::Gone);
    QVERIFY2(traces.at(0).policyVerdict.startsWith(u"Last sent at call "_s), qPrintable(traces.at(0).policyVerdict));
    const QRect lane = shown.view.itemRect(shown.view.itemCount() - 2); // the last one is the trigger
    QVERIFY(shown.view.itemName(shown.view.itemCount() - 2).contains(u"under the policy: Last sent"_s));
    const QPoint below(shown.at(8).x(), lane.bottom() + 6);
    QVERIFY2(
        tipAt(shown.view, below).contains(u"under the policy, call 8: gone"_s), qPrintable(tipAt(shown.view, below)));
    QVERIFY(tipAt(shown.view, { below.x(), lane.center().y() }).contains(u"call 8: in context"_s));
    // As recorded there is one lane again.
    shown.workspace.commitPlan(shown.workspace.planWith(core::PolicyPtr()), u"As Recorded"_s);
    QTRY_VERIFY(traces.at(0).policyLife == nullptr);
    QCOMPARE(shown.view.lanesHeight(), height);
}

void TimelineViewTest::theCacheHasALane()
{
    Shown shown(cachedCalls());
    QCOMPARE(shown.view.lanesHeight(), 0); // until it is asked for
    QSignalSpy changed(&shown.view, &ui::TimelineView::lanesHeightChanged);
    shown.view.setShowsCache(true);
    QCOMPARE(changed.count(), 1);
    const int height = shown.view.lanesHeight();
    QVERIFY(height > 0); // before its figures are found: nothing moves then
    shown.workspace.figures().waitForFigures();
    QCOMPARE(shown.view.lanesHeight(), height);
    shown.view.setShowsCache(false);
    const int items = shown.view.itemCount(); // with the findings that there are by now
    shown.view.setShowsCache(true);
    QCOMPARE(shown.view.itemCount(), items + 1);
    const QString name = shown.view.itemName(items);
    QVERIFY2(name.contains(u"read from the cache, broken once, $"_s), qPrintable(name));
    QVERIFY2(name.contains(u" by usage, which counts only a part of the output · computed $"_s), qPrintable(name));
    // High where it was read; where it was broken nothing but the mark.
    const QRect band = shown.view.itemRect(items);
    const QImage image = shown.picture();
    const QColor &hot = shown.state.theme().hot;
    const auto middle = [&](int column) { return shown.view.itemRect(column).center().x(); };
    const auto left = [&](int column) { return shown.view.itemRect(column).left(); };
    QVERIFY(hasColour(image, left(12) + 1, band.top(), band.bottom(), hot));
    QVERIFY(!hasColour(image, left(11) + 1, band.top(), band.bottom(), hot));
    const QColor read = image.pixelColor(middle(11), band.bottom() - 1);
    QVERIFY(image.pixelColor(middle(12), band.bottom() - 1) != read);
    // Why, and what it cost.
    const QString broken = tipAt(shown.view, { middle(12), band.center().y() });
    QVERIFY2(broken.contains(u"call 12: 0.0 % of 80,000 tokens"_s), qPrintable(broken));
    QVERIFY2(broken.contains(u"broken: idle for "_s), qPrintable(broken));
    QVERIFY2(broken.contains(u'$'), qPrintable(broken));
    QVERIFY(!tipAt(shown.view, { middle(11), band.center().y() }).contains(u"broken"_s));
    shown.view.setShowsCache(false);
    QCOMPARE(shown.view.lanesHeight(), 0);
}

void TimelineViewTest::aModelWithoutAPriceSaysWhereToGiveOne()
{
    const auto tipOfTheSums = [](const char *model) {
        Shown shown(cachedCalls(model));
        shown.view.setShowsCache(true);
        shown.workspace.figures().waitForFigures();
        QRect band;
        for (int item = 0; item < shown.view.itemCount(); ++item) {
            if (shown.view.itemName(item).startsWith(u"cache as recorded, "_s))
                band = shown.view.itemRect(item);
        }
        return tipAt(shown.view, { band.center().x(), band.bottom() + 8 });
    };
    const QString given = u"Prices of more models can be given in %1."_s.arg(ui::ownPricesFile());
    const QString unknown = tipOfTheSums("claude-nobody-9");
    QVERIFY2(unknown.contains(given), qPrintable(unknown));
    QVERIFY(!tipOfTheSums("claude-opus-4-5-20251101").contains(given));
}

void TimelineViewTest::withoutACacheThereIsNoLane()
{
    Shown derived(core::session("u:10 a:20 u:10 a:20"));
    derived.view.setShowsCache(true);
    QCOMPARE(derived.view.lanesHeight(), 0);
}

void TimelineViewTest::aPolicyHasABandAndASumOfItsOwn()
{
    Shown shown(cachedCalls());
    shown.view.setShowsCache(true);
    const int height = shown.view.lanesHeight();
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("langchain-summarization")), u"Choose"_s);
    QVERIFY(shown.view.lanesHeight() > height);
    shown.workspace.replays().waitForReplay();
    shown.workspace.figures().waitForFigures();
    QTRY_VERIFY(shown.workspace.figures().policy() != nullptr);
    QRect band;
    for (int item = 0; item < shown.view.itemCount(); ++item) {
        const QString name = shown.view.itemName(item);
        if (name.startsWith(u"cache under the policy, "_s) && name.contains(u"~$"_s))
            band = shown.view.itemRect(item);
    }
    QVERIFY(!band.isEmpty());
    // Beside it stand the recorded run's figures of the same kind.
    const core::RecordedFigures &recorded = *shown.workspace.figures().recorded();
    const QString tip = tipAt(shown.view, { band.center().x(), band.bottom() + 8 });
    const QString computed = u"recorded, computed like the policy: %1 · %2 % read from the cache"_s.arg(
        ui::displayText(core::computedMoney(recorded)), QString::number(recorded.computed.hitShare() * 100, 'f', 1));
    QVERIFY2(tip.contains(computed) && tip.contains(u"(by usage $"_s), qPrintable(tip));
}

void TimelineViewTest::otherPoliciesAreCompared()
{
    Shown shown(cachedCalls());
    ui::Comparisons &comparisons = shown.workspace.comparisons();
    shown.workspace.figures().waitForFigures();
    comparisons.toggle(core::preset("langchain-summarization"));
    comparisons.toggle(core::preset("deep-agents"));
    QCOMPARE(comparisons.count(), size_t(2));
    QVERIFY(shown.view.lanesHeight() > 0);
    comparisons.waitForComparisons();
    QVERIFY(comparisons.at(0).figures != nullptr);
    QVERIFY(comparisons.at(1).figures != nullptr);
    // A table at the end: as recorded, then both.
    const int items = shown.view.itemCount() - 3;
    QVERIFY(!shown.view.itemName(items - 1).contains(u"no compaction, peak"_s));
    QVERIFY2(shown.view.itemName(items).startsWith(u"As Recorded, no compaction, peak 115k, "_s),
        qPrintable(shown.view.itemName(items)));
    QVERIFY2(shown.view.itemName(items).contains(u"(by usage $"_s), qPrintable(shown.view.itemName(items)));
    const QString second = shown.view.itemName(items + 2);
    const core::Replay &replay = *comparisons.at(1).figures->replay;
    QVERIFY2(second.startsWith(u"Deep Agents, "_s + QString::fromStdString(core::compactionWords(replay))),
        qPrintable(second));
    QVERIFY2(second.contains(u"~$"_s), qPrintable(second));
    // Two of one name are told apart.
    shown.workspace.commitPlan(shown.workspace.planWith(std::make_shared<const core::Policy>(
                                   core::withSetting(*core::preset("deep-agents"), "trigger", "2000tok").value())),
        u"Choose"_s);
    QStringList names;
    for (int item = 0; item < shown.view.itemCount(); ++item)
        names << shown.view.itemName(item);
    QVERIFY2(std::ranges::any_of(names, [](const QString &name) { return name.startsWith(u"Deep Agents, edited"_s); }),
        qPrintable(names.join(u'\n')));
    shown.workspace.undoStack().undo();
    // The chosen one keeps its own; the newest goes first.
    comparisons.toggle(core::preset("langchain-summarization")); // once more: no longer
    QCOMPARE(comparisons.count(), size_t(1));
    QCOMPARE(comparisons.at(0).policy->id, std::string("deep-agents"));
    QVERIFY(comparisons.removeOne());
    QVERIFY(!comparisons.removeOne());
    QCOMPARE(shown.view.lanesHeight(), 0);
    for (const char *id : { "deep-agents", "genkit-recipe", "langchain-summarization", "claw-commit", "claw-hybrid" })
        comparisons.toggle(core::preset(id));
    QCOMPARE(comparisons.count(), ui::Comparisons::kMost);
    QVERIFY(!comparisons.indexOf("deep-agents"));
    comparisons.clear(); // while they are being found
    QCOMPARE(comparisons.count(), size_t(0));
}

void TimelineViewTest::theLayerOfCurvesIsWhatIsPainted()
{
    Shown shown(cachedCalls());
    shown.view.setShowsCache(true);
    shown.workspace.figures().waitForFigures();
    const auto isAsPainted
        = [&] { return shown.view.grab().toImage().convertToFormat(QImage::Format_RGB32) == shown.picture(); };
    QVERIFY(isAsPainted());
    shown.state.setPosition({ core::ThreadIndex(0U), CallIndex(4U) });
    QVERIFY(isAsPainted());
    shown.view.zoomAt(2, 300);
    QVERIFY(isAsPainted());
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("deep-agents")), u"Choose"_s);
    shown.workspace.replays().waitForReplay();
    QVERIFY(isAsPainted());
    shown.state.setTheme(ui::Theme::make(ui::Appearance::Dark));
    QVERIFY(isAsPainted());
    shown.workspace.comparisons().toggle(core::preset("langchain-summarization"));
    shown.workspace.comparisons().waitForComparisons();
    QVERIFY(isAsPainted());
    shown.view.resize(700, 300);
    QVERIFY(isAsPainted());
    shown.workspace.show(twentyCalls());
    QVERIFY(isAsPainted());
    // Also in a picture with more pixels than the screen.
    for (const double scale : { 1.0, 1.5, 2.0, 3.0, 1.0 }) {
        QImage image(shown.view.size() * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        QImage wanted = image;
        shown.view.render(&image);
        QPainter painter(&wanted);
        shown.view.paint(painter, shown.view.rect());
        painter.end();
        QVERIFY2(image == wanted, qPrintable(u"scale %1"_s.arg(scale)));
    }
}

void TimelineViewTest::itOpensAtTheHeaviestCall()
{
    Shown shown;
    QCOMPARE(shown.chosen(), size_t(9));
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(21));
}

void TimelineViewTest::aClickChoosesACall()
{
    Shown shown;
    QSignalSpy changed(&shown.state, &ui::ViewState::pictureChanged);
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at(4));
    QCOMPARE(shown.chosen(), size_t(4));
    QCOMPARE(changed.count(), 1);
    // The axis below belongs to the call above it; the gutter belongs to nobody.
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, { shown.at(7).x(), 205 });
    QCOMPARE(shown.chosen(), size_t(7));
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, { 20, 100 });
    QCOMPARE(shown.chosen(), size_t(7));
    // A mark stands for the call before its compaction, wherever its circle is.
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.view.itemRect(21).center());
    QCOMPARE(shown.chosen(), size_t(9));
}

void TimelineViewTest::theLastColumnIsTheEnd()
{
    Shown shown;
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at(20));
    QVERIFY(shown.state.position().isEnd());
    QVERIFY(shown.view.readOut().startsWith(u"end · ~"_s));
}

void TimelineViewTest::aDragScrubs()
{
    Shown shown;
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, shown.at(2));
    for (const int column : { 3, 6, 12 }) {
        shown.move(shown.at(column), Qt::LeftButton);
        QCOMPARE(shown.chosen(), size_t(column));
    }
    shown.move({ 5000, 100 }, Qt::LeftButton);
    QVERIFY(shown.state.position().isEnd());
    shown.move({ -50, 100 }, Qt::LeftButton);
    QCOMPARE(shown.chosen(), size_t(0));
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, shown.at(0));
    shown.move(shown.at(8), Qt::NoButton);
    QCOMPARE(shown.chosen(), size_t(0));
}

void TimelineViewTest::keysStepThroughCalls()
{
    Shown shown;
    shown.view.setFocus();
    QTest::keyClick(&shown.view, Qt::Key_Left);
    QCOMPARE(shown.chosen(), size_t(8));
    QTest::keyClick(&shown.view, Qt::Key_Up);
    QCOMPARE(shown.chosen(), size_t(7));
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QTest::keyClick(&shown.view, Qt::Key_Down);
    QCOMPARE(shown.chosen(), size_t(9));
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QCOMPARE(shown.chosen(), size_t(0));
    QTest::keyClick(&shown.view, Qt::Key_End);
    QVERIFY(shown.state.position().isEnd());
}

void TimelineViewTest::whatIsUnderThePointerIsReadOut()
{
    Shown shown;
    QVERIFY(shown.view.readOut().startsWith(u"call 9 · 137,000 tokens · +13,000"_s));
    shown.move(shown.at(3), Qt::NoButton);
    QVERIFY2(
        shown.view.readOut().startsWith(u"call 3 · 59,000 tokens · +13,000 · "_s), qPrintable(shown.view.readOut()));
    QCOMPARE(shown.chosen(), size_t(9)); // looked at, not chosen
    shown.move(shown.at(10), Qt::NoButton);
    QVERIFY(shown.view.readOut().startsWith(u"call 10 · 20,000 tokens · −117,000"_s));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&shown.view, &leave);
    QVERIFY(shown.view.readOut().startsWith(u"call 9"_s));
}

void TimelineViewTest::zoomKeepsTheCallUnderThePointer()
{
    Shown shown;
    const QPoint pointer = shown.at(6);
    shown.wheel(pointer, 360, Qt::ControlModifier);
    QVERIFY(shown.view.range().width() < 15);
    QCOMPARE(shown.view.itemAt(pointer), 6);
    shown.wheel(pointer, -3600, Qt::ControlModifier);
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(21));
    // Without Control the wheel is not for this view.
    shown.wheel(pointer, 360, {});
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(21));
}

void TimelineViewTest::panningMovesAndFittingShowsAll()
{
    Shown shown;
    shown.view.zoomAt(3, 0);
    const ui::TimelineRange start = shown.view.range();
    QCOMPARE(start.from, 0.0);
    shown.wheel(shown.view.rect().center(), -240, Qt::ShiftModifier);
    QVERIFY(shown.view.range().from > 0);
    QVERIFY(std::abs(shown.view.range().width() - start.width()) < 1e-9);
    // Two columns to the left with the middle button show two columns more at the right.
    const double from = shown.view.range().from;
    const QPoint pressed = shown.view.rect().center();
    QTest::mousePress(&shown.view, Qt::MiddleButton, {}, pressed);
    const int column = shown.view.itemRect(5).width();
    shown.move(pressed - QPoint(2 * column, 0), Qt::MiddleButton);
    QTest::mouseRelease(&shown.view, Qt::MiddleButton, {}, pressed);
    QVERIFY(std::abs(shown.view.range().from - from - 2) < 0.2);
    QTest::keyClick(&shown.view, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(21));
    shown.view.zoomAt(3, 400);
    QTest::mouseDClick(&shown.view, Qt::LeftButton, {}, shown.at(9));
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(21));
    // A call chosen elsewhere comes into sight.
    shown.view.zoomAt(3, 0);
    core::Position far = shown.state.position();
    far.call = CallIndex(19U);
    shown.state.setPosition(far);
    QVERIFY(shown.view.range().to >= 20);
    QVERIFY(shown.view.range().width() < 10);
}

void TimelineViewTest::aShiftDragMeasures()
{
    Shown shown;
    QVERIFY(!shown.view.measured());
    QTest::mousePress(&shown.view, Qt::LeftButton, Qt::ShiftModifier, shown.at(2));
    shown.move(shown.at(4), Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, Qt::ShiftModifier, shown.at(4));
    QCOMPARE(shown.chosen(), size_t(9)); // measuring chooses nothing
    const auto measured = shown.view.measured();
    QVERIFY(measured);
    QCOMPARE(measured->first, size_t(2));
    QCOMPARE(measured->last, size_t(4));
    QCOMPARE(measured->sent, 46'000.0 + 59'000 + 72'000);
    QCOMPARE(measured->resent, 33'000.0 + 46'000 + 59'000);
    QVERIFY2(shown.view.readOut().contains(u"46,000 → 72,000 · +26,000 · sent 177k, 138k of it resent"_s),
        qPrintable(shown.view.readOut()));
    const QImage image = shown.picture();
    QCOMPARE(image.pixelColor(shown.at(3).x() + 4, 60), shown.state.theme().accentGround);
    QVERIFY(image.pixelColor(shown.at(6).x() + 4, 60) != shown.state.theme().accentGround);
    // F shows what was measured, Escape forgets it.
    QTest::keyClick(&shown.view, Qt::Key_F);
    QVERIFY(shown.view.range().width() < 8);
    QVERIFY(shown.view.range().from <= 2 && shown.view.range().to >= 5);
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QVERIFY(!shown.view.measured());
    // A click with Shift measures from the chosen call.
    shown.view.fit();
    QTest::mouseClick(&shown.view, Qt::LeftButton, Qt::ShiftModifier, shown.at(14));
    QCOMPARE(shown.view.measured()->first, size_t(9));
    QCOMPARE(shown.view.measured()->last, size_t(14));
}

void TimelineViewTest::theGroundIsUnderTheCurve()
{
    Shown shown;
    const QImage image = shown.picture();
    // Between two calls, where there are no dots: ground below the curve, base above it.
    const int x = (shown.at(3).x() + shown.at(4).x()) / 2;
    const QRect column = shown.view.itemRect(3);
    QCOMPARE(image.pixelColor(x, column.bottom() - 3), shown.state.theme().curveGround);
    QCOMPARE(image.pixelColor(x, column.top() + 12), shown.state.theme().base);
    // Behind the compaction the ground is interrupted.
    const int gap = (shown.at(9).x() + shown.at(10).x()) / 2;
    QCOMPARE(image.pixelColor(gap, column.bottom() - 3), shown.state.theme().base);
}

void TimelineViewTest::theChosenCallIsALineAndAPill()
{
    Shown shown;
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at(5));
    const QImage image = shown.picture();
    const QRect column = shown.view.itemRect(5);
    int lines = 0;
    for (int x = column.left(); x <= column.right(); ++x)
        lines += hasColour(image, x, column.top() + 2, column.top() + 20, shown.state.theme().accent) ? 1 : 0;
    QCOMPARE(lines, 1);
    QCOMPARE(image.pixelColor(column.center().x() - 14, kPillBottom), shown.state.theme().accent);
}

void TimelineViewTest::thePillIsNeverClipped_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<double>("zoom");
    QTest::newRow("first call") << 0 << 1.0;
    QTest::newRow("last call") << 19 << 1.0;
    QTest::newRow("end") << 20 << 1.0;
    QTest::newRow("far left of what is in sight") << 0 << 4.0;
    QTest::newRow("far right of what is in sight") << 20 << 4.0;
}

void TimelineViewTest::thePillIsNeverClipped()
{
    QFETCH(int, column);
    QFETCH(double, zoom);
    Shown shown;
    shown.view.activateItem(column);
    if (zoom > 1)
        shown.view.zoomAt(zoom, column == 0 ? 890 : 70);
    const QImage image = shown.picture();
    // The row of the pill: its ground begins and ends inside the picture, with base on both sides.
    const int y = kPillBottom;
    int first = -1;
    int last = -1;
    for (int x = 0; x < image.width(); ++x) {
        if (image.pixelColor(x, y) != shown.state.theme().accent)
            continue;
        first = first < 0 ? x : first;
        last = x;
    }
    QVERIFY(first > 0);
    QVERIFY(last < image.width() - 1);
    QVERIFY2(last - first > 24, "the pill is as wide as its word");
}

void TimelineViewTest::aCompactionIsARedCircleWithADottedDrop()
{
    Shown shown;
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at(2)); // away from the mark
    const QImage image = shown.picture();
    const QRect mark = shown.view.itemRect(21);
    QVERIFY(mark.width() >= 15 && mark.width() <= 18);
    QVERIFY(hasColour(image, mark.center().x() - 4, mark.top(), mark.bottom(), shown.state.theme().base));
    int red = 0;
    const int x = shown.at(9).x();
    for (int dx = -1; dx <= 1; ++dx)
        red += hasColour(
                   image, x + dx, mark.bottom() + 4, shown.view.itemRect(9).bottom() - 20, shown.state.theme().hot)
            ? 1
            : 0;
    QCOMPARE(red, 1);
    QCOMPARE(shown.view.itemName(21), u"compaction 1, summary, after call 9, 137,000 to 20,000 tokens"_s);
}

/// A harness clears results and, as that is not enough, summarises before the next call.
void TimelineViewTest::ofTwoCompactionsBehindOneCallEachIsShown()
{
    core::RecordedSession recording;
    recording.typed("do it");
    for (uint64_t i = 0; i < 6; ++i) {
        recording.use("Read", "a", 30, 10'000 + i * 1000);
        recording.result(300);
    }
    recording.clear();
    recording.summarise(100);
    recording.reply("done", 3'000);
    Shown shown(recording.finish());
    const auto clickOn = [&](int item) {
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.view.itemRect(item).center());
        return shown.state.picture().compactionNumber;
    };
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at(5));
    QCOMPARE(shown.state.picture().compactionNumber, size_t(2)); // what the next call was sent
    QCOMPARE(clickOn(8), size_t(1));
    QCOMPARE(shown.state.picture().after.slotCount(), shown.state.picture().before.slotCount());
    QCOMPARE(shown.view.itemName(8),
        u"compaction 1, clearing, after call 5; no call between this compaction and the next"_s);
    QCOMPARE(clickOn(9), size_t(2));
    QCOMPARE(shown.state.picture().after.slotCount(), size_t(1));
    QCOMPARE(shown.view.itemName(9), u"compaction 2, summary, after call 5, 15,000 to 3,000 tokens"_s);
    shown.view.activateItem(8);
    QCOMPARE(shown.state.picture().compactionNumber, size_t(1));
}

void TimelineViewTest::kindsOfCompactionLookDifferent()
{
    const auto pictureWith = [](int kind) {
        core::RecordedSession recording;
        recording.typed("do it");
        for (uint64_t i = 0; i < 12; ++i) {
            if (i == 6 && kind == 0)
                recording.summarise(100);
            else if (i == 6 && kind == 1)
                recording.clear();
            else if (i == 6 && kind == 2)
                recording.rollBack(1);
            recording.use("Read", "a", 30, 10'000 + i * 1000);
            recording.result(300);
        }
        Shown shown(recording.finish());
        return std::pair(shown.picture(), shown.view.itemRect(13));
    };
    const auto [summary, circle] = pictureWith(0);
    const auto [clearing, triangle] = pictureWith(1);
    const auto [rollback, arrow] = pictureWith(2);
    QVERIFY(circle.center().y() < triangle.center().y() - 40);
    QCOMPARE(triangle.center().y(), arrow.center().y());
    QVERIFY(summary != clearing);
    QVERIFY(clearing.copy(arrow) != rollback.copy(arrow));
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    QVERIFY(hasColour(clearing, triangle.center().x(), triangle.top(), triangle.bottom() + 2, theme.hot));
    QVERIFY(!hasColour(rollback, arrow.center().x(), arrow.top(), arrow.bottom() + 2, theme.hot));
}

void TimelineViewTest::theWindowIsADashedLine()
{
    Shown shown;
    const QImage image = shown.picture();
    const int y = shown.view.itemRect(0).top(); // 200k is the top of the plot
    int dashes = 0;
    for (int x = 80; x < 880; ++x)
        dashes += hasColour(image, x, y - 1, y + 2, shown.state.theme().secondary) ? 1 : 0;
    QVERIFY2(dashes > 300 && dashes < 780, qPrintable(QString::number(dashes)));
}

void TimelineViewTest::aCurveBeyondTheWindowIsInSight()
{
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.typed("do it");
    for (uint64_t i = 0; i < 20; ++i) {
        if (i == 10)
            recording.summarise(500);
        recording.use("Read", "a.cpp", 40, 20'000 + (i < 10 ? i : i - 10) * 15'000);
        recording.result(std::string(60'000, 'r'));
    }
    Shown shown(recording.finish());
    shown.follow("open-swe-artifacts"); // removes nothing, and the summary that was recorded is not in its world
    shown.workspace.replays().waitForReplay();
    const double peak = shown.workspace.replays().current()->peak();
    QVERIFY2(peak > 220'000, qPrintable(QString::number(peak)));
    const QImage image = shown.picture();
    const QColor &accent = shown.state.theme().accent;
    const auto topOf = [&](int column) {
        const QRect rect = shown.view.itemRect(column);
        const auto isOf = [&](const QColor &pixel) {
            return std::abs(pixel.red() - accent.red()) + std::abs(pixel.green() - accent.green()) < 60;
        };
        const auto isOn = [&](int y) { // the line is dashed
            return isOf(image.pixelColor(rect.center().x() - 4, y)) || isOf(image.pixelColor(rect.center().x() + 4, y));
        };
        int y = rect.top() - 1;
        while (y < rect.bottom() && !isOn(y))
            ++y;
        return y;
    };
    QVERIFY(topOf(19) > shown.view.itemRect(19).top());
    QVERIFY2(topOf(19) < topOf(17), "the curve is cut at the window");
}

void TimelineViewTest::aMovedTriggerPaintsLikeAllOfIt_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("compares");
    QTest::newRow("a wide view") << QSize(900, 260) << false;
    QTest::newRow("a narrow view") << QSize(420, 260) << false;
    QTest::newRow("with a table of policies") << QSize(700, 300) << true;
}

void TimelineViewTest::aMovedTriggerPaintsLikeAllOfIt()
{
    QFETCH(QSize, size);
    QFETCH(bool, compares);
    class Regions final : public QObject {
    public:
        QRegion painted;

    protected:
        bool eventFilter(QObject *, QEvent *event) override
        {
            if (event->type() == QEvent::Paint)
                painted += static_cast<QPaintEvent *>(event)->region();
            return false;
        }
    };
    Shown shown(twentyCalls(), size);
    shown.view.setShowsCache(true);
    if (compares)
        shown.workspace.comparisons().toggle(core::preset("pi"));
    shown.follow("deep-agents-js", "trigger", "30000tok");
    shown.workspace.replays().waitForReplay();
    shown.workspace.figures().waitForFigures();
    shown.workspace.comparisons().waitForComparisons();
    QCoreApplication::processEvents();
    Regions regions;
    shown.view.installEventFilter(&regions);
    const QRegion all(shown.view.rect());
    int parts = 0;
    for (const double tokens :
        { 32'000.0, 60'000.0, 64'000.0, 120'000.0, 199'000.0, 260'000.0, 4000.0, 1.0, 90'000.0 }) {
        regions.painted = {};
        shown.workspace.previewTrigger({ tokens, core::Measure::Unit::Tokens });
        QCoreApplication::sendPostedEvents(&shown.view, QEvent::UpdateRequest);
        QTRY_VERIFY(!regions.painted.isEmpty());
        parts += regions.painted != all ? 1 : 0;
        const auto *screen = dynamic_cast<QImage *>(shown.view.backingStore()->paintDevice());
        QVERIFY(screen != nullptr);
        const QImage painted = screen->copy(shown.view.rect()).convertToFormat(QImage::Format_RGB32);
        const QImage anew = shown.view.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QVERIFY2(painted == anew, qPrintable(QString::number(tokens)));
    }
    QVERIFY2(parts > 0, "all of the view is painted while a trigger moves");
}

void TimelineViewTest::estimatedPartsAreLighter()
{
    Shown shown(core::session("u:2000 a:2000 t:9000 a:3000 t:7000 a:100 t:4000 a:20"));
    QVERIFY2(shown.view.readOut().contains(u" more"_s), qPrintable(shown.view.readOut()));
    QVERIFY2(!shown.view.readOut().contains(u"+~"_s), qPrintable(shown.view.readOut()));
    const QImage image = shown.picture();
    const int x = (shown.at(2).x() + shown.at(3).x()) / 2;
    const QColor ground = image.pixelColor(x, shown.view.itemRect(2).bottom() - 3);
    QVERIFY(ground != shown.state.theme().curveGround);
    QVERIFY(ground != shown.state.theme().base);
    for (int row = 0; row < image.height(); ++row)
        QVERIFY(image.pixelColor(x, row) != shown.state.theme().curve); // no solid line
}

void TimelineViewTest::everySizeAndSessionIsPainted()
{
    std::vector<core::SessionPtr> sessions { core::session(""), core::session("u:10"), core::session("u:10 a:10"),
        twentyCalls() };
    core::RecordedSession many;
    many.typed("go");
    for (uint64_t i = 0; i < 3000; ++i) {
        if (i % 40 == 39)
            many.summarise(10);
        many.reply("ok", 1000 + (i % 40) * 3000);
    }
    sessions.push_back(many.finish());
    for (const core::SessionPtr &session : sessions) {
        for (const QSize size : { QSize(360, 150), QSize(900, 210), QSize(2000, 260), QSize(30, 30), QSize(1, 1) }) {
            Shown shown(session, { 900, 210 });
            QImage image(size, QImage::Format_RGB32);
            QPainter painter(&image);
            shown.view.paint(painter, image.rect());
            shown.state.setTheme(ui::Theme::make(ui::Appearance::Dark));
            shown.view.paint(painter, image.rect());
            QTest::keyClick(&shown.view, Qt::Key_End);
            shown.view.zoomAt(50, 300);
            shown.view.paint(painter, image.rect());
        }
    }
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::TimelineView none(state);
    none.resize(500, 200);
    QVERIFY(!none.grab().isNull());
    QCOMPARE(none.itemCount(), 0);
    QTest::mouseClick(&none, Qt::LeftButton, {}, { 200, 100 });
    QTest::keyClick(&none, Qt::Key_Right);
}

void TimelineViewTest::itemsAreAccessibleObjects()
{
    Shown shown;
    QAccessibleInterface *view = QAccessible::queryAccessibleInterface(&shown.view);
    QVERIFY(view != nullptr);
    shown.workspace.findings().waitForFindings();
    const size_t places = shown.workspace.findings().get()->places.size();
    QVERIFY(places > 0);
    QTRY_COMPARE(view->childCount(), 22 + static_cast<int>(places)); // 20 calls, the end, one compaction, findings
    QCOMPARE(view->child(3)->text(QAccessible::Name), u"call 3, 59,000 tokens"_s);
    QVERIFY(view->child(20)->text(QAccessible::Name).startsWith(u"end, about "_s));
    view->child(3)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(shown.chosen(), size_t(3));
    QVERIFY(view->child(3)->state().selected);
    const QPoint inside = shown.view.mapToGlobal(shown.at(7));
    QCOMPARE(view->childAt(inside.x(), inside.y())->text(QAccessible::Name), u"call 7, 111,000 tokens"_s);
}

void TimelineViewTest::findingsAreDots()
{
    testing::ClaudeLog log;
    log.typed("Please never rename the table users_old, other teams read it.");
    for (int i = 0; i < 12; ++i) {
        log.call("Bash", { { "command", "echo " + std::to_string(i) } });
        log.result("done");
        if (i == 5)
            log.compact("Nothing of it.");
    }
    Shown shown(log.load());
    shown.workspace.findings().waitForFindings();
    const core::Findings &findings = *shown.workspace.findings().get();
    QCOMPARE(findings.findings.front().kind, "lost-messages");
    // The compaction that lost the message, and the first call that was sent it.
    const std::vector<core::FindingPlace> wanted { { core::ThreadIndex(0U), 0, 0 }, { core::ThreadIndex(0U), 5, 0 } };
    std::vector<core::FindingPlace> places = findings.places;
    std::erase_if(places, [](const core::FindingPlace &place) { return place.finding != 0; });
    QVERIFY(std::ranges::equal(places, wanted));
    int item = 0;
    while (item < shown.view.itemCount() && !shown.view.itemName(item).startsWith(u"finding, call 5: "_s))
        ++item;
    QVERIFY(item < shown.view.itemCount());
    QVERIFY(shown.view.itemName(item).endsWith(u"you typed is no longer in context"_s));
    const QPoint dot = shown.view.itemRect(item).center();
    QCOMPARE(shown.picture().pixelColor(dot), shown.state.theme().hot);
    QCOMPARE(shown.view.itemAt(dot), item);
    shown.state.setPosition({ core::ThreadIndex(0U), CallIndex(9U) });
    QHelpEvent help(QEvent::ToolTip, dot, shown.view.mapToGlobal(dot));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"no longer in context"_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
    QSignalSpy chosen(&shown.workspace.findings(), &ui::SessionFindings::chosen);
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, dot);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.front().front().value<size_t>(), 0U);
    QCOMPARE(shown.chosen(), size_t(5));
    // A folded timeline has none.
    const int count = shown.view.itemCount();
    shown.view.setFolded(true);
    QCOMPARE(shown.view.itemCount(), count - static_cast<int>(findings.places.size()));
}

void TimelineViewTest::bookmarksAreRibbons()
{
    Shown shown;
    ui::Bookmarks &bookmarks = shown.workspace.bookmarks();
    QTRY_VERIFY(bookmarks.canChange());
    const QColor accent = shown.state.theme().accent;
    // The middle of the ribbon of a column; 0 without one.
    const auto ribbonAt = [&](int column) {
        const QRect place = shown.view.itemRect(column);
        const QImage image = shown.picture();
        for (int x = place.left() - 4; x < place.right(); ++x) {
            if (hasColour(image, x, place.bottom() - 10, place.bottom() - 8, accent))
                return x + 3;
        }
        return 0;
    };
    const core::Session &session = *shown.state.session();
    const core::BlockId late(session.blocks.size() - 1);
    const auto first = core::nearestPositionWith(session, late, { core::ThreadIndex(0U), core::CallIndex(0U) });
    QVERIFY(first.has_value());
    const int column
        = first->isEnd() ? static_cast<int>(session.threads[0].calls.size()) : static_cast<int>(first->call.index());
    QCOMPARE(ribbonAt(column), 0);
    bookmarks.setNote(late, "look here");
    QTRY_VERIFY(ribbonAt(column) > 0);
    const QPoint ribbon(ribbonAt(column), shown.view.itemRect(column).bottom() - 6);
    QHelpEvent help(QEvent::ToolTip, ribbon, shown.view.mapToGlobal(ribbon));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"look here"_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
    bookmarks.toggle(late);
    QTRY_COMPARE(ribbonAt(column), 0);
}

void TimelineViewTest::aThreadHasItsOwnCurve()
{
    core::RecordedSession recording;
    recording.typed("do it");
    recording.reply("ok", 1000);
    core::SessionBuilder &builder = recording.builder();
    const core::ThreadIndex side = builder.addThread(core::ThreadKind::Subagent, "side", "look around");
    std::vector<core::MessageId> messages;
    for (int i = 0; i < 6; ++i) {
        core::MessageDraft draft;
        draft.role = i % 2 == 0 ? core::Role::User : core::Role::Assistant;
        draft.blocks = { builder.makeBlock(core::BlockKind::Text, builder.ownedBody("words", "test")) };
        messages.push_back(builder.addMessage(side, draft));
    }
    builder.deriveCalls(side, messages);
    Shown shown(recording.finish());
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(2));
    shown.state.setPosition({ side, CallIndex(1U) });
    QCOMPARE(shown.view.range(), ui::TimelineRange::all(4));
    QVERIFY(shown.view.readOut().startsWith(u"call 1 · ~"_s));
}

void TimelineViewTest::picturesAreTheSameAsTheScreen()
{
    Shown shown;
    const QImage screen = shown.view.grab().toImage().convertToFormat(QImage::Format_RGB32);
    QCOMPARE(shown.picture(), screen);
    // Somewhere else on a page it is the same picture.
    QImage page(1000, 400, QImage::Format_RGB32);
    page.fill(Qt::white);
    QPainter painter(&page);
    shown.view.paint(painter, { 40, 100, 900, 210 });
    QCOMPARE(page.copy(40, 100, 900, 210), screen);
}

void TimelineViewTest::theTriggerIsALineWithItsWords()
{
    Shown shown;
    const int items = shown.itemsWithFindings();
    shown.follow("deep-agents");
    QCOMPARE(shown.view.itemCount(), items + 1);
    QCOMPARE(shown.view.itemName(items), u"trigger, 85 % of window, 170,000 tokens"_s);
    QVERIFY(!shown.label().isEmpty());
    QCOMPARE(shown.view.itemAt(shown.label().center()), items);
    // 85 % of the way from the axis to the window, in both looks.
    const QRect plot = shown.view.itemRect(0);
    const int y = plot.bottom() + 1 - static_cast<int>(std::lround(0.85 * plot.height()));
    for (const ui::Appearance look : { ui::Appearance::Light, ui::Appearance::Dark }) {
        shown.state.setTheme(ui::Theme::make(look));
        const QImage image = shown.picture();
        for (int x = shown.label().right() + 2; x < 880; x += 7) {
            if (std::abs(x - shown.at(9).x()) > 14) // the chosen call, and the mark beside it
                QVERIFY2(hasColour(image, x, y - 1, y + 2, shown.state.theme().accent), qPrintable(QString::number(x)));
        }
        QVERIFY(!hasColour(image, 600, y + 3, plot.bottom(), shown.state.theme().accent));
    }
    // A stage that waits for something else is another line, and only that.
    shown.follow("deep-agents", "clip-arguments.trigger", "40000tok");
    const int own = plot.bottom() + 1 - static_cast<int>(std::lround(0.2 * plot.height()));
    int dots = 0;
    for (int x = 500; x < 800; ++x)
        dots += hasColour(shown.picture(), x, own - 1, own + 2, shown.state.theme().accent) ? 1 : 0;
    QVERIFY2(dots > 60 && dots < 260, qPrintable(QString::number(dots)));
    QCOMPARE(shown.view.itemCount(), items + 1);
    // As recorded there is none.
    shown.workspace.previewPlan({});
    QCOMPARE(shown.view.itemCount(), items);
}

/// While a window changes its layout, a view can have any size.
void TimelineViewTest::aPolicyIsPaintedAtEverySize()
{
    Shown shown;
    shown.follow("deep-agents");
    for (const int height : { 0, 1, 20, 40, 55, 60, 65, 70, 80, 100, 120, 150, 210 }) {
        for (const int width : { 0, 1, 30, 60, 100, 300, 900 }) {
            QImage page(1000, 400, QImage::Format_RGB32);
            QPainter painter(&page);
            shown.view.paint(painter, { 40, 100, width, height });
            shown.view.resize(width, height);
            (void)shown.view.grab();
            (void)shown.label();
        }
    }
}

void TimelineViewTest::theTriggerIsDragged()
{
    Shown shown;
    shown.follow("deep-agents");
    const size_t chosen = shown.chosen();
    const QPoint from = shown.label().center();
    shown.move(from, Qt::NoButton);
    QCOMPARE(shown.view.cursor().shape(), Qt::SplitVCursor);
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, from);
    QCOMPARE(shown.trigger(), std::string("0.85w")); // taking hold moves nothing
    const int left = shown.label().left();
    for (const int step : { 10, 30, 57 }) {
        shown.move(from + QPoint(3, step), Qt::LeftButton);
        QCOMPARE(shown.label().center().y(), from.y() + step); // previewed, below the pointer
        QCOMPARE(shown.label().left(), left);
    }
    QCOMPARE(shown.workspace.undoStack().count(), 0);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, from + QPoint(3, 57));
    QCOMPARE(shown.trigger(), std::string("0.35w"));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QCOMPARE(shown.workspace.undoStack().undoText(), u"Change Trigger to 35 % of window"_s);
    QCOMPARE(shown.chosen(), chosen); // no call was chosen
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.trigger(), std::string("0.85w"));
    QCOMPARE(shown.label().center(), from);
    // The line can be taken hold of anywhere, and leads no further than the plot.
    const QPoint onLine(700, from.y() + 1);
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, onLine);
    shown.move({ 700, -300 }, Qt::LeftButton);
    QCOMPARE(shown.trigger(), std::string("1w"));
    shown.move({ 700, 900 }, Qt::LeftButton);
    QCOMPARE(shown.trigger(), std::string("0.005w"));
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, { 700, 900 });
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    // A little away from it a click chooses a call, as ever.
    shown.workspace.undoStack().undo();
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, { shown.at(15).x(), from.y() + 8 });
    QCOMPARE(shown.chosen(), size_t(15));
    shown.move({ 700, from.y() + 20 }, Qt::NoButton);
    QCOMPARE(shown.view.cursor().shape(), Qt::ArrowCursor);
    // And a mark on the line is a mark.
    shown.follow("deep-agents", "trigger", "150000tok");
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.view.itemRect(21).center());
    QCOMPARE(shown.chosen(), size_t(9));
}

void TimelineViewTest::escapeTakesADragBack()
{
    Shown shown;
    shown.follow("deep-agents-no-profile"); // in tokens
    const QPoint from = shown.label().center();
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, from);
    shown.move(from + QPoint(0, 40), Qt::LeftButton);
    QVERIFY(shown.trigger() != "170000tok");
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QCOMPARE(shown.trigger(), std::string("170000tok"));
    shown.move(from + QPoint(0, 60), Qt::LeftButton);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, from + QPoint(0, 60));
    QCOMPARE(shown.trigger(), std::string("170000tok"));
    QCOMPARE(shown.workspace.undoStack().count(), 0);
}

void TimelineViewTest::theTriggerMovesByKeys()
{
    Shown shown;
    shown.follow("deep-agents");
    shown.view.setFocus();
    const size_t chosen = shown.chosen();
    QTest::keyPress(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyPress(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyPress(&shown.view, Qt::Key_Up, Qt::ShiftModifier);
    QTest::keyPress(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(shown.trigger(), std::string("0.83w"));
    QCOMPARE(shown.workspace.undoStack().count(), 0); // held down is one gesture
    QTest::keyRelease(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QCOMPARE(shown.chosen(), chosen);
    QTest::keyPress(&shown.view, Qt::Key_Up, Qt::ShiftModifier);
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QCOMPARE(shown.trigger(), std::string("0.83w"));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.trigger(), std::string("0.85w"));
    shown.follow("deep-agents-no-profile");
    QTest::keyClick(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(shown.trigger(), std::string("169000tok"));
}

void TimelineViewTest::triggersThatAreNotOneMeasureStay()
{
    Shown shown;
    const int items = shown.itemsWithFindings();
    const auto policy
        = core::parsePolicy(R"({"schema": "palimpsest.policy/1", "id": "p", "name": "P", "window": "model",
        "trigger": {"any": ["0.85w", "40msg"]}, "stages": []})");
    QVERIFY(policy.has_value());
    shown.workspace.previewPlan(shown.workspace.planWith(*policy));
    const QPoint label = shown.label().center();
    shown.move(label, Qt::NoButton);
    QCOMPARE(shown.view.cursor().shape(), Qt::ArrowCursor);
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, label);
    shown.move(label + QPoint(0, 40), Qt::LeftButton);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, label + QPoint(0, 40));
    QTest::keyClick(&shown.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(shown.trigger(), std::string("0.85w or 40msg"));
    QCOMPARE(shown.workspace.undoStack().count(), 0);
    QHelpEvent help(QEvent::ToolTip, label, shown.view.mapToGlobal(label));
    QCoreApplication::sendEvent(&shown.view, &help);
    QVERIFY2(QToolTip::text().contains(u"more than one measure (85 % of window or 40 messages)"_s),
        qPrintable(QToolTip::text()));
    shown.follow("deep-agents");
    QHelpEvent again(QEvent::ToolTip, shown.label().center(), shown.view.mapToGlobal(shown.label().center()));
    QCoreApplication::sendEvent(&shown.view, &again);
    QVERIFY2(QToolTip::text().contains(u"Drag the line"_s), qPrintable(QToolTip::text()));
    // One that is no number of tokens has no line.
    shown.follow("deep-agents", "trigger", "20msg");
    QCOMPARE(
        shown.view.itemName(shown.view.itemCount() - 1), u"trigger, 85 % of window, 170,000 tokens"_s); // a stage's
    shown.follow("langchain-summarization", "trigger", "20msg");
    QCOMPARE(shown.view.itemCount(), items);
}

void TimelineViewTest::aTriggerAboveThePlotIsPulledIn()
{
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.typed("do it");
    for (uint64_t i = 0; i < 8; ++i)
        recording.reply("ok", 1000 + 1000 * i);
    Shown shown(recording.finish());
    shown.follow("deep-agents");
    const QRect label = shown.label();
    QVERIFY(!label.isEmpty());
    QVERIFY(label.top() < kPillBottom + 24); // below the row of findings
    const QImage image = shown.picture();
    QVERIFY(!hasColour(image, 800, label.top(), label.bottom(), shown.state.theme().accent)); // no line there
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, label.center());
    shown.move(label.center() + QPoint(0, 50), Qt::LeftButton);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, label.center() + QPoint(0, 50));
    const auto trigger = shown.workspace.trigger();
    QVERIFY(trigger && trigger->value > 0.01 && trigger->value < 0.045);
}

void TimelineViewTest::theLabelCoversNoOtherWords_data()
{
    QTest::addColumn<uint64_t>("calls");
    QTest::newRow("a few compactions") << uint64_t(4);
    QTest::newRow("one at every other call") << uint64_t(40);
    QTest::newRow("so many that they merge") << uint64_t(400);
}

void TimelineViewTest::theLabelCoversNoOtherWords()
{
    QFETCH(const uint64_t, calls);
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.typed("do it");
    for (uint64_t i = 0; i < calls; ++i) {
        recording.use("Read", "a.cpp", 40, i % 2 == 0 ? 30'000 : 90'000 + i * 7 % 70 * 1000);
        recording.result(100);
        if (i % 2 == 1)
            recording.summarise(50);
    }
    Shown shown(recording.finish());
    int labels = 0;
    for (int tokens = 5000; tokens <= 200'000; tokens += 5000) {
        shown.follow("langchain-summarization", "trigger", qPrintable(u"%1tok"_s.arg(tokens)));
        const QRect label = shown.label();
        labels += label.isEmpty() ? 0 : 1;
        for (int mark = static_cast<int>(calls) + 1; mark < shown.view.itemCount() - 1; ++mark)
            QVERIFY2(!shown.view.itemRect(mark).intersects(label), qPrintable(QString::number(tokens)));
        QVERIFY(label.isEmpty() || shown.view.rect().contains(label));
        QVERIFY(label.isEmpty() || label.top() >= kPillBottom); // the chosen call's name
    }
    QVERIFY(labels >= 20);
}

PALIMPSEST_TEST(TimelineViewTest)
#include "tst_timeline_view.moc"
