// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The actions of the window, their keys and its menus.

#include "ui/mainwindow/main_window.h"

#include "ui/calls/calls_panel.h"
#include "ui/edits/edits_page.h"
#include "ui/files/own_policies.h"
#include "ui/files/settings.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/head_line_bar.h"
#include "ui/mainwindow/keys_page.h"
#include "ui/mainwindow/settings_copy.h"
#include "ui/message/message_panel.h"
#include "ui/outline/outline_panel.h"
#include "ui/policy/policy_panel.h"
#include "ui/rewrites/rewrites_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/weight/weight_panel.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QUndoStack>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

QString presetAction(const core::Policy &preset) { return u"policy.preset."_s + QString::fromStdString(preset.id); }

} // namespace

/// What was read in sources, then interpretations; the one that is chosen has its mark, and so has what was recorded.
void MainWindow::makePresetActions(const QString &menu)
{
    auto *group = new QActionGroup(this);
    const auto markChosen = [this, group] {
        const core::PolicyPtr &policy = m_workspace.plan().policy;
        const QString chosen = policy ? presetAction(*policy) : u"policy.as-recorded"_s;
        group->setExclusionPolicy(QActionGroup::ExclusionPolicy::None); // one's own policy is none of them
        const QList<QAction *> all = group->actions();
        for (QAction *action : all)
            action->setChecked(action->objectName() == chosen);
        group->setExclusionPolicy(QActionGroup::ExclusionPolicy::Exclusive);
    };
    const auto offer = [&](QAction *action) {
        action->setCheckable(true);
        group->addAction(action);
    };
    offer(m_actions->action(u"policy.as-recorded"_s));
    std::string evidence;
    for (const core::PolicyPtr &preset : core::presets()) {
        if (preset->id == "none")
            continue;
        if (!evidence.empty() && preset->provenance.evidence != evidence)
            m_actions->addSeparator(menu);
        evidence = preset->provenance.evidence;
        QAction *action = m_actions->add(
            presetAction(*preset), menu, displayText(preset->name), {}, [this, preset] { m_policy->choose(preset); });
        action->setToolTip(displayText(preset->description));
        offer(action);
    }
    connect(&m_workspace, &Workspace::planChanged, this, markChosen);
    markChosen();
}

void MainWindow::makePolicyActions()
{
    const QString menu = tr("&Policy");
    ActionRegistry &actions = *m_actions;
    actions.add(u"policy.as-recorded"_s, menu, tr("As Recorded"), {}, [this] { m_policy->choose(nullptr); });
    makePresetActions(menu + u'/' + tr("Choose")); // a menu of its own: there are many
    actions.addSeparator(menu);
    actions.add(u"policy.load"_s, menu, tr("Load Policy…"), {}, [this] { m_policy->chooseFile(); });
    actions.add(u"policy.save"_s, menu, tr("Save Policy As…"), {}, [this] { m_policy->chooseSavePlace(); });
    QAction *copySettings = actions.add(
        u"policy.copy-settings"_s, menu, tr("Copy as Harness Settings"), {}, [this] { m_settingsCopy->copy(); });
    m_settingsCopy->attach(copySettings);
    m_policy->setCopyAction(copySettings);
    actions.addSeparator(menu);
    actions.add(u"policy.stage-up"_s, menu, tr("Move Stage Up"), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Up),
        [this] { m_policy->moveCurrentStage(-1); });
    actions.add(u"policy.stage-down"_s, menu, tr("Move Stage Down"), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Down),
        [this] { m_policy->moveCurrentStage(1); });
    actions.add(u"policy.triggers"_s, menu, tr("Act Only When Triggered or as if Triggered"), {},
        [this] { m_policy->setHonoursTriggers(!m_workspace.plan().honoursTriggers); });
    actions.add(u"policy.aftermath"_s, menu, tr("Show Recorded or Simulated"), {}, [this] {
        m_state.setAftermath(m_state.aftermath() == Aftermath::Recorded ? Aftermath::Simulated : Aftermath::Recorded);
    });
    actions.addSeparator(menu);
    QList<QAction *> onSlots;
    onSlots << actions.add(u"policy.pin"_s, menu, tr("Pin Selected Slots"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K),
        [this] { m_state.overrideSelection(Workspace::Override::Keep); });
    onSlots << actions.add(u"policy.drop"_s, menu, tr("Drop Selected Slots"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
        [this] { m_state.overrideSelection(Workspace::Override::Drop); });
    onSlots << actions.add(u"policy.clear-override"_s, menu, tr("Leave Selected Slots to the Policy"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), [this] { m_state.overrideSelection(std::nullopt); });
    m_arrayPage->array().setContextActions(onSlots);
    const auto onBlock = [&](const QString &id, const QString &words, std::optional<Workspace::Override> what) {
        return actions.add(id, menu, words, {}, [this, what] { m_state.overrideCurrentBlock(what); });
    };
    const QList<QAction *> onBlocks { onBlock(u"policy.pin-block"_s, tr("Pin Block"), Workspace::Override::Keep),
        onBlock(u"policy.drop-block"_s, tr("Drop Block"), Workspace::Override::Drop),
        onBlock(u"policy.clear-block"_s, tr("Leave Block to the Policy"), std::nullopt) };
    m_message->setBlockActions(onBlocks);
    m_rewrites->setBlockActions(onBlocks);
    m_weight->setContextActions(
        onBlocks, onSlots, { actions.action(u"go.show-in-array"_s), actions.action(u"edit.copy-link"_s) });
}

