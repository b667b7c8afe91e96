// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

// The scanner behind pieces.h, inline for counting loops. Other code includes pieces.h.

#include "core/tokens/pieces.h"
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

/// A character as the pattern classifies it.
struct Character {
    CharacterClass what = CharacterClass::Other;
    size_t size = 0; ///< bytes; 0 at the end of the text
};

/// The classes of up to 64 bytes of text, as masks with one bit a byte, lowest first. Only ASCII is classified; bytes
/// beyond ASCII have only `beyondAscii` set.
struct Window {
    static constexpr size_t kBytes = 64;

    size_t begin = 0;
    size_t size = 0;
    uint64_t letters = 0;
    uint64_t numbers = 0;
    uint64_t blanks = 0; ///< includes line breaks
    uint64_t lineBreaks = 0;
    uint64_t beyondAscii = 0;
    uint64_t symbols = 0;
    uint64_t beforeWords = 0; ///< symbols and blanks before a letter, without line breaks
    uint64_t wordGoesOn = 0;  ///< letters that continue a word: all but capitals after lower-case letters

#if defined(__SSE2__)
    /// Classifies the 64 bytes at `bytes`.
    void look(const unsigned char *bytes)
    {
        letters = numbers = blanks = lineBreaks = beyondAscii = 0;
        uint64_t capitals = 0;
        for (unsigned part = 0; part < kBytes; part += 16) {
            const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + part));
            const auto add = [&](uint64_t &mask, __m128i flags) {
                mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(flags))) << part;
            };
            // Range test with one comparison: smaller values wrap around and are too large.
            const auto isIn = [](__m128i values, char first, char count) {
                const __m128i offset = _mm_sub_epi8(values, _mm_set1_epi8(first));
                return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(static_cast<char>(count - 1))), offset);
            };
            const auto is = [&](char byte) { return _mm_cmpeq_epi8(data, _mm_set1_epi8(byte)); };
            add(letters, isIn(_mm_or_si128(data, _mm_set1_epi8(0x20)), 'a', 26));
            add(capitals, isIn(data, 'A', 26));
            add(numbers, isIn(data, '0', 10));
            add(blanks, _mm_or_si128(isIn(data, '\t', 5), is(' ')));
            add(lineBreaks, _mm_or_si128(is('\n'), is('\r')));
            add(beyondAscii, data);
        }
        symbols = ~(letters | numbers | blanks | beyondAscii);
        beforeWords = (symbols | (blanks & ~lineBreaks)) & letters >> 1U;
        wordGoesOn = letters & ~(capitals & (letters & ~capitals) << 1U);
    }
#endif
};

/// The scanner. Each function takes an offset and returns the end of its match. Pieces must be asked for in order.
template <PiecePattern kPattern>
class PieceScanner final {
public:
    explicit PieceScanner(std::string_view text)
        : m_bytes(reinterpret_cast<const unsigned char *>(text.data()))
        , m_size(text.size())
    {
    }

    [[nodiscard]] size_t endOfPiece(size_t begin)
    {
        const size_t end = endOfShortAsciiPiece(begin);
        return end != 0 ? end : endOfAnyPiece(begin);
    }

    /// `endOfAnyPiece` without a loop. Works for an ASCII piece of less than 64 bytes (without its suffix and trailing
    /// line breaks) that does not reach the end of the text; 0 for other pieces.
    [[nodiscard]] size_t endOfShortAsciiPiece([[maybe_unused]] size_t begin)
    {
#if defined(__SSE2__)
        while (true) {
            if (begin - m_window.begin < m_window.size) {
                if (const size_t end = endInWindow(begin); end != kBehindWindow)
                    return end;
                if (begin == m_window.begin)
                    return 0;
            }
            look(begin);
        }
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
            if constexpr (kPattern == PiecePattern::O200k)
                return endOfMarkedWord(next);
            break;
        case Space:
        case Other:
            break;
        }
        if constexpr (kPattern == PiecePattern::Cl100k) {
            if (const size_t behind = behindSuffix(begin); behind > begin)
                return behind;
        }
        // One character other than a letter, number or line break may precede a word.
        const Character second = at(next);
        if (second.size > 0 && beginsWord(second.what))
            return endOfWord(next);
        if (isSymbol(first.what))
            return endOfSymbols(next);
        const bool isBlankBeforeSymbols = m_bytes[begin] == ' ' && second.size > 0 && isSymbol(second.what);
        return isBlankBeforeSymbols ? endOfSymbols(next + second.size) : endOfBlanks(begin);
    }

private:
    using enum CharacterClass;

