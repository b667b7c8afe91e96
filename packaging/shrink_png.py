#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Rewrite PNG files of Qt (8 bits, RGB or RGBA without transparency) with a palette of 256 colours: a third of the size.

    shrink_png.py FILE…
"""

import collections
import struct
import sys
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length


def paeth(a, b, c):
    da, db, dc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return a if da <= db and da <= dc else b if db <= dc else c


def read_rows(data):
    """-> width, rows of pixels, each of three bytes"""
    parts = list(chunks(data))
    width, height, depth, colour = struct.unpack(">IIBB", parts[0][1][:10])
    step = {2: 3, 6: 4}[colour]
    assert depth == 8
    raw, stride = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT")), width * step
    above, rows = bytes(stride), []
    for y in range(height):
        start = y * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for x in range(stride):
            a, c = (line[x - step], above[x - step]) if x >= step else (0, 0)
            if kind == 0:
                break
            line[x] = (line[x] + (0, a, above[x], (a + above[x]) // 2, paeth(a, above[x], c))[kind]) & 255
        rows.append([bytes(line[x : x + 3]) for x in range(0, stride, step)])
        above = line
    return width, rows


def palette_of(counts):
    """The colours of fills as they are, those of the edges of letters in the boxes of a median cut."""
    common = [colour for colour, _ in counts.most_common(96)]
    boxes = [[colour for colour in counts if colour not in set(common)]]
    while 0 < len(boxes) < 160:
        spread = lambda box: max(max(c[i] for c in box) - min(c[i] for c in box) for i in range(3))  # noqa: E731
        box = max(boxes, key=lambda each: spread(each) * len(each) if len(each) > 1 else -1)
        if len(box) < 2:
            break
        boxes.remove(box)
        axis = max(range(3), key=lambda i: max(c[i] for c in box) - min(c[i] for c in box))
        box.sort(key=lambda c: (c[axis], c))
        boxes += [box[: len(box) // 2], box[len(box) // 2 :]]
    means = [bytes(sum(c[i] for c in box) // len(box) for i in range(3)) for box in boxes if box]
    return common + means


def shrunk(data):
    width, rows = read_rows(data)
    counts = collections.Counter(pixel for row in rows for pixel in row)
    palette = palette_of(counts)
    place = {colour: n for n, colour in reversed(list(enumerate(palette)))}
    for colour in counts:
        if colour not in place:
            place[colour] = min(range(len(palette)), key=lambda n: sum((a - b) ** 2 for a, b in zip(colour, palette[n])))
    raw = b"".join(b"\0" + bytes(place[pixel] for pixel in row) for row in rows)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)), (b"PLTE", b"".join(palette)),
             (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts)


for name in sys.argv[1:]:
    with open(name, "rb") as file:
        before = file.read()
    with open(name, "wb") as file:
        file.write(shrunk(before))
