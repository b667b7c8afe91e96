// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_sweeps.h"
#include "ui/tuning/folder/suggestions.h"
#include "ui/tuning/map/map_model.h"

namespace ui {

/// The model of the Tuning view of many sessions: the shown spread, the worst runs of the marker's cell, and the
/// suggestion.
class FolderModel final : public MapModel {
    Q_OBJECT

public:
    explicit FolderModel(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] FolderSweeps &sweeps() { return m_sweeps; }
    [[nodiscard]] const FolderSweeps &sweeps() const { return m_sweeps; }
    [[nodiscard]] Suggestions &suggestions() { return m_suggestions; }
    [[nodiscard]] const Suggestions &suggestions() const { return m_suggestions; }

    [[nodiscard]] Spread spread() const { return m_spread; }
    void setSpread(Spread spread);

    /// Says that the suggestion does not confirm the dots on the map; empty if there is no such contradiction.
    [[nodiscard]] QString doubtWords() const;
    /// Whether there is a suggestion, and it was made for the currently chosen runs.
    [[nodiscard]] bool isSuggestionOfThis() const;
    /// Applies the suggested policy with its settings, as one undo step.
    void takeSuggestion();

    /// The runs of the map; nullptr before there are any.
    [[nodiscard]] const core::SweepSet *set() const;
    /// All runs, as indices into `set()->runs`. The run in which the marker's cell does worst comes first; without a
    /// marker, the run with the highest recorded figure. Runs with an unknown figure come last.
    [[nodiscard]] const std::vector<size_t> &worstRuns() const { return m_worst; }

    // MapModel
    /// If it is the same for all runs.
    [[nodiscard]] double window() const override;
    [[nodiscard]] bool isOutdated() const override { return m_sweeps.isOutdated(); }
    [[nodiscard]] std::optional<size_t> suggestedCell() const override;
    [[nodiscard]] QString suggestionWords() const override;
    [[nodiscard]] std::vector<bool> accepted() const override { return m_accepted; }
    /// Whether the suggestion is to use that cell; else it is only the best one found.
    [[nodiscard]] bool isSuggestionUseful() const;
    /// Always a cell: between cells no figures are known.
    [[nodiscard]] std::optional<Place> readPlace() const override;
    [[nodiscard]] QString readNote() const override;
    /// `93.1 %`; the title has the reference.
    [[nodiscard]] QString shown(core::SweepMetric metric, double value) const override;
    /// `Cost, share of recorded`
    [[nodiscard]] QString title(core::SweepMetric metric) const override;
    /// The same spread over the recorded runs.
    [[nodiscard]] const core::SweepFigures *recorded() const override;

Q_SIGNALS:
    void worstChanged();

protected:
    void takeMap() override;
    [[nodiscard]] bool isAcceptable(size_t cell) const override { return m_eligible.empty() || m_eligible[cell]; }
    [[nodiscard]] QString acceptableWords() const override;

private:
    void orderRuns();
    void suggestOfMap();
    /// With limits, also only cells that the harness can be set to.
    [[nodiscard]] std::vector<bool> eligible(std::span<const core::SweepLimit> limits) const;
    void followLimits();
    /// `median`
    [[nodiscard]] QString spreadName() const;

    FolderSweeps m_sweeps;
    Suggestions m_suggestions;
    Spread m_spread = Spread::Median;
    std::vector<size_t> m_worst;
    std::vector<bool> m_accepted; ///< by cell: a provider accepts every call of all runs
    std::vector<bool> m_eligible; ///< by cell: and the limits of the suggestion hold over all runs
};

} // namespace ui
