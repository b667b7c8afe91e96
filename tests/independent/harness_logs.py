#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Count the messages of logs and databases of harnesses, independently of the program.

    harness_logs.py FILE...                    one line per thread, tab-separated, with a header line
    harness_logs.py --against PROGRAM FILE...  compares each figure with `PROGRAM show --json`; the exit code is 1 if one differs

It shares no code with the program. Formats: qwen-code, copilot-cli, kimi-cli, crush, opencode-go, opencode, opencode-export, goose,
goose-log, goose-export, kiro-cli, cursor, droid, grok-cli, antigravity, aider.
The requests that a Kimi log names are compared with the messages before them, too.

Columns
  end      messages of the array at the end                calls    responses with any content or usage
  life     messages that ever stood in an array            tools    tool calls of the array at the end
  results  tool results of that array                      bytes    UTF-8 bytes of its texts, thoughts, calls (name and
           arguments, an object as JSON with `, ` and `: `) and results; images and documents count as their base64
"""
import itertools
import json
import sqlite3
import subprocess
import sys

COLUMNS = ("file", "format", "thread", "end", "life", "calls", "compactions", "tools", "results", "bytes")


class Thread:
    """the arrays of one thread: entries are (role, parts), parts are (kind, bytes)"""

    def __init__(self, name=""):
        self.name, self.entries, self.array, self.calls, self.compactions, self.model = name, [], [], 0, 0, []

    def add(self, role, parts, answered=False, usage=False):
        if not parts and not usage:
            return
        if answered:
            self.calls += 1
        if parts:
            self.entries.append((role, parts))
            self.array.append(len(self.entries) - 1)

    def replace(self, array):
        if self.array and array != self.array:
            self.compactions += 1
        self.array = array

    def figures(self):
        parts = [part for index in self.array for part in self.entries[index][1]]
        return {"thread": self.name, "end": len(self.array), "life": sum(role != "stub" for role, _ in self.entries), "calls": self.calls,
                "compactions": self.compactions, "tools": sum(k == "call" for k, _ in parts),
                "results": sum(k == "result" for k, _ in parts), "bytes": sum(n for _, n in parts)}


def size(value):
    if value is None:
        return 0
    if isinstance(value, list) and value and all(isinstance(p, dict) and isinstance(p.get("text"), str) for p in value):
        value = "\n".join(p["text"] for p in value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return len(text.encode("utf-8", "surrogatepass"))


def records(path):
    for line in open(path, encoding="utf-8", errors="replace"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


# Qwen Code: a tree of records; of one uuid the parts are joined

def gemini_parts(parts):
    for part in parts:
        if "functionCall" in part:
            call = part["functionCall"]
            yield "call", size(call.get("name", "")) + size(call.get("args"))
        elif "functionResponse" in part:
            response = part["functionResponse"].get("response", {})
            only = [v for k, v in response.items() if k in ("output", "error") and isinstance(v, str)]
            yield "result", size(only[0]) if len(response) == 1 and only else size(response)
        elif isinstance(part.get("text"), str):
            yield "text", size(part["text"])
        else:
            yield "other", size(part)


def qwen(path):
    nodes, order, last = {}, [], None
    for r in records(path):
        message = r.get("message") if r.get("type") != "system" else None
        parts = list(gemini_parts(message["parts"])) if message else []
        if r.get("uuid") in nodes:
            nodes[r["uuid"]]["parts"] += parts
            continue
        nodes[r["uuid"]] = {"parent": r.get("parentUuid"), "parts": parts, "record": r}
        order.append(r["uuid"])
    thread = Thread()
    entry_of, head = {}, None

    def path_to(uuid):
        path = []
        while uuid is not None:
            if isinstance(entry_of.get(uuid), list):
                return entry_of[uuid] + path[::-1]
            path += [entry_of[uuid]] if entry_of.get(uuid) is not None else []
            uuid = nodes[uuid]["parent"]
        return path[::-1]

    for uuid in order:
        node, r = nodes[uuid], nodes[uuid]["record"]
        if r["type"] != "system" or r.get("subtype") == "rewind":
            if node["parent"] != head:
                thread.replace(path_to(node["parent"]))
                head = node["parent"]
        if node["parent"] == head:
            head = uuid
        if r["type"] == "system":
            continue                              # no file of the corpus has a compression
        thread.add(r["message"]["role"], node["parts"], r["type"] == "assistant")
        entry_of[uuid] = len(thread.entries) - 1
    return [thread]


# Copilot CLI

def copilot(path):
    threads, began = {"": Thread()}, 0
    for r in records(path):
        data, kind = r.get("data", {}), r.get("type")
        thread = threads.setdefault(data.get("parentToolCallId") or "", Thread(data.get("parentToolCallId") or ""))
        if kind == "user.message":
            thread.add("user", [("text", size(data.get("transformedContent") or data.get("content")))])
        elif kind == "assistant.message":
            thought = data.get("reasoningText") or data.get("reasoningOpaque")
            parts = [("text", size(text)) for text in (thought, data.get("content")) if text]
            parts += [("call", size(c["name"]) + size(c["arguments"])) for c in data.get("toolRequests", [])]
            thread.add("assistant", parts, True)
        elif kind == "tool.execution_complete":
            output = data["result"]["content"] if "result" in data else data.get("error", {}).get("message")
            thread.add("tool", [("result", size(output))])
        elif kind == "session.compaction_start":
            began = len(thread.array)
        elif kind == "session.compaction_complete" and data.get("summaryContent"):
            kept = thread.array[began:]
            thread.entries.append(("user", [("text", size(data["summaryContent"]))]))
            thread.replace([len(thread.entries) - 1] + kept)
    return list(threads.values())


# Kimi CLI

def kimi_parts(parts):
    for part in [{"type": "text", "text": parts}] if isinstance(parts, str) else parts:
        if part["type"] in ("text", "think"):
            if part["type"] == "think" or part["text"]:
                yield "text", size(part[part["type"]])
        elif part["type"] == "image_url":
            yield "media", size(part["imageUrl"]["url"].partition("base64,")[2] or part["imageUrl"]["url"])
        else:
            yield "other", size(part)


def kimi(path):
    thread, step, waiting, typed = Thread(), None, [], set()

    def close(usage=False):
        nonlocal step, waiting
        if step is not None:
            thread.add("assistant", step, True, usage)
        step, held, waiting = None, waiting, []
        for role, parts, is_typed in held:
            put(role, parts, is_typed)

    def put(role, parts, is_typed=False):
        if step is not None:
            waiting.append((role, parts, is_typed))
            return
        thread.add(role, parts)
        if is_typed:
            typed.add(len(thread.entries) - 1)

    for r in records(path):
        event = r.get("event", {})
        if r["type"] == "context.append_message":
            m = r["message"]
            put(m["role"], list(kimi_parts(m["content"])), m["role"] == "user" and m.get("origin", {}).get("kind", "user") == "user")
        elif event.get("type") == "step.begin":
            close()
            step = []
        elif event.get("type") == "content.part":
            step += kimi_parts([event["part"]])
        elif event.get("type") == "tool.call":
            step.append(("call", size(event["name"]) + size(event["args"])))
        elif event.get("type") == "tool.result":
            put("tool", [("result", size(event["result"].get("output")))])
        elif event.get("type") == "step.end":
            close(bool(event.get("usage")))
        elif r["type"] == "context.apply_compaction":
            close()
            kept = [i for i in thread.array if i in typed][-r["keptUserMessageCount"]:]
            thread.entries.append(("user", [("text", size(r.get("contextSummary") or r["summary"]))]))
            thread.replace(kept + [len(thread.entries) - 1])
    close()
    return [thread]


def kimi_requests(path):
    """(messages that a request of the log names, messages that the log holds before it): prompts that follow each other are one"""
    said, open_step, found = [], False, []
    for r in records(path):
        event = r.get("event", {})
        if r["type"] == "context.append_message":
            said.append(r["message"].get("origin", {}).get("kind"))
        elif event.get("type") in ("content.part", "tool.call") and not open_step:
            said.append("assistant")
            open_step = True
        elif event.get("type") == "tool.result":
            said.append("tool")
        elif event.get("type") == "step.begin":
            open_step = False
        elif r["type"] == "llm.request" and r.get("kind") == "loop":
            found.append((r["messageCount"], sum(who != "user" or i == 0 or said[i - 1] != "user" for i, who in enumerate(said))))
        elif r["type"] == "context.apply_compaction":
            break
    return found


# Crush, opencode in Go

def crush_parts(parts):
    for part in parts:
        kind, data = part["type"], part.get("data", {})
        if kind == "text" and data["text"]:
            yield "text", size(data["text"])
        elif kind == "reasoning" and data.get("thinking"):
            yield "text", size(data["thinking"])
        elif kind == "tool_call":
            yield "call", size(data["name"]) + size(data["input"])
        elif kind == "tool_result":
            yield "result", size(data["content"])
            if data.get("data"):
                yield "media", size(data["data"])
        elif kind == "binary":
            yield "media", size(data["Data"])
        elif kind == "shell_command":
            yield "text", size(data["command"])
            yield "text", size(data["output"])


def crush(base):
    columns = {c[1] for c in base.execute("pragma table_info(messages)")}
    marked = "is_summary_message" if "is_summary_message" in columns else "0"
    rows = base.execute("select id, parent_session_id, summary_message_id from sessions order by updated_at desc, rowid").fetchall()
    known = {r[0] for r in rows}
    threads = []

    def conversation(key, summary):
        thread = Thread(key)
        for identity, role, parts, is_summary in base.execute(
                f"select id, role, parts, {marked} from messages where session_id = ? order by created_at, rowid", (key,)):
            parts = list(crush_parts(json.loads(parts)))
            if not parts:
                continue
            if is_summary or identity == summary:
                thread.entries.append(("user", parts))
                thread.replace([len(thread.entries) - 1])
            else:
                thread.add(role, parts, role == "assistant")
        if thread.entries:
            threads.append(thread)
        for child, parent, below in sorted(rows, key=lambda r: base.execute("select rowid from sessions where id = ?", (r[0],)).fetchone()[0]):
            if parent == key:
                conversation(child, below)

    for key, parent, summary in rows:
        if parent not in known:
            conversation(key, summary)
    return threads, "crush" if "provider" in columns else "opencode-go"


# opencode: its database, and what `opencode export` writes

QUESTION, SUBTASK = "What did we do so far?", "The following tool was executed by the user"
CLEARED, BROKEN = "[Old tool result content cleared]", "[Tool execution was interrupted]"


def opencode_thread(name, messages):
    """messages: [(info, parts)] in order"""
    thread, starts, asked, cleared = Thread(name), {}, {}, []

    def clear(until):
        array = list(thread.array)
        for item in [c for c in cleared if c[1] in array and (until is None or c[0] <= until)]:
            cleared.remove(item)
            thread.entries.append(("stub", [("result", size(CLEARED))]))
            array[array.index(item[1])] = len(thread.entries) - 1
        if array != thread.array:
            thread.replace(array)

    for info, parts in messages:
        if info["role"] == "user":
            clear(info["time"]["created"])
            said = [("text", size(p["text"])) for p in parts if p["type"] == "text" and not p.get("ignored") and p["text"]]
            said += [("media", len(p["url"].partition("base64,")[2])) for p in parts
                     if p["type"] == "file" and p["mime"] not in ("text/plain", "application/x-directory")]
            said += [("text", size(QUESTION if p["type"] == "compaction" else SUBTASK)) for p in parts if p["type"] in ("compaction", "subtask")]
            thread.add("user", said)
            starts[info["id"]] = len(thread.entries) - 1
            asked.update({info["id"]: p.get("tail_start_id") for p in parts if p["type"] == "compaction"})
        elif info.get("summary") and info.get("finish") and info.get("parentID") in asked:
            before, at = thread.array, thread.array.index(starts[info["parentID"]])
            thread.entries.append(("assistant", [("text", size(p["text"])) for p in parts if p["type"] in ("text", "reasoning")]))
            tail = starts.get(asked[info["parentID"]])
            kept = before[before.index(tail):at] if tail in before else []
            thread.replace([before[at], len(thread.entries) - 1] + kept + before[at + 1:])
        else:
            clear(info["time"]["created"])
            steps = [[]]
            for part in parts:
                if part["type"] == "step-start" and any(p["type"] in ("text", "reasoning", "tool") for p in steps[-1]):
                    steps.append([])
                steps[-1].append(part)
            for step in steps:
                own = [("call", size(p["tool"]) + size(p["state"]["input"])) if p["type"] == "tool" else ("text", size(p["text"]))
                       for p in step if p["type"] == "tool" or p["type"] in ("text", "reasoning") and p["text"]]
                thread.add("assistant", own, True, True)
                starts.setdefault(info["id"], len(thread.entries) - 1)
                for part in (p for p in step if p["type"] == "tool"):
                    state = part["state"]
                    thread.add("tool", [("result", size(state.get("output", state.get("error", BROKEN))))])
                    if state.get("time", {}).get("compacted"):
                        cleared.append((state["time"]["compacted"], len(thread.entries) - 1))
    clear(None)
    return thread


def opencode(base):
    rows = base.execute("select id, parent_id from session order by time_updated desc, id").fetchall()
    threads = []

    def conversation(key):
        messages = [({**json.loads(data), "id": message}, [json.loads(part) for part, in base.execute(
            "select data from part where message_id = ? order by id", (message,))])
            for message, data in base.execute("select id, data from message where session_id = ? order by id", (key,))]
        threads.append(opencode_thread(key, messages))
        for child, parent in sorted(rows):
            if parent == key:
                conversation(child)

    for key, parent in rows:
        if parent not in {r[0] for r in rows}:
            conversation(key)
    return threads, "opencode"


# Goose: who sees a message stands in its metadata

def goose_parts(parts):
    for part in parts:
        kind = part["type"]
        if kind == "text" and part["text"]:
            yield "text", size(part["text"])
        elif kind == "thinking":
            yield "text", size(part["thinking"] or part["signature"])
        elif kind == "image":
            yield "media", size(part["data"])
        elif kind == "toolRequest":
            yield "call", size(part["toolCall"]["value"]["name"]) + size(part["toolCall"]["value"]["arguments"])
        elif kind == "toolResponse":
            content = part["toolResult"]["value"]
            content = content if isinstance(content, list) else content["content"]
            read = [c for c in content if "assistant" in c.get("annotations", {}).get("audience", ["assistant"])]
            if read == content and all(c["type"] == "text" for c in content):
                yield "result", size(content)
            else:
                for piece in read:
                    yield ("result", size(piece["text"])) if piece["type"] == "text" else ("media", size(piece["data"]))


def goose_thread(name, messages):
    """messages: [(role, content, metadata)] in order"""
    thread, shown = Thread(name), [(role, list(goose_parts(parts)), seen or {}) for role, parts, seen in messages]
    shown = [m for m in shown if m[1]]
    for i, (role, parts, seen) in enumerate(shown):
        hidden = not seen.get("userVisible", True)
        reply = i + 1 < len(shown) and not shown[i + 1][2].get("userVisible", True) and shown[i + 1][0] == "assistant"
        if hidden and role == "user" and reply:
            thread.entries.append(("user", parts))
            thread.replace([len(thread.entries) - 1])
        else:
            own = hidden and role == "assistant" and thread.array == [len(thread.entries) - 1]       # Goose's reply to the summary
            thread.add(role, parts, role == "assistant" and not own)
    return thread


def goose(base):
    rows = base.execute("select id from sessions order by updated_at desc, rowid").fetchall()
    threads = [goose_thread(key, [(role, json.loads(content), json.loads(seen or "{}")) for role, content, seen in base.execute(
        "select role, content_json, metadata_json from messages where session_id = ? order by created_timestamp, id", (key,))])
        for key, in rows]
    return [t for t in threads if t.entries], "goose"


# Kiro, Cursor: each record is a message

def kiro_parts(parts):
    for part in parts:
        kind, data = part["kind"], part["data"]
        if kind == "text":
            yield "text", size(data)
        elif kind == "thinking":
            yield "text", size(data["text"])
        elif kind == "toolUse":
            yield "call", size(data["name"]) + size(data["input"])
        elif kind == "toolResult":
            for piece in data["content"]:
                yield "result", size(piece["data"])


def kiro(path):
    thread = Thread()
    for r in records(path):
        thread.add(r["kind"], list(kiro_parts(r["data"]["content"])), r["kind"] == "AssistantMessage")
    return [thread]


def cursor(path):
    thread = Thread()
    for r in records(path):
        parts = [("text", size(p["text"])) if p["type"] == "text" else ("call", size(p["name"]) + size(p["input"]))
                 for p in r.get("message", {}).get("content", [])]
        thread.add(r.get("role"), parts, r.get("role") == "assistant")
    return [thread]


def droid(path):
    thread = Thread()
    for r in records(path):
        if r["type"] == "session_start":
            continue
        content = r["message"]["content"]
        parts = []
        for p in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if p["type"] == "tool_use":
                parts.append(("call", size(p["name"]) + size(p["input"])))
            elif p["type"] == "tool_result":
                parts.append(("result", size(p.get("content"))))
            else:
                parts.append(("text", size(p.get("text") or p.get("thinking") or p)))
        thread.add(r["message"]["role"], parts, r["message"]["role"] == "assistant")
    return [thread]


def grok(path):
    thread = Thread()
    for r in records(path):
        if r["type"] == "assistant":
            parts = [("text", size(r["content"]))] if r["content"] else []
            parts += [("call", size(c["name"]) + size(c["arguments"])) for c in r.get("tool_calls", [])]
        elif r["type"] == "user":
            parts = [("text", size(p.get("text") or p["url"].partition(",")[2])) for p in r["content"]]
        else:
            value = r.get("content", r.get("summary", r.get("kind")))
            parts = [("result" if r["type"] == "tool_result" else "text", size(value))]
        thread.add(r["type"], parts, r["type"] == "assistant")
    return [thread]


def antigravity(path):
    thread, open_calls = Thread(), 0
    for r in records(path):
        if r["type"] == "PLANNER_RESPONSE":
            parts = [("text", size(r[key])) for key in ("thinking", "content") if r.get(key)]
            parts += [("call", size(c["name"]) + size(c["args"])) for c in r.get("tool_calls", [])]
            open_calls = len(r.get("tool_calls", []))
            thread.add("model", parts, True)
        elif r.get("content"):
            of_tool = open_calls > 0 and r["type"] not in ("USER_INPUT", "CHECKPOINT") and r["source"] != "SYSTEM"
            open_calls -= of_tool
            thread.add("tool" if of_tool else "user", [("result" if of_tool else "text", size(r["content"]))])
    return [thread]


# Aider: prompts, what it prints, answers. A command that nothing answers is not sent.

def aider(path):
    threads, prompt, answer = [], [], []

    def close_answer():
        nonlocal answer
        text = "\n".join(line.rstrip() if line is answer[-1] else line for line in answer).strip("\n")
        answer = []
        if text:
            close_prompt(True)
            threads[-1].add("assistant", [("text", size(text))], True)

    def close_prompt(answered=False):
        nonlocal prompt
        text, prompt = "\n".join(line[5:].rstrip() for line in prompt), []
        if text and (answered or not text.startswith("/")):
            threads[-1].add("user", [("text", size(text))])

    previous = ""
    for line in open(path, encoding="utf-8").read().split("\n"):
        if line.startswith("# aider chat started at "):
            if threads:
                close_answer()
                close_prompt()
            threads.append(Thread(line[24:].strip()))
        elif line.startswith("#### "):
            close_answer()
            if not previous.startswith("#### "):
                close_prompt()
            prompt.append(line)
        elif line.startswith("> Tokens: "):
            close_answer()
        elif answer or (line.strip() and not line.startswith(">")):
            answer.append(line)
        previous = line
    close_answer()
    close_prompt()
    return [thread for thread in reversed(threads) if thread.entries]


def count(path):
    """-> threads, format; or None for a file of another format"""
    with open(path, "rb") as handle:
        is_database = handle.read(16) == b"SQLite format 3\0"
    if is_database:
        base = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        tables = {t for t, in base.execute("select name from sqlite_master where type = 'table'")}
        if {"sessions", "messages"} <= tables and any(c[1] == "parts" for c in base.execute("pragma table_info(messages)")):
            return crush(base)
        if {"sessions", "messages"} <= tables and any(c[1] == "content_json" for c in base.execute("pragma table_info(messages)")):
            return goose(base)
        if {"session", "message", "part"} <= tables:
            return opencode(base)
        return None
    if path.endswith(".json"):
        with open(path, encoding="utf-8", errors="replace") as handle:
            try:
                whole = json.load(handle)
            except ValueError:
                return None
        if isinstance(whole, dict) and isinstance(whole.get("conversation"), list) and "working_dir" in whole:
            said = [(m["role"], m["content"], m.get("metadata")) for m in whole["conversation"]]
            return [goose_thread(whole["id"], said)], "goose-export"
        messages = whole.get("messages") if isinstance(whole, dict) else None
        if "info" in (whole if messages else ()) and all({"info", "parts"} <= m.keys() for m in messages):
            return [opencode_thread(whole["info"]["id"], [(m["info"], m["parts"]) for m in whole["messages"]])], "opencode-export"
        return None
    with open(path, encoding="utf-8", errors="replace") as handle:
        if "\n# aider chat started at " in "\n" + handle.read(4096):
            return aider(path), "aider"
    first = list(itertools.islice(records(path), 60))
    if any({"role", "created", "content"} <= r.keys() for r in first):
        return [goose_thread("", [(r["role"], r["content"], r.get("metadata")) for r in records(path) if "role" in r])], "goose-log"
    if any(r.get("version") == "v1" and "kind" in r and "data" in r for r in first):
        return kiro(path), "kiro-cli"
    if first and any(r.get("type") == "turn_ended" for r in first) and all(r.keys() == {"role", "message"} or r.get("type") == "turn_ended" for r in first):
        return cursor(path), "cursor"
    if any(r.get("type") == "session_start" and {"id", "cwd"} <= r.keys() for r in first):
        return droid(path), "droid"
    if any("content" in r and (r.get("type") == "assistant" and "model_id" in r or r.get("type") == "user" and "prompt_index" in r) for r in first):
        return grok(path), "grok-cli"
    if any({"step_index", "source", "status", "type"} <= r.keys() for r in first):
        return antigravity(path), "antigravity"
    if any(str(r.get("type")).startswith("context.append_") for r in first):
        return kimi(path), "kimi-cli"
    if any(r.get("type") in ("session.start", "assistant.message") and isinstance(r.get("data"), dict) for r in first):
        return copilot(path), "copilot-cli"
    if any({"uuid", "parentUuid", "sessionId"} <= r.keys() and isinstance(r.get("message"), dict)
           and isinstance(r["message"].get("parts"), list) for r in first):
        return qwen(path), "qwen-code"
    return None


def slot_rows(path):
    """-> rows for count_slots.py: a file, or each of its separate conversations"""
    found = count(path)
    if not found:
        return []
    threads, form = found
    figures = [t.figures() for t in threads]
    parts = figures if form in ("crush", "goose", "aider") and len(figures) > 1 else figures[:1]
    return [{"format": form, "slots_end": f["end"], "slots_life": f["life"], "calls": f["calls"], "compactions": f["compactions"],
             "threads": 0 if len(parts) > 1 else len(figures) - 1, "damaged": 0, "damaged_lines": []} for f in parts]


def shown(program, path, thread):
    out = subprocess.run([*program.split(), "show", path, "--json", "--thread", str(thread)], capture_output=True, check=True).stdout
    document = json.loads(out)
    blocks = [b for s in document["slots"] for b in s["blocks"]]
    return {"end": len(document["slots"]), "life": document["life"]["slots"], "calls": document["calls"],
            "compactions": len(document["compactions"]), "tools": sum(b["kind"] == "tool_call" for b in blocks),
            "results": sum(b["kind"] == "tool_result" for b in blocks), "bytes": sum(b["bytes"] for b in blocks)}


def main(arguments):
    program = None
    if arguments[:1] == ["--against"]:
        program, arguments = arguments[1], arguments[2:]
    if not arguments or any(a.startswith("--") for a in arguments):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    different = 0
    print(*COLUMNS, sep="\t")
    for path in arguments:
        threads, form = count(path) or ([], "")
        for index, thread in enumerate(threads):
            figures = thread.figures()
            print(path, form, *(figures[c] for c in COLUMNS[2:]), sep="\t")
            ours = shown(program, path, index) if program else {}
            wrong = {c: v for c, v in ours.items() if v != figures[c]}
            if wrong:
                print("  the program says", wrong)
            different += bool(wrong)
        for named, held in kimi_requests(path) if form == "kimi-cli" else []:
            if named != held:
                print(f"  a request names {named} messages, the log holds {held}")
                different += 1
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
