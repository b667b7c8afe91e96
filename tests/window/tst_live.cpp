// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/taken_bytes.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/hub/replays.h"
#include "ui/hub/session_findings.h"
#include "ui/hub/session_follower.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <filesystem>

using core::CallIndex;
using core::SlotIndex;
using core::ThreadIndex;
using namespace Qt::StringLiterals;

namespace {

void addCalls(testing::ClaudeLog &log, size_t from, size_t to)
{
    for (size_t i = from; i < to; ++i) {
        log.setUsage(1000 * i, 900, 100);
        log.read("/work/file" + std::to_string(i) + ".txt", std::string(2000, 'x') + "\n");
    }
}

void write(const QString &path, const std::string &bytes, QIODevice::OpenMode mode)
{
    QFile file(path);
    QVERIFY(file.open(mode));
    QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())), static_cast<qint64>(bytes.size()));
}

/// Down by so many notches.
void turnWheel(ui::ArrayView &array, int notches)
{
    const QPoint place(200, 300);
    QWheelEvent wheel(place, array.mapToGlobal(place), {}, { 0, -120 * notches }, Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(&array, &wheel);
}

/// A window on a session of twelve calls that may grow.
struct Live {
    QString path;
    testing::ClaudeLog log;
    std::string written;
    ui::MainWindow window;
    ui::Workspace &workspace = window.workspace();
    ui::ViewState &state = window.state();

    explicit Live(const QString &file)
        : path(file)
    {
        log.typed("Please look at all the files.");
        addCalls(log, 0, 12);
        writeRest();
        window.resize(1500, 1000);
        window.restoreDefaultLayout();
        window.show();
        window.open(path.toStdString());
        QTRY_VERIFY(!workspace.isLoading() && workspace.session() && workspace.follower().hasFile());
    }
    /// Appends what the log has more than the file.
    void writeRest()
    {
        write(path, log.text().substr(written.size()), QIODevice::Append);
        written = log.text();
    }
    void grow(size_t calls)
    {
        const size_t before = callCount();
        addCalls(log, before, before + calls);
        writeRest();
        QTRY_COMPARE(callCount(), before + calls);
    }
    [[nodiscard]] size_t callCount() const { return workspace.session()->thread(ThreadIndex(0U)).calls.size(); }
    [[nodiscard]] QString notice() const
    {
        const auto *words = window.findChild<QLabel *>(u"noticeWords"_s);
        return words->isVisible() ? words->text() : QString();
    }
    [[nodiscard]] QString liveWords() const { return window.findChild<QToolButton *>(u"live"_s)->text(); }
};

} // namespace

/// A window follows the file of its session.
class LiveTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theEndFollows();
    void theNewestCallIsFollowedFromTheOneBefore();
    void anEarlierCallStays();
    void anArrayAtItsBottomStaysThere();
    void onlyNewRecordsAreRead();
    void policyAndFindingsFollow();
    void pinsAndTheSearchStay();
    void aForecastIsSaidOnceItGrows();
    void followingCanBeTurnedOff();
    void aRemovedFileComesBack();
    void aReplacedFileIsSaid();
    void aFileThatGoesOnIsOffered();
    void aFolderThatCannotBeWatchedIsLookedAt();

private:
    QTemporaryDir m_folder;
    QString m_path;
};

void LiveTest::init()
{
    // A folder of its own, as new files beside it are looked at.
    const QString folder = m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()));
    std::filesystem::create_directories(folder.toStdString());
    m_path = folder + u"/session.jsonl"_s;
    QFile::remove(m_path);
}

void LiveTest::theEndFollows()
{
    Live live(m_path);
    live.state.setPosition({ ThreadIndex(0U), {} });
    const size_t slotsBefore = live.state.picture().before.slotCount();
    live.grow(3);
    QVERIFY(live.state.position().isEnd());
    QCOMPARE(live.state.picture().before.slotCount(), slotsBefore + 6);
    QVERIFY(live.workspace.tokens()->isCounted);
    live.log.compact("A summary");
    live.writeRest();
    QTRY_COMPARE(live.workspace.session()->thread(ThreadIndex(0U)).compactions.size(), 1U);
    QCOMPARE(live.state.picture().before.slotCount(), 1U);
    QCOMPARE(live.notice(), QString());
}

