// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QStyledItemDelegate>

class QPainter;

namespace core {
struct SessionEntry;
}

namespace ui {

class SessionsModel;

/// Draws the context of a session over its calls: the curve, its window (dotted) and its compactions (dashed).
void paintCurve(QPainter &painter, const QRectF &place, const core::SessionEntry &entry, const Theme &theme);

/// The share of the window from which on a peak is drawn as near it.
inline constexpr double kNearWindow = 0.85;

/// Draws the rows of the list of sessions.
class SessionsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kRow = 48;
    static constexpr int kPadding = 10;
    static constexpr int kDotRoom = 30; ///< pixels before the text of the first column

    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintSession(QPainter &painter, const QRect &cell, const SessionsModel &model, int row) const;
    void paintPeak(QPainter &painter, const QRect &cell, const QModelIndex &index) const;
    void paintCost(QPainter &painter, const QRect &cell, const QModelIndex &index) const;
    void paintChips(QPainter &painter, const QRect &cell, const core::SessionEntry &entry) const;

    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
