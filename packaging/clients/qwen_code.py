# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Qwen Code writes its chats below its projects folder."""

import json

import client

NAME = "Qwen Code"
FORMAT = "qwen-code"
PACKAGE = "@qwen-code/qwen-code"


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
