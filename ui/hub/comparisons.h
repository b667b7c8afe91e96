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

/// A policy compared with the chosen one, at every call of the shown thread.
struct ComparedPolicy {
    core::PolicyPtr policy;
    core::PolicyFiguresPtr figures; ///< includes the replay; nullptr until computed
};

/// The policies that are compared with the plan's, in the order in which they were added. Each is computed in its own
/// job, and again when thread, session or overrides change; old results stay until then. Comparisons are not part of
/// the plan.
class Comparisons final : public QObject {
    Q_OBJECT

public:
    /// Limit on compared policies: more curves cannot be told apart.
    static constexpr size_t kMost = 4;

    explicit Comparisons(Workspace &workspace);
    ~Comparisons() override;

    [[nodiscard]] size_t count() const { return m_entries.size(); }
    [[nodiscard]] const ComparedPolicy &at(size_t index) const { return m_entries[index]->compared; }
    [[nodiscard]] std::optional<size_t> indexOf(const std::string &policyId) const;
    /// Adds a policy, or removes it if it is compared already. With more than `kMost` the oldest is removed.
    void toggle(const core::PolicyPtr &policy);
    /// Removes the newest; false if there is none.
    bool removeOne();
    void clear();
    /// For pictures and tests: waits for all figures, if those of the recorded run are known.
    void waitForComparisons();

Q_SIGNALS:
    void changed(); ///< the list, or the figures of a policy

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
    core::Overrides m_overrides; ///< inputs of the figures
    BackgroundPool m_pool;       ///< separate from the replay of the plan
    std::vector<std::unique_ptr<Entry>> m_entries;
};

} // namespace ui
