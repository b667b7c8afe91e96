// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

// The scanner behind pieces.h, inline for the loops that count. Others include pieces.h.

#include "core/tokens/unicode_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace core {

inline constexpr auto kAsciiClasses = [] {
    std::array<CharacterClass, 128> classes {};
    for (uint32_t i = 0; i < classes.size(); ++i)
        classes[i] = characterClass(i);
    return classes;
}();

/// A character as the pattern sees it.
struct Character {
    CharacterClass what = CharacterClass::Other;
    size_t size = 0; ///< bytes; 0 behind the end
};

#if defined(__SSE2__)
/// Which of the next 16 bytes are of which class, one bit a byte, the first lowest. ASCII only: other bytes have none
/// but their own.
struct Classes16 {
    static constexpr uint32_t kBytes = 16;
    uint32_t upper = 0;
    uint32_t lower = 0;
    uint32_t number = 0;
    uint32_t space = 0;
    uint32_t lineBreak = 0;
    uint32_t beyondAscii = 0;

    explicit Classes16(const unsigned char *bytes)
    {
        const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes));
        const auto maskOf = [](__m128i flags) { return static_cast<uint32_t>(_mm_movemask_epi8(flags)); };
        // Signed comparisons: bytes beyond ASCII are negative and in no range.
        const auto inRange = [&](char first, char last) {
            return maskOf(_mm_and_si128(_mm_cmpgt_epi8(data, _mm_set1_epi8(static_cast<char>(first - 1))),
                _mm_cmplt_epi8(data, _mm_set1_epi8(static_cast<char>(last + 1)))));
        };
        upper = inRange('A', 'Z');
        lower = inRange('a', 'z');
        number = inRange('0', '9');
        lineBreak = maskOf(
            _mm_or_si128(_mm_cmpeq_epi8(data, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(data, _mm_set1_epi8('\r'))));
        space = (inRange('\t', '\r') | maskOf(_mm_cmpeq_epi8(data, _mm_set1_epi8(' ')))) & ~lineBreak;
        beyondAscii = maskOf(data);
    }

    [[nodiscard]] uint32_t letters() const { return upper | lower; }
    [[nodiscard]] uint32_t symbols() const { return ~(letters() | number | space | lineBreak | beyondAscii) & 0xFFFFU; }
};

/// How many of the lowest bits of `mask` are set.
[[nodiscard]] inline uint32_t lengthOfRun(uint32_t mask) { return static_cast<uint32_t>(std::countr_one(mask)); }
#endif

/// The scanner: each function takes an offset and returns the end of what it matches there.
class PieceScanner final {
public:
    explicit PieceScanner(std::string_view text)
        : m_bytes(reinterpret_cast<const unsigned char *>(text.data()))
        , m_size(text.size())
    {
    }

    [[nodiscard]] size_t endOfPiece(size_t begin) const
    {
        const size_t end = endOfShortAsciiPiece(begin);
        return end != 0 ? end : endOfAnyPiece(begin);
    }

