# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Cline keeps the messages of its sessions, and beside them what it compacted."""

import json

import client

NAME = "Cline"
FORMAT = "cline"
PACKAGE = "@cline/cli"


def start(home, url, packages, limit):
    """The program and its variables; `limit` is the context of the model."""
    program = next(packages.glob(f"{PACKAGE}-linux-*/bin/cline"), None)
    if not program:
        raise client.NotResumed("npm installed no program for this system")
    folder = home / ".cline" / "data" / "settings"
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"provider": "openai-compatible", "apiKey": client.KEY, "model": "m", "baseUrl": f"{url}/v1",
                "contextWindow": limit}
    (folder / "providers.json").write_text(json.dumps({
        "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {"openai-compatible": {
            "settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}}}))
    return program, {"CLINE_PROVIDER": "openai-compatible", "CLINE_API_KEY": client.KEY, "CLINE_MODEL": "m",
                     "CLINE_SESSION_BACKEND_MODE": "local", "CLINE_NO_AUTO_UPDATE": "1"}
