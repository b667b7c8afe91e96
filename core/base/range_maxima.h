// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace core {

/// A binary tree of maxima over a fixed list of numbers. Range maxima and searches cost O(log n); memory is twice the
/// numbers. Immutable.
class RangeMaxima final {
public:
    RangeMaxima() = default;
    explicit RangeMaxima(std::vector<double> values)
        : m_size(values.size())
        , m_nodes(std::move(values))
    {
        m_nodes.reserve(2 * m_size + kMostLevels);
        for (size_t size = m_size; size > 1; size = (size + 1) / 2) {
            const size_t below = m_starts[m_levels - 1];
            m_starts[m_levels++] = static_cast<uint32_t>(m_nodes.size());
            for (size_t i = 0; i < size; i += 2)
                m_nodes.push_back(
                    i + 1 < size ? std::max(m_nodes[below + i], m_nodes[below + i + 1]) : m_nodes[below + i]);
        }
    }

    [[nodiscard]] size_t size() const { return m_size; }
    [[nodiscard]] double operator[](size_t index) const { return m_nodes[index]; }

    /// The largest number in `[from, to)`; minus infinity if the range is empty.
    [[nodiscard]] double largest(size_t from, size_t to) const
    {
        double found = -std::numeric_limits<double>::infinity();
        for (size_t level = 0; from < to; ++level, from /= 2, to /= 2) {
            if (from % 2 == 1)
                found = std::max(found, node(level, from++));
            if (to % 2 == 1)
                found = std::max(found, node(level, --to));
        }
        return found;
    }

    /// Index of the first largest number in `[from, to)`, which must not be empty.
    [[nodiscard]] size_t indexOfLargest(size_t from, size_t to) const
    {
        const double wanted = largest(from, to);
        return first(from, [wanted](double value) { return value >= wanted; });
    }

    /// Index of the first number from `from` on that `accepts` returns true for; `size()` if there is none. `accepts`
    /// must be monotonic: if it accepts a number, it accepts all larger numbers.
    template <typename Predicate>
    [[nodiscard]] size_t first(size_t from, const Predicate &accepts) const
    {
        return firstNode(from, [&](size_t level, size_t index) { return accepts(node(level, index)); });
    }

    /// The first index at or after `from` for which `accepts` is true of this list's number, or `acceptsOther` is true
    /// of the number in `others`. Both lists have the same size.
    template <typename Predicate, typename OtherPredicate>
    [[nodiscard]] size_t firstOfEither(
        size_t from, const Predicate &accepts, const RangeMaxima &others, const OtherPredicate &acceptsOther) const
    {
        return firstNode(from, [&](size_t level, size_t index) {
            return accepts(node(level, index)) || acceptsOther(others.node(level, index));
        });
    }

private:
    static constexpr size_t kMostLevels = 33;

    /// The larger of two nodes of the level below, or a copy of its last node.
    [[nodiscard]] double node(size_t level, size_t index) const { return m_nodes[m_starts[level] + index]; }

    /// The first accepted leaf from `from` on: climbs past rejected nodes, then descends.
    template <typename NodePredicate>
    [[nodiscard]] size_t firstNode(size_t from, const NodePredicate &accepts) const
    {
        if (from >= m_size)
            return m_size;
        size_t level = 0;
        size_t count = m_size;
        while (!accepts(level, from)) {
            ++from;
            while (from % 2 == 0 && level + 1 < m_levels) {
                from /= 2;
                ++level;
                count = (count + 1) / 2;
            }
            if (from >= count)
                return m_size;
        }
        while (level > 0) {
            --level;
            from *= 2;
            if (!accepts(level, from))
                ++from;
        }
        return from;
    }

    size_t m_size = 0;
    size_t m_levels = 1;
    std::array<uint32_t, kMostLevels> m_starts {};
    std::vector<double> m_nodes; ///< level after level; level 0 holds the numbers
};

} // namespace core
