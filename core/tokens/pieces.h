// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <string_view>

namespace core {

/// Pre-tokenisation: the pieces into which o200k_base cuts a text before it pairs bytes. No token crosses a piece.
///
/// The pieces are the matches of its published pattern (o200k_harmony has the same), alternatives in this order:
///
///     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
///     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
///     \p{N}{1,3}
///      ?[^\s\p{L}\p{N}]+[\r\n/]*
///     \s*[\r\n]+
///     \s+(?!\S)
///     \s+
///
/// They cover the text without gaps. Bytes that are not UTF-8, and surrogates, count as symbols, one a byte or one
/// each. Any text takes linear time.

/// The end of the piece that begins at `begin`, which must be 0 or the end of another piece, and less than the size.
[[nodiscard]] size_t endOfPiece(std::string_view text, size_t begin);

/// Calls `visit` with each piece in order.
template <typename Visitor>
void forEachPiece(std::string_view text, Visitor &&visit)
{
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = endOfPiece(text, begin);
        visit(text.substr(begin, end - begin));
        begin = end;
    }
}

[[nodiscard]] size_t countPieces(std::string_view text);

/// The last place in `text` where a piece ends whatever stands behind it, and the pieces before which do not depend on
/// what stands behind: a text that arrives in parts can be cut there. 0 if there is none.
[[nodiscard]] size_t lastSafeCut(std::string_view text);

} // namespace core
