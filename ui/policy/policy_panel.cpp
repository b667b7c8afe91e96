// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/policy_panel.h"

#include "core/compaction/policy_members.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/stage.h"
#include "core/compaction/validity.h"
#include "ui/files/own_policies.h"
#include "ui/hub/run_figures.h"
#include "ui/policy/measure_row.h"
#include "ui/policy/stage_row.h"
#include "ui/widgets/tick_box.h"
#include "ui/widgets/wrapped_label.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStylePainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// Up to so many blocks what stages would save is reckoned at once; more in a job.
constexpr size_t kReckonedAtOnce = 1'000;
constexpr std::chrono::milliseconds kReckonAfter { 150 }; ///< of stillness
constexpr size_t kMostViolations = 4;

QString aboutOf(const core::Policy &policy)
{
    const core::Provenance &from = policy.provenance;
    QStringList lines;
    if (!policy.description.empty())
        lines << displayText(policy.description);
    if (!from.source.empty())
        lines << PolicyPanel::tr("Source: %1").arg(displayText(from.source));
    if (!from.evidence.empty() || !from.date.empty())
        lines << (from.date.empty() ? PolicyPanel::tr("Preset: %1").arg(displayText(from.evidenceWords()))
                                    : PolicyPanel::tr("Preset: %1, read %2")
                                          .arg(displayText(from.evidenceWords()), displayText(from.date)));
    return lines.join(u'\n');
}

/// Of the array before: the weight of the prelude and of what the log does not hold.
double besideSlots(const ArrayPicture &picture)
{
    const bool isTokens = picture.weights.unit() == core::WeightUnit::Tokens;
    double sum = isTokens ? picture.unlogged.remainder : 0;
    const core::SessionPtr &session = picture.before.session();
    const core::Thread &thread = session->thread(picture.position.thread);
    const auto &prelude
        = picture.position.isEnd() ? thread.prelude : thread.calls[picture.position.call.index()].prelude;
    if (!prelude)
        return sum + (isTokens ? picture.unlogged.prelude : 0);
    for (uint32_t i = prelude->begin; i < prelude->end; ++i)
        sum += picture.weights.of(*session, core::BlockId(i));
    return sum;
}

QString headingOf(const std::string &evidence)
{
    if (evidence == "source")
        return PolicyPanel::tr("Read in the source");
    if (evidence == "documentation")
        return PolicyPanel::tr("From documentation");
    return PolicyPanel::tr("Interpretation");
}

/// A combo box whose arrow is drawn in the colours of the theme.
class Chooser final : public QComboBox {
public:
    Chooser(const ViewState &state, QWidget *parent)
        : QComboBox(parent)
        , m_state(state)
    {
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        // The box itself would cut a long name off in the middle of a letter.
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - kBesideName);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_state.theme().accent, 1.6));
        const QPointF tip(width() - 14, height() / 2.0 + 2);
        painter.drawPolyline(QPolygonF({ tip + QPointF(-4, -4), tip, tip + QPointF(4, -4) }));
    }

private:
    static constexpr int kBesideName = 4;
    const ViewState &m_state;
};

QStringList invalidLines(std::span<const core::Violation> violations)
{
    QStringList lines;
    size_t told = 0;
    for (const core::AlikeViolations &each : core::alikeIn(violations)) {
        if (static_cast<size_t>(lines.size()) == kMostViolations)
            break;
        const core::SlotIndex slot = each.first->slot;
        const QString place = slot.isValid() ? u"[%1] "_s.arg(slot.value()) : QString();
        lines << PolicyPanel::tr("Not valid: %1%2").arg(place, displayText(each.sentence()));
        told += each.count;
    }
    if (told < violations.size())
        lines << PolicyPanel::tr("and %1 more").arg(violations.size() - told);
    return lines;
}

} // namespace

