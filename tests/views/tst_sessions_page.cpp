// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/test_program.h"
#include "ui/hub/search_line.h"
#include "ui/hub/searched_texts.h"
#include "ui/look/match_look.h"
#include "ui/sessions/day_bars.h"
#include "ui/sessions/facet_list.h"
#include "ui/sessions/sessions_delegate.h"
#include "ui/sessions/sessions_page.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyleOptionHeader>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace {

/// A folder with three sessions of two projects.
class Sessions final {
public:
    Sessions()
    {
        for (const auto &[name, folder, text] : { std::tuple { u"a"_s, "/work/alpha", "keep the stable link" },
                 { u"b"_s, "/work/alpha", "why is the parser slow" }, { u"c"_s, "/work/beta", "write the docs" } }) {
            testing::ClaudeLog log(folder);
            log.typed(text);
            log.setUsage(0, 40'000, 10);
            log.wait(static_cast<int>(name.front().unicode() - u'a'));
            log.call("Bash", { { "command", "make" } });
            log.result("done");
            write(name + u".jsonl"_s, log.text());
        }
    }
    void write(const QString &name, const std::string &text) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    [[nodiscard]] std::filesystem::path path() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

QStringList titles(const ui::SessionsModel &model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.title(row);
    return all;
}

const QStringList kNewestFirst { u"write the docs"_s, u"why is the parser slow"_s, u"keep the stable link"_s };

} // namespace

class TestSessionsPage final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theNewestSessionIsFirst();
    void facetsAndDaysFilter();
    void countsFollowTheOtherFilters();
    void aSearchLeavesTheSessionsThatMatch();
    void whatIsFoundLaterIsHeldBack();
    void theWordsThatWereFoundAreMarked();
    void rowsDoNotMoveWhileTheListGrows();
    void aHeadHasNoFigures();
    void aMistakeKeepsWhatWasFound();
    void enterOpensTheChosenSession();
    void whatTheUserChoseStaysChosen();
    void columnsSortTheList();
    void filesAreFoundByName();
    void anEmptyListSaysWhy();
    void copiedCallsAreMarked();
    void arrowsPointUpForAscendingOrders();
    void narrowPagesHaveRoomForTheList();
    void aCacheThatCannotBeWrittenLeavesTheList();

private:
    std::unique_ptr<Sessions> m_sessions;
    std::unique_ptr<ui::SessionsPage> m_page;
};

void TestSessionsPage::init()
{
    m_sessions = std::make_unique<Sessions>();
    m_page = std::make_unique<ui::SessionsPage>();
    m_page->setTheme(ui::Theme::make(ui::Appearance::Light));
    m_page->resize(1400, 800);
    m_page->library().setFolders({ m_sessions->path() });
    m_page->library().wait();
    m_page->show();
    m_page->library().wait();
}

void TestSessionsPage::cleanup() { m_page.reset(); }

void TestSessionsPage::theNewestSessionIsFirst()
{
    QCOMPARE(titles(m_page->model()), kNewestFirst);
    QVERIFY(m_page->hasSessions());
    QCOMPARE(m_page->table().currentIndex().row(), 0);
    QVERIFY(m_page->model().subtitle(0).contains(u" · Claude Code · opus-4-5 · beta"_s));
    const auto *summary = m_page->findChild<QLabel *>(u"sessionsSummary"_s);
    QCOMPARE(summary->text(), u"3 sessions of 1 harness in 2 projects"_s);
    const auto *stage = m_page->findChild<QLabel *>(u"indexStage"_s);
    QVERIFY2(stage->text().startsWith(u"index up to date · 3 files"_s), qPrintable(stage->text()));
    QVERIFY(
        m_page->costs().startsWith("day,project,model,calls,tokens,cost\n2026-01-01,/work/alpha,claude-opus-4-5,2,"));
}

