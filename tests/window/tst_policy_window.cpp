// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/originals/restore.h"
#include "core/originals/store.h"
#include "core/session/slot_label.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/files/own_policies.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/session_continuation.h"
#include "ui/mainwindow/session_export.h"
#include "ui/message/message_panel.h"
#include "ui/policy/measure_row.h"
#include "ui/policy/policy_panel.h"
#include "ui/policy/policy_verdict.h"
#include "ui/policy/stage_row.h"
#include "ui/rewrites/rewrites_model.h"
#include "ui/text/text_surface.h"
#include "ui/widgets/facts_line.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDirIterator>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>
#include <QTreeView>

#include <set>

using core::SlotIndex;
using namespace Qt::StringLiterals;
using testing::samplePath;

namespace {

/// The window on the sample, under the policy of the figure.
struct Shown {
    ui::MainWindow window;
    ui::Workspace &workspace = window.workspace();
    ui::ViewState &state = window.state();
    ui::ArrayView *array = window.findChild<ui::ArrayView *>();
    ui::PolicyPanel *policy = window.findChild<ui::PolicyPanel *>(u"policy"_s);

    explicit Shown(const QString &path = samplePath(u"messages-21.genkit.json"_s), bool isSimulated = true)
    {
        window.resize(1500, 1000);
        window.restoreDefaultLayout();
        QVERIFY(workspace.openNow(path.toStdString()).has_value());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        if (isSimulated)
            trigger(u"policy.preset.genkit-recipe-figure"_s);
        workspace.undoStack().clear();
        QApplication::processEvents(); // rows of stages have their places
    }
    void trigger(const QString &id) const
    {
        for (const auto &entry : const_cast<ui::MainWindow &>(window).actions().entries()) {
            if (entry.id == id)
                return entry.action->trigger();
        }
        QFAIL(qPrintable(u"no action "_s + id));
    }
    void undo() const { trigger(u"edit.undo"_s); }
    void redo() const { trigger(u"edit.redo"_s); }
    [[nodiscard]] QWidget *tick(const QString &stage) const { return policy->findChild<QWidget *>(u"tick."_s + stage); }
    [[nodiscard]] QRect slotRect(uint32_t slot) const
    {
        for (int i = 0; i < array->itemCount(); ++i) {
            if (array->itemName(i).startsWith(u"slot %1,"_s.arg(slot)))
                return array->itemRect(i);
        }
        return {};
    }
    [[nodiscard]] QString slotName(uint32_t slot) const
    {
        for (int i = 0; i < array->itemCount(); ++i) {
            if (array->itemName(i).startsWith(u"slot %1,"_s.arg(slot)))
                return array->itemName(i);
        }
        return {};
    }
    [[nodiscard]] const std::vector<core::StageSpec> &stages() const { return workspace.plan().policy->stages; }
    [[nodiscard]] QString notice() const
    {
        const auto *words = window.findChild<QLabel *>(u"noticeWords"_s);
        return words->isVisible() ? words->text() : QString();
    }
};

void drop(QWidget *target, const QString &path)
{
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile(path) });
    QDragEnterEvent enter({ 100, 100 }, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({ 100, 100 }, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(target, &event);
}

QString write(const QTemporaryDir &folder, const QString &name, const QByteArray &text)
{
    QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(text);
    return path;
}

/// A tool call whose result can be dropped, so that the array is refused.
constexpr auto kOpenAi = R"({"model":"m","messages":[{"role":"user","content":"please read the file for me"},
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"c1","content":"the whole text of the file"},
{"role":"assistant","content":"it is read"}]})";

} // namespace

/// The window under a policy, driven as a person would: real events on real widgets.
class TestPolicyWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settingsOfTheHarnessAreCopied();
    void theRunStandsApartFromThisArray();
    void aTickIsOneStep();
    void aStageIsDraggedByItsTitle();
    void aClickOnTheTitleOnlyTicks();
    void aSliderGestureIsOneStep();
    void aSliderNeedsAReach();
    void anEditedPolicyIsDescribedAsItIs();
    void aSimulatedSummaryIsRead();
    void aSimulatedSlotIsReadAsThePolicySendsIt();
    void theCostIsSaidInShortSentences();
    void aParameterIsOneStep();
    void theKeepBoundaryOfThePictureIsThePolicys();
    void slotsArePaintedAndPinned();
    void oneBlockOfASlotCanBeDropped();
    void aResultTakesItsCallAlong();
    void anArrayThatIsRefusedIsMarked();
    void whatIsRefusedAlikeIsToldOnce();
    void ownPoliciesAppearInTheChooser();
    void theHarnessOfTheSessionStandsFirst();
    void aPolicyIsDropped();
    void whatAPolicySaysInVainIsTold();
    void aWrongPolicyIsASentenceInThePanel();
    void anotherFileStandsAsTheArrayAfter();
    void theOwnRunStandsAsTheArrayAfter();
    void anotherFileIsOpenedAlong();
    void pinsAndDropsOutliveAReload();
    void weightRowsOfferWhatTheArrayOffers();
    void panelsHaveTheirRoomInASmallWindow();
    void choosersBecomeOneWordWhereThereIsNoRoom();
    void whatStagesSaveEndsAtOneEdge();
    void aStageThatChangesNothingSaysSoInPlaceOfItsStrip();
    void thePresetThatIsChosenHasItsMark();
    void theRewritesOpenOnOneBehindATab();
    void theKeysWalkThroughTheDifferences();
    void anExportIsWrittenWithItsOriginals();
    void anExportOfARefusedArrayAsks();
    void anExportOfACallAsks();
    void aSessionIsContinued();
    void aSessionIsContinuedAsItIs();
    void withoutAPlanThereIsNothingToExport();
    void aFileThatIsThereIsNotOverwritten();
};

void TestPolicyWindow::theRunStandsApartFromThisArray()
{
    const Shown shown(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, false);
    const auto part = [&](const QString &name) { return shown.policy->findChild<QLabel *>(name); };
    const QLabel *run = part(u"policyRun"_s);
    QVERIFY(!part(u"policyHereTitle"_s)->isVisible() && !part(u"policyRunTitle"_s)->isVisible());
    shown.trigger(u"policy.preset.deep-agents"_s);
    QTRY_VERIFY(run->isVisible() && part(u"policyTotal"_s)->isVisible());
    QVERIFY(part(u"policyHereTitle"_s)->isVisible() && part(u"policyRunTitle"_s)->isVisible());
    // What the run came to is said once, below what the policy would do here.
    const QLabel *here = part(u"policyVerdicts"_s);
    for (const QString &line : ui::runVerdict(shown.workspace).lines) {
        QVERIFY2(run->text().contains(line), qPrintable(line));
        QVERIFY2(!here->text().contains(line), qPrintable(line));
    }
    QVERIFY(here->y() + here->height() <= part(u"policyRunTitle"_s)->y());
    // How the harness counts is said at the trigger.
    const QLabel *counting = part(u"policyCounting"_s);
    const auto *trigger = shown.policy->findChild<QWidget *>(u"triggerRow"_s);
    const auto *keep = shown.policy->findChild<QWidget *>(u"keepRow"_s);
    QVERIFY2(counting->text().contains(u"\ncounts "_s) || counting->text().contains(u"\ntakes "_s),
        qPrintable(counting->text()));
    QVERIFY2(counting->text().startsWith(u"170,000 tokens, 85 % of the window"_s), qPrintable(counting->text()));
    QVERIFY(counting->y() >= trigger->geometry().bottom() && counting->geometry().bottom() <= keep->y());
    QVERIFY(!here->text().contains(counting->text()));
    shown.trigger(u"policy.as-recorded"_s);
    QVERIFY(!run->isVisible() && !part(u"policyRunTitle"_s)->isVisible() && !part(u"policyHereTitle"_s)->isVisible());
}

