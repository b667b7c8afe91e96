// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/run_sweep.h"
#include "tests/claude_log.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/hub/better_policy_search.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/tuning/map/front_view.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/tuning_page.h"

#include <QAccessible>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

using namespace Qt::StringLiterals;
using core::SweepMetric;
using ui::Sweeps;

namespace {

/// Enough to have coarse cells and finer ones; the sanitizers make sweeps slow.
constexpr size_t kGrid = 16;

/// Thirty calls that read files, one of them again later, and a summary behind call 20.
core::SessionPtr thirtyCalls(const char *model = "claude-opus-4-5")
{
    core::RecordedSession recording;
    recording.builder().session().model = model;
    recording.builder().session().windowTokens = 200'000;
    recording.typed("do it");
    for (uint64_t i = 0; i < 30; ++i) {
        if (i == 21)
            recording.summarise(500);
        const uint64_t since = i < 21 ? i : i - 21;
        recording.use("Read", "a.cpp", 40, 10'000 + since * 7'000);
        recording.result("line " + std::to_string(i % 12) + std::string(20'000 + i % 12, 'x'));
    }
    return recording.finish();
}

/// The view on a session, under a policy.
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::TuningPage page { state };

    explicit Shown(const char *preset = "deep-agents")
    {
        ui::installPaintedAccessibility();
        workspace.show(thirtyCalls());
        if (preset != nullptr)
            follow(preset);
        sweeps().settings().setGrid(kGrid);
        page.resize(1100, 620);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        if (preset != nullptr)
            QVERIFY(waitForMap());
    }
    void follow(const char *preset)
    {
        workspace.commitPlan(workspace.planWith(core::preset(preset)), u"Choose"_s);
        workspace.undoStack().clear();
    }
    /// The map of the policy, whole.
    [[nodiscard]] bool waitForMap()
    {
        workspace.facts().waitForFacts();
        workspace.figures().waitForFigures();
        page.waitForMap();
        return isWhole();
    }
    [[nodiscard]] bool isWhole()
    {
        const core::SweepPtr &sweep = sweeps().current();
        return sweep && !sweeps().isOutdated()
            && std::ranges::all_of(sweep->cells, [](const auto &cell) { return cell.has_value(); });
    }
    [[nodiscard]] ui::TuningModel &model() { return page.model(); }
    [[nodiscard]] Sweeps &sweeps() { return model().sweeps(); }
    [[nodiscard]] ui::MapView &map() const { return page.map(); }
    [[nodiscard]] std::string keep() const { return workspace.plan().policy->keep.measure.text(); }
    [[nodiscard]] std::string trigger() const { return workspace.plan().policy->trigger.text(); }
    /// The middle of a cell.
    [[nodiscard]] QPoint at(size_t column, size_t row)
    {
        return map().itemRect(static_cast<int>(row * model().map().columns() + column)).center();
    }
    void drag(QPoint from, QPoint to) const
    {
        QTest::mousePress(&map(), Qt::LeftButton, {}, from);
        move(from + (to - from) / 2);
        move(to);
        QTest::mouseRelease(&map(), Qt::LeftButton, {}, to);
    }
    void move(QPoint to) const
    {
        QMouseEvent event(QEvent::MouseMove, to, map().mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&map(), &event);
    }
};

} // namespace

/// The Tuning view as people use it: real events, and maps that are really swept.
class TuningViewTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPageWithoutPolicyOffersSome();
    void theHarnessOfTheSessionIsOfferedFirst();
    void theAnswerIsTheCheapestCellWithinTheLimits();
    void limitsThatNothingKeepsAreSaid();
    void aSettingThatTheHarnessLacksStays();
    void aSessionThatBeginsMidwayIsNotJudged();
    void theAnswerStandsBesideTheHarness();
    void aPolicyThatDoesNothingHasNoMap();
    void theMarkerStandsInTheUnitOfTheAxes();
    void aBetterPolicyIsOfferedWithWhatItNeeds();
    void whatABetterPolicySearchWeighedCanBeTried();
    void theSwitchToAFolderLeavesTheMapItsSize();
    void theMapComesCoarseFirst();
    void aCellIsWhatAReplaySays();
    void theReadoutComparesWithTheRecordedRun();
    void asRecordedThereIsNoMap();
    void nothingIsSweptUnseen();
    void theLatestStartWins();
    void theMapStaysUntilThereIsANewOne();
    void aDragIsOneUndoStep();
    void aDragStartsNoSweep();
    void aDragPaintsWhatMoves();
    void aLayerIsDrawnWhenItChanges();
    void escapeTakesADragBack();
    void aClickTakesTheCell();
    void keysMoveTheMarkerCellByCell();
    void axesAndMetricsAreChosen();
    void overridesAreSweptToo();
    void theFrontAndTheMapPointAtEachOther();
    void theReadoutNamesEachSettingOnItsLine();
    void whatHasNoPriceShowsTokens();
    void itemsAreAccessibleObjects();
    void everySizeIsPainted();
};

