// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/hub/kept_overrides.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <functional>

using core::SlotIndex;
using namespace Qt::StringLiterals;
using Override = ui::Workspace::Override;

namespace {

struct Opened {
    ui::MainWindow window;
    ui::Workspace &workspace = window.workspace();
    ui::ViewState &state = window.state();

    /// `atFirst` is called once the session is there for the first time, before its changes are read.
    explicit Opened(const QString &path, const std::function<void(ui::Workspace &)> &atFirst = {})
    {
        if (atFirst)
            QObject::connect(
                &workspace, &ui::Workspace::sessionChanged, &workspace, [this, atFirst] { atFirst(workspace); },
                Qt::SingleShotConnection);
        window.resize(1500, 1000);
        window.restoreDefaultLayout();
        window.show();
        window.open(path.toStdString());
        QTRY_VERIFY(!workspace.isLoading() && workspace.session());
        workspace.keptOverrides().wait();
        QApplication::processEvents();
    }
    void change(uint32_t slot, Override what)
    {
        state.setCurrentSlot(SlotIndex(slot));
        workspace.commitOverride({ state.currentBlock() }, what);
        workspace.keptOverrides().wait();
    }
    [[nodiscard]] const ui::Plan &plan() const { return workspace.plan(); }
    [[nodiscard]] QString words() const { return window.findChild<QLabel *>(u"handChangesWords"_s)->text(); }
    [[nodiscard]] bool hasWords() const { return !window.findChild<QWidget *>(u"handChanges"_s)->isHidden(); }
};

} // namespace

/// Pins, drops and texts by hand outlive the window.
class TestKeptOverrides final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theyRestWhenTheSessionIsOpenedAgain();
    void aPolicyPutsThemIntoEffect();
    void anotherChangePutsThemIntoEffect();
    void theyAreDiscardedAndComeBack();
    void aReloadKeepsThemResting();
    void aReloadBeforeTheyAreReadKeepsThem();
    void whatIsChangedBeforeTheyAreReadIsKept();
    void theDocumentIsOneOfTheCommandLine();
    void twoWindowsKeepTheChangesOfBoth();
    void aDamagedDocumentIsLeftAlone();
    void sessionsWithoutChangesWriteNothing();
    void theMergeKeepsBoth_data();
    void theMergeKeepsBoth();

private:
    [[nodiscard]] ui::SessionDocument document() const { return ui::KeptOverrides::document(m_path.toStdString()); }

    QTemporaryDir m_folder;
    QString m_path;
};

void TestKeptOverrides::init()
{
    m_path = m_folder.filePath(u"session-%1.jsonl"_s.arg(QString::fromLatin1(QTest::currentTestFunction())));
    QFile::remove(m_path);
    QVERIFY(QFile::copy(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, m_path));
    QFile::remove(document().path);
}

void TestKeptOverrides::theyRestWhenTheSessionIsOpenedAgain()
{
    core::Overrides made;
    {
        Opened shown(m_path);
        QVERIFY(!shown.hasWords());
        shown.change(3, Override::Keep);
        shown.change(5, Override::Drop);
        shown.workspace.plans().commitText(shown.state.session()->messages[0].first, "Another task.");
        shown.workspace.plans().commitInsertion({ shown.state.currentBlock(), core::Role::User, "Wait" });
        made = shown.plan().overrides;
        QCOMPARE(shown.words(), u"your changes: 4"_s);
    } // closing writes what is not written yet
    Opened shown(m_path);
    QVERIFY(!shown.plan().policy);
    QVERIFY(!shown.plan().isSimulated());
    QVERIFY(shown.plan().overrides.isEmpty());
    QVERIFY(shown.plan().resting == made);
    QCOMPARE(shown.words(), u"your changes: 4 · not in effect"_s);
    QVERIFY(!shown.workspace.undoStack().canUndo());
    QTest::mouseClick(shown.window.findChild<QToolButton *>(u"applyChanges"_s), Qt::LeftButton);
    QVERIFY(shown.plan().overrides == made);
    QVERIFY(shown.plan().isSimulated());
    QCOMPARE(shown.words(), u"your changes: 4"_s);
    shown.window.actions().action(u"edit.undo"_s)->trigger();
    QVERIFY(shown.plan().resting == made);
    QVERIFY(!shown.plan().isSimulated());
}

