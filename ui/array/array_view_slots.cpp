// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Painting the columns: headers, slots as lines of text or as bars, and the marks on them.

#include "ui/array/array_view.h"

#include "ui/look/fate_word.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <span>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kLeastWords = 190;   ///< room for what a slot is, below which its place in the session is left out
constexpr double kNarrowColumn = 240; ///< below it words that can be done without are left out
constexpr double kBarLabelShare = 0.46;
constexpr double kSecondLineFrom = 34;

QFont smallFont() { return Theme::textFont(11); }

/// Text follows the height of a line when the array is zoomed out a little.
int textPixels(double lineHeight, int standard) { return std::clamp(static_cast<int>(lineHeight * 0.7), 9, standard); }

/// Diagonal lines over a fill: text that is not in the log, or spans too thin to be told apart.
void hatch(QPainter &painter, const QRectF &rect, const QColor &colour)
{
    painter.save();
    painter.setBrushOrigin(rect.topLeft());
    painter.fillRect(rect, QBrush(colour, Qt::BDiagPattern));
    painter.restore();
}

QString fileName(const std::optional<AfterFile> &file)
{
    return file ? QString::fromStdString(file->path.filename().string()) : QString();
}

/// The tool alone of what it was asked and answered; whose words they are shows in the colour, too.
QString narrowWords(const core::SlotLabel &label)
{
    const QString what = displayText(label.what);
    const bool isOfTool = what.startsWith(u"tool_call "_s) || label.role == "tool";
    return isOfTool ? what.section(u' ', -1) : what;
}

QString elided(const QPainter &painter, const QString &words, double width)
{
    return painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(width));
}

} // namespace

QColor ArrayView::colourOf(const ArrayColumn &of, const ArrayItem &item) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return m_state.theme().base;
    // What is left of a slot keeps its colour, so that it is known again.
    if (&of != &m_before && m_state.picture().made()) {
        const uint32_t was = m_beforeOf[item.slot.index()];
        const bool isSame = was != UINT32_MAX && m_fates[was].kind != core::Fate::Summarised;
        if (isSame)
            return colourOf(m_before, m_before.items()[m_before.itemOf(SlotIndex(was))]);
    }
    if (m_state.colourBy() == ColourBy::Material)
        return m_state.theme().of(of.material(item.slot));
    return m_state.colourOf(of.transcript(), of.transcript().slot(item.slot));
}

