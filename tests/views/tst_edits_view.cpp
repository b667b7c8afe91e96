// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/test_program.h"
#include "ui/edits/edit_comment.h"
#include "ui/edits/edit_details.h"
#include "ui/edits/edits_delegate.h"
#include "ui/edits/edits_model.h"
#include "ui/edits/edits_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"
#include "ui/widgets/facts_line.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLockFile>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>

#include <algorithm>

using namespace Qt::StringLiterals;
using testing::ClaudeLog;
using ui::EditGrouping;
using ui::EditScope;

namespace {

const std::string kSix = "one\ntwo\nthree\nfour\nfive\nsix\n";

/// Edits of all kinds: read before, own, from the summary, outside the log, failed, a new file, one that is elsewhere.
ClaudeLog severalEdits()
{
    ClaudeLog log("/nowhere"); // a folder that no machine has
    log.typed("count in German");
    log.read("/nowhere/src/a.txt", kSix);
    log.edit("/nowhere/src/a.txt", "two", "zwei");
    log.edit("/nowhere/src/a.txt", "zwei\nthree", "zwei\ndrei");
    log.typed("and once more");
    log.read("/nowhere/src/a.txt", "one\nzwei\ndrei\nfour\nFIVE\nsix\n");
    log.edit("/nowhere/src/a.txt", "four", "vier");
    log.call("Edit", { { "file_path", "/nowhere/src/a.txt" }, { "old_string", "eleven" }, { "new_string", "elf" } });
    log.result("<tool_use_error>String to replace not found in file.</tool_use_error>", true);
    log.write("/nowhere/new.txt", "fresh\n");
    log.edit("/nowhere/lib/unread.txt", "old line", "new line");
    return log;
}

/// A file of 40 lines, of which one is changed; then another text in its place, and another file.
ClaudeLog editsOfALongFile()
{
    std::string lines;
    for (int i = 1; i <= 40; ++i)
        lines += "line " + std::to_string(i) + "\n";
    ClaudeLog log("/nowhere");
    log.typed("go on");
    log.read("/nowhere/a.txt", lines);
    log.edit("/nowhere/a.txt", "line 20", "zwanzig");
    log.write("/nowhere/a.txt", "all gone\n");
    log.write("/nowhere/b.txt", "fresh\n");
    return log;
}

/// The page on a session file.
struct Shown {
    QTemporaryDir folder;
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::EditsPage page { state };

    explicit Shown(const ClaudeLog &log = severalEdits())
    {
        const QString path = folder.filePath(u"session.jsonl"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(log.text()));
        file.close();
        open();
        page.resize(1100, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.waitForContent();
    }
    void open() { QVERIFY(workspace.openNow(folder.filePath(u"session.jsonl"_s).toStdString()).has_value()); }
    [[nodiscard]] ui::EditReview &review() { return page.review(); }
    [[nodiscard]] const ui::FoundEdits &found() { return *page.review().found(); }
    [[nodiscard]] core::SlotIndex slotOf(size_t edit) { return state.picture().before.slotOf(found().blockOf(edit)); }
    /// `title: row, row | title: …` with what `words` says of a row.
    template <typename Words>
    [[nodiscard]] QString rows(const Words &words)
    {
        QStringList groups;
        const ui::EditsModel &model = page.model();
        for (int i = 0; i < model.rowCount(); ++i) {
            const ui::EditGroup &group = model.groupOf(model.index(i, 0));
            QStringList edits;
            for (const size_t edit : group.edits)
                edits << words(model.rowOf(edit));
            groups << group.title + u": "_s + edits.join(u", "_s);
        }
        return groups.join(u" | "_s);
    }
    void clickTick(size_t edit)
    {
        const QRect row = page.list()->visualRect(page.model().indexOf(edit));
        QTest::mouseClick(page.list()->viewport(), Qt::LeftButton, {}, ui::EditsDelegate::tickRect(row).center());
    }
    template <typename Widget>
    [[nodiscard]] Widget *part(const QString &name)
    {
        return page.findChild<Widget *>(name);
    }
};

QString textOf(const ui::TextSurface *surface)
{
    const std::string_view bytes = surface->content()->document->bytes();
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

} // namespace

/// The Edits view as people use it, on a session file that is really read.
class EditsViewTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theModelIsAModel();
    void editsAreGrouped();
    void theFilterTakesPathsAndNumbers();
    void oneStateIsChosen();
    void whatIsGoneIsMarkedAndCanBeHidden();
    void statesAddUp();
    void countsStandInColumns();
    void aPathKeepsTheNameOfItsFile();
    void sendingBackIsAnAct();
    void notesOfAnEarlierVersionAreRead();
    void marksAreSetOnWhatIsSeen();
    void nothingMovesWhileACommentIsTyped();
    void nAndPGoFromEditToEdit();
    void theSessionNamesTheFileInSight();
    void wordsAreFoundInDiffsAsShown();
    void theMenuIsThatOfTheRow();
    void matchesAreSteppedThroughAcrossEdits();
    void veryManyMatchesAreNotAllCounted();
    void aChangeOutsideTheLogIsARowOfItsOwn();
    void aBoundIsMarkedAsOne();
    void theDiffShowsOneEditOneFileOrAll();
    void gapsAreShown();
    void whatIsNotKnownAtAllIsNoRemovedLine();
    void whatFailedShowsWhatItAskedFor();
    void editAndSlotFollowEachOther();
    void aLinkLeadsToTheBasis();
    void aSmallPageSaysWhatMattersMost();
    void ticksStayBesideTheSession();
    void twoWindowsKeepTheTicksOfBoth();
    void ticksOutliveAReloadAtOnce();
    void aTickIsOfOneChangeOfACall();
    void notesOfANewerVersionAreLeftAlone();
    void theSameEditIsShownAfterAReload();
    void keysTickAndJump();
    void whatACommandMadeUnknownIsNoDifference();
    void aCellIsShownWithinWhatIsNotKnown();
    void differencesGoOnIntoTheNextEdit();
    void theBasisUnderAPolicyFollowsThePlan();
    void theRepositoryTellsWhatBecameOfThem();
    void groupsFold();
    void foldedGroupsStayFolded();
    void ticksAreUndone();
    void theTickOfATitleIsOneStep();
    void aReloadKeepsStepsOfAllKinds();
    void thePatchIsTheCores();
    void gitAppliesThePatch();
    void commentsStayAndGoWithThePatch();
    void aPatchCarriesTheCommentsOnWhatItHolds();
    void everyFileWithoutADiffIsNamed();
    void aClickOnABubbleLeadsToTheComment();
    void aNewFileHasOneColumn();
    void aHeldLockDelaysNoWindow();
    void thePromptStandsBesideTheEdit();
    void aFileOfManyLinesIsShownByTheVisibleRows();
    void theCentreShowsThem();
    void everySizeIsPainted();
};

void EditsViewTest::init()
{
    // Each test begins without notes.
    QFile::remove(ui::reviewDocument({}).path);
}

void EditsViewTest::theModelIsAModel()
{
    Shown shown;
    ui::EditsModel model(shown.review());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (const auto grouping : { EditGrouping::Time, EditGrouping::Basis, EditGrouping::State, EditGrouping::File }) {
        model.setGrouping(grouping);
        QCOMPARE(model.order().size(), shown.found().count());
        for (const size_t edit : model.order())
            QCOMPARE(model.editOf(model.indexOf(edit)), std::optional(edit));
    }
    model.setFilter({ u"nowhere"_s, {} });
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.indexOf(0).isValid());
}

void EditsViewTest::editsAreGrouped()
{
    Shown shown;
    const auto numbers = [](const ui::EditRow &row) { return row.isOutside ? u"outside"_s : row.number; };
    QCOMPARE(shown.rows(numbers), u"src/a.txt: #3, #5, outside, #9, #11 | new.txt: #13 | lib/unread.txt: #15"_s);
    shown.page.setGrouping(EditGrouping::Time);
    QCOMPARE(shown.rows(numbers),
        u"Turn 1 · count in German: #3, #5 | Turn 2 · and once more: outside, #9, #11, #13, #15"_s);
    shown.page.setGrouping(EditGrouping::State);
    QCOMPARE(shown.rows(numbers), u"Failed: #11 | Landed: #3, #5, #9, #13, #15 | Outside the log: outside"_s);
    shown.page.setGrouping(EditGrouping::Basis);
    QCOMPARE(shown.rows([](const ui::EditRow &row) { return row.number + u' ' + row.words; }),
        u"Not in the Logged Context: #11 not in the logged context, #15 not in the logged context | Spread over "
        u"Several Messages: #5 "
        u"pieces of #3 #2"
        " | Read or Shown: #3 read #2, 1 call before, in context, #9 read #8, 1 call before, in context"
        " | No Basis Needed: #13 write, new file"
        " | Outside the Log:  changed outside the log between #5 and #8"_s);
}