void TuningViewTest::theHarnessOfTheSessionIsOfferedFirst()
{
    Shown shown(nullptr);
    const auto *own = shown.page.findChild<QPushButton *>(u"ownPolicy"_s);
    const QString sample = testing::samplePath(u"messages-21.claude-code.jsonl"_s);
    QVERIFY(shown.workspace.openNow(sample.toStdString()).has_value());
    QVERIFY(own->isVisible());
    const core::PolicyPtr expected = core::ownPresets(*shown.workspace.session()).front();
    QVERIFY2(own->text().contains(QString::fromStdString(expected->name)), qPrintable(own->text()));
    QTest::mouseClick(const_cast<QPushButton *>(own), Qt::LeftButton);
    QCOMPARE(shown.workspace.plan().policy->id, expected->id);
}

void TuningViewTest::theAnswerIsTheCheapestCellWithinTheLimits()
{
    Shown shown;
    const auto *words = shown.page.findChild<QLabel *>(u"tuningAnswer"_s);
    auto *take = shown.page.findChild<QPushButton *>(u"takeBest"_s);
    auto *limit = shown.page.findChild<QLineEdit *>(u"tuningLostShare"_s);
    const core::Sweep &sweep = *shown.sweeps().current();
    const auto uses = static_cast<double>(shown.sweeps().ground()->sweep->uses->count(core::kHeadlineUses));
    // What the harness does itself, or what was recorded.
    const core::SweepFigures &base = shown.model().own() != nullptr ? *shown.model().own() : *shown.model().recorded();
    const double lost = base[SweepMetric::LostMessages];
    QVERIFY(!std::isnan(lost));
    auto *messages = shown.page.findChild<QLineEdit *>(u"tuningLostMessages"_s);
    QCOMPARE(messages->text(), QString::number(lost));
    for (const auto &[share, most] : { std::pair("0", lost), std::pair("100", lost), std::pair("100", lost + 1) }) {
        limit->clear();
        QTest::keyClicks(limit, QString::fromLatin1(share));
        Q_EMIT limit->editingFinished();
        if (most != lost) {
            messages->clear();
            QTest::keyClicks(messages, QString::number(most));
            Q_EMIT messages->editingFinished();
        }
        const auto isRefused = [&](const core::SweepFigures &figures) {
            return figures[SweepMetric::TornCalls] > 0 || figures[SweepMetric::Peak] > 200'000;
        };
        const auto keepsLimits = [&](const core::SweepFigures &figures) {
            return figures[SweepMetric::LostUses] <= uses * QByteArray(share).toDouble() / 100
                && figures[SweepMetric::LostMessages] <= most && !isRefused(figures);
        };
        const auto isWithin = [&](size_t index) { return keepsLimits(*sweep.cells[index]); };
        constexpr double kNone = std::numeric_limits<double>::infinity();
        const double limitOfCost = keepsLimits(base) ? base[SweepMetric::Cost] * (1 - ui::SweepMap::kVisible) : kNone;
        double least = kNone;
        double steady = kNone; // the least of those whose neighbours are within the limits, too
        for (size_t index = 0; index < sweep.cells.size(); ++index) {
            if (!isWithin(index))
                continue;
            const double cost = (*sweep.cells[index])[SweepMetric::Cost];
            least = std::min(least, cost);
            bool isSteady = true;
            for (int column = -1; column <= 1; ++column) {
                for (int row = -1; row <= 1; ++row) {
                    const auto x = static_cast<int>(index % kGrid) + column;
                    const auto y = static_cast<int>(index / kGrid) + row;
                    const bool isThere = x >= 0 && y >= 0 && x < static_cast<int>(kGrid) && y < static_cast<int>(kGrid);
                    const size_t beside = static_cast<size_t>(y) * kGrid + static_cast<size_t>(x);
                    isSteady = isSteady && (!isThere || isWithin(beside) || isRefused(*sweep.cells[beside]));
                }
            }
            steady = isSteady ? std::min(steady, cost) : steady;
        }
        const double before = base[SweepMetric::Cost];
        const bool isSteady = steady < limitOfCost && (steady < before || least >= before);
        const double wanted = isSteady ? steady : least;
        const auto best = shown.model().suggestedCell();
        QCOMPARE(best.has_value(), wanted < limitOfCost);
        QVERIFY(!best || (*sweep.cells[*best])[SweepMetric::Cost] == wanted);
        const bool hasCheaper = best && isSteady && least < steady * (1 - ui::SweepMap::kVisible);
        const auto *beside = shown.page.findChild<QLabel *>(u"tuningBesideOwn"_s);
        QCOMPARE(beside->text().contains(u"Not steady: "_s), best && !isSteady);
        QCOMPARE(beside->text().contains(u"Cheaper, but not steady, "_s), hasCheaper);
        const bool isAtEdge
            = best && (*best % kGrid % (kGrid - 1) == 0 || *best / kGrid == 0 || *best / kGrid == kGrid - 1);
        const bool isSure = shown.model().isSure();
        QVERIFY2(!best || !isSure || (isSteady && !isAtEdge && uses >= core::kFewUses), qPrintable(words->text()));
        QCOMPARE(words->text().contains(u"edge of the map"_s), isAtEdge);
        QCOMPARE(words->font().bold(), isSure);
        QVERIFY2(words->text().startsWith(!best ? u"No setting of Deep Agents"_s
                         : !isSure              ? u"Not sure ("_s
                         : wanted >= before     ? u"Cheapest within the limits: "_s
                         : hasCheaper           ? u"Best steady settings within the limits: "_s
                                                : u"Best within the limits: "_s),
            qPrintable(words->text()));
        if (best) {
            const size_t summaries = sweep.cells[*best]->summaries;
            QCOMPARE(beside->text().startsWith(u"It writes %1 summar"_s.arg(summaries)), summaries > 0);
        }
    }
    const auto best = shown.model().suggestedCell();
    QVERIFY(best.has_value() && take->isVisible()); // with every loss allowed
    QTest::mouseClick(take, Qt::LeftButton);
    QCOMPARE(shown.model().markerCell(), best);
    QVERIFY(!take->isVisible());
    QCOMPARE(shown.workspace.undoStack().count(), 1);
}