#if defined(__SSE2__)
    void look(size_t begin)
    {
        m_window.begin = begin;
        m_window.size = std::min(m_size - begin, Window::kBytes);
        if (m_window.size == Window::kBytes)
            return m_window.look(m_bytes + begin);
        std::array<unsigned char, Window::kBytes> padded {};
        std::copy_n(m_bytes + begin, m_window.size, padded.begin());
        m_window.look(padded.data());
    }

    /// 0 if ASCII does not decide, kBehindWindow if the window is too small.
    [[nodiscard]] size_t endInWindow(size_t begin) const
    {
        // Offsets within the window.
        const auto at = static_cast<unsigned>(begin - m_window.begin);
        const auto isIn = [](uint64_t mask, unsigned place) { return (mask >> place & 1U) != 0; };
        const auto endOf
            = [](uint64_t mask, uint64_t from) { return static_cast<unsigned>(std::countr_zero(~mask & from)); };
        const uint64_t fromHere = ~uint64_t(0) << at;

        const unsigned before = isIn(m_window.beforeWords, at) ? 1 : 0;
        if (before != 0 || isIn(m_window.letters, at)) {
            if constexpr (kPattern == PiecePattern::Cl100k) {
                if (const size_t behind = behindSuffix(begin); behind > begin)
                    return behind;
            }
            const uint64_t going = kPattern == PiecePattern::O200k ? m_window.wordGoesOn : m_window.letters;
            const unsigned end = endOf(going, fromHere << before << 1U);
            if (end >= m_window.size)
                return kBehindWindow;
            if (isIn(m_window.beyondAscii, end))
                return 0;
            return kPattern == PiecePattern::O200k ? behindSuffix(m_window.begin + end) : m_window.begin + end;
        }
        if (isIn(m_window.numbers, at)) {
            const unsigned end = std::min(endOf(m_window.numbers, fromHere), at + 3);
            if (end >= m_window.size)
                return kBehindWindow;
            return end < at + 3 && isIn(m_window.beyondAscii, end) ? 0 : m_window.begin + end;
        }
        const unsigned blankBefore = m_bytes[begin] == ' ' ? 1 : 0;
        if (const unsigned end = endOf(m_window.symbols, fromHere << blankBefore); end > at + blankBefore) {
            if (end >= m_window.size)
                return kBehindWindow;
            if (isIn(m_window.beyondAscii, end))
                return 0;
            return isIn(m_window.lineBreaks, end) ? endOfSymbols(m_window.begin + end) : m_window.begin + end;
        }
        const unsigned end = endOf(m_window.blanks, fromHere);
        if (end >= m_window.size)
            return kBehindWindow;
        if (end == at || isIn(m_window.beyondAscii, end))
            return 0;
        const uint64_t breaks = m_window.lineBreaks & fromHere & ((uint64_t(1) << end) - 1U);
        return m_window.begin
            + (breaks != 0 ? static_cast<unsigned>(std::bit_width(breaks)) : std::max(end - 1, at + 1));
    }
#endif

    [[nodiscard]] static bool isLetter(CharacterClass what) { return what == Upper || what == Lower || what == Letter; }
    [[nodiscard]] static bool isSymbol(CharacterClass what) { return what == Other || what == Mark; }
    [[nodiscard]] static bool beginsWord(CharacterClass what)
    {
        return isLetter(what) || (kPattern == PiecePattern::O200k && what == Mark);
    }

    [[nodiscard]] Character at(size_t i) const
    {
        if (i >= m_size)
            return {};
        if (m_bytes[i] < 0x80)
            return { kAsciiClasses[m_bytes[i]], 1 };
        return beyondAscii(i);
    }

    /// Only well-formed characters are looked up. A surrogate is a symbol of three bytes, an invalid byte a symbol of
    /// one.
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
        bool isFirstAlternative = false; ///< it matches the first alternative, whose last character may be lower-case
    };

    /// Tries both o200k alternatives for words, behind the optional character before the word.
    [[nodiscard]] Word scanWord(size_t i) const
    {
        // Matches as many capitals and caseless characters as possible. If no lower-case letter follows, the match
        // gives characters back up to the last caseless one, which also matches as lower-case.
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

    [[nodiscard]] size_t endOfWord(size_t i) const
    {
        if constexpr (kPattern == PiecePattern::O200k)
            return behindSuffix(scanWord(i).end);
        for (Character character = at(i); isLetter(character.what); character = at(i))
            i += character.size;
        return i;
    }

    /// The piece starts with a mark that ends before `i`. The mark is either the character before a word or the start
    /// of the word. The latter matches the first alternative, which is tried first.
    [[nodiscard]] size_t endOfMarkedWord(size_t i) const
    {
        const Word word = scanWord(i);
        return behindSuffix(word.isFirstAlternative ? word.end : i);
    }

    /// The end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` (in any case) at `i`; `i` if there is none.
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
        // U+017F, the long s, case-folds to s.
        const bool isLongS = i + 2 < m_size && m_bytes[i + 1] == 0xC5 && m_bytes[i + 2] == 0xBF;
        return isLongS ? i + 3 : i;
    }

    /// Up to three digits; the first ends before `i`.
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
        while (character.size > 0 && isSymbol(character.what)) {
            i += character.size;
            character = at(i);
        }
        const bool takesSlashes = kPattern == PiecePattern::O200k;
        while (i < m_size && (m_bytes[i] == '\r' || m_bytes[i] == '\n' || (takesSlashes && m_bytes[i] == '/')))
            ++i;
        return i;
    }

    /// A piece of blanks. With a line break it ends after the last one. At the end of the text it is all the blanks.
    /// Otherwise it is all but the last, which starts the next piece.
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
    static constexpr size_t kBehindWindow = std::string_view::npos;

    const unsigned char *m_bytes;
    size_t m_size;
    Window m_window;
};

} // namespace core