void EditsViewTest::theFilterTakesPathsAndNumbers()
{
    Shown shown;
    auto *filter = shown.part<QLineEdit>(u"editsFilter"_s);
    QTest::keyClicks(filter, u"UNREAD"_s);
    QCOMPARE(shown.page.model().order().size(), size_t(1));
    QCOMPARE(shown.page.current(), std::optional<size_t>(0)); // what is shown stays
    filter->setText(u"VIER"_s);                               // what an edit wrote, once it is searched
    QTRY_COMPARE(shown.page.model().order(), std::vector<size_t> { 3 });
    filter->setText(u"#9"_s);
    QCOMPARE(shown.page.model().order(), std::vector<size_t> { 3 });
    filter->clear();
    QCOMPARE(shown.page.model().order().size(), shown.found().count());
    QCOMPARE(shown.page.model().editOf(shown.page.list()->currentIndex()), std::optional<size_t>(0));
}

void EditsViewTest::oneStateIsChosen()
{
    Shown shown;
    auto *state = shown.part<ui::SegmentedControl>(u"editsState"_s);
    QVERIFY(state != nullptr && state->isVisible());
    QCOMPARE(state->current(), 0);
    // In the order of the groups by state: failed first.
    state->setCurrent(1);
    Q_EMIT state->chosen(1);
    QCOMPARE(shown.rows([](const ui::EditRow &row) { return row.number; }), u"src/a.txt: #11"_s);
    QCOMPARE(shown.part<QLabel>(u"editsFound"_s)->text(), u"1 of 7 changes"_s);
    QVERIFY(!shown.part<QToolButton>(u"nextEditMatch"_s)->isVisible()); // no words are sought
    // Together with words, and after a reload.
    auto *filter = shown.part<QLineEdit>(u"editsFilter"_s);
    filter->setText(u"new.txt"_s);
    shown.page.waitForContent();
    QCOMPARE(shown.page.model().rowCount(), 0);
    filter->clear();
    shown.open();
    shown.page.waitForContent();
    QCOMPARE(shown.rows([](const ui::EditRow &row) { return row.number; }), u"src/a.txt: #11"_s);
    state->setCurrent(0);
    Q_EMIT state->chosen(0);
    QCOMPARE(shown.page.model().order().size(), shown.found().count());
}

void EditsViewTest::whatIsGoneIsMarkedAndCanBeHidden()
{
    ClaudeLog log("/nowhere");
    log.typed("go on");
    log.read("/nowhere/a.txt", kSix);
    log.edit("/nowhere/a.txt", "two", "zwei");        // #3
    log.edit("/nowhere/a.txt", "zwei", "II");         // #5
    log.edit("/nowhere/a.txt", "four\nfive", "4\n5"); // #7
    log.edit("/nowhere/a.txt", "4", "IV");            // #9
    log.write("/nowhere/b.txt", "fresh\n");           // #11
    log.call("Bash", { { "command", "rm b.txt" } });
    log.result(""); // #13
    Shown shown(log);
    const ui::EditsModel &model = shown.page.model();
    QCOMPARE(model.rowOf(0).fate, ui::EditFate::Replaced);
    QCOMPARE(model.rowOf(2).fate, ui::EditFate::Landed);
    QCOMPARE(model.rowOf(4).fate, ui::EditFate::Deleted);
    const auto said = [&](size_t edit) { return model.data(model.indexOf(edit), Qt::DisplayRole).toString(); };
    QVERIFY2(said(0).contains(u" · replaced by #5"_s), qPrintable(said(0)));
    QVERIFY2(said(2).contains(u" · landed, replaced in part by #9"_s), qPrintable(said(2)));
    QVERIFY2(said(4).contains(u" · file deleted by #13"_s), qPrintable(said(4)));
    const QString tip = model.data(model.indexOf(0), Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"Later it was replaced by #5: none of its new lines is left."_s), qPrintable(tip));
    shown.page.choose(0);
    QVERIFY(shown.part<QLabel>(u"editLater"_s)->toolTip().contains(u"Later it was replaced by #5: "_s));
    const auto *facts = shown.part<ui::FactsLine>(u"editFacts"_s);
    QVERIFY2(facts->text().contains(u"replaced by #5"_s), qPrintable(facts->text()));
    const QString later = shown.part<QLabel>(u"editLater"_s)->text();
    QVERIFY2(later.contains(u"href=\"5\""_s), qPrintable(later));
    // A row whose text is gone has no dark number.
    const QImage picture = shown.page.list()->viewport()->grab().toImage();
    const auto darkest = [&](size_t edit) {
        const QRect row = shown.page.list()->visualRect(model.indexOf(edit));
        int least = 255;
        for (int x = row.left() + 45; x < row.left() + 75; ++x) {
            for (int y = row.top(); y <= row.bottom(); ++y)
                least = std::min(least, qGray(picture.pixel(x, y)));
        }
        return least;
    };
    QVERIFY2(darkest(4) > darkest(1) + 40, qPrintable(u"%1 %2"_s.arg(darkest(4)).arg(darkest(1))));
    auto *state = shown.part<ui::SegmentedControl>(u"editsState"_s);
    state->setCurrent(1);
    Q_EMIT state->chosen(1);
    QCOMPARE(shown.rows([](const ui::EditRow &row) { return row.number; }), u"a.txt: #5, #7, #9 | b.txt: #13"_s);
}

/// A change outside of the log is no edit, and in no state of one.
void EditsViewTest::statesAddUp()
{
    ClaudeLog log("/nowhere");
    log.typed("go on");
    log.read("/nowhere/a.txt", kSix);
    log.edit("/nowhere/a.txt", "two", "zwei");
    log.edit("/nowhere/a.txt", "zwei", "II");
    log.read("/nowhere/a.txt", "one\nII\nthree\nfour\nFIVE\nsix\n");
    log.edit("/nowhere/a.txt", "four", "vier");
    Shown shown(log);
    QVERIFY(shown.found().count() == 4 && shown.found().isOutside(2));
    auto *state = shown.part<ui::SegmentedControl>(u"editsState"_s);
    QCOMPARE(state->itemName(1), u"Not Replaced 2"_s);
    size_t sum = 0;
    for (int item = 2; item < state->itemCount(); ++item)
        sum += state->itemName(item).section(u' ', -1).toULongLong();
    QCOMPARE(sum, shown.found().count());
    state->setCurrent(1);
    Q_EMIT state->chosen(1);
    QCOMPARE(shown.page.model().order(), (std::vector<size_t> { 1, 3 }));
}

void EditsViewTest::countsStandInColumns()
{
    ClaudeLog log("/nowhere");
    log.typed("go on");
    log.read("/nowhere/a.txt", kSix);
    log.edit("/nowhere/a.txt", "two", "zwei"); // replaced
    log.edit("/nowhere/a.txt", "zwei", "II");
    log.write("/nowhere/b.txt", "fresh\n");
    Shown shown(log);
    shown.page.choose(2); // no ground of the selection in the others
    QCOMPARE(shown.page.model().rowOf(0).added, shown.page.model().rowOf(1).added);
    QCOMPARE(shown.page.model().rowOf(0).removed, shown.page.model().rowOf(1).removed);
    for (const auto grouping : { EditGrouping::File, EditGrouping::Time }) {
        shown.page.setGrouping(grouping);
        const QImage picture = shown.page.list()->viewport()->grab().toImage();
        const auto counts = [&](size_t edit) {
            const QRect row = shown.page.list()->visualRect(shown.page.model().indexOf(edit));
            return picture.copy(QRect(row.right() - 40, row.top() + 1, 40, row.height() - 2));
        };
        QCOMPARE(counts(0), counts(1));
    }
}

void EditsViewTest::aPathKeepsTheNameOfItsFile()
{
    const QFontMetrics metrics(ui::Theme::textFont(12));
    const QString name = u"manual_commit_git.go"_s;
    const QString path = u"cmd/entire/cli/strategy/"_s + name;
    const auto fitting = [&](int width) { return ui::EditsDelegate::fittingPath(metrics, path, width); };
    QCOMPARE(fitting(metrics.horizontalAdvance(path) + 2), path);
    QCOMPARE(fitting(metrics.horizontalAdvance(name) + 2), name);
    const QString some = fitting(metrics.horizontalAdvance(name) + 60);
    QVERIFY2(some.startsWith(u'\u2026') && some.endsWith(u'/' + name), qPrintable(some));
    const QString little = fitting(metrics.horizontalAdvance(name) - 30);
    QVERIFY2(little.startsWith(u"man"_s) && little.endsWith(u".go"_s), qPrintable(little));
}

