# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Types turns into the clients, with the settings of a case. Each function yields another one, which types words and
waits until the client has answered."""

import contextlib
import json
import time

import acp
import claude_code
import client
import cline
import codex
import gemini_cli
import opencode
import pi
import qwen_code
import runs


def settle(file, settings):
    """Puts settings into a JSON file, beside what it holds."""
    def joined(old, new):
        return old | {key: joined(old[key], value) if isinstance(value, dict) and key in old else value
                      for key, value in new.items()}
    file.write_text(json.dumps(joined(json.loads(file.read_text()), settings)))


@contextlib.contextmanager
def type_claude_code(home, url, packages, case):
    program, variables = claude_code.start(home, url, packages)
    del variables["DISABLE_AUTO_COMPACT"]
    command = [program, "--print", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json",
               "--model", case.model]
    with runs.Talk(command, variables | case.variables, home) as talk:
        def type_words(words):
            talk.say({"type": "user", "message": {"role": "user", "content": words}})
            talk.read_until('"type":"result"')
        yield type_words


@contextlib.contextmanager
def type_codex(home, url, packages, case):
    """Every turn is a start of the program, which resumes the session."""
    limits = "".join(f"{name} = {value}\n" for name, value in case.limits.items())
    program, variables = codex.start(home, url, packages, limits + case.settings)
    options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]

    def type_words(words):
        files = list((home / ".codex" / "sessions").rglob("*.jsonl"))
        resumed = ["resume", json.loads(files[0].read_text().partition("\n")[0])["payload"]["id"]] if files else []
        client.run([*program, "exec", *options, *resumed, words], variables, home)
    yield type_words


@contextlib.contextmanager
def type_gemini_cli(home, url, packages, case):
    """A start of the program takes one turn."""
    command, variables = gemini_cli.start(home, url, packages)
    if case.settings:
        settle(home / ".gemini" / "settings.json", json.loads(case.settings))

    def type_words(words):
        resumed = ["--resume", "latest"] if list((home / ".gemini" / "tmp").rglob("chats/*.jsonl")) else []
        client.run([*command, "--approval-mode", "yolo", *resumed, "--prompt", words], variables, home)
    yield type_words


@contextlib.contextmanager
def type_cline(home, url, packages, case):
    """The program compacts only where nobody is asked for permissions, and a start of it takes one turn."""
    program, variables = cline.start(home, url, packages, case.window)
    yield lambda words: client.run([program, "--json", words], variables, home)


@contextlib.contextmanager
def type_opencode(home, url, packages, case):
    program, variables = opencode.start(home, url, packages, case.window)
    file = home / ".config" / "opencode" / "opencode.json"
    if case.settings:
        settle(file, json.loads(case.settings))
    settle(file, {"provider": {"mock": {"models": {"m": {"limit": case.limits}}}}})
    yield from acp_turns([program, "acp"], variables, home)


@contextlib.contextmanager
def type_qwen_code(home, url, packages, case):
    command, variables = qwen_code.start(home, url, packages, case.window)
    if case.settings:
        settle(home / ".qwen" / "settings.json", json.loads(case.settings))
    yield from acp_turns([*command, "--acp"], variables, home)


def acp_turns(command, variables, home):
    with acp.Talk(command, variables, home, runs.REFUSED) as talk:
        talk.begin()
        yield talk.type


@contextlib.contextmanager
def type_pi(home, url, packages, case):
    """The program compacts after a turn, without being asked."""
    compaction = json.loads(case.settings)["compaction"] if case.settings else {"enabled": True}
    command, variables = pi.start(home, url, packages, compaction)
    with runs.Talk([*command, "--mode", "rpc", "--model", "claude-sonnet-4-5"], variables, home) as talk:
        def type_words(words):
            talk.say({"type": "prompt", "message": words})
            talk.read_until('"agent_end"')
            time.sleep(0.5)
        yield type_words
