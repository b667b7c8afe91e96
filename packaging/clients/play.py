# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""A scripted model plays one run through a client. The client writes a session file; its requests are the true arrays,
call by call. Both become a fixture of the tests, without the words of the client's makers."""

import json
import re

import claude_code
import client
import codex
import endpoint
import items

TASK = "Repair the sum in calc.py and run its test."
SUBTASK = "Count the files of this folder."
FILES = {"calc.py": "def add(a, b):\n    return a - b\n",
         "test_calc.py": "from calc import add\n\nassert add(2, 3) == 5, add(2, 3)\nprint('passed')\n"}
# Stands where the client's makers have the word.
ELSEWHERE = "[words of the client]"
LIMIT = 50000


def call(name, **arguments):
    return {"call": name, "arguments": arguments}


class ClaudeCodeRun:
    """Reads, a failing test, a long output, an edit, a tool that is refused, a subagent, a passing test."""

    module = claude_code

    def __init__(self, work):
        self.steps = [
            [{"text": "I read the file first."}, call("Read", file_path=f"{work}/calc.py"),
             call("Bash", command="python3 test_calc.py", description="Run the test")],
            [call("Bash", command="seq 1 9000", description="Print many numbers")],
            [call("Edit", file_path=f"{work}/calc.py", old_string="a - b", new_string="a + b")],
            [call("WebFetch", url="http://example.invalid/", prompt="Read it.")],
            [call("Agent", description="Count the files", prompt=SUBTASK, subagent_type="general-purpose")],
            [call("Bash", command="python3 test_calc.py", description="Run the test again")],
            [{"text": "The test passes now."}],
        ]

    def command(self, home, url, packages):
        program, variables = claude_code.start(home, url, packages)
        return [program, "--print", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash", "Read", "Edit", "Agent",
                "--", TASK], variables

    def side_answer(self, body):
        """The answer to a request of the subagent; None for the main thread."""
        texts = [item.text for item in items.message_items(body["messages"])]
        return [{"text": "There are two files."}] if SUBTASK in texts else None

    def sessions(self, home):
        return [file for file in (home / ".claude" / "projects").rglob("*.jsonl") if "subagents" not in file.parts]

    def items(self, body):
        return items.message_items([without_reminders(message) for message in body["messages"]])

    def foreign(self, requests):
        return ()

    def record(self, record):
        """Attachments and copies of requests hold the words of the client's makers; results stand there twice."""
        if record["type"] == "attachment":
            record["attachment"] = {"type": record["attachment"]["type"]}
            for key in ("rendered", "renderedInHumanTurn"):
                if key in record:
                    record[key] = [{"content": ELSEWHERE}]
        record.pop("toolUseResult", None)
        return None if record["type"].startswith("api-request") else record


class CodexRun:
    """Reads, a failing test, a long output, an edit, a tool that there is not, a compaction, a passing test."""

    module = codex

    def __init__(self, work):
        self.steps = [
            [{"text": "I read the file first."}, call("exec_command", cmd="cat calc.py"),
             call("exec_command", cmd="python3 test_calc.py")],
            [call("exec_command", cmd="seq 1 2000")],
            [call("exec_command", cmd="sed -i 's/a - b/a + b/' calc.py")],
            [call("no_such_tool", x=1)],
            [call("exec_command", cmd="python3 test_calc.py")],
            [{"text": "The test passes now."}],
        ]

    def command(self, home, url, packages):
        program, variables = codex.start(home, url, packages, f"model_auto_compact_token_limit = {LIMIT}\n")
        return [*program, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
                TASK], variables

    def side_answer(self, body):
        """The answer to a request for a compaction; None for others."""
        return [{"compaction": "c2VhbGVk"}] if body["input"][-1].get("type") == "compaction_trigger" else None

    def sessions(self, home):
        return list((home / ".codex" / "sessions").rglob("*.jsonl"))

    def items(self, body):
        """Without the base instructions: the session holds them in its first record."""
        return items.response_items(body["input"][1:])

    def foreign(self, requests):
        return {item.text for body in requests for item in items.response_items(body["input"])
                if item.role == "developer" or item.text.startswith("<environment_context>")}

    def record(self, record):
        if record["type"] == "session_meta":
            kept = ("id", "timestamp", "cwd", "originator", "cli_version", "source")
            return record | {"payload": {key: record["payload"][key] for key in kept}}
        return None if record["type"] in ("turn_context", "world_state") else record


