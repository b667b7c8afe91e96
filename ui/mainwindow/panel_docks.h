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

/// The panels of a window in their docks, one for each row of the table in panels.h.
class PanelDocks final : public QObject {
    Q_OBJECT

public:
    PanelDocks(ViewState &state, QMainWindow &window);

    /// The names of the panels' pictures.
    [[nodiscard]] static QStringList pictureNames();
    /// Adds an action for each panel. It brings the panel to the front; where that has the focus, it closes it.
    void addActions(ActionRegistry &actions, const QString &menu);
    /// Gives the areas their default sizes, and shows the first panel of each.
    void layOut(int bottomHeight);
    /// Puts docks into their areas that a layout of an earlier version does not name.
    void placeUnknown();

    /// The panel of that class. Every class of the table is there.
    template <typename P>
    [[nodiscard]] P &panel() const
    {
        for (const Entry &entry : m_entries) {
            if (auto *found = qobject_cast<P *>(entry.panel))
                return *found;
        }
        Q_UNREACHABLE();
    }
    /// Brings a panel to the front and leaves the focus where it is.
    void raise(const Panel &panel);
    /// Shows what the picture shows, waits for it, calls `take` with the panel, and brings the first tab back. Returns
    /// whether a panel has that picture.
    bool takePicture(const QString &name, const std::function<void(QWidget *)> &take);

Q_SIGNALS:
    void showInArrayRequested();

private:
    struct Entry {
        PanelKind kind;
        Panel *panel;
        QDockWidget *dock;
    };

    Entry makeEntry(const PanelKind &kind, ViewState &state);
    /// Shows the panel with the focus, or closes it if it has the focus.
    void toggle(const Entry &entry);
    [[nodiscard]] QDockWidget *firstIn(Qt::DockWidgetArea area) const;

    QMainWindow &m_window;
    std::vector<Entry> m_entries;
};

} // namespace ui
