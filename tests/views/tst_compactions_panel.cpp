// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/test_program.h"
#include "ui/compactions/compactions_panel.h"
#include "ui/compactions/loss_model.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace Qt::StringLiterals;
using testing::ClaudeLog;
using ui::LossModel;

namespace {

std::string fileOfLines()
{
    std::string text;
    for (int i = 0; i < 50; ++i)
        text += "the line with the number " + std::to_string(i * 7919) + " is unlike all others\n";
    return text;
}

void say(ClaudeLog &log, const std::string &words)
{
    log.call("Bash", { { "command", "echo " + words } });
    log.result(words);
}

/// Summaries after calls 1 and 3, a clearing after call 4; the file is read again by call 2 and by call 5.
core::SessionPtr compacted()
{
    ClaudeLog log;
    log.typed("Please never rename the table users_old, other teams read it.");
    log.typed("Colours do not matter to anyone here.");
    log.read("/work/big_module.cpp", fileOfLines());
    say(log, "one");
    log.compact("He said: Please never rename the table users_old, other teams read it. See alpha_store.cpp.");
    log.read("/work/big_module.cpp", fileOfLines());
    say(log, "two");
    log.compact("Nothing is left to do.");
    log.read("/work/big_module.cpp", fileOfLines());
    const std::string call = log.lastCall();
    log.clear({ call });
    say(log, "three");
    say(log, "four");
    return log.load();
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::CompactionsPanel panel { state };

    explicit Shown(const core::SessionPtr &session)
    {
        workspace.show(session);
        panel.resize(1200, 260);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        go({});
    }
    void go(core::CallIndex call)
    {
        state.setPosition({ core::ThreadIndex(0U), call });
        state.waitForPicture();
        panel.waitForContent();
    }
    [[nodiscard]] QTreeView *table(const QString &name) const { return panel.findChild<QTreeView *>(name); }
    /// All cells of the row with these words; empty without one.
    [[nodiscard]] QString line(const QString &name, const QString &words) const
    {
        const QAbstractItemModel *model = table(name)->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column)
                cells << model->index(row, column).data().toString();
            if (cells.join(u' ').contains(words))
                return cells.join(u" | "_s);
        }
        return {};
    }
};

} // namespace

class TestCompactionsPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itFollowsTheCall();
    void theListsSayWhatWasLost();
    void aClickGoesToTheMessage();
    void aClickOnAnOlderMessageStays();
    void linksGoToTheArrays();
    void clearingsHaveTheirOwnList();
    void withoutACompactionItSaysSo();
    void aPolicyThatFiresIsNamedSimulated();
};

void TestCompactionsPanel::itFollowsTheCall()
{
    Shown shown(compacted());
    QVERIFY(shown.panel.loss() != nullptr);
    QCOMPARE(shown.panel.loss()->number, 2U);
    shown.go(core::CallIndex(2U));
    QCOMPARE(shown.panel.loss()->number, 1U);
    auto *next = shown.panel.findChild<QToolButton *>(u"nextCompaction"_s);
    auto *previous = shown.panel.findChild<QToolButton *>(u"previousCompaction"_s);
    QVERIFY(!previous->isEnabled());
    QTest::mouseClick(next, Qt::LeftButton);
    shown.panel.waitForContent();
    QCOMPARE(shown.panel.loss()->number, 2U);
    QCOMPARE(shown.state.position().call, shown.panel.loss()->call);
    QVERIFY(!next->isEnabled());
    QTest::mouseClick(previous, Qt::LeftButton);
    shown.panel.waitForContent();
    QCOMPARE(shown.panel.loss()->number, 1U);
    shown.go(core::CallIndex(0U));
    QVERIFY(shown.panel.loss() == nullptr);
    const auto *nothing = shown.panel.findChild<QLabel *>(u"compactionsNothing"_s);
    QCOMPARE(nothing->text(), u"No compaction comes before this call."_s);
    QVERIFY(next->isEnabled());
}

void TestCompactionsPanel::theListsSayWhatWasLost()
{
    Shown shown(compacted());
    shown.go(core::CallIndex(1U));
    for (const char *name : { "lossKept", "lossTyped", "lossNeeded" }) {
        QAbstractItemModel *model = shown.table(QString::fromLatin1(name))->model();
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(model->rowCount() > 0);
    }
    QVERIFY(shown.line(u"lossTyped"_s, u"users_old"_s).contains(u"✓"_s));
    QVERIFY(shown.line(u"lossTyped"_s, u"users_old"_s).endsWith(u"word for word"_s));
    QVERIFY(shown.line(u"lossTyped"_s, u"Colours"_s).contains(u"✕"_s));
    QVERIFY(shown.line(u"lossNeeded"_s, u"big_module.cpp"_s).contains(u"read again at #"_s));
    QVERIFY(shown.line(u"lossNeeded"_s, u"Fetching texts again cost"_s).contains(u"1 call"_s));
    QVERIFY(!shown.line(u"lossKept"_s, u"replaced by the summary"_s).isEmpty());
    // The fact that the summary has and no logged text before is below its sum.
    const QAbstractItemModel *kept = shown.table(u"lossKept"_s)->model();
    const int last = kept->rowCount() - 1;
    const QString added = kept->index(last, LossModel::Text).data().toString();
    QVERIFY2(added.endsWith(u" found in the log"_s) && !added.contains(u"not"_s), qPrintable(added));
    const QModelIndex sum = kept->index(last, 0);
    QCOMPARE(kept->rowCount(sum), 1);
    QCOMPARE(kept->index(0, LossModel::Text, sum).data().toString(), u"alpha_store.cpp · in #5"_s);
}

