#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Hold the counting script against everything that is pinned: check.py [CORPUS]

tests/samples/malformed/EXPECTED.tsv (written by hand in make_malformed.py), the bundled samples, and, where a corpus folder is
given, expected.tsv. The malformed files and the samples are also compared with what their generator writes.
"""

import contextlib
import io
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import count_slots  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLES = {"messages-21.genkit.json": ("genkit", 21), "messages-21.claude-code.jsonl": ("claude-code", 18), "messages-21.codex.jsonl": ("codex", 22)}


def counted(path):
    found = count_slots.count(path)
    return (found[0]["format"], found[0]["slots_end"], found[0]["damaged_lines"]) if found else ("-", 0, None)


def main(arguments):
    wrong, fixtures = [], ROOT / "tests" / "samples" / "malformed"
    for line in (fixtures / "EXPECTED.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, form, slots, damaged, _ = line.split("\t")
        got, want = counted(fixtures / name), (form, int(slots), [int(n) for n in damaged.split(",") if n != "-"])
        if got[:2] != want[:2] or got[2] is not None and got[2] != want[2]:      # what is of no format has no lines to name
            wrong.append(f"{name}: counted {got}, expected {want}")
    for name, want in SAMPLES.items():
        if counted(ROOT / "resources" / "samples" / name) != (*want, []):
            wrong.append(f"{name}: counted {counted(ROOT / 'resources' / 'samples' / name)}, expected {want}")
    if subprocess.run([sys.executable, ROOT / "tests" / "samples" / "make_samples.py", "--check"]).returncode:
        wrong.append("make_samples.py --check failed")
    if arguments:
        out, pinned = io.StringIO(), (HERE / "expected.tsv").read_text(encoding="utf-8").splitlines()
        with contextlib.redirect_stdout(out):
            count_slots.main(["--corpus", arguments[0]])
        wrong += [f"expected.tsv: {line}" for line in sorted(set(pinned) ^ set(out.getvalue().splitlines()))]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
