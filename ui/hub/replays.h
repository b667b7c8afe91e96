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

/// Replays the plan at every call of the shown thread, in the background, whenever plan, tokens, session or thread
/// change. A replay always uses triggers, even if the plan ignores them for the shown array. While the plan is dragged,
/// every finished replay is shown and then the newest is started. If replays are slow, the next one starts only when
/// the drag pauses, so that the array, which is computed at the same time, follows the drag.
class Replays final : public QObject {
    Q_OBJECT

public:
    explicit Replays(Workspace &workspace);
    ~Replays() override;

    /// The replay of the current plan or, while that runs, of the plan before; nullptr as recorded.
    [[nodiscard]] const core::ReplayPtr &current() const { return m_current; }
    /// True while replaying or waiting for a pause.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning() || m_stillness.isActive(); }
    /// For pictures and tests: waits for the replay of the current plan.
    void waitForReplay();
    /// For tests: the duration from which replays count as slow, and the pause to wait for.
    void setSlow(std::chrono::nanoseconds from, std::chrono::milliseconds stillness = kStillness)
    {
        m_slowFrom = from;
        m_stillness.setInterval(stillness);
    }

Q_SIGNALS:
    void changed();

private:
    static constexpr std::chrono::milliseconds kStillness { 150 };
    static constexpr std::chrono::milliseconds kSlow { 50 }; ///< a few frames

    /// The inputs of a replay besides the policy.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::ThreadIndex thread;
        core::ArraySumsPtr sums {}; ///< made with the tokens
        friend bool operator==(const Ground &, const Ground &) = default;
    };

    struct Made {
        core::ReplayPtr replay;
        std::chrono::nanoseconds time {}; ///< duration of the replay, without its ground
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
    Ground m_ground;              ///< of `m_current`, or of the running replay
    core::ReplayGroundPtr m_made; ///< for `m_ground`, computed on demand
    bool m_isOutdated = false;    ///< the running replay has an older plan
    std::chrono::nanoseconds m_slowFrom { kSlow };
    std::chrono::nanoseconds m_lastTime {}; ///< duration of the last replay on `m_ground`
    QTimer m_stillness;                     ///< while active, a slow replay waits for a pause in the drag
    BackgroundPool m_pool;                  ///< separate, so that a replay does not wait for jobs that read texts
    Job<Made> m_job { &m_pool };
};

} // namespace ui
