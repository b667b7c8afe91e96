// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/folder_page.h"

#include "core/base/time_text.h"
#include "core/report/sweep_set_report.h"
#include "ui/tuning/folder/folder_reach_view.h"
#include "ui/tuning/folder/runs_menu.h"
#include "ui/tuning/folder/suggestion_view.h"
#include "ui/tuning/folder/worst_runs_view.h"
#include "ui/tuning/map/cell_readout.h"
#include "ui/tuning/map/front_panel.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/map/ramp_legend.h"
#include "ui/tuning/settings/policy_starters.h"
#include "ui/tuning/settings/setting_choosers.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/word_button.h"
#include "ui/widgets/wrapped_label.h"

#include <QEventLoop>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>

#include <algorithm>
#include <map>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSide = 232;     ///< of the read-out
constexpr int kWideSide = 280; ///< in a roomy window
constexpr int kRoomyWidth = 1000;
constexpr int kSideNeeds = 560;    ///< a narrower page shows only the map
constexpr int kBesideNeeds = 900;  ///< a narrower page has the other view below the map
constexpr int kBesideHeight = 520; ///< a lower one, too
constexpr int kBelowNeeds = 360;   ///< a lower page shows either the map or the part below it
constexpr int kWordsNeed = 700;    ///< a narrower page shows only the choosers
constexpr int kChoosersNeed = 620; ///< a still narrower one shows short choosers
constexpr int kSpreadNeeds = 420;  ///< and only those that the map needs
constexpr int kBesideGap = 20;
constexpr int kBelowGap = 8;
constexpr int kAnswerLines = 2;
constexpr int kBesideLines = 3; ///< of the answer's other sentences
constexpr int kMapShare = 5;    ///< of the page
constexpr int kBesideShare = 4;
constexpr int kBelowShare = 3;
constexpr int kChooser = 118;
constexpr int kShownChooser = 106;
constexpr int kMapShown = 0; ///< the rest is as `Below`
constexpr int kMetricChooser = 164;
constexpr int kNarrowChooser = 84;
constexpr size_t kMostNamed = 12; ///< files of one reason

/// In the order of `Below`.
QStringList belowTitles()
{
    return { FolderPage::tr("Sessions"), FolderPage::tr("Suggestion"), FolderPage::tr("Reach"),
        FolderPage::tr("Front") };
}

} // namespace

