// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/keep_handle.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kHandleGap = 11; ///< from the slots; their bracket is between

} // namespace

std::optional<double> KeepHandle::line() const
{
    const size_t slots = m_content.state().picture().before.slotCount();
    // A comparison of two files has no keep window.
    if (slots == 0 || m_content.mode() == ArrayMode::BarsHeaviest || m_content.state().picture().observed)
        return std::nullopt;
    const size_t cutoff = m_content.state().picture().cutoff;
    const ColumnLayout &layout = m_content.before().layout();
    const double top = cutoff < slots ? layout.top(m_content.before().itemOf(SlotIndex(cutoff)), m_view.zoom())
                                      : layout.totalHeight(m_view.zoom());
    return m_view.columnRect(ArraySide::Before).top() + top - m_view.scrollOf(ArraySide::Before)
        - ArrayViewport::kGap / 2;
}

QRectF KeepHandle::rect() const
{
    const auto at = line();
    if (!at)
        return {};
    const QRectF column = m_view.columnRect(ArraySide::Before);
    if (*at < column.top() - 10 || *at > column.bottom() + 10)
        return {};
    const double width = QFontMetricsF(Theme::textFont(11)).horizontalAdvance(words()) + 16;
    return { column.right() + kHandleGap, std::round(*at) - 9, width, 18 };
}

/// `keep 10 % of window`, without a policy `trial keep 10 % of window`; where there is no room beside the slots, less
/// of it.
QString KeepHandle::words() const
{
    const core::Measure keep = m_content.state().workspace().keep();
    const QString field = QString::fromStdString(keep.fieldText());
    const QStringList choices {
        (isTrial() ? tr("trial keep %1") : tr("keep %1")).arg(QString::fromStdString(keep.words())),
        isTrial() ? tr("trial %1").arg(field) : tr("keep %1").arg(field)
    };
    const QRectF column = m_view.columnRect(ArraySide::Before);
    const double end
        = m_content.hasAfter() ? m_view.columnRect(ArraySide::After).left() - kHandleGap : m_view.size().width() - 2;
    const double room = end - column.right() - kHandleGap - 16;
    const QFontMetricsF metrics(Theme::textFont(11));
    const auto fits = [&](const QString &each) { return metrics.horizontalAdvance(each) <= room; };
    const auto choice = std::ranges::find_if(choices, fits);
    return choice == choices.end() ? field : *choice;
}

void KeepHandle::paint(QPainter &painter) const
{
    const auto at = line();
    if (!at)
        return;
    const Theme &theme = m_content.theme();
    const QRectF column = m_view.columnRect(ArraySide::Before);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // The keep window is bracketed along the right bracket of the column.
    const double end = std::min(column.bottom(),
        column.top() + m_content.before().layout().totalHeight(m_view.zoom()) - m_view.scrollOf(ArraySide::Before));
    const double from = std::max(column.top(), *at);
    if (from < end) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(QPointF(column.right() + 7, from), QPointF(column.right() + 7, end));
    }
    const QRectF handle = rect();
    if (!handle.isEmpty()) {
        const double y = std::round(*at) + 0.5;
        painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(column.left(), y), QPointF(handle.left(), y));
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(theme.base);
        painter.drawRoundedRect(handle.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
        painter.setFont(Theme::textFont(11));
        painter.drawText(handle, Qt::AlignCenter, words());
    }
    painter.restore();
}

QString KeepHandle::name() const
{
    const size_t slots = m_content.state().picture().before.slotCount();
    return tr("keep %1, the last %2 of %3 slots")
        .arg(QString::fromStdString(m_content.state().workspace().keep().words()))
        .arg(slots - std::min(slots, cutoff()))
        .arg(slots);
}

QString KeepHandle::tip() const
{
    return name() + u'\n'
        + (isTrial() ? tr("A trial, not a setting of the harness: only slots above this line count as hot. Drag the "
                          "line to try another keep. Choose a policy to see what a keep does.")
                     : tr("The policy keeps the messages below this line. Drag the line to change keep."));
}

void KeepHandle::start(Gesture gesture)
{
    m_content.state().workspace().beginGesture();
    m_gesture = gesture;
    m_requested.reset();
}

core::Measure KeepHandle::keepAt(size_t cutoff) const
{
    const ArrayPicture &picture = m_content.state().picture();
    const size_t slots = picture.before.slotCount();
    const core::Measure now = m_content.state().workspace().keep();
    if (const auto &policy = m_content.state().workspace().plan().policy)
        return core::keepBeginningAt(picture.before, *policy, *m_content.state().workspace().tokens(),
            SlotIndex(cutoff), m_content.state().workspace().memo());
    if (now.unit == core::Measure::Unit::Messages)
        return { static_cast<double>(slots - cutoff), now.unit };
    double tokens = 0;
    for (size_t i = cutoff; i < slots; ++i) {
        for (const core::BlockId id : picture.before.blocksOf(picture.before.slots()[i]))
            tokens += m_content.state().workspace().tokens()->of(id);
    }
    if (now.unit == core::Measure::Unit::Tokens)
        return { std::ceil(tokens), now.unit };
    double whole = static_cast<double>(m_content.state().session()->windowTokens.value_or(0));
    if (whole <= 0) {
        for (const core::BlockId id : picture.before.blocks())
            whole += m_content.state().workspace().tokens()->of(id);
    }
    // Rounded up, so that the slot at the boundary stays inside.
    return { std::ceil(tokens / std::max(1.0, whole) * 10000) / 10000, now.unit };
}

void KeepHandle::dragTo(double y)
{
    const QRectF column = m_view.columnRect(ArraySide::Before);
    const ColumnLayout &layout = m_content.before().layout();
    const double inColumn = y - column.top() + m_view.scrollOf(ArraySide::Before);
    const size_t item = layout.itemAt(inColumn, m_view.zoom());
    const bool isLowerHalf = inColumn > layout.top(item, m_view.zoom()) + layout.height(item, m_view.zoom()) / 2;
    const ArrayItem &under = m_content.before().items()[item];
    size_t cutoff = under.kind == ArrayItem::Kind::Slot ? under.slot.index() + (isLowerHalf ? 1 : 0) : 0;
    request(cutoff);
}

void KeepHandle::request(size_t cutoff)
{
    cutoff = std::min(cutoff, m_content.state().picture().before.slotCount() - 1); // the last slot is always kept
    if (cutoff == this->cutoff())
        return;
    m_requested = cutoff;
    m_content.state().workspace().previewKeep(keepAt(cutoff));
}

void KeepHandle::step(int slots)
{
    if (isDragged())
        return;
    if (!isRunning())
        start(Gesture::Steps);
    request(static_cast<size_t>(std::max(0, static_cast<int>(cutoff()) + slots)));
}

void KeepHandle::keepFrom(size_t cutoff)
{
    if (isRunning())
        return;
    start(Gesture::Steps);
    request(cutoff);
    endSteps();
}

bool KeepHandle::end(Gesture gesture)
{
    if (m_gesture != gesture)
        return false;
    m_gesture = Gesture::None;
    m_requested.reset();
    Workspace &workspace = m_content.state().workspace();
    workspace.endGesture(tr("Change Keep to %1").arg(QString::fromStdString(workspace.keep().words())));
    return true;
}

bool KeepHandle::cancel()
{
    if (std::exchange(m_gesture, Gesture::None) == Gesture::None)
        return false;
    m_requested.reset();
    m_content.state().workspace().cancelGesture();
    return true;
}

} // namespace ui
