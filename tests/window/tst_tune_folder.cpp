// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "core/report/policy_choice.h"
#include "core/sweep/sweep_front.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"
#include "ui/hub/run_figures.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/folder/folder_reach_view.h"
#include "ui/tuning/folder/suggestion_view.h"
#include "ui/tuning/folder/worst_runs_view.h"
#include "ui/tuning/map/front_view.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextEdit>
#include <QTextLayout>

#include <cmath>
#include <format>

using namespace Qt::StringLiterals;
using core::SweepMetric;
using ui::FolderSweeps;
using ui::Spread;

namespace {

constexpr size_t kGrid = 5; ///< the sanitizers make sweeps slow
constexpr size_t kRuns = 12;

void replaceAll(std::string &text, const std::string &from, const std::function<std::string(size_t)> &to)
{
    size_t count = 0;
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        const std::string now = to(count++);
        text.replace(at, from.size(), now);
        at += now.size();
    }
}

/// A session of the n-th day that reads files, and some of them again.
std::string sessionText(size_t number)
{
    testing::ClaudeLog log;
    log.typed(std::format("task {}", number));
    for (size_t i = 0; i < 8 + number % kRuns; ++i) {
        const size_t file = i % 7;
        log.read(std::format("/work/{}/{}.cpp", number, file),
            std::format("line {} of {}", file, number) + std::string(20'000, static_cast<char>('a' + file)));
    }
    std::string text = log.text();
    replaceAll(text, "\"input_tokens\":10,",
        [](size_t call) { return std::format("\"input_tokens\":{},", 10'000 + 6'000 * call); });
    replaceAll(text, "2026-01-01T", [&](size_t) { return std::format("2026-01-{:02}T", number + 1); });
    return text;
}

/// A session of the n-th day that is too short for any policy to act.
std::string shortText(size_t number)
{
    testing::ClaudeLog log;
    log.typed(std::format("task {}", number));
    log.setUsage(0, 0, 2'000);
    log.read(std::format("/work/{}.cpp", number), "one line");
    log.read(std::format("/work/{}.cpp", number + 1), "another line");
    std::string text = log.text();
    replaceAll(text, "2026-01-01T", [&](size_t) { return std::format("2026-01-{:02}T", number + 1); });
    return text;
}

/// Six edits quote what was read 40,000 letters ago.
std::string quotingText(size_t number)
{
    testing::ClaudeLog log;
    log.setUsage(0, 0, 0); // not recorded
    log.typed(std::format("task {}", number));
    std::string text;
    for (size_t line = 0; line < 6; ++line)
        text += std::format("the line number {} of the file of task {}\n", line, number);
    log.read("/work/a.txt", text);
    for (size_t i = 0; i < 2; ++i)
        log.read(std::format("/work/{}.txt", i), std::string(20'000, 'x'));
    for (size_t line = 0; line < 6; ++line)
        log.edit("/work/a.txt", std::format("the line number {} of the file of task {}", line, number), "other");
    return log.text();
}

/// A folder of that many runs.
struct Folder {
    QTemporaryDir dir;

    explicit Folder(size_t runs = kRuns)
    {
        for (size_t i = 0; i < runs; ++i)
            add(std::format("{:02}.jsonl", i), sessionText(i));
    }
    void add(const std::string &name, const std::string &text) const
    {
        QFile file(dir.filePath(QString::fromStdString(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    [[nodiscard]] std::filesystem::path path() const { return dir.path().toStdString(); }
};

/// The view on a folder, under a policy; all files are read.
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::FolderPage page { state };

    explicit Shown(const Folder &folder, bool isRead = true)
    {
        ui::installPaintedAccessibility();
        sweeps().settings().setGrid(kGrid);
        sweeps().setChoice({ { folder.path() }, false, std::nullopt });
        follow("deep-agents-js");
        page.resize(1100, 760);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        if (isRead)
            page.waitForMap();
    }
    void follow(const char *preset)
    {
        workspace.commitPlan(workspace.planWith(core::preset(preset)), u"Choose"_s);
        workspace.undoStack().clear();
    }
    [[nodiscard]] ui::FolderModel &model() { return page.model(); }
    [[nodiscard]] FolderSweeps &sweeps() { return model().sweeps(); }
    [[nodiscard]] QString title() const { return page.findChild<QLabel *>(u"folderTitle"_s)->text(); }
    [[nodiscard]] QString suggestion() const { return page.findChild<ui::SuggestionView *>()->answer(); }
    [[nodiscard]] QString details() const { return page.findChild<QTextEdit *>(u"suggestionText"_s)->toPlainText(); }
    /// Writes a limit of the suggestion.
    void limit(const QString &name, const QString &text)
    {
        auto *field = child<QLineEdit>(name);
        field->setText(text);
        Q_EMIT field->editingFinished();
        page.waitForMap();
    }
    /// Of the menu of runs.
    void choose(const QString &words) const
    {
        const auto actions = child<QPushButton>(u"folderRuns"_s)->menu()->actions();
        const auto found = std::ranges::find(actions, words, [](const QAction *action) { return action->text(); });
        QVERIFY(found != actions.end());
        (*found)->trigger();
    }
    template <typename Widget>
    [[nodiscard]] Widget *child(const QString &name) const
    {
        return page.findChild<Widget *>(name);
    }
};

/// What core makes of a folder by itself, on one processor.
core::SweepSet sweptAlone(Shown &shown, const Folder &folder)
{
    const core::SweepPlan &plan = shown.sweeps().current()->set.plan;
    std::vector<std::string> files;
    for (const QString &name : QDir(folder.dir.path()).entryList(QDir::Files, QDir::Name))
        files.push_back(folder.dir.filePath(name).toStdString());
    std::vector<core::FileSweep> made;
    core::sweepFiles(files, plan, *shown.workspace.figures().prices(), {},
        [&](core::FileSweep file) { made.push_back(std::move(file)); });
    return core::sweepSet(plan, std::move(made));
}

QString lines(const std::vector<std::string> &sentences)
{
    QStringList all;
    for (const std::string &sentence : sentences)
        all << QString::fromStdString(sentence);
    return all.join(u'\n');
}

} // namespace

/// The Tuning view of many sessions: real files in a folder, really swept, beside what core says of them.
class TuneFolderTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theHarnessOfTheFolderIsOfferedFirst();
    void theTitleCounts();
    void cellsAreTheSpreadOfTheirRuns();
    void theFrontIsOfTheSpreadInSight();
    void theFrontAndTheMapPointAtEachOther();
    void theWorstRunsComeFirst();
    void theSuggestionIsInTheWordsOfCore();
    void onlyWhatIsBetterIsTaken_data();
    void onlyWhatIsBetterIsTaken();
    void theDotsKeepTheLimits();
    void theTabsLeaveTheMapItsSize();
    void aPolicyIsChosenAmongSeveral();
    void aTakenPolicyGoesOnTakingPart_data();
    void aTakenPolicyGoesOnTakingPart();
    void otherPoliciesAreSweptOnce();
    void aMapThatComesDuringAGestureIsUsed();
    void theReachOfTheRunsIsShown();
    void limitsAreKeptOrRefused();
    void fewRunsSuggestNothing();
    void theMapComesWithTheFirstFiles();
    void stoppingKeepsWhatIsThere();
    void theLatestStartWins();
    void aDragStartsNoSweep();
    void olderRunsAreLeftOut();
    void aDateIsTyped();
    void nothingIsReadUnseen();
    void asRecordedTheMapStays();
    void aRunOpensUnderThePolicyOfTheMarker();
    void oneSessionSuggestsNothing();
    void aLowPageShowsOneAfterTheOther();
    void everySizeIsPainted();
};

void TuneFolderTest::theHarnessOfTheFolderIsOfferedFirst()
{
    const QTemporaryDir folder;
    const QString sample = testing::samplePath(u"messages-21.claude-code.jsonl"_s);
    QVERIFY(QFile::copy(sample, folder.filePath(u"a.jsonl"_s)));
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::FolderPage page(state);
    page.resize(1100, 760);
    page.show();
    const auto *own = page.findChild<QPushButton *>(u"ownPolicy"_s);
    QVERIFY(!own->isVisible());
    page.model().sweeps().setChoice({ { folder.path().toStdString() }, false, std::nullopt });
    QTRY_VERIFY(own->isVisible());
    const auto session = core::loadSession(sample.toStdString());
    QVERIFY(own->text().contains(QString::fromStdString(core::ownPresets(**session).front()->name)));
}

void TuneFolderTest::theTitleCounts()
{
    const Folder folder;
    folder.add("copy.jsonl", sessionText(3));
    folder.add("notes.txt", "no session");
    Shown shown(folder);
    const QString name = QDir(folder.dir.path()).dirName();
    QVERIFY2(
        shown.title().startsWith(name + u" · 14 files · 12 runs · 1 duplicate merged · 1 left out · 5 × 5 settings"_s),
        qPrintable(shown.title()));
    QVERIFY(shown.child<QLabel>(u"folderTitle"_s)->toolTip().contains(u"notes.txt"_s));
}

void TuneFolderTest::cellsAreTheSpreadOfTheirRuns()
{
    const Folder folder;
    Shown shown(folder);
    const core::SweepSet set = sweptAlone(shown, folder);
    QCOMPARE(set.runs.size(), kRuns);
    bool isSpread = false;
    for (const SweepMetric metric : { SweepMetric::Cost, SweepMetric::Peak, SweepMetric::LostUses }) {
        shown.model().setMetric(metric);
        for (size_t cell = 0; cell < kGrid * kGrid; ++cell) {
            const core::CellSpread spread = core::spreadOf(set, cell, metric);
            const std::array expected { spread.median, spread.p90, spread.worst };
            for (size_t i = 0; i < expected.size(); ++i) {
                shown.model().setSpread(static_cast<Spread>(i));
                QCOMPARE(shown.model().map().value(cell), expected[i]);
            }
            isSpread = isSpread || spread.worst > spread.median;
        }
    }
    QVERIFY(isSpread);
}

void TuneFolderTest::theFrontIsOfTheSpreadInSight()
{
    const Folder folder;
    Shown shown(folder);
    const core::SweepSet set = sweptAlone(shown, folder);
    constexpr std::array kPairs { std::array { SweepMetric::Tokens, SweepMetric::Peak },
        std::array { SweepMetric::Compactions, SweepMetric::Mean },
        std::array { SweepMetric::HitShare, SweepMetric::Cost } };
    bool isOfSpread = false;
    for (const auto &[up, across] : kPairs) {
        shown.model().setFrontMetric(0, up);
        shown.model().setFrontMetric(1, across);
        std::vector<size_t> median;
        double recordedMedian = 0;
        for (const auto spread : { Spread::Median, Spread::P90, Spread::Worst }) {
            const auto valueOf = [&](const core::CellSpread &of) {
                return spread == Spread::Median ? of.median : spread == Spread::P90 ? of.p90 : of.worst;
            };
            core::Sweep sweep { set.plan.policy, set.plan.x, set.plan.y, {} };
            for (size_t cell = 0; cell < kGrid * kGrid; ++cell) {
                core::SweepFigures figures;
                for (const SweepMetric metric : { up, across })
                    figures[metric] = valueOf(core::spreadOf(set, cell, metric));
                sweep.cells.emplace_back(figures);
            }
            shown.model().setSpread(spread);
            const std::vector<size_t> front = core::sweepFront(sweep, up, across);
            QCOMPARE(shown.model().front(), front);
            const double recorded = valueOf(core::recordedSpreadOf(set, across));
            QCOMPARE((*shown.model().recorded())[across], recorded);
            if (spread == Spread::Median) {
                median = front;
                recordedMedian = recorded;
            }
            isOfSpread = isOfSpread || front != median || recorded != recordedMedian;
        }
    }
    QVERIFY(isOfSpread);
}

void TuneFolderTest::theFrontAndTheMapPointAtEachOther()
{
    const Folder folder;
    Shown shown(folder);
    shown.page.setBelow(ui::FolderPage::Below::Front);
    QCoreApplication::processEvents();
    ui::FrontView &front = shown.page.front();
    QVERIFY(front.isVisible() && shown.page.map().isVisible());
    auto *up = shown.child<ui::SegmentedControl>(u"folderFrontUp"_s);
    QCOMPARE(up->current(), static_cast<int>(SweepMetric::Cost));
    Q_EMIT up->chosen(static_cast<int>(SweepMetric::Mean));
    QCOMPARE(shown.model().frontMetrics().front(), SweepMetric::Mean);
    const size_t cell = shown.model().front().front();
    const auto point = front.frontLayout().pointOf(cell);
    QVERIFY(point.has_value());
    const QPointF at(point->x, point->y);
    QMouseEvent over(QEvent::MouseMove, at, front.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&front, &over);
    const std::optional<size_t> under = shown.model().hovered();
    QVERIFY(under.has_value());
    const core::Sweep &sweep = *shown.model().map().sweep();
    for (const SweepMetric metric : shown.model().frontMetrics()) // points may lie upon each other
        QCOMPARE((*sweep.cells[*under])[metric], (*sweep.cells[cell])[metric]);
    const QString words = shown.child<QLabel>(u"folderBelowTitle"_s)->text();
    QVERIFY2(words.startsWith(shown.model().words(shown.model().placeOf(*shown.model().hovered()))), qPrintable(words));
    QVERIFY2(words.contains(u"Mean context"_s) && words.contains(u"Lost uses, share of uses"_s), qPrintable(words));
    QTest::mouseClick(&front, Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QCOMPARE(shown.model().markerCell(), under);
    // And what is under the pointer on the map is shown on the front.
    const size_t other = *under == 7 ? 8 : 7;
    const QPoint middle = shown.page.map().itemRect(static_cast<int>(other)).center();
    QMouseEvent onMap(QEvent::MouseMove, middle, shown.page.map().mapToGlobal(middle), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&shown.page.map(), &onMap);
    QCOMPARE(shown.model().hovered(), std::optional(other));
    const QString read = shown.child<QLabel>(u"folderBelowTitle"_s)->text();
    QVERIFY2(read.startsWith(shown.model().words(shown.model().placeOf(other))), qPrintable(read));
}

void TuneFolderTest::theWorstRunsComeFirst()
{
    const Folder folder;
    Shown shown(folder);
    const QAbstractItemModelTester tester(shown.page.worstRuns().model());
    // Where it never fires, peaks are those recorded: the last run is the worst.
    constexpr size_t kCell = kGrid * kGrid - 1;
    shown.model().take(kCell);
    shown.model().setMetric(SweepMetric::Peak);
    const core::SweepSet set = sweptAlone(shown, folder);
    const std::vector<size_t> worst = core::worstRuns(set, kCell, SweepMetric::Peak);
    QCOMPARE(worst.front(), kRuns - 1);
    const QAbstractItemModel &rows = *shown.page.worstRuns().model();
    QCOMPARE(rows.rowCount(), static_cast<int>(worst.size()));
    for (int row = 0; row < rows.rowCount(); ++row) {
        const core::RunSweep &run = set.runs[worst[static_cast<size_t>(row)]];
        QCOMPARE(rows.index(row, ui::WorstRunsModel::File).data().toString(),
            QFileInfo(QString::fromStdString(run.file)).fileName());
        QCOMPARE(rows.index(row, ui::WorstRunsModel::Share).data().toString(),
            QString::fromStdString(core::shownScaled(SweepMetric::Peak, run.cells[kCell][SweepMetric::Peak])));
    }
    // What can be added up has a sum below; it is no run.
    shown.model().setMetric(SweepMetric::Tokens);
    const int last = static_cast<int>(set.runs.size());
    QCOMPARE(rows.rowCount(), last + 1);
    double sum = 0;
    double recorded = 0;
    for (const core::RunSweep &run : set.runs) {
        sum += run.cells[kCell][SweepMetric::Tokens];
        recorded += run.recorded[SweepMetric::Tokens];
    }
    QCOMPARE(rows.index(last, ui::WorstRunsModel::Simulated).data().toString(),
        QString::fromStdString(core::shownMetric(SweepMetric::Tokens, sum)));
    QCOMPARE(rows.index(last, ui::WorstRunsModel::Recorded).data().toString(),
        QString::fromStdString(core::shownMetric(SweepMetric::Tokens, recorded)));
    QSignalSpy asked(&shown.page, &ui::FolderPage::runRequested);
    shown.page.worstRuns().setCurrentIndex(rows.index(last, 0));
    QTest::keyClick(&shown.page.worstRuns(), Qt::Key_Return);
    QVERIFY(asked.isEmpty());
    shown.model().setMetric(SweepMetric::Peak);
    ui::WorstRunsView &list = shown.page.worstRuns();
    QVERIFY(list.isVisible() && list.x() + list.parentWidget()->x() >= shown.page.map().geometry().right());
    QTest::mouseClick(
        list.viewport(), Qt::LeftButton, {}, list.visualRect(rows.index(2, ui::WorstRunsModel::Title)).center());
    QCOMPARE(asked.takeFirst().first().toString(), QString::fromStdString(set.runs[worst[2]].file));
    const QPoint second = list.visualRect(rows.index(1, ui::WorstRunsModel::Calls)).center();
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, second);
    QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, second);
    QCOMPARE(asked.takeFirst().first().toString(), QString::fromStdString(set.runs[worst[1]].file));
    list.setCurrentIndex(rows.index(0, 0));
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(asked.takeFirst().first().toString(), QString::fromStdString(set.runs[worst[0]].file));
}

void TuneFolderTest::theSuggestionIsInTheWordsOfCore()
{
    const Folder folder;
    Shown shown(folder);
    shown.limit(u"limitLostUses"_s, u"1"_s);
    shown.limit(u"limitLostMessages"_s, u"any"_s);
    const core::SweepSet set = sweptAlone(shown, folder);
    core::SuggestionOptions options;
    options.limits = { core::parseLimit("lost_uses=1%").value() };
    const auto made = core::suggest(set, options);
    QVERIFY(made.has_value());
    const QString head = lines(core::suggestionHead(set, *made));
    QCOMPARE(made->advice(), core::Suggestion::Advice::Use);
    QCOMPARE(shown.suggestion(), head);
    QCOMPARE(shown.details(), lines(core::suggestionDetails(set, *made))); // the page has the answer above the map
    shown.page.setBelow(ui::FolderPage::Below::Suggestion);
    QTest::mouseClick(shown.child<QPushButton>(u"takeSuggestion"_s), Qt::LeftButton);
    QCOMPARE(shown.model().markerCell(), std::optional(made->cell));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QSignalSpy asked(&shown.page, &ui::FolderPage::runRequested);
    QTest::mouseClick(shown.child<QPushButton>(u"suggestionWorst0"_s), Qt::LeftButton);
    QCOMPARE(asked.takeFirst().first().toString(), QString::fromStdString(set.runs[made->worst.front()].file));
}

void TuneFolderTest::onlyWhatIsBetterIsTaken_data()
{
    QTest::addColumn<bool>("isBetter");
    QTest::newRow("stay with your settings") << false;
    QTest::newRow("use others") << true;
}

/// The verdict, the frame on the map and the button agree.
void TuneFolderTest::onlyWhatIsBetterIsTaken()
{
    QFETCH(const bool, isBetter);
    const Folder folder(isBetter ? kRuns : 0);
    for (size_t i = 0; !isBetter && i < kRuns; ++i)
        folder.add(std::format("{:02}.jsonl", i), shortText(i));
    Shown shown(folder);
    shown.page.setBelow(ui::FolderPage::Below::Suggestion);
    shown.limit(u"limitLostMessages"_s, u"any"_s);
    QVERIFY(shown.model().suggestions().chosen() != nullptr);
    QCOMPARE(shown.model().isSuggestionUseful(), isBetter);
    auto *take = shown.child<QPushButton>(u"takeSuggestion"_s);
    QCOMPARE(take->isVisible(), isBetter);
    const QString verdict = shown.suggestion();
    QVERIFY2(isBetter ? verdict.startsWith(u"Use "_s) || verdict.startsWith(u"Not sure ("_s)
                      : verdict.startsWith(u"Nothing is better than what was recorded."_s),
        qPrintable(verdict));
    if (!isBetter)
        return;
    const std::optional<size_t> suggested = shown.model().suggestedCell();
    QTest::mouseClick(take, Qt::LeftButton);
    QCOMPARE(shown.model().markerCell(), suggested);
    QCOMPARE(shown.workspace.undoStack().count(), 1);
}

/// A dot is no recommendation that the suggestion refuses.
void TuneFolderTest::theDotsKeepTheLimits()
{
    const Folder folder;
    Shown shown(folder);
    shown.model().setMetric(SweepMetric::Peak);
    shown.limit(u"limitLostMessages"_s, u"any"_s);
    const QString words = shown.child<QLabel>(u"folderMapWords"_s)->text();
    QVERIFY2(words.contains(u"dotted: within the limits of the suggestion, better than the recorded run ("_s),
        qPrintable(words));
    const auto count = [&] { return std::ranges::count(shown.model().dotted(), true); };
    const ptrdiff_t all = count();
    QVERIFY(all > 0);
    shown.page.setBelow(ui::FolderPage::Below::Suggestion);
    auto *field = shown.child<QLineEdit>(u"limitPeak"_s);
    field->setText(u"40k"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(count() < all);
    field->setText(u"1"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(count(), 0);
    QVERIFY2(shown.child<QLabel>(u"folderMapWords"_s)
                 ->text()
                 .contains(u"no setting within the limits of the suggestion is better"_s),
        qPrintable(shown.title()));
}

void TuneFolderTest::theTabsLeaveTheMapItsSize()
{
    const Folder folder;
    Shown shown(folder);
    using Below = ui::FolderPage::Below;
    for (const QSize size : { QSize(990, 660), QSize(1290, 860), QSize(700, 560) }) {
        shown.page.resize(size);
        shown.page.setBelow(Below::WorstRuns);
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        const QRect map = shown.page.map().geometry();
        for (const Below below : { Below::Suggestion, Below::Reach, Below::Front, Below::WorstRuns }) {
            shown.page.setBelow(below);
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            QCOMPARE(shown.page.map().geometry(), map);
        }
    }
}

void TuneFolderTest::aPolicyIsChosenAmongSeveral()
{
    const Folder folder;
    Shown shown(folder);
    shown.page.setBelow(ui::FolderPage::Below::Suggestion);
    auto *policies = shown.child<QPushButton>(u"suggestionPolicies"_s);
    QCOMPARE(policies->text(), u"This Policy Only"_s);
    const auto tick = [&](const char *preset) {
        Q_EMIT policies->menu()->aboutToShow();
        const auto actions = policies->menu()->actions();
        const QString name = QString::fromStdString(core::preset(preset)->name);
        const auto found = std::ranges::find(actions, name, &QAction::text);
        QVERIFY(found != actions.end());
        (*found)->trigger();
        shown.page.waitForMap();
    };
    // What the command line makes of the same policies.
    const auto reportOf = [&](const core::SweepPlan &plan) {
        std::vector<core::FileSweep> made;
        const std::vector<std::filesystem::path> places { folder.path() };
        core::sweepFiles(core::filesOf(places), plan, *shown.workspace.figures().prices(), {},
            [&](core::FileSweep file) { made.push_back(std::move(file)); });
        core::SweepSetReport report { core::sweepSet(plan, std::move(made)), SweepMetric::Cost, std::nullopt };
        core::SuggestionOptions options;
        options.limits = shown.model().suggestions().limits();
        report.suggestion = core::suggest(report.set, options);
        return report;
    };
    std::vector<core::SweepSetReport> reports { reportOf(shown.sweeps().current()->set.plan) };
    for (const char *other : { "langchain-summarization", "deep-agents" }) {
        tick(other);
        const core::PolicyPtr policy = core::preset(other);
        reports.push_back(reportOf({ policy, core::parseAxis(*policy, {}, "keep", kGrid).value(),
            core::parseAxis(*policy, {}, "trigger", kGrid).value(), shown.workspace.figures().prices()->date() }));
    }
    QCOMPARE(policies->text(), u"3 Policies"_s);
    const core::PolicyChoice choice = core::choosePolicy(reports);
    const auto &chosen = choice.policies[*choice.chosen];
    QVERIFY(shown.suggestion().startsWith(ui::displayText(core::adviceSentence(chosen.set, **chosen.suggestion))));
    for (const std::string &sentence : core::suggestionHead(chosen.set, **chosen.suggestion))
        QVERIFY2((shown.suggestion() + shown.details()).contains(ui::displayText(sentence)), sentence.c_str());
    QVERIFY(shown.details().endsWith(QString::fromStdString(core::policyTable(choice)).trimmed()));
    auto *text = shown.child<QTextEdit>(u"suggestionText"_s);
    shown.page.resize(740, 560);
    QCoreApplication::processEvents();
    size_t rows = 0; // of the table: none is broken
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
        const bool isRow = block.text().startsWith(u"  lang"_s) || block.text().startsWith(u"  deep"_s)
            || block.text().startsWith(u"* "_s);
        rows += isRow ? 1 : 0;
        QVERIFY2(!isRow || block.layout()->lineCount() == 1, qPrintable(block.text()));
    }
    QCOMPARE(rows, size_t(3));
    // Without its own policy it is another one, which is taken in one step.
    tick("deep-agents-js");
    QCOMPARE(policies->text(), u"2 Policies"_s);
    const core::SweepSetReport *made = shown.model().suggestions().chosen();
    QVERIFY(made != nullptr);
    QVERIFY(made->set.plan.policy->id != "deep-agents-js");
    QVERIFY(!shown.model().suggestedCell());
    const std::string id = made->set.plan.policy->id;
    const std::string settings = made->set.plan.settingsOf((**made->suggestion).cell);
    const core::PolicyPtr before = shown.workspace.plan().policy;
    shown.model().takeSuggestion();
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    const core::Policy &taken = *shown.workspace.plan().policy;
    QCOMPARE(taken.id, id);
    QCOMPARE("keep " + taken.keep.measure.words() + ", trigger " + shown.workspace.trigger()->words(), settings);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.workspace.plan().policy, before);
}

void TuneFolderTest::aTakenPolicyGoesOnTakingPart_data()
{
    QTest::addColumn<bool>("hasOwn");
    QTest::newRow("chosen before that of the map") << true;
    QTest::newRow("that of the map took no part") << false;
}

/// With it the others do, the map's own policy of before among them.
void TuneFolderTest::aTakenPolicyGoesOnTakingPart()
{
    QFETCH(const bool, hasOwn);
    const Folder folder;
    Shown shown(folder);
    ui::Suggestions &suggestions = shown.model().suggestions();
    const std::array all { "deep-agents", "langchain-clear-tool-uses", "genkit-recipe", "iii-pr140-intended" };
    for (const char *each : all)
        suggestions.add(core::preset(each));
    suggestions.setHasOwn(hasOwn);
    // Another is better than one of them at least.
    for (const char *each : all) {
        shown.follow(each);
        shown.page.waitForMap();
        QCOMPARE(suggestions.own()->id, std::string(each));
        if (!shown.model().suggestedCell())
            break;
    }
    QVERIFY(suggestions.chosen() != nullptr && !shown.model().suggestedCell());
    const std::string best = suggestions.chosen()->set.plan.policy->id;
    QVERIFY(best != suggestions.own()->id);
    const size_t count = suggestions.current()->policies.size();
    QCOMPARE(count, hasOwn ? 4U : 3U);
    shown.page.setBelow(ui::FolderPage::Below::Suggestion);
    shown.model().takeSuggestion();
    QCOMPARE(shown.workspace.plan().policy->id, best);
    QVERIFY(!shown.model().isSuggestionOfThis()); // the map is of the policy before
    shown.page.waitForMap();
    QCOMPARE(suggestions.own()->id, best);
    QVERIFY(suggestions.hasOwn());
    QCOMPARE(suggestions.current()->policies.size(), count);
    QCOMPARE(suggestions.chosen()->set.plan.policy->id, best);
    QCOMPARE(shown.model().suggestedCell(), shown.model().markerCell());
}

/// Sweeping for other policies is counted and can be stopped; another limit sweeps nothing.
void TuneFolderTest::otherPoliciesAreSweptOnce()
{
    const Folder folder;
    Shown shown(folder);
    ui::Suggestions &suggestions = shown.model().suggestions();
    auto *stop = shown.child<QPushButton>(u"folderStop"_s);
    QVERIFY(!stop->isVisible());
    suggestions.add(core::preset("langchain-summarization"));
    QVERIFY(suggestions.isSweeping() && stop->isVisible());
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(!suggestions.isSweeping() && !stop->isVisible());
    QVERIFY2(shown.suggestion().contains(u"was stopped"_s), qPrintable(shown.suggestion()));
    suggestions.setLimits({ core::parseLimit("lost_uses=5%").value() });
    QVERIFY(suggestions.isSweeping());
    QTRY_COMPARE(suggestions.files().done, kRuns);
    shown.page.waitForMap();
    QCOMPARE(suggestions.current()->policies.size(), 2U);
    suggestions.setLimits({ core::parseLimit("lost_uses=2%").value() });
    QVERIFY(suggestions.isRunning() && !suggestions.isSweeping());
    shown.page.waitForMap();
    QCOMPARE(suggestions.current()->policies.size(), 2U);
    suggestions.add(core::preset("none")); // has nothing to be swept
    QVERIFY(!suggestions.isRunning());
    QCOMPARE(suggestions.others().size(), 1U);
}

/// A map that was finished while a setting was dragged is suggested of when that is given up.
void TuneFolderTest::aMapThatComesDuringAGestureIsUsed()
{
    const Folder folder;
    Shown shown(folder, false);
    const core::PolicyPtr asked = shown.workspace.plan().policy;
    const auto all = shown.sweeps().settings().all();
    const auto setting = std::ranges::find_if(all, [](const std::string &each) { return each.ends_with(".cap"); });
    QVERIFY(setting != all.end());
    QTRY_VERIFY(shown.sweeps().files().all > 0);
    int i = 0;
    do { // once at least: the map may be there already
        const auto moved = core::withSetting(*asked, *setting, i++ % 2 == 0 ? "70000" : "60000");
        QVERIFY(moved.has_value());
        shown.workspace.previewPlan(shown.workspace.planWith(moved.value()));
        if (!shown.sweeps().isWhole())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    } while (!shown.sweeps().isWhole());
    QVERIFY(shown.sweeps().isOutdated());
    shown.workspace.previewPlan(shown.workspace.planWith(asked));
    QTRY_VERIFY(!shown.sweeps().isOutdated()); // the job may still be ending
    shown.page.waitForMap();
    QCOMPARE(shown.model().suggestions().map(), shown.sweeps().current());
    QVERIFY(shown.model().suggestions().chosen() != nullptr);
}

void TuneFolderTest::theReachOfTheRunsIsShown()
{
    const Folder folder(0);
    for (size_t i = 0; i < 3; ++i)
        folder.add(std::format("{}.jsonl", i), quotingText(i));
    Shown shown(folder);
    shown.page.setBelow(ui::FolderPage::Below::Reach);
    auto *reach = shown.child<ui::FolderReachView>(u"folderReach"_s);
    QVERIFY(reach->isVisible());
    const core::SweepSet &set = *shown.model().set();
    QCOMPARE(set.runs.size(), size_t { 3 });
    QCOMPARE(set.runs.front().reach.useCount(), size_t { 6 });
    // The words follow the pointer: the least that is kept reaches nothing, the most all.
    const auto wordsWhere = [&](bool (*isSought)(double kept, double needed)) {
        for (size_t cell = 0; cell < set.plan.cellCount(); ++cell) {
            const auto policy = shown.model().policyAt(shown.model().placeOf(cell));
            const double kept = policy->keep.measure.tokensIn(set.runs.front().window);
            if (kept > 0 && isSought(kept, set.runs.front().reach.keepFor(1))) {
                shown.model().setHovered(cell);
                return reach->keepWords();
            }
        }
        return QString();
    };
    const QString most = wordsWhere([](double kept, double needed) { return kept > needed; });
    QVERIFY2(most.contains(u"100 % of the quotes"_s), qPrintable(most));
    const QString least = wordsWhere([](double kept, double needed) { return kept < needed / 2; });
    QVERIFY2(least.contains(u"contains the text of 0 % of the quotes"_s), qPrintable(least));
    QCOMPARE(shown.page.findChild<QLabel *>(u"folderBelowTitle"_s)->text(), least);
}

void TuneFolderTest::limitsAreKeptOrRefused()
{
    const Folder folder;
    Shown shown(folder);
    shown.page.setBelow(ui::FolderPage::Below::Suggestion);
    const auto type = [&](const QString &name, const QString &text) {
        auto *field = shown.child<QLineEdit>(name);
        field->setFocus();
        field->setText(text);
        QTest::keyClick(field, Qt::Key_Return);
    };
    type(u"limitPeak"_s, u"60k"_s);
    const std::vector<core::SweepLimit> &limits = shown.model().suggestions().limits();
    QVERIFY(limits.size() > 2 && limits[0] == core::usualLimits()[0]); // an empty field has the usual limit
    type(u"limitLostUses"_s, u"any"_s);
    type(u"limitLostMessages"_s, u"any"_s);
    QCOMPARE(limits.size(), size_t { 1 });
    QCOMPARE(limits.front().metric, SweepMetric::Peak);
    QCOMPARE(limits.front().most, 60'000.0);
    type(u"limitPeak"_s, u"lots"_s); // the last good ones stay
    QCOMPARE(limits.front().most, 60'000.0);
    type(u"limitPeak"_s, u"1"_s);
    shown.page.waitForMap();
    core::SuggestionOptions options;
    options.limits = { core::parseLimit("peak=1").value() };
    const auto refused = core::suggest(shown.sweeps().current()->set, options);
    QVERIFY(!refused.has_value());
    QCOMPARE(shown.suggestion(), QString::fromStdString(refused.error().message));
    QVERIFY(!shown.child<QPushButton>(u"takeSuggestion"_s)->isVisible());
    QVERIFY(!shown.child<QPushButton>(u"suggestionStatistics"_s)->isVisibleTo(&shown.page));
}

void TuneFolderTest::fewRunsSuggestNothing()
{
    const Folder folder(1);
    Shown shown(folder);
    QVERIFY(shown.title().contains(u" · 1 file · 1 run · "_s));
    const auto refused = core::suggest(shown.sweeps().current()->set);
    QVERIFY(!refused.has_value());
    QCOMPARE(shown.suggestion(), QString::fromStdString(refused.error().message));
    QVERIFY(!shown.model().suggestedCell());
}

void TuneFolderTest::theMapComesWithTheFirstFiles()
{
    const Folder folder(30);
    Shown shown(folder, false);
    shown.sweeps().setPublishPause(0);
    std::vector<size_t> files;
    connect(&shown.sweeps(), &FolderSweeps::changed, this,
        [&] { files.push_back(shown.sweeps().current()->set.fileCount); });
    shown.page.waitForMap();
    QVERIFY(files.size() >= 2);
    QVERIFY(files.front() < 30);
    QVERIFY(std::ranges::is_sorted(files));
    QCOMPARE(files.back(), size_t { 30 });
    QVERIFY(shown.sweeps().isWhole());
}

void TuneFolderTest::stoppingKeepsWhatIsThere()
{
    const Folder folder(30);
    Shown shown(folder, false);
    shown.sweeps().setPublishPause(0);
    QTRY_VERIFY_WITH_TIMEOUT(shown.sweeps().current(), 20'000);
    auto *stop = shown.child<QPushButton>(u"folderStop"_s);
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(!shown.sweeps().isRunning());
    const ui::FolderMapPtr stopped = shown.sweeps().current();
    QVERIFY(stopped->set.fileCount < 30);
    QVERIFY2(shown.title().contains(u" · stopped after"_s), qPrintable(shown.title()));
    QVERIFY(shown.suggestion().startsWith(u"Reading was stopped"_s));
    QCoreApplication::processEvents();
    QCOMPARE(shown.sweeps().current(), stopped);
    QVERIFY(!stop->isVisible());
    shown.choose(u"Read Again"_s);
    shown.page.waitForMap();
    QCOMPARE(shown.sweeps().current()->set.fileCount, size_t { 30 });
}

void TuneFolderTest::theLatestStartWins()
{
    const Folder folder;
    Shown shown(folder, false);
    std::vector<std::string> policies;
    connect(&shown.sweeps(), &FolderSweeps::changed, this,
        [&] { policies.push_back(shown.sweeps().current()->set.plan.policy->id); });
    QTRY_VERIFY_WITH_TIMEOUT(shown.sweeps().files().done > 0, 20'000);
    shown.follow("langchain-summarization");
    shown.page.waitForMap();
    const auto latest = std::ranges::find(policies, "langchain-summarization");
    QVERIFY(latest != policies.end());
    QCOMPARE(std::count(latest, policies.end(), "langchain-summarization"), std::distance(latest, policies.end()));
}

void TuneFolderTest::aDragStartsNoSweep()
{
    const Folder folder(2);
    Shown shown(folder);
    const ui::FolderMapPtr before = shown.sweeps().current();
    shown.model().take(0);
    QCOMPARE(shown.model().markerCell(), std::optional<size_t>(0));
    QVERIFY(!shown.sweeps().isRunning());
    QCOMPARE(shown.sweeps().current(), before);
}

void TuneFolderTest::olderRunsAreLeftOut()
{
    const Folder folder;
    Shown shown(folder);
    FolderSweeps::Choice choice = shown.sweeps().choice();
    choice.since = *shown.sweeps().current()->set.runs[5].begun;
    shown.sweeps().setChoice(choice);
    QVERIFY(shown.sweeps().isOutdated());
    shown.page.waitForMap();
    QCOMPARE(shown.sweeps().current()->set.runs.size(), kRuns - 5);
    QCOMPARE(shown.sweeps().current()->set.leftOut.size(), size_t { 5 });
}

void TuneFolderTest::aDateIsTyped()
{
    const Folder folder;
    Shown shown(folder);
    auto *field = shown.child<QLineEdit>(u"folderSince"_s);
    auto *runs = shown.child<QPushButton>(u"folderRuns"_s);
    const auto enter = [&](const QString &text) {
        field->setText(text);
        QTest::keyClick(field, Qt::Key_Return);
        shown.page.waitForMap();
    };
    enter(u"2026-01-06"_s); // the sixth run's day
    QVERIFY2(shown.title().contains(u" · 12 files · 7 runs · 0 duplicates merged · 5 left out · since 2026-01-06 · "_s),
        qPrintable(shown.title()));
    QCOMPARE(runs->text(), u"Since 2026-01-06"_s);
    enter(u"soon"_s);
    QVERIFY(!field->toolTip().isEmpty());
    QCOMPARE(runs->text(), u"Since 2026-01-06"_s);
    QCOMPARE(shown.sweeps().current()->set.runs.size(), size_t { 7 });
    enter(u"2101-01-01"_s);
    QVERIFY(field->toolTip().isEmpty());
    QVERIFY(shown.sweeps().current()->set.runs.empty());
    QVERIFY(!shown.page.map().isVisible());
    enter(QString());
    QCOMPARE(runs->text(), u"All Dates"_s);
    QCOMPARE(shown.sweeps().current()->set.runs.size(), kRuns);
    shown.choose(u"Last 7 Days"_s);
    QCOMPARE(field->text(), u"7d"_s);
    QCOMPARE(runs->text(), u"Last 7 Days"_s);
}

void TuneFolderTest::nothingIsReadUnseen()
{
    const Folder folder(1);
    Shown shown(folder);
    shown.page.hide();
    const ui::FolderMapPtr before = shown.sweeps().current();
    shown.follow("langchain-summarization");
    QVERIFY(!shown.sweeps().isRunning());
    QCOMPARE(shown.sweeps().current(), before);
    shown.page.show();
    shown.page.waitForMap();
    QVERIFY(shown.sweeps().current() != before);
}

void TuneFolderTest::asRecordedTheMapStays()
{
    const Folder folder(2);
    Shown shown(folder);
    const ui::FolderMapPtr before = shown.sweeps().current();
    const core::PolicyPtr policy = shown.workspace.plan().policy;
    shown.workspace.commitPlan(shown.workspace.planWith(core::PolicyPtr()), u"As Recorded"_s);
    QVERIFY(shown.page.map().isVisible());
    QVERIFY(!shown.model().marker());
    const QAbstractItemModel &runs = *shown.page.worstRuns().model();
    QCOMPARE(runs.rowCount(), 2); // without a figure at the handle
    QCOMPARE(runs.index(0, ui::WorstRunsModel::Simulated).data().toString(), u"—"_s);
    QVERIFY(runs.index(0, ui::WorstRunsModel::Recorded).data().toString() != u"—"_s);
    QCOMPARE(shown.model().suggestions().own()->id, policy->id);
    shown.model().take(3); // a click on the map chooses its policy again
    QCOMPARE(shown.workspace.plan().policy->id, policy->id);
    QCOMPARE(shown.model().markerCell(), std::optional<size_t>(3));
    shown.workspace.undoStack().undo();
    QVERIFY(!shown.workspace.plan().policy);
    shown.workspace.commitPlan(shown.workspace.planWith(policy), u"Choose"_s);
    QVERIFY(!shown.sweeps().isRunning());
    QCOMPARE(shown.sweeps().current(), before); // the same is not read again
    QCOMPARE(runs.rowCount(), 3);               // and their sum
    QVERIFY(runs.index(0, ui::WorstRunsModel::Simulated).data().toString() != u"—"_s);
}

void TuneFolderTest::aRunOpensUnderThePolicyOfTheMarker()
{
    const Folder folder(3);
    ui::MainWindow window;
    window.resize(1400, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.tune({ folder.path() });
    ui::TuningPages &pages = *window.centre().tuningPages();
    QCOMPARE(window.centre().page(), ui::CentrePages::Page::Tuning);
    QCOMPARE(pages.page(), ui::TuningPages::Page::Folder);
    ui::FolderPage &page = *pages.folderPage();
    QVERIFY(page.isVisible());
    auto *both = pages.findChild<QWidget *>(u"tuningSwitch"_s);
    QVERIFY(!both->isVisible()); // there is no session
    page.model().sweeps().settings().setGrid(kGrid);
    window.workspace().commitPlan(window.workspace().planWith(core::preset("deep-agents-js")), u"Choose"_s);
    page.waitForMap();
    page.model().take(3);
    const std::string policy = window.workspace().plan().policy->document;
    const ui::FolderMapPtr before = page.model().sweeps().current();
    const QString first = page.worstRuns().model()->index(0, ui::WorstRunsModel::File).data().toString();
    page.worstRuns().setCurrentIndex(page.worstRuns().model()->index(0, 0));
    QTest::keyClick(&page.worstRuns(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window.workspace().session() && !window.workspace().isLoading(), 20'000);
    QTRY_VERIFY(window.workspace().plan().policy);
    QCOMPARE(QString::fromStdString(window.workspace().path().filename().string()), first);
    QCOMPARE(window.workspace().plan().policy->document, policy);
    QCOMPARE(pages.page(), ui::TuningPages::Page::Session);
    QVERIFY(both->isVisible());
    pages.setPage(ui::TuningPages::Page::Folder);
    QVERIFY(!page.model().sweeps().isRunning());
    QCOMPARE(page.model().sweeps().current(), before);
    QCOMPARE(page.model().markerCell(), std::optional<size_t>(3));
}

void TuneFolderTest::oneSessionSuggestsNothing()
{
    const Folder folder(1);
    ui::MainWindow window;
    window.resize(1400, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(window.workspace().openNow(folder.path() / "00.jsonl").has_value());
    window.centre().setPage(ui::CentrePages::Page::Tuning);
    ui::TuningPages &pages = *window.centre().tuningPages();
    QCOMPARE(pages.sessionPage()->findChild<QLabel *>(u"tuningTitle"_s)->text(), u"1 session"_s);
    QVERIFY(!pages.findChild<QWidget *>(u"suggestion"_s)->isVisible());
    QVERIFY(!pages.findChild<QWidget *>(u"tuningSwitch"_s)->isVisible());
}

void TuneFolderTest::aLowPageShowsOneAfterTheOther()
{
    const Folder folder(2);
    Shown shown(folder);
    auto *chooser = shown.child<ui::SegmentedControl>(u"folderShown"_s);
    auto *suggestion = shown.child<QWidget>(u"suggestion"_s);
    QVERIFY(!chooser->isVisible() && shown.page.map().isVisible());
    // As in a window of 1280 × 800 pixels with a session, a policy and three more to compare with.
    shown.page.layout()->setSizeConstraint(QLayout::SetNoConstraint);
    shown.page.setMinimumSize(0, 0);
    shown.page.resize(738, 284);
    QCoreApplication::processEvents();
    QVERIFY(chooser->isVisible() && shown.page.map().isVisible() && !suggestion->isVisible());
    const auto *readout = shown.child<QWidget>(u"tuningReadout"_s);
    QVERIFY(readout->height() >= readout->minimumSizeHint().height()); // all its lines
    QVERIFY(shown.page.rect().contains(QRect(readout->mapTo(&shown.page, QPoint()), readout->size())));
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Right);
    QVERIFY(shown.page.worstRuns().isVisible() && !shown.page.map().isVisible());
    QTest::keyClick(chooser, Qt::Key_Right);
    QVERIFY(suggestion->isVisible() && !shown.page.worstRuns().isVisible());
    shown.page.resize(738, 600);
    QCoreApplication::processEvents();
    QVERIFY(!chooser->isVisible() && shown.page.map().isVisible() && suggestion->isVisible());
}

void TuneFolderTest::everySizeIsPainted()
{
    const Folder folder(2);
    Shown shown(folder);
    shown.page.layout()->setSizeConstraint(QLayout::SetNoConstraint); // in the window it stands in another widget
    shown.page.setMinimumSize(0, 0);
    for (const QSize size :
        { QSize(300, 250), QSize(520, 300), QSize(740, 420), QSize(1100, 700), QSize(1800, 1200) }) {
        for (const auto below : { ui::FolderPage::Below::WorstRuns, ui::FolderPage::Below::Suggestion,
                 ui::FolderPage::Below::Reach, ui::FolderPage::Below::Front }) {
            shown.page.setBelow(below);
            shown.page.resize(size);
            QVERIFY(!shown.page.grab().isNull());
            QVERIFY(shown.page.map().width() <= size.width());
        }
    }
}

PALIMPSEST_TEST(TuneFolderTest)
#include "tst_tune_folder.moc"