void TestPolicyWindow::settingsOfTheHarnessAreCopied()
{
    Shown shown;
    QClipboard *clipboard = QGuiApplication::clipboard();
    clipboard->clear();
    QAction *action = shown.window.actions().action(u"policy.copy-settings"_s);
    QCOMPARE(action->text(), u"Copy as Genkit Compaction Settings"_s);
    auto *button = shown.policy->findChild<QToolButton *>(u"copySettings"_s);
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY2(clipboard->text().contains(u"keep_recent_messages=6"_s), qPrintable(clipboard->text()));
    // A success moves nothing: it is in the status line, with the text in the tooltip.
    const auto *status = shown.window.findChild<QLabel *>(u"statusLeft"_s);
    QVERIFY2(status->text().startsWith(u"Copied the settings of Genkit Compaction"_s), qPrintable(status->text()));
    QVERIFY(status->toolTip().contains(u"keep_recent_messages=6"_s));
    QVERIFY(shown.notice().isEmpty());
    QVERIFY2(status->text().contains(u", for the code that sets it up"_s), qPrintable(status->text()));
    // What the policy is changed to is what is copied.
    shown.state.workspace().previewKeep({ 9, core::Measure::Unit::Messages });
    action->trigger();
    QVERIFY2(clipboard->text().contains(u"keep_recent_messages=9"_s), qPrintable(clipboard->text()));
    // A harness without settings leaves the clipboard as it was, and the action away.
    shown.trigger(u"policy.preset.claw-idle"_s);
    action->trigger();
    QVERIFY(clipboard->text().contains(u"keep_recent_messages=9"_s));
    QVERIFY2(shown.notice().contains(u"published no source"_s), qPrintable(shown.notice()));
    shown.trigger(u"policy.as-recorded"_s);
    QVERIFY(!action->isVisible());
    QVERIFY(!button->isVisible());
}

void TestPolicyWindow::aTickIsOneStep()
{
    const Shown shown;
    const core::CompactionPtr before = shown.state.picture().simulated;
    QVERIFY(before != nullptr);
    const size_t rewrites = before->rewrites.size();
    QTest::mouseClick(shown.tick(u"clip-arguments"_s), Qt::LeftButton);
    QVERIFY(shown.state.picture().simulated->rewrites.size() < rewrites);
    QCOMPARE(shown.state.picture().simulated->fates[11], core::Fate::Kept);
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.undo();
    QCOMPARE(shown.state.picture().simulated->rewrites.size(), rewrites);
    shown.redo();
    QCOMPARE(shown.state.picture().simulated->fates[11], core::Fate::Kept);
    // The same with the keyboard.
    shown.tick(u"clip-arguments"_s)->setFocus();
    QTest::keyClick(shown.tick(u"clip-arguments"_s), Qt::Key_Space);
    QCOMPARE(shown.state.picture().simulated->rewrites.size(), rewrites);
}

void TestPolicyWindow::aStageIsDraggedByItsTitle()
{
    const Shown shown;
    const std::string first = shown.stages()[0].stage;
    const std::string second = shown.stages()[1].stage;
    QWidget *title = shown.tick(QString::fromStdString(first));
    auto *below = shown.policy->findChild<ui::StageRow *>(u"stage."_s + QString::fromStdString(second));
    const QPoint from(60, title->height() / 2);
    const QPoint to = title->mapFromGlobal(below->mapToGlobal(QPoint(60, below->height() - 3)));
    QTest::mousePress(title, Qt::LeftButton, {}, from);
    QTest::mouseMove(title, from + QPoint(0, 15));
    QTest::mouseMove(title, to);
    QTest::mouseRelease(title, Qt::LeftButton, {}, to);
    QCOMPARE(shown.stages()[0].stage, second);
    QCOMPARE(shown.stages()[1].stage, first);
    QCOMPARE(shown.stages()[1].isEnabled, true); // moved, not unticked
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.undo();
    QCOMPARE(shown.stages()[0].stage, first);
    // And with the keys.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // rows of the order before
    QApplication::processEvents();
    shown.policy->findChild<ui::StageRow *>(u"stage."_s + QString::fromStdString(first))->setFocus();
    QTest::mouseClick(shown.policy->findChild<ui::StageRow *>(u"stage."_s + QString::fromStdString(first)),
        Qt::LeftButton, {}, { 3, 30 });
    shown.trigger(u"policy.stage-down"_s);
    QCOMPARE(shown.stages()[1].stage, first);
}

void TestPolicyWindow::aClickOnTheTitleOnlyTicks()
{
    const Shown shown;
    QWidget *title = shown.tick(QString::fromStdString(shown.stages()[1].stage));
    const std::string before = shown.stages()[1].stage;
    QTest::mouseClick(title, Qt::LeftButton, {}, { 80, title->height() / 2 });
    QCOMPARE(shown.stages()[1].stage, before);
    QCOMPARE(shown.stages()[1].isEnabled, false);
}

void TestPolicyWindow::aSliderGestureIsOneStep()
{
    const Shown shown;
    const core::Measure before = shown.workspace.keep();
    auto *slider = shown.policy->findChild<QWidget *>(u"keepRow"_s)->findChild<QSlider *>();
    const int x = slider->width() * (slider->value() - slider->minimum()) / (slider->maximum() - slider->minimum());
    const QPoint handle(std::clamp(x, 8, slider->width() - 8), slider->height() / 2);
    QTest::mousePress(slider, Qt::LeftButton, {}, handle);
    for (int step = 10; step <= 60; step += 10)
        QTest::mouseMove(slider, handle + QPoint(step, 0));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, handle + QPoint(60, 0));
    QVERIFY(shown.workspace.keep() != before);
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.undo();
    QCOMPARE(shown.workspace.keep(), before);
}

/// A click on it shows its text in the Message panel, and it is called a summary.
void TestPolicyWindow::aSimulatedSummaryIsRead()
{
    const Shown shown(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, false);
    shown.trigger(u"policy.preset.claude-code"_s);
    shown.state.waitForPicture();
    shown.trigger(u"view.message"_s);
    auto &panel = *shown.window.findChild<ui::MessagePanel *>();
    const auto *title = panel.findChild<ui::FactsLine *>(u"messageTitle"_s);
    shown.state.setCurrentSlot(SlotIndex(0U));
    const core::BlockId before = shown.state.currentBlock();
    panel.waitForContent();
    const QString titleBefore = title->text();
    const core::Transcript &after = shown.state.picture().after;
    const auto summary = std::ranges::find_if(
        after.blocks(), [&](core::BlockId id) { return after.block(id).is(core::BlockFlag::Summary); });
    QVERIFY(summary != after.blocks().end() && summary->index() >= shown.state.session()->blocks.size());
    const core::SlotIndex slot = after.slotOf(*summary);
    QCOMPARE(core::labelOf(after, after.slot(slot)).what, "summary");
    shown.state.chooseAddedBlock(*summary);
    panel.waitForContent();
    QVERIFY2(title->text().contains(u"summary"_s), qPrintable(title->text()));
    const std::string text = after.session()->text(after.block(*summary).body);
    QCOMPARE(panel.surface()->content()->document->bytes(), std::string_view(text));
    // The files that Claude Code reads again stand in the same slot, and are larger.
    const std::vector<core::BlockId> back = shown.state.picture().putBackWith(*summary);
    QVERIFY(back.size() > 1 && back.size() + 1 == after.blocksOf(after.slot(slot)).size());
    const core::Weights &weights = shown.state.picture().weightsAfter;
    double weight = 0;
    for (const core::BlockId id : back)
        weight += weights.of(*after.session(), id);
    QVERIFY(weight > weights.of(*after.session(), *summary));
    const QString size = QString::fromStdString(weights.shown(weight, back));
    const QString facts = panel.findChild<ui::FactsLine *>(u"messageFacts"_s)->text();
    QVERIFY2(
        facts.contains(u"put back by the policy: %1 texts, %2 tokens"_s.arg(back.size()).arg(size)), qPrintable(facts));
    QStringList names;
    for (int i = 0; i < shown.array->itemCount(); ++i)
        names << shown.array->itemName(i);
    QVERIFY2(names.join(u'\n').contains(u"put back with it "_s + size), qPrintable(names.join(u'\n')));
    // Nothing acts on the slot that was selected before.
    shown.trigger(u"policy.drop"_s);
    shown.trigger(u"policy.drop-block"_s);
    QVERIFY(shown.workspace.plan().overrides.isEmpty());
    shown.state.setCurrentBlock(before); // the same block as before, and yet a change
    panel.waitForContent();
    QCOMPARE(title->text(), titleBefore);
}

