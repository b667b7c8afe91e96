# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""pi resumes a session file by its path."""

import json

import client
import items

NAME = "pi"
FORMAT = "pi"
PACKAGE = "@mariozechner/pi-coding-agent"


def start(home, url, packages, compaction):
    """The words of the program and its variables."""
    settings = home / ".pi" / "agent"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "models.json").write_text(json.dumps({"providers": {"anthropic": {"baseUrl": url}}}))
    (settings / "settings.json").write_text(json.dumps({"compaction": compaction}))
    return ["node", packages / PACKAGE / "dist" / "cli.js", "--provider", "anthropic"], {
        "ANTHROPIC_API_KEY": client.KEY, "PI_OFFLINE": "1"}


def prepare(session, home, url, packages):
    copy = home / "session.jsonl"
    copy.write_bytes(with_folder(session.file.read_bytes(), client.work_folder(home)))
    return resume(session, copy, home, url, packages, None)


def resume(session, path, home, url, packages, _):
    program, variables = start(home, url, packages, {"enabled": False})
    return [*program, "--print", "--session", path, "--model", model_of(session), client.PROMPT], variables


def model_of(session):
    models = [client.value(record, "message", "model") for record in session.records.values()
              if client.value(record, "message", "api") == "anthropic-messages"]
    return models[-1] if models else "claude-opus-4-5"


def with_folder(content, folder):
    """The session with a working folder that is there: pi resumes no other."""
    head, line_feed, rest = content.partition(b"\n")
    record = json.loads(head)
    record["cwd"] = str(folder)
    return json.dumps(record).encode() + line_feed + rest


def sent(requests):
    for path, body in requests:
        if path.endswith("/messages"):
            return list(items.message_items(body["messages"]))
    return None


def is_stopped(item, session):
    """Whether the response that holds the item was aborted or failed."""
    return client.value(session.record(item.line), "message", "stopReason") in ("aborted", "error")
