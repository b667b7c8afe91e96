// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace core {

/// Tracks the pairs of tool call and tool result in an array that grows and is truncated. Appending a block costs
/// O(distance to its call).
class CallPairs final {
public:
    void push(const Block &block);
    /// Removes the blocks from index `size` on.
    void truncate(size_t size);

    /// Whether a call before `boundary` has its result at or after `boundary`.
    [[nodiscard]] bool spans(size_t boundary) const { return boundary < m_spanning.size() && m_spanning[boundary] > 0; }

    /// The nearest earlier call that `result` would answer if it were appended now.
    [[nodiscard]] std::optional<size_t> callOf(const Block &result) const;

    /// Indices of a call and of a result that answers it.
    struct Pair {
        size_t call = 0;
        size_t result = 0;
    };
    [[nodiscard]] std::span<const Pair> pairs() const { return m_pairs; }

private:
    void count(const Pair &pair, int sign);

    std::unordered_map<StringId, std::vector<size_t>> m_calls; ///< indices of the calls by id; the last is the nearest
    std::vector<StringId> m_ids;                               ///< by block; valid for calls only
    std::vector<Pair> m_pairs;                                 ///< by result index, ascending
    std::vector<int> m_spanning; ///< by block: number of pairs with the call before the block and the result at or
                                 ///< after it
};

} // namespace core
