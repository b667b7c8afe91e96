// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/main_window.h"

#include "ui/edits/edits_page.h"
#include "ui/files/own_policies.h"
#include "ui/files/settings.h"
#include "ui/findings/findings_panel.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/session_follower.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/empty_page.h"
#include "ui/mainwindow/go_to.h"
#include "ui/mainwindow/head_line_bar.h"
#include "ui/mainwindow/layouts.h"
#include "ui/mainwindow/loading_bar.h"
#include "ui/mainwindow/notice_bar.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/mainwindow/session_continuation.h"
#include "ui/mainwindow/session_export.h"
#include "ui/mainwindow/session_report_save.h"
#include "ui/mainwindow/settings_copy.h"
#include "ui/mainwindow/status_line.h"
#include "ui/mainwindow/tour.h"
#include "ui/mainwindow/window_style.h"
#include "ui/message/message_panel.h"
#include "ui/policy/policy_panel.h"
#include "ui/sessions/sessions_page.h"
#include "ui/text/text_surface.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/painted_accessible.h"
#include "ui/widgets/segmented_control.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenuBar>
#include <QMimeData>
#include <QSplitter>
#include <QStatusBar>
#include <QStyleHints>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kSmallest(800, 520);
constexpr auto kSample = ":/samples/sample.jsonl";

QString fileName(const std::filesystem::path &path)
{
    return QFileInfo(QString::fromStdString(path.string())).fileName();
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_state(m_workspace)
{
    installPaintedAccessibility();
    FocusRing::install();
    setObjectName(u"mainWindow"_s);
    setWindowTitle(u"Palimpsest"_s);
    setAcceptDrops(true);
    setMinimumSize(kSmallest);
    resize(1600, 1000);
    m_actions = new ActionRegistry(this, menuBar());
    makeViews();
    makePanels();
    m_status = new StatusLine(m_state, *statusBar());
    new LoadingBar(m_state, *statusBar());
    connect(m_panels, &PanelDocks::said, m_status, [this](const QString &sentence) { m_status->say(sentence); });
    connect(m_settingsCopy, &SettingsCopy::copied, m_status, &StatusLine::say);
    connect(m_centre, &CentrePages::pageChanged, m_status,
        [this] { m_status->setShowsArray(m_centre->page() == CentrePages::Page::Array); });
    connect(m_centre, &CentrePages::pageChanged, this, &MainWindow::showTitle);
    connect(m_centre->tuningPages(), &TuningPages::pageChanged, this, &MainWindow::showTitle);
    makeActions();
    follow();
    setLook(static_cast<Look>(openSettings().value(u"window/look"_s, static_cast<int>(Look::System)).toInt()));
    restoreGeometry(openSettings().value(u"window/geometry"_s).toByteArray());
    m_layouts->restore();
}

MainWindow::~MainWindow() = default;

void MainWindow::follow()
{
    connect(&m_workspace, &Workspace::sessionChanged, this, &MainWindow::onSessionChanged);
    connect(&m_workspace, &Workspace::errorChanged, this, [this] {
        if (m_workspace.error() && !m_workspace.session() && !m_centre->tuningPages()->hasFolder())
            m_centre->setPage(CentrePages::Page::Sessions);
    });
    connect(&m_workspace, &Workspace::loadingChanged, this, &MainWindow::showRun);
    connect(m_centre->tuningPages()->folderPage(), &FolderPage::runRequested, this,
        [this](const QString &file, uint thread) { openRun(file.toStdString(), core::ThreadIndex(thread)); });
    connect(&m_state, &ViewState::currentChanged, this, [this] { m_workspace.facts().traces().setCurrent({}); });
    connect(&m_state, &ViewState::pictureChanged, m_actions, &ActionRegistry::markChoices);
    connect(&array(), &ArrayView::modeChanged, m_actions, &ActionRegistry::markChoices);
    connect(&m_workspace, &Workspace::overridesLost, this, [this](const QStringList &blocks) {
        const QString count = counted(
            static_cast<size_t>(blocks.size()), tr("block that you changed is"), tr("blocks that you changed are"));
        m_notice->setNotice({ tr("%1 not in the file any more.").arg(count), blocks.join(u'\n'), {}, {} });
    });
    followFile();
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { setLook(m_look); });
}

