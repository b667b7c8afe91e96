#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Hold the sums that the program shows against the raw records.

    sums.py PROGRAM FILE...              what no part names, by call, and a line per harness
    sums.py PROGRAM --corpus DIR         the same for every file of these harnesses in a corpus folder

It shares no code with the program. From the raw JSON it takes the prompt of every call and how many bytes of text the log
gained since the call before, thread by thread. `PROGRAM show FILE --thread N --json` gives the parts; a thread of the program is
held against the raw thread with most of its prompts. What the script checks:

  prompt     the program's recorded prompt of a call is that of the records (Claude Code and its stream: responses by id, the last
             usage with most output; Codex: token_count events with a new total; pi: the usage of answers; LangChain: the usage of
             messages and the metadata of Monocle's spans; Gemini CLI: `tokens` of responses; Chat: the usage of a completion).
  threads    each raw thread with usage is a thread of the program.
  sum        prelude + slots + unlogged + framing - logged, not sent + remainder is that prompt.
  unnamed    prompt - (prelude + slots + unlogged + framing - logged, not sent), computed here, is at most 2 % of the prompt at 95 %
             of the calls of each harness. Each larger one is listed with its cause: the call and record where the prompt
             departed most from the parts, since the last call at which it was within 1 %.
  departure  at a call for which the program names text put in or cleared without a record, the prompt departs from the bytes
             logged, taken at six a token: by at least half of the figure.
  doubt      a prompt that falls and returns within three calls, and no other, is in doubt.
  program    the program reads every file. One that it fails on is counted and listed.

The exit code is 1 if any of these does not hold.
"""
import json
import subprocess
import sys
from pathlib import Path

LARGE, SHARE = 0.02, 0.95
BYTES = 6.0                                       # a token at most, so that text logged is at least so many tokens


def records(path):
    for number, line in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        at = 0
        while at < len(line):                     # a line may hold two records
            try:
                record, at = json.JSONDecoder().raw_decode(line, at)
            except ValueError:
                break
            if isinstance(record, dict):
                yield number, record


def texts(value):
    """Bytes of the texts in a message's content, without encrypted bodies, signatures and images."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace"))
    if isinstance(value, list):
        return sum(texts(each) for each in value)
    if isinstance(value, dict):
        return sum(texts(each) for key, each in value.items()
                   if key not in ("type", "id", "signature", "encrypted_content", "tool_use_id", "call_id", "source", "usage", "data"))
    return 0


def claude(path):
    """Sidechains by their agent or tool call; those that name neither by the record that they hang on."""
    threads, logged, thread_of = {}, {}, {}
    for number, record in records(path):
        data = record.get("data")
        inner = data.get("message") if isinstance(data, dict) and data.get("type") == "agent_progress" else None
        agent = record.get("agentId") or record.get("parent_tool_use_id")
        if isinstance(inner, dict):                   # a subagent's record inside of a progress record
            record, agent = inner, record.get("parentToolUseID") or data.get("agentId")
        side = record.get("isSidechain") or inner or record.get("parent_tool_use_id")
        thread = "" if not side else agent or thread_of.get(record.get("parentUuid"), number)
        thread_of[record.get("uuid")] = thread
        message = record.get("message")
        if record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
            continue
        calls = threads.setdefault(thread, {})
        if record["type"] == "assistant" and message.get("usage") and message.get("model") != "<synthetic>":
            usage = message["usage"]
            prompt = sum(usage.get(key) or 0 for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))
            known = calls.setdefault(message.get("id") or number,
                                     {"line": number, "logged": logged.get(thread, 0), "prompt": 0, "output": -1})
            if prompt and (usage.get("output_tokens") or 0) >= known["output"]:
                known["prompt"], known["output"] = prompt, usage.get("output_tokens") or 0
        logged[thread] = logged.get(thread, 0) + texts(message.get("content"))
    main = list(threads.pop("", {}).values())
    return [main] + [list(calls.values()) for calls in threads.values()]


def codex(path):
    calls, totals, logged = [], set(), 0
    for number, record in records(path):
        payload = record.get("payload")
        if not isinstance(payload, dict):
            continue
        if record.get("type") == "response_item":
            logged += texts(payload)
        if payload.get("type") == "token_count" and isinstance(payload.get("info"), dict):
            key = json.dumps([payload["info"].get("total_token_usage"), payload["info"].get("last_token_usage")], sort_keys=True)
            usage = payload["info"].get("last_token_usage") or {}
            if key not in totals and (usage.get("input_tokens") or usage.get("output_tokens")):
                calls.append({"line": number, "logged": logged, "prompt": usage.get("input_tokens") or 0})
            totals.add(key)
    return [calls]


