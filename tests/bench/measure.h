// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Seconds of each of `rounds` runs, after one that is not counted.
[[nodiscard]] std::vector<double> secondsOf(int rounds, const std::function<void()> &work);
/// The same in seconds of this thread's processor, whatever else the machine does; for work of one thread.
[[nodiscard]] std::vector<double> processorSecondsOf(int rounds, const std::function<void()> &work);
/// Seconds that this thread has worked.
[[nodiscard]] double threadSeconds();
[[nodiscard]] double median(std::vector<double> values);
/// The value that 95 % of all stay below.
[[nodiscard]] double p95(std::vector<double> values);

/// Anonymous memory of this process in bytes (what it allocated, mapped files left out), as the kernel counts it.
[[nodiscard]] uint64_t anonymousMemory();

/// Prints one line: what, the figure, the figure to reach, and whether it is reached.
void report(const std::string &what, const std::string &figure, const std::string &wanted, bool isReached);
/// Prints one line without a figure to reach: a reference of the same run.
void reference(const std::string &what, const std::string &figure);
[[nodiscard]] std::string fixed(double value, int decimals);

} // namespace bench
