# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Measures at which size the clients compact, beside the trigger of their presets. The endpoint reports how large the
prompt was. A client compacts if its next request asks for a summary."""

import dataclasses
import json
import math
import pathlib
import re
import tempfile

import client
import cline_run
import endpoint
import gemini_run
import opencode_run
import qwen_run
import runs
import turns

WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"

PRESETS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "policies"
CACHES = ("cache_read_input_tokens", "cache_creation_input_tokens")

SMALL = 1_000
SLACK = 200  # the clients add what was typed since, and their own reminders
SHARES = (0.1, 0.2, 0.4, 0.6, 0.8)  # of the trigger: sizes at which a client must not compact


@dataclasses.dataclass
class Program:
    run: type  # says which requests are for a summary
    type_turns: object  # of `turns`
    preset: str


PROGRAMS = {
    "claude-code": Program(runs.ClaudeCodeRun, turns.type_claude_code, "claude-code"),
    "codex": Program(runs.CodexRun, turns.type_codex, "codex"),
    "gemini-cli": Program(gemini_run.GeminiCliRun, turns.type_gemini_cli, "gemini-cli"),
    "opencode": Program(opencode_run.OpencodeRun, turns.type_opencode, "opencode"),
    "qwen-code": Program(qwen_run.QwenCodeRun, turns.type_qwen_code, "qwen-code"),
    "cline": Program(cline_run.ClineRun, turns.type_cline, "cline-sdk"),
    "pi": Program(runs.PiRun, turns.type_pi, "pi"),
}


@dataclasses.dataclass
class Case:
    program: str
    window: int  # of the model, as the preset takes it
    trigger: int | None  # in tokens; None: it does not compact up to `most`
    setting: str = ""  # the trigger that `policies --as settings` writes
    part: object = "prompt"  # of the usage, which reports the size; for Claude Code a member of it
    is_one_turn: bool = False  # all calls but the first belong to one turn
    most: int = 230_000
    model: str = "claude-sonnet-4-5"  # of Claude Code
    variables: dict = dataclasses.field(default_factory=dict)  # of Claude Code
    limits: dict = dataclasses.field(default_factory=dict)  # of the model, for Codex and opencode
    settings: str = ""

    def sizes(self):
        """Ascending. The first ones are small: a client does not compact what it has only begun."""
        end = [self.most] if self.trigger is None else [self.trigger - SLACK, self.trigger]
        return [int(end[-1] * share) for share in SHARES] + end

    def usage(self, size):
        if self.part == "prompt":
            return size
        return (1, size) if self.part == "answer" else {"input_tokens": 1, self.part: size}

    def __str__(self):
        words = [self.model] if self.program == "claude-code" else []
        words += [f"{name}={value}" for name, value in (self.variables | self.limits).items()]
        words += [f"trigger={self.setting}"] * bool(self.setting)
        words += ["" if self.part == "prompt" else f"{self.part} alone", "one turn" * self.is_one_turn]
        return ", ".join([f"{self.program}, window {self.window:,}", *filter(None, words)])


def claude(trigger, tokens=None, percent=None, window=200_000, **more):
    variables = ({WINDOW: str(tokens)} if tokens else {}) | ({PERCENT: percent} if percent else {})
    return Case("claude-code", window, trigger, variables=variables | more.pop("variables", {}), **more)


def opencode(trigger, setting="", part="prompt", is_one_turn=False, **limits):
    return Case("opencode", 200_000, trigger, setting, part, is_one_turn, limits={"context": 200_000} | limits)


LARGE = {"model": "claude-sonnet-4-5[1m]", "window": 1_000_000}

CASES = (
    claude(167_000, 200_000),
    claude(90_000, 200_000, "50"),
    claude(126_000, 200_000, "70"),
    claude(149_400, 200_000, "83"),
    claude(167_000, 200_000, "95"),
    claude(85_500, 200_000, "47.5"),
    claude(1_800, 200_000, "1"),
    claude(65_000, 150_000, "50"),
    claude(67_000, 50_000),  # 100,000 is the least
    claude(167_000, 1_000_000),  # the model's window is the most
    claude(967_000, 1_000_000, **LARGE),
    claude(490_000, 1_000_000, "50", **LARGE),
    *(claude(167_000, 200_000, part=part) for part in CACHES),
    claude(167_000, 200_000, part="output_tokens"),
    claude(167_000, 200_000, is_one_turn=True),
    claude(None, 200_000, variables={"DISABLE_AUTO_COMPACT": "1"}, most=170_000),  # above, it sends nothing
    claude(None),
    claude(None, percent="50"),
    Case("codex", 258_400, 244_800),
    Case("codex", 258_400, 244_800, is_one_turn=True),
    Case("codex", 258_400, 244_800, part="answer"),
    Case("codex", 258_400, 80_000, "80000tok"),
    Case("codex", 95_000, 90_000, limits={"model_context_window": 100_000}),
    Case("gemini-cli", 1_048_576, 524_288, is_one_turn=True),
    Case("gemini-cli", 1_048_576, None, is_one_turn=True, part="answer", most=600_000),
    Case("gemini-cli", 1_048_576, 419_431, "0.4w", is_one_turn=True),  # a fraction of a token more
    opencode(168_000, output=32_000),
    opencode(168_000, output=32_000, is_one_turn=True),
    opencode(168_000, output=32_000, part="answer"),
    opencode(168_000, output=64_000),
    opencode(192_000, output=8_000),
    opencode(180_000, output=32_000, input=200_000),
    opencode(80_000, "80000tok", output=32_000, input=200_000),
    opencode(168_000, "80000tok", output=32_000),  # the setting needs a limit of the prompt
    Case("qwen-code", 200_000, 167_000),
    Case("qwen-code", 200_000, 167_000, is_one_turn=True),
    Case("qwen-code", 200_000, 167_000, part="answer"),
    Case("qwen-code", 100_000, 67_000),
    Case("qwen-code", 1_000_000, 850_000),
    Case("qwen-code", 200_000, 80_000, "80000tok"),
    Case("cline", 20_000, 18_000, is_one_turn=True),
    Case("cline", 30_000, 27_000, is_one_turn=True),
    Case("cline", 40_000, None, is_one_turn=True, most=39_000),  # more than four times what it counts itself
    Case("cline", 20_000, None, is_one_turn=True, part="answer", most=30_000),
    Case("pi", 200_000, 183_616),
    Case("pi", 200_000, 183_616, part="answer"),
    Case("pi", 200_000, None, is_one_turn=True),  # it compacts between turns
    Case("pi", 200_000, 80_000, "80000tok"),
)


def preset_trigger(case):
    """The reported size at which the preset acts in the window of the model, computed from its document; None if it
    does not. Of a size that variables set no preset knows: the size is taken."""
    if case.variables and case.variables != {WINDOW: str(case.window)}:
        return case.trigger
    document = json.loads((PRESETS / f"{PROGRAMS[case.program].preset}.json").read_text())
    if case.part not in ("prompt", *CACHES) and document["counter"]["uses_recorded"] == "prompt":
        return None
    trigger = {"at": case.setting} if case.setting else document["trigger"]
    measures = trigger.get("any") or trigger.get("all") or [trigger["at"]]
    return (max if "all" in trigger else min)(tokens(each, case.window) for each in measures)


def tokens(measure, window):
    share, less = re.fullmatch(r"(?:([\d.]+)w)?-?(?:([\d.]+)tok)?", measure).groups()
    return math.floor(float(share) * window - float(less or 0) + 1e-6) if share else int(less)


def harness_settings(case, palimpsest):
    """The settings that the manual says to paste."""
    return palimpsest("policies", PROGRAMS[case.program].preset, "--as", "settings", "--window", str(case.window),
                      "--set", f"trigger={case.setting}") if case.setting else ""


def compacted_at(case, home, options):
    """The reported size behind which the client compacts; None if it does not."""
    work = client.work_folder(home)
    for name, text in runs.FILES.items():
        (work / name).write_text(text)
    program = PROGRAMS[case.program]
    run = program.run(work)
    calls = [block for block in run.steps[0] if "call" in block]
    sizes = case.sizes()
    reported, asked = [], []

    def answer(_, body):
        summary = run.compaction(body)
        if summary:
            asked.append(reported[-1])
            return summary, SMALL
        if run.is_other(body):
            return [{"text": "ok"}], 10
        reported.append(sizes[len(reported)] if len(reported) < len(sizes) else SMALL)
        goes_on = case.is_one_turn and 1 < len(reported) <= len(sizes) and not asked
        # Not the same call twice in a row: that would look like a loop.
        return [calls[len(reported) % len(calls)] if goes_on else {"text": "Done."}], case.usage(reported[-1])

    with endpoint.Endpoint(answer) as served:
        with program.type_turns(home, served.url, options.packages, case) as type_words:
            for _ in range(2 if case.is_one_turn else len(sizes) + 1):
                type_words("Go on.")
                if asked:
                    return asked[0]
    if len(reported) <= len(sizes):
        raise client.NotResumed(f"{len(reported)} requests only")
    return asked[0] if asked else None


def witness(options, palimpsest):
    """Prints a line for each case. Returns 1 if a client compacted elsewhere."""
    wrong = 0
    for case in CASES:
        if options.session and not any(word in case.program for word in options.session):
            continue
        case.settings = harness_settings(case, palimpsest)
        preset = preset_trigger(case)
        with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as home:
            try:
                size = compacted_at(case, pathlib.Path(home), options)
            except client.NotResumed as reason:
                size = str(reason)
        wrong += size != case.trigger
        print(f"{case}: {f'compacts at {size:,} tokens' if isinstance(size, int) else size or 'does not compact'}"
              f"{'' if size == preset else f', the preset at {preset:,}' if preset else ', the preset does not'}"
              f"{'' if size == case.trigger else f'; {case.trigger} was expected'}", flush=True)
    return 1 if wrong else 0
