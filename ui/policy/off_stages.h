// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/policy/stage_figures.h"

#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// Computes what each disabled stage would save if it were enabled, with one compaction each. At once for few blocks;
/// else in a job after a pause, and so not during a drag.
class OffStages final : public QObject {
    Q_OBJECT

public:
    /// By stage; nullopt for enabled stages.
    using Figures = std::vector<std::optional<StageFigure>>;

    explicit OffStages(ViewState &state);

    /// `made` is the compaction of the current plan.
    void start(const core::Compaction &made);
    void cancel();

Q_SIGNALS:
    void found(const ui::OffStages::Figures &figures);

private:
    ViewState &m_state;
    QTimer m_timer;
    std::function<Figures(core::Progress &)> m_work;
    Job<Figures> m_job;
};

} // namespace ui
