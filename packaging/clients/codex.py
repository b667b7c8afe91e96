# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Codex resumes a rollout of its sessions folder by id."""

import shutil

import client
import items

NAME = "Codex"
FORMAT = "codex"
PACKAGE = "@openai/codex"

CONFIGURATION = """model = "gpt-5-codex"
openai_base_url = "{url}/v1"
[analytics]
enabled = false
"""


def start(home, url, packages, more=""):
    """The words of the program and its variables; `more` is configuration."""
    folder = home / ".codex"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(more + CONFIGURATION.format(url=url))
    (folder / "auth.json").write_text('{"OPENAI_API_KEY": "%s"}' % client.KEY)
    return ["node", packages / PACKAGE / "bin" / "codex.js"], {}


def prepare(session, home, url, packages):
    session_id = next((client.value(record, "payload", "id") for record in session.records.values()
                       if record.get("type") == "session_meta"), None)
    if not session_id:
        raise client.NotResumed("no record has a session id")
    folder = home / ".codex" / "sessions" / "2026" / "01" / "01"
    folder.mkdir(parents=True)
    shutil.copyfile(session.file, folder / f"rollout-2026-01-01T00-00-00-{session_id}.jsonl")
    return resume(session, session_id, home, url, packages, None)


def resume(_, name, home, url, packages, room):
    program, variables = start(home, url, packages, f"model_auto_compact_token_limit = {room}\n" if room else "")
    return [*program, "exec", "--skip-git-repo-check", "resume", name, client.PROMPT], variables


def sent(requests):
    for path, body in requests:
        if path.endswith("/responses"):
            return list(items.response_items(body["input"]))
    return None