FolderPage::FolderPage(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_model(state)
    , m_headRoom(new QWidget(this))
    , m_title(new ElidedLabel(this))
    , m_answer(new WrappedLabel(this))
    , m_besideAnswer(new WrappedLabel(this))
    , m_widen(new QToolButton(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_runs(new RunsMenu(m_model.sweeps(), this))
    , m_metric(compactChooser(u"folderMetric"_s, tr("Figure on the map"), this))
    , m_spread(new SegmentedControl({ tr("median"), tr("p90"), tr("worst") }, this))
    , m_settings(new SettingChoosers(m_model.sweeps().settings(), state.workspace(), u"folder"_s, this))
    , m_map(new MapView(m_model, this))
    , m_parts(new QBoxLayout(QBoxLayout::TopToBottom))
    , m_mapPart(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_otherPart(new QBoxLayout(QBoxLayout::TopToBottom))
    , m_side(new QWidget(this))
    , m_mapWords(new WrappedLabel(this))
    , m_legend(new RampLegend(m_model, this))
    , m_readout(new CellReadout(m_model, this))
    , m_belowSwitch(new SegmentedControl(belowTitles(), this))
    , m_shown(
          compactChooser(u"folderShown"_s, tr("The map, its sessions, the suggestion, the reach or the front"), this))
    , m_belowTitle(new ElidedLabel(this))
    , m_below(new QWidget(this))
    , m_belowPages(new QStackedLayout(m_below))
    , m_worst(new WorstRunsView(m_model, this))
    , m_suggestion(new SuggestionView(m_model, this))
    , m_reach(new FolderReachView(m_model, this))
    , m_front(new FrontPanel(m_model, FrontPanel::Choosers::Beside, u"folder"_s, this))
{
    setObjectName(u"folderPage"_s);
    setAccessibleName(tr("Tuning of many sessions"));
    m_map->setObjectName(u"folderMap"_s);
    m_title->setObjectName(u"folderTitle"_s);
    m_title->setTextFormat(Qt::PlainText);
    for (QLabel *label : { m_title, m_belowTitle })
        label->setFont(Theme::textFont(12));
    m_answer->setObjectName(u"folderAnswer"_s);
    m_answer->setFont(Theme::strongFont(13));
    m_answer->reserveLines(kAnswerLines);
    m_besideAnswer->setObjectName(u"folderBesideAnswer"_s);
    m_besideAnswer->setFont(Theme::textFont(12));
    m_besideAnswer->reserveLines(kBesideLines);
    m_mapWords->setObjectName(u"folderMapWords"_s);
    m_mapWords->setFont(Theme::textFont(12));
    m_spread->setObjectName(u"folderSpread"_s);
    m_belowSwitch->setObjectName(u"folderBelow"_s);
    m_belowTitle->setObjectName(u"folderBelowTitle"_s);
    m_stop->setObjectName(u"folderStop"_s);
    makeWordButton(*m_widen, u"folderWiden"_s, tr("All Projects"),
        tr("Tries the policy on the sessions of all projects in the list of sessions"));
    connect(m_widen, &QToolButton::clicked, this, &FolderPage::widenRequested);
    makeHead();
    makeBody();
    auto *starters = new PolicyStarters(state.workspace(), this);
    const auto offerOwn = [this, starters] {
        starters->setOwn(m_model.sweeps().ownPolicy(), tr("What the harness of the newest session does (%1)"));
    };
    connect(&m_model.sweeps(), &FolderSweeps::ownPolicyChanged, starters, offerOwn);
    offerOwn();
    connectChoosers();
    connect(&m_model, &FolderModel::stateChanged, this, &FolderPage::refresh);
    connect(&m_model, &FolderModel::mapChanged, this, &FolderPage::refresh);
    connect(&m_model, &FolderModel::markerChanged, this, &FolderPage::refresh);
    connect(&m_model, &FolderModel::frontChanged, this, &FolderPage::refresh);
    connect(&m_model, &FolderModel::hoverChanged, this, [this] { m_belowTitle->setText(belowWords()); });
    connect(&m_model.sweeps().settings(), &SweptSettings::changed, this, &FolderPage::refresh);
    connect(&state.workspace(), &Workspace::planChanged, this, &FolderPage::refresh);
    connect(m_worst, &WorstRunsView::runRequested, this, &FolderPage::runRequested);
    connect(m_suggestion, &SuggestionView::runRequested, this, &FolderPage::runRequested);
    connect(m_suggestion, &SuggestionView::answerChanged, this, &FolderPage::refresh);
    connect(&state, &ViewState::themeChanged, this, &FolderPage::applyTheme);
    applyTheme();
    refresh();
}

FolderPage::~FolderPage()
{
    // Deletes the views before the model: a focused view still emits a signal when it loses the focus.
    // One by one: a child may delete another, as the frame of the focus.
    while (auto *child = findChild<QWidget *>(Qt::FindDirectChildrenOnly))
        delete child;
}

void FolderPage::makeHead()
{
    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_headRoom);
    head->addWidget(m_title, 1);
    head->addWidget(m_widen);
    head->addWidget(m_stop);
    head->addWidget(m_shown);
    head->addWidget(m_runs);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_metric);
    row->addWidget(m_spread);
    row->addStretch(1);
    row->addWidget(m_settings);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kPageMargin, 8, kPageMargin, 6);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_answer);
    column->addWidget(m_besideAnswer);
    column->addLayout(row);
}

