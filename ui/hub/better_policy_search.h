// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/better_policy.h"
#include "ui/hub/job.h"

#include <QObject>

namespace ui {

class Workspace;

/// Looks, on request, for a policy that does better on the other sessions in the session's folder. Every view that
/// offers the search shows this one.
class BetterPolicySearch final : public QObject {
    Q_OBJECT

public:
    using BetterPolicyPtr = std::shared_ptr<const core::BetterPolicy>;

    explicit BetterPolicySearch(Workspace &workspace);
    ~BetterPolicySearch() override;

    /// Whether the session has a folder to look in.
    [[nodiscard]] bool isPossible() const;
    /// Whether there are other files in the folder.
    [[nodiscard]] bool hasOthers() const { return m_hasOthers; }
    /// What a search needs, in one or two sentences; empty until the files of the folder are counted.
    [[nodiscard]] const QString &need() const { return m_need; }
    [[nodiscard]] bool isRunning() const { return m_find.isRunning(); }
    /// Files of the folder that the running search has read.
    [[nodiscard]] size_t done() const { return m_done; }
    /// nullptr until found.
    [[nodiscard]] const BetterPolicyPtr &found() const { return m_found; }
    void startOrStop();
    /// Chooses what was found for this session, also if the advice is against it, as one undo step.
    void take();
    /// For pictures and tests: waits until the search is done and the files are counted.
    void wait();

Q_SIGNALS:
    void changed();

private:
    void forget();
    void countFiles();
    void start();

    Workspace &m_workspace;
    bool m_hasOthers = false;
    QString m_need;
    BetterPolicyPtr m_found;
    size_t m_run = 0; ///< number of starts, to ignore what earlier ones tell
    size_t m_done = 0;
    QThreadPool m_pool; ///< separate, so that other jobs do not wait for reading files
    Job<BetterPolicyPtr> m_find { &m_pool };
    Job<size_t> m_count { &m_pool };
};

} // namespace ui