PolicyPanel::PolicyPanel(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_scroll(new QScrollArea(this))
    , m_body(new QWidget)
    , m_title(new QLabel(tr("Policy"), m_body))
    , m_chooser(new Chooser(state, m_body))
    , m_about(new WrappedLabel(m_body))
    , m_settings(new QWidget(m_body))
    , m_trigger(new MeasureRow(tr("trigger"), m_settings))
    , m_keep(new MeasureRow(tr("keep"), m_settings))
    , m_honours(new TickBox(tr("act only when triggered"), m_settings))
    , m_raw(new QLabel(m_settings))
    , m_rawStrip(new StripBar(m_settings))
    , m_rowsWidget(new QWidget(m_settings))
    , m_rows(new QVBoxLayout(m_rowsWidget))
    , m_place(new QWidget(m_rowsWidget))
    , m_add(new QToolButton(m_settings))
    , m_copy(new QToolButton(m_settings))
    , m_total(new WrappedLabel(m_body))
    , m_invalid(new WrappedLabel(m_body))
    , m_verdicts(new WrappedLabel(m_body))
{
    setObjectName(u"policy"_s);
    m_body->setObjectName(u"policyBody"_s);
    m_chooser->setObjectName(u"policyChooser"_s);
    m_chooser->setAccessibleName(tr("Policy"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setMinimumContentsLength(14);
    m_chooser->setMaxVisibleItems(30);
    m_chooser->installEventFilter(this);
    m_body->installEventFilter(this);
    m_trigger->setObjectName(u"triggerRow"_s);
    m_keep->setObjectName(u"keepRow"_s);
    m_honours->setObjectName(u"honoursTriggers"_s);
    m_honours->setToolTip(tr("Off: every stage acts as if it were triggered. On: a stage acts only where it would."));
    m_total->setObjectName(u"policyTotal"_s);
    m_invalid->setObjectName(u"policyInvalid"_s);
    m_verdicts->setObjectName(u"policyVerdicts"_s);
    m_raw->setTextFormat(Qt::PlainText);
    m_about->setObjectName(u"policyAbout"_s);
    m_raw->setAlignment(Qt::AlignRight);
    m_rawStrip->setFixedHeight(10);
    m_place->setFixedHeight(2);
    m_place->setAutoFillBackground(true);
    m_place->hide();
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(0);
    m_copy->setText(tr("copy as settings"));
    m_copy->setObjectName(u"copySettings"_s);
    m_add->setText(tr("+ stage"));
    m_add->setObjectName(u"addStage"_s);
    m_add->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_add);
    menu->setToolTipsVisible(true);
    for (const core::StageKind &kind : core::stageKinds()) {
        QAction *action = menu->addAction(displayText(kind.title), this, [this, id = std::string(kind.id)] {
            if (policy())
                commit(core::withStageAdded(*policy(), id), tr("Add Stage"));
        });
        action->setToolTip(displayText(kind.sentence));
    }
    m_add->setMenu(menu);

    auto *raw = new QHBoxLayout;
    auto *rawWords = new QLabel(tr("the array as it is"), m_settings);
    rawWords->setFont(Theme::textFont(12));
    raw->addWidget(rawWords, 1);
    raw->addWidget(m_raw);
    auto *rawStrip = new QHBoxLayout;
    rawStrip->setContentsMargins(20, 0, 0, 0);
    rawStrip->addWidget(m_rawStrip);
    auto *settings = new QVBoxLayout(m_settings);
    settings->setContentsMargins(0, 0, 0, 0);
    settings->setSpacing(5);
    settings->addWidget(m_trigger);
    settings->addWidget(m_keep);
    settings->addWidget(m_honours);
    settings->addSpacing(6);
    settings->addLayout(raw);
    settings->addLayout(rawStrip);
    settings->addWidget(m_rowsWidget);
    auto *below = new QHBoxLayout;
    below->addWidget(m_add);
    below->addStretch();
    below->addWidget(m_copy);
    settings->addLayout(below);
    auto *column = new QVBoxLayout(m_body);
    column->setContentsMargins(12, 8, 12, 10);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_chooser);
    column->addWidget(m_about);
    column->addWidget(m_settings);
    column->addWidget(m_total);
    column->addWidget(m_invalid);
    column->addWidget(m_verdicts);
    column->addStretch(1);
    m_scroll->setWidget(m_body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // in a window too small for all its docks
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_scroll);

    connect(m_chooser, &QComboBox::activated, this, [this](int row) {
        const int index = m_chooser->itemData(row).toInt();
        choose(index < 0 ? nullptr : m_choices[static_cast<size_t>(index)]);
    });
    Workspace &workspace = state.workspace();
    const auto connectRow = [&](MeasureRow *row, const char *key, auto preview, const QString &words) {
        connect(row, &MeasureRow::gestureStarted, &workspace, &Workspace::beginGesture);
        connect(row, &MeasureRow::measureChanged, &workspace, preview);
        connect(row, &MeasureRow::gestureEnded, &workspace, [&workspace, words] { workspace.endGesture(words); });
        connect(row, &MeasureRow::textEntered, this, [this, key](const QString &text) { enterSetting(key, text); });
    };
    connectRow(m_trigger, "trigger", &Workspace::previewTrigger, tr("Change Trigger"));
    connectRow(m_keep, "keep", &Workspace::previewKeep, tr("Change Keep"));
    connect(m_honours, &TickBox::clicked, this, &PolicyPanel::setHonoursTriggers);
    connect(&workspace, &Workspace::planChanged, this, [this] { m_error.clear(); });
    connect(&state, &ViewState::pictureChanged, this, &PolicyPanel::refresh);
    connect(&workspace.figures(), &RunFigures::policyChanged, this, &PolicyPanel::refreshVerdicts);
    connect(&state, &ViewState::themeChanged, this, &PolicyPanel::applyTheme);
    m_reckonTimer.setSingleShot(true);
    m_reckonTimer.setInterval(kReckonAfter);
    connect(&m_reckonTimer, &QTimer::timeout, this, [this] {
        m_reckoning.start(this, std::exchange(m_toReckon, nullptr),
            [this](const std::vector<std::optional<StageFigure>> &wouldBe) { showFigures(wouldBe); });
    });
    fillChooser();
    applyTheme();
    refresh();
}

PolicyPanel::~PolicyPanel() = default;

QSize PolicyPanel::minimumSizeHint() const
{
    return { std::max(220, m_body->minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width()),
        120 };
}

// --- choosing, loading, saving --------------------------------------------------------------------------------------

bool PolicyPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_chooser && event->type() == QEvent::Wheel) {
        event->ignore(); // scrolling the panel chooses no other policy
        return true;
    }
    if (watched == m_body && event->type() == QEvent::LayoutRequest)
        updateGeometry(); // with a policy there is more that wants its room
    return QWidget::eventFilter(watched, event);
}

