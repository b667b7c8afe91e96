// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/theme.h"
#include "ui/weight/weight_model.h"
#include "ui/weight/weight_panel.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;
using core::GroupBy;
using core::SlotIndex;
using ui::WeightModel;

namespace {

/// Slots: 0 user, 1/2 read of a.cpp, 3/4 test run, 5/6 read of a.cpp, 7/8 edit of b.cpp, 9 user.
core::SessionPtr work()
{
    core::RecordedSession recording;
    recording.typed("please do it");
    recording.use("Read", "src/a.cpp", 20, 1000);
    recording.result(9000);
    recording.use("Bash", "go test ./...", 30, 4000);
    recording.result(600);
    recording.use("Read", "src/a.cpp", 20, 5000);
    recording.result(5000);
    recording.use("Edit", "src/b.cpp", 2000, 8000);
    recording.result(50);
    recording.typed("thanks");
    return recording.finish();
}

/// Slots: 0 user, 1/2 read of a.cpp, 3/4 run, 5/6 the same text of a.cpp shown again, 7/8 run, 9 user.
core::SessionPtr workThatRepeats()
{
    std::string file;
    for (int line = 0; line < 200; ++line)
        file += "    a line of the file, number " + std::to_string(line) + "\n";
    core::RecordedSession recording;
    recording.typed("please do it");
    recording.use("Read", "src/a.cpp", 20, 1000);
    recording.result(file);
    recording.use("Bash", "go test ./...", 30, 4000);
    recording.result(6000);
    recording.use("View", "src/a.cpp", 30, 5000);
    recording.result(file);
    recording.use("Bash", "go vet", 30, 8000);
    recording.result(60);
    recording.reply("done", 9000);
    recording.typed("thanks");
    return recording.finish();
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::WeightPanel panel { state };
    QTreeView *table = panel.findChild<QTreeView *>(u"weightTable"_s);
    QTabBar *chooser = panel.findChild<QTabBar *>(u"weightGroupBy"_s);
    WeightModel *model = panel.findChild<WeightModel *>();
    std::unique_ptr<QAbstractItemModelTester> tester
        = std::make_unique<QAbstractItemModelTester>(model, QAbstractItemModelTester::FailureReportingMode::QtTest);

    explicit Shown(const core::SessionPtr &session = work())
    {
        state.setUnit(core::WeightUnit::Characters);
        workspace.show(session);
        workspace.commitKeep(workspace.keep(), { 2, core::Measure::Unit::Messages });
        state.setPosition({}); // the end
        panel.resize(1200, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTRY_VERIFY(model->knowsResentUnused()); // it comes when it is found
    }
    [[nodiscard]] int rowNamed(const QString &name) const
    {
        for (int row = 0; row < model->rowCount(); ++row) {
            if (text(row, WeightModel::Name) == name)
                return row;
        }
        return -1;
    }
    [[nodiscard]] QString text(int row, int column) const { return model->index(row, column).data().toString(); }
    void click(int row)
    {
        const QModelIndex index = model->index(row, 0);
        table->scrollTo(index);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    }
};

} // namespace

/// The weight table as a model and as people use it.
class WeightPanelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowSaysWhatItsGroupIs();
    void whatIsBesideTheSlotsHasRows();
    void theHeaviestComesFirst();
    void hotRowsComeFirstAndAreMarked();
    void theChooserGroupsAnew();
    void figuresFollowTheUnit();
    void figuresAreNeverCut();
    void everyColumnSorts_data();
    void everyColumnSorts();
    void aThirdClickPutsHotRowsFirstAgain();
    void resentUnusedComesWithTheUses();
    void theLastUseIsALink();
    void aSortedTableKeepsItsCurrentRow();
    void aClickSelectsTheSlotsOfAGroup();
    void aClickOnABlockMakesItCurrent();
    void aRightClickOffersWhatCanBeDone();
    void theTableFollowsTheCurrentBlock();
    void itOpensAtItsTop();
    void hoveringLinksToTheOtherViews();
    void barsAreTrueToScale();
    void anotherCallHasOtherWeights();
    void withoutASessionItIsEmpty();
    void thirtyThousandBlocksComeFromAJob();
};

