// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_model.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace ui {

/// A row for each run of a folder, in the order of `FolderModel::worstRuns`.
class WorstRunsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { Title, Calls, Recorded, Simulated, Share, Date, File };
    static constexpr int kColumnCount = File + 1;

    explicit WorstRunsModel(FolderModel &model, QObject *parent = nullptr);

    /// The run of a row; nullptr for none. The last row can be the sum of all.
    [[nodiscard]] const core::RunSweep *run(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();
    [[nodiscard]] QString text(const core::RunSweep &run, Column column) const;
    [[nodiscard]] QString sumText(Column column) const;

    FolderModel &m_model;
    /// Keeps the shown sweep alive, so that rows stay valid.
    FolderMapPtr m_map;
    std::vector<size_t> m_runs;
    std::optional<size_t> m_cell; ///< of the marker
    core::SweepMetric m_metric = core::SweepMetric::Cost;
    std::optional<double> m_sum; ///< of all runs at the marker; none of rates and sizes
    double m_recordedSum = 0;
};

/// The list of runs. A click on the name, a double click, or Enter opens the session of a row.
class WorstRunsView final : public QTableView {
    Q_OBJECT

public:
    explicit WorstRunsView(FolderModel &model, QWidget *parent = nullptr);

Q_SIGNALS:
    void runRequested(const QString &file, uint thread);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void request(const QModelIndex &index);
    void applyTheme();

    FolderModel &m_model;
    WorstRunsModel m_rows;
};

} // namespace ui
