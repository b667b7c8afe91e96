// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/compaction/compaction.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/look/theme.h"
#include "ui/mainwindow/main_window.h"
#include "ui/rewrites/artifacts_model.h"
#include "ui/rewrites/rewrite_tables.h"
#include "ui/rewrites/rewrites_model.h"
#include "ui/rewrites/rewrites_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using core::SlotIndex;
using namespace Qt::StringLiterals;
using testing::samplePath;

namespace {

/// The sample under a policy, with its panel shown.
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::RewritesPanel panel { state };
    QTreeView *table = panel.findChild<QTreeView *>(u"rewritesTable"_s);

    explicit Shown(const char *policy, const QString &sample = u"messages-21.genkit.json"_s)
    {
        QVERIFY(workspace.openNow(samplePath(sample).toStdString()).has_value());
        if (policy != nullptr)
            workspace.commitPlan(workspace.planWith(core::preset(policy)), u"Choose"_s);
        panel.resize(1100, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.waitForContent();
    }
    void choose(int row)
    {
        table->setCurrentIndex(table->model()->index(row, 0));
        panel.waitForContent();
    }
    /// The row of a slot's first rewrite.
    [[nodiscard]] int rowOf(uint32_t slot) const
    {
        const auto &rewrites = state.picture().made()->rewrites;
        for (size_t i = 0; i < rewrites.size(); ++i) {
            if (state.picture().before.slotOf(rewrites[i].block) == SlotIndex(slot))
                return static_cast<int>(i);
        }
        return -1;
    }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table->model()->index(row, column).data().toString();
    }
};

} // namespace

class TestRewrites : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theModelsAreModels();
    void everyRewriteHasARow();
    void equalRowsFoldIntoOne();
    void theDifferenceIsTheTextBeforeAndAfter();
    void oneWalksThroughAllDifferences();
    void restoringIsAnOverrideThatIsUndone();
    void aRecordedCompactionIsListedToo();
    void whatWasObservedBetweenTwoFilesIsListedToo();
    void artifactsSayHowFarTheyDiffer();
    void textsAreSavedByteForByte();
    void theSessionFileIsNeverWritten();
    void rowAndBlockFollowEachOther();
    void thePanelNeverOpensOnNothing();
    void theHeaderSaysWhoseRewritesTheyAre();
    void aHiddenPanelDoesNotFollow();
    void anInsertionIsMarkedOnBothSides();
    void noColumnIsCut_data();
    void noColumnIsCut();
};

void TestRewrites::theModelsAreModels()
{
    ui::RewritesModel rewrites;
    ui::ArtifactsModel artifacts;
    const QAbstractItemModelTester first(&rewrites, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester second(&artifacts, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Shown shown("deep-agents-no-profile");
    const core::CompactionPtr made = shown.state.picture().simulated;
    rewrites.setCompaction(made);
    artifacts.setCompaction(made);
    artifacts.setFacts(ui::artifactFacts(*made, core::Progress()));
    QCOMPARE(static_cast<size_t>(rewrites.rowCount()), made->rewrites.size());
    QVERIFY(rewrites.rowCount() > 0);
    rewrites.setCompaction(nullptr);
    artifacts.setCompaction(nullptr);
    QCOMPARE(rewrites.rowCount(), 0);
}

void TestRewrites::noColumnIsCut_data()
{
    QTest::addColumn<int>("width");
    for (const int width : { 1000, 1280, 1600, 1920, 2600 })
        QTest::addRow("a panel of %d pixels", width) << width;
}

void TestRewrites::noColumnIsCut()
{
    QFETCH(int, width);
    Shown shown("genkit-recipe-figure");
    shown.panel.resize(width, 200);
    QCoreApplication::processEvents();
    const QHeaderView *header = shown.table->header();
    const QFontMetrics words(ui::Theme::textFont(12));
    using Model = ui::RewritesModel;
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column))
            continue;
        const QString name = header->model()->headerData(column, Qt::Horizontal).toString();
        const int end = header->sectionPosition(column) + header->sectionSize(column);
        QVERIFY2(end <= shown.table->width(), qPrintable(name));
        QVERIFY2(words.horizontalAdvance(name) + 12 <= header->sectionSize(column), qPrintable(name));
    }
    if (width < 1280)
        return;
    // What is rewritten is told with its pointer.
    for (int row = 0; row < shown.table->model()->rowCount(); ++row)
        QVERIFY2(words.horizontalAdvance(shown.cell(row, Model::What)) + 12 <= header->sectionSize(Model::What),
            qPrintable(shown.cell(row, Model::What)));
}

