// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// The mark that stands for a character which must not act on a screen: control characters (`␛`), bidirectional
/// controls (`⟨RLO⟩`), characters that cannot be seen (`⟨U+200B⟩`), surrogates (U+FFFD). Empty for every other one.
/// Joiners and variation selectors are no such characters: scripts and emoji need them.
[[nodiscard]] std::string visibleMark(uint32_t codePoint);

/// `utf8` with every such character replaced by its mark, line ends too: safe to write to a terminal, one line. Bytes
/// that are not UTF-8 become U+FFFD, a lone surrogate one of them.
[[nodiscard]] std::string visibleText(std::string_view utf8);

/// How many columns of a terminal a character takes: 0 for combining marks and joiners, 2 for East Asian wide
/// characters and emoji, else 1. Coarser than a terminal's own tables: enough to keep columns under each other.
[[nodiscard]] size_t columnsOf(uint32_t codePoint);
/// The same for a text; marks of `visibleText` are not made, only counted as they stand.
[[nodiscard]] size_t columnsOf(std::string_view utf8);

/// `utf8` cut to at most `columns`, with `…` as the last where something was cut.
[[nodiscard]] std::string fitted(std::string_view utf8, size_t columns);

} // namespace core
