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
    /// A dot for each run from the least to the most, median and nine tenths named, a line where the recording stands.
    void paintSpread(QPainter &painter, const QRectF &box, const core::CardSpread &spread) const;
    void paintDots(QPainter &painter, const QRectF &plot, const core::CardSpread &spread, double most) const;
    /// The session in the middle, and between which shares eight tenths of them lie.
    void paintFan(QPainter &painter, const QRectF &box) const;
    void paintVerdict(QPainter &painter, const QRectF &box) const;

    const core::SetCard &m_card;
    const Theme &m_theme;
};

} // namespace ui