RUNS = (ClaudeCodeRun, CodexRun)


def without_reminders(message):
    """A message as the session holds it: the client adds reminders as texts, and at the end of results."""
    content = message["content"]
    if isinstance(content, str):
        return message
    blocks = []
    for block in content:
        if block["type"] == "text" and block["text"].startswith("<system-reminder>"):
            continue
        if block["type"] == "tool_result" and isinstance(block["content"], str):
            own = re.sub(r"(?s)\n\n<system-reminder>\n.*</system-reminder>$", "", block["content"])
            block = block | {"content": own}
        elif block["type"] == "tool_result":
            block = block | {"content": own_parts(block["content"])}
        blocks.append(block)
    return message | {"content": blocks}


def own_parts(parts):
    """The parts of a result that are no reminders. A line feed divides texts that follow each other."""
    own = [part for part in parts if not part.get("text", "").startswith("<system-reminder>")]
    if len(own) < len(parts) and own[-1].get("text", "").endswith("\n"):
        own[-1] = own[-1] | {"text": own[-1]["text"][:-1]}
    return own


def play(kind, home, packages, folder):
    """Plays the run in a home folder of its own and writes NAME.jsonl and NAME.calls.json into `folder`."""
    work = client.work_folder(home)
    for name, text in FILES.items():
        (work / name).write_text(text)
    run, main = kind(work), []

    def answer(_, body):
        side = run.side_answer(body)
        if side:
            return side, 500
        main.append(body)
        step = run.steps[len(main) - 1] if len(main) <= len(run.steps) else [{"text": "Done."}]
        is_full = len(main) == 4
        return step, LIMIT + 10000 if is_full else 3000 + 1000 * len(main)

    with endpoint.Endpoint(answer) as served:
        command, variables = run.command(home, served.url, packages)
        printed = client.run(command, variables, home)
    sessions = run.sessions(home)
    if len(main) != len(run.steps) or len(sessions) != 1:
        raise client.NotResumed(f"{len(main)} calls instead of {len(run.steps)}: {printed[-300:]}")
    write(run, main, sessions[0], str(home), folder / kind.module.FORMAT)


def write(run, main, session, home, target):
    foreign = run.foreign(main)

    def cleaned(value):
        if isinstance(value, dict):
            return {key: cleaned(each) for key, each in value.items()}
        if isinstance(value, list):
            return [cleaned(each) for each in value]
        if isinstance(value, str):
            return ELSEWHERE if value in foreign else placed(value)
        return value

    def placed(text):
        """Claude Code names folders after the home folder, and after the number of the user."""
        text = text.replace(home, "/home/p").replace(re.sub("[^A-Za-z0-9]", "-", home), "-home-p")
        return re.sub(r"/tmp/claude-\d+/", "/tmp/claude/", text)

    records = (run.record(json.loads(line)) for line in session.read_text().splitlines())
    lines = [json.dumps(cleaned(record), ensure_ascii=False, separators=(",", ":")) for record in records if record]
    target.with_suffix(".jsonl").write_text("\n".join(lines) + "\n")
    places, calls = {}, []
    for body in main:
        array = [(item.kind, cleaned(item.text)) for item in run.items(body)]
        calls.append([places.setdefault(item, len(places)) for item in array])
    document = {"items": [list(item) for item in places], "calls": calls}
    target.with_suffix(".calls.json").write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n")
