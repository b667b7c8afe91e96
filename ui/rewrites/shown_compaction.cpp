// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/shown_compaction.h"

#include "core/compaction/observe.h"

namespace ui {

ShownCompaction::ShownCompaction(ViewState &state)
    : m_state(state)
{
}

void ShownCompaction::set(const core::CompactionPtr &compaction)
{
    m_compaction = compaction;
    Q_EMIT changed();
}

void ShownCompaction::refresh()
{
    const ArrayPicture &picture = m_state.picture();
    if (picture.made() || picture.compaction == nullptr) {
        m_observing.cancel();
        m_recorded = nullptr;
        return set(picture.made());
    }
    const core::SessionPtr &session = m_state.session();
    if (m_recorded == picture.compaction && m_recordedIn.lock() == session)
        return;
    m_recorded = picture.compaction;
    m_recordedIn = session;
    m_observing.start(
        this,
        [session, thread = picture.position.thread, number = picture.compactionNumber - 1,
            tokens = m_state.workspace().tokens()](core::Progress &) -> core::CompactionPtr {
            return std::make_shared<const core::Compaction>(core::observeRecorded(session, thread, number, tokens));
        },
        [this](const core::CompactionPtr &made) { set(made); });
    set(nullptr);
}

core::RecoveryOptions ShownCompaction::recoveryOptions() const
{
    // The array is the one before the call. A recorded compaction comes after that call.
    const core::Position position = m_state.picture().position;
    core::RecoveryOptions options;
    options.thread = position.thread;
    options.nextCall = position.call;
    if (m_recorded != nullptr && position.call.isValid())
        options.nextCall = core::CallIndex(position.call.index() + 1);
    return options;
}

} // namespace ui
