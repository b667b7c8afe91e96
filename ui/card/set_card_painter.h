// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/set_card.h"
#include "ui/card/card_page.h"
#include "ui/look/theme.h"

namespace ui {

/// Paints the card of many sessions.
class SetCardPainter final : public CardContent {
public:
    SetCardPainter(const core::SetCard &card, const Theme &theme)
        : m_card(card)
        , m_theme(theme)
    {
    }

    void paint(QPainter &painter) const override;

private:
    /// Paints a dot for each run from minimum to maximum, labels at the median and the 90th percentile, and a line for
    /// the recorded value.
    void paintSpread(QPainter &painter, const QRectF &box, const core::CardSpread &spread) const;
    void paintDots(QPainter &painter, const QRectF &plot, const core::CardSpread &spread, double most) const;
    /// Paints the median session and the band between the first and last decile.
    void paintFan(QPainter &painter, const QRectF &box) const;
    void paintVerdict(QPainter &painter, const QRectF &box) const;

    const core::SetCard &m_card;
    const Theme &m_theme;
};

} // namespace ui
