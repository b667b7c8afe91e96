// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recovery.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"

#include <memory>

namespace ui {

/// The compaction beside the array: the picture's simulated or observed one. A recorded compaction is known only as two
/// arrays, so its changes are observed in a job.
class ShownCompaction final : public QObject {
    Q_OBJECT

public:
    explicit ShownCompaction(ViewState &state);

    /// nullptr without one, and while a recorded compaction is being observed.
    [[nodiscard]] const core::CompactionPtr &get() const { return m_compaction; }
    [[nodiscard]] bool isObserving() const { return m_observing.isRunning(); }
    /// Where its texts can be recovered from, without a look into the session's folder.
    [[nodiscard]] core::RecoveryOptions recoveryOptions() const;
    /// Reads the picture.
    void refresh();

Q_SIGNALS:
    /// Emitted after each picture, even if the compaction is the same.
    void changed();

private:
    void set(const core::CompactionPtr &compaction);

    ViewState &m_state;
    core::CompactionPtr m_compaction;
    const core::RecordedCompaction *m_recorded = nullptr; ///< the recorded compaction that is shown or being observed
    std::weak_ptr<const core::Session> m_recordedIn;
    Job<core::CompactionPtr> m_observing;
};

} // namespace ui
