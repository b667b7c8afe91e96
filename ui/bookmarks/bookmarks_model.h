// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace ui {

/// The bookmarks of the session as a table, in the order of its messages.
class BookmarksModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Place, What, Note, ColumnCount };

    explicit BookmarksModel(ViewState &state, QObject *parent = nullptr);

    /// Reads the bookmarks again.
    void refresh();
    [[nodiscard]] core::BlockId block(int row) const { return m_places[static_cast<size_t>(row)]; }
    /// The row of a block's message; -1 if it has no bookmark.
    [[nodiscard]] int rowOf(core::BlockId block) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(core::BlockId block, int column) const;

    ViewState &m_state;
    std::vector<core::BlockId> m_places;
};

} // namespace ui
