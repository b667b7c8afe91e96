// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/policy_panel.h"

#include "core/compaction/policy_run.h"
#include "core/compaction/policy_settings.h"
#include "core/compaction/policy_words.h"
#include "core/compaction/stage.h"
#include "ui/files/own_policies.h"
#include "ui/hub/run_figures.h"
#include "ui/policy/hand_changes.h"
#include "ui/policy/measure_row.h"
#include "ui/policy/policy_chooser.h"
#include "ui/policy/policy_verdict.h"
#include "ui/policy/stage_list.h"
#include "ui/policy/stage_row.h"
#include "ui/widgets/tick_box.h"
#include "ui/widgets/word_button.h"
#include "ui/widgets/wrapped_label.h"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

PolicyPanel::PolicyPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_scroll(new QScrollArea(this))
    , m_body(new QWidget)
    , m_title(new QLabel(tr("Policy"), m_body))
    , m_chooser(new PolicyChooser(m_body))
    , m_aboutTitle(new QLabel(tr("About this policy"), m_body))
    , m_about(new WrappedLabel(m_body))
    , m_changes(new HandChanges(state, m_body))
    , m_settings(new QWidget(m_body))
    , m_trigger(new MeasureRow(tr("trigger"), m_settings))
    , m_keep(new MeasureRow(tr("keep"), m_settings))
    , m_honours(new TickBox(tr("act only when triggered"), m_settings))
    , m_raw(new QLabel(m_settings))
    , m_rawStrip(new StripBar(m_settings))
    , m_stages(new StageList(state, m_settings))
    , m_add(new QToolButton(m_settings))
    , m_copy(new QToolButton(m_settings))
    , m_counting(new WrappedLabel(m_settings))
    , m_hereTitle(new QLabel(m_body))
    , m_total(new WrappedLabel(m_body))
    , m_invalid(new WrappedLabel(m_body))
    , m_verdicts(new WrappedLabel(m_body))
    , m_runTitle(new QLabel(m_body))
    , m_run(new WrappedLabel(m_body))
    , m_costs(new QToolButton(m_body))
    , m_offStages(state)
{
    nameParts();
    makeButtons();
    layOutSettings();
    layOut();
    connectParts();
    m_chooser->fill();
    setNamesSession(false);
    applyTheme();
    refresh();
}

PolicyPanel::~PolicyPanel() = default;

void PolicyPanel::nameParts()
{
    setObjectName(u"policy"_s);
    m_body->setObjectName(u"policyBody"_s);
    m_chooser->setObjectName(u"policyChooser"_s);
    m_chooser->setAccessibleName(tr("Policy"));
    m_trigger->setObjectName(u"triggerRow"_s);
    m_keep->setObjectName(u"keepRow"_s);
    m_honours->setObjectName(u"honoursTriggers"_s);
    m_honours->setToolTip(
        tr("On: a stage acts only when its trigger is reached. Off: every stage acts as if it were triggered."));
    m_total->setObjectName(u"policyTotal"_s);
    m_invalid->setObjectName(u"policyInvalid"_s);
    m_verdicts->setObjectName(u"policyVerdicts"_s);
    m_counting->setObjectName(u"policyCounting"_s);
    m_hereTitle->setObjectName(u"policyHereTitle"_s);
    m_runTitle->setObjectName(u"policyRunTitle"_s);
    m_run->setObjectName(u"policyRun"_s);
    makeWordButton(*m_costs, u"policyCosts"_s, tr("How the costs are counted"),
        tr("Shows the cost by usage beside the computed one, and why they differ"));
    m_costs->setCheckable(true);
    connect(m_costs, &QToolButton::toggled, this, &PolicyPanel::refreshVerdicts);
    m_about->setObjectName(u"policyAbout"_s);
    m_raw->setTextFormat(Qt::PlainText);
    m_raw->setAlignment(Qt::AlignRight);
    m_rawStrip->setFixedHeight(10);
}

void PolicyPanel::makeButtons()
{
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
}

void PolicyPanel::layOutSettings()
{
    auto *raw = new QHBoxLayout;
    auto *rawWords = new QLabel(tr("slots, before the stages"), m_settings);
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
    settings->addWidget(m_counting);
    settings->addWidget(m_keep);
    settings->addWidget(m_honours);
    settings->addSpacing(6);
    settings->addLayout(raw);
    settings->addLayout(rawStrip);
    settings->addWidget(m_stages);
    auto *below = new QHBoxLayout;
    below->addWidget(m_add);
    below->addStretch();
    below->addWidget(m_copy);
    settings->addLayout(below);
}