void PolicyPanel::fillChooser()
{
    m_chooser->clear();
    m_choices.clear();
    m_chooser->addItem(tr("As recorded"), -1);
    auto *model = qobject_cast<QStandardItemModel *>(m_chooser->model());
    const auto heading = [&](const QString &words) {
        m_chooser->addItem(words);
        QStandardItem *item = model->item(m_chooser->count() - 1);
        item->setFlags(Qt::NoItemFlags);
        item->setFont(Theme::strongFont(12));
    };
    m_chooser->setItemData(0, Theme::textFont(13), Qt::FontRole);
    const auto add = [&](const core::PolicyPtr &policy) {
        m_choices.push_back(policy);
        m_chooser->addItem(displayText(policy->name), static_cast<int>(m_choices.size()) - 1);
        m_chooser->setItemData(m_chooser->count() - 1, aboutOf(*policy), Qt::ToolTipRole);
        m_chooser->setItemData(m_chooser->count() - 1, Theme::textFont(13), Qt::FontRole);
    };
    for (const std::string evidence : { "source", "documentation", "interpretation" }) {
        bool isFirst = true;
        for (const core::PolicyPtr &policy : core::presets()) {
            if (policy->id == "none" || policy->provenance.evidence != evidence)
                continue;
            if (std::exchange(isFirst, false))
                heading(headingOf(evidence));
            add(policy);
        }
    }
    bool isFirst = true;
    for (const core::PolicyPtr &policy : ownPolicies()) {
        if (std::exchange(isFirst, false))
            heading(tr("Own policies"));
        add(policy);
    }
}

