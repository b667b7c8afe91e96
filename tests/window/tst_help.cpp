// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/look/material_words.h"
#include "ui/mainwindow/about_page.h"
#include "ui/mainwindow/go_to.h"
#include "ui/mainwindow/keys_page.h"
#include "ui/mainwindow/legend_page.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/manual_page.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QTableWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QTreeView>
#include <QUndoStack>

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

/// Legend, manual and the menus of rows.
class TestHelp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void cleanupTestCase() { ui::openSettings().clear(); }
    void theLegendNamesEveryMaterial();
    void theListOfKeysNamesEveryCommand();
    void everyLinkOfTheManualOpens();
    void aboutNamesEveryLicence();
    void aRowOffersItsActions();
    void everyListOffersTheSame_data();
    void everyListOffersTheSame();
    void showEditIsOfferedWhereThereIsOne();
    void aMenuAddsToTheFilter();
    void aCallOffersItsAnswer();
    void aSubagentOpensFromItsCall();
    void backLeavesAWalkAsAWhole();
};

void TestHelp::theLegendNamesEveryMaterial()
{
    ui::MainWindow window;
    window.actions().action(u"help.legend"_s)->trigger();
    const auto *legend = window.findChild<ui::LegendPage *>();
    QVERIFY(legend != nullptr && legend->isVisible() && !legend->isModal());
    QStringList words;
    const auto labels = legend->findChildren<QLabel *>();
    for (const QLabel *label : labels)
        words << label->text();
    for (size_t i = 0; i < core::kMaterialCount; ++i) {
        const auto material = static_cast<core::Material>(i);
        QVERIFY2(words.contains(ui::materialName(material)), qPrintable(ui::materialName(material)));
        QVERIFY(words.contains(ui::materialMeaning(material)));
    }
    QVERIFY2(legend->sizeHint().width() <= 1280, qPrintable(QString::number(legend->sizeHint().width())));
    // No hole: a section follows the one above it, and the columns are about equally long.
    std::map<int, std::vector<QRect>> columns;
    const auto parts = legend->findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
    for (const QWidget *section : parts)
        columns[section->x()].push_back(section->geometry());
    QCOMPARE(columns.size(), size_t(3));
    std::vector<int> ends;
    for (auto &[x, sections] : columns) {
        std::ranges::sort(sections, {}, &QRect::top);
        for (size_t i = 1; i < sections.size(); ++i)
            QVERIFY(sections[i].top() - sections[i - 1].bottom() < 20);
        ends.push_back(sections.back().bottom());
    }
    const auto [shortest, longest] = std::ranges::minmax(ends);
    QVERIFY2(shortest > longest * 4 / 5, qPrintable(u"%1 of %2"_s.arg(shortest).arg(longest)));
}

void TestHelp::theListOfKeysNamesEveryCommand()
{
    ui::MainWindow window;
    QAction *keys = window.actions().action(u"help.keys"_s);
    QVERIFY(keys != nullptr);
    QCOMPARE(keys->shortcut(), QKeySequence(Qt::Key_Question)); // as the manual says
    keys->trigger();
    const auto *page = window.findChild<ui::KeysPage *>();
    QVERIFY(page != nullptr && page->isVisible());
    const auto *table = page->findChild<QTableWidget *>();
    QSet<QString> commands;
    for (int row = 0; row < table->rowCount(); ++row)
        commands << table->item(row, 1)->text();
    for (const char *command : { "Keys", "Legend", "Next Bookmark" })
        QVERIFY2(commands.contains(QString::fromLatin1(command)), command);
}

