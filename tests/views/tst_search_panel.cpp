// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/hub/search_line.h"
#include "ui/mainwindow/main_window.h"
#include "ui/search/search_model.h"
#include "ui/search/search_panel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;
using ui::SearchModel;

namespace {

/// Two calls, a summary that replaces all, and one more call.
core::SessionPtr sessionWithALoss()
{
    testing::ClaudeLog log;
    log.typed("never touch the needle config");
    log.call("Bash", { { "command", "grep NEEDLE ." } });
    log.result("a needle here\nand more", true);
    log.call("Read", { { "file_path", "/work/parser.cpp" } });
    log.result("int parse();");
    log.compact("a summary");
    log.typed("now go on");
    log.call("Bash", { { "command", "date" } });
    log.result("needle again");
    return log.load();
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::SearchPanel panel { state };
    SearchModel *model = panel.findChild<SearchModel *>();
    ui::SearchLine *line = panel.findChild<ui::SearchLine *>(u"searchLine"_s);
    QTreeView *table = panel.findChild<QTreeView *>(u"searchTable"_s);
    QLabel *summary = panel.findChild<QLabel *>(u"searchSummary"_s);
    QAbstractItemModelTester tester { model, QAbstractItemModelTester::FailureReportingMode::QtTest };

    explicit Shown(const core::SessionPtr &session = sessionWithALoss())
    {
        workspace.show(session);
        state.setPosition({}); // the end
        panel.resize(1300, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }
    void search(const QString &words)
    {
        line->setText(words);
        panel.waitForContent();
    }
    [[nodiscard]] QString text(int row, int column) const { return model->index(row, column).data().toString(); }
};

} // namespace

/// The filter line and the blocks that it finds.
class SearchPanelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().remove(u"search"_s); }
    void rowsSayWhereABlockWas();
    void lostSaysWhatIsLost();
    void theColumnsAtTheRightHaveRoom();
    void aMistakeKeepsTheRows();
    void keysMoveAndGo();
    void aClickGoesToTheNearestCall();
    void marksAndRowsAgree();
    void hotFollowsTheArray();
    void wordsAreCompleted_data();
    void wordsAreCompleted();
    void theHistoryKeepsWhatWasFound();
    void theWindowOpensItWithItsKey();
};

void SearchPanelTest::rowsSayWhereABlockWas()
{
    Shown shown;
    QVERIFY(!shown.table->isVisible()); // the words of the line are explained
    shown.search(u"needle"_s);
    QVERIFY(shown.table->isVisible());
    QCOMPARE(shown.model->rowCount(), 4);
    QCOMPARE(shown.text(0, SearchModel::Block).section(u' ', 0, 1), u"#0 user"_s);
    QCOMPARE(shown.text(0, SearchModel::Text), u"never touch the needle config"_s);
    QCOMPARE(shown.text(0, SearchModel::Calls), u"calls 0 to 1"_s);
    QCOMPARE(shown.text(0, SearchModel::State),
        u"typed, its words are in context nowhere; the message itself was last sent at call 1"_s);
    QCOMPARE(shown.text(3, SearchModel::State), u"in context at the end"_s);
    QVERIFY(shown.summary->text().startsWith(u"4 blocks in 4 messages"_s));
    shown.search(u"config needle"_s); // every text of the line is marked
    QCOMPARE(shown.model->rowCount(), 1);
    QCOMPARE(shown.model->marks(0), (std::vector<core::TextPlace> { { 23, 29 }, { 16, 22 } }));
}

void SearchPanelTest::lostSaysWhatIsLost()
{
    testing::ClaudeLog quoted;
    quoted.typed("never touch the needle config");
    quoted.call("Bash", { { "command", "make" } });
    quoted.result("done");
    quoted.compact("The user said: never touch the needle config");
    quoted.call("Bash", { { "command", "date" } });
    quoted.result("now");
    quoted.compact("nothing of that");
    quoted.call("Bash", { { "command", "date" } });
    quoted.result("later");
    Shown once(quoted.load());
    once.search(u"typed lost"_s);
    QCOMPARE(once.model->rowCount(), 1);
    // The summary quoted it for one call more, which Messages You Typed says, too.
    QCOMPARE(once.text(0, SearchModel::State),
        u"typed, its words are in context nowhere; the message itself was last sent at call 0, its words or a part of "
        "them at call 1"_s);
    testing::ClaudeLog log;
    log.typed("never touch the needle config");
    log.typed("and please keep the stable link as it is");
    log.call("Bash", { { "command", "make" } });
    log.result("done");
    log.compact("The user said: and please keep the stable link as it is");
    log.call("Bash", { { "command", "date" } });
    log.result("now");
    Shown shown(log.load());
    shown.search(u"typed lost"_s);
    QCOMPARE(shown.model->rowCount(), 2);
    QVERIFY(shown.text(0, SearchModel::State).startsWith(u"typed, its words are in context nowhere; "_s));
    QVERIFY2(shown.text(1, SearchModel::State).startsWith(u"typed, quoted in "_s),
        qPrintable(shown.text(1, SearchModel::State)));
    QVERIFY2(shown.summary->text().contains(u"1 of 2 typed messages are in context nowhere"_s),
        qPrintable(shown.summary->text()));
}

