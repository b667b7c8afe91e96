# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The run in the words of Cline."""

import dataclasses
import json

import acp
import client
import cline
import items
import runs
import streams
from runs import call


class ClineRun(runs.Run):
    module = cline
    typed = (runs.TASK, runs.LOOK, runs.AGAIN)
    limit = 20_000
    full = 5
    unrecorded = (7,)  # the interrupted one
    endings = (".messages.json", ".compaction.json", ".json")

    def __init__(self, work):
        test = call("run_commands", commands=["python3 test_calc.py"])
        self.steps = [
            [{"text": "I read the file first."}, call("read_files", files=[{"path": f"{work}/calc.py"}]), test],
            [call("run_commands", commands=["seq 1 1000"])],
            [call("editor", path=f"{work}/calc.py", old_text="a - b", new_text="a + b")],
            [call("spawn_agent", systemPrompt="You count files.", task=runs.SUBTASK)],
            [{"text": "Now the test."}, test],
            [{"text": "The test passes now."}],
            [call("run_commands", commands=[f"touch {runs.REFUSED}"])],
            [{"text": runs.DOUBT}, streams.STALL],
            [test],
            [{"text": runs.LAST}],
        ]

    def converse(self, home, served, packages):
        """The program compacts only where nobody is asked for permissions."""
        program, variables = cline.start(home, served.url, packages, self.limit)
        client.run([program, "--json", runs.TASK], variables, home)
        with acp.Talk([program, "--acp"], variables, home, runs.REFUSED) as talk:
            talk.load(self.sessions(home)[0].name.removesuffix(self.endings[0]))
            talk.type(runs.LOOK, runs.DOUBT)
            talk.interrupt(served)
            talk.type(runs.AGAIN)

    def is_side(self, body):
        return any(item.role == "user" and item.text == runs.SUBTASK for item in self.items(body))

    def compaction(self, body):
        is_asked = self.items(body)[0].text.startswith("Summarize this session for continuation.")
        return [{"text": runs.SUMMARY}] if is_asked else None

    def sessions(self, home):
        return sorted((home / ".cline" / "data" / "sessions").rglob(f"*{self.endings[0]}"),
                      key=lambda file: file.name.startswith("agent"))

    def items(self, body):
        """A result of several parts is sent as JSON without blanks. Longer ones than those of the run are cut."""
        found = items.chat_items([message for message in body["messages"] if message["role"] != "system"])
        return [dataclasses.replace(item, text=json.dumps(json.loads(item.text), ensure_ascii=False))
                if item.kind == "tool_result" and item.text.startswith("[") else item for item in found]

    def records(self, file):
        return [json.loads(file.read_text())]

    def record(self, record):
        return {key: value for key, value in record.items() if key != "system_prompt"}
