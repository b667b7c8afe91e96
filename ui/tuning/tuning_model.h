// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/base/view_state.h"
#include "ui/tuning/axis_layout.h"
#include "ui/tuning/sweep_map.h"
#include "ui/tuning/sweeps.h"

#include <optional>

namespace ui {

/// What the pictures of the Tuning view share: the map, the metrics, the cell under the pointer, and where the plan's
/// policy stands among the cells. They set and follow it, and know nothing of each other.
class TuningModel final : public QObject {
    Q_OBJECT

public:
    /// A pair of values of the two settings.
    struct Place {
        double x = 0;
        double y = 0;
        friend bool operator==(const Place &, const Place &) = default;
    };

    explicit TuningModel(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] ViewState &state() const { return m_state; }
    [[nodiscard]] Sweeps &sweeps() { return m_sweeps; }
    [[nodiscard]] const Sweeps &sweeps() const { return m_sweeps; }
    [[nodiscard]] const SweepMap &map() const { return m_map; }
    /// Tokens of the window that the policy counts with; 0 where it is not known.
    [[nodiscard]] double window() const;

    [[nodiscard]] core::SweepMetric metric() const { return m_metric; }
    void setMetric(core::SweepMetric metric);
    /// The two metrics of the front, the one that is drawn upwards first.
    [[nodiscard]] const std::array<core::SweepMetric, 2> &frontMetrics() const { return m_frontMetrics; }
    void setFrontMetric(size_t which, core::SweepMetric metric);
    /// Cells of the front, by the first of its metrics.
    [[nodiscard]] const std::vector<size_t> &front() const { return m_front; }

    [[nodiscard]] std::optional<size_t> hovered() const { return m_hovered; }
    void setHovered(std::optional<size_t> cell);

    /// Where the plan's policy stands; nothing where its settings have other units than the axes.
    [[nodiscard]] std::optional<Place> marker() const { return m_marker; }
    /// The cell nearest to it.
    [[nodiscard]] std::optional<size_t> markerCell() const;
    [[nodiscard]] Place placeOf(size_t cell) const;
    /// What is read out: the cell under the pointer, else the policy.
    [[nodiscard]] std::optional<Place> readPlace() const;
    /// Its figures: those of the cell, or of the policy as it is, which may lie between cells; nullptr before there are
    /// any.
    [[nodiscard]] const core::SweepFigures *readFigures() const;
    /// Of the policy as it is, else of the cell nearest to it.
    [[nodiscard]] const core::SweepFigures *markerFigures() const;

    /// A gesture on the marker: all moves until it ends are one undo step, or are taken back.
    void beginMove();
    void moveTo(const Place &place);
    void endMove();
    void cancelMove();
    [[nodiscard]] bool isMoving() const { return m_isMoving; }
    /// The settings of a cell, as one undo step.
    void take(size_t cell);

    /// `keep 0.1w · trigger 0.85w`
    [[nodiscard]] QString words(const Place &place) const;
    /// A line of the read-out: what is measured, and how much it is.
    struct Figure {
        QString title;
        QString value;
        bool isLoss = false; ///< and not nothing
    };
    [[nodiscard]] static std::vector<Figure> linesOf(const core::SweepFigures &figures);
    static constexpr int kFigureLines = 12;
    /// The settings and all figures in one sentence, as it is read aloud.
    [[nodiscard]] QString spoken(const Place &place, const core::SweepFigures *figures) const;
    [[nodiscard]] static QString titleOf(core::SweepMetric metric);

Q_SIGNALS:
    void mapChanged();
    void frontChanged();
    void hoverChanged();
    void markerChanged();

private:
    void takeMap();
    /// Before anyone chose: money against losses; where there is no price, tokens.
    void chooseMetrics(const core::Sweep &sweep);
    void findFront();
    void findMarker();
    void findExact();
    [[nodiscard]] std::optional<core::Policy> policyAt(const Place &place) const;
    [[nodiscard]] QString deed() const;

    ViewState &m_state;
    Sweeps m_sweeps;
    bool m_isMetricChosen = false;
    core::SweepMetric m_metric = core::SweepMetric::Cost;
    std::array<core::SweepMetric, 2> m_frontMetrics { core::SweepMetric::Cost, core::SweepMetric::LostUses };
    SweepMap m_map;
    std::vector<size_t> m_front;
    std::optional<size_t> m_hovered;
    std::optional<Place> m_marker;
    std::optional<core::SweepFigures> m_exact; ///< of the policy's own replay
    bool m_isMoving = false;
};

} // namespace ui