void SearchPanelTest::theColumnsAtTheRightHaveRoom()
{
    Shown shown;
    shown.panel.resize(1500, 300);
    shown.search(u"needle"_s);
    for (const auto column : { SearchModel::Calls, SearchModel::State }) {
        for (int row = 0; row < shown.model->rowCount(); ++row) {
            const QModelIndex cell = shown.model->index(row, column);
            const QFontMetrics metrics(cell.data(Qt::FontRole).value<QFont>());
            QVERIFY(metrics.horizontalAdvance(cell.data().toString()) < shown.table->columnWidth(column));
        }
    }
    QVERIFY(shown.table->columnWidth(SearchModel::Text) > 400);
}

void SearchPanelTest::aMistakeKeepsTheRows()
{
    Shown shown;
    shown.search(u"needle"_s);
    shown.search(u"needle role:boss"_s);
    QCOMPARE(shown.model->rowCount(), 4);
    QVERIFY(shown.summary->text().contains(u"There is no role \"boss\""_s));
    const ui::Theme &theme = shown.state.theme();
    QCOMPARE(shown.summary->palette().color(QPalette::WindowText), theme.hot);
    QVERIFY(shown.line->styleSheet().contains(theme.hot.name()));
    shown.search(u"needle role:tool"_s);
    QCOMPARE(shown.model->rowCount(), 2);
    QVERIFY(!shown.line->styleSheet().contains(theme.hot.name()));
    shown.search(u"nowhere"_s);
    QCOMPARE(shown.model->rowCount(), 0);
    QCOMPARE(shown.summary->text(), u"No block matches"_s);
    shown.search({});
    QVERIFY(!shown.table->isVisible());
}

