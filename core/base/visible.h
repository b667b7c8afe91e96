// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// The visible mark for a character that must not reach a screen: control characters (`␛`), bidirectional controls
/// (`⟨RLO⟩`), invisible characters (`⟨U+200B⟩`), surrogates (U+FFFD). Empty for every other character. Joiners and
/// variation selectors stay, because scripts and emoji need them.
[[nodiscard]] std::string visibleMark(uint32_t codePoint);

/// Replaces every such character, line ends too, by its mark: one line that is safe to print to a terminal. Each byte
/// of invalid UTF-8 becomes U+FFFD; a lone surrogate becomes one U+FFFD.
[[nodiscard]] std::string visibleText(std::string_view utf8);

/// Terminal columns of a character: 0 for combining marks and joiners, 2 for East Asian wide characters and emoji, else
/// 1. Coarser than a terminal's own tables, but enough to align columns.
[[nodiscard]] size_t columnsOf(uint32_t codePoint);
/// Terminal columns of a text as it is; control characters are not replaced by marks first.
[[nodiscard]] size_t columnsOf(std::string_view utf8);

/// Cuts `utf8` to at most `columns`; the last column is `…` if anything was cut.
[[nodiscard]] std::string fitted(std::string_view utf8, size_t columns);

} // namespace core
