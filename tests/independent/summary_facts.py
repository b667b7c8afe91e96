#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Hold the facts of summaries that later summaries lost against the raw records of pi and Claude Code.

    summary_facts.py PROGRAM FILE...              each fact about which the program says something else, and a line per file
    summary_facts.py PROGRAM --corpus DIR         the same for every file of these harnesses in a corpus folder

It shares no code with the program. `PROGRAM observe FILE --json` gives the program's facts. Definitions, one line each
  word       characters that are no blanks, brackets, quotation marks or other signs; punctuation at its ends and line numbers behind a
             path do not belong to it.
  path       a word that ends in `name.ext`, or has two slashes and a letter, or is an address with `://`. Without a slash, `ext` is one of
             ENDINGS, no object of code such as `self` comes first, and no `(` follows.
  name       six characters or more of letters, digits and `_`, with `aB` or `_x` inside.
  number     three digits or more, with `,` and `.` between them, and perhaps `#` or `v` before them.
  same       facts are the same if they are equal without capitals; of a path only the last part counts.
  held       the array after the compaction has the fact between characters that are no part of a word. `,` between digits is ignored.
  array      pi: the summary, the messages from the first kept entry on, and those up to the next answer. Claude Code: the records behind
             the boundary up to the next answer. Earlier ones do not count: a summary keeps none of them.

Compare with the whole array: pi keeps messages beside its summary, and five of the 49 facts of the old summary in
before-compaction.jsonl stand in these alone. The exit code is 1 if any fact differs.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

WORD = re.compile(r"[\w./\-:#,$@+~%]+")
LINES = re.compile(r"(?<!http)(?<!https)(:[\d-]+)+$")
ENDINGS = set("""
adoc asm astro avif awk backup bak bash bat bib bin bmp bz2 c cc cfg cjs clj cmake cmd com conf cpp crt cs css csv cts cxx dart db
dev diff dll doc docx env erl ex exe exs f90 fish fs gif go gql gz h hbs hcl hh hpp hs htm html hxx ico ini inl io ipynb jar java
jl jpeg jpg js json json5 jsonc jsonl jsx kt kts less lock log lua md mdx mjs mk ml mm mod mp3 mp4 mts ndjson net nim nix nu odt
old org orig patch pb pdf pem php pl plist png proto ps1 pug py pyc pyi qml qrc rb rs rst rtf ru sass scala scss sh sol sql sum
svg swift tar tcl tex tf tgz tmp toml ts tsv tsx ttf txt vb vim vue wasm wav webm webp woff xls xlsx xml xsd xz yaml yml zig zip
zsh zst
""".split())
OBJECTS = {"console", "logger", "math", "np", "os", "process", "self", "sys", "system", "this"}


def kind_of(word):
    if not 3 <= len(word.encode()) <= 200:
        return None
    if re.fullmatch(r"[#vV]?\d[\d,.]*", word) and sum(c.isdigit() for c in word) >= 3:
        return "number"
    if "://" in word:
        return "path" if len(word.split("://", 1)[1]) > 3 else None
    if re.fullmatch(r"[\w./\-@+~#]+", word):
        last = word.rsplit("/", 1)[-1]
        stem, dot, extension = last.rpartition(".")
        is_file = dot and len(stem) >= (1 if "/" in word else 2) and re.fullmatch(r"[a-z][a-z0-9]{0,4}", extension) and re.search("[A-Za-z]", stem)
        if "/" not in word:
            if is_file and extension in ENDINGS and word.split(".")[0].lower() not in OBJECTS and "@" not in word:
                return "path"
        elif is_file or (word.count("/") >= 2 and re.search("[A-Za-z]", word) and "//" not in word):
            return "path"
    if len(word.encode()) >= 6 and re.fullmatch(r"\w+", word) and not word[0].isdigit() and re.search("[A-Za-z]", word):
        if re.search(r"[a-z][A-Z]|._.", word):
            return "name"
    return None


def key_of(kind, word):
    key = re.sub(r"(?<=\d),(?=\d)", "", word).lower() if kind == "number" else word.lower()
    if kind == "path" and not key.endswith("/"):
        key = key.rsplit("/", 1)[-1]
    return key


def facts_of(text):
    found = {}
    for match in WORD.finditer(text):
        word = match.group().strip(",:-+@$").rstrip(".,:-+~%$@")
        word = LINES.sub("", word)
        kind = kind_of(word)
        is_call = kind == "path" and "/" not in word and text[match.end():match.end() + 1] == "("
        if kind and not is_call:
            found.setdefault(key_of(kind, word), (kind, word))
    return found


