// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QPen>

namespace ui {

/// The pen of the n-th compared policy: thin, with its own hue and dash pattern, so that curves can be told apart
/// without colour.
[[nodiscard]] QPen comparedPen(const Theme &theme, size_t index);

} // namespace ui
