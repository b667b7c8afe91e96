// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/weight/weight_groups.h"
#include "ui/weight/use_words.h"

#include <QAbstractTableModel>

#include <vector>

namespace ui {

/// The groups of one array as a table. Sorts in place; labels of single blocks are computed when shown.
class WeightModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Detail, Bar, Weight, Share, Calls, Resent, ResentUnused, LastUse, Reason, ColumnCount };

    enum Role {
        FractionRole = Qt::UserRole + 1, ///< length of the bar relative to the heaviest group
        MaterialRole,                    ///< core::Material as int; -1: not a part of the slots
        HotRole,
    };

    /// The groups resent unused; empty until uses are known.
    struct Unused {
        core::ResentUnused resent;
        UseIndex index;

        [[nodiscard]] bool isKnown() const { return index.uses() != nullptr; }
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setContents(const core::Transcript &array, core::WeightGroups groups, core::GroupBy by,
        const core::Weights &weights, Unused unused = {});

    [[nodiscard]] bool knowsResentUnused() const { return m_unused.isKnown(); }
    /// Rows with hot blocks.
    [[nodiscard]] size_t hotCount() const;
    /// Other rows with tokens resent unused.
    [[nodiscard]] size_t moreCount() const;
    /// Tokens × calls; 0 if unknown.
    [[nodiscard]] double resentUnused(int row) const;
    /// The last use of any block of the row; invalid if it was never used.
    [[nodiscard]] core::LastUse lastUse(int row) const;
    [[nodiscard]] static bool isFigure(int column) { return column >= Weight && column <= LastUse; }

    [[nodiscard]] core::GroupBy groupBy() const { return m_by; }
    [[nodiscard]] double total() const { return m_groups.total; }
    [[nodiscard]] const core::WeightGroup &group(int row) const
    {
        return m_groups.groups[m_order[static_cast<size_t>(row)]];
    }
    [[nodiscard]] std::span<const core::BlockId> blocksOf(int row) const { return m_groups.blocksOf(group(row)); }
    /// Slots with blocks of the row, ascending.
    [[nodiscard]] std::vector<core::SlotIndex> slotsOf(int row) const;
    /// The row of the group that contains a block; -1 if there is none.
    [[nodiscard]] int rowOf(core::BlockId block) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// Column -1 restores the default order: hot groups first, by tokens resent unused if known, then by weight.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    [[nodiscard]] QString name(const core::WeightGroup &group) const;
    [[nodiscard]] QString detail(const core::WeightGroup &group) const;
    /// The group's tokens resent unused; nullptr if there are none, or until uses are known.
    [[nodiscard]] const core::UnusedGroup *unusedOf(const core::WeightGroup &group) const;
    [[nodiscard]] QString lastUseText(const core::WeightGroup &group) const;
    [[nodiscard]] QString reason(const core::WeightGroup &group) const;
    [[nodiscard]] QString display(const core::WeightGroup &group, int column) const;
    [[nodiscard]] QString accessibleText(const core::WeightGroup &group) const;
    void applySort();

    core::Transcript m_array;
    core::WeightGroups m_groups;
    core::GroupBy m_by = core::GroupBy::File;
    core::Weights m_weights;
    Unused m_unused;
    std::vector<uint32_t> m_unusedOf; ///< by group: index of the group resent unused
    double m_heaviest = 0;
    std::vector<uint32_t> m_order;   ///< by row
    std::vector<uint32_t> m_rowOf;   ///< by group
    std::vector<uint32_t> m_groupOf; ///< by block of the pool
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace ui
