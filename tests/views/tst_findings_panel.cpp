// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/test_program.h"
#include "ui/compactions/compactions_panel.h"
#include "ui/compactions/loss_model.h"
#include "ui/findings/findings_model.h"
#include "ui/findings/findings_panel.h"
#include "ui/hub/session_findings.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace Qt::StringLiterals;
using testing::ClaudeLog;
using ui::FindingsPtr;

namespace {

/// A lost message, and a refused edit.
core::SessionPtr faulty()
{
    ClaudeLog log;
    log.typed("Please never rename the table users_old, other teams read it.");
    log.call("Bash", { { "command", "echo one" } });
    log.result("one");
    log.compact("Nothing of it.");
    log.call("Edit", { { "file_path", "/work/a.cpp" }, { "old_string", "x" }, { "new_string", "y" } });
    log.result("String to replace not found in file.", true);
    log.call("Bash", { { "command", "echo two" } });
    log.result("two");
    return log.load();
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::FindingsPanel panel { state };

    explicit Shown(const core::SessionPtr &session = faulty())
    {
        workspace.show(session);
        panel.resize(1200, 260);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.waitForContent();
    }
    [[nodiscard]] QTreeView *table() const { return panel.findChild<QTreeView *>(u"findingsTable"_s); }
};

} // namespace

class TestFindingsPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChosenFindingIsShown();
    void aCompactionIsShownWithWhatItLost();
    void smallerFindingsAreListedOnDemand();
    void whatWouldHaveHelpedCanBeTried();
    void theLostFactsOfASummaryAreUnfolded();
};

void TestFindingsPanel::aChosenFindingIsShown()
{
    Shown shown;
    const int rows = shown.table()->model()->rowCount();
    QVERIFY(rows >= 2);
    QSignalSpy asked(&shown.panel, &ui::Panel::showPanelRequested);
    const core::Position position = shown.state.position();
    shown.workspace.findings().choose(static_cast<size_t>(rows - 1));
    QCOMPARE(shown.table()->currentIndex().row(), rows - 1);
    QVERIFY(shown.table()->selectionModel()->isRowSelected(rows - 1));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().toString(), u"findings"_s);
    QCOMPARE(shown.state.position(), position); // who chose it, chose the call, too
}

void TestFindingsPanel::aCompactionIsShownWithWhatItLost()
{
    Shown shown;
    const ui::SessionFindings &findings = shown.workspace.findings();
    const auto &all = findings.get()->findings;
    const auto isOfCompaction = [](const core::Finding &each) {
        return !each.links.empty() && each.links.front().target == core::FindingLink::Target::Compaction;
    };
    const auto found = std::ranges::find_if(all, isOfCompaction);
    QVERIFY(found != all.end());
    QSignalSpy asked(&shown.panel, &ui::Panel::showPanelRequested);
    const QModelIndex row = shown.table()->model()->index(static_cast<int>(found - all.begin()), 0);
    const QRect place = shown.table()->visualRect(row);
    QTest::mouseClick(shown.table()->viewport(), Qt::LeftButton, {}, place.center());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().toString(), u"compactions"_s);
}

