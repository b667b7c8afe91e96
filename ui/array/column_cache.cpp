// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/column_cache.h"

#include "ui/array/array_view.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/view_state.h"
#include "ui/look/cache_words.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::ArrayReading;
using core::SlotIndex;

namespace {

} // namespace

ColumnCache::ColumnCache(ArrayReading reading, const core::Transcript &array)
    : m_reading(std::move(reading))
{
    for (const core::BlockId id : m_reading.marked)
        m_marked.push_back(array.slotOf(id));
    std::ranges::sort(m_marked);
}

ColumnCache::Part ColumnCache::partOf(SlotIndex slot) const
{
    if (slot < m_reading.end.slot)
        return Part::Read;
    return slot == m_reading.end.slot && m_reading.end.share > 0 ? Part::InPart : Part::New;
}

double ColumnCache::readShareOf(SlotIndex slot) const
{
    const Part part = partOf(slot);
    return part == Part::Read ? 1 : part == Part::InPart ? m_reading.end.share : 0;
}

bool ColumnCache::isMarked(SlotIndex slot) const { return std::ranges::binary_search(m_marked, slot); }

QString ColumnCache::words() const
{
    const QString share = ArrayView::tr("%1 %").arg(m_reading.readShare() * 100, 0, 'f', 1);
    QString cause = cacheCauseWords(m_reading.cause, m_reading.idle);
    if (isBroken())
        cause = ArrayView::tr("broken, %1").arg(cause);
    switch (m_reading.source) {
    case ArrayReading::Source::Recorded:
        return cause.isEmpty() ? ArrayView::tr("cache read %1").arg(share)
                               : ArrayView::tr("cache read %1: %2").arg(share, cause);
    case ArrayReading::Source::Replayed:
        return cause.isEmpty() ? ArrayView::tr("would read ~%1 from the cache").arg(share)
                               : ArrayView::tr("would read ~%1 from the cache: %2").arg(share, cause);
    case ArrayReading::Source::Shared:
        return isBroken() ? ArrayView::tr("breaks the cache at [%1]").arg(m_reading.end.slot.value())
                          : ArrayView::tr("keeps the cache");
    }
    return {};
}

QString ColumnCache::wordsOf(SlotIndex slot) const
{
    const bool isShared = m_reading.source == ArrayReading::Source::Shared;
    QString words;
    switch (partOf(slot)) {
    case Part::Read:
        words = isShared ? ArrayView::tr("can be read from the cache") : ArrayView::tr("read from the cache");
        break;
    case Part::InPart:
        words = ArrayView::tr("read from the cache in part");
        break;
    case Part::New:
        words = isShared ? ArrayView::tr("cannot be read from the cache") : ArrayView::tr("not read from the cache");
        break;
    }
    if (slot == m_reading.end.slot && isBroken() && !isShared)
        words += u", "_s + cacheCauseWords(m_reading.cause, m_reading.idle);
    return isMarked(slot) ? words + u", "_s + ArrayView::tr("cache mark") : words;
}

std::optional<ColumnCache> cacheOfBefore(const ViewState &state)
{
    const ArrayPicture &picture = state.picture();
    const core::RecordedFiguresPtr &figures = state.workspace().figures().recorded();
    if (!figures || figures->ground->log.session != state.session() || picture.before.isEmpty())
        return std::nullopt;
    auto reading = core::recordedReading(
        figures->cache, picture.position, picture.before, picture.sum, *picture.weights.tokens());
    return reading ? std::optional(ColumnCache(std::move(*reading), picture.before)) : std::nullopt;
}

std::optional<ColumnCache> cacheOfAfter(const ViewState &state)
{
    const ArrayPicture &picture = state.picture();
    const core::RecordedFiguresPtr &figures = state.workspace().figures().recorded();
    if (!figures || figures->ground->log.session != state.session() || picture.after.isEmpty())
        return std::nullopt;
    std::optional<core::ArrayReading> reading;
    if (picture.simulated) {
        const core::PolicyFiguresPtr &policy = state.workspace().figures().policy();
        if (policy && figures->cache.hasFigures)
            reading = core::simulatedReading(
                *policy->replay, policy->cost, picture.position, *picture.simulated, picture.sum);
    } else if (picture.compaction != nullptr && !picture.position.isEnd()) {
        core::Position next = picture.position;
        next.call = core::CallIndex(next.call.value() + 1);
        reading = core::recordedReading(
            figures->cache, next, picture.after, picture.sumAfter, *picture.weightsAfter.tokens());
    }
    return reading ? std::optional(ColumnCache(std::move(*reading), picture.after)) : std::nullopt;
}

void paintBreakpoint(QPainter &painter, const Theme &theme, QPointF tip)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF({ tip, tip + QPointF(-5, -3.5), tip + QPointF(-5, 3.5) }));
    painter.restore();
}

} // namespace ui