void MainWindow::followFile()
{
    const SessionFollower *follower = &m_workspace.follower();
    connect(follower, &SessionFollower::changedUnfollowed, this, [this] { m_notice->setChangedOnDisk(true); });
    connect(follower, &SessionFollower::stateChanged, this, [this, follower] {
        if (follower->isOn())
            m_notice->setChangedOnDisk(false);
        if (follower->isRemoved())
            m_notice->setNotice({ tr("The file was removed. What was read of it is shown."), {}, {}, {} });
    });
    connect(follower, &SessionFollower::followed, this, [this](const Followed &news) {
        if (news.isOther)
            m_notice->setNotice({ tr("The file was replaced and holds another session now."), {}, {}, {} });
    });
    connect(follower, &SessionFollower::continuedIn, this, [this](const QString &path) {
        if (m_continuation->hasWritten(path))
            return; // its notice has the command
        m_notice->setNotice({ tr("A new file continues this session: %1.").arg(fileName(path.toStdString())), {},
            tr("Open"), [this, path] { open(path.toStdString()); } });
    });
}

MainWindow *MainWindow::showNew()
{
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->resize(window->size().boundedTo(window->screen()->availableSize()));
    if (!window->m_layouts->isRestored())
        window->restoreDefaultLayout();
    window->show();
    return window;
}

void MainWindow::makeViews()
{
    m_head = new HeadLineBar(m_state, this);
    m_notice = new NoticeBar(m_state, this);
    m_export = new SessionExport(m_state, m_notice, this);
    m_continuation = new SessionContinuation(m_state, m_notice, this);
    m_reportSave = new SessionReportSave(m_state, m_notice, this);
    m_settingsCopy = new SettingsCopy(m_state, m_notice, this);
    m_timeline = new TimelineView(m_state, this);
    m_centre = new CentrePages(m_state, this);
    connect(m_centre->editsPage(), &EditsPage::showInArrayRequested, this, &MainWindow::showInArray);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->addWidget(m_timeline);
    m_splitter->addWidget(m_centre);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    const EmptyPage *empty = m_centre->emptyPage();
    connect(empty, &EmptyPage::openRequested, this, &MainWindow::chooseFile);
    connect(empty, &EmptyPage::folderRequested, this, &MainWindow::chooseFolder);
    connect(empty, &EmptyPage::sampleRequested, this, &MainWindow::openSample);
    connect(empty, &EmptyPage::tourRequested, this, &MainWindow::startTour);
    connect(empty, &EmptyPage::fileChosen, this, [this](const QString &path) { open(path.toStdString()); });
    const SessionsPage *sessions = m_centre->sessionsPage();
    connect(sessions, &SessionsPage::openRequested, this,
        [this](const QString &file, uint thread) { openListed(file.toStdString(), core::ThreadIndex(thread)); });
    connect(
        sessions, &SessionsPage::blockRequested, this, [this](const QString &file, uint block, const QString &line) {
            openListed(file.toStdString(), {}, core::BlockId(block), line);
        });
    connect(sessions, &SessionsPage::tuneRequested, this, [this](const QString &project, const QStringList &files) {
        std::vector<std::filesystem::path> paths;
        for (const QString &file : files)
            paths.emplace_back(file.toStdString());
        showTuning(paths, project);
    });
    connect(m_centre->tuningPages()->folderPage(), &FolderPage::widenRequested, this,
        [this] { showTuning(m_centre->sessionsPage()->library().places().folders); });
    // What belongs to the array or to its file is not said beside other pages.
    const auto showHead = [this] {
        const bool isOfOthers
            = m_centre->page() == CentrePages::Page::Tuning && m_centre->tuningPages()->isOfOtherSessions();
        m_head->setVisible(m_centre->page() != CentrePages::Page::Sessions && !(isOfOthers && m_workspace.session()));
        m_notice->setShowsWarnings(m_centre->page() == CentrePages::Page::Array);
    };
    connect(m_centre, &CentrePages::pageChanged, m_head, showHead);
    connect(m_centre->tuningPages(), &TuningPages::pageChanged, m_head, showHead);
    connect(&m_workspace, &Workspace::sessionChanged, m_head, showHead);
    showHead();
    setCentralWidget(m_splitter);
}

