// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ui {

/// Index of the largest of many numbers within any range: O(n) to build, O(log n) to ask.
class RangeMaximum final {
public:
    RangeMaximum() = default;
    explicit RangeMaximum(const std::vector<double> &values)
        : m_values(values)
    {
        std::vector<uint32_t> level(values.size());
        for (size_t i = 0; i < values.size(); ++i)
            level[i] = static_cast<uint32_t>(i);
        while (level.size() > 1) {
            std::vector<uint32_t> next((level.size() + 1) / 2);
            for (size_t i = 0; i < next.size(); ++i)
                next[i] = 2 * i + 1 < level.size() ? larger(level[2 * i], level[2 * i + 1]) : level[2 * i];
            m_levels.push_back(std::move(level));
            level = std::move(next);
        }
        m_levels.push_back(std::move(level));
    }

    /// The first of the largest in `[first, last)`; the range must not be empty.
    [[nodiscard]] size_t indexIn(size_t first, size_t last) const
    {
        auto best = static_cast<uint32_t>(first);
        for (size_t level = 0; first < last; ++level, first /= 2, last /= 2) {
            if ((first & 1U) != 0)
                best = larger(best, m_levels[level][first++]);
            if ((last & 1U) != 0)
                best = larger(best, m_levels[level][--last]);
        }
        return best;
    }

private:
    [[nodiscard]] uint32_t larger(uint32_t a, uint32_t b) const
    {
        if (m_values[a] == m_values[b])
            return std::min(a, b);
        return m_values[a] > m_values[b] ? a : b;
    }

    std::vector<double> m_values;
    std::vector<std::vector<uint32_t>> m_levels;
};

} // namespace ui
