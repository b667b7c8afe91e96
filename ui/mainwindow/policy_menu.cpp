// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/policy_menu.h"

#include "ui/array/array_view.h"
#include "ui/files/own_policies.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/hub/comparisons.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/mainwindow/settings_copy.h"
#include "ui/message/message_panel.h"
#include "ui/policy/policy_chooser.h"
#include "ui/policy/policy_panel.h"
#include "ui/rewrites/rewrites_panel.h"
#include "ui/summary/summary_dialog.h"
#include "ui/timeline/timeline_view.h"
#include "ui/weight/weight_panel.h"

#include <QActionGroup>
#include <QMenu>

#include <map>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString presetAction(const core::Policy &preset) { return u"policy.preset."_s + QString::fromStdString(preset.id); }

} // namespace

PolicyMenu::PolicyMenu(ViewState &state, ActionRegistry &actions, PanelDocks &panels, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_workspace(state.workspace())
    , m_actions(actions)
    , m_panels(panels)
    , m_menu(tr("&Policy"))
    , m_choices(new QActionGroup(this))
{
}

void PolicyMenu::addPolicyActions(SettingsCopy &settingsCopy)
{
    PolicyPanel *panel = &m_panels.panel<PolicyPanel>();
    offer(m_actions.add(u"policy.as-recorded"_s, m_menu, tr("As Recorded"), {}, [panel] { panel->choose(nullptr); }));
    addPresetActions();
    m_actions.addSeparator(m_menu);
    m_actions.add(u"policy.load"_s, m_menu, tr("Load Policy…"), {}, [panel] { panel->chooseFile(); });
    m_actions.add(u"policy.save"_s, m_menu, tr("Save Policy As…"), {}, [panel] { panel->chooseSavePlace(); });
    QAction *copySettings = m_actions.add(u"policy.copy-settings"_s, m_menu, tr("Copy as Harness Settings"), {},
        [&settingsCopy] { settingsCopy.copy(); });
    settingsCopy.attach(copySettings);
    panel->setCopyAction(copySettings);
    m_actions.add(u"policy.write-summary"_s, m_menu, tr("Write the Summary with a Model…"), {}, [this, panel] {
        auto *dialog = new SummaryDialog(m_state, panel->window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    m_actions.addSeparator(m_menu);
    m_actions.add(u"policy.stage-up"_s, m_menu, tr("Move Stage Up"), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Up),
        [panel] { panel->moveCurrentStage(-1); });
    m_actions.add(u"policy.stage-down"_s, m_menu, tr("Move Stage Down"),
        QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Down), [panel] { panel->moveCurrentStage(1); });
    m_actions.add(u"policy.triggers"_s, m_menu, tr("Act Only When Triggered: On or Off"), {},
        [this, panel] { panel->setHonoursTriggers(!m_workspace.plan().honoursTriggers); });
    m_actions.add(u"policy.aftermath"_s, m_menu, tr("Show Recorded or Simulated"), {}, [this] {
        m_state.setAftermath(m_state.aftermath() == Aftermath::Recorded ? Aftermath::Simulated : Aftermath::Recorded);
    });
}

/// A submenu, as there are many. Presets from published code come first, then interpretations.
void PolicyMenu::addPresetActions()
{
    const QString menu = m_menu + u'/' + tr("Choose");
    std::string evidence;
    for (const core::PolicyPtr &preset : core::presets()) {
        if (preset->id == "none")
            continue;
        if (!evidence.empty() && preset->provenance.evidence != evidence)
            m_actions.addSeparator(menu);
        evidence = preset->provenance.evidence;
        PolicyPanel *panel = &m_panels.panel<PolicyPanel>();
        QAction *action = m_actions.add(
            presetAction(*preset), menu, displayText(preset->name), {}, [panel, preset] { panel->choose(preset); });
        action->setToolTip(displayText(preset->description));
        offer(action);
    }
    connect(&m_workspace, &Workspace::planChanged, this, &PolicyMenu::markChosen);
    markChosen();
}

void PolicyMenu::offer(QAction *action)
{
    action->setCheckable(true);
    m_choices->addAction(action);
}

void PolicyMenu::markChosen()
{
    const core::PolicyPtr &policy = m_workspace.plan().policy;
    const QString chosen = policy ? presetAction(*policy) : u"policy.as-recorded"_s;
    m_choices->setExclusionPolicy(QActionGroup::ExclusionPolicy::None); // the user's own policy is none of them
    const QList<QAction *> all = m_choices->actions();
    for (QAction *action : all)
        action->setChecked(action->objectName() == chosen);
    m_choices->setExclusionPolicy(QActionGroup::ExclusionPolicy::Exclusive);
}

void PolicyMenu::addOverrideActions(ArrayView &array, const QList<QAction *> &onBlock)
{
    m_actions.addSeparator(m_menu);
    const auto onSelection
        = [this](const QString &id, const QString &words, Qt::Key key, std::optional<Override> what) {
              return m_actions.add(id, m_menu, words, QKeySequence(Qt::CTRL | Qt::SHIFT | key),
                  [this, what] { m_state.overrideSelection(what); });
          };
    const QList<QAction *> onSlots {
        onSelection(u"policy.pin"_s, tr("Pin Selected Slots"), Qt::Key_K, Override::Keep),
        onSelection(u"policy.drop"_s, tr("Drop Selected Slots"), Qt::Key_D, Override::Drop),
        onSelection(u"policy.clear-override"_s, tr("Leave Selected Slots to the Policy"), Qt::Key_L, std::nullopt),
    };
    addChangesActions();
    const auto onCurrent = [this](const QString &id, const QString &words, std::optional<Override> what) {
        return m_actions.add(id, m_menu, words, {}, [this, what] { m_state.overrideCurrentBlock(what); });
    };
    const QList<QAction *> onBlocks {
        onCurrent(u"policy.pin-block"_s, tr("Pin Block"), Override::Keep),
        onCurrent(u"policy.drop-block"_s, tr("Drop Block"), Override::Drop),
        onCurrent(u"policy.clear-block"_s, tr("Leave Block to the Policy"), std::nullopt),
    };
    auto *line = new QAction(this);
    line->setSeparator(true);
    const QList<QAction *> rest = QList<QAction *> { line } + onBlock;
    const QList<QAction *> onTexts = addTextActions();
    array.addContextActions(onSlots + onTexts + rest);
    m_panels.panel<MessagePanel>().setBlockActions(onBlocks + rest);
    m_panels.panel<RewritesPanel>().setBlockActions(onBlocks + rest, onTexts.front());
    m_panels.panel<WeightPanel>().setContextActions(
        onBlocks, onSlots, QList<QAction *> { m_actions.action(u"go.show-in-array"_s) } + onBlock);
}

/// For all that the user changed by hand.
void PolicyMenu::addChangesActions()
{
    QAction *apply = m_actions.add(u"policy.apply-changes"_s, m_menu, tr("Apply Your Changes"), {},
        [this] { m_workspace.plans().commitResting(); });
    QAction *discard = m_actions.add(u"policy.discard-changes"_s, m_menu, tr("Discard Your Changes"), {},
        [this] { m_workspace.plans().commitDiscard(); });
    const auto follow = [this, apply, discard] {
        const Plan &plan = m_workspace.plan();
        apply->setEnabled(!plan.resting.isEmpty());
        discard->setEnabled(!plan.byHand().isEmpty() || !plan.missing.isEmpty());
    };
    connect(&m_workspace, &Workspace::planChanged, this, follow);
    follow();
}

QList<QAction *> PolicyMenu::addTextActions()
{
    const QString edit = tr("&Edit");
    MessagePanel *message = &m_panels.panel<MessagePanel>();
    m_actions.addSeparator(edit);
    const auto inMessage = [&](const QString &id, const QString &words, Qt::Key key, void (MessagePanel::*deed)()) {
        return m_actions.add(id, edit, words, QKeySequence(Qt::CTRL | Qt::SHIFT | key), [this, message, deed] {
            m_panels.raise(*message);
            (message->*deed)();
        });
    };
    QAction *replace = inMessage(u"edit.replace-text"_s, tr("Replace Text…"), Qt::Key_R, &MessagePanel::editText);
    QAction *insert
        = inMessage(u"edit.insert-message"_s, tr("Insert Message After…"), Qt::Key_I, &MessagePanel::insertMessage);
    QAction *first
        = m_actions.add(u"edit.insert-first"_s, edit, tr("Insert Message at the Start…"), {}, [this, message] {
              m_panels.raise(*message);
              message->insertFirstMessage();
          });
    QAction *reset
        = m_actions.add(u"edit.reset"_s, edit, tr("Reset to Recorded"), {}, [this] { m_state.resetSelection(); });
    return { replace, insert, first, reset };
}

void PolicyMenu::addCompareActions(TimelineView &timeline)
{
    m_actions.addSeparator(m_menu);
    m_compareMenu = new QMenu(tr("Compare with"), timeline.window());
    QAction *compare = m_actions.adopt(u"policy.compare"_s, m_menu, m_compareMenu->menuAction(), {});
    connect(m_compareMenu, &QMenu::aboutToShow, this, &PolicyMenu::rebuildCompareMenu);
    QAction *stop = m_actions.add(
        u"policy.stop-comparing"_s, m_menu, tr("Compare with None"), {}, [this] { m_workspace.comparisons().clear(); });
    timeline.setShowsCache(openSettings().value(u"timeline/cache"_s, true).toBool());
    timeline.setContextActions(
        { m_actions.action(u"file.continue"_s), compare, stop, m_actions.action(u"view.cache"_s) });
}

/// What is near comes first; the other presets are in submenus, as there are many.
void PolicyMenu::rebuildCompareMenu()
{
    m_compareMenu->clear();
    const Comparisons &comparisons = m_workspace.comparisons();
    std::vector<core::PolicyPtr> offered;
    const auto offerIn = [this, &comparisons, &offered](QMenu *menu, const core::PolicyPtr &policy) {
        if (policy->id == "none" || std::ranges::contains(offered, policy))
            return;
        offered.push_back(policy);
        QAction *action = menu->addAction(
            displayText(policy->name), this, [this, policy] { m_workspace.comparisons().toggle(policy); });
        action->setCheckable(true);
        action->setChecked(comparisons.indexOf(policy->id).has_value());
    };
    const core::PolicyPtr &chosen = m_workspace.plan().policy;
    if (const core::PolicyPtr original = chosen ? core::editedPreset(*chosen) : nullptr)
        offerIn(m_compareMenu, original); // before the changes
    if (const core::SessionPtr &session = m_workspace.session()) {
        for (const core::PolicyPtr &preset : core::ownPresets(*session))
            offerIn(m_compareMenu, preset);
    }
    std::vector<core::PolicyPtr> others = core::presets();
    std::ranges::copy(ownPolicies(), std::back_inserter(others));
    for (const core::PolicyPtr &policy : others) {
        if (comparisons.indexOf(policy->id))
            offerIn(m_compareMenu, policy);
    }
    m_compareMenu->addSeparator();
    std::map<QString, QMenu *> groups;
    for (const core::PolicyPtr &policy : others) {
        const bool isPreset = core::preset(policy->id) == policy;
        const QString heading = isPreset ? PolicyChooser::headingOf(policy->provenance.evidence) : tr("Own policies");
        QMenu *&group = groups[heading];
        if (group == nullptr)
            group = m_compareMenu->addMenu(heading);
        offerIn(group, policy);
    }
}

} // namespace ui
