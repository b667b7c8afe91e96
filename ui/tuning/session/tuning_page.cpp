// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/tuning_page.h"

#include "ui/hub/better_policy_bar.h"
#include "ui/hub/better_policy_search.h"
#include "ui/tuning/map/cell_readout.h"
#include "ui/tuning/map/front_panel.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/map/ramp_legend.h"
#include "ui/tuning/session/comparison_view.h"
#include "ui/tuning/session/reach_view.h"
#include "ui/tuning/settings/policy_starters.h"
#include "ui/tuning/settings/setting_choosers.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/widget_name.h"
#include "ui/widgets/wrapped_label.h"

#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSide = 232;     ///< of front and read-out
constexpr int kWideSide = 330; ///< in a roomy window
constexpr int kRoomyWidth = 1000;
constexpr int kSideNeeds = 560;  ///< a narrower page shows only the map
constexpr int kReachNeeds = 330; ///< a lower page shows no reach
constexpr int kChooser = 132;
constexpr int kMetricChooser = 176;
constexpr int kLimit = 44;
constexpr int kWidestLegend = 380;
constexpr int kLeastFront = 170; ///< the read-out shortens for it
constexpr int kLeastFrontNeeds = 480;
constexpr int kFrontNeeds = 360;      ///< in a lower page the read-out fills the side
constexpr int kComparisonNeeds = 380; ///< a lower page shows either the map or the table of the runs
constexpr int kTableAndReach = 600;   ///< a lower page shows no reach beside the table
constexpr int kLegendNeeds = 660;     ///< a narrower page shows only the choosers
constexpr int kChoosersNeed = 500;    ///< a still narrower one shows short choosers
constexpr int kNarrowChooser = 84;
constexpr int kMapShown = 0;        ///< of the two
constexpr int kProgressPause = 200; ///< ms

} // namespace

TuningPage::TuningPage(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_model(state)
    , m_headRoom(new QWidget(this))
    , m_title(new ElidedLabel(this))
    , m_answerRow(new QWidget(this))
    , m_answer(new ElidedLabel(m_answerRow))
    , m_limits(new QWidget(this))
    , m_lostShare(new QLineEdit(m_limits))
    , m_lostMessages(new QLineEdit(m_limits))
    , m_take(new QPushButton(tr("Take"), m_answerRow))
    , m_besideOwn(new WrappedLabel(this))
    , m_better(new BetterPolicyBar(state, this))
    , m_shown(new SegmentedControl({ tr("Map"), tr("Runs") }, this))
    , m_metric(compactChooser(u"tuningMetric"_s, tr("Figure on the map"), this))
    , m_legend(new RampLegend(m_model, this))
    , m_settings(new SettingChoosers(m_model.sweeps().settings(), state.workspace(), u"tuning"_s, this))
    , m_reach(new ReachView(m_model, this))
    , m_map(new MapView(m_model, this))
    , m_side(new QWidget(this))
    , m_front(new FrontPanel(m_model, FrontPanel::Choosers::Above, u"tuning"_s, this))
    , m_readout(new CellReadout(m_model, this))
    , m_comparison(new ComparisonView(state, this))
{
    setObjectName(u"tuningPage"_s);
    setAccessibleName(tr("Tuning"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_title->setObjectName(u"tuningTitle"_s);
    m_title->setTextFormat(Qt::PlainText);
    addName(m_shown, u"tuningShown"_s, tr("The map or the table of the runs"));
    m_title->setFont(Theme::textFont(12));
    makeAnswer();
    makeHead();
    makeBody();
    makeStarters();
    connectMetric();
    m_progress.setInterval(kProgressPause);
    connect(&m_progress, &QTimer::timeout, this, &TuningPage::refreshTitle);
    connect(&m_model.sweeps(), &Sweeps::stateChanged, this, &TuningPage::refreshTitle);
    connect(&m_model.sweeps().settings(), &SweptSettings::changed, this, &TuningPage::refreshTitle);
    connect(&state.workspace(), &Workspace::planChanged, this, &TuningPage::refreshTitle);
    connect(&m_model, &TuningModel::mapChanged, this, &TuningPage::refreshTitle);
    connect(&m_model, &TuningModel::markerChanged, this, &TuningPage::refreshAnswer);
    connect(m_comparison, &ComparisonView::runsChanged, this, &TuningPage::fitParts);
    connect(m_shown, &SegmentedControl::chosen, this, &TuningPage::fitParts);
    connect(&state, &ViewState::themeChanged, this, &TuningPage::applyTheme);
    applyTheme();
    refreshTitle();
}

TuningPage::~TuningPage()
{
    // Deletes the views before the model: a focused view still emits a signal when it loses the focus.
    // One by one: a child may delete another, as the frame of the focus.
    while (auto *child = findChild<QWidget *>(Qt::FindDirectChildrenOnly))
        delete child;
}

void TuningPage::makeHead()
{
    m_legend->setMaximumWidth(kWidestLegend);
    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_headRoom);
    head->addWidget(m_title, 1);
    head->addWidget(m_limits);
    head->addWidget(m_comparison->differenceButton());
    head->addWidget(m_better->button());
    head->addWidget(m_shown);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_metric);
    row->addWidget(m_legend, 1);
    row->addStretch();
    row->addSpacing(8);
    row->addWidget(m_settings);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kPageMargin, 8, kPageMargin, 6);
    column->setSpacing(8);
    column->addLayout(head);
    m_better->layout()->setContentsMargins(0, 0, 0, 0); // within those of the page
    column->addWidget(m_better);
    auto *answer = new QVBoxLayout;
    answer->setSpacing(0);
    answer->addWidget(m_answerRow);
    answer->addWidget(m_besideOwn);
    column->addLayout(answer);
    column->addLayout(row);
    // As high as with the switch to a folder, so that the map stays when that comes.
    m_title->setMinimumHeight(m_metric->sizeHint().height());
}

