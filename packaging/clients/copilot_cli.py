# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Copilot CLI writes the events of its sessions."""

import client

NAME = "Copilot CLI"
FORMAT = "copilot-cli"
PACKAGE = "@github/copilot"


def start(home, url, packages, limit):
    """The program and its variables; `limit` is the context of the model."""
    program = next(packages.glob(f"{PACKAGE}-linux-*/copilot"), None)
    if not program:
        raise client.NotResumed("npm installed no program for this system")
    return program, {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_API_KEY": client.KEY,
                     "COPILOT_MODEL": "m", "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": str(limit),
                     "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS": "8000", "COPILOT_AUTO_UPDATE": "false"}
