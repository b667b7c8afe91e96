// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QString>

namespace ui {

class Workspace;

/// The cost and cache reads of the shown thread, as recorded and under the plan's policy, and the losses of that
/// policy. Computed in the background once there is a replay, and again when the uses of the thread are known.
class RunFigures final : public QObject {
    Q_OBJECT

public:
    explicit RunFigures(Workspace &workspace);
    ~RunFigures() override;

    /// nullptr until computed.
    [[nodiscard]] const core::RecordedFiguresPtr &recorded() const { return m_recorded; }
    /// Figures of `Replays::current`. nullptr until computed, and if there is no replay.
    [[nodiscard]] const core::PolicyFiguresPtr &policy() const { return m_policy; }
    /// The built-in prices overlaid by the user's own.
    [[nodiscard]] const std::shared_ptr<const core::Prices> &prices() const { return m_prices; }
    /// Why the user's own prices could not be loaded; empty if they were or do not exist.
    [[nodiscard]] const QString &priceProblem() const { return m_priceProblem; }
    /// For pictures and tests: waits for all requested figures.
    void waitForFigures();

Q_SIGNALS:
    void recordedChanged();
    void policyChanged();

private:
    void findRecorded();
    void findPolicy();
    void takePolicy(core::PolicyFiguresPtr figures);
    void setPolicy(core::PolicyFiguresPtr figures);

    Workspace &m_workspace;
    std::shared_ptr<const core::Prices> m_prices;
    QString m_priceProblem;
    core::RecordedFiguresPtr m_recorded;
    core::PolicyFiguresPtr m_policy;
    BackgroundPool m_pool; ///< separate, so that figures do not wait for jobs that read texts
    Job<core::RecordedFiguresPtr> m_findRecorded { &m_pool };
    Job<core::PolicyFiguresPtr> m_findPolicy { &m_pool };
    bool m_isOutdated = false; ///< the running job has an older replay
};

} // namespace ui
