#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The part of count_slots.py for the JSON files of agents: SWE-agent, mini-SWE-agent, OpenHands, Cline, Roo, Inspect, ATIF;
and for Inspect's logs in ZIP archives, samples in the order of the archive.

    count_agents.py FILE... [--compare PROGRAM]   one line a file: slots, tool calls, results and bytes of the last array

With --compare, PROGRAM (`palimpsest`) says the same of each file by `show --json`, and the lines that differ are listed.

Definitions, one line each
  swe-agent       slots: the history; calls: the elements of `trajectory`, or the responses where there is none; a step more than
                  responses is one slot more in life. clearings: steps that send an observation in other words than the history
                  has, and that no step before them sent.
  mini-swe-agent  slots: the messages but the one of role exit; calls: the responses.
  openhands       slots: messages, system prompts, responses (each id of `model_response` once), actions without one, and observations;
                  no changes of state. calls: what the agent wrote. The call of a `finish` is not in the array.
  openhands-events  slots: prompts, messages, responses (each llm_response_id once) and what has a tool_call_id; none that a
                  condensation forgot, and one summary.
  cline           slots: messages, those of a user one behind the other are one; none that an existing summary or marker hides. calls:
                  responses; not the summaries, nor responses among the three messages that an old condensation kept.
  inspect         a row for each sample: slots: `messages`; calls: model events that share a message with the sample, responses
                  where there are no such events. threads: the other model events of the file. An event may name the
                  messages that it sent by ranges of a pool.
  atif            slots: a step is one, and each of its results; a step of the harness that has one result is this result. calls:
                  steps of the agent.
  tool calls      `tool_calls`, `tool_use`; results: messages of role tool, `tool_result`.
  text bytes      UTF-8 bytes of the texts of all messages (no arguments of calls).
