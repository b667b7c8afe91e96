# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Qwen Code writes its chats below its projects folder."""

import json

import client
import items

NAME = "Qwen Code"
FORMAT = "qwen-code"
PACKAGE = "@qwen-code/qwen-code"

WINDOW = 1_000_000
RESERVE = 33_000  # tokens below its window at which it compacts


def start(home, url, packages, limit):
    """The words of the program and its variables; `limit` is the context of the model."""
    folder = home / ".qwen"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({
        "security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": False},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False}, "telemetry": {"enabled": False},
        "ui": {"enableFollowupSuggestions": False},
        "memory": dict.fromkeys(("enableManagedAutoMemory", "enableManagedAutoDream", "enableAutoSkill"), False),
        "permissions": {"allow": ["Bash(python3 *)", "Bash(seq *)"], "ask": ["Bash(touch *)"]},
        "tools": {"approvalMode": "auto-edit"},
        "model": {"name": "m", "generationConfig": {"contextWindowSize": limit}}}))
    return [client.node(packages), packages / PACKAGE / "cli-entry.js"], {
        "OPENAI_API_KEY": client.KEY, "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "m"}


def resume(_, name, home, url, packages, room):
    program, variables = start(home, url, packages, room + RESERVE if room else WINDOW)
    return [*program, "--resume", name, "--prompt", client.PROMPT], variables


def sent(requests):
    for path, body in requests:
        if path.endswith("/chat/completions") and body.get("stream"):
            return conversation(body)
    return None


def conversation(body):
    """The items without the reminders in front, which are in no file."""
    messages = [message for message in body["messages"] if message["role"] != "system"]
    return [item for item in items.chat_items(messages) if not item.text.startswith("<system-reminder>")]
