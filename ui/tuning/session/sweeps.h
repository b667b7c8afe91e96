// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/reach.h"
#include "core/sweep/sweep.h"
#include "ui/hub/job.h"
#include "ui/tuning/settings/swept_settings.h"

#include <QThreadPool>
#include <QTimer>

namespace ui {

class Workspace;

/// The inputs of a sweep over the shown thread, and the figures of its recording. Immutable.
struct TuningGround {
    core::SweepGroundPtr sweep;
    core::SweepFigures recorded;      ///< figures of the recorded run
    core::PolicyPtr ownPolicy;        ///< the preset that imitates the session's harness; nullptr if there is none
    core::SweepFigures own;           ///< its figures in this session
    std::string ownDeeds;             ///< `2 summaries, 34 clearings`
    std::vector<uint32_t> ownCalls;   ///< before which it acts
    std::vector<double> triggers;     ///< tokens: see recordedTriggers
    std::vector<double> cliffs;       ///< tokens: see priceCliffs
    core::Reach reach;                ///< of headline uses
    std::array<core::Reach, 2> kinds; ///< of quotes and repeats
};
using TuningGroundPtr = std::shared_ptr<const TuningGround>;

/// Sweeps the plan's policy over two of its settings in the background: coarse cells first, then finer ones. While
/// wanted, a sweep starts when an input of the map has changed and then been stable for a moment; the values of the two
/// swept settings are not inputs. The latest start wins; the current map stays until the new one is there.
class Sweeps final : public QObject {
    Q_OBJECT

public:
    explicit Sweeps(Workspace &workspace);
    ~Sweeps() override;

    /// Computes nothing while no view is visible.
    void setWanted(bool isWanted);
    /// The newest map, possibly incomplete; nullptr if there is none.
    [[nodiscard]] const core::SweepPtr &current() const { return m_current; }
    [[nodiscard]] const TuningGroundPtr &ground() const { return m_ground; } ///< of `current`
    /// Whether `current` was made for older inputs.
    [[nodiscard]] bool isOutdated() const { return m_isOutdated; }
    /// True while waiting for facts of the thread or stable inputs, or computing cells.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning() || m_stillness.isActive(); }
    [[nodiscard]] double fraction() const { return m_job.isRunning() ? m_job.fraction() : 0; }

    [[nodiscard]] SweptSettings &settings() { return m_settings; }
    [[nodiscard]] const SweptSettings &settings() const { return m_settings; }

    /// For pictures: shows a map that was made elsewhere until one is wanted.
    void show(core::SweepGround ground, core::SweepPtr sweep);

    /// For pictures and tests: waits until all cells are computed; returns at once if none are pending.
    void waitForSweep();

    static constexpr size_t kGrid = 64;
    static constexpr int kStillness = 150; ///< ms

Q_SIGNALS:
    void changed();      ///< map or ground
    void stateChanged(); ///< outdated or running

private:
    /// All inputs of a map except the values of the two settings.
    struct Wanted {
        core::RecordedFiguresPtr recorded;
        std::shared_ptr<const core::Uses> uses;
        core::Overrides overrides;
        SweptPolicy swept;
    };
    [[nodiscard]] static bool isSame(const Wanted &a, const Wanted &b);
    /// The ground of the current map if its inputs are these; else nullptr.
    [[nodiscard]] TuningGroundPtr groundFor(const Wanted &now) const;
    /// nullopt while an input is missing.
    [[nodiscard]] std::optional<Wanted> wanted() const;
    void refresh();
    void start();
    void take(uint64_t run, TuningGroundPtr ground, core::SweepPtr sweep);
    void forget();
    void setOutdated(bool isOutdated);

    Workspace &m_workspace;
    SweptSettings m_settings;
    bool m_isWanted = false;
    bool m_isOutdated = false;
    std::optional<Wanted> m_asked; ///< inputs of `current`, or of the running sweep
    core::SweepPtr m_current;
    TuningGroundPtr m_ground;
    uint64_t m_run = 0; ///< number of starts, to ignore results of earlier ones
    QTimer m_stillness;
    QThreadPool m_pool; ///< separate, so that a map does not wait for jobs that read texts
    Job<core::SweepPtr> m_job { &m_pool };
};

} // namespace ui