void PolicyPanel::choose(const core::PolicyPtr &chosen)
{
    const core::PolicyPtr policy = chosen && chosen->id == "none" ? nullptr : chosen;
    m_state.workspace().commitPlan(m_state.workspace().planWith(policy),
        policy ? tr("Choose %1").arg(displayText(policy->name)) : tr("Choose As Recorded"));
    refreshChooser();
}

void PolicyPanel::loadFrom(const QString &path)
{
    const auto loaded = loadPolicy(path);
    if (!loaded) {
        m_error = displayText(loaded.error().sentence());
        return refreshVerdicts();
    }
    choose(std::make_shared<const core::Policy>(*loaded));
}

void PolicyPanel::saveTo(const QString &path)
{
    if (!policy())
        return;
    auto saved = savePolicy(*policy(), path);
    if (!saved) {
        m_error = displayText(saved.error().sentence());
        return refreshVerdicts();
    }
    fillChooser();
    commit(std::move(*saved), tr("Save Policy"));
    refreshChooser();
}

void PolicyPanel::chooseFile()
{
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Load Policy"), ownPolicyFolder(), tr("Policies (*.json)"));
    if (!path.isEmpty())
        loadFrom(path);
}

void PolicyPanel::chooseSavePlace()
{
    if (!policy())
        return;
    QDir().mkpath(ownPolicyFolder());
    const QString proposed = ownPolicyFolder() + u"/my-"_s + QString::fromStdString(policy()->id) + u".json"_s;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Policy"), proposed, tr("Policies (*.json)"));
    if (!path.isEmpty())
        saveTo(path);
}

void PolicyPanel::commit(core::Policy policy, const QString &words)
{
    m_state.workspace().commitPlan(m_state.workspace().planWith(std::move(policy)), words);
}

void PolicyPanel::setHonoursTriggers(bool honours)
{
    Plan plan = m_state.workspace().plan();
    plan.honoursTriggers = honours;
    m_state.workspace().commitPlan(plan, honours ? tr("Act Only When Triggered") : tr("Act as if Triggered"));
}

void PolicyPanel::setCopyAction(QAction *action)
{
    const auto follow = [this, action] {
        m_copy->setVisible(action->isVisible());
        m_copy->setToolTip(action->text());
        m_copy->setAccessibleName(action->text());
    };
    connect(m_copy, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, this, follow);
    follow();
}

// --- settings -------------------------------------------------------------------------------------------------------

void PolicyPanel::enterSetting(const char *key, const QString &text)
{
    if (!policy())
        return;
    auto changed = core::withSetting(*policy(), key, text.trimmed().toStdString());
    if (!changed) {
        m_error = displayText(changed.error().message);
        return refresh();
    }
    commit(std::move(*changed), key == std::string_view("keep") ? tr("Change Keep") : tr("Change Trigger"));
    refresh();
}

// --- stages ---------------------------------------------------------------------------------------------------------

QString PolicyPanel::titleOf(size_t stage) const
{
    const core::StageKind *kind = core::stageKind(policy()->stages[stage].stage);
    return kind != nullptr ? displayText(kind->title) : QString();
}