void FolderPage::makeBody()
{
    auto *side = new QVBoxLayout(m_side);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(5);
    side->addWidget(m_mapWords);
    side->addWidget(m_legend);
    side->addWidget(m_readout);
    side->addStretch(1);
    m_mapPart->setSpacing(6);
    m_mapPart->addWidget(m_map, 1);
    m_mapPart->addWidget(m_side);
    m_belowPages->setContentsMargins(0, 0, 0, 0);
    // All tabs have the same width, so that the map keeps its own.
    m_below->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_belowPages->addWidget(m_worst);
    m_belowPages->addWidget(m_suggestion);
    m_belowPages->addWidget(m_reach);
    m_belowPages->addWidget(m_front);
    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_belowSwitch);
    head->addWidget(m_belowTitle, 1);
    m_otherPart->setSpacing(8);
    m_otherPart->addLayout(head);
    m_otherPart->addWidget(m_below, 1);
    m_parts->addLayout(m_mapPart, kMapShare);
    m_parts->addLayout(m_otherPart, kBelowShare);
    static_cast<QVBoxLayout *>(layout())->addLayout(m_parts, 1);
    setTabOrder(m_settings->last(), m_map);
    connect(m_belowSwitch, &SegmentedControl::chosen, this, [this](int index) { setBelow(static_cast<Below>(index)); });
    m_shown->setWords(QStringList { tr("Map") } + belowTitles());
    m_shown->setFixedWidth(kShownChooser);
    connect(m_shown, &SegmentedControl::chosen, this, [this](int index) {
        if (index > kMapShown)
            setBelow(static_cast<Below>(index - 1));
        else
            fitParts();
    });
}

void FolderPage::connectChoosers()
{
    m_metric->setWords(MapModel::titles());
    connect(m_metric, &SegmentedControl::chosen, this,
        [this](int index) { m_model.setMetric(static_cast<core::SweepMetric>(index)); });
    connect(m_spread, &SegmentedControl::chosen, this,
        [this](int index) { m_model.setSpread(static_cast<Spread>(index)); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_model.sweeps().stop();
        m_model.suggestions().stop();
    });
}

FrontView &FolderPage::front() const { return m_front->view(); }

FolderPage::Below FolderPage::below() const { return static_cast<Below>(m_belowPages->currentIndex()); }

void FolderPage::setBelow(Below below)
{
    m_belowSwitch->setCurrent(static_cast<int>(below));
    m_belowPages->setCurrentIndex(static_cast<int>(below));
    if (m_shown->current() > kMapShown)
        m_shown->setCurrent(static_cast<int>(below) + 1);
    refresh();
}

QString FolderPage::titleWords() const
{
    const FolderSweeps &sweeps = m_model.sweeps();
    QStringList words;
    if (const QString folder = sweeps.choice().folderName(); !folder.isEmpty())
        words << folder;
    if (sweeps.isRunning() && sweeps.files().all > 0)
        words << tr("reading %1 of %2 files").arg(sweeps.files().done).arg(sweeps.files().all);
    else if (sweeps.isStopped())
        words << tr("stopped after %1 of %2 files").arg(sweeps.files().done).arg(sweeps.files().all);
    const core::SweepSet *set = m_model.set();
    if (set == nullptr)
        return words.join(u" · "_s);
    words << displayText(core::countSentence(*set)).replace(u", "_s, u" · "_s);
    if (sweeps.choice().since && !sweeps.isOutdated())
        words << tr("since %1").arg(displayText(core::sinceText(*sweeps.choice().since)));
    words << tr("%1 × %2 settings").arg(m_model.map().columns()).arg(m_model.map().rows());
    return words.join(u" · "_s);
}

QString FolderPage::mapWords() const
{
    const core::SweepSet *set = m_model.set();
    if (set == nullptr)
        return {};
    QStringList words;
    if (const QString dots = m_model.dotWords(); !dots.isEmpty())
        words << dots;
    if (const QString doubt = m_model.doubtWords(); !doubt.isEmpty())
        words << doubt;
    if (m_model.map().refusedCount() > 0)
        words << tr("grey: in some run, a provider refuses calls");
    if (m_model.map().extrapolatedCount() > 0)
        words << tr("hatched: in most runs, some contexts are larger than every recorded context");
    const auto hasCompacted
        = [](const core::RunSweep &run) { return run.recorded[core::SweepMetric::Compactions] > 0; };
    if (std::ranges::any_of(set->runs, hasCompacted))
        words << tr("the recorded triggers are not marked: each run has its own");
    return words.join(u" · "_s);
}

