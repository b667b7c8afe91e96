// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_column_painter.h"

#include "core/session/earlier_messages.h"
#include "ui/array/array_words.h"
#include "ui/look/bookmark_mark.h"
#include "ui/look/match_look.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <span>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kLeastWords = 130;   ///< room for the label, below which the place in the session is left out
constexpr double kLeastSubject = 100; ///< the label gets shorter if its subject has less room
constexpr double kBarLabelShare = 0.46;
constexpr double kLeastGloss = 60;
constexpr double kSecondLineFrom = 34;
constexpr double kBookmark = 8;     ///< width of the mark
constexpr double kEmptyHeight = 16; ///< of an array without messages, in which a word says so

/// Text follows the height of a line when the array is zoomed out a little.
int textPixels(double lineHeight, int standard) { return std::clamp(static_cast<int>(lineHeight * 0.7), 9, standard); }

/// The label; the shorter one where the whole one leaves no room for its subject.
QString slotWords(const core::SlotLabel &label, const QPainter &painter, double room)
{
    const QString whole = displayText(label.text());
    const double wanted = std::min<double>(kLeastSubject, wordsWidth(painter, displayText(label.subject)));
    const double width = wordsWidth(painter, whole);
    const bool hasRoom = label.subject.empty() || room - width > wanted;
    return hasRoom && width <= room ? whole : narrowWords(label);
}

} // namespace