void TestHelp::everyLinkOfTheManualOpens()
{
    ui::MainWindow window;
    window.actions().action(u"help.manual"_s)->trigger();
    auto *manual = window.findChild<ui::ManualPage *>();
    QVERIFY(manual != nullptr && manual->isVisible());
    auto *text = manual->findChild<QTextBrowser *>(u"manualText"_s);
    const QStringList pages = QDir(u":/manual"_s).entryList({ u"*.md"_s }, QDir::Files);
    QVERIFY(pages.size() > 20);
    QSet<QUrl> links;
    for (const QString &page : pages) {
        const QUrl source(u"qrc:/manual/"_s + page);
        text->setSource(source);
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            const auto formats = block.textFormats();
            for (const auto &range : formats) {
                const QUrl target = source.resolved(QUrl(range.format.anchorHref()));
                if (range.format.isAnchor() && target.path().startsWith(u"/manual/"_s)
                    && target.path().endsWith(u".md"_s))
                    links << target;
            }
        }
    }
    for (const QUrl &link : std::as_const(links)) {
        Q_EMIT text->anchorClicked(link);
        QCOMPARE(text->source(), link.adjusted(QUrl::RemoveFragment));
        QVERIFY2(!text->toPlainText().isEmpty(), qPrintable(link.toString()));
        if (link.hasFragment())
            QVERIFY2(text->textCursor().position() > 0, qPrintable(link.toString()));
    }
    QVERIFY(links.size() > 40);
}

