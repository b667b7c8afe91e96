# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Lets a client resume the copy that `palimpsest continue` wrote, with the words of the command that it printed."""

import dataclasses
import json
import pathlib
import re
import shlex
import subprocess

import claude_code
import client
import codex
import comparison
import endpoint
import gemini_cli
import items
import opencode
import pi
import qwen_code
import rules

WORDS = {claude_code.NAME: ["claude", "--resume"], codex.NAME: ["codex", "resume"], pi.NAME: ["pi", "--session"],
         qwen_code.NAME: ["qwen", "--resume"], gemini_cli.NAME: ["gemini", "--session-file"],
         opencode.NAME: ["opencode", "import"]}
TAKES_IN = (gemini_cli, opencode)  # these make a copy of the copy

CLAUDE_PROMPT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


@dataclasses.dataclass
class Copy:
    file: pathlib.Path
    name: str  # what the command names: an id or a path


class NotContinued(Exception):
    """The text says why."""


def here(file, home, target):
    """The session with the client's work folder as its own: clients resume no session of a folder that is missing."""
    folder = json.dumps(str(client.work_folder(home))).encode()
    target.write_bytes(re.sub(rb'(?<!\\)"(cwd|directory)":\s*"(?:[^"\\]|\\.)*"',
                              lambda found: b'"' + found[1] + b'":' + folder, file.read_bytes()))
    return target


def run(options, home, *words):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    result = subprocess.run([*options.palimpsest, *words], capture_output=True, text=True, errors="replace",
                            env=environment)
    if result.returncode != 0:
        raise NotContinued(" ".join(result.stderr.split()))
    return result.stdout


def continue_session(each, session, home, options, words):
    """Writes the copy, and takes the printed command apart."""
    printed = shlex.split(run(options, home, "continue", session, *words))
    folder = str(client.work_folder(home))
    if each in (claude_code, qwen_code, opencode):
        if printed[:3] != ["cd", folder, "&&"]:
            raise NotContinued(f"the command does not begin in {folder}: {printed}")
        printed = printed[3:]
    if each is opencode and printed[3:6] == ["&&", "opencode", "--session"]:
        printed = printed[:3]
    if printed[:2] != WORDS[each.NAME] or len(printed) != 3:
        raise NotContinued(f"not the command of {each.NAME}: {printed}")
    found = [file for file in home.rglob("*.json*") if file.is_file() and printed[2] in str(file)]
    if len(found) != 1:
        raise NotContinued(f"{len(found)} files of the new session")
    return Copy(found[0], printed[2])


def stated_context(each, session):
    """The size of the context in the last record that states one; 0 if none does."""
    size = 0
    for record in session.records.values():
        if each is codex:
            size = client.value(record, "payload", "info", "last_token_usage", "input_tokens") or size
        elif each is qwen_code:
            size = client.value(record, "usageMetadata", "promptTokenCount") or size
        elif each is claude_code and not record.get("isSidechain"):
            usage = client.value(record, "message", "usage") or {}
            size = sum(usage.get(name) or 0 for name in CLAUDE_PROMPT) or size
    return size


def room_of(each, old, before, after):
    """A limit of the context at which the client would compact the old file as soon as it resumes it, but not the copy,
    by the arrays of both. None if there is little between them, or if the client has no such limit."""
    removed = sum(slot["tokens"]["value"] for slot in before["slots"])
    removed -= sum(slot["tokens"]["value"] for slot in after["slots"])
    size = stated_context(each, old)
    return int(size - removed / 2) if removed > 10_000 and size > removed else None


def compare(each, file, words, scratch, options):
    """What the client sends of the continued copy, against the array that an export has. A client that compacted at once
    would send something else. Also whether the old file is as it was, and whether undoing removes the copy."""
    home = scratch / "home"
    home.mkdir()
    own = here(file, home, scratch / "session.jsonl")
    before = own.read_bytes()
    copy = continue_session(each, own, home, options, words)
    export = copy.file
    if each is not opencode:  # it has no other export
        export = scratch / "export.jsonl"
        named = words if "--policy" in words else [*words, "--policy", "none"]
        run(options, home, "compact", own, *named, "-o", export)
    if own.read_bytes() != before:
        raise NotContinued("the old file changed")
    shown = json.loads(run(options, home, "show", export, "--json", "--texts"))
    array = json.loads(run(options, home, "show", own, "--json"))
    session = client.Session(copy.file)
    with endpoint.Endpoint() as served:
        room = None if "--call" in words else room_of(each, client.Session(own), array, shown)
        printed = client.run(*each.resume(session, copy.name, home, served.url, options.packages, room), home)
    sent = each.sent(served.requests)
    if sent is None:
        text = " ".join(printed.replace(str(home), "~").split())
        raise NotContinued("not resumed: " + text[max(text.find("Error"), 0) :][:200])
    made = comparison.compare(list(items.shown_items(shown)), sent, rules.rules_of(each.NAME), session)
    undo(each, options, home, copy.file)
    return made


def undo(each, options, home, copy):
    """Where a client has appended to our copy, it must stay."""
    if each in TAKES_IN:
        run(options, home, "continue", "--undo", copy)
        if copy.exists():
            raise NotContinued("undoing left the copy")
        return
    try:
        run(options, home, "continue", "--undo", copy)
    except NotContinued:
        return
    raise NotContinued("undoing removed a session that had grown")