void TestKeptOverrides::aPolicyPutsThemIntoEffect()
{
    {
        Opened shown(m_path);
        shown.change(3, Override::Keep);
    }
    Opened shown(m_path);
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("deep-agents")), u"x"_s);
    QCOMPARE(shown.plan().overrides.keep.size(), size_t(1));
    QVERIFY(shown.plan().resting.isEmpty());
    shown.workspace.undoStack().undo();
    QVERIFY(!shown.plan().isSimulated());
    QCOMPARE(shown.plan().resting.keep.size(), size_t(1));
}

void TestKeptOverrides::anotherChangePutsThemIntoEffect()
{
    {
        Opened shown(m_path);
        shown.change(3, Override::Keep);
    }
    Opened shown(m_path);
    shown.state.setCurrentSlot(SlotIndex(4U));
    shown.workspace.commitOverride({ shown.state.currentBlock() }, std::nullopt); // changes nothing
    QVERIFY(!shown.plan().isSimulated());
    shown.change(5, Override::Keep);
    QCOMPARE(shown.plan().overrides.keep.size(), size_t(2));
    QVERIFY(shown.plan().resting.isEmpty());
    QCOMPARE(shown.workspace.undoStack().count(), 1);
}

void TestKeptOverrides::theyAreDiscardedAndComeBack()
{
    {
        Opened shown(m_path);
        shown.change(3, Override::Keep);
    }
    {
        Opened shown(m_path);
        QAction *discard = shown.window.actions().action(u"policy.discard-changes"_s);
        QVERIFY(discard->isEnabled());
        discard->trigger();
        QVERIFY(!shown.hasWords());
        QVERIFY(!discard->isEnabled());
        shown.workspace.keptOverrides().wait();
        QVERIFY((*document().read())["keep"].empty());
        shown.window.actions().action(u"edit.undo"_s)->trigger();
        shown.workspace.keptOverrides().wait();
        QCOMPARE((*document().read())["keep"].size(), size_t(1));
        shown.window.actions().action(u"edit.redo"_s)->trigger();
    }
    Opened shown(m_path);
    QVERIFY(!shown.hasWords());
    QVERIFY(shown.plan().resting.isEmpty());
}

void TestKeptOverrides::aReloadKeepsThemResting()
{
    {
        Opened shown(m_path);
        shown.change(3, Override::Keep);
    }
    Opened shown(m_path);
    const core::SessionPtr before = shown.state.session();
    shown.workspace.reload();
    QTRY_VERIFY(shown.state.session() != before && !shown.workspace.isLoading());
    shown.workspace.keptOverrides().wait();
    QCOMPARE(shown.plan().resting.keep.size(), size_t(1));
    QVERIFY(!shown.plan().isSimulated());
    // What is changed now is kept, too.
    shown.change(5, Override::Drop);
    QCOMPARE((*document().read())["drop"].size(), size_t(1));
}

void TestKeptOverrides::aReloadBeforeTheyAreReadKeepsThem()
{
    {
        Opened shown(m_path);
        shown.change(3, Override::Keep);
    }
    Opened shown(m_path, [](ui::Workspace &workspace) { workspace.reload(); });
    QCOMPARE(shown.plan().resting.keep.size(), size_t(1));
    shown.change(5, Override::Drop);
    QCOMPARE((*document().read())["drop"].size(), size_t(1));
}

void TestKeptOverrides::whatIsChangedBeforeTheyAreReadIsKept()
{
    Opened shown(m_path, [](ui::Workspace &workspace) {
        workspace.commitOverride({ workspace.session()->messages[0].first }, Override::Keep);
    });
    QCOMPARE(shown.plan().overrides.keep.size(), size_t(1));
    QCOMPARE((*document().read())["keep"].size(), size_t(1));
}

