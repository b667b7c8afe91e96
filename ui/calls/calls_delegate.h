// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

namespace ui {

/// Draws the cells of the calls table: figures right-aligned in their own font, counterfactual rows hatched.
class CallsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// Pixels between the edge of a cell and its text.
    static constexpr int kPadding = 10;

    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