void LiveTest::theNewestCallIsFollowedFromTheOneBefore()
{
    Live live(m_path);
    live.state.setPosition({ ThreadIndex(0U), CallIndex(11U) });
    live.grow(2);
    QCOMPARE(live.state.position().call, CallIndex(13U));
    live.grow(1);
    QCOMPARE(live.state.position().call, CallIndex(14U));
}

void LiveTest::anEarlierCallStays()
{
    Live live(m_path);
    live.state.setPosition({ ThreadIndex(0U), CallIndex(5U) });
    live.state.setCurrentSlot(SlotIndex(4U));
    const core::BlockId block = live.state.currentBlock();
    live.state.setSelection({ SlotIndex(3U), SlotIndex(4U) });
    live.grow(3);
    QCOMPARE(live.state.position().call, CallIndex(5U));
    QCOMPARE(live.state.currentBlock(), block);
    QCOMPARE(live.state.selection(), (std::vector { SlotIndex(3U), SlotIndex(4U) }));
}

void LiveTest::anArrayAtItsBottomStaysThere()
{
    Live live(m_path);
    live.state.setPosition({ ThreadIndex(0U), {} });
    auto *array = live.window.findChild<ui::ArrayView *>();
    array->zoomAt(3, 300);
    turnWheel(*array, 200);
    const auto lastBottom = [array] { return array->itemRect(array->itemCount() - 1).bottom(); };
    const double bottom = lastBottom();
    live.grow(4);
    QVERIFY(std::abs(lastBottom() - bottom) < 2);
    // Scrolled up, it stays at what it shows.
    turnWheel(*array, -2);
    const double top = array->itemRect(5).top();
    live.grow(4);
    QVERIFY(std::abs(array->itemRect(5).top() - top) < 2);
}

void LiveTest::onlyNewRecordsAreRead()
{
    Live live(m_path);
    const uint64_t taken = core::takenBytes();
    const size_t size = live.written.size();
    live.grow(1);
    live.grow(4);
    const std::string added = live.written.substr(size);
    const uint64_t read = core::takenBytes() - taken;
    QVERIFY(read <= added.size());
    QVERIFY(read + static_cast<uint64_t>(std::ranges::count(added, '\n')) >= added.size()); // line feeds are not read
}

void LiveTest::policyAndFindingsFollow()
{
    Live live(m_path);
    live.state.setPosition({ ThreadIndex(0U), {} });
    live.workspace.commitPlan(live.workspace.planWith(core::preset("genkit-recipe")), u"Choose"_s);
    QTRY_VERIFY(live.workspace.replays().current());
    QTRY_VERIFY(live.workspace.findings().get());
    live.grow(3);
    QVERIFY(live.workspace.findings().get()); // those before stay until there are new ones
    QTRY_VERIFY(!live.workspace.isGrowing());
    const auto isOfThis = [&](const core::SessionPtr &session) { return session == live.workspace.session(); };
    QTRY_VERIFY(
        live.workspace.replays().current() && isOfThis(live.workspace.replays().current()->ground->log.session));
    QCOMPARE(live.workspace.replays().current()->callCount(), 15U);
    QTRY_VERIFY(live.workspace.findings().get() && isOfThis(live.workspace.findings().get()->session));
    QTRY_VERIFY(live.workspace.facts().uses() && live.workspace.facts().traceGround());
    QVERIFY(isOfThis(live.workspace.facts().traceGround()->spans.session));
    QVERIFY(live.state.picture().made());
    QVERIFY(isOfThis(live.state.picture().before.session()));
}

void LiveTest::pinsAndTheSearchStay()
{
    Live live(m_path);
    live.state.setPosition({ ThreadIndex(0U), {} });
    live.state.setCurrentSlot(SlotIndex(3U));
    live.workspace.commitOverride({ live.state.currentBlock() }, ui::Override::Keep);
    const core::Overrides made = live.workspace.plan().overrides;
    live.state.search().setLine(u"file3"_s);
    live.state.search().wait();
    const size_t hits = live.state.search().hits().size();
    QVERIFY(hits > 0);
    live.log.typed("Look at file3 again.");
    live.grow(1);
    QVERIFY(live.workspace.plan().overrides == made);
    QTRY_COMPARE(live.state.search().hits().size(), hits + 1);
    QVERIFY(live.workspace.undoStack().canUndo());
}

