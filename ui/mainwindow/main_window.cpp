// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/main_window.h"

#include "core/base/text.h"
#include "core/session/slot_label.h"
#include "ui/base/comparisons.h"
#include "ui/base/elided_label.h"
#include "ui/base/painted_accessible.h"
#include "ui/base/settings.h"
#include "ui/base/thread_facts.h"
#include "ui/calls/calls_panel.h"
#include "ui/edits/edits_page.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/empty_page.h"
#include "ui/mainwindow/head_line_bar.h"
#include "ui/mainwindow/keys_page.h"
#include "ui/mainwindow/notice_bar.h"
#include "ui/mainwindow/session_export.h"
#include "ui/mainwindow/settings_copy.h"
#include "ui/message/message_panel.h"
#include "ui/outline/outline_panel.h"
#include "ui/policy/own_policies.h"
#include "ui/policy/policy_panel.h"
#include "ui/rewrites/rewrites_panel.h"
#include "ui/text/text_surface.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/folder_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/weight/weight_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPainter>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyleHints>
#include <QTabBar>
#include <QToolTip>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr int kTimelineHeight = 190;
constexpr int kShortTimelineHeight = 124; ///< of a session with few calls
constexpr size_t kFewCalls = 20;
constexpr int kOutlineWidth = 250;
constexpr int kBottomHeight = 204;
constexpr int kPolicyWidth = 290;
/// In a window lower than this the array keeps its room, and what stands above and below it gives way.
constexpr int kRoomyHeight = 1000;
constexpr QSize kSmallest(800, 520);
constexpr auto kSample = ":/samples/messages-21.genkit.json";

QString fileName(const std::filesystem::path &path)
{
    return QFileInfo(QString::fromStdString(path.string())).fileName();
}

QString folderName(const std::filesystem::path &path)
{
    return QDir(QDir(QString::fromStdString(path.string())).absolutePath()).dirName();
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_state(m_workspace)
{
    installPaintedAccessibility();
    setObjectName(u"mainWindow"_s);
    setWindowTitle(u"Palimpsest"_s);
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setMinimumSize(kSmallest);
    resize(1600, 1000);
    m_actions = new ActionRegistry(this, menuBar());
    m_watcher = new QFileSystemWatcher(this);
    makeViews();
    makeStatusBar();
    makeActions();
    connect(&m_workspace, &Workspace::sessionChanged, this, &MainWindow::onSessionChanged);
    connect(&m_workspace, &Workspace::errorChanged, this, [this] {
        if (m_workspace.error() && !m_workspace.session() && !m_centre->tuningPages()->hasFolder())
            m_pages->setCurrentWidget(m_empty);
    });
    connect(&m_workspace, &Workspace::loadingChanged, this, &MainWindow::showRun);
    connect(m_centre->tuningPages()->folderPage(), &FolderPage::runRequested, this,
        [this](const QString &file, uint thread) { openRun(file.toStdString(), core::ThreadIndex(thread)); });
    connect(&m_state, &ViewState::currentChanged, this, &MainWindow::refreshStatus);
    connect(&m_state, &ViewState::pictureChanged, this, &MainWindow::refreshStatus);
    connect(&m_state, &ViewState::hoverChanged, this, &MainWindow::refreshStatus);
    connect(&m_state, &ViewState::currentChanged, this, [this] { m_workspace.facts().traces().setCurrent({}); });
    connect(&m_workspace.facts().traces(), &Traces::changed, this, &MainWindow::refreshStatus);
    connect(m_timeline, &TimelineView::lanesHeightChanged, this, &MainWindow::takeLanes);
    connect(&m_state, &ViewState::pictureChanged, this, &MainWindow::showChoices);
    connect(&m_arrayPage->array(), &ArrayView::modeChanged, this, &MainWindow::showChoices);
    connect(&m_workspace, &Workspace::overridesLost, this, [this](const QStringList &blocks) {
        const QString count = counted(
            static_cast<size_t>(blocks.size()), tr("pinned or dropped block is"), tr("pinned or dropped blocks are"));
        m_notice->setNotice({ tr("%1 not in the file any more.").arg(count), blocks.join(u'\n'), {}, {} });
    });
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_notice->setChangedOnDisk(true); });
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { setLook(m_look); });
    m_defaultState = saveState();
    setLook(static_cast<Look>(openSettings().value(u"window/look"_s, static_cast<int>(Look::System)).toInt()));
    restoreLayout();
}