void EditsViewTest::sendingBackIsAnAct()
{
    Shown shown;
    const auto text = [&] { return QString::fromStdString(ui::commentsText(shown.review(), shown.review().noted())); };
    shown.review().setComment(1, "Why German?"); // may be a remark
    QVERIFY(!shown.page.model().rowOf(1).isSentBack);
    QVERIFY2(text().contains(u": Why German?"_s) && !text().contains(u"sent back"_s), qPrintable(text()));
    auto *button = shown.part<QToolButton>(u"editSentBack"_s);
    shown.page.choose(1);
    button->click();
    QVERIFY(shown.page.model().rowOf(1).isSentBack);
    QVERIFY(ui::summaryWords(shown.review()).endsWith(u"0 of 6 reviewed · 1 comment · 1 sent back"_s));
    QVERIFY2(text().contains(u", sent back: Why German?"_s), qPrintable(text()));
    QCOMPARE(shown.page.current(), std::optional<size_t>(3)); // the next open one
    QVERIFY(!button->isChecked());
    // Without a comment it asks for one.
    shown.page.choose(0);
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_B);
    QVERIFY(shown.review().isSentBack(0) && button->isChecked());
    QVERIFY(shown.part<QPlainTextEdit>(u"editComment"_s)->hasFocus());
    QVERIFY2(text().contains(u", sent back\n"_s), qPrintable(text()));
    QCOMPARE(shown.part<QToolButton>(u"editCopyComments"_s)->text(), u"Copy 2 Review Notes"_s);
    // Reviewed takes its place, and a step back brings it again.
    shown.page.choose(1);
    shown.part<QToolButton>(u"editReviewed"_s)->click();
    QVERIFY(shown.review().isReviewed(1) && !shown.review().isSentBack(1));
    QVERIFY2(text().contains(u", reviewed: Why German?"_s), qPrintable(text()));
    shown.workspace.undoStack().undo();
    QVERIFY(shown.review().isSentBack(1) && !shown.review().isReviewed(1));
    shown.page.waitForContent();
    QCOMPARE((*ui::reviewDocument(shown.workspace.path()).read())["sent_back"].size(), size_t(2));
    shown.open();
    shown.page.waitForContent();
    QVERIFY(shown.review().isSentBack(0) && shown.review().isSentBack(1));
    shown.page.choose(0);
    shown.part<QToolButton>(u"editSentBack"_s)->click();
    QVERIFY(!shown.review().isSentBack(0) && !shown.review().isReviewed(0));
    shown.review().setSentBack(2, true); // outside the log
    QVERIFY(!shown.review().isSentBack(2));
}

/// There a comment without a tick sent an edit back.
void EditsViewTest::notesOfAnEarlierVersionAreRead()
{
    Shown shown;
    shown.review().setComment(0, "Why?");
    shown.review().setComment(1, "Good.");
    shown.review().setReviewed({ 1 }, true);
    shown.page.waitForContent();
    QVERIFY(!shown.review().isSentBack(0));
    const auto changed = ui::reviewDocument(shown.workspace.path()).change([](core::Json &json) -> core::Result<void> {
        json.erase("sent_back");
        return {};
    });
    QVERIFY(changed.has_value());
    shown.open();
    shown.page.waitForContent();
    QVERIFY(shown.review().isSentBack(0));
    QVERIFY(shown.review().isReviewed(1) && !shown.review().isSentBack(1));
}

void EditsViewTest::marksAreSetOnWhatIsSeen()
{
    Shown shown;
    shown.page.choose(0);
    shown.page.setScope(EditScope::Session);
    for (const QString &name : { u"editReviewed"_s, u"editSentBack"_s }) {
        const auto *button = shown.part<QToolButton>(name);
        QVERIFY(!button->isEnabled());
        QVERIFY2(button->toolTip().contains(u"more than one edit"_s), qPrintable(button->toolTip()));
    }
    shown.part<QLineEdit>(u"editsFilter"_s)->setFocus();
    shown.page.toggleReviewed(); // as the menu of the window does
    shown.page.toggleSentBack();
    QVERIFY(!shown.review().isReviewed(0) && !shown.review().isSentBack(0));
    QVERIFY(shown.part<QLabel>(u"editsSaid"_s)->text().contains(u"more than one edit"_s));
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_R); // the row is seen
    QVERIFY(shown.review().isReviewed(0));
    // A row that the filter hides is not.
    shown.page.setScope(EditScope::Edit);
    shown.page.choose(1);
    shown.part<QLineEdit>(u"editsFilter"_s)->setText(u"new.txt"_s);
    shown.page.waitForContent();
    QVERIFY(!shown.page.list()->currentIndex().isValid());
    shown.page.list()->setFocus();
    shown.page.list()->setCurrentIndex({});
    QTest::keyClick(shown.page.list(), Qt::Key_R);
    QCOMPARE(shown.review().reviewedCount(), size_t(1));
}

void EditsViewTest::nothingMovesWhileACommentIsTyped()
{
    for (const QSize size : { QSize(1100, 700), QSize(1100, 900) }) {
        Shown shown;
        shown.page.resize(size);
        shown.page.choose(0);
        shown.page.waitForContent();
        auto *field = shown.part<QPlainTextEdit>(u"editComment"_s);
        const auto place = [&](const QWidget *part) { return QRect(part->mapTo(&shown.page, QPoint()), part->size()); };
        const QRect list = place(shown.page.list());
        const QRect comment = place(field);
        QTest::keyClicks(field, u"Why not two?"_s);
        shown.review().setSentBack(0, true);
        for (const size_t edit : { size_t(1), size_t(3), size_t(5) })
            shown.review().setComment(edit, "And this?");
        shown.page.waitForContent();
        QCOMPARE(place(shown.page.list()), list);
        QCOMPARE(place(field), comment);
    }
}

void EditsViewTest::nAndPGoFromEditToEdit()
{
    Shown shown;
    shown.page.choose(0);
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_N);
    QCOMPARE(shown.page.current(), std::optional<size_t>(1));
    ui::TextSurface *text = shown.page.diffView()->afterSurface();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_N);
    QCOMPARE(shown.page.current(), std::optional<size_t>(2));
    QTest::keyClick(text, Qt::Key_P);
    QTest::keyClick(text, Qt::Key_P);
    QTest::keyClick(text, Qt::Key_P); // before the first there is none
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
    auto *filter = shown.part<QLineEdit>(u"editsFilter"_s);
    filter->setFocus();
    QTest::keyClick(filter, Qt::Key_N);
    QCOMPARE(filter->text(), u"n"_s);
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
}

void EditsViewTest::theSessionNamesTheFileInSight()
{
    ClaudeLog log("/nowhere");
    log.typed("go on");
    for (const char *path : { "/nowhere/a.txt", "/nowhere/b.txt", "/nowhere/c.txt" }) {
        std::string lines;
        for (int i = 0; i < 200; ++i)
            lines += "line " + std::to_string(i) + "\n";
        log.write(path, lines);
    }
    Shown shown(log);
    shown.page.choose(0);
    shown.page.waitForContent();
    QCOMPARE(shown.page.diffView()->shownFile(), QString()); // one file needs no name
    shown.page.setScope(EditScope::Session);
    shown.page.waitForContent();
    QCOMPARE(shown.page.diffView()->shownFile(), u"a.txt"_s);
    ui::TextSurface *text = shown.page.diffView()->afterSurface();
    text->setScrollY(text->contentHeight() / 2);
    QCOMPARE(shown.page.diffView()->shownFile(), u"b.txt"_s);
    text->setScrollY(text->contentHeight());
    QCOMPARE(shown.page.diffView()->shownFile(), u"c.txt"_s);
    shown.page.setScope(EditScope::Edit);
    shown.page.waitForContent();
    QCOMPARE(shown.page.diffView()->shownFile(), QString());
}

void EditsViewTest::wordsAreFoundInDiffsAsShown()
{
    Shown shown(editsOfALongFile());
    const auto found = [&](const QString &words) {
        shown.part<QLineEdit>(u"editsFilter"_s)->setText(words);
        shown.page.waitForContent();
        return shown.page.model().order();
    };
    using Edits = std::vector<size_t>;
    QCOMPARE(shown.found().count(), size_t(3));
    QCOMPARE(found(u"\"LINE 19\""_s), (Edits { 0, 1 })); // beside a changed line; and a line that a write removed
    QCOMPARE(found(u"\"line 40\""_s), (Edits { 1 }));    // of the first diff it is folded
    QCOMPARE(found(u"zwanzig"_s), (Edits { 0, 1 }));     // what one edit wrote, another took away
    QCOMPARE(found(u"fresh"_s), (Edits { 2 }));
    QCOMPARE(found(u"tool:Write \"line 19\""_s), (Edits { 1 }));
    QCOMPARE(found(u"-\"line 19\""_s), (Edits { 2 }));
    QCOMPARE(found(u"\"line 19\" a.txt"_s), (Edits { 0, 1 }));
    QCOMPARE(found(u"nowhere-else"_s), Edits());
    // The words for what is not known are no lines of a file.
    ClaudeLog log("/nowhere");
    log.typed("go on");
    log.edit("/nowhere/part.txt", "old", "new");
    Shown part(log);
    part.part<QLineEdit>(u"editsFilter"_s)->setText(u"known"_s);
    part.page.waitForContent();
    QCOMPARE(part.page.model().order(), Edits());
}

