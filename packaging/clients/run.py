#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Lets the coding agents' own programs resume sessions, and holds what they send against what Palimpsest shows.

Started by `packaging/dev clients` in a network namespace that has loopback alone."""

import argparse
import collections
import concurrent.futures
import csv
import functools
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import claude_code  # noqa: E402
import client  # noqa: E402
import cline_run  # noqa: E402
import codex  # noqa: E402
import comparison  # noqa: E402
import continued  # noqa: E402
import copilot_run  # noqa: E402
import endpoint  # noqa: E402
import gemini_cli  # noqa: E402
import gemini_run  # noqa: E402
import hooks  # noqa: E402
import items  # noqa: E402
import opencode  # noqa: E402
import opencode_run  # noqa: E402
import pi  # noqa: E402
import play  # noqa: E402
import qwen_code  # noqa: E402
import qwen_run  # noqa: E402
import rules  # noqa: E402
import runs  # noqa: E402
import thresholds  # noqa: E402

CLIENTS = {each.FORMAT: each for each in (claude_code, codex, pi)}
# With --continued also these, and the runs that they played: of some the corpus has no long session.
CONTINUED = {"gemini-cli": gemini_cli, "other-qwen": qwen_code}
PLAYED = {f"tests/samples/played/{each.FORMAT}.jsonl": each for each in (gemini_cli, opencode, qwen_code)}
REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
RUNS = (runs.ClaudeCodeRun, runs.CodexRun, runs.PiRun, gemini_run.GeminiCliRun, opencode_run.OpencodeRun,
        qwen_run.QwenCodeRun, copilot_run.CopilotCliRun, cline_run.ClineRun)

# The session as it is, then our exports of it. Every stage runs, so that there is something to see.
POLICIES = {
    "recorded": None,
    "none": ["--policy", "none"],
    "genkit-recipe-figure": ["--policy", "genkit-recipe-figure"],
    "langchain-clear-tool-uses": ["--policy", "langchain-clear-tool-uses"],
    "deep-agents": ["--policy", "deep-agents", "--set", "keep=8000tok"],
    "claw-hybrid": ["--policy", "claw-hybrid"],
}

# Continued copies are cut at a call, too.
CALLS = collections.defaultdict(list, {"none": ["--call", "1"], "deep-agents": ["--call", "2"]})

COLUMNS = ("client", "session", "policy", "blocks", "equal", "by_rule", "differences", "first_difference")


class NotCompared(Exception):
    """The text says why."""


def palimpsest(options, *words):
    result = subprocess.run([*options.palimpsest, *words], capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        raise NotCompared("not exported: " + " ".join(result.stderr.split()))
    return result.stdout


def compare(each, name, policy, options):
    """Lets a client resume a session, or our export of it, and compares what it sends."""
    reason = rules.set_aside(each.NAME, name)
    if reason:
        raise NotCompared(f"set aside: {reason}")
    with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as scratch:
        file = (REPOSITORY if name in PLAYED else options.corpus) / name
        if options.continued:
            words = [*(POLICIES[policy] or ()), *CALLS[policy], "--as-if-fired", "--force"]
            try:
                return continued.compare(each, file, words, pathlib.Path(scratch), options)
            except continued.NotContinued as reason:
                raise NotCompared(f"not continued: {reason}") from reason
        if POLICIES[policy]:
            export = pathlib.Path(scratch) / "export.jsonl"
            palimpsest(options, "compact", file, *POLICIES[policy], "--as-if-fired", "--force", "-o", export)
            file = export
        shown = json.loads(palimpsest(options, "show", file, "--json", "--texts"))
        session = client.Session(file)
        sent = resumed(each, session, pathlib.Path(scratch) / "home", options)
        return comparison.compare(list(items.shown_items(shown)), sent, rules.rules_of(each.NAME), session)


def resumed(each, session, home, options):
    home.mkdir()
    with endpoint.Endpoint() as served:
        try:
            command, variables = each.prepare(session, home, served.url, options.packages)
            printed = client.run(command, variables, home)
        except client.NotResumed as refusal:
            raise NotCompared(f"not resumed: {refusal}") from refusal
    sent = each.sent(served.requests)
    if sent is None:
        words = " ".join(printed.replace(str(home), "~").split())
        raise NotCompared("not resumed: " + words[max(words.find("Error"), 0) :][:200])
    return sent


def row_of(each, name, policy, options):
    """A line of the table, and the comparison if there is one."""
    row = {"client": each.NAME, "session": name, "policy": policy}
    try:
        made = compare(each, name, policy, options)
    except NotCompared as reason:
        return row | {"first_difference": str(reason)}, None
    return row | {"blocks": made.blocks, "equal": made.equal, "by_rule": made.by_rule.total(),
                  "differences": len(made.differences), "first_difference": next(iter(made.differences), "")}, made


def sessions_of(options):
    """The sessions that have a client: pairs of client and path."""
    clients = CLIENTS | CONTINUED if options.continued else CLIENTS
    with (options.corpus / "INDEX.tsv").open() as index:
        found = {row["file"]: clients.get(row["format"]) for row in csv.DictReader(index, delimiter="\t")}
    for name, each in {**found, **(PLAYED if options.continued else {})}.items():
        if each and (not options.session or any(word in name for word in options.session)):
            yield each, name


def require_loopback_alone():
    """Nothing that a client sends can leave the machine: the network namespace has no other interface that is up."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    up = subprocess.run(["ip", "-oneline", "link", "show", "up"], check=True, capture_output=True, text=True).stdout
    if any(": lo: " not in line for line in up.splitlines()):
        sys.exit("The clients must run where there is no network but loopback: start this with packaging/dev clients.")