MainWindow::~MainWindow() = default;

MainWindow *MainWindow::showNew()
{
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->resize(window->size().boundedTo(window->screen()->availableSize()));
    if (!window->m_hasOwnLayout)
        window->restoreDefaultLayout();
    window->show();
    return window;
}

void MainWindow::makeViews()
{
    m_head = new HeadLineBar(m_state, this);
    m_notice = new NoticeBar(m_state, this);
    m_export = new SessionExport(m_state, m_notice, this);
    m_settingsCopy = new SettingsCopy(m_state, m_notice, this);
    m_timeline = new TimelineView(m_state, this);
    m_centre = new CentrePages(m_state, this);
    m_arrayPage = m_centre->arrayPage();
    m_edits = m_centre->editsPage();
    connect(m_edits, &EditsPage::showInArrayRequested, this, &MainWindow::showInArray);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->addWidget(m_timeline);
    m_splitter->addWidget(m_centre);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ kTimelineHeight, 600 });
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_splitterWasMoved = true; });
    m_empty = new EmptyPage(this);
    connect(m_empty, &EmptyPage::openRequested, this, &MainWindow::chooseFile);
    connect(m_empty, &EmptyPage::sampleRequested, this, &MainWindow::openSample);
    connect(m_empty, &EmptyPage::fileChosen, this, [this](const QString &path) { open(path.toStdString()); });
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_splitter);
    setCentralWidget(m_pages);
    // The head line and the notice stand under the menu, across the whole window: a tool bar that cannot be moved away.
    auto *top = new QWidget(this);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(menuBar());
    column->addWidget(m_head);
    column->addWidget(m_notice);
    setMenuWidget(top);

    const auto dock = [&](const QString &name, const QString &title, QWidget *content, Qt::DockWidgetArea area) {
        auto *made = new QDockWidget(title, this);
        made->setObjectName(name);
        made->setWidget(content);
        made->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
        addDockWidget(area, made);
        return made;
    };
    m_outline = new OutlinePanel(m_state, this);
    m_message = new MessagePanel(m_state, this);
    m_weight = new WeightPanel(m_state, this);
    m_policy = new PolicyPanel(m_state, this);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    m_outlineDock = dock(u"outlineDock"_s, tr("Outline"), m_outline, Qt::LeftDockWidgetArea);
    m_outlineDock->setTitleBarWidget(new QWidget(m_outlineDock));
    m_messageDock = dock(u"messageDock"_s, tr("Message"), m_message, Qt::BottomDockWidgetArea);
    m_weightDock = dock(u"weightDock"_s, tr("Weight"), m_weight, Qt::BottomDockWidgetArea);
    m_calls = new CallsPanel(m_state, this);
    m_callsDock = dock(u"callsDock"_s, tr("Calls"), m_calls, Qt::BottomDockWidgetArea);
    m_rewrites = new RewritesPanel(m_state, this);
    m_rewritesDock = dock(u"rewritesDock"_s, tr("Rewrites and Artifacts"), m_rewrites, Qt::BottomDockWidgetArea);
    connect(m_rewrites, &RewritesPanel::countChanged, this, [this](size_t count) {
        m_rewritesDock->setWindowTitle(
            count > 0 ? tr("Rewrites and Artifacts %1").arg(count) : tr("Rewrites and Artifacts"));
    });
    connect(m_rewrites, &RewritesPanel::showInArrayRequested, this, &MainWindow::showInArray);
    connect(m_rewritesDock, &QDockWidget::visibilityChanged, m_rewrites, &RewritesPanel::setInSight);
    tabifyDockWidget(m_messageDock, m_weightDock);
    tabifyDockWidget(m_weightDock, m_callsDock);
    tabifyDockWidget(m_callsDock, m_rewritesDock);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    for (QDockWidget *each : { m_messageDock, m_weightDock, m_callsDock, m_rewritesDock })
        each->setTitleBarWidget(new QWidget(each)); // the tab says it already
    m_policyDock = dock(u"policyDock"_s, tr("Policy"), m_policy, Qt::RightDockWidgetArea);
    m_policyDock->setTitleBarWidget(new QWidget(m_policyDock));
    resizeDocks({ m_outlineDock, m_policyDock }, { kOutlineWidth, kPolicyWidth }, Qt::Horizontal);
    resizeDocks({ m_messageDock }, { inThisHeight(kBottomHeight) }, Qt::Vertical);
    m_messageDock->raise();
}

