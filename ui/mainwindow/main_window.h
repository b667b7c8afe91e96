// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/actions.h"
#include "ui/hub/view_state.h"

#include <QMainWindow>

#include <filesystem>
#include <functional>

class QFileSystemWatcher;
class QSplitter;
class QStackedWidget;

namespace ui {

class ArrayView;
class CentrePages;
class EmptyPage;
class HeadLineBar;
class NoticeBar;
class PanelDocks;
class SessionExport;
class SettingsCopy;
class StatusLine;
class TimelineView;

/// One window: one Workspace, one session, one undo stack. Composes the views around the two hubs and owns the actions.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    enum class Look { System, Light, Dark };

    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// A window of its own, no larger than the screen; it deletes itself when it is closed.
    static MainWindow *showNew();
    /// `after` is the file whose array stands beside it; empty for none.
    void open(const std::filesystem::path &path, const std::filesystem::path &after = {});
    void openSample();
    /// Shows what the runs in folders would have come to under a policy, and suggest.
    void tune(const std::vector<std::filesystem::path> &folders);
    /// A session out of such a folder: under the policy at hand, at that thread.
    void openRun(const std::filesystem::path &path, core::ThreadIndex thread);
    void setLook(Look look);
    void restoreDefaultLayout();

    [[nodiscard]] Workspace &workspace() { return m_workspace; }
    [[nodiscard]] ViewState &state() { return m_state; }
    [[nodiscard]] SessionExport &sessionExport() { return *m_export; }
    [[nodiscard]] ActionRegistry &actions() { return *m_actions; }
    [[nodiscard]] CentrePages &centre() { return *m_centre; }
    /// The names of the pictures of a session: the window, the timeline, the centre pages and the panels.
    [[nodiscard]] static QStringList viewNames();
    /// The names of the pictures of a folder: the window, and the Tuning view with each of the parts below its map.
    [[nodiscard]] static QStringList folderViewNames();
    /// The picture of that name; all is as before afterwards.
    [[nodiscard]] QImage picture(const QString &view, double pixelRatio);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void makeViews();
    void makePanels();
    void makeActions();
    void makeFileActions();
    void makeEditActions();
    void makeViewActions();
    void makeLookActions();
    void makePageActions();
    void makeGoActions();
    void makeRewriteActions();
    void makeReviewActions();
    void makeHelpActions();
    /// Connects the window to its hubs and views.
    void follow();
    void restoreLayout();
    void setTimelineHeight();
    void makeRoomForLanes();
    /// `pixels` of a roomy window, less in a low one.
    [[nodiscard]] int inThisHeight(int pixels) const;
    void onSessionChanged(bool isNew);
    /// The selected text of the message, else the current block.
    void trace();
    void chooseFile();
    void chooseAfterFile();
    void chooseFolder();
    /// Shows the thread and policy that `openRun` was asked for, once the session is loaded.
    void showRun();
    void takePagePicture(const QString &view, const std::function<void(QWidget *)> &grab);
    void chooseExportPlace();
    void showInArray();
    /// The edit that the current block made.
    void showEdit();
    [[nodiscard]] bool showsEdits() const;
    void escape();
    void rebuildRecentMenu();
    [[nodiscard]] ArrayView &array() const;

    /// A session that is being opened out of a folder.
    struct OpeningRun {
        core::ThreadIndex thread;
        core::PolicyPtr policy;
    };

    Workspace m_workspace;
    ViewState m_state;
    std::optional<OpeningRun> m_openingRun;
    ActionRegistry *m_actions = nullptr;
    Look m_look = Look::System;
    QStackedWidget *m_pages = nullptr;
    EmptyPage *m_empty = nullptr;
    HeadLineBar *m_head = nullptr;
    NoticeBar *m_notice = nullptr;
    QSplitter *m_splitter = nullptr;
    TimelineView *m_timeline = nullptr;
    CentrePages *m_centre = nullptr;
    PanelDocks *m_panels = nullptr;
    StatusLine *m_status = nullptr;
    SessionExport *m_export = nullptr;
    SettingsCopy *m_settingsCopy = nullptr;
    QMenu *m_recentMenu = nullptr;
    QFileSystemWatcher *m_watcher = nullptr;
    QByteArray m_defaultState;
    bool m_hasOwnLayout = false;     ///< of an earlier run
    bool m_splitterWasMoved = false; ///< by the user: sizes are then kept
};

} // namespace ui
