// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/hub/actions.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/search_line.h"
#include "ui/hub/session_follower.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/match_look.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/empty_page.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/notice_bar.h"
#include "ui/message/message_panel.h"
#include "ui/sessions/sessions_page.h"
#include "ui/text/text_surface.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/tuning_pages.h"

#include <QAccessible>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QTreeView>

using core::SlotIndex;
using namespace Qt::StringLiterals;
using testing::samplePath;

namespace {

void openAndWait(ui::MainWindow &window, const QString &path)
{
    QSignalSpy counted(&window.workspace(), &ui::Workspace::tokensChanged);
    window.open(path.toStdString());
    QTRY_VERIFY_WITH_TIMEOUT(!window.workspace().isLoading() && counted.count() > 0, 20'000);
}

} // namespace

/// The window driven as a person would: real events on real widgets.
class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyWindowOffersTheWaysIn();
    void theWindowListsTheSessionsOfTheHome();
    void aFileIsOpenedInTheBackground();
    void aTunedFolderIsNamed();
    void aDroppedFileIsOpened();
    void anUnreadableFileSaysWhy();
    void damageIsSaidInTheQuietBar();
    void loadingMovesNothing();
    void aSessionOpensAtItsHeaviestCall();
    void findMarksSlotsAndStepsThroughThem();
    void aFileThatChangesOffersToReload();
    void aReloadKeepsThePlace();
    void aSmallWindowShowsTheSampleWhole();
    void theMenuMarksWhatIsChosen();
    void theKeysWork();
    void everyActionHasANameAndAPlace();
    void aStoryThroughAccessibleObjects();
    void theLatestOpenWins();
    void aTraceIsAskedForByItsKey();
    void theLaneOfTheCacheIsRemembered();
    void policiesAreComparedFromTheMenu();
};

void TestMainWindow::anEmptyWindowOffersTheWaysIn()
{
    ui::MainWindow window;
    window.show();
    QTRY_VERIFY(window.findChild<ui::EmptyPage *>(u"emptyPage"_s)->isVisible());
    auto *sample = window.findChild<QPushButton *>(u"openSample"_s);
    QVERIFY(sample->isVisible());
    QTest::mouseClick(sample, Qt::LeftButton);
    QTRY_VERIFY(window.workspace().session() != nullptr);
    QTRY_VERIFY(!window.workspace().isLoading());
    QVERIFY(!window.findChild<ui::EmptyPage *>(u"emptyPage"_s)->isVisible());
}

void TestMainWindow::theWindowListsTheSessionsOfTheHome()
{
    const QTemporaryDir home;
    const QString folder = home.filePath(u".claude/projects/-work"_s);
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(samplePath(u"messages-21.claude-code.jsonl"_s), folder + u"/one.jsonl"_s));
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", home.path().toUtf8());
    const auto back = qScopeGuard([&] { qputenv("HOME", before); });
    ui::MainWindow window;
    window.show();
    ui::SessionsPage *page = window.centre().sessionsPage();
    QVERIFY(page->isVisible()); // it says that it looks for sessions
    QTRY_COMPARE(page->table().model()->rowCount(), 1);
    QVERIFY(page->table().isVisible());
    QVERIFY(!window.findChild<ui::EmptyPage *>(u"emptyPage"_s)->isVisible());
    // Find goes to the page's own search.
    page->table().setFocus();
    window.actions().action(u"edit.find"_s)->trigger();
    QVERIFY(page->searchLine().hasFocus() || page->searchLine().window()->focusWidget() == &page->searchLine());
    QVERIFY(page->isVisible());
}

void TestMainWindow::aFileIsOpenedInTheBackground()
{
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    QVERIFY(window.workspace().session() != nullptr);
    QVERIFY(!window.findChild<ui::EmptyPage *>(u"emptyPage"_s)->isVisible());
    QVERIFY(window.windowTitle().contains(u"messages-21.claude-code.jsonl"_s));
    QTRY_VERIFY(window.workspace().tokens()->isCounted);
}

