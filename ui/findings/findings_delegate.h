// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

#include <optional>

namespace ui {

/// Draws the rows of the findings: a dot for the rank, links in the accent colour, figures at the right.
class FindingsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kPadding = 10; ///< pixels between the edge of a cell and its text
    static constexpr int kDotRoom = 26; ///< pixels before the text of the first column

    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }
    /// The link of a cell of `Where` at a place; nullopt beside the links.
    [[nodiscard]] static std::optional<size_t> linkAt(const QModelIndex &index, const QRect &cell, const QPoint &place);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintWhere(QPainter *painter, const QRect &place, const QModelIndex &index) const;

    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
