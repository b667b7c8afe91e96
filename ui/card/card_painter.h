// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card.h"
#include "ui/card/card_page.h"
#include "ui/look/theme.h"

namespace ui {

/// Paints the card of one session.
class CardPainter final : public CardContent {
public:
    CardPainter(const core::Card &card, const Theme &theme)
        : m_card(card)
        , m_theme(theme)
    {
    }

    void paint(QPainter &painter) const override;

private:
    void paintCurves(QPainter &painter, const QRectF &box) const;
    void paintMarks(QPainter &painter, const QRectF &plot, size_t calls) const;
    void paintArrays(QPainter &painter, const QRectF &box) const;
    void paintArray(QPainter &painter, const QRectF &column, const core::CardArray &array, double most) const;
    void paintLegend(QPainter &painter, const QRectF &box) const;
    /// Paints two lanes for each text, as recorded and under the policy: verbatim solid, partial half-tone, gone
    /// hollow, unknown hatched.
    void paintLanes(QPainter &painter, const QRectF &box) const;
    void paintLife(QPainter &painter, const QRectF &bar, const core::CardLife &life, const QColor &colour) const;
    void paintReach(QPainter &painter, const QRectF &box) const;
    void paintKeep(QPainter &painter, const QRectF &plot, double x) const;
    void paintTable(QPainter &painter, const QRectF &box) const;

    const core::Card &m_card;
    const Theme &m_theme;
};

} // namespace ui