void ArrayView::paintHeader(QPainter &painter, Side side) const
{
    const Theme &theme = m_state.theme();
    const ArrayPicture &picture = m_state.picture();
    const QRectF rect = columnRect(side);
    const size_t slots = column(side).transcript().slotCount();
    const auto &unlogged = side == Side::Before ? picture.unlogged : picture.unloggedAfter;
    const core::Weights &weights = picture.weights;
    QString title;
    QString under;
    QString figure;
    const bool isExact = weights.unit() == core::WeightUnit::Tokens && unlogged.recorded > 0;
    figure = isExact ? tr("%1 tokens").arg(displayText(core::groupedNumber(static_cast<uint64_t>(unlogged.recorded))))
                     : tr("%1 %2").arg(displayText(weights.shown(wholeOf(side))), displayText(weights.unitName()));
    const QString count = counted(slots, tr("slot"), tr("slots"));
    const double missing = weights.unit() == core::WeightUnit::Tokens ? unlogged.remainder + unlogged.prelude : 0;
    const QString notLogged = missing > 0
        ? tr(" · %1 of it not in the log").arg(displayText(core::shown({ missing, core::Basis::Estimated })))
        : QString();
    if (side == Side::Before) {
        const auto call = static_cast<qulonglong>(picture.position.call.value());
        const std::string &name = m_state.workspace().arrayName();
        title = !name.empty()          ? tr("before · %1").arg(displayText(name))
            : picture.position.isEnd() ? tr("messages at the end")
                                       : tr("messages at call %1").arg(call);
        under = isExact                                  ? tr("as sent, exact · %1").arg(count)
            : weights.unit() == core::WeightUnit::Tokens ? tr("estimated · %1").arg(count) + notLogged
                                                         : count;
        if (picture.compaction != nullptr)
            under += tr(" with its response");
    } else if (picture.simulated) {
        const auto &policy = m_state.workspace().plan().policy;
        title = policy ? tr("simulated · %1").arg(displayText(policy->name))
                       : tr("simulated · what you pinned and dropped");
        under = differenceWords(count);
        if (m_state.workspace().plan().honoursTriggers)
            under += tr(" · triggers honoured");
    } else if (picture.observed) {
        title = tr("after · %1").arg(fileName(m_state.workspace().afterFile()));
        under = tr("observed · %1").arg(differenceWords(count));
    } else {
        title = tr("after compaction %1").arg(static_cast<qulonglong>(picture.compactionNumber));
        under = tr("recorded · %1 · %2").arg(compactionWord(picture.compaction->kind), count) + notLogged;
    }
    if (cacheOf(side)) {
        const QFontMetricsF metrics(smallFont());
        const QString cached = u" · "_s + cacheOf(side)->words();
        const bool hasRoom = metrics.horizontalAdvance(under + cached) <= rect.width();
        // In a narrow column what a policy saves comes before its cache, and that before how figures are known.
        if (hasRoom)
            under += cached;
        else if (side == Side::Before || !picture.made())
            under = count + cached;
    }
    const bool isNarrow = rect.width() < kNarrowColumn;
    if (isNarrow) {
        // What it is comes before the unit, which the switch above names, too.
        figure = figure.section(u' ', 0, 0);
        if (side == Side::Before && !picture.position.isEnd())
            title = tr("call %1").arg(static_cast<qulonglong>(picture.position.call.value()));
    }
    painter.setFont(Theme::figureFont(13));
    painter.setPen(theme.text);
    const double figureWidth = painter.fontMetrics().horizontalAdvance(figure) + 12;
    painter.drawText(QRectF(rect.left(), 8, rect.width(), 20), Qt::AlignRight | Qt::AlignVCenter, figure);
    painter.setFont(Theme::strongFont(14));
    if (side == Side::After && picture.simulated
        && painter.fontMetrics().horizontalAdvance(title) > rect.width() - figureWidth)
        title = tr("simulated"); // the policy has its name in its panel
    painter.drawText(QRectF(rect.left(), 8, rect.width() - figureWidth, 20), Qt::AlignLeft | Qt::AlignVCenter,
        elided(painter, title, rect.width() - figureWidth));
    painter.setFont(smallFont());
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(rect.left(), 28, rect.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
        elided(painter, under, rect.width()));
}

double ArrayView::wholeOf(Side side) const
{
    const ArrayPicture &picture = m_state.picture();
    const double recorded = picture.weights.unit() == core::WeightUnit::Tokens ? picture.unlogged.recorded : 0;
    if (side == Side::After && picture.simulated && recorded > 0)
        return std::max(0.0, recorded + m_slotsAfter - m_beforeSums.back());
    return column(side).wholeWeight();
}

QString ArrayView::differenceWords(const QString &count) const
{
    const core::Weights &weights = m_state.weights();
    const double was = m_beforeSums.back();
    const double now = m_slotsAfter;
    const bool isAll = m_before.wholeWeight() - was < 1; // else there is a prelude or unlogged text beside the slots
    QString words = (isAll ? tr("%1 · %2 → %3") : tr("%1, alone %2 → %3"))
                        .arg(count, displayText(weights.shown(was)), displayText(weights.shown(now)));
    if (was > 0 && now != was)
        words += u" · "_s + (now > was ? u"+"_s : QString())
            + tr("%1 %").arg(QLocale::c().toString((now - was) * 100 / was, 'f', 0));
    return words.replace(u'-', u'\u2212');
}

