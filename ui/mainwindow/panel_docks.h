// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"

#include <QObject>

#include <vector>

class QDockWidget;
class QMainWindow;

namespace ui {

class ActionRegistry;

/// The docks of a window's panels, one for each row of the table in panels.h.
class PanelDocks final : public QObject {
    Q_OBJECT

public:
    PanelDocks(ViewState &state, QMainWindow &window);

    /// The names of the panels' pictures.
    [[nodiscard]] static QStringList pictureNames();
    /// Adds an action for each panel. It brings the panel to the front, or closes it if it has the focus.
    void addActions(ActionRegistry &actions, const QString &menu);
    /// The actions in the menus of rows.
    void setRowActions(const QList<QAction *> &actions);
    /// Sets the default sizes of the areas and shows the first panel of each.
    void layOut(int bottomHeight);
    /// Keeps the left area's default share of the window's width, unless it was given another.
    void followWidth(int before, int now);
    /// Shows the panels of these areas and hides the others.
    void showAreas(Qt::DockWidgetAreas areas);
    /// Hides every other panel; if the widget is in no panel, every panel. Returns whether it is in one.
    bool showOnlyPanelOf(const QWidget *widget);
    /// Hides the tabs of panels that are empty, after a layout was applied.
    void hideEmpty();
    /// Shows them again, before a layout is stored or applied.
    void showEmpty();
    /// Places docks that a layout of an earlier version does not contain. Those of `visible` areas are shown.
    void placeUnknown(Qt::DockWidgetAreas visible);

    /// The panel of class P, which must be in the table.
    template <typename P>
    [[nodiscard]] P &panel() const
    {
        for (const Entry &entry : m_entries) {
            if (auto *found = qobject_cast<P *>(entry.panel))
                return *found;
        }
        Q_UNREACHABLE();
    }
    /// Brings a panel to the front without giving it the focus. If it is empty, `said` tells why instead.
    void raise(const Panel &panel);
    /// The same for the panel with this `PanelKind::name`.
    void raise(const QString &name);
    /// The same, and gives it the focus.
    void focus(const QString &name);
    /// Shows the panel as in the picture, waits for its content, calls `take` with the panel, and restores the first
    /// tab. Returns whether a panel has that picture.
    bool takePicture(const QString &name, const std::function<void(QWidget *)> &take);

Q_SIGNALS:
    /// Why a panel is not shown.
    void said(const QString &sentence);
    void showInArrayRequested();
    void showEditRequested();

private:
    struct Entry {
        PanelKind kind;
        Panel *panel;
        QDockWidget *dock;
    };

    [[nodiscard]] static int leftWidth(int windowWidth);
    Entry makeEntry(const PanelKind &kind, ViewState &state);
    /// Shows and focuses the panel, or closes it if it has the focus.
    void toggle(const Entry &entry);
    /// Hides or shows the dock of a panel whose content has come or gone.
    void followEmptiness(const Panel &panel, QDockWidget &dock);
    [[nodiscard]] const Entry &entryOf(const QString &name) const;
    [[nodiscard]] QDockWidget *firstIn(Qt::DockWidgetArea area) const;

    QMainWindow &m_window;
    std::vector<Entry> m_entries;
    std::vector<QDockWidget *> m_emptied; ///< docks of the layout that are hidden as their panels are empty
    bool m_isApplying = false;            ///< between `showEmpty` and `hideEmpty`
};

} // namespace ui
