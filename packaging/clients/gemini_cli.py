# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Gemini CLI writes its chats below its temporary folder."""

import json

import client

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
