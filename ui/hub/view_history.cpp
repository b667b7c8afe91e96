// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/view_history.h"

#include <QScopedValueRollback>

namespace ui {

ViewHistory::ViewHistory(ViewState &state, QObject *parent)
    : QObject(parent)
    , m_state(state)
{
    connect(&state, &ViewState::pictureChanged, this, &ViewHistory::record);
    connect(&state, &ViewState::currentChanged, this, &ViewHistory::record);
}

ViewHistory::Place ViewHistory::here() const { return { m_state.position(), m_state.currentBlock() }; }

/// A neighbouring call with the same block, or a neighbouring message at the same call.
bool ViewHistory::isStep(const Place &from, const Place &to)
{
    if (from.position.thread != to.position.thread || from.position.isEnd() != to.position.isEnd())
        return false;
    const auto isNear = [](uint32_t a, uint32_t b) { return (a > b ? a - b : b - a) <= 1; };
    if (from.position == to.position)
        return from.block.isValid() && to.block.isValid() && isNear(from.block.value(), to.block.value());
    return from.block == to.block && isNear(from.position.call.value(), to.position.call.value());
}

void ViewHistory::record()
{
    if (m_session != m_state.session()) {
        m_session = m_state.session();
        m_places.clear();
        m_at = 0;
    }
    if (m_isGoing || !m_session)
        return;
    const Place place = here();
    if (m_places.empty()) {
        m_places.push_back(place);
    } else if (place == m_places[m_at]) {
        return;
    } else if (isStep(m_places[m_at], place)) {
        m_places[m_at] = place;
    } else {
        m_places.resize(m_at + 1);
        m_places.push_back(place);
        if (m_places.size() > kMost)
            m_places.erase(m_places.begin());
        m_at = m_places.size() - 1;
    }
    Q_EMIT changed();
}

bool ViewHistory::canGo(int direction) const { return direction < 0 ? m_at > 0 : m_at + 1 < m_places.size(); }

void ViewHistory::go(int direction)
{
    if (!canGo(direction))
        return;
    m_at = direction < 0 ? m_at - 1 : m_at + 1;
    const QScopedValueRollback going(m_isGoing, true);
    const Place place = m_places[m_at];
    m_state.setPosition(place.position);
    // The slot first, so that the views bring it into sight.
    m_state.setCurrentSlot(m_state.picture().before.slotOf(place.block));
    m_state.setCurrentBlock(place.block);
    Q_EMIT changed();
}

} // namespace ui
