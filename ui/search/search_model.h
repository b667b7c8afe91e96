// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/session_search.h"
#include "ui/look/theme.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace ui {

/// The blocks that a search found, in the order of the session.
class SearchModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Block, Text, Calls, State, ColumnCount };

    SearchModel(const SessionSearch &search, const Workspace &workspace, QObject *parent);

    void setTheme(const Theme &theme) { m_theme = theme; }

    [[nodiscard]] const core::SearchHit &hit(int row) const { return m_search.hits()[static_cast<size_t>(row)]; }
    /// -1 if the search did not find the block.
    [[nodiscard]] int rowOf(core::BlockId block) const;
    /// The colour of the block's material.
    [[nodiscard]] QColor materialColour(int row) const;
    /// The width in pixels of the widest text of a column, without the rows far down.
    [[nodiscard]] int widthOf(Column column) const;
    /// How many typed messages the search found, and how many of them have no words in context at the end: the figures
    /// of the finding. nullopt until the messages are traced.
    struct TypedCount {
        size_t all = 0;
        size_t gone = 0;
    };
    [[nodiscard]] std::optional<TypedCount> typedCount() const;
    /// The places of all searched texts in the snippet of a hit.
    [[nodiscard]] std::vector<core::TextPlace> marks(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    /// Those of the line before stay while the line has a mistake.
    void readTexts();
    [[nodiscard]] const core::Block &block(int row) const;
    /// The trace of a typed message; nullptr if the block is none, or if it is not traced.
    [[nodiscard]] const core::Trace *traceOf(core::BlockId block) const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QColor colour(int row, int column) const;

    const SessionSearch &m_search;
    std::vector<core::Needle> m_texts; ///< that are marked
    const Workspace &m_workspace;
    Theme m_theme = Theme::make(Appearance::Light);
    int m_rows = 0; ///< that views have been told of
};

} // namespace ui
