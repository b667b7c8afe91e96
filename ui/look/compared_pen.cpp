// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/compared_pen.h"

#include <array>

namespace ui {

namespace {

constexpr double kHueShare = 0.55; ///< the rest is the text colour, so that a thin line stays visible

} // namespace

QPen comparedPen(const Theme &theme, size_t index)
{
    constexpr std::array kHues { core::Material::Arguments, core::Material::Bulk, core::Material::Thinking,
        core::Material::Image };
    static const std::array kDashes { QList<qreal> { 6, 2 }, QList<qreal> { 2, 2 }, QList<qreal> { 8, 2, 2, 2 },
        QList<qreal> { 3, 4 } };
    QPen pen(blended(theme.text, theme.of(kHues[index % kHues.size()]), kHueShare), 1);
    pen.setDashPattern(kDashes[index % kDashes.size()]);
    return pen;
}

} // namespace ui
