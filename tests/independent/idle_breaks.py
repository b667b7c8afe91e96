#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""List the calls of Claude Code whose prompt fell without a word in the log when the cache had run out before.

    idle_breaks.py FILE...          one line per call, tab-separated, with a header line
    idle_breaks.py --corpus DIR     the same for every file of this format in a corpus folder (makes expected_idle.tsv)

It shares no code with the program and looks at the raw JSON only. A call is a response by its id, once, outside of
sidechains; its prompt is the sum of the three input figures of its usage. It is listed where its prompt is more than 64
tokens below that of the call before, no compaction is recorded in between, nothing was ever written for an hour, and
the response before it is more than six minutes older. So the entry of five minutes is gone, whatever else happened.
"""
import json
import sys
from datetime import datetime
from pathlib import Path

NOISE = 64
GONE = 360
COMPACTIONS = {"compact_boundary", "microcompact_boundary"}


def records(path):
    for line in Path(path).read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and not record.get("isSidechain"):
            yield record


def idle_breaks(path):
    """(response, seconds since the one before, its prompt, this prompt)."""
    seen, before, is_compacted, is_for_an_hour = set(), None, False, False
    for record in records(path):
        is_compacted |= record.get("subtype") in COMPACTIONS or bool(record.get("isCompactSummary"))
        message = record.get("message")
        if record.get("type") != "assistant" or not isinstance(message, dict) or not message.get("usage"):
            continue
        if message.get("model") == "<synthetic>" or message.get("id") in seen:
            continue
        seen.add(message.get("id"))
        usage = message["usage"]
        prompt = sum(usage.get(key) or 0
                     for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))
        time = datetime.fromisoformat(record["timestamp"].replace("Z", "+00:00"))
        is_for_an_hour |= bool((usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens"))
        if before and not is_compacted and not is_for_an_hour and 0 < prompt < before[0] - NOISE:
            seconds = (time - before[1]).total_seconds()
            if seconds > GONE:
                yield message["id"], round(seconds), before[0], prompt
        before, is_compacted = (prompt, time), False


def main(arguments):
    paths = [(path, path) for path in arguments]
    if arguments[:1] == ["--corpus"]:
        root = Path(arguments[1])
        rows = [line.split("\t") for line in (root / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        paths = sorted((row[0], root / row[0]) for row in rows if row[1] == "claude-code")
    print("file", "response", "seconds", "before", "prompt", sep="\t")
    for name, path in paths:
        for row in idle_breaks(path):
            print(name, *row, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
