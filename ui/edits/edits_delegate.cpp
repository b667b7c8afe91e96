// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edits_delegate.h"

#include "ui/edits/edits_model.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRow = 25;
constexpr int kLeft = 14;
constexpr int kRight = 14;
constexpr int kTick = 12;
constexpr int kTickLeft = kLeft + 14; ///< behind the triangle of a title
constexpr int kNumberLeft = kTickLeft + kTick + 11;
constexpr int kGap = 12;
constexpr int kBubble = 12;
constexpr int kCountGap = 8;   ///< between lines added and removed
constexpr int kWide = 400;     ///< a narrower list shows a basis without its distance, and no word for what landed
constexpr int kWordsNeed = 46; ///< beside an edit's own counts

int widthOf(const QFont &font, const QString &words) { return QFontMetrics(font).horizontalAdvance(words); }

} // namespace

void EditsDelegate::measure(const EditsModel &model)
{
    uint64_t added = 0;
    uint64_t removed = 0;
    bool areExact = true;
    for (int i = 0; i < model.rowCount(); ++i) {
        const EditGroup &group = model.groupOf(model.index(i, 0));
        added = std::max(added, group.added);
        removed = std::max(removed, group.removed);
        areExact = areExact && group.isCountKnown;
    }
    m_addedWidth = widthOf(Theme::figureFont(11), countWords(u'+', added, areExact));
    m_removedWidth = widthOf(Theme::figureFont(11), countWords(u'\u2212', removed, areExact));
    m_numberWidth = widthOf(Theme::figureFont(12), model.widestNumber());
    m_stateWidth = 0;
    for (const EditFate fate : model.fates())
        m_stateWidth = std::max(m_stateWidth, widthOf(Theme::textFont(12), wordOf(fate)));
}

QRect EditsDelegate::tickRect(const QRect &row)
{
    return { row.left() + kTickLeft, row.top() + (kRow - kTick) / 2, kTick, kTick };
}

bool EditsDelegate::isOnTick(const QRect &row, QPoint position)
{
    constexpr int kReach = 5;
    return tickRect(row).adjusted(-kReach, -kReach, kReach, kReach).contains(position);
}

QRect EditsDelegate::bubbleRect(const QRect &row) const
{
    return { row.left() + kNumberLeft + m_numberWidth + kGap, row.top(), kBubble, kRow };
}

std::optional<size_t> EditsDelegate::bubbleAt(
    const QModelIndex &index, const QStyleOptionViewItem &option, QPoint position) const
{
    const auto *model = static_cast<const EditsModel *>(index.model());
    const auto edit = model->editOf(index);
    const bool isOn = bubbleRect(option.rect).adjusted(-kGap / 2, 0, kGap / 2, 0).contains(position);
    return isOn && edit && !model->rowOf(*edit).isOutside ? edit : std::nullopt;
}

bool EditsDelegate::helpEvent(
    QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (!index.isValid() || !bubbleAt(index, option, event->pos()))
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(), tr("Comment on this edit (C)"), view->viewport());
    return true;
}

QSize EditsDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 100, kRow }; }

void EditsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *model = static_cast<const EditsModel *>(index.model());
    const auto edit = model->editOf(index);
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, option.state.testFlag(QStyle::State_Selected) ? m_theme.accentGround : m_theme.base);
    if (edit)
        paintEdit(*painter, option.rect, model->rowOf(*edit));
    else
        paintGroup(*painter, option.rect, index);
    painter->restore();
}

