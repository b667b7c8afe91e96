// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QStringList>
#include <QWidget>

#include <functional>

namespace ui {

class ViewState;

/// A view beside the centre: the window puts it into a dock. A panel overrides what concerns it.
class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Whether the person can see the panel. A dock behind the tab of another is not hidden, only out of sight.
    virtual void setInSight(bool /*isInSight*/) { }
    /// Shows what the picture of that name shows: one of the names in the panel's PanelKind.
    virtual void showForPicture(const QString & /*name*/) { }
    /// For pictures and tests: returns when everything is there.
    virtual void waitForContent() { }

Q_SIGNALS:
    /// The number behind the title of the panel; none if it is 0.
    void countChanged(size_t count);
    /// The array should have the focus, at the current slot.
    void showInArrayRequested();
};

/// What the window knows of a panel. Its dock, its entry in the View menu, its row on the keys page, its place in the
/// default layout and its pictures follow from this. See ui/mainwindow/panels.h for how to add one.
struct PanelKind {
    QString name; ///< `weight`: of its picture, of its action `view.weight` and of its dock `weightDock`
    QString title;
    Qt::DockWidgetArea area; ///< in the default layout; panels of one area are tabs
    Qt::Key key;             ///< with Ctrl it shows the panel; the View menu is sorted by it
    std::function<Panel *(ViewState &state, QWidget *parent)> make;
    QStringList otherPictures = {}; ///< names of pictures that show the panel in another form
};

template <typename P>
Panel *makePanel(ViewState &state, QWidget *parent)
{
    return new P(state, parent);
}

} // namespace ui