void MainWindow::makeHead()
{
    // The menu, the head line and the notice are across the whole window. The switch of the layouts is in its middle.
    auto *top = new QWidget(this);
    top->setObjectName(u"windowHead"_s);
    top->setAttribute(Qt::WA_StyledBackground);
    auto *menuRow = new QHBoxLayout;
    menuRow->setContentsMargins(0, 0, 0, 0);
    menuRow->addWidget(menuBar(), 1);
    menuRow->addWidget(m_layouts->pageSwitch());
    menuRow->addStretch(1);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(menuRow);
    column->addWidget(m_head);
    column->addWidget(m_notice);
    column->addWidget(m_tour);
    setMenuWidget(top);
}

void MainWindow::makePanels()
{
    m_panels = new PanelDocks(m_state, *this);
    m_tour
        = new Tour(m_state, { m_timeline, &m_panels->panel<FindingsPanel>(), &m_panels->panel<PolicyPanel>() }, this);
    connect(m_tour, &Tour::stepChanged, this, [this] {
        if (m_tour->step() == Tour::Step::Loss)
            m_panels->raise(m_panels->panel<FindingsPanel>());
    });
    m_layouts = new Layouts(m_state, *this, *m_splitter, *m_timeline, *m_centre, *m_panels);
    makeHead();
    connect(m_panels, &PanelDocks::showInArrayRequested, this, &MainWindow::showInArray);
    connect(m_panels, &PanelDocks::showEditRequested, this, &MainWindow::showEdit);
    connect(m_head, &HeadLineBar::typedMessagesRequested, m_panels, [this] { m_panels->raise(u"typed"_s); });
}

ArrayView &MainWindow::array() const { return m_centre->arrayPage()->array(); }

void MainWindow::showEdit()
{
    m_centre->choose(CentrePages::Page::Edits);
    m_centre->editsPage()->showEditOf(m_state.currentBlock());
}

bool MainWindow::showsEdits() const { return m_centre->page() == CentrePages::Page::Edits; }