    /// The same as `endOfAnyPiece` without a loop, for a piece that ends within the next 15 bytes (suffix and line
    /// breaks behind it may be longer) and holds ASCII only; 0 for others, and near the end of the text.
    [[nodiscard]] size_t endOfShortAsciiPiece([[maybe_unused]] size_t begin) const
    {
#if defined(__SSE2__)
        if (begin + Classes16::kBytes >= m_size)
            return 0;
        const Classes16 is(m_bytes + begin);
        const uint32_t isBeforeWord = ~(is.letters() | is.number | is.lineBreak | is.beyondAscii) & 1U;
        const uint32_t wordBegin = isBeforeWord & is.letters() >> 1U;
        const uint32_t capitals = lengthOfRun(is.upper >> wordBegin);
        uint32_t end = wordBegin + capitals;
        end += lengthOfRun(is.lower >> end);
        if (end > wordBegin) {
            if (end >= Classes16::kBytes || (is.beyondAscii >> end & 1U) != 0)
                return 0;
            return m_bytes[begin + end] == '\'' ? behindSuffix(begin + end) : begin + end;
        }
        if ((is.number & 1U) != 0) {
            end = std::min(lengthOfRun(is.number), 3U);
            return end < 3 && (is.beyondAscii >> end & 1U) != 0 ? 0 : begin + end;
        }
        const uint32_t blankBefore = m_bytes[begin] == ' ' ? 1 : 0;
        const uint32_t symbols = lengthOfRun(is.symbols() >> blankBefore);
        if (symbols > 0) {
            end = blankBefore + symbols;
            if (end >= Classes16::kBytes || (is.beyondAscii >> end & 1U) != 0)
                return 0;
            return (is.lineBreak >> end & 1U) != 0 ? endOfSymbols(begin + end) : begin + end;
        }
        const uint32_t blanks = lengthOfRun(is.space | is.lineBreak);
        if (blanks == 0 || blanks >= Classes16::kBytes || (is.beyondAscii >> blanks & 1U) != 0)
            return 0;
        const uint32_t breaks = is.lineBreak & ((1U << blanks) - 1U);
        if (breaks != 0)
            return begin + static_cast<size_t>(std::bit_width(breaks));
        return begin + std::max(blanks - 1, 1U);
#else
        return 0;
#endif
    }

    [[nodiscard]] size_t endOfAnyPiece(size_t begin) const
    {
        const Character first = at(begin);
        const size_t next = begin + first.size;
        switch (first.what) {
        case Upper:
        case Lower:
        case Letter:
            return endOfWord(begin);
        case Number:
            return endOfNumber(next);
        case Break:
            return endOfBlanks(begin);
        case Mark:
            return endOfMarkedWord(next);
        case Space:
        case Other:
            break;
        }
        // One character that is neither letter, number nor line break may stand before a word.
        const Character second = at(next);
        if (second.size > 0 && beginsWord(second.what))
            return endOfWord(next);
        if (first.what == Other)
            return endOfSymbols(next);
        const bool isBlankBeforeSymbols = m_bytes[begin] == ' ' && second.size > 0 && second.what == Other;
        return isBlankBeforeSymbols ? endOfSymbols(next + second.size) : endOfBlanks(begin);
    }

private:
    using enum CharacterClass;

    [[nodiscard]] static bool beginsWord(CharacterClass what)
    {
        return what == Upper || what == Lower || what == Letter || what == Mark;
    }

    [[nodiscard]] Character at(size_t i) const
    {
        if (i >= m_size)
            return {};
        if (m_bytes[i] < 0x80)
            return { kAsciiClasses[m_bytes[i]], 1 };
        return beyondAscii(i);
    }

    /// Classes are looked up for well-formed characters only; a surrogate is a symbol of three bytes, a stray byte one
    /// of one.
    [[nodiscard]] Character beyondAscii(size_t i) const
    {
        const uint32_t lead = m_bytes[i];
        const auto more = [&](size_t k) -> uint32_t {
            return i + k < m_size && (m_bytes[i + k] & 0xC0U) == 0x80U ? m_bytes[i + k] & 0x3FU : kNone;
        };
        const uint32_t second = more(1);
        if (lead < 0xC2 || lead > 0xF4 || second == kNone)
            return { Other, 1 };
        if (lead < 0xE0)
            return { characterClass((lead & 0x1FU) << 6U | second), 2 };
        const uint32_t third = more(2);
        if (third == kNone)
            return { Other, 1 };
        if (lead < 0xF0) {
            const uint32_t codePoint = (lead & 0xFU) << 12U | second << 6U | third;
            return codePoint < 0x800 ? Character { Other, 1 } : Character { characterClass(codePoint), 3 };
        }
        const uint32_t fourth = more(3);
        const uint32_t codePoint = (lead & 0x7U) << 18U | second << 12U | third << 6U | (fourth & 0x3FU);
        if (fourth == kNone || codePoint < 0x10000 || codePoint > 0x10FFFF)
            return { Other, 1 };
        return { characterClass(codePoint), 4 };
    }

