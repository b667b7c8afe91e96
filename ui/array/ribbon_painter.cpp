// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/ribbon_painter.h"

#include "ui/look/fate_mark.h"
#include "ui/look/fate_word.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

QRectF RibbonPainter::room() const
{
    const QRectF left = m_view.columnRect(ArraySide::Before);
    const double right = m_view.columnRect(ArraySide::After).left();
    return { left.right() + 8, left.top(), right - left.right() - 16, left.height() };
}

void RibbonPainter::paint(const QRectF &taken) const
{
    const double columnTop = m_view.columnRect(ArraySide::Before).top();
    const double scroll = m_view.scrollOf(ArraySide::Before);
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setClipRect(room());
    m_painter.setPen(Qt::NoPen);
    for (const ColumnLayout::Span &span : m_view.spans(ArraySide::Before)) {
        const ArrayItem &item = m_content.before().items()[span.heaviest];
        if (item.kind != ArrayItem::Kind::Slot)
            continue;
        const double top = columnTop + span.top - scroll;
        if (m_content.fates()[item.slot.index()].target.isValid())
            paintRibbon(item, top, top + span.height);
        else
            paintDropped(item, top, top + span.height);
    }
    m_painter.restore();
    paintWords(taken);
}

void RibbonPainter::paintDropped(const ArrayItem &item, double top, double bottom) const
{
    const double x0 = room().left();
    const double middle = (x0 + room().right()) / 2;
    QColor colour = m_content.colourOf(ArraySide::Before, item);
    QLinearGradient fade(x0, 0, middle, 0);
    colour.setAlpha(m_content.theme().appearance == Appearance::Dark ? 170 : 90);
    fade.setColorAt(0, colour);
    colour.setAlpha(0);
    fade.setColorAt(1, colour);
    m_painter.fillRect(QRectF(x0, top, middle - x0, bottom - top), fade);
    paintMark(m_content.fates()[item.slot.index()].kind, { x0 + 9, (top + bottom) / 2 }, bottom - top);
}

void RibbonPainter::paintRibbon(const ArrayItem &item, double top, double bottom) const
{
    const SlotFate &fate = m_content.fates()[item.slot.index()];
    const QRectF target = m_view.itemRect(ArraySide::After, m_content.after().itemOf(fate.target));
    double t0 = target.top();
    double t1 = target.bottom();
    const bool isSummarised = fate.kind == core::Fate::Summarised;
    if (isSummarised) {
        // A share of the summary, by weight.
        const std::vector<double> &sums = m_content.beforeSums();
        const double total = std::max(1.0, sums.back());
        t1 = target.top() + target.height() * sums[item.slot.index() + 1] / total;
        t0 = target.top() + target.height() * sums[item.slot.index()] / total;
        t1 = std::max(t1, t0 + 0.6);
    }
    const double x0 = room().left();
    const double x1 = m_view.columnRect(ArraySide::After).left() - 8;
    const double middle = (x0 + x1) / 2;
    QPainterPath band(QPointF(x0, top));
    band.cubicTo(middle, top, middle, t0, x1, t0);
    band.lineTo(x1, t1);
    band.cubicTo(middle, t1, middle, bottom, x0, bottom);
    band.closeSubpath();
    const bool isKept = fate.kind == core::Fate::Kept;
    const bool isKnown
        = m_content.state().picture().made() != nullptr; // else a recorded compaction's fates are guesses
    QColor colour = m_content.colourOf(ArraySide::Before, item);
    const bool isDark = m_content.theme().appearance == Appearance::Dark; // the colours are near the ground there
    colour.setAlpha((isSummarised ? 70 : isKept && isKnown ? 60 : 120) * (isDark ? 2 : 1));
    m_painter.fillPath(band, colour);
    if (fate.kind == core::Fate::Cleared) {
        QColor lines = m_content.theme().secondary;
        lines.setAlpha(90);
        m_painter.fillPath(band, QBrush(lines, Qt::BDiagPattern));
    }
    if (!isKept && isKnown && !isSummarised)
        paintMark(fate.kind, { x1 - 8, (t0 + t1) / 2 }, t1 - t0);
}

QStringList RibbonPainter::words() const
{
    using core::Fate;
    std::array<size_t, static_cast<size_t>(Fate::Added) + 1> counts {};
    for (const SlotFate &fate : m_content.fates())
        ++counts[static_cast<size_t>(fate.kind)];
    const auto countOf = [&](Fate fate) { return counts[static_cast<size_t>(fate)]; };
    QStringList lines;
    if (m_content.state().picture().made()) {
        for (const Fate fate : { Fate::Shortened, Fate::Replaced, Fate::Offloaded, Fate::Cleared, Fate::Dropped,
                 Fate::Summarised, Fate::Edited, Fate::Inserted }) {
            if (const size_t count = countOf(fate); count > 0)
                lines << tr("%1 %2").arg(count).arg(fateWord(fate));
        }
        return lines.isEmpty() ? QStringList { tr("no change") } : lines;
    }
    const size_t summarised = countOf(Fate::Summarised);
    if (const size_t gone = summarised > 0 ? summarised : countOf(Fate::Dropped); gone > 0)
        lines << counted(gone, tr("slot"), tr("slots")) << (summarised > 0 ? tr("→ 1 summary") : tr("dropped"));
    else if (const size_t cleared = countOf(Fate::Cleared); cleared > 0)
        lines << tr("%1 %2").arg(cleared).arg(fateWord(Fate::Cleared));
    return lines;
}

void RibbonPainter::paintWords(const QRectF &taken) const
{
    const QStringList lines = words();
    if (lines.isEmpty())
        return;
    const QString verdict = lines.join(u'\n');
    const double height = 15.0 * static_cast<double>(lines.size()) + 6;
    QRectF place(room().left(), room().bottom() - height - 4, room().width(), height);
    if (taken.intersects(place))
        place.moveBottom(taken.top() - 4);
    m_painter.setFont(Theme::textFont(11));
    const QRectF bounds = m_painter.fontMetrics().boundingRect(place.toRect(), Qt::AlignCenter, verdict);
    if (bounds.width() > place.width() + 4)
        return;
    m_painter.fillRect(bounds.adjusted(-5, -2, 5, 2), m_content.theme().base);
    m_painter.setPen(m_content.theme().secondary);
    m_painter.drawText(place, Qt::AlignCenter, verdict);
}

void RibbonPainter::paintMark(core::Fate fate, QPointF at, double room) const
{
    if (room >= 7)
        paintFateMark(m_painter, m_content.theme(), fate, at);
}

} // namespace ui
