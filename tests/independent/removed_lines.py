#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Look for each line that a patch removes in what the edits of a transcript removed, independently of the program.

    removed_lines.py TRANSCRIPT PATCH [TRANSCRIPT PATCH]...    one line per file of a patch that removes lines

It shares no code with the program and looks at the raw JSON only; tool calls are found by count_edits.py, what shell
commands name by count_shell_edits.py. A line is looked for in this order, and what it is found in is used up.

Definitions, one line each
  removed   lines of a patch that start with `-`, also those that it adds to the file elsewhere.
  by_call   they stand in an old text, or in the old lines of `apply_patch`, of an edit call of this file that did not
            fail. The first and the last line of an old text may be parts of a line; Codex finds lines whatever their
            blanks at both ends.
  by_write  the file is written or deleted whole by an edit call, and an earlier call or answer about it holds them.
  by_shell  a shell command that removes or writes names the file or its folder, or `git stash` puts all changes aside.
  by_none   the rest.
"""
import re
import sys
from collections import Counter
from pathlib import Path

import count_edits
import count_shell_edits

COLUMNS = ("removed", "by_call", "by_write", "by_shell", "by_none")
STASH = re.compile(r"\bgit\s+stash\s*(?:push\b|save\b|-|[;&|\n]|$)")
NUMBERED = re.compile(r"^ *\d+(?:→|\t|: ?)")


def lines_of(text):
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")


def replacements_of(arguments):
    """(old text, whether everywhere) of an edit call."""
    for each in [arguments] + [part for part in arguments.get("edits") or [] if isinstance(part, dict)]:
        for key in count_edits.OLD:
            if isinstance(each.get(key), str) and each[key]:
                yield each[key], bool(each.get("replace_all"))


def patches_of(name, arguments):
    """(file, old lines, whether it goes as a whole) for each file of an `apply_patch`."""
    arguments = count_edits.arguments_of(arguments)
    text = arguments
    if isinstance(arguments, dict):
        command = arguments.get("command", arguments.get("cmd")) or arguments.get("input") or ""
        text = command[-1] if isinstance(command, list) else command
    if not isinstance(text, str) or "*** Begin Patch" not in text:
        return
    path, whole, removed = None, False, []
    for line in text.split("\n"):
        head = re.match(r"\*\*\* (Add|Delete|Update) File: (.*)", line)
        if head or line.startswith("*** End Patch"):
            if path:
                yield path, removed, whole
            path, whole, removed = head and head[2].strip(), bool(head) and head[1] == "Delete", []
        elif line[:1] in ("-", " "):
            removed.append(line[1:])


class Removals:
    """What the edits of one file removed."""

    def __init__(self):
        self.lines, self.parts, self.everywhere = Counter(), [], []
        self.shown, self.goes_whole, self.has_shell = Counter(), False, False

    def take_old(self, text, is_everywhere):
        lines = text.split("\n")
        ends = [(lines[0], "all")] if len(lines) == 1 else [(lines[0], "end"), (lines[-1], "start")]
        self.lines.update(lines[1:-1])
        (self.everywhere if is_everywhere else self.parts).extend(end for end in ends if end[0])

    def show(self, text):
        shown = lines_of(text)
        numbered = sum(1 for line in shown if NUMBERED.match(line))
        if numbered * 2 > len(shown):
            shown = [NUMBERED.sub("", line) for line in shown]
        self.shown |= Counter(shown)

    def explain(self, line):
        holds = {"all": line.__contains__, "end": line.endswith, "start": line.startswith}
        for old in (line, *(each for each in self.lines if each.strip() == line.strip())):
            if self.lines[old] > 0:
                self.lines[old] -= 1
                return "by_call"
        for end in self.everywhere:
            if holds[end[1]](end[0]):
                return "by_call"
        for end in sorted(self.parts, key=lambda each: -len(each[0])):
            if holds[end[1]](end[0]):
                self.parts.remove(end)
                return "by_call"
        if self.goes_whole and self.shown[line] > 0:
            self.shown[line] -= 1
            return "by_write"
        return "by_shell" if self.has_shell else "by_none"


def events_of(path):
    """(name, arguments, answer, record beside it) of each tool call, in order."""
    calls, answers, beside = {}, {}, {}
    for value in count_edits.values(Path(path).read_bytes().decode("utf-8", "replace")):
        for node in count_edits.walk(value):
            call, answer = count_edits.call_of(node), count_edits.answer_of(node)
            if call and call[0]:
                calls.setdefault(call[0], call[1:])
            if answer and answer[0] and answer[0] not in answers:
                answers[answer[0]] = answer[1:]
                record = value.get("toolUseResult") if isinstance(value, dict) else None
                beside[answer[0]] = record if isinstance(record, dict) else {}
    for call, (name, arguments) in calls.items():
        yield name, arguments, answers.get(call), beside.get(call, {})


def removals_of(transcript, files):
    """What the edits removed, by file of the patch."""
    found = {file: Removals() for file in files}

    def named(path):
        return [found[file] for file in files if path == file or str(path).endswith("/" + file)]

    for name, arguments, answer, record in events_of(transcript):
        count, by_patch = count_edits.files_of(name, arguments)
        if answer is None or any(words in answer[0] for words in count_edits.REFUSED):
            continue
        text, marked = answer
        if count and count_edits.has_failed(text, marked, by_patch):
            continue
        if count and by_patch:
            for path, removed, whole in patches_of(name, arguments):
                for each in named(path):
                    each.lines.update(removed)
                    each.goes_whole |= whole
            continue
        arguments = count_edits.arguments_of(arguments)
        if not isinstance(arguments, dict):
            continue
        path = next((arguments[key] for key in count_edits.PATHS if isinstance(arguments.get(key), str)), None)
        for each in named(path) if path else []:
            if not count:
                each.show(text)
                continue
            for old, is_everywhere in replacements_of(arguments):
                each.take_old(old, is_everywhere)
            for key in ("originalFile", "original_file"):
                each.show(record.get(key) or "")
            written = next((arguments[key] for key in count_edits.BODY if isinstance(arguments.get(key), str)), None)
            each.goes_whole |= written is not None or "new_source" in arguments
            each.show(written or "")
        script = count_shell_edits.script_of(arguments)
        if script:
            words = [re.sub(r"['\"]", "", word) for command in count_shell_edits.commands_of(script)
                     for word in count_shell_edits.targets_of(command)]
            for file, each in found.items():
                folder = file.rsplit("/", 1)[0]
                # By a part of its path, or by a folder that holds it.
                is_named = any(("/" + file).endswith("/" + word) or f"/{file}".startswith(f"/{word}/")
                               or word.endswith(("/" + file, "/" + folder)) or word == file for word in words)
                each.has_shell |= is_named or bool(STASH.search(script))
                if file.rsplit("/", 1)[-1] in script:
                    each.show(text)
    return found


def removed_of(patch):
    """The removed lines by file."""
    removed, path, in_hunk = {}, None, False
    for line in patch.split("\n"):
        head = re.match(r'diff --git "?a/(.*?)"? "?b/', line)
        if head:
            path, in_hunk = head[1], False
        in_hunk |= line.startswith("@@ ")
        if path and in_hunk and line.startswith("-"):
            removed.setdefault(path, Counter())[line[1:]] += 1
    return removed


def main(arguments):
    print("file", *COLUMNS, sep="\t")
    for transcript, patch in zip(arguments[::2], arguments[1::2]):
        removed = removed_of(Path(patch).read_bytes().decode("utf-8", "replace"))
        removals = removals_of(transcript, removed)
        for file, lines in removed.items():
            sums = Counter(removals[file].explain(line) for line in lines.elements())
            print(f"{Path(transcript).name}:{file}", lines.total(), *(sums[column] for column in COLUMNS[1:]), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
