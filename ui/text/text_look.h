// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/text/ansi.h"

#include <QColor>

#include <cstddef>

namespace ui {

/// How a stretch of text is drawn; an invalid colour is the theme's own.
struct TextLook {
    QColor foreground;
    QColor background;
    bool isBold = false;
    bool isItalic = false;
    bool isUnderlined = false;
    bool isStruck = false;
    friend bool operator==(const TextLook &, const TextLook &) = default;
};

struct TextLookSpan {
    size_t begin = 0;
    size_t end = 0;
    TextLook look;
};

/// The meaning of a marked range; its colour follows the theme.
enum class MarkRole : uint8_t {
    Match,
    CurrentMatch,
    Trace,     ///< a phrase that is followed over the calls
    Added,     ///< a line of a diff
    AddedPart, ///< the words in it that changed
    Removed,
    RemovedPart,
    Note,
};

/// A marked range. A mark of whole rows reaches over the surface's width.
struct TextMark {
    TextSpan span;
    MarkRole role = MarkRole::Note;
    bool isWholeRows = false;
};

[[nodiscard]] QColor groundOf(MarkRole role, const Theme &theme);

/// `share` of `over` on `ground`.
[[nodiscard]] QColor mixed(const QColor &ground, const QColor &over, double share);

/// WCAG contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor &a, const QColor &b);

/// `colour`, or the nearest colour on its way to black or white that text on `ground` can have (WCAG AA, 4.5).
[[nodiscard]] QColor legible(const QColor &colour, const QColor &ground);

/// A terminal's style on the theme's ground: the colours that a program named, made legible.
[[nodiscard]] TextLook lookOf(const TextStyle &style, const Theme &theme);

} // namespace ui