void ArrayView::paintBrackets(QPainter &painter, Side side) const
{
    const QRectF rect = columnRect(side);
    const double bottom
        = std::min(rect.bottom() + 4, rect.top() + column(side).layout().totalHeight(m_zoom) - scrollOf(side) + 3);
    const double top = rect.top() - 4;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_state.theme().secondary, 1));
    for (const bool isLeft : { true, false }) {
        const double x = isLeft ? rect.left() - 7 : rect.right() + 7;
        const double hook = isLeft ? 6 : -6;
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        if (scrollOf(side) <= 0)
            painter.drawLine(QPointF(x, top), QPointF(x + hook, top));
        if (bottom < rect.bottom() + 4)
            painter.drawLine(QPointF(x, bottom), QPointF(x + hook, bottom));
    }
    painter.restore();
}

void ArrayView::paintColumn(QPainter &painter, Side side)
{
    const QRectF rect = columnRect(side);
    const ArrayColumn &shown = column(side);
    painter.save();
    painter.setClipRect(rect.adjusted(-6, -1, 6, 1));
    // Merged spans that follow each other are hatched together: a pattern costs more to begin than to fill.
    QRectF merged;
    const auto hatchMerged = [&] {
        if (!merged.isEmpty())
            hatch(painter, merged, m_state.theme().base);
        merged = {};
    };
    std::vector<QRectF> hot;
    for (const ColumnLayout::Span &span :
        shown.layout().spans(scrollOf(side), scrollOf(side) + rect.height(), m_zoom)) {
        const double top = std::round(rect.top() + span.top - scrollOf(side));
        const double bottom = std::round(rect.top() + span.top + span.height - scrollOf(side));
        const QRectF place(rect.left(), top, rect.width(), std::max(1.0, bottom - top));
        if (span.isMerged()) {
            const ArrayItem &heaviest = shown.items()[span.heaviest];
            painter.fillRect(place, colourOf(shown, heaviest));
            if (place.top() > merged.bottom())
                hatchMerged();
            merged |= place;
            if (side == Side::Before && hasHot(span.first, span.last))
                hot.emplace_back(place.left(), place.top(), 4, place.height());
            continue;
        }
        hatchMerged();
        paintItem(painter, side, shown.items()[span.first], place);
    }
    hatchMerged();
    for (const QRectF &mark : hot)
        painter.fillRect(mark, m_state.theme().hot);
    painter.restore();
}

void ArrayView::paintItem(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect)
{
    const Theme &theme = m_state.theme();
    const ArrayColumn &shown = column(side);
    if (m_mode != ArrayMode::Slots) {
        paintBar(painter, side, item, rect);
        paintMarks(painter, side, item, rect);
        return;
    }
    const QColor fill = colourOf(shown, item);
    if (item.kind != ArrayItem::Kind::Slot) {
        const core::Thread &thread = m_state.session()->thread(m_state.position().thread);
        const bool isRecorded = item.kind == ArrayItem::Kind::Prelude && thread.prelude.has_value();
        painter.fillRect(rect, isRecorded ? theme.of(core::Material::System) : theme.base);
        if (!isRecorded)
            hatch(painter, rect, theme.hairline);
        painter.setPen(theme.secondary);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        if (rect.height() >= kTextFrom)
            paintBesideText(painter, item, rect, isRecorded);
        return;
    }
    painter.fillRect(rect, fill);
    if (shown.material(item.slot) == core::Material::Arguments && rect.height() >= 6) {
        // Arguments are told from bulk without their hue, too: a folded corner.
        const double fold = std::min(8.0, rect.height() / 2);
        QPainterPath corner(rect.topRight());
        corner.lineTo(rect.topRight() + QPointF(-fold, 0));
        corner.lineTo(rect.topRight() + QPointF(0, fold));
        corner.closeSubpath();
        painter.fillPath(corner, theme.base);
    }
    paintMarks(painter, side, item, rect);
    if (rect.height() >= kTextFrom)
        paintSlotText(painter, shown, item, rect);
}

std::string ArrayView::slotWeight(const ArrayColumn &shown, const ArrayItem &item) const
{
    const core::Transcript &transcript = shown.transcript();
    return m_state.weights().shown(item.weight, transcript.blocksOf(transcript.slot(item.slot)));
}

