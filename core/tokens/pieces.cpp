// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/pieces.h"

#include "core/tokens/piece_scanner.h"

namespace core {

namespace {

bool isAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isAsciiDigit(char c) { return c >= '0' && c <= '9'; }

} // namespace

size_t endOfPiece(std::string_view text, size_t begin, PiecePattern pattern)
{
    return pattern == PiecePattern::O200k ? PieceScanner<PiecePattern::O200k>(text).endOfPiece(begin)
                                          : PieceScanner<PiecePattern::Cl100k>(text).endOfPiece(begin);
}

size_t countPieces(std::string_view text)
{
    PieceScanner<PiecePattern::O200k> scanner(text);
    size_t count = 0;
    for (size_t i = 0; i < text.size(); ++count)
        i = scanner.endOfPiece(i);
    return count;
}

size_t lastSafeCut(std::string_view text)
{
    // A word or number ends before a blank or line break, a word before a digit, whatever follows.
    for (size_t i = text.size(); i-- > 1;) {
        const bool isBlank = text[i] == ' ' || text[i] == '\n';
        if ((isBlank && (isAsciiLetter(text[i - 1]) || isAsciiDigit(text[i - 1])))
            || (isAsciiDigit(text[i]) && isAsciiLetter(text[i - 1])))
            return i;
    }
    return 0;
}

} // namespace core
