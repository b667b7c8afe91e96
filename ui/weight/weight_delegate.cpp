// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/weight/weight_delegate.h"

#include "ui/weight/weight_model.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kRow = 25;
constexpr int kPadding = 8;
constexpr int kSwatch = 9;
constexpr int kInset = 6; ///< of the first column, which aligns it with the panel's first words
constexpr int kBarHeight = 7;

} // namespace

void WeightDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    if (index.row() == m_hoveredRow && !isSelected) {
        // One outline around the whole row, each cell its part of it.
        const QRect rect = option.rect.adjusted(0, 0, 0, -1);
        painter->setPen(m_theme.hairline);
        painter->drawLine(rect.topLeft(), rect.topRight());
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    }
    const QRect place = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    switch (index.column()) {
    case WeightModel::Name:
        paintName(painter, place, index);
        break;
    case WeightModel::Bar:
        paintBar(painter, place, index);
        break;
    default: {
        const bool isFigure = WeightModel::isFigure(index.column());
        const bool isMain = index.column() == WeightModel::Weight;
        painter->setFont(isFigure ? Theme::figureFont(12) : Theme::textFont(12));
        const bool isLink = index.column() == WeightModel::LastUse && index.data().toString().startsWith(QChar(u'#'));
        painter->setPen(isMain ? m_theme.text : isLink ? m_theme.accent : m_theme.secondary);
        painter->drawText(place, static_cast<int>((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
        break;
    }
    }
    painter->restore();
}

QBrush WeightDelegate::fillOf(const QModelIndex &index) const
{
    const int material = index.data(WeightModel::MaterialRole).toInt();
    return material < 0 ? QBrush(m_theme.secondary, Qt::BDiagPattern)
                        : QBrush(m_theme.of(static_cast<core::Material>(material)));
}

void WeightDelegate::paintName(QPainter *painter, QRect place, const QModelIndex &index) const
{
    const QBrush fill = fillOf(index);
    if (index.data(WeightModel::HotRole).toBool())
        painter->fillRect(QRect(place.left() - kPadding, place.top() + 3, 3, place.height() - 6), m_theme.hot);
    const QRect swatch(place.left() + kInset, place.center().y() - kSwatch / 2, kSwatch, kSwatch);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(fill);
    painter->drawRoundedRect(swatch, 2, 2);
    place.setLeft(swatch.right() + 9);
    painter->setFont(Theme::textFont(13));
    painter->setPen(m_theme.text);
    const QString name = index.data().toString();
    // The end of a path matters more than its middle.
    const bool isPath = name.contains(u'/') && !name.contains(u' ');
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(name, isPath ? Qt::ElideMiddle : Qt::ElideRight, place.width()));
}

void WeightDelegate::paintBar(QPainter *painter, QRect place, const QModelIndex &index) const
{
    const QBrush fill = fillOf(index);
    const double length = index.data(WeightModel::FractionRole).toDouble() * place.width();
    // At least one pixel, so that it stays visible.
    const QRectF bar(place.left(), place.center().y() - kBarHeight / 2.0 + 0.5, std::max(1.0, length), kBarHeight);
    painter->setPen(Qt::NoPen);
    if (length < 4) {
        painter->fillRect(bar, fill);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill);
    painter->drawRoundedRect(bar, 1.5, 1.5);
}

QSize WeightDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 60, kRow }; }

} // namespace ui