def pi(path):
    calls, logged = [], 0
    for number, record in records(path):
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        if message.get("role") == "assistant" and message.get("usage"):
            prompt = sum(message["usage"].get(key) or 0 for key in ("input", "cacheRead", "cacheWrite"))
            calls.append({"line": number, "logged": logged, "prompt": prompt})
        logged += texts(message.get("content"))
    return [calls]


def document(path):
    """The JSON of a file; of one that is cut off nothing."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8", errors="replace"))
    except ValueError:
        return None


def of_answers(messages, prompt_of, content):
    calls, logged = [], 0
    for number, message in enumerate(messages):
        prompt = prompt_of(message)
        if prompt:
            calls.append({"line": number, "logged": logged, "prompt": prompt})
        logged += texts(message.get(content))
    return [calls]


def langchain(path):
    found = document(path)
    if isinstance(found, list) and found and "attributes" in found[0]:      # spans of Monocle
        calls = []
        for number, span in sorted(enumerate(found), key=lambda each: each[1]["start_time"]):
            events = {event["name"]: event["attributes"] for event in span["events"]}
            if span["attributes"].get("span.type") == "inference.framework" and "prompt_tokens" in events.get("metadata", {}):
                calls.append({"line": number, "logged": texts(events["data.input"]["input"]), "prompt": events["metadata"]["prompt_tokens"]})
        return [calls]
    messages = found.get("messages") if isinstance(found, dict) else found
    return of_answers(messages or [], lambda message: (message.get("usage_metadata") or {}).get("input_tokens"), "content")


def gemini(path):
    found = document(path)
    messages = found.get("messages") if isinstance(found, dict) else None
    return of_answers(messages or [], lambda message: (message.get("tokens") or {}).get("input"), "content")


def chat(path):
    """A completion beside its request."""
    found = document(path)
    usage = (found.get("response") or {}).get("usage") if isinstance(found, dict) and isinstance(found.get("response"), dict) else None
    return [[{"line": 1, "logged": 0, "prompt": usage["prompt_tokens"]}]] if usage else [[]]


HARNESSES = {"claude-code": claude, "claude-sdk-stream": claude, "codex": codex, "pi": pi, "langchain": langchain, "gemini-cli": gemini,
             "openai-chat": chat}


def doubtful(prompts):
    """Indices of prompts that fall by a third and are back within three calls, by nothing but themselves."""
    found, at = set(), 1
    while at < len(prompts):
        before = prompts[at - 1]
        back = next((i for i in range(at + 1, min(at + 4, len(prompts))) if prompts[i] >= before), None)
        if back and prompts[at] < before * 2 / 3:
            found |= set(range(at, back))
            at = back
        at += 1
    return found


def format_of(program, path):
    """The format that the program names; a file that it fails on is checked as one of the first harness, and listed."""
    got = subprocess.run([program, "show", path, "--json"], capture_output=True, check=False)
    return "claude-code" if got.returncode else json.loads(got.stdout)["format"]


def check(program, path, harness):
    """Calls with usage, the larger ones with their cause, and what is wrong, of all threads."""
    threads = [calls for calls in HARNESSES[harness](path) if any(call["prompt"] for call in calls)]
    if not threads:
        return 0, [], []
    count, large, wrong, index, held = 0, [], [], 0, set()
    while index == 0 or index < len(shown["threads"]):
        got = subprocess.run([program, "show", path, "--thread", str(index), "--json"], capture_output=True, check=False)
        if got.returncode:
            return 0, [], [f"the program fails with {got.returncode}: {got.stderr.decode(errors='replace').strip()[-200:]}"]
        shown = json.loads(got.stdout)
        prompts = {entry["recorded"] for entry in shown["sums"] if entry["recorded"]}
        best = max(range(len(threads)), key=lambda i: sum(call["prompt"] in prompts for call in threads[i]))
        if prompts:
            held.add(best)
            found = check_thread(threads[best], shown)
            count += found[0]
            large += [(index,) + each for each in found[1]]
            wrong += [f"thread {index}: {each}" for each in found[2]]
        index += 1
    for i in sorted(set(range(len(threads))) - held):
        wrong.append(f"no thread has the {len(threads[i])} calls of line {threads[i][0]['line']}")
    return count, large, wrong


def check_thread(raw, shown):
    sums, lines = shown["sums"][:-1], {}
    for call in raw:
        lines.setdefault(call["prompt"], call)
    large, wrong, count, anchor, before = [], [], 0, None, None
    known = {}                                    # what the records say, by the program's index
    at = 0
    for index, entry in enumerate(sums):
        while at < len(raw) and raw[at]["prompt"] != entry["recorded"]:
            at += 1
        if at < len(raw):
            known[index], at = raw[at], at + 1
        elif entry["recorded"] in lines:          # a branch that was taken back stands elsewhere in the file
            known[index], at = lines[entry["recorded"]], 0
        elif entry["recorded"]:
            wrong.append(f"call {index}: no record has the prompt {entry['recorded']:.0f}")
    prompts = [entry["recorded"] for entry in sums if entry["recorded"]]
    places = [index for index, entry in enumerate(sums) if entry["recorded"]]
    said = {index for index, entry in enumerate(sums) if entry["in_doubt"]}
    anew = {each["call"] for each in shown["compactions"] if each["call"] is not None}
    seen = {places[i] for i in doubtful(prompts)} - {i for call in anew for i in range(call, call + 5)}
    if said != seen:
        wrong.append(f"in doubt: the program says {sorted(said)}, the records {sorted(seen)}")
    worst = (0, None)
    for index, entry in enumerate(sums):
        if entry["in_doubt"] or index not in known or not entry["recorded"]:
            continue
        count += 1
        prompt = known[index]["prompt"]
        parts = entry["prelude"] + entry["slots"] + entry["unlogged"] + entry["framing"] - entry["logged_not_sent"]
        if abs(parts + entry["remainder"] - prompt) > 1:
            wrong.append(f"call {index}: the parts make {parts + entry['remainder']:.0f} of {prompt}")
        unnamed = prompt - parts
        if before is not None and abs(unnamed - before) > abs(worst[0]):
            worst = (unnamed - before, index)
        before = unnamed
        if abs(unnamed) <= LARGE / 2 * prompt:
            worst = (0, None)
        if abs(unnamed) > LARGE * prompt:
            cause = known[worst[1]] if worst[1] is not None else known[index]
            large.append((index, known[index]["line"], unnamed / prompt, worst, cause["line"]))
    for event in shown["departures"]:
        index = event["call"]
        last = max((i for i in known if i < index and not sums[i]["in_doubt"]), default=None)
        if last is None or index not in known or event["kind"] not in ("put_in", "cleared", "cleared_by_record"):
            continue
        grown = known[index]["prompt"] - known[last]["prompt"]
        logged = max(0, known[index]["logged"] - known[last]["logged"])
        beyond = grown - logged / BYTES if event["kind"] == "put_in" else logged / BYTES - grown
        if beyond < event["tokens"]["value"] / 2:
            wrong.append(f"call {index}: {event['kind']} {event['tokens']['value']:.0f}, but the prompt grew {grown} with {logged} bytes logged")
    return count, large, wrong


def main(arguments):
    program, paths = arguments[0], [(path, None) for path in arguments[1:]]
    if arguments[1:2] == ["--corpus"]:
        root = Path(arguments[2])
        rows = [line.split("\t") for line in (root / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        paths = sorted((str(root / row[0]), row[1]) for row in rows if row[1] in HARNESSES)
    totals, failed = {}, False
    for path, harness in paths:
        if harness is None:
            harness = format_of(program, path)
        count, large, wrong = check(program, path, harness)
        total = totals.setdefault(harness, [0, 0])
        total[0] += count
        total[1] += len(large)
        name = "/".join(Path(path).parts[-2:])
        for thread, index, line, share, (jump, call), cause in large:
            print(f"{name}: thread {thread}, call {index}, line {line}: {share:+.1%}; the prompt of call {call}, line {cause}, departs by {jump:+.0f}")
        for each in wrong:
            print(f"{name}: WRONG: {each}")
        failed |= bool(wrong)
    for harness, (count, large) in sorted(totals.items()):
        print(f"{harness}: {count} calls with usage, {large} with more than {LARGE:.0%} unnamed ({large / max(1, count):.1%})")
        failed |= large > (1 - SHARE) * count
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
