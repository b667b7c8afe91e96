# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Measures from the records alone when Claude Code compacted and what it cleared, for the preset claude-code.

    python3 tests/independent/claude_compactions.py CORPUS

Uses no code of core. For each recorded compaction it prints the version, the trigger, the recorded tokens, and the sum
that we believe was compared: the usage of the last response plus a quarter of the characters behind it. Usage in these
files often counts only the first tokens of a response, so the sum can be some thousand tokens too small. For each
recorded clearing it prints how many results the records name, and how many the rule of the preset clears: from the
newest on, results stay while they have 40,000 tokens of four characters, and the last three stay.
"""

import json
import pathlib
import sys

PROTECTED = 40_000
CLEARED_TOOLS_NOT = {"Skill", "Task", "Agent", "AskUserQuestion", "ExitPlanMode"}


def records(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and not record.get("isSidechain"):
            yield number, record


def text_of(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [] if isinstance(part, dict))


class Session:
    def __init__(self):
        self.usage = 0
        self.behind = 0
        self.tools = {}
        self.results = []

    def take(self, record):
        message = record.get("message")
        if not isinstance(message, dict):
            return
        usage = message.get("usage")
        if record.get("type") == "assistant" and usage:
            names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
            self.usage = sum(usage.get(name) or 0 for name in names)
            self.behind = 0
        for part in message.get("content") if isinstance(message.get("content"), list) else []:
            if not isinstance(part, dict):
                continue
            if part.get("type") == "tool_use":
                self.tools[part["id"]] = part["name"]
            if part.get("type") == "tool_result":
                length = len(text_of(part.get("content")))
                self.results.append((part["tool_use_id"], self.tools.get(part["tool_use_id"]), length))
                self.behind += length
            elif record.get("type") == "user":
                self.behind += len(part.get("text", ""))
        if isinstance(message.get("content"), str):
            self.behind += len(message["content"])

    def cleared(self):
        total = 0
        ids = set()
        for place, (call, tool, length) in enumerate(reversed(self.results)):
            if tool in CLEARED_TOOLS_NOT:
                continue
            total += -(-length // 4)
            if place >= 3 and total > PROTECTED:
                ids.add(call)
        return ids


def main():
    corpus = pathlib.Path(sys.argv[1])
    for path in sorted(corpus.glob("claude-code/**/*.jsonl")):
        session = Session()
        for number, record in records(path):
            kind = record.get("subtype")
            if kind == "compact_boundary":
                data = record.get("compactMetadata") or {}
                print(path.name, number, record.get("version"), data.get("trigger"), data.get("preTokens"),
                      session.usage + -(-session.behind // 4), sep="\t")
                session.results = []
            elif kind == "microcompact_boundary":
                named = set(record["microcompactMetadata"]["compactedToolIds"])
                rule = session.cleared()
                print(path.name, number, record.get("version"), "clearing", len(named), len(rule),
                      "equal" if named == rule else f"{len(named ^ rule)} differ", sep="\t")
            else:
                session.take(record)


if __name__ == "__main__":
    main()
