// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/sessions_delegate.h"

#include "core/report/list_report.h"
#include "ui/hub/searched_texts.h"
#include "ui/sessions/sessions_model.h"
#include "ui/widgets/painted_snippet.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTitlePixels = 13;
constexpr int kSmallPixels = 11;
constexpr int kNameGap = 10; ///< pixels between the title and the name at the right
constexpr double kBarHeight = 4;
constexpr int kChipHeight = 18;
constexpr int kChipGap = 4;
constexpr int kChipPadding = 7;
constexpr double kWindowRoom = 1.04; ///< the window's line is a little below the top

} // namespace

void paintCurve(QPainter &painter, const QRectF &place, const core::SessionEntry &entry, const Theme &theme)
{
    if (entry.curve.empty())
        return;
    const double window = entry.window ? static_cast<double>(*entry.window) : 0;
    const double peak = static_cast<double>(*std::ranges::max_element(entry.curve));
    const double top = std::max(window, peak) * kWindowRoom;
    if (top <= 0)
        return;
    const auto yOf = [&](double tokens) { return place.bottom() - place.height() * tokens / top; };
    const size_t count = entry.curve.size();
    const auto xOf = [&](size_t point) {
        return count == 1 ? place.right()
                          : place.left() + place.width() * static_cast<double>(point) / static_cast<double>(count - 1);
    };
    QPainterPath line(QPointF(count == 1 ? place.left() : xOf(0), yOf(entry.curve.front())));
    for (size_t i = 0; i < count; ++i)
        line.lineTo(xOf(i), yOf(entry.curve[i]));
    QPainterPath ground = line;
    ground.lineTo(place.right(), place.bottom());
    ground.lineTo(place.left(), place.bottom());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(ground, theme.curveGround);
    painter.setPen(QPen(theme.curve, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (window > 0) {
        painter.setPen(QPen(theme.secondary, 1, Qt::DotLine));
        const double y = crisp(yOf(window));
        painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y));
    }
    painter.setPen(QPen(theme.hot, 1, Qt::DashLine));
    for (const float at : entry.compactions) {
        const double x = crisp(place.left() + place.width() * std::clamp<double>(at, 0, 1));
        painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    }
    painter.restore();
}

void SessionsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto &model = *qobject_cast<const SessionsModel *>(index.model());
    const core::SessionEntry &entry = *model.session(index.row()).entry;
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, isSelected ? m_theme.accentGround : m_theme.base);
    painter->fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1, m_theme.hairline);
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, -1);
    switch (index.column()) {
    case SessionsModel::Session:
        paintSession(*painter, option.rect.adjusted(0, 0, -kPadding, -1), model, index.row());
        break;
    case SessionsModel::Context:
        paintCurve(*painter, QRectF(cell).adjusted(0, 9, 0, -9), entry, m_theme);
        break;
    case SessionsModel::Peak:
        paintPeak(*painter, cell, index);
        break;
    case SessionsModel::Cost:
        paintCost(*painter, cell, index);
        break;
    case SessionsModel::Found:
        paintChips(*painter, cell, entry);
        break;
    default:
        painter->setFont(Theme::figureFont(12));
        painter->setPen(m_theme.text);
        painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    }
    painter->restore();
}

void SessionsDelegate::paintSession(QPainter &painter, const QRect &cell, const SessionsModel &model, int row) const
{
    if (isInUse(*model.session(row).entry)) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.accent);
        painter.drawEllipse(QRectF(cell.left() + 12, cell.center().y() - 4, 8, 8));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const QRect text = cell.adjusted(kDotRoom, 5, 0, -5);
    const QRect upper(text.left(), text.top(), text.width(), text.height() / 2);
    const QRect lower(text.left(), upper.bottom() + 1, text.width(), text.height() - upper.height());
    painter.setFont(Theme::textFont(kSmallPixels));
    painter.setPen(m_theme.secondary);
    const QString name = painter.fontMetrics().elidedText(model.name(row), Qt::ElideMiddle, upper.width() * 2 / 5);
    painter.drawText(upper, Qt::AlignRight | Qt::AlignVCenter, name);
    const int nameRoom = name.isEmpty() ? 0 : painter.fontMetrics().horizontalAdvance(name) + kNameGap;
    painter.setFont(Theme::strongFont(kTitlePixels));
    painter.setPen(m_theme.text);
    painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(model.title(row), Qt::ElideRight, upper.width() - nameRoom));
    painter.setFont(Theme::textFont(kSmallPixels));
    painter.setPen(m_theme.secondary);
    const core::SessionHits *hits = model.hits(row);
    if (hits != nullptr && !hits->hits.empty()) {
        const core::HitSnippet &snippet = hits->hits.front().snippet;
        paintSnippet(painter, lower, snippet, placesOf(model.search()->texts, snippet.text), m_theme);
        return;
    }
    painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(model.subtitle(row), Qt::ElideRight, lower.width()));
}

