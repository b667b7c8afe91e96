// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/range_maxima.h"
#include "core/compaction/message_array.h"

#include <cstdint>
#include <optional>

namespace core {

struct CutTables;

/// The calls' arrays as if no stage had ever cut. While an array only grows, each of its numbers at a call is the one
/// here and a constant, so that sums, maxima and the call at which a trigger is reached next cost O(log calls).
struct CutGrowth {
    std::vector<double> prompts;    ///< of each step: tokens of the array and of what is sent beside it
    std::vector<double> promptSums; ///< over all steps before each
    std::vector<uint32_t> blocks;
    RangeMaxima most;  ///< prompts
    RangeMaxima least; ///< prompts, negative
    // What triggers look at.
    RangeMaxima inTotal;
    RangeMaxima messages;
    RangeMaxima results;
    RangeMaxima turns;
    RangeMaxima known; ///< prompt and answer of the call before
    /// Of each step the first one behind it whose array does not begin with its array, or at which sums begin anew.
    std::vector<uint32_t> grownUntil;
};

/// O(steps).
[[nodiscard]] CutGrowth cutGrowth(const CutTables &tables);

/// What an array has more than the one of CutGrowth.
struct GrowthOffsets {
    double prompt = 0;
    double inTotal = 0;
    double messages = 0;
    double results = 0;
    double turns = 0;
};

/// A trigger over arrays that only grow.
class GrowthWatch final {
public:
    GrowthWatch(const Trigger &trigger, const Policy &policy, double windowTokens);

    /// The first step from `from` on and before `end` at which it is reached; `end` if it is at none.
    [[nodiscard]] size_t firstReached(
        const CutGrowth &growth, const GrowthOffsets &offsets, size_t from, size_t end) const;
    /// Whether a value of its only measure reaches it.
    [[nodiscard]] bool isReachedBy(double value) const { return m_parts.front().accepts(value); }

    /// Whether all its measures are in tokens.
    [[nodiscard]] bool looksAtTokens() const;

private:
    struct Part {
        Measure::Unit unit = Measure::Unit::Tokens;
        std::optional<double> threshold; ///< nothing where it is never reached
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
    bool m_looksAtKnown = false;
    MessageCounter m_counter;
};

} // namespace core
