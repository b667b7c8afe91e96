// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "ui/rewrites/rewrite_texts.h"

#include <QAbstractTableModel>

#include <vector>

namespace ui {

/// The artifacts that the policy's harness would have kept. Size and difference are known after `setFacts`.
class ArtifactsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Size, Blocks, Difference, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCompaction(core::CompactionPtr compaction);
    void setFacts(std::vector<ArtifactFacts> facts);
    [[nodiscard]] const core::Artifact &artifact(int row) const
    {
        return m_compaction->artifacts[static_cast<size_t>(row)];
    }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] static bool isWordColumn(int column) { return column == Name || column == Difference; }

    core::CompactionPtr m_compaction;
    std::vector<ArtifactFacts> m_facts;
};

} // namespace ui