void TestSessionsPage::facetsAndDaysFilter()
{
    auto *facets = m_page->findChild<ui::FacetList *>(u"facets"_s);
    const auto rowOf = [&](const QString &name) {
        for (int row = 0; row < facets->model()->rowCount(); ++row) {
            if (facets->model()->index(row, 0).data().toString() == name)
                return facets->model()->index(row, 0);
        }
        return QModelIndex();
    };
    const auto click = [&](const QString &name, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(facets->viewport(), Qt::LeftButton, keys, facets->visualRect(rowOf(name)).center());
    };
    click(u"beta"_s);
    QCOMPARE(titles(m_page->model()), QStringList { u"write the docs"_s });
    click(u"alpha"_s, Qt::ControlModifier);
    QCOMPARE(titles(m_page->model()), kNewestFirst);
    click(u"alpha"_s);
    QCOMPARE(m_page->model().rowCount(), 2);
    click(u"alpha"_s);
    QCOMPARE(titles(m_page->model()), kNewestFirst);
    auto *days = m_page->findChild<ui::DayBars *>(u"dayBars"_s);
    QTest::mouseClick(days, Qt::LeftButton, {}, QPoint(2, 10)); // a day without sessions
    QCOMPARE(m_page->model().rowCount(), 0);
    QTest::mouseClick(days, Qt::LeftButton, {}, QPoint(2, 10));
    QTest::mouseClick(days, Qt::LeftButton, {}, QPoint(days->width() - 2, 10));
    QCOMPARE(titles(m_page->model()), kNewestFirst);
}

void TestSessionsPage::countsFollowTheOtherFilters()
{
    testing::ClaudeLog log("");
    log.typed("which project is this");
    log.call("Bash", { { "command", "make" } });
    log.result("done");
    m_sessions->write(u"d.jsonl"_s, log.text());
    m_page->library().refresh();
    m_page->library().wait();
    QCOMPARE(m_page->model().rowCount(), 4);
    // A project that is not recorded is none.
    QCOMPARE(m_page->findChild<QLabel *>(u"sessionsSummary"_s)->text(), u"4 sessions of 1 harness in 2 projects"_s);
    auto *facets = m_page->findChild<ui::FacetList *>(u"facets"_s);
    const auto countOf = [&](const QString &name) {
        for (int row = 0; row < facets->model()->rowCount(); ++row) {
            if (facets->model()->index(row, 0).data().toString() == name)
                return facets->model()->index(row, 0).data(Qt::UserRole + 2).toString();
        }
        return u"no row"_s;
    };
    QCOMPARE(countOf(u"Claude Code"_s), u"4"_s);
    QCOMPARE(countOf(u"alpha"_s), u"2"_s);
    for (int row = 0; row < facets->model()->rowCount(); ++row) {
        const QModelIndex index = facets->model()->index(row, 0);
        if (index.data().toString() == u"beta")
            QTest::mouseClick(facets->viewport(), Qt::LeftButton, {}, facets->visualRect(index).center());
    }
    QCOMPARE(m_page->model().rowCount(), 1);
    QCOMPARE(countOf(u"Claude Code"_s), u"1"_s); // of the rows
    QCOMPARE(countOf(u"alpha"_s), u"2"_s);       // if it were chosen instead
    QCOMPARE(countOf(u"All"_s), u"4"_s);
    m_page->searchLine().setText(u"\"stable link\""_s);
    QTRY_VERIFY(m_page->library().found() != nullptr);
    QCOMPARE(countOf(u"alpha"_s), u"1"_s);
    QCOMPARE(countOf(u"beta"_s), u"0"_s);
    QCOMPARE(countOf(u"Claude Code"_s), u"0"_s);
    QCOMPARE(countOf(u"All"_s), u"1"_s);
}

