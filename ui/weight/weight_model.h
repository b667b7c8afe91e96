// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/weight/weight_groups.h"
#include "ui/weight/use_words.h"

#include <QAbstractTableModel>

#include <vector>

namespace ui {

/// The groups of one array as a table. Sorts in place; labels of single blocks are made when they are shown.
class WeightModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Detail, Bar, Weight, Share, Calls, Rent, IdleRent, LastUse, Reason, ColumnCount };

    enum Role {
        FractionRole = Qt::UserRole + 1, ///< length of the bar, of the heaviest group's
        MaterialRole,                    ///< core::Material as int
        HotRole,
    };

    /// What later uses tell of the array; nothing in it until they are known.
    struct Idle {
        core::IdleRents rents;
        UseIndex index;

        [[nodiscard]] bool isKnown() const { return index.uses() != nullptr; }
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setContents(const core::Transcript &array, core::WeightGroups groups, core::GroupBy by,
        const core::Weights &weights, Idle idle = {});

    [[nodiscard]] bool knowsIdleRent() const { return m_idle.isKnown(); }
    /// Rows that are hot, or hold the idle rent that is listed.
    [[nodiscard]] size_t hotCount() const;
    /// Rows with idle rent beyond those.
    [[nodiscard]] size_t moreCount() const;
    /// Tokens × calls; 0 where none is known.
    [[nodiscard]] double idleRent(int row) const;
    /// Of a row the last use of all of it; of a row that was never used it is invalid.
    [[nodiscard]] core::LastUse lastUse(int row) const;
    [[nodiscard]] static bool isFigure(int column) { return column >= Weight && column <= LastUse; }

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
    /// With a column of -1: hot groups first, by idle rent where it is known, then by weight.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    [[nodiscard]] QString name(const core::WeightGroup &group) const;
    [[nodiscard]] QString detail(const core::WeightGroup &group) const;
    /// The idle rent of a group; nullptr where it has none, or it is not known.
    [[nodiscard]] const core::IdleGroup *idleOf(const core::WeightGroup &group) const;
    [[nodiscard]] bool isHot(const core::WeightGroup &group) const;
    [[nodiscard]] QString lastUseText(const core::WeightGroup &group) const;
    [[nodiscard]] QString reason(const core::WeightGroup &group) const;
    [[nodiscard]] QString display(const core::WeightGroup &group, int column) const;
    [[nodiscard]] QString accessibleText(const core::WeightGroup &group) const;
    void applySort();

    core::Transcript m_array;
    core::WeightGroups m_groups;
    core::GroupBy m_by = core::GroupBy::File;
    core::Weights m_weights;
    Idle m_idle;
    std::vector<uint32_t> m_idleOf; ///< by group: into the idle groups
    double m_heaviest = 0;
    std::vector<uint32_t> m_order;   ///< by row
    std::vector<uint32_t> m_rowOf;   ///< by group
    std::vector<uint32_t> m_groupOf; ///< by block of the pool
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace ui
