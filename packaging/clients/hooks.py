# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Claude Code compacts with the hooks of `palimpsest hooks` in its settings. Another rule than Palimpsest's says which
typed messages must stand in the next request. Also measures how much of a hook's output stands there."""

import json
import pathlib
import re
import shlex
import tempfile

import claude_code
import client
import endpoint
import items

TYPED = (
    "Read the ledger module and tell me what a posting is.",
    "Never write to the folder archive/, it is somebody else's.",
    "Use two spaces in the reports, and name the totals column Sum.",
    "No new dependencies, please.",
    "The rounding must stay half even, as the bank does it.",
    "Now go on with the parser of dates.",
)
# A recorded summary: it has one of the messages word for word, and tells another in its own words.
SUMMARY = ("The user wants reports of a ledger.\n"
           "User messages: \"Read the ledger module and tell me what a posting is.\"\n"
           "Reports use two spaces. The parser of dates is next.")
PROBE = "What is next?"
HOOK = "SessionStart:compact hook success: "
CUT = "<persisted-output>"


class Run:
    """Conversations of one home folder."""

    def __init__(self, home, served, packages):
        self.home = home
        self.served = served
        self.program, self.variables = claude_code.start(home, served.url, packages)
        del self.variables["DISABLE_AUTO_COMPACT"]
        self.session = None

    def type(self, words):
        """The requests with tools that the words caused."""
        count = len(self.served.requests)
        resumed = ["--resume", self.session] if self.session else []
        client.run([self.program, "--print", "--model", "claude-sonnet-4-5", *resumed, words], self.variables,
                   self.home)
        self.session = next((self.home / ".claude" / "projects").rglob("*.jsonl")).stem
        return [body for path, body in self.served.requests[count:] if path.endswith("/messages") and body.get("tools")]


def is_summary_asked(body):
    last = list(items.message_items(body["messages"]))[-1]
    return last.kind == "text" and "TEXT ONLY" in last.text[:400]


def answer(_, body):
    return ([{"text": f"<summary>\n{SUMMARY}\n</summary>"}] if is_summary_asked(body) else [{"text": "Done."}]), 3000


def full_answer(path, body):
    """Reports a full context with the answer to the last message but one."""
    blocks, tokens = answer(path, body)
    is_full = any(TYPED[-2] in item.text for item in list(items.message_items(body["messages"]))[-1:])
    return blocks, 180_000 if is_full else tokens


def settle(home, settings):
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "settings.json").write_text(json.dumps(settings))


def program_in(home, options):
    """Hooks start the program as a person would, outside of the build environment."""
    script = home / "palimpsest"
    script.write_text(f"#!/bin/sh\nexec {shlex.join(options.palimpsest)} \"$@\"\n")
    script.chmod(0o755)
    return script


def plain(text):
    return " ".join(text.split())


def kept_by(requests):
    """The texts of the next request that are none of the hook's."""
    return [plain(item.text) for body in requests for item in items.message_items(body["messages"])
            if item.kind == "text" and HOOK not in item.text]


def hook_text(requests):
    texts = [item.text for body in requests for item in items.message_items(body["messages"])
             if item.kind == "text" and HOOK in item.text]
    return texts[-1] if texts else ""


def with_hooks(home, served, options):
    """A conversation under the settings that `palimpsest hooks` prints."""
    program = program_in(home, options)
    printed = client.run([program, "hooks", "--harness", "claude-code"], {}, home)
    text = printed[printed.index("{") : printed.rindex("}") + 1]
    own = re.search(r'"([^" ]*palimpsest) recall"', text)[1]
    settle(home, json.loads(text.replace(own, str(program))))
    return Run(home, served, options.packages)


def recall(options):
    """The sentences of what went wrong."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as scratch, endpoint.Endpoint(answer) as served:
        home = pathlib.Path(scratch)
        talk = with_hooks(home, served, options)
        for words in TYPED:
            talk.type(words)
        talk.type("/compact")
        requests = talk.type(PROBE)
        if not any(plain(SUMMARY) in text for text in kept_by(requests)):
            return ["Claude Code did not compact"]
        lost = [words for words in TYPED if not any(plain(words) in text for text in kept_by(requests))]
        put_back = plain(hook_text(requests))
        guarded = sorted((home / ".local/share/palimpsest/guard").rglob("transcript.jsonl"))
        wrong = [f"lost, and not put back: {words}" for words in lost if plain(words) not in put_back]
        if len(lost) < 2:
            wrong.append(f"the compaction lost {len(lost)} messages only")
        if len(guarded) != 1:
            wrong.append(f"guard kept {len(guarded)} transcripts")
        elif not all(words in guarded[0].read_text() for words in TYPED):
            wrong.append("the transcript that guard kept lacks messages")
        print(f"{len(TYPED)} messages typed, {len(lost)} lost by the summary, "
              f"{len(lost) - sum(line.startswith('lost') for line in wrong)} of them in the next request")
        return wrong


def pending(options):
    """Claude Code compacts before it sends the last prompt, which then stands behind the summary. Returns what went
    wrong."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as scratch, endpoint.Endpoint(full_answer) as served:
        talk = with_hooks(pathlib.Path(scratch), served, options)
        talk.variables["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = "200000"
        requests = [talk.type(words) for words in TYPED][-1]
        put_back = plain(hook_text(requests))
        if not put_back:
            return ["Claude Code did not compact before the last prompt"]
        if not any(plain(TYPED[-1]) in text for text in kept_by(requests[-1:])):
            return ["the request after the compaction lacks the prompt"]
        return [f"put back, although the request holds it: {TYPED[-1]}"] if plain(TYPED[-1]) in put_back else []


def stands_whole(options, size):
    """Whether a hook's output of so many characters stands in the next request as it is."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as scratch, endpoint.Endpoint(answer) as served:
        home = pathlib.Path(scratch)
        output = home / "output"
        output.write_text("".join(f"{number:09}\n" for number in range(size // 10 + 1))[: size - 1] + "#")
        settle(home, {"hooks": {"SessionStart": [{"matcher": "compact", "hooks": [
            {"type": "command", "command": f"cat {output}"}]}]}})
        talk = Run(home, served, options.packages)
        talk.type(TYPED[0])
        talk.type("/compact")
        text = hook_text(talk.type(PROBE))
        if not text:
            raise client.NotResumed("the hook did not run")
        return CUT not in text and output.read_text() in text


def measured_cap(options, least=5_000, most=20_000):
    """The longest output that stands there whole."""
    while most - least > 1:
        middle = (least + most) // 2
        if stands_whole(options, middle):
            least = middle
        else:
            most = middle
    return least


def witness(options):
    wrong = recall(options) + pending(options)
    print("Claude Code shows hook output whole up to", measured_cap(options), "characters")
    print(*wrong, sep="\n")
    return 1 if wrong else 0