void TestSessionsPage::aSearchLeavesTheSessionsThatMatch()
{
    QSignalSpy searched(&m_page->library(), &ui::SessionLibrary::searchChanged);
    m_page->searchLine().setText(u"\"stable lin\""_s);
    QTRY_VERIFY(m_page->library().found() != nullptr);
    QCOMPARE(titles(m_page->model()), QStringList { u"keep the stable link"_s });
    QVERIFY(m_page->model().hits(0) != nullptr);
    QSignalSpy opened(m_page.get(), &ui::SessionsPage::blockRequested);
    QTest::keyClick(&m_page->searchLine(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QVERIFY(opened.front().front().toString().endsWith(u"a.jsonl"_s));
    QCOMPARE(opened.front().at(1).toUInt(), 0U);
    m_page->searchLine().clear();
    QTRY_VERIFY(m_page->library().found() == nullptr);
    QCOMPARE(titles(m_page->model()), kNewestFirst);
}

void TestSessionsPage::whatIsFoundLaterIsHeldBack()
{
    const auto *more = m_page->findChild<QPushButton *>(u"heldBack"_s);
    m_page->searchLine().setText(u"\"stable link\""_s);
    QTRY_VERIFY(m_page->library().found() != nullptr);
    QVERIFY(!more->isVisible());
    // A newer session matches, too; the one that is shown goes on.
    testing::ClaudeLog log("/work/alpha");
    log.typed("where is the stable link");
    log.wait(30);
    log.call("Bash", { { "command", "ls" } });
    log.result("x");
    m_sessions->write(u"d.jsonl"_s, log.text());
    m_page->library().wait();
    m_page->library().wait(); // the search after the last list
    QTRY_VERIFY(more->isVisible());
    QCOMPARE(more->text(), u"1 more: Show"_s);
    QCOMPARE(titles(m_page->model()), QStringList { u"keep the stable link"_s });
    QTest::mouseClick(const_cast<QPushButton *>(more), Qt::LeftButton);
    QVERIFY(!more->isVisible());
    QCOMPARE(titles(m_page->model()), (QStringList { u"where is the stable link"_s, u"keep the stable link"_s }));
    // A list without a row has nothing to keep in place.
    m_page->searchLine().setText(u"walnut"_s);
    QTRY_COMPARE(m_page->model().rowCount(), 0);
    log.typed("crack the walnut");
    m_sessions->write(u"e.jsonl"_s, log.text());
    m_page->library().wait();
    QTRY_COMPARE(m_page->model().rowCount(), 1);
    QVERIFY(!more->isVisible());
}

void TestSessionsPage::theWordsThatWereFoundAreMarked()
{
    m_page->searchLine().setText(u"link keep"_s);
    QTRY_VERIFY(m_page->library().found() != nullptr);
    QTRY_COMPARE(m_page->model().rowCount(), 1);
    const core::HitSnippet &snippet = m_page->model().hits(0)->hits.front().snippet;
    QCOMPARE(ui::placesOf(m_page->model().search()->texts, snippet.text).size(), size_t(2));
    QTreeView &table = m_page->table();
    table.setCurrentIndex({}); // the ground of a chosen row has another colour
    const QRect cell = table.visualRect(m_page->model().index(0, ui::SessionsModel::Session));
    const QImage picture = table.viewport()->grab(cell).toImage();
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    const QColor ground = ui::matchGround(theme);
    const QColor mark = ui::blended(theme.base, QColor(ground.rgb()), ground.alphaF());
    const auto isMark = [&](const QColor &pixel) {
        return std::abs(pixel.red() - mark.red()) < 4 && std::abs(pixel.green() - mark.green()) < 4
            && std::abs(pixel.blue() - mark.blue()) < 4;
    };
    int stretches = 0; // at most, along a line of pixels: above the letters nothing interrupts them
    for (int y = picture.height() / 2; y < picture.height(); ++y) {
        int count = 0;
        for (int x = 1; x < picture.width(); ++x)
            count += isMark(picture.pixelColor(x, y)) && !isMark(picture.pixelColor(x - 1, y)) ? 1 : 0;
        const bool isAboveTheLetters = stretches == 0 && count > 0;
        if (isAboveTheLetters)
            stretches = count;
    }
    QCOMPARE(stretches, 2);
}

void TestSessionsPage::rowsDoNotMoveWhileTheListGrows()
{
    for (int i = 0; i < 40; ++i) {
        testing::ClaudeLog log("/work/many");
        log.typed("old session " + std::to_string(i));
        log.call("Bash", { { "command", "ls" } });
        log.result("x");
        m_sessions->write(u"old-%1.jsonl"_s.arg(i), log.text());
    }
    m_page->library().wait();
    QTreeView &table = m_page->table();
    table.verticalScrollBar()->setValue(5 * ui::SessionsDelegate::kRow + 7);
    const auto atTop = [&] {
        const QModelIndex top = table.indexAt(QPoint(0, 0));
        return std::pair(m_page->model().session(top.row()).entry->file, table.visualRect(top).top());
    };
    const auto before = atTop();
    testing::ClaudeLog log("/work/alpha");
    log.typed("a newer one");
    log.wait(30);
    log.call("Bash", { { "command", "ls" } });
    log.result("x");
    m_sessions->write(u"d.jsonl"_s, log.text());
    m_page->library().wait();
    QCOMPARE(m_page->model().title(0), u"a newer one"_s);
    QCOMPARE(atTop(), before);
}

void TestSessionsPage::aHeadHasNoFigures()
{
    auto list = std::make_shared<ui::LibraryList>();
    core::SessionEntry entry;
    entry.file = "/work/a.jsonl";
    entry.title = "mend the lexer";
    entry.isHead = true;
    list->known.entries = { entry };
    list->sessions = core::listedSessions(list->known.entries);
    ui::SessionsModel model;
    model.setContents(list, nullptr);
    QCOMPARE(model.title(0), u"mend the lexer"_s);
    for (const int column : { ui::SessionsModel::Calls, ui::SessionsModel::Peak, ui::SessionsModel::Cost }) {
        QCOMPARE(model.index(0, column).data().toString(), u"…"_s);
        QVERIFY(model.index(0, column).data(Qt::ToolTipRole).toString().contains(u"have been read so far"_s));
    }
    list->known.entries.front().title.clear();
    QCOMPARE(model.title(0), u"(being read)"_s);
}

void TestSessionsPage::aMistakeKeepsWhatWasFound()
{
    m_page->searchLine().setText(u"docs"_s);
    QTRY_VERIFY(m_page->library().found() != nullptr);
    m_page->searchLine().setText(u"docs role:nobody"_s);
    QTRY_VERIFY(!m_page->library().mistake().isEmpty());
    QCOMPARE(titles(m_page->model()), QStringList { u"write the docs"_s });
    QCOMPARE(m_page->findChild<QLabel *>(u"sessionsSummary"_s)->text(), m_page->library().mistake());
}

void TestSessionsPage::enterOpensTheChosenSession()
{
    QSignalSpy opened(m_page.get(), &ui::SessionsPage::openRequested);
    m_page->table().setFocus();
    QTest::keyClick(&m_page->table(), Qt::Key_Down);
    QTest::keyClick(&m_page->table(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QVERIFY(opened.front().front().toString().endsWith(u"b.jsonl"_s));
}

void TestSessionsPage::whatTheUserChoseStaysChosen()
{
    QTest::keyClick(&m_page->table(), Qt::Key_Down);
    testing::ClaudeLog log("/work/alpha");
    log.typed("a newer one");
    log.wait(30);
    log.call("Bash", { { "command", "ls" } });
    log.result("x");
    m_sessions->write(u"d.jsonl"_s, log.text());
    m_page->library().wait();
    QCOMPARE(m_page->model().rowCount(), 4);
    QCOMPARE(m_page->model().title(0), u"a newer one"_s);
    QCOMPARE(m_page->model().title(m_page->table().currentIndex().row()), u"why is the parser slow"_s);
}

void TestSessionsPage::columnsSortTheList()
{
    m_page->table().sortByColumn(ui::SessionsModel::Session, Qt::AscendingOrder);
    QStringList oldestFirst = kNewestFirst;
    std::ranges::reverse(oldestFirst);
    QCOMPARE(titles(m_page->model()), oldestFirst);
    m_page->table().sortByColumn(ui::SessionsModel::Cost, Qt::DescendingOrder);
    QCOMPARE(m_page->model().rowCount(), 3);
}

void TestSessionsPage::filesAreFoundByName()
{
    testing::ClaudeLog log("/work/beta");
    log.typed("write the docs");
    log.call("Bash", { { "command", "make" } });
    log.result("done");
    m_sessions->write(u"cd-95adddad32.jsonl"_s, log.text());
    m_page->library().wait();
    ui::SessionsModel &model = m_page->model();
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.name(model.rowOf((m_sessions->path() / "c.jsonl").string(), 0)), u"c.jsonl"_s); // of equal titles
    QCOMPARE(model.name(model.rowOf((m_sessions->path() / "a.jsonl").string(), 0)), QString());
    m_page->searchLine().setText(u"95adddad"_s);
    QTRY_VERIFY(m_page->library().found() != nullptr);
    QTRY_COMPARE(model.rowCount(), 1);
    QCOMPARE(model.name(0), u"cd-95adddad32.jsonl"_s);
    QVERIFY(model.index(0, 0).data(Qt::AccessibleTextRole).toString().contains(u"cd-95adddad32.jsonl"_s));
    const auto labels = m_page->findChildren<QLabel *>(u"sessionName"_s); // of the chosen session; older ones go later
    QVERIFY(!labels.isEmpty() && labels.last()->text().contains(u"cd-95adddad32.jsonl"_s));
    QSignalSpy opened(m_page.get(), &ui::SessionsPage::openRequested);
    QTest::keyClick(&m_page->searchLine(), Qt::Key_Return); // there is no block to go to
    QCOMPARE(opened.size(), 1);
    QVERIFY(opened.front().front().toString().endsWith(u"cd-95adddad32.jsonl"_s));
}

void TestSessionsPage::anEmptyListSaysWhy()
{
    const auto *message = m_page->findChild<QLabel *>(u"noSessions"_s);
    QVERIFY(!message->isVisible());
    m_page->searchLine().setText(u"walnut"_s);
    QTRY_VERIFY(message->isVisible());
    QTRY_VERIFY(message->text().startsWith(u"No session matches “walnut”."_s));
    QVERIFY(message->text().contains(u"the names of the files"_s));
    m_page->searchLine().setText(u"\"stable link\""_s);
    QTRY_COMPARE(m_page->model().rowCount(), 1);
    QVERIFY(!message->isVisible());
    auto *days = m_page->findChild<ui::DayBars *>(u"dayBars"_s);
    QTest::mouseClick(days, Qt::LeftButton, {}, QPoint(2, 10)); // a day without sessions
    QVERIFY(message->isVisible());
    QVERIFY2(message->text().startsWith(u"1 session matches “\"stable link\"”, but not the filters"_s),
        qPrintable(message->text()));
    m_page->searchLine().clear();
    QTRY_VERIFY(m_page->library().found() == nullptr);
    QVERIFY(message->text().startsWith(u"No session matches the filters at the left."_s));
}

void TestSessionsPage::copiedCallsAreMarked()
{
    auto *note = m_page->findChild<QLabel *>(u"daysNote"_s);
    QVERIFY(!note->isVisible());
    testing::ClaudeLog log("/work/beta");
    log.typed("tidy up");
    log.setUsage(0, 4'321, 10);
    log.call("Bash", { { "command", "ls" } });
    log.result("a");
    m_sessions->write(u"origin.jsonl"_s, log.text());
    log.wait(30);
    log.call("Bash", { { "command", "make" } });
    log.result("b");
    m_sessions->write(u"fork.jsonl"_s, log.text());
    m_page->library().wait();
    ui::SessionsModel &model = m_page->model();
    const int fork = model.rowOf((m_sessions->path() / "fork.jsonl").string(), 0);
    const int origin = model.rowOf((m_sessions->path() / "origin.jsonl").string(), 0);
    QVERIFY2(model.subtitle(fork).contains(u" · 1 call copied · "_s), qPrintable(model.subtitle(fork)));
    QVERIFY(!model.subtitle(origin).contains(u"copied"_s));
    const QString tip = model.index(fork, ui::SessionsModel::Cost).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"1 call of an earlier session"_s), qPrintable(tip));
    QVERIFY(note->isVisible());
    QCOMPARE(note->text(), u"Calls that 1 session copied from earlier ones are counted once."_s);
    QVERIFY(note->toolTip().contains(u"$"_s));
}

void TestSessionsPage::arrowsPointUpForAscendingOrders()
{
    QTreeView &table = m_page->table();
    QHeaderView *header = table.header();
    // More of a triangle is where its base is.
    const auto isWiderBelow = [&] {
        QImage picture(20, 20, QImage::Format_ARGB32);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        QStyleOptionHeader option;
        option.rect = picture.rect();
        option.sortIndicator = QStyleOptionHeader::SortDown;
        header->style()->drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &option, &painter, header);
        painter.end();
        int above = 0;
        int below = 0;
        for (int y = 0; y < 20; ++y) {
            for (int x = 0; x < 20; ++x)
                (y < 10 ? above : below) += picture.pixelColor(x, y).alpha();
        }
        return below > above;
    };
    table.sortByColumn(ui::SessionsModel::Cost, Qt::AscendingOrder);
    QVERIFY(isWiderBelow());
    table.sortByColumn(ui::SessionsModel::Cost, Qt::DescendingOrder);
    QVERIFY(!isWiderBelow());
    // The first click on a column puts the largest first, and its row is in sight.
    for (int i = 0; i < 40; ++i) {
        testing::ClaudeLog log("/work/many");
        log.typed("old session " + std::to_string(i));
        log.call("Bash", { { "command", "ls" } });
        log.result("x");
        m_sessions->write(u"old-%1.jsonl"_s.arg(i), log.text());
    }
    m_page->library().wait();
    table.verticalScrollBar()->setValue(5 * ui::SessionsDelegate::kRow);
    const int left = header->sectionViewportPosition(ui::SessionsModel::Calls);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(left + 20, header->height() / 2));
    QCOMPARE(header->sortIndicatorSection(), int { ui::SessionsModel::Calls });
    QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
    QCOMPARE(table.verticalScrollBar()->value(), 0);
}

