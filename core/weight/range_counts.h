// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <cstdint>
#include <vector>

namespace core {

/// Increments ranges of numbers and reads single numbers; both O(log n).
class RangeCounts final {
public:
    explicit RangeCounts(size_t size)
        : m_sums(size + 2)
    {
    }
    void add(BlockRange range)
    {
        addFrom(range.begin, 1);
        addFrom(range.end, 0U - 1U);
    }
    [[nodiscard]] uint32_t at(size_t place) const
    {
        uint32_t sum = 0;
        for (size_t i = place + 1; i > 0; i &= i - 1)
            sum += m_sums[i];
        return sum;
    }

private:
    /// Unsigned numbers wrap.
    void addFrom(size_t place, uint32_t number)
    {
        for (size_t i = place + 1; i < m_sums.size(); i += i & (0U - i))
            m_sums[i] += number;
    }
    std::vector<uint32_t> m_sums;
};

} // namespace core
