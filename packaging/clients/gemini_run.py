# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The run in the words of Gemini CLI."""

import os

import gemini_cli
import items
import runs
import streams
from runs import call


class GeminiCliRun(runs.Run):
    module = gemini_cli
    typed = (runs.TASK, runs.LOOK, runs.AGAIN)
    limit = 600_000
    full = 8
    unrecorded = (8,)  # the interrupted one

    def __init__(self, _):
        test = call("run_shell_command", command="python3 test_calc.py")
        self.steps = [
            [{"thinking": "**Plan**\nFirst I look at the file."}, {"text": "I read the file first."},
             call("read_file", file_path="calc.py"), test],
            [call("run_shell_command", command="seq 1 2000")],
            [call("replace", file_path="calc.py", old_string="a - b", new_string="a + b",
                  instruction="Add, do not subtract.")],
            [call("run_shell_command", command=f"touch {runs.REFUSED}")],
            [call("invoke_agent", agent_name="generalist", prompt=runs.SUBTASK)],
            [{"text": "Now the test."}, test],
            [{"text": "The test passes now."}],
            [call("read_file", file_path="test_calc.py")],
            [{"text": runs.DOUBT}, streams.STALL],
            [test],
            [{"text": runs.LAST}],
        ]

    def converse(self, home, served, packages):
        command, variables = gemini_cli.start(home, served.url, packages)
        command += ["--approval-mode", "auto_edit", "--output-format", "stream-json", "--allowed-tools",
                    "run_shell_command(python3),run_shell_command(seq),invoke_agent"]
        terminal, stdin = os.openpty()
        for words in self.typed:
            resumed = [] if words == runs.TASK else ["--resume", "latest"]
            with runs.Talk([*command, *resumed, "--prompt", words], variables, home, stdin) as talk:
                if words == runs.LOOK:
                    talk.read_until(runs.DOUBT)
                    os.write(terminal, b"\x03")
                    served.wait_until_left()
                talk.end()
        os.close(terminal)
        os.close(stdin)

    def is_side(self, body):
        return any(item.role == "user" and runs.SUBTASK in item.text for item in self.items(body))

    def side_answer(self, body):
        return [call("complete_task", result={"response": runs.COUNTED})]

    def compaction(self, body):
        asked = "<state_snapshot>" in items.last_content_text(body["contents"])
        return [{"text": f"<state_snapshot>\n{runs.SUMMARY}\n</state_snapshot>"}] if asked else None

    def sessions(self, home):
        """Each start of the program writes a file of its own, with nothing in it if the program resumes another."""
        return sorted((file for file in (home / ".gemini" / "tmp").rglob("chats/**/*.jsonl")
                       if '"type":"gemini"' in file.read_text()), key=lambda file: len(file.parts))

    def items(self, body):
        return items.content_items(body["contents"])

    def before(self, body, following):
        """The summary is asked of the messages that it replaces; the others follow it and the word of thanks."""
        after = list(self.items(following))
        summary = next(index for index, item in enumerate(after) if item.text.startswith("<state_snapshot>"))
        return [*list(self.items(body))[:-1], *after[summary + 2 :]]

    def foreign(self, requests):
        return {item.text for body in requests for item in self.items(body)
                if item.text.startswith("<session_context>")}

    def record(self, record):
        """What the user saw of a result stands beside it."""
        for call in record.get("toolCalls", ()):
            call.pop("resultDisplay", None)
            call.pop("description", None)
        return record
