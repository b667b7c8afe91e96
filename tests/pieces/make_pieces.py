#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Write the fixtures of tst_pieces: texts, and the pieces into which a regular expression engine cuts them.

    make_pieces.py            write cases.jsonl and texts/*
    make_pieces.py --check    change nothing; fail if a committed file differs

The oracle is the pattern of o200k_base as published, run by the `regex` module (pip install regex), which shares nothing with the
program but the Unicode standard. cases.jsonl holds one short text a line with the sizes of its pieces in bytes: every string of
up to three characters over a small alphabet in which each alternative of the pattern and each place where it takes a step back
occurs, and longer random ones. texts/ holds whole texts; expected.tsv their pieces: how many, and an FNV-1a hash of their sizes.
Only characters whose class is the same here and in the oracle are drawn. Equal input, equal bytes.
"""

import itertools
import json
import random
import sys
import unicodedata
from pathlib import Path

import regex

HERE = Path(__file__).resolve().parent
SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
BEFORE = r"[^\r\n\p{L}\p{N}]?"
PATTERN = regex.compile("|".join([BEFORE + UPPER + "*" + LOWER + "+" + SUFFIX, BEFORE + UPPER + "+" + LOWER + "*" + SUFFIX,
                                  r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"]))
# A capital, a small letter, title case, no case (modifier, ideograph), a mark, digits, blanks, breaks, symbols.
SMALL = ["B", "a", "\u01c5", "\u02b0", "\u4e2d", "\u0301", "1", " ", "\t", "\n", "\r", "'", "s", "/", "!", "\u00a0"]
LARGE = SMALL + ["S", "t", "r", "e", "v", "l", "L", "m", "D", "\u017f", "\u212a", "2", "\uff13", "\u00bd", "\u2167", "\u0085",
                 "\u2028", "\u3000", "\ufeff", "\u200d", "\x1c", "\x0b", "\U0001f600", "\U0001f1e9", "\ufe0f", "\U00020000",
                 "\u0915\u094d", "\u00e9", "\u00c9", "\u05d0", "\u0e01", "\uac00", "\u3042", "\u2019", "\\", "\"", "{", "_"]


def pieces(text):
    sizes = [len(match.group().encode()) for match in PATTERN.finditer(text)]
    assert sum(sizes) == len(text.encode()), "the pattern covers every text"
    return sizes


def cases():
    draw = random.Random(20261121)
    for length in range(1, 4):
        for letters in itertools.product(SMALL, repeat=length):
            yield "".join(letters)
    for _ in range(2000):
        yield "".join(draw.choice(LARGE) for _ in range(draw.randint(2, 14)))
    for _ in range(600):  # runs, where steps back matter most
        yield "".join(draw.choice(LARGE) * draw.randint(1, 5) for _ in range(draw.randint(2, 6)))


def same_class(character):
    """Unassigned characters become letters with a new Unicode version; those that have, stay what they are."""
    category = unicodedata.category(character)
    return category not in ("Cn", "Cs") and regex.fullmatch(r"\p{%s}" % category, character)


PROSE = {
    "latin": "Voilà : l’été où Zoë goûta « Crème brûlée » — À QUOI BON ? Der Fußgänger überquerte die Straße; ŁÓDŹ, Wrocław. "
             "¿Qué pasó en España? İstanbul'da ışık. We’ll see: it's John's, they'RE here, I'D go, you'll, we've, ſ's 'twas O'Neill.\n",
    "cjk": "模型上下文窗口包含二十一条消息，其中五条最大。東京の天気は晴れです。カタカナとひらがな、ｶﾅ。한국어 문장도 있습니다. 第１２３章ABC中文abc混合XYZ。\n",
    "marks": "e\u0301te\u0301 A\u030a \u0301x na\u0308ıve हिन्दी में लिखा हुआ वाक्य। ประเทศไทย שָׁלוֹם עֲלֵיכֶם اَلسَّلَامُ B\u0301\u0302C \u20dd!\u20dd1\u20dd\n",
    "emoji": "ok 👍🏽 done ✅\ufe0f 👩‍👩‍👧‍👦 family, flags 🇩🇪🇫🇷, #\ufe0f\u20e3 1\ufe0f\u20e3 🧑🏿‍💻:code:🏴‍☠️!!! ☕️/🍵\n😀😀😀 a😀b 1😀2\n",
    "blanks": "a  b   c\t\td \t e\n\n  f\r\n\r\n\tg \n \n h  \r i\u00a0\u00a0j\u2003k\u2028\u2028l\u0085m  \n",
}


def texts():
    draw = random.Random(7)
    for name, sentence in PROSE.items():
        words = sentence.split(" ")
        lines = [sentence]
        for _ in range(40):
            lines.append(" ".join(draw.choices(words, k=draw.randint(3, 20))))
        yield name + ".txt", "".join(lines)
    assigned = [chr(code) for code in range(0x110000) if same_class(chr(code))]
    yield "random.txt", "".join(draw.choice(assigned) for _ in range(12000))
    rare = [c for c in assigned if not ("\u3400" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" or c >= "\U00020000")]
    yield "random-words.txt", "".join(draw.choice(rare) + draw.choice(["", "", " ", "a", "B", "1", "\n", "'s"]) for _ in range(8000))
    yield "ascii.txt", "".join(chr(draw.randint(0, 127)) for _ in range(20000))
    run = HERE.parent / "samples" / "run"
    yield "code.txt", "".join(path.read_text(encoding="utf-8") for path in sorted(run.glob("*.py.txt")))


def fnv(sizes):
    value = 0xcbf29ce484222325
    for size in sizes:
        value = (value ^ size) * 0x100000001b3 % 2**64
    return value


def files():
    lines = [json.dumps({"text": text, "pieces": pieces(text)}, ensure_ascii=True, separators=(",", ":")) for text in cases()]
    yield "cases.jsonl", "\n".join(lines) + "\n"
    expected = ["# text\tpieces\tFNV-1a of their sizes in bytes"]
    for name, text in texts():
        yield "texts/" + name, text
        sizes = pieces(text)
        expected.append(f"{name}\t{len(sizes)}\t{fnv(sizes):016x}")
    yield "expected.tsv", "\n".join(expected) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    different = []
    for name, text in files():
        path = HERE / name
        data = text.encode()
        if check:
            if not path.exists() or path.read_bytes() != data:
                different.append(name)
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    if different:
        sys.exit("Not as make_pieces.py writes them: " + ", ".join(different))


main()
