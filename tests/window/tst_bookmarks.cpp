// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/block_key.h"
#include "core/session/slot_label.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/bookmarks/bookmarks_model.h"
#include "ui/bookmarks/bookmarks_panel.h"
#include "ui/hub/bookmarks.h"
#include "ui/mainwindow/main_window.h"
#include "ui/outline/outline_model.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using core::SlotIndex;
using namespace Qt::StringLiterals;

namespace {

/// A window on a copy of the manual's session, which can grow.
struct Marked {
    ui::MainWindow window;
    ui::Workspace &workspace = window.workspace();
    ui::ViewState &state = window.state();
    ui::Bookmarks &bookmarks = workspace.bookmarks();

    explicit Marked(const QString &path)
    {
        window.resize(1500, 1000);
        window.restoreDefaultLayout();
        window.show();
        window.open(path.toStdString());
        QTRY_VERIFY(!workspace.isLoading() && workspace.session());
        bookmarks.wait();
        QApplication::processEvents();
    }
    void choose(uint32_t slot) { state.setCurrentSlot(SlotIndex(slot)); }
    void trigger(const QString &id) { window.actions().action(id)->trigger(); }
    void mark(uint32_t slot)
    {
        choose(slot);
        trigger(u"edit.bookmark"_s);
    }
    template <typename Part>
    [[nodiscard]] Part *part(const QString &name)
    {
        return window.findChild<Part *>(name);
    }
    [[nodiscard]] QString nameOf(uint32_t slot) const
    {
        const auto *array = window.findChild<ui::ArrayView *>();
        for (int i = 0; i < array->itemCount(); ++i) {
            if (array->itemName(i).startsWith(u"slot %1,"_s.arg(slot)))
                return array->itemName(i);
        }
        return {};
    }
    [[nodiscard]] bool isTabShown() { return !part<QDockWidget>(u"bookmarksDock"_s)->isHidden(); }
};

} // namespace

/// Bookmarks and their notes, in the window and beside the session.
class TestBookmarks final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aKeySetsAndRemovesABookmark();
    void itIsMarkedInTheArrayAndTheOutline();
    void thePanelComesWithTheFirstBookmark();
    void aRowGoesToItsMessage();
    void aBookmarkIsNamedAsItsMessage();
    void aNoteIsWrittenAndUndone();
    void aNoteIsOfTheRowThatWasChosenByKey();
    void aReloadedFileThatGrewKeepsThem();
    void aReloadLeavesThePanelInItsPlace();
    void theyStayBesideTheSession();
    void twoWindowsKeepTheBookmarksOfBoth();
    void aNewerDocumentIsLeftAlone();
    void keysGoFromBookmarkToBookmark();

private:
    QTemporaryDir m_folder;
    QString m_path;
};

void TestBookmarks::init()
{
    m_path = m_folder.filePath(u"session-%1.jsonl"_s.arg(QString::fromLatin1(QTest::currentTestFunction())));
    QFile::remove(m_path);
    QVERIFY(QFile::copy(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, m_path));
    QVERIFY(QFile::setPermissions(m_path, QFile::ReadOwner | QFile::WriteOwner));
    QFile::remove(ui::Bookmarks::document(m_path.toStdString()).path);
}

void TestBookmarks::aKeySetsAndRemovesABookmark()
{
    Marked shown(m_path);
    shown.choose(3);
    auto *array = shown.window.findChild<ui::ArrayView *>();
    array->setFocus();
    QTest::keyClick(array, Qt::Key_B, Qt::ControlModifier);
    QCOMPARE(shown.bookmarks.places().size(), size_t(1));
    QVERIFY(shown.bookmarks.has(shown.state.currentBlock()));
    QVERIFY(shown.workspace.undoStack().undoText().startsWith(u"Bookmark #"_s));
    QTest::keyClick(array, Qt::Key_B, Qt::ControlModifier);
    QVERIFY(shown.bookmarks.places().empty());
    shown.trigger(u"edit.undo"_s);
    QVERIFY(shown.bookmarks.has(shown.state.currentBlock()));
    shown.trigger(u"edit.undo"_s);
    QVERIFY(!shown.bookmarks.has(shown.state.currentBlock()));
    QVERIFY(!shown.workspace.plan().isSimulated());
}

