// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/caught_error.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <QEventLoop>
#include <QFutureWatcher>
#include <QPointer>
#include <QThreadPool>
#include <QtConcurrent/QtConcurrentRun>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ui {

/// Writes the error to the log of the process.
void logFailure(const core::Error &error);

/// Runs one pure function at a time in a thread pool and passes its result to the job's own thread, which is the
/// window's. The latest start wins: results of earlier starts are dropped.
///
/// Exceptions. Our functions report errors as core::Result. Library exceptions (std::bad_alloc, a filesystem_error) may
/// leave a work function, also from threads of core::parallelFor; the job catches them in the worker and converts them
/// to a core::Error of kind Internal. If T is a core::Result, `done` gets this error; otherwise `failed` does, which by
/// default writes it to the log. The job is no longer running then. `done` and `failed` run inside Qt's event loop,
/// which does not support exceptions: they must not throw.
///
/// Threads. Work that is cancelled in the queue never runs. The destructor cancels and waits until no work of this job
/// runs, earlier starts included, so work may use anything that outlives its job. QFuture may run queued work on the
/// thread that waits for it; that work has been cancelled by then, so the window's thread computes nothing.
template <typename T>
class Job final {
public:
    using Work = std::function<T(core::Progress &)>;
    using Done = std::function<void(T)>;
    using Failed = std::function<void(const core::Error &)>;

    /// Uses the global pool, or a separate one to avoid waiting for other jobs.
    explicit Job(QThreadPool *pool = QThreadPool::globalInstance())
        : m_pool(pool)
    {
    }
    Job(const Job &) = delete;
    Job &operator=(const Job &) = delete;
    ~Job()
    {
        cancel();
        // A future whose result was taken is not running, but waiting for it may never return.
        for (QFuture<Outcome> &work : m_works) {
            if (work.isRunning())
                work.waitForFinished();
        }
    }

    void start(QObject *context, Work work, Done done, Failed failed = logFailure)
    {
        cancel();
        std::erase_if(m_works, [](const auto &earlier) { return !earlier.isRunning(); });
        m_progress = std::make_shared<core::Progress>();
        const auto progress = m_progress;
        auto *watcher = new QFutureWatcher<Outcome>(context);
        m_watcher = watcher;
        QObject::connect(watcher, &QFutureWatcherBase::finished, context,
            [this, watcher, progress, done = std::move(done), failed = std::move(failed)] {
                watcher->deleteLater();
                if (progress->isCancelled())
                    return; // `done` may have deleted the job
                m_isRunning = false;
                hand(watcher->future().takeResult(), done, failed);
            });
        m_isRunning = true;
        m_works.push_back(QtConcurrent::run(m_pool, [work = std::move(work), progress](QPromise<Outcome> &promise) {
            if (!progress->isCancelled())
                promise.addResult(outcomeOf(work, *progress));
        }));
        watcher->setFuture(m_works.back());
    }

    void cancel()
    {
        if (m_progress)
            m_progress->cancel();
        m_isRunning = false;
    }

    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] double fraction() const { return m_progress ? m_progress->fraction() : 0.0; }

    /// For pictures and tests: waits until nothing runs, including work that `done` starts.
    void wait()
    {
        while (m_isRunning && m_watcher) {
            QEventLoop loop;
            QObject::connect(m_watcher.data(), &QFutureWatcherBase::finished, &loop, &QEventLoop::quit);
            QObject::connect(m_watcher.data(), &QObject::destroyed, &loop, &QEventLoop::quit);
            loop.exec(QEventLoop::ExcludeUserInputEvents);
        }
    }

private:
    using Outcome = core::Result<T>;

    [[nodiscard]] static Outcome outcomeOf(const Work &work, core::Progress &progress)
    {
        try {
            return Outcome(std::in_place, work(progress));
        } catch (...) {
            return std::unexpected(core::caughtError());
        }
    }

    static void hand(Outcome outcome, const Done &done, const Failed &failed)
    {
        if (outcome)
            done(std::move(*outcome));
        else if constexpr (std::is_constructible_v<T, std::unexpect_t, core::Error>)
            done(T(std::unexpect, std::move(outcome.error())));
        else
            failed(outcome.error());
    }

    QThreadPool *m_pool;
    std::shared_ptr<core::Progress> m_progress;
    std::vector<QFuture<Outcome>> m_works;  ///< those that may still run; the last is the newest
    QPointer<QFutureWatcherBase> m_watcher; ///< of the newest
    bool m_isRunning = false;
};

} // namespace ui
