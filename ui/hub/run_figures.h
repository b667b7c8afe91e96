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

/// What the shown thread cost and its cache read, as recorded and under the plan's policy, and what that would have
/// lost: found in the background once there is a replay, again when the uses of the thread are known.
class RunFigures final : public QObject {
    Q_OBJECT

public:
    explicit RunFigures(Workspace &workspace);
    ~RunFigures() override;

    /// nullptr until they are found.
    [[nodiscard]] const core::RecordedFiguresPtr &recorded() const { return m_recorded; }
    /// Of `Replays::current`; nullptr until they are found, or as recorded.
    [[nodiscard]] const core::PolicyFiguresPtr &policy() const { return m_policy; }
    /// Those of the program with the user's own laid over them.
    [[nodiscard]] const std::shared_ptr<const core::Prices> &prices() const { return m_prices; }
    /// Why the user's own prices could not be taken; empty if they were, or if there are none.
    [[nodiscard]] const QString &priceProblem() const { return m_priceProblem; }
    /// For pictures and tests: returns when all that was asked for is there.
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
    BackgroundPool m_pool; ///< figures wait for no reading of texts
    Job<core::RecordedFiguresPtr> m_findRecorded { &m_pool };
    Job<core::PolicyFiguresPtr> m_findPolicy { &m_pool };
    bool m_isOutdated = false; ///< those being found are not of the newest replay
};

} // namespace ui
