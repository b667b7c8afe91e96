// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace bench {

std::vector<double> secondsOf(int rounds, const std::function<void()> &work)
{
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    for (int i = -1; i < rounds; ++i) {
        const auto begin = Clock::now();
        work();
        const std::chrono::duration<double> taken = Clock::now() - begin;
        if (i >= 0)
            seconds.push_back(taken.count());
    }
    return seconds;
}

double threadSeconds()
{
    timespec time {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::vector<double> processorSecondsOf(int rounds, const std::function<void()> &work)
{
    std::vector<double> seconds;
    for (int i = -1; i < rounds; ++i) {
        const double begin = threadSeconds();
        work();
        if (i >= 0)
            seconds.push_back(threadSeconds() - begin);
    }
    return seconds;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

double p95(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : values[std::min(values.size() - 1, values.size() * 95 / 100)];
}

uint64_t anonymousMemory()
{
    std::ifstream in("/proc/self/smaps_rollup");
    std::string word;
    while (in >> word) {
        if (word == "Anonymous:") {
            uint64_t kilobytes = 0;
            in >> kilobytes;
            return kilobytes * 1024;
        }
    }
    return 0;
}

void report(const std::string &what, const std::string &figure, const std::string &wanted, bool isReached)
{
    std::printf(
        "%-58s %14s   %-26s %s\n", what.c_str(), figure.c_str(), wanted.c_str(), isReached ? "reached" : "MISSED");
    std::fflush(stdout);
}

void reference(const std::string &what, const std::string &figure)
{
    std::printf("%-58s %14s   reference\n", what.c_str(), figure.c_str());
    std::fflush(stdout);
}

std::string fixed(double value, int decimals)
{
    std::array<char, 64> buffer {};
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return buffer.data();
}

} // namespace bench