void PolicyPanel::layOut()
{
    auto *column = new QVBoxLayout(m_body);
    column->setContentsMargins(12, 8, 12, 10);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_chooser);
    column->addWidget(m_changes);
    column->addWidget(m_settings);
    column->addWidget(m_hereTitle);
    column->addWidget(m_total);
    column->addWidget(m_invalid);
    column->addWidget(m_verdicts);
    column->addWidget(m_runTitle);
    column->addWidget(m_run);
    column->addWidget(m_costs);
    column->addWidget(m_aboutTitle);
    column->addWidget(m_about); // last: its length depends on the policy, and nothing moves below the pointer
    column->addStretch(1);
    m_scroll->setWidget(m_body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // in a window too small for all its docks
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_scroll);
    m_body->installEventFilter(this);
}

void PolicyPanel::connectParts()
{
    connect(m_chooser, &PolicyChooser::chosen, this, &PolicyPanel::choose);
    Workspace &workspace = m_state.workspace();
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
    connect(&m_state, &ViewState::pictureChanged, this, &PolicyPanel::refresh);
    connect(&workspace.figures(), &RunFigures::policyChanged, this, &PolicyPanel::refreshVerdicts);
    connect(&m_state, &ViewState::themeChanged, this, &PolicyPanel::applyTheme);
    connect(m_stages, &StageList::refused, this, [this](const core::Error &error) {
        m_error = displayText(error.message);
        refresh();
    });
    connect(&m_offStages, &OffStages::found, this, &PolicyPanel::showFigures);
}

QSize PolicyPanel::minimumSizeHint() const
{
    return { std::max(220, m_body->minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width()),
        120 };
}

// --- choosing, loading, saving --------------------------------------------------------------------------------------

bool PolicyPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_body && event->type() == QEvent::LayoutRequest)
        updateGeometry(); // a policy needs more room than none
    return QWidget::eventFilter(watched, event);
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
    m_chooser->fill();
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

void PolicyPanel::moveCurrentStage(int delta) { m_stages->moveCurrent(delta); }

void PolicyPanel::unfold(size_t stage) { m_stages->unfold(stage); }

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
        m_stages->refresh();
        refreshFigures();
    } else {
        m_offStages.cancel();
    }
    refreshVerdicts();
}

void PolicyPanel::refreshChooser()
{
    if (const core::SessionPtr &session = m_state.workspace().session())
        m_chooser->setOfHarness(core::ownPresets(*session));
    m_chooser->setPolicy(policy());
    const core::PolicyPtr &from = m_chooser->editedFrom();
    m_title->setText(from ? tr("Policy · edited") : tr("Policy"));
    m_aboutTitle->setVisible(policy() != nullptr);
    if (!policy())
        return m_about->setText(tr("This is what the harness did. Choose a policy to see its effect on this array."));
    const QString listed = aboutWords(from ? *from : *policy());
    const std::string change = from ? core::changeSentence(*policy(), *from) : std::string();
    // The description and the evidence are those of the listed policy; an edited one is described as it is now.
    const QString edited = displayText(core::deedSentence(*policy())) + u'\n';
    m_about->setText(change.empty() ? listed : edited + displayText(change));
    m_about->setToolTip(m_chooser->toolTip());
}

QString PolicyPanel::aboutWords(const core::Policy &policy)
{
    const core::Provenance &from = policy.provenance;
    QStringList line;
    if (!from.evidence.empty())
        line << displayText(from.evidenceWords());
    if (!from.date.empty())
        line << displayText(from.date);
    const QString about = displayText(policy.description);
    return line.isEmpty() ? about : about + u'\n' + line.join(u" · "_s);
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
    QStringList counting;
    const double window = session != nullptr ? policy()->windowOf(*session) : 0;
    const double reached = trigger.measures.size() == 1 ? trigger.measures.front().tokensIn(window) : 0;
    if (window > 0 && reached > 0)
        counting << tr("%1 tokens, %2 % of the window")
                        .arg(displayText(core::groupedNumber(static_cast<uint64_t>(std::llround(reached)))))
                        .arg(std::round(1000 * reached / window) / 10);
    if (const std::string words = core::countingWords(*policy()); !words.empty())
        counting << displayText(words);
    m_counting->setText(counting.join(u'\n'));
    m_counting->setVisible(!counting.isEmpty());
    m_keep->setMeasure(policy()->keep.measure, tokens, slots);
    m_honours->setChecked(m_state.workspace().plan().honoursTriggers);
}