void TestRewrites::everyRewriteHasARow()
{
    Shown shown("genkit-recipe-figure");
    const auto &rewrites = shown.state.picture().made()->rewrites;
    QCOMPARE(static_cast<size_t>(shown.table->model()->rowCount()), rewrites.size());
    const int row = shown.rowOf(3);
    QVERIFY(row >= 0);
    using Model = ui::RewritesModel;
    QCOMPARE(shown.cell(row, Model::Place), u"[3] #3"_s);
    QCOMPARE(shown.cell(row, Model::Stage), u"Clip long texts"_s);
    QCOMPARE(shown.cell(row, Model::Fate), u"shortened"_s);
    QCOMPARE(shown.cell(row, Model::Before), u"14,521"_s);
    const auto *facts = shown.panel.findChild<ui::FactsLine *>(u"rewriteFacts"_s);
    shown.state.setCurrentSlot(SlotIndex(3U));
    QTRY_VERIFY2(facts->text().contains(u"the harness can"_s), qPrintable(facts->text()));
}

void TestRewrites::equalRowsFoldIntoOne()
{
    // Nine slots that a summary replaces, and the summary.
    std::string script;
    for (int i = 0; i < 9; ++i)
        script += i % 2 == 0 ? "u:500 " : "a:500 ";
    const core::SessionPtr session = core::session(script);
    const core::Transcript before(session, session->threads.front().end);
    auto made = std::make_shared<core::Compaction>();
    made->before = before;
    made->after = before;
    for (size_t i = 0; i < 9; ++i) {
        core::Rewrite &rewrite = made->rewrites.emplace_back();
        rewrite.block = before.blocks()[i];
        rewrite.fate = i < 6 ? core::Fate::Summarised : core::Fate::Dropped;
        rewrite.before = { 500, 500, 500 };
    }
    ui::RewriteTables tables;
    tables.resize(700, 300);
    tables.setCompaction(made);
    auto *table = tables.findChild<QTreeView *>(u"rewritesTable"_s);
    const auto shownRows = [&] {
        int count = 0;
        for (int row = 0; row < 9; ++row)
            count += table->isRowHidden(row, {}) ? 0 : 1;
        return count;
    };
    using Model = ui::RewritesModel;
    const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
    QCOMPARE(shownRows(), 4); // one row for six, and the three others, which are too few for a run
    QVERIFY(cell(0, Model::What).contains(u"6 change"_s));
    QCOMPARE(cell(0, Model::Before), u"3,000"_s);
    tables.setCurrentRow(0);
    QCOMPARE(shownRows(), 4);
    tables.setCurrentRow(3); // a row of the run: it opens
    QCOMPARE(shownRows(), 9);
    QCOMPARE(cell(0, Model::Before), u"500"_s);
    Q_EMIT table->clicked(table->model()->index(0, Model::What));
    QCOMPARE(shownRows(), 4);
    QCOMPARE(tables.currentRow(), 0);
}

void TestRewrites::theDifferenceIsTheTextBeforeAndAfter()
{
    Shown shown("genkit-recipe-figure");
    const core::CompactionPtr made = shown.state.picture().made();
    for (size_t i = 0; i < made->rewrites.size(); ++i) {
        shown.choose(static_cast<int>(i));
        const core::Rewrite &rewrite = made->rewrites[i];
        QCOMPARE(shown.panel.diffView()->diff()->removedCount > 0, rewrite.block.isValid());
        const auto before = ui::textBefore(*made, rewrite);
        const auto after = ui::textAfter(*made, rewrite);
        QVERIFY(before && after);
        QCOMPARE(core::textLengths(*before).codePoints, rewrite.before.codePoints);
        QCOMPARE(core::textLengths(*after).codePoints, rewrite.after.codePoints);
        QVERIFY(shown.panel.diffView()->differenceCount() > 0);
    }
}

void TestRewrites::oneWalksThroughAllDifferences()
{
    Shown shown("genkit-recipe-figure");
    const int rows = shown.table->model()->rowCount();
    shown.choose(0);
    std::vector<size_t> counts;
    for (int row = 0; row < rows; ++row) {
        shown.choose(row);
        counts.push_back(shown.panel.diffView()->differenceCount());
    }
    // Down through all of them with the keys of the view, and up again.
    shown.choose(0);
    const auto walk = [&](Qt::Key key, int expectedEnd) {
        size_t steps = 0;
        for (int guard = 0; guard < 1000; ++guard) {
            const int row = shown.table->currentIndex().row();
            const auto difference = shown.panel.diffView()->currentDifference();
            QTest::keyClick(shown.panel.diffView()->afterSurface(), key, Qt::AltModifier);
            shown.panel.waitForContent();
            if (row == shown.table->currentIndex().row() && difference == shown.panel.diffView()->currentDifference())
                break;
            ++steps;
        }
        QCOMPARE(shown.table->currentIndex().row(), expectedEnd);
        size_t all = 0;
        for (const size_t count : counts)
            all += count;
        QCOMPARE(steps, all - 1);
    };
    walk(Qt::Key_Down, rows - 1);
    walk(Qt::Key_Up, 0);
}

