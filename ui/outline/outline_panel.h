// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"
#include "ui/outline/outline_model.h"

#include <QSet>

#include <memory>
#include <vector>

class QLineEdit;
class QListView;
class QStackedWidget;
class QTreeView;

namespace ui {

class OutlineDelegate;
class ThreadsDelegate;
class ThreadsModel;
class WordTabs;

/// The left panel: the chosen thread as a searchable tree, and a list of threads. Rows whose messages are not in the
/// chosen call's array are grey; a click on one goes to the nearest call that has it.
class OutlinePanel final : public Panel {
    Q_OBJECT

public:
    explicit OutlinePanel(ViewState &state, QWidget *parent = nullptr);
    ~OutlinePanel() override;

    /// Shows only messages with a block that the filter line finds.
    void setFilter(const QString &line);

    [[nodiscard]] QSize sizeHint() const override { return { 250, 600 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 190, 120 }; }

protected:
    void paintEvent(QPaintEvent *event) override;
    /// Brings the current row into sight: it may have changed while the panel was hidden.
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Found {
        std::shared_ptr<const core::Outline> outline;
        std::vector<bool> matches;
    };

    void setUpParts();
    void layOut();
    void connectViews();
    void refresh();
    /// Reads which messages are in the array.
    void takeArray();
    void takeBookmarks();
    /// Reads which messages are hot.
    void takeHot();
    void refreshThreads();
    /// What the threads cost, once that is known.
    void takeCost();
    void applyTheme();
    void search();
    void styleFilter(bool isValid);
    void follow();
    void showHovered();
    void restoreExpanded();
    /// Whether a row is expanded by default: turns, if there are not too many.
    [[nodiscard]] bool opensByItself(const QModelIndex &index) const;
    /// Expands the group of the current slot, and collapses the group that was expanded for the slot before.
    void showGroup(const QModelIndex &group);
    void act(const QModelIndex &index);
    void actOnMessage(core::MessageId message, bool isTyped);
    [[nodiscard]] core::BlockId blockOf(core::MessageId id, bool isTyped) const;

    ViewState &m_state;
    OutlineModel *m_model;
    ThreadsModel *m_threads;
    OutlineDelegate *m_delegate;
    ThreadsDelegate *m_threadsDelegate;
    WordTabs *m_tabs;
    QStackedWidget *m_pages;
    QLineEdit *m_filter;
    QTreeView *m_tree;
    QListView *m_list;
    core::BlockTokensPtr m_tokens; ///< used to weigh the threads
    core::SessionPtr m_threadsOf;
    QSet<quint64> m_folded;   ///< turns that the user collapsed
    QSet<quint64> m_unfolded; ///< groups, and turns beyond the default, that the user expanded
    quint64 m_shownGroup = 0; ///< the group expanded for the current slot
    QPersistentModelIndex m_shownIndex;
    bool m_isActing = false; ///< a row was chosen in the tree, which therefore does not move
    bool m_isFollowing = false;
    bool m_isRestoring = false;
    bool m_asksForHot = false; ///< the filter line does
    Job<Found> m_search;
};

} // namespace ui
