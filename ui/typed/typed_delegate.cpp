// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/typed/typed_delegate.h"

#include "ui/look/trace_look.h"
#include "ui/typed/typed_model.h"

#include <QPainter>

namespace ui {

namespace {

constexpr int kRow = 24;
constexpr double kBar = 11;

} // namespace

void TypedDelegate::paintLife(QPainter &painter, const QRect &cell, int row) const
{
    const TraceGround &ground = *m_model.ground();
    const double left = cell.left() + kPadding;
    const double right = cell.right() + 1 - kPadding;
    // The last place is the array at the end.
    const double place = (right - left) / (ground.spans.callCount + 1.0);
    const auto xAt = [&](uint32_t call) { return left + place * call; };
    const auto line = [&](uint32_t call, const QColor &colour) {
        painter.fillRect(QRectF(std::floor(xAt(call)), cell.top(), 1, cell.height()), colour);
    };
    for (const core::ContextRewrite &rewrite : ground.spans.rewrites)
        line(rewrite.firstCall, m_theme.hairline);
    const double top = cell.top() + std::floor((cell.height() - kBar) / 2);
    for (const LanePiece &piece : lanePieces(m_model.message(row), left, right, xAt))
        paintLanePiece(painter, piece, top, kBar, m_theme);
    painter.fillRect(QRectF(std::floor(xAt(m_model.call()) + place / 2), cell.top(), 1, cell.height()), m_theme.text);
}

void TypedDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    if (index.column() == TypedModel::Life) {
        paintLife(*painter, option.rect, index.data(TypedModel::RowRole).toInt());
    } else {
        const int first = index.column() == TypedModel::Message ? kPageMargin : kPadding;
        const QRect place = option.rect.adjusted(first, 0, -kPadding, 0);
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(place, index.data(Qt::TextAlignmentRole).toInt(),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
    }
    painter->restore();
}

QSize TypedDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 60, kRow }; }

} // namespace ui