void MainWindow::makePolicyActions()
{
    const QString menu = tr("&Policy");
    ActionRegistry &actions = *m_actions;
    actions.add(u"policy.as-recorded"_s, menu, tr("As Recorded"), {}, [this] { m_policy->choose(nullptr); });
    for (const core::PolicyPtr &preset : core::presets()) {
        if (preset->id == "none")
            continue;
        QAction *action = actions.add(u"policy.preset."_s + QString::fromStdString(preset->id), menu,
            displayText(preset->name), {}, [this, preset] { m_policy->choose(preset); });
        action->setToolTip(displayText(preset->description));
    }
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
    m_edits->setListActions({ review, m_actions->action(u"go.show-in-array"_s), copy, save, choose });
}

void MainWindow::showEdit()
{
    m_centre->choose(CentrePages::Page::Edits);
    m_edits->showEditOf(m_state.currentBlock());
}

bool MainWindow::showsEdits() const { return m_centre->page() == CentrePages::Page::Edits; }

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

void MainWindow::makeStatusBar()
{
    m_statusLeft = new ElidedLabel(this);
    m_statusRight = new QLabel(this);
    m_statusLeft->setObjectName(u"statusLeft"_s);
    m_statusLeft->setTextFormat(Qt::PlainText);
    for (QLabel *label : { m_statusLeft, m_statusRight })
        label->setFont(Theme::textFont(12));
    m_statusLeft->setMinimumWidth(10);
    statusBar()->addWidget(m_statusLeft, 1);
    statusBar()->addPermanentWidget(m_statusRight);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::setLook(Look look)
{
    m_look = look;
    const bool systemIsDark = QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
    const bool isDark = look == Look::Dark || (look == Look::System && systemIsDark);
    const Theme theme = Theme::make(isDark ? Appearance::Dark : Appearance::Light);
    // The style sheet first: when it changes, Qt takes back palettes that widgets were given since the last one.
    applyStyle(theme);
    m_state.setTheme(theme);
    showChoices();
}

void MainWindow::showChoices()
{
    for (const auto &[action, isChosen] : m_choices)
        action->setChecked(isChosen());
}

void MainWindow::applyStyle(const Theme &theme)
{
    // Dialogs, menus and tool tips are windows of their own: they take the colours of the application.
    QApplication::setPalette(theme.palette());
    QApplication::setFont(Theme::textFont(13));
    QToolTip::setPalette(theme.palette());
    QToolTip::setFont(Theme::textFont(12));
    setPalette(theme.palette());
    setFont(Theme::textFont(13));
    m_empty->setTheme(theme);
    const QString style
        = u"QMainWindow::separator { background: %1; width: 1px; height: 1px; }"
          "QSplitter::handle { background: %1; }"
          "QToolTip { background: %6; color: %3; border: 1px solid %1; padding: 3px 6px; }"
          "QPushButton { background: %6; color: %3; border: 1px solid %1; border-radius: 5px; padding: 4px 12px; }"
          "QPushButton:hover { background: %4; } QPushButton:focus { border-color: %7; }"
          "QMenuBar { background: %2; color: %3; border: none; padding: 2px 6px; }"
          "QMenuBar::item { padding: 4px 10px; border-radius: 4px; background: transparent; }"
          "QMenuBar::item:selected { background: %4; }"
          "QStatusBar { background: %2; color: %5; border-top: 1px solid %1; }"
          "QStatusBar QLabel { color: %5; padding: 2px 10px; } QStatusBar::item { border: none; }"
          "QTabBar { background: %6; qproperty-drawBase: 0; }"
          "QScrollBar { background: transparent; border: none; }"
          "QScrollBar:vertical { width: 11px; } QScrollBar:horizontal { height: 11px; }"
          "QScrollBar::handle { background: %1; border: 2px solid %6; border-radius: 5px; }"
          "QScrollBar::handle:vertical { min-height: 24px; } QScrollBar::handle:horizontal { min-width: 24px; }"
          "QScrollBar::handle:hover { background: %5; }"
          "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
          "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
          "QAbstractScrollArea::corner { background: %6; border: none; }"
          "QTabBar::tab { background: %6; color: %5; padding: 7px 12px 5px 12px; border: none;"
          " border-bottom: 2px solid transparent; }"
          "QTabBar::tab:selected { color: %3; border-bottom: 2px solid %7; font-weight: 600; }"_s.arg(
              theme.hairline.name(), theme.window.name(), theme.text.name(), theme.accentGround.name(),
              theme.secondary.name(), theme.base.name(), theme.accent.name());
    setStyleSheet(style);
    // The tabs of docks are made by the window when docks are tabified.
    const auto bars = findChildren<QTabBar *>(Qt::FindDirectChildrenOnly);
    for (QTabBar *bar : bars) {
        bar->setDrawBase(false);
        bar->setExpanding(false);
    }
}

void MainWindow::open(const std::filesystem::path &path, const std::filesystem::path &after)
{
    const auto absolute = [](const std::filesystem::path &file) {
        return file.empty() ? QString() : QFileInfo(QString::fromStdString(file.string())).absoluteFilePath();
    };
    m_openingRun.reset();
    m_workspace.open(absolute(path).toStdString(), absolute(after).toStdString());
    addRecentFile(absolute(path));
}

void MainWindow::openSample()
{
    m_openingRun.reset();
    m_workspace.open(kSample);
}

void MainWindow::tune(const std::vector<std::filesystem::path> &folders)
{
    m_centre->tuningPages()->tune(folders);
    m_centre->setPage(CentrePages::Page::Tuning);
    m_pages->setCurrentWidget(m_splitter);
    if (m_workspace.session())
        return;
    m_timeline->hide(); // of no session
    setWindowTitle(tr("%1 · read-only — Palimpsest").arg(folderName(folders.front())));
}

void MainWindow::openRun(const std::filesystem::path &path, core::ThreadIndex thread)
{
    const core::PolicyPtr policy = m_workspace.plan().policy;
    open(path);
    m_openingRun = { thread, policy };
}

void MainWindow::showRun()
{
    if (m_workspace.isLoading() || !m_openingRun)
        return;
    const OpeningRun run = *std::exchange(m_openingRun, std::nullopt);
    if (!m_workspace.session() || m_workspace.error())
        return;
    if (run.thread.value() < m_workspace.session()->threads.size())
        m_state.setPosition(m_state.heaviestPosition(run.thread));
    m_workspace.commitPlan(m_workspace.planWith(run.policy), tr("Policy of the Folder"));
    m_centre->tuningPages()->setPage(TuningPages::Page::Session);
}

void MainWindow::onSessionChanged(bool isNew)
{
    m_pages->setCurrentWidget(m_splitter);
    m_timeline->show();
    if (!isNew)
        return;
    const QString name = fileName(m_workspace.path());
    setWindowTitle(tr("%1 · read-only — Palimpsest").arg(name));
    if (!m_watcher->files().isEmpty())
        m_watcher->removePaths(m_watcher->files());
    const QString path = QString::fromStdString(m_workspace.path().string());
    if (QFileInfo::exists(path) && !path.startsWith(u':'))
        m_watcher->addPath(path);
    if (!m_splitterWasMoved)
        setTimelineHeight();
    m_arrayPage->array().setFocus();
}

int MainWindow::inThisHeight(int pixels) const
{
    return pixels * std::clamp(height(), kRoomyHeight * 6 / 10, kRoomyHeight) / kRoomyHeight;
}

void MainWindow::setTimelineHeight()
{
    const bool isShort = m_workspace.session() && m_workspace.session()->threads.front().calls.size() < kFewCalls;
    const int curve = inThisHeight(isShort ? kShortTimelineHeight : kTimelineHeight);
    m_splitter->setSizes({ curve + m_timeline->lanesHeight(), height() });
}

QString MainWindow::statusWords() const
{
    const Traces &traces = m_workspace.facts().traces();
    if (!m_state.hoveredBlock().isValid() && traces.current()) {
        const Traced &traced = traces.at(*traces.current());
        return traced.name + u": "_s + (traced.life ? traced.verdict : tr("being traced"));
    }
    const ArrayPicture &picture = m_state.picture();
    const core::Session &session = *m_state.session();
    const core::BlockId shown = m_state.hoveredBlock().isValid() ? m_state.hoveredBlock() : m_state.currentBlock();
    if (!shown.isValid() || shown.index() >= session.blocks.size())
        return {};
    const core::Block &block = session.block(shown);
    const SlotIndex slot = picture.before.slotOf(shown);
    const core::SlotLabel label = core::labelOf(session, block);
    QString words;
    if (slot.isValid())
        words += u"[%1] "_s.arg(slot.value());
    if (block.message.isValid())
        words += u"#%1 "_s.arg(block.message.value());
    words += displayText(label.text());
    if (!label.subject.empty())
        words += u" · "_s + displayText(core::snippet(label.subject, 60));
    words += u" · "_s + displayText(core::groupedNumber(block.lengths.codePoints)) + tr(" characters");
    const core::Weights weights(m_workspace.tokens(), core::WeightUnit::Tokens);
    words += u" · "_s + displayText(weights.shown(weights.of(session, shown), std::span(&shown, 1))) + tr(" tokens");
    return words;
}

void MainWindow::refreshStatus()
{
    if (!m_state.session()) {
        m_statusLeft->clear();
        m_statusRight->clear();
        return;
    }
    const ArrayPicture &picture = m_state.picture();
    m_statusLeft->setText(statusWords());
    m_statusLeft->setToolTip(toolTipText(m_statusLeft->text()));
    const size_t slots = picture.before.slotCount();
    const auto selected = static_cast<qulonglong>(m_state.selection().size());
    QString right = counted(slots, tr("slot"), tr("slots"));
    if (selected > 0)
        right += u" · "_s + tr("%1 selected").arg(selected);
    if (selected > 1) {
        double sum = 0;
        for (const SlotIndex slot : m_state.selection())
            sum += picture.weights.of(picture.before, picture.before.slot(slot));
        right += u", "_s + displayText(picture.weights.shown(sum)) + u' ' + displayText(picture.weights.unitName());
    }
    m_statusRight->setText(right);
}

void MainWindow::trace()
{
    Traces &traces = m_workspace.facts().traces();
    const TextSurface *surface = m_message->surface();
    const std::string selected = surface->isVisible() ? surface->selectedAsShown() : std::string();
    if (!selected.empty())
        traces.traceText(selected);
    else
        traces.traceBlock(m_state.currentBlock());
}

void MainWindow::takeLanes()
{
    // The lanes have their room beside that of the curve.
    if (!m_splitterWasMoved && m_state.session())
        setTimelineHeight();
}

void MainWindow::chooseFile()
{
    const QString folder = m_workspace.path().empty()
        ? QString()
        : QFileInfo(QString::fromStdString(m_workspace.path().string())).path();
    const QString path = QFileDialog::getOpenFileName(this, tr("Open Session"), folder);
    if (!path.isEmpty())
        open(path.toStdString());
}

void MainWindow::chooseFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Tune a Folder"));
    if (!folder.isEmpty())
        tune({ folder.toStdString() });
}