void PolicyPanel::refreshFigures()
{
    const core::CompactionPtr &made = m_state.picture().simulated;
    if (!made && m_state.aftermath() != Aftermath::Simulated) {
        // The figures of an earlier policy would stand beside this one.
        m_offStages.cancel();
        m_raw->clear();
        m_rawStrip->setStrip({}, 0, false);
        return m_stages->clearFigures();
    }
    // While another plan is on its way, the figures stay as they are.
    if (!made || made->policy != policy() || m_stages->isEmpty())
        return m_offStages.cancel();
    showFigures({});
    m_offStages.start(*made);
}

void PolicyPanel::showFigures(const OffStages::Figures &wouldBe)
{
    const core::CompactionPtr &made = m_state.picture().simulated;
    if (!made || made->stages.size() != m_stages->count())
        return;
    const core::Weights &weights = m_state.picture().weights;
    const StageFigures figures = stageFigures(*made, weights);
    const double whole = figures.raw.total();
    m_raw->setText(displayText(weights.shown(whole)) + QChar::Nbsp); // the figures below end in a bracket, or a blank
    m_rawStrip->setStrip(figures.raw, whole, false);
    m_stages->showFigures(*made, figures, wouldBe);
}

void PolicyPanel::refreshVerdicts()
{
    QStringList lines;
    if (!m_error.isEmpty())
        lines << m_error;
    if (!m_state.workspace().isPreviewing()) { // a drag changes figures, not members
        m_unknown.clear();
        for (const std::string &member : policy() ? core::unknownMembersOf(*policy()) : std::vector<std::string>())
            m_unknown << displayText(core::unknownMemberSentence(member));
    }
    const PolicyVerdict verdict = policyVerdict(m_state);
    lines << m_unknown << verdict.lines;
    const auto show = [](QLabel *label, const QString &words) {
        label->setText(words);
        label->setVisible(!words.isEmpty());
    };
    const QString here = !policy() ? tr("This array with your changes")
        : verdict.isAsIf           ? tr("If the policy acted on this array")
                                   : tr("The policy on this array");
    show(m_hereTitle, verdict.total.isEmpty() ? QString() : here);
    show(m_total, verdict.total);
    show(m_invalid, verdict.invalid.join(u'\n'));
    show(m_verdicts, lines.join(u'\n'));
    const RunVerdict run = runVerdict(m_state.workspace());
    show(m_run, (m_costs->isChecked() ? run.lines + run.costs : run.lines).join(u'\n'));
    m_costs->setVisible(!run.costs.isEmpty());
    m_runTitle->setVisible(!m_run->text().isEmpty());
}

void PolicyPanel::setNamesSession(bool names)
{
    const QString file = displayText(m_state.workspace().path().filename().string());
    m_runTitle->setText(
        names ? tr("The policy over the open session, %1").arg(file) : tr("The policy over the whole session"));
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
    for (QLabel *title : { m_hereTitle, m_runTitle, m_aboutTitle }) {
        title->setFont(Theme::strongFont(12));
        title->setContentsMargins(0, 6, 0, 0);
    }
    for (WrappedLabel *label : { m_about, m_counting, m_invalid, m_verdicts, m_run }) {
        label->setFont(Theme::textFont(12));
        label->setSentencesApart(label == m_invalid ? theme.hot : theme.secondary);
    }
    m_costs->setStyleSheet(wordLinkStyle(theme));
    m_raw->setFont(Theme::figureFont(12));
    m_total->setFont(Theme::strongFont(13));
    m_chooser->setTheme(theme);
    m_stages->setTheme(theme);
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
        "#policyChooser QAbstractItemView::item { min-height: 21px; padding: 0 6px; }"
        "#policyChooser { combobox-popup: 0; background: %5; border-color: %4; font-weight: 600; padding: 4px 8px; }"
        "QToolButton { color: %6; }"
        "#stageVerdict, #measureName { color: %6; }"_s.arg(theme.base.name(), theme.text.name(), theme.hairline.name(),
            theme.accent.name(), theme.accentGround.name(), theme.secondary.name()));
    m_trigger->setTheme(theme);
    m_keep->setTheme(theme);
    m_rawStrip->setTheme(theme);
    update();
}

void PolicyPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

PanelKind policyPanel()
{
    return { u"policy"_s, PolicyPanel::tr("Policy"), Qt::RightDockWidgetArea, Qt::Key_4, makePanel<PolicyPanel> };
}

} // namespace ui
