// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <QAbstractTableModel>

namespace ui {

/// The rewrites of a compaction as a table, in the order in which the stages made them.
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
    [[nodiscard]] QString stageOf(const core::Rewrite &rewrite) const;

    core::CompactionPtr m_compaction;
};

} // namespace ui
