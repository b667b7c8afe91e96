// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/actions.h"
#include "ui/hub/view_state.h"

#include <QMainWindow>

#include <filesystem>

class QDockWidget;
class QFileSystemWatcher;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace ui {

class ArrayPage;
class CallsPanel;
class CentrePages;
class EditsPage;
class EmptyPage;
class HeadLineBar;
class MessagePanel;
class NoticeBar;
class OutlinePanel;
class PolicyPanel;
class RewritesPanel;
class SessionExport;
class SettingsCopy;
class TimelineView;
class WeightPanel;

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
    /// The views by the names that `shoot` knows: window, timeline, array, bars, heaviest, edits, tuning, outline,
    /// message, raw, weight, calls, policy, rewrites.
    [[nodiscard]] static QStringList viewNames();
    /// Those of a folder: the window, and the Tuning view with each of what stands below its map.
    [[nodiscard]] static QStringList folderViewNames();
    /// A picture of one view as it stands; `bars` and its like switch the array for the shot.
    [[nodiscard]] QImage picture(const QString &view, double pixelRatio);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void makeViews();
    void makeActions();
    void makeEditsActions();
    void makePolicyActions();
    void makePresetActions(const QString &menu);
    void makeStatusBar();
    void applyStyle(const Theme &theme);
    /// Marks, in the menu, what is chosen.
    void showChoices();
    void restoreLayout();
    void setTimelineHeight();
    /// `pixels` of a roomy window, less in a low one.
    [[nodiscard]] int inThisHeight(int pixels) const;
    void showDock(QDockWidget *dock);
    void onSessionChanged(bool isNew);
    void refreshStatus();
    /// What is said of the block below the pointer, of the current trace, or of the current block.
    [[nodiscard]] QString statusWords() const;
    /// The selected text of the message, else the current block.
    void trace();
    void takeLanes();
    void makeTimelineActions();
    void rebuildCompareMenu();
    void chooseFile();
    void chooseAfterFile();
    void chooseFolder();
    /// When a run's session is there: what `openRun` was asked for beside it.
    void showRun();
    [[nodiscard]] QImage tuningPicture(const QString &view, const std::function<QImage(QWidget *)> &grab);
    void chooseExportPlace();
    void goTo();
    void showInArray();
    /// The edit that the current block made.
    void showEdit();
    [[nodiscard]] bool showsEdits() const;
    void escape();
    void rebuildRecentMenu();

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
    ArrayPage *m_arrayPage = nullptr; ///< of the centre
    EditsPage *m_edits = nullptr;     ///< of the centre
    OutlinePanel *m_outline = nullptr;
    MessagePanel *m_message = nullptr;
    WeightPanel *m_weight = nullptr;
    CallsPanel *m_calls = nullptr;
    PolicyPanel *m_policy = nullptr;
    RewritesPanel *m_rewrites = nullptr;
    SessionExport *m_export = nullptr;
    SettingsCopy *m_settingsCopy = nullptr;
    QDockWidget *m_outlineDock = nullptr;
    QDockWidget *m_messageDock = nullptr;
    QDockWidget *m_weightDock = nullptr;
    QDockWidget *m_callsDock = nullptr;
    QDockWidget *m_policyDock = nullptr;
    QDockWidget *m_rewritesDock = nullptr;
    QLabel *m_statusLeft = nullptr;
    QLabel *m_statusRight = nullptr;
    QMenu *m_compareMenu = nullptr;
    QMenu *m_recentMenu = nullptr;
    std::vector<std::pair<QAction *, std::function<bool()>>> m_choices;
    QFileSystemWatcher *m_watcher = nullptr;
    QByteArray m_defaultState;
    bool m_hasOwnLayout = false;     ///< of an earlier run
    bool m_splitterWasMoved = false; ///< by the user: sizes are then kept
};

} // namespace ui
