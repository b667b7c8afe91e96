// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

namespace ui {

class EditsModel;
struct EditRow;

/// Draws the list of edits: title and changed lines of a group; check mark, number, basis, lines and state of an edit.
/// All groups share their column positions. A click on the check mark toggles it.
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

private:
    void paintGroup(QPainter &painter, const QRect &row, const QModelIndex &index) const;
    void paintEdit(QPainter &painter, const QRect &row, const EditRow &edit) const;
    /// The mark of a comment; returns the left of what follows.
    int paintBubble(QPainter &painter, const QRect &place) const;
    void paintTick(QPainter &painter, const QRect &place, Qt::CheckState state) const;
    void paintFold(QPainter &painter, const QRect &row, bool isFolded) const;
    /// Paints the lines added and removed in their columns; returns their left edge.
    int paintCounts(QPainter &painter, const QRect &place, const QString &added, const QString &removed) const;
    void paintWords(QPainter &painter, QRect place, const EditRow &edit) const;

    Theme m_theme = Theme::make(Appearance::Light);
    /// In pixels:
    int m_numberWidth = 0;
    int m_addedWidth = 0;
    int m_removedWidth = 0;
    int m_stateWidth = 0;
};

} // namespace ui
