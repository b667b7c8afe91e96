// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/edits/edits_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/go_to.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/notice_bar.h"

#include <QDialogButtonBox>
#include <QInputDialog>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

/// Where “Go to” goes.
class TestGoTo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageIsFoundByItsNumber();
    void aMessageWithoutBlocksIsNotTheNextOne();
    void placesAreWrittenAsTheWindowWritesThem_data();
    void placesAreWrittenAsTheWindowWritesThem();
    void aPlaceThatIsNotThereIsRefused();
    void aFileOpensAtAPlace();
};

namespace {

void answer(ui::MainWindow &window, const QString &place)
{
    ui::askWhereToGo(window.state(), &window);
    auto *dialog = window.findChild<QInputDialog *>();
    QVERIFY(dialog != nullptr);
    dialog->setTextValue(place);
    dialog->accept();
    delete dialog;
}

} // namespace

void TestGoTo::aMessageIsFoundByItsNumber()
{
    ui::MainWindow window;
    window.workspace().show(core::session("u:10 a:200 u:30"));
    answer(window, u"#1"_s);
    QCOMPARE(window.state().currentBlock(), window.state().session()->message(core::MessageId(1U)).first);
    answer(window, u"[2]"_s);
    QCOMPARE(window.state().currentBlock(), window.state().session()->message(core::MessageId(2U)).first);
}

/// As a response of which nothing was recorded: where its blocks would be, those of the next message begin.
void TestGoTo::aMessageWithoutBlocksIsNotTheNextOne()
{
    auto session = std::make_shared<core::Session>(*core::session("u:10 a:200 u:30"));
    core::Message empty = session->messages[1];
    empty.count = 0;
    session->messages.push_back(empty);
    ui::MainWindow window;
    window.workspace().show(session);
    answer(window, u"#0"_s);
    const core::BlockId before = window.state().currentBlock();
    answer(window, u"#3"_s);
    QCOMPARE(window.state().currentBlock(), before);
    ui::askWhereToGo(window.state(), &window);
    auto *dialog = window.findChild<QInputDialog *>();
    dialog->setTextValue(u"#3"_s);
    QVERIFY2(dialog->labelText().startsWith(u"Message #3 is empty"_s), qPrintable(dialog->labelText()));
    QVERIFY(!dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->isEnabled());
    delete dialog;
}

void TestGoTo::placesAreWrittenAsTheWindowWritesThem_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("call");
    QTest::addColumn<int>("slot");
    QTest::newRow("a number") << u"1"_s << 1 << -1;
    QTest::newRow("call 1") << u"call 1"_s << 1 << -1;
    QTest::newRow("Call 1") << u" Call 1 "_s << 1 << -1;
    QTest::newRow("a slot in brackets") << u"[1]"_s << -1 << 1;
    QTest::newRow("slot 1") << u"slot 1"_s << -1 << 1;
    QTest::newRow("slot [1]") << u"slot [1]"_s << -1 << 1;
    QTest::newRow("a message") << u"#1"_s << -1 << 1;
    QTest::newRow("message 1") << u"message 1"_s << -1 << 1;
    QTest::newRow("message #1") << u"message #1"_s << -1 << 1;
}

void TestGoTo::placesAreWrittenAsTheWindowWritesThem()
{
    QFETCH(QString, words);
    QFETCH(int, call);
    QFETCH(int, slot);
    ui::MainWindow window;
    window.workspace().show(core::session("u:10 a:200 u:30 a:10 u:10 a:10"));
    window.state().setPosition({ core::ThreadIndex(0U), core::CallIndex(2U) });
    window.state().setCurrentSlot(core::SlotIndex(0U));
    answer(window, words);
    QCOMPARE(window.state().position().call.value(), call < 0 ? 2U : static_cast<uint32_t>(call));
    if (slot >= 0)
        QCOMPARE(window.state().currentSlot(), core::SlotIndex(static_cast<uint32_t>(slot)));
}

void TestGoTo::aPlaceThatIsNotThereIsRefused()
{
    ui::MainWindow window;
    window.workspace().show(core::session("u:10 a:200 u:30"));
    ui::askWhereToGo(window.state(), &window);
    auto *dialog = window.findChild<QInputDialog *>();
    QVERIFY(dialog != nullptr);
    const auto *ok = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    for (const auto &[words, problem] : { std::pair(u"call 99"_s, u"There is no call 99"_s),
             std::pair(u"[99]"_s, u"There is no slot 99"_s), std::pair(u"#99"_s, u"There is no message #99"_s),
             std::pair(u"nowhere"_s, u"“nowhere” is not a place"_s) }) {
        dialog->setTextValue(words);
        QVERIFY2(dialog->labelText().startsWith(problem), qPrintable(dialog->labelText()));
        QVERIFY(!ok->isEnabled());
    }
    dialog->setTextValue(u"#1"_s);
    QVERIFY(ok->isEnabled());
    delete dialog;
}

/// As from the command line: a call, a message, an edit, and a call that the session does not have.
void TestGoTo::aFileOpensAtAPlace()
{
    testing::ClaudeLog log;
    log.setUsage(0, 0, 500);
    log.typed("Write two files");
    log.write("/work/a.txt", "one\n");
    log.write("/work/b.txt", "two\n");
    log.answered("Done.");
    QTemporaryDir folder;
    const std::string path = folder.filePath(u"session.jsonl"_s).toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(log.text()));
    file.close();

    ui::MainWindow window;
    const auto open = [&](const ui::MainWindow::Place &place) {
        window.openAt(path, place);
        QTRY_VERIFY(!window.workspace().isLoading());
    };
    open({ .call = 1 });
    QCOMPARE(window.state().position().call, core::CallIndex(1U));
    open({ .message = 3 });
    const core::Session &session = *window.state().session();
    QCOMPARE(window.state().currentBlock(), session.message(core::MessageId(3U)).first);
    open({ .call = 77 });
    const auto *bar = window.findChild<ui::NoticeBar *>();
    QVERIFY(bar != nullptr);
    QVERIFY(!bar->isHidden());
    open({ .edit = 1 });
    QCOMPARE(window.centre().page(), ui::CentrePages::Page::Edits);
    ui::EditsPage *edits = window.centre().editsPage();
    edits->waitForContent();
    QCOMPARE(edits->current(), std::optional<size_t>(1));
    // From the page of the edits back to the array.
    open({ .message = 3 });
    QCOMPARE(window.centre().page(), ui::CentrePages::Page::Array);
}

PALIMPSEST_TEST(TestGoTo)
#include "tst_go_to.moc"
