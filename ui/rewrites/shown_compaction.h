// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recovery.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"

#include <memory>

namespace ui {

/// The compaction beside the array: simulated or observed as in the picture. A recorded one is only known as two
/// arrays; its changes are found by observing them in a job.
class ShownCompaction final : public QObject {
    Q_OBJECT

public:
    explicit ShownCompaction(ViewState &state);

    /// nullptr without one, and while a recorded one is observed.
    [[nodiscard]] const core::CompactionPtr &get() const { return m_compaction; }
    [[nodiscard]] bool isObserving() const { return m_observing.isRunning(); }
    /// Where its texts can be looked for, but for the folder.
    [[nodiscard]] core::RecoveryOptions recoveryOptions() const;
    /// Reads the picture.
    void refresh();

Q_SIGNALS:
    /// Behind each picture, also if the compaction is the same.
    void changed();
    /// Another compaction, or none; before `changed`.
    void countChanged(size_t rewrites);

private:
    void set(const core::CompactionPtr &compaction);

    ViewState &m_state;
    core::CompactionPtr m_compaction;
    const core::RecordedCompaction *m_recorded = nullptr; ///< the recorded one that is, or is being, observed
    std::weak_ptr<const core::Session> m_recordedIn;
    Job<core::CompactionPtr> m_observing;
};

} // namespace ui
