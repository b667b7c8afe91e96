// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/hub/thread_facts.h"
#include "ui/outline/outline_model.h"
#include "ui/outline/outline_panel.h"
#include "ui/outline/threads_model.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace Qt::StringLiterals;
using core::CallIndex;
using core::MessageId;
using ui::OutlineModel;

namespace {

/// Two turns, a compaction in the middle of the first one.
core::SessionPtr twoTurns()
{
    core::RecordedSession recording;
    recording.injected("<environment>");               // #0
    recording.typed("please mend the lexer");          // #1
    recording.use("Read", "src/lexer.cpp", 30, 5000);  // #2, call 0
    recording.result(9000);                            // #3
    recording.use("Edit", "src/lexer.cpp", 900, 9000); // #4, call 1
    recording.result(40);                              // #5
    recording.summarise(400);                          // #6
    recording.reply("The lexer is mended.", 3000);     // #7, call 2
    recording.typed("and the parser?");                // #8
    recording.reply("The parser was well.", 3100);     // #9, call 3
    return recording.finish();
}

/// The texts of a tree, one line a row, indented.
QString written(const QAbstractItemModel &model, const QModelIndex &parent = {}, int depth = 0)
{
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        text += QString(depth * 2, u' ') + index.data().toString() + u" | "_s
            + index.data(OutlineModel::FigureRole).toString() + u'\n';
        text += written(model, index, depth + 1);
    }
    return text;
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::OutlinePanel panel { state };
    QTreeView *tree = panel.findChild<QTreeView *>(u"outlineTree"_s);
    QLineEdit *filter = panel.findChild<QLineEdit *>(u"outlineFilter"_s);
    QTabBar *tabs = panel.findChild<QTabBar *>(u"outlineTabs"_s);
    QListView *threads = panel.findChild<QListView *>(u"threadList"_s);
    OutlineModel *model = panel.findChild<OutlineModel *>();
    QAbstractItemModelTester tester { model, QAbstractItemModelTester::FailureReportingMode::QtTest };

    explicit Shown(const core::SessionPtr &session = twoTurns())
    {
        state.setUnit(core::WeightUnit::Characters);
        workspace.show(session);
        panel.resize(260, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }
    void click(const QModelIndex &index)
    {
        tree->scrollTo(index);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(index).center());
    }
    [[nodiscard]] QModelIndex row(MessageId id) const { return model->indexOf(id); }
    [[nodiscard]] size_t call() const
    {
        return state.position().call.isValid() ? state.position().call.index() : SIZE_MAX;
    }
};

/// Waits for a filter that shows so many turns and compactions.
bool hasRows(const Shown &shown, int count)
{
    return QTest::qWaitFor([&] { return shown.model->rowCount() == count; });
}

} // namespace

/// The outline as a model and as people use it.
class OutlinePanelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTreeReadsLikeTheSession();
    void compactionsHaveTheirTokens();
    void everyMessageHasOneRow();
    void weightsOfATurnAreTheSumOfItsRows();
    void theModelSurvivesEverything();
    void whatTheCallDoesNotHoldIsGrey();
    void aClickOnASlotChoosesIt();
    void aClickOnAGreySlotMovesToACallThatHoldsIt();
    void aClickOnACompactionChoosesItsCall();
    void theTreeFollowsTheCurrentSlot();
    void theTreeFoldsWhatItUnfoldedItself();
    void theFilterFindsByWords();
    void theFilterFindsWhatIsHot();
    void theThreadsTabIsThereWhereThereAreSeveral();
    void aThreadCostsWhatStandsBelowItToo();
    void aClickOnAThreadSwitchesToIt();
    void hoveringLinksToTheOtherViews();
    void moreOfTheSameKeepsWhatIsUnfolded();
    void withoutASessionItIsEmpty();
    void thirtyThousandSlotsAreListed();
    void reasonsOfHotBlocksChangeNoRow();
};

