// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

namespace ui {

/// Draws the rows of a search: a dot in the colour of the block, the text with its match marked.
class SearchDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kPadding = 10; ///< pixels between the edge of a cell and its text
    static constexpr int kDotRoom = 30; ///< pixels before the text of the first column

    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintText(QPainter &painter, const QRect &place, const QModelIndex &index) const;

    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
