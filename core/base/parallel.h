// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace core {

/// Calls `work(worker, index)` once for each index below `count`, on the calling thread (worker 0) and up to `threads -
/// 1` others. Workers take the indices in order. Returns when all calls have returned. Results must not depend on which
/// worker does the work, or when. If a call throws, no further index is started, and the first exception is rethrown on
/// the calling thread.
template <typename Work>
void parallelFor(size_t count, unsigned threads, const Work &work)
{
    std::atomic<size_t> next { 0 };
    std::exception_ptr thrown;
    std::once_flag isFirst;
    const auto run = [&](unsigned worker) {
        try {
            for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
                work(worker, i);
        } catch (...) {
            std::call_once(isFirst, [&] { thrown = std::current_exception(); });
            next.store(count);
        }
    };
    const auto workers = static_cast<unsigned>(std::clamp<size_t>(threads, 1, std::max<size_t>(count, 1)));
    {
        std::vector<std::jthread> others;
        others.reserve(workers - 1);
        for (unsigned worker = 1; worker < workers; ++worker)
            others.emplace_back([&run, worker] { run(worker); });
        run(0);
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

/// Calls `work(worker, item)` for each item below `count`, in batches of neighbouring items, so that a thread reads
/// consecutive memory. `sizeOf(item)` is the number of bytes the item reads. Stops early when `progress` is cancelled.
template <typename SizeOf, typename Work>
void parallelInBatches(size_t count, unsigned threads, Progress *progress, const SizeOf &sizeOf, const Work &work)
{
    constexpr uint64_t kBatchBytes = 256U << 10U;
    const auto effortOf = [&](size_t item) { return uint64_t { sizeOf(item) } + 64; }; // an empty item costs something,
                                                                                       // too
    std::vector<size_t> ends;
    uint64_t batch = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < count; ++i) {
        batch += effortOf(i);
        total += effortOf(i);
        if (batch >= kBatchBytes || i + 1 == count) {
            ends.push_back(i + 1);
            batch = 0;
        }
    }
    std::atomic<uint64_t> done { 0 };
    parallelFor(ends.size(), threads, [&](unsigned worker, size_t index) {
        for (size_t i = index == 0 ? 0 : ends[index - 1]; i < ends[index]; ++i) {
            if (progress != nullptr && progress->isCancelled())
                return;
            work(worker, i);
            const uint64_t sum = done.fetch_add(effortOf(i)) + effortOf(i);
            if (worker == 0 && progress != nullptr) // only one thread reports, so that progress never goes back
                progress->setFraction(static_cast<double>(sum) / static_cast<double>(total));
        }
    });
}

} // namespace core
