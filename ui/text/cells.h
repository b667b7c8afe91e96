// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ui {

/// One code point of generalised UTF-8: a lone surrogate is a code point of three bytes, a byte that belongs to no
/// sequence is one of one byte.
struct Character {
    char32_t codePoint = 0;
    uint32_t size = 1;   ///< bytes
    bool isValid = true; ///< false for a stray byte and for a lone surrogate: drawn as U+FFFD
};

/// The character at `offset`, which lies inside `text`.
[[nodiscard]] Character characterAt(std::string_view text, size_t offset);

/// The start of the character that holds the byte at `offset`; `offset` itself at the end of the text.
[[nodiscard]] size_t characterStart(std::string_view text, size_t offset);

/// The character to draw in place of an active or invisible one: control characters become their control pictures,
/// bidirectional and invisible format characters U+2426. 0 if the character is drawn as itself.
[[nodiscard]] char32_t markOf(char32_t codePoint);

/// True for characters of scripts whose letters join, reorder or run from right to left: neighbours are drawn together.
[[nodiscard]] bool isShaped(char32_t codePoint);

/// A user-perceived character: a base with its combining marks, an emoji sequence, or a single mark.
struct Cluster {
    enum class Kind : uint8_t {
        Letter, ///< one code point in one cell
        Joined, ///< more than one cell or code point
        Shaped, ///< to be drawn together with its neighbours of this kind
        Mark,   ///< drawn as `shown`
        Tab,
        Blank, ///< U+0020
    };
    uint32_t size = 1;  ///< bytes
    uint32_t cells = 1; ///< width in the grid; a tab's depends on its place
    Kind kind = Kind::Letter;
    char32_t shown = 0; ///< of a mark; else the first code point
};

/// The cluster that starts at `offset`; it does not reach beyond `end`. At most 32 code points, so that a tower of
/// combining marks costs no more than that.
[[nodiscard]] Cluster clusterAt(std::string_view text, size_t offset, size_t end);

} // namespace ui