void OutlinePanelTest::theTreeReadsLikeTheSession()
{
    Shown shown;
    const QString expected = u"Before turn 1 | 13\n"
                             "  <environment> body | 13\n"
                             "Turn 1 | 9,999\n"
                             "  user “please mend the lexer” | 21\n"
                             "  model · 2 calls | 9,978\n"
                             "    Read lexer.cpp | 34\n"
                             "    ↳ Read lexer.cpp | 9,000\n"
                             "    Edit lexer.cpp | 904\n"
                             "    ↳ Edit rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr | 40\n"
                             "Compaction 1 · 1 | 9k → 3k\n"
                             "  summary %1 | 400\n"
                             "Turn 1, continued | 20\n"
                             "  model · 1 call | 20\n"
                             "    The lexer is mended. | 20\n"
                             "Turn 2 | 35\n"
                             "  user “and the parser?” | 15\n"
                             "  model · 1 call | 20\n"
                             "    The parser was well. | 20\n"_s.arg(QString(119, u's') + u'…');
    QCOMPARE(written(*shown.model).split(u'\n'), expected.split(u'\n'));
}

void OutlinePanelTest::compactionsHaveTheirTokens()
{
    core::RecordedSession recording;
    recording.typed("go");
    recording.reply("a", 154'400);
    recording.summarise(100);
    recording.reply("b", 60'481);
    recording.rewrite(100);
    recording.clear();
    recording.rollBack(1);
    Shown shown(recording.finish());
    QStringList tops;
    for (int i = 0; i < shown.model->rowCount(); ++i)
        tops << shown.model->index(i, 0).data().toString() + u' '
                + shown.model->index(i, 0).data(OutlineModel::FigureRole).toString();
    QCOMPARE(tops.filter(u"·"_s),
        (QStringList { u"Compaction 1 · 0 154k → 60k"_s, u"Compaction 2, replacement · 1 60k → ?"_s,
            u"Compaction 3, clearing · 1 60k → ?"_s, u"Compaction 4, rollback · 1 60k → ?"_s }));
}

void OutlinePanelTest::everyMessageHasOneRow()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(10); ++i) {
        const core::SessionPtr made = core::session(core::randomLine(random, 1 + static_cast<size_t>(i) * 7));
        OutlineModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setContents(made, core::ThreadIndex(0));
        model.setWeights(core::Weights(core::roughTokens(*made), core::WeightUnit::Characters));
        QSet<quint64> keys;
        for (size_t id = 0; id < made->messages.size(); ++id) {
            const QModelIndex index = model.indexOf(MessageId(id));
            QVERIFY(index.isValid());
            QCOMPARE(model.messageOf(index), MessageId(id));
            QCOMPARE(model.index(index.row(), 0, index.parent()), index);
            keys.insert(model.keyOf(index));
        }
        QCOMPARE(keys.size(), static_cast<qsizetype>(made->messages.size()));
        QVERIFY(!model.indexOf(MessageId(made->messages.size())).isValid());
    }
}

void OutlinePanelTest::weightsOfATurnAreTheSumOfItsRows()
{
    Shown shown;
    const auto figure
        = [](const QModelIndex &index) { return index.data(OutlineModel::FigureRole).toString().remove(u',').toInt(); };
    for (int i = 0; i < shown.model->rowCount(); ++i) {
        const QModelIndex top = shown.model->index(i, 0);
        if (shown.model->kindOf(top) == OutlineModel::Kind::Compaction)
            continue;
        int sum = 0;
        for (int k = 0; k < shown.model->rowCount(top); ++k)
            sum += figure(shown.model->index(k, 0, top));
        QCOMPARE(sum, figure(top));
    }
}

void OutlinePanelTest::theModelSurvivesEverything()
{
    // The tester in Shown looks at every signal and index on the way.
    Shown shown;
    shown.state.setUnit(core::WeightUnit::Tokens);
    shown.panel.setFilter(u"lexer"_s);
    QVERIFY(hasRows(shown, 2)); // turn 1 and what of it came behind the compaction
    shown.workspace.show(core::session("u:10 a:20 t:30 a:40 u:5 a:6"));
    shown.panel.setFilter(QString());
    QCOMPARE(shown.model->rowCount(), 2);
    shown.workspace.show(core::session(""));
    QCOMPARE(shown.model->rowCount(), 0);
    shown.workspace.show(twoTurns());
    QCOMPARE(shown.model->rowCount(), 5);
}

