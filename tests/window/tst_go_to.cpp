// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/mainwindow/go_to.h"
#include "ui/mainwindow/main_window.h"

#include <QInputDialog>
#include <QTest>

using namespace Qt::StringLiterals;

/// Where “Go to” goes.
class TestGoTo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageIsFoundByItsNumber();
    void aMessageWithoutBlocksIsNotTheNextOne();
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
}

PALIMPSEST_TEST(TestGoTo)
#include "tst_go_to.moc"
