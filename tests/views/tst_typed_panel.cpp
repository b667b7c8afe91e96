// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/trace_report.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/main_window.h"
#include "ui/typed/typed_model.h"
#include "ui/typed/typed_panel.h"

#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QLabel>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;
using core::MessageState;
using ui::TypedModel;

namespace {

constexpr const char *kQuoted = "always keep the public interface stable for older clients";
constexpr const char *kReplaced = "use tabs and never spaces in every makefile of the tree";
constexpr const char *kPartial = "rename the quaternion helper, the gimbal wrapper and the slerp routine";
constexpr const char *kLate = "now write the release notes for this version";
constexpr const char *kTaken = "no, delete the whole vendored directory instead";

/// Calls 0 and 1, a summary that quotes one message, and a part of another; calls 2 and 3; a rewind of one message.
core::SessionPtr fourMessagesAndOneTakenBack()
{
    core::RecordedSession recording;
    recording.typed(kQuoted);
    recording.reply("well", 5'000);
    recording.typed(kReplaced);
    recording.typed(kPartial);
    recording.reply("good", 6'000);
    recording.summarise(
        std::string("The user said: ") + kQuoted + ".\nDone so far: quaternion helper, gimbal wrapper.");
    recording.typed(kLate);
    recording.reply("fine", 4'000);
    recording.typed(kTaken);
    recording.reply("sure", 4'100);
    recording.rollBack(2);
    return recording.finish();
}

struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::TypedPanel panel { state };
    TypedModel *model = panel.findChild<TypedModel *>();
    QTreeView *table = panel.findChild<QTreeView *>(u"typedTable"_s);
    QLabel *summary = panel.findChild<QLabel *>(u"typedSummary"_s);
    QAbstractItemModelTester tester { model, QAbstractItemModelTester::FailureReportingMode::QtTest };
    QAbstractItemModelTester sortedTester { table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest };

    explicit Shown(const core::SessionPtr &session = fourMessagesAndOneTakenBack())
    {
        workspace.show(session);
        state.setPosition({}); // the end
        panel.resize(1300, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.waitForContent();
        QTRY_VERIFY(model->ground() != nullptr);
    }
    void goTo(uint32_t call) { state.setPosition({ core::ThreadIndex(0U), core::CallIndex(call) }); }
    /// As shown, sorted.
    [[nodiscard]] QModelIndex at(int row, int column) const { return table->model()->index(row, column); }
    [[nodiscard]] QString text(int row, int column) const { return at(row, column).data().toString(); }
    /// The row of a message in the table.
    [[nodiscard]] int rowOf(const char *message) const
    {
        for (int row = 0; row < model->rowCount(); ++row) {
            if (text(row, TypedModel::Message) == QLatin1StringView(message))
                return row;
        }
        return -1;
    }
    void click(int row)
    {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(at(row, 0)).center());
    }
};

} // namespace

/// A row for every message that the user typed.
class TypedPanelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesComeInTheOrderTheyWereTyped();
    void statesAreThoseOfTheChosenCallAndOfTheEnd();
    void everyColumnSorts();
    void theTabCountsAtTheEnd();
    void aClickGoesToTheLastCallWithTheMessage();
    void enterGoesThereToo();
    void theRowOfTheCurrentBlockIsSelected();
    void theBarShowsTheLife();
    void whatAClearingMayHaveTakenIsUnknown();
    void withoutTypedMessagesASentenceSaysSo();
    void theHeadLineLeadsHere();
    void rowsSayWhatTheTracesOfTheCommandSay_data();
    void rowsSayWhatTheTracesOfTheCommandSay();
};

void TypedPanelTest::messagesComeInTheOrderTheyWereTyped()
{
    const Shown shown;
    QCOMPARE(shown.model->rowCount(), 5);
    const std::vector<std::pair<const char *, const char *>> expected
        = { { kQuoted, "0" }, { kReplaced, "1" }, { kPartial, "1" }, { kLate, "2" }, { kTaken, "3" } };
    for (int row = 0; row < 5; ++row) {
        QCOMPARE(shown.text(row, TypedModel::Message), QLatin1StringView(expected[static_cast<size_t>(row)].first));
        QCOMPARE(shown.text(row, TypedModel::Typed), QLatin1StringView(expected[static_cast<size_t>(row)].second));
    }
}

void TypedPanelTest::statesAreThoseOfTheChosenCallAndOfTheEnd()
{
    Shown shown;
    const auto end = [&](const char *message) { return shown.text(shown.rowOf(message), TypedModel::End); };
    const auto now = [&](const char *message) { return shown.text(shown.rowOf(message), TypedModel::Now); };
    QVERIFY2(end(kQuoted).startsWith(u"quoted in summary #"_s), qPrintable(end(kQuoted)));
    QCOMPARE(end(kReplaced), u"replaced by the summary"_s);
    QVERIFY2(end(kPartial).contains(u"4 of its 7 words in summary #"_s), qPrintable(end(kPartial)));
    QCOMPARE(end(kLate), u"in context, word for word"_s);
    QCOMPARE(end(kTaken), u"taken back by a rewind"_s);
    QVERIFY(shown.table->isColumnHidden(TypedModel::Now)); // the end is the chosen place
    QCOMPARE(shown.summary->text(),
        u"at the end: 1 in context, 1 quoted, 1 in part, 1 replaced by the summary, 1 taken back by a "
        "rewind"_s);
    shown.goTo(1);
    QVERIFY(!shown.table->isColumnHidden(TypedModel::Now));
    QCOMPARE(shown.model->headerData(TypedModel::Now, Qt::Horizontal).toString(), u"at call 1"_s);
    QCOMPARE(now(kQuoted), u"in context, word for word"_s);
    QCOMPARE(now(kReplaced), u"in context, word for word"_s);
    QCOMPARE(now(kLate), u"not typed yet"_s);
    QVERIFY(shown.summary->text().startsWith(u"3 of 3 word for word in context at call 1 · at the end: "_s));
    QCOMPARE(shown.text(shown.rowOf(kReplaced), TypedModel::LastSent), u"1"_s);
    QCOMPARE(shown.text(shown.rowOf(kQuoted), TypedModel::LastSent), u"3"_s);
    const QString life = shown.text(shown.rowOf(kReplaced), TypedModel::Life);
    QCOMPARE(life, u"call 1: in context, word for word; calls 2 to end: replaced by the summary"_s);
}

void TypedPanelTest::everyColumnSorts()
{
    Shown shown;
    shown.goTo(2);
    for (int column = 0; column < TypedModel::ColumnCount; ++column) {
        QStringList orders;
        for (const Qt::SortOrder order : { Qt::AscendingOrder, Qt::DescendingOrder }) {
            shown.table->sortByColumn(column, order);
            QStringList messages;
            for (int row = 0; row < shown.model->rowCount(); ++row) {
                messages << shown.text(row, TypedModel::Message);
                if (row == 0)
                    continue;
                const auto above = shown.at(row - 1, column).data(TypedModel::SortRole);
                const auto below = shown.at(row, column).data(TypedModel::SortRole);
                const auto comparison = column == TypedModel::Message
                    ? QPartialOrdering(above.toString().compare(below.toString(), Qt::CaseInsensitive) < 0
                              ? QPartialOrdering::Less
                              : QPartialOrdering::Greater)
                    : QVariant::compare(above, below);
                QVERIFY(order == Qt::AscendingOrder ? comparison != QPartialOrdering::Greater
                                                    : comparison != QPartialOrdering::Less);
            }
            orders << messages.join(u'|');
        }
        QVERIFY(orders[0] != orders[1]);
    }
    shown.table->sortByColumn(TypedModel::End, Qt::DescendingOrder);
    QCOMPARE(shown.text(0, TypedModel::Message), QLatin1StringView(kReplaced)); // what was lost is together
    QCOMPARE(shown.text(4, TypedModel::Message), QLatin1StringView(kLate));
}

void TypedPanelTest::theTabCountsAtTheEnd()
{
    Shown shown;
    const QSignalSpy counted(&shown.panel, &ui::TypedPanel::partChanged);
    for (const uint32_t call : { 2U, 0U }) {
        shown.goTo(call);
        const core::InContext atEnd = shown.model->inContext(shown.model->ground()->spans.callCount);
        QVERIFY(atEnd.standing < atEnd.all);
        QCOMPARE(counted.back()[0].value<size_t>(), atEnd.standing);
        QCOMPARE(counted.back()[1].value<size_t>(), atEnd.all);
    }
}

void TypedPanelTest::aClickGoesToTheLastCallWithTheMessage()
{
    Shown shown;
    shown.click(shown.rowOf(kReplaced));
    QCOMPARE(shown.state.position().call, core::CallIndex(1U));
    QCOMPARE(shown.state.currentBlock(), shown.model->message(1).block);
    QVERIFY(shown.state.currentSlot().isValid());
    // Quoted in the end, too: the message itself was last there with the same call.
    shown.state.setPosition({});
    shown.click(shown.rowOf(kQuoted));
    QCOMPARE(shown.state.position().call, core::CallIndex(1U));
    // A message in the chosen array is selected there.
    shown.goTo(0);
    shown.click(shown.rowOf(kQuoted));
    QCOMPARE(shown.state.position().call, core::CallIndex(0U));
    // Typed later: the last call, not the first.
    shown.click(shown.rowOf(kLate));
    QVERIFY(shown.state.position().isEnd());
    QCOMPARE(shown.state.currentBlock(), shown.model->message(3).block);
}

void TypedPanelTest::enterGoesThereToo()
{
    Shown shown;
    shown.table->setCurrentIndex(shown.at(shown.rowOf(kPartial), 0));
    QVERIFY(shown.state.position().isEnd());
    QTest::keyClick(shown.table, Qt::Key_Return);
    QCOMPARE(shown.state.position().call, core::CallIndex(1U));
    QCOMPARE(shown.state.currentBlock(), shown.model->message(2).block);
}

void TypedPanelTest::theRowOfTheCurrentBlockIsSelected()
{
    Shown shown;
    shown.table->sortByColumn(TypedModel::Typed, Qt::DescendingOrder);
    for (const int row : { 1, 3 }) {
        shown.state.setCurrentBlock(shown.model->message(row).block);
        QCOMPARE(shown.table->currentIndex().data(TypedModel::RowRole).toInt(), row);
    }
    const core::BlockId reply(shown.state.session()->thread(core::ThreadIndex(0U)).calls.front().output.begin);
    shown.state.setCurrentBlock(reply);
    QVERIFY(!shown.table->selectionModel()->hasSelection());
}

void TypedPanelTest::theBarShowsTheLife()
{
    Shown shown;
    const ui::Theme &theme = shown.state.theme();
    const auto colourAt = [&](const char *message, uint32_t call) {
        const QRect cell = shown.table->visualRect(shown.at(shown.rowOf(message), TypedModel::Life));
        const QImage image = shown.table->viewport()->grab(cell).toImage();
        const double place = (cell.width() - 20.0) / 5; // four calls and the end
        return image.pixelColor(static_cast<int>(10 + place * (call + 0.3)), cell.height() / 2);
    };
    QCOMPARE(colourAt(kReplaced, 0), theme.base); // not typed yet
    QCOMPARE(colourAt(kReplaced, 1), theme.accent);
    QCOMPARE(colourAt(kReplaced, 2), theme.base); // hollow
    QCOMPARE(colourAt(kQuoted, 0), theme.accent);
    QCOMPARE(colourAt(kQuoted, 4), theme.accent);
}

/// A summary quotes the message, and a silent clearing may have removed that summary.
void TypedPanelTest::whatAClearingMayHaveTakenIsUnknown()
{
    core::RecordedSession recording;
    recording.typed(kQuoted);
    recording.reply("well", 5'000);
    const core::MessageId summary = recording.summarise(std::string("The user said: ") + kQuoted + ".");
    for (int i = 0; i < 3; ++i)
        recording.reply("good", 3'000);
    const core::SessionPtr session = recording.finish();
    auto ground = std::make_shared<ui::TraceGround>();
    ground->spans = core::recordedSpans(session, core::ThreadIndex(0U));
    const core::BlockId quoting = session->message(summary).first;
    ground->spans.setClearings({ { .from = 2, .to = 5, .tokens = 2'000, .blocks = { quoting } } });
    ground->tokens = core::oneTokenACharacter(*session);
    ground->userMessages = core::tracedUserMessages(ground->spans, ground->unlogged).value();
    TypedModel model;
    model.setContents(ground, 2);
    QCOMPARE(model.rowCount(), 1);
    const auto text = [&](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(TypedModel::Now), u"unknown"_s);
    QCOMPARE(text(TypedModel::End), u"unknown"_s);
    QCOMPARE(text(TypedModel::LastSent), u"1 or later"_s);
    QCOMPARE(model.inContext(2).standing, size_t(0));
    QCOMPARE(model.endSentence(), u"at the end: 1 unknown"_s);
    const QString tip = model.index(0, TypedModel::Now).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"the harness cleared some texts, perhaps this one"_s), qPrintable(tip));
}

void TypedPanelTest::withoutTypedMessagesASentenceSaysSo()
{
    core::RecordedSession recording;
    recording.injected("a task that no user typed");
    recording.reply("well", 5'000);
    Shown shown(recording.finish());
    QCOMPARE(shown.model->rowCount(), 0);
    QCOMPARE(shown.summary->text(), u"The log of this thread has no message that a user typed."_s);
    QVERIFY(!shown.table->isVisible());
}

void TypedPanelTest::theHeadLineLeadsHere()
{
    ui::MainWindow window;
    window.resize(1600, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    window.state().setPosition({}); // the end
    window.workspace().facts().waitForFacts();
    const auto *panel = window.findChild<ui::TypedPanel *>();
    auto *link = window.findChild<QToolButton *>(u"typedLink"_s);
    QTRY_VERIFY(link->isVisible());
    QVERIFY2(link->text().contains(u" of 8 user messages in context at "_s), qPrintable(link->text()));
    const auto isInSight = [&] {
        const auto *dock = window.findChild<QDockWidget *>(u"typedDock"_s);
        return dock->isVisible() && window.rect().contains(dock->geometry().center());
    };
    QVERIFY(!isInSight());
    QTest::mouseClick(link, Qt::LeftButton);
    QTRY_VERIFY(isInSight());
    QVERIFY(panel->isVisible());
    const QString title = window.findChild<QDockWidget *>(u"typedDock"_s)->windowTitle();
    QCOMPARE(title.section(u"Typed "_s, 1), link->text().section(u" user"_s, 0, 0) + u" at the end"_s);
}

void TypedPanelTest::rowsSayWhatTheTracesOfTheCommandSay_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("Claude Code") << u"claude-code/entireio+cli/33-b1e1e1b51d-0.full.jsonl"_s;
    QTest::newRow("pi") << u"pi/badlogic+pi-mono/before-compaction.jsonl"_s;
}

void TypedPanelTest::rowsSayWhatTheTracesOfTheCommandSay()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus here.");
    QFETCH(const QString, file);
    ui::Workspace workspace;
    QVERIFY(workspace.openNow(testing::corpus() / file.toStdString()));
    ui::ViewState state(workspace);
    ui::TypedPanel panel(state);
    workspace.facts().waitForFacts();
    const auto *model = panel.findChild<TypedModel *>();
    QTRY_VERIFY(model->ground() != nullptr);
    const auto document
        = core::traceJson(core::traceReport(workspace.session(), core::ThreadIndex(0U), workspace.tokens()));
    QVERIFY(document["traces"].size() > 5);
    QCOMPARE(static_cast<size_t>(model->rowCount()), document["traces"].size());
    const auto calls = document["calls"].get<uint32_t>();
    QCOMPARE(model->inContext(calls).standing, document["user_messages"]["in_context"].get<size_t>());
    for (int row = 0; row < model->rowCount(); ++row) {
        const auto &trace = document["traces"][static_cast<size_t>(row)];
        QCOMPARE(model->message(row).text, trace["text"].get<std::string>());
        const auto wordsOf = [](const std::string &name) {
            return name == "verbatim" ? QStringList { u"in context, word for word"_s, u"quoted in "_s }
                : name == "partial"   ? QStringList { u" of its "_s, u"all of its words"_s }
                : name == "unknown"   ? QStringList { u"unknown"_s }
                                      : QStringList { u"gone"_s, u"replaced by"_s, u"taken back"_s };
        };
        const auto holds = [](const QString &text, const QStringList &parts) {
            return std::ranges::any_of(parts, [&](const QString &part) { return text.contains(part); });
        };
        const auto text = [&](int column) { return model->index(row, column).data().toString(); };
        QVERIFY2(holds(text(TypedModel::End), wordsOf(trace["end"]["state"].get<std::string>())),
            qPrintable(text(TypedModel::End)));
        int last = -1;
        for (const auto &lane : trace["lanes"]) {
            const auto name = lane["state"].get<std::string>();
            if (name == "verbatim" || name == "partial")
                last = lane["to_call"].get<int>();
            const auto at = lane["to_call"].get<uint32_t>();
            const std::string words = core::messageStateText(model->ground()->spans, model->message(row), at);
            QVERIFY2(holds(QString::fromStdString(words), wordsOf(name)), words.c_str());
        }
        QCOMPARE(text(TypedModel::LastSent).section(u' ', 0, 0), last < 0 ? u"never"_s : QString::number(last));
    }
}

PALIMPSEST_TEST(TypedPanelTest)
#include "tst_typed_panel.moc"