void TestRewrites::restoringIsAnOverrideThatIsUndone()
{
    Shown shown("genkit-recipe-figure");
    shown.choose(shown.rowOf(3));
    const core::BlockId block = shown.state.currentBlock();
    const int rows = shown.table->model()->rowCount();
    QTest::mouseClick(shown.panel.findChild<QToolButton *>(u"restoreRewrite"_s), Qt::LeftButton);
    QCOMPARE(shown.workspace.overrideOf(block), std::optional(ui::Workspace::Override::Keep));
    QCOMPARE(shown.rowOf(3), -1);
    QCOMPARE(shown.table->model()->rowCount(), rows - 1);
    QCOMPARE(shown.state.picture().made()->fates[3], core::Fate::Kept);
    shown.workspace.undoStack().undo();
    QVERIFY(shown.rowOf(3) >= 0);
    QVERIFY(!shown.workspace.overrideOf(block).has_value());
    // What a person dropped is given back.
    shown.state.setSelection({ SlotIndex(3U) });
    shown.state.overrideSelection(ui::Workspace::Override::Drop);
    QCOMPARE(shown.state.picture().made()->fates[3], core::Fate::Dropped);
    shown.choose(shown.rowOf(3));
    shown.panel.restoreCurrent();
    QVERIFY(!shown.workspace.overrideOf(block).has_value());
    QCOMPARE(shown.state.picture().made()->fates[3], core::Fate::Shortened);
}

void TestRewrites::aRecordedCompactionIsListedToo()
{
    const std::filesystem::path sample
        = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed/claude-compaction.jsonl";
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::RewritesPanel panel(state);
    panel.resize(1000, 300);
    panel.show();
    QVERIFY(workspace.openNow(sample).has_value());
    const auto &compactions = workspace.session()->threads.front().compactions;
    QVERIFY(!compactions.empty());
    state.setPosition({ core::ThreadIndex(0U), compactions.front().call });
    QVERIFY(state.picture().compaction != nullptr);
    panel.waitForContent();
    auto *table = panel.findChild<QTreeView *>(u"rewritesTable"_s);
    QVERIFY(table->model()->rowCount() > 0);
    table->setCurrentIndex(table->model()->index(0, 0));
    panel.waitForContent();
    QVERIFY(panel.diffView()->differenceCount() > 0);
    QVERIFY(!panel.findChild<QToolButton *>(u"restoreRewrite"_s)->isVisible()); // what happened is not undone
    QVERIFY(panel.findChild<ui::FactsLine *>(u"rewritesSummary"_s)->text().contains(u"recorded"_s));
}

void TestRewrites::whatWasObservedBetweenTwoFilesIsListedToo()
{
    // The array after lacks two messages and has one of them clipped.
    const QTemporaryDir folder;
    const auto write = [&](const QString &name, const QByteArray &text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    const QByteArray longText(3000, 'x');
    write(u"before.json"_s,
        R"({"messages":[{"role":"user","content":"first, something to begin with"},{"role":"assistant","content":")"
            + longText
            + R"("},{"role":"user","content":"second"},{"role":"assistant","content":"fine"},)"
              R"({"role":"user","content":"last"}]})");
    write(u"after.json"_s,
        R"({"messages":[{"role":"user","content":"first, something to begin with"},{"role":"assistant","content":")"
            + longText.first(100) + R"("},{"role":"assistant","content":"fine"}]})");
    Shown shown(nullptr);
    QVERIFY(shown.workspace.openNow(folder.filePath(u"before.json"_s).toStdString()).has_value());
    QVERIFY(shown.workspace.compareWithNow(folder.filePath(u"after.json"_s).toStdString()).has_value());
    shown.panel.waitForContent();
    const core::CompactionPtr made = shown.state.picture().observed;
    QVERIFY(made != nullptr);
    QCOMPARE(shown.state.aftermath(), ui::Aftermath::Observed);
    QCOMPARE(made->fates,
        (std::vector {
            core::Fate::Kept, core::Fate::Shortened, core::Fate::Dropped, core::Fate::Kept, core::Fate::Dropped }));
    QCOMPARE(shown.table->model()->rowCount(), 3);
    // The other file has fewer blocks: what is gone is named from its own.
    QCOMPARE(shown.table->model()->index(2, ui::RewritesModel::Place).data().toString(), u"[4] #4"_s);
    QCOMPARE(shown.table->model()->index(2, ui::RewritesModel::What).data().toString(), u"text"_s);
    QVERIFY(!shown.panel.findChild<QToolButton *>(u"restoreRewrite"_s)->isVisible());
    shown.workspace.stopComparing();
    QVERIFY(shown.state.picture().observed == nullptr);
    QCOMPARE(shown.table->model()->rowCount(), 0);
}