void SessionsDelegate::paintPeak(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    const core::SessionEntry &entry = *qobject_cast<const SessionsModel *>(index.model())->session(index.row()).entry;
    painter.setFont(Theme::figureFont(12));
    painter.setPen(m_theme.text);
    if (!entry.window || entry.peak <= 0) {
        painter.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
        return;
    }
    painter.drawText(cell.adjusted(0, 8, 0, -20), Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    const double share = entry.peak / static_cast<double>(*entry.window);
    const QRectF bar(cell.left(), cell.bottom() - 15, cell.width(), kBarHeight);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.hairline);
    painter.drawRoundedRect(bar, 2, 2);
    painter.setBrush(share >= kNearWindow ? m_theme.hot : m_theme.of(core::Material::Bulk));
    painter.drawRoundedRect(
        QRectF(bar.left(), bar.top(), std::max(kBarHeight, bar.width() * std::min(share, 1.0)), bar.height()), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SessionsDelegate::paintCost(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    const size_t subagents = qobject_cast<const SessionsModel *>(index.model())->session(index.row()).subagentCount();
    painter.setFont(Theme::figureFont(12));
    painter.setPen(m_theme.text);
    painter.drawText(
        subagents > 0 ? cell.adjusted(0, 8, 0, -20) : cell, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    if (subagents == 0)
        return;
    painter.setFont(Theme::textFont(kSmallPixels));
    painter.setPen(m_theme.secondary);
    painter.drawText(cell.adjusted(0, 22, 0, 0), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
        SessionsModel::tr("with %1").arg(
            counted(subagents, SessionsModel::tr("subagent"), SessionsModel::tr("subagents"))));
}

void SessionsDelegate::paintChips(QPainter &painter, const QRect &cell, const core::SessionEntry &entry) const
{
    const std::vector<core::FindingChip> chips = core::findingChips(entry);
    painter.setFont(Theme::textFont(kSmallPixels));
    painter.setRenderHint(QPainter::Antialiasing);
    // One or two rows; what does not fit is counted.
    const auto widthOf
        = [&](const QString &text) { return painter.fontMetrics().horizontalAdvance(text) + 2 * kChipPadding; };
    const int more = widthOf(u"+99"_s);
    struct Place {
        QRect rect;
        size_t chip;
    };
    std::vector<Place> places;
    int x = cell.left();
    int row = 0;
    for (size_t i = 0; i < chips.size(); ++i) {
        const int width = std::min(widthOf(ui::displayText(chips[i].text)), cell.width());
        const bool isLast = i + 1 == chips.size();
        if (x > cell.left() && x + width > cell.right() + 1 - (row == 1 && !isLast ? more : 0)) {
            if (row == 1)
                break;
            row = 1;
            x = cell.left();
        }
        if (row == 1 && !isLast && x + width > cell.right() + 1 - more && x > cell.left())
            break;
        places.push_back({ QRect(x, row, width, kChipHeight), i });
        x += width + kChipGap;
    }
    const int height = (row + 1) * kChipHeight + row * 3;
    const int top = cell.top() + (cell.height() - height) / 2;
    const auto paintChip = [&](const QRect &place, const QString &text, const QColor &ink) {
        painter.setPen(QPen(blended(ink, m_theme.base, 0.35), 1));
        painter.setBrush(m_theme.base);
        painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        painter.setPen(ink);
        painter.drawText(place.adjusted(kChipPadding, 0, -kChipPadding + 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(text, Qt::ElideRight, place.width() - 2 * kChipPadding + 2));
    };
    for (const Place &place : places) {
        const core::FindingChip &chip = chips[place.chip];
        const QRect rect(
            place.rect.left(), top + place.rect.top() * (kChipHeight + 3), place.rect.width(), kChipHeight);
        paintChip(
            rect, ui::displayText(chip.text), chip.rank == core::FindingRank::Lost ? m_theme.hot : m_theme.secondary);
    }
    if (places.size() < chips.size()) {
        const QRect rect(x, top + row * (kChipHeight + 3), more, kChipHeight);
        painter.setPen(m_theme.secondary);
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, u"+%1"_s.arg(chips.size() - places.size()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QSize SessionsDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 60, kRow }; }

} // namespace ui
