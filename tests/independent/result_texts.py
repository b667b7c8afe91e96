#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Hold tool results of several parts against the raw records.

    result_texts.py PROGRAM FILE...          every result with two or more parts, and what is wrong
    result_texts.py PROGRAM --corpus DIR     the same for every file of these harnesses in a corpus folder

It shares no code with the program. From the raw JSON of Claude Code, Codex and pi it takes each tool result whose content is a
list of two or more parts, with its texts. `PROGRAM search FILE kind:result --json` says which call was sent it first, and
`PROGRAM show FILE --call N --json --texts` what the program takes it for. The blocks of the result's record must hold its
texts, joined by line feeds or one block each, with as many characters, and each image must be a block of its own.
"""
import json
import subprocess
import sys
from pathlib import Path

HARNESSES = ("claude-code", "codex", "pi")
RESULTS = ("tool_result", "function_call_output", "custom_tool_call_output")
TEXTS = ("text", "input_text", "output_text")
IMAGES = ("image", "input_image")


def results(value):
    """The lists of parts of the tool results in a record, without what was never in a context."""
    if isinstance(value, list):
        for each in value:
            yield from results(each)
    if not isinstance(value, dict):
        return
    if value.get("type") in RESULTS or value.get("role") == "toolResult":
        parts = value.get("content", value.get("output"))
        if isinstance(parts, list) and len(parts) > 1:
            yield parts
        return
    for key, each in value.items():
        if key not in ("toolUseResult", "replacement_history"):
            yield from results(each)


def records(path):
    for number, line in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and record.get("type") != "event_msg":
            yield number, record


def run(program, *words):
    got = subprocess.run([program, *words], capture_output=True, check=False)
    if got.returncode:
        raise RuntimeError(got.stderr.decode(errors="replace").strip())
    return json.loads(got.stdout)


def fault(parts, blocks):
    texts = [part["text"] for part in parts if part.get("type") in TEXTS]
    images = [part for part in parts if part.get("type") in IMAGES]
    if len(texts) + len(images) < len(parts):
        return None                               # parts of other kinds stay JSON
    said = [block for block in blocks if block["kind"] in ("tool_result", "opaque") and (block["text"] or not texts)]
    whole = "\n".join(block["text"] for block in said)
    if whole != "\n".join(texts):
        return f"the program says {whole[:60]!r}, the record {texts[0][:60]!r} and {len(texts) - 1} more"
    characters = sum(len(text) for text in texts) + len(texts) - len(said)
    if any(block["kind"] == "opaque" for block in said) or sum(block["chars"] for block in said) != max(0, characters):
        return f"{sum(block['chars'] for block in said)} characters of {[block['kind'] for block in said]}, the texts have {characters}"
    shown = sum(block["kind"] == "image" for block in blocks)
    return None if shown == len(images) else f"{shown} images of {len(images)}"


def check(program, path):
    wanted = {}
    for number, record in records(path):
        for parts in results(record):
            wanted.setdefault(number, []).append(parts)
    if not wanted:
        return 0, 0, []
    wrong, seen, calls, said = [], 0, {}, {}
    for hit in run(program, "search", path, "kind:result", "--json", "--limit", "1000000")["hits"]:
        calls.setdefault(hit["line"], hit)
    for number, lists in sorted(wanted.items()):
        hit = calls.get(number)
        if hit is None or hit["first_call"] is None:
            continue                              # no call was sent it: a copy, or a branch that was taken back
        key = (hit["thread"], hit["first_call"])
        if key not in said:
            said[key] = run(program, "show", path, "--thread", str(key[0]), "--call", str(key[1]), "--json", "--texts")
        blocks = [block for slot in said[key]["slots"] for block in slot["blocks"]
                  if block["line"] == number and block["kind"] in ("tool_result", "opaque", "image")]
        if len(lists) > 1:
            continue                              # parallel results in one record: the blocks do not say whose they are
        seen += 1
        found = fault(lists[0], blocks)
        if found:
            wrong.append(f"line {number}: {found}")
    return sum(map(len, wanted.values())), seen, wrong


def main(arguments):
    program, paths = arguments[0], arguments[1:]
    if arguments[1:2] == ["--corpus"]:
        root = Path(arguments[2])
        rows = [line.split("\t") for line in (root / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        paths = sorted(str(root / row[0]) for row in rows if row[1] in HARNESSES)
    total, compared, files, is_wrong = 0, 0, 0, False
    for path in paths:
        count, seen, wrong = check(program, path)
        total, compared, files, is_wrong = total + count, compared + seen, files + (count > 0), is_wrong or bool(wrong)
        for each in wrong:
            print(f"{'/'.join(Path(path).parts[-2:])}: {each}")
    print(f"{total} results of several parts in {files} files; {compared} compared")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
