#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Count the files that the shell commands of a transcript change, independently of the program.

    count_shell_edits.py FILE...       one line per file that holds any, tab-separated, with a header line
    count_shell_edits.py --corpus DIR  the same for every file that count_edits.py reads (makes expected_shell_edits.tsv)

It shares no code with the program: scripts are taken apart by Python's shlex, tool calls found by count_edits.py.

Definitions, one line each
  named   pairs of a command and a file that it changes and that its words name to the letter: a target of `>` or `>>`,
          of `tee`, `sed -i`, `perl -i`, `truncate`, `rm`, `mv` and `cp`, the last two by their sources.
A word with a variable, a substitution or a wildcard, `/dev/…`, and what stands in a here-document count for nothing.
"""
import re
import shlex
import sys
from pathlib import Path

import count_edits

COLUMNS = ("named",)
HERE_DOCUMENT = re.compile(r"<<(-?)\s*(['\"]?)(\w+)\2([^\n]*)\n(.*?)(?:^\t*\3\s*$|\Z)", re.S | re.M)
SEPARATORS = {";", "&&", "||", "|", "&", "\n", "(", ")", ";;"}
KEYWORDS = {"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time", "done", "fi"}


def script_of(arguments):
    """What a tool call gives to a shell, or nothing."""
    arguments = count_edits.arguments_of(arguments)
    if not isinstance(arguments, dict):
        return None
    command = arguments.get("command", arguments.get("cmd"))
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        # A program and its words: no shell reads them.
        return command[2] if command[0] in ("bash", "sh", "zsh") and len(command) > 2 else None
    is_shell = isinstance(command, str) and not any(key in arguments for key in count_edits.PATHS)
    return command if is_shell else None


def commands_of(script):
    """The simple commands of a script, as lists of words with their quotes on."""
    script = HERE_DOCUMENT.sub(r" \4\n", script.replace("\\\n", " "))
    lexer = shlex.shlex(script, posix=False, punctuation_chars=";&|()\n<>")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, "#"
    command = []
    try:
        for token in lexer:
            # Punctuation of several kinds comes in one piece.
            for word in re.findall(r"\n|;+|&&|\|\||[&|()]|<<<|>>|&>|[<>]", token) if set(token) <= set(";&|()\n<>") else [token]:
                if word in SEPARATORS:
                    yield command
                    command = []
                else:
                    command.append(word)
    except ValueError:  # an open quote
        pass
    yield command


def is_named(word):
    """Whether a word names a file to the letter."""
    expanded = re.sub(r"'[^']*'", "", word)
    text = re.sub(r"['\"]", "", word)
    has_wildcard = re.search(r"[*?\[]", re.sub(r'"[^"]*"', "", expanded))
    return bool(text) and text != "-" and not text.startswith("/dev/") and not re.search(r"[$`]", expanded) and not has_wildcard


def targets_of(command):
    """The words of a simple command that name what it changes."""
    words, targets, i = [], [], 0
    while i < len(command):
        word = command[i]
        if word in (">", ">>", "&>"):
            is_descriptor = i + 1 < len(command) and command[i + 1].startswith("&")
            if i + 1 < len(command) and not is_descriptor:
                targets.append(command[i + 1])
            if words and words[-1].isdigit():
                words.pop()
            i += 2
        elif word in ("<", "<<<"):
            i += 2
        else:
            words.append(word)
            i += 1
    while words and (words[0] in KEYWORDS or re.match(r"\w+=", words[0])):
        words.pop(0)
    if not words:
        return targets
    name, rest = words[0].rsplit("/", 1)[-1], words[1:]
    at = rest.index("--") if "--" in rest else len(rest)
    flags = [word for word in rest[:at] if word.startswith("-")]
    files = [word for word in rest[:at] if not word.startswith("-")] + rest[at + 1 :]
    if name in ("rm", "tee"):
        targets += files
    elif name in ("mv", "cp"):
        targets += files[:-1]
    elif name == "truncate":
        targets += files[-1:]
    elif name in ("sed", "perl") and any(re.match(r"-[a-zA-Z]*i|--in-place", flag) for flag in flags):
        # The first word behind the options is the script; of BSD the one before it the empty ending of the copy.
        files = [word for word in files if word not in ("''", '""')]
        scripts = sum(1 for flag in flags if flag.endswith("e") and not flag.startswith("--"))
        targets += files[max(scripts, 1) :]
    return targets


def count(path):
    calls = {}
    for value in count_edits.values(Path(path).read_bytes().decode("utf-8", "replace")):
        for node in count_edits.walk(value):
            call = count_edits.call_of(node)
            if call and call[0]:
                calls.setdefault(call[0], script_of(call[2]))
    scripts = filter(None, calls.values())
    words = (word for script in scripts for command in commands_of(script) for word in targets_of(command))
    return {"named": sum(map(is_named, words))}


if __name__ == "__main__":
    sys.exit(count_edits.main(sys.argv[1:], count, COLUMNS))