    struct Word {
        size_t end = 0;
        bool isFirstAlternative = false; ///< the alternative that ends with a character that may be small
    };

    /// Both alternatives for words, from where the optional character before them has been taken.
    [[nodiscard]] Word scanWord(size_t i) const
    {
        // Capitals and characters without case, as many as there are. They are given back as far as the last that may
        // stand for a small letter, where no small letter follows.
        const size_t begin = i;
        size_t behindCaseless = begin;
        Character character = at(i);
        while (character.what == Upper || character.what == Letter || character.what == Mark) {
            i += character.size;
            if (character.what != Upper)
                behindCaseless = i;
            character = at(i);
        }
        if (character.what == Lower) {
            do {
                i += character.size;
                character = at(i);
            } while (character.what == Lower || character.what == Letter || character.what == Mark);
            return { i, true };
        }
        if (behindCaseless > begin)
            return { behindCaseless, true };
        return { i, false };
    }

    [[nodiscard]] size_t endOfWord(size_t i) const { return behindSuffix(scanWord(i).end); }

    /// A piece that begins with a mark, which ends before `i`. The mark may be the character before a word, or the word
    /// itself; as the latter it matches the first alternative, which goes before the second.
    [[nodiscard]] size_t endOfMarkedWord(size_t i) const
    {
        const Word word = scanWord(i);
        return behindSuffix(word.isFirstAlternative ? word.end : i);
    }

    /// Behind `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case, if one stands at `i`.
    [[nodiscard]] size_t behindSuffix(size_t i) const
    {
        if (i + 1 >= m_size || m_bytes[i] != '\'')
            return i;
        const auto letter = [&](size_t k) { return i + k < m_size ? m_bytes[i + k] | 0x20U : 0U; };
        switch (letter(1)) {
        case 's':
        case 't':
        case 'm':
        case 'd':
            return i + 2;
        case 'r':
        case 'v':
            return letter(2) == 'e' ? i + 3 : i;
        case 'l':
            return letter(2) == 'l' ? i + 3 : i;
        default:
            break;
        }
        // U+017F, the long s, folds to s.
        const bool isLongS = i + 2 < m_size && m_bytes[i + 1] == 0xC5 && m_bytes[i + 2] == 0xBF;
        return isLongS ? i + 3 : i;
    }

    /// Up to three, the first of which ends before `i`.
    [[nodiscard]] size_t endOfNumber(size_t i) const
    {
        for (int more = 0; more < 2; ++more) {
            const Character character = at(i);
            if (character.what != Number)
                break;
            i += character.size;
        }
        return i;
    }

    [[nodiscard]] size_t endOfSymbols(size_t i) const
    {
        Character character = at(i);
        while (character.size > 0 && (character.what == Other || character.what == Mark)) {
            i += character.size;
            character = at(i);
        }
        while (i < m_size && (m_bytes[i] == '\r' || m_bytes[i] == '\n' || m_bytes[i] == '/'))
            ++i;
        return i;
    }

    /// Blanks: as far as their last line break; else all of them at the end of the text; else all but the last, which
    /// goes to the next piece.
    [[nodiscard]] size_t endOfBlanks(size_t i) const
    {
        const size_t begin = i;
        size_t behindBreak = begin;
        size_t last = begin;
        for (Character character = at(i); character.what == Space || character.what == Break; character = at(i)) {
            last = i;
            i += character.size;
            if (character.what == Break)
                behindBreak = i;
        }
        if (behindBreak > begin)
            return behindBreak;
        return i == m_size || last == begin ? i : last;
    }

    static constexpr uint32_t kNone = 0xFFFFFFFFU;

    const unsigned char *m_bytes;
    size_t m_size;
};

} // namespace core
