// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/recorded_session.h"
#include "tests/test_program.h"
#include "ui/calls/calls_delegate.h"
#include "ui/calls/calls_model.h"
#include "ui/calls/calls_panel.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/theme.h"
#include "ui/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QTest>
#include <QTreeView>

#include <cmath>

using namespace Qt::StringLiterals;
using ui::CallsModel;

namespace {

/// Calls of growing prompts, a summary behind call `calls / 2 - 1`; the last call has no usage.
core::SessionPtr calls(uint64_t count)
{
    core::RecordedSession recording;
    recording.builder().session().model = "claude-opus-4-5";
    recording.typed("do it");
    for (uint64_t i = 0; i < count; ++i) {
        if (i == count / 2)
            recording.summarise(500);
        recording.use("Read", "a.cpp", 40, i + 1 == count ? 0 : 20'000 + i % (count / 2) * 7'000);
        recording.result(9000);
    }
    return recording.finish();
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::CallsPanel panel { state };
    CallsModel *model = panel.findChild<CallsModel *>();
    QTreeView *table = panel.findChild<QTreeView *>(u"callsTable"_s);
    QAbstractItemModelTester tester { model, QAbstractItemModelTester::FailureReportingMode::QtTest };

    explicit Shown(const core::SessionPtr &session = calls(20))
    {
        workspace.show(session);
        panel.resize(1200, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }
    void follow(const char *preset, const char *trigger)
    {
        const auto policy = core::withSetting(*core::preset(preset), "trigger", trigger);
        workspace.previewPlan(workspace.planWith(policy.value()));
        workspace.replays().waitForReplay();
    }
    [[nodiscard]] QString text(int row, int column) const { return model->index(row, column).data().toString(); }
};

} // namespace

/// A row for every call.
class CallsPanelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCallAndTheEndHaveARow();
    void asRecordedNothingIsSaidOfAPolicy();
    void aPolicyFillsItsColumns();
    void differencesAreOfLikeWithLike();
    void whatItWaitsForHasRoom();
    void choosingARowChoosesTheCall();
    void theChosenCallIsTheSelectedRow();
    void copiedRowsAreTabSeparated();
    void tenThousandRowsAreThereAtOnce();
    void arraysAreAddedUpOnceForAllViews();
};

void CallsPanelTest::everyCallAndTheEndHaveARow()
{
    const Shown shown;
    QCOMPARE(shown.model->rowCount(), 21);
    QCOMPARE(shown.text(3, CallsModel::Number), u"3"_s);
    QCOMPARE(shown.text(3, CallsModel::Recorded), u"41,000"_s);
    QVERIFY(shown.text(19, CallsModel::Recorded).startsWith(u'~')); // no usage
    QCOMPARE(shown.text(20, CallsModel::Number), u"end"_s);
}

void CallsPanelTest::asRecordedNothingIsSaidOfAPolicy()
{
    Shown shown;
    QVERIFY(shown.table->isColumnHidden(CallsModel::Simulated));
    QVERIFY(!shown.table->isColumnHidden(CallsModel::Recorded));
    QVERIFY(shown.text(3, CallsModel::Decision).isEmpty());
    shown.follow("deep-agents", "40000tok");
    QVERIFY(!shown.table->isColumnHidden(CallsModel::Simulated));
    shown.workspace.previewPlan(shown.workspace.planWith(core::PolicyPtr()));
    QVERIFY(shown.table->isColumnHidden(CallsModel::Simulated));
}

