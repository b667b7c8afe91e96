// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// Pre-tokenisation: splits a text into pieces before byte pairs are joined. No token crosses the end of a piece.
///
/// Pieces are the matches of a published pattern; its alternatives are tried in this order:
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
/// The patterns are those of tiktoken 1.0.22 (npm), and so are the character classes of Unicode 16.0. Pieces cover the
/// text without gaps. Each byte of invalid UTF-8 and each surrogate counts as a symbol. Any text takes linear time.
enum class PiecePattern : uint8_t { O200k, Cl100k };

/// End of the piece that starts at `begin`, which must be 0 or the end of another piece, and less than the size.
[[nodiscard]] size_t endOfPiece(std::string_view text, size_t begin, PiecePattern pattern = PiecePattern::O200k);

/// Calls `visit` for each piece in order.
template <typename Visitor>
void forEachPiece(std::string_view text, Visitor &&visit, PiecePattern pattern = PiecePattern::O200k)
{
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = endOfPiece(text, begin, pattern);
        visit(text.substr(begin, end - begin));
        begin = end;
    }
}

/// The number of O200k pieces.
[[nodiscard]] size_t countPieces(std::string_view text);

/// The last offset where a piece of either pattern ends whatever text follows, so that the pieces before it are final.
/// A text that arrives in parts can be cut there. 0 if there is none.
[[nodiscard]] size_t lastSafeCut(std::string_view text);

} // namespace core