void ArrayView::paintSlotText(QPainter &painter, const ArrayColumn &shown, const ArrayItem &item, const QRectF &rect)
{
    const Theme &theme = m_state.theme();
    const core::SlotLabel &label = shown.label(item.slot);
    const double lineHeight = textLine();
    const double line = std::min(rect.height(), lineHeight);
    const bool isNarrow = rect.width() < kNarrowColumn;
    const double gap = isNarrow ? 4 : 8;
    const QRectF first = QRectF(rect.left(), rect.top(), rect.width(), line).adjusted(gap + 4, 0, -gap - 2, 0);
    const QFont words13 = Theme::textFont(textPixels(lineHeight, 13));
    const QFont words12 = Theme::textFont(textPixels(lineHeight, 12));
    painter.setPen(theme.onFill);
    painter.setFont(Theme::figureFont(textPixels(lineHeight, 12)));
    const QString weight = displayText(slotWeight(shown, item));
    double weightWidth = painter.fontMetrics().horizontalAdvance(weight);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, weight);
    if (&shown != &m_before && isViolated(item.slot)) {
        const double side = std::min(13.0, line - 4);
        paintViolation(painter, theme, { first.right() - weightWidth - 6 - side / 2, first.center().y() }, side);
        weightWidth += side + 8;
    }
    const auto digits = static_cast<int>(std::to_string(shown.transcript().slotCount()).size());
    const double indexWidth = painter.fontMetrics().horizontalAdvance(u'0') * (digits + 2) + gap;
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, u"[%1]"_s.arg(item.slot.value()));
    painter.setFont(Theme::figureFont(textPixels(lineHeight, 11)));
    const auto idDigits = static_cast<int>(std::to_string(m_state.session()->messages.size()).size());
    const double idWidth = painter.fontMetrics().horizontalAdvance(u'0') * (idDigits + 1) + 10;
    painter.setPen(theme.onFillSecondary);
    // In a narrow column what a slot is comes before its place in the session.
    const bool hasId = first.width() - indexWidth - idWidth > kLeastWords * lineHeight / kLine;
    if (hasId)
        painter.drawText(first.adjusted(indexWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            u"#%1"_s.arg(shown.transcript().slot(item.slot).id.value()));
    double from = indexWidth + (hasId ? idWidth : 0);
    if (const SlotOverride what = &shown == &m_before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
        from += paintOverride(painter, theme, what, first.adjusted(from, 0, 0, 0));
    const double room = first.width() - weightWidth - gap - 6 - from;
    if (room < 20)
        return;
    painter.setFont(words13);
    painter.setPen(theme.onFill);
    const QString words = isNarrow ? narrowWords(label) : displayText(label.text());
    const double wordsWidth = painter.fontMetrics().horizontalAdvance(words);
    painter.drawText(first.adjusted(from, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, elided(painter, words, room));
    const core::HotBlock *hot = m_state.picture().hasAfter() && &shown != &m_before ? nullptr : hotOf(item.slot);
    const bool hasSecondLine = rect.height() >= kSecondLineFrom;
    painter.setFont(words12);
    painter.setPen(theme.onFillSecondary);
    const QString subject = displayText(label.subject);
    double taken = wordsWidth;
    if (m_state.picture().made() && &shown != &m_before) {
        // What became of it, beside its weight.
        const QString change = changeOf(item.slot);
        painter.setFont(Theme::textFont(textPixels(lineHeight, 11)));
        const double width = painter.fontMetrics().horizontalAdvance(change);
        if (!change.isEmpty() && room - wordsWidth > width + 16) {
            painter.drawText(first.adjusted(0, 0, -weightWidth - 14, 0), Qt::AlignRight | Qt::AlignVCenter, change);
            taken += width + 16;
        }
        painter.setFont(words12);
    }
    if (!subject.isEmpty() && room - taken > 60)
        painter.drawText(first.adjusted(from + wordsWidth + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, subject, room - taken - 12));
    if (hasSecondLine && hot != nullptr && !hot->reason.empty()) {
        painter.setFont(Theme::textFont(textPixels(lineHeight, 11)));
        const QRectF second(first.left() + from, rect.top() + line - 4, room, 16);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, tr("HOT · %1").arg(displayText(hot->reason)), second.width()));
    }
}