void TestBookmarks::itIsMarkedInTheArrayAndTheOutline()
{
    Marked shown(m_path);
    const auto *model = qobject_cast<ui::OutlineModel *>(shown.part<QTreeView>(u"outlineTree"_s)->model());
    QVERIFY(model != nullptr);
    shown.choose(3);
    const core::MessageId message = shown.state.session()->block(shown.state.currentBlock()).message;
    QVERIFY(!shown.nameOf(3).contains(u"bookmarked"_s));
    QVERIFY(!model->indexOf(message).data(ui::OutlineModel::BookmarkRole).toBool());
    shown.mark(3);
    QVERIFY2(shown.nameOf(3).contains(u"bookmarked"_s), qPrintable(shown.nameOf(3)));
    QVERIFY(!shown.nameOf(4).contains(u"bookmarked"_s));
    const QModelIndex row = model->indexOf(message);
    QVERIFY(row.data(ui::OutlineModel::BookmarkRole).toBool());
    QVERIFY(row.parent().data(ui::OutlineModel::BookmarkRole).toBool()); // which may be folded
    QVERIFY(row.data(Qt::AccessibleTextRole).toString().contains(u"bookmarked"_s));
}

void TestBookmarks::thePanelComesWithTheFirstBookmark()
{
    Marked shown(m_path);
    QVERIFY(!shown.isTabShown());
    shown.trigger(u"view.bookmarks"_s);
    QVERIFY(!shown.isTabShown());
    QVERIFY(shown.part<QLabel>(u"statusLeft"_s)->text().contains(u"Ctrl+B"_s));
    shown.mark(3);
    QVERIFY(shown.isTabShown());
    QCOMPARE(shown.part<QDockWidget>(u"bookmarksDock"_s)->windowTitle(), u"Bookmarks 1"_s);
    shown.trigger(u"edit.undo"_s);
    QVERIFY(!shown.isTabShown());
}

void TestBookmarks::aRowGoesToItsMessage()
{
    Marked shown(m_path);
    shown.mark(3);
    const core::BlockId marked = shown.bookmarks.places().front();
    shown.mark(8);
    shown.state.setPosition({ core::ThreadIndex(0U), core::CallIndex(0U) });
    shown.trigger(u"view.bookmarks"_s);
    QApplication::processEvents();
    auto *table = shown.part<QTreeView>(u"bookmarksTable"_s);
    QCOMPARE(table->model()->rowCount(), 2);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 1)).center());
    QCOMPARE(shown.state.currentBlock(), marked);
    QVERIFY(shown.state.currentSlot().isValid());
}

void TestBookmarks::aNoteIsWrittenAndUndone()
{
    Marked shown(m_path);
    shown.choose(3);
    shown.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    shown.trigger(u"edit.bookmark-note"_s); // sets the bookmark, too
    auto *note = shown.part<QPlainTextEdit>(u"bookmarkNote"_s);
    QVERIFY(note->hasFocus());
    QTest::keyClicks(note, u"Look here"_s);
    QTest::keyClick(note, Qt::Key_Return);
    QTest::keyClicks(note, u"again"_s);
    QCOMPARE(shown.bookmarks.noteOf(shown.state.currentBlock()), std::string("Look here\nagain"));
    QCOMPARE(shown.workspace.undoStack().count(), 2);
    shown.trigger(u"edit.undo"_s);
    QCOMPARE(shown.bookmarks.noteOf(shown.state.currentBlock()), std::string());
    QVERIFY(note->toPlainText().isEmpty());
    QCOMPARE(shown.bookmarks.places().size(), size_t(1));
    shown.trigger(u"edit.redo"_s);
    QCOMPARE(note->toPlainText(), u"Look here\nagain"_s);
    // Another bookmark has its own note.
    shown.mark(8);
    QVERIFY(note->toPlainText().isEmpty());
}

