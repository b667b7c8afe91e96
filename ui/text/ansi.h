// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ui {

/// Bytes `[begin, end)` of a document.
struct TextSpan {
    size_t begin = 0;
    size_t end = 0;
    friend bool operator==(const TextSpan &, const TextSpan &) = default;
};

/// A colour as terminal programs specify it.
struct AnsiColour {
    enum class Kind : uint8_t { Default, Indexed, True };
    Kind kind = Kind::Default;
    uint8_t index = 0; ///< 0 to 255: 16 named, 216 in a cube, 24 greys
    uint8_t red = 0;
    uint8_t green = 0;
    uint8_t blue = 0;
    friend bool operator==(const AnsiColour &, const AnsiColour &) = default;
};

/// The style of text in a terminal.
struct TextStyle {
    AnsiColour foreground;
    AnsiColour background;
    bool isBold = false;
    bool isFaint = false;
    bool isItalic = false;
    bool isUnderlined = false;
    bool isStruck = false;
    bool isInverse = false;
    friend bool operator==(const TextStyle &, const TextStyle &) = default;
};

struct TextStyleSpan {
    size_t begin = 0;
    size_t end = 0;
    TextStyle style;
};

/// Output of a command with ANSI colours. SGR sequences (`ESC [ … m`) are hidden and become styles. Any other escape
/// sequence is shown as a mark followed by its letters; nothing moves the cursor.
struct AnsiText {
    std::vector<TextSpan> hidden;
    std::vector<TextStyleSpan> styles; ///< only spans that differ from plain text
};

/// One pass. Follows ECMA-48 and, for colours, ITU T.416 as xterm reads it (`38;5;n`, `38;2;r;g;b`, with `;` or `:`).
[[nodiscard]] AnsiText parseAnsi(std::string_view text);

/// True if the text holds at least one SGR sequence.
[[nodiscard]] bool hasAnsiColours(std::string_view text);

} // namespace ui