/// The Message panel shows what the policy puts into a slot of the array after the compaction, and the recorded text on
/// request.
void TestPolicyWindow::aSimulatedSlotIsReadAsThePolicySendsIt()
{
    const Shown shown;
    shown.trigger(u"view.message"_s);
    auto &panel = *shown.window.findChild<ui::MessagePanel *>();
    const auto *facts = panel.findChild<ui::FactsLine *>(u"messageFacts"_s);
    auto *original = panel.findChild<QAbstractButton *>(u"originalText"_s);
    const core::CompactionPtr made = shown.state.picture().simulated;
    const auto fate = std::ranges::find_if(
        made->fatesAfter, [](core::Fate each) { return each != core::Fate::Kept && each != core::Fate::Added; });
    QVERIFY(fate != made->fatesAfter.end());
    const auto choose = [&] {
        const QString name = u"slot %1 after the compaction,"_s.arg(fate - made->fatesAfter.begin());
        for (int i = 0; i < shown.array->itemCount(); ++i) {
            if (shown.array->itemName(i).startsWith(name))
                return shown.array->activateItem(i);
        }
        QFAIL("The slot is not in the array.");
    };
    choose();
    const core::BlockId block = shown.state.currentBlock();
    const core::BlockId change = shown.state.shownChange();
    QVERIFY(change.isValid());
    QCOMPARE(shown.state.picture().originOf(change), block);
    const std::string recorded = made->before.session()->text(made->before.block(block).body);
    const std::string sent = made->after.session()->text(made->after.block(change).body);
    QVERIFY(recorded != sent);
    const auto copied = [&] {
        panel.waitForContent();
        panel.copyAll();
        return QGuiApplication::clipboard()->mimeData()->data(u"text/plain;charset=utf-8"_s).toStdString();
    };
    QCOMPARE(copied(), sent);
    QVERIFY2(facts->text().contains(u"text after the compaction: "_s), qPrintable(facts->text()));
    QVERIFY(original->isVisible() && !original->isChecked());
    QTest::mouseClick(original, Qt::LeftButton);
    QCOMPARE(copied(), recorded);
    QVERIFY2(!facts->text().contains(u"text after the compaction: "_s), qPrintable(facts->text()));
    QTest::mouseClick(original, Qt::LeftButton);
    QCOMPARE(copied(), sent);
    panel.setRaw(true);
    QCOMPARE(copied(), std::string(made->before.session()->record(made->before.block(block))));
    panel.setRaw(false);
    // The array before the compaction has the recorded text.
    shown.state.setCurrentSlot(made->before.slotOf(block));
    shown.state.setCurrentBlock(block);
    QCOMPARE(copied(), recorded);
    QVERIFY(original->isVisible() && original->isChecked());
    // A pinned slot keeps its text, so there is no other text to show.
    choose();
    QCOMPARE(copied(), sent);
    shown.trigger(u"policy.pin"_s);
    shown.state.waitForPicture();
    QCOMPARE(copied(), recorded);
    QVERIFY(!original->isVisible());
}

/// The description of a preset holds its own figures. They would be wrong beside others.
void TestPolicyWindow::anEditedPolicyIsDescribedAsItIs()
{
    const Shown shown(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, false);
    shown.trigger(u"policy.preset.deep-agents"_s);
    QApplication::processEvents();
    const auto *about = shown.policy->findChild<QLabel *>(u"policyAbout"_s);
    const auto *row = shown.policy->findChild<QWidget *>(u"triggerRow"_s);
    const QString preset = about->text();
    QVERIFY2(
        preset.startsWith(u"Moves each large result to a file"_s) && preset.contains(u"85 %"_s), qPrintable(preset));
    const int top = row->y();
    const core::Policy edited = core::withSetting(*shown.workspace.plan().policy, "trigger", "0.62w").value();
    shown.workspace.commitPlan(shown.workspace.planWith(edited), u"Change Trigger"_s);
    QApplication::processEvents();
    QVERIFY2(about->text().contains(u"From 62 % of window on: "_s), qPrintable(about->text()));
    QVERIFY2(
        about->text().contains(u"Changed: trigger 62 % of window, was 85 % of window."_s), qPrintable(about->text()));
    QVERIFY2(!about->text().contains(u"matches published code"_s), qPrintable(about->text()));
    QVERIFY2(about->toolTip().contains(u"Moves each large result to a file"_s), qPrintable(about->toolTip()));
    QCOMPARE(row->y(), top); // nothing moves below the pointer
    const core::Policy both = core::withSetting(edited, "keep", "0.205w").value();
    shown.workspace.commitPlan(shown.workspace.planWith(both), u"Change Keep"_s);
    QApplication::processEvents();
    QVERIFY2(about->text().contains(u"; keep 20.5 % of window, was 10 % of window."_s), qPrintable(about->text()));
    QCOMPARE(row->y(), top);
    shown.undo();
    shown.undo();
    QApplication::processEvents();
    QCOMPARE(about->text(), preset);
}

void TestPolicyWindow::theCostIsSaidInShortSentences()
{
    const Shown shown(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, false);
    shown.trigger(u"policy.preset.deep-agents"_s);
    const auto *run = shown.policy->findChild<QLabel *>(u"policyRun"_s);
    QTRY_VERIFY(run->isVisible());
    QVERIFY(!run->text().contains(u" of the recorded run cost $"_s));
    shown.policy->findChild<QToolButton *>(u"policyCosts"_s)->click();
    const QString words = run->text();
    QVERIFY2(words.contains(u"The policy would cost $"_s), qPrintable(words));
    QVERIFY2(words.contains(u" The recorded run costs $"_s), qPrintable(words));
    QVERIFY2(words.contains(u" Palimpsest computes both costs in the same way."_s), qPrintable(words));
    QVERIFY2(words.contains(u" of the recorded run cost $"_s), qPrintable(words));
}

void TestPolicyWindow::aSliderNeedsAReach()
{
    // Without a session six messages would stand at the end of one to one.
    using Unit = core::Measure::Unit;
    ui::MeasureRow row(u"keep"_s);
    const auto *slider = row.findChild<QSlider *>();
    const auto *field = row.findChild<QLineEdit *>();
    row.setMeasure({ 6, Unit::Messages }, 0, 0);
    QVERIFY(slider->isHidden());
    QCOMPARE(field->text(), u"6 msg"_s);
    row.setMeasure({ 6, Unit::Messages }, 0, 20);
    QVERIFY(!slider->isHidden());
    QCOMPARE(slider->value(), 6);
    row.setMeasure({ 5000, Unit::Tokens }, 0, 20);
    QVERIFY(slider->isHidden());
    row.setMeasure({ 0.1, Unit::WindowFraction }, 0, 0);
    QVERIFY(!slider->isHidden());
}

