// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/search/search_delegate.h"

#include "ui/search/search_model.h"

#include <QPainter>

namespace ui {

namespace {

constexpr int kRow = 24;
constexpr double kDot = 8;
constexpr double kMark = 0.28; ///< opacity of the ground of a match

const SearchModel &modelOf(const QModelIndex &index) { return *qobject_cast<const SearchModel *>(index.model()); }

} // namespace

void SearchDelegate::paintText(QPainter &painter, const QRect &place, const QModelIndex &index) const
{
    const core::HitSnippet &snippet = modelOf(index).hit(index.row()).snippet;
    const QFontMetrics metrics = painter.fontMetrics();
    const QString before = ui::displayText(std::string_view(snippet.text).substr(0, snippet.match.begin));
    const QString match = ui::displayText(
        std::string_view(snippet.text).substr(snippet.match.begin, snippet.match.end - snippet.match.begin));
    QString text = ui::displayText(snippet.text);
    const int from = metrics.horizontalAdvance(before);
    int shift = 0; // of what is shown, to the left
    size_t first = 0;
    if (metrics.horizontalAdvance(before + match) > place.width()) { // the match is what matters
        const QString shown = metrics.elidedText(before, Qt::ElideLeft, qMax(0, place.width() / 3));
        text = shown + text.mid(before.size());
        shift = from - metrics.horizontalAdvance(shown);
        first = snippet.match.begin;
    }
    for (const core::TextPlace &mark : modelOf(index).marks(index.row())) {
        if (mark.begin < first)
            continue;
        const std::string_view all = snippet.text;
        const int left = metrics.horizontalAdvance(ui::displayText(all.substr(0, mark.begin)));
        const int right = metrics.horizontalAdvance(ui::displayText(all.substr(0, mark.end)));
        painter.fillRect(QRect(place.left() + left - shift, place.center().y() - metrics.height() / 2, right - left,
                             metrics.height()),
            faded(m_theme.accent, kMark));
    }
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, place.width()));
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