/// In the title while its page is shown, beside a session, too; in the line under the menu if there is no session.
void TestMainWindow::aTunedFolderIsNamed()
{
    const QTemporaryDir folder;
    const QString name = QDir(folder.path()).dirName();
    QVERIFY(QDir(folder.path()).mkdir(u"one"_s) && QDir(folder.path()).mkdir(u"two"_s));
    ui::MainWindow window;
    window.show();
    window.tune({ folder.path().toStdString() });
    QVERIFY2(window.windowTitle().startsWith(u"Folder "_s + name), qPrintable(window.windowTitle()));
    const auto *head = window.findChild<QWidget *>(u"headLine"_s);
    QVERIFY2(head->accessibleName().contains(folder.path()), qPrintable(head->accessibleName()));
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    QVERIFY(window.windowTitle().startsWith(u"Folder "_s + name)); // its page is still shown
    window.centre().tuningPages()->setPage(ui::TuningPages::Page::Session);
    QVERIFY2(window.windowTitle().startsWith(u"messages-21.claude-code.jsonl"_s), qPrintable(window.windowTitle()));
    window.centre().tuningPages()->setPage(ui::TuningPages::Page::Folder);
    QVERIFY(window.windowTitle().startsWith(u"Folder "_s + name));
    window.centre().setPage(ui::CentrePages::Page::Array);
    QVERIFY(window.windowTitle().startsWith(u"messages-21.claude-code.jsonl"_s));
    // Of several folders, the one that holds them all.
    const std::string path = folder.path().toStdString();
    window.tune({ path + "/one", path + "/two" });
    QVERIFY2(window.windowTitle().startsWith(u"Folder "_s + name), qPrintable(window.windowTitle()));
}

void TestMainWindow::aDroppedFileIsOpened()
{
    ui::MainWindow window;
    window.show();
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile(samplePath(u"messages-21.claude-code.jsonl"_s)) });
    QDragEnterEvent enter({ 100, 100 }, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({ 100, 100 }, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &drop);
    QTRY_VERIFY(window.workspace().session() != nullptr);
}

void TestMainWindow::anUnreadableFileSaysWhy()
{
    ui::MainWindow window;
    window.show();
    const QTemporaryDir folder;
    window.open(folder.path().toStdString());
    QTRY_VERIFY(window.workspace().error().has_value());
    const auto *words = window.findChild<QLabel *>(u"noticeWords"_s);
    QVERIFY(words->isVisible());
    QVERIFY2(words->text().contains(u"This is a folder"_s), qPrintable(words->text()));
}

void TestMainWindow::damageIsSaidInTheQuietBar()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"cut.jsonl"_s);
    QFile whole(samplePath(u"messages-21.claude-code.jsonl"_s));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    QFile cut(path);
    QVERIFY(cut.open(QIODevice::WriteOnly));
    cut.write(bytes.first(bytes.size() - 300));
    cut.close();
    ui::MainWindow window;
    window.show();
    openAndWait(window, path);
    const auto *words = window.findChild<QLabel *>(u"noticeWords"_s);
    QVERIFY(words->isVisible());
    QVERIFY2(words->text().startsWith(u"1 place in the file could not be read"_s), qPrintable(words->text()));
    window.centre().choose(ui::CentrePages::Page::Edits); // the edits are not the file
    QVERIFY(!words->isVisible());
    window.centre().choose(ui::CentrePages::Page::Array);
    QVERIFY(words->isVisible());
    QTest::keyClick(&window, Qt::Key_Escape);
    QVERIFY(!words->isVisible());
}

void TestMainWindow::loadingMovesNothing()
{
    ui::MainWindow window;
    window.resize(1280, 800);
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    auto *loading = window.findChild<QWidget *>(u"loading"_s);
    auto *notice = window.findChild<ui::NoticeBar *>();
    const QRect page = window.centralWidget()->geometry();
    window.workspace().reload();
    QVERIFY(window.workspace().isLoading());
    notice->setChangedOnDisk(false); // reads its state again
    QVERIFY(!notice->isVisible());
    loading->show();
    QApplication::processEvents();
    QCOMPARE(window.centralWidget()->geometry(), page);
    QTRY_VERIFY(!window.workspace().isLoading());
    QTRY_VERIFY(!loading->isVisible());
    QCOMPARE(window.centralWidget()->geometry(), page);
}

void TestMainWindow::aSessionOpensAtItsHeaviestCall()
{
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    const auto &calls = window.workspace().session()->threads.front().calls;
    const core::Position position = window.state().position();
    QVERIFY(!position.isEnd());
    for (const core::Call &call : calls)
        QVERIFY(!call.usage || call.usage->prompt() <= calls[position.call.index()].usage->prompt());
}