void TestRewrites::artifactsSayHowFarTheyDiffer()
{
    Shown shown("deep-agents-no-profile");
    shown.workspace.commitPlan(
        shown.workspace.planWith(*core::withSetting(*core::preset("deep-agents-no-profile"), "keep", "2msg")),
        u"Change Keep"_s);
    shown.panel.waitForContent();
    const core::CompactionPtr made = shown.state.picture().made();
    QVERIFY(!made->artifacts.empty());
    auto *artifacts = shown.panel.findChild<QTreeView *>(u"artifactsTable"_s);
    QCOMPARE(static_cast<size_t>(artifacts->model()->rowCount()), made->artifacts.size());
    const auto facts = ui::artifactFacts(*made, core::Progress());
    for (int row = 0; row < artifacts->model()->rowCount(); ++row) {
        const auto cell = [&](int column) { return artifacts->model()->index(row, column).data().toString(); };
        const ui::ArtifactFacts &fact = facts[static_cast<size_t>(row)];
        QCOMPARE(fact.bytes, made->textOf(made->artifacts[static_cast<size_t>(row)]).size());
        QVERIFY(!cell(ui::ArtifactsModel::Size).isEmpty());
        QVERIFY(!cell(ui::ArtifactsModel::Difference).isEmpty());
    }
}

void TestRewrites::textsAreSavedByteForByte()
{
    const QTemporaryDir folder;
    Shown shown("genkit-recipe-figure");
    shown.choose(shown.rowOf(3));
    const core::CompactionPtr made = shown.state.picture().made();
    const core::Rewrite &rewrite = made->rewrites[static_cast<size_t>(shown.rowOf(3))];
    QSignalSpy saved(&shown.panel, &ui::RewritesPanel::saved);
    const QString path = folder.filePath(u"original.txt"_s);
    shown.panel.saveTo(ui::RewritesPanel::Text::Original, path);
    QTRY_COMPARE(saved.count(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().toStdString(), *ui::textBefore(*made, rewrite));
}

void TestRewrites::theSessionFileIsNeverWritten()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"session.json"_s);
    QVERIFY(QFile::copy(samplePath(u"messages-21.genkit.json"_s), path));
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
    Shown shown(nullptr);
    QVERIFY(shown.workspace.openNow(path.toStdString()).has_value());
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("genkit-recipe-figure")), u"Choose"_s);
    shown.panel.waitForContent();
    shown.choose(0);
    shown.panel.saveTo(ui::RewritesPanel::Text::Original, path);
    const auto *summary = shown.panel.findChild<ui::FactsLine *>(u"rewritesSummary"_s);
    QTRY_VERIFY2(summary->text().contains(u"never writes to it"_s), qPrintable(summary->text()));
    QFile now(path);
    QFile sample(samplePath(u"messages-21.genkit.json"_s));
    QVERIFY(now.open(QIODevice::ReadOnly) && sample.open(QIODevice::ReadOnly));
    QCOMPARE(now.readAll(), sample.readAll());
}

void TestRewrites::rowAndBlockFollowEachOther()
{
    Shown shown("genkit-recipe-figure");
    shown.choose(shown.rowOf(6));
    QCOMPARE(shown.state.currentSlot(), SlotIndex(6U));
    shown.state.setCurrentSlot(SlotIndex(11U));
    QCOMPARE(shown.table->currentIndex().row(), shown.rowOf(11));
    shown.state.setCurrentSlot(SlotIndex(0U)); // nothing happened to it
    QVERIFY(!shown.table->currentIndex().isValid());
}

