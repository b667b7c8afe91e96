// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/message_state.h"
#include "ui/hub/traces.h"
#include "ui/look/theme.h"

#include <QAbstractTableModel>

namespace ui {

/// The messages that the user typed in a thread, in the order in which they were typed, and their life over the calls.
class TypedModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Message, Typed, Life, Now, End, LastSent, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole + 1,
        RowRole, ///< the row in this model, also behind a proxy
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// nullptr: no rows. The states of `Now` are those at `call`; index `callCount` is the end.
    void setContents(TraceGroundPtr ground, uint32_t call);
    void setCall(uint32_t call);
    void setTheme(const Theme &theme) { m_theme = theme; }

    [[nodiscard]] const TraceGroundPtr &ground() const { return m_ground; }
    [[nodiscard]] uint32_t call() const { return m_call; }
    [[nodiscard]] const core::Trace &message(int row) const { return m_ground->userMessages[static_cast<size_t>(row)]; }
    /// -1 if the block is not a message of the user.
    [[nodiscard]] int rowOf(core::BlockId block) const;
    [[nodiscard]] core::InContext inContext(uint32_t call) const;
    /// `at the end: 15 in context, word for word, 3 in part, 24 replaced by the summary`
    [[nodiscard]] QString endSentence() const;
    [[nodiscard]] static bool isFigure(int column) { return column == Typed || column == LastSent; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] static QString headerTip(int column);
    [[nodiscard]] uint32_t end() const { return m_ground->spans.callCount; }
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString callName(uint32_t call) const;
    /// The lane in words.
    [[nodiscard]] QString lifeWords(int row) const;
    [[nodiscard]] QString lastSentText(int row) const;
    [[nodiscard]] QString tip(int row, int column) const;
    [[nodiscard]] QVariant sortKey(int row, int column) const;
    [[nodiscard]] core::MessageState stateAt(int row, uint32_t call) const;
    [[nodiscard]] QColor colour(int row, int column) const;

    TraceGroundPtr m_ground;
    uint32_t m_call = 0;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