void MainWindow::setLook(Look look)
{
    m_look = look;
    const bool systemIsDark = QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
    const bool isDark = look == Look::Dark || (look == Look::System && systemIsDark);
    const Theme theme = Theme::make(isDark ? Appearance::Dark : Appearance::Light);
    // The style sheet first: when it changes, Qt takes back palettes that widgets were given since the last one.
    applyWindowStyle(*this, theme);
    m_state.setTheme(theme);
    m_actions->markChoices();
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

void MainWindow::openAt(const std::filesystem::path &path, const Place &place)
{
    open(path);
    m_openingRun = { place.thread ? core::ThreadIndex(*place.thread) : core::ThreadIndex(), nullptr, {}, {}, place };
}

void MainWindow::openSample()
{
    m_openingRun.reset();
    m_workspace.open(kSample);
}

void MainWindow::startTour()
{
    const bool hasSession = m_workspace.session() || m_workspace.isLoading();
    if (hasSession && m_workspace.path() != kSample) {
        // The window of the tour goes with it, so that the person is back at the session.
        MainWindow *window = showNew();
        window->startTour();
        const auto close = [window] {
            if (!window->m_tour->step() && window->m_workspace.path() == kSample)
                window->close();
        };
        connect(window->m_tour, &Tour::stepChanged, window, close, Qt::QueuedConnection);
        return;
    }
    openSample();
    connect(
        &m_workspace, &Workspace::loadingChanged, m_tour,
        [this] {
            if (m_workspace.isLoading() || m_workspace.path() != kSample)
                return;
            m_centre->setPage(CentrePages::Page::Array);
            m_panels->raise(m_panels->panel<PolicyPanel>());
            m_tour->start();
        },
        Qt::SingleShotConnection);
}

void MainWindow::tune(const std::vector<std::filesystem::path> &folders)
{
    m_centre->sessionsPage()->library().setFolders(folders);
    showTuning(folders);
}

void MainWindow::showTuning(const std::vector<std::filesystem::path> &places, const QString &name)
{
    setTuned(places, name);
    m_centre->setPage(CentrePages::Page::Tuning);
    showTitle();
}

void MainWindow::setTuned(const std::vector<std::filesystem::path> &places, const QString &name)
{
    TuningPages &tuning = *m_centre->tuningPages();
    tuning.tune(places, name);
    m_head->setFolder(tuning.folderName(), tuning.folderPath());
}

void MainWindow::showTitle()
{
    const TuningPages &tuning = *m_centre->tuningPages();
    const bool isFolder = tuning.hasFolder() && tuning.page() == TuningPages::Page::Folder
        && (m_centre->page() == CentrePages::Page::Tuning || m_centre->page() == CentrePages::Page::Sessions
            || !m_workspace.session());
    const QString folder = (tuning.isProject() ? tr("Project %1") : tr("Folder %1")).arg(tuning.folderName());
    const QString name = isFolder ? folder : fileName(m_workspace.path());
    if (isFolder || m_workspace.session())
        setWindowTitle(tr("%1 · read-only — Palimpsest").arg(name));
    else
        setWindowTitle(u"Palimpsest"_s);
}

void MainWindow::openRun(const std::filesystem::path &path, core::ThreadIndex thread)
{
    const core::PolicyPtr policy = m_workspace.plan().policy;
    open(path);
    m_openingRun = { thread, policy, {} };
}

void MainWindow::openListed(
    const std::filesystem::path &path, core::ThreadIndex thread, core::BlockId block, const QString &line)
{
    const bool isShown = m_workspace.session() && !m_workspace.isLoading() && m_workspace.path() == path;
    m_centre->tuningPages()->setPage(TuningPages::Page::Session);
    if (!isShown)
        open(path);
    m_openingRun = { thread, nullptr, block, line };
    if (isShown) {
        showRun();
        m_centre->showSession();
    }
}

void MainWindow::listSessions(const std::vector<std::filesystem::path> &folders)
{
    m_centre->sessionsPage()->library().setFolders(folders);
    setTuned(folders);
    m_centre->setPage(CentrePages::Page::Sessions);
    showTitle();
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
    if (run.block.index() < m_workspace.session()->blocks.size()) {
        m_state.search().setLine(run.line);
        m_state.goTo(run.block);
        m_centre->setPage(CentrePages::Page::Array);
        m_panels->raise(m_panels->panel<MessagePanel>());
    }
    goTo(run.place);
    if (!run.policy)
        return;
    m_workspace.commitPlan(m_workspace.planWith(run.policy), tr("Policy of the Folder"));
    m_centre->tuningPages()->setPage(TuningPages::Page::Session);
}

void MainWindow::goTo(const Place &place)
{
    const core::Session &session = *m_workspace.session();
    QString problem;
    if (place.thread && *place.thread >= session.threads.size())
        problem = tr("There is no thread %1; the last one is %2").arg(*place.thread).arg(session.threads.size() - 1);
    if (place.call && problem.isEmpty()) {
        const QString words = u"call %1"_s.arg(*place.call);
        problem = problemOfPlace(m_state, words);
        goToPlace(m_state, words);
    }
    if (place.message && problem.isEmpty()) {
        problem = problemOfPlace(m_state, u"#%1"_s.arg(*place.message));
        if (problem.isEmpty())
            m_state.goTo(session.message(core::MessageId(*place.message)).first);
    }
    if (!problem.isEmpty())
        m_notice->setNotice({ problem + u'.', {}, {}, {} });
    if (place.call || place.message)
        m_centre->choose(CentrePages::Page::Array);
    if (place.edit) {
        m_centre->choose(CentrePages::Page::Edits);
        m_centre->editsPage()->showNumber(*place.edit);
    }
}

void MainWindow::onSessionChanged(bool isNew)
{
    if (!isNew)
        return; // a session that grows does not take the user from the list
    m_centre->showSession();
    showTitle();
    if (!m_workspace.isReloaded())
        array().setFocus();
}

void MainWindow::trace()
{
    Traces &traces = m_workspace.facts().traces();
    const TextSurface *surface = m_panels->panel<MessagePanel>().surface();
    const std::string selected = surface->isVisible() ? surface->selectedAsShown() : std::string();
    if (!selected.empty())
        traces.traceText(selected);
    else
        traces.traceBlock(m_state.currentBlock());
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
    const QString beside = QFileInfo(QString::fromStdString(m_workspace.path().string())).path();
    const QString folder
        = QFileDialog::getExistingDirectory(this, tr("Open Folder"), m_workspace.path().empty() ? QString() : beside);
    if (!folder.isEmpty())
        listSessions({ folder.toStdString() });
}

void MainWindow::chooseAfterFile()
{
    const QString folder = QFileInfo(QString::fromStdString(m_workspace.path().string())).path();
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare with Another File"), folder);
    if (!path.isEmpty())
        m_workspace.compareWith(path.toStdString());
}

void MainWindow::chooseExportPlace()
{
    if (m_export->sayObstacle())
        return;
    // The export itself refuses to overwrite a file.
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export Compacted Session"), m_export->proposedPath(), {}, nullptr, QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty())
        m_export->exportTo(path);
}

void MainWindow::showInArray()
{
    if (m_state.currentSlot().isValid())
        Q_EMIT m_state.revealRequested(m_state.currentSlot());
    m_centre->setPage(CentrePages::Page::Array);
    array().setFocus();
}

bool MainWindow::clearSearch()
{
    const bool isSearching = !m_state.search().line().isEmpty();
    m_state.search().setLine({});
    return isSearching;
}

void MainWindow::escape()
{
    // Clears in order: the view that fills the window, the filter line, the notice, the difference of two runs, a
    // selection of several, a measured range, the traces from the newest on, the policies that are compared with, and
    // the focus goes back to the array.
    if (m_layouts->stopFilling() || clearSearch() || m_notice->dismiss() || m_centre->closeDifference())
        return;
    if (m_state.selection().size() > 1 && m_state.currentSlot().isValid())
        return m_state.setSelection({ m_state.currentSlot() });
    if (m_timeline->measured())
        return m_timeline->clearMeasured();
    if (m_workspace.facts().traces().removeOne() || m_workspace.comparisons().removeOne())
        return;
    array().setFocus();
}

void MainWindow::restoreDefaultLayout()
{
    if (m_workspace.session())
        m_centre->setPage(CentrePages::Page::Array);
    m_layouts->restoreDefaults();
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
            auto &policy = m_panels->panel<PolicyPanel>();
            m_panels->raise(policy);
            policy.loadFrom(url.toLocalFile());
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
        listSessions(folders);
}

bool MainWindow::focusNextPrevChild(bool isNext)
{
    const QWidget *first = nullptr;
    while (QMainWindow::focusNextPrevChild(isNext)) {
        const QWidget *now = focusWidget();
        if (now == nullptr || now == first || !now->visibleRegion().isEmpty())
            return true;
        if (first == nullptr)
            first = now;
    }
    return false;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    openSettings().setValue(u"window/geometry"_s, saveGeometry());
    m_layouts->save();
    QMainWindow::closeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    m_panels->followWidth(event->oldSize().width(), event->size().width());
}

void MainWindow::changeEvent(QEvent *event)
{
    const bool looks = event->type() == QEvent::ActivationChange && isActiveWindow() && m_workspace.session();
    if (looks && !m_workspace.follower().isOn() && m_workspace.session()->torn())
        m_notice->setChangedOnDisk(true);
    QMainWindow::changeEvent(event);
}

} // namespace ui