void TestMainWindow::findMarksSlotsAndStepsThroughThem()
{
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    auto *find = window.findChild<QLineEdit *>(u"searchLine"_s);
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(find->hasFocus() || !window.isActiveWindow());
    find->setText(u"PYTEST"_s);
    QTRY_VERIFY(!window.state().matches().empty());
    const auto matches = window.state().matches();
    QVERIFY(matches.size() > 1 && matches.size() < window.state().picture().before.slotCount());
    // A match does not look like what is selected, or like a trace.
    auto *array = window.findChild<ui::ArrayView *>();
    const QImage picture = array->grab().toImage();
    size_t marked = 0;
    for (int i = 0; i < array->itemCount(); ++i) {
        const QRect slot = array->itemRect(i);
        const bool isMatch = std::ranges::any_of(matches,
            [&](core::SlotIndex match) { return array->itemName(i).startsWith(u"slot %1,"_s.arg(match.value())); });
        bool isMarked = false;
        for (int x = slot.right() - 6; isMatch && picture.rect().contains(slot) && x <= slot.right(); ++x)
            isMarked = isMarked || picture.pixel(x, slot.center().y()) == ui::matchMark(window.state().theme()).rgb();
        marked += isMarked ? 1 : 0;
    }
    QVERIFY(marked > 0);
    window.state().setCurrentSlot(matches.front());
    QTest::keyClick(find, Qt::Key_Return);
    QCOMPARE(window.state().currentSlot(), matches[1]);
    QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(window.state().currentSlot(), matches[0]);
}

void TestMainWindow::aFileThatChangesOffersToReload()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"growing.jsonl"_s);
    QVERIFY(QFile::copy(samplePath(u"messages-21.claude-code.jsonl"_s), path));
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
    ui::MainWindow window;
    window.show();
    openAndWait(window, path);
    window.workspace().follower().setOn(false);
    const size_t before = window.workspace().session()->recordCount;
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write("{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"y\"}\n");
    file.close();
    const auto *words = window.findChild<QLabel *>(u"noticeWords"_s);
    QTRY_VERIFY(words->isVisible() && words->text().contains(u"changed on disk"_s));
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_COMPARE(window.workspace().session()->recordCount, before + 1);
    QTRY_VERIFY(!words->isVisible());
}

void TestMainWindow::aReloadKeepsThePlace()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"session.jsonl"_s);
    QVERIFY(QFile::copy(samplePath(u"messages-21.claude-code.jsonl"_s), path));
    ui::MainWindow window;
    window.show();
    openAndWait(window, path);
    window.state().setPosition({ core::ThreadIndex(0U), core::CallIndex(5U) });
    window.state().setCurrentSlot(SlotIndex(2U));
    window.workspace().commitKeep(window.workspace().keep(), { 3, core::Measure::Unit::Messages });
    const core::BlockId block = window.state().currentBlock();
    const core::SessionPtr before = window.workspace().session();
    window.workspace().reload();
    QTRY_VERIFY(!window.workspace().isLoading() && window.workspace().session() != before);
    QCOMPARE(window.state().position().call, core::CallIndex(5U));
    QCOMPARE(window.state().currentBlock(), block);
    QCOMPARE(window.state().selection(), std::vector { SlotIndex(2U) });
    QCOMPARE(window.workspace().keep(), (core::Measure { 3, core::Measure::Unit::Messages }));
    QVERIFY(window.workspace().undoStack().canUndo());
    // Another file is another place.
    openAndWait(window, samplePath(u"messages-21.codex.jsonl"_s));
    QVERIFY(!window.workspace().undoStack().canUndo());
    QCOMPARE(window.state().position(), window.state().heaviestPosition(core::ThreadIndex(0U)));
}

void TestMainWindow::aSmallWindowShowsTheSampleWhole()
{
    ui::MainWindow window;
    window.resize(1440, 900);
    window.restoreDefaultLayout();
    window.show();
    openAndWait(window, samplePath(u"messages-21.genkit.json"_s));
    auto *array = window.findChild<ui::ArrayView *>();
    QTRY_VERIFY(array->itemCount() > 21); // and the parts of the bar, and the keep boundary
    QVERIFY(array->itemName(20).startsWith(u"slot 20,"_s));
    for (const int item : { 0, 20 }) {
        QTRY_VERIFY2(array->itemRect(item).height() >= 12,
            qPrintable(
                QString::number(item) + u" is "_s + QString::number(array->itemRect(item).height()) + u" high"_s));
    }
}