void ArrayView::paintBesideText(QPainter &painter, const ArrayItem &item, const QRectF &rect, bool isRecorded) const
{
    const Theme &theme = m_state.theme();
    const bool isPrelude = item.kind == ArrayItem::Kind::Prelude;
    const QString title = isPrelude
        ? (isRecorded ? tr("prelude · system prompt and tools") : tr("prelude · not recorded"))
        : tr("unlogged · re-injected files, memory, skills");
    const QString under = isPrelude ? tr("system prompt and tools, sized from recorded usage")
                                    : tr("recorded usage proves it was sent; the log does not hold it");
    const double line = std::min(rect.height(), textLine());
    const QRectF first(rect.left() + 12, rect.top(), rect.width() - 22, line);
    const QString weight = displayText(m_state.weights().shown(item.weight));
    painter.setFont(Theme::figureFont(textPixels(line, 12)));
    const double weightWidth = painter.fontMetrics().horizontalAdvance(weight);
    const auto ground = [&](const QRectF &where) {
        if (!isRecorded)
            painter.fillRect(where.adjusted(-4, 2, 4, -2), theme.base);
    };
    ground(QRectF(first.right() - weightWidth, first.top(), weightWidth, line));
    painter.setPen(isRecorded ? theme.onFill : theme.text);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, weight);
    painter.setFont(Theme::textFont(textPixels(line, 13)));
    const QString words = elided(painter, title, first.width() - weightWidth - 24);
    ground(QRectF(first.left(), first.top(), painter.fontMetrics().horizontalAdvance(words), line));
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, words);
    if (rect.height() >= kSecondLineFrom && !isRecorded) {
        painter.setFont(smallFont());
        const QRectF second(first.left(), rect.top() + line - 3, first.width(), 16);
        const QString more = elided(painter, under, second.width());
        ground(QRectF(second.left(), second.top(), painter.fontMetrics().horizontalAdvance(more), 16));
        painter.setPen(theme.secondary);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter, more);
    }
}

void ArrayView::paintBar(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect)
{
    const Theme &theme = m_state.theme();
    const ArrayColumn &shown = column(side);
    const double heaviest = std::max({ m_before.heaviest(), m_after ? m_after->heaviest() : 0.0, 1.0 });
    const double labelWidth = rect.width() * kBarLabelShare;
    const double figureWidth = 84;
    const double room = rect.width() - labelWidth - figureWidth - 12;
    const QRectF bar(rect.left() + labelWidth, rect.top() + rect.height() * 0.16,
        std::max(1.5, room * item.weight / heaviest), rect.height() * 0.68);
    if (item.kind == ArrayItem::Kind::Slot) {
        painter.fillRect(bar, colourOf(shown, item));
        if (hasAfter() && side == Side::Before) {
            // Before as an outline, what is left of it filled.
            const SlotFate &fate = m_fates[item.slot.index()];
            const bool isLeft = fate.kind != core::Fate::Summarised && fate.target.isValid();
            const double after = isLeft
                ? m_state.picture().weightsAfter.of(m_state.picture().after, m_state.picture().after.slot(fate.target))
                : 0.0;
            QRectF gone = bar;
            gone.setLeft(bar.left() + std::min(bar.width(), room * after / heaviest));
            painter.fillRect(gone, theme.base);
            QColor tint = colourOf(shown, item);
            tint.setAlpha(60);
            painter.fillRect(gone, tint);
            painter.setPen(colourOf(shown, item));
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    } else {
        hatch(painter, bar, theme.secondary);
        painter.setPen(theme.secondary);
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (rect.height() < kTextFrom)
        return;
    const auto pixels = [&](int standard) { return textPixels(rect.height(), standard); };
    painter.setFont(Theme::figureFont(pixels(12)));
    painter.setPen(theme.text);
    painter.drawText(QRectF(bar.right() + 6, rect.top(), figureWidth, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
        displayText(m_state.weights().shown(item.weight)));
    const QRectF words(rect.left() + 10, rect.top(), labelWidth - 20, rect.height());
    if (item.kind != ArrayItem::Kind::Slot) {
        painter.setFont(Theme::textFont(pixels(13)));
        painter.setPen(theme.secondary);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, item.kind == ArrayItem::Kind::Prelude ? tr("prelude") : tr("unlogged"), words.width()));
        return;
    }
    const QString index = u"[%1]"_s.arg(item.slot.value());
    const auto digits = static_cast<int>(std::to_string(shown.transcript().slotCount()).size());
    const double indexWidth = painter.fontMetrics().horizontalAdvance(u'0') * (digits + 2) + 8;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, index);
    painter.setFont(Theme::textFont(pixels(13)));
    const core::SlotLabel &label = shown.label(item.slot);
    QRectF rest = words.adjusted(indexWidth, 0, 0, 0);
    if (const SlotOverride what = side == Side::Before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
        rest.setLeft(rest.left() + paintOverride(painter, theme, what, rest));
    if (side == Side::After && isViolated(item.slot)) {
        paintViolation(painter, theme, { rest.left() + 6, rest.center().y() }, 13);
        rest.setLeft(rest.left() + 18);
    }
    QString line = displayText(label.text());
    if (painter.fontMetrics().horizontalAdvance(line) > rest.width())
        line = narrowWords(label);
    const double lineWidth = painter.fontMetrics().horizontalAdvance(line);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, elided(painter, line, rest.width()));
    if (rest.width() - lineWidth > 60 && !label.subject.empty()) {
        painter.setFont(Theme::textFont(pixels(12)));
        painter.setPen(theme.secondary);
        painter.drawText(rest.adjusted(lineWidth + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, displayText(label.subject), rest.width() - lineWidth - 12));
    }
}