void TestPolicyWindow::aParameterIsOneStep()
{
    const Shown shown;
    auto *field = shown.policy->findChild<QWidget *>(u"keepRow"_s)->findChild<QLineEdit *>();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, u"3msg"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(shown.workspace.keep(), (core::Measure { 3, core::Measure::Unit::Messages }));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    // A number alone is in the unit that the field shows.
    field->selectAll();
    QTest::keyClicks(field, u"5"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(shown.workspace.keep(), (core::Measure { 5, core::Measure::Unit::Messages }));
    shown.undo();
    QCOMPARE(shown.workspace.undoStack().index(), 1);
    field->selectAll();
    QTest::keyClicks(field, u"much"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(shown.workspace.undoStack().index(), 1);
    const auto *verdicts = shown.policy->findChild<QLabel *>(u"policyVerdicts"_s);
    QVERIFY2(verdicts->text().contains(u"“keep” of the policy"_s), qPrintable(verdicts->text()));
    shown.undo();
    QCOMPARE(shown.workspace.keep(), (core::Measure { 6, core::Measure::Unit::Messages }));
}

void TestPolicyWindow::theKeepBoundaryOfThePictureIsThePolicys()
{
    const Shown shown;
    QCOMPARE(shown.state.picture().cutoff, size_t(15));
    const QRect slot15 = shown.slotRect(15);
    QPoint handle;
    for (int x = slot15.right() + 100; x > slot15.left() && handle.isNull(); x -= 4) {
        QTest::mouseMove(shown.array, { x, slot15.top() - 1 });
        if (shown.array->cursor().shape() == Qt::SplitVCursor)
            handle = { x - 10, slot15.top() - 1 };
    }
    QVERIFY2(!handle.isNull(), "the keep boundary has no handle");
    QVERIFY2(handle.x() > slot15.right(), "the handle of the keep boundary covers the words of slots");
    QTest::mousePress(shown.array, Qt::LeftButton, {}, handle);
    for (const uint32_t slot : { 13U, 9U, 6U, 4U })
        QTest::mouseMove(shown.array, { handle.x(), shown.slotRect(slot).top() + 1 });
    QCOMPARE(shown.state.picture().cutoff, size_t(4));
    QTest::mouseRelease(shown.array, Qt::LeftButton, {}, { handle.x(), shown.slotRect(4).top() + 1 });
    QCOMPARE(shown.workspace.keep(), (core::Measure { 17, core::Measure::Unit::Messages }));
    QCOMPARE(shown.state.picture().simulated->fates[11], core::Fate::Kept); // behind the boundary now
    QCOMPARE(shown.state.picture().simulated->fates[3], core::Fate::Shortened);
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.undo();
    QCOMPARE(shown.state.picture().cutoff, size_t(15));
    QCOMPARE(shown.state.picture().simulated->fates[11], core::Fate::Shortened);
    // Escape takes a drag back; what the mouse does until it is let go is nothing then.
    QTest::mousePress(shown.array, Qt::LeftButton, {}, handle);
    QTest::mouseMove(shown.array, { handle.x(), shown.slotRect(9).top() + 1 });
    QCOMPARE(shown.state.picture().cutoff, size_t(9));
    QTest::keyClick(shown.array, Qt::Key_Escape);
    QCOMPARE(shown.state.picture().cutoff, size_t(15));
    QTest::mouseMove(shown.array, { handle.x(), shown.slotRect(4).top() + 1 });
    QTest::mouseRelease(shown.array, Qt::LeftButton, {}, { handle.x(), shown.slotRect(4).top() + 1 });
    QCOMPARE(shown.state.picture().cutoff, size_t(15));
    QCOMPARE(shown.workspace.undoStack().index(), 0);
}

void TestPolicyWindow::slotsArePaintedAndPinned()
{
    const Shown shown;
    // Drawn over with the mouse, as with a brush.
    const QPoint from = shown.slotRect(3).center();
    QTest::mousePress(shown.array, Qt::LeftButton, {}, from);
    QTest::mouseMove(shown.array, shown.slotRect(6).center());
    QTest::mouseMove(shown.array, shown.slotRect(8).center());
    QTest::mouseRelease(shown.array, Qt::LeftButton, {}, shown.slotRect(8).center());
    QCOMPARE(shown.state.selection().size(), size_t(6));
    shown.trigger(u"policy.pin"_s);
    for (const size_t slot : { 3U, 6U, 8U })
        QCOMPARE(shown.state.picture().simulated->fates[slot], core::Fate::Kept);
    QVERIFY2(shown.slotName(3).contains(u", pinned"_s), qPrintable(shown.slotName(3)));
    QVERIFY(!shown.slotName(9).contains(u"pinned"_s));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    // The label is on the picture: the slot looks otherwise than before.
    const QImage pinned = shown.array->grab(shown.slotRect(3)).toImage();
    shown.trigger(u"policy.drop"_s);
    QCOMPARE(shown.state.picture().simulated->fates[3], core::Fate::Dropped);
    QVERIFY(shown.slotName(3).contains(u"dropped by you"_s));
    QVERIFY(shown.array->grab(shown.slotRect(3)).toImage() != pinned);
    shown.trigger(u"policy.clear-override"_s);
    QCOMPARE(shown.state.picture().simulated->fates[3], core::Fate::Shortened);
    QCOMPARE(shown.workspace.undoStack().count(), 3);
    shown.undo();
    shown.undo();
    QCOMPARE(shown.state.picture().simulated->fates[3], core::Fate::Kept);
    shown.undo();
    QVERIFY(shown.workspace.plan().overrides.isEmpty());
}

void TestPolicyWindow::oneBlockOfASlotCanBeDropped()
{
    const Shown shown(samplePath(u"messages-21.claude-code.jsonl"_s), false);
    shown.state.setPosition({});
    const core::Transcript &array = shown.state.picture().before;
    SlotIndex several;
    for (size_t i = 0; i < array.slotCount(); ++i) {
        if (array.slots()[i].blockCount > 1)
            several = SlotIndex(i);
    }
    QVERIFY(several.isValid());
    shown.state.setCurrentBlock(array.blocksOf(array.slot(several)).front());
    shown.trigger(u"policy.drop-block"_s);
    QCOMPARE(shown.workspace.plan().overrides.drop.size(), size_t(1));
    QVERIFY2(shown.slotName(several.value()).contains(u"1 of"_s), qPrintable(shown.slotName(several.value())));
    QVERIFY(shown.state.picture().isSimulated()); // without a policy, too
    shown.undo();
    QVERIFY(!shown.state.picture().isSimulated());
}

void TestPolicyWindow::aResultTakesItsCallAlong()
{
    const QTemporaryDir folder;
    const Shown shown(write(folder, u"array.json"_s, kOpenAi), false);
    shown.state.setPosition({});
    shown.state.setCurrentSlot(SlotIndex(2U));
    shown.trigger(u"policy.pin"_s);
    QCOMPARE(shown.workspace.plan().overrides.keep.size(), size_t(2));
    shown.trigger(u"policy.drop-block"_s);
    QCOMPARE(shown.workspace.plan().overrides.drop.size(), size_t(2));
    QVERIFY(shown.workspace.plan().overrides.keep.empty());
    QVERIFY(shown.state.picture().simulated->validity.empty());
    shown.trigger(u"policy.clear-block"_s);
    QVERIFY(shown.workspace.plan().overrides.isEmpty());
}

void TestPolicyWindow::anArrayThatIsRefusedIsMarked()
{
    const QTemporaryDir folder;
    const Shown shown(write(folder, u"array.json"_s, kOpenAi), false);
    shown.state.setPosition({});
    QCOMPARE(shown.state.picture().before.slotCount(), size_t(4));
    shown.state.setCurrentSlot(SlotIndex(2U));
    shown.workspace.commitOverride({ shown.state.currentBlock() }, ui::Workspace::Override::Drop); // without its pair
    const auto &validity = shown.state.picture().simulated->validity;
    QVERIFY(!validity.empty());
    QVERIFY(validity.front().slot.isValid());
    bool isMarked = false;
    for (int i = 0; i < shown.array->itemCount(); ++i) {
        const QString name = shown.array->itemName(i);
        isMarked = isMarked
            || (name.startsWith(u"slot %1 after the compaction,"_s.arg(validity.front().slot.value()))
                && name.endsWith(u"not valid"_s));
    }
    QVERIFY(isMarked);
    const auto *verdicts = shown.policy->findChild<QLabel *>(u"policyInvalid"_s);
    QVERIFY2(verdicts->text().startsWith(u"Not valid: ["_s), qPrintable(verdicts->text()));
    shown.undo();
    QVERIFY(!verdicts->isVisible());
}

void TestPolicyWindow::ownPoliciesAppearInTheChooser()
{
    const Shown shown;
    const QString path = ui::ownPolicyFolder() + u"/of-the-test.json"_s;
    QFile::remove(path);
    QTest::mouseClick(shown.tick(u"clip-arguments"_s), Qt::LeftButton);
    shown.policy->saveTo(path);
    QVERIFY(QFile::exists(path));
    QCOMPARE(shown.workspace.plan().policy->name, std::string("of-the-test"));
    const auto hasIt = [](const ui::PolicyPanel *panel) {
        return panel->findChild<QComboBox *>(u"policyChooser"_s)->findText(u"of-the-test"_s) >= 0;
    };
    QVERIFY(hasIt(shown.policy));
    const Shown again;
    QVERIFY(hasIt(again.policy));
    // Chosen there, it is the policy that was saved.
    again.policy->loadFrom(path);
    QCOMPARE(again.workspace.plan().policy->document, shown.workspace.plan().policy->document);
    QFile::remove(path);
}

void TestPolicyWindow::theHarnessOfTheSessionStandsFirst()
{
    const QTemporaryDir folder;
    const QByteArray record
        = R"({"type":"user","uuid":"1","sessionId":"s","version":"2.1.7","cwd":"/w","timestamp":"2026-01-01T00:00:00Z",)"
          R"("message":{"role":"user","content":"hello"}})"
          "\n";
    const Shown shown(write(folder, u"session.jsonl"_s, record), false);
    const auto *chooser = shown.policy->findChild<QComboBox *>(u"policyChooser"_s);
    QCOMPARE(chooser->itemText(1), u"The harness of this session"_s);
    QCOMPARE(chooser->itemText(2), u"Claude Code up to 2.1.20"_s); // the version that recorded it
    QCOMPARE(chooser->itemText(3), u"Claude Code up to 2.1.39"_s);
    QCOMPARE(chooser->findText(u"Claude Code"_s), 4);
    QVERIFY(!(chooser->model()->flags(chooser->model()->index(1, 0)) & Qt::ItemIsEnabled));
}

void TestPolicyWindow::aPolicyIsDropped()
{
    const Shown shown(samplePath(u"messages-21.genkit.json"_s), false);
    const core::SessionPtr session = shown.workspace.session();
    drop(const_cast<ui::MainWindow *>(&shown.window),
        QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/policies/deep-agents.json"_s);
    QVERIFY(shown.workspace.plan().policy != nullptr);
    QCOMPARE(shown.workspace.plan().policy->id, std::string("deep-agents"));
    QCOMPARE(shown.workspace.session(), session); // the session stays
    shown.undo();
    QVERIFY(shown.workspace.plan().policy == nullptr);
}

void TestPolicyWindow::whatAPolicySaysInVainIsTold()
{
    const QTemporaryDir folder;
    const Shown shown;
    const auto *verdicts = shown.policy->findChild<QLabel *>(u"policyVerdicts"_s);
    QVERIFY(!verdicts->text().contains(u"does not know"_s));
    drop(const_cast<ui::MainWindow *>(&shown.window),
        write(folder, u"slip.json"_s,
            R"({"schema": "palimpsest.policy/1", "id": "slip", "stages": [{"stage": "clip-results", "previw": 3}]})"));
    QVERIFY2(verdicts->text().contains(u"The policy says “clip-results.previw”, which this program does not know"_s),
        qPrintable(verdicts->text()));
}

void TestPolicyWindow::aWrongPolicyIsASentenceInThePanel()
{
    const QTemporaryDir folder;
    const Shown shown;
    const core::PolicyPtr before = shown.workspace.plan().policy;
    drop(const_cast<ui::MainWindow *>(&shown.window),
        write(folder, u"wrong.json"_s, R"({"schema": "palimpsest.policy/1", "stages": [{"stage": "no-such"}]})"));
    QCOMPARE(shown.workspace.plan().policy, before);
    const auto *verdicts = shown.policy->findChild<QLabel *>(u"policyVerdicts"_s);
    QVERIFY2(verdicts->isVisible() && verdicts->text().contains(u"wrong.json"_s), qPrintable(verdicts->text()));
}

void TestPolicyWindow::anotherFileStandsAsTheArrayAfter()
{
    const QTemporaryDir folder;
    QByteArray after(kOpenAi);
    after.replace("the whole text of the file", "the whole text of");
    const Shown shown(write(folder, u"array.json"_s, kOpenAi), false);
    shown.state.setPosition({});
    shown.workspace.compareWith(write(folder, u"after.json"_s, after).toStdString());
    QTRY_VERIFY(shown.state.picture().observed != nullptr);
    QCOMPARE(shown.state.picture().observed->fates[2], core::Fate::Shortened);
    // A policy beside it: one chooses between the two.
    shown.trigger(u"policy.preset.genkit-recipe-figure"_s);
    QVERIFY(shown.state.picture().simulated != nullptr);
    const auto *chooser = shown.window.findChild<QWidget *>(u"aftermath"_s);
    QVERIFY(chooser->isVisible());
    shown.state.setAftermath(ui::Aftermath::Observed);
    QVERIFY(shown.state.picture().observed != nullptr);
    shown.trigger(u"file.stop-comparing"_s);
    QVERIFY(shown.state.picture().simulated != nullptr);
    QCOMPARE(chooser->accessibleName(), u"Array after the compaction"_s);
    QCOMPARE(shown.state.aftermaths(), (std::vector { ui::Aftermath::Simulated, ui::Aftermath::OwnRun }));
    shown.workspace.compareWith(folder.filePath(u"not there"_s).toStdString());
    QTRY_VERIFY(!shown.notice().isEmpty());
}

/// What the policy sends at this call if it runs from the first call on, beside what was recorded.
void TestPolicyWindow::theOwnRunStandsAsTheArrayAfter()
{
    Shown shown;
    auto *chooser = shown.window.findChild<ui::SegmentedControl *>(u"aftermath"_s);
    QVERIFY(chooser->isVisible());
    chooser->activateItem(1);
    QCOMPARE(shown.state.aftermath(), ui::Aftermath::OwnRun);
    shown.workspace.facts().waitForFacts();
    shown.workspace.figures().waitForFigures();
    shown.workspace.replays().waitForReplay();
    const core::ReplayPtr replay = shown.workspace.replays().current();
    const auto calls = static_cast<uint32_t>(replay->callCount());
    QVERIFY(calls > 2);
    for (const uint32_t call : { 1U, calls / 2, calls - 1 }) {
        shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(call) });
        QTRY_VERIFY(shown.state.picture().ownRun != nullptr);
        const ui::ArrayPicture &picture = shown.state.picture();
        QVERIFY(!picture.simulated && !picture.observed);
        QCOMPARE(picture.after.blocks().size(), size_t { replay->steps[call].blockCount });
        QVERIFY(std::abs(picture.sumAfter.value() - replay->steps[call].tokens) < 0.01);
    }
    // The figures of the stages belong to the simulated array: under another keep the old ones would be wrong.
    shown.trigger(u"policy.preset.genkit-recipe-figure"_s);
    for (const auto *saving : shown.policy->findChildren<QLabel *>(u"saving"_s))
        QCOMPARE(saving->text(), QString());
    chooser->activateItem(0);
    QTRY_VERIFY(shown.state.picture().simulated != nullptr);
    for (const auto *saving : shown.policy->findChildren<QLabel *>(u"saving"_s))
        QTRY_VERIFY(!saving->text().isEmpty());
    chooser->activateItem(1);
    // Another policy has another run; without a policy there is none.
    shown.trigger(u"policy.preset.pi"_s);
    QTRY_VERIFY(shown.state.picture().ownRun != nullptr);
    shown.workspace.replays().waitForReplay();
    const auto sent = [&] { return shown.workspace.replays().current()->steps[calls - 1].tokens; };
    QTRY_VERIFY(std::abs(shown.state.picture().sumAfter.value() - sent()) < 0.01);
    shown.trigger(u"policy.as-recorded"_s);
    QVERIFY(shown.state.picture().ownRun == nullptr && !chooser->isVisible());
}

void TestPolicyWindow::anotherFileIsOpenedAlong()
{
    const QTemporaryDir folder;
    QByteArray after(kOpenAi);
    after.replace("the whole text of the file", "the whole text of");
    Shown shown(samplePath(u"messages-21.genkit.json"_s), false);
    const QString path = write(folder, u"array.json"_s, kOpenAi);
    shown.window.open(path.toStdString(), write(folder, u"after.json"_s, after).toStdString());
    QTRY_VERIFY(shown.workspace.afterFile().has_value());
    QCOMPARE(shown.workspace.path(), std::filesystem::path(path.toStdString()));
    shown.state.setPosition({});
    QTRY_VERIFY(shown.state.picture().observed != nullptr);
    QCOMPARE(shown.state.picture().observed->fates[2], core::Fate::Shortened);
    QVERIFY(shown.notice().isEmpty());
    // A file that cannot be read is said to be; the session is there all the same.
    shown.window.open(samplePath(u"messages-21.genkit.json"_s).toStdString(), folder.path().toStdString());
    QTRY_VERIFY2(shown.notice().contains(u"This is a folder"_s), qPrintable(shown.notice()));
    QCOMPARE(shown.state.picture().before.session()->messages.size(), size_t(21));
    QVERIFY(!shown.workspace.afterFile().has_value());
}

void TestPolicyWindow::pinsAndDropsOutliveAReload()
{
    const QTemporaryDir folder;
    const QByteArray whole(kOpenAi);
    const QString path = write(folder, u"array.json"_s, whole);
    const Shown shown(path, false);
    shown.state.setPosition({});
    const auto change = [&](const char *from, const char *to) {
        QByteArray text = whole;
        write(folder, u"array.json"_s, text.replace(from, to));
        const core::SessionPtr before = shown.workspace.session();
        shown.workspace.reload();
        QTRY_VERIFY(shown.workspace.session() != before && !shown.workspace.isLoading());
    };
    shown.state.setCurrentSlot(SlotIndex(0U));
    shown.trigger(u"policy.drop"_s);
    shown.state.setCurrentSlot(SlotIndex(3U));
    shown.trigger(u"policy.pin"_s);
    QCOMPARE(shown.workspace.plan().overrides.keep, std::vector { core::BlockId(3U) });
    // A message before them, and one behind: they are other blocks now, and the same ones.
    change("[{\"role\"", R"([{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role")");
    QCOMPARE(shown.workspace.plan().overrides.keep, std::vector { core::BlockId(5U) });
    QCOMPARE(shown.workspace.plan().overrides.drop, std::vector { core::BlockId(2U) });
    QVERIFY2(!shown.notice().contains(u"pinned"_s), qPrintable(shown.notice()));
    QVERIFY2(shown.slotName(5).contains(u"pinned"_s), qPrintable(shown.slotName(5)));
    QCOMPARE(shown.state.picture().simulated->fates[2], core::Fate::Dropped);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(5U)); // what one looked at, too
    // So are the steps that led there.
    shown.undo();
    QVERIFY(shown.workspace.plan().overrides.keep.empty());
    shown.redo();
    QCOMPARE(shown.workspace.plan().overrides.keep, std::vector { core::BlockId(5U) });
    // What is gone is said, and kept: it may come back.
    change("it is read", "it was read");
    QVERIFY(shown.workspace.plan().overrides.keep.empty());
    QCOMPARE(shown.workspace.plan().overrides.drop, std::vector { core::BlockId(0U) });
    QCOMPARE(shown.notice(), u"1 block that you changed is not in the file any more."_s);
    const auto *verdicts = shown.policy->findChild<QLabel *>(u"policyVerdicts"_s);
    QVERIFY2(verdicts->text().contains(u"1 block that you changed is no longer in the file"_s),
        qPrintable(verdicts->text()));
    shown.undo();
    shown.redo();
    QCOMPARE(shown.workspace.plan().missing.keep.size(), size_t(1));
    change("please", "please");
    QCOMPARE(shown.workspace.plan().overrides.keep, std::vector { core::BlockId(3U) });
    QVERIFY(shown.workspace.plan().missing.isEmpty());
    QVERIFY2(!shown.notice().contains(u"pinned"_s), qPrintable(shown.notice()));
    shown.undo();
    QVERIFY(shown.workspace.plan().overrides.keep.empty());
    shown.undo();
    QVERIFY(shown.workspace.plan().overrides.isEmpty());
}