void TestMainWindow::theMenuMarksWhatIsChosen()
{
    ui::MainWindow window;
    const auto marked = [&] {
        QStringList ids;
        for (const auto &entry : window.actions().entries()) {
            if (entry.action->isChecked() && entry.id.startsWith(u"view."_s))
                ids << entry.id;
        }
        return ids;
    };
    QVERIFY(window.findChild<QAction *>(u"policy.as-recorded"_s)->isChecked());
    window.setLook(ui::MainWindow::Look::Light);
    QCOMPARE(marked(),
        QStringList(
            { u"view.tokens"_s, u"view.slots"_s, u"view.cache"_s, u"view.look-light"_s, u"view.text-system"_s }));
    window.findChild<QAction *>(u"view.bytes"_s)->trigger();
    window.findChild<QAction *>(u"view.bytes"_s)->trigger();
    window.findChild<ui::ArrayView *>()->setMode(ui::ArrayMode::Bars);
    window.setLook(ui::MainWindow::Look::Dark);
    QCOMPARE(marked(),
        QStringList({ u"view.bytes"_s, u"view.bars"_s, u"view.cache"_s, u"view.look-dark"_s, u"view.text-system"_s }));
}

void TestMainWindow::theKeysWork()
{
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    auto *array = window.findChild<ui::ArrayView *>();
    window.state().setPosition({});
    QTest::keyClick(array, Qt::Key_Up);
    QCOMPARE(window.state().position().call, core::CallIndex(8U));
    QTest::keyClick(array, Qt::Key_Up);
    QCOMPARE(window.state().position().call, core::CallIndex(7U));
    QTest::keyClick(array, Qt::Key_Down);
    QCOMPARE(window.state().position().call, core::CallIndex(8U));
    const auto trigger = [&](const QString &id) {
        for (const auto &entry : window.actions().entries()) {
            if (entry.id == id)
                return entry.action->trigger();
        }
        QFAIL(qPrintable(u"no action "_s + id));
    };
    trigger(u"view.characters"_s);
    QCOMPARE(window.state().unit(), core::WeightUnit::Characters);
    trigger(u"view.heaviest"_s);
    QCOMPARE(array->mode(), ui::ArrayMode::BarsHeaviest);
    trigger(u"view.look-dark"_s);
    QCOMPARE(window.state().theme().appearance, ui::Appearance::Dark);
    trigger(u"view.look-light"_s);
}

void TestMainWindow::everyActionHasANameAndAPlace()
{
    ui::MainWindow window;
    QSet<QString> ids;
    QSet<QString> keys;
    for (const auto &entry : window.actions().entries()) {
        QVERIFY(!entry.action->text().isEmpty());
        QVERIFY(!entry.menu.isEmpty());
        QVERIFY2(!ids.contains(entry.id), qPrintable(entry.id));
        ids.insert(entry.id);
        const QString key = entry.action->shortcut().toString();
        QVERIFY2(key.isEmpty() || !keys.contains(key), qPrintable(key + u" is taken twice"_s));
        keys.insert(key);
    }
    // A changed shortcut is kept, and the standard one comes back.
    window.actions().setShortcut(u"go.end"_s, QKeySequence(Qt::CTRL | Qt::Key_9));
    {
        ui::MainWindow again;
        for (const auto &entry : again.actions().entries()) {
            if (entry.id == u"go.end"_s)
                QCOMPARE(entry.action->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_9));
        }
    }
    window.actions().restoreStandard();
}

void TestMainWindow::aStoryThroughAccessibleObjects()
{
    // "Which slot is the heaviest, and what is in it?"
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    window.state().setPosition({});
    window.workspace().previewKeep({ 4, core::Measure::Unit::Messages });
    QAccessibleInterface *array = QAccessible::queryAccessibleInterface(window.findChild<ui::ArrayView *>());
    QVERIFY(array != nullptr);
    QAccessibleInterface *hot = nullptr;
    for (int i = 0; i < array->childCount(); ++i) {
        const QString name = array->child(i)->text(QAccessible::Name);
        if (name.contains(u"tool call Write"_s) && name.endsWith(u"hot"_s))
            hot = array->child(i);
    }
    QVERIFY(hot != nullptr);
    hot->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    const core::Block &block = window.workspace().session()->block(window.state().currentBlock());
    QCOMPARE(block.kind, core::BlockKind::ToolCall);
    const auto *status = window.findChild<QLabel *>(u"statusLeft"_s);
    QVERIFY2(status->text().contains(u"tool_call Write"_s), qPrintable(status->text()));
}

