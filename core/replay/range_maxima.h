// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace core {

/// Numbers in a fixed order, and the largest of each pair, of each pair of pairs and so on: maxima over ranges and
/// searches cost O(log n), memory is twice the numbers. Immutable once made.
class RangeMaxima final {
public:
    RangeMaxima() = default;
    explicit RangeMaxima(std::vector<double> values)
    {
        m_levels.push_back(std::move(values));
        while (m_levels.back().size() > 1) {
            const std::vector<double> &below = m_levels.back();
            std::vector<double> level((below.size() + 1) / 2);
            for (size_t i = 0; i < level.size(); ++i)
                level[i] = 2 * i + 1 < below.size() ? std::max(below[2 * i], below[2 * i + 1]) : below[2 * i];
            m_levels.push_back(std::move(level));
        }
    }

    [[nodiscard]] size_t size() const { return m_levels.empty() ? 0 : m_levels.front().size(); }
    [[nodiscard]] double operator[](size_t index) const { return m_levels.front()[index]; }

    /// The largest of those from `from` to before `to`; of none minus infinity.
    [[nodiscard]] double largest(size_t from, size_t to) const
    {
        double found = -std::numeric_limits<double>::infinity();
        for (size_t level = 0; from < to; ++level, from /= 2, to /= 2) {
            if (from % 2 == 1)
                found = std::max(found, m_levels[level][from++]);
            if (to % 2 == 1)
                found = std::max(found, m_levels[level][--to]);
        }
        return found;
    }

    /// The first from `from` on that `accepts`; `size()` if none is. What accepts a number accepts all larger ones.
    template <typename Predicate>
    [[nodiscard]] size_t first(size_t from, const Predicate &accepts) const
    {
        if (from >= size())
            return size();
        size_t level = 0;
        while (!accepts(m_levels[level][from])) {
            ++from;
            while (from % 2 == 0 && level + 1 < m_levels.size()) {
                from /= 2;
                ++level;
            }
            if (from >= m_levels[level].size())
                return size();
        }
        while (level > 0) {
            --level;
            from *= 2;
            if (!accepts(m_levels[level][from]))
                ++from;
        }
        return from;
    }

private:
    std::vector<std::vector<double>> m_levels;
};

} // namespace core
