// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

namespace ui {

class TypedModel;

/// Draws the rows of the typed messages; the life of a message is a bar over the calls.
class TypedDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kPadding = 10; ///< pixels between the edge of a cell and its text

    TypedDelegate(const TypedModel &model, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }

    void setTheme(const Theme &theme) { m_theme = theme; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintLife(QPainter &painter, const QRect &cell, int row) const;

    const TypedModel &m_model;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
