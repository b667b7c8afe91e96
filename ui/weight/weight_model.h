// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/weight_groups.h"
#include "core/session/transcript.h"

#include <QAbstractTableModel>

#include <vector>

namespace ui {

/// The groups of one array as a table. Sorts in place; labels of single blocks are made when they are shown.
class WeightModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Detail, Bar, Weight, Share, Calls, Rent, Reason, ColumnCount };

    enum Role {
        FractionRole = Qt::UserRole + 1, ///< length of the bar, of the heaviest group's
        MaterialRole,                    ///< core::Material as int
        HotRole,
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setContents(
        const core::Transcript &array, core::WeightGroups groups, core::GroupBy by, const core::Weights &weights);

    [[nodiscard]] core::GroupBy groupBy() const { return m_by; }
    [[nodiscard]] double total() const { return m_groups.total; }
    [[nodiscard]] const core::WeightGroup &group(int row) const
    {
        return m_groups.groups[m_order[static_cast<size_t>(row)]];
    }
    [[nodiscard]] std::span<const core::BlockId> blocksOf(int row) const { return m_groups.blocksOf(group(row)); }
    /// Slots that hold any block of the row, ascending.
    [[nodiscard]] std::vector<core::SlotIndex> slotsOf(int row) const;
    /// The row whose group holds a block; -1 if none does.
    [[nodiscard]] int rowOf(core::BlockId block) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// With a column of -1: hot groups first, then by weight.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    [[nodiscard]] QString name(const core::WeightGroup &group) const;
    [[nodiscard]] QString detail(const core::WeightGroup &group) const;
    [[nodiscard]] QString reason(const core::WeightGroup &group) const;
    [[nodiscard]] QString display(const core::WeightGroup &group, int column) const;
    [[nodiscard]] QString accessibleText(const core::WeightGroup &group) const;
    void applySort();

    core::Transcript m_array;
    core::WeightGroups m_groups;
    core::GroupBy m_by = core::GroupBy::File;
    core::Weights m_weights;
    double m_heaviest = 0;
    std::vector<uint32_t> m_order;   ///< by row
    std::vector<uint32_t> m_rowOf;   ///< by group
    std::vector<uint32_t> m_groupOf; ///< by block of the pool
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace ui
