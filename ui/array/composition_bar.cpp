// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/composition_bar.h"

#include "ui/array/array_words.h"
#include "ui/look/material_words.h"

#include <QPainter>

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPartMargin = 5; ///< on both sides of the words in a part

/// A percentage with a true minus sign; no part that is there has none.
QString percentText(const CompositionPart &part)
{
    if (part.percent == 0)
        return u"<1 %"_s;
    return u"%1%2 %"_s.arg(part.percent < 0 ? u"\u2212"_s : QString()).arg(std::abs(part.percent));
}

} // namespace

QString CompositionBar::nameOf(const CompositionPart &part) const
{
    switch (part.kind) {
    case ArrayItem::Kind::Prelude:
        return tr("prelude");
    case ArrayItem::Kind::Unlogged:
        return tr("unlogged");
    case ArrayItem::Kind::NotSent:
        return tr("logged, not sent");
    case ArrayItem::Kind::Remainder:
        return tr("remainder");
    case ArrayItem::Kind::Slot:
        break;
    }
    if (m_content.state().colourBy() != ColourBy::Role)
        return materialName(part.material);
    switch (part.material) { // see `materialOfRole`
    case core::Material::System:
        return tr("system");
    case core::Material::ToolRequest:
        return tr("assistant");
    case core::Material::Bulk:
        return tr("tool");
    default:
        return tr("user");
    }
}

QString CompositionBar::meaningOf(const Hit &hit) const
{
    const CompositionPart &part = hit.part;
    const ArrayPicture &picture = m_content.state().picture();
    switch (part.kind) {
    case ArrayItem::Kind::Prelude:
        return tr("The system prompt and the tools.");
    case ArrayItem::Kind::Unlogged:
        return tr("Recorded usage proves that it was sent. The log does not hold it.");
    case ArrayItem::Kind::NotSent:
        return tr("It is in the log, but recorded usage proves that it was not sent. It is subtracted from the sum.");
    case ArrayItem::Kind::Remainder:
        if (!(hit.side == ArraySide::Before ? picture.sum : picture.sumAfter).isRecorded())
            return tr("The error of the estimates: the sizes of the other parts are estimated. It is taken from a call "
                      "with a recorded prompt. It is negative if the estimates were too large there.");
        return part.weight < 0
            ? tr("The error of the estimates: the other parts are together larger than the recorded prompt. The "
                 "remainder takes the difference off, so that the total is that prompt.")
            : tr("The error of the estimates: the other parts are together smaller than the recorded prompt. The "
                 "remainder adds the difference, so that the total is that prompt.");
    case ArrayItem::Kind::Slot:
        break;
    }
    return m_content.state().colourBy() == ColourBy::Role
        ? tr("All slots of this role. Results are of the tool, whichever role carries them.")
        : materialMeaning(part.material);
}

QString CompositionBar::weightOf(ArraySide side, const CompositionPart &part) const
{
    const ArrayPicture &picture = m_content.state().picture();
    const core::Weights &weights = side == ArraySide::Before ? picture.weights : picture.weightsAfter;
    const QString shown = displayText(weights.shown(std::abs(part.weight))) + u' ' + displayText(weights.unitName());
    return part.weight < 0 ? signedFigure(QChar(0x2212), shown) : shown;
}

std::vector<CompositionPiece> CompositionBar::piecesOf(ArraySide side) const
{
    const QRectF bar = m_view.compositionRect(side);
    return compositionPieces(m_content.compositionOf(side), bar.left(), bar.right());
}

void CompositionBar::paint(QPainter &painter, ArraySide side) const
{
    const QRectF bar = m_view.compositionRect(side);
    for (const CompositionPiece &piece : piecesOf(side)) {
        // Edges of neighbours meet on the same pixel.
        const double left = std::round(piece.left);
        const double right = std::max(left + 1, std::round(piece.right));
        paintPiece(
            painter, m_content.compositionOf(side)[piece.part], QRectF(left, bar.top(), right - left, bar.height()));
    }
}

void CompositionBar::paintPiece(QPainter &painter, const CompositionPart &part, const QRectF &rect) const
{
    const Theme &theme = m_content.theme();
    const core::Thread &thread = m_content.state().session()->thread(m_content.state().position().thread);
    const bool isRecorded = part.kind == ArrayItem::Kind::Prelude && thread.prelude.has_value();
    const bool isFilled = part.isMaterial() || isRecorded;
    painter.fillRect(
        rect, !isFilled ? theme.base : theme.of(part.isMaterial() ? part.material : core::Material::System));
    if (!isFilled) {
        hatchArea(painter, rect, theme.hairline);
        if (rect.width() > 3) {
            painter.setPen(QPen(theme.secondary, 1, part.weight < 0 ? Qt::DashLine : Qt::SolidLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    if (part.isMaterial()) // a light edge: neighbours may have similar fills
        painter.fillRect(
            QRectF(rect.right() - 1, rect.top(), std::min(1.0, rect.width() - 1), rect.height()), theme.base);
    painter.setFont(smallArrayFont());
    const auto widthOf = [&](const QString &words) { return wordsWidth(painter, words); };
    const double room = rect.width() - 2 * kPartMargin;
    QString shown = nameOf(part) + u' ' + percentText(part);
    if (widthOf(shown) > room)
        shown = percentText(part);
    if (widthOf(shown) > room)
        return;
    if (!isFilled)
        painter.fillRect(
            QRectF(rect.left() + kPartMargin - 2, rect.top() + 2, widthOf(shown) + 4, rect.height() - 4), theme.base);
    painter.setPen(isFilled ? theme.onFill : theme.text);
    drawWords(painter, rect.adjusted(kPartMargin, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, shown);
}

std::optional<CompositionBar::Hit> CompositionBar::hitAt(QPointF position) const
{
    for (const ArraySide side : { ArraySide::Before, ArraySide::After }) {
        if (side == ArraySide::After && !m_content.hasAfter())
            break;
        if (!m_view.compositionRect(side).contains(position))
            continue;
        for (const CompositionPiece &piece : piecesOf(side)) {
            if (position.x() >= piece.left && position.x() < piece.right)
                return Hit { side, m_content.compositionOf(side)[piece.part] };
        }
    }
    return std::nullopt;
}

QString CompositionBar::tip(const Hit &hit) const
{
    return tr("%1: %2, %3 of the prompt").arg(nameOf(hit.part), weightOf(hit.side, hit.part), percentText(hit.part))
        + u'\n' + meaningOf(hit);
}

QString CompositionBar::words(ArraySide side) const
{
    QStringList parts;
    for (const CompositionPart &part : m_content.compositionOf(side))
        parts << wordsOf({ side, part });
    return parts.join(u"; "_s);
}

QString CompositionBar::wordsOf(const Hit &hit) const
{
    return tr("%1 %2, %3").arg(nameOf(hit.part), weightOf(hit.side, hit.part), percentText(hit.part));
}

QRectF CompositionBar::rectOf(ArraySide side, size_t part) const
{
    const QRectF bar = m_view.compositionRect(side);
    for (const CompositionPiece &piece : piecesOf(side)) {
        if (piece.part == part)
            return { piece.left, bar.top(), piece.right - piece.left, bar.height() };
    }
    return {};
}

} // namespace ui