void OutlinePanelTest::whatTheCallDoesNotHoldIsGrey()
{
    Shown shown;
    const auto isIn = [&](uint32_t id) { return shown.row(MessageId(id)).data(OutlineModel::InArrayRole).toBool(); };
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(3U) });
    QVERIFY(!isIn(1) && !isIn(3) && !isIn(5));
    QVERIFY(isIn(6) && isIn(7) && isIn(8));
    QVERIFY(!isIn(9)); // what the call answered was not sent to it
    QVERIFY(!shown.model->index(1, 0).data(OutlineModel::InArrayRole).toBool());
    QVERIFY(shown.model->index(4, 0).data(OutlineModel::InArrayRole).toBool());
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(0U) });
    QVERIFY(isIn(1) && !isIn(3) && !isIn(6));
    // Grey is grey: the words of a row that is not there are drawn in another colour.
    const auto darkest = [&](uint32_t id) {
        const QRect rect = shown.tree->visualRect(shown.row(MessageId(id)));
        const QImage image = shown.tree->viewport()->grab(QRect(0, rect.top(), 200, rect.height())).toImage();
        int least = 255;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 50; x < image.width(); ++x)
                least = std::min(least, image.pixelColor(x, y).lightness());
        }
        return least;
    };
    QVERIFY(darkest(8) > darkest(1) + 25);
}

void OutlinePanelTest::aClickOnASlotChoosesIt()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(3U) });
    QSignalSpy moved(&shown.state, &ui::ViewState::pictureChanged);
    QSignalSpy revealed(&shown.state, &ui::ViewState::revealRequested);
    shown.click(shown.row(MessageId(8)));
    QCOMPARE(shown.state.session()->block(shown.state.currentBlock()).message, MessageId(8));
    QCOMPARE(moved.count(), 0);
    QCOMPARE(revealed.count(), 1);
    QCOMPARE(shown.tree->currentIndex(), shown.row(MessageId(8)));
}

void OutlinePanelTest::aClickOnAGreySlotMovesToACallThatHoldsIt()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(3U) });
    shown.tree->expandAll();
    shown.click(shown.row(MessageId(3)));
    QCOMPARE(shown.call(), size_t(1)); // the last one that was sent the body
    QCOMPARE(shown.state.session()->block(shown.state.currentBlock()).message, MessageId(3));
    QVERIFY(shown.state.currentSlot().isValid());
    // The turn stands for what the person typed.
    shown.click(shown.model->index(4, 0));
    QCOMPARE(shown.call(), size_t(3));
    QCOMPARE(shown.state.session()->block(shown.state.currentBlock()).message, MessageId(8));
}

void OutlinePanelTest::aClickOnACompactionChoosesItsCall()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(3U) });
    const QModelIndex compaction = shown.model->index(2, 0);
    QVERIFY(!compaction.data(OutlineModel::HereRole).toBool());
    shown.click(compaction);
    QCOMPARE(shown.call(), size_t(1));
    QVERIFY(compaction.data(OutlineModel::HereRole).toBool());
}

void OutlinePanelTest::theTreeFollowsTheCurrentSlot()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(1U) });
    const QModelIndex body = shown.row(MessageId(3));
    QSignalSpy moved(&shown.state, &ui::ViewState::pictureChanged);
    shown.state.setCurrentSlot(shown.state.picture().before.slotOf(MessageId(3)));
    QCOMPARE(shown.tree->currentIndex(), body);
    QVERIFY(shown.tree->isExpanded(body.parent()));
    QVERIFY(!shown.tree->visualRect(body).isEmpty());
    QCOMPARE(moved.count(), 0); // following is not choosing
    shown.state.setCurrentBlock({});
    QVERIFY(!shown.tree->currentIndex().isValid());
}

void OutlinePanelTest::theTreeFoldsWhatItUnfoldedItself()
{
    Shown shown;
    shown.state.setPosition({ core::ThreadIndex(0), CallIndex(1U) });
    shown.tree->collapseAll();
    shown.tree->expandToDepth(0);
    shown.state.setCurrentSlot(shown.state.picture().before.slotOf(MessageId(4)));
    const QPersistentModelIndex first = shown.row(MessageId(4)).parent();
    QVERIFY(shown.tree->isExpanded(first));
    shown.state.setPosition({ core::ThreadIndex(0), {} });
    shown.state.setCurrentSlot(shown.state.picture().before.slotOf(MessageId(9)));
    QVERIFY(!shown.tree->isExpanded(first));
    QVERIFY(shown.tree->isExpanded(shown.row(MessageId(9)).parent()));
    // What the person unfolded stays.
    shown.tree->expand(first);
    shown.state.setCurrentSlot(shown.state.picture().before.slotOf(MessageId(8)));
    QVERIFY(shown.tree->isExpanded(first));
}