void MainWindow::chooseAfterFile()
{
    const QString folder = QFileInfo(QString::fromStdString(m_workspace.path().string())).path();
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare with After"), folder);
    if (!path.isEmpty())
        m_workspace.compareWith(path.toStdString());
}

void MainWindow::chooseExportPlace()
{
    if (m_export->sayObstacle())
        return;
    // A file that is there is never overwritten: the export itself says so.
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export Compacted Session"), m_export->proposedPath(), {}, nullptr, QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty())
        m_export->exportTo(path);
}

void MainWindow::goTo()
{
    if (!m_state.session())
        return;
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Go To"));
    dialog->setLabelText(tr("#n for a message, [n] for a slot, or the number of a call"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &answer) {
        QString text = answer.trimmed();
        const bool isMessage = text.startsWith(u'#');
        const bool isSlot = text.startsWith(u'[');
        text.remove(u'#').remove(u'[').remove(u']');
        bool isNumber = false;
        const uint number = text.toUInt(&isNumber);
        if (!isNumber)
            return;
        const core::Session &session = *m_state.session();
        if (isSlot) {
            m_state.setCurrentSlot(SlotIndex(number));
        } else if (isMessage) {
            const core::MessageId id(number);
            const SlotIndex slot = m_state.picture().before.slotOf(id);
            if (slot.isValid())
                m_state.setCurrentSlot(slot);
            else if (number < session.messages.size())
                m_state.setCurrentBlock(session.message(id).first); // not in this array, but its body can be read
        } else if (number < session.thread(m_state.position().thread).calls.size()) {
            m_state.setPosition({ m_state.position().thread, core::CallIndex(number) });
        }
    });
    dialog->open();
}

