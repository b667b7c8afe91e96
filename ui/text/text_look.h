// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/text/ansi.h"

#include <QColor>

#include <cstddef>

namespace ui {

/// The look of a stretch of text; an invalid colour stands for the theme's colour.
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

/// The role of a marked range; determines its colour in the theme.
enum class MarkRole : uint8_t {
    Match,
    CurrentMatch,
    Trace,     ///< a traced phrase
    Added,     ///< an added line of a diff
    AddedPart, ///< the changed words in it
    Removed,
    RemovedPart,
    Note,
};

/// A marked range. A mark of whole rows spans the surface's width.
struct TextMark {
    TextSpan span;
    MarkRole role = MarkRole::Note;
    bool isWholeRows = false;
};

[[nodiscard]] QColor groundOf(MarkRole role, const Theme &theme);

/// Blends `share` of `over` onto `ground`.
[[nodiscard]] QColor mixed(const QColor &ground, const QColor &over, double share);

/// WCAG contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor &a, const QColor &b);

/// The colour nearest to `colour`, on its way to black or white, that is legible on `ground` (WCAG AA, 4.5).
[[nodiscard]] QColor legible(const QColor &colour, const QColor &ground);

/// A terminal style on the theme's background; named colours are made legible.
[[nodiscard]] TextLook lookOf(const TextStyle &style, const Theme &theme);

} // namespace ui