void EditsDelegate::paintGroup(QPainter &painter, const QRect &row, const QModelIndex &index) const
{
    const auto *model = static_cast<const EditsModel *>(index.model());
    const EditGroup &group = model->groupOf(index);
    paintFold(painter, row, model->isFolded(index));
    if (const QVariant tick = index.data(Qt::CheckStateRole); tick.isValid())
        paintTick(painter, tickRect(row), static_cast<Qt::CheckState>(tick.toInt()));
    QRect place = row.adjusted(kNumberLeft, 0, -kRight, 0);
    place.setRight(paintCounts(painter, place, countWords(u'+', group.added, group.isCountKnown),
                       countWords(u'\u2212', group.removed, group.isCountKnown))
        - kGap);
    const bool isFile = model->grouping() == EditGrouping::File;
    const qsizetype slash = isFile ? group.title.lastIndexOf(u'/') + 1 : 0;
    painter.setFont(Theme::strongFont(13));
    painter.setPen(group.isAlarm ? m_theme.hot : m_theme.text);
    const auto draw = [&](const QString &words, Qt::TextElideMode mode) {
        const QString fitting = painter.fontMetrics().elidedText(words, mode, place.width());
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, fitting);
        place.setLeft(place.left() + widthOf(painter.font(), fitting) + kCountGap);
    };
    draw(group.title.mid(slash), isFile ? Qt::ElideLeft : Qt::ElideRight);
    if (slash == 0 || place.width() < kWordsNeed)
        return;
    painter.setFont(Theme::textFont(12));
    painter.setPen(m_theme.secondary);
    draw(group.title.first(slash - 1), Qt::ElideLeft);
}

int EditsDelegate::paintCounts(
    QPainter &painter, const QRect &place, const QString &added, const QString &removed) const
{
    const QFont font = Theme::figureFont(11);
    painter.setFont(font);
    painter.setPen(m_theme.secondary);
    const int right = place.right() - std::max(m_removedWidth, widthOf(font, removed));
    const int left = right - kCountGap - std::max(m_addedWidth, widthOf(font, added));
    painter.drawText(
        QRect(right, place.top(), place.right() - right, place.height()), Qt::AlignRight | Qt::AlignVCenter, removed);
    painter.drawText(
        QRect(left, place.top(), right - kCountGap - left, place.height()), Qt::AlignRight | Qt::AlignVCenter, added);
    return left;
}

void EditsDelegate::paintEdit(QPainter &painter, const QRect &row, const EditRow &edit) const
{
    QRect place = row.adjusted(kNumberLeft, 0, -kRight, 0);
    if (edit.isOutside) {
        painter.setPen(QPen(m_theme.secondary, 1, Qt::DotLine));
        const int x = tickRect(row).center().x();
        painter.drawLine(x, row.top() + 4, x, row.bottom() - 4);
        place.setRight(paintCounts(painter, place, edit.added, edit.removed) - kGap);
        paintWords(painter, place, edit);
        return;
    }
    paintTick(painter, tickRect(row), edit.isReviewed ? Qt::Checked : Qt::Unchecked);
    painter.setFont(Theme::figureFont(12));
    painter.setPen(isGone(edit.fate) ? m_theme.secondary : m_theme.text);
    painter.drawText(
        QRect(place.left(), row.top(), m_numberWidth, row.height()), Qt::AlignLeft | Qt::AlignVCenter, edit.number);
    paintBubble(painter, row, edit);
    place.setLeft(bubbleRect(row).right() + kGap);

    painter.setFont(Theme::textFont(12));
    painter.setPen(colourOf(edit.fate, m_theme));
    const bool isWide = row.width() >= kWide;
    if (const QString state = wordOf(edit.fate); isWide || edit.fate != EditFate::Landed) {
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, state);
        place.setRight(place.right() - (isWide ? m_stateWidth : widthOf(painter.font(), state)) - kGap);
    }
    const int counts = m_addedWidth + kCountGap + m_removedWidth + kGap;
    if (!(edit.added.isEmpty() && edit.removed.isEmpty()) && place.width() - counts >= kWordsNeed)
        place.setRight(paintCounts(painter, place, edit.added, edit.removed) - kGap);
    EditRow shown = edit;
    if (!isWide)
        shown.words = shown.words.section(u',', 0, 0);
    paintWords(painter, place, shown);
}