void TestCompactionsPanel::aClickGoesToTheMessage()
{
    Shown shown(compacted());
    shown.go(core::CallIndex(1U));
    const core::BlockId by = shown.panel.loss()->needed.front().by;
    QTreeView *table = shown.table(u"lossNeeded"_s);
    QTest::mouseClick(
        table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, LossModel::Text)).center());
    QCOMPARE(shown.state.currentBlock(), by);
    QVERIFY(shown.state.currentSlot().isValid()); // in the array that is shown now
}

void TestCompactionsPanel::aClickOnAnOlderMessageStays()
{
    Shown shown(compacted());
    shown.go(core::CallIndex(3U));
    QCOMPARE(shown.panel.loss()->number, 2U);
    // The first compaction replaced the message itself; the second dropped its words with the summary.
    const core::Position position = shown.state.position();
    QTreeView *table = shown.table(u"lossTyped"_s);
    const QModelIndex row = table->model()->index(0, LossModel::Text);
    QVERIFY2(row.data().toString().contains(u"users_old"_s), qPrintable(row.data().toString()));
    QSignalSpy asked(&shown.panel, &ui::Panel::showPanelRequested);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
    QCOMPARE(shown.state.position(), position);
    QCOMPARE(shown.state.currentBlock(), shown.panel.loss()->typed.front().block);
    QVERIFY(!shown.state.currentSlot().isValid());
    QCOMPARE(asked.size(), 1); // the array does not show it
    QCOMPARE(asked.front().front().toString(), u"message"_s);
}

void TestCompactionsPanel::linksGoToTheArrays()
{
    Shown shown(compacted());
    auto *before = shown.panel.findChild<QToolButton *>(u"arrayBefore"_s);
    auto *after = shown.panel.findChild<QToolButton *>(u"arrayAfter"_s);
    shown.go(core::CallIndex(2U));
    QCOMPARE(shown.panel.loss()->number, 1U);
    QVERIFY(before->isVisible());
    QTest::mouseClick(before, Qt::LeftButton);
    QCOMPARE(shown.state.position().call, core::CallIndex(1U));
    const auto &compactions = shown.workspace.session()->threads.front().compactions;
    QCOMPARE(shown.state.picture().compaction, &compactions[0]);
    shown.panel.waitForContent();
    QTest::mouseClick(after, Qt::LeftButton);
    QCOMPARE(shown.state.position().call, core::CallIndex(2U));
    const core::Transcript compactedArray(shown.workspace.session(), compactions[0].after);
    QCOMPARE(shown.state.picture().before.blocks().front(), compactedArray.blocks().front());
    shown.panel.waitForContent();
    QCOMPARE(shown.panel.loss()->number, 1U); // still the same
}

void TestCompactionsPanel::clearingsHaveTheirOwnList()
{
    Shown shown(compacted());
    auto *kinds = shown.panel.findChild<ui::SegmentedControl *>(u"compactionsKinds"_s);
    QVERIFY(kinds->isVisible());
    QSignalSpy counts(&shown.panel, &ui::Panel::countChanged);
    Q_EMIT kinds->chosen(1);
    shown.panel.waitForContent();
    QVERIFY(shown.panel.loss() != nullptr);
    QCOMPARE(shown.panel.loss()->kind, core::CompactionKind::Clearing);
    QCOMPARE(counts.last().front().value<size_t>(), 2U); // of the summaries
    QVERIFY(!shown.line(u"lossKept"_s, u"cleared"_s).isEmpty());
}

void TestCompactionsPanel::withoutACompactionItSaysSo()
{
    ClaudeLog log;
    log.typed("Look.");
    say(log, "one");
    Shown shown(log.load());
    QVERIFY(shown.panel.loss() == nullptr);
    const auto *nothing = shown.panel.findChild<QLabel *>(u"compactionsNothing"_s);
    QVERIFY(nothing->isVisible());
    QVERIFY(nothing->text().startsWith(u"This thread records no compaction."_s));
}

void TestCompactionsPanel::aPolicyThatFiresIsNamedSimulated()
{
    Shown shown(compacted());
    auto policy = core::withSetting(*core::preset("langchain-summarization"), "trigger", "10tok");
    QVERIFY(policy.has_value());
    policy = core::withSetting(*policy, "keep", "1msg");
    QVERIFY(policy.has_value());
    shown.workspace.commitPlan(shown.workspace.planWith(*policy), u"Choose"_s);
    // Here it fires and finds nothing to replace: the recorded compaction is shown.
    shown.go(core::CallIndex(3U));
    QVERIFY(shown.panel.loss() != nullptr);
    QVERIFY(!shown.panel.loss()->isSimulated());
    shown.go(core::CallIndex(1U));
    if (!shown.state.picture().simulated)
        shown.state.setAftermath(ui::Aftermath::Simulated);
    shown.state.waitForPicture();
    shown.panel.waitForContent();
    QVERIFY(shown.panel.loss() != nullptr);
    QVERIFY(shown.panel.loss()->isSimulated());
    QVERIFY(shown.panel.loss()->isAssumed);
    QCOMPARE(shown.table(u"lossKept"_s)->accessibleName(), u"Simulated compaction"_s);
    QVERIFY(!shown.line(u"lossKept"_s, u"The text of the summary is unknown"_s).isEmpty());
}

PALIMPSEST_TEST(TestCompactionsPanel)
#include "tst_compactions_panel.moc"
