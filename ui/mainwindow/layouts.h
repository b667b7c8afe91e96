// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/mainwindow/centre_pages.h"

#include <QByteArray>
#include <QObject>

#include <array>
#include <optional>

class QMainWindow;
class QSplitter;

namespace ui {

class ActionRegistry;
class PanelDocks;
class SegmentedControl;
class TimelineView;

/// The layouts of a window, one for each page of the centre: which panels are visible, their sizes, and the timeline:
/// full, folded or hidden. A layout keeps what the user changes; the settings store it. The switch at the head of the
/// window chooses a page. One key lets a single view fill the window.
class Layouts final : public QObject {
    Q_OBJECT

public:
    /// `splitter` holds `timeline` above `centre`; it is the central widget of the window.
    Layouts(ViewState &state, QMainWindow &window, QSplitter &splitter, TimelineView &timeline, CentrePages &centre,
        PanelDocks &panels);

    void addActions(ActionRegistry &actions, const QString &menu);
    /// Hidden while the window has no session.
    [[nodiscard]] SegmentedControl *pageSwitch() const { return m_switch; }
    void restore();
    void save();
    /// Forgets what the user changed in all layouts.
    void restoreDefaults();
    /// True if an earlier run stored a layout.
    [[nodiscard]] bool isRestored() const { return m_isRestored; }
    /// Lets the view with the focus fill the window; again to return.
    void toggleFilled();
    /// False if no view filled the window.
    bool stopFilling();
    void setTimelineFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const;

private:
    struct Layout {
        QByteArray docks;             ///< empty: the default
        QByteArray splitter;          ///< empty: the timeline has its default height
        std::optional<bool> isFolded; ///< as the user wants it
    };

    [[nodiscard]] Layout &current() { return m_layouts[static_cast<size_t>(m_page)]; }
    void follow();
    void remember();
    /// Applies the layout of the page.
    void show();
    void showDefaultDocks();
    void showTimeline();
    void setTimelineHeight();
    [[nodiscard]] int bottomHeight() const;
    /// `pixels` in a high window, less in a low one.
    [[nodiscard]] int inThisHeight(int pixels) const;

    ViewState &m_state;
    QMainWindow &m_window;
    QSplitter &m_splitter;
    TimelineView &m_timeline;
    CentrePages &m_centre;
    PanelDocks &m_panels;
    SegmentedControl *m_switch;
    QByteArray m_allDocks; ///< every panel in its area
    std::array<Layout, CentrePages::kPageCount> m_layouts;
    CentrePages::Page m_page;
    std::optional<QByteArray> m_unfilled; ///< the docks before a view filled the window
    bool m_isRestored = false;
};

} // namespace ui