void LiveTest::aForecastIsSaidOnceItGrows()
{
    Live live(m_path);
    const auto *soon = live.window.findChild<QLabel *>(u"liveForecast"_s);
    QVERIFY(soon->isHidden());
    QCOMPARE(live.liveWords(), u"● Live"_s);
    live.grow(3);
    QTRY_VERIFY(!soon->isHidden());
    QVERIFY2(soon->text().startsWith(u"would compact in about 1"_s), qPrintable(soon->text()));
    QVERIFY(soon->text().endsWith(u"calls (estimated)"_s));
}

void LiveTest::followingCanBeTurnedOff()
{
    Live live(m_path);
    QTest::keyClick(&live.window, Qt::Key_L, Qt::ControlModifier);
    QVERIFY(!live.workspace.follower().isOn());
    QCOMPARE(live.liveWords(), u"○ Not live"_s);
    const core::SessionPtr before = live.workspace.session();
    addCalls(live.log, 12, 14);
    live.writeRest();
    QTRY_VERIFY(live.notice().contains(u"changed on disk"_s));
    QCOMPARE(live.workspace.session(), before);
    QTest::mouseClick(live.window.findChild<QToolButton *>(u"live"_s), Qt::LeftButton);
    QTRY_COMPARE(live.callCount(), 14U);
    QTRY_COMPARE(live.notice(), QString());
    live.grow(1);
}

void LiveTest::aRemovedFileComesBack()
{
    Live live(m_path);
    QVERIFY(QFile::remove(m_path));
    QTRY_COMPARE(live.notice(), u"The file was removed. What was read of it is shown."_s);
    QCOMPARE(live.liveWords(), u"File removed"_s);
    QCOMPARE(live.callCount(), 12U);
    addCalls(live.log, 12, 13);
    write(m_path, live.log.text(), QIODevice::WriteOnly);
    live.written = live.log.text();
    QTRY_COMPARE(live.callCount(), 13U);
    QCOMPARE(live.liveWords(), u"● Live"_s);
    live.grow(1);
}

void LiveTest::aReplacedFileIsSaid()
{
    Live live(m_path);
    testing::ClaudeLog other;
    other.typed("Another session altogether");
    addCalls(other, 0, 2);
    write(m_path + u".new"_s, other.text(), QIODevice::WriteOnly);
    std::filesystem::rename((m_path + u".new"_s).toStdString(), m_path.toStdString());
    QTRY_COMPARE(live.callCount(), 2U);
    QCOMPARE(live.notice(), u"The file was replaced and holds another session now."_s);
    // Truncated, it is shorter.
    std::filesystem::resize_file(m_path.toStdString(), other.text().find('\n') + 1);
    QTRY_COMPARE(live.callCount(), 0U);
    QCOMPARE(live.workspace.session()->messages.size(), 1U);
}

void LiveTest::aFileThatGoesOnIsOffered()
{
    Live live(m_path);
    const QString next = QFileInfo(m_path).path() + u"/next.jsonl"_s;
    QTRY_VERIFY(live.workspace.follower().knowsFolder());
    std::string text = live.log.text();
    write(next, text, QIODevice::WriteOnly);
    QTRY_COMPARE(live.notice(), u"A new file continues this session: next.jsonl."_s);
    QTest::mouseClick(live.window.findChild<QPushButton *>(u"noticeDeed"_s), Qt::LeftButton);
    QTRY_COMPARE(QString::fromStdString(live.workspace.sessionPath().string()), next);
}

void LiveTest::aFolderThatCannotBeWatchedIsLookedAt()
{
    Live live(m_path);
    live.workspace.follower().stopWatching();
    live.grow(1);
    live.grow(2);
}

PALIMPSEST_TEST(LiveTest)
#include "tst_live.moc"