void MainWindow::showInArray()
{
    if (m_state.currentSlot().isValid())
        Q_EMIT m_state.revealRequested(m_state.currentSlot());
    m_centre->setPage(CentrePages::Page::Array);
    m_arrayPage->array().setFocus();
}

void MainWindow::escape()
{
    // Clears in order: the find field, the notice, the difference of two runs, a selection of several, a measured
    // range, the traces from the newest on, the policies that are compared with, and the focus goes back to the array.
    if (m_head->clearFind() || m_notice->dismiss() || m_centre->closeDifference())
        return;
    if (m_state.selection().size() > 1 && m_state.currentSlot().isValid())
        return m_state.setSelection({ m_state.currentSlot() });
    if (m_timeline->measured())
        return m_timeline->clearMeasured();
    if (m_workspace.facts().traces().removeOne() || m_workspace.comparisons().removeOne())
        return;
    m_arrayPage->array().setFocus();
}

void MainWindow::showDock(QDockWidget *dock)
{
    const bool isInSight = dock->isVisible() && !dock->visibleRegion().isEmpty();
    if (isInSight && dock->widget()->isAncestorOf(QApplication::focusWidget())) {
        dock->hide();
        return;
    }
    dock->show();
    dock->raise();
    dock->widget()->setFocus();
}

