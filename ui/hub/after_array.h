// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/array_picture.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QThreadPool>

#include <functional>

namespace ui {

class Workspace;

/// Computes the `after` array: the plan applied to the array at a position, or the differences between that array and
/// the other file. Small arrays are computed at once, within a few milliseconds, large ones in a job. While the user
/// drags a setting, each finished compaction is shown. Then the compaction for the newest plan starts, so that the
/// picture follows the drag.
class AfterArray final : public QObject {
    Q_OBJECT

public:
    explicit AfterArray(Workspace &workspace);

    /// Call it when the session, the position, the plan or the other file has changed. `kind` is not Recorded.
    void make(core::Position position, Aftermath kind);
    /// Call it when there is nothing to compute: the `after` array is the recorded one, or there is none.
    void forget();

    /// The compaction for the newest plan or, while that is computed, for an earlier plan of the same array; nullptr if
    /// there is none.
    [[nodiscard]] const core::CompactionPtr &compaction() const { return m_made.compaction; }
    [[nodiscard]] Aftermath kind() const { return m_made.kind; }
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// For pictures and tests: waits for the newest compaction.
    void wait() { m_job.wait(); }

Q_SIGNALS:
    /// A job ended; `compaction` is nullptr if it failed. Not emitted for compactions that `make` computes at once.
    void made();

private:
    /// A compaction and its inputs.
    struct Made {
        core::CompactionPtr compaction;
        Aftermath kind = Aftermath::Simulated;
        const void *session = nullptr;
        const void *otherSession = nullptr;
        core::Position position;

        [[nodiscard]] bool isForTheSame(const Made &other) const
        {
            return kind == other.kind && session == other.session && otherSession == other.otherSession
                && position == other.position;
        }
    };
    using Work = std::function<core::CompactionPtr(core::Progress &)>;

    [[nodiscard]] core::Transcript arrayAt(core::Position position) const;
    [[nodiscard]] Work compacting(const core::Transcript &array, core::Position position) const;
    [[nodiscard]] Work replaying(core::Position position) const;
    void start(const Made &wanted, const Work &work);
    void take(Made result);

    Workspace &m_workspace;
    Made m_made;
    Made m_asked; ///< inputs of the last call of `make`
    Made m_beingMade;
    bool m_isOutdated = false; ///< the job works on an older plan
    QThreadPool m_pool;        ///< separate, so that a plan waits for no search or count
    Job<core::CompactionPtr> m_job { &m_pool };
};

} // namespace ui
