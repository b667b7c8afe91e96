// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text_lines.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// Finds which of the lines that replaced others are those lines, edited. Lines are alike as far as they share pairs of
/// neighbouring characters, blanks aside. Holds a budget for all hunks together; beyond it, and in long hunks, lines
/// are compared in order only.
class LinePairer final {
public:
    /// Pairs of characters looked at for all hunks together.
    static constexpr size_t kBudget = 16'000'000;
    /// Hunks with more pairs of lines than this are compared in order.
    static constexpr size_t kMostPairs = 4096;
    /// Lines that share less than this are different lines.
    static constexpr double kAlike = 0.4;

    /// The pairs (line before, line after), both rising.
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
