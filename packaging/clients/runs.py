# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The run that the scripted model plays, in the words of Claude Code, Codex and pi; other clients have a file each. All
read a file, run a failing test, print a long output, edit, ask for a tool that they do not get, compact, are
interrupted, and run the test again. All but pi, which has none, start a subagent, too."""

import dataclasses
import json
import re
import signal
import subprocess

import claude_code
import client
import codex
import items
import pi
import rules
import streams

TASK = "Repair the sum in calc.py and run its test."
SUBTASK = "Count the files of this folder."
COUNTED = "There are two files."
LOOK = "Look around."
AGAIN = "Stop here and run the test once more."
DOUBT = "It passes. What else is there to do?"  # its answer is interrupted
LAST = "The test passes still."
REFUSED = "never"  # in the call that the user rejects
FILES = {"calc.py": "def add(a, b):\n    return a - b\n",
         "test_calc.py": "from calc import add\n\nassert add(2, 3) == 5, add(2, 3)\nprint('passed')\n"}
# Stands where the client's makers have the word.
ELSEWHERE = "[words of the client]"
SUMMARY = "The sum in calc.py is repaired."


def call(name, **arguments):
    return {"call": name, "arguments": arguments}


class Run:
    """What most clients have in common."""

    summary_tokens = 500  # the tokens of the prompt that asks for a summary
    endings = (".jsonl",)  # of the fixture of a session, and of the files beside it
    unrecorded = ()  # the numbers of the calls that the session file does not hold

    def is_side(self, body):
        """Whether a subagent sent the request."""
        return False

    def side_answer(self, body):
        return [{"text": COUNTED}]

    def is_other(self, body):
        """Whether the request is none of the conversation's: the client asks for a title, or which model to take."""
        return False

    def compaction(self, body):
        """The answer to a request for a compaction; None for others."""
        return None

    def before(self, body, following):
        """The array that a compaction replaced, by the request for a summary; None if that does not hold it."""
        return None

    def applied(self, requests, place):
        """The number of the first request with the summary; `place` is that of the first one after the question."""
        return place

    def foreign(self, requests):
        """The texts of the client's makers."""
        return ()

    def records(self, file):
        """The records of a session file."""
        return [json.loads(line) for line in file.read_text().splitlines()]

    def record(self, record):
        """The record as it stands in the fixture; None for none."""
        return record


