# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""opencode keeps its sessions in a database."""

import json

import client
import items

NAME = "opencode"
FORMAT = "opencode"
PACKAGE = "opencode-ai"


def start(home, url, packages, limit):
    """The program and its variables; `limit` is the context of the model."""
    programs = packages.glob("opencode-linux-*/bin/opencode")
    program = next((each for each in programs if "baseline" not in str(each)), None)
    if not program:
        raise client.NotResumed("npm installed no program for this system")
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True, exist_ok=True)
    model = {"name": "m", "limit": {"context": limit, "output": 8000}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "mock", "models": {"m": model},
                "options": {"baseURL": f"{url}/v1", "apiKey": client.KEY}}
    (folder / "opencode.json").write_text(json.dumps({
        "autoupdate": False, "share": "disabled", "model": "mock/m", "provider": {"mock": provider},
        "permission": {"webfetch": "ask"}}))
    return program, {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}


def resume(_, name, home, url, packages, __):
    """It takes in a copy first. The copy states no size of its context."""
    program, variables = start(home, url, packages, 1_000_000)
    taken = client.run([program, "import", name], variables, home)
    session = next((word for word in taken.split() if word.startswith("ses_")), None)
    if not session:
        raise client.NotResumed(f"not imported: {taken[:200]}")
    return [program, "run", "--session", session, client.PROMPT], variables


def sent(requests):
    for path, body in requests:
        if path.endswith("/chat/completions") and body.get("tools"):
            return list(items.chat_items([each for each in body["messages"] if each["role"] != "system"]))
    return None
