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
constexpr int kWordsNeed = 46; ///< beside the counts
constexpr int kPathNeeds = 90; ///< with less room for the path, a row shows no state

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
    m_nameWidth = 0;
    for (const QString &name : model.fileNames())
        m_nameWidth = std::max(m_nameWidth, widthOf(Theme::textFont(12), name));
}

QString EditsDelegate::fittingPath(const QFontMetrics &metrics, const QString &path, int width)
{
    const qsizetype slash = path.lastIndexOf(u'/') + 1;
    const QString name = path.mid(slash);
    if (slash == 0 || metrics.horizontalAdvance(u'\u2026' + name) > width)
        return metrics.elidedText(name, Qt::ElideMiddle, width);
    return metrics.elidedText(path, Qt::ElideLeft, width);
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
    QToolTip::showText(event->globalPos(),
        toolTipText(tr("Comment on this edit (C). Blue: there is a comment. Red: the edit is sent back (B).")),
        view->viewport());
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
    draw(group.title.mid(slash), isFile ? Qt::ElideMiddle : Qt::ElideRight);
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

QRect EditsDelegate::middleOf(const QRect &row) const
{
    QRect middle = row.adjusted(0, 0, -kRight, 0);
    middle.setLeft(bubbleRect(row).right() + kGap);
    // Decided by the width alone, so that the counts are in all rows or in none.
    const int counts = m_addedWidth + kCountGap + m_removedWidth + kGap;
    if (middle.width() - counts >= kWordsNeed)
        middle.setRight(middle.right() - counts);
    return middle;
}

int EditsDelegate::pathWidth(const QRect &middle) const
{
    const int besideState = middle.width() - m_stateWidth - kGap;
    return std::min(m_nameWidth, besideState >= kPathNeeds ? besideState : middle.width());
}

void EditsDelegate::paintEdit(QPainter &painter, const QRect &row, const EditRow &edit) const
{
    const QRect columns = row.adjusted(kNumberLeft, 0, -kRight, 0);
    const QRect middle = middleOf(row);
    const int path = pathWidth(middle);
    if (middle.right() < columns.right())
        paintCounts(painter, columns, edit.added, edit.removed);
    QRect place = middle;
    if (edit.isOutside) {
        painter.setPen(QPen(m_theme.secondary, 1, Qt::DotLine));
        const int x = tickRect(row).center().x();
        painter.drawLine(x, row.top() + 4, x, row.bottom() - 4);
        if (edit.path.isEmpty())
            place.setLeft(columns.left());
        return paintWords(painter, place, edit, path);
    }
    if (edit.isSentBack)
        paintSentBack(painter, tickRect(row));
    else
        paintTick(painter, tickRect(row), edit.isReviewed ? Qt::Checked : Qt::Unchecked);
    paintBubble(painter, row, edit);
    const bool isWide = row.width() >= kWide;
    place.setRight(paintState(painter, middle, edit, isWide));
    const bool isSaid = place.right() != middle.right() || edit.fate == EditFate::Landed;
    painter.setFont(Theme::figureFont(12));
    painter.setPen(isGone(edit.fate) ? m_theme.secondary : isSaid ? m_theme.text : colourOf(edit.fate, m_theme));
    painter.drawText(
        QRect(columns.left(), row.top(), m_numberWidth, row.height()), Qt::AlignLeft | Qt::AlignVCenter, edit.number);
    EditRow shown = edit;
    if (!isWide)
        shown.words = shown.words.section(u',', 0, 0);
    paintWords(painter, place, shown, path);
}

int EditsDelegate::paintState(QPainter &painter, const QRect &place, const EditRow &edit, bool isWide) const
{
    const QString state = wordOf(edit.fate);
    const int width = widthOf(Theme::textFont(12), state);
    const int room = edit.path.isEmpty() ? place.width() : place.width() - pathWidth(place) - kGap;
    if (room < width || (!isWide && edit.fate == EditFate::Landed))
        return place.right();
    painter.setFont(Theme::textFont(12));
    painter.setPen(colourOf(edit.fate, m_theme));
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, state);
    return place.right() - (isWide ? m_stateWidth : width) - kGap;
}

void EditsDelegate::paintBubble(QPainter &painter, const QRect &row, const EditRow &edit) const
{
    const bool isFilled = edit.isSentBack || edit.isCommented;
    const QColor colour = edit.isSentBack ? m_theme.hot : edit.isCommented ? m_theme.accent : m_theme.secondary;
    const QRect place = bubbleRect(row);
    const QRectF bubble(place.left() + 0.5, place.center().y() - 4.5, kBubble - 1, 8);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, isFilled ? 1.4 : 0.6));
    painter.setBrush(isFilled ? QBrush(colour) : QBrush(Qt::NoBrush));
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

void EditsDelegate::paintSentBack(QPainter &painter, const QRect &place) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.hot, 1));
    painter.setBrush(m_theme.hot);
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(QPen(m_theme.base, 1.6));
    const QPointF tip = QRectF(place).topLeft() + QPointF(3, 6);
    painter.drawLine(tip, tip + QPointF(6, 0));
    painter.drawLine(tip, tip + QPointF(2.5, -2.5));
    painter.drawLine(tip, tip + QPointF(2.5, 2.5));
    painter.restore();
}

void EditsDelegate::paintWords(QPainter &painter, QRect place, const EditRow &edit, int pathWidth) const
{
    painter.setFont(Theme::textFont(12));
    const QFontMetrics metrics = painter.fontMetrics();
    const auto draw = [&](const QString &words, const QColor &colour) {
        if (words.isEmpty() || place.width() < 2 * kGap)
            return;
        const QString fitting = metrics.elidedText(words, Qt::ElideRight, place.width());
        painter.setPen(colour);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, fitting);
        place.setLeft(place.left() + metrics.horizontalAdvance(fitting) + kGap);
    };
    // The lost use comes first, as the rest may have no room. Nothing of a text that is gone needs attention.
    const bool isQuiet = isGone(edit.fate);
    if (!edit.path.isEmpty()) {
        painter.setPen(isQuiet ? m_theme.secondary : m_theme.text);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, fittingPath(metrics, edit.path, pathWidth));
        place.setLeft(place.left() + pathWidth + kGap);
    }
    draw(edit.lost, isQuiet ? m_theme.secondary : m_theme.hot);
    draw(edit.words, edit.isAlarm && !isQuiet ? m_theme.hot : m_theme.secondary);
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
