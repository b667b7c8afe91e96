#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Write unicode_table.h: the class of every character, as the pre-tokenisation pattern tells them apart.

    make_unicode_table.py > unicode_table.h

Classes come from the general categories of Python's unicodedata (its Unicode version is written into the table) and from the
White_Space property, which unicodedata has not: its 25 characters have not changed since Unicode 6.3. Two levels: a page number
for each 128 characters, and the distinct pages, two characters a byte.
"""

import sys
import unicodedata

PAGE = 128
CLASSES = ["Other", "Upper", "Lower", "Letter", "Mark", "Number", "Space", "Break"]
WHITE_SPACE = {*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}
BY_CATEGORY = {"Lu": "Upper", "Lt": "Upper", "Ll": "Lower", "Lm": "Letter", "Lo": "Letter", "Mn": "Mark", "Mc": "Mark",
               "Me": "Mark", "Nd": "Number", "Nl": "Number", "No": "Number"}


def class_of(code):
    if code in (0x0A, 0x0D):
        return "Break"
    if code in WHITE_SPACE:
        return "Space"
    return BY_CATEGORY.get(unicodedata.category(chr(code)), "Other")


def rows(values):
    for i in range(0, len(values), 32):
        yield "    " + "".join(f"{value}," for value in values[i:i + 32])


def main():
    numbers = [CLASSES.index(class_of(code)) for code in range(0x110000)]
    pages = []
    place = {}
    index = []
    for begin in range(0, 0x110000, PAGE):
        page = tuple(numbers[begin:begin + PAGE])
        if page not in place:
            place[page] = len(pages)
            pages.append(page)
        index.append(place[page])
    assert len(pages) <= 256
    packed = [page[i] | page[i + 1] << 4 for page in pages for i in range(0, PAGE, 2)]
    out = sys.stdout.write
    out(f"""// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT
//
// Written by make_unicode_table.py from Unicode {unicodedata.unidata_version}. Do not edit.

#pragma once

#include <array>
#include <cstdint>

// clang-format off

namespace core {{

/// What the pre-tokenisation pattern tells apart.
enum class CharacterClass : uint8_t {{
    Other,  ///< punctuation, symbols, control, unassigned
    Upper,  ///< Lu, Lt
    Lower,  ///< Ll
    Letter, ///< Lm, Lo: no case
    Mark,   ///< M: continues words, but is no letter
    Number, ///< N
    Space,  ///< White_Space without the two below
    Break,  ///< carriage return, line feed
}};

/// Number of the page of {PAGE} characters, by character / {PAGE}.
inline constexpr std::array<uint8_t, {len(index)}> kCharacterPages {{
""")
    out("\n".join(rows(index)))
    out(f"""
}};

/// The pages one behind the other, two characters a byte, the first in the low half.
inline constexpr std::array<uint8_t, {len(packed)}> kCharacterClasses {{
""")
    out("\n".join(rows(packed)))
    out(f"""
}};

// clang-format on

[[nodiscard]] constexpr CharacterClass characterClass(uint32_t codePoint)
{{
    const uint32_t page = kCharacterPages[codePoint / {PAGE}];
    const uint8_t pair = kCharacterClasses[(page * {PAGE} + codePoint % {PAGE}) / 2];
    return static_cast<CharacterClass>(codePoint % 2 == 0 ? pair & 0xFU : pair >> 4U);
}}

}} // namespace core
""")


main()
