// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/findings/findings_delegate.h"

#include "ui/findings/findings_model.h"

#include <QPainter>

namespace ui {

namespace {

constexpr int kRow = 30;
constexpr int kDot = 9;

const FindingsModel &modelOf(const QModelIndex &index) { return *qobject_cast<const FindingsModel *>(index.model()); }

QRect textPlace(const QRect &cell, int column)
{
    const int left = column == FindingsModel::What ? FindingsDelegate::kDotRoom : FindingsDelegate::kPadding;
    return cell.adjusted(left, 0, -FindingsDelegate::kPadding, 0);
}

} // namespace

std::optional<size_t> FindingsDelegate::linkAt(const QModelIndex &index, const QRect &cell, const QPoint &place)
{
    const QRect text = textPlace(cell, FindingsModel::Where);
    if (index.column() != FindingsModel::Where || !text.contains(place))
        return std::nullopt;
    const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
    int x = text.left();
    for (const core::WhereSegment &segment : modelOf(index).segments(index.row())) {
        const int width = metrics.horizontalAdvance(ui::displayText(segment.text));
        if (segment.link && x <= place.x() && place.x() < x + width)
            return segment.link;
        x += width;
    }
    return std::nullopt;
}

void FindingsDelegate::paintWhere(QPainter *painter, const QRect &place, const QModelIndex &index) const
{
    int x = place.left();
    for (const core::WhereSegment &segment : modelOf(index).segments(index.row())) {
        const int left = place.right() + 1 - x;
        if (left <= 0)
            return;
        painter->setPen(segment.link ? m_theme.accent : m_theme.secondary);
        const QString text = ui::displayText(segment.text);
        painter->drawText(QRect(x, place.top(), left, place.height()), Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(text, Qt::ElideRight, left));
        x += painter->fontMetrics().horizontalAdvance(text);
    }
}

void FindingsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    painter->fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1, m_theme.hairline);
    if (index.column() == FindingsModel::What) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(modelOf(index).rankColour(index.row()));
        painter->drawEllipse(
            QRectF(option.rect.left() + kPadding, option.rect.center().y() - kDot / 2.0 + 0.5, kDot, kDot));
    }
    const QRect place = textPlace(option.rect, index.column());
    painter->setFont(index.data(Qt::FontRole).value<QFont>());
    if (index.column() == FindingsModel::Where) {
        paintWhere(painter, place, index);
    } else {
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(place, index.data(Qt::TextAlignmentRole).toInt(),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
    }
    painter->restore();
}

QSize FindingsDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 60, kRow }; }

} // namespace ui