def draw(rows):
    """The table as text."""
    lines = [[str(row.get(column, "")) for column in COLUMNS] for row in rows]
    lines.insert(0, [column.replace("_", " ") for column in COLUMNS])
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS) - 1)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(line, widths)), line[-1]]).rstrip()
                     for line in lines)


def summary(made):
    """Counts for each client, and what each rule explained."""
    for each in dict.fromkeys([*CLIENTS.values(), *CONTINUED.values(), *PLAYED.values()]):
        results = [result for name, result in made if name == each.NAME]
        if not results:
            continue
        arrays = [result for result in results if result]
        by_rule = sum((array.by_rule for array in arrays), collections.Counter())
        yield (f"{each.NAME} {client.versions()[each.PACKAGE]}: {sum(array.is_equal for array in arrays)} of "
               f"{len(arrays)} arrays as sent, {sum(array.equal for array in arrays)} of "
               f"{sum(array.blocks for array in arrays)} blocks equal, {by_rule.total()} by rule, "
               f"{sum(len(array.differences) for array in arrays)} different; "
               f"{len(results) - len(arrays)} not compared")
        yield from (f"    {count} by rule: {rule.reason}" for rule, count in by_rule.most_common())


def play_runs(options):
    options.play.mkdir(parents=True, exist_ok=True)
    for kind in RUNS:
        if options.session and not any(word in kind.module.FORMAT for word in options.session):
            continue
        with tempfile.TemporaryDirectory(prefix="palimpsest-client-") as home:
            play.play(kind, pathlib.Path(home), options.packages, options.play)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("session", nargs="*",
                        help="only sessions with one of these words in their path, or runs with one in their format")
    parser.add_argument("--play", type=pathlib.Path, metavar="FOLDER",
                        help="play a scripted run instead, and write its fixtures there")
    parser.add_argument("--continued", action="store_true",
                        help="resume the copies that `palimpsest continue` writes, instead of exports")
    parser.add_argument("--hooks", action="store_true",
                        help="let Claude Code compact with the hooks of `palimpsest hooks` instead")
    parser.add_argument("--thresholds", action="store_true",
                        help="measure instead at which size the clients compact, beside their presets")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many clients run at once; 2 unless named")
    parser.add_argument("--policy", action="append", choices=POLICIES, help="only these; may be repeated")
    parser.add_argument("--corpus", type=pathlib.Path, required=True, help="the folder with INDEX.tsv")
    parser.add_argument("--packages", type=pathlib.Path, required=True, help="the folder of npm's packages")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="where the table and the differences go")
    parser.add_argument("--palimpsest", type=shlex.split, required=True, help="the program with the words before it")
    options = parser.parse_args()
    require_loopback_alone()
    if options.play:
        return play_runs(options)
    if options.hooks:
        return hooks.witness(options)
    if options.thresholds:
        return thresholds.witness(options, functools.partial(palimpsest, options))
    tasks = [(each, name, policy) for each, name in sessions_of(options)
             for policy in options.policy or POLICIES]
    rows, made = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, result in pool.map(lambda task: row_of(*task, options), tasks):
            rows.append(row)
            made.append((row["client"], result))
            print(f"{len(rows)} of {len(tasks)}: {row['client']}, {row['session']}, {row['policy']}", file=sys.stderr)
    write(rows, made, options.output)
    return 0 if all(result.is_equal for _, result in made if result) else 1


def write(rows, made, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "clients.tsv").open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with (folder / "differences.tsv").open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        for row, (_, result) in zip(rows, made):
            writer.writerows((row["session"], row["policy"], each) for each in (result.differences if result else ()))
    text = draw(rows) + "\n\n" + "\n".join(summary(made)) + "\n"
    (folder / "clients.txt").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    sys.exit(main())