QString FolderPage::leftOutWords() const
{
    const core::SweepSet *set = m_model.set();
    if (set == nullptr || set->leftOut.empty())
        return {};
    std::map<std::string_view, std::vector<const core::LeftOut *>> reasons;
    for (const core::LeftOut &each : set->leftOut)
        reasons[each.reason].push_back(&each);
    QStringList lines { QString(), QString() };
    for (const auto &[reason, all] : reasons) {
        lines << displayText(reason);
        for (size_t i = 0; i < std::min(all.size(), kMostNamed); ++i)
            lines << u"    "_s + displayText(all[i]->file);
        if (all.size() > kMostNamed)
            lines << u"    "_s + tr("and %1 more").arg(all.size() - kMostNamed);
    }
    return lines.join(u'\n');
}

QString FolderPage::emptyWords() const
{
    const FolderSweeps &sweeps = m_model.sweeps();
    if (!m_model.state().workspace().plan().policy)
        return tr("Choose a policy: the map shows what its settings would have cost and lost in these sessions.");
    if (sweeps.isRunning() && sweeps.files().all > 0)
        return tr("Reading %1 of %2 files.").arg(sweeps.files().done).arg(sweeps.files().all);
    if (sweeps.isRunning())
        return tr("Looking for files.");
    if (sweeps.isWhole() && sweeps.choice().since)
        return tr("No run here has a call with a date since %1.")
            .arg(displayText(core::sinceText(*sweeps.choice().since)));
    if (sweeps.isStopped())
        return tr("Stopped before a session was read.");
    return sweeps.isWhole()
        ? tr("No session here has calls.")
        : tr("Palimpsest has no values to try for these two settings of the policy. Choose other settings.");
}

QString FolderPage::belowWords() const
{
    switch (below()) {
    case Below::WorstRuns: {
        const auto cell = m_model.markerCell();
        return cell
            ? tr("%1 at %2, worst first").arg(m_model.title(m_model.metric()), m_model.words(m_model.placeOf(*cell)))
            : m_model.state().workspace().plan().policy
            ? tr("The policy's own settings are not on this map. Click a cell.")
            : tr("Click a cell to choose its policy and settings.");
    }
    case Below::Suggestion:
        return {};
    case Below::Reach:
        return m_reach->keepWords();
    case Below::Front:
        return frontWords();
    }
    return {};
}

QString FolderPage::frontWords() const
{
    const auto place = m_model.readPlace();
    const core::SweepFigures *figures = place ? m_model.readFigures() : nullptr;
    if (figures == nullptr)
        return tr("%1 of %2 settings are on the front; click one to choose it")
            .arg(m_model.front().size())
            .arg(m_model.map().cellCount());
    QStringList words { m_model.words(*place) };
    for (const core::SweepMetric metric : m_model.frontMetrics())
        words << m_model.title(metric) + u' ' + m_model.shown(metric, (*figures)[metric]);
    return words.join(u" · "_s);
}

void FolderPage::refresh()
{
    const FolderSweeps &sweeps = m_model.sweeps();
    const QString title = titleWords();
    m_title->setText(title);
    m_mapWords->setText(mapWords());
    m_title->setToolTip(toolTipText(title + u". "_s + m_mapWords->text() + leftOutWords()));
    const QString answer = m_suggestion->answer();
    m_answer->setText(answer.section(u'\n', 0, 0));
    m_besideAnswer->setText(answer.section(u'\n', 1).replace(u'\n', u' '));
    m_widen->setVisible(!sweeps.choice().name.isEmpty());
    m_stop->setVisible(sweeps.isRunning() || m_model.suggestions().isSweeping());
    m_metric->setCurrent(static_cast<int>(m_model.metric()));
    m_spread->setCurrent(static_cast<int>(m_model.spread()));
    m_belowTitle->setText(belowWords());
    fitParts();
    update();
}

bool FolderPage::isLow() const { return height() < kBelowNeeds; }

bool FolderPage::isWide() const { return width() >= kBesideNeeds && height() >= kBesideHeight; }