void TestRewrites::thePanelNeverOpensOnNothing()
{
    Shown shown("genkit-recipe-figure");
    const auto open = [&](uint32_t slot) {
        shown.panel.hide();
        shown.state.setCurrentSlot(SlotIndex(slot));
        shown.panel.show();
        shown.panel.waitForContent();
    };
    // The one of the selected slot; else the first, without taking the selection along.
    open(11);
    QCOMPARE(shown.table->currentIndex().row(), shown.rowOf(11));
    QVERIFY(shown.rowOf(11) > 0);
    open(0);
    QCOMPARE(shown.table->currentIndex().row(), 0);
    QVERIFY(shown.table->selectionModel()->isRowSelected(0));
    QVERIFY(shown.panel.diffView()->differenceCount() > 0);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(0U));
    const SlotIndex first = shown.state.picture().before.slotOf(shown.state.picture().made()->rewrites[0].block);
    // What is shown there is what the keys, a click and the button begin with.
    shown.panel.step(1);
    QCOMPARE(shown.table->currentIndex().row(), 0);
    QCOMPARE(shown.state.currentSlot(), first);
    open(0);
    const QRect row = shown.table->visualRect(shown.table->model()->index(0, 0));
    QTest::mouseClick(shown.table->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(shown.state.currentSlot(), first);
    open(0);
    QSignalSpy asked(&shown.panel, &ui::RewritesPanel::showInArrayRequested);
    QTest::mouseClick(shown.panel.findChild<QToolButton *>(u"showInArray"_s), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(shown.state.currentSlot(), first);
    open(0);
    QContextMenuEvent menu(QContextMenuEvent::Mouse, row.center(), shown.table->viewport()->mapToGlobal(row.center()));
    QApplication::sendEvent(shown.table->viewport(), &menu);
    QCOMPARE(shown.state.currentSlot(), first);
    // Another plan is looked at from its first rewrite on.
    open(0);
    shown.workspace.commitKeep(shown.workspace.keep(), { 3, core::Measure::Unit::Messages });
    QCOMPARE(shown.table->currentIndex().row(), 0);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(0U));
    shown.workspace.commitPlan(shown.workspace.planWith(nullptr), u"Choose"_s);
    QVERIFY(!shown.table->currentIndex().isValid());
}

/// The tab has no number: the rewrites are those of one call, and change with it.
void TestRewrites::theHeaderSaysWhoseRewritesTheyAre()
{
    Shown shown("genkit-recipe-figure");
    const QSignalSpy counted(&shown.panel, &ui::RewritesPanel::countChanged);
    const auto *summary = shown.panel.findChild<ui::FactsLine *>(u"rewritesSummary"_s);
    const QString name = QString::fromStdString(shown.workspace.plan().policy->name);
    shown.state.setPosition({ core::ThreadIndex(0U), {} });
    QCOMPARE(summary->text(), u"simulated at the end · "_s + name);
    const auto last = static_cast<uint32_t>(shown.state.session()->thread(core::ThreadIndex(0U)).calls.size()) - 1;
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(last) });
    QCOMPARE(summary->text(), u"simulated at call %1 · "_s.arg(last) + name);
    shown.state.setAftermath(ui::Aftermath::OwnRun);
    shown.state.waitForPicture();
    QCOMPARE(summary->text(), u"own run of %1 at call %2, beside the recorded array"_s.arg(name).arg(last));
    QCOMPARE(counted.count(), 0);
}

void TestRewrites::aHiddenPanelDoesNotFollow()
{
    Shown shown("genkit-recipe-figure");
    const auto before = static_cast<size_t>(shown.table->model()->rowCount());
    shown.panel.hide();
    shown.state.setSelection({ SlotIndex(3U) });
    shown.state.overrideSelection(ui::Workspace::Override::Keep);
    QCOMPARE(static_cast<size_t>(shown.table->model()->rowCount()), before);
    shown.panel.show();
    QCOMPARE(static_cast<size_t>(shown.table->model()->rowCount()), before - 1);
}

void TestRewrites::anInsertionIsMarkedOnBothSides()
{
    ui::DiffView view;
    view.resize(900, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    ui::DiffInput input;
    input.before = ui::DiffSide::of(u"before"_s, "one\ntwo\nthree\n");
    input.after = ui::DiffSide::of(u"after"_s, "one\ntwo\nnew\nthree\n");
    view.setInput(std::move(input));
    view.finish();
    QCOMPARE(view.currentDifference(), std::optional<size_t>(0));
    const QColor accent = ui::Theme::make(ui::Appearance::Light).accent;
    const auto marks = [&](ui::TextSurface *surface) {
        const QImage image = surface->viewport()->grab().toImage();
        int rows = 0;
        for (int y = 0; y < image.height(); ++y)
            rows += image.pixelColor(1, y) == accent ? 1 : 0;
        return rows;
    };
    QVERIFY(marks(view.afterSurface()) > 0);
    QCOMPARE(marks(view.beforeSurface()), marks(view.afterSurface()));
}

PALIMPSEST_TEST(TestRewrites)
#include "tst_rewrites.moc"
