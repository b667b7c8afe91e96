// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"

#include <QFutureWatcher>
#include <QThreadPool>
#include <QtConcurrent/QtConcurrentRun>

#include <functional>
#include <memory>
#include <utility>

namespace ui {

/// Runs one pure function at a time on a worker thread and hands its result to the thread that owns the job.
/// The latest start wins: a result of an earlier one is dropped. Destruction cancels and waits.
template <typename T>
class Job final {
public:
    using Work = std::function<T(core::Progress &)>;
    using Done = std::function<void(T)>;

    /// Works in the pool that all share, or in one of its own, where it waits for nobody.
    explicit Job(QThreadPool *pool = QThreadPool::globalInstance())
        : m_pool(pool)
    {
    }
    Job(const Job &) = delete;
    Job &operator=(const Job &) = delete;
    ~Job()
    {
        cancel();
        // The watchers are destroyed with their futures running out; the work holds only what it was given.
        if (m_future.isRunning())
            m_future.waitForFinished();
    }

    void start(QObject *context, Work work, Done done)
    {
        cancel();
        m_progress = std::make_shared<core::Progress>();
        const auto progress = m_progress;
        auto *watcher = new QFutureWatcher<T>(context);
        QObject::connect(
            watcher, &QFutureWatcherBase::finished, context, [this, watcher, progress, done = std::move(done)] {
                watcher->deleteLater();
                // Cancelled first: of a job that is gone nothing else may be touched.
                if (progress->isCancelled() || progress != m_progress || watcher->future().resultCount() == 0)
                    return;
                m_isRunning = false;
                done(watcher->future().takeResult());
            });
        m_isRunning = true;
        m_future = QtConcurrent::run(m_pool, [work = std::move(work), progress] { return work(*progress); });
        watcher->setFuture(m_future);
    }

    void cancel()
    {
        if (m_progress)
            m_progress->cancel();
        m_isRunning = false;
    }

    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] double fraction() const { return m_progress ? m_progress->fraction() : 0.0; }

private:
    QThreadPool *m_pool;
    std::shared_ptr<core::Progress> m_progress;
    QFuture<T> m_future;
    bool m_isRunning = false;
};

} // namespace ui