void ArrayColumnPainter::paint(ArraySide side) const
{
    const QRectF rect = m_view.columnRect(side);
    const ArrayColumn &shown = m_content.column(side);
    if (shown.items().empty()) {
        m_painter.setFont(Theme::textFont(12));
        m_painter.setPen(m_content.theme().secondary);
        return drawWords(m_painter, rect.adjusted(10, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, tr("no messages"));
    }
    m_painter.save();
    m_painter.setClipRect(rect.adjusted(-6, -1, 6, 1));
    // Merged spans next to each other are hatched as one: a pattern costs more to begin than to fill.
    QRectF merged;
    const auto hatchMerged = [&] {
        if (!merged.isEmpty())
            hatchArea(m_painter, merged, m_content.theme().base);
        merged = {};
    };
    std::vector<QRectF> hot;
    for (const ColumnLayout::Span &span : m_view.spans(side)) {
        const double top = std::round(rect.top() + span.top - m_view.scrollOf(side));
        const double bottom = std::round(rect.top() + span.top + span.height - m_view.scrollOf(side));
        const QRectF place(rect.left(), top, rect.width(), std::max(1.0, bottom - top));
        if (span.isMerged()) {
            const ArrayItem &heaviest = shown.items()[span.heaviest];
            m_painter.fillRect(place, m_content.colourOf(side, heaviest));
            if (place.top() > merged.bottom())
                hatchMerged();
            merged |= place;
            if (side == ArraySide::Before && m_content.hasHot(span.first, span.last))
                hot.emplace_back(place.left(), place.top(), 4, place.height());
            continue;
        }
        hatchMerged();
        paintItem(side, shown.items()[span.first], place);
    }
    hatchMerged();
    for (const QRectF &mark : hot)
        m_painter.fillRect(mark, m_content.theme().hot);
    m_painter.restore();
}

void ArrayColumnPainter::paintItem(ArraySide side, const ArrayItem &item, const QRectF &rect) const
{
    const Theme &theme = m_content.theme();
    const ArrayColumn &shown = m_content.column(side);
    if (m_content.mode() != ArrayMode::Slots) {
        paintBar(side, item, rect);
        paintMarks(side, item, rect);
        return;
    }
    if (item.kind != ArrayItem::Kind::Slot)
        return paintBeside(item, rect);
    m_painter.fillRect(rect, m_content.colourOf(side, item));
    if (shown.material(item.slot) == core::Material::Arguments)
        paintArgumentsCorner(m_painter, theme, rect);
    paintMarks(side, item, rect);
    if (rect.height() >= ArrayViewport::kTextFrom)
        paintSlotText(side, item, rect);
}

void ArrayColumnPainter::paintBeside(const ArrayItem &item, const QRectF &rect) const
{
    const Theme &theme = m_content.theme();
    const core::Thread &thread = m_content.state().session()->thread(m_content.state().position().thread);
    const bool isRecorded = item.kind == ArrayItem::Kind::Prelude && thread.prelude.has_value();
    m_painter.fillRect(rect, isRecorded ? theme.of(core::Material::System) : theme.base);
    if (!isRecorded)
        hatchArea(m_painter, rect, theme.hairline);
    m_painter.setPen(theme.secondary);
    m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    if (rect.height() >= ArrayViewport::kTextFrom)
        paintBesideText(item, rect, isRecorded);
}

void ArrayColumnPainter::paintSlotText(ArraySide side, const ArrayItem &item, const QRectF &rect) const
{
    const Theme &theme = m_content.theme();
    const ArrayColumn &shown = m_content.column(side);
    const core::SlotLabel &label = shown.label(item.slot);
    const double lineHeight = m_view.textLine();
    const double line = std::min(rect.height(), lineHeight);
    const bool isNarrow = rect.width() < kNarrowColumn;
    const double gap = isNarrow ? 4 : 8;
    const QRectF first = QRectF(rect.left(), rect.top(), rect.width(), line).adjusted(gap + 4, 0, -gap - 2, 0);
    const QFont words13 = Theme::textFont(textPixels(lineHeight, 13));
    const QFont words12 = Theme::textFont(textPixels(lineHeight, 12));
    m_painter.setPen(theme.onFill);
    m_painter.setFont(Theme::figureFont(textPixels(lineHeight, 12)));
    const QString weight = displayText(m_content.slotWeight(side, item));
    double weightWidth = wordsWidth(m_painter, weight);
    drawWords(m_painter, first, Qt::AlignRight | Qt::AlignVCenter, weight);
    if (m_content.isViolated(side, item.slot)) {
        const double size = std::min(13.0, line - 4);
        paintViolation(m_painter, theme, { first.right() - weightWidth - 6 - size / 2, first.center().y() }, size);
        weightWidth += size + 8;
    }
    const auto digits = static_cast<int>(std::to_string(shown.transcript().slotCount()).size());
    const double indexWidth = wordsWidth(m_painter, u"0"_s) * (digits + 2) + gap;
    drawWords(m_painter, first, Qt::AlignLeft | Qt::AlignVCenter, u"[%1]"_s.arg(item.slot.value()));
    m_painter.setFont(Theme::figureFont(textPixels(lineHeight, 11)));
    const auto idDigits = static_cast<int>(std::to_string(m_content.state().session()->messages.size()).size());
    const double idWidth = wordsWidth(m_painter, u"0"_s) * (idDigits + 1) + 10;
    m_painter.setPen(theme.onFillSecondary);
    // In a narrow column the kind of a slot comes before its place in the session.
    const bool hasId = first.width() - indexWidth - idWidth > kLeastWords * lineHeight / ArrayViewport::kLine;
    if (hasId)
        drawWords(m_painter, first.adjusted(indexWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            u"#%1"_s.arg(shown.transcript().slot(item.slot).id.value()));
    double from = indexWidth + (hasId ? idWidth : 0);
    if (m_content.isBookmarked(side, item.slot)) {
        paintBookmark(m_painter, theme, { first.left() + from, first.top() + 2, kBookmark, line - 7 });
        from += kBookmark + 6;
    }
    if (const SlotOverride what = m_content.overrideOf(side, item.slot); what.isThere())
        from += paintOverride(m_painter, theme, what, first.adjusted(from, 0, 0, 0));
    const double room = first.width() - weightWidth - gap - 6 - from;
    if (room < 20)
        return;
    m_painter.setFont(words13);
    m_painter.setPen(theme.onFill);
    const QString words = isNarrow ? narrowWords(label) : slotWords(label, m_painter, room);
    const double labelWidth = wordsWidth(m_painter, words);
    drawWords(m_painter, first.adjusted(from, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
        elidedWords(m_painter, words, room));
    const core::HotBlock *hot
        = m_content.state().picture().hasAfter() && side == ArraySide::After ? nullptr : m_content.hotOf(item.slot);
    const bool hasSecondLine = rect.height() >= kSecondLineFrom;
    m_painter.setFont(words12);
    m_painter.setPen(theme.onFillSecondary);
    const QString subject = displayText(label.subject);
    double taken = labelWidth;
    if (m_content.state().picture().made() && side == ArraySide::After) {
        // The fate, beside the weight.
        const QString change = m_content.changeOf(item.slot);
        m_painter.setFont(Theme::textFont(textPixels(lineHeight, 11)));
        const double width = wordsWidth(m_painter, change);
        if (!change.isEmpty() && room - labelWidth > width + 16) {
            drawWords(m_painter, first.adjusted(0, 0, -weightWidth - 14, 0), Qt::AlignRight | Qt::AlignVCenter, change);
            taken += width + 16;
        }
        m_painter.setFont(words12);
    }
    if (!subject.isEmpty() && room - taken > 50)
        drawWords(m_painter, first.adjusted(from + labelWidth + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elidedPath(m_painter, subject, room - taken - 12));
    if (hasSecondLine && hot != nullptr && !hot->reason.empty()) {
        m_painter.setFont(Theme::textFont(textPixels(lineHeight, 11)));
        const QRectF second(first.left() + from, rect.top() + line - 4, room, 16);
        drawWords(m_painter, second, Qt::AlignLeft | Qt::AlignVCenter,
            elidedWords(m_painter, tr("HOT · %1").arg(displayText(hot->reason)), second.width()));
    }
}

QString nameOf(ArrayItem::Kind kind)
{
    switch (kind) {
    case ArrayItem::Kind::Prelude:
        return ArrayColumnPainter::tr("prelude");
    case ArrayItem::Kind::Unlogged:
        return ArrayColumnPainter::tr("unlogged");
    case ArrayItem::Kind::NotSent:
        return ArrayColumnPainter::tr("logged, not sent");
    case ArrayItem::Kind::Remainder:
        return ArrayColumnPainter::tr("remainder");
    case ArrayItem::Kind::Slot:
        break;
    }
    return {};
}

std::pair<QString, QString> ArrayColumnPainter::besideWords(const ArrayItem &item, bool isRecorded) const
{
    switch (item.kind) {
    case ArrayItem::Kind::Prelude:
        if (!isRecorded && core::hasEarlierMessages(*m_content.state().session(), m_content.state().position()))
            return { tr("prelude and earlier messages · not in the file"),
                tr("the file continues a conversation; the size comes from the recorded usage") };
        return { isRecorded ? tr("prelude · system prompt and tools") : tr("prelude · not recorded"),
            tr("system prompt and tools; the size comes from the recorded usage") };
    case ArrayItem::Kind::NotSent:
        return { tr("logged, not sent · cleared without a record"),
            tr("the recorded prompt is this much smaller than the array; some of the slots below were not sent") };
    case ArrayItem::Kind::Remainder:
        return { tr("remainder · error of the estimates"),
            tr("the other parts are estimates; with the remainder the total is the recorded prompt") };
    case ArrayItem::Kind::Unlogged:
    case ArrayItem::Kind::Slot:
        break;
    }
    return { tr("unlogged · sent, but not in the log"),
        tr("recorded usage proves it; for example, files or reminders that the harness sent again") };
}

void ArrayColumnPainter::paintBesideText(const ArrayItem &item, const QRectF &rect, bool isRecorded) const
{
    const Theme &theme = m_content.theme();
    const auto [title, under] = besideWords(item, isRecorded);
    const double line = std::min(rect.height(), m_view.textLine());
    const QRectF first(rect.left() + 12, rect.top(), rect.width() - 22, line);
    const QString weight = displayText(m_content.state().weights().shown(item.signedWeight()));
    m_painter.setFont(Theme::figureFont(textPixels(line, 12)));
    const double weightWidth = wordsWidth(m_painter, weight);
    const auto ground = [&](const QRectF &where) {
        if (!isRecorded)
            m_painter.fillRect(where.adjusted(-4, 2, 4, -2), theme.base);
    };
    ground(QRectF(first.right() - weightWidth, first.top(), weightWidth, line));
    m_painter.setPen(isRecorded ? theme.onFill : theme.text);
    drawWords(m_painter, first, Qt::AlignRight | Qt::AlignVCenter, weight);
    m_painter.setFont(Theme::textFont(textPixels(line, 13)));
    const QString words = elidedWords(m_painter, title, first.width() - weightWidth - 24);
    ground(QRectF(first.left(), first.top(), wordsWidth(m_painter, words), line));
    drawWords(m_painter, first, Qt::AlignLeft | Qt::AlignVCenter, words);
    const double from = first.left() + wordsWidth(m_painter, words) + 14;
    const double room = first.right() - weightWidth - 16 - from;
    if (isRecorded || room < kLeastGloss)
        return;
    m_painter.setFont(Theme::textFont(textPixels(line, 12)));
    const QString more = elidedWords(m_painter, under, room);
    ground(QRectF(from - 8, first.top(), wordsWidth(m_painter, more) + 8, line)); // and the gap before it
    m_painter.setPen(theme.secondary);
    drawWords(m_painter, QRectF(from, first.top(), room, line), Qt::AlignLeft | Qt::AlignVCenter, more);
}

void ArrayColumnPainter::paintBar(ArraySide side, const ArrayItem &item, const QRectF &rect) const
{
    const Theme &theme = m_content.theme();
    const double heaviest
        = std::max({ m_content.before().heaviest(), m_content.hasAfter() ? m_content.after().heaviest() : 0.0, 1.0 });
    const double labelWidth = rect.width() * kBarLabelShare;
    const double figureWidth = 84;
    const double room = rect.width() - labelWidth - figureWidth - 12;
    const QRectF bar(rect.left() + labelWidth, rect.top() + rect.height() * 0.16,
        std::max(1.5, room * item.weight / heaviest), rect.height() * 0.68);
    if (item.kind == ArrayItem::Kind::Slot) {
        m_painter.fillRect(bar, m_content.colourOf(side, item));
        if (m_content.hasAfter() && side == ArraySide::Before) {
            // The weight before as an outline, the weight after as a fill.
            const SlotFate &fate = m_content.fates()[item.slot.index()];
            const bool isLeft = fate.kind != core::Fate::Summarised && fate.target.isValid();
            const double after = isLeft ? m_content.state().picture().weightsAfter.of(m_content.state().picture().after,
                                              m_content.state().picture().after.slot(fate.target))
                                        : 0.0;
            QRectF gone = bar;
            gone.setLeft(bar.left() + std::min(bar.width(), room * after / heaviest));
            m_painter.fillRect(gone, theme.base);
            QColor tint = m_content.colourOf(side, item);
            tint.setAlpha(60);
            m_painter.fillRect(gone, tint);
            m_painter.setPen(m_content.colourOf(side, item));
            m_painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    } else {
        hatchArea(m_painter, bar, theme.secondary);
        m_painter.setPen(theme.secondary);
        m_painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (rect.height() < ArrayViewport::kTextFrom)
        return;
    m_painter.setFont(Theme::figureFont(textPixels(rect.height(), 12)));
    m_painter.setPen(theme.text);
    drawWords(m_painter, QRectF(bar.right() + 6, rect.top(), figureWidth, rect.height()),
        Qt::AlignLeft | Qt::AlignVCenter, displayText(m_content.state().weights().shown(item.signedWeight())));
    paintBarWords(side, item, QRectF(rect.left() + 10, rect.top(), labelWidth - 20, rect.height()));
}

void ArrayColumnPainter::paintBarWords(ArraySide side, const ArrayItem &item, const QRectF &words) const
{
    const Theme &theme = m_content.theme();
    const ArrayColumn &shown = m_content.column(side);
    const auto pixels = [&](int standard) { return textPixels(words.height(), standard); };
    if (item.kind != ArrayItem::Kind::Slot) {
        m_painter.setFont(Theme::textFont(pixels(13)));
        m_painter.setPen(theme.secondary);
        drawWords(m_painter, words, Qt::AlignLeft | Qt::AlignVCenter,
            elidedWords(m_painter, nameOf(item.kind), words.width()));
        return;
    }
    const QString index = u"[%1]"_s.arg(item.slot.value());
    const auto digits = static_cast<int>(std::to_string(shown.transcript().slotCount()).size());
    const double indexWidth = wordsWidth(m_painter, u"0"_s) * (digits + 2) + 8;
    drawWords(m_painter, words, Qt::AlignLeft | Qt::AlignVCenter, index);
    m_painter.setFont(Theme::textFont(pixels(13)));
    const core::SlotLabel &label = shown.label(item.slot);
    QRectF rest = words.adjusted(indexWidth, 0, 0, 0);
    if (m_content.isBookmarked(side, item.slot)) {
        paintBookmark(m_painter, theme, { rest.left(), rest.top() + 2, kBookmark, rest.height() - 7 });
        rest.setLeft(rest.left() + kBookmark + 6);
    }
    if (const SlotOverride what = m_content.overrideOf(side, item.slot); what.isThere())
        rest.setLeft(rest.left() + paintOverride(m_painter, theme, what, rest));
    if (m_content.isViolated(side, item.slot)) {
        paintViolation(m_painter, theme, { rest.left() + 6, rest.center().y() }, 13);
        rest.setLeft(rest.left() + 18);
    }
    const QString line = slotWords(label, m_painter, rest.width());
    const double lineWidth = wordsWidth(m_painter, line);
    drawWords(m_painter, rest, Qt::AlignLeft | Qt::AlignVCenter, elidedWords(m_painter, line, rest.width()));
    if (rest.width() - lineWidth > 60 && !label.subject.empty()) {
        m_painter.setFont(Theme::textFont(pixels(12)));
        m_painter.setPen(theme.secondary);
        drawWords(m_painter, rest.adjusted(lineWidth + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elidedPath(m_painter, displayText(label.subject), rest.width() - lineWidth - 12));
    }
}

void ArrayColumnPainter::paintMarks(ArraySide side, const ArrayItem &item, const QRectF &rect) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    const Theme &theme = m_content.theme();
    // Slots of a simulated or observed array are selected together with their original slots.
    const bool isMapped = side == ArraySide::After && m_content.state().picture().made() != nullptr;
    const core::Transcript &transcript
        = isMapped ? m_content.before().transcript() : m_content.column(side).transcript();
    const SlotIndex slot = isMapped ? m_content.originOf(item.slot) : item.slot;
    const std::span<const core::BlockId> blocks
        = slot.isValid() ? transcript.blocksOf(transcript.slot(slot)) : std::span<const core::BlockId>();
    const auto holdsBlock = [&](core::BlockId id) { return std::ranges::find(blocks, id) != blocks.end(); };
    if (side == ArraySide::Before && std::ranges::binary_search(m_content.state().matches(), item.slot))
        paintMatch(m_painter, theme, rect);
    if (rect.height() < ArrayViewport::kTextFrom && m_content.mode() == ArrayMode::Slots) {
        if (const SlotOverride what = m_content.overrideOf(side, item.slot); what.isThere())
            paintOverrideEdge(m_painter, theme, what, rect);
        if (m_content.isBookmarked(side, item.slot))
            m_painter.fillRect(QRectF(rect.left() + 10, rect.top(), kBookmark, rect.height()), theme.accent);
        if (m_content.isViolated(side, item.slot))
            m_painter.fillRect(QRectF(rect.right() - 4, rect.top(), 4, rect.height()), theme.hot);
    }
    const core::BlockId added = m_content.state().addedBlock();
    const bool isSelected = added.isValid() ? side == ArraySide::After
            && std::ranges::contains(
                m_content.column(side).transcript().blocksOf(m_content.column(side).transcript().slot(item.slot)),
                added)
        : side == ArraySide::Before || isMapped
        ? slot.isValid() && std::ranges::binary_search(m_content.state().selection(), slot)
        : m_content.state().currentBlock().isValid() && holdsBlock(m_content.state().currentBlock());
    bool isPartner = false;
    const core::BlockId hovered = m_content.state().hoveredBlock();
    if (hovered.isValid()) {
        const core::MessageId message = m_content.state().session()->block(hovered).message;
        isPartner = std::ranges::any_of(blocks, [&](core::BlockId id) {
            return id == hovered || transcript.block(id).message == message || m_content.isPartner(id);
        });
    }
    // Inside the outline of the selection, where the two do not mix.
    const double inset = isSelected ? 2 : 0;
    if (side == ArraySide::Before && m_content.hotOf(item.slot) != nullptr)
        m_painter.fillRect(QRectF(rect.left() + inset, rect.top(), 4, rect.height()), theme.hot);
    if (!isSelected && !isPartner)
        return;
    m_painter.setBrush(Qt::NoBrush);
    if (isSelected) {
        m_painter.setPen(QPen(theme.accent, 2));
        m_painter.drawRect(rect.adjusted(1, 1, -1, -1));
    } else {
        m_painter.setPen(QPen(theme.accent, 1));
        m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ArrayColumnPainter::paintBrackets(ArraySide side) const
{
    const QRectF rect = m_view.columnRect(side);
    const double height
        = std::max(kEmptyHeight, m_content.column(side).layout().totalHeight(m_view.zoom())); // there may be no items
    const double bottom = std::min(rect.bottom() + 4, rect.top() + height - m_view.scrollOf(side) + 3);
    const double top = rect.top() - 4;
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(QPen(m_content.theme().secondary, 1));
    for (const bool isLeft : { true, false }) {
        const double x = isLeft ? rect.left() - 7 : rect.right() + 7;
        const double hook = isLeft ? 6 : -6;
        m_painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        if (m_view.scrollOf(side) <= 0)
            m_painter.drawLine(QPointF(x, top), QPointF(x + hook, top));
        if (bottom < rect.bottom() + 4)
            m_painter.drawLine(QPointF(x, bottom), QPointF(x + hook, bottom));
    }
    m_painter.restore();
}

} // namespace ui