void TestBookmarks::aBookmarkIsNamedAsItsMessage()
{
    Marked shown(m_path);
    // A slot that another block than the first of its message names.
    const core::Transcript &array = shown.state.picture().before;
    const core::Session &session = *shown.state.session();
    const auto slots = array.slots();
    const auto found = std::ranges::find_if(slots, [&](const core::Slot &slot) {
        const core::Block &first = array.block(array.blocksOf(slot).front());
        return &slot != &slots.front() && core::labelOf(session, first).text() != core::labelOf(array, slot).text();
    });
    QVERIFY(found != slots.end());
    const auto place = static_cast<uint32_t>(found - slots.begin());
    const QString name = QString::fromStdString(core::labelOf(array, *found).text());
    shown.mark(place);
    shown.trigger(u"view.bookmarks"_s);
    QApplication::processEvents();
    const QAbstractItemModel *rows = shown.part<QTreeView>(u"bookmarksTable"_s)->model();
    const QString row = rows->index(0, ui::BookmarksModel::What).data().toString();
    QVERIFY2(row == name || row.startsWith(name + u" · "_s), qPrintable(row + u" / "_s + name));
}

void TestBookmarks::aNoteIsOfTheRowThatWasChosenByKey()
{
    Marked shown(m_path);
    shown.mark(8);
    shown.mark(3); // the current slot
    const std::vector<core::BlockId> places = shown.bookmarks.places();
    QCOMPARE(places.size(), size_t(2));
    shown.trigger(u"view.bookmarks"_s);
    QApplication::processEvents();
    auto *table = shown.part<QTreeView>(u"bookmarksTable"_s);
    QCOMPARE(table->currentIndex().row(), 0);
    QTest::keyClick(table, Qt::Key_Down);
    QCOMPARE(table->currentIndex().row(), 1);
    QTest::keyClicks(shown.part<QPlainTextEdit>(u"bookmarkNote"_s), u"ab"_s);
    QCOMPARE(shown.bookmarks.noteOf(places[0]), std::string());
    QCOMPARE(shown.bookmarks.noteOf(places[1]), std::string("ab"));
    QCOMPARE(table->currentIndex().row(), 1);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(3U));
}

void TestBookmarks::aReloadedFileThatGrewKeepsThem()
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray all = file.readAll();
    file.resize(all.lastIndexOf('\n', all.size() / 2) + 1);
    file.close();
    Marked shown(m_path);
    shown.mark(3);
    const core::SessionPtr before = shown.state.session();
    const std::string key = core::BlockKeys(*before).of(shown.bookmarks.places().front());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(all);
    file.close();
    shown.workspace.reload();
    QTRY_VERIFY(shown.state.session() != before && !shown.workspace.isLoading());
    shown.bookmarks.wait();
    QVERIFY(shown.state.session()->blocks.size() > before->blocks.size());
    QCOMPARE(shown.bookmarks.places().size(), size_t(1));
    QCOMPARE(core::BlockKeys(*shown.state.session()).of(shown.bookmarks.places().front()), key);
    shown.trigger(u"edit.undo"_s);
    QVERIFY(shown.bookmarks.places().empty());
}

void TestBookmarks::aReloadLeavesThePanelInItsPlace()
{
    bool wasShown = true;
    Marked shown(m_path);
    shown.mark(3);
    shown.bookmarks.wait();
    const core::SessionPtr before = shown.state.session();
    connect(&shown.bookmarks, &ui::Bookmarks::changed, this, [&] { wasShown = wasShown && shown.isTabShown(); });
    shown.workspace.reload();
    QTRY_VERIFY(shown.state.session() != before && !shown.workspace.isLoading());
    shown.bookmarks.wait();
    QVERIFY(wasShown);
    QCOMPARE(shown.bookmarks.places().size(), size_t(1));
    shown.trigger(u"edit.undo"_s);
    QVERIFY(!shown.isTabShown());
}