void ArrayView::paintMarks(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    const Theme &theme = m_state.theme();
    // Slots that a plan or an observation made follow those that they were.
    const bool isMapped = side == Side::After && m_state.picture().made() != nullptr;
    const core::Transcript &transcript = isMapped ? m_before.transcript() : column(side).transcript();
    SlotIndex slot = item.slot;
    if (isMapped) {
        const uint32_t was = m_beforeOf[item.slot.index()];
        slot = was == UINT32_MAX ? SlotIndex() : SlotIndex(was);
    }
    const std::span<const core::BlockId> blocks
        = slot.isValid() ? transcript.blocksOf(transcript.slot(slot)) : std::span<const core::BlockId>();
    const auto holdsBlock = [&](core::BlockId id) { return std::ranges::find(blocks, id) != blocks.end(); };
    if (side == Side::Before && std::ranges::binary_search(m_state.matches(), item.slot))
        painter.fillRect(QRectF(rect.right() - 4, rect.top(), 4, rect.height()), theme.accent);
    if (rect.height() < kTextFrom && m_mode == ArrayMode::Slots) {
        if (const SlotOverride what = side == Side::Before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
            paintOverrideEdge(painter, theme, what, rect);
        if (side == Side::After && isViolated(item.slot))
            painter.fillRect(QRectF(rect.right() - 4, rect.top(), 4, rect.height()), theme.hot);
    }
    const bool isSelected = side == Side::Before || isMapped
        ? slot.isValid() && std::ranges::binary_search(m_state.selection(), slot)
        : m_state.currentBlock().isValid() && holdsBlock(m_state.currentBlock());
    bool isPartner = false;
    const core::BlockId hovered = m_state.hoveredBlock();
    if (hovered.isValid()) {
        const core::MessageId message = m_state.session()->block(hovered).message;
        isPartner = std::ranges::any_of(blocks, [&](core::BlockId id) {
            return id == hovered || transcript.block(id).message == message
                || std::ranges::find(m_partners, id) != m_partners.end();
        });
    }
    // Inside the outline of the selection, where the two do not mix.
    const double inset = isSelected ? 2 : 0;
    if (side == Side::Before && hotOf(item.slot) != nullptr)
        painter.fillRect(QRectF(rect.left() + inset, rect.top(), 4, rect.height()), theme.hot);
    if (!isSelected && !isPartner)
        return;
    painter.setBrush(Qt::NoBrush);
    if (isSelected) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    } else {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace ui
