#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Hold the cost of a session and of its subagents against the usage in the raw records.

    costs.py PROGRAM FILE...              what a session costs, by thread, and where the program says something else
    costs.py PROGRAM --corpus DIR         the same for every Claude Code file of a corpus folder

It shares no code with the program. A response counts once, with the last usage that has most output. A subagent is known by the
`agentId` of its sidechain or `progress` records, or by the first record of its chain. The prices are those of resources/prices/prices.json;
a model is looked up by its whole name, without a date behind it. `PROGRAM replay FILE --policy none --json` gives the program's
figures. Costs are compared to a hundredth of a cent, subagents as a sorted list. The script also counts the calls of the tools
`Task` and `Agent` with a result that no subagent of the file belongs to: their cost is not in the file.

The exit code is 1 if a figure differs.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

PRICES = Path(__file__).resolve().parent.parent.parent / "resources" / "prices" / "prices.json"
SAME = 0.0001                                     # dollars


def prices():
    models = json.loads(PRICES.read_text(encoding="utf-8"))["models"]
    return {name: model["prices"] for model in models for name in model["names"]}


def price(rows, model, day, prompt):
    row = rows.get(model) or rows.get(re.sub(r"-\d{8}$", "", model))
    if row is None:
        return None
    valid = [each for each in row if each.get("from", "") <= day]
    tiers = (valid[-1] if valid else row[0])["tiers"]
    return [each for each in tiers if each.get("above", -1) < prompt][-1]


def prompt_of(usage):
    return sum(usage.get(key) or 0 for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))


def cost_of(usage, tier):
    hour = (usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens") or 0
    written = usage.get("cache_creation_input_tokens") or 0
    parts = ((usage.get("input_tokens") or 0, "input"), (usage.get("cache_read_input_tokens") or 0, "cache_read"),
             (usage.get("output_tokens") or 0, "output"), (written - hour, "cache_write_5m"), (hour, "cache_write_1h"))
    return sum(count * tier.get(key, tier["input"]) for count, key in parts) / 1e6


def records(path):
    for line in Path(path).read_text(encoding="utf-8", errors="replace").split("\n"):
        at = 0
        while at < len(line):
            try:
                record, at = json.JSONDecoder().raw_decode(line, at)
            except ValueError:
                break
            if isinstance(record, dict):
                yield record


def threads(path):
    """Responses by thread, "" for the main one; and how many calls of subagents the file has no records of."""
    found, root, started, answered, ran = {"": {}}, {}, set(), set(), set()
    for record in records(path):
        nested = record["data"] if isinstance(record.get("data"), dict) else {}
        inner = nested.get("message") if record.get("type") == "progress" else record
        if not isinstance(inner, dict) or not isinstance(inner.get("message"), dict):
            continue
        name = ""
        if record.get("type") == "progress":
            name = nested.get("agentId") or record.get("parentToolUseID") or "?"
            answered.add(record.get("parentToolUseID"))
        elif record.get("isSidechain"):
            uuid = record.get("uuid")
            root[uuid] = root.get(record.get("parentUuid"), uuid)
            name = record.get("agentId") or root[uuid]
        message = inner["message"]
        content = message.get("content") if isinstance(message.get("content"), list) else ()
        ran.update(block.get("tool_use_id") for block in content if isinstance(block, dict) and block.get("type") == "tool_result"
                   and not block.get("is_error"))
        if inner.get("type") != "assistant":
            continue
        for block in content:
            if name == "" and isinstance(block, dict) and block.get("type") == "tool_use" and block.get("name") in ("Task", "Agent"):
                started.add(block.get("id"))
        usage, key = message.get("usage") or {}, message.get("id") or inner.get("uuid")
        if prompt_of(usage) == 0:
            continue
        known = found.setdefault(name, {}).get(key)
        if known is None or (usage.get("output_tokens") or 0) >= (known[0].get("output_tokens") or 0):
            found[name][key] = (usage, message.get("model") or "", (inner.get("timestamp") or record.get("timestamp") or "9")[:10])
    return found, len((started & ran) - answered)


def counted(path, rows):
    found, missing = threads(path)
    sums = {}
    for name, responses in found.items():
        dollars = 0.0
        for usage, model, day in responses.values():
            tier = price(rows, model, day, prompt_of(usage))
            dollars += cost_of(usage, tier) if tier else 0
        sums[name] = (round(dollars, 6), len(responses))
    return sums, missing


def said(program, path):
    made = subprocess.run([program, "replay", path, "--policy", "none", "--json"], capture_output=True, text=True, check=False)
    return json.loads(made.stdout)["session_cost"] if made.returncode == 0 else None


def compare(program, path, rows):
    sums, missing = counted(path, rows)
    figures = said(program, str(path))
    if figures is None:
        return None
    mine = sorted(dollars for name, (dollars, calls) in sums.items() if name and calls)
    others = [each for each in figures["threads"] if each["kind"] == "subagent" and each["calls"]]
    theirs = sorted(each["cost"] or 0 for each in others)
    wrong = []
    for what, want, have in (("main", sums[""][0], figures["this_thread"]), ("subagents", sum(mine), figures["subagents"]),
                             ("all", sum(mine) + sums[""][0], figures["all"])):
        if abs(want - (have or 0)) > SAME:
            wrong.append(f"{what}: the records cost {want:.4f}, the program says {have}")
    if len(mine) != len(theirs) or any(abs(a - b) > SAME for a, b in zip(mine, theirs)):
        wrong.append(f"subagents: {mine} by the records, {theirs} by the program")
    if missing != figures["subagents_not_in_file"]:
        wrong.append(f"subagents not in the file: {missing} by the records, {figures['subagents_not_in_file']} by the program")
    line = f"{Path(path).name}: main {sums[''][0]:.4f}, {len(mine)} subagents {sum(mine):.4f}, {missing} not in the file"
    return line, wrong


def main(arguments):
    if len(arguments) < 2:
        print(__doc__)
        return 2
    program, files = arguments[0], arguments[1:]
    if files[0] == "--corpus":
        files = sorted(Path(files[1]).glob("claude-code/**/*.jsonl"))
    rows, bad = prices(), 0
    for path in files:
        result = compare(program, path, rows)
        if result is None:
            continue
        print(result[0], *(f"  WRONG {each}" for each in result[1]), sep="\n")
        bad += len(result[1])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