/// Where the log holds more than usage says, what changes nothing differs by nothing: at the end, too.
void CallsPanelTest::differencesAreOfLikeWithLike()
{
    core::RecordedSession recording;
    recording.typed("do it");
    for (int i = 0; i < 4; ++i) {
        recording.use("Read", "a.cpp", 40, 700);
        recording.result(9'000);
    }
    Shown shown(recording.finish());
    shown.workspace.figures().waitForFigures();
    shown.follow("deep-agents", "180000tok"); // never
    shown.workspace.figures().waitForFigures();
    QCOMPARE(shown.text(2, CallsModel::Recorded), u"700"_s);
    QVERIFY(shown.model->replay()->steps[2].tokens > 1'000);
    for (int row = 0; row < shown.model->rowCount(); ++row)
        QCOMPARE(shown.text(row, CallsModel::Difference), u"0"_s);
}

void CallsPanelTest::whatItWaitsForHasRoom()
{
    Shown shown;
    shown.panel.resize(1280, 200);
    shown.follow("deep-agents", "180000tok");
    shown.workspace.figures().waitForFigures();
    const auto room = [&](int column) { return shown.table->columnWidth(column) - 2 * ui::CallsDelegate::kPadding; };
    const QFontMetrics words(ui::Theme::textFont(12));
    QVERIFY(!shown.table->isColumnHidden(CallsModel::Threshold));
    QVERIFY(shown.text(5, CallsModel::Decision).startsWith(u"waits: "_s));
    QVERIFY(words.horizontalAdvance(shown.text(5, CallsModel::Decision)) <= room(CallsModel::Decision));
    QVERIFY(words.horizontalAdvance(u"counterfactual"_s) <= room(CallsModel::World));
    // A policy that always acts measures nothing: its words have that room.
    shown.follow("deep-agents", "always");
    QVERIFY(shown.table->isColumnHidden(CallsModel::Measured));
    QVERIFY(shown.table->isColumnHidden(CallsModel::Threshold));
    QVERIFY(!shown.table->isColumnHidden(CallsModel::Decision));
}

void CallsPanelTest::aPolicyFillsItsColumns()
{
    Shown shown;
    shown.follow("langchain-summarization", "4000tok");
    const core::Replay &replay = *shown.model->replay();
    QVERIFY(replay.compactions() > 0);
    int acted = 0;
    for (int row = 0; row < 20; ++row) {
        const core::ReplayStep &step = replay.steps[static_cast<size_t>(row)];
        const QString decision = shown.text(row, CallsModel::Decision);
        QCOMPARE(decision.startsWith(u"acted: "_s), step.hasFired);
        QVERIFY2(decision.endsWith(QString::fromStdString(step.decision.sentence())), qPrintable(decision));
        QCOMPARE(shown.text(row, CallsModel::Threshold), u"4,000"_s);
        QCOMPARE(shown.text(row, CallsModel::World), row < 10 ? QString() : u"counterfactual"_s);
        acted += step.hasFired ? 1 : 0;
        const double recorded = 20'000 + row % 10 * 7'000;
        if (row < 19 && std::abs(step.tokens - recorded) > 1) // the last call has no usage
            QVERIFY(shown.text(row, CallsModel::Difference).startsWith(step.tokens < recorded ? u'−' : u'+'));
    }
    QVERIFY(acted > 0 && acted < 20);
    // The recorded prompt, exact, where nothing was changed; else of the basis of the blocks.
    for (int row = 0; row < 10; ++row) {
        const core::ReplayStep &step = replay.steps[static_cast<size_t>(row)];
        const bool isRecorded = std::abs(step.tokens - replay.ground->recorded[static_cast<size_t>(row)]) < 0.5;
        const QString simulated = shown.text(row, CallsModel::Simulated);
        QCOMPARE(simulated == shown.text(row, CallsModel::Recorded), isRecorded);
        QCOMPARE(simulated.startsWith(u'~') || simulated.contains(u'±'), !isRecorded);
    }
}

void CallsPanelTest::choosingARowChoosesTheCall()
{
    Shown shown;
    const QModelIndex third = shown.model->index(3, 0);
    shown.table->scrollTo(third);
    QTest::mouseClick(shown.table->viewport(), Qt::LeftButton, {}, shown.table->visualRect(third).center());
    QCOMPARE(shown.state.position().call, core::CallIndex(3U));
    shown.table->setFocus();
    QTest::keyClick(shown.table, Qt::Key_Down);
    QCOMPARE(shown.state.position().call, core::CallIndex(4U));
    QTest::keyClick(shown.table, Qt::Key_End);
    QVERIFY(shown.state.position().isEnd());
}

void CallsPanelTest::theChosenCallIsTheSelectedRow()
{
    Shown shown;
    QCOMPARE(shown.table->currentIndex().row(), 9); // it opens at the heaviest call
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(14U) });
    QCOMPARE(shown.table->currentIndex().row(), 14);
    QCOMPARE(shown.table->selectionModel()->selectedRows().size(), 1);
    // While it is out of sight it does not follow; once it is shown again it does.
    shown.panel.hide();
    shown.state.setPosition({});
    shown.panel.show();
    QCOMPARE(shown.table->currentIndex().row(), 20);
}

void CallsPanelTest::copiedRowsAreTabSeparated()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(2U) });
    shown.state.workspace().figures().waitForFigures();
    shown.panel.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(),
        u"call\ttime\trecorded\tcache read\tcache broken by\tcost\n2\t%1\t34000\t33999\t%2\t%3\n"_s.arg(
            shown.text(2, CallsModel::Time), shown.text(2, CallsModel::CacheCause), shown.text(2, CallsModel::Cost)));
    shown.follow("deep-agents", "40000tok");
    shown.table->selectAll();
    shown.panel.copy();
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
    QCOMPARE(lines.size(), 1 + 21 + 1); // the head line, the rows, and nothing behind the last line end
    for (int i = 0; i < 22; ++i)
        QCOMPARE(lines[i].count(u'\t'), CallsModel::ColumnCount - 1);
}

void CallsPanelTest::tenThousandRowsAreThereAtOnce()
{
    const core::SessionPtr session = calls(10'000);
    Shown shown(session);
    shown.panel.hide();
    shown.panel.show();
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(9000U) });
    shown.table->grab();
    QCOMPARE(shown.model->rowCount(), 10'001);
    QCOMPARE(shown.table->currentIndex().row(), 9000);
}

/// The sums are made with the tokens. Views, figures, the steps of a drag beside a compaction and replays take them.
void CallsPanelTest::arraysAreAddedUpOnceForAllViews()
{
    const core::SessionPtr session = calls(20);
    const uint64_t before = core::arraySumsRuns();
    Shown shown(session);
    QCOMPARE(core::arraySumsRuns() - before, 1U);
    ui::TimelineView timeline(shown.state);
    timeline.resize(800, 200);
    timeline.show();
    QVERIFY(QTest::qWaitForWindowExposed(&timeline));
    shown.workspace.facts().waitForFacts();
    shown.workspace.figures().waitForFigures();
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(3U) });
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(9U) }, 0); // beside the compaction
    QVERIFY(shown.state.picture().compaction != nullptr);
    for (const double keep : { 2000.0, 4000.0, 8000.0 })
        shown.workspace.previewKeep({ keep, core::Measure::Unit::Tokens });
    shown.follow("deep-agents", "40000tok");
    shown.workspace.figures().waitForFigures();
    QCOMPARE(core::arraySumsRuns() - before, 1U);
}

PALIMPSEST_TEST(CallsPanelTest)
#include "tst_calls_panel.moc"