void OutlinePanelTest::theFilterFindsByWords()
{
    Shown shown;
    shown.filter->setText(u"LEXER edit"_s);
    QVERIFY(hasRows(shown, 1));
    QCOMPARE(written(*shown.model),
        u"Turn 1 | 9,999\n"
        "  model · 2 calls | 9,978\n"
        "    Edit lexer.cpp | 904\n"
        "    ↳ Edit rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr | 40\n"_s);
    QCOMPARE(shown.row(MessageId(4)).data().toString(), u"Edit lexer.cpp"_s);
    QVERIFY(!shown.row(MessageId(3)).isValid());
    QVERIFY(shown.tree->isExpanded(shown.row(MessageId(4)).parent()));
    shown.filter->setText(u"parser?"_s);
    QVERIFY(QTest::qWaitFor([&] { return shown.row(MessageId(8)).isValid(); }));
    QCOMPARE(written(*shown.model),
        u"Turn 2 | 35\n"
        "  user “and the parser?” | 15\n"_s);
    // A mistake leaves the rows as they are.
    shown.filter->setText(u"role:nobody"_s);
    QVERIFY(shown.filter->toolTip().contains(u"nobody"_s));
    QVERIFY(shown.row(MessageId(8)).isValid());
    shown.filter->setText(u"kind:result rrrrrrrr"_s);
    QVERIFY(QTest::qWaitFor([&] { return !shown.row(MessageId(8)).isValid(); }));
    QVERIFY(shown.filter->toolTip().isEmpty());
    shown.filter->setText(u"no such words"_s);
    QVERIFY(hasRows(shown, 0));
    shown.filter->setText(u"#7"_s);
    QVERIFY(QTest::qWaitFor([&] { return shown.row(MessageId(7)).isValid(); }));
    shown.filter->setFocus();
    QTest::keyClick(shown.filter, Qt::Key_Escape);
    shown.filter->clear();
    QVERIFY(hasRows(shown, 5));
}

void OutlinePanelTest::theFilterFindsWhatIsHot()
{
    Shown shown;
    shown.workspace.commitKeep(shown.workspace.keep(), *core::parseMeasure("0msg"));
    shown.filter->setText(u"hot"_s);
    std::vector<std::vector<MessageId>> found;
    for (const uint32_t call : { 1U, 3U }) { // before and after the summary
        shown.state.setPosition({ core::ThreadIndex(0U), CallIndex(call) });
        std::vector<MessageId> hot;
        for (const core::HotBlock &each : shown.state.picture().hot->blocks)
            hot.push_back(shown.state.session()->block(each.block).message);
        QVERIFY(!hot.empty());
        const auto showsHot = [&] {
            for (uint32_t id = 0; id < shown.state.session()->messages.size(); ++id) {
                if (shown.row(MessageId(id)).isValid() != std::ranges::contains(hot, MessageId(id)))
                    return false;
            }
            return true;
        };
        QVERIFY(QTest::qWaitFor(showsHot));
        found.push_back(hot);
    }
    QVERIFY(found.front() != found.back());
}

void OutlinePanelTest::theThreadsTabIsThereWhereThereAreSeveral()
{
    Shown shown;
    QVERIFY(!shown.tabs->isTabVisible(1));
    core::RecordedSession recording;
    recording.typed("go");
    recording.reply("ok", 100);
    (void)recording.builder().addThread(core::ThreadKind::Subagent, "x", "look around");
    shown.workspace.show(recording.finish());
    QVERIFY(shown.tabs->isTabVisible(1));
    shown.tabs->setCurrentIndex(1);
    QVERIFY(shown.threads->isVisible());
    // With one thread the tab goes, and with it its page.
    shown.workspace.show(twoTurns());
    QVERIFY(!shown.tabs->isTabVisible(1));
    QVERIFY(shown.tree->isVisible());
}

