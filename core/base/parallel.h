// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace core {

/// Calls `work(worker, index)` once for each index below `count`, on the calling thread (worker 0) and up to `threads -
/// 1` others, each index as soon as a worker is free, in order. Returns when all are done. The work must not throw;
/// what it computes must not depend on which worker does it, or when.
template <typename Work>
void parallelFor(size_t count, unsigned threads, const Work &work)
{
    std::atomic<size_t> next { 0 };
    const auto run = [&](unsigned worker) {
        for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
            work(worker, i);
    };
    const auto workers = static_cast<unsigned>(std::clamp<size_t>(threads, 1, std::max<size_t>(count, 1)));
    std::vector<std::jthread> others;
    others.reserve(workers - 1);
    for (unsigned worker = 1; worker < workers; ++worker)
        others.emplace_back([&run, worker] { run(worker); });
    run(0);
}

} // namespace core
