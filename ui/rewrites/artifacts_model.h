// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace ui {

/// The artifacts that the policy's harness would have kept. A text is made when its row is first shown.
class ArtifactsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Size, Blocks, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCompaction(core::CompactionPtr compaction);
    [[nodiscard]] const std::string &textOf(int row) const;
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
    core::CompactionPtr m_compaction;
    mutable std::vector<std::optional<std::string>> m_texts;
};

} // namespace ui