void OutlinePanelTest::aThreadCostsWhatStandsBelowItToo()
{
    core::RecordedSession recording;
    recording.typed("go");
    recording.reply("ok");
    core::SessionBuilder &builder = recording.builder();
    const core::ThreadIndex child = builder.addThread(core::ThreadKind::Subagent, "child", "look around");
    core::MessageDraft draft;
    draft.role = core::Role::Assistant;
    draft.blocks
        = { builder.makeBlock(core::BlockKind::ToolCall, builder.ownedBody("{}", "test"), builder.intern("Task")) };
    const core::BlockId task(builder.rangeOf(builder.addMessage(child, draft)).begin);
    const core::ThreadIndex below = builder.addThread(core::ThreadKind::Subagent, "below", "look closer");
    builder.thread(below).parentCall = task;
    const core::ThreadIndex idle = builder.addThread(core::ThreadKind::Subagent, "idle", "without usage");
    ui::ThreadsModel model;
    model.setContents(recording.finish(), nullptr, nullptr);
    const auto figures = [&](core::ThreadIndex thread) {
        return model.index(model.rowOf(thread)).data(ui::ThreadsModel::FiguresRole).toString();
    };
    const core::ThreadIndex main(0U);
    QVERIFY(!figures(main).contains(u'$'));
    core::SessionCost cost;
    const core::CallIndex first(0U);
    cost.calls = { { { main, first }, 1.0, {} }, { { child, first }, 2.0, {} }, { { below, first }, 5.0, {} },
        { { below, first }, std::nullopt, {} } };
    cost.recorded = 8;
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setCost(cost);
    QCOMPARE(changed.count(), 1);
    QVERIFY2(figures(main).endsWith(u" · $8.00, 100 %"_s), qPrintable(figures(main)));
    QVERIFY2(figures(child).endsWith(u" · $7.00, 88 %"_s), qPrintable(figures(child)));
    QVERIFY2(figures(below).endsWith(u" · $5.00, 63 %"_s), qPrintable(figures(below)));
    QVERIFY2(!figures(idle).contains(u'$'), qPrintable(figures(idle)));
}

void OutlinePanelTest::aClickOnAThreadSwitchesToIt()
{
    core::RecordedSession recording;
    recording.typed("go");
    recording.reply("ok", 100);
    core::SessionBuilder &builder = recording.builder();
    const core::ThreadIndex side = builder.addThread(core::ThreadKind::Subagent, "x", "look around");
    core::MessageDraft draft;
    draft.role = core::Role::Assistant;
    draft.blocks = { builder.makeBlock(core::BlockKind::Text, builder.ownedBody("seen", "test")) };
    const core::MessageId message = builder.addMessage(side, draft);
    builder.deriveCalls(side, std::vector { message });
    Shown shown(recording.finish());
    shown.tabs->setCurrentIndex(1);
    const QAbstractItemModel *model = shown.threads->model();
    QCOMPARE(model->rowCount(), 2);
    QCOMPARE(model->index(1, 0).data().toString(), u"look around"_s);
    QVERIFY(model->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(u"1 call · peak 100"_s));
    QAbstractItemModelTester tester(const_cast<QAbstractItemModel *>(model));
    QTest::mouseClick(
        shown.threads->viewport(), Qt::LeftButton, {}, shown.threads->visualRect(model->index(1, 0)).center());
    QCOMPARE(shown.state.position().thread, side);
    QCOMPARE(shown.model->thread(), side);
    QVERIFY(shown.row(message).isValid());
    shown.state.setPosition({});
    QCOMPARE(shown.threads->currentIndex().row(), 0);
}

void OutlinePanelTest::hoveringLinksToTheOtherViews()
{
    Shown shown;
    const QModelIndex typed = shown.row(MessageId(8));
    shown.tree->scrollTo(typed);
    QTest::mouseMove(shown.tree->viewport(), shown.tree->visualRect(typed).center());
    QVERIFY(QTest::qWaitFor([&] { return shown.state.hoveredBlock().isValid(); }));
    QCOMPARE(shown.state.session()->block(shown.state.hoveredBlock()).message, MessageId(8));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(shown.tree->viewport(), &leave);
    QVERIFY(!shown.state.hoveredBlock().isValid());
}

