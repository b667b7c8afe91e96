# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The run in the words of Qwen Code."""

import acp
import qwen_code
import runs
import streams
from runs import call


class QwenCodeRun(runs.Run):
    module = qwen_code
    typed = (runs.TASK, runs.LOOK, runs.AGAIN)
    limit = 68_500
    summary_tokens = 70_400  # the program computes from them what the summary saved
    full = 6

    def __init__(self, work):
        test = call("run_shell_command", command="python3 test_calc.py", is_background=False)
        self.steps = [
            [{"thinking": "First I look at the file."}, {"text": "I read the file first."},
             call("read_file", file_path=f"{work}/calc.py"), test],
            [call("run_shell_command", command="seq 1 2000", is_background=False)],
            [call("edit", file_path=f"{work}/calc.py", old_string="a - b", new_string="a + b")],
            [call("run_shell_command", command=f"touch {runs.REFUSED}", is_background=False)],
            [call("agent", description="Count the files", prompt=runs.SUBTASK, subagent_type="general-purpose",
                  run_in_background=False)],
            [{"text": "Now the test."}, test],
            [{"text": runs.DOUBT}, streams.STALL],
            [test],
            [{"text": runs.LAST}],
        ]

    def converse(self, home, served, packages):
        command, variables = qwen_code.start(home, served.url, packages, 100_000)
        acp.type_run([*command, "--acp"], variables, home, served)

    def is_side(self, body):
        return any(item.role == "user" and item.text == runs.SUBTASK for item in self.items(body))

    def is_other(self, body):
        return not body.get("stream") and not self.compaction(body)

    def compaction(self, body):
        is_asked = list(self.items(body))[-1].text.endswith("produce the <state_snapshot> XML.")
        return [{"text": f"<state_snapshot>\n{runs.SUMMARY}\n</state_snapshot>"}] if is_asked else None

    def sessions(self, home):
        return sorted((home / ".qwen" / "projects").rglob("*.jsonl"))

    def items(self, body):
        return qwen_code.conversation(body)
