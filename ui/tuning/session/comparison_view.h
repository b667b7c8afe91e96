// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/comparison.h"
#include "ui/hub/view_state.h"

#include <QAbstractTableModel>
#include <QTableView>

class QToolButton;

namespace ui {

/// A run of the comparison: what it makes of the array at a call can be shown beside what another makes of it.
struct ComparedArray {
    QString name;
    core::PolicyPtr policy; ///< nullptr: as recorded
};

/// Runs in a table: the recorded one, the plan's and those that are compared with it, a row each. The best of a column
/// has a dot before it, and is strong.
class ComparisonModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit ComparisonModel(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] const core::ComparisonTable &table() const { return m_table; }
    /// The run of a row.
    [[nodiscard]] const ComparedArray &run(int row) const { return m_runs[static_cast<size_t>(row)]; }
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();

    ViewState &m_state;
    core::ComparisonTable m_table;
    std::vector<ComparedArray> m_runs; ///< as its rows
};

/// The table below the map, if there is a policy to compare with. Copy copies all of it, with tabs. With two selected
/// rows, Enter or a button asks for their difference.
class ComparisonView final : public QTableView {
    Q_OBJECT

public:
    explicit ComparisonView(ViewState &state, QWidget *parent = nullptr);

    /// As high as its rows.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 100, 0 }; }
    /// A button that asks for the difference of the selected rows; the owner places it.
    [[nodiscard]] QToolButton *differenceButton() const { return m_difference; }
    /// There are more runs than the recorded one and the plan's, which the read-out shows.
    [[nodiscard]] bool isCompared() const { return m_model.rowCount() > 2; }
    void copy() const;
    /// The two selected rows, from the upper to the lower; nothing unless there are two.
    [[nodiscard]] std::optional<std::pair<ComparedArray, ComparedArray>> selectedRuns() const;

Q_SIGNALS:
    void differenceRequested(const ui::ComparedArray &before, const ui::ComparedArray &after);
    void runsChanged();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void showDifference();
    void offerDifference();
    void refresh();
    void applyTheme();

    ViewState &m_state;
    ComparisonModel m_model;
    QToolButton *m_difference; ///< seen once two rows are selected
};

} // namespace ui