void TestSessionsPage::narrowPagesHaveRoomForTheList()
{
    for (const int width : { 1600, 1280, 1000, 800, 700 }) {
        m_page->resize(width, 520);
        QTRY_COMPARE(m_page->rect().right(), m_page->searchLine().geometry().right() + ui::kPageMargin);
        QVERIFY2(m_page->table().width() >= 480, qPrintable(QString::number(width)));
        QVERIFY(m_page->table().columnWidth(ui::SessionsModel::Found) >= 100);
    }
}

/// The index is made in memory, and the page says why.
void TestSessionsPage::aCacheThatCannotBeWrittenLeavesTheList()
{
    const QTemporaryDir home;
    QDir(home.path()).mkpath(u".claude/projects"_s);
    for (const QString &name : { u"a.jsonl"_s, u"b.jsonl"_s })
        QFile::copy(QDir(QString::fromStdString(m_sessions->path().string())).filePath(name),
            home.filePath(u".claude/projects/"_s + name));
    QFile file(home.filePath(u"no-folder"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::array<std::pair<const char *, QByteArray>, 4> variables { { { "HOME", home.path().toUtf8() },
        { "XDG_CACHE_HOME", file.fileName().toUtf8() }, { "CLAUDE_CONFIG_DIR", {} }, { "CODEX_HOME", {} } } };
    std::vector<std::pair<const char *, QByteArray>> before;
    for (const auto &[name, value] : variables) {
        before.emplace_back(name, qgetenv(name));
        qputenv(name, value);
    }
    ui::SessionsPage page;
    page.library().refresh();
    page.library().wait();
    for (const auto &[name, value] : before)
        qputenv(name, value);
    QCOMPARE(page.model().rowCount(), 2);
    QVERIFY2(page.library().problem().contains(u"cannot be written: "_s), qPrintable(page.library().problem()));
}

PALIMPSEST_TEST(TestSessionsPage)
#include "tst_sessions_page.moc"