void TestKeptOverrides::theDocumentIsOneOfTheCommandLine()
{
    Opened shown(m_path);
    shown.change(3, Override::Keep);
    shown.change(5, Override::Drop);
    const auto read = core::parseOverrides(*shown.state.session(), core::jsonText(*document().read()));
    QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
    QVERIFY(read->overrides == shown.plan().overrides);
    QVERIFY(read->unknownMembers.empty());
}

void TestKeptOverrides::twoWindowsKeepTheChangesOfBoth()
{
    Opened one(m_path);
    Opened other(m_path);
    one.change(3, Override::Keep);
    other.change(5, Override::Keep);
    QCOMPARE((*document().read())["keep"].size(), size_t(2));
    one.workspace.undoStack().undo();
    one.workspace.keptOverrides().wait();
    QCOMPARE((*document().read())["keep"].size(), size_t(1));
    QCOMPARE(other.plan().overrides.keep.size(), size_t(1)); // each window shows its own
}

void TestKeptOverrides::aDamagedDocumentIsLeftAlone()
{
    for (const QByteArray &damaged : { QByteArray("{\"schema\": \"palimpsest.overrides/2\", \"keep\": 3}"),
             QByteArray("{\"schema\": \"palimpsest.overrides/9\"}"), QByteArray("no JSON") }) {
        QDir().mkpath(QFileInfo(document().path).path());
        QFile file(document().path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(damaged);
        file.close();
        Opened shown(m_path);
        QVERIFY(shown.workspace.error().has_value());
        shown.change(3, Override::Keep);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), damaged);
    }
}

void TestKeptOverrides::sessionsWithoutChangesWriteNothing()
{
    {
        Opened shown(m_path);
        shown.workspace.commitPlan(shown.workspace.planWith(core::preset("deep-agents")), u"x"_s);
        shown.workspace.keptOverrides().wait();
    }
    QVERIFY(!QFile::exists(document().path));
}

void TestKeptOverrides::theMergeKeepsBoth_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("mine");
    QTest::addColumn<QString>("theirs");
    QTest::addColumn<QString>("merged");
    // Lists: k kept, d dropped, r replaced; a letter is a block.
    QTest::newRow("both add") << u"ka"_s << u"kab"_s << u"kac"_s << u"kacb"_s;
    QTest::newRow("one removes, one adds") << u"ka"_s << u"k"_s << u"kac"_s << u"kc"_s;
    QTest::newRow("both add the same") << u"k"_s << u"ka"_s << u"ka"_s << u"ka"_s;
    QTest::newRow("mine keeps what theirs drops") << u"k"_s << u"ka"_s << u"da"_s << u"ka"_s;
    QTest::newRow("mine drops what theirs keeps") << u"k"_s << u"da"_s << u"ka"_s << u"da"_s;
    QTest::newRow("mine edits what theirs drops") << u"k"_s << u"ra"_s << u"da"_s << u"ra"_s;
    QTest::newRow("mine drops what theirs edits") << u"k"_s << u"da"_s << u"ra"_s << u"da"_s;
    QTest::newRow("nothing changed here") << u"ka"_s << u"ka"_s << u"db"_s << u"db"_s;
}

void TestKeptOverrides::theMergeKeepsBoth()
{
    QFETCH(const QString, base);
    QFETCH(const QString, mine);
    QFETCH(const QString, theirs);
    QFETCH(const QString, merged);
    const auto made = [](const QString &words) {
        core::KeyedOverrides all;
        for (const QChar c : words.mid(1)) {
            const std::string key = QString(c).toStdString();
            if (words[0] == u'k')
                all.keep.push_back(key);
            else if (words[0] == u'd')
                all.drop.push_back(key);
            else
                all.replace.push_back({ key, "text" });
        }
        return all;
    };
    QVERIFY(core::merged(made(base), made(mine), made(theirs)) == made(merged));
}

PALIMPSEST_TEST(TestKeptOverrides)

#include "tst_kept_overrides.moc"
