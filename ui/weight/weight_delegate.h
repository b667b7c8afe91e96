// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

namespace ui {

/// Draws the cells of the weight table: swatch and name, bars true to scale, figures in their own font.
class WeightDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }
    /// The row of the block hovered in any view; -1 for none.
    void setHoveredRow(int row) { m_hoveredRow = row; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    /// The colour of the material; hatched if the row is not a part of the slots.
    [[nodiscard]] QBrush fillOf(const QModelIndex &index) const;
    void paintName(QPainter *painter, QRect place, const QModelIndex &index) const;
    void paintBar(QPainter *painter, QRect place, const QModelIndex &index) const;

    Theme m_theme = Theme::make(Appearance::Light);
    int m_hoveredRow = -1;
};

} // namespace ui
