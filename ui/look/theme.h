// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/slot_label.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>
#include <QStringView>

#include <array>
#include <cmath>
#include <string_view>

namespace ui {

enum class Appearance { Light, Dark };

/// The colours and fonts of the window, by role. Views use no other colours. A value type, so that pictures can have
/// either appearance whatever the window uses.
struct Theme {
    Appearance appearance = Appearance::Light;
    QColor window;
    QColor base;
    QColor text;
    QColor secondary;
    QColor hairline;
    QColor accent;
    QColor accentGround;
    QColor hot;    ///< hot, lost, problems
    QColor onFill; ///< text on the fill of a material
    QColor onFillSecondary;
    QColor curve; ///< the curve of the timeline
    QColor curveGround;
    std::array<QColor, core::kMaterialCount> materials;

    [[nodiscard]] const QColor &of(core::Material material) const { return materials[static_cast<size_t>(material)]; }

    [[nodiscard]] static Theme make(Appearance appearance);
    /// The appearance of a platform palette.
    [[nodiscard]] static Appearance appearanceOf(const QPalette &palette);
    /// A widget palette that matches the theme.
    [[nodiscard]] QPalette palette() const;

    /// A style sheet for the header of a table. `first`: pixels before the first title.
    [[nodiscard]] QString headerStyle(int first = 10) const;

    /// 13 px interface text.
    [[nodiscard]] static QFont textFont(int pixels = 13);
    [[nodiscard]] static QFont strongFont(int pixels = 13);
    /// Figures and code.
    [[nodiscard]] static QFont figureFont(int pixels = 12);
};

/// Left and right of a page's head and lists, in pixels.
inline constexpr int kPageMargin = 14;

/// `colour` with this opacity (0 to 1).
[[nodiscard]] QColor faded(QColor colour, double opacity);
/// Interpolates from `a` (share 0) to `b` (share 1).
[[nodiscard]] QColor blended(const QColor &a, const QColor &b, double share);
/// The middle of the pixel at `x`, so that a line of one pixel is sharp.
[[nodiscard]] inline double crisp(double x) { return std::floor(x) + 0.5; }

/// Session text for a painted label: converts UTF-8 to UTF-16, with control and bidirectional characters as visible
/// marks, so that session text never acts. Lone surrogates become U+FFFD.
[[nodiscard]] QString displayText(std::string_view utf8);
/// `1,204`
[[nodiscard]] QString groupedText(uint64_t number);
/// Rounded to an integer with thousands separators; negative values become 0.
[[nodiscard]] QString wholeNumber(double value);

/// A figure with this sign: `−446`, `− ~446`.
[[nodiscard]] QString signedFigure(QChar sign, const QString &figure);

/// Plain text for a tool tip; never interpreted as markup.
[[nodiscard]] QString toolTipText(const QString &words);

/// `1 slot`, `1,204 slots`. The caller translates both words.
[[nodiscard]] QString counted(size_t count, const QString &one, const QString &many);

} // namespace ui