void TestPolicyWindow::weightRowsOfferWhatTheArrayOffers()
{
    const Shown shown;
    auto *dock = shown.window.findChild<QDockWidget *>(u"weightDock"_s);
    dock->raise();
    auto *table = shown.window.findChild<QTreeView *>(u"weightTable"_s);
    QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > 0);
    const auto offered = [&] {
        const QPoint at = table->visualRect(table->model()->index(0, 0)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
        QApplication::sendEvent(table->viewport(), &event);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        return menu == nullptr ? QList<QAction *>() : menu->actions();
    };
    QTabBar *by = shown.window.findChild<QTabBar *>(u"weightGroupBy"_s);
    by->setCurrentIndex(0); // by block
    const auto action
        = [&](const QString &id) { return const_cast<ui::MainWindow &>(shown.window).actions().action(id); };
    QVERIFY(offered().contains(action(u"policy.pin-block"_s)));
    action(u"policy.pin-block"_s)->trigger();
    QApplication::activePopupWidget()->close();
    const std::vector<core::BlockId> pinned = shown.workspace.plan().overrides.keep;
    QVERIFY(std::ranges::contains(pinned, shown.state.currentBlock()));
    for (const core::BlockId id : pinned) // the call of the result, too
        QCOMPARE(shown.workspace.session()->block(id).callId,
            shown.workspace.session()->block(shown.state.currentBlock()).callId);
    by->setCurrentIndex(3); // by kind
    const QList<QAction *> several = offered();
    for (const auto &id : { u"policy.pin"_s, u"policy.drop"_s, u"policy.clear-override"_s, u"go.show-in-array"_s })
        QVERIFY2(several.contains(action(id)), qPrintable(id));
    QApplication::activePopupWidget()->close();
    action(u"policy.drop"_s)->trigger();
    QVERIFY(shown.workspace.plan().overrides.drop.size() > 1);
    action(u"go.show-in-array"_s)->trigger();
    QVERIFY(shown.array->hasFocus());
}