void MainWindow::restoreLayout()
{
    QSettings settings = openSettings();
    restoreGeometry(settings.value(u"window/geometry"_s).toByteArray());
    m_hasOwnLayout = restoreState(settings.value(u"window/state"_s).toByteArray());
    m_splitterWasMoved = m_splitter->restoreState(settings.value(u"window/splitter"_s).toByteArray());
}

void MainWindow::restoreDefaultLayout()
{
    restoreState(m_defaultState);
    m_centre->setPage(CentrePages::Page::Array);
    m_splitterWasMoved = false;
    setTimelineHeight();
    resizeDocks({ m_outlineDock, m_policyDock }, { kOutlineWidth, kPolicyWidth }, Qt::Horizontal);
    resizeDocks({ m_messageDock }, { inThisHeight(kBottomHeight) }, Qt::Vertical);
    m_messageDock->raise();
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

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    bool isFirst = true;
    std::vector<std::filesystem::path> folders;
    const auto urls = event->mimeData()->urls();
    for (const QUrl &url : urls) {
        if (!url.isLocalFile())
            continue;
        if (isPolicyFile(url.toLocalFile())) {
            m_policyDock->show();
            m_policy->loadFrom(url.toLocalFile());
            continue;
        }
        if (QFileInfo(url.toLocalFile()).isDir()) {
            folders.emplace_back(url.toLocalFile().toStdString());
            continue;
        }
        MainWindow *window = this;
        if (!isFirst)
            window = showNew();
        window->open(url.toLocalFile().toStdString());
        isFirst = false;
    }
    if (!folders.empty())
        tune(folders);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QSettings settings = openSettings();
    settings.setValue(u"window/geometry"_s, saveGeometry());
    settings.setValue(u"window/state"_s, saveState());
    if (m_splitterWasMoved)
        settings.setValue(u"window/splitter"_s, m_splitter->saveState());
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_workspace.session()
        && m_workspace.session()->torn())
        m_notice->setChangedOnDisk(true);
    QMainWindow::changeEvent(event);
}

