# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Claude Code resumes a session of its projects folder by id."""

import functools
import re
import shutil

import client
import items

NAME = "Claude Code"
FORMAT = "claude-code"
PACKAGE = "@anthropic-ai/claude-code"

RESERVE = 33_000  # tokens below its window at which it compacts

# Nothing but the conversation is to be sent, and all of it.
QUIET = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING",
         "DISABLE_AUTOUPDATER", "DISABLE_AUTO_COMPACT")


def start(home, url, packages):
    """The program and its variables."""
    program = next(packages.glob(f"{PACKAGE}-linux-*/claude"), None)
    if not program:
        raise client.NotResumed("npm installed no program for this system")
    (home / ".claude.json").write_text('{"hasCompletedOnboarding": true}')
    return program, {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": client.KEY, **dict.fromkeys(QUIET, "1")}


def prepare(session, home, url, packages):
    messages = [record for record in session.records.values() if is_message(record)]
    session_id = last_of(record.get("sessionId") for record in messages)
    if not session_id:
        raise client.NotResumed("no record has a session id")
    folder = home / ".claude" / "projects" / re.sub("[^A-Za-z0-9]", "-", str(client.work_folder(home)))
    folder.mkdir(parents=True)
    shutil.copyfile(session.file, folder / f"{session_id}.jsonl")
    return resume(session, session_id, home, url, packages, None)


def resume(session, name, home, url, packages, room):
    program, variables = start(home, url, packages)
    if room:
        del variables["DISABLE_AUTO_COMPACT"]
        variables["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = str(room + RESERVE)
    return [program, "--print", "--model", model_of(session), "--resume", name, client.PROMPT], variables


def model_of(session):
    """Thinking is sent to the model that wrote it, and to no other."""
    models = (client.value(record, "message", "model") for record in session.records.values() if is_message(record))
    return last_of(model for model in models if model and model.startswith("claude-")) or "claude-sonnet-4-5"


def sent(requests):
    for path, body in requests:
        if path.endswith("/messages") and body.get("tools"):
            return list(items.message_items(body["messages"]))
    return None


def last_of(values):
    return next((each for each in reversed(list(values)) if each), None)


def is_message(record):
    return record.get("type") in ("user", "assistant") and not record.get("isSidechain")


def parts_of(record):
    content = client.value(record, "message", "content")
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


@functools.lru_cache
def first_reached_line(session):
    """The line to which the links to parents lead from the last message; 0 where they lead to a beginning. Records that
    are not in the file break them."""
    lines = {record["uuid"]: line for line, record in session.records.items() if record.get("uuid")}
    line = next((line for line, record in reversed(session.records.items()) if is_message(record)), 0)
    seen = set()
    while line and line not in seen:
        seen.add(line)
        parent = session.record(line).get("parentUuid")
        if not parent:
            return 0
        if parent not in lines:
            return line
        line = lines[parent]
    return 0


def is_thinking_alone(item, session):
    """Whether all records of the response that holds the item are thinking."""
    response = client.value(session.record(item.line), "message", "id")
    records = [record for record in session.records.values() if client.value(record, "message", "id") == response]
    return response is not None and all(part.get("type") == "thinking" for record in records
                                        for part in parts_of(record))


def is_command_record(item, session):
    """Whether a `system` record holds the text: a command of the client's own, or what it printed."""
    return any(record.get("subtype") == "local_command" and record.get("content") == item.text.rstrip("\n")
               for record in session.records.values())