class ClaudeCodeRun(Run):
    module = claude_code
    typed = (TASK, AGAIN)
    limit = 100000

    def __init__(self, work):
        test = "python3 test_calc.py"
        self.steps = [
            [{"text": "I read the file first."}, call("Read", file_path=f"{work}/calc.py"),
             call("Bash", command=test, description="Run the test")],
            [call("Bash", command="seq 1 9000", description="Print many numbers")],
            [call("Edit", file_path=f"{work}/calc.py", old_string="a - b", new_string="a + b")],
            [call("WebFetch", url="http://example.invalid/", prompt="Read it.")],
            [call("Agent", description="Count the files", prompt=SUBTASK, subagent_type="general-purpose")],
            [{"text": "Now the test."}, call("Bash", command=test, description="Run the test again")],
            [{"thinking": DOUBT}, streams.STALL],
            [call("Bash", command=test, description="Run the test once more")],
            [{"text": LAST}],
        ]
        self.full = 6  # the step whose prompt fills the context

    def converse(self, home, served, packages):
        program, variables = claude_code.start(home, served.url, packages)
        del variables["DISABLE_AUTO_COMPACT"]
        variables["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = str(self.limit)
        talk = Talk([program, "--print", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json",
                     "--model", "claude-sonnet-4-5", "--allowedTools", "Bash", "Read", "Edit", "Agent"],
                    variables, home)
        with talk:
            talk.say({"type": "user", "message": {"role": "user", "content": TASK}})
            talk.read_until(DOUBT)
            talk.say({"type": "control_request", "request_id": "1", "request": {"subtype": "interrupt"}})
            served.wait_until_left()
            talk.say({"type": "user", "message": {"role": "user", "content": AGAIN}})
            talk.read_until(LAST)
            talk.end()

    def is_side(self, body):
        return any(item.kind == "text" and item.text == SUBTASK for item in items.message_items(body["messages"]))

    def compaction(self, body):
        last = list(items.message_items(body["messages"]))[-1]
        is_asked = last.kind == "text" and "TEXT ONLY" in last.text[:200]
        return [{"text": f"<summary>\n{SUMMARY}\n</summary>"}] if is_asked else None

    def sessions(self, home):
        """The main thread's file, then those of subagents."""
        return sorted((home / ".claude" / "projects").rglob("*.jsonl"), key=lambda file: len(file.parts))

    def items(self, body):
        return items.message_items([without_reminders(message) for message in body["messages"]])

    def before(self, body, following):
        """The array that the compaction replaced, by the request for a summary. That request lacks the messages that
        stay: they follow the summary in the next request."""
        return [*list(self.items(body))[:-1], *list(self.items(following))[1:]]

    def record(self, record):
        """Attachments and copies of requests hold the words of the client's makers; results stand there twice."""
        if record["type"] == "attachment":
            record["attachment"] = {"type": record["attachment"]["type"]}
            for key in ("rendered", "renderedInHumanTurn"):
                if key in record:
                    record[key] = [{"content": ELSEWHERE}]
        record.pop("toolUseResult", None)
        return None if record["type"].startswith("api-request") else record


class CodexRun(Run):
    module = codex
    typed = (TASK, AGAIN)
    limit = 50000

    def __init__(self, work):
        test = call("exec_command", cmd="python3 test_calc.py")
        patch = "*** Begin Patch\n*** Update File: calc.py\n@@\n-    return a - b\n+    return a + b\n*** End Patch"
        self.steps = [
            [{"text": "I read the file first."}, call("exec_command", cmd="cat calc.py"), test],
            [call("exec_command", cmd="seq 1 2000")],
            [call("exec_command", cmd=f"apply_patch <<'EOF'\n{patch}\nEOF")],
            [call("no_such_tool", x=1)],
            [call("spawn_agent", message=SUBTASK) | {"namespace": "multi_agent_v1"}],
            self.wait_for_agent,
            [{"text": "Now the test."}, test],
            [{"text": DOUBT}, streams.STALL],
            [test],
            [{"text": LAST}],
        ]
        self.full = 7

    def wait_for_agent(self, body):
        spawned = json.loads(list(items.response_items(body["input"]))[-1].text)
        return [call("wait_agent", targets=[spawned["agent_id"]]) | {"namespace": "multi_agent_v1"}]

    def converse(self, home, served, packages):
        program, variables = codex.start(home, served.url, packages,
                                         f"model_auto_compact_token_limit = {self.limit}\n")
        words = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
        with Talk([*program, "exec", *words, TASK], variables, home, subprocess.DEVNULL) as talk:
            talk.read_until(DOUBT)
            talk.process.send_signal(signal.SIGINT)
            served.wait_until_left()
            talk.end()
        session_id = json.loads(self.sessions(home)[0].read_text().partition("\n")[0])["payload"]["id"]
        with Talk([*program, "exec", *words, "resume", session_id, AGAIN], variables, home, subprocess.DEVNULL) as talk:
            talk.end()

    def is_side(self, body):
        return any(item.role == "user" and item.text == SUBTASK for item in items.response_items(body["input"]))

    def compaction(self, body):
        is_asked = body["input"][-1].get("type") == "compaction_trigger"
        return [{"compaction": "c2VhbGVk"}] if is_asked else None

    def sessions(self, home):
        return sorted((home / ".codex" / "sessions").rglob("*.jsonl"))

    def items(self, body):
        """Without the base instructions: the session holds them in its first record."""
        return items.response_items(body["input"][1:])

    def before(self, body, _):
        return list(self.items(body))[:-1]

    def foreign(self, requests):
        return {item.text for body in requests for item in items.response_items(body["input"])
                if item.role == "developer" or item.text.startswith("<environment_context>")}

    def record(self, record):
        if record["type"] == "session_meta":
            kept = ("id", "timestamp", "cwd", "originator", "cli_version", "source")
            return record | {"payload": {key: record["payload"][key] for key in kept if key in record["payload"]}}
        return None if record["type"] in ("turn_context", "world_state") else record


class PiRun(Run):
    module = pi
    typed = (TASK, LOOK, AGAIN)
    limit = 200000

    def __init__(self, work):
        test = call("bash", command="python3 test_calc.py")
        self.steps = [
            [{"text": "I read the file first."}, call("read", path="calc.py"), test],
            [call("bash", command="seq 1 2000")],
            [call("edit", path="calc.py", edits=[{"oldText": "a - b", "newText": "a + b"}])],
            [call("no_such_tool", x=1)],
            [{"text": "Now the test."}, test],
            [{"text": "The test passes now."}],
            [{"text": DOUBT}, streams.STALL],
            [test],
            [{"text": LAST}],
        ]
        self.full = 6

    def converse(self, home, served, packages):
        command, variables = pi.start(home, served.url, packages, {"enabled": True, "keepRecentTokens": 200})
        with Talk([*command, "--mode", "rpc", "--model", "claude-sonnet-4-5"], variables, home) as talk:
            talk.say({"type": "prompt", "message": TASK})
            talk.read_until('"compaction_end"')
            talk.say({"type": "prompt", "message": LOOK})
            talk.read_until(DOUBT)
            talk.say({"type": "abort"})
            served.wait_until_left()
            talk.read_until('"command":"abort"')
            talk.say({"type": "prompt", "message": AGAIN})
            talk.read_until(LAST)
            talk.read_until('"agent_end"')

    def compaction(self, body):
        return None if body.get("tools") else [{"text": SUMMARY}]

    def sessions(self, home):
        return sorted((home / ".pi" / "agent" / "sessions").rglob("*.jsonl"))

    def items(self, body):
        """pi puts a summary between fixed words that the file does not hold."""
        before, after = rules.PI_SUMMARY.split("{}")
        for item in items.message_items(body["messages"]):
            own = item.text.removeprefix(before).removesuffix(after) if item.text.startswith(before) else item.text
            yield dataclasses.replace(item, text=own)


def elsewhere(text):
    """What stands for a text of the client's makers: readers tell such texts by the tag in front."""
    return re.match(r"(<\w+>)?", text)[0] + ELSEWHERE


class Talk:
    """A client that is talked to: the words are lines of JSON."""

    def __init__(self, command, variables, home, stdin=subprocess.PIPE):
        self.process = client.begin(command, variables, home, stdin=stdin, stdout=subprocess.PIPE)
        self.printed = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        client.stop(self.process)

    def say(self, words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()

    def read_until(self, part):
        """Reads what the client prints, to the line that holds the part."""
        for line in self.process.stdout:
            self.printed.append(line)
            if part in line:
                return
        raise client.NotResumed("the client ended: " + "".join(self.printed)[-300:])

    def end(self):
        """Lets the client end by itself."""
        self.printed.append(self.process.communicate(timeout=client.SECONDS)[0])


def without_reminders(message):
    """A message as the session holds it: the client adds reminders as texts, and at the end of results. It ends a text
    that another one follows with a line feed."""
    content = message["content"]
    if isinstance(content, str):
        return message
    blocks = []
    for block, following in zip(content, [*content[1:], None]):
        if block["type"] == "text" and following and following["type"] == "text":
            block = block | {"text": re.sub("\n$", "", block["text"])}
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
