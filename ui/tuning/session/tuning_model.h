// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_model.h"
#include "ui/tuning/session/sweeps.h"

namespace ui {

/// The model of the Tuning view of one session. Also has the exact figures of the policy, which may be between cells.
class TuningModel final : public MapModel {
    Q_OBJECT

public:
    explicit TuningModel(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] Sweeps &sweeps() { return m_sweeps; }
    [[nodiscard]] const Sweeps &sweeps() const { return m_sweeps; }

    // MapModel
    [[nodiscard]] double window() const override;
    [[nodiscard]] bool isOutdated() const override { return m_sweeps.isOutdated(); }
    [[nodiscard]] std::span<const double> recordedTriggers() const override;
    [[nodiscard]] const core::SweepFigures *markerFigures() const override;
    [[nodiscard]] const core::SweepFigures *recorded() const override;

protected:
    void takeMap() override;

private:
    void findExact();

    Sweeps m_sweeps;
    std::optional<core::SweepFigures> m_exact; ///< from the policy's own replay
};

} // namespace ui
