// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep_front.h"
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
    /// Also has the typed messages that are not in context at the end.
    [[nodiscard]] const core::SweepFigures *recorded() const override;
    [[nodiscard]] const core::SweepFigures *own() const override;
    /// The harness's own policy, replayed like the cells, or the recorded run if the harness has none.
    [[nodiscard]] const core::SweepFigures *baseline() const override;
    [[nodiscard]] QString baselineName() const override;
    [[nodiscard]] std::vector<bool> accepted() const override { return m_accepted; }
    /// The cheapest setting within the limits, if it is better than the recorded run.
    [[nodiscard]] std::optional<size_t> suggestedCell() const override { return m_best; }
    [[nodiscard]] QString suggestionWords() const override { return tr("best within the limits"); }

    /// The most uses that a suggested setting may lose, as a share of all: by default as many as the baseline, and at
    /// least 1 %.
    [[nodiscard]] double lostShare() const;
    void setLostShare(double share);
    /// The most user messages that it may lose: by default as many as the baseline. NaN: not known yet.
    [[nodiscard]] double mostLostMessages() const;
    void setMostLostMessages(double most);
    /// The answer in one sentence: the cheapest steady setting within the limits, or that none is better than the
    /// baseline. Empty without a map.
    [[nodiscard]] QString answer() const;
    /// Whether nothing speaks against the answer: few uses, the edge of the map, worse neighbours, or a gain as small
    /// as the error of the replay.
    [[nodiscard]] bool isSure() const { return doubts().isEmpty(); }
    /// The answer beside what the harness's own policy would do, and how far the losses can be trusted. Empty if there
    /// is nothing to say.
    [[nodiscard]] QString besideOwn() const;
    /// The limits in words.
    [[nodiscard]] QString limitWords() const;

protected:
    void takeMap() override;
    [[nodiscard]] bool isAcceptable(size_t cell) const override
    {
        return (m_eligible.empty() || m_eligible[cell]) && (m_settable.empty() || m_settable[cell]);
    }
    [[nodiscard]] QString acceptableWords() const override;

private:
    void findExact();
    /// The later uses of this session that losses are counted in.
    [[nodiscard]] size_t usesCount() const;
    /// Of the suggestion and the dots.
    [[nodiscard]] core::CellLimits limits() const;
    [[nodiscard]] core::SweepMetric aim() const;
    void judgeCells();
    /// Whether the file begins in the middle of a session: no policy can remove what came before.
    [[nodiscard]] bool isMidway() const;
    /// The cell that beats the baseline by most; the cheapest one if the baseline exceeds the limits.
    [[nodiscard]] std::optional<size_t> betterCell(const std::vector<bool> &eligible) const;
    /// The settings of a cell, without those that stay: `keep 8 messages` and `trigger 75 % of window`.
    [[nodiscard]] QStringList changedSettings(size_t cell) const;
    /// `keep 8 messages and trigger 75 % of window`
    [[nodiscard]] QString settingsOf(size_t cell) const;
    /// Says so if the best cell is the last one in a direction in which the setting could go on.
    [[nodiscard]] QString edgeWords() const;
    /// How far the replay of the harness's own policy is from the recorded run, if the gain is of that size.
    [[nodiscard]] QString doubtWords() const;
    /// What the cells around the best one lose.
    [[nodiscard]] QString unsteadyWords() const;
    [[nodiscard]] QString besideOwnWords() const;
    /// Which of the two settings the harness does not have, and what it would save with both.
    [[nodiscard]] QString unsettableWords() const;
    /// Which limits the figures exceed: `it loses 9.3 % of the uses and 36 of your messages`. Empty if none.
    [[nodiscard]] QString breachWords(const core::SweepFigures &figures) const;
    /// What speaks against the best cell, in few words each.
    [[nodiscard]] QStringList doubts() const;
    /// `16.4 % less than …`
    [[nodiscard]] static QString changeWords(double value, double before, const QString &than);
    /// ` (after call 49, 126, 219)`; empty without calls.
    [[nodiscard]] static QString callWords(const QString &where, const std::vector<uint32_t> &calls);
    /// `It writes 15 summaries: ~465 s of waiting.`; empty without a summary.
    [[nodiscard]] QString summaryWords(const core::SweepFigures &figures) const;
    [[nodiscard]] QString lossWords(const core::SweepFigures &figures) const;

    Sweeps m_sweeps;
    std::optional<double> m_lostShare;         ///< if not that of the baseline
    std::optional<double> m_mostMessages;      ///< if not that of the recorded run
    std::optional<core::SweepFigures> m_exact; ///< from the policy's own replay
    std::optional<core::SweepFigures> m_recorded;
    std::vector<bool> m_accepted; ///< by cell: a provider accepts every call
    std::vector<bool> m_eligible; ///< by cell: and the limits hold
    std::vector<bool> m_settable; ///< by cell: the policy's harness can be set to it
    std::optional<size_t> m_best;
    bool m_isSteady = false;            ///< the limits hold around the best cell, too
    std::optional<size_t> m_unsteady;   ///< cheaper than the best cell, but the limits do not hold around it
    std::optional<size_t> m_unsettable; ///< cheaper than the best cell, but the harness cannot be set to it
    std::optional<size_t> m_nearest; ///< without a best cell: the best one if more of the user's messages may be lost
};

} // namespace ui
