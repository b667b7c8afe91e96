// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/loss_report.h"
#include "ui/look/theme.h"

#include <QAbstractItemModel>

namespace ui {

/// One list about what a compaction lost: its lines, and for a sum its parts as child rows.
class LossModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Figure, Text, Note, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setRows(std::vector<core::LossRow> rows);
    /// Shows notes behind the texts instead of in a column.
    void setJoinsNotes(bool joins) { m_joinsNotes = joins; }
    void setTheme(const Theme &theme) { m_theme = theme; }
    [[nodiscard]] const core::LossRow &row(const QModelIndex &index) const;
    /// The width in pixels of the widest text of a column, without the child rows.
    [[nodiscard]] int widthOf(Column column) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex & = {}) const override { return ColumnCount; }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const core::LossRow &row, int column) const;
    [[nodiscard]] QColor colour(const core::LossRow &row, int column) const;

    std::vector<core::LossRow> m_rows;
    bool m_joinsNotes = false;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