void PolicyPanel::rebuildRows(const core::Policy &shown)
{
    std::vector<std::string> kinds;
    for (const core::StageSpec &spec : shown.stages)
        kinds.push_back(spec.stage);
    if (kinds == m_rowKinds)
        return;
    for (StageRow *row : m_stageRows) {
        row->hide();
        row->deleteLater();
    }
    m_stageRows.clear();
    m_rowKinds = std::move(kinds);
    for (size_t i = 0; i < shown.stages.size(); ++i) {
        auto *row = new StageRow(shown.stages[i], m_rowsWidget);
        row->setTheme(m_state.theme());
        m_rows->addWidget(row);
        m_stageRows.push_back(row);
        connect(row, &StageRow::focused, this, [this, i] { m_currentStage = i; });
        connect(row, &StageRow::ticked, this, [this, i](bool isOn) {
            m_currentStage = i;
            if (policy())
                commit(core::withStageEnabled(*policy(), i, isOn),
                    (isOn ? tr("Tick %1") : tr("Untick %1")).arg(titleOf(i)));
        });
        connect(row, &StageRow::parameterChanged, this, [this, i](const QString &name, const QString &value) {
            if (!policy())
                return;
            auto changed = core::withStageSetting(*policy(), i, name.toStdString(), value.toStdString());
            if (changed) {
                commit(std::move(*changed), tr("Change %1 of %2").arg(name, titleOf(i)));
            } else {
                m_error = displayText(changed.error().message);
                refresh();
            }
        });
        connect(row, &StageRow::removeRequested, this, [this, i] {
            if (policy())
                commit(core::withStageRemoved(*policy(), i), tr("Remove %1").arg(titleOf(i)));
        });
        connect(row, &StageRow::dragged, this, [this](QPoint global) { showPlace(placeAt(global)); });
        connect(row, &StageRow::dropped, this, [this, i](QPoint global) {
            showPlace(std::nullopt);
            moveStage(i, placeAt(global));
        });
    }
}

size_t PolicyPanel::placeAt(QPoint global) const
{
    const int y = m_rowsWidget->mapFromGlobal(global).y();
    size_t place = 0;
    while (place < m_stageRows.size() && y > m_stageRows[place]->geometry().center().y())
        ++place;
    return place;
}

void PolicyPanel::showPlace(std::optional<size_t> place)
{
    m_place->setVisible(place.has_value() && !m_stageRows.empty());
    if (!m_place->isVisible())
        return;
    const int y = *place < m_stageRows.size() ? m_stageRows[*place]->y() : m_stageRows.back()->geometry().bottom();
    m_place->setGeometry(0, std::clamp(y - 1, 0, std::max(0, m_rowsWidget->height() - 2)), m_rowsWidget->width(), 2);
    m_place->raise();
}

void PolicyPanel::moveStage(size_t from, size_t place)
{
    const size_t to = place > from ? place - 1 : place; // the row itself leaves its place
    if (!policy() || to == from || to >= policy()->stages.size())
        return;
    const QString words = tr("Move %1").arg(titleOf(from));
    m_currentStage = to;
    commit(core::withStageMoved(*policy(), from, to), words);
    if (to < m_stageRows.size())
        m_stageRows[to]->setFocus();
}

void PolicyPanel::moveCurrentStage(int delta)
{
    if (!policy() || m_currentStage >= policy()->stages.size() || (delta < 0 && m_currentStage == 0))
        return;
    moveStage(m_currentStage, delta < 0 ? m_currentStage - 1 : m_currentStage + 2);
}

void PolicyPanel::unfold(size_t stage)
{
    if (stage < m_stageRows.size())
        m_stageRows[stage]->setUnfolded(true);
}

// --- showing --------------------------------------------------------------------------------------------------------

void PolicyPanel::refresh()
{
    if (m_isRefreshing)
        return;
    const QScopedValueRollback refreshing(m_isRefreshing, true);
    m_settings->setVisible(policy() != nullptr);
    refreshChooser();
    if (policy()) {
        refreshMeasures();
        refreshStages();
    } else {
        m_reckoning.cancel();
    }
    refreshVerdicts();
}