void TestMainWindow::theLatestOpenWins()
{
    ui::MainWindow window;
    window.show();
    for (int i = 0; i < 5; ++i)
        window.open(samplePath(u"messages-21.claude-code.jsonl"_s).toStdString());
    window.open(samplePath(u"messages-21.codex.jsonl"_s).toStdString());
    QTRY_VERIFY(!window.workspace().isLoading() && window.workspace().session() != nullptr);
    QThreadPool::globalInstance()->waitForDone(); // those that were given up
    QCoreApplication::processEvents();
    QCOMPARE(window.workspace().session()->format, std::string("codex"));
}

void TestMainWindow::aTraceIsAskedForByItsKey()
{
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    ui::Traces &traces = window.workspace().facts().traces();
    const auto *status = window.findChild<QLabel *>(u"statusLeft"_s);
    window.state().setCurrentSlot(SlotIndex(0U));
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier); // nothing is selected: the block
    QCOMPARE(traces.count(), size_t(1));
    QCOMPARE(traces.at(0).block, window.state().currentBlock());
    QTRY_VERIFY(traces.at(0).life != nullptr);
    QVERIFY2(status->text().endsWith(traces.at(0).verdict), qPrintable(status->text()));
    // What is selected in the message is traced as a text.
    window.actions().action(u"view.message"_s)->trigger();
    auto *surface = window.findChild<ui::MessagePanel *>()->surface();
    surface->finish();
    surface->select(0, 12);
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(traces.count(), size_t(2));
    QVERIFY(!traces.at(1).text.empty() && !traces.at(1).block.isValid());
    // Another block is told of once it is chosen; Escape takes the traces away, the newest first.
    window.state().setCurrentSlot(SlotIndex(3U));
    QVERIFY2(status->text().startsWith(u"[3]"_s), qPrintable(status->text()));
    QTest::keyClick(&window, Qt::Key_Escape);
    QCOMPARE(traces.count(), size_t(1));
    QCOMPARE(traces.at(0).text, std::string());
    QTest::keyClick(&window, Qt::Key_Escape);
    QCOMPARE(traces.count(), size_t(0));
}

void TestMainWindow::theLaneOfTheCacheIsRemembered()
{
    for (const bool isShown : { false, true }) {
        {
            ui::MainWindow window;
            QCOMPARE(window.findChild<ui::TimelineView *>()->showsCache(), !isShown);
            QAction *action = window.findChild<QAction *>(u"view.cache"_s);
            QVERIFY(action->isChecked() == !isShown);
            action->trigger();
        }
        ui::MainWindow window;
        QCOMPARE(window.findChild<ui::TimelineView *>()->showsCache(), isShown);
        QCOMPARE(window.findChild<QAction *>(u"view.cache"_s)->isChecked(), isShown);
    }
}

void TestMainWindow::policiesAreComparedFromTheMenu()
{
    ui::MainWindow window;
    window.show();
    openAndWait(window, samplePath(u"messages-21.claude-code.jsonl"_s));
    const auto &comparisons = window.workspace().comparisons();
    QMenu *menu = window.actions().action(u"policy.compare"_s)->menu();
    const auto all = [menu] { // of the menu and its submenus
        Q_EMIT menu->aboutToShow();
        QList<QAction *> actions = menu->actions();
        for (const QAction *each : menu->actions())
            actions += each->menu() != nullptr ? each->menu()->actions() : QList<QAction *>();
        return actions;
    };
    const auto choose = [&](const QString &name) {
        const auto offered = all();
        const auto action = std::ranges::find(offered, name, &QAction::text);
        QVERIFY2(action != offered.end(), qPrintable(name));
        (*action)->trigger();
    };
    choose(u"Deep Agents"_s);
    choose(u"Genkit compaction recipe"_s);
    QCOMPARE(comparisons.count(), size_t(2));
    const auto offered = all();
    QCOMPARE(std::ranges::count(offered, true, &QAction::isChecked), 2);
    QVERIFY(menu->actions().size() < 12); // what is near, and groups
    QCOMPARE(std::ranges::count(menu->actions(), true, &QAction::isChecked), 2);
    // Escape takes them away, the newest first, and the menu all of them.
    QTest::keyClick(&window, Qt::Key_Escape);
    QCOMPARE(comparisons.count(), size_t(1));
    QCOMPARE(comparisons.at(0).policy->id, std::string("deep-agents"));
    window.actions().action(u"policy.stop-comparing"_s)->trigger();
    QCOMPARE(comparisons.count(), size_t(0));
}

PALIMPSEST_TEST(TestMainWindow)
#include "tst_main_window.moc"