void WeightPanelTest::aRowSaysWhatItsGroupIs()
{
    Shown shown;
    const int row = shown.rowNamed(u"src/a.cpp"_s);
    QVERIFY(row >= 0);
    QCOMPARE(shown.text(row, WeightModel::Detail), u"2 reads"_s);
    QCOMPARE(shown.text(row, WeightModel::Weight), u"14,048"_s);
    QCOMPARE(shown.text(row, WeightModel::Share), u"83.8 %"_s);
    QCOMPARE(shown.text(row, WeightModel::Calls), u"3"_s);
    QVERIFY(shown.text(row, WeightModel::Resent).startsWith(u"~"_s)); // tokens, whatever the unit
    QVERIFY(shown.rowNamed(u"go test ./..."_s) >= 0);
    QVERIFY(shown.rowNamed(u"user text"_s) >= 0);
    const QString spoken = shown.model->index(row, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.startsWith(u"src/a.cpp, 2 reads, 14,048 characters, hot: "_s), qPrintable(spoken));
    QCOMPARE(shown.panel.findChild<QLabel *>(u"weightSummary"_s)->text().section(u" · "_s, 0, 0),
        u"16,754 characters in 10 slots"_s);
}

/// With the figures of the array and of its composition.
void WeightPanelTest::whatIsBesideTheSlotsHasRows()
{
    core::RecordedSession recording;
    recording.typed("please do it");
    recording.use("Read", "src/a.cpp", 20, 9'000);
    recording.result(9'000);
    recording.use("Bash", "go test ./...", 30, 12'000);
    recording.summarise(900);
    recording.reply("done", 24'000);
    Shown shown(recording.finish());
    shown.state.setUnit(core::WeightUnit::Tokens);
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(2U) });
    const core::ArraySum &sum = shown.state.picture().sum;
    QCOMPARE(sum.value(), 24'000.0);
    const core::Weights &weights = shown.state.weights();
    for (const auto by : { 0, 1, 2, 3 }) {
        shown.chooser->setCurrentIndex(by);
        const int prelude = shown.rowNamed(u"prelude"_s);
        const int unlogged = shown.rowNamed(u"unlogged"_s);
        QVERIFY(prelude >= 0 && unlogged >= 0);
        QCOMPARE(shown.text(prelude, WeightModel::Weight), QString::fromStdString(weights.shown(sum.prelude)));
        QCOMPARE(shown.text(unlogged, WeightModel::Weight),
            QString::fromStdString(weights.shown(sum.unloggedWithFraming())));
        QVERIFY(shown.text(prelude, WeightModel::Calls).isEmpty());
        double share = 0;
        double weight = 0;
        for (int row = 0; row < shown.model->rowCount(); ++row) {
            share += shown.model->group(row).share;
            weight += shown.model->group(row).weight;
        }
        QVERIFY2(std::abs(share - 1) < 1e-9, qPrintable(QString::number(share)));
        QVERIFY2(std::abs(weight - 24'000) < 1, qPrintable(QString::number(weight)));
        for (int column = -1; column < WeightModel::ColumnCount; ++column)
            shown.model->sort(column);
        const core::BlockId before = shown.state.currentBlock();
        shown.click(shown.rowNamed(u"unlogged"_s)); // there is nothing to select
        QCOMPARE(shown.state.currentBlock(), before);
    }
}

void WeightPanelTest::theHeaviestComesFirst()
{
    const Shown shown;
    QCOMPARE(shown.table->header()->sortIndicatorSection(), static_cast<int>(WeightModel::Weight));
    QCOMPARE(shown.table->header()->sortIndicatorOrder(), Qt::DescendingOrder);
    QVERIFY(shown.table->header()->isSortIndicatorShown());
    for (int row = 1; row < shown.model->rowCount(); ++row)
        QVERIFY(shown.model->group(row - 1).weight >= shown.model->group(row).weight);
}

void WeightPanelTest::hotRowsComeFirstAndAreMarked()
{
    Shown shown;
    shown.table->sortByColumn(-1, Qt::DescendingOrder);
    QVERIFY(shown.model->index(0, 0).data(WeightModel::HotRole).toBool());
    QVERIFY(shown.text(0, WeightModel::Reason).contains(u"a.cpp"_s));
    QVERIFY(!shown.model->index(shown.model->rowCount() - 1, 0).data(WeightModel::HotRole).toBool());
    const auto isMarked = [&](int row) {
        const QRect rect = shown.table->visualRect(shown.model->index(row, 0));
        const QImage image = shown.table->viewport()->grab(rect).toImage();
        return image.pixelColor(1, rect.height() / 2) == shown.state.theme().hot;
    };
    QVERIFY(isMarked(0));
    QVERIFY(!isMarked(shown.model->rowCount() - 1));
}

void WeightPanelTest::theChooserGroupsAnew()
{
    Shown shown;
    shown.chooser->setCurrentIndex(0);
    QCOMPARE(shown.panel.groupBy(), GroupBy::Block);
    QCOMPARE(shown.model->rowCount(), 10);
    QCOMPARE(shown.text(0, WeightModel::Name), u"tool · result Read · src/a.cpp"_s);
    QCOMPARE(shown.text(0, WeightModel::Detail), u"[2] #2"_s);
    QCOMPARE(shown.model->headerData(0, Qt::Horizontal).toString(), u"block"_s);
    shown.chooser->setCurrentIndex(2);
    QVERIFY(shown.rowNamed(u"Read"_s) >= 0);
    QCOMPARE(shown.model->headerData(0, Qt::Horizontal).toString(), u"tool"_s);
    shown.panel.setGroupBy(GroupBy::Kind);
    QCOMPARE(shown.chooser->currentIndex(), 3);
    QVERIFY(shown.rowNamed(u"tool results"_s) >= 0);
}

void WeightPanelTest::figuresAreNeverCut()
{
    Shown shown;
    shown.panel.resize(1260, 200);
    QCoreApplication::processEvents();
    // The longest that a calibrated figure gets.
    const int widest = QFontMetrics(ui::Theme::figureFont(12)).horizontalAdvance(u"1.317M ±2 %"_s);
    for (const int column : { WeightModel::Weight, WeightModel::Resent, WeightModel::ResentUnused })
        QVERIFY(shown.table->columnWidth(column) >= widest + 16);
}

void WeightPanelTest::figuresFollowTheUnit()
{
    Shown shown;
    QCOMPARE(shown.model->headerData(WeightModel::Weight, Qt::Horizontal).toString(), u"characters"_s);
    shown.state.setUnit(core::WeightUnit::Tokens);
    QCOMPARE(shown.model->headerData(WeightModel::Weight, Qt::Horizontal).toString(), u"tokens"_s);
    QVERIFY(shown.text(shown.rowNamed(u"src/a.cpp"_s), WeightModel::Weight).startsWith(u'~'));
}

void WeightPanelTest::everyColumnSorts_data()
{
    QTest::addColumn<int>("column");
    for (int column = 0; column < WeightModel::ColumnCount; ++column)
        QTest::addRow("column %d", column) << column;
}

void WeightPanelTest::everyColumnSorts()
{
    QFETCH(int, column);
    for (const GroupBy by : { GroupBy::File, GroupBy::Block }) {
        Shown shown;
        shown.panel.setGroupBy(by);
        const auto key = [&](int row) -> QVariant {
            const core::WeightGroup &group = shown.model->group(row);
            switch (column) {
            case WeightModel::Name: {
                if (by == GroupBy::File)
                    return QString::fromStdString(group.name);
                const core::Session &session = *shown.state.session();
                const core::Block &block = session.block(group.heaviest);
                return QString::fromUtf8(
                    std::string(session.string(block.subject.isValid() ? block.subject : block.name)));
            }
            case WeightModel::Detail:
                return by == GroupBy::File ? group.blockCount : group.heaviest.value();
            case WeightModel::Calls:
                return group.callCount;
            case WeightModel::Resent:
                return group.resent;
            case WeightModel::ResentUnused:
                return shown.model->resentUnused(row);
            case WeightModel::LastUse:
                return shown.model->lastUse(row).isUsed() ? shown.model->lastUse(row).by.value() + 1 : 0U;
            case WeightModel::Reason:
                return group.hotCount;
            default:
                return group.weight;
            }
        };
        const auto isSorted = [&](Qt::SortOrder order) {
            for (int row = 1; row < shown.model->rowCount(); ++row) {
                const auto compared = QVariant::compare(key(row - 1), key(row));
                if (compared == (order == Qt::AscendingOrder ? QPartialOrdering::Greater : QPartialOrdering::Less))
                    return false;
            }
            return true;
        };
        shown.table->sortByColumn(column, Qt::DescendingOrder);
        QVERIFY(isSorted(Qt::DescendingOrder));
        shown.table->sortByColumn(column, Qt::AscendingOrder);
        QVERIFY(isSorted(Qt::AscendingOrder));
        // It stays so when the array changes.
        core::Position position = shown.state.position();
        position.call = core::CallIndex(2U);
        shown.state.setPosition(position);
        QVERIFY(isSorted(Qt::AscendingOrder));
    }
}

void WeightPanelTest::aThirdClickPutsHotRowsFirstAgain()
{
    Shown shown;
    QHeaderView *header = shown.table->header();
    const auto names = [&] {
        QStringList list;
        for (int row = 0; row < shown.model->rowCount(); ++row)
            list << shown.text(row, WeightModel::Name);
        return list;
    };
    shown.table->sortByColumn(-1, Qt::DescendingOrder);
    const QStringList before = names();
    const QPoint section(header->sectionViewportPosition(WeightModel::Name) + 30, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, section);
    QStringList sorted = before;
    sorted.sort();
    QCOMPARE(names(), sorted);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, section);
    std::ranges::reverse(sorted);
    QCOMPARE(names(), sorted);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, section);
    QCOMPARE(names(), before);
}

void WeightPanelTest::aSortedTableKeepsItsCurrentRow()
{
    Shown shown;
    shown.click(shown.rowNamed(u"src/b.cpp"_s));
    const QPersistentModelIndex current = shown.table->currentIndex();
    for (const int column : { WeightModel::Name, WeightModel::Weight, WeightModel::Resent }) {
        shown.table->sortByColumn(column, Qt::AscendingOrder);
        QCOMPARE(current.data().toString(), u"src/b.cpp"_s);
        QCOMPARE(shown.table->currentIndex(), QModelIndex(current));
    }
}

void WeightPanelTest::aClickSelectsTheSlotsOfAGroup()
{
    Shown shown;
    QSignalSpy revealed(&shown.state, &ui::ViewState::revealRequested);
    shown.click(shown.rowNamed(u"src/a.cpp"_s));
    QCOMPARE(shown.state.selection(), (std::vector { SlotIndex(1), SlotIndex(2), SlotIndex(5), SlotIndex(6) }));
    QCOMPARE(shown.state.currentSlot(), SlotIndex(2)); // the heaviest one
    QCOMPARE(revealed.count(), 1);
    QCOMPARE(shown.table->currentIndex().row(), shown.rowNamed(u"src/a.cpp"_s));
    shown.table->setFocus();
    QTest::keyClick(shown.table, Qt::Key_Down);
    QVERIFY(shown.state.currentSlot() != SlotIndex(2));
}

void WeightPanelTest::aClickOnABlockMakesItCurrent()
{
    // One slot of two blocks: the lighter one can be chosen, too.
    core::SessionBuilder builder;
    const core::ThreadIndex thread = builder.addThread(core::ThreadKind::Main);
    core::MessageDraft draft;
    draft.role = core::Role::Assistant;
    for (const size_t size : { 50U, 900U })
        draft.blocks.push_back(
            builder.makeBlock(core::BlockKind::Text, builder.ownedBody(std::string(size, 'x'), "test")));
    const core::MessageId message = builder.addMessage(thread, draft);
    builder.deriveCalls(thread, std::vector { message });
    Shown shown(builder.finish());
    shown.panel.setGroupBy(GroupBy::Block);
    QCOMPARE(shown.model->rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        shown.click(row);
        QCOMPARE(shown.state.currentBlock(), shown.model->group(row).heaviest);
        QCOMPARE(shown.state.selection(), std::vector { SlotIndex(0) });
        QCOMPARE(shown.table->currentIndex().row(), row);
    }
}

void WeightPanelTest::aRightClickOffersWhatCanBeDone()
{
    Shown shown;
    QAction onBlock(u"of the block"_s);
    QAction onSlots(u"of the slots"_s);
    QAction onEither(u"of either"_s);
    shown.panel.setContextActions({ &onBlock }, { &onSlots }, { &onEither });
    QSignalSpy done(&onSlots, &QAction::triggered);
    const auto offered = [&](int row, QContextMenuEvent::Reason reason) {
        const QPoint at = shown.table->visualRect(shown.model->index(row, WeightModel::Detail)).center();
        QContextMenuEvent event(reason, at, shown.table->viewport()->mapToGlobal(at));
        QApplication::sendEvent(shown.table->viewport(), &event);
        QStringList words;
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (menu == nullptr)
            return words;
        for (QAction *action : menu->actions()) {
            if (!action->isSeparator())
                words << action->text();
        }
        menu->actions().front()->trigger();
        menu->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return words;
    };
    // A row of several blocks: what is done is done to its slots, which are selected by then.
    shown.state.setCurrentSlot(SlotIndex(0));
    const int file = shown.rowNamed(u"src/a.cpp"_s);
    QCOMPARE(offered(file, QContextMenuEvent::Mouse), QStringList({ u"of the slots"_s, u"of either"_s }));
    QCOMPARE(done.count(), 1);
    QCOMPARE(shown.state.selection(), (std::vector { SlotIndex(1), SlotIndex(2), SlotIndex(5), SlotIndex(6) }));
    // With the key it is the current row's.
    QCOMPARE(offered(0, QContextMenuEvent::Keyboard).front(), u"of the slots"_s);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(2));
    shown.panel.setGroupBy(GroupBy::Block);
    QCOMPARE(offered(1, QContextMenuEvent::Mouse), QStringList({ u"of the block"_s, u"of either"_s }));
    QCOMPARE(shown.state.currentBlock(), shown.model->group(1).heaviest);
    // Below the rows there is nothing to be done.
    QContextMenuEvent below(QContextMenuEvent::Mouse, { 50, shown.table->viewport()->height() - 1 },
        shown.table->viewport()->mapToGlobal(QPoint(50, 4000)));
    QApplication::sendEvent(shown.table->viewport(), &below);
    QVERIFY(QApplication::activePopupWidget() == nullptr);
}

void WeightPanelTest::theTableFollowsTheCurrentBlock()
{
    Shown shown;
    QSignalSpy changed(&shown.state, &ui::ViewState::currentChanged);
    shown.state.setCurrentSlot(SlotIndex(7));
    QCOMPARE(shown.text(shown.table->currentIndex().row(), WeightModel::Name), u"src/b.cpp"_s);
    QCOMPARE(changed.count(), 1); // following is not choosing
    shown.panel.setGroupBy(GroupBy::Tool);
    QCOMPARE(shown.text(shown.table->currentIndex().row(), WeightModel::Name), u"Edit"_s);
    shown.state.setCurrentBlock({});
    QVERIFY(!shown.table->currentIndex().isValid());
}

/// The slot with which a session opens is the program's choice, and may have a row far below the hot ones.
void WeightPanelTest::itOpensAtItsTop()
{
    const auto manyFiles = [] {
        core::RecordedSession recording;
        recording.typed("please do it");
        for (size_t i = 0; i < 40; ++i) {
            recording.use("Read", "src/" + std::to_string(i) + ".cpp", 20, 1'000 + 100 * i);
            recording.result(2'000 + 10 * i);
        }
        recording.typed("thanks");
        return recording.finish();
    };
    Shown shown(manyFiles());
    shown.chooser->setCurrentIndex(0);
    const auto *bar = shown.table->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    shown.model->sort(WeightModel::Weight, Qt::AscendingOrder); // the heaviest row is the last
    shown.table->scrollToTop();
    // A new session: the program chooses its hottest slot.
    shown.workspace.show(manyFiles());
    QTRY_VERIFY(shown.table->currentIndex().isValid());
    QCOMPARE(bar->value(), 0);
    QTRY_VERIFY(shown.model->knowsResentUnused());
    QCOMPARE(bar->value(), 0);
    // The user's choice is brought into sight.
    const int last = shown.model->rowCount() - 1;
    shown.state.setCurrentBlock(shown.model->group(last).heaviest);
    QVERIFY(bar->value() > 0);
}

void WeightPanelTest::hoveringLinksToTheOtherViews()
{
    Shown shown;
    const int row = shown.rowNamed(u"src/b.cpp"_s);
    QTest::mouseMove(shown.table->viewport(), shown.table->visualRect(shown.model->index(row, 0)).center());
    QVERIFY(QTest::qWaitFor([&] { return shown.state.hoveredBlock().isValid(); }));
    QCOMPARE(shown.state.hoveredBlock(), shown.model->group(row).heaviest);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(shown.table->viewport(), &leave);
    QVERIFY(!shown.state.hoveredBlock().isValid());
    // From elsewhere: the row is outlined.
    const QRect rect = shown.table->visualRect(shown.model->index(row, WeightModel::Reason));
    const auto top = [&] { return shown.table->viewport()->grab(rect).toImage().pixelColor(40, 0); };
    QVERIFY(top() != shown.state.theme().hairline);
    shown.state.setHoveredBlock(shown.model->group(row).heaviest);
    QCOMPARE(top(), shown.state.theme().hairline);
}

void WeightPanelTest::barsAreTrueToScale()
{
    Shown shown;
    const auto length = [&](int row) {
        const QRect rect = shown.table->visualRect(shown.model->index(row, WeightModel::Bar));
        const QImage image = shown.table->viewport()->grab(rect).toImage();
        const QColor fill = shown.state.theme().of(shown.model->group(row).material);
        int pixels = 0;
        for (int x = 0; x < image.width(); ++x)
            pixels += image.pixelColor(x, rect.height() / 2) == fill ? 1 : 0;
        return pixels;
    };
    shown.state.setCurrentBlock({}); // no selected ground
    const int heaviest = shown.rowNamed(u"src/a.cpp"_s);
    const int other = shown.rowNamed(u"src/b.cpp"_s);
    const double wanted = shown.model->group(other).weight / shown.model->group(heaviest).weight;
    QVERIFY(length(heaviest) > 60);
    QVERIFY(std::abs(length(other) - wanted * length(heaviest)) <= 2);
    QVERIFY(length(shown.rowNamed(u"user text"_s)) >= 1); // never nothing
}

void WeightPanelTest::anotherCallHasOtherWeights()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0), core::CallIndex(1U) });
    QCOMPARE(shown.text(shown.rowNamed(u"src/a.cpp"_s), WeightModel::Detail), u"1 read"_s);
    QCOMPARE(shown.rowNamed(u"src/b.cpp"_s), -1);
}