void PolicyPanel::refreshChooser()
{
    int row = 0;
    bool isEdited = false;
    if (policy()) {
        row = -1;
        for (int i = 1; i < m_chooser->count() && row < 0; ++i) {
            const QVariant index = m_chooser->itemData(i);
            if (!index.isValid() || m_choices[static_cast<size_t>(index.toInt())]->id != policy()->id)
                continue;
            row = i;
            isEdited = m_choices[static_cast<size_t>(index.toInt())]->document != policy()->document;
        }
        if (row < 0) {
            // Of a file elsewhere: it can be chosen again.
            m_choices.push_back(policy());
            m_chooser->addItem(displayText(policy()->name), static_cast<int>(m_choices.size()) - 1);
            row = m_chooser->count() - 1;
        }
    }
    m_chooser->setCurrentIndex(row);
    QString about = tr("What the harness did. Choose a policy to see what it would make of this array.");
    if (policy()) {
        about = displayText(policy()->description);
        const core::Provenance &from = policy()->provenance;
        QStringList line;
        if (isEdited)
            line << tr("edited");
        if (!from.evidence.empty())
            line << displayText(from.evidenceWords());
        if (!from.date.empty())
            line << displayText(from.date);
        if (!line.isEmpty())
            about += u'\n' + line.join(u" · "_s);
        m_about->setToolTip(aboutOf(*policy()));
        m_chooser->setToolTip(aboutOf(*policy()));
    }
    m_about->setText(about);
}

void PolicyPanel::refreshMeasures()
{
    const core::Session *session = m_state.session().get();
    double tokens = session != nullptr ? policy()->windowOf(*session) : 0;
    size_t slots = m_state.picture().before.slotCount();
    if (tokens <= 0 && m_state.workspace().tokens()) {
        for (const core::BlockId id : m_state.picture().before.blocks())
            tokens += m_state.workspace().tokens()->of(id);
    }
    const core::Trigger &trigger = policy()->trigger;
    if (trigger.measures.size() == 1)
        m_trigger->setMeasure(trigger.measures.front(), tokens, slots);
    else
        m_trigger->setWords(QString::fromStdString(trigger.fieldText()));
    m_keep->setMeasure(policy()->keep.measure, tokens, slots);
    m_honours->setChecked(m_state.workspace().plan().honoursTriggers);
}

void PolicyPanel::refreshStages()
{
    rebuildRows(*policy());
    for (size_t i = 0; i < m_stageRows.size(); ++i)
        m_stageRows[i]->setSpec(policy()->stages[i]);
    refreshFigures();
}

void PolicyPanel::refreshFigures()
{
    const core::CompactionPtr &made = m_state.picture().simulated;
    if (!made || made->policy != policy() || m_stageRows.empty()) {
        // Another plan is on its way, or what was recorded is shown: the figures at hand stay.
        m_reckoning.cancel();
        return;
    }
    const core::Transcript before = made->before;
    const core::Weights weights = m_state.picture().weights;
    core::CompactOptions options;
    options.position = m_state.position();
    options.ignoresTriggers = !m_state.workspace().plan().honoursTriggers;
    options.overrides = m_state.workspace().plan().overrides;
    options.memo = m_state.workspace().memo();
    const auto work = [before, weights, options, policy = policy(), tokens = m_state.workspace().tokens()](
                          core::Progress &progress) {
        // What is off is tried on its own, at its place.
        std::vector<std::optional<StageFigure>> wouldBe(policy->stages.size());
        for (size_t i = 0; i < wouldBe.size() && !progress.isCancelled(); ++i) {
            if (policy->stages[i].isEnabled)
                continue;
            const auto tried = std::make_shared<const core::Policy>(core::withStageEnabled(*policy, i, true));
            wouldBe[i] = stageFigures(core::compact(before, tried, *tokens, options), weights).stages[i];
        }
        return wouldBe;
    };
    m_reckonTimer.stop();
    showFigures({});
    const bool hasOff = std::ranges::any_of(policy()->stages, [](const auto &spec) { return !spec.isEnabled; });
    if (!hasOff)
        return m_reckoning.cancel();
    if (before.blocks().size() <= kReckonedAtOnce) {
        m_reckoning.cancel();
        core::Progress progress;
        return showFigures(work(progress));
    }
    m_reckoning.cancel();
    m_toReckon = work;
    m_reckonTimer.start(); // the plans of a drag are not reckoned through
}