void TestPolicyWindow::panelsHaveTheirRoomInASmallWindow()
{
    Shown shown(samplePath(u"messages-21.genkit.json"_s), false);
    const auto *body = shown.policy->findChild<QWidget *>(u"policyBody"_s);
    const QWidget *port = body->parentWidget();
    auto *side = shown.window.findChild<QDockWidget *>(u"policyDock"_s);
    shown.window.resizeDocks({ side }, { 100 }, Qt::Horizontal);
    QApplication::processEvents();
    QVERIFY(body->width() <= port->width());
    shown.trigger(u"policy.preset.genkit-recipe-figure"_s);
    QTRY_VERIFY2(body->width() <= port->width(), qPrintable(u"%1 in %2"_s.arg(body->width()).arg(port->width())));
    // A window that was too small for all its docks gives them their room when it grows.
    for (const QSize size : { QSize(900, 620), QSize(1500, 1000) }) {
        shown.window.resize(size);
        QApplication::processEvents();
    }
    QVERIFY2(body->width() <= port->width(), qPrintable(u"%1 in %2"_s.arg(body->width()).arg(port->width())));
    shown.window.resize(1280, 800);
    shown.window.restoreDefaultLayout();
    QApplication::processEvents();
    // Nothing of the policy is behind its edge.
    QVERIFY2(body->width() <= port->width(), qPrintable(u"%1 in %2"_s.arg(body->width()).arg(port->width())));
    // And no cell of the rewrites is cut off, but for what and why.
    auto *dock = shown.window.findChild<QDockWidget *>(u"rewritesDock"_s);
    dock->raise();
    QApplication::processEvents();
    const auto *table = shown.window.findChild<QTreeView *>(u"rewritesTable"_s);
    QTRY_VERIFY(table->model()->rowCount() > 0);
    using Model = ui::RewritesModel;
    for (const int column : { Model::Place, Model::Stage, Model::Fate, Model::Before, Model::After }) {
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex index = table->model()->index(row, column);
            const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
            const QString words = index.data().toString();
            QVERIFY2(metrics.horizontalAdvance(words) + 14 <= table->columnWidth(column), qPrintable(words));
        }
    }
    QVERIFY(
        table->columnViewportPosition(Model::After) + table->columnWidth(Model::After) <= table->viewport()->width());
}

