# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The run in the words of opencode."""

import contextlib
import json
import sqlite3

import acp
import items
import opencode
import runs
import streams
from runs import call


TABLES = ("session", "message", "part")


class OpencodeRun(runs.Run):
    module = opencode
    typed = (runs.TASK, runs.LOOK, runs.AGAIN)
    limit = 100_000
    full = 6

    def __init__(self, work):
        test = call("bash", command="python3 test_calc.py", description="Run the test")
        self.steps = [
            [{"thinking": "First I look at the file."}, {"text": "I read the file first."},
             call("read", filePath=f"{work}/calc.py"), test],
            [call("bash", command="seq 1 2000", description="Print many numbers")],
            [call("edit", filePath=f"{work}/calc.py", oldString="a - b", newString="a + b")],
            [call("webfetch", url=f"http://{runs.REFUSED}.invalid/", format="text")],
            [call("task", description="Count the files", prompt=runs.SUBTASK, subagent_type="general")],
            [{"text": "Now the test."}, test],
            [{"text": runs.DOUBT}, streams.STALL],
            [test],
            [{"text": runs.LAST}],
        ]

    def converse(self, home, served, packages):
        program, variables = opencode.start(home, served.url, packages, self.limit)
        acp.type_run([program, "acp"], variables, home, served)

    def is_side(self, body):
        return any(item.role == "user" and item.text == runs.SUBTASK for item in self.items(body))

    def is_other(self, body):
        return not body.get("tools") and not self.compaction(body)  # it asks for a title

    def compaction(self, body):
        is_asked = next(self.items(body)).text.startswith("Here is the conversation so far:")
        return [{"text": runs.SUMMARY}] if is_asked else None

    def sessions(self, home):
        return [home / ".local" / "share" / "opencode" / "opencode.db"]

    def records(self, file):
        """The rows that Palimpsest reads, each as an object with its table, behind a list of the tables."""
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.row_factory = sqlite3.Row
            rows = {table: database.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
                    for table in TABLES}
        yield {"sqlite": {table: list(each[0].keys()) for table, each in rows.items()}}
        for table, each in rows.items():
            for row in each:
                values = {key: json.loads(row[key]) if key == "data" else row[key] for key in row.keys()}
                yield {"table": table, **values}

    def record(self, record):
        """What the user saw of a result stands beside it."""
        state = record.get("data", {}).get("state", {})
        state["metadata"] = {key: value for key, value in state.get("metadata", {}).items() if key == "sessionId"}
        return record

    def items(self, body):
        return items.chat_items([message for message in body["messages"] if message["role"] != "system"])