def holds(text, key, kind):
    word = key.lstrip("#") if kind == "number" else key
    if kind == "number" and word[:1] == "v":
        word = word[1:]
    before = r"(?<!\w)" if re.match(r"\w", word) else ""
    after = r"(?!\w)" if re.search(r"\w$", word) else ""
    return re.search(before + re.escape(word) + after, text) is not None


def strings_of(value):
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for key, v in value.items() if key not in ("signature", "thinkingSignature", "data") for s in ([key] if isinstance(v, (bool, int, float)) else []) + strings_of(v)]
    if isinstance(value, list):
        return [s for v in value for s in strings_of(v)]
    return [str(value)] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def text_of(message):
    parts = message.get("content")
    if isinstance(parts, str):
        return parts
    texts = []
    for part in parts or []:
        if part.get("type") in ("toolCall", "tool_use"):
            texts += [part["name"]] + strings_of(part.get("arguments", part.get("input")))
        elif part.get("type") == "tool_result":
            texts += strings_of(part.get("content"))
        else:
            texts += strings_of({k: v for k, v in part.items() if k in ("text", "thinking")})
    return "\n".join(texts)


def records(path):
    made = []
    for line in Path(path).read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            made.append(json.loads(line))
        except ValueError:
            pass
    return [r for r in made if isinstance(r, dict)]


def pi_summaries(path):
    """(summary, array after it) of each compaction"""
    entries, made = records(path), []
    for at, entry in enumerate(entries):
        if entry.get("type") != "compaction" or "firstKeptEntryIndex" not in entry:
            continue
        array = [entry["summary"]]
        for later, each in enumerate(entries[entry["firstKeptEntryIndex"]:], entry["firstKeptEntryIndex"]):
            if later > at and each.get("type") == "message" and each["message"]["role"] == "assistant":
                break
            if each.get("type") == "message":
                array.append(text_of(each["message"]))
        made.append((entry["summary"], array))
    return made


def claude_summaries(path):
    made, all_records = [], [r for r in records(path) if not r.get("isSidechain")]
    for at, record in enumerate(all_records):
        if not record.get("isCompactSummary"):
            continue
        array, text = [], text_of(record["message"])
        for each in all_records[at:]:
            if each.get("type") == "assistant":
                break
            if each.get("type") == "user":
                array.append(text_of(each["message"]))
        made.append((text, array))
    return made


def check(program, path, summaries):
    done = subprocess.run([program, "observe", path, "--json"], capture_output=True, text=True)
    if done.returncode:
        print(f"{path}: {done.stderr.strip()}")
        return 1
    shown = [c for c in json.loads(done.stdout)["compactions"] if c["old_summary_facts"]]
    wrong = total = 0
    for (old, _), (_, array), report in zip(summaries, summaries[1:], shown):
        text = re.sub(r"(?<=\d),(?=\d)", "", "\n".join(array)).lower()
        after = {key for each in array for key in facts_of(each)}
        mine = {(kind, key): key in after or holds(text, key, kind) for key, (kind, _) in facts_of(old).items()}
        program_facts = {(f["kind"], key_of(f["kind"], f["text"])): f["held"] for f in report["old_summary_facts"] if f["kind"] in ("path", "name", "number")}
        total += len(mine)
        for fact in sorted(mine.keys() | program_facts.keys()):
            if mine.get(fact) != program_facts.get(fact):
                wrong += 1
                print(f"{path}: compaction {report['number']}: {fact}: here {mine.get(fact)}, program {program_facts.get(fact)}")
    if len(summaries) - 1 != len(shown) and len(summaries) > 1:
        wrong += 1
        print(f"{path}: {len(summaries)} summaries here, the program has facts of {len(shown)} old ones")
    if total:
        print(f"{path}: {total} facts of old summaries, {wrong} differ")
    return wrong


def main(arguments):
    program, rest = arguments[0], arguments[1:]
    files = sorted(str(p) for f in ("pi", "claude-code") for p in Path(rest[1]).glob(f"{f}/**/*.jsonl")) if rest[0] == "--corpus" else rest
    wrong = 0
    for path in files:
        wrong += check(program, path, claude_summaries(path) or pi_summaries(path))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
