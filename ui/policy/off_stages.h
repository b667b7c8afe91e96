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

/// Finds what each stage that is off would save if it were on: compacts once for each of them. At once for few blocks;
/// else in a job after a moment of stillness, so not for the plans of a drag.
class OffStages final : public QObject {
    Q_OBJECT

public:
    /// One for each stage; nothing for stages that are on.
    using Figures = std::vector<std::optional<StageFigure>>;

    explicit OffStages(ViewState &state);

    /// `made` is the compaction of the plan.
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