void OutlinePanelTest::moreOfTheSameKeepsWhatIsUnfolded()
{
    Shown shown;
    shown.tree->collapse(shown.model->index(4, 0));
    const QModelIndex group = shown.model->index(0, 0, shown.model->index(3, 0));
    shown.tree->expand(group);
    const core::SessionPtr more = std::make_shared<core::Session>(*shown.state.session());
    shown.workspace.show(more);
    QCOMPARE(shown.model->session(), more);
    QVERIFY(!shown.tree->isExpanded(shown.model->index(4, 0)));
    QVERIFY(shown.tree->isExpanded(shown.model->index(3, 0)));
    QVERIFY(shown.tree->isExpanded(shown.model->index(0, 0, shown.model->index(3, 0))));
    // Another session begins anew.
    shown.workspace.show(twoTurns());
    QVERIFY(shown.tree->isExpanded(shown.model->index(4, 0)));
    QVERIFY(!shown.tree->isExpanded(shown.model->index(0, 0, shown.model->index(3, 0))));
}

void OutlinePanelTest::withoutASessionItIsEmpty()
{
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::OutlinePanel panel(state);
    panel.resize(250, 300);
    panel.setFilter(u"words"_s);
    QVERIFY(!panel.grab().isNull());
    QCOMPARE(panel.findChild<OutlineModel *>()->rowCount(), 0);
}

void OutlinePanelTest::thirtyThousandSlotsAreListed()
{
    core::RecordedSession recording;
    for (int i = 0; i < 15'000; ++i) {
        if (i % 5000 == 0)
            recording.typed("turn");
        recording.use("Read", "src/file" + std::to_string(i) + ".cpp", 30);
        recording.result(300 + static_cast<size_t>(i));
    }
    const core::SessionPtr made = recording.finish();
    Shown shown(core::session("u:5 a:6"));
    shown.workspace.show(made);
    const QModelIndex group = shown.model->index(1, 0, shown.model->index(0, 0));
    QCOMPARE(shown.model->rowCount(group), 10'000);
    shown.tree->expand(group);
    shown.tree->viewport()->repaint();
    shown.tree->scrollTo(shown.model->index(9'000, 0, group));
    shown.tree->viewport()->repaint();
    shown.panel.setFilter(u"file4711"_s);
    QVERIFY(hasRows(shown, 1));
    QCOMPARE(shown.model->rowCount(shown.model->index(0, 0, shown.model->index(0, 0))), 2); // the call and its result
}

void OutlinePanelTest::reasonsOfHotBlocksChangeNoRow()
{
    core::RecordedSession recording;
    recording.typed("turn");
    for (int i = 0; i < 3'000; ++i) { // more blocks than are read at once
        recording.use("Read", "src/file" + std::to_string(i) + ".cpp", 30);
        recording.result(300 + static_cast<size_t>(i));
    }
    Shown shown(recording.finish());
    shown.workspace.facts().waitForFacts();
    QTRY_VERIFY(shown.workspace.facts().uses() != nullptr);
    const auto isExplained = [&] {
        const auto &blocks = shown.state.picture().hot->blocks;
        return !shown.state.isFindingHot() && !blocks.empty()
            && std::ranges::none_of(blocks, [](const core::HotBlock &each) { return each.reason.empty(); });
    };
    QTRY_VERIFY(isExplained());
    QSignalSpy settled(&shown.state, &ui::ViewState::pictureSettled);
    QSignalSpy hot(&shown.state, &ui::ViewState::hotChanged);
    QSignalSpy rows(shown.model, &QAbstractItemModel::dataChanged);
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(2'900U) });
    QCOMPARE(settled.count(), 1);
    QVERIFY(rows.count() > 0);
    QTRY_VERIFY(hot.count() >= 1); // found
    const auto changed = rows.count();
    QTRY_VERIFY(isExplained());
    QCOMPARE(settled.count(), 1);
    QCOMPARE(rows.count(), changed);
    // The hot rows are those of the picture.
    for (const core::HotBlock &each : shown.state.picture().hot->blocks) {
        const QModelIndex row = shown.model->indexOf(shown.state.session()->block(each.block).message);
        QVERIFY(row.data(OutlineModel::HotRole).toBool());
    }
}

PALIMPSEST_TEST(OutlinePanelTest)
#include "tst_outline_panel.moc"
