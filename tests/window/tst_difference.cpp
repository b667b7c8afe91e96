// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/observe.h"
#include "tests/recorded_session.h"
#include "tests/test_program.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/difference_page.h"
#include "ui/mainwindow/main_window.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/comparison_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace {

/// The window on a session of forty calls, in the Tuning view: deep-agents beside two other policies.
struct Compared {
    ui::MainWindow window;

    Compared()
    {
        ui::Workspace &workspace = window.workspace();
        workspace.show(core::fortyCalls());
        window.state().setPosition({});
        workspace.commitPlan(workspace.planWith(core::preset("deep-agents")), u"Choose"_s);
        workspace.facts().waitForFacts();
        workspace.figures().waitForFigures();
        workspace.comparisons().toggle(core::preset("genkit-recipe"));
        workspace.comparisons().toggle(core::preset("langchain-summarization"));
        workspace.comparisons().waitForComparisons();
        window.resize(1600, 1400); // the table needs room below the map
        window.show();
        window.centre().choose(ui::CentrePages::Page::Tuning);
        window.centre().tuningPages()->sessionPage()->waitForMap();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(QTest::qWaitFor([this] { return table().isVisible() && table().model()->rowCount() == 4; }));
    }
    [[nodiscard]] ui::ComparisonView &table() { return window.centre().tuningPages()->sessionPage()->comparison(); }
    [[nodiscard]] bool isShown() { return window.centre().differencePage() != nullptr; }
    [[nodiscard]] ui::DifferencePage &page() { return *window.centre().differencePage(); }
    [[nodiscard]] QToolButton *button() { return window.findChild<QToolButton *>(u"showDifference"_s); }

    void click(int row, Qt::KeyboardModifiers modifiers = {})
    {
        const QPoint at = table().visualRect(table().model()->index(row, 0)).center();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, modifiers, at);
    }
    void showDifference(int upper, int lower)
    {
        click(upper);
        click(lower, Qt::ControlModifier);
        QTest::mouseClick(button(), Qt::LeftButton);
        page().waitForArrays();
    }
    /// What a policy makes of the array at the chosen call, as `compact` has it.
    [[nodiscard]] core::Compaction under(const char *policy)
    {
        core::CompactOptions options;
        options.position = window.state().position();
        options.ignoresTriggers = !window.workspace().plan().honoursTriggers;
        const core::SessionPtr &session = window.workspace().session();
        return core::compact(core::Transcript(session, core::rangesAt(*session, options.position)),
            core::preset(policy), *window.workspace().tokens(), options);
    }
};

} // namespace

/// The difference of two runs of the comparison, slot by slot in the window.
class DifferenceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoRowsAreAskedFor();
    void twoRowsAreSelectedByKeys();
    void bothArraysAreAsThePoliciesMakeThem();
    void theRecordedRunIsTheArrayAsItWas();
    void noKeepWindowIsOffered();
    void theButtonCoversNothing();
    void escapeAndTheSwitchGoBack();
    void itFollowsTheChosenCall();
    void whatIsChosenIsReadInTheWindow();
    void anotherSessionClosesIt();
    void aLowWindowShowsTheMapOrTheRuns();
    void oneTableSaysWhatTheRunsComeTo();
};

void DifferenceTest::twoRowsAreAskedFor()
{
    Compared compared;
    QVERIFY(!compared.button()->isVisible());
    compared.click(1);
    QVERIFY(!compared.button()->isVisible());
    compared.click(2, Qt::ControlModifier);
    QVERIFY(compared.button()->isVisible());
    compared.click(3, Qt::ControlModifier);
    QVERIFY(!compared.button()->isVisible());
    QTest::keyClick(&compared.table(), Qt::Key_Return);
    QVERIFY(!compared.isShown());
    compared.click(3, Qt::ControlModifier); // two again
    QTest::keyClick(&compared.table(), Qt::Key_Return);
    QVERIFY(compared.isShown() && compared.page().isVisible());
    compared.page().waitForArrays();
}

