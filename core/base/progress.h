// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>

namespace core {

/// Progress and cancellation of a long computation. Shared between the working and the watching thread; every function
/// is thread-safe.
class Progress final {
public:
    void setFraction(double fraction) { m_fraction.store(fraction, std::memory_order_relaxed); }
    [[nodiscard]] double fraction() const { return m_fraction.load(std::memory_order_relaxed); }

    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool isCancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

private:
    std::atomic<double> m_fraction { 0.0 };
    std::atomic<bool> m_cancelled { false };
};

/// `progress` may be null.
[[nodiscard]] inline bool isCancelled(const Progress *progress)
{
    return progress != nullptr && progress->isCancelled();
}

} // namespace core