void MainWindow::makeActions()
{
    const QString file = tr("&File");
    const QString edit = tr("&Edit");
    const QString view = tr("&View");
    const QString go = tr("&Go");
    const QString help = tr("&Help");
    ActionRegistry &actions = *m_actions;

    actions.add(u"file.open"_s, file, tr("Open…"), QKeySequence::Open, [this] { chooseFile(); });
    m_recentMenu = new QMenu(tr("Open Recent"), this);
    actions.adopt(u"file.recent"_s, file, m_recentMenu->menuAction(), {});
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::rebuildRecentMenu);
    actions.add(u"file.sample"_s, file, tr("Open the Sample"), {}, [this] { openSample(); });
    actions.add(u"file.reload"_s, file, tr("Reload"), QKeySequence(Qt::Key_F5), [this] { m_workspace.reload(); });
    actions.add(u"file.tune"_s, file, tr("Tune a Folder…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
        [this] { chooseFolder(); });
    actions.addSeparator(file);
    actions.add(u"file.compare"_s, file, tr("Compare with After…"), {}, [this] { chooseAfterFile(); });
    actions.add(u"file.stop-comparing"_s, file, tr("Stop Comparing"), {}, [this] { m_workspace.stopComparing(); });
    actions.add(u"file.export"_s, file, tr("Export Compacted Session…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
        [this] { chooseExportPlace(); });
    actions.addSeparator(file);
    actions.add(u"file.new-window"_s, file, tr("New Window"), QKeySequence::New, [] { showNew(); });
    actions.add(u"file.close"_s, file, tr("Close Window"), QKeySequence::Close, [this] { close(); });
    actions.add(
        u"file.quit"_s, file, tr("Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [] { QApplication::closeAllWindows(); });

    QUndoStack &undo = m_workspace.undoStack();
    actions.adopt(u"edit.undo"_s, edit, undo.createUndoAction(this, tr("Undo")), QKeySequence::Undo);
    actions.adopt(
        u"edit.redo"_s, edit, undo.createRedoAction(this, tr("Redo")), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    actions.addSeparator(edit);
    actions.add(u"edit.copy-link"_s, edit, tr("Copy Slot Name"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        [this] { QGuiApplication::clipboard()->setText(m_statusLeft->text()); });
    actions.add(u"edit.find"_s, edit, tr("Find"), QKeySequence::Find, [this] { m_head->focusFind(); });
    actions.add(u"edit.find-next"_s, edit, tr("Find Next"), QKeySequence(Qt::Key_F3), [this] { m_state.nextMatch(1); });
    actions.add(u"edit.find-previous"_s, edit, tr("Find Previous"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [this] { m_state.nextMatch(-1); });

    const auto choice = [&](const QString &id, const QString &text, const std::function<void()> &deed,
                            std::function<bool()> isChosen) {
        QAction *action = actions.add(id, view, text, {}, [this, deed] {
            deed();
            showChoices();
        });
        action->setCheckable(true);
        m_choices.emplace_back(action, std::move(isChosen));
    };
    const auto unit = [&](const QString &id, const QString &text, core::WeightUnit which) {
        choice(id, text, [this, which] { m_state.setUnit(which); }, [this, which] { return m_state.unit() == which; });
    };
    unit(u"view.tokens"_s, tr("Weigh by Tokens"), core::WeightUnit::Tokens);
    unit(u"view.characters"_s, tr("Weigh by Characters"), core::WeightUnit::Characters);
    unit(u"view.bytes"_s, tr("Weigh by Bytes"), core::WeightUnit::Bytes);
    actions.addSeparator(view);
    const auto mode = [&](const QString &id, const QString &text, ArrayMode which) {
        choice(
            id, text, [this, which] { m_arrayPage->array().setMode(which); },
            [this, which] { return m_arrayPage->array().mode() == which; });
    };
    mode(u"view.slots"_s, tr("Array as Slots"), ArrayMode::Slots);
    mode(u"view.bars"_s, tr("Array as Bars"), ArrayMode::Bars);
    mode(u"view.heaviest"_s, tr("Array as Bars, Heaviest First"), ArrayMode::BarsHeaviest);
    actions.add(u"view.zoom-in"_s, view, tr("Zoom In"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
        [this] { m_arrayPage->array().zoomAt(1.25, m_arrayPage->array().height() / 2.0); });
    actions.add(u"view.zoom-out"_s, view, tr("Zoom Out"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
        [this] { m_arrayPage->array().zoomAt(0.8, m_arrayPage->array().height() / 2.0); });
    actions.add(u"view.fit"_s, view, tr("Fit the Whole Array"), QKeySequence(Qt::CTRL | Qt::Key_0),
        [this] { m_arrayPage->array().fit(); });
    choice(
        u"view.cache"_s, tr("Cache and Cost in the Timeline"),
        [this] {
            m_timeline->setShowsCache(!m_timeline->showsCache());
            openSettings().setValue(u"timeline/cache"_s, m_timeline->showsCache());
        },
        [this] { return m_timeline->showsCache(); });
    actions.addSeparator(view);
    const auto look = [&](const QString &id, const QString &text, Look which) {
        choice(
            id, text,
            [this, which] {
                setLook(which);
                openSettings().setValue(u"window/look"_s, static_cast<int>(which));
            },
            [this, which] { return m_look == which; });
    };
    look(u"view.look-system"_s, tr("Colours of the System"), Look::System);
    look(u"view.look-light"_s, tr("Light Colours"), Look::Light);
    look(u"view.look-dark"_s, tr("Dark Colours"), Look::Dark);
    actions.addSeparator(view);
    const auto panel = [&](const QString &id, const QString &text, QDockWidget *dock, int number) {
        actions.add(id, view, text, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number)),
            [this, dock] { showDock(dock); });
    };
    panel(u"view.outline"_s, tr("Outline"), m_outlineDock, 1);
    panel(u"view.message"_s, tr("Message"), m_messageDock, 2);
    panel(u"view.weight"_s, tr("Weight"), m_weightDock, 3);
    panel(u"view.policy"_s, tr("Policy"), m_policyDock, 4);
    panel(u"view.rewrites"_s, tr("Rewrites and Artifacts"), m_rewritesDock, 5);
    panel(u"view.calls"_s, tr("Calls"), m_callsDock, 6);
    actions.add(u"view.array"_s, view, tr("Array"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_1),
        [this] { m_centre->choose(CentrePages::Page::Array); });
    actions.add(u"view.edits"_s, view, tr("Edits"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_2),
        [this] { m_centre->choose(CentrePages::Page::Edits); });
    actions.add(u"view.tuning"_s, view, tr("Tuning"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_3),
        [this] { m_centre->choose(CentrePages::Page::Tuning); });
    actions.add(u"view.default-layout"_s, view, tr("Restore Default Layout"), {}, [this] { restoreDefaultLayout(); });

    actions.add(u"go.to"_s, go, tr("Go to #n, [n] or Call…"), QKeySequence(Qt::CTRL | Qt::Key_G), [this] { goTo(); });
    actions.add(u"go.previous-call"_s, go, tr("Previous Call"), QKeySequence(Qt::CTRL | Qt::Key_Up),
        [this] { m_state.stepCall(-1); });
    actions.add(
        u"go.next-call"_s, go, tr("Next Call"), QKeySequence(Qt::CTRL | Qt::Key_Down), [this] { m_state.stepCall(1); });
    actions.add(u"go.heaviest"_s, go, tr("Heaviest Call"), QKeySequence(Qt::CTRL | Qt::Key_H),
        [this] { m_state.setPosition(m_state.heaviestPosition(m_state.position().thread)); });
    actions.add(u"go.end"_s, go, tr("End of the Session"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [this] { m_state.setPosition({ m_state.position().thread, {} }); });
    const auto compaction = [this](int direction) {
        if (!m_state.session())
            return;
        const core::Position at = m_state.position();
        const auto &all = m_state.session()->thread(at.thread).compactions;
        std::optional<core::CallIndex> best;
        for (const core::RecordedCompaction &each : all) {
            const bool isAhead = direction > 0 ? !at.isEnd() && each.call.isValid() && each.call > at.call
                                               : each.call.isValid() && (at.isEnd() || each.call < at.call);
            if (isAhead && (!best || (direction > 0 ? each.call < *best : each.call > *best)))
                best = each.call;
        }
        if (best)
            m_state.setPosition({ at.thread, *best });
    };
    actions.add(u"go.next-compaction"_s, go, tr("Next Compaction"), QKeySequence(Qt::ALT | Qt::Key_PageDown),
        [compaction] { compaction(1); });
    actions.add(u"go.previous-compaction"_s, go, tr("Previous Compaction"), QKeySequence(Qt::ALT | Qt::Key_PageUp),
        [compaction] { compaction(-1); });
    actions.add(u"go.trace"_s, go, tr("Trace over the Calls"), QKeySequence(Qt::CTRL | Qt::Key_T), [this] { trace(); });
    actions.add(
        u"go.clear-traces"_s, go, tr("Remove All Traces"), {}, [this] { m_workspace.facts().traces().clear(); });
    const auto rewrites = [this](const std::function<void()> &deed) {
        m_rewritesDock->show();
        m_rewritesDock->raise();
        deed();
    };
    actions.add(u"go.next-difference"_s, go, tr("Next Difference"), QKeySequence(Qt::ALT | Qt::Key_Down),
        [this, rewrites] { showsEdits() ? m_edits->step(1) : rewrites([this] { m_rewrites->step(1); }); });
    actions.add(u"go.previous-difference"_s, go, tr("Previous Difference"), QKeySequence(Qt::ALT | Qt::Key_Up),
        [this, rewrites] { showsEdits() ? m_edits->step(-1) : rewrites([this] { m_rewrites->step(-1); }); });
    actions.add(u"go.next-rewrite"_s, go, tr("Next Rewrite"), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_PageDown),
        [this, rewrites] { rewrites([this] { m_rewrites->stepRewrite(1); }); });
    actions.add(u"go.previous-rewrite"_s, go, tr("Previous Rewrite"),
        QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_PageUp),
        [this, rewrites] { rewrites([this] { m_rewrites->stepRewrite(-1); }); });
    actions.add(u"go.show-in-array"_s, go, tr("Show in Array"), {}, [this] { showInArray(); });
    actions.add(u"go.next-hot"_s, go, tr("Next Hot Zone"), {}, [this] { m_state.stepHot(1); });
    actions.add(u"go.previous-hot"_s, go, tr("Previous Hot Zone"), {}, [this] { m_state.stepHot(-1); });

    makeEditsActions();
    makePolicyActions();
    makeTimelineActions();

    actions.add(
        u"help.commands"_s, help, tr("Command Palette…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] {
            auto *palette = new CommandPalette(*m_actions, this);
            palette->setAttribute(Qt::WA_DeleteOnClose);
            palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 80)));
            palette->show();
        });
    actions.add(u"help.keys"_s, help, tr("Keys"), QKeySequence(Qt::Key_Question), [this] {
        auto *page = new KeysPage(*m_actions, this);
        page->setAttribute(Qt::WA_DeleteOnClose);
        page->show();
    });
    auto *escapeAction = new QAction(this);
    escapeAction->setShortcut(Qt::Key_Escape);
    connect(escapeAction, &QAction::triggered, this, &MainWindow::escape);
    addAction(escapeAction);
}

void MainWindow::makeEditsActions()
{
    const QString edit = tr("&Edit");
    ActionRegistry &actions = *m_actions;
    m_actions->addSeparator(edit);
    QAction *review = actions.add(
        u"edits.reviewed"_s, edit, tr("Mark Edit as Reviewed or Not"), {}, [this] { m_edits->toggleReviewed(); });
    QAction *copy = actions.add(u"edits.copy-patch"_s, edit, tr("Copy Patch"), {}, [this] { m_edits->copyPatch(); });
    QAction *save
        = actions.add(u"edits.save-patch"_s, edit, tr("Save as Patch…"), {}, [this] { m_edits->chooseSavePlace(); });
    QAction *choose
        = actions.add(u"edits.repository"_s, edit, tr("Choose Repository…"), {}, [this] { m_edits->chooseFolder(); });
    actions.add(u"go.show-edit"_s, tr("&Go"), tr("Show Edit"), {}, [this] { showEdit(); });
    QAction *basis
        = actions.add(u"go.show-basis"_s, tr("&Go"), tr("Show Basis of Edit"), {}, [this] { m_edits->showBasis(); });
    m_edits->setListActions({ review, m_actions->action(u"go.show-in-array"_s), basis, copy, save, choose });
}

void MainWindow::makeTimelineActions()
{
    const QString menu = tr("&Policy");
    m_actions->addSeparator(menu);
    m_compareMenu = new QMenu(tr("Compare with"), this);
    QAction *compare = m_actions->adopt(u"policy.compare"_s, menu, m_compareMenu->menuAction(), {});
    connect(m_compareMenu, &QMenu::aboutToShow, this, &MainWindow::rebuildCompareMenu);
    QAction *stop = m_actions->add(
        u"policy.stop-comparing"_s, menu, tr("Compare with None"), {}, [this] { m_workspace.comparisons().clear(); });
    m_timeline->setShowsCache(openSettings().value(u"timeline/cache"_s, true).toBool());
    m_timeline->setContextActions({ compare, stop, m_actions->action(u"view.cache"_s) });
}

void MainWindow::rebuildCompareMenu()
{
    m_compareMenu->clear();
    const auto offer = [this](const core::PolicyPtr &policy) {
        QAction *action = m_compareMenu->addAction(
            displayText(policy->name), this, [this, policy] { m_workspace.comparisons().toggle(policy); });
        action->setCheckable(true);
        action->setChecked(m_workspace.comparisons().indexOf(policy->id).has_value());
    };
    for (const core::PolicyPtr &preset : core::presets()) {
        if (preset->id != "none")
            offer(preset);
    }
    const std::vector<core::PolicyPtr> own = ownPolicies();
    if (!own.empty())
        m_compareMenu->addSeparator();
    for (const core::PolicyPtr &policy : own)
        offer(policy);
}

void MainWindow::rebuildRecentMenu()
{
    m_recentMenu->clear();
    const QStringList files = recentFiles();
    for (const QString &path : files)
        m_recentMenu->addAction(path, this, [this, path] { open(path.toStdString()); });
    if (m_recentMenu->isEmpty())
        m_recentMenu->addAction(tr("No Files Yet"))->setEnabled(false);
}

} // namespace ui
