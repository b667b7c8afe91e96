// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/policy_choice.h"
#include "ui/hub/job.h"
#include "ui/tuning/folder/folder_map.h"
#include "ui/tuning/folder/folder_sweeps.h"

#include <QObject>

namespace ui {

/// The suggestion for a folder's runs within limits, among the map's policy and others, which are swept over keep and
/// trigger in the same runs. Computed in the background when the map, a limit or a policy changes; the latest start
/// wins. Sweeps are kept while the runs stay the same, so a changed limit sweeps nothing.
class Suggestions final : public QObject {
    Q_OBJECT

public:
    using ChoicePtr = std::shared_ptr<const core::PolicyChoice>;

    explicit Suggestions(Workspace &workspace, QObject *parent = nullptr);

    /// Sets the map and the choice of its runs; nullptr: nothing can be suggested yet.
    void setMap(FolderMapPtr map, const FolderSweeps::Choice &choice, size_t grid);
    [[nodiscard]] const std::vector<core::SweepLimit> &limits() const { return m_limits; }
    void setLimits(std::vector<core::SweepLimit> limits);

    /// The map's policy; without a map the plan's; nullptr if there is neither.
    [[nodiscard]] core::PolicyPtr own() const;
    /// Whether the map's policy takes part.
    [[nodiscard]] bool hasOwn() const { return m_hasOwn; }
    void setHasOwn(bool hasOwn);
    /// The other policies, in the order in which they were added.
    [[nodiscard]] std::vector<core::PolicyPtr> others() const;
    /// Adds a policy, if it can be swept.
    void add(const core::PolicyPtr &policy);
    void remove(const std::string &policyId);
    /// Whether a policy does anything, and has a keep and a trigger that can be swept the same way in all sessions.
    [[nodiscard]] bool canTakePart(const core::PolicyPtr &policy) const { return planOf(policy).has_value(); }
    /// Call it before the map changes to another policy that takes part, so that the other policies stay.
    void changeOwn();

    [[nodiscard]] bool isRunning() const { return isSweeping() || m_weighing.isRunning(); }
    /// True while files are read again for policies that were not swept yet.
    [[nodiscard]] bool isSweeping() const { return m_sweeping.isRunning(); }
    using Count = FolderSweeps::Count;
    /// Swept files, out of all.
    [[nodiscard]] const Count &files() const { return m_files; }
    /// Stops sweeping: there is no suggestion until something changes.
    void stop();
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    /// Each swept policy with its suggestion; nullptr until found, and if there is none.
    [[nodiscard]] const ChoicePtr &current() const { return m_current; }
    /// The suggestion with its runs; nullptr if there is none.
    [[nodiscard]] const core::SweepSetReport *chosen() const;
    /// The suggested cell of the map; nullopt if another policy, or nothing, is suggested.
    [[nodiscard]] std::optional<size_t> ownCell() const;
    [[nodiscard]] const FolderMapPtr &map() const { return m_map; } ///< the map that `current` was made for

Q_SIGNALS:
    void changed();

private:
    using SetPtr = std::shared_ptr<const core::SweepSet>;
    using Sets = std::vector<SetPtr>;
    [[nodiscard]] std::optional<core::SweepPlan> planOf(const core::PolicyPtr &policy) const;
    [[nodiscard]] SetPtr sweptBefore(const core::Policy &policy) const;
    void forgetSweeps();
    void start();
    void sweep(std::vector<core::SweepPlan> plans);
    void weigh();

    Workspace &m_workspace;
    FolderMapPtr m_map;
    FolderSweeps::Choice m_choice;
    size_t m_grid = FolderSweeps::kGrid;
    std::vector<core::SweepLimit> m_limits = core::usualLimits();
    bool m_hasOwn = true;
    std::vector<core::PolicyPtr> m_others;
    Sets m_swept;                       ///< of policies that took part, for the runs of m_choice
    std::vector<std::string> m_toSweep; ///< documents of policies being swept
    Count m_files;
    uint64_t m_run = 0; ///< number of sweeps, to ignore results of earlier ones
    bool m_isStopped = false;
    std::string m_sweptBeside; ///< the document of the newest map's policy
    ChoicePtr m_current;
    bool m_currentHasOwn = false; ///< the first of its policies is the map's
    QThreadPool m_pool;           ///< separate, so that other jobs do not wait for reading files
    Job<Sets> m_sweeping { &m_pool };
    Job<ChoicePtr> m_weighing { &m_pool };
};

} // namespace ui