void FolderPage::fitParts()
{
    const bool hasCells = !m_model.map().isEmpty();
    const bool hasMap = hasCells && (!isLow() || m_shown->current() == kMapShown);
    const bool hasBelow = hasCells && (!isLow() || !hasMap);
    const auto show = [](std::initializer_list<QWidget *> parts, bool isShown) {
        for (QWidget *part : parts)
            part->setVisible(isShown);
    };
    const bool isShort = width() < kChoosersNeed;
    show({ m_metric, m_settings, m_map }, hasMap);
    show({ m_answer }, hasCells && !isLow());
    m_suggestion->setAnswerElsewhere(hasCells && height() >= kBesideHeight);
    show({ m_besideAnswer, m_mapWords }, hasCells && height() >= kBesideHeight);
    show({ m_shown }, hasCells && isLow() && width() >= kSpreadNeeds);
    m_settings->setWordsShown(width() >= kWordsNeed);
    const bool hasSpread = hasMap || (hasBelow && below() == Below::Front);
    show({ m_spread }, hasSpread && width() >= kSpreadNeeds);
    show({ m_runs }, width() >= kSpreadNeeds);
    show({ m_side }, hasMap && width() >= kSideNeeds);
    show({ m_below, m_belowTitle }, hasBelow);
    show({ m_belowSwitch }, hasBelow && !isLow());
    m_parts->setDirection(isWide() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_parts->setSpacing(isWide() ? kBesideGap : kBelowGap);
    m_parts->setStretch(1, isWide() ? kBesideShare : kBelowShare);
    QBoxLayout *place = isWide() ? m_otherPart : m_mapPart;
    if (place->indexOf(m_side) < 0) {
        (isWide() ? m_mapPart : m_otherPart)->removeWidget(m_side);
        place->addWidget(m_side);
    }
    const int side = width() >= kRoomyWidth ? kWideSide : kSide;
    m_side->setMinimumWidth(side);
    m_side->setMaximumWidth(isWide() ? QWIDGETSIZE_MAX : side); // beside the read-out there is room for the words
    m_legend->setFixedWidth(side);
    m_readout->setFixedWidth(side);
    m_spread->setCompact(isShort);
    m_metric->setFixedWidth(isShort ? kNarrowChooser : kMetricChooser);
    m_settings->setChooserWidth(isShort ? kNarrowChooser : kChooser);
}

void FolderPage::setHeadRoom(int width)
{
    m_headRoom->setVisible(width > 0);
    m_headRoom->setFixedSize(width, m_metric->sizeHint().height());
}

void FolderPage::waitForMap()
{
    m_model.sweeps().setWanted(true);
    m_model.sweeps().waitForSweep();
    while (m_model.suggestions().isRunning()) {
        QEventLoop loop;
        connect(&m_model.suggestions(), &Suggestions::changed, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

void FolderPage::applyTheme()
{
    const Theme &theme = m_model.state().theme();
    for (SegmentedControl *control : { m_metric, m_spread, m_belowSwitch, m_shown })
        control->setTheme(theme);
    m_runs->setTheme(theme);
    m_widen->setStyleSheet(wordLinkStyle(theme));
    m_settings->applyTheme(theme);
    m_runs->setFont(Theme::textFont(12));
    m_stop->setFont(Theme::textFont(12));
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    for (QLabel *label : std::initializer_list<QLabel *> { m_title, m_belowTitle, m_besideAnswer, m_mapWords })
        label->setPalette(quiet);
    update();
}

void FolderPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_model.state().theme();
    painter.fillRect(rect(), theme.base);
    if (!m_model.map().isEmpty())
        return;
    painter.setFont(Theme::textFont(13));
    painter.setPen(theme.secondary);
    painter.drawText(
        rect().adjusted(4 * kPageMargin, 40, -4 * kPageMargin, 0), Qt::AlignCenter | Qt::TextWordWrap, emptyWords());
}

void FolderPage::resizeEvent(QResizeEvent *) { fitParts(); }

void FolderPage::showEvent(QShowEvent *event)
{
    m_model.sweeps().setWanted(true);
    QWidget::showEvent(event);
}

void FolderPage::hideEvent(QHideEvent *event)
{
    m_model.sweeps().setWanted(false);
    QWidget::hideEvent(event);
}

} // namespace ui
