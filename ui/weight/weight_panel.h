// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/weight/weight_groups.h"
#include "ui/hub/job.h"
#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"
#include "ui/weight/weight_model.h"

class QLabel;
class QTreeView;

namespace ui {

class WeightDelegate;
class WordTabs;

/// The bottom panel with the weight of the chosen call's array by block, file, tool or kind, hot zones first. Clicking
/// a row selects its slots in all views.
class WeightPanel final : public Panel {
    Q_OBJECT

public:
    explicit WeightPanel(ViewState &state, QWidget *parent = nullptr);
    ~WeightPanel() override;

    [[nodiscard]] core::GroupBy groupBy() const { return m_by; }
    void setGroupBy(core::GroupBy by);

    /// The context menus: for a row of one block, for a row of several, and for both.
    void setContextActions(QList<QAction *> onBlock, QList<QAction *> onSlots, QList<QAction *> onEither);

    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void comeIntoSight() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// The inputs of a table.
    struct Contents {
        core::WeightGroups groups;
        WeightModel::Unused unused;
    };
    void refresh();
    void takeUses();
    void fill(Contents contents, const core::Transcript &array, const core::Weights &weights, core::GroupBy by);
    [[nodiscard]] QString summaryWords(const core::Transcript &array, const core::Weights &weights) const;
    /// Goes to the last use of a row.
    void goToUse(int row);
    void applyTheme();
    void sizeColumns();
    /// The first choice is that of the program, which opens the session; later ones are the user's.
    void takeChoice();
    void follow();
    void showHovered();
    void act(const QModelIndex &index);

    ViewState &m_state;
    core::GroupBy m_by = core::GroupBy::File;
    WeightModel *m_model;
    WeightDelegate *m_delegate;
    QLabel *m_summary;
    QLabel *m_byLabel;
    WordTabs *m_chooser;
    QTreeView *m_table;
    QList<QAction *> m_onBlock;
    QList<QAction *> m_onSlots;
    QList<QAction *> m_onEither;
    core::SessionPtr m_filled; ///< of the shown rows
    UseIndex m_uses;           ///< for the shown thread
    Job<Contents> m_job;
    core::BlockId m_opening;      ///< what the program chose; the table does not scroll to it
    bool m_awaitsOpening = false; ///< the next choice is the program's
    bool m_isFollowing = false;
    bool m_isActing = false;
    bool m_wasShown = false;
};

} // namespace ui
