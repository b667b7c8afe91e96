// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/session_report.h"

#include <string>

namespace ui {

/// The array of a report as SVG: its slots side by side, as wide as they are heavy, laid out as a column of the window.
/// Slots too thin to draw are merged; nothing is left out. Each leads to the row of its message. Holds no text of the
/// session. Its colours are classes (`pictureCss`).
[[nodiscard]] std::string arraySvg(const core::SessionReport &report, core::PictureLinks links);

} // namespace ui
