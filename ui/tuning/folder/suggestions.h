// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/policy_choice.h"
#include "ui/hub/job.h"
#include "ui/tuning/folder/folder_map.h"
#include "ui/tuning/folder/folder_sweeps.h"

#include <QObject>

namespace ui {

/// The suggestion of a folder's runs within limits, among the map's policy and others, which are swept in the same runs
/// over keep and trigger. Found in the background, anew when the map, a limit or a policy changes; the latest start
/// wins. Sweeps are kept while the runs are the same: another limit sweeps nothing.
class Suggestions final : public QObject {
    Q_OBJECT

public:
    using ChoicePtr = std::shared_ptr<const core::PolicyChoice>;

    explicit Suggestions(Workspace &workspace, QObject *parent = nullptr);

    /// Of which map, of which runs; nullptr: nothing can be suggested yet.
    void setMap(FolderMapPtr map, const FolderSweeps::Choice &choice, size_t grid);
    [[nodiscard]] const std::vector<core::SweepLimit> &limits() const { return m_limits; }
    void setLimits(std::vector<core::SweepLimit> limits);
    /// At most 1 % of later uses lost, as on the command line.
    [[nodiscard]] static std::vector<core::SweepLimit> usualLimits();

    /// The policy of the map, before there is one that of the plan; nullptr where there is neither.
    [[nodiscard]] core::PolicyPtr own() const;
    /// The policy is among the swept ones.
    [[nodiscard]] bool hasOwn() const { return m_hasOwn; }
    void setHasOwn(bool hasOwn);
    /// The other swept policies, in the order in which they were added.
    [[nodiscard]] std::vector<core::PolicyPtr> others() const;
    /// Sweeps another policy, too, if it can be swept.
    void add(const core::PolicyPtr &policy);
    void remove(const std::string &policyId);
    /// Whether a policy does anything, and has a keep and a trigger that can be swept in all sessions alike.
    [[nodiscard]] bool canTakePart(const core::PolicyPtr &policy) const { return planOf(policy).has_value(); }
    /// The map is about to be of another policy that takes part: all that do so go on.
    void changeOwn();

    [[nodiscard]] bool isRunning() const { return isSweeping() || m_weighing.isRunning(); }
    /// Reads the files once more, for policies that were not swept yet.
    [[nodiscard]] bool isSweeping() const { return m_sweeping.isRunning(); }
    using Count = FolderSweeps::Count;
    /// Files that are swept, of all.
    [[nodiscard]] const Count &files() const { return m_files; }
    /// Stops sweeping: nothing is suggested before something changes.
    void stop();
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    /// Each swept policy with its suggestion; nullptr while that is being found, or without one.
    [[nodiscard]] const ChoicePtr &current() const { return m_current; }
    /// The suggestion with its runs; nullptr without one.
    [[nodiscard]] const core::SweepSetReport *chosen() const;
    /// The cell of the map that is suggested; nothing where that is another policy's, or nothing is.
    [[nodiscard]] std::optional<size_t> ownCell() const;
    [[nodiscard]] const FolderMapPtr &map() const { return m_map; } ///< that `current` is of

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
    std::vector<core::SweepLimit> m_limits = usualLimits();
    bool m_hasOwn = true;
    std::vector<core::PolicyPtr> m_others;
    Sets m_swept;                       ///< of policies that took part, in the runs of m_choice
    std::vector<std::string> m_toSweep; ///< documents of the policies that are being swept
    Count m_files;
    uint64_t m_run = 0; ///< number of sweeps: results of earlier ones are ignored
    bool m_isStopped = false;
    std::string m_sweptBeside; ///< the document of the policy of the newest map
    ChoicePtr m_current;
    bool m_currentHasOwn = false; ///< the first of its policies is the map's
    QThreadPool m_pool;           ///< reading files is waited for by nobody else
    Job<Sets> m_sweeping { &m_pool };
    Job<ChoicePtr> m_weighing { &m_pool };
};

} // namespace ui
