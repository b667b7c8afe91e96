// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QFont>

#include <array>

namespace ui {

/// By how much the whole window is larger than drawn, so that its text is as large as the system's. Fonts and rows are
/// laid out in pixels that belong together; Qt scales them together. It is set once, before the first window.

/// The scales that the View menu offers, in percent.
inline constexpr std::array kTextScales { 75, 100, 125, 150, 175, 200, 250, 300 };

/// The user's choice in percent; 0: as large as the system's text.
[[nodiscard]] int chosenTextScale();
void setChosenTextScale(int percent);

/// The scale in percent, in steps of 25, at which the window's text is as large as text in this font. Near the usual
/// sizes it is 100: a window whose lines fall between pixels is not worth a pixel of text.
[[nodiscard]] int textScaleFor(const QFont &system, double dotsPerInch);

/// The scale for this start of the program; needs an application object of the platform.
[[nodiscard]] int wantedTextScale();
/// Makes the next application object scale everything, on top of QT_SCALE_FACTOR.
void prepareTextScale(int percent);

} // namespace ui
