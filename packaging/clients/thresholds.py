# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Measures at which size Claude Code compacts, by the variables that set it. The endpoint reports how large the prompt
was. The client compacts if its next request asks for a summary."""

import dataclasses
import pathlib
import tempfile

import claude_code
import client
import endpoint
import hooks
import runs

WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"

SMALL = 1_000
SLACK = 200  # the client adds what was typed since, and its own reminders
SHARES = (0.1, 0.2, 0.4, 0.6, 0.8)  # of the trigger: sizes at which it must not compact
END = '"type":"result"'


@dataclasses.dataclass
class Case:
    variables: dict
    trigger: int | None  # in tokens; None: it does not compact up to `most`
    model: str = "claude-sonnet-4-5"
    part: str = "input_tokens"  # of the usage, which reports the size
    most: int = 230_000

    def sizes(self):
        """Ascending. The first turns are small: a client does not compact what it has only begun."""
        end = [self.most] if self.trigger is None else [self.trigger - SLACK, self.trigger]
        return [int(end[-1] * share) for share in SHARES] + end

    def __str__(self):
        words = " ".join(f"{name}={value}" for name, value in self.variables.items()) or "no variable"
        return f"{self.model}, {words}" + ("" if self.part == "input_tokens" else f", {self.part} alone")


def window(tokens, percent=None):
    return {WINDOW: str(tokens)} | ({PERCENT: percent} if percent else {})


CASES = (
    Case(window(200_000), 167_000),
    Case(window(200_000, "50"), 90_000),
    Case(window(200_000, "70"), 126_000),
    Case(window(200_000, "83"), 149_400),
    Case(window(200_000, "95"), 167_000),
    Case(window(200_000, "47.5"), 85_500),
    Case(window(200_000, "1"), 1_800),
    Case(window(150_000, "50"), 65_000),
    Case(window(50_000), 67_000),  # 100,000 is the least
    Case(window(1_000_000), 167_000),  # the model's window is the most
    Case(window(1_000_000), 967_000, model="claude-sonnet-4-5[1m]"),
    Case(window(1_000_000, "50"), 490_000, model="claude-sonnet-4-5[1m]"),
    Case(window(200_000), 167_000, part="cache_read_input_tokens"),
    Case(window(200_000), 167_000, part="cache_creation_input_tokens"),
    Case(window(200_000), 167_000, part="output_tokens"),
    Case(window(200_000) | {"DISABLE_AUTO_COMPACT": "1"}, None),
    Case({}, None),
    Case({PERCENT: "50"}, None),
)


def compacted_at(case, home, options):
    """The reported size behind which the client compacts; None if it does not."""
    reported = []
    asked = []

    def answer(_, body):
        if hooks.is_summary_asked(body):
            asked.append(reported[-1])
            return [{"text": "<summary>\nSmall.\n</summary>"}], SMALL
        sizes = case.sizes()
        reported.append(sizes[len(reported)] if len(reported) < len(sizes) else SMALL)
        return [{"text": "Done."}], {"input_tokens": 1} | {case.part: reported[-1]}

    with endpoint.Endpoint(answer) as served:
        program, variables = claude_code.start(home, served.url, options.packages)
        del variables["DISABLE_AUTO_COMPACT"]
        command = [program, "--print", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json",
                   "--model", case.model]
        with runs.Talk(command, variables | case.variables, home) as talk:
            for _ in [*case.sizes(), None]:
                talk.say({"type": "user", "message": {"role": "user", "content": "Go on."}})
                talk.read_until(END)
                if asked:
                    return asked[0]
    return None


def witness(options):
    """Prints a line for each case. Returns 1 if the client compacted elsewhere."""
    wrong = 0
    print("Claude Code", client.versions()[claude_code.PACKAGE])
    for case in CASES:
        with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as home:
            size = compacted_at(case, pathlib.Path(home), options)
        wrong += size != case.trigger
        print(f"{case}: {f'compacts at {size:,} tokens' if size else 'does not compact'}"
              + ("" if size == case.trigger else f", not at {case.trigger}"), flush=True)
    return 1 if wrong else 0