void EditsViewTest::theMenuIsThatOfTheRow()
{
    Shown shown;
    shown.page.choose(0);
    shown.state.setCurrentSlot(core::SlotIndex(0U)); // no edit: the row stays
    QVERIFY(shown.state.currentBlock() != shown.found().blockOf(0));
    const QTreeView *list = shown.page.list();
    const QPoint at = list->visualRect(list->currentIndex()).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, list->viewport()->mapToGlobal(at));
    QGuiApplication::sendEvent(list->viewport(), &event);
    QCOMPARE(shown.state.currentBlock(), shown.found().blockOf(0));
}

void EditsViewTest::veryManyMatchesAreNotAllCounted()
{
    std::string lines;
    for (int i = 0; i < 12'000; ++i)
        lines += "needle\n";
    ClaudeLog log("/nowhere");
    log.typed("go on");
    log.write("/nowhere/a.txt", lines);
    Shown shown(log);
    shown.part<QLineEdit>(u"editsFilter"_s)->setText(u"needle"_s);
    shown.page.waitForContent();
    const QString words = shown.part<QLabel>(u"editsFound"_s)->text();
    QVERIFY2(words.endsWith(u"match 1 of 10,000+"_s), qPrintable(words));
    QCOMPARE(shown.page.diffView()->matches().size(), ui::kMostMatches);
}

void EditsViewTest::matchesAreSteppedThroughAcrossEdits()
{
    Shown shown(editsOfALongFile());
    auto *filter = shown.part<QLineEdit>(u"editsFilter"_s);
    const auto *words = shown.part<QLabel>(u"editsFound"_s);
    QVERIFY(!words->isVisible());
    filter->setText(u"\"line 2\""_s);
    shown.page.waitForContent();
    // The old line 20, and the lines 21 to 23 below it.
    QVERIFY(words->isVisible());
    QCOMPARE(words->text(), u"2 of 3 changes · match 1 of 4"_s);
    const auto matched = [&] {
        const ui::DiffView &diff = *shown.page.diffView();
        const ui::DiffMatch &match = diff.matches()[*diff.currentMatch()];
        const ui::TextSurface *surface = match.pane == 0 ? diff.beforeSurface() : diff.afterSurface();
        const ui::TextDocument &document = *surface->content()->document;
        return QString::fromStdString(std::string(document.line(document.lineOf(match.span.begin))));
    };
    QCOMPARE(matched(), u"line 20"_s);
    QTest::keyClick(filter, Qt::Key_Return);
    QCOMPARE(matched(), u"line 21"_s);
    shown.page.stepMatch(1);
    shown.page.stepMatch(1);
    QCOMPARE(words->text(), u"2 of 3 changes · match 4 of 4"_s);
    QTest::keyClick(filter, Qt::Key_Return);
    shown.page.waitForContent();
    QCOMPARE(shown.page.current(), std::optional<size_t>(1));
    QCOMPARE(matched(), u"line 2"_s);
    QTest::keyClick(filter, Qt::Key_Return, Qt::ShiftModifier);
    shown.page.waitForContent();
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
    QCOMPARE(matched(), u"line 23"_s);
    // From the last match of the last edit to the first of the first.
    shown.page.choose(1, ui::DiffStart::Last);
    shown.page.waitForContent();
    QCOMPARE(matched(), u"line 29"_s);
    shown.page.stepMatch(1);
    shown.page.waitForContent();
    QCOMPARE(matched(), u"line 20"_s);
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
    // Unified, the same lines match, and the place stays.
    shown.page.diffView()->setMode(ui::DiffMode::Unified);
    QCOMPARE(shown.page.diffView()->matches().size(), size_t(4));
    filter->clear();
    QVERIFY(shown.page.diffView()->matches().empty() && !words->isVisible());
    QCOMPARE(shown.page.model().order().size(), size_t(3));
}

void EditsViewTest::aChangeOutsideTheLogIsARowOfItsOwn()
{
    Shown shown;
    const ui::EditRow row = shown.page.model().rowOf(2);
    QVERIFY(row.isOutside);
    QCOMPARE(row.words, u"changed outside the log between #5 and #8"_s);
    QCOMPARE(row.added + row.removed, u"+1\u22121"_s);
    shown.clickTick(2);
    QCOMPARE(shown.review().reviewedCount(), size_t(0)); // nobody's edit is nobody's to review
}

/// The row says what its marks mean.
void EditsViewTest::aBoundIsMarkedAsOne()
{
    ClaudeLog log = severalEdits();
    log.call("Bash", { { "command", "echo one > written.txt" } });
    log.result("");
    Shown shown(log);
    const ui::EditsModel &model = shown.page.model();
    const auto counts = [&](size_t edit) { return model.rowOf(edit).added + model.rowOf(edit).removed; };
    const auto tip = [&](size_t edit) { return model.indexOf(edit).data(Qt::ToolTipRole).toString(); };
    QCOMPARE(counts(0), u"+1\u22121"_s);
    QVERIFY(!tip(0).contains(u"at least"_s));
    QCOMPARE(counts(6), u"\u2265+1\u2265\u22121"_s);
    QVERIFY2(tip(6).contains(u"at least"_s), qPrintable(tip(6)));
    QCOMPARE(counts(7), u"+?\u2212?"_s);
}

void EditsViewTest::theDiffShowsOneEditOneFileOrAll()
{
    Shown shown;
    shown.page.choose(1);
    shown.page.waitForContent();
    QCOMPARE(textOf(shown.page.diffView()->beforeSurface()), u"one\nzwei\nthree\nfour\nfive\nsix\n"_s);
    QCOMPARE(textOf(shown.page.diffView()->afterSurface()), u"one\nzwei\ndrei\nfour\nfive\nsix\n"_s);
    shown.page.setScope(EditScope::File);
    shown.page.waitForContent();
    QCOMPARE(textOf(shown.page.diffView()->beforeSurface()), QString::fromStdString(kSix));
    QCOMPARE(textOf(shown.page.diffView()->afterSurface()), u"one\nzwei\ndrei\nvier\nFIVE\nsix\n"_s);
    shown.page.setScope(EditScope::Session);
    shown.page.waitForContent();
    const ui::TextContent &all = *shown.page.diffView()->afterSurface()->content();
    QCOMPARE(all.languages.size(), size_t(3));
    QStringList headings;
    for (const ui::TextInsertion &each : all.insertions) {
        if (each.kind == ui::TextInsertion::Kind::Heading)
            headings << QString::fromStdString(each.text);
    }
    QCOMPARE(headings, QStringList({ u"src/a.txt"_s, u"new.txt"_s, u"lib/unread.txt"_s }));
    QCOMPARE(all.numbers[6], 1U); // each file counts its own lines
    QVERIFY(shown.page.diffView()->differenceCount() >= 3);
    shown.page.choose(6); // leads to its file
    QCOMPARE(shown.page.diffView()->currentDifference(), std::optional(shown.page.diffView()->differenceCount() - 1));
    shown.page.diffView()->setMode(ui::DiffMode::Unified);
    QVERIFY(
        textOf(shown.page.diffView()->afterSurface()).contains(u"two\nthree\nfour\nfive\nzwei\ndrei\nvier\nFIVE\n"_s));
}

void EditsViewTest::gapsAreShown()
{
    Shown shown;
    shown.page.choose(6);
    shown.page.waitForContent();
    QCOMPARE(textOf(shown.page.diffView()->beforeSurface()), u"[… lines not known]\nold line\n[… lines not known]\n"_s);
    QCOMPARE(textOf(shown.page.diffView()->afterSurface()), u"[… lines not known]\nnew line\n[… lines not known]\n"_s);
    QCOMPARE(shown.page.diffView()->differenceCount(), size_t(1));
}

void EditsViewTest::whatIsNotKnownAtAllIsNoRemovedLine()
{
    ClaudeLog log;
    log.typed("Go.");
    log.call("Write", { { "file_path", "/work/a.txt" }, { "content", "one\ntwo\n" } });
    log.result("The file /work/a.txt has been updated.");
    Shown shown(log);
    QVERIFY(!shown.found().edit(0).before.isKnown());
    QCOMPARE(shown.page.diffView()->diff()->removedCount, 0U);
    QCOMPARE(textOf(shown.page.diffView()->afterSurface()), u"one\ntwo\n"_s);
}

void EditsViewTest::whatFailedShowsWhatItAskedFor()
{
    Shown shown;
    QCOMPARE(shown.page.model().rowOf(4).fate, ui::EditFate::Failed);
    shown.page.choose(4);
    shown.page.waitForContent();
    QCOMPARE(textOf(shown.page.diffView()->beforeSurface()), u"eleven\n"_s);
    QCOMPARE(textOf(shown.page.diffView()->afterSurface()), u"elf\n"_s);
    QVERIFY(shown.page.diffView()->afterSurface()->accessibleName().contains(u"never applied"_s));
    const QString later = shown.part<QLabel>(u"editLater"_s)->text();
    QVERIFY2(later.contains(u"String to replace not found in file."_s), qPrintable(later));
}

void EditsViewTest::editAndSlotFollowEachOther()
{
    Shown shown;
    QVERIFY(shown.page.list()->currentIndex().isValid()); // never on nothing
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_Down);
    QCOMPARE(shown.page.current(), std::optional<size_t>(1));
    QCOMPARE(shown.state.currentBlock(), shown.found().edit(1).use);
    QCOMPARE(shown.state.currentSlot(), shown.slotOf(1));
    shown.state.setCurrentBlock(shown.found().edit(3).use);
    QCOMPARE(shown.page.current(), std::optional<size_t>(3));
    QCOMPARE(shown.page.model().editOf(shown.page.list()->currentIndex()), std::optional<size_t>(3));
    // A title is nothing to stand on.
    shown.page.choose(4);
    QTest::keyClick(shown.page.list(), Qt::Key_Down);
    QCOMPARE(shown.page.current(), std::optional<size_t>(5));
    // Unseen it stays where it is.
    shown.page.hide();
    shown.state.setCurrentBlock(shown.found().edit(0).use);
    QCOMPARE(shown.page.current(), std::optional<size_t>(5));
    QVERIFY(shown.page.showEditOf(shown.found().edit(3).use)); // unless it is told to
    QCOMPARE(shown.page.current(), std::optional<size_t>(3));
    QVERIFY(!shown.page.showEditOf(core::BlockId(0U)));
}

