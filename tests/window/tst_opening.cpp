// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/opened_window.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/hub/search_line.h"
#include "ui/message/message_panel.h"
#include "ui/sessions/sessions_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace Qt::StringLiterals;
using Page = ui::CentrePages::Page;

namespace {

/// A window with a list of one session: a long message has the phrase far down, and its words apart before it.
struct Listed {
    QTemporaryDir folder;
    QString file = folder.filePath(u"a.jsonl"_s);
    ui::MainWindow window;

    Listed()
    {
        testing::ClaudeLog log("/work/alpha");
        log.typed("write the docs");
        log.call("Bash", { { "command", "make" } });
        std::string text = "a link that is stable\n";
        for (int i = 0; i < 400; ++i)
            text += "line " + std::to_string(i) + "\n";
        log.result(text + "keep the stable link as it is\n");
        log.compact("A summary of all.");
        log.call("Bash", { { "command", "date" } });
        log.result("done");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(log.text()));
        out.close();
        window.resize(1500, 1000);
        window.show();
        window.restoreDefaultLayout();
        window.listSessions({ folder.path().toStdString() });
        page().library().wait();
    }
    [[nodiscard]] ui::SessionsPage &page() { return *window.centre().sessionsPage(); }
    [[nodiscard]] ui::MessagePanel *message() { return window.findChild<ui::MessagePanel *>(); }
    void search(const QString &line)
    {
        page().searchLine().setText(line);
        QTRY_VERIFY(page().library().found() && page().library().found()->line == line);
        QCOMPARE(page().model().rowCount(), 1);
    }
    void waitForSession()
    {
        QTRY_VERIFY(!window.workspace().isLoading() && window.workspace().session());
        QApplication::processEvents();
        window.state().search().wait();
        message()->waitForContent();
    }
    void checkPlace()
    {
        QCOMPARE(window.centre().page(), Page::Array);
        const core::Session &session = *window.workspace().session();
        const core::BlockId block = window.state().currentBlock();
        QVERIFY(block.isValid());
        QVERIFY(session.text(session.block(block).body).contains("keep the stable link"));
        QVERIFY(window.state().currentSlot().isValid());
        QCOMPARE(window.state().search().line(), u"\"stable link\""_s);
        QVERIFY(message()->isInSight());
        const ui::TextSurface *surface = message()->surface();
        QCOMPARE(surface->matchCount(), 1U); // the phrase, not its words
        QCOMPARE(surface->currentMatch(), std::optional<size_t>(0));
        QVERIFY(surface->topRow() > 300);
    }
};

} // namespace

/// From the list and from the command line to the place of a session.
class TestOpening final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void cleanupTestCase() { ui::openSettings().clear(); }
    void enterOnAHitShowsIt();
    void theLinkOfAHitShowsIt();
    void aHitOfTheOpenSessionIsShown();
    void aSessionOpensInDebug();
    void aSessionThatGrowsLeavesTheList();
    void theListStaysWhileItsProjectIsTuned();
    void theOpenedSessionStaysChosen();
};

void TestOpening::enterOnAHitShowsIt()
{
    Listed listed;
    listed.search(u"stable link"_s);
    QTest::keyClick(&listed.page().searchLine(), Qt::Key_Return);
    listed.waitForSession();
    listed.checkPlace();
}

void TestOpening::theLinkOfAHitShowsIt()
{
    Listed listed;
    listed.search(u"stable link"_s);
    const auto links = listed.page().findChildren<QPushButton *>();
    const auto link = std::ranges::find_if(
        links, [](const QPushButton *each) { return each->toolTip().contains(u"Opens the session at this block"_s); });
    QVERIFY(link != links.end());
    (*link)->click();
    listed.waitForSession();
    listed.checkPlace();
}