void TuningPage::makeAnswer()
{
    m_answer->setObjectName(u"tuningAnswer"_s);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setFont(Theme::strongFont(13));
    m_besideOwn->setObjectName(u"tuningBesideOwn"_s);
    m_besideOwn->setFont(Theme::textFont(12));
    m_besideOwn->reserveLines(3);
    auto *allow = new QLabel(tr("allow"), m_limits);
    auto *uses = new QLabel(tr("% lost uses,"), m_limits);
    auto *messages = new QLabel(tr("lost messages"), m_limits);
    for (QWidget *small :
        std::initializer_list<QWidget *> { allow, uses, messages, m_lostShare, m_lostMessages, m_take })
        small->setFont(Theme::textFont(12));
    addName(m_lostShare, u"tuningLostShare"_s, tr("Lost uses at most, in per cent"));
    m_lostShare->setToolTip(toolTipText(
        tr("How many of the later uses may find their text gone. Until you change it, 1 %, or as many as with the "
           "harness's own policy.")));
    m_lostShare->setValidator(new QDoubleValidator(0, 100, 2, m_lostShare));
    m_lostShare->setFixedWidth(kLimit);
    connect(m_lostShare, &QLineEdit::editingFinished, this, [this] {
        if (m_lostShare->isModified() && !m_lostShare->text().isEmpty())
            m_model.setLostShare(m_lostShare->text().toDouble() / 100);
    });
    addName(m_lostMessages, u"tuningLostMessages"_s, tr("Lost messages of yours at most"));
    m_lostMessages->setToolTip(toolTipText(tr(
        "How many of the messages you typed may be gone at the end. Until you change it, as many as the harness's own "
        "policy loses, or as many as the recorded run. The text of a simulated summary is not known, so a message that "
        "only a summary would quote counts as lost; in the recorded run it does not.")));
    m_lostMessages->setValidator(new QIntValidator(0, 100'000, m_lostMessages));
    m_lostMessages->setFixedWidth(kLimit);
    connect(m_lostMessages, &QLineEdit::editingFinished, this, [this] {
        if (m_lostMessages->isModified() && !m_lostMessages->text().isEmpty())
            m_model.setMostLostMessages(m_lostMessages->text().toDouble());
    });
    addName(m_take, u"takeBest"_s, tr("Take the best setting within the limits"));
    m_take->setToolTip(tr("Moves the handle to these settings"));
    connect(m_take, &QPushButton::clicked, this, [this] {
        if (const auto cell = m_model.suggestedCell())
            m_model.take(*cell);
    });
    auto *row = new QHBoxLayout(m_answerRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_answer, 1);
    row->addWidget(m_take);
    auto *limits = new QHBoxLayout(m_limits);
    limits->setContentsMargins(0, 0, 6, 0);
    limits->setSpacing(6);
    for (QWidget *part : std::initializer_list<QWidget *> { allow, m_lostShare, uses, m_lostMessages, messages })
        limits->addWidget(part);
    QSizePolicy kept = m_take->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_take->setSizePolicy(kept);
}

void TuningPage::refreshAnswer()
{
    const QString answer = m_model.answer();
    m_answer->setText(answer);
    m_answer->setFont(m_model.isSure() ? Theme::strongFont(13) : Theme::textFont(13));
    m_answer->setToolTip(toolTipText(answer + u". "_s + tr("Limits: %1.").arg(m_model.limitWords())));
    if (!m_lostShare->hasFocus())
        m_lostShare->setText(QLocale::c().toString(std::round(m_model.lostShare() * 1000) / 10));
    if (const double most = m_model.mostLostMessages(); !m_lostMessages->hasFocus())
        m_lostMessages->setText(std::isnan(most) ? QString() : QString::number(std::lround(most)));
    const QString beside = m_model.besideOwn();
    m_besideOwn->setText(beside);
    m_besideOwn->setToolTip(toolTipText(beside));
    const auto best = m_model.suggestedCell();
    const auto wanted = best ? m_model.policyAt(m_model.placeOf(*best)) : std::nullopt;
    const core::PolicyPtr &now = m_model.state().workspace().plan().policy;
    m_take->setVisible(wanted && (!now || now->document != wanted->document));
    m_take->setEnabled(!m_model.sweeps().isRunning()); // finer cells can change the answer
}

void TuningPage::makeBody()
{
    auto *maps = new QVBoxLayout;
    maps->setSpacing(2);
    maps->addWidget(m_reach, 1);
    maps->addWidget(m_map, 4);
    auto *side = new QVBoxLayout(m_side);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(6);
    side->addWidget(m_front, 1);
    side->addWidget(m_readout);
    auto *body = new QHBoxLayout;
    body->setSpacing(6);
    body->addLayout(maps, 1);
    body->addWidget(m_side);
    auto *column = static_cast<QVBoxLayout *>(layout());
    column->addLayout(body, 1);
    column->addWidget(m_comparison);
    column->addStretch(0); // without a map the head stays at the top
    setTabOrder(m_settings->last(), m_map);
}

void TuningPage::makeStarters()
{
    auto *starters = new PolicyStarters(m_model.state().workspace(), this);
    BetterPolicySearch &search = m_model.state().workspace().betterPolicy();
    QPushButton *look = starters->add(tr("Look for a better policy, on the other sessions in this folder"));
    look->setObjectName(u"startBetterPolicy"_s);
    connect(look, &QPushButton::clicked, &search, [&search] {
        if (!search.isRunning())
            search.startOrStop();
    });
    const auto offer = [look, &search] {
        look->setVisible(search.isPossible());
        look->setEnabled(search.hasOthers());
        look->setToolTip(toolTipText(search.need()));
    };
    connect(&search, &BetterPolicySearch::changed, look, offer);
    offer();
}

FrontView &TuningPage::front() const { return m_front->view(); }

void TuningPage::connectMetric()
{
    m_metric->setWords(MapModel::titles());
    const auto showMetric = [this] { m_metric->setCurrent(static_cast<int>(m_model.metric())); };
    connect(&m_model, &TuningModel::mapChanged, this, showMetric);
    showMetric();
    connect(m_metric, &SegmentedControl::chosen, this,
        [this](int index) { m_model.setMetric(static_cast<core::SweepMetric>(index)); });
}

QString TuningPage::emptyWords() const
{
    const Workspace &workspace = m_model.state().workspace();
    if (!workspace.session())
        return {};
    if (!workspace.plan().policy)
        return tr("Choose a policy: the map shows what its settings would have cost and lost in this session.");
    if (m_model.sweeps().settings().all().empty())
        return tr("No stage of the policy is on, so it has no settings to tune.");
    return m_model.sweeps().isRunning() ? tr("Sweeping the settings of the policy.")
                                        : tr("Looking for later steps of this session that needed an earlier text.");
}

void TuningPage::refreshTitle()
{
    const SweepMap &map = m_model.map();
    const bool isEmpty = map.isEmpty();
    fitParts();
    refreshAnswer();
    m_better->setNeedShown(isEmpty && m_model.state().session());
    QStringList words;
    if (isEmpty)
        words << tr("1 session");
    const Sweeps &sweeps = m_model.sweeps();
    if (sweeps.isRunning() && !isEmpty)
        words << (sweeps.isOutdated() ? tr("sweeping again…")
                                      : tr("computing finer cells: %1 %").arg(std::lround(sweeps.fraction() * 100)));
    if (!isEmpty) {
        if (const QString dots = m_model.dotWords(); !dots.isEmpty())
            words << dots;
        if (map.refusedCount() > 0)
            words << tr("grey: a provider refuses calls");
        if (map.extrapolatedCount() > 0)
            words << tr("hatched: larger contexts than recorded");
    }
    m_title->setText(m_model.state().session() ? words.join(u" · "_s) : QString());
    m_title->setToolTip(toolTipText(words.join(u" · "_s)));
    if (sweeps.isRunning() && isVisible())
        m_progress.start();
    else
        m_progress.stop();
    if (QString nothing = isEmpty ? emptyWords() : QString(); nothing != m_emptyWords) {
        m_emptyWords = std::move(nothing);
        update();
    }
}

void TuningPage::fitParts()
{
    const bool isCompared = !m_model.map().isEmpty() && m_comparison->isCompared();
    const bool isLow = height() < kComparisonNeeds;
    const bool isOneOfThem = isCompared && isLow;
    m_shown->setVisible(isOneOfThem);
    const bool hasMap = !m_model.map().isEmpty() && (!isOneOfThem || m_shown->current() == kMapShown);
    const bool hasTable = isCompared && (!isLow || !hasMap);
    m_comparison->setVisible(hasTable);
    const int room = height() - (hasTable ? m_comparison->sizeHint().height() : 0);
    const auto show = [](std::initializer_list<QWidget *> parts, bool isShown) {
        for (QWidget *part : parts)
            part->setVisible(isShown);
    };
    show({ m_metric, m_settings, m_map, m_answerRow, m_limits }, hasMap);
    show({ m_besideOwn }, hasMap && room >= kReachNeeds);
    show({ m_side }, hasMap && width() >= kSideNeeds);
    m_side->setFixedWidth(width() >= kRoomyWidth ? kWideSide : kSide);
    show({ m_legend }, hasMap && width() >= kLegendNeeds);
    m_settings->setWordsShown(width() >= kLegendNeeds);
    const bool isNarrow = width() < kChoosersNeed;
    m_metric->setFixedWidth(isNarrow ? kNarrowChooser : kMetricChooser);
    m_settings->setChooserWidth(isNarrow ? kNarrowChooser : kChooser);
    show({ m_front }, room >= kFrontNeeds);
    m_front->setMinimumHeight(room >= kLeastFrontNeeds ? kLeastFront : 0);
    sayWhetherComparing();
    show({ m_reach }, hasMap && room >= kReachNeeds && (!hasTable || height() >= kTableAndReach));
}

void TuningPage::sayWhetherComparing()
{
    const bool isComparing = isVisible() && !m_model.map().isEmpty() && m_comparison->isCompared();
    if (std::exchange(m_isComparing, isComparing) != isComparing)
        Q_EMIT comparingChanged(isComparing);
}

void TuningPage::setHeadRoom(int width)
{
    m_headRoom->setVisible(width > 0);
    m_headRoom->setFixedSize(width, m_metric->sizeHint().height());
}

void TuningPage::waitForMap()
{
    m_model.sweeps().setWanted(true);
    m_model.sweeps().waitForSweep();
}

void TuningPage::applyTheme()
{
    const Theme &theme = m_model.state().theme();
    for (SegmentedControl *control : { m_shown, m_metric })
        control->setTheme(theme);
    m_settings->applyTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    m_title->setPalette(quiet);
    m_besideOwn->setPalette(quiet);
    update();
}

void TuningPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_model.state().theme();
    painter.fillRect(rect(), theme.base);
    painter.setFont(Theme::textFont(13));
    painter.setPen(theme.secondary);
    painter.drawText(
        rect().adjusted(4 * kPageMargin, 40, -4 * kPageMargin, 0), Qt::AlignCenter | Qt::TextWordWrap, m_emptyWords);
}

void TuningPage::resizeEvent(QResizeEvent *) { fitParts(); }

void TuningPage::showEvent(QShowEvent *event)
{
    m_model.sweeps().setWanted(true);
    QWidget::showEvent(event);
    sayWhetherComparing();
}

void TuningPage::hideEvent(QHideEvent *event)
{
    m_model.sweeps().setWanted(false);
    QWidget::hideEvent(event);
    sayWhetherComparing();
}

} // namespace ui