void EditsDelegate::paintBubble(QPainter &painter, const QRect &row, const EditRow &edit) const
{
    const QColor colour = edit.isSentBack ? m_theme.hot : edit.isCommented ? m_theme.accent : m_theme.secondary;
    const QRect place = bubbleRect(row);
    const QRectF bubble(place.left() + 0.5, place.center().y() - 4.5, kBubble - 1, 8);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, edit.isCommented ? 1.4 : 0.6));
    painter.setBrush(edit.isCommented ? QBrush(colour) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(bubble, 2, 2);
    painter.drawPolyline(QPolygonF { bubble.bottomLeft() + QPointF(3, 0), bubble.bottomLeft() + QPointF(3, 3),
        bubble.bottomLeft() + QPointF(6, 0) });
    painter.restore();
}

void EditsDelegate::paintFold(QPainter &painter, const QRect &row, bool isFolded) const
{
    const QPointF middle(kLeft + 4.5, row.top() + kRow / 2.0);
    const QPolygonF open { middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3) };
    const QPolygonF folded { middle + QPointF(-2, -4), middle + QPointF(-2, 4), middle + QPointF(3, 0) };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.secondary);
    painter.drawPolygon(isFolded ? folded : open);
    painter.restore();
}

void EditsDelegate::paintTick(QPainter &painter, const QRect &place, Qt::CheckState state) const
{
    const bool isTicked = state == Qt::Checked;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isTicked ? m_theme.accent : m_theme.secondary, 1));
    painter.setBrush(isTicked ? QBrush(m_theme.accent) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (state == Qt::PartiallyChecked)
        painter.fillRect(QRectF(place).adjusted(3, 5.25, -3, -5.25), m_theme.secondary);
    if (isTicked) {
        painter.setPen(QPen(m_theme.base, 1.6));
        painter.setBrush(Qt::NoBrush);
        const QPointF corner = place.topLeft();
        painter.drawPolyline(
            QPolygonF { corner + QPointF(3, 6.4), corner + QPointF(5.2, 8.6), corner + QPointF(9.2, 3.8) });
    }
    painter.restore();
}

void EditsDelegate::paintWords(QPainter &painter, QRect place, const EditRow &edit) const
{
    painter.setFont(Theme::textFont(12));
    const QFontMetrics metrics = painter.fontMetrics();
    const auto draw = [&](const QString &words, const QColor &colour, Qt::TextElideMode mode) {
        if (words.isEmpty() || place.width() < 2 * kGap)
            return;
        const QString fitting = metrics.elidedText(words, mode, place.width());
        painter.setPen(colour);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, fitting);
        place.setLeft(place.left() + metrics.horizontalAdvance(fitting) + kGap);
    };
    // The lost use comes first, as the rest may have no room. Nothing of a text that is gone needs attention.
    const bool isQuiet = isGone(edit.fate);
    draw(edit.path, isQuiet ? m_theme.secondary : m_theme.text, Qt::ElideLeft);
    draw(edit.lost, isQuiet ? m_theme.secondary : m_theme.hot, Qt::ElideRight);
    draw(edit.words, edit.isAlarm && !isQuiet ? m_theme.hot : m_theme.secondary, Qt::ElideRight);
}

bool EditsDelegate::editorEvent(
    QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonDblClick)
        return false;
    const auto *mouse = static_cast<QMouseEvent *>(event);
    if (mouse->button() != Qt::LeftButton)
        return false;
    if (const auto edit = bubbleAt(index, option, mouse->position().toPoint())) {
        Q_EMIT commentRequested(*edit);
        return true;
    }
    if (!isOnTick(option.rect, mouse->position().toPoint()))
        return false;
    const bool isTicked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    return event->type() == QEvent::MouseButtonRelease
        && model->setData(index, static_cast<int>(isTicked ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
}

} // namespace ui
