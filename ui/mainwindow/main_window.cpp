// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/main_window.h"

#include "core/base/text.h"
#include "core/session/slot_label.h"
#include "ui/calls/calls_panel.h"
#include "ui/edits/edits_page.h"
#include "ui/files/own_policies.h"
#include "ui/files/settings.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/empty_page.h"
#include "ui/mainwindow/head_line_bar.h"
#include "ui/mainwindow/notice_bar.h"
#include "ui/mainwindow/session_export.h"
#include "ui/mainwindow/settings_copy.h"
#include "ui/message/message_panel.h"
#include "ui/outline/outline_panel.h"
#include "ui/policy/policy_panel.h"
#include "ui/rewrites/rewrites_panel.h"
#include "ui/text/text_surface.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/weight/weight_panel.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/painted_accessible.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyleHints>
#include <QTabBar>
#include <QToolTip>
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

void MainWindow::showEdit()
{
    m_centre->choose(CentrePages::Page::Edits);
    m_edits->showEditOf(m_state.currentBlock());
}

bool MainWindow::showsEdits() const { return m_centre->page() == CentrePages::Page::Edits; }

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

} // namespace ui
