// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <vector>

namespace core {

/// Prefix sums of a list of numbers that changes (a Fenwick tree). Every operation costs O(log n).
class PrefixSums final {
public:
    [[nodiscard]] size_t size() const { return m_nodes.size(); }

    void reserve(size_t size) { m_nodes.reserve(size); }
    void push(double value)
    {
        const size_t number = m_nodes.size() + 1;
        const size_t first = number - lowestBit(number); // the range that the node does not cover
        double covered = value;
        for (size_t i = number - 1; i > first; i -= lowestBit(i))
            covered += m_nodes[i - 1];
        m_nodes.push_back(covered);
    }
    void truncate(size_t size) { m_nodes.resize(size); }
    void add(size_t index, double difference)
    {
        for (size_t i = index + 1; i <= m_nodes.size(); i += lowestBit(i))
            m_nodes[i - 1] += difference;
    }
    /// Sum of the first `count` numbers.
    [[nodiscard]] double before(size_t count) const
    {
        double sum = 0;
        for (size_t i = count; i > 0; i -= lowestBit(i))
            sum += m_nodes[i - 1];
        return sum;
    }

private:
    [[nodiscard]] static size_t lowestBit(size_t number) { return number & (~number + 1); }

    std::vector<double> m_nodes;
};

} // namespace core
