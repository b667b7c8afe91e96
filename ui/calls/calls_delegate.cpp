// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/calls/calls_delegate.h"

#include "ui/calls/calls_model.h"

#include <QPainter>

namespace ui {

namespace {

constexpr int kRow = 22;
constexpr float kHatchShare = 0.22F;

} // namespace

void CallsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    if (index.column() == CallsModel::Simulated && index.data(CallsModel::CounterfactualRole).toBool()) {
        QColor hatch = m_theme.accent;
        hatch.setAlphaF(kHatchShare);
        painter->fillRect(option.rect.adjusted(2, 0, 0, 0), QBrush(hatch, Qt::BDiagPattern));
    }
    const QRect place = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    painter->setFont(index.data(Qt::FontRole).value<QFont>());
    painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
    painter->drawText(place, index.data(Qt::TextAlignmentRole).toInt(),
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
    painter->restore();
}

QSize CallsDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 60, kRow }; }

} // namespace ui