void DifferenceTest::twoRowsAreSelectedByKeys()
{
    Compared compared;
    const core::Position position = compared.window.state().position();
    compared.click(1);
    compared.table().setFocus();
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(&compared.table(), Qt::Key_Down, Qt::ControlModifier);
    QVERIFY(compared.window.state().position() == position); // the keys of the calls are the table's here
    QTest::keyClick(&compared.table(), Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(compared.table().selectionModel()->selectedRows().size(), 2);
    QTest::keyClick(&compared.table(), Qt::Key_Return);
    QVERIFY(compared.isShown());
    compared.page().waitForArrays();
}

void DifferenceTest::bothArraysAreAsThePoliciesMakeThem()
{
    Compared compared;
    compared.showDifference(2, 3);
    QVERIFY(compared.isShown() && compared.page().isVisible());
    const core::Compaction before = compared.under("genkit-recipe");
    const core::Compaction after = compared.under("langchain-summarization");
    const core::Compaction difference = core::observe(before.after, after.after, after.afterTokens);
    const ui::ArrayPicture &picture = compared.page().picture();
    QVERIFY(picture.observed != nullptr);
    QCOMPARE(picture.before.slotCount(), before.after.slotCount());
    QCOMPARE(picture.after.slotCount(), after.after.slotCount());
    QVERIFY(!difference.rewrites.empty());
    QCOMPARE(picture.observed->rewrites.size(), difference.rewrites.size());
    QVERIFY(picture.observed->fates == difference.fates);
    const QString title = compared.page().title();
    const QString upper = compared.table().model()->index(2, 0).data().toString();
    const QString lower = compared.table().model()->index(3, 0).data().toString();
    QVERIFY2(title.startsWith(upper + u" → "_s + lower), qPrintable(title));
}

void DifferenceTest::theRecordedRunIsTheArrayAsItWas()
{
    Compared compared;
    compared.showDifference(0, 1);
    const ui::ArrayPicture &picture = compared.page().picture();
    QCOMPARE(picture.before.slotCount(), compared.window.state().picture().before.slotCount());
    QCOMPARE(picture.after.slotCount(), compared.under("deep-agents").after.slotCount());
}

void DifferenceTest::noKeepWindowIsOffered()
{
    Compared compared;
    compared.showDifference(2, 3);
    auto *array = compared.page().findChild<ui::ArrayView *>();
    QVERIFY(array != nullptr);
    QCoreApplication::processEvents();
    for (int x = 20; x < array->width(); x += 48) {
        for (int y = 40; y < array->height(); y += 14) {
            QTest::mouseMove(array, { x, y });
            QVERIFY2(array->cursor().shape() != Qt::SplitVCursor, qPrintable(u"%1, %2"_s.arg(x).arg(y)));
        }
    }
}

void DifferenceTest::theButtonCoversNothing()
{
    Compared compared;
    QVERIFY(!compared.button()->isVisible());
    compared.click(1);
    compared.click(2, Qt::ControlModifier);
    QVERIFY(compared.button()->isVisible());
    QCoreApplication::processEvents();
    const auto rectOf = [](const QWidget &widget) { return QRect(widget.mapToGlobal(QPoint()), widget.size()); };
    QVERIFY(!rectOf(*compared.button()).intersects(rectOf(compared.table())));
}

void DifferenceTest::escapeAndTheSwitchGoBack()
{
    Compared compared;
    compared.showDifference(1, 2);
    QTest::keyClick(&compared.page().array(), Qt::Key_Escape);
    QVERIFY(!compared.isShown());
    QVERIFY(compared.table().isVisible());
    QVERIFY(compared.table().hasFocus());
    QCOMPARE(compared.window.workspace().comparisons().count(), size_t(2)); // Escape took nothing else
    QTest::keyClick(&compared.table(), Qt::Key_Return);
    compared.page().waitForArrays();
    QVERIFY(compared.isShown() && compared.page().isVisible());
    compared.window.centre().choose(ui::CentrePages::Page::Array);
    QVERIFY(!compared.isShown());
    QVERIFY(compared.window.centre().arrayPage()->isVisible());
}

void DifferenceTest::itFollowsTheChosenCall()
{
    Compared compared;
    compared.showDifference(0, 1);
    const size_t atEnd = compared.page().picture().before.slotCount();
    compared.window.state().setPosition({ core::ThreadIndex(0U), core::CallIndex(20U) });
    compared.page().waitForArrays();
    QCOMPARE(compared.page().picture().before.slotCount(), compared.window.state().picture().before.slotCount());
    QVERIFY(compared.page().picture().before.slotCount() < atEnd);
    QVERIFY(compared.page().title().endsWith(u"at call 20"_s));
}

void DifferenceTest::whatIsChosenIsReadInTheWindow()
{
    Compared compared;
    compared.showDifference(0, 1);
    auto &array = compared.page().array();
    QTest::mouseClick(&array, Qt::LeftButton, {}, array.itemRect(5).center());
    const core::SlotIndex slot(5U);
    const auto blocks = compared.page().picture().before.blocksOf(compared.page().picture().before.slot(slot));
    QVERIFY(std::ranges::find(blocks, compared.window.state().currentBlock()) != blocks.end());
}

void DifferenceTest::anotherSessionClosesIt()
{
    Compared compared;
    compared.showDifference(1, 2);
    compared.window.workspace().show(core::fortyCalls());
    QVERIFY(!compared.isShown());
}

void DifferenceTest::aLowWindowShowsTheMapOrTheRuns()
{
    Compared compared;
    const ui::TuningPage &page = *compared.window.centre().tuningPages()->sessionPage();
    auto *shown = page.findChild<ui::SegmentedControl *>(u"tuningShown"_s);
    QVERIFY(shown->isHidden());
    QVERIFY(page.map().isVisible());
    compared.window.resize(1280, 560);
    QVERIFY(QTest::qWaitFor([&] { return shown->isVisible(); }));
    QVERIFY(page.map().isVisible());
    QVERIFY(!compared.table().isVisible());
    QTest::keyClick(shown, Qt::Key_Right);
    QVERIFY(!page.map().isVisible());
    QVERIFY(compared.table().isVisible());
    QVERIFY(QTest::qWaitFor([&] { return compared.table().height() >= compared.table().sizeHint().height(); }));
    compared.showDifference(0, 1);
    QVERIFY(compared.isShown());
    QTest::keyClick(&compared.page().array(), Qt::Key_Escape);
    QVERIFY(compared.table().isVisible());
    QTest::keyClick(shown, Qt::Key_Left);
    QVERIFY(page.map().isVisible());
    QVERIFY(!compared.table().isVisible());
    compared.window.resize(1600, 1400);
    QVERIFY(QTest::qWaitFor([&] { return page.map().isVisible() && compared.table().isVisible(); }));
    QVERIFY(shown->isHidden());
}

void DifferenceTest::oneTableSaysWhatTheRunsComeTo()
{
    Compared compared;
    const auto *timeline = compared.window.findChild<ui::TimelineView *>();
    const auto rows = [&] {
        int count = 0;
        for (int i = 0; i < timeline->itemCount(); ++i)
            count += timeline->itemName(i).contains(u"peak"_s) && timeline->itemName(i).contains(u"sent"_s) ? 1 : 0;
        return count;
    };
    QCOMPARE(rows(), 0);
    const QAbstractItemModel &runs = *compared.table().model();
    const auto lineOf = [&](int row) { return runs.index(row, 0).data(Qt::DecorationRole).value<QPixmap>().toImage(); };
    for (int row = 1; row < runs.rowCount(); ++row)
        QVERIFY(!lineOf(row).isNull() && lineOf(row) != lineOf(row - 1)); // that of the run's curve
    compared.window.centre().choose(ui::CentrePages::Page::Array);
    QCOMPARE(rows(), 4);
    compared.window.centre().choose(ui::CentrePages::Page::Tuning);
    QCOMPARE(rows(), 0);
}

PALIMPSEST_TEST(DifferenceTest)
#include "tst_difference.moc"
