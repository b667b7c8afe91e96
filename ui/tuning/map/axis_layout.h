// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep_axis.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// A label on an axis: `30 %` of the window, and below it the same in tokens if the window is known.
struct AxisTick {
    double at = 0; ///< pixels from the beginning of the axis
    double value = 0;
    std::string text;
    std::string second; ///< empty where there is nothing more to say
};

/// The values of a swept setting along a line of pixels: one cell for each, all pixels in exactly one. Qt-free.
class AxisLayout final {
public:
    AxisLayout() = default;
    /// `window`: tokens of the model's window, 0 where it is not known.
    AxisLayout(core::SweepAxis axis, int length, double window);

    [[nodiscard]] size_t count() const { return m_axis.values.size(); }
    [[nodiscard]] int length() const { return m_length; }
    [[nodiscard]] const core::SweepAxis &axis() const { return m_axis; }
    /// The first pixel of a cell; of `count()` the end of the axis.
    [[nodiscard]] int begin(size_t cell) const;
    /// The cell of a pixel, or the nearest one.
    [[nodiscard]] size_t cellAt(double pixel) const;
    /// Place of a value; values beyond the axis are at its ends.
    [[nodiscard]] double at(double value) const;
    /// The inverse; at pixels beyond the middles of the outer cells their values.
    [[nodiscard]] double exactValueAt(double pixel) const;
    /// The value at a pixel, as round as a pixel allows; never beyond those of the axis.
    [[nodiscard]] double valueAt(double pixel) const;
    /// Whether the axis reaches as far as a value.
    [[nodiscard]] bool holds(double value) const;
    /// A value in tokens; nothing for a setting that has no tokens.
    [[nodiscard]] std::optional<double> tokensOf(double value) const;
    /// The value of so many tokens.
    [[nodiscard]] std::optional<double> valueOf(double tokens) const;

    /// At round values; texts of `digit` pixels a character have `gap` pixels between them. Along an axis that goes up
    /// a character takes no pixels, and lines of text are as far apart as the gap.
    [[nodiscard]] std::vector<AxisTick> ticks(double digit, double gap) const;

private:
    [[nodiscard]] double middle(size_t cell) const;
    [[nodiscard]] AxisTick tickOf(double value, double step) const;
    [[nodiscard]] std::vector<AxisTick> ticksOf(double step) const;

    core::SweepAxis m_axis;
    int m_length = 0;
    double m_window = 0;
};

/// The least of 1, 2 and 5 times a power of ten that is no less.
[[nodiscard]] double roundStep(double value);

/// `4k`, `120k`, `1.5M`, `640`.
[[nodiscard]] std::string shortTokens(double tokens);

} // namespace ui
