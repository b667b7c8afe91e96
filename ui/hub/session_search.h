// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/search.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <mutex>
#include <vector>

namespace ui {

class Workspace;

/// Finds the blocks of the session that match the filter line. Hits arrive in batches while the search runs. While the
/// line has a mistake, the hits of the last line without one stay.
class SessionSearch final : public QObject {
    Q_OBJECT

public:
    explicit SessionSearch(Workspace &workspace);

    [[nodiscard]] const QString &line() const { return m_line; }
    void setLine(const QString &line);
    /// What is wrong with the line, in one sentence; empty if nothing is.
    [[nodiscard]] const QString &mistake() const { return m_mistake; }
    /// True if the last line without a mistake has a term.
    [[nodiscard]] bool isSearching() const { return !m_query.isEmpty(); }

    /// In pool order.
    [[nodiscard]] const std::vector<core::SearchHit> &hits() const { return m_hits; }
    [[nodiscard]] bool isHit(core::BlockId block) const
    {
        return block.index() < m_isHit.size() && m_isHit[block.index()];
    }
    [[nodiscard]] size_t messageCount() const { return m_messageCount; }
    /// Never nullptr where there are hits.
    [[nodiscard]] const core::BlockLivesPtr &lives() const { return m_lives; }
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// The hot blocks of the shown array, ascending, which the line may ask for.
    void setHot(std::vector<core::BlockId> hot);
    /// What lines are searched in. Its lives may be missing: a worker completes them.
    [[nodiscard]] core::SearchGround ground() const;
    /// For pictures and tests: waits for all hits.
    void wait() { m_job.wait(); }

Q_SIGNALS:
    void started();           ///< the hits before are gone
    void grown(size_t first); ///< hits from this one on were added
    /// The line, its mistake, or the end of a search.
    void changed();
    void hotChanged(); ///< the hot blocks of `ground`

private:
    /// What the worker has found and the window has not taken yet.
    struct Inbox {
        std::mutex mutex;
        std::vector<core::SearchHit> hits;
        core::BlockLivesPtr lives;
    };

    void onSessionChanged();
    void start();
    void forget();
    void take();
    void finish();

    Workspace &m_workspace;
    QString m_line;
    QString m_mistake;
    core::Query m_query;
    std::vector<core::SearchHit> m_hits;
    std::vector<bool> m_isHit; ///< by block
    size_t m_messageCount = 0;
    core::BlockLivesPtr m_lives;
    bool m_areLivesOld = false; ///< of the session before it grew
    std::vector<core::BlockId> m_hot;
    bool m_isOutgrown = false; ///< the session has grown since the search
    bool m_isStale = false;    ///< the hits are those of the query before
    std::shared_ptr<Inbox> m_inbox;
    QTimer m_takeTimer;
    Job<bool> m_job;
};

} // namespace ui
