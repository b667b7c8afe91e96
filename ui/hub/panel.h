// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

#include <functional>

class QAbstractItemView;
class QAction;
class QModelIndex;

namespace ui {

class ViewState;

/// A view beside the centre, in a dock of the window. Subclasses override what they need.
class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Whether the user can see the panel; a dock behind another tab is not hidden, but out of sight.
    [[nodiscard]] bool isInSight() const { return m_isInSight; }
    void setInSight(bool isInSight);
    /// Why nothing can be shown here, in one sentence with the way to get something; empty if something can be. The tab
    /// of an empty panel is hidden.
    [[nodiscard]] virtual QString whyEmpty() const { return {}; }
    /// Prepares the picture of this name, one of the names in the panel's PanelKind.
    virtual void showForPicture(const QString & /*name*/) { }
    /// For pictures and tests: waits until all content is there.
    virtual void waitForContent() { }
    /// The menu of a row: actions on the current block.
    void setRowActions(QList<QAction *> actions) { m_rowActions = std::move(actions); }

Q_SIGNALS:
    /// The number after the panel's title; 0 shows none.
    void countChanged(size_t count);
    /// The same as `8 of 42 at the end`: of the session, whatever the chosen call.
    void partChanged(size_t part, size_t all);
    /// `whyEmpty` may say something else.
    void emptinessChanged();
    /// Asks the window to focus the array at the current slot.
    void showInArrayRequested();
    /// Asks the window to show the edit of the current block.
    void showEditRequested();
    /// Asks the window to bring the panel with this `PanelKind::name` to the front.
    void showPanelRequested(const QString &name);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    /// The panel comes into sight. What costs time and no other view shows is filled in only now.
    virtual void comeIntoSight() { }
    /// Gives each row of `view` a context menu with the row actions. `choose` makes the row's block current.
    void offerRowMenu(QAbstractItemView &view, std::function<void(const QModelIndex &row)> choose);

    [[nodiscard]] const QList<QAction *> &rowActions() const { return m_rowActions; }

private:
    QList<QAction *> m_rowActions;
    bool m_isInSight = false;
};

/// The properties of a panel. Its dock, View menu entry, row on the keys page, default place and pictures derive from
/// them. See ui/mainwindow/panels.h for how to add a panel.
struct PanelKind {
    QString name; ///< `weight`: the name of its picture, of its action `view.weight` and of its dock `weightDock`
    QString title;
    Qt::DockWidgetArea area; ///< in the default layout; panels of the same area share it as tabs
    Qt::Key key; ///< Ctrl + this key shows the panel, unless it is Key_unknown; also the sort order of the View menu
    std::function<Panel *(ViewState &state, QWidget *parent)> make;
    QStringList otherPictures = {}; ///< names of pictures that show the panel in another form
};

template <typename P>
Panel *makePanel(ViewState &state, QWidget *parent)
{
    return new P(state, parent);
}

} // namespace ui