void TestBookmarks::theyStayBesideTheSession()
{
    QFile session(m_path);
    QVERIFY(session.open(QIODevice::ReadOnly));
    const QByteArray before = session.readAll();
    {
        Marked shown(m_path);
        shown.mark(3);
        shown.bookmarks.setNote(shown.state.currentBlock(), "why");
    } // closing writes what is not written yet
    const ui::SessionDocument document = ui::Bookmarks::document(m_path.toStdString());
    const auto kept = document.read();
    QVERIFY(kept.has_value());
    QCOMPARE((*kept)["schema"], "palimpsest.bookmarks/1");
    QCOMPARE((*kept)["bookmarks"].size(), size_t(1));
    QCOMPARE((*kept)["bookmarks"][0]["note"], "why");
    // Bookmarks of messages that are not there, and members of others, stay.
    const auto changed = document.change([](core::Json &json) -> core::Result<void> {
        json["bookmarks"].push_back({ { "block", "gone/0" } });
        json["others"] = 7;
        return {};
    });
    QVERIFY(changed.has_value());
    {
        Marked shown(m_path);
        shown.choose(3);
        QCOMPARE(shown.bookmarks.noteOf(shown.state.currentBlock()), std::string("why"));
        QCOMPARE(shown.bookmarks.lostCount(), size_t(1));
        QCOMPARE(
            shown.part<QLabel>(u"bookmarksLost"_s)->text(), u"The file no longer has the message of 1 bookmark."_s);
        shown.mark(8);
        shown.bookmarks.wait();
    }
    QCOMPARE((*document.read())["bookmarks"].size(), size_t(3));
    QCOMPARE((*document.read())["others"], 7);
    session.seek(0);
    QCOMPARE(session.readAll(), before);
}

void TestBookmarks::twoWindowsKeepTheBookmarksOfBoth()
{
    Marked one(m_path);
    Marked other(m_path);
    one.mark(3);
    one.bookmarks.wait();
    other.mark(8);
    other.bookmarks.wait();
    QCOMPARE((*ui::Bookmarks::document(m_path.toStdString()).read())["bookmarks"].size(), size_t(2));
    QCOMPARE(other.bookmarks.places().size(), size_t(2)); // it sees them once it writes its own
    one.trigger(u"edit.undo"_s);
    one.bookmarks.wait();
    QCOMPARE((*ui::Bookmarks::document(m_path.toStdString()).read())["bookmarks"].size(), size_t(1));
}

void TestBookmarks::aNewerDocumentIsLeftAlone()
{
    const QString path = ui::Bookmarks::document(m_path.toStdString()).path;
    const QByteArray newer = "{\"schema\": \"palimpsest.bookmarks/2\"}\n";
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(newer);
    file.close();
    Marked shown(m_path);
    QVERIFY(!shown.bookmarks.canChange());
    QVERIFY(shown.part<QLabel>(u"noticeWords"_s)->text().contains(u"newer"_s));
    shown.mark(3);
    shown.bookmarks.wait();
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), newer);
}

void TestBookmarks::keysGoFromBookmarkToBookmark()
{
    Marked shown(m_path);
    shown.mark(8);
    shown.mark(3);
    const std::vector<core::BlockId> places = shown.bookmarks.places();
    QCOMPARE(places.size(), size_t(2));
    shown.trigger(u"go.next-bookmark"_s);
    QCOMPARE(shown.state.currentBlock(), places[1]);
    shown.trigger(u"go.next-bookmark"_s);
    QCOMPARE(shown.state.currentBlock(), places[0]);
    shown.trigger(u"go.previous-bookmark"_s);
    QCOMPARE(shown.state.currentBlock(), places[1]);
}

PALIMPSEST_TEST(TestBookmarks)

#include "tst_bookmarks.moc"
