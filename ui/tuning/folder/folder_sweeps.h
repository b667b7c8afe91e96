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

/// Sweeps the plan's policy in all sessions of some folders, in the background, on all processors, and shows results
/// while it reads. While it is wanted, it starts when an input of the map has changed and then stayed for a moment; the
/// two swept settings are no input. The latest start wins; the map at hand stays until the new one is there. Does not
/// depend on the open session.
class FolderSweeps final : public QObject {
    Q_OBJECT

public:
    /// Inputs of a sweep beside the policy.
    struct Choice {
        std::vector<std::filesystem::path> places; ///< folders, or single files
        bool withSubagents = false;
        std::optional<core::Timestamp> since;
        friend bool operator==(const Choice &, const Choice &) = default;

        /// On all processors.
        [[nodiscard]] core::RunSweepOptions options(core::Progress &progress) const;
    };

    explicit FolderSweeps(Workspace &workspace);
    ~FolderSweeps() override;

    [[nodiscard]] const Choice &choice() const { return m_choice; }
    void setChoice(Choice choice);
    [[nodiscard]] SweptSettings &settings() { return m_settings; }
    [[nodiscard]] const SweptSettings &settings() const { return m_settings; }

    /// Nothing is begun while nobody looks.
    void setWanted(bool isWanted);
    /// The newest map, of all files or of the first of them; nullptr if there is none.
    [[nodiscard]] const FolderMapPtr &current() const { return m_current; }
    /// All files are in it.
    [[nodiscard]] bool isWhole() const { return m_isWhole; }
    /// `current` was made for other inputs than those asked for now.
    [[nodiscard]] bool isOutdated() const { return m_isOutdated; }
    /// Reads files, or waits for stillness.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning() || m_stillness.isActive(); }
    /// Files that are done, of all that were found so far.
    struct Count {
        size_t done = 0;
        size_t all = 0;
    };
    [[nodiscard]] const Count &files() const { return m_files; }
    /// Stops reading. Results so far stay, as a part.
    void stop();
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    void restart();

    /// For pictures: a map that was swept elsewhere.
    void show(FolderMapPtr map) { take(++m_run, std::move(map), true); }
    /// For pictures and tests: returns when all files are read.
    void waitForSweep();

    static constexpr size_t kGrid = 16;    ///< as on the command line
    static constexpr int kStillness = 150; ///< ms
    /// Between maps of the first files, ms. For tests, whose files are read sooner than that.
    void setPublishPause(int pause) { m_publishPause = pause; }

Q_SIGNALS:
    void changed();      ///< map
    void stateChanged(); ///< outdated, running, files

private:
    struct Wanted {
        Choice choice;
        SweptPolicy swept;
    };
    [[nodiscard]] std::optional<Wanted> wanted() const;
    void refresh();
    void start();
    void take(uint64_t run, FolderMapPtr map, bool isWhole);
    void count(uint64_t run, const Count &files);

    Workspace &m_workspace;
    Choice m_choice;
    SweptSettings m_settings;
    bool m_isWanted = false;
    bool m_isOutdated = false;
    bool m_isWhole = false;
    bool m_isStopped = false;
    std::optional<Wanted> m_asked; ///< inputs of `current`, or of the run that makes it
    FolderMapPtr m_current;
    Count m_files;
    uint64_t m_run = 0; ///< number of starts: results of earlier ones are ignored
    int m_publishPause = 400;
    QTimer m_stillness;
    QThreadPool m_pool; ///< waits for nobody, and nobody waits for it
    Job<FolderMapPtr> m_job { &m_pool };
};

} // namespace ui
