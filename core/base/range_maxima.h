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

/// Numbers in a fixed order, and the largest of each pair, of each pair of pairs and so on: maxima over ranges and
/// searches cost O(log n), memory is twice the numbers. Immutable once made.
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

    /// The largest of those from `from` to before `to`; of none minus infinity.
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

    /// The first of the largest from `from` to before `to`; the range must not be empty.
    [[nodiscard]] size_t indexOfLargest(size_t from, size_t to) const
    {
        const double wanted = largest(from, to);
        return first(from, [wanted](double value) { return value >= wanted; });
    }

    /// The first from `from` on that `accepts`; `size()` if none is. What accepts a number accepts all larger ones.
    template <typename Predicate>
    [[nodiscard]] size_t first(size_t from, const Predicate &accepts) const
    {
        return firstNode(from, [&](size_t level, size_t index) { return accepts(node(level, index)); });
    }

    /// The first from `from` on whose number `accepts`, or whose number in `others`, as many, `acceptsOther`.
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

    /// Of a level each node is the larger of two of the level below, or the last one alone.
    [[nodiscard]] double node(size_t level, size_t index) const { return m_nodes[m_starts[level] + index]; }

    /// The first leaf from `from` on that is accepted: up as long as nodes are not, then down to it.
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
    std::vector<double> m_nodes; ///< level after level, the numbers themselves first
};

} // namespace core
