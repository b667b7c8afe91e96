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

/// The left panel: the chosen thread as a tree that can be searched, and a list of threads. Rows whose messages the
/// chosen call does not hold are grey; a click on one moves to the nearest call that holds it.
class OutlinePanel final : public Panel {
    Q_OBJECT

public:
    explicit OutlinePanel(ViewState &state, QWidget *parent = nullptr);
    ~OutlinePanel() override;

    /// Shows only what holds all of these words.
    void setFilter(const QString &words);

    [[nodiscard]] QSize sizeHint() const override { return { 250, 600 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 190, 120 }; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using Texts = std::shared_ptr<const std::vector<QString>>;
    struct Found {
        std::shared_ptr<const core::Outline> outline;
        Texts texts;
        std::vector<bool> matches;
    };

    void setUpParts();
    void layOut();
    void connectViews();
    void refresh();
    /// Which messages stand in the array, and which of them are hot.
    void takeArray();
    void refreshThreads();
    void applyTheme();
    void search();
    void follow();
    void showHovered();
    void restoreExpanded();
    /// Whether a row is unfolded unless the person folds it: turns, if they are not too many.
    [[nodiscard]] bool opensByItself(const QModelIndex &index) const;
    /// Expands the group of the current slot, and folds the one that was expanded for the slot before.
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
    core::BlockTokensPtr m_tokens; ///< that the threads were weighed with
    core::SessionPtr m_threadsOf;
    QSet<quint64> m_folded;   ///< turns that the person folded
    QSet<quint64> m_unfolded; ///< groups, and turns of very many, that the person unfolded
    quint64 m_shownGroup = 0; ///< the group that was unfolded for the current slot
    QPersistentModelIndex m_shownIndex;
    bool m_isActing = false; ///< a row was chosen here: the tree stays as it is
    bool m_isFollowing = false;
    bool m_isRestoring = false;
    Texts m_texts; ///< of all messages, folded to one case; made for the first filter
    std::shared_ptr<const core::Outline> m_textsOf;
    Job<Found> m_search;
};

} // namespace ui
