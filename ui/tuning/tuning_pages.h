// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_sweeps.h"

#include <QWidget>

class QStackedLayout;

namespace ui {

class FolderPage;
class SegmentedControl;
class TuningPage;
class ViewState;

/// The Tuning views of the open session and of a folder, one visible at a time, with a switch if both exist.
class TuningPages final : public QWidget {
    Q_OBJECT

public:
    enum class Page { Session, Folder };

    explicit TuningPages(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] TuningPage *sessionPage() const { return m_session; }
    [[nodiscard]] FolderPage *folderPage() const { return m_folder; }
    [[nodiscard]] Page page() const;
    void setPage(Page page);
    /// Reads these folders or files and shows their page. A name stands in place of the folder's.
    void tune(std::vector<std::filesystem::path> places, const QString &name = {});
    [[nodiscard]] bool hasFolder() const;
    /// The name of the folder or project that is tuned, or of the folder that holds the tuned files; empty without
    /// one.
    [[nodiscard]] QString folderName() const;
    [[nodiscard]] QString folderPath() const;
    /// Whether the sessions of a project are tuned instead of a folder.
    [[nodiscard]] bool isProject() const;
    /// Whether the page of the folder is shown, and the open session is not in that folder.
    [[nodiscard]] bool isOfOtherSessions() const;
    /// Focuses the visible map.
    void focusMap();
    /// For pictures and tests: waits until the visible map is complete.
    void waitForMap();

Q_SIGNALS:
    void pageChanged();

private:
    void refresh();

    ViewState &m_state;
    TuningPage *m_session;
    FolderPage *m_folder;
    SegmentedControl *m_switch;
    QStackedLayout *m_pages;
};

} // namespace ui
