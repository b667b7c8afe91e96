// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

#include <optional>

namespace ui {

class EditsModel;
struct EditRow;

/// Draws the list of edits: title and changed lines of a group; check mark, number, basis, lines and state of an edit.
/// All groups share their column positions. A click on the check mark toggles it; one on the bubble asks for the field
/// of the comment.
class EditsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }
    /// Fits the columns to their contents. O(edits).
    void measure(const EditsModel &model);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;
    /// Rectangle of the check mark in a row.
    [[nodiscard]] static QRect tickRect(const QRect &row);
    /// True if a click at `position` toggles the check mark.
    [[nodiscard]] static bool isOnTick(const QRect &row, QPoint position);
    /// A path for a column of this width: the name of the file whole if it fits, with as much of its folder as fits.
    [[nodiscard]] static QString fittingPath(const QFontMetrics &metrics, const QString &path, int width);
    /// Rectangle of the bubble in the row of an edit.
    [[nodiscard]] QRect bubbleRect(const QRect &row) const;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;

Q_SIGNALS:
    void commentRequested(size_t edit);

private:
    /// The edit whose bubble is at `position`.
    [[nodiscard]] std::optional<size_t> bubbleAt(
        const QModelIndex &index, const QStyleOptionViewItem &option, QPoint position) const;
    void paintGroup(QPainter &painter, const QRect &row, const QModelIndex &index) const;
    void paintEdit(QPainter &painter, const QRect &row, const EditRow &edit) const;
    /// The mark of a comment, or the place to write one.
    void paintBubble(QPainter &painter, const QRect &row, const EditRow &edit) const;
    void paintTick(QPainter &painter, const QRect &place, Qt::CheckState state) const;
    /// An arrow in the place of the tick: the edit goes back to the agent.
    void paintSentBack(QPainter &painter, const QRect &place) const;
    void paintFold(QPainter &painter, const QRect &row, bool isFolded) const;
    /// Paints the lines added and removed in their columns, at the right edge of every row; returns their left edge.
    int paintCounts(QPainter &painter, const QRect &place, const QString &added, const QString &removed) const;
    /// Paints the state at the right edge of `place` if it has room; returns the right edge of what is left.
    int paintState(QPainter &painter, const QRect &place, const EditRow &edit, bool isWide) const;
    void paintWords(QPainter &painter, QRect place, const EditRow &edit, int pathWidth) const;
    /// What is between the bubble and the counts, or the right edge if the row has no room for counts.
    [[nodiscard]] QRect middleOf(const QRect &row) const;
    /// Of the column of paths: one width in all rows.
    [[nodiscard]] int pathWidth(const QRect &middle) const;

    Theme m_theme = Theme::make(Appearance::Light);
    /// In pixels:
    int m_numberWidth = 0;
    int m_addedWidth = 0;
    int m_removedWidth = 0;
    int m_stateWidth = 0;
    int m_nameWidth = 0; ///< 0 if rows have no path
};

} // namespace ui
