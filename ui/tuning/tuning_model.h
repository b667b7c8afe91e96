// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map_model.h"
#include "ui/tuning/sweeps.h"

namespace ui {

/// What the pictures of the Tuning view share with the map of one session: the metrics of map and front, the front, and
/// the figures of the policy as it is, which may lie between cells.
class TuningModel final : public MapModel {
    Q_OBJECT

public:
    explicit TuningModel(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] Sweeps &sweeps() { return m_sweeps; }
    [[nodiscard]] const Sweeps &sweeps() const { return m_sweeps; }

    [[nodiscard]] core::SweepMetric metric() const { return m_metric; }
    void setMetric(core::SweepMetric metric);
    /// The two metrics of the front, the one that is drawn upwards first.
    [[nodiscard]] const std::array<core::SweepMetric, 2> &frontMetrics() const { return m_frontMetrics; }
    void setFrontMetric(size_t which, core::SweepMetric metric);
    /// Cells of the front, by the first of its metrics.
    [[nodiscard]] const std::vector<size_t> &front() const { return m_front; }

    // MapModel
    [[nodiscard]] double window() const override;
    [[nodiscard]] bool isOutdated() const override { return m_sweeps.isOutdated(); }
    [[nodiscard]] std::span<const double> recordedTriggers() const override;
    [[nodiscard]] const core::SweepFigures *markerFigures() const override;

Q_SIGNALS:
    void frontChanged();

private:
    void takeMap();
    /// Before anyone chose: money against losses; where there is no price, tokens.
    void chooseMetrics(const core::Sweep &sweep);
    void findFront();
    void findExact();

    Sweeps m_sweeps;
    bool m_isMetricChosen = false;
    core::SweepMetric m_metric = core::SweepMetric::Cost;
    std::array<core::SweepMetric, 2> m_frontMetrics { core::SweepMetric::Cost, core::SweepMetric::LostUses };
    std::vector<size_t> m_front;
    std::optional<core::SweepFigures> m_exact; ///< of the policy's own replay
};

} // namespace ui
