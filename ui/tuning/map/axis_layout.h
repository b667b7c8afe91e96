// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep_axis.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// A label on an axis: `30 %` of the window, and below it the value in tokens if the window is known.
struct AxisTick {
    double at = 0; ///< pixels from the start of the axis
    double value = 0;
    std::string text;
    std::string second; ///< empty if there is no second line
};

/// The values of a swept setting along a line of pixels. Each value has a cell, and each pixel belongs to exactly one
/// cell. Qt-free.
class AxisLayout final {
public:
    AxisLayout() = default;
    /// `window`: the model's window in tokens; 0 if unknown.
    AxisLayout(core::SweepAxis axis, int length, double window);

    [[nodiscard]] size_t count() const { return m_axis.values.size(); }
    [[nodiscard]] int length() const { return m_length; }
    [[nodiscard]] const core::SweepAxis &axis() const { return m_axis; }
    /// The first pixel of a cell; for `count()` the end of the axis.
    [[nodiscard]] int begin(size_t cell) const;
    /// The cell of a pixel, or the nearest one.
    [[nodiscard]] size_t cellAt(double pixel) const;
    /// Pixel of a value, clamped to the axis.
    [[nodiscard]] double at(double value) const;
    /// Inverse of `at`; outside of the middles of the first and last cells it returns their values.
    [[nodiscard]] double exactValueAt(double pixel) const;
    /// The value at a pixel, rounded as far as one pixel allows, within the axis.
    [[nodiscard]] double valueAt(double pixel) const;
    /// Whether a value is on the axis.
    [[nodiscard]] bool holds(double value) const;
    /// A value in tokens; nullopt for settings without a length in tokens.
    [[nodiscard]] std::optional<double> tokensOf(double value) const;
    /// The value for a length in tokens.
    [[nodiscard]] std::optional<double> valueOf(double tokens) const;

    /// Ticks at round values, with at least `gap` pixels between texts that are `digit` pixels a character wide. For a
    /// vertical axis pass 0 as `digit`; `gap` is then the distance of lines.
    [[nodiscard]] std::vector<AxisTick> ticks(double digit, double gap) const;

private:
    [[nodiscard]] double middle(size_t cell) const;
    [[nodiscard]] AxisTick tickOf(double value, double step) const;
    [[nodiscard]] std::vector<AxisTick> ticksOf(double step) const;

    core::SweepAxis m_axis;
    int m_length = 0;
    double m_window = 0;
};

/// The smallest number ≥ `value` that is 1, 2 or 5 times a power of ten.
[[nodiscard]] double roundStep(double value);

/// `4k`, `120k`, `1.5M`, `640`.
[[nodiscard]] std::string shortTokens(double tokens);

} // namespace ui
