// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/test_program.h"
#include "ui/hub/job.h"

#include <QSemaphore>
#include <QTest>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace Qt::StringLiterals;

/// What job.h promises of exceptions and threads.
class TestJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLatestStartWins();
    void aWorkThatThrowsIsAnError_data();
    void aWorkThatThrowsIsAnError();
    void aResultCarriesTheException();
    void aFailureIsLoggedUnlessItIsHandled();
    void aCancelledWorkLeavesTheQueueUnrun();
    void theDestructorRunsNoQueuedWork();
    void theDestructorWaitsForEarlierStarts();
    void waitingIncludesWhatDoneStarts();
};

namespace {

/// Keeps the one thread of a pool busy until it is released.
class BusyPool final {
public:
    BusyPool()
    {
        m_pool.setMaxThreadCount(1);
        m_pool.start([this] {
            m_begun.release();
            m_end.acquire();
        });
        m_begun.acquire();
    }
    ~BusyPool() { release(); }

    [[nodiscard]] QThreadPool *pool() { return &m_pool; }
    void release()
    {
        m_end.release();
        m_pool.waitForDone();
    }

private:
    QSemaphore m_begun;
    QSemaphore m_end;
    QThreadPool m_pool; // goes first, with all that it runs
};

} // namespace

void TestJob::theLatestStartWins()
{
    std::vector<int> results;
    ui::Job<int> job;
    for (int i = 0; i < 4; ++i)
        job.start(this, [i](core::Progress &) { return i; }, [&](int result) { results.push_back(result); });
    QVERIFY(job.isRunning());
    QTRY_VERIFY(!job.isRunning());
    QCOMPARE(results, std::vector { 3 });
}

void TestJob::aWorkThatThrowsIsAnError_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("words");
    QTest::newRow("a library's exception") << 0 << u"The computation failed: no such thing."_s;
    QTest::newRow("too little memory") << 1 << u"The computation failed: there is not enough memory."_s;
    QTest::newRow("something without words") << 2 << u"The computation failed: an unknown exception."_s;
}

void TestJob::aWorkThatThrowsIsAnError()
{
    QFETCH(const int, which);
    QFETCH(const QString, words);
    std::optional<core::Error> error;
    bool isDone = false;
    ui::Job<int> job;
    const auto work = [which](core::Progress &) -> int {
        switch (which) {
        case 0:
            throw std::runtime_error("no such thing");
        case 1:
            throw std::bad_alloc();
        default:
            throw which;
        }
    };
    job.start(this, work, [&](int) { isDone = true; }, [&](const core::Error &failure) { error = failure; });
    QTRY_VERIFY(!job.isRunning());
    QVERIFY(!isDone && error.has_value());
    QCOMPARE(error->kind, core::ErrorKind::Internal);
    QCOMPARE(QString::fromStdString(error->sentence()), words);
}

void TestJob::aResultCarriesTheException()
{
    std::optional<core::Result<int>> result;
    ui::Job<core::Result<int>> job;
    const auto work = [](core::Progress &) -> core::Result<int> { throw std::runtime_error("no such thing"); };
    job.start(this, work, [&](core::Result<int> outcome) { result = std::move(outcome); });
    QTRY_VERIFY(!job.isRunning());
    QVERIFY(result.has_value() && !result->has_value());
    QCOMPARE(result->error().kind, core::ErrorKind::Internal);
    // The job can be used again.
    job.start(
        this, [](core::Progress &) -> core::Result<int> { return 7; },
        [&](core::Result<int> outcome) { result = std::move(outcome); });
    QTRY_VERIFY(!job.isRunning());
    QCOMPARE(result->value(), 7);
}

void TestJob::aFailureIsLoggedUnlessItIsHandled()
{
    ui::Job<int> job;
    QTest::ignoreMessage(QtCriticalMsg, "The computation failed: no such thing.");
    job.start(this, [](core::Progress &) -> int { throw std::runtime_error("no such thing"); }, [](int) {});
    QTRY_VERIFY(!job.isRunning());
}

void TestJob::aCancelledWorkLeavesTheQueueUnrun()
{
    BusyPool busy;
    std::atomic<int> runs = 0;
    ui::Job<int> job(busy.pool());
    const auto work = [&](core::Progress &) { return ++runs; };
    job.start(this, work, [](int) { });
    job.start(this, work, [](int) { }); // takes the place of the first
    job.cancel();
    busy.release();
    QCOMPARE(runs, 0);
}

void TestJob::theDestructorRunsNoQueuedWork()
{
    BusyPool busy;
    std::atomic<int> runs = 0;
    {
        ui::Job<int> job(busy.pool());
        job.start(this, [&](core::Progress &) { return ++runs; }, [](int) {});
    }
    QCOMPARE(runs, 0); // not in this thread either, which waited for it
    busy.release();
    QCOMPARE(runs, 0);
}

void TestJob::theDestructorWaitsForEarlierStarts()
{
    QThreadPool pool;
    pool.setMaxThreadCount(2);
    QSemaphore begun;
    std::atomic<int> running = 0;
    {
        ui::Job<int> job(&pool);
        const auto work = [&](core::Progress &progress) {
            ++running;
            begun.release();
            while (!progress.isCancelled())
                std::this_thread::yield();
            for (int i = 0; i < 10'000; ++i)
                std::this_thread::yield(); // as a work that does not look often
            --running;
            return 0;
        };
        job.start(this, work, [](int) { });
        begun.acquire();
        job.start(this, [](core::Progress &) { return 0; }, [](int) {});
    }
    QCOMPARE(running, 0);
}

void TestJob::waitingIncludesWhatDoneStarts()
{
    std::vector<int> results;
    ui::Job<int> job;
    const auto work = [](int value) { return [value](core::Progress &) { return value; }; };
    job.start(this, work(1), [&](int first) {
        results.push_back(first);
        job.start(this, work(2), [&](int second) { results.push_back(second); });
    });
    job.wait();
    QCOMPARE(results, (std::vector { 1, 2 }));
    job.wait(); // nothing runs
}

PALIMPSEST_TEST(TestJob)
#include "tst_job.moc"