void PolicyPanel::showFigures(const std::vector<std::optional<StageFigure>> &wouldBe)
{
    const core::CompactionPtr &made = m_state.picture().simulated;
    if (!made || made->stages.size() != m_stageRows.size())
        return;
    const core::Weights &weights = m_state.picture().weights;
    const StageFigures figures = stageFigures(*made, weights);
    const double whole = figures.raw.total();
    m_raw->setText(displayText(weights.shown(whole)) + QChar::Nbsp); // the figures below end in a bracket, or a blank
    m_rawStrip->setStrip(figures.raw, whole, false);
    for (size_t i = 0; i < m_stageRows.size(); ++i) {
        const bool isOn = made->policy->stages[i].isEnabled;
        const core::StageReport &report = made->stages[i];
        if (isOn)
            m_stageRows[i]->setFigure(figures.stages[i], whole, weights);
        else if (i < wouldBe.size())
            m_stageRows[i]->setFigure(wouldBe[i], whole, weights);
        QString words;
        if (isOn && !report.hasRun)
            words = tr("waits: %1").arg(displayText(report.verdict));
        else if (isOn && report.rewrites == 0)
            words = tr("finds nothing to change here");
        m_stageRows[i]->setVerdict(words);
    }
}

void PolicyPanel::refreshVerdicts()
{
    const ArrayPicture &picture = m_state.picture();
    QStringList lines;
    QStringList invalid;
    QString total;
    if (!m_error.isEmpty())
        lines << m_error;
    if (!m_state.workspace().isPreviewing()) { // a drag changes figures, no members
        m_unknown.clear();
        for (const std::string &member : policy() ? core::unknownMembersOf(*policy()) : std::vector<std::string>())
            m_unknown << displayText(core::unknownMemberSentence(member));
    }
    lines << m_unknown;
    if (const core::CompactionPtr &made = picture.simulated) {
        const core::Weights &weights = picture.weights;
        double was = 0;
        double now = 0;
        for (const core::Slot &slot : made->before.slots())
            was += weights.of(made->before, slot);
        for (const core::Slot &slot : made->after.slots())
            now += picture.weightsAfter.of(made->after, slot);
        // The prompt, as the array and the timeline have it: with what is sent beside the messages.
        const bool isExact = weights.unit() == core::WeightUnit::Tokens && picture.unlogged.recorded > 0;
        const double whole = isExact ? picture.unlogged.recorded : was + besideSlots(picture);
        const QString before
            = isExact ? displayText(core::shown({ whole, core::Basis::Exact, 0 })) : displayText(weights.shown(whole));
        const QString after
            = isExact && made->changesNothing() ? before : displayText(weights.shown(std::max(0.0, whole + now - was)));
        total = tr("%1 → %2 %3").arg(before, after, displayText(weights.unitName()));
        if (was > 0) {
            QString share = QLocale::c().toString((now - was) * 100 / whole, 'f', 1);
            total += u" · "_s + share.replace(u'-', QChar(0x2212)) + u" %"_s;
        }
        const bool waits = policy() && core::waitsForTrigger(*policy());
        const bool isReached = policy() && policy()->trigger.isAlways() ? made->hasFired : made->isTriggerReached;
        if (waits)
            lines << (isReached ? tr("Would fire here: %1") : tr("Would not fire here: %1"))
                         .arg(displayText(made->verdict));
        const bool wantsWindow = policy() && policy()->keep.measure.unit == core::Measure::Unit::WindowFraction;
        if (wantsWindow && m_state.session() && policy()->windowOf(*m_state.session()) <= 0)
            lines << (policy()->window == core::Policy::Window::None
                    ? tr("The policy has no window, so that a fraction has nothing to be a fraction of.")
                    : tr("The model's window is not known here, so a share of it cannot be kept or reached."));
        invalid = invalidLines(made->validity);
        if (const auto &overrides = m_state.workspace().plan().overrides; !overrides.isEmpty())
            lines << counted(overrides.keep.size(), tr("block pinned"), tr("blocks pinned")) + u", "_s
                    + tr("%1 dropped").arg(overrides.drop.size());
        if (const auto &missing = m_state.workspace().plan().missing; !missing.isEmpty())
            lines << tr("%1 more not in the file any more").arg(missing.keep.size() + missing.drop.size());
    } else if (m_state.isPlanning()) {
        total = tr("planning…");
    }
    // A line ends between figures, not within one.
    m_total->setText(total.replace(u" %"_s, QChar::Nbsp + u"%"_s).replace(u" ±"_s, QChar::Nbsp + u"±"_s));
    m_total->setVisible(!total.isEmpty());
    m_invalid->setText(invalid.join(u'\n'));
    m_invalid->setVisible(!invalid.isEmpty());
    lines << runVerdicts();
    m_verdicts->setText(lines.join(u'\n'));
    m_verdicts->setVisible(!lines.isEmpty());
}

