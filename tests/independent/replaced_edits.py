#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Compare what `palimpsest edits --json` says of the rest of each edit with the transcript, independently of the program.

    replaced_edits.py TRANSCRIPT DOCUMENT [TRANSCRIPT DOCUMENT]...    a line per session, and a line per difference

It shares no code with the program and looks at the raw JSON only: Claude Code and pi sessions. It knows no bodies of
files. For each path it keeps the lines that calls wrote, with the call that wrote each, and takes them away again.

Definitions, one line each
  adds      lines with a letter or digit that the new text of a landed call has more often than its old text; for a
            write, the lines of the body that no earlier call of the path had written.
  replaced  pairs of calls: the old text of a later landed call of the path has such a line more often than its new text
            (with `replace_all`: the line is not in the new text), or a later body of the path lacks it.
  deleted   calls with such a line left when `rm` or `git rm` in a script that did not fail names the path or a folder
            above it; a moved file goes on under its new name.
  missed    such pairs and calls that the document does not name, unless it names them as unknown; `claimed`: calls of
            which it says that no later edit replaces them; `also`: pairs of calls that only the document names.
Equal lines that several calls wrote, and an old text that ends inside a line, can be counted as `missed` or `also`.
"""
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import count_edits
import count_shell_edits

COLUMNS = ("edits", "replaced", "deleted", "missed", "claimed", "also")


def telling(text):
    return Counter(line.rstrip("\r") for line in text.split("\n") if re.search(r"[^\W_]", line))


def messages_of(transcript):
    """(time, place, record, message) of every message once, also of those that records of progress repeat."""
    seen = set()
    for place, value in enumerate(count_edits.values(Path(transcript).read_bytes().decode("utf-8", "replace"))):
        for record in count_edits.walk(value):
            message = record.get("message")
            if not isinstance(message, dict) or not isinstance(message.get("content"), list):
                continue
            if record.get("uuid", place) not in seen:
                seen.add(record.get("uuid", place))
                yield str(record.get("timestamp", "")), place, record, message


def path_of(arguments):
    arguments = count_edits.arguments_of(arguments)
    is_edit = count_edits.files_of(None, arguments)[0]
    return next((arguments[key] for key in count_edits.PATHS if is_edit and isinstance(arguments.get(key), str)), None)


def ordinal(path, counts):
    """`a.txt~3`: the call that edits a file of this name for the third time."""
    name = path.rsplit("/", 1)[-1] if path else "shell"
    counts[name] += 1
    return f"{name}~{counts[name]}" if path else name


def events_of(transcript):
    """(time, place, block, arguments, answer) of every call with an answer, in the order of the calls' times. The block
    is named as the document does: by its message and its place among the blocks of the message; without ids by its file
    and its number among the calls that edit a file of this name."""
    calls, events, blocks = {}, [], Counter()
    for time, place, record, message in messages_of(transcript):
        name = message.get("id") or record.get("uuid") or record.get("id")
        for node in (each for each in [message, *message["content"]] if isinstance(each, dict)):
            call, answer = count_edits.call_of(node), count_edits.answer_of(node)
            if call and call[0] and call[0] not in calls:
                block = f"{name}/{blocks[name]}" if name else ordinal(path_of(call[2]), blocks)
                calls[call[0]] = time, place, block, call[2]
            if answer and answer[0] in calls:
                events.append((*calls.pop(answer[0]), answer[1:]))
            blocks[name] += 1 if node is not message else 0
    return sorted(events, key=lambda event: event[:2])


def removals_of(script):
    """(word, target) of what a script removes, without a target, or moves."""
    for command in count_shell_edits.commands_of(script):
        words = [re.sub(r"['\"]", "", word) for word in command]
        if words[:2] == ["git", "rm"] or words[:2] == ["git", "mv"]:
            words = words[1:]
        files = [word for word in words[1:] if not word.startswith("-")]
        if words[:1] == ["rm"]:
            yield from ((word, None) for word in files)
        elif words[:1] == ["mv"]:
            yield from ((word, files[-1]) for word in files[:-1])


def is_named(path, word):
    """Whether a word of a script names a path, or a folder above it."""
    word = re.sub(r"^(\./)+|/+$", "", word)
    return bool(word) and (f"{path}/".startswith(f"{word}/") or f"/{word}/" in f"{path}/")


class Files:
    """The lines that calls wrote, by path."""

    def __init__(self):
        self.owners = defaultdict(lambda: defaultdict(list))  # path -> line -> calls, the last one on top
        self.arriving = {}  # of moved files, by name
        self.replaced, self.deleted, self.edits = defaultdict(dict), {}, {}
        self.others = defaultdict(set)

    def at(self, path):
        """The lines of a file; those of one that a move brought here come with the first call about it."""
        if path not in self.owners and path.rsplit("/", 1)[-1] in self.arriving:
            self.owners[path] = self.arriving.pop(path.rsplit("/", 1)[-1])
        return self.owners[path]

    def take(self, path, line, by):
        if self.at(path)[line]:
            self.others[by, line] |= set(self.at(path)[line])  # any of them, where several calls wrote the line
            owner = self.at(path)[line].pop()
            if owner != by:
                self.replaced[owner].setdefault(by, line)

    def put(self, path, call, added):
        self.edits[call] = path
        for line, count in added.items():
            self.at(path)[line].extend([call] * count)

    def replace(self, path, call, old, new, is_everywhere):
        before, after = telling(old), telling(new)
        for line in before - after:
            for _ in range(len(self.at(path)[line]) if is_everywhere else (before - after)[line]):
                self.take(path, line, call)
        self.put(path, call, after - before)

    def write(self, path, call, body):
        body = telling(body)
        for line in list(self.at(path)):
            while len(self.at(path)[line]) > body[line]:
                self.take(path, line, call)
        self.put(path, call, body - Counter({line: len(calls) for line, calls in self.at(path).items()}))

    def leave(self, path, call, target):
        """The file is deleted, or moved: then it is looked for by its new name in the folder of the target."""
        lines = self.owners.pop(path)
        if target:
            name = path if target.endswith("/") or target == "." else target
            into = name.rsplit("/", 1)[-1]
            self.arriving[into] = lines
            return
        for calls in lines.values():
            for owner in calls:
                self.deleted[owner] = call


def follow(transcript):
    files = Files()
    for _, _, call, arguments, (text, marked) in events_of(transcript):
        arguments = count_edits.arguments_of(arguments)
        if not isinstance(arguments, dict) or any(words in text for words in count_edits.REFUSED):
            continue
        script = count_shell_edits.script_of(arguments)
        if script and not marked:
            for word, target in removals_of(script):
                for path in [each for each in files.owners if is_named(each, word)]:
                    files.leave(path, call, target)
        path = next((arguments[key] for key in count_edits.PATHS if isinstance(arguments.get(key), str)), None)
        if not path or count_edits.has_failed(text, marked, False):
            continue
        olds = [each for each in [arguments, *(arguments.get("edits") or [])] if isinstance(each, dict)]
        for each in olds:
            old = next((each[key] for key in count_edits.OLD if isinstance(each.get(key), str)), None)
            new = next((each[key] for key in ("new_string", "new_str", "newText") if isinstance(each.get(key), str)), None)
            if old is not None and new is not None:
                files.replace(path, call, old, new, bool(each.get("replace_all")))
        body = next((arguments[key] for key in count_edits.BODY if isinstance(arguments.get(key), str)), None)
        if body is not None:
            files.write(path, call, body)
    return files


def named_by(document):
    """By call: what the document says, and the calls it names."""
    edits = document["edits"]
    counts = Counter()
    ids = [edit["block"] if not (edit["block"] or "").startswith("#")
           else ordinal(edit["path"] if edit["origin"] == "tool" else None, counts) for edit in edits]
    said = defaultdict(list)
    for edit, call in zip(edits, ids):
        remains = edit["remains"]
        if edit["origin"] == "outside" or edit["outcome"] != "landed":
            continue
        others = [] if remains is None else remains["replaced_by"] + [remains["deleted_by"]]
        names = {ids[each] if edits[each]["origin"] != "outside" else "outside" for each in others if each is not None}
        said[call].append((remains["kind"] if remains else "none", names, remains))
    return said


def compare(transcript, document, lines):
    files, said = follow(transcript), named_by(document)
    sums = dict.fromkeys(COLUMNS, 0)
    sums["edits"] = len(files.edits)
    pairs = [(owner, by, "replaced") for owner, all_by in files.replaced.items() for by in all_by]
    pairs += [(owner, by, "deleted") for owner, by in files.deleted.items()]
    for owner, by, what in pairs:
        sums[what] += 1
        entries = said.get(owner, [])
        line = files.replaced.get(owner, {}).get(by, "")
        owners = files.others[by, line] | {owner}
        is_named = any(by in names for each in owners for _, names, _ in said.get(each, []))
        is_unknown = any(remains and remains["lines_unknown"] > 0 for _, _, remains in entries)
        if is_named or is_unknown:
            continue
        sums["missed"] += 1
        is_claimed = all(kind == "whole" for kind, _, _ in entries)
        sums["claimed"] += is_claimed
        lines.append(f"  {files.edits[owner]}: {owner} {what} by {by}; said: "
                     + "; ".join(f"{kind} {sorted(names)}" for kind, names, _ in entries)
                     + f"; line: {line}")
    found = {(owner, by) for owner, by, _ in pairs}
    found |= {(owner, by) for (by, _), owners in files.others.items() for owner in owners}
    named = {(owner, by) for owner, entries in said.items() for _, names, _ in entries for by in names}
    sums["also"] = sum(owner in files.edits and by in files.edits for owner, by in named - found)
    return sums


def main(arguments):
    print("file", *COLUMNS, sep="\t")
    for transcript, document in zip(arguments[::2], arguments[1::2]):
        lines = []
        sums = compare(transcript, json.loads(Path(document).read_text(encoding="utf-8")), lines)
        print(Path(transcript).name, *sums.values(), sep="\t")
        print(*lines, sep="\n", end="\n" if lines else "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
