// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/overrides.h"
#include "core/replay/replay_figures.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace ui {

class Workspace;

/// A policy that stands beside the chosen one, at every call of the shown thread.
struct ComparedPolicy {
    core::PolicyPtr policy;
    core::PolicyFiguresPtr figures; ///< with its replay; nullptr while they are being found
};

/// The policies that are compared with the plan's, in the order in which they were asked for, each in a job of its own
/// and anew when thread, session or overrides change; what was found stays until then. They are no part of the plan.
class Comparisons final : public QObject {
    Q_OBJECT

public:
    /// So many curves can be told apart.
    static constexpr size_t kMost = 4;

    explicit Comparisons(Workspace &workspace);
    ~Comparisons() override;

    [[nodiscard]] size_t count() const { return m_entries.size(); }
    [[nodiscard]] const ComparedPolicy &at(size_t index) const { return m_entries[index]->compared; }
    [[nodiscard]] std::optional<size_t> indexOf(const std::string &policyId) const;
    /// Compares with it, or no longer where it is compared with already. Of more than `kMost` the oldest goes.
    void toggle(const core::PolicyPtr &policy);
    /// The newest; false if there is none.
    bool removeOne();
    void clear();
    /// For pictures and tests: returns when the figures of all are there, if those of the recorded run are.
    void waitForComparisons();

Q_SIGNALS:
    void changed(); ///< which there are, or what is known of them

private:
    struct Entry {
        explicit Entry(QThreadPool *pool)
            : job(pool)
        {
        }
        ComparedPolicy compared;
        Job<core::PolicyFiguresPtr> job;
    };

    void startAll();
    void start(Entry &entry);
    void takePlan();

    Workspace &m_workspace;
    core::Overrides m_overrides; ///< that the figures are made with
    BackgroundPool m_pool;       ///< beside the replay of the plan
    std::vector<std::unique_ptr<Entry>> m_entries;
};

} // namespace ui