"""
import json
import subprocess
import sys
import zipfile


def text_of(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content or [] if isinstance(part, dict))


def size(text):
    return len(text.encode("utf-8", "surrogatepass"))


def detail(messages):
    """tool calls, results and text bytes of an array of Chat messages"""
    calls = sum(len(m.get("tool_calls") or []) for m in messages)
    results = sum(m.get("role") == "tool" for m in messages)
    words = sum(size(text_of(m.get("content"))) + size(m.get("reasoning_content") or "") for m in messages)
    return {"tool_calls": calls, "results": results, "text_bytes": words}


def swe_agent(value):
    history, steps = value["history"], value.get("trajectory") or []
    answers = [m for m in history if m["role"] == "assistant" and not m.get("is_demo")]
    sent, marks = set(), 0
    for step in steps:
        array = step.get("query") or step.get("messages") or []
        other = {(i, text_of(m["content"])) for i, (m, own) in enumerate(zip(array, history)) if text_of(m["content"]) != text_of(own["content"])}
        # an array behind the last step was never sent
        if step.get("query") is not None or step is not steps[-1]:
            marks += bool(other - sent)
            sent |= other
    lost = max(0, len(steps) - len(answers))
    return [{"format": "swe-agent", "slots_end": len(history), "slots_life": len(history) + lost, "calls": len(answers) + lost,
             "compactions": 0, "clearings": marks, "threads": 0, **detail(history)}]


def mini_swe_agent(value):
    messages = [m for m in value["messages"] if m["role"] != "exit"]
    return [{"format": "mini-swe-agent", "slots_end": len(messages), "slots_life": len(messages),
             "calls": sum(m["role"] == "assistant" for m in messages), "compactions": 0, "threads": 0, **detail(messages)}]


SILENT = ("agent_state_changed", "change_agent_state", "null", "recall", "condensation_request")


def openhands(events):
    flat = [e for pair in events for e in (pair if isinstance(pair, list) else [pair])]
    slots, calls, tools, results, words, known, speaks = 0, 0, 0, 0, 0, set(), False
    for e in flat:
        kind, observed = e.get("action"), e.get("observation")
        if (kind or observed) in SILENT or not (kind or observed):
            continue
        slots += 1
        args = e.get("args") or e
        if observed:
            shown = e.get("extras", {}).get("formatted_output_and_error") or e.get("content") or ""
            results, words, speaks = results + 1, words + size(shown), False
        elif kind in ("message", "system"):
            agent = e["source"] == "agent" if "source" in e else speaks
            calls, words, speaks = calls + (agent and kind == "message"), words + size(args.get("content") or ""), not agent
        else:
            response = (e.get("tool_call_metadata") or {}).get("model_response")
            speaks = True
            if response and response["id"] in known:
                slots -= 1
                continue
            calls += 1
            if response:
                known.add(response["id"])
                message = response["choices"][0]["message"]
                words += size(message.get("content") or "")
                tools += len(message.get("tool_calls") or []) if kind != "finish" else 0
            else:
                words += size(args.get("thought") or "")
                tools += kind != "finish"
    return {"format": "openhands", "slots_end": slots, "slots_life": slots, "calls": calls, "compactions": 0, "threads": 0,
            "tool_calls": tools, "results": results, "text_bytes": words}


def openhands_events(events):
    forgotten, summary, marks = set(), None, 0
    for e in events:
        if e["kind"] == "Condensation":
            forgotten |= set(e["forgotten_event_ids"])
            summary, marks = e.get("summary") or summary, marks + 1
    ids, slots, life, tools, results, words = set(), 0, 0, 0, 0, size(summary or "")
    for e in events:
        if e["kind"] == "ActionEvent":
            first = e["llm_response_id"] not in ids
            ids.add(e["llm_response_id"])
            text = "".join(part["text"] for part in e["thought"])
        elif e["kind"] == "MessageEvent":
            first, text = True, text_of(e["llm_message"]["content"])
            ids |= {e.get("llm_response_id")} - {None}
        elif e["kind"] == "SystemPromptEvent":
            first, text = True, e["system_prompt"]["text"]
        elif "tool_call_id" in e:
            first, text = True, e.get("error") or text_of((e.get("observation") or {}).get("content"))
        else:
            continue
        life += first
        if e["id"] not in forgotten:
            slots, words = slots + first, words + size(text)
            tools += e["kind"] == "ActionEvent"
            results += e["kind"] not in ("ActionEvent", "MessageEvent", "SystemPromptEvent")
    return {"format": "openhands-events", "slots_end": slots + bool(summary), "slots_life": life, "calls": len(ids),
            "compactions": marks, "threads": 0, "tool_calls": tools, "results": results, "text_bytes": words}


def cline(messages):
    sdk = any("metadata" in m or "id" in m for m in messages)
    there = {m.get("condenseId") for m in messages if m.get("isSummary")} | {m.get("truncationId") for m in messages if m.get("isTruncationMarker")}
    sent = [m for m in messages if not ({m.get("condenseParent"), m.get("truncationParent")} - {None}) & there]
    marks = [i for i, m in enumerate(messages) if m.get("isSummary") or m.get("isTruncationMarker") or (m.get("metadata") or {}).get("kind") == "compaction"]
    old = [i for i in marks if messages[i]["role"] == "assistant" and messages[i].get("isSummary")]
    calls = sum(m["role"] == "assistant" and i not in marks and not any(k < i <= k + 3 for k in old) for i, m in enumerate(messages))
    parts = [b for m in sent for b in (m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}])]
    words = 0
    for b in parts:
        if b["type"] == "tool_result":
            plain = isinstance(b["content"], str) or all(x.get("type") == "text" for x in b["content"])
            words += size(text_of(b["content"]) if plain else json.dumps(b["content"], ensure_ascii=False))
        words += size(b.get("text") or b.get("thinking") or "")
    def runs(array):
        return sum(m["role"] != "user" or i == 0 or array[i - 1]["role"] != "user" for i, m in enumerate(array))
    return {"format": "cline", "slots_end": runs(sent), "slots_life": runs(messages) if sdk or not old else runs(sent), "calls": calls,
            "compactions": len(marks), "threads": 0, "tool_calls": sum(b["type"] == "tool_use" for b in parts),
            "results": sum(b["type"] == "tool_result" for b in parts), "text_bytes": words}


def sent_by(event, pool):
    return event["input"] + [m for begin, end in event.get("input_refs") or [] for m in pool[begin:end]]


def inspect(value):
    rows, aside = [], 0
    for sample in value["samples"]:
        messages = sample["messages"]
        pool = sample.get("message_pool") or (sample.get("events_data") or {}).get("messages") or []
        ids = {m.get("id") for m in messages} - {None}
        events = [e for e in sample.get("events") or (sample.get("transcript") or {}).get("events") or [] if e.get("event") == "model"]
        own = [e for e in events if {m.get("id") for m in sent_by(e, pool)} & ids or not ids]
        calls = len(own) or sum(m["role"] == "assistant" for m in messages)
        rows.append({"format": "inspect", "slots_end": len(messages), "slots_life": len(messages), "calls": calls, "compactions": 0,
                     "threads": 0, **detail(messages)})
        aside += len(events) - len(own)
    return [{**r, "threads": aside} for r in rows]


def atif(steps):
    slots, calls, tools, results, words = 0, 0, 0, 0, 0
    for step in steps:
        seen = step.get("observation") or {}
        given = [(r.get("content"), r.get("source_call_id")) for r in seen.get("results") or []]
        if "content" in seen:
            given.append((seen["content"], "named in the step"))
        agent = step["source"] == "agent"
        text = text_of(step.get("message")) if agent or "content" not in seen else ""
        slots += (agent or bool(text)) + len(given)
        calls, tools = calls + agent, tools + len(step.get("tool_calls") or [])
        results += sum(bool(call) for _, call in given)
        words += size(text) + size(step.get("reasoning_content") or "")
        words += sum(size(json.dumps(c, ensure_ascii=False) if isinstance(c, dict) else text_of(c)) for c, _ in given)
    return {"format": "atif", "slots_end": slots, "slots_life": slots, "calls": calls, "compactions": 0, "threads": 0,
            "tool_calls": tools, "results": results, "text_bytes": words}


def count(value):
    """-> rows of one JSON value; none if it is of no format that this script knows"""
    if isinstance(value, dict):
        if str(value.get("trajectory_format", "")).startswith("mini-swe-agent"):
            return mini_swe_agent(value)
        if isinstance(value.get("history"), list) and value["history"] and "agent" in value["history"][0]:
            return swe_agent(value)
        if "eval" in value and "samples" in value:
            return inspect(value)
        if "schema_version" in value and "steps" in value:
            return [atif(value["steps"])]
        if "sessionId" in value and "updated_at" in value and "messages" in value:
            return [cline(value["messages"])]
    elif isinstance(value, list) and value and all(isinstance(x, dict) for x in value):
        first = value[0]
        if "__header__" in first:
            return [atif(value[1:])]
        if all(isinstance(x.get("history"), list) for x in value):
            return [openhands(x["history"]) for x in value]
        if any(str(x.get("kind", "")).endswith("Event") and "source" in x for x in value):
            return [openhands_events(value)]
        if any(isinstance(x.get("action"), str) and "args" in x for x in value):
            return [openhands(value)]
        if all("ts" in x and x.get("role") in ("user", "assistant") for x in value):
            return [cline(value)]
    return []


def archived(path):
    """a log in a ZIP archive, as Inspect writes it in JSON"""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        head = json.loads(archive.read("header.json" if "header.json" in names else "_journal/start.json"))
        samples = [json.loads(archive.read(n)) for n in names if n.startswith("samples/") and n.endswith(".json")]
    return {**head, "samples": samples}


def load(path):
    if zipfile.is_zipfile(path):
        return archived(path)
    with open(path, encoding="utf-8-sig", errors="replace") as handle:
        text = handle.read()
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def shown(program, path):
    """the same of the program"""
    out = subprocess.run([*program.split(), "show", path, "--json"], capture_output=True, text=True, check=True).stdout
    document = json.loads(out)
    slots = document["slots"]
    found = {"slots_end": len(slots), "calls": document["calls"], "tool_calls": 0, "results": 0, "text_bytes": 0}
    kinds = [c["kind"] for c in document["compactions"]]
    found |= {"compactions": len(kinds) - kinds.count("clearing"), "clearings": kinds.count("clearing")}
    for slot in slots:
        for block in slot["blocks"]:
            found["tool_calls"] += block["kind"] == "tool_call"
            found["results"] += block["kind"] == "tool_result"
            found["text_bytes"] += block["bytes"] if block["kind"] in ("text", "thinking", "tool_result") else 0
    return found


def main(arguments):
    program = arguments[arguments.index("--compare") + 1] if "--compare" in arguments else None
    paths = [a for a in arguments if a not in ("--compare", program)]
    different = 0
    for path in paths:
        for row in count(load(path))[:1]:
            print(path, *(f"{key}={value}" for key, value in row.items()), sep="\t")
            said = shown(program, path) if program else {}
            for key, value in said.items():
                if row.get(key, 0) != value:
                    different += 1
                    print(f"  {key}: counted {row.get(key, 0)}, the program says {value}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