void EditsViewTest::aLinkLeadsToTheBasis()
{
    Shown shown;
    shown.page.choose(1);
    auto *old = shown.part<QLabel>(u"editOldText"_s);
    QVERIFY2(old->text().contains(u"href=\"3\""_s), qPrintable(old->text()));
    Q_EMIT old->linkActivated(u"3"_s);
    QCOMPARE(shown.page.current(), std::optional<size_t>(0)); // #3 made an edit
    shown.page.choose(0);
    Q_EMIT old->linkActivated(u"2"_s);
    QCOMPARE(shown.state.session()->block(shown.state.currentBlock()).message, core::MessageId(2U));
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
}

/// As large as the page is in a window of 1280 × 800.
void EditsViewTest::aSmallPageSaysWhatMattersMost()
{
    Shown shown;
    shown.page.resize(1280, 656);
    shown.review().setFolder(shown.folder.path().toStdString());
    shown.page.choose(1);
    shown.page.waitForContent();
    auto *old = shown.part<QLabel>(u"editOldText"_s);
    QVERIFY(old->isVisible());
    QVERIFY2(old->text().contains(u"href=\"3\""_s), qPrintable(old->text()));
    QVERIFY(shown.part<QLabel>(u"editRepository"_s)->isVisible());
    QVERIFY(shown.part<QLineEdit>(u"editsFilter"_s)->isVisible());
    for (const QSize size : { QSize(1280, 656), QSize(620, 656), QSize(1055, 520), QSize(900, 700), QSize(735, 364) }) {
        shown.page.resize(size);
        for (const size_t edit : { size_t(0), size_t(4), size_t(5), size_t(6) }) {
            shown.page.choose(edit);
            shown.page.waitForContent();
            for (const QLabel *label : { old, shown.part<QLabel>(u"editRepository"_s) })
                QVERIFY2(label->isHidden() || label->height() >= label->heightForWidth(label->width()),
                    qPrintable(label->text()));
        }
    }
    QVERIFY(shown.page.diffView()->beforeSurface()->height() > 100);
}

void EditsViewTest::ticksStayBesideTheSession()
{
    Shown shown;
    shown.clickTick(0);
    shown.clickTick(3);
    QCOMPARE(shown.review().reviewedCount(), size_t(2));
    shown.clickTick(0);
    QVERIFY(!shown.review().isReviewed(0));
    const QString summary = shown.part<QLabel>(u"editsSummary"_s)->text();
    QVERIFY2(summary.startsWith(u"6 edits in 3 files · "_s) && summary.endsWith(u"\n1 of 6 reviewed"_s),
        qPrintable(summary));
    shown.page.waitForContent();
    const ui::SessionDocument file = ui::reviewDocument(shown.workspace.path());
    const auto notes = ui::readReviewNotes(file);
    QVERIFY(notes.has_value());
    QCOMPARE(notes->reviewed.size(), size_t(1));
    // Names that fit no edit, and members of others, stay.
    const auto changed = file.change([](core::Json &json) -> core::Result<void> {
        json["reviewed"].push_back({ { "block", "gone" }, { "path", "away.txt" } });
        json["others"] = 7;
        return {};
    });
    QVERIFY(changed.has_value());
    shown.open();
    shown.page.waitForContent();
    QVERIFY(shown.review().isReviewed(3));
    QCOMPARE(shown.review().reviewedCount(), size_t(1));
    shown.clickTick(5);
    shown.page.waitForContent();
    QCOMPARE(ui::readReviewNotes(file)->reviewed.size(), size_t(3));
    QCOMPARE((*file.read())["others"], 7);
}

void EditsViewTest::twoWindowsKeepTheTicksOfBoth()
{
    Shown one;
    Shown other;
    QVERIFY(other.workspace.openNow(one.workspace.path()).has_value());
    other.page.waitForContent();
    one.clickTick(0);
    one.page.waitForContent();
    other.clickTick(3);
    other.page.waitForContent();
    QCOMPARE(ui::readReviewNotes(ui::reviewDocument(one.workspace.path()))->reviewed.size(), size_t(2));
    QVERIFY(other.review().isReviewed(0)); // and sees it once it writes its own
}

/// The notes are large, so that they are still being written when the session is read again.
void EditsViewTest::ticksOutliveAReloadAtOnce()
{
    Shown shown;
    ui::ReviewChanges many;
    for (int i = 0; i < 100'000; ++i)
        many.reviewed[{ "gone " + std::to_string(i), "away.txt" }] = true;
    QVERIFY(ui::keepReviewChanges(ui::reviewDocument(shown.workspace.path()), many).has_value());
    shown.open();
    shown.page.waitForContent();
    shown.clickTick(3);
    shown.open();
    shown.page.waitForContent();
    QVERIFY(shown.review().isReviewed(3));
}

void EditsViewTest::aTickIsOfOneChangeOfACall()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", "one\ntwo\n");
    log.call("Bash", { { "command", "cp a.txt b.txt && sed -i s/one/1/ b.txt" } });
    log.result("");
    Shown shown(log);
    QCOMPARE(shown.found().count(), size_t(2));
    shown.clickTick(0);
    QVERIFY(shown.review().isReviewed(0));
    QVERIFY(!shown.review().isReviewed(1));
    shown.clickTick(1);
    shown.clickTick(0);
    shown.page.waitForContent();
    shown.open();
    shown.page.waitForContent();
    QVERIFY(!shown.review().isReviewed(0));
    QVERIFY(shown.review().isReviewed(1));
}

void EditsViewTest::notesOfANewerVersionAreLeftAlone()
{
    Shown shown;
    const QString path = ui::reviewDocument(shown.workspace.path()).path;
    const QByteArray newer = "{\"schema\": \"palimpsest.reviewed/2\"}\n";
    shown.clickTick(0);
    shown.page.waitForContent();
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(newer);
    file.close();
    shown.open();
    shown.page.waitForContent();
    QVERIFY(shown.part<QLabel>(u"editsSaid"_s)->text().contains(u"newer"_s));
    shown.clickTick(0);
    shown.page.waitForContent();
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), newer);
}

void EditsViewTest::theSameEditIsShownAfterAReload()
{
    Shown shown;
    shown.page.choose(3);
    shown.state.setCurrentBlock(core::BlockId(0U)); // which made none
    QCOMPARE(shown.page.current(), std::optional<size_t>(3));
    shown.workspace.reload();
    QTRY_VERIFY(shown.review().found() && shown.review().found()->edits.session == shown.state.session()
        && shown.workspace.isReloaded());
    QTRY_COMPARE(shown.page.current(), std::optional<size_t>(3));
}

