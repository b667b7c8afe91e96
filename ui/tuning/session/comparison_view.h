// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/comparison.h"
#include "ui/hub/view_state.h"

#include <QAbstractTableModel>
#include <QPen>
#include <QTableView>

class QToolButton;

namespace ui {

/// A run in the comparison; its array at a call can be compared with that of another run.
struct ComparedArray {
    QString name;
    core::PolicyPtr policy; ///< nullptr: as recorded
};

/// A table with a row for the recorded run, the plan's and the compared ones. The best value of a column has a dot and
/// is bold.
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
    std::vector<ComparedArray> m_runs; ///< by row
    std::vector<QPen> m_pens;          ///< of the curves in the timeline, by row
};

/// The table below the map, if a policy is compared. Copy copies the whole table, separated by tabs. With two rows
/// selected, Enter or a button shows their difference.
class ComparisonView final : public QTableView {
    Q_OBJECT

public:
    explicit ComparisonView(ViewState &state, QWidget *parent = nullptr);

    /// As high as its rows.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 100, 0 }; }
    /// The button that shows the difference of the selected rows; the owner places it.
    [[nodiscard]] QToolButton *differenceButton() const { return m_difference; }
    /// Whether there are more runs than the recorded one and the plan's, which the read-out shows.
    [[nodiscard]] bool isCompared() const { return m_model.rowCount() > 2; }
    void copy() const;
    /// The two selected rows, upper row first; nullopt unless exactly two are selected.
    [[nodiscard]] std::optional<std::pair<ComparedArray, ComparedArray>> selectedRuns() const;

Q_SIGNALS:
    void differenceRequested(const ui::ComparedArray &before, const ui::ComparedArray &after);
    void runsChanged();

protected:
    bool event(QEvent *event) override;
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
    QToolButton *m_difference; ///< visible while two rows are selected
};

} // namespace ui
