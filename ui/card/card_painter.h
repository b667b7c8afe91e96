// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card.h"
#include "ui/base/theme.h"

#include <QRectF>

class QPainter;

namespace ui {

/// Paints a card: screen, PNG, SVG and PDF are the same code. It has a size of its own, `kCardSize`; the painter is
/// scaled to another.
class CardPainter final {
public:
    CardPainter(const core::Card &card, const Theme &theme)
        : m_card(card)
        , m_theme(theme)
    {
    }

    void paint(QPainter &painter) const;

private:
    void paintHead(QPainter &painter) const;
    void paintFigures(QPainter &painter) const;
    void paintFigure(QPainter &painter, const QRectF &box, const core::CardFigure &figure) const;
    void paintCurves(QPainter &painter, const QRectF &box) const;
    void paintMarks(QPainter &painter, const QRectF &plot, size_t calls) const;
    void paintArrays(QPainter &painter, const QRectF &box) const;
    void paintArray(QPainter &painter, const QRectF &column, const core::CardArray &array, double most) const;
    void paintLegend(QPainter &painter, const QRectF &box) const;
    void paintReach(QPainter &painter, const QRectF &box) const;
    void paintKeep(QPainter &painter, const QRectF &plot, double most) const;
    void paintTable(QPainter &painter, const QRectF &box) const;
    void paintFoot(QPainter &painter) const;
    /// A heading over a box; returns what is left of it.
    [[nodiscard]] QRectF headed(QPainter &painter, const QRectF &box, const QString &heading) const;

    const core::Card &m_card;
    const Theme &m_theme;
};

inline constexpr QSizeF kCardSize { 1600, 1000 };

} // namespace ui