void EditsViewTest::keysTickAndJump()
{
    Shown shown;
    const QSignalSpy asked(&shown.page, &ui::EditsPage::showInArrayRequested);
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_Space);
    QVERIFY(shown.review().isReviewed(0));
    QTest::keyClick(shown.page.list(), Qt::Key_Space);
    QVERIFY(!shown.review().isReviewed(0));
    shown.review().setReviewed({ 1 }, true);
    QTest::keyClick(shown.page.list(), Qt::Key_R); // goes on to the next that is not reviewed
    QVERIFY(shown.review().isReviewed(0));
    const size_t next = *shown.page.current();
    QVERIFY(next != 0 && next != 1 && !shown.review().isReviewed(next));
    QTest::keyClick(shown.page.list(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(shown.state.currentBlock(), shown.found().edit(next).use);
    shown.page.choose(0);
    QTest::keyClick(shown.page.list(), Qt::Key_R); // takes the tick away, and stays
    QVERIFY(!shown.review().isReviewed(0));
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
}

void EditsViewTest::whatACommandMadeUnknownIsNoDifference()
{
    ClaudeLog log("/nowhere");
    log.typed("sort it");
    log.write("/nowhere/a.txt", "b\na\n");
    log.call("Bash", { { "command", "python3 sort.py a.txt > a.txt" } });
    log.result("");
    Shown shown(log);
    shown.page.choose(1);
    shown.page.waitForContent();
    QCOMPARE(shown.page.diffView()->differenceCount(), size_t(0));
    const auto *sentence = shown.part<QLabel>(u"diffSentence"_s);
    QVERIFY2(sentence->isVisible() && sentence->text().contains(u"so there is nothing to compare"_s),
        qPrintable(sentence->text()));
}

void EditsViewTest::aCellIsShownWithinWhatIsNotKnown()
{
    ClaudeLog log("/nowhere");
    log.typed("plot it");
    log.call(
        "NotebookEdit", { { "notebook_path", "/nowhere/a.ipynb" }, { "cell_id", "c1" }, { "new_source", "plot(x)" } });
    log.result("Updated cell c1 with plot(x)");
    Shown shown(log);
    shown.page.choose(0);
    shown.page.waitForContent();
    QCOMPARE(textOf(shown.page.diffView()->afterSurface()), u"[… lines not known]\nplot(x)\n[… lines not known]\n"_s);
    QCOMPARE(textOf(shown.page.diffView()->beforeSurface()), u"[… lines not known]\n"_s);
}

void EditsViewTest::differencesGoOnIntoTheNextEdit()
{
    Shown shown;
    shown.page.choose(0);
    QCOMPARE(shown.page.diffView()->differenceCount(), size_t(1));
    shown.page.step(1);
    QCOMPARE(shown.page.current(), std::optional<size_t>(1));
    shown.page.step(-1);
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
    shown.page.setScope(EditScope::File);
    shown.page.waitForContent();
    for (size_t i = 0; i < shown.page.diffView()->differenceCount() && shown.page.current() == 0U; ++i)
        shown.page.step(1);
    QCOMPARE(shown.page.current(), std::optional<size_t>(5)); // the next file
}

void EditsViewTest::theBasisUnderAPolicyFollowsThePlan()
{
    Shown shown;
    QVERIFY(shown.review().planBasis(0) == nullptr);
    core::Overrides overrides;
    shown.page.choose(0);
    const core::Edit &edit = shown.found().edit(0);
    const uint64_t runs = core::arraySumsRuns(); // those of the workspace serve all edits
    shown.workspace.commitOverride(shown.review().basis(0)->carriers, ui::Workspace::Override::Drop);
    shown.page.waitForContent();
    QCOMPARE(core::arraySumsRuns(), runs);
    QVERIFY(shown.review().planBasis(0) != nullptr);
    QVERIFY(shown.review().isLostUnderPlan(0));
    QCOMPARE(shown.page.model().rowOf(0).lost, u"lost under your changes"_s);
    QVERIFY(shown.part<QLabel>(u"editUnderPlan"_s)->text().contains(u"lost: "_s));
    shown.page.setGrouping(EditGrouping::Basis);
    QCOMPARE(shown.page.model().groupOf(shown.page.model().index(0, 0)).title, u"Lost under your changes"_s);
    shown.workspace.undoStack().undo();
    shown.page.waitForContent();
    QVERIFY(shown.review().planBasis(0) == nullptr);
    QCOMPARE(edit.path, std::string("src/a.txt"));
}

void EditsViewTest::theRepositoryTellsWhatBecameOfThem()
{
    Shown shown;
    shown.page.choose(0);
    QVERIFY(shown.part<QLabel>(u"editRepository"_s)->text().contains(u"not checked"_s));
    const QTemporaryDir tree;
    QFile file(tree.filePath(u"new.txt"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("other\n");
    file.close();
    shown.review().setFolder(tree.path().toStdString());
    shown.page.waitForContent();
    QCOMPARE(shown.page.model().rowOf(0).fate, ui::EditFate::NeverLanded);
    QCOMPARE(shown.page.model().rowOf(4).fate, ui::EditFate::Failed);
    shown.page.choose(0);
    QVERIFY(shown.part<QLabel>(u"editRepository"_s)->text().contains(u"never landed: the file does not exist"_s));
    QVERIFY(shown.part<QLabel>(u"editLater"_s)->text().contains(u"reported as landed"_s));
    shown.open(); // the folder stays with the session
    shown.page.waitForContent();
    QCOMPARE(shown.review().folder(), std::filesystem::path(tree.path().toStdString()));
}

void EditsViewTest::thePatchIsTheCores()
{
    Shown shown;
    shown.page.setScope(EditScope::Session);
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_C, Qt::ControlModifier);
    shown.page.waitForContent();
    const auto whole = core::cumulatedPatch(shown.found().edits);
    QVERIFY(whole.has_value() && !whole->text.empty());
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(whole->text));
    const QString said = shown.part<QLabel>(u"editsSaid"_s)->text();
    QCOMPARE(said,
        u"Copied a patch of 2 files. Left out: lib/unread.txt (1 change), because the log does not show the lines of a change."_s);
    shown.page.setScope(EditScope::Edit);
    shown.page.choose(5);
    const QString path = shown.folder.filePath(u"one.patch"_s);
    shown.page.savePatch(path);
    shown.page.waitForContent();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto one = core::patchOf(core::fileLives(shown.found().edit(5)));
    QCOMPARE(file.readAll(), QByteArray::fromStdString(one->text));
    // The session's own file is never written.
    shown.page.savePatch(QString::fromStdString(shown.workspace.path().string()));
    shown.page.waitForContent();
    QVERIFY(shown.part<QLabel>(u"editsSaid"_s)->text().contains(u"never writes to it"_s));
}

/// By keys and by clicks on the title.
void EditsViewTest::groupsFold()
{
    Shown shown;
    QTreeView *list = shown.page.list();
    ui::EditsModel &model = shown.page.model();
    const QModelIndex first = model.index(0, 0);
    shown.page.choose(1);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Left);
    QVERIFY(!list->isExpanded(first));
    QCOMPARE(list->currentIndex(), first);
    QCOMPARE(shown.page.current(), std::optional<size_t>(1)); // what is shown stays
    QTest::keyClick(list, Qt::Key_Down);                      // a folded title is a row like others
    QCOMPARE(shown.page.current(), std::optional<size_t>(5));
    QTest::keyClick(list, Qt::Key_Up);
    QCOMPARE(list->currentIndex(), first);
    QTest::keyClick(list, Qt::Key_Right);
    QVERIFY(list->isExpanded(first));
    QCOMPARE(shown.page.current(), std::optional<size_t>(0));
    const auto click
        = [&] { QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center()); };
    click();
    QVERIFY(!list->isExpanded(first));
    click();
    QVERIFY(list->isExpanded(first));
    QCOMPARE(model.editOf(list->currentIndex()), std::optional<size_t>(0));
}

void EditsViewTest::foldedGroupsStayFolded()
{
    Shown shown;
    QTreeView *list = shown.page.list();
    ui::EditsModel &model = shown.page.model();
    shown.page.choose(5);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Left); // new.txt
    auto *filter = shown.part<QLineEdit>(u"editsFilter"_s);
    filter->setText(u"txt"_s);
    QVERIFY(list->isExpanded(model.index(0, 0)));
    QVERIFY(!list->isExpanded(model.index(1, 0)));
    filter->setText(u"new"_s);
    QVERIFY(!list->isExpanded(model.index(0, 0)));
    filter->clear();
    shown.page.setGrouping(EditGrouping::Time);
    QVERIFY(list->isExpanded(model.index(0, 0)) && list->isExpanded(model.index(1, 0)));
    shown.page.setGrouping(EditGrouping::File);
    QVERIFY(!list->isExpanded(model.index(1, 0)));
    QCOMPARE(list->currentIndex(), model.index(1, 0));
    shown.page.choose(5); // who goes there opens it
    QVERIFY(list->isExpanded(model.index(1, 0)));
    QCOMPARE(model.editOf(list->currentIndex()), std::optional<size_t>(5));
}