void TestHelp::aboutNamesEveryLicence()
{
    ui::MainWindow window;
    window.actions().action(u"help.about"_s)->trigger();
    const auto *about = window.findChild<ui::AboutPage *>();
    QVERIFY(about != nullptr && about->isVisible() && !about->isModal());
    QVERIFY(!about->findChild<QLabel *>(u"aboutIcon"_s)->pixmap().isNull());
    const QString notices = about->findChild<QTextBrowser *>(u"aboutNotices"_s)->toPlainText();
    // What CMake looks for is what the program is made from.
    QFile build(QString::fromStdString(std::string(PALIMPSEST_SOURCE_DIR) + "/CMakeLists.txt"));
    QVERIFY(build.open(QIODevice::ReadOnly));
    static const QRegularExpression kLibrary(
        u"^(?:find_package|pkg_check_modules)\\((?:lib|KF6)?(\\w+?)[36]? "_s, QRegularExpression::MultilineOption);
    QStringList libraries;
    for (auto it = kLibrary.globalMatch(QString::fromUtf8(build.readAll())); it.hasNext();)
        libraries << it.next().captured(1);
    libraries.removeAll(u"Threads"_s);
    libraries.removeAll(u"PkgConfig"_s);
    QVERIFY(libraries.size() >= 9);
    for (const QString &library : std::as_const(libraries))
        QVERIFY2(notices.contains(library, Qt::CaseInsensitive), qPrintable(library));
    // The licence of the repository, word for word.
    QFile licence(QString::fromStdString(std::string(PALIMPSEST_SOURCE_DIR) + "/LICENSE"));
    QVERIFY(licence.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(licence.readAll()).simplified().mid(int(qstrlen("MIT License ")));
    QVERIFY(notices.simplified().contains(text));
}

void TestHelp::aRowOffersItsActions()
{
    ui::MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.restoreDefaultLayout();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    auto *tree = window.findChild<QTreeView *>(u"outlineTree"_s);
    QVERIFY(tree != nullptr);
    QTRY_VERIFY(tree->model()->rowCount() > 0);
    const QModelIndex row = tree->model()->index(0, 0);
    const QPoint place = tree->visualRect(row).center();
    QVERIFY(tree->viewport()->rect().contains(place));
    QContextMenuEvent asked(QContextMenuEvent::Mouse, place, tree->viewport()->mapToGlobal(place));
    QCoreApplication::sendEvent(tree->viewport(), &asked);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    for (const auto &id : { u"go.trace"_s, u"go.show-edit"_s, u"go.subagent"_s, u"edit.copy-link"_s,
             u"edit.add-to-filter"_s, u"edit.exclude-by-filter"_s })
        QVERIFY2(menu->actions().contains(window.actions().action(id)), qPrintable(id));
    QVERIFY(window.state().currentBlock().isValid());
    menu->close();
}

void TestHelp::everyListOffersTheSame_data()
{
    QTest::addColumn<QString>("widget");
    QTest::newRow("slots") << u"array"_s;
    QTest::newRow("edits") << u"editsList"_s;
    QTest::newRow("weight") << u"weightTable"_s;
    QTest::newRow("calls") << u"callsTable"_s;
    QTest::newRow("search") << u"searchTable"_s;
    QTest::newRow("messages you typed") << u"typedTable"_s;
    QTest::newRow("the head of the message") << u"messageTitle"_s;
}

void TestHelp::everyListOffersTheSame()
{
    QFETCH(const QString, widget);
    ui::MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.restoreDefaultLayout();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    window.state().search().setLine(u"role:tool"_s);
    window.state().search().wait();
    auto *view = window.findChild<QWidget *>(widget);
    QVERIFY(view != nullptr);
    for (QWidget *each = view; each != nullptr; each = each->parentWidget()) {
        if (auto *dock = qobject_cast<QDockWidget *>(each))
            dock->raise();
    }
    if (widget == u"editsList"_s)
        window.actions().action(u"view.edits"_s)->trigger();
    QTRY_VERIFY(view->isVisible());
    QList<QAction *> offered = view->actions();
    if (view->contextMenuPolicy() != Qt::ActionsContextMenu) {
        auto *rows = qobject_cast<QAbstractItemView *>(view);
        QPoint at(300, 200);
        if (rows != nullptr) {
            QTRY_VERIFY(rows->model()->rowCount() > 0);
            // The heaviest row of Weight can be text outside of the slots, which has no menu.
            const QModelIndex row = rows->model()->index(widget == u"weightTable"_s ? 3 : 0, 1);
            at = rows->visualRect(row).center();
        }
        QWidget *target = rows != nullptr ? rows->viewport() : view;
        // A view may show its menu in a loop of its own.
        QTimer::singleShot(0, &window, [&] {
            if (auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())) {
                offered = menu->actions();
                menu->close();
            }
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, target->mapToGlobal(at));
        QApplication::sendEvent(target, &event);
        QTRY_VERIFY(!offered.isEmpty());
    }
    for (const auto &id : { u"go.trace"_s, u"go.show-edit"_s, u"go.subagent"_s, u"edit.copy-link"_s,
             u"edit.add-to-filter"_s, u"edit.exclude-by-filter"_s })
        QVERIFY2(offered.contains(window.actions().action(id)), qPrintable(id));
}

void TestHelp::showEditIsOfferedWhereThereIsOne()
{
    ui::MainWindow window;
    window.show();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    const core::Session &session = *window.state().session();
    const QAction *show = window.actions().action(u"go.show-edit"_s);
    const auto isOffered = [&](size_t block) {
        window.state().setCurrentBlock(core::BlockId(block));
        return show->isEnabled();
    };
    QVERIFY(!isOffered(0)); // what the user typed
    const auto nameOf = [&](const core::Block &block) { return session.string(block.name); };
    const auto edit = std::ranges::find(session.blocks, "Edit", nameOf);
    const auto read = std::ranges::find(session.blocks, "Read", nameOf);
    QVERIFY(edit != session.blocks.end() && read != session.blocks.end());
    QVERIFY(isOffered(static_cast<size_t>(edit - session.blocks.begin())));
    QVERIFY(!isOffered(static_cast<size_t>(read - session.blocks.begin())));
    const auto result = std::ranges::find_if(session.blocks, [&](const core::Block &block) {
        return block.kind == core::BlockKind::ToolResult && block.callId == edit->callId;
    });
    QVERIFY(isOffered(static_cast<size_t>(result - session.blocks.begin())));
}

void TestHelp::aMenuAddsToTheFilter()
{
    ui::MainWindow window;
    window.show();
    window.restoreDefaultLayout();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    const core::Session &session = *window.state().session();
    const auto call = std::ranges::find(session.blocks, core::BlockKind::ToolCall, &core::Block::kind);
    window.state().setCurrentBlock(core::BlockId(static_cast<size_t>(call - session.blocks.begin())));
    const QString tool = u"tool:"_s + QString::fromStdString(std::string(session.string(call->name)));
    const auto choose = [&](const QString &id, const QString &term) {
        QMenu *menu = window.actions().action(id)->menu();
        Q_EMIT menu->aboutToShow();
        for (QAction *action : menu->actions()) {
            if (action->text() == term)
                return action->trigger();
        }
        QFAIL(qPrintable(term));
    };
    choose(u"edit.add-to-filter"_s, tool);
    choose(u"edit.exclude-by-filter"_s, u"kind:call"_s);
    QCOMPARE(window.state().search().line(), tool + u" -kind:call"_s);
    auto *table = window.findChild<QTreeView *>(u"searchTable"_s);
    QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > 0);
    choose(u"edit.exclude-by-filter"_s, tool);
    QCOMPARE(window.state().search().line(), u"-kind:call -"_s + tool);
}

