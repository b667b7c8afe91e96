# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The run in the words of Copilot CLI."""

import dataclasses
import re

import acp
import copilot_cli
import items
import runs
import streams
from runs import call


SUMMARIZED = "Some of the conversation history has been summarized"


class CopilotCliRun(runs.Run):
    module = copilot_cli
    typed = (runs.TASK, runs.LOOK, runs.AGAIN)
    limit = 100_000
    full = 6
    unrecorded = (8,)  # the interrupted one

    def __init__(self, work):
        test = call("bash", command="python3 test_calc.py", description="Run the test")
        self.steps = [
            [{"text": "I read the file first."}, call("view", path=f"{work}/calc.py"), test],
            [call("bash", command="seq 1 2000", description="Print many numbers")],
            [call("edit", path=f"{work}/calc.py", old_str="a - b", new_str="a + b")],
            [call("bash", command=f"touch {runs.REFUSED}", description="Touch")],
            [{"call": "task", "arguments": {"agent_type": "general-purpose", "name": "counter", "mode": "sync",
                                            "description": "Count the files", "prompt": runs.SUBTASK}}],
            [{"text": "Now the test."}, test],
            [call("view", path=f"{work}/test_calc.py")],  # meanwhile the program asks for a summary
            [call("view", path=f"{work}/calc.py")],
            [{"text": runs.DOUBT}, streams.STALL],
            [test],
            [{"text": runs.LAST}],
        ]

    def converse(self, home, served, packages):
        program, variables = copilot_cli.start(home, served.url, packages, self.limit)
        acp.type_run([program, "--acp"], variables, home, served)

    def is_side(self, body):
        return any(item.role == "user" and item.text.endswith(runs.SUBTASK) for item in self.items(body))

    def is_other(self, body):
        return not body.get("tools") and not self.compaction(body)

    def compaction(self, body):
        is_asked = self.items(body)[-1].text.startswith("Please create a detailed summary of the conversation")
        return [{"text": f"<overview>\n{runs.SUMMARY}\n</overview>"}] if is_asked else None

    def applied(self, requests, place):
        """The program goes on while it waits for the summary."""
        return next(number for number in range(place, len(requests))
                    if self.items(requests[number])[0].text.startswith("<overview>"))

    def sessions(self, home):
        return sorted((home / ".copilot" / "session-state").rglob("events.jsonl"))

    def items(self, body):
        """The program sends a summary between words that are not in the file."""
        messages = [message for message in body["messages"] if message["role"] != "system"]
        return [dataclasses.replace(item, text=re.sub("(?s).*(<overview>.*</overview>).*", r"\1", item.text))
                if item.text.startswith(SUMMARIZED) else item for item in items.chat_items(messages)]

    def record(self, record):
        """What the user saw of a result stands beside it."""
        if record["type"] == "system.message":
            record["data"]["content"] = runs.ELSEWHERE
        if record["type"].startswith(("permission.", "tool.execution_start")):
            return None
        record["data"].get("result", {}).pop("detailedContent", None)
        record["data"].pop("toolTelemetry", None)
        return record