void EditsViewTest::ticksAreUndone()
{
    Shown shown;
    QUndoStack &steps = shown.workspace.undoStack();
    shown.clickTick(0);
    shown.clickTick(3);
    QCOMPARE(steps.count(), 2);
    QCOMPARE(steps.undoText(), u"Tick #9"_s);
    steps.undo();
    QVERIFY(shown.review().isReviewed(0) && !shown.review().isReviewed(3));
    shown.page.waitForContent();
    QCOMPARE(ui::readReviewNotes(ui::reviewDocument(shown.workspace.path()))->reviewed.size(), size_t(1));
    steps.redo();
    QVERIFY(shown.review().isReviewed(3));
    shown.clickTick(0);
    QCOMPARE(steps.undoText(), u"Untick #3"_s);
    steps.undo();
    QVERIFY(shown.review().isReviewed(0));
    shown.review().setReviewed({ 0 }, true); // as it is already
    shown.review().setReviewed({ 2 }, true); // outside the log
    QCOMPARE(steps.index(), 2);
}

void EditsViewTest::theTickOfATitleIsOneStep()
{
    Shown shown;
    ui::EditsModel &model = shown.page.model();
    const QModelIndex title = model.index(0, 0);
    shown.clickTick(1);
    QCOMPARE(title.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::PartiallyChecked));
    const QRect row = shown.page.list()->visualRect(title);
    QTest::mouseClick(shown.page.list()->viewport(), Qt::LeftButton, {}, ui::EditsDelegate::tickRect(row).center());
    QVERIFY(shown.page.list()->isExpanded(title));
    QCOMPARE(shown.review().reviewedCount(), size_t(4)); // all of the file but the change outside the log
    QCOMPARE(title.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
    QCOMPARE(shown.workspace.undoStack().count(), 2);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.review().reviewedCount(), size_t(1)); // what was ticked before is ticked still
    QVERIFY(shown.review().isReviewed(1));
    shown.page.list()->setFocus();
    QTest::keyClick(shown.page.list(), Qt::Key_Left);
    QTest::keyClick(shown.page.list(), Qt::Key_Space);
    QCOMPARE(shown.review().reviewedCount(), size_t(4));
}

void EditsViewTest::aReloadKeepsStepsOfAllKinds()
{
    Shown shown;
    shown.workspace.commitOverride({ core::BlockId(1U) }, ui::Workspace::Override::Keep);
    shown.clickTick(3);
    shown.page.waitForContent();
    shown.workspace.reload();
    QTRY_VERIFY(shown.review().found() && shown.review().found()->edits.session == shown.state.session()
        && shown.workspace.isReloaded());
    QVERIFY(shown.review().isReviewed(3));
    QUndoStack &steps = shown.workspace.undoStack();
    QCOMPARE(steps.count(), 2);
    steps.undo();
    QVERIFY(!shown.review().isReviewed(3));
    QVERIFY(shown.workspace.overrideOf(core::BlockId(1U)) == ui::Workspace::Override::Keep);
    steps.undo();
    QVERIFY(!shown.workspace.overrideOf(core::BlockId(1U)));
}

void EditsViewTest::gitAppliesThePatch()
{
    const QString git = QStandardPaths::findExecutable(u"git"_s);
    if (git.isEmpty())
        QSKIP("There is no git here.");
    Shown shown;
    shown.page.setScope(EditScope::Session);
    const QTemporaryDir tree;
    const auto fileOf = [&](const QString &path) { return tree.filePath(path); };
    QVERIFY(QDir(tree.path()).mkdir(u"src"_s));
    QFile before(fileOf(u"src/a.txt"_s));
    QVERIFY(before.open(QIODevice::WriteOnly));
    before.write(QByteArray::fromStdString(kSix));
    before.close();
    const QString saved = tree.filePath(u"session.patch"_s);
    shown.page.savePatch(saved);
    shown.page.waitForContent();
    QProcess apply;
    apply.setWorkingDirectory(tree.path());
    apply.start(git, { u"apply"_s, saved });
    QVERIFY(apply.waitForFinished());
    QVERIFY2(apply.exitCode() == 0, apply.readAllStandardError().constData());
    const auto textIn = [&](const QString &path) {
        QFile file(fileOf(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("?");
    };
    // What changed outside the log, `FIVE`, is in no patch.
    QCOMPARE(textIn(u"src/a.txt"_s), "one\nzwei\ndrei\nvier\nfive\nsix\n");
    QCOMPARE(textIn(u"new.txt"_s), "fresh\n");
}

void EditsViewTest::commentsStayAndGoWithThePatch()
{
    Shown shown;
    auto *field = shown.page.findChild<QPlainTextEdit *>(u"editComment"_s);
    shown.page.choose(0);
    QVERIFY(field->isVisible() && field->toPlainText().isEmpty());
    QTest::keyClicks(field, u"Why not "_s);
    QTest::keyClicks(field, u"two?"_s);
    shown.page.choose(1);
    QVERIFY(field->toPlainText().isEmpty());
    field->setPlainText(u"Say it.\n--- a/x\n@@ -1 +1 @@"_s); // like a diff
    shown.page.choose(2);
    QVERIFY2(!field->isVisible(), "a change outside of the log has no author to answer");
    QCOMPARE(shown.review().commented(), (std::vector<size_t> { 0, 1 }));
    auto *copy = shown.page.findChild<QToolButton *>(u"editCopyComments"_s);
    QVERIFY(!copy->isHidden() && copy->isEnabled());
    QCOMPARE(copy->text(), u"Copy 2 Comments"_s);
    // Typing was one step.
    QCOMPARE(shown.workspace.undoStack().count(), 2);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.review().commented(), std::vector<size_t> { 0 });
    shown.workspace.undoStack().redo();

    shown.page.waitForContent();
    shown.open(); // another reading of the file
    shown.page.waitForContent();
    QCOMPARE(shown.review().comment(0), std::string("Why not two?"));
    shown.page.choose(1);
    QCOMPARE(field->toPlainText(), u"Say it.\n--- a/x\n@@ -1 +1 @@"_s);

    copy->click();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(
        copied.contains(u": Why not two?\n"_s) && copied.contains(u": Say it.\n  --- a/x\n"_s), qPrintable(copied));
    QVERIFY2(copied.contains(u": Why not two?\n      @@ -"_s), qPrintable(copied)); // and what was changed
    QVERIFY(copied.startsWith(u"- "_s + ui::displayText(shown.found().edit(0).path) + u", edit #"_s));

    shown.page.setScope(EditScope::Session);
    shown.page.copyPatch();
    shown.page.waitForContent();
    const QString patch = QGuiApplication::clipboard()->text();
    QVERIFY(patch.startsWith(u"# Review comments\n# - "_s));
    const QString git = QStandardPaths::findExecutable(u"git"_s);
    if (git.isEmpty())
        QSKIP("There is no git here.");
    const QTemporaryDir tree;
    QVERIFY(QDir(tree.path()).mkdir(u"src"_s));
    for (const auto &[name, text] : { std::pair(u"src/a.txt"_s, QByteArray::fromStdString(kSix)),
             std::pair(u"comments.patch"_s, patch.toUtf8()) }) {
        QFile file(tree.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QProcess apply;
    apply.setWorkingDirectory(tree.path());
    apply.start(git, { u"apply"_s, u"comments.patch"_s });
    QVERIFY(apply.waitForFinished());
    QVERIFY2(apply.exitCode() == 0, apply.readAllStandardError().constData());
}

void EditsViewTest::aPatchCarriesTheCommentsOnWhatItHolds()
{
    Shown shown;
    shown.review().setComment(0, "Of one file.");
    shown.review().setComment(4, "Of what failed.");
    shown.review().setComment(5, "Of another.");
    shown.review().setComment(6, "Of what is left out.");
    const auto patch = [&](EditScope scope, size_t edit) {
        shown.page.choose(edit);
        shown.page.setScope(scope);
        shown.page.copyPatch();
        shown.page.waitForContent();
        return QGuiApplication::clipboard()->text();
    };
    const QString one = patch(EditScope::Edit, 5);
    QVERIFY2(one.contains(u"Of another."_s) && one.count(u", edit #"_s) == 1, qPrintable(one));
    const QString other = patch(EditScope::Edit, 1);
    QVERIFY2(other.startsWith(u"diff --git"_s), qPrintable(other));
    const QString file = patch(EditScope::File, 1);
    QVERIFY2(file.contains(u"Of one file."_s) && file.count(u", edit #"_s) == 1, qPrintable(file));
    const QString session = patch(EditScope::Session, 0);
    QVERIFY2(session.contains(u"Of one file."_s) && session.contains(u"Of another."_s), qPrintable(session));
    QCOMPARE(session.count(u", edit #"_s), 2);
}

void EditsViewTest::everyFileWithoutADiffIsNamed()
{
    ClaudeLog log("/nowhere");
    log.typed("there and back");
    log.read("/nowhere/a.txt", kSix);
    log.edit("/nowhere/a.txt", "two", "zwei");
    log.edit("/nowhere/a.txt", "zwei", "two");
    log.write("/nowhere/b.txt", "fresh\n");
    log.write("/elsewhere/c.txt", "fresh\n");
    Shown shown(log);
    shown.page.setScope(EditScope::Session);
    const QString facts = shown.part<ui::FactsLine>(u"editFacts"_s)->text();
    QVERIFY2(facts.contains(u"3 edited files"_s) && facts.contains(u"1 ends as it began"_s), qPrintable(facts));
    shown.page.copyPatch();
    shown.page.waitForContent();
    const auto *said = shown.part<QLabel>(u"editsSaid"_s);
    QCOMPARE(said->text(),
        u"Copied a patch of 1 file. Left out: /elsewhere/c.txt (1 change), because it is outside the working folder. "
        u"Not in the patch: a.txt, because it ends as it began, as far as the log shows it."_s);
    QVERIFY2(said->isVisible() && said->height() >= said->heightForWidth(said->width()), "nothing of it is cut off");
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"# not in the patch: a.txt: it ends as it began"_s));
}

/// Two edits get comments with three clicks.
void EditsViewTest::aClickOnABubbleLeadsToTheComment()
{
    Shown shown;
    auto *field = shown.part<QPlainTextEdit>(u"editComment"_s);
    QTreeView *list = shown.page.list();
    const auto *delegate = qobject_cast<ui::EditsDelegate *>(list->itemDelegate());
    const auto clickBubble = [&](size_t edit) {
        const QRect row = list->visualRect(shown.page.model().indexOf(edit));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, delegate->bubbleRect(row).center());
    };
    clickBubble(1);
    QCOMPARE(shown.page.current(), std::optional<size_t>(1));
    QVERIFY(field->hasFocus());
    QTest::keyClicks(field, u"Why?"_s);
    clickBubble(3);
    QVERIFY(field->hasFocus() && field->toPlainText().isEmpty());
    QTest::keyClicks(field, u"No."_s);
    QTest::mouseClick(shown.part<QToolButton>(u"editCopyComments"_s), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(u": Why?\n"_s) && copied.contains(u": No.\n"_s), qPrintable(copied));
    QCOMPARE(shown.review().reviewedCount(), size_t(0));
    // By keys: back to the list, and from there to the field, in the diff of the whole file too.
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(list->hasFocus());
    shown.page.setScope(EditScope::File);
    QVERIFY(!field->isVisible());
    QTest::keyClick(list, Qt::Key_C);
    QVERIFY(field->isVisible() && field->hasFocus());
    QCOMPARE(field->toPlainText(), u"No."_s);
    clickBubble(2); // a change outside of the log
    QVERIFY(!field->isVisible());
}

