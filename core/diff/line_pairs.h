// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text_lines.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// Pairs removed lines with the added lines that are their edited form. Two lines are alike to the degree that they
/// share pairs of neighbouring characters, blanks ignored. One budget covers all hunks. Once it is used up, and in long
/// hunks, lines are paired in order.
class LinePairer final {
public:
    /// Character pairs examined for all hunks together.
    static constexpr size_t kBudget = 16'000'000;
    /// In hunks with more line pairs than this, lines are paired in order.
    static constexpr size_t kMostPairs = 4096;
    /// Lines with less likeness than this are not paired.
    static constexpr double kAlike = 0.4;

    /// Pairs (old line, new line); both numbers ascend.
    [[nodiscard]] std::vector<std::pair<size_t, size_t>> pairs(std::string_view before, const TextLines &beforeLines,
        LineRange beforeRange, std::string_view after, const TextLines &afterLines, LineRange afterRange);

    /// 0 to 1.
    [[nodiscard]] static double likeness(std::string_view before, std::string_view after);

private:
    using Shape = std::vector<uint16_t>;
    static void shapeOf(std::string_view line, Shape &shape);
    [[nodiscard]] static double likeness(const Shape &before, const Shape &after);

    size_t m_budget = kBudget;
    std::vector<Shape> m_beforeShapes;
    std::vector<Shape> m_afterShapes;
};

} // namespace core
