// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/parallel.h"
#include "tests/test_program.h"

#include <QTest>

#include <atomic>
#include <stdexcept>
#include <vector>

/// Work that is shared among threads.
class TestParallel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIndexIsDoneOnce_data();
    void everyIndexIsDoneOnce();
    void anExceptionComesToTheCaller_data() { everyIndexIsDoneOnce_data(); }
    void anExceptionComesToTheCaller();
};

void TestParallel::everyIndexIsDoneOnce_data()
{
    QTest::addColumn<unsigned>("threads");
    QTest::newRow("one thread") << 1U;
    QTest::newRow("three threads") << 3U;
}

void TestParallel::everyIndexIsDoneOnce()
{
    QFETCH(const unsigned, threads);
    std::vector<std::atomic<int>> done(1000);
    core::parallelFor(done.size(), threads, [&](unsigned, size_t index) { ++done[index]; });
    for (const auto &times : done)
        QCOMPARE(times, 1);
}

void TestParallel::anExceptionComesToTheCaller()
{
    QFETCH(const unsigned, threads);
    constexpr size_t kCount = 1'000'000;
    std::atomic<size_t> begun = 0;
    const auto work = [&](unsigned, size_t index) {
        ++begun;
        if (index >= 10) // in whichever thread has it
            throw std::runtime_error("no such thing");
    };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, core::parallelFor(kCount, threads, work));
    QVERIFY(begun < kCount);
}

PALIMPSEST_TEST(TestParallel)
#include "tst_parallel.moc"
