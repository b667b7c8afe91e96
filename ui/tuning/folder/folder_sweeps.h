// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/tuning/folder/folder_map.h"
#include "ui/tuning/settings/swept_settings.h"

#include <QThreadPool>
#include <QTimer>

#include <filesystem>

namespace ui {

/// Sweeps the plan's policy over all sessions of some folders, in the background, on all processors, and shows partial
/// results. While wanted, a sweep starts when an input of the map has changed and then been stable for a moment; the
/// values of the two swept settings are not inputs. The latest start wins; the current map stays until the new one is
/// there. Independent of the open session.
class FolderSweeps final : public QObject {
    Q_OBJECT

public:
    /// Inputs of a sweep besides the policy.
    struct Choice {
        std::vector<std::filesystem::path> places; ///< folders, or single files
        bool withSubagents = false;
        std::optional<core::Timestamp> since;
        QString name {}; ///< of a project; empty for folders
        friend bool operator==(const Choice &, const Choice &) = default;

        /// The absolute path of the folder, or of the deepest folder that holds all places; empty without places.
        [[nodiscard]] QString folder() const;
        [[nodiscard]] QString folderName() const;
        /// On all processors.
        [[nodiscard]] core::RunSweepOptions options(core::Progress &progress) const;
    };

    explicit FolderSweeps(Workspace &workspace);
    ~FolderSweeps() override;

    [[nodiscard]] const Choice &choice() const { return m_choice; }
    void setChoice(Choice choice);
    /// The preset that imitates the harness of the newest session, as far as known; nullptr if there is none.
    [[nodiscard]] const core::PolicyPtr &ownPolicy() const { return m_ownPolicy; }
    [[nodiscard]] SweptSettings &settings() { return m_settings; }
    [[nodiscard]] const SweptSettings &settings() const { return m_settings; }

    /// Starts nothing while no view is visible.
    void setWanted(bool isWanted);
    /// The newest map, of all files or of the first ones; nullptr if there is none.
    [[nodiscard]] const FolderMapPtr &current() const { return m_current; }
    /// Whether the map contains all files.
    [[nodiscard]] bool isWhole() const { return m_isWhole; }
    /// Whether `current` was made for older inputs.
    [[nodiscard]] bool isOutdated() const { return m_isOutdated; }
    /// True while reading files or waiting for stable inputs.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning() || m_stillness.isActive(); }
    /// Finished files, out of those found so far.
    struct Count {
        size_t done = 0;
        size_t all = 0;
    };
    [[nodiscard]] const Count &files() const { return m_files; }
    /// Stops reading and keeps the results so far as a partial map.
    void stop();
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    void restart();

    /// For pictures: shows a map that was swept elsewhere.
    void show(FolderMapPtr map) { take(++m_run, std::move(map), true); }
    /// For pictures and tests: waits until all files are read.
    void waitForSweep();

    static constexpr size_t kGrid = 16;    ///< as on the command line
    static constexpr int kStillness = 150; ///< ms
    /// For tests: sets the ms between partial maps.
    void setPublishPause(int pause) { m_publishPause = pause; }

Q_SIGNALS:
    void changed();      ///< the map
    void stateChanged(); ///< outdated, running, or file counts
    void ownPolicyChanged();

private:
    struct Wanted {
        Choice choice;
        SweptPolicy swept;
    };
    [[nodiscard]] std::optional<Wanted> wanted() const;
    void refresh();
    void start();
    void findOwnPolicy();
    void take(uint64_t run, FolderMapPtr map, bool isWhole);
    void count(uint64_t run, const Count &files);

    Workspace &m_workspace;
    Choice m_choice;
    SweptSettings m_settings;
    bool m_isWanted = false;
    bool m_isOutdated = false;
    bool m_isWhole = false;
    bool m_isStopped = false;
    std::optional<Wanted> m_asked; ///< inputs of `current`, or of the running sweep
    FolderMapPtr m_current;
    Count m_files;
    uint64_t m_run = 0; ///< number of starts, to ignore results of earlier ones
    int m_publishPause = 400;
    QTimer m_stillness;
    QThreadPool m_pool; ///< separate, so that neither side waits for other jobs
    Job<FolderMapPtr> m_job { &m_pool };
    core::PolicyPtr m_ownPolicy;
    Job<core::PolicyPtr> m_findOwn { &m_pool };
};

} // namespace ui
