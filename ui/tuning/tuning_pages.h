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

/// The Tuning view of the open session and that of a folder, one at a time, with the switch between them where there
/// are both.
class TuningPages final : public QWidget {
    Q_OBJECT

public:
    enum class Page { Session, Folder };

    explicit TuningPages(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] TuningPage *sessionPage() const { return m_session; }
    [[nodiscard]] FolderPage *folderPage() const { return m_folder; }
    [[nodiscard]] Page page() const;
    void setPage(Page page);
    /// Reads these folders and shows them.
    void tune(std::vector<std::filesystem::path> places);
    [[nodiscard]] bool hasFolder() const;
    /// Gives the focus to the map in sight.
    void focusMap();
    /// Leaves room at the left of the head for the window's own parts.
    void setHeadRoom(int width);
    /// For pictures and tests: returns when the map in sight is whole.
    void waitForMap();

private:
    void refresh();

    ViewState &m_state;
    TuningPage *m_session;
    FolderPage *m_folder;
    SegmentedControl *m_switch;
    QStackedLayout *m_pages;
    int m_headRoom = 0;
};

} // namespace ui
