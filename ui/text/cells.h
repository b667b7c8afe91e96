// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ui {

/// One code point of generalised UTF-8. A lone surrogate is a code point of three bytes; an invalid byte is a code
/// point of one byte.
struct Character {
    char32_t codePoint = 0;
    uint32_t size = 1;   ///< bytes
    bool isValid = true; ///< false for an invalid byte and for a lone surrogate: drawn as U+FFFD
};

/// `offset` must be inside `text`.
[[nodiscard]] Character characterAt(std::string_view text, size_t offset);

/// The start of the character that contains the byte at `offset`; `offset` itself at the end of the text.
[[nodiscard]] size_t characterStart(std::string_view text, size_t offset);

/// The replacement to draw for an active or invisible character: control pictures for control characters, U+2426 for
/// bidirectional and invisible format characters. 0 if the character is drawn as itself.
[[nodiscard]] char32_t markOf(char32_t codePoint);

/// True for scripts whose letters join, reorder or run from right to left, so that neighbours must be drawn together.
[[nodiscard]] bool isShaped(char32_t codePoint);

/// A user-perceived character: a base with its combining marks, an emoji sequence, or a single mark.
struct Cluster {
    enum class Kind : uint8_t {
        Letter, ///< one code point in one cell
        Joined, ///< several cells or code points
        Shaped, ///< must be drawn together with neighbouring Shaped clusters
        Mark,   ///< drawn as `shown`
        Tab,
        Blank, ///< U+0020
    };
    uint32_t size = 1;  ///< bytes
    uint32_t cells = 1; ///< width in the grid; that of a tab depends on its column
    Kind kind = Kind::Letter;
    char32_t shown = 0; ///< the replacement if Mark; else the first code point
};

/// The cluster at `offset`; ends at or before `end`. At most 32 code points, which bounds the cost of stacked combining
/// marks.
[[nodiscard]] Cluster clusterAt(std::string_view text, size_t offset, size_t end);

} // namespace ui