void SearchPanelTest::keysMoveAndGo()
{
    Shown shown;
    shown.search(u"needle"_s);
    shown.table->setCurrentIndex({});
    QTest::keyClick(shown.line, Qt::Key_Down);
    QCOMPARE(shown.table->currentIndex().row(), 0);
    QTest::keyClick(shown.line, Qt::Key_Down);
    QCOMPARE(shown.table->currentIndex().row(), 1);
    QTest::keyClick(shown.line, Qt::Key_Return);
    QCOMPARE(shown.state.currentBlock(), shown.model->hit(1).block);
    QTest::keyClick(shown.line, Qt::Key_Return);
    QCOMPARE(shown.state.currentBlock(), shown.model->hit(2).block);
    QTest::keyClick(shown.line, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(shown.state.currentBlock(), shown.model->hit(1).block);
    QTest::keyClick(shown.line, Qt::Key_Up);
    QCOMPARE(shown.table->currentIndex().row(), 0);
}

void SearchPanelTest::aClickGoesToTheNearestCall()
{
    Shown shown;
    shown.search(u"never touch"_s);
    QCOMPARE(shown.model->rowCount(), 1);
    QSignalSpy revealed(&shown.state, &ui::ViewState::revealRequested);
    QTest::mouseClick(
        shown.table->viewport(), Qt::LeftButton, {}, shown.table->visualRect(shown.model->index(0, 1)).center());
    QCOMPARE(shown.state.position().call, core::CallIndex(1U));
    QCOMPARE(shown.state.currentBlock(), shown.model->hit(0).block);
    QCOMPARE(revealed.count(), 1);
}

void SearchPanelTest::marksAndRowsAgree()
{
    Shown shown;
    shown.search(u"needle"_s);
    for (const core::Position position : { core::Position(), core::Position { {}, core::CallIndex(1U) } }) {
        shown.state.setPosition({ core::ThreadIndex(0U), position.call });
        std::vector<core::SlotIndex> expected;
        for (int row = 0; row < shown.model->rowCount(); ++row) {
            const core::SlotIndex slot = shown.state.picture().before.slotOf(shown.model->hit(row).block);
            if (slot.isValid() && (expected.empty() || expected.back() != slot))
                expected.push_back(slot);
        }
        QVERIFY(!expected.empty());
        QCOMPARE(shown.state.matches(), expected);
    }
    shown.state.nextMatch(1);
    QVERIFY(shown.state.search().isHit(shown.state.currentBlock()));
    QCOMPARE(shown.model->hit(shown.table->currentIndex().row()).block, shown.state.currentBlock());
    shown.workspace.show(sessionWithALoss()); // another session: searched again
    shown.panel.waitForContent();
    QCOMPARE(shown.model->rowCount(), 4);
}

void SearchPanelTest::hotFollowsTheArray()
{
    Shown shown;
    const auto check = [&] {
        shown.panel.waitForContent();
        std::vector<core::SlotIndex> slots;
        for (const core::HotBlock &each : shown.state.picture().hot->blocks)
            slots.push_back(each.slot);
        std::ranges::sort(slots);
        const auto repeated = std::ranges::unique(slots);
        slots.erase(repeated.begin(), repeated.end());
        QCOMPARE(shown.state.matches(), slots);
        QCOMPARE(static_cast<size_t>(shown.model->rowCount()), shown.state.picture().hot->blocks.size());
    };
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(1U) });
    shown.workspace.commitKeep(shown.workspace.keep(), *core::parseMeasure("0msg"));
    shown.search(u"hot"_s);
    check();
    const int atOne = shown.model->rowCount();
    QVERIFY(atOne > 0);
    const core::BlockId first = shown.model->hit(0).block;
    shown.state.setPosition({});
    check();
    QVERIFY(shown.model->rowCount() != atOne || shown.model->hit(0).block != first);
    QVERIFY(shown.summary->text().contains(u"quote it: \"hot\""_s));
}

void SearchPanelTest::wordsAreCompleted_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("completions");
    QTest::newRow("keys") << u"t"_s << u"tool: text: tokens> typed"_s;
    QTest::newRow("behind a minus") << u"x -ro"_s << u"role:"_s;
    QTest::newRow("values") << u"role:t"_s << u"role:tool"_s;
    QTest::newRow("the tools of the session") << u"tool:"_s << u"tool:Bash tool:Read"_s;
    QTest::newRow("whatever the case") << u"tool:b"_s << u"tool:Bash"_s;
    QTest::newRow("nothing inside a quotation") << u"\"a ro"_s << QString();
    QTest::newRow("nothing for a whole word") << u"lost"_s << QString();
}

void SearchPanelTest::wordsAreCompleted()
{
    QFETCH(QString, line);
    QFETCH(QString, completions);
    QCOMPARE(ui::SearchLine::completions(line, static_cast<int>(line.size()), { u"Bash"_s, u"Read"_s }).join(u' '),
        completions);
}

void SearchPanelTest::theHistoryKeepsWhatWasFound()
{
    Shown shown;
    for (const auto &words : { u"needle"_s, u"error"_s, u"needle"_s }) {
        shown.search(words);
        QTest::keyClick(shown.line, Qt::Key_Return);
    }
    shown.search(u"nowhere"_s);
    QTest::keyClick(shown.line, Qt::Key_Return);
    QCOMPARE(ui::openSettings().value(u"search/history"_s).toStringList(), QStringList({ u"needle"_s, u"error"_s }));
}

void SearchPanelTest::theWindowOpensItWithItsKey()
{
    ui::MainWindow window;
    window.resize(1400, 900);
    window.show();
    QVERIFY(window.workspace().openNow(testing::samplePath(u"messages-21.claude-code.jsonl"_s).toStdString()));
    auto *line = window.findChild<ui::SearchLine *>(u"searchLine"_s);
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(line->hasFocus() || !window.isActiveWindow());
    QVERIFY(line->isVisible());
    line->setText(u"pytest"_s);
    window.state().search().wait();
    QVERIFY(!window.state().matches().empty());
    QTest::keyClick(line, Qt::Key_Escape);
    QTRY_VERIFY(line->text().isEmpty());
    QVERIFY(window.state().matches().empty());
}

PALIMPSEST_TEST(SearchPanelTest)
#include "tst_search_panel.moc"