void TestPolicyWindow::choosersBecomeOneWordWhereThereIsNoRoom()
{
    Shown shown(samplePath(u"messages-21.claude-code.jsonl"_s));
    const std::unique_ptr<ui::ArrayPage> page(shown.window.findChild<ui::ArrayPage *>()); // by itself from here on
    auto *unit = shown.window.findChild<ui::SegmentedControl *>(u"weightUnit"_s);
    auto *colour = shown.window.findChild<ui::SegmentedControl *>(u"colourBy"_s);
    const auto isCompact = [](const ui::SegmentedControl *control) { return control->width() < control->wideWidth(); };
    const auto squeeze = [&](int width) {
        page->setParent(nullptr);
        page->resize(width, 400);
        page->show();
        QApplication::processEvents();
    };
    squeeze(1000);
    QVERIFY(!isCompact(unit) && !isCompact(colour));
    squeeze(600);
    QVERIFY(!isCompact(unit) && isCompact(colour));
    squeeze(page->minimumSizeHint().width());
    QVERIFY(isCompact(unit) && isCompact(colour));
    for (const auto *control : page->findChildren<ui::SegmentedControl *>())
        QVERIFY(control->isHidden() || page->rect().contains(control->geometry()));
    // What is not shown is in a menu; the keys choose as ever.
    QTest::mouseClick(unit, Qt::LeftButton);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr && menu->actions().size() == 3);
    menu->actions()[1]->trigger();
    menu->close();
    QCOMPARE(shown.state.unit(), core::WeightUnit::Characters);
    unit->setFocus();
    QTest::keyClick(unit, Qt::Key_Right);
    QCOMPARE(shown.state.unit(), core::WeightUnit::Bytes);
}

void TestPolicyWindow::whatStagesSaveEndsAtOneEdge()
{
    const Shown shown;
    int bracketed = 0;
    int right = -1;
    for (const ui::StageRow *row : shown.policy->findChildren<ui::StageRow *>()) {
        const auto *saving = row->findChild<QLabel *>(u"saving"_s);
        const QString words = saving->text();
        bracketed += words.endsWith(u')') ? 1 : 0;
        QVERIFY2(words.endsWith(u')') || words.endsWith(QChar::Nbsp), qPrintable(words));
        QVERIFY2(words.lastIndexOf(u'\u2212') <= (words.startsWith(u'(') ? 1 : 0), qPrintable(words)); // the sign first
        const int edge = saving->mapTo(shown.policy, QPoint(saving->width(), 0)).x();
        QVERIFY(right < 0 || edge == right);
        right = edge;
    }
    QCOMPARE(bracketed, 1); // the one that is off
}

void TestPolicyWindow::aStageThatChangesNothingSaysSoInPlaceOfItsStrip()
{
    const Shown shown;
    std::set<int> heights;
    int quiet = 0;
    for (const ui::StageRow *row : shown.policy->findChildren<ui::StageRow *>()) {
        const auto *verdict = row->findChild<QLabel *>(u"stageVerdict"_s);
        QCOMPARE(row->findChild<ui::StripBar *>()->isVisibleTo(row), verdict->isHidden());
        quiet += verdict->isHidden() ? 0 : 1;
        heights.insert(row->height());
    }
    QVERIFY(quiet > 0);
    // Rows stay where they are while a setting is dragged.
    QVERIFY2(*heights.rbegin() - *heights.begin() <= 2, qPrintable(QString::number(*heights.rbegin())));
}

void TestPolicyWindow::thePresetThatIsChosenHasItsMark()
{
    const Shown shown;
    const auto marked = [&] {
        QStringList ids;
        for (const auto &entry : const_cast<ui::MainWindow &>(shown.window).actions().entries()) {
            if (entry.action->isCheckable() && entry.action->isChecked() && entry.id.startsWith(u"policy."_s))
                ids << entry.id;
        }
        return ids;
    };
    QCOMPARE(marked(), QStringList { u"policy.preset.genkit-recipe-figure"_s });
    shown.trigger(u"policy.preset.pi"_s);
    QCOMPARE(marked(), QStringList { u"policy.preset.pi"_s });
    shown.trigger(u"policy.preset.pi"_s);
    QCOMPARE(marked(), QStringList { u"policy.preset.pi"_s });
    shown.undo();
    QCOMPARE(marked(), QStringList { u"policy.preset.genkit-recipe-figure"_s });
    shown.trigger(u"policy.as-recorded"_s);
    QCOMPARE(marked(), QStringList { u"policy.as-recorded"_s });
    // One's own is none of them.
    shown.workspace.previewPlan(shown.workspace.planWith(core::withName(*core::preset("pi"), "mine", "Mine")));
    QCOMPARE(marked(), QStringList());
}

void TestPolicyWindow::theRewritesOpenOnOneBehindATab()
{
    const Shown shown;
    const auto *rows = shown.window.findChild<QTreeView *>(u"rewritesTable"_s);
    const auto raise = [&](const QString &dock) {
        shown.window.findChild<QDockWidget *>(dock)->raise();
        QApplication::processEvents();
    };
    raise(u"rewritesDock"_s);
    shown.state.setCurrentSlot(SlotIndex(0U)); // nothing happens to it
    QVERIFY(!rows->currentIndex().isValid());
    raise(u"messageDock"_s);
    // Behind the tab it does not follow, not even the plans of a drag.
    const int count = rows->model()->rowCount();
    shown.workspace.previewKeep({ 12, core::Measure::Unit::Messages });
    QCOMPARE(rows->model()->rowCount(), count);
    raise(u"rewritesDock"_s);
    QVERIFY(rows->model()->rowCount() != count);
    QCOMPARE(rows->currentIndex().row(), 0);
}

void TestPolicyWindow::theKeysWalkThroughTheDifferences()
{
    const Shown shown;
    shown.state.setCurrentSlot(SlotIndex(0U));
    shown.array->setFocus();
    QTest::keyClick(const_cast<ui::MainWindow *>(&shown.window), Qt::Key_Down, Qt::AltModifier);
    const SlotIndex first = shown.state.currentSlot();
    QVERIFY(shown.state.picture().simulated->fates[first.index()] != core::Fate::Kept);
    const auto *rows = shown.window.findChild<QTreeView *>(u"rewritesTable"_s);
    QVERIFY(rows->isVisible());
    QCOMPARE(rows->currentIndex().row(), 0);
    shown.trigger(u"go.next-rewrite"_s);
    QCOMPARE(rows->currentIndex().row(), 1);
    shown.trigger(u"go.previous-rewrite"_s);
    QCOMPARE(rows->currentIndex().row(), 0);
    QCOMPARE(shown.state.currentSlot(), first);
}

void TestPolicyWindow::anExportIsWrittenWithItsOriginals()
{
    const QTemporaryDir folder;
    const QString session = folder.filePath(u"session.jsonl"_s);
    QVERIFY(QFile::copy(samplePath(u"messages-21.claude-code.jsonl"_s), session));
    Shown shown(session);
    shown.state.setPosition({});
    const core::CompactionPtr made = shown.state.picture().simulated;
    QVERIFY(made != nullptr && made->validity.empty() && !made->rewrites.empty());
    ui::SessionExport &exporting = shown.window.sessionExport();
    const QString path = exporting.proposedPath();
    QCOMPARE(path, folder.filePath(u"session.compacted.jsonl"_s));
    QSignalSpy finished(&exporting, &ui::SessionExport::finished);
    exporting.exportTo(path);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY2(finished.front().front().toBool(), qPrintable(shown.notice()));
    QVERIFY2(shown.notice().contains(u"never in the context"_s), qPrintable(shown.notice()));
    // What was written is the array after, and the session comes back out of it byte for byte.
    const auto written = core::loadSession(path.toStdString());
    QVERIFY(written.has_value());
    QCOMPARE(core::Transcript(*written, core::rangesAt(**written, {})).slotCount(), made->after.slotCount());
    const auto store = core::Store::open((path + u".originals.git"_s).toStdString());
    QVERIFY(store.has_value());
    const auto commits = store->commits();
    QVERIFY(commits.has_value() && commits->size() == 1);
    QFile file(path);
    QFile original(session);
    QVERIFY(file.open(QIODevice::ReadOnly) && original.open(QIODevice::ReadOnly));
    const auto back = core::restoreSession(*store, commits->front(), file.readAll().toStdString(), path.toStdString());
    QVERIFY(back.has_value());
    QCOMPARE(*back, original.readAll().toStdString());
    QVERIFY(shown.workspace.kept().has_value());
    QVERIFY(commits->front().oid.starts_with(shown.workspace.kept()->commit));
    QCOMPARE(exporting.proposedPath(), folder.filePath(u"session.compacted-2.jsonl"_s));
}

