// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/session_report.h"

#include <string>

namespace ui {

/// The timeline of a report's thread as SVG: the recorded curve with its compactions, findings and cache, laid out as
/// in the window. Its colours are classes (`pictureCss`), so that the page chooses them. Holds no text of the session.
/// O(pixels) elements, however many calls there are.
[[nodiscard]] std::string timelineSvg(const core::SessionReport &report, core::PictureLinks links);

} // namespace ui
