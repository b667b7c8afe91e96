#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""List what the person typed in sessions of Claude Code, from the raw records.

    typed.py FILE...                     one line per message: file, line of its record, how it was typed, its first words
    typed.py --corpus DIR                the same for every file of this format in a corpus folder
    typed.py --check PROGRAM DIR         the lines that `PROGRAM search FILE typed --json` finds in that folder must be these

It shares no code with the program and looks at the raw JSON only. A message counts once. How it was typed:

  message      a user record, or a text part of one, that is no summary, is not marked isMeta and has no opening of the harness's.
  reply        behind "the user said:" in the result of a tool call that the person rejected; in a subagent "The user said:".
  arguments    between <command-args> and its end behind a slash command.
  interrupted  behind the mark "[Request interrupted by user]" in the same text.
  queued       typed while the agent worked, and sent within the turn: an `enqueue` that a later `remove` takes. `dequeue` sends
               it as a user record, and `popAll` puts it back into the prompt; both count where the record is. Notices of the
               harness and commands that start with a slash are none. Newer versions log a sent message as an attachment, once.

Records of sidechains count too. A record whose uuid stood in the file before is a copy, unless that record has no content.
"""
import json
import subprocess
import sys
from pathlib import Path

HARNESS = ("<system-reminder>", "<command-", "<local-command-", "<bash-stdout>", "<bash-stderr>", "<ide_", "<task-notification>",
           "Caveat: The messages below", "[Request interrupted by user", "[SUGGESTION MODE", "Operation stopped by hook",
           "Base directory for this skill:", "CRITICAL: Respond with TEXT ONLY", "Your task is to create a detailed summary",
           "This session is being continued from a previous")
REPLIES = {"The user doesn't want to proceed with this tool use.": "the user said:",
           "Permission for this tool use was denied.": "The user said:"}


def records(path):
    decoder = json.JSONDecoder()
    for number, line in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        at = 0
        while at < len(line):                     # a line may hold two records
            try:
                record, at = decoder.raw_decode(line, at)
            except ValueError:
                break
            if isinstance(record, dict):
                yield number, record


def between(text, opening, end=None):
    found = text.partition(opening)[2]
    return (found.partition(end)[0] if end else found).strip("\0 \t\r\n")


def part(text):
    """(how, words) of what was typed among the harness's own words."""
    for opening, said in REPLIES.items():
        if text.startswith(opening):
            return "reply", between(text, said)
    if text.startswith("<command-"):
        return "arguments", between(text, "<command-args>", "</command-args>")
    if text.startswith("[Request interrupted by user"):
        return "interrupted", between(text, "]")
    return "", ""


def of_text(text, is_meta):
    if not text.startswith(HARNESS) and not is_meta:
        return ("message", text) if text else ("", "")
    return part(text) if text.startswith(("<command-", "[Request")) else ("", "")


def of_record(record):
    message = record.get("message")
    if record.get("type") != "user" or not isinstance(message, dict) or record.get("isCompactSummary"):
        return
    content = message.get("content")
    for each in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
        if isinstance(each, str):
            each = {"type": "text", "text": each}
        if each.get("type") == "text":
            yield of_text(each.get("text") or "", record.get("isMeta"))
        elif each.get("type") == "tool_result" and each.get("is_error"):
            inner = each.get("content") or ""
            how, words = part(inner if isinstance(inner, str) else "\n".join(p.get("text", "") for p in inner))
            yield (how, words) if how == "reply" else ("", "")


def has_content(record):
    """Whether a record that should be a message has content; records of other types count as they are."""
    if record.get("type") not in ("user", "assistant"):
        return record.get("type") == "attachment"
    message = record.get("message")
    return isinstance(message, dict) and bool(message.get("content"))


def typed(path):
    found, seen, waiting, logged = [], set(), [], []
    for number, record in records(path):
        if record.get("uuid") in seen:
            continue
        seen |= {record["uuid"]} if record.get("uuid") and has_content(record) else set()
        found += [(number, how, words) for how, words in of_record(record) if words]
        attachment = record.get("attachment")
        if isinstance(attachment, dict) and attachment.get("type") == "queued_command" and isinstance(attachment.get("prompt"), str):
            words = attachment["prompt"]
            logged.append(words)
            if not attachment.get("isMeta") and not words.startswith(HARNESS):
                found.append((number, "queued", words))
        if record.get("type") != "queue-operation":
            continue
        operation, words = record.get("operation"), record.get("content") or ""
        if operation == "enqueue":
            waiting.append((number, words))
        elif operation == "popAll":
            waiting.clear()
        elif operation == "dequeue" and waiting:
            waiting.pop(0)
        elif operation == "remove":
            prompts = [each for each in waiting if not each[1].startswith(("/",) + HARNESS)] or waiting
            if prompts:
                waiting.remove(prompts[0])
                found.append((prompts[0][0], "queued by a step", prompts[0][1]))
    # One attachment stands for one such step; older versions write none.
    for number, how, words in list(found):
        if how == "queued by a step":
            found.remove((number, how, words))
            if words in logged:
                logged.remove(words)
            elif words and not words.startswith(("/",) + HARNESS):
                found.append((number, "queued", words))
    return sorted(found)


def lines_of_program(program, path):
    got = subprocess.run([program, "search", path, "typed", "--json", "--limit", "1000000"], capture_output=True, check=True)
    return sorted(hit["line"] for hit in json.loads(got.stdout)["hits"])


def main(arguments):
    program, corpus = (arguments[1], arguments[2]) if arguments[:1] == ["--check"] else (None, arguments[1] if arguments[:1] == ["--corpus"] else None)
    paths, root = [Path(each) for each in arguments], Path(corpus or ".")
    if corpus:
        rows = [line.split("\t") for line in (root / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        paths = [root / row[0] for row in rows if row[1] == "claude-code"]
    is_wrong, counts = False, {}
    for path in paths:
        found = typed(path)
        name = str(path.relative_to(root)) if corpus else str(path)
        for _, how, _ in found:
            counts[how] = counts.get(how, 0) + 1
        if not program:
            for number, how, words in found:
                print(name, number, how, json.dumps(words[:60], ensure_ascii=False), sep="\t")
            continue
        said, seen = lines_of_program(program, path), sorted(number for number, _, _ in found)
        if said != seen:
            is_wrong = True
            more, less = [n for n in said if n not in seen], [n for n in seen if n not in said]
            print(f"{name}: {len(said)} in the program, {len(seen)} here; only there: {more}, only here: {less}")
    print("counted:", ", ".join(f"{count} {how}" for how, count in sorted(counts.items())), file=sys.stderr)
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