QStringList PolicyPanel::runVerdicts() const
{
    const core::PolicyFiguresPtr &figures = m_state.workspace().figures().policy();
    if (!figures)
        return {};
    QStringList lines;
    const auto add = [&lines](const std::string &sentence) {
        QString line = displayText(sentence);
        if (!line.isEmpty())
            line[0] = line[0].toUpper();
        lines << line;
    };
    if (figures->regret && figures->regret->of().all() > 0)
        add(core::lossSentence(*figures->regret, *figures->replay->ground->tokens));
    if (figures->regret && !figures->regret->lostMessages.empty())
        add(core::messageSentence(*figures->regret));
    if (figures->difference) {
        add(core::savingSentence(*figures->difference, core::SavingDetail::Sum));
        if (const core::RecordedFiguresPtr &recorded = m_state.workspace().figures().recorded()) {
            add("of the recorded run " + recorded->bill.sentence());
            if (const std::string output = recorded->partialOutput.sentence(); !output.empty())
                add(output);
        }
    }
    if (figures->payBack)
        add("the first compaction " + figures->payBack->sentence());
    return lines;
}

void PolicyPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    QPalette palette = theme.palette();
    setPalette(palette);
    m_body->setPalette(palette);
    m_body->setAutoFillBackground(true);
    palette.setColor(QPalette::Window, theme.base);
    m_body->setPalette(palette);
    m_scroll->setPalette(palette);
    m_title->setFont(Theme::strongFont(13));
    for (WrappedLabel *label : { m_about, m_invalid, m_verdicts }) {
        label->setFont(Theme::textFont(12));
        label->setSentencesApart(label == m_invalid ? theme.hot : theme.secondary);
    }
    m_raw->setFont(Theme::figureFont(12));
    m_total->setFont(Theme::strongFont(13));
    QPalette place = palette;
    place.setColor(QPalette::Window, theme.accent);
    m_place->setPalette(place);
    for (QToolButton *button : { m_add, m_copy })
        button->setStyleSheet(
            u"QToolButton { border: 1px solid %1; border-radius: 4px; padding: 3px 10px; color: %2; }"
            "QToolButton::menu-indicator { image: none; }"_s.arg(theme.hairline.name(), theme.text.name()));
    m_honours->setTheme(theme);
    m_body->setStyleSheet(
        u"#policyBody { background: %1; } QLabel { color: %2; background: transparent; }"
        "QLineEdit, QAbstractSpinBox, QComboBox { background: %1; color: %2; border: 1px solid %3;"
        " border-radius: 4px; padding: 2px 6px; min-height: 18px; }"
        "QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: %4; }"
        "QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }"
        "QComboBox::drop-down { border: none; width: 18px; }"
        "QComboBox QAbstractItemView { background: %1; color: %2; selection-background-color: %5;"
        " selection-color: %2; }"
        "#policyChooser { background: %5; border-color: %4; font-weight: 600; padding: 4px 8px; }"
        "QToolButton { color: %6; }"
        "#stageVerdict, #measureName { color: %6; }"_s.arg(theme.base.name(), theme.text.name(), theme.hairline.name(),
            theme.accent.name(), theme.accentGround.name(), theme.secondary.name()));
    m_trigger->setTheme(theme);
    m_keep->setTheme(theme);
    m_rawStrip->setTheme(theme);
    for (StageRow *row : m_stageRows)
        row->setTheme(theme);
    update();
}

void PolicyPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

} // namespace ui