void EditsViewTest::aNewFileHasOneColumn()
{
    Shown shown;
    ui::DiffView &diff = *shown.page.diffView();
    auto *modes = shown.part<QWidget>(u"diffMode"_s);
    shown.page.choose(5);
    shown.page.waitForContent();
    QCOMPARE(textOf(diff.afterSurface()), u"fresh\n"_s);
    QCOMPARE(diff.beforeSurface(), diff.afterSurface());
    QVERIFY(!modes->isVisible());
    QVERIFY(diff.afterSurface()->width() > diff.width() * 9 / 10);
    shown.page.choose(1);
    shown.page.waitForContent();
    QVERIFY(diff.beforeSurface() != diff.afterSurface()); // as it was chosen
    QVERIFY(modes->isVisible());
}

/// Another window of the program writes the notes of the same session.
void EditsViewTest::aHeldLockDelaysNoWindow()
{
    Shown shown;
    shown.page.choose(0);
    QLockFile lock(ui::reviewDocument(shown.workspace.path()).path + u".lock"_s);
    QDir().mkpath(QFileInfo(lock.fileName()).path());
    QVERIFY(lock.tryLock(0));
    shown.review().setComment(0, "Why?");
    shown.open();                        // writes the comment and reads the notes again
    QTRY_VERIFY(shown.review().found()); // the edits are shown while the writer waits
    lock.unlock();
    shown.page.waitForContent();
    QCOMPARE(shown.review().problem(), QString());
    QCOMPARE(shown.review().comment(0), std::string("Why?"));
}

void EditsViewTest::thePromptStandsBesideTheEdit()
{
    ClaudeLog log;
    log.typed("first wish");
    log.write("/work/one.txt", "1\n");
    log.typed("second wish, as in #1 <b>");
    log.write("/work/two.txt", "2\n");
    Shown shown(log);
    const auto *prompt = shown.page.findChild<QLabel *>(u"editPrompt"_s);
    shown.page.choose(0);
    QVERIFY2(prompt->text().contains(u"“first wish”"_s), qPrintable(prompt->text()));
    shown.page.choose(1);
    QVERIFY2(prompt->text().contains(u"“second wish, as in #1 &lt;b&gt;”"_s), qPrintable(prompt->text()));
    QCOMPARE(prompt->text().count(u"<a href"_s), 1); // the number in the quotation is not a message
}

void EditsViewTest::aFileOfManyLinesIsShownByTheVisibleRows()
{
    constexpr int kLines = 20'000;
    std::string text;
    for (int i = 0; i < kLines; ++i)
        text += "line " + std::to_string(i) + " of many\n";
    std::string changed = text;
    changed.replace(changed.find("line 10000 "), 10, "LINE 10000");
    ClaudeLog log("/nowhere"); // a folder that no machine has
    log.typed("change one line");
    log.write("/nowhere/large.txt", text);
    log.edit("/nowhere/large.txt", "line 10000 of", "LINE 10000 of");
    Shown shown(log);
    shown.page.choose(1);
    shown.page.waitForContent();
    QCOMPARE(shown.page.diffView()->differenceCount(), size_t(1));
    const ui::TextSurface *after = shown.page.diffView()->afterSurface();
    QCOMPARE(textOf(after), QString::fromStdString(changed));
    // Folded but for the lines around the change.
    QVERIFY(after->layoutOfRows()->rowCount() < 20);
}

void EditsViewTest::theCentreShowsThem()
{
    ui::MainWindow window;
    window.resize(1280, 800);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const Shown file;
    QVERIFY(window.workspace().openNow(file.workspace.path()).has_value());
    ui::EditsPage &page = *window.centre().editsPage();
    QVERIFY(!page.review().found()); // nothing is found while nobody looks
    window.actions().action(u"view.edits"_s)->trigger();
    QCOMPARE(window.centre().page(), ui::CentrePages::Page::Edits);
    page.waitForContent();
    page.choose(0);
    window.actions().action(u"go.next-difference"_s)->trigger();
    QCOMPARE(page.current(), std::optional<size_t>(1));
    window.actions().action(u"edits.reviewed"_s)->trigger();
    QVERIFY(page.review().isReviewed(1));
    window.actions().action(u"view.debug"_s)->trigger();
    window.state().setCurrentBlock(page.review().found()->edit(3).use);
    window.actions().action(u"go.show-edit"_s)->trigger();
    QCOMPARE(page.current(), std::optional<size_t>(3));
    QTest::keyClick(page.list(), Qt::Key_Return);
    QCOMPARE(window.centre().page(), ui::CentrePages::Page::Array);
    window.actions().action(u"view.edits"_s)->trigger();
    window.actions().action(u"go.show-basis"_s)->trigger();
    QCOMPARE(window.centre().page(), ui::CentrePages::Page::Array);
    QCOMPARE(window.state().currentBlock(), page.review().basis(3)->carriers.front());
    QStringList words;
    for (const QAction *action : page.list()->actions()) // its menu
        words << action->text();
    QCOMPARE(words.count(u"Copy Patch"_s), 1);
    QVERIFY(words.contains(u"Show Basis of Edit"_s));
    QVERIFY(words.contains(u"Send Edit Back or Not"_s));
}

void EditsViewTest::everySizeIsPainted()
{
    Shown shown;
    for (const QSize size : { QSize(300, 250), QSize(750, 364), QSize(1400, 900) }) {
        for (const auto appearance : { ui::Appearance::Light, ui::Appearance::Dark }) {
            shown.state.setTheme(ui::Theme::make(appearance));
            shown.page.resize(size);
            const QImage image = shown.page.grab().toImage();
            QVERIFY(!image.isNull());
            QCOMPARE(image.pixelColor(size.width() - 2, 2), shown.state.theme().base);
        }
    }
}

PALIMPSEST_TEST(EditsViewTest)
#include "tst_edits_view.moc"