void TestPolicyWindow::whatIsRefusedAlikeIsToldOnce()
{
    const QTemporaryDir folder;
    const Shown shown(write(folder, u"array.json"_s,
                          R"({"system":"S","max_tokens":9,"messages":[{"role":"user","content":"a"},)"
                          R"({"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},)"
                          R"({"type":"tool_use","id":"t2","name":"ls","input":{}}]},)"
                          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"b"},)"
                          R"({"type":"tool_result","tool_use_id":"t2","content":"c"}]},)"
                          R"({"role":"assistant","content":"d"}]})"),
        false);
    shown.state.setPosition({});
    shown.state.setCurrentSlot(SlotIndex(1U));
    const auto calls = shown.state.picture().before.blocksOf(shown.state.picture().before.slot(SlotIndex(1U)));
    shown.workspace.commitOverride({ calls.begin(), calls.end() }, ui::Workspace::Override::Drop); // without results
    QCOMPARE(shown.state.picture().simulated->validity.size(), size_t(2));
    const auto *verdicts = shown.policy->findChild<QLabel *>(u"policyInvalid"_s);
    QCOMPARE(verdicts->text(), u"Not valid: [0] The tool result has no call before it. (2 times)"_s);
}

void TestPolicyWindow::anExportOfARefusedArrayAsks()
{
    const QTemporaryDir folder;
    Shown shown(write(folder, u"array.json"_s, kOpenAi), false);
    shown.state.setPosition({});
    shown.state.setCurrentSlot(SlotIndex(2U));
    shown.workspace.commitOverride({ shown.state.currentBlock() }, ui::Workspace::Override::Drop); // without its pair
    const QString path = folder.filePath(u"out.json"_s);
    ui::SessionExport &exporting = shown.window.sessionExport();
    QSignalSpy finished(&exporting, &ui::SessionExport::finished);
    exporting.exportTo(path);
    QVERIFY2(shown.notice().contains(u"would refuse"_s), qPrintable(shown.notice()));
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    QCOMPARE(finished.count(), 0);
    QVERIFY(!QFile::exists(path));
    auto *anyway = shown.window.findChild<QPushButton *>(u"noticeDeed"_s);
    QVERIFY(anyway->isVisible());
    QTest::mouseClick(anyway, Qt::LeftButton);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY2(finished.front().front().toBool(), qPrintable(shown.notice()));
    QVERIFY(QFile::exists(path));
    // The question goes when what it is about does.
    exporting.exportTo(folder.filePath(u"out-2.json"_s));
    QVERIFY(anyway->isVisible());
    shown.undo();
    QVERIFY(!anyway->isVisible());
}

void TestPolicyWindow::anExportOfACallAsks()
{
    const QTemporaryDir folder;
    Shown shown(samplePath(u"messages-21.claude-code.jsonl"_s));
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(6U) });
    const size_t slots = shown.state.picture().simulated->after.slotCount();
    const QString path = folder.filePath(u"out.jsonl"_s);
    QSignalSpy finished(&shown.window.sessionExport(), &ui::SessionExport::finished);
    shown.window.sessionExport().exportTo(path);
    QVERIFY2(shown.notice().contains(u"ends with the last message that call 6 sent"_s), qPrintable(shown.notice()));
    QVERIFY(!QFile::exists(path));
    QTest::mouseClick(shown.window.findChild<QPushButton *>(u"noticeDeed"_s), Qt::LeftButton);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY2(finished.front().front().toBool(), qPrintable(shown.notice()));
    const auto written = core::loadSession(path.toStdString());
    QVERIFY(written.has_value());
    QCOMPARE(core::Transcript(*written, core::rangesAt(**written, {})).slotCount(), slots);
}

void TestPolicyWindow::aSessionIsContinued()
{
    const QTemporaryDir home;
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.path().toUtf8());
    const auto restore = qScopeGuard([&] { qputenv("HOME", before); });
    Shown shown(samplePath(u"messages-21.claude-code.jsonl"_s));
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(6U) });
    const size_t slots = shown.state.picture().simulated->after.slotCount();
    QSignalSpy finished(&shown.window.continuation(), &ui::SessionContinuation::finished);
    shown.trigger(u"file.continue"_s);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY2(finished.front().front().toBool(), qPrintable(shown.notice()));
    QVERIFY2(shown.notice().contains(u"claude --resume "_s), qPrintable(shown.notice()));
    QDirIterator files(
        home.filePath(u".claude/projects"_s), { u"*.jsonl"_s }, QDir::Files, QDirIterator::Subdirectories);
    const QString copy = files.next();
    const auto written = core::loadSession(copy.toStdString());
    QVERIFY(written.has_value());
    QCOMPARE(core::Transcript(*written, core::rangesAt(**written, {})).slotCount(), slots);
    // The command goes to the clipboard, and stays in the bar.
    QTest::mouseClick(shown.window.findChild<QPushButton *>(u"noticeDeed"_s), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().endsWith(u"claude --resume "_s + QFileInfo(copy).completeBaseName()));
    QVERIFY(shown.notice().startsWith(u"Copied"_s));
    // Another policy does not take the button away.
    auto *undo = shown.window.findChild<QPushButton *>(u"noticeUndo"_s);
    shown.undo();
    QVERIFY(undo->isVisible());
    QSignalSpy undone(&shown.window.continuation(), &ui::SessionContinuation::undone);
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_COMPARE(undone.count(), 1);
    QVERIFY2(undone.front().front().toBool(), qPrintable(shown.notice()));
    QVERIFY(!QFile::exists(copy) && !QFile::exists(copy + u".originals.git"_s));
    QVERIFY(!undo->isVisible());
}

/// Without a policy the new session has the array as it was sent.
void TestPolicyWindow::aSessionIsContinuedAsItIs()
{
    const QTemporaryDir home;
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.path().toUtf8());
    const auto restore = qScopeGuard([&] { qputenv("HOME", before); });
    Shown shown(samplePath(u"messages-21.codex.jsonl"_s), false);
    shown.state.setPosition({});
    QSignalSpy finished(&shown.window.continuation(), &ui::SessionContinuation::finished);
    shown.trigger(u"file.continue"_s);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY2(finished.front().front().toBool(), qPrintable(shown.notice()));
    QVERIFY2(shown.notice().contains(u"codex resume "_s), qPrintable(shown.notice()));
    Shown other(samplePath(u"messages-21.genkit.json"_s), false);
    other.trigger(u"file.continue"_s);
    QVERIFY2(other.notice().contains(u"that a harness would resume"_s), qPrintable(other.notice()));
}

void TestPolicyWindow::withoutAPlanThereIsNothingToExport()
{
    const Shown shown(samplePath(u"messages-21.claude-code.jsonl"_s), false);
    shown.trigger(u"file.export"_s); // no dialog: there is nothing to choose a file for
    QVERIFY2(shown.notice().contains(u"Choose a policy"_s), qPrintable(shown.notice()));
}

void TestPolicyWindow::aFileThatIsThereIsNotOverwritten()
{
    const QTemporaryDir folder;
    Shown shown(samplePath(u"messages-21.claude-code.jsonl"_s));
    shown.state.setPosition({});
    const QString path = write(folder, u"there.jsonl"_s, "mine");
    QSignalSpy finished(&shown.window.sessionExport(), &ui::SessionExport::finished);
    shown.window.sessionExport().exportTo(path);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(!finished.front().front().toBool());
    QVERIFY2(shown.notice().startsWith(u"Nothing was written"_s), qPrintable(shown.notice()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("mine"));
}

PALIMPSEST_TEST(TestPolicyWindow)
#include "tst_policy_window.moc"
