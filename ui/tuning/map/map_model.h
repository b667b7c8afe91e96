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

/// The model behind the views of a map: its cells, the shown metrics, the front of two of them, the hovered cell, and
/// the place of the plan's policy. Views set and follow it; they know neither each other nor the number of sessions.
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
    /// The two metrics of the front; the first is on the vertical axis.
    [[nodiscard]] const std::array<core::SweepMetric, 2> &frontMetrics() const { return m_frontMetrics; }
    void setFrontMetric(size_t which, core::SweepMetric metric);
    /// The metric of the front that the map does not show: what its profiles are drawn against.
    [[nodiscard]] core::SweepMetric otherMetric() const
    {
        return m_frontMetrics[1] == m_metric ? m_frontMetrics[0] : m_frontMetrics[1];
    }
    /// Cells of the front, sorted by the first metric.
    [[nodiscard]] const std::vector<size_t> &front() const { return m_front; }
    /// Figures of the recorded run; nullptr without a map.
    [[nodiscard]] virtual const core::SweepFigures *recorded() const = 0;
    /// Figures of the policy that the session's harness has, by the rules of all cells; nullptr if there is none.
    [[nodiscard]] virtual const core::SweepFigures *own() const { return nullptr; }
    /// Its figure of the map's metric; NaN if unknown.
    [[nodiscard]] double reference() const;
    /// What the cells are compared with, and its name after `better than`.
    [[nodiscard]] virtual const core::SweepFigures *baseline() const { return recorded(); }
    [[nodiscard]] virtual QString baselineName() const { return tr("the recorded run"); }
    /// By cell: whether the map marks it with a dot, because it is better than the recorded run and acceptable.
    [[nodiscard]] std::vector<bool> dotted() const;
    /// What the dots on the map mean, or that there are none: `dotted: better than the recorded $23.87`. Empty if the
    /// recorded figure is unknown.
    [[nodiscard]] QString dotWords() const;
    /// By cell: whether a provider accepts every call; empty if this is not known. Only such cells are on the front.
    [[nodiscard]] virtual std::vector<bool> accepted() const { return {}; }
    /// The policy's window in tokens; 0 if unknown or not the same for all sessions.
    [[nodiscard]] virtual double window() const { return 0; }
    /// Whether the map was made for older inputs.
    [[nodiscard]] virtual bool isOutdated() const = 0;
    /// The cell to highlight as suggested.
    [[nodiscard]] virtual std::optional<size_t> suggestedCell() const { return std::nullopt; }
    /// The label of that cell.
    [[nodiscard]] virtual QString suggestionWords() const = 0;
    /// Tokens at which the recorded harness compacted, for an axis of triggers.
    [[nodiscard]] virtual std::span<const double> recordedTriggers() const { return {}; }

    [[nodiscard]] std::optional<size_t> hovered() const { return m_hovered; }
    void setHovered(std::optional<size_t> cell);

    /// Place of the plan's policy; nullopt if its settings have other units than the axes.
    [[nodiscard]] std::optional<Place> marker() const { return m_marker; }
    /// Place of the preset that the plan's policy was made from, if it is another one.
    [[nodiscard]] std::optional<Place> presetPlace() const { return m_preset; }
    /// The cell nearest to the marker.
    [[nodiscard]] std::optional<size_t> markerCell() const;
    [[nodiscard]] Place placeOf(size_t cell) const;
    /// The place that is read out: the hovered cell, else the marker.
    [[nodiscard]] virtual std::optional<Place> readPlace() const;
    /// Figures of that place; nullptr before there are any.
    [[nodiscard]] const core::SweepFigures *readFigures() const;
    /// A short description of the runs behind these figures.
    [[nodiscard]] virtual QString readNote() const;
    /// Figures of the policy itself if known, else of the cell nearest to the marker.
    [[nodiscard]] virtual const core::SweepFigures *markerFigures() const;

    /// A gesture on the marker: all moves until its end become one undo step, or are reverted.
    void beginMove();
    void moveTo(const Place &place);
    void endMove();
    void cancelMove();
    [[nodiscard]] bool isMoving() const { return m_isMoving; }
    /// Applies the settings of a cell, as one undo step.
    void take(size_t cell);

    /// The policy with the settings of a place: the plan's, or the map's if the plan has none.
    [[nodiscard]] std::optional<core::Policy> policyAt(const Place &place) const;
    /// `keep 10 % of window` and `trigger 85 % of window`
    [[nodiscard]] QStringList settingsAt(const Place &place) const;
    /// `keep 10 % of window · trigger 85 % of window`
    [[nodiscard]] QString words(const Place &place) const;
    /// A figure of the map as text.
    [[nodiscard]] virtual QString shown(core::SweepMetric metric, double value) const;
    /// The title of a metric.
    [[nodiscard]] virtual QString title(core::SweepMetric metric) const { return titleOf(metric); }
    /// A line of the read-out: a metric and its value.
    struct Figure {
        QString title;
        QString value;
        QString recorded;    ///< of the recorded run, in short; empty if it is unknown
        QString own;         ///< of the harness's policy, in the same way
        QString meaning;     ///< a sentence
        bool isLoss = false; ///< a loss other than 0
    };
    [[nodiscard]] std::vector<Figure> linesOf(const core::SweepFigures &figures) const;
    static constexpr int kFigureLines = 12;
    /// The settings and all figures in one sentence, for screen readers.
    [[nodiscard]] QString spoken(const Place &place, const core::SweepFigures *figures) const;
    [[nodiscard]] static QString titleOf(core::SweepMetric metric);
    /// Titles of all metrics, in order.
    [[nodiscard]] static QStringList titles();

Q_SIGNALS:
    void mapChanged();
    void frontChanged();
    void hoverChanged();
    void markerChanged();
    void stateChanged(); ///< outdated, running, or the suggested cell

protected:
    void setMap(SweepMap map);
    /// Sets the map of the chosen metric.
    virtual void takeMap() = 0;
    /// Initial metrics: cost against losses; without prices, tokens.
    void chooseMetrics(const core::Sweep &sweep);

    /// Whether a dot may recommend a cell.
    [[nodiscard]] virtual bool isAcceptable(size_t) const { return true; }
    /// `within the limits`; empty if every cell is acceptable.
    [[nodiscard]] virtual QString acceptableWords() const { return {}; }

private:
    [[nodiscard]] std::optional<Place> placeOf(const core::PolicyPtr &policy) const;
    void findPlaces();
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
    std::optional<Place> m_preset;
    bool m_isMoving = false;
};

} // namespace ui