QStringList MainWindow::viewNames()
{
    return { u"window"_s, u"timeline"_s, u"array"_s, u"bars"_s, u"heaviest"_s, u"edits"_s, u"tuning"_s, u"outline"_s,
        u"message"_s, u"raw"_s, u"weight"_s, u"calls"_s, u"policy"_s, u"rewrites"_s };
}

QStringList MainWindow::folderViewNames() { return { u"window"_s, u"tuning"_s, u"suggestion"_s }; }

QImage MainWindow::tuningPicture(const QString &view, const std::function<QImage(QWidget *)> &grab)
{
    TuningPages *pages = m_centre->tuningPages();
    const CentrePages::Page before = m_centre->page();
    m_centre->setPage(CentrePages::Page::Tuning);
    if (view == u"suggestion"_s)
        pages->folderPage()->setBelow(FolderPage::Below::Suggestion);
    QApplication::sendPostedEvents();
    pages->waitForMap();
    QImage image = grab(m_centre);
    pages->folderPage()->setBelow(FolderPage::Below::WorstRuns);
    m_centre->setPage(before);
    return image;
}

QImage MainWindow::picture(const QString &view, double pixelRatio)
{
    ArrayView &array = m_arrayPage->array();
    const ArrayMode mode = array.mode();
    const auto grab = [&](QWidget *widget) {
        QImage image(widget->size() * pixelRatio, QImage::Format_RGB32);
        image.setDevicePixelRatio(pixelRatio);
        image.fill(m_state.theme().window);
        widget->render(&image);
        return image;
    };
    QImage image;
    if (view == u"timeline"_s) {
        image = grab(m_timeline);
    } else if (view == u"array"_s || view == u"bars"_s || view == u"heaviest"_s) {
        array.setMode(view == u"array"_s ? ArrayMode::Slots
                : view == u"bars"_s      ? ArrayMode::Bars
                                         : ArrayMode::BarsHeaviest);
        image = grab(m_arrayPage);
        array.setMode(mode);
    } else if (view == u"tuning"_s || view == u"suggestion"_s) {
        image = tuningPicture(view, grab);
    } else if (view == u"edits"_s) {
        m_centre->setPage(CentrePages::Page::Edits);
        QApplication::sendPostedEvents();
        m_edits->waitForContent();
        image = grab(m_centre);
        m_centre->setPage(CentrePages::Page::Array);
    } else if (view == u"outline"_s) {
        image = grab(m_outline);
    } else if (view == u"message"_s || view == u"raw"_s) {
        m_messageDock->raise();
        m_message->setRaw(view == u"raw"_s);
        m_message->waitForContent();
        image = grab(m_message);
        m_message->setRaw(false);
    } else if (view == u"policy"_s) {
        image = grab(m_policy);
    } else if (view == u"rewrites"_s) {
        m_rewritesDock->raise();
        QApplication::sendPostedEvents();
        m_rewrites->waitForContent();
        image = grab(m_rewrites);
        m_messageDock->raise();
    } else if (view == u"calls"_s) {
        m_callsDock->raise();
        QApplication::sendPostedEvents();
        image = grab(m_calls);
        m_messageDock->raise();
    } else if (view == u"weight"_s) {
        m_weightDock->raise();
        QApplication::sendPostedEvents();
        image = grab(m_weight);
        m_messageDock->raise();
    } else {
        m_message->waitForContent();
        if (m_centre->page() == CentrePages::Page::Tuning)
            m_centre->tuningPages()->waitForMap();
        image = grab(this);
    }
    return image;
}

} // namespace ui
