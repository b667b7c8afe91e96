// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace core {

/// Follows an array that grows and is cut back, and knows which of its tool results stand how far behind their calls.
/// A block costs the distance to its call.
class CallPairs final {
public:
    void push(const Block &block);
    /// Blocks from `size` on go.
    void truncate(size_t size);

    /// Whether a call before `boundary` has its result there or behind it.
    [[nodiscard]] bool spans(size_t boundary) const { return boundary < m_spanning.size() && m_spanning[boundary] > 0; }

    /// The nearest call before, where a result comes next.
    [[nodiscard]] std::optional<size_t> callOf(const Block &result) const;

    /// Places of a call and of a result that answers it.
    struct Pair {
        size_t call = 0;
        size_t result = 0;
    };
    [[nodiscard]] std::span<const Pair> pairs() const { return m_pairs; }

private:
    void count(const Pair &pair, int sign);

    std::unordered_map<StringId, std::vector<size_t>> m_calls; ///< where calls of an id stand; the last is the nearest
    std::vector<StringId> m_ids;                               ///< of each block; invalid but of calls
    std::vector<Pair> m_pairs;                                 ///< by result
    std::vector<int> m_spanning; ///< of each block: pairs whose call is before it and whose result is not
};

} // namespace core
