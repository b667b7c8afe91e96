// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/search/search_delegate.h"

#include "ui/search/search_model.h"
#include "ui/widgets/painted_snippet.h"

#include <QPainter>

namespace ui {

namespace {

constexpr int kRow = 24;
constexpr double kDot = 8;

const SearchModel &modelOf(const QModelIndex &index) { return *qobject_cast<const SearchModel *>(index.model()); }

} // namespace

void SearchDelegate::paintText(QPainter &painter, const QRect &place, const QModelIndex &index) const
{
    paintSnippet(painter, place, modelOf(index).hit(index.row()).snippet, modelOf(index).marks(index.row()), m_theme);
}

void SearchDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const bool isFirst = index.column() == SearchModel::Block;
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    if (isFirst) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(modelOf(index).materialColour(index.row()));
        painter->drawRect(
            QRectF(option.rect.left() + kPageMargin, std::floor(option.rect.center().y() - kDot / 2) + 1, kDot, kDot));
    }
    const QRect place = option.rect.adjusted(isFirst ? kDotRoom : kPadding, 0, -kPadding, 0);
    painter->setFont(index.data(Qt::FontRole).value<QFont>());
    painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
    if (index.column() == SearchModel::Text)
        paintText(*painter, place, index);
    else
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
    painter->restore();
}

QSize SearchDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 60, kRow }; }

} // namespace ui
