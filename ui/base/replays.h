// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay.h"
#include "ui/base/background_pool.h"
#include "ui/base/job.h"

#include <QObject>

namespace ui {

class Workspace;

/// The plan at every call of the shown thread, made in the background whenever plan, tokens, session or thread change.
/// A replay always waits for its triggers, whatever the plan says of the shown array. While the plan is dragged every
/// replay that is finished is shown, and the newest is begun after it.
class Replays final : public QObject {
    Q_OBJECT

public:
    explicit Replays(Workspace &workspace);
    ~Replays() override;

    /// Of the plan at hand or, while that is being replayed, of the one before it; nullptr as recorded.
    [[nodiscard]] const core::ReplayPtr &current() const { return m_current; }
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// For pictures and tests: returns when the replay is the one that was asked for last.
    void waitForReplay();

Q_SIGNALS:
    void changed();

private:
    /// What a replay stands on.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::ThreadIndex thread;
        friend bool operator==(const Ground &, const Ground &) = default;
    };

    [[nodiscard]] Ground ground() const;
    void refresh();
    void start();
    void take(core::ReplayPtr replay);
    void setCurrent(core::ReplayPtr replay);

    Workspace &m_workspace;
    core::ReplayPtr m_current;
    Ground m_ground;              ///< of what is current or being made
    core::ReplayGroundPtr m_made; ///< of `m_ground`, once it was needed
    bool m_isOutdated = false;    ///< what is being made is not what was asked for last
    BackgroundPool m_pool;        ///< a replay waits for no reading of texts
    Job<core::ReplayPtr> m_job { &m_pool };
};

} // namespace ui
