// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// Pre-tokenisation: the pieces into which an encoding cuts a text before it pairs bytes. No token crosses a piece.
///
/// The pieces are the matches of a published pattern, its alternatives tried in this order:
///
///     O200k: o200k_base, o200k_harmony
///         [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
///         [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
///         \p{N}{1,3}
///          ?[^\s\p{L}\p{N}]+[\r\n/]*
///         \s*[\r\n]+
///         \s+(?!\S)
///         \s+
///     Cl100k: cl100k_base
///         (?i:'s|'t|'re|'ve|'m|'ll|'d)
///         [^\r\n\p{L}\p{N}]?\p{L}+
///         \p{N}{1,3}
///          ?[^\s\p{L}\p{N}]+[\r\n]*
///         and the last three of O200k
///
/// as tiktoken 1.0.22 (npm) has them. Characters have the classes of Unicode 16.0, as there. Pieces cover the text
/// without gaps. Bytes that are not UTF-8, and surrogates, count as symbols, one a byte or one each. Any text takes
/// linear time.
enum class PiecePattern : uint8_t { O200k, Cl100k };

/// The end of the piece that begins at `begin`, which must be 0 or the end of another piece, and less than the size.
[[nodiscard]] size_t endOfPiece(std::string_view text, size_t begin, PiecePattern pattern = PiecePattern::O200k);

/// Calls `visit` with each piece in order.
template <typename Visitor>
void forEachPiece(std::string_view text, Visitor &&visit, PiecePattern pattern = PiecePattern::O200k)
{
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = endOfPiece(text, begin, pattern);
        visit(text.substr(begin, end - begin));
        begin = end;
    }
}

/// Pieces of O200k.
[[nodiscard]] size_t countPieces(std::string_view text);

/// The last place in `text` where a piece of either pattern ends whatever stands behind it, and the pieces before which
/// do not depend on what stands behind: a text that arrives in parts can be cut there. 0 if there is none.
[[nodiscard]] size_t lastSafeCut(std::string_view text);

} // namespace core
