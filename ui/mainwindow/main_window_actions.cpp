// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The actions of the window, their keys and its menus.

#include "ui/mainwindow/main_window.h"

#include "ui/array/array_view.h"
#include "ui/bookmarks/bookmarks_panel.h"
#include "ui/calls/calls_panel.h"
#include "ui/edits/edits_page.h"
#include "ui/files/settings.h"
#include "ui/files/text_scale.h"
#include "ui/hub/bookmarks.h"
#include "ui/hub/session_follower.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/view_history.h"
#include "ui/mainwindow/about_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/go_to.h"
#include "ui/mainwindow/head_line_bar.h"
#include "ui/mainwindow/keyboard_acts.h"
#include "ui/mainwindow/keys_page.h"
#include "ui/mainwindow/layouts.h"
#include "ui/mainwindow/legend_page.h"
#include "ui/mainwindow/manual_page.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/mainwindow/policy_menu.h"
#include "ui/mainwindow/row_menus.h"
#include "ui/mainwindow/session_continuation.h"
#include "ui/mainwindow/session_report_save.h"
#include "ui/mainwindow/status_line.h"
#include "ui/rewrites/rewrites_panel.h"
#include "ui/sessions/sessions_page.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QUndoStack>

namespace ui {

using namespace Qt::StringLiterals;

void MainWindow::makeActions()
{
    makeFileActions();
    makeEditActions();
    makeViewActions();
    makeLookActions();
    makePageActions();
    makeGoActions();
    makeRewriteActions();
    makeReviewActions();
    makeBookmarkActions();
    auto *rows = new RowMenus(m_state, *m_actions, this);
    connect(rows, &RowMenus::filtered, m_panels, [this] { m_panels->raise(u"search"_s); });
    auto *policyMenu = new PolicyMenu(m_state, *m_actions, *m_panels, this);
    policyMenu->addPolicyActions(*m_settingsCopy);
    policyMenu->addOverrideActions(array(), rows->onBlock());
    policyMenu->addCompareActions(*m_timeline);
    m_panels->setRowActions(rows->onBlock());
    m_panels->panel<CallsPanel>().setRowActions(QList { m_actions->action(u"file.continue"_s) } + rows->onBlock());
    m_centre->editsPage()->setListActions(rows->onBlock());
    makeHelpActions();
}

void MainWindow::makeFileActions()
{
    const QString file = tr("&File");
    ActionRegistry &actions = *m_actions;
    actions.add(u"file.open"_s, file, tr("Open…"), QKeySequence::Open, [this] { chooseFile(); });
    m_recentMenu = new QMenu(tr("Open Recent"), this);
    actions.adopt(u"file.recent"_s, file, m_recentMenu->menuAction(), {});
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::rebuildRecentMenu);
    actions.add(u"file.sample"_s, file, tr("Open the Sample"), {}, [this] { openSample(); });
    actions.add(u"file.reload"_s, file, tr("Reload"), QKeySequence(Qt::Key_F5), [this] { m_workspace.reload(); });
    SessionFollower *follower = &m_workspace.follower();
    QAction *live = actions.add(u"file.live"_s, file, tr("Live: Follow the File"), QKeySequence(Qt::CTRL | Qt::Key_L),
        [follower] { follower->setOn(!follower->isOn()); });
    live->setCheckable(true);
    live->setChecked(follower->isOn());
    connect(follower, &SessionFollower::stateChanged, live, [live, follower] { live->setChecked(follower->isOn()); });
    actions.add(u"file.open-folder"_s, file, tr("Open Folder…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
        [this] { chooseFolder(); });
    actions.add(
        u"file.known-sessions"_s, file, tr("List the Sessions of This Computer"), {}, [this] { listSessions({}); });
    actions.addSeparator(file);
    actions.add(u"file.compare"_s, file, tr("Compare with Another File…"), {}, [this] { chooseAfterFile(); });
    actions.add(u"file.stop-comparing"_s, file, tr("Stop Comparing"), {}, [this] { m_workspace.stopComparing(); });
    actions.add(u"file.export"_s, file, tr("Export Compacted Session…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
        [this] { chooseExportPlace(); });
    actions.add(u"file.report"_s, file, tr("Save Report…"), {}, [this] { m_reportSave->choosePlace(this); });
    actions.add(u"file.continue"_s, file, tr("Continue from the Shown Call"), {}, [this] { m_continuation->start(); });
    actions.add(u"file.copy-costs"_s, file, tr("Copy Costs of the Listed Sessions"), {}, [this] {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(m_centre->sessionsPage()->costs()));
        m_status->say(tr("Copied as CSV: what each day, project and model cost."));
    });
    actions.addSeparator(file);
    actions.add(u"file.new-window"_s, file, tr("New Window"), QKeySequence::New, [] { showNew(); });
    actions.add(u"file.close"_s, file, tr("Close Window"), QKeySequence::Close, [this] { close(); });
    actions.add(
        u"file.quit"_s, file, tr("Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [] { QApplication::closeAllWindows(); });
}

void MainWindow::makeEditActions()
{
    const QString edit = tr("&Edit");
    ActionRegistry &actions = *m_actions;
    QUndoStack &undo = m_workspace.undoStack();
    actions.adopt(u"edit.undo"_s, edit, undo.createUndoAction(this, tr("Undo")), QKeySequence::Undo);
    actions.adopt(
        u"edit.redo"_s, edit, undo.createRedoAction(this, tr("Redo")), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    actions.addSeparator(edit);
    actions.add(u"edit.copy-link"_s, edit, tr("Copy Slot Name"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        [this] { QGuiApplication::clipboard()->setText(m_status->leftText()); });
    actions.add(u"edit.find"_s, edit, tr("Find"), QKeySequence::Find, [this] {
        if (!m_centre->focusSearch())
            m_panels->focus(u"search"_s);
    });
    const auto step = [this](int direction) {
        EditsPage *edits = m_centre->editsPage();
        if (showsEdits() && edits->isFinding())
            edits->stepMatch(direction);
        else
            m_state.nextMatch(direction);
    };
    actions.add(u"edit.find-next"_s, edit, tr("Find Next"), QKeySequence(Qt::Key_F3), [step] { step(1); });
    actions.add(
        u"edit.find-previous"_s, edit, tr("Find Previous"), QKeySequence(Qt::SHIFT | Qt::Key_F3), [step] { step(-1); });
}

void MainWindow::makeViewActions()
{
    const QString view = tr("&View");
    ActionRegistry &actions = *m_actions;
    const auto unit = [&](const QString &id, const QString &text, core::WeightUnit which) {
        actions.addChoice(
            id, view, text, [this, which] { m_state.setUnit(which); },
            [this, which] { return m_state.unit() == which; });
    };
    unit(u"view.tokens"_s, tr("Weigh by Tokens"), core::WeightUnit::Tokens);
    unit(u"view.characters"_s, tr("Weigh by Characters"), core::WeightUnit::Characters);
    unit(u"view.bytes"_s, tr("Weigh by Bytes"), core::WeightUnit::Bytes);
    actions.addSeparator(view);
    const auto mode = [&](const QString &id, const QString &text, ArrayMode which) {
        actions.addChoice(
            id, view, text, [this, which] { array().setMode(which); },
            [this, which] { return array().mode() == which; });
    };
    mode(u"view.slots"_s, tr("Array as Slots"), ArrayMode::Slots);
    mode(u"view.bars"_s, tr("Array as Bars"), ArrayMode::Bars);
    mode(u"view.heaviest"_s, tr("Array as Bars, Heaviest First"), ArrayMode::BarsHeaviest);
    actions.add(u"view.zoom-in"_s, view, tr("Zoom In"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
        [this] { array().zoomAt(1.25, array().height() / 2.0); });
    actions.add(u"view.zoom-out"_s, view, tr("Zoom Out"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
        [this] { array().zoomAt(0.8, array().height() / 2.0); });
    actions.add(
        u"view.fit"_s, view, tr("Fit the Whole Array"), QKeySequence(Qt::CTRL | Qt::Key_0), [this] { array().fit(); });
    actions.addChoice(
        u"view.cache"_s, view, tr("Cache and Cost in the Timeline"),
        [this] {
            m_timeline->setShowsCache(!m_timeline->showsCache());
            openSettings().setValue(u"timeline/cache"_s, m_timeline->showsCache());
        },
        [this] { return m_timeline->showsCache(); });
    actions.addSeparator(view);
}

void MainWindow::makeLookActions()
{
    const QString view = tr("&View");
    ActionRegistry &actions = *m_actions;
    const auto look = [&](const QString &id, const QString &text, Look which) {
        actions.addChoice(
            id, view, text,
            [this, which] {
                setLook(which);
                openSettings().setValue(u"window/look"_s, static_cast<int>(which));
            },
            [this, which] { return m_look == which; });
    };
    look(u"view.look-system"_s, tr("Colours of the System"), Look::System);
    look(u"view.look-light"_s, tr("Light Colours"), Look::Light);
    look(u"view.look-dark"_s, tr("Dark Colours"), Look::Dark);
    const auto scale = [&](const QString &id, const QString &text, int percent) {
        actions.addChoice(
            id, view + u"/"_s + tr("Text Size"), text,
            [this, percent] {
                setChosenTextScale(percent);
                m_status->say(tr("Text has this size when you start Palimpsest again."));
            },
            [percent] { return chosenTextScale() == percent; });
    };
    scale(u"view.text-system"_s, tr("As Large as the System's Text"), 0);
    for (const int percent : kTextScales)
        scale(u"view.text-%1"_s.arg(percent), tr("%1 %").arg(percent), percent);
    actions.addSeparator(view);
}

void MainWindow::makePageActions()
{
    const QString view = tr("&View");
    ActionRegistry &actions = *m_actions;
    m_panels->addActions(actions, view);
    actions.addSeparator(view);
    m_layouts->addActions(actions, view);
}

void MainWindow::makeGoActions()
{
    const QString go = tr("&Go");
    ActionRegistry &actions = *m_actions;
    actions.add(u"go.to"_s, go, tr("Go to #n, [n] or Call…"), QKeySequence(Qt::CTRL | Qt::Key_G),
        [this] { askWhereToGo(m_state, this); });
    auto *history = new ViewHistory(m_state, this);
    const auto goThrough = [&](const QString &id, const QString &words, Qt::Key key, int direction) {
        QAction *action
            = actions.add(id, go, words, QKeySequence(Qt::ALT | key), [history, direction] { history->go(direction); });
        action->setEnabled(false);
        connect(history, &ViewHistory::changed, action,
            [history, action, direction] { action->setEnabled(history->canGo(direction)); });
    };
    goThrough(u"go.back"_s, tr("Back"), Qt::Key_Left, -1);
    goThrough(u"go.forward"_s, tr("Forward"), Qt::Key_Right, 1);
    actions.addSeparator(go);
    actions.add(u"go.previous-call"_s, go, tr("Previous Call"), QKeySequence(Qt::CTRL | Qt::Key_Up),
        [this] { m_state.stepCall(-1); });
    actions.add(
        u"go.next-call"_s, go, tr("Next Call"), QKeySequence(Qt::CTRL | Qt::Key_Down), [this] { m_state.stepCall(1); });
    actions.add(u"go.heaviest"_s, go, tr("Heaviest Call"), QKeySequence(Qt::CTRL | Qt::Key_H),
        [this] { m_state.setPosition(m_state.heaviestPosition(m_state.position().thread)); });
    actions.add(u"go.end"_s, go, tr("End of the Session"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [this] { m_state.setPosition({ m_state.position().thread, {} }); });
    actions.add(u"go.next-compaction"_s, go, tr("Next Compaction"), QKeySequence(Qt::ALT | Qt::Key_PageDown),
        [this] { goToCompaction(m_state, 1); });
    actions.add(u"go.previous-compaction"_s, go, tr("Previous Compaction"), QKeySequence(Qt::ALT | Qt::Key_PageUp),
        [this] { goToCompaction(m_state, -1); });
    actions.add(u"go.subagent"_s, go, tr("Open Subagent"), {}, [this] { openSubagent(m_state); });
    actions.add(u"go.trace"_s, go, tr("Trace over the Calls"), QKeySequence(Qt::CTRL | Qt::Key_T), [this] { trace(); });
    actions.add(
        u"go.clear-traces"_s, go, tr("Remove All Traces"), {}, [this] { m_workspace.facts().traces().clear(); });
}

void MainWindow::makeRewriteActions()
{
    const QString go = tr("&Go");
    ActionRegistry &actions = *m_actions;
    const auto step = [this](int direction) {
        if (showsEdits())
            return m_centre->editsPage()->step(direction);
        auto &panel = m_panels->panel<RewritesPanel>();
        m_panels->raise(panel);
        panel.step(direction);
    };
    const auto stepRewrite = [this](int direction) {
        auto &panel = m_panels->panel<RewritesPanel>();
        m_panels->raise(panel);
        panel.stepRewrite(direction);
    };
    actions.add(
        u"go.next-difference"_s, go, tr("Next Difference"), QKeySequence(Qt::ALT | Qt::Key_Down), [step] { step(1); });
    actions.add(u"go.previous-difference"_s, go, tr("Previous Difference"), QKeySequence(Qt::ALT | Qt::Key_Up),
        [step] { step(-1); });
    actions.add(u"go.next-rewrite"_s, go, tr("Next Rewrite"), QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_PageDown),
        [stepRewrite] { stepRewrite(1); });
    actions.add(u"go.previous-rewrite"_s, go, tr("Previous Rewrite"),
        QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_PageUp), [stepRewrite] { stepRewrite(-1); });
    actions.add(u"go.show-in-array"_s, go, tr("Show in Array"), {}, [this] { showInArray(); });
    actions.add(u"go.next-hot"_s, go, tr("Next Hot Slot"), {}, [this] { m_state.stepHot(1); });
    actions.add(u"go.previous-hot"_s, go, tr("Previous Hot Slot"), {}, [this] { m_state.stepHot(-1); });
}

void MainWindow::makeReviewActions()
{
    const QString edit = tr("&Edit");
    ActionRegistry &actions = *m_actions;
    EditsPage *edits = m_centre->editsPage();
    actions.addSeparator(edit);
    QAction *review = actions.add(
        u"edits.reviewed"_s, edit, tr("Mark Edit as Reviewed or Not"), {}, [edits] { edits->toggleReviewed(); });
    QAction *back = actions.add(
        u"edits.sent-back"_s, edit, tr("Send Edit Back or Not"), {}, [edits] { edits->toggleSentBack(); });
    QAction *copy = actions.add(u"edits.copy-patch"_s, edit, tr("Copy Patch"), {}, [edits] { edits->copyPatch(); });
    QAction *save
        = actions.add(u"edits.save-patch"_s, edit, tr("Save as Patch…"), {}, [edits] { edits->chooseSavePlace(); });
    QAction *comments = actions.add(
        u"edits.copy-comments"_s, edit, tr("Copy Comments on Edits"), {}, [edits] { edits->copyComments(); });
    QAction *choose
        = actions.add(u"edits.repository"_s, edit, tr("Choose Repository…"), {}, [edits] { edits->chooseFolder(); });
    actions.add(u"go.show-edit"_s, tr("&Go"), tr("Show Edit"), {}, [this] { showEdit(); });
    QAction *basis
        = actions.add(u"go.show-basis"_s, tr("&Go"), tr("Show Basis of Edit"), {}, [edits] { edits->showBasis(); });
    edits->setListActions({ review, back, actions.action(u"go.show-in-array"_s), basis, copy, save, comments, choose });
}

void MainWindow::makeBookmarkActions()
{
    ActionRegistry &actions = *m_actions;
    Bookmarks &bookmarks = m_workspace.bookmarks();
    const auto canBookmark = [this, &bookmarks] {
        if (!bookmarks.canChange())
            m_status->say(tr("The bookmarks of this session are not read yet."));
        return bookmarks.canChange() && m_state.currentBlock().isValid();
    };
    actions.addSeparator(tr("&Edit"));
    actions.add(u"edit.bookmark"_s, tr("&Edit"), tr("Bookmark, or Remove the Bookmark"),
        QKeySequence(Qt::CTRL | Qt::Key_B), [this, &bookmarks, canBookmark] {
            if (canBookmark())
                bookmarks.toggle(m_state.currentBlock());
        });
    actions.add(u"edit.bookmark-note"_s, tr("&Edit"), tr("Write a Note on the Bookmark…"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this, &bookmarks, canBookmark] {
            if (!canBookmark())
                return;
            if (!bookmarks.has(m_state.currentBlock()))
                bookmarks.toggle(m_state.currentBlock());
            auto &panel = m_panels->panel<BookmarksPanel>();
            m_panels->raise(panel);
            panel.editNote();
        });
    actions.add(u"go.next-bookmark"_s, tr("&Go"), tr("Next Bookmark"), {}, [this] { goToBookmark(m_state, 1); });
    actions.add(
        u"go.previous-bookmark"_s, tr("&Go"), tr("Previous Bookmark"), {}, [this] { goToBookmark(m_state, -1); });
}

void MainWindow::makeHelpActions()
{
    const QString help = tr("&Help");
    ActionRegistry &actions = *m_actions;
    actions.add(
        u"help.commands"_s, help, tr("Command Palette…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] {
            auto *palette = new CommandPalette(*m_actions, this);
            palette->setAttribute(Qt::WA_DeleteOnClose);
            palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 80)));
            palette->show();
        });
    const auto show = [](QDialog *page) {
        page->setAttribute(Qt::WA_DeleteOnClose);
        page->show();
    };
    actions.add(
        u"help.manual"_s, help, tr("Manual"), QKeySequence::HelpContents, [this, show] { show(new ManualPage(this)); });
    actions.add(u"help.tour"_s, help, tr("Tour"), {}, [this] { startTour(); });
    actions.add(u"help.legend"_s, help, tr("Legend"), QKeySequence(Qt::Key_F2),
        [this, show] { show(new LegendPage(m_state.theme(), this)); });
    actions.add(u"help.keys"_s, help, tr("Keys"), QKeySequence(Qt::Key_Question),
        [this, show] { show(new KeysPage(*m_actions, this)); });
    actions.addSeparator(tr("&View"));
    addKeyboardActs(*this, actions, tr("&View"), help);
    actions.add(u"help.about"_s, help, tr("About Palimpsest"), {}, [this, show] { show(new AboutPage(this)); });
    auto *escapeAction = new QAction(this);
    escapeAction->setShortcut(Qt::Key_Escape);
    connect(escapeAction, &QAction::triggered, this, &MainWindow::escape);
    addAction(escapeAction);
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
