# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Gemini CLI writes its chats below its temporary folder."""

import json

import client
import items

NAME = "Gemini CLI"
FORMAT = "gemini-cli-log"
PACKAGE = "@google/gemini-cli"

SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}


def start(home, url, packages):
    """The words of the program and its variables."""
    folder = home / ".gemini"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(SETTINGS))
    return ["node", packages / PACKAGE / "bundle" / "gemini.js", "--model", "gemini-2.5-pro"], {
        "GEMINI_API_KEY": client.KEY, "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def resume(_, name, home, url, packages, __):
    """It estimates the size of what it resumes."""
    program, variables = start(home, url, packages)
    return [*program, "--session-file", name, "--prompt", client.PROMPT], variables


def sent(requests):
    for path, body in requests:
        if path.endswith(":streamGenerateContent"):
            return list(items.content_items(body["contents"]))
    return None


def is_in_call(item, session):
    """Whether the record of a call holds the result, too."""
    results = (part for record in session.records.values() for call in record.get("toolCalls") or ()
               for part in call.get("result") or () if isinstance(part, dict) and "functionResponse" in part)
    return any(item.text == text for part in results for _, text in items.content_parts({"parts": [part]}))