void TestOpening::aHitOfTheOpenSessionIsShown()
{
    Listed listed;
    listed.window.open(listed.file.toStdString());
    listed.waitForSession();
    listed.window.centre().choose(Page::Edits);
    listed.window.centre().choose(Page::Sessions);
    listed.page().library().wait();
    listed.search(u"stable link"_s);
    QTest::keyClick(&listed.page().searchLine(), Qt::Key_Return);
    listed.waitForSession();
    listed.checkPlace();
}

void TestOpening::aSessionOpensInDebug()
{
    {
        testing::OpenedWindow before;
        before.choose(Page::Tuning);
        before.window.close();
    }
    Listed listed;
    QTest::keyClick(&listed.page().table(), Qt::Key_Return); // without a search
    listed.waitForSession();
    QCOMPARE(listed.window.centre().page(), Page::Array);
    // What is chosen in this run stays when a file is read again or another one is opened.
    listed.window.centre().choose(Page::Tuning);
    listed.window.workspace().reload();
    listed.waitForSession();
    QCOMPARE(listed.window.centre().page(), Page::Tuning);
    // From the command line.
    ui::MainWindow later;
    later.open(listed.file.toStdString());
    QTRY_VERIFY(!later.workspace().isLoading() && later.workspace().session());
    QCOMPARE(later.centre().page(), Page::Array);
}

void TestOpening::aSessionThatGrowsLeavesTheList()
{
    testing::OpenedWindow opened;
    opened.choose(Page::Sessions);
    Q_EMIT opened.window.workspace().sessionChanged(false);
    QCOMPARE(opened.window.centre().page(), Page::Sessions);
}

void TestOpening::theListStaysWhileItsProjectIsTuned()
{
    Listed listed;
    ui::MainWindow &window = listed.window;
    const auto *pages = window.centre().tuningPages();
    const auto tune = [&] {
        const auto buttons = listed.page().findChildren<QPushButton *>();
        const auto button = std::ranges::find_if(
            buttons, [](const QPushButton *each) { return each->text() == u"Tune This Project"_s; });
        QVERIFY(button != buttons.end());
        (*button)->click();
    };
    tune();
    QCOMPARE(window.centre().page(), Page::Tuning);
    QCOMPARE(pages->folderName(), u"alpha"_s);
    QVERIFY2(window.windowTitle().startsWith(u"Project alpha"_s), qPrintable(window.windowTitle()));
    window.centre().choose(Page::Sessions);
    listed.page().library().wait();
    QCOMPARE(listed.page().model().rowCount(), 1);
    tune();
    auto *widen = window.findChild<QToolButton *>(u"folderWiden"_s);
    QVERIFY(widen->isVisible());
    widen->click();
    QCOMPARE(window.centre().page(), Page::Tuning);
    QCOMPARE(pages->folderPath(), QDir::cleanPath(listed.folder.path()));
    QVERIFY(!pages->isProject());
    QVERIFY(!widen->isVisible());
}

void TestOpening::theOpenedSessionStaysChosen()
{
    Listed listed;
    testing::ClaudeLog log("/work/beta");
    log.typed("read the news");
    log.wait(30);
    log.call("Bash", { { "command", "ls" } });
    log.result("x");
    QFile out(listed.folder.filePath(u"b.jsonl"_s));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray::fromStdString(log.text()));
    out.close();
    listed.page().library().wait();
    QCOMPARE(listed.page().model().rowCount(), 2);
    QCOMPARE(listed.page().model().title(0), u"read the news"_s); // the newest is chosen
    listed.search(u"\"stable link\""_s);
    QTest::keyClick(&listed.page().searchLine(), Qt::Key_Return);
    listed.waitForSession();
    listed.window.centre().choose(Page::Sessions);
    listed.page().searchLine().clear();
    QTRY_COMPARE(listed.page().model().rowCount(), 2);
    QCOMPARE(listed.page().table().currentIndex().row(), 1);
}

PALIMPSEST_TEST(TestOpening)
#include "tst_opening.moc"