void TestFindingsPanel::smallerFindingsAreListedOnDemand()
{
    // Seven files are read twice; five of these findings are listed.
    ClaudeLog log;
    log.typed("Look at all of them.");
    for (int round = 0; round < 2; ++round) {
        for (int file = 0; file < 7; ++file) {
            std::string text;
            for (int line = 0; line < 200 + 10 * file; ++line)
                text += "file " + std::to_string(file) + " has the value " + std::to_string(line * 7919) + " here\n";
            log.read("/work/file" + std::to_string(file) + ".cpp", text);
        }
    }
    log.answered("That is all.");
    Shown shown(log.load());
    const FindingsPtr all = shown.workspace.findings().get();
    const auto rows = [&] { return shown.table()->model()->rowCount(); };
    QVERIFY(!all->smaller.empty());
    QCOMPARE(rows(), static_cast<int>(all->findings.size()));
    auto *link = shown.panel.findChild<QToolButton *>(u"smallerFindings"_s);
    QVERIFY(link->isVisible());
    QVERIFY2(link->text().endsWith(u"not listed"_s), qPrintable(link->text()));
    QVERIFY2(link->text().startsWith(QString::number(all->smaller.size())), qPrintable(link->text()));
    QTest::mouseClick(link, Qt::LeftButton);
    QCOMPARE(rows(), static_cast<int>(all->smaller.size()));
    QCOMPARE(shown.table()->model()->index(0, 0).data().toString(), QString::fromStdString(all->smaller.front().what));
    QTest::mouseClick(link, Qt::LeftButton);
    QCOMPARE(rows(), static_cast<int>(all->findings.size()));
    QTest::mouseClick(link, Qt::LeftButton);
    shown.workspace.findings().choose(1); // a finding of the list, asked for from elsewhere
    QCOMPARE(rows(), static_cast<int>(all->findings.size()));
    QCOMPARE(shown.table()->currentIndex().row(), 1);
}

void TestFindingsPanel::whatWouldHaveHelpedCanBeTried()
{
    Shown shown;
    const auto &all = shown.workspace.findings().get()->findings;
    QTreeView &table = *shown.table();
    const int help = table.model()->columnCount() - 1;
    size_t tried = 0;
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        const core::Finding &finding = all[static_cast<size_t>(row)];
        const core::PolicyPtr before = shown.workspace.plan().policy;
        const QModelIndex cell = table.model()->index(row, help);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
        if (finding.policy.empty()) {
            QCOMPARE(shown.workspace.plan().policy, before);
            continue;
        }
        QVERIFY(core::preset(finding.policy) != nullptr);
        QCOMPARE(shown.workspace.plan().policy->id, std::string(finding.policy));
        QCOMPARE(shown.workspace.plan().policy->document, core::helpingPolicy(finding)->document);
        shown.workspace.undoStack().undo();
        QCOMPARE(shown.workspace.plan().policy, before);
        ++tried;
    }
    QVERIFY(tried > 0);
}

void TestFindingsPanel::theLostFactsOfASummaryAreUnfolded()
{
    ClaudeLog log;
    log.typed("Please look at the stores.");
    log.call("Bash", { { "command", "echo one" } });
    log.result("one");
    log.compact("The stores are alpha_store.cpp and beta_store.cpp.");
    log.call("Bash", { { "command", "echo two" } });
    log.result("two");
    log.compact("Only beta_store.cpp is left.");
    log.call("Bash", { { "command", "echo three" } });
    log.result("three");
    Shown shown(log.load());
    ui::CompactionsPanel compactions(shown.state);
    compactions.resize(1200, 260);
    compactions.show();
    compactions.waitForContent();
    const auto &all = shown.workspace.findings().get()->findings;
    const auto found = std::ranges::find(all, std::string_view("lost-facts"), &core::Finding::kind);
    QVERIFY(found != all.end());
    const QModelIndex row = shown.table()->model()->index(static_cast<int>(found - all.begin()), 0);
    QTest::mouseClick(shown.table()->viewport(), Qt::LeftButton, {}, shown.table()->visualRect(row).center());
    shown.state.waitForPicture();
    compactions.waitForContent();
    QCOMPARE(compactions.loss()->number, 2U);
    const auto *kept = compactions.findChild<QTreeView *>(u"lossKept"_s);
    const QModelIndex sum = kept->currentIndex();
    QVERIFY(sum.isValid());
    QVERIFY2(sum.siblingAtColumn(ui::LossModel::Text).data().toString().startsWith(u"facts of the old summary"_s),
        qPrintable(sum.siblingAtColumn(ui::LossModel::Text).data().toString()));
    QVERIFY(kept->isExpanded(sum.siblingAtColumn(0)));
    QVERIFY(kept->selectionModel()->isSelected(sum));
    QCOMPARE(kept->model()->rowCount(sum.siblingAtColumn(0)), static_cast<int>(found->count));
}

PALIMPSEST_TEST(TestFindingsPanel)
#include "tst_findings_panel.moc"
