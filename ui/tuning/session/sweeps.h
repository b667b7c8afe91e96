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

/// The inputs of a sweep of the shown thread, and the figures of its recording. Immutable.
struct TuningGround {
    core::SweepGroundPtr sweep;
    core::SweepFigures recorded;      ///< known figures of the recorded run
    std::vector<double> triggers;     ///< tokens: see recordedTriggers
    std::vector<double> cliffs;       ///< tokens: see priceCliffs
    core::Reach reach;                ///< of the uses that headlines count
    std::array<core::Reach, 2> kinds; ///< of quotes and repeats
};
using TuningGroundPtr = std::shared_ptr<const TuningGround>;

/// Sweeps the plan's policy over two of its settings, in the background: coarse cells first, then finer ones. While it
/// is wanted, it starts when an input of the map has changed and then stayed for a moment; the two swept settings are
/// no input. The latest start wins; the map at hand stays until the new one is there.
class Sweeps final : public QObject {
    Q_OBJECT

public:
    explicit Sweeps(Workspace &workspace);
    ~Sweeps() override;

    /// Nothing is made while nobody looks.
    void setWanted(bool isWanted);
    /// The newest map, whole or not; nullptr if there is none.
    [[nodiscard]] const core::SweepPtr &current() const { return m_current; }
    [[nodiscard]] const TuningGroundPtr &ground() const { return m_ground; } ///< of `current`
    /// `current` was made for other inputs than those asked for now.
    [[nodiscard]] bool isOutdated() const { return m_isOutdated; }
    /// Waits for facts of the thread, for stillness, or for cells.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning() || m_stillness.isActive(); }
    [[nodiscard]] double fraction() const { return m_job.isRunning() ? m_job.fraction() : 0; }

    [[nodiscard]] SweptSettings &settings() { return m_settings; }

    /// For pictures: a map that was made elsewhere is shown until one is wanted.
    void show(core::SweepGround ground, core::SweepPtr sweep);

    /// For pictures and tests: returns when all cells are there, at once where none are to come.
    void waitForSweep();

    static constexpr size_t kGrid = 64;
    static constexpr int kStillness = 150; ///< ms

Q_SIGNALS:
    void changed();      ///< map or ground
    void stateChanged(); ///< outdated or running

private:
    /// All that a map depends on, but for the values of the two settings.
    struct Wanted {
        core::RecordedFiguresPtr recorded;
        std::shared_ptr<const core::Uses> uses;
        core::Overrides overrides;
        SweptPolicy swept;
    };
    [[nodiscard]] static bool isSame(const Wanted &a, const Wanted &b);
    /// Nothing while something is missing.
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
    std::optional<Wanted> m_asked; ///< inputs of `current`, or of the run that makes it
    core::SweepPtr m_current;
    TuningGroundPtr m_ground;
    uint64_t m_run = 0; ///< number of starts: results of earlier ones are ignored
    QTimer m_stillness;
    QThreadPool m_pool; ///< a map waits for no reading of texts
    Job<core::SweepPtr> m_job { &m_pool };
};

} // namespace ui
