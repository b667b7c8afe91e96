// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/range_maxima.h"
#include "core/compaction/message_array.h"

#include <cstdint>
#include <optional>

namespace core {

struct CutTables;

/// The arrays of all calls as if no stage had ever cut. While a run's array only grows, each of its figures differs
/// from the figure here by a constant. So sums, maxima and the next call that reaches a trigger cost O(log calls).
struct CutGrowth {
    std::vector<double> prompts;    ///< by step: tokens of the array and of what is sent beside it
    std::vector<double> promptSums; ///< sums over the steps before each one
    std::vector<uint32_t> blocks;
    RangeMaxima most;  ///< of prompts
    RangeMaxima least; ///< of negated prompts
    // The measures of triggers:
    RangeMaxima inTotal;
    RangeMaxima messages;
    RangeMaxima results;
    RangeMaxima turns;
    RangeMaxima known; ///< usage of the previous call, see KnownUsage
    /// By step: the first later step whose array does not extend this step's array, or where sums restart.
    std::vector<uint32_t> grownUntil;
};

/// O(steps).
[[nodiscard]] CutGrowth cutGrowth(const CutTables &tables);

/// How much an array exceeds the array of CutGrowth.
struct GrowthOffsets {
    double prompt = 0;
    double inTotal = 0;
    double messages = 0;
    double results = 0;
    double turns = 0;
    double unsent = 0; ///< tokens of the array that triggers do not count
};

/// Evaluates a trigger over arrays that only grow.
class GrowthWatch final {
public:
    GrowthWatch(const Trigger &trigger, const Policy &policy, double windowTokens);

    /// The first step in `[from, end)` that reaches the trigger; `end` if none does.
    [[nodiscard]] size_t firstReached(
        const CutGrowth &growth, const GrowthOffsets &offsets, size_t from, size_t end) const;
    /// Whether `value` reaches it; for triggers with a single measure.
    [[nodiscard]] bool isReachedBy(double value) const { return m_parts.front().accepts(value); }

    /// Whether all its measures are in tokens.
    [[nodiscard]] bool looksAtTokens() const;

private:
    struct Part {
        Measure::Unit unit = Measure::Unit::Tokens;
        std::optional<double> threshold; ///< nullopt if it can never be reached
        Comparator comparator = Comparator::AtLeast;

        [[nodiscard]] bool accepts(double value) const
        {
            return threshold && (comparator == Comparator::AtLeast ? value >= *threshold : value > *threshold);
        }
    };

    [[nodiscard]] size_t firstReached(
        const Part &part, const CutGrowth &growth, const GrowthOffsets &offsets, size_t from) const;

    std::vector<Part> m_parts;
    Trigger::Joining m_joining;
    Counter m_counter;
};

} // namespace core