/// Who breaks the limits already is not told to stay.
void TuningViewTest::limitsThatNothingKeepsAreSaid()
{
    Shown shown;
    shown.model().setMostLostMessages(-1);
    QVERIFY(!shown.model().suggestedCell());
    const QString lost = QString::number((*shown.model().baseline())[SweepMetric::LostMessages]);
    QCOMPARE(shown.model().answer(),
        u"No setting of Deep Agents keeps the limits, nor does %1: it loses %2 of your messages."_s.arg(
            shown.model().baselineName(), lost));
    // Within limits that it keeps, it may stay.
    shown.model().setMostLostMessages(100'000);
    shown.model().setLostShare(1);
    QVERIFY2(!shown.model().answer().contains(u"it loses"_s), qPrintable(shown.model().answer()));
}

/// Codex has a setting for the trigger, and none for keep.
void TuningViewTest::aSettingThatTheHarnessLacksStays()
{
    Shown shown("codex");
    shown.model().setLostShare(1);
    shown.model().setMostLostMessages(100'000);
    const core::Sweep &sweep = *shown.sweeps().current();
    QCOMPARE(sweep.x.setting, "keep");
    const size_t column = sweep.x.nearest(0);
    double least = std::numeric_limits<double>::infinity();
    double unlimited = least;
    for (size_t row = 0; row < sweep.y.values.size(); ++row) {
        for (size_t each = 0; each < sweep.x.values.size(); ++each) {
            const core::SweepFigures &figures = *sweep.cells[sweep.indexOf(each, row)];
            if (figures[SweepMetric::TornCalls] > 0 || figures[SweepMetric::Peak] > 200'000)
                continue;
            unlimited = std::min(unlimited, figures[SweepMetric::Cost]);
            least = each == column ? std::min(least, figures[SweepMetric::Cost]) : least;
        }
    }
    const auto best = shown.model().suggestedCell();
    QVERIFY(best.has_value());
    QCOMPARE((*sweep.cells[*best])[SweepMetric::Cost], least);
    const QString answer = shown.model().answer();
    QVERIFY2(answer.contains(u"trigger "_s) && !answer.contains(u"keep "_s), qPrintable(answer));
    const QString beside = shown.model().besideOwn();
    QVERIFY2(beside.contains(u"Codex has no setting for keep"_s), qPrintable(beside));
    QCOMPARE(beside.contains(u"If it had one: keep "_s), unlimited < least * (1 - ui::SweepMap::kVisible));
    const size_t row = *best / sweep.x.values.size();
    QCOMPARE(beside.contains(u"edge of the map"_s), row == 0 || row + 1 == sweep.y.values.size());
}

/// No policy can remove messages that are not in the file.
void TuningViewTest::aSessionThatBeginsMidwayIsNotJudged()
{
    QFile sample(testing::samplePath(u"messages-21.claude-code.jsonl"_s));
    QVERIFY(sample.open(QIODevice::ReadOnly));
    QByteArray text = sample.readAll();
    text.replace(text.indexOf("\"parentUuid\":null"), 17, "\"parentUuid\":\"00000000-0000-4000-8000-000000000000\"");
    const QTemporaryDir folder;
    QFile midway(folder.filePath(u"midway.jsonl"_s));
    QVERIFY(midway.open(QIODevice::WriteOnly));
    midway.write(text);
    midway.close();
    Shown shown(nullptr);
    QVERIFY(shown.workspace.openNow(midway.fileName().toStdString()).has_value());
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
    QVERIFY(!shown.model().suggestedCell());
    QCOMPARE(
        shown.page.findChild<QLabel *>(u"tuningAnswer"_s)->text(), u"Settings cannot be judged on this session."_s);
    QVERIFY(shown.page.findChild<QLabel *>(u"tuningBesideOwn"_s)->text().contains(u"begins in the middle"_s));
    // A folder leaves it out.
    const core::SweepPtr &sweep = shown.sweeps().current();
    const auto file = core::sweepSession("midway.jsonl", shown.workspace.session(),
        core::SweepPlan { sweep->policy, sweep->x, sweep->y, {} }, core::Prices(), {});
    QVERIFY(file.runs.empty());
    QVERIFY(file.leftOut.front().reason.starts_with("It begins in the middle of a session"));
}

/// The handle of a policy that leaves a number of tokens free, and the ring where its preset stands.
void TuningViewTest::theMarkerStandsInTheUnitOfTheAxes()
{
    Shown shown("pi");
    const double window = 200'000;
    QCOMPARE(shown.model().map().sweep()->y.unit, core::Measure::Unit::WindowFraction);
    QVERIFY(shown.model().marker().has_value());
    QVERIFY(std::abs(shown.model().marker()->y - (window - 16'384) / window) < 1e-9);
    QVERIFY(!shown.model().presetPlace().has_value());
    shown.model().take(0);
    QVERIFY(shown.model().presetPlace().has_value());
    QVERIFY(std::abs(shown.model().presetPlace()->y - (window - 16'384) / window) < 1e-9);
}

/// Who tunes looks here. What a search needs is said before it starts, and it refuses at once.
void TuningViewTest::aBetterPolicyIsOfferedWithWhatItNeeds()
{
    const QTemporaryDir folder;
    for (const char *name : { "a.jsonl", "b.jsonl", "c.jsonl" })
        QVERIFY(QFile::copy(
            testing::samplePath(u"messages-21.claude-code.jsonl"_s), folder.filePath(QLatin1StringView(name))));
    Shown shown(nullptr);
    QVERIFY(!shown.page.findChild<QPushButton *>(u"startBetterPolicy"_s)->isVisible()); // it has no folder
    QVERIFY(shown.workspace.openNow(folder.filePath(u"a.jsonl"_s).toStdString()).has_value());
    const auto *words = shown.page.findChild<QLabel *>(u"betterPolicyWords"_s);
    QTRY_VERIFY(words->isVisible());
    QVERIFY2(words->text().contains(
                 u"needs at least 10 runs with dates in other files of this folder. It has 2 other files."_s),
        qPrintable(words->text()));
    auto *start = shown.page.findChild<QPushButton *>(u"startBetterPolicy"_s);
    QVERIFY(start->isVisible());
    QTest::mouseClick(start, Qt::LeftButton);
    QTRY_VERIFY2(
        words->text().startsWith(u"Nothing can be said from 2 runs of other sessions: "_s), qPrintable(words->text()));
    // Beside the map the offer stays, and its tip says what it needs.
    shown.follow("deep-agents");
    const auto *again = shown.page.findChild<QToolButton *>(u"betterPolicy"_s);
    QVERIFY(again->isVisible() && again->toolTip().contains(u"needs at least 10 runs"_s));
}

/// The answer names a policy with its settings, even if the advice is to stay.
void TuningViewTest::whatABetterPolicySearchWeighedCanBeTried()
{
    const QTemporaryDir folder;
    for (int i = 0; i < 13; ++i) { // too short for any policy to act
        testing::ClaudeLog log;
        log.typed(std::format("task {}", i));
        log.setUsage(0, 0, 2'000);
        log.read(std::format("/work/{}.cpp", i), "one line");
        log.read(std::format("/work/{}.cpp", i + 1), "another line");
        QFile file(folder.filePath(QString::number(i) + u".jsonl"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(log.text()));
    }
    Shown shown(nullptr);
    QVERIFY(shown.workspace.openNow(folder.filePath(u"0.jsonl"_s).toStdString()).has_value());
    ui::BetterPolicySearch &search = shown.workspace.betterPolicy();
    search.wait();
    search.startOrStop();
    search.wait();
    QTRY_VERIFY(search.found() != nullptr);
    QVERIFY(search.found()->found() == nullptr && search.found()->choice.chosen);
    const core::SweepSetReport &report = search.found()->choice.policies[*search.found()->choice.chosen];
    const QString words = shown.page.findChild<QLabel *>(u"betterPolicyWords"_s)->text();
    QVERIFY2(words.contains(ui::displayText(
                 report.set.plan.policy->name + " with " + report.set.plan.settingsOf((**report.suggestion).cell))),
        qPrintable(words));
    auto *take = shown.page.findChild<QToolButton *>(u"takeBetterPolicy"_s);
    QVERIFY(take->isVisible());
    QCOMPARE(take->text(), u"Try It Here"_s);
    QTest::mouseClick(take, Qt::LeftButton);
    QCOMPARE(shown.workspace.plan().policy->id, report.set.plan.policy->id);
}

void TuningViewTest::theSwitchToAFolderLeavesTheMapItsSize()
{
    Shown shown;
    QCoreApplication::processEvents();
    const QRect map = shown.map().geometry();
    shown.page.setHeadRoom(180);
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    QCOMPARE(shown.map().geometry(), map);
}

void TuningViewTest::theMapComesCoarseFirst()
{
    Shown shown(nullptr);
    std::vector<size_t> made;
    connect(&shown.sweeps(), &Sweeps::changed, this, [&] {
        const core::SweepPtr &sweep = shown.sweeps().current();
        made.push_back(static_cast<size_t>(
            std::ranges::count_if(sweep->cells, [](const auto &cell) { return cell.has_value(); })));
    });
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
    QVERIFY(made.size() >= 2);
    QVERIFY(made.front() >= kGrid && made.front() < kGrid * kGrid);
    QCOMPARE(made.back(), kGrid * kGrid);
    QVERIFY(std::ranges::is_sorted(made));
    const QString title = shown.page.findChild<QLabel *>(u"tuningTitle"_s)->text();
    QVERIFY2(title.startsWith(u"dotted: "_s) || title.startsWith(u"no setting "_s), qPrintable(title));
}

void TuningViewTest::aCellIsWhatAReplaySays()
{
    Shown shown;
    const core::Sweep &sweep = *shown.sweeps().current();
    for (const auto &[column, row] : { std::pair(0, 0), { 5, 10 }, { 15, 15 } }) {
        const auto policy = core::policyAt(sweep, static_cast<size_t>(column), static_cast<size_t>(row));
        QVERIFY(policy.has_value());
        const auto alone
            = core::sweepCell(*shown.sweeps().ground()->sweep, std::make_shared<const core::Policy>(policy.value()));
        const auto &cell = sweep.at(static_cast<size_t>(column), static_cast<size_t>(row));
        QCOMPARE((*cell)[SweepMetric::Peak], (*alone)[SweepMetric::Peak]);
        QCOMPARE((*cell)[SweepMetric::LostUses], (*alone)[SweepMetric::LostUses]);
    }
}

/// Each figure stands beside that of the recorded run, where it is known.
void TuningViewTest::theReadoutComparesWithTheRecordedRun()
{
    Shown shown;
    const core::SweepFigures recorded = *shown.model().recorded();
    const auto lines = shown.model().linesOf(*shown.sweeps().current()->at(3, 3));
    size_t known = 0;
    for (const ui::MapModel::Figure &line : lines)
        known += line.recorded.isEmpty() ? 0 : 1;
    QVERIFY(known > 0 && known < lines.size()); // losses of the recorded run are not known
    QCOMPARE(lines.front().title, u"Cost"_s);
    QCOMPARE(lines.front().recorded, shown.model().shown(SweepMetric::Cost, recorded[SweepMetric::Cost]));
}

/// Losses of the recorded run are not known: those of the harness's own policy, replayed, are the reference.
void TuningViewTest::theAnswerStandsBesideTheHarness()
{
    Shown shown(nullptr);
    QVERIFY(shown.workspace.openNow(testing::samplePath(u"messages-21.claude-code.jsonl"_s).toStdString()));
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
    const core::PolicyPtr policy = core::ownPresets(*shown.workspace.session()).front();
    const core::RecordedFiguresPtr &recorded = shown.workspace.figures().recorded();
    const core::SweepFigures own = core::sweepFigures(
        *core::policyFigures(core::replay(recorded->ground, policy), *recorded, shown.workspace.facts().uses().get()),
        *recorded);
    QVERIFY(shown.model().own() != nullptr);
    for (size_t i = 0; i < core::kSweepMetricCount; ++i) {
        const auto metric = static_cast<SweepMetric>(i);
        QVERIFY(std::isnan(own[metric]) ? std::isnan((*shown.model().own())[metric])
                                        : own[metric] == (*shown.model().own())[metric]);
    }
    const auto *words = shown.page.findChild<QLabel *>(u"tuningBesideOwn"_s);
    QVERIFY2(words->text().contains(QString::fromStdString(policy->name)), qPrintable(words->text()));
    const auto best = shown.model().suggestedCell();
    const core::SweepFigures &judged = best ? *shown.sweeps().current()->cells[*best] : *shown.model().markerFigures();
    QVERIFY2(
        words->text().contains(QString::fromStdString(core::differenceWords(judged, own))), qPrintable(words->text()));
    // How its lost messages are counted.
    QCOMPARE(words->text().contains(u", as a simulated summary quotes none; recorded: "_s), own.summaries > 0);
    const auto lines = shown.model().linesOf(judged);
    const auto lost = std::ranges::find(lines, u"Lost uses"_s, &ui::MapModel::Figure::title);
    QCOMPARE(lost->recorded, u"0"_s); // nothing was removed from it
    QVERIFY(!lost->own.isEmpty() && !lost->meaning.isEmpty());
}

void TuningViewTest::aPolicyThatDoesNothingHasNoMap()
{
    Shown shown;
    shown.follow("none");
    QVERIFY(shown.model().map().isEmpty());
    QVERIFY(!shown.map().isVisible());
    shown.page.waitForMap();
    QVERIFY(shown.model().map().isEmpty());
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
}

void TuningViewTest::asRecordedThereIsNoMap()
{
    Shown shown(nullptr);
    shown.page.waitForMap();
    QVERIFY(shown.model().map().isEmpty());
    QVERIFY(!shown.map().isVisible());
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
    QVERIFY(shown.map().isVisible());
    shown.workspace.commitPlan(shown.workspace.planWith(core::PolicyPtr()), u"As Recorded"_s);
    QVERIFY(shown.model().map().isEmpty());
    QVERIFY(!shown.map().isVisible());
}

void TuningViewTest::nothingIsSweptUnseen()
{
    Shown shown(nullptr);
    shown.page.hide();
    shown.follow("deep-agents");
    shown.workspace.facts().waitForFacts();
    shown.workspace.figures().waitForFigures();
    QVERIFY(!shown.sweeps().isRunning());
    QVERIFY(!shown.sweeps().current());
    shown.page.show();
    QVERIFY(shown.waitForMap());
}

void TuningViewTest::theLatestStartWins()
{
    Shown shown;
    QCoreApplication::processEvents();
    std::vector<std::string> policies;
    connect(&shown.sweeps(), &Sweeps::changed, this, [&] { policies.push_back(shown.sweeps().current()->policy->id); });
    shown.follow("langchain-summarization");
    QTRY_VERIFY_WITH_TIMEOUT(!policies.empty(), 20'000); // its coarse cells are there
    shown.follow("genkit-recipe");
    QVERIFY(shown.waitForMap());
    const auto latest = std::ranges::find(policies, "genkit-recipe");
    QVERIFY(std::find(latest, policies.end(), "langchain-summarization") == policies.end());
    QCOMPARE(shown.sweeps().current()->policy->id, std::string("genkit-recipe"));
}

void TuningViewTest::theMapStaysUntilThereIsANewOne()
{
    Shown shown;
    const core::SweepPtr before = shown.sweeps().current();
    shown.follow("langchain-summarization");
    QVERIFY(shown.sweeps().isOutdated());
    QCOMPARE(shown.sweeps().current(), before);
    QVERIFY(shown.map().isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(shown.sweeps().current() != before, 20'000);
    QVERIFY(!shown.sweeps().isOutdated());
}

void TuningViewTest::aDragIsOneUndoStep()
{
    Shown shown;
    const std::string keep = shown.keep();
    const std::string trigger = shown.trigger();
    const QSignalSpy planChanges(&shown.workspace, &ui::Workspace::planChanged);
    const QPoint from = shown.map().markerPoint()->toPoint();
    shown.drag(from, shown.at(10, 7));
    QVERIFY(planChanges.count() >= 2); // all follows while it is dragged
    QVERIFY(shown.keep() != keep);
    QVERIFY(shown.trigger() != trigger);
    QCOMPARE(shown.model().markerCell(), std::optional<size_t>(7 * kGrid + 10));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.keep(), keep);
    QCOMPARE(shown.trigger(), trigger);
    QVERIFY((shown.map().markerPoint()->toPoint() - from).manhattanLength() <= 1);
}

void TuningViewTest::aDragStartsNoSweep()
{
    Shown shown;
    const core::SweepPtr before = shown.sweeps().current();
    shown.drag(shown.map().markerPoint()->toPoint(), shown.at(3, 3));
    QVERIFY(!shown.sweeps().isOutdated());
    QVERIFY(!shown.sweeps().isRunning());
    QCOMPARE(shown.sweeps().current(), before);
}

void TuningViewTest::aDragPaintsWhatMoves()
{
    Shown shown;
    shown.map().grab();
    const size_t drawn = shown.map().groundDrawings();
    const std::string trigger = shown.trigger();
    shown.drag(shown.map().markerPoint()->toPoint(), shown.at(3, 11));
    shown.map().grab();
    QVERIFY(shown.trigger() != trigger);
    QCOMPARE(shown.map().groundDrawings(), drawn);
    shown.model().setMetric(SweepMetric::Peak);
    shown.map().grab();
    QVERIFY(shown.map().groundDrawings() > drawn);
}

void TuningViewTest::aLayerIsDrawnWhenItChanges()
{
    QImage image(40, 40, QImage::Format_RGB32);
    image.fill(Qt::black);
    QPainter painter(&image);
    ui::PaintLayer<int> layer;
    const auto draw = [&](const QRect &area, int key) {
        layer.draw(painter, area, key, Qt::white, [](QPainter &drawing) { drawing.fillRect(20, 20, 4, 4, Qt::red); });
        return layer.drawings();
    };
    const QRect area(10, 10, 20, 20);
    QCOMPARE(draw(area, 1), size_t(1));
    QCOMPARE(draw(area, 1), size_t(1));
    QCOMPARE(draw(area, 2), size_t(2));
    QCOMPARE(draw(area.adjusted(0, 0, 0, 5), 2), size_t(3));
    QCOMPARE(image.pixelColor(21, 21), QColor(Qt::red)); // in the widget's coordinates
    QCOMPARE(image.pixelColor(12, 12), QColor(Qt::white));
    QCOMPARE(image.pixelColor(5, 5), QColor(Qt::black));
}

void TuningViewTest::escapeTakesADragBack()
{
    Shown shown;
    const std::string keep = shown.keep();
    QTest::mousePress(&shown.map(), Qt::LeftButton, {}, shown.map().markerPoint()->toPoint());
    shown.move(shown.at(12, 3));
    QVERIFY(shown.keep() != keep);
    QTest::keyClick(&shown.map(), Qt::Key_Escape);
    QCOMPARE(shown.keep(), keep);
    shown.move(shown.at(5, 5));
    QTest::mouseRelease(&shown.map(), Qt::LeftButton, {}, shown.at(5, 5));
    QCOMPARE(shown.keep(), keep);
    QCOMPARE(shown.workspace.undoStack().count(), 0);
}

void TuningViewTest::aClickTakesTheCell()
{
    Shown shown;
    const std::string keep = shown.keep();
    QTest::mouseClick(&shown.map(), Qt::LeftButton, {}, shown.at(8, 5));
    const core::Sweep &sweep = *shown.sweeps().current();
    QCOMPARE(shown.keep(), sweep.x.textOf(sweep.x.values[8]));
    QCOMPARE(shown.trigger(), sweep.y.textOf(sweep.y.values[5]));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QVERIFY(
        shown.workspace.undoStack().undoText().contains(QString::fromStdString(sweep.x.wordsOf(sweep.x.values[8]))));
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.keep(), keep);
}

void TuningViewTest::keysMoveTheMarkerCellByCell()
{
    Shown shown;
    const std::string keep = shown.keep();
    const size_t from = *shown.model().markerCell();
    shown.map().setFocus();
    QTest::keyClick(&shown.map(), Qt::Key_Right);
    QTest::keyClick(&shown.map(), Qt::Key_Right);
    QTest::keyClick(&shown.map(), Qt::Key_Down);
    QCOMPARE(shown.model().markerCell(), std::optional(from + 2 - kGrid));
    QCOMPARE(shown.workspace.undoStack().count(), 0);
    QTest::keyClick(&shown.map(), Qt::Key_Return);
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.keep(), keep);
    for (const QKeyCombination key : { QKeyCombination(Qt::Key_Escape), Qt::CTRL | Qt::Key_Z }) {
        QTest::keyClick(&shown.map(), Qt::Key_Left);
        QVERIFY(shown.keep() != keep);
        // The window's shortcuts do not take them.
        QKeyEvent wanted(QEvent::ShortcutOverride, key.key(), key.keyboardModifiers());
        wanted.ignore();
        QCoreApplication::sendEvent(&shown.map(), &wanted);
        QVERIFY(wanted.isAccepted());
        QTest::keyClick(&shown.map(), key.key(), key.keyboardModifiers());
        QCOMPARE(shown.keep(), keep);
        QCOMPARE(shown.workspace.undoStack().index(), 0);
    }
    // At the edge there is no further cell.
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(&shown.map(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(*shown.model().markerCell() % kGrid, size_t { 0 });
}

void TuningViewTest::axesAndMetricsAreChosen()
{
    Shown shown;
    shown.model().setMetric(SweepMetric::Peak);
    QCOMPARE(shown.model().map().metric(), SweepMetric::Peak);
    QVERIFY(shown.model().map().hasRange());
    shown.sweeps().settings().set(ui::SweptSettings::Axis::X, "trigger");
    QCOMPARE(shown.sweeps().settings().at(ui::SweptSettings::Axis::Y), std::string("keep"));
    QVERIFY(shown.waitForMap());
    QCOMPARE(shown.model().map().sweep()->x.setting, std::string("trigger"));
    QCOMPARE(shown.model().map().metric(), SweepMetric::Peak);
    const std::string parameter = shown.sweeps().settings().all().back();
    shown.sweeps().settings().set(ui::SweptSettings::Axis::X, parameter);
    QVERIFY(shown.waitForMap());
    QCOMPARE(shown.model().map().sweep()->x.setting, parameter);
    // A policy without that parameter is swept by what all have.
    shown.follow("langchain-clear-tool-uses");
    QCOMPARE(shown.sweeps().settings().at(ui::SweptSettings::Axis::X), std::string("keep"));
    QCOMPARE(shown.sweeps().settings().at(ui::SweptSettings::Axis::Y), std::string("trigger"));
}

void TuningViewTest::overridesAreSweptToo()
{
    Shown shown;
    const double before = (*shown.sweeps().current()->at(15, 15))[SweepMetric::Tokens];
    std::vector<core::BlockId> dropped;
    const core::Session &session = *shown.workspace.session();
    for (uint32_t i = 0; i < session.blocks.size(); ++i) {
        if (session.block(core::BlockId(i)).kind == core::BlockKind::ToolResult && dropped.size() < 5)
            dropped.push_back(core::BlockId(i));
    }
    shown.workspace.commitOverride(dropped, ui::Workspace::Override::Drop);
    QVERIFY(shown.sweeps().isOutdated());
    QVERIFY(shown.waitForMap());
    QVERIFY((*shown.sweeps().current()->at(15, 15))[SweepMetric::Tokens] < before);
}

void TuningViewTest::theFrontAndTheMapPointAtEachOther()
{
    Shown shown;
    ui::FrontView &front = shown.page.front();
    shown.model().setFrontMetric(0, SweepMetric::Tokens);
    shown.model().setFrontMetric(1, SweepMetric::Peak);
    QVERIFY(!shown.model().front().empty());
    const size_t cell = shown.model().front().front();
    const QPointF point(front.frontLayout().pointOf(cell)->x, front.frontLayout().pointOf(cell)->y);
    QMouseEvent over(QEvent::MouseMove, point, front.mapToGlobal(point), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&front, &over);
    QVERIFY(shown.model().hovered().has_value());
    const auto under = front.frontLayout().pointOf(*shown.model().hovered());
    QVERIFY(std::hypot(under->x - point.x(), under->y - point.y()) < 1);
    QVERIFY(shown.page.findChild<QWidget *>(u"tuningReadout"_s)
            ->accessibleName()
            .startsWith(shown.model().words(shown.model().placeOf(*shown.model().hovered())).section(u' ', 0, 1)));
    QTest::mouseClick(&front, Qt::LeftButton, {}, point.toPoint());
    QCOMPARE(shown.workspace.undoStack().count(), 1);
}

/// In one line they would be cut at the end.
void TuningViewTest::theReadoutNamesEachSettingOnItsLine()
{
    Shown shown;
    shown.page.resize(960, 700); // as in a window of 1440 pixels
    QCoreApplication::processEvents();
    auto *readout = shown.page.findChild<QWidget *>(u"tuningReadout"_s);
    QVERIFY(readout->isVisible());
    const QImage image = readout->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QRgb strong = shown.state.theme().text.rgb(); // the note below the title is paler
    const auto strongRows = [&](int from, int to) {
        int rows = 0;
        for (int y = from; y < to; ++y) {
            bool isThere = false;
            for (int x = 0; x < image.width(); ++x)
                isThere = isThere || image.pixel(x, y) == strong;
            rows += isThere ? 1 : 0;
        }
        return rows;
    };
    QVERIFY(strongRows(0, 17) > 3);
    QVERIFY(strongRows(17, 34) > 3);
}

void TuningViewTest::whatHasNoPriceShowsTokens()
{
    Shown shown;
    QCOMPARE(shown.model().metric(), SweepMetric::Cost);
    shown.workspace.show(thirtyCalls("a model without a price"));
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
    QCOMPARE(shown.model().metric(), SweepMetric::Tokens);
    QCOMPARE(shown.model().frontMetrics().front(), SweepMetric::Tokens);
    // What the person chose stays.
    shown.model().setMetric(SweepMetric::Peak);
    shown.workspace.show(thirtyCalls());
    shown.follow("deep-agents");
    QVERIFY(shown.waitForMap());
    QCOMPARE(shown.model().metric(), SweepMetric::Peak);
}

void TuningViewTest::itemsAreAccessibleObjects()
{
    Shown shown;
    QAccessibleInterface *view = QAccessible::queryAccessibleInterface(&shown.map());
    QVERIFY(view != nullptr);
    QVERIFY(!view->text(QAccessible::Name).isEmpty());
    QCOMPARE(view->childCount(), static_cast<int>(kGrid * kGrid) + 1);
    const QString cell = view->child(0)->text(QAccessible::Name);
    QVERIFY2(cell.startsWith(u"keep 2 % of window, trigger 10 % of window, Cost "_s), qPrintable(cell));
    QVERIFY2(cell.contains(u"Peak context"_s), qPrintable(cell));
    const QString marker = view->child(view->childCount() - 1)->text(QAccessible::Name);
    QVERIFY2(marker.startsWith(u"the policy: keep 10 % of window, trigger 85 % of window"_s), qPrintable(marker));
    shown.map().activateItem(0);
    QCOMPARE(shown.keep(), std::string("0.02w"));
}

void TuningViewTest::everySizeIsPainted()
{
    Shown shown;
    shown.page.setMinimumSize(1, 1); // as in a window: it gives way
    for (const QSize size : { QSize(300, 250), QSize(433, 291), QSize(740, 386), QSize(1380, 595) }) {
        shown.page.resize(size);
        QApplication::sendPostedEvents();
        const QImage image = shown.page.grab().toImage();
        QCOMPARE(image.size(), size);
        const QRect first = shown.map().itemRect(0);
        const QPoint pixel = shown.map().mapTo(&shown.page, first.center());
        QVERIFY(image.pixelColor(pixel) != shown.state.theme().base);
    }
}

void TuningViewTest::aPageWithoutPolicyOffersSome()
{
    Shown shown(nullptr);
    auto *starters = shown.page.findChild<QWidget *>(u"policyStarters"_s);
    QVERIFY(starters->isVisible());
    const auto offered = starters->findChildren<QPushButton *>();
    QVERIFY(!offered.front()->isVisible()); // this session is of no harness with a preset
    offered[1]->click();
    QVERIFY(shown.workspace.plan().policy);
    QVERIFY(!starters->isVisible());
    shown.workspace.undoStack().undo();
    QVERIFY(starters->isVisible());
}

PALIMPSEST_TEST(TuningViewTest)
#include "tst_tuning_view.moc"
