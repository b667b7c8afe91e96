// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QTimer>

#include <chrono>

namespace ui {

class Workspace;

/// The plan at every call of the shown thread, made in the background whenever plan, tokens, session or thread change.
/// A replay always waits for its triggers, whatever the plan says of the shown array. While the plan is dragged every
/// replay that is finished is shown, and the newest is begun after it; but where they are slow, the next waits until
/// the plan has stood still, so that the array, which is planned beside it, follows the drag.
class Replays final : public QObject {
    Q_OBJECT

public:
    explicit Replays(Workspace &workspace);
    ~Replays() override;

    /// Of the plan at hand or, while that is being replayed, of the one before it; nullptr as recorded.
    [[nodiscard]] const core::ReplayPtr &current() const { return m_current; }
    /// Replays, or waits for stillness.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning() || m_stillness.isActive(); }
    /// For pictures and tests: returns when the replay is the one that was asked for last.
    void waitForReplay();
    /// For tests: from what a replay takes on it is slow, and how long it then waits.
    void setSlow(std::chrono::nanoseconds from, std::chrono::milliseconds stillness = kStillness)
    {
        m_slowFrom = from;
        m_stillness.setInterval(stillness);
    }

Q_SIGNALS:
    void changed();

private:
    static constexpr std::chrono::milliseconds kStillness { 150 };
    static constexpr std::chrono::milliseconds kSlow { 50 }; ///< some frames

    /// What a replay stands on.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::ThreadIndex thread;
        friend bool operator==(const Ground &, const Ground &) = default;
    };

    struct Made {
        core::ReplayPtr replay;
        std::chrono::nanoseconds time {}; ///< what it took on its ground
    };

    [[nodiscard]] Ground ground() const;
    [[nodiscard]] bool isSlow() const { return m_lastTime >= m_slowFrom; }
    void refresh();
    void startSoon();
    void start();
    void take(Made made);
    void setCurrent(core::ReplayPtr replay);

    Workspace &m_workspace;
    core::ReplayPtr m_current;
    Ground m_ground;              ///< of what is current or being made
    core::ReplayGroundPtr m_made; ///< of `m_ground`, once it was needed
    bool m_isOutdated = false;    ///< what is being made is not what was asked for last
    std::chrono::nanoseconds m_slowFrom { kSlow };
    std::chrono::nanoseconds m_lastTime {}; ///< of the last replay on `m_ground`
    QTimer m_stillness;                     ///< while it runs, a slow replay waits for the end of a drag
    BackgroundPool m_pool;                  ///< a replay waits for no reading of texts
    Job<Made> m_job { &m_pool };
};

} // namespace ui
