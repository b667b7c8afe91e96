// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/actions.h"
#include "ui/hub/view_state.h"

#include <QMainWindow>

#include <filesystem>
#include <functional>

class QSplitter;

namespace ui {

class ArrayView;
class CentrePages;
class HeadLineBar;
class Layouts;
class NoticeBar;
class PanelDocks;
class SessionContinuation;
class SessionExport;
class SessionReportSave;
class SettingsCopy;
class StatusLine;
class TimelineView;
class Tour;

/// One window: one Workspace, one session, one undo stack. Composes the views around the two hubs and owns the actions.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    enum class Look { System, Light, Dark };

    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens another window, no larger than the screen; it deletes itself when closed.
    static MainWindow *showNew();
    /// `after` is a file whose array is shown as the array after a compaction; empty for none.
    void open(const std::filesystem::path &path, const std::filesystem::path &after = {});
    /// A place of a session to open it at: by its number, or none.
    struct Place {
        std::optional<uint32_t> thread {};
        std::optional<uint32_t> call {};
        std::optional<uint32_t> message {};
        std::optional<uint32_t> edit {};
    };
    /// Opens a session and goes to the place. The notice bar says if there is no such place.
    void openAt(const std::filesystem::path &path, const Place &place);
    void openSample();
    /// Opens the sample and starts the tour: in a window of its own if this one shows a session of the user's.
    void startTour();
    /// The same folders, at the Tuning view for their runs.
    void tune(const std::vector<std::filesystem::path> &folders);
    /// Opens a session of such a folder at that thread, under the current policy.
    void openRun(const std::filesystem::path &path, core::ThreadIndex thread);
    /// Opens a session of the list: at a thread, or with a block chosen that the filter line finds.
    void openListed(const std::filesystem::path &path, core::ThreadIndex thread, core::BlockId block = {},
        const QString &line = {});
    /// Lists the sessions of these folders instead of those of the known harnesses; without a folder, those again.
    void listSessions(const std::vector<std::filesystem::path> &folders);
    void setLook(Look look);
    void restoreDefaultLayout();
    [[nodiscard]] Layouts &layouts() { return *m_layouts; }

    [[nodiscard]] Workspace &workspace() { return m_workspace; }
    [[nodiscard]] ViewState &state() { return m_state; }
    [[nodiscard]] SessionExport &sessionExport() { return *m_export; }
    [[nodiscard]] SessionReportSave &reportSave() { return *m_reportSave; }
    [[nodiscard]] SessionContinuation &continuation() { return *m_continuation; }
    [[nodiscard]] ActionRegistry &actions() { return *m_actions; }
    [[nodiscard]] CentrePages &centre() { return *m_centre; }
    /// Names of the pictures of a session: the window, the timeline, the centre pages and the panels.
    [[nodiscard]] static QStringList viewNames();
    /// Names of the pictures of a folder: the window, and the Tuning view with each of the parts below its map.
    [[nodiscard]] static QStringList folderViewNames();
    /// Takes the picture with this name and restores the window's state.
    [[nodiscard]] QImage picture(const QString &view, double pixelRatio);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool focusNextPrevChild(bool isNext) override; ///< passes over what is out of sight: docks behind tabs

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
    void makeBookmarkActions();
    void makeHelpActions();
    /// Connects the window to its hubs and views.
    void follow();
    /// Says what happens to the file.
    void followFile();
    void makeHead();
    void onSessionChanged(bool isNew);
    /// The file or the folder that the page shows.
    void showTitle();
    /// Traces the selected text of the message, else the current block.
    void trace();
    void chooseFile();
    void chooseAfterFile();
    void chooseFolder();
    /// Tunes folders or files on the Tune page; the list of sessions stays. A name stands in place of the folder's.
    void showTuning(const std::vector<std::filesystem::path> &places, const QString &name = {});
    /// The same, but another page may be shown.
    void setTuned(const std::vector<std::filesystem::path> &places, const QString &name = {});
    /// Shows what was given to `openRun` or `openListed`, once the session is loaded.
    void showRun();
    void goTo(const Place &place);
    void settlePage();
    void takePagePicture(const QString &view, const std::function<void(QWidget *)> &grab);
    void chooseExportPlace();
    void showInArray();
    /// Shows the edit that the current block made.
    void showEdit();
    [[nodiscard]] bool showsEdits() const;
    void escape();
    /// False if the filter line was empty already.
    bool clearSearch();
    void rebuildRecentMenu();
    [[nodiscard]] ArrayView &array() const;

    /// A session being opened from a folder or from the list.
    struct OpeningRun {
        core::ThreadIndex thread;
        core::PolicyPtr policy; ///< nullptr from the list
        core::BlockId block;    ///< the block to choose, if any
        QString line {};        ///< the filter line that finds it
        Place place {};
    };

    Workspace m_workspace;
    ViewState m_state;
    std::optional<OpeningRun> m_openingRun;
    ActionRegistry *m_actions = nullptr;
    Look m_look = Look::System;
    HeadLineBar *m_head = nullptr;
    NoticeBar *m_notice = nullptr;
    Tour *m_tour = nullptr;
    QSplitter *m_splitter = nullptr;
    TimelineView *m_timeline = nullptr;
    CentrePages *m_centre = nullptr;
    PanelDocks *m_panels = nullptr;
    Layouts *m_layouts = nullptr;
    StatusLine *m_status = nullptr;
    SessionExport *m_export = nullptr;
    SessionContinuation *m_continuation = nullptr;
    SessionReportSave *m_reportSave = nullptr;
    SettingsCopy *m_settingsCopy = nullptr;
    QMenu *m_recentMenu = nullptr;
};

} // namespace ui
