// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <QAbstractTableModel>

#include <vector>

namespace ui {

/// The rewrites of a compaction as a table, in the order in which the stages made them. Rewrites in a row with the same
/// stage, fate and reason are a run. While a run is folded, its first row stands for the whole run; the view hides the
/// others.
class RewritesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Place, Stage, Fate, What, Before, After, Why, Artifact, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCompaction(core::CompactionPtr compaction);
    [[nodiscard]] const core::CompactionPtr &compaction() const { return m_compaction; }
    [[nodiscard]] const core::Rewrite &rewrite(int row) const
    {
        return m_compaction->rewrites[static_cast<size_t>(row)];
    }
    /// Rows of a run, and whether they are folded. Rows without a run have a count of 1.
    struct Run {
        int first = 0;
        int count = 1;
        bool isFolded = false;
    };
    static constexpr int kLeastRun = 4; ///< fewer rows stand alone
    [[nodiscard]] const std::vector<Run> &runs() const { return m_runs; }
    [[nodiscard]] const Run &runOf(int row) const { return m_runs[m_runOfRow[static_cast<size_t>(row)]]; }
    void setFolded(int row, bool isFolded);

    /// The first row that rewrites a block; -1 if none does.
    [[nodiscard]] int rowOf(core::BlockId block) const;
    /// The row that made a block of the `after` array; -1 if none did.
    [[nodiscard]] int rowOfMade(core::BlockId made) const;

    /// True if a policy's stages made the rewrites; false for recorded and observed compactions.
    [[nodiscard]] bool tellsStages() const { return !m_compaction || m_compaction->policy; }
    /// The distinct texts of the stage or fate column.
    [[nodiscard]] QStringList wordsOf(int column) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString display(const core::Rewrite &rewrite, int column) const;
    /// Of the first row of a run.
    [[nodiscard]] QString displayOfRun(const Run &run, int column) const;
    [[nodiscard]] QString textOf(int row, int column) const;
    [[nodiscard]] QString stageOf(const core::Rewrite &rewrite) const;
    void findRuns();

    core::CompactionPtr m_compaction;
    std::vector<Run> m_runs;
    std::vector<size_t> m_runOfRow; ///< index into m_runs
};

} // namespace ui
