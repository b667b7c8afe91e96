// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/tuning/map/sweep_map.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace ui {

/// The model of the views of a map: its cells, the shown metrics, the front of two of them, the cell under the pointer,
/// and the place of the plan's policy. Views set and follow it, and know neither each other nor the number of sessions.
class MapModel : public QObject {
    Q_OBJECT

public:
    /// A pair of values of the two settings.
    struct Place {
        double x = 0;
        double y = 0;
        friend bool operator==(const Place &, const Place &) = default;
    };

    explicit MapModel(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] ViewState &state() const { return m_state; }
    [[nodiscard]] const SweepMap &map() const { return m_map; }
    /// The metric of the map.
    [[nodiscard]] core::SweepMetric metric() const { return m_metric; }
    void setMetric(core::SweepMetric metric);
    /// The two metrics of the front, the one that is drawn upwards first.
    [[nodiscard]] const std::array<core::SweepMetric, 2> &frontMetrics() const { return m_frontMetrics; }
    void setFrontMetric(size_t which, core::SweepMetric metric);
    /// Cells of the front, by the first of its metrics.
    [[nodiscard]] const std::vector<size_t> &front() const { return m_front; }
    /// Figures of the recorded run; nullptr without a map.
    [[nodiscard]] virtual const core::SweepFigures *recorded() const = 0;
    /// Tokens of the window that the policy counts with; 0 where it is not known, or not one.
    [[nodiscard]] virtual double window() const { return 0; }
    /// The map was made for other inputs than those asked for now.
    [[nodiscard]] virtual bool isOutdated() const = 0;
    /// A cell to be pointed out.
    [[nodiscard]] virtual std::optional<size_t> suggestedCell() const { return std::nullopt; }
    /// Tokens at which the recorded harness acted, to be drawn on an axis of triggers.
    [[nodiscard]] virtual std::span<const double> recordedTriggers() const { return {}; }

    [[nodiscard]] std::optional<size_t> hovered() const { return m_hovered; }
    void setHovered(std::optional<size_t> cell);

    /// Place of the plan's policy; nothing if its settings have other units than the axes.
    [[nodiscard]] std::optional<Place> marker() const { return m_marker; }
    /// The cell nearest to it.
    [[nodiscard]] std::optional<size_t> markerCell() const;
    [[nodiscard]] Place placeOf(size_t cell) const;
    /// The place that is read out: the cell under the pointer, else the policy.
    [[nodiscard]] virtual std::optional<Place> readPlace() const;
    /// Its figures; nullptr before there are any.
    [[nodiscard]] const core::SweepFigures *readFigures() const;
    /// A short name of the runs behind these figures.
    [[nodiscard]] virtual QString readNote() const;
    /// Of the cell nearest to the marker, or of the policy as it is where that is known.
    [[nodiscard]] virtual const core::SweepFigures *markerFigures() const;

    /// A gesture on the marker: all moves until its end are one undo step, or are undone.
    void beginMove();
    void moveTo(const Place &place);
    void endMove();
    void cancelMove();
    [[nodiscard]] bool isMoving() const { return m_isMoving; }
    /// The settings of a cell, as one undo step.
    void take(size_t cell);

    /// The policy with the settings of a place; as recorded that of the map.
    [[nodiscard]] std::optional<core::Policy> policyAt(const Place &place) const;
    /// `keep 10 % of window · trigger 85 % of window`
    [[nodiscard]] QString words(const Place &place) const;
    /// A figure of the map in words.
    [[nodiscard]] virtual QString shown(core::SweepMetric metric, double value) const;
    /// The title of a metric.
    [[nodiscard]] virtual QString title(core::SweepMetric metric) const { return titleOf(metric); }
    /// A line of the read-out: a metric and its value.
    struct Figure {
        QString title;
        QString value;
        bool isLoss = false; ///< and not nothing
    };
    [[nodiscard]] std::vector<Figure> linesOf(const core::SweepFigures &figures) const;
    static constexpr int kFigureLines = 12;
    /// The settings and all figures in one sentence, as it is read aloud.
    [[nodiscard]] QString spoken(const Place &place, const core::SweepFigures *figures) const;
    [[nodiscard]] static QString titleOf(core::SweepMetric metric);
    /// Of all metrics, in their order.
    [[nodiscard]] static QStringList titles();

Q_SIGNALS:
    void mapChanged();
    void frontChanged();
    void hoverChanged();
    void markerChanged();
    void stateChanged(); ///< outdated, running or suggested

protected:
    void setMap(SweepMap map);
    /// Sets the map of the metric.
    virtual void takeMap() = 0;
    /// Before anyone chose: money against losses; where there is no price, tokens.
    void chooseMetrics(const core::Sweep &sweep);

private:
    [[nodiscard]] std::optional<Place> placeOfPolicy() const;
    [[nodiscard]] QString deed() const;
    void findFront();

    ViewState &m_state;
    SweepMap m_map;
    bool m_isMetricChosen = false;
    core::SweepMetric m_metric = core::SweepMetric::Cost;
    std::array<core::SweepMetric, 2> m_frontMetrics { core::SweepMetric::Cost, core::SweepMetric::LostUses };
    std::vector<size_t> m_front;
    std::optional<size_t> m_hovered;
    std::optional<Place> m_marker;
    bool m_isMoving = false;
};

} // namespace ui
