// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/outline/outline_delegate.h"

#include "ui/look/bookmark_mark.h"
#include "ui/look/shaped_words.h"
#include "ui/outline/outline_model.h"
#include "ui/outline/threads_model.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kRow = 24;
constexpr int kThreadRow = 60;
constexpr int kThreadIndent = 14;
constexpr int kMostIndents = 5; ///< deeper threads stand no further right
constexpr int kRight = 12;
constexpr int kSwatch = 8;
constexpr int kBookmark = 8;
constexpr int kIndent = 12; ///< of the delegate's own, below the tree's

using Kind = OutlineModel::Kind;

} // namespace

void OutlineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto kind = static_cast<Kind>(index.data(OutlineModel::KindRole).toInt());
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const bool isInArray = index.data(OutlineModel::InArrayRole).toBool();
    const bool isTop = kind == Kind::Turn || kind == Kind::Compaction || kind == Kind::Opening;
    painter->save();
    painter->setClipRect(option.rect);
    QRect row = option.rect;
    row.setLeft(0);
    painter->fillRect(row, isSelected ? m_theme.accentGround : m_theme.base);
    if (index == m_hovered && !isSelected) {
        painter->setPen(m_theme.hairline);
        painter->drawRect(row.adjusted(4, 0, -5, -1));
    }
    if (index.data(OutlineModel::HereRole).toBool())
        painter->fillRect(QRect(0, row.top() + 3, 3, row.height() - 6), m_theme.accent);

    QRect place = option.rect.adjusted(0, 0, -kRight, 0);
    const QString figure = index.data(OutlineModel::FigureRole).toString();
    painter->setFont(Theme::figureFont(12));
    painter->setPen(kind == Kind::Compaction ? m_theme.secondary
            : isTop && isInArray             ? m_theme.text
                                             : m_theme.secondary);
    const int figureWidth = figure.isEmpty() ? 0 : static_cast<int>(wordsWidth(*painter, figure)) + 10;
    drawWords(*painter, place, Qt::AlignRight | Qt::AlignVCenter, figure);
    place.setRight(place.right() - figureWidth);
    if (index.data(OutlineModel::BookmarkRole).toBool()) {
        paintBookmark(*painter, m_theme, QRectF(place.right() - kBookmark, row.top() + 4, kBookmark, kRow - 11));
        place.setRight(place.right() - kBookmark - 6);
    }

    if (kind == Kind::Slot || kind == Kind::Typed) {
        const QRect swatch(place.left(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
        const auto material = static_cast<core::Material>(index.data(OutlineModel::MaterialRole).toInt());
        QColor fill = m_theme.of(material);
        if (!isInArray)
            fill.setAlpha(90);
        painter->fillRect(swatch, fill);
        if (index.data(OutlineModel::HotRole).toBool())
            painter->fillRect(QRect(swatch.left() - 4, row.top() + 4, 2, row.height() - 8), m_theme.hot);
        place.setLeft(place.left() + kSwatch + 6);
    }
    painter->setFont(
        isTop && !index.data(OutlineModel::KindRole).isNull() ? Theme::strongFont(13) : Theme::textFont(13));
    painter->setPen(kind == Kind::Compaction ? m_theme.accent : isInArray ? m_theme.text : m_theme.secondary);
    const QString words = elidedWords(*painter, index.data(Qt::DisplayRole).toString(), place.width());
    drawWords(*painter, place, Qt::AlignLeft | Qt::AlignVCenter, words);
    painter->restore();
}

QSize OutlineDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { kIndent, kRow }; }

void ThreadsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    painter->setClipRect(option.rect);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    const int depth = std::min(index.data(ThreadsModel::DepthRole).toInt(), kMostIndents);
    const QRect place = option.rect.adjusted(kIndent + 2 + depth * kThreadIndent, 4, -kRight, -4);
    const auto lineAt = [&](int number) {
        return QRect(place.left(), place.top() + number * place.height() / 3, place.width(), place.height() / 3);
    };
    const auto line = [&](const QRect &rect, const QFont &font, const QColor &colour, const QString &words) {
        painter->setFont(font);
        painter->setPen(colour);
        drawWords(*painter, rect, Qt::AlignLeft | Qt::AlignVCenter, elidedWords(*painter, words, rect.width()));
    };
    line(lineAt(0), isSelected ? Theme::strongFont(13) : Theme::textFont(13), m_theme.text,
        index.data(Qt::DisplayRole).toString());
    line(lineAt(1), Theme::textFont(11), m_theme.secondary, index.data(ThreadsModel::DetailRole).toString());
    line(lineAt(2), Theme::textFont(11), m_theme.secondary, index.data(ThreadsModel::FiguresRole).toString());
    painter->restore();
}

QSize ThreadsDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 100, kThreadRow }; }

} // namespace ui