void TestHelp::aCallOffersItsAnswer()
{
    ui::MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.restoreDefaultLayout();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    window.actions().action(u"view.calls"_s)->trigger();
    auto *table = window.findChild<QTreeView *>(u"callsTable"_s);
    QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > 4);
    const QPoint at = table->visualRect(table->model()->index(3, 1)).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
    QApplication::sendEvent(table->viewport(), &event);
    QWidget *menu = QApplication::activePopupWidget();
    QVERIFY(menu != nullptr);
    menu->close();
    const core::Session &session = *window.state().session();
    const core::BlockRange output = session.thread(core::ThreadIndex(0U)).calls[3].output;
    QCOMPARE(window.state().position().call, core::CallIndex(3U));
    const uint32_t current = window.state().currentBlock().value();
    QVERIFY(current >= output.begin && current < output.end);
    QCOMPARE(session.block(window.state().currentBlock()).kind, core::BlockKind::ToolCall);
}

void TestHelp::aSubagentOpensFromItsCall()
{
    for (const std::string &file : testing::corpusFiles({ "claude-code" })) {
        ui::MainWindow window;
        if (!window.workspace().openNow(testing::corpus() / file))
            continue;
        ui::ViewState &state = window.state();
        QAction *open = window.actions().action(u"go.subagent"_s);
        for (size_t i = 0; i < state.session()->threads.size(); ++i) {
            const core::BlockId call = state.session()->threads[i].parentCall;
            if (!call.isValid())
                continue;
            state.setCurrentBlock(call);
            QVERIFY(open->isEnabled());
            open->trigger();
            QCOMPARE(state.position().thread, core::ThreadIndex(i));
            state.setPosition({ core::ThreadIndex(0U), {} });
            state.setCurrentBlock(core::BlockId(0U));
            QCOMPARE(open->isEnabled(), call == core::BlockId(0U));
            return;
        }
    }
    QSKIP("The corpus is not there, or has no session with a subagent.");
}

void TestHelp::backLeavesAWalkAsAWhole()
{
    ui::MainWindow window;
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    ui::ViewState &state = window.state();
    QAction *back = window.actions().action(u"go.back"_s);
    QAction *forward = window.actions().action(u"go.forward"_s);
    const auto at = [&](uint32_t call) { return core::Position { core::ThreadIndex(0U), core::CallIndex(call) }; };
    state.setPosition(at(10));
    for (int i = 0; i < 5; ++i)
        state.stepCall(1);
    QCOMPARE(state.position(), at(15));
    state.setPosition(at(60));
    QVERIFY(back->isEnabled() && !forward->isEnabled());
    back->trigger();
    QCOMPARE(state.position(), at(15));
    forward->trigger();
    QCOMPARE(state.position(), at(60));
    const core::BlockId shown = state.currentBlock();
    const core::BlockId other
        = state.picture().before.blocksOf(state.picture().before.slot(core::SlotIndex(0U))).front();
    state.setCurrentBlock(other);
    back->trigger();
    QCOMPARE(state.currentBlock(), shown);
    state.setPosition(at(30));
    QVERIFY2(!forward->isEnabled(), "a new place ends the way forward");
    QVERIFY(!window.workspace().undoStack().canUndo());
}

PALIMPSEST_TEST(TestHelp)

#include "tst_help.moc"
