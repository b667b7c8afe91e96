#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Count the edits of a transcript, independently of the program.

    count_edits.py FILE...          one line per file that holds any, tab-separated, with a header line
    count_edits.py --corpus DIR     the same for every file of these formats in a corpus folder (makes expected_edits.tsv)

It shares no code with the program and looks at the raw JSON only. Formats: claude-code, claude-sdk-stream, codex,
anthropic-api, openai-chat, openai-responses, langchain, pi; files cut in the middle are left out.

Definitions, one line each
  call         a tool call by its id, once however often requests, copies or progress records repeat it.
  edit call    a call of a tool that changes a file by its arguments: a path and an old text, a new text at a line, or a
               body; or one whose arguments hold `*** Begin Patch` as the patch of `apply_patch`.
  files        what edit calls ask for: 1 for a tool with a path; in a patch each `*** Add|Delete|Update File:` line.
  failed       files of edit calls whose answer says so: marked as an error, exit code, status, or in its first words.
  unanswered   files of edit calls without an answer, or whose answer says that the person refused.
  recorded     files of answered edit calls with `originalFile`, `structuredPatch` or pi's `diff` beside the answer.
"""
import json
import re
import sys
from pathlib import Path

FORMATS = {"claude-code", "claude-sdk-stream", "codex", "anthropic-api", "openai-chat", "openai-responses", "langchain",
           "pi"}
PATHS = ("file_path", "path", "notebook_path")
OLD = ("old_string", "old_str", "oldText")
BODY = ("content", "file_text")
FAILURES = ("Error", "error:", "<tool_use_error>", "No replacement", "Failed", "failed", "Invalid", "Ran into")
REFUSED = ("doesn't want to proceed", "interrupted by user", "aborted by user", "Permission for this tool use was denied")
COLUMNS = ("calls", "files", "failed", "unanswered", "recorded")


def values(text):
    """The JSON values of a file: one document, or one or more on each line."""
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    found, decoder = [], json.JSONDecoder()
    for line in text.split("\n"):
        at = 0
        while at < len(line):
            try:
                value, at = decoder.raw_decode(line, at)
            except ValueError:
                break
            found.append(value)
    return found


def walk(value):
    """Every object in a value but those kept beside the context."""
    if isinstance(value, dict):
        yield value
        for key, child in value.items():
            if key not in ("toolUseResult", "artifact", "details"):
                yield from walk(child)
    elif isinstance(value, list):
        for child in value:
            yield from walk(child)


def call_of(node):
    """(id, name, arguments) of a tool call, or None."""
    kind = node.get("type")
    if kind == "tool_use" and "id" in node:
        return node["id"], node.get("name"), node.get("input")
    if kind == "tool_call" and "args" in node:
        return node.get("id"), node.get("name"), node["args"]
    if kind == "toolCall" and "arguments" in node:
        return node.get("id"), node.get("name"), node["arguments"]
    if kind in ("function_call", "custom_tool_call") and "call_id" in node:
        return node["call_id"], node.get("name"), node.get("arguments") or node.get("input")
    if kind == "function" and isinstance(node.get("function"), dict) and "id" in node:
        return node["id"], node["function"].get("name"), node["function"].get("arguments")
    return None


def text_of(content):
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else json.dumps(content)


def answer_of(node):
    """(id, text, marked as an error) of a tool result, or None."""
    kind = node.get("type")
    if kind == "tool_result":
        return node.get("tool_use_id"), text_of(node.get("content")), bool(node.get("is_error"))
    if node.get("role") == "toolResult":
        return node.get("toolCallId"), text_of(node.get("content")), bool(node.get("isError"))
    if kind in ("function_call_output", "custom_tool_call_output"):
        return node.get("call_id"), text_of(node.get("output")), False
    if (kind == "tool" or node.get("role") == "tool") and "tool_call_id" in node:
        return node["tool_call_id"], text_of(node.get("content")), node.get("status") == "error"
    return None


def is_recorded(value):
    """A record that holds an answer holds a change of a file beside it."""
    if not isinstance(value, dict):
        return False
    beside = value.get("toolUseResult")
    if isinstance(beside, dict) and ("originalFile" in beside or "structuredPatch" in beside):
        return True
    message = value.get("message")
    details = message.get("details") if isinstance(message, dict) else None
    return isinstance(details, dict) and isinstance(details.get("diff"), str)


def arguments_of(arguments):
    """The arguments of a call; those written as a text of JSON taken apart."""
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        try:
            return json.loads(arguments)
        except ValueError:
            pass
    return arguments


def files_of(name, arguments):
    """How many files an edit call asks for, and whether by a patch; (0, False) for every other call."""
    arguments = arguments_of(arguments)
    if isinstance(arguments, str):
        return patch_files(arguments if name == "apply_patch" else ""), True
    if not isinstance(arguments, dict):
        return 0, False
    command = arguments.get("command", arguments.get("cmd"))
    if isinstance(command, list) or (isinstance(command, str) and not any(key in arguments for key in PATHS)):
        words = command if isinstance(command, list) else [command]
        script = words[-1] if words else ""
        runs = words[0] == "apply_patch" or re.search(r"(^|[;&|\n]\s*)apply_patch\s", script)
        return patch_files(script if runs else ""), True
    if command in ("view", "undo_edit") or not any(isinstance(arguments.get(key), str) for key in PATHS):
        return 0, False
    edits = arguments.get("edits") or "insert_line" in arguments or any(isinstance(arguments.get(key), str) for key in OLD)
    writes = any(isinstance(arguments.get(key), str) for key in BODY) or "new_source" in arguments
    return (1 if edits or writes else 0), False


def patch_files(text):
    return len(re.findall(r"^\*\*\* (?:Add|Delete|Update) File:", text, re.M))


def has_failed(text, marked, by_patch):
    if by_patch:
        return "Success. Updated the following files" not in text
    return marked or text.startswith(FAILURES)


def count(path):
    calls, answers, recorded = {}, {}, set()
    for value in values(Path(path).read_bytes().decode("utf-8", "replace")):
        for node in walk(value):
            call, answer = call_of(node), answer_of(node)
            if call and call[0] and not calls.get(call[0], (0, False))[0]:
                calls[call[0]] = files_of(call[1], call[2])
            if answer and answer[0] and answer[0] not in answers:
                answers[answer[0]] = answer[1:]
                if is_recorded(value):
                    recorded.add(answer[0])
    sums = dict.fromkeys(COLUMNS, 0)
    for call, (files, by_patch) in calls.items():
        if not files:
            continue
        answer = answers.get(call)
        refused = answer is not None and any(words in answer[0] for words in REFUSED)
        sums["calls"] += 1
        sums["files"] += files
        if answer is None or refused:
            sums["unanswered"] += files
        elif has_failed(*answer, by_patch):
            sums["failed"] += files
        elif call in recorded:
            sums["recorded"] += files
    return sums


def main(arguments, count=count, columns=COLUMNS):
    paths = [(path, path) for path in arguments]
    if arguments[:1] == ["--corpus"]:
        root = Path(arguments[1])
        rows = [line.split("\t") for line in (root / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        paths = sorted((row[0], root / row[0]) for row in rows if row[1] in FORMATS)
    print("file", *columns, sep="\t")
    for name, path in paths:
        sums = count(path)
        if any(sums.values()):
            print(name, *sums.values(), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
