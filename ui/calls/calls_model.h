// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_curve.h"
#include "core/replay/replay_figures.h"
#include "ui/look/theme.h"

#include <QAbstractTableModel>
#include <algorithm>

namespace ui {

/// The calls of one thread as a table, followed by a row for the end, with recorded figures and those of a policy.
/// Figures are computed when they are shown; filling costs O(1).
class CallsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    /// In display order. To add a column, add a name here and an entry in the model's list of columns.
    enum Column {
        Number,
        Time,
        Recorded,
        Simulated,
        Difference,
        Messages,
        CacheRead,
        CacheCause,
        Cost,
        Measured,
        Threshold,
        Decision,
        World,
        ColumnCount
    };

    enum Role { CounterfactualRole = Qt::UserRole + 1 };

    using QAbstractTableModel::QAbstractTableModel;

    /// `curve` must have a point for each call; `replay` may be nullptr.
    void setContents(
        core::SessionPtr session, core::ThreadIndex thread, core::ContextCurve curve, core::ReplayPtr replay);
    /// Sets another replay of the same calls; the rows stay.
    void setReplay(core::ReplayPtr replay);
    /// Costs and cache reads of the calls; either may be nullptr. The policy's are used only if they belong to the
    /// shown replay.
    void setFigures(core::RecordedFiguresPtr recorded, core::PolicyFiguresPtr policy);
    /// True if there are figures of cache or money.
    [[nodiscard]] bool hasFigures() const { return m_recordedFigures != nullptr; }
    void setTheme(const Theme &theme) { m_theme = theme; }

    [[nodiscard]] bool hasReplay() const { return m_replay != nullptr; }
    [[nodiscard]] const core::ReplayPtr &replay() const { return m_replay; }
    [[nodiscard]] int callCount() const { return static_cast<int>(m_curve.calls.size()); }
    [[nodiscard]] static bool isFigure(int column);
    /// True if the column has only figures of a replay.
    [[nodiscard]] static bool isOfReplay(int column);
    [[nodiscard]] static bool isOfFigures(int column) { return column >= CacheRead && column <= Cost; }
    [[nodiscard]] bool isShown(int column) const
    {
        const bool isReading = column == Measured || column == Threshold;
        return isOfFigures(column) ? hasFigures() : isReading ? hasReadings() : hasReplay() || !isOfReplay(column);
    }
    /// True if the policy's trigger has measures; false if it always acts.
    [[nodiscard]] bool hasReadings() const { return m_hasReadings; }
    /// True if the times in the table include the day.
    [[nodiscard]] bool tellsDays() const { return m_spansDays; }
    /// The widest text that a figure of the column can have.
    [[nodiscard]] QString widest(int column) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// A header line and the rows, separated by tabs, figures without thousands separators.
    [[nodiscard]] QString tabSeparated(const QList<int> &rows) const;

private:
    struct ColumnKind;
    [[nodiscard]] static const ColumnKind &kindOf(int column);
    [[nodiscard]] static QString title(int column);
    [[nodiscard]] static QString tip(int column);

    void takeReplay(core::ReplayPtr replay);
    [[nodiscard]] const core::ReplayStep *step(int row) const;
    /// Cost under the policy; nullptr for rows that show the recorded figures.
    [[nodiscard]] const core::ReplayCallCost *simulatedCost(int row) const;
    [[nodiscard]] core::ContextPoint recorded(int row) const;
    [[nodiscard]] QString numberText(int row) const;
    [[nodiscard]] QString timeText(int row) const;
    [[nodiscard]] QString recordedText(int row) const;
    [[nodiscard]] QString simulatedText(int row) const;
    [[nodiscard]] QString differenceText(int row) const;
    [[nodiscard]] QString messagesText(int row) const;
    [[nodiscard]] QString cacheReadText(int row) const;
    [[nodiscard]] QString cacheCauseText(int row) const;
    [[nodiscard]] QString costText(int row) const;
    [[nodiscard]] QString measuredText(int row) const;
    [[nodiscard]] QString thresholdText(int row) const;
    [[nodiscard]] bool isAboveWindow(int row) const
    {
        return std::ranges::binary_search(m_aboveWindow, static_cast<uint32_t>(row));
    }
    [[nodiscard]] QString decisionText(int row) const;
    [[nodiscard]] QString worldText(int row) const;

    core::SessionPtr m_session;
    core::ThreadIndex m_thread;
    core::ContextCurve m_curve;
    core::ReplayPtr m_replay;
    std::vector<uint32_t> m_aboveWindow; ///< calls of the replay that a provider would refuse; ascending
    core::RecordedFiguresPtr m_recordedFigures;
    core::PolicyFiguresPtr m_policyFigures;
    std::vector<const core::RecordedCacheCall *> m_cacheOf; ///< by call, recorded
    std::vector<std::optional<double>> m_costOf;            ///< by call, recorded, in dollars
    bool m_spansDays = false;
    bool m_hasReadings = false;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