void WeightPanelTest::withoutASessionItIsEmpty()
{
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::WeightPanel panel(state);
    panel.resize(400, 200);
    QVERIFY(!panel.grab().isNull());
    QCOMPARE(panel.findChild<WeightModel *>()->rowCount(), 0);
    panel.setGroupBy(GroupBy::Kind);
    state.setHoveredBlock(core::BlockId(7));
}

void WeightPanelTest::thirtyThousandBlocksComeFromAJob()
{
    core::RecordedSession recording;
    recording.typed("begin");
    for (int i = 0; i < 15'000; ++i) {
        recording.use("Read", "src/file" + std::to_string(i % 700) + ".cpp", 30);
        recording.result(300 + static_cast<size_t>(i));
    }
    const core::SessionPtr made = recording.finish();
    Shown shown;
    const int before = shown.model->rowCount();
    shown.workspace.show(made);
    QCOMPARE(shown.model->rowCount(), before); // what was there stays until the job is done
    QVERIFY(QTest::qWaitFor([&] { return shown.model->rowCount() == 701; }, 20'000));
    shown.panel.setGroupBy(GroupBy::Block);
    QVERIFY(QTest::qWaitFor([&] { return shown.model->rowCount() == 30'001; }, 20'000));
    QTRY_VERIFY_WITH_TIMEOUT(shown.model->knowsResentUnused(), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(shown.workspace.facts().traceGround() != nullptr, 60'000); // nothing else is at work
    shown.tester.reset(); // it asks for every cell twice, which takes far longer than to sort
    shown.table->sortByColumn(WeightModel::Name, Qt::AscendingOrder);
    shown.table->viewport()->repaint();
    QCOMPARE(shown.model->rowCount(), 30'001);
}

void WeightPanelTest::resentUnusedComesWithTheUses()
{
    Shown shown(workThatRepeats());
    shown.panel.setGroupBy(GroupBy::Block);
    // The first reading was needed once more, by the second; nothing needed that.
    int rows = 0;
    for (int row = 0; row < shown.model->rowCount(); ++row) {
        const QString slot = shown.text(row, WeightModel::Detail);
        if (slot.startsWith(u"[2]"_s)) {
            ++rows;
            QVERIFY2(shown.text(row, WeightModel::LastUse).startsWith(u'#'),
                qPrintable(shown.text(row, WeightModel::LastUse)));
            QVERIFY(shown.text(row, WeightModel::ResentUnused).startsWith(u'~'));
        }
        if (slot.startsWith(u"[4]"_s)) {
            ++rows;
            QCOMPARE(shown.text(row, WeightModel::LastUse), u"none"_s);
            QVERIFY(shown.text(row, WeightModel::Reason).startsWith(u"never used again"_s));
        }
    }
    QCOMPARE(rows, 2);
    // In the order of hot rows, they are ranked by it: what was never used comes first.
    shown.table->sortByColumn(-1, Qt::DescendingOrder);
    QVERIFY(shown.text(0, WeightModel::Detail).startsWith(u"[4]"_s));
    QVERIFY(shown.model->index(0, 0).data(WeightModel::HotRole).toBool());
    const auto *summary = shown.panel.findChild<QLabel *>(u"weightSummary"_s);
    const auto rowsText = [](size_t count, const QString &what) {
        return u"%1 %2 %3"_s.arg(count).arg(what, count == 1 ? u"row"_s : u"rows"_s);
    };
    QVERIFY2(summary->text().contains(rowsText(shown.model->hotCount(), u"hot"_s) + u" · "_s
                 + rowsText(shown.model->moreCount(), u"other"_s) + u" sent again without use"_s)
            || shown.model->moreCount() == 0,
        qPrintable(summary->text()));
}

void WeightPanelTest::theLastUseIsALink()
{
    Shown shown(workThatRepeats());
    shown.panel.setGroupBy(GroupBy::Block);
    for (int row = 0; row < shown.model->rowCount(); ++row) {
        const core::LastUse use = shown.model->lastUse(row);
        if (!use.isUsed())
            continue;
        const QModelIndex link = shown.model->index(row, WeightModel::LastUse);
        shown.table->scrollTo(link);
        QTest::mouseClick(shown.table->viewport(), Qt::LeftButton, {}, shown.table->visualRect(link).center());
        QCOMPARE(shown.state.currentBlock(), use.by);
        QVERIFY(shown.state.currentSlot().isValid());
        return;
    }
    QFAIL("nothing was used");
}

PALIMPSEST_TEST(WeightPanelTest)
#include "tst_weight_panel.moc"
