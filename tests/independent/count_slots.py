#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Count the slots of a transcript, independently of the program.

    count_slots.py FILE... [--json]        one line per session, tab-separated, with a header line
    count_slots.py --corpus DIR [--json]   the same for every file of these formats in a corpus folder (makes expected.tsv)
    count_slots.py --evidence DIR          the figures D14, D18 and D19 over that folder (evidence.py)

It shares no code with the program and reads nothing but the published format notes, so that two readers written apart
can be held against each other. `expected.tsv` beside it pins its output; a file of several sessions has rows FILE#0, FILE#1... Formats:
claude-code, claude-sdk-stream, codex, pi, anthropic-request, anthropic-recording, openai-chat, openai-responses,
responses-recording, langchain, genkit, gemini-cli, gemini-contents; those of count_agents.py and harness_logs.py beside it. OTel span
files (Monocle) and files of other formats have no row.

Definitions, one line each
  slot         one element of the array that the recorded provider's API receives.
  slots_end    slots of the active path after the last compaction, the last answer included (request files: the last array).
  slots_life   every slot that ever stood in an array of the main thread: each once, whatever compaction or rewinding dropped.
  calls        model calls of the main thread: distinct message.id (Claude), token_count with a new total (Codex), one per
               request (recordings); where none is recorded, one derived per assistant slot (items: per run of model items).
  compactions  compact_boundary (Claude; microcompact_boundary is not one), compacted (Codex), a new compaction item or an
               array that shares no first message with its predecessor (recordings), a summary message (LangChain).
               compaction and branch_summary entries (pi).
  threads      other threads whose messages stand in this file: sidechains by agentId, agent_progress by parentToolUseID,
               parent_tool_use_id (stream), side requests (recordings). Those only referred to are not counted.
  damaged      lines from which something could not be had: cut records, values that are no objects, records whose message is
               no object. Glued records, NUL runs, BOM, CR LF, invalid UTF-8 and unknown parents are repaired, not damaged.
  record       JSON objects are read one after another from each line split at 0x0A, NULs stripped; of one uuid the first counts
               that has content.
  parent       parentUuid if it names a record; if it names none or the member is absent, the nearest earlier record with a uuid;
               null is a root, except in files where no link resolves at all: there the file's order is the chain. Cycles end the walk.
  leaf         the last user or assistant record of the main thread in file order; the walk ends at a compact_boundary.
  active       the walk, all records of a message.id on it, and all tool results of a tool call on it (parallel results are no branch).
  Claude slot  assistant records by message.id, wherever they stand; a user record joins the slot of its nearest user ancestor, or,
               if that is an assistant, that of the tool results of the same answer, or else starts a slot (a branch starts its own).
  no slot      system, progress, attachment, summary and other records, isSidechain, isApiErrorMessage; toolUseResult. Kept, as
               the API receives them: isMeta, compact summaries, the synthetic "No response requested." (a slot but not a call).
  Codex array  response_items but ghost_snapshot; compacted replaces it by replacement_history (or, without one, by the leading
               messages, later user messages and one summary); thread_rolled_back cuts at the n-th last typed user message, at
               the first if there are fewer (what stands before it stays, as Codex's drop_last_n_user_turns does).
  union        life of Codex and recordings: an item of a replacement or a later request that equals one already seen (cache
               marks ignored, as often as seen) is that one; every appended response_item is new.
  main thread  of a recording: requests join the thread they share the first message with, else the thread of the same system
               prompt if they bring tools, else they are side threads; the thread with most requests is main. count_tokens bodies
               (no max_tokens), generate:false and {} lines are no calls.
"""
import collections
import json
import os
import sys

sys.dont_write_bytecode = True
import count_agents                               # noqa: E402
import harness_logs                               # noqa: E402

MODEL_ITEMS = {"reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call",
               "image_generation_call", "file_search_call", "computer_call", "mcp_call", "code_interpreter_call"}
HARNESS = ("<environment_context>", "<user_instructions>", "# AGENTS.md", "<permissions", "<collaboration_mode>", "<turn_aborted>")
LC_TYPES = {"human", "ai", "system", "tool", "function", "chat", "remove", "AIMessageChunk"}


def read_text(path):
    with open(path, "rb") as handle:
        data = handle.read()
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").decode("utf-8", "replace")


def json_objects(text):
    """-> records [(line, dict)], damaged line numbers"""
    records, damaged, decoder = [], set(), json.JSONDecoder()
    for number, line in enumerate(text.split("\n"), 1):
        line, at = line.strip(), 0
        while at < len(line):
            try:
                value, at = decoder.raw_decode(line, at)
            except (ValueError, RecursionError):
                damaged.add(number)          # a cut record; a whole one may follow it on the same line
                at = next((i for i in (line.find(head, at + 1) for head in ('{"parentUuid"', '{"timestamp"', '{"type":"')) if i > 0), len(line))
                continue
            if isinstance(value, dict):
                records.append((number, value))
            else:
                damaged.add(number)
            while at < len(line) and line[at].isspace():
                at += 1
    return records, damaged


def blocks(message):
    content = message.get("content") if isinstance(message, dict) else None
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def row(form, end, life, calls, compactions=0, threads=0, damaged=()):
    return {"format": form, "slots_end": end, "slots_life": life, "calls": calls, "compactions": compactions,
            "threads": threads, "damaged": len(damaged), "damaged_lines": sorted(damaged)}


# Claude Code

def is_boundary(r):
    return r.get("type") == "system" and r.get("subtype") == "compact_boundary"


def is_empty(r):
    return r.get("type") in ("user", "assistant") and not r["message"].get("content")


def claude(records, damaged):
    nodes, said = {}, {}                          # all records, conversation records; of one uuid the first that can be read
    for line, r in records:
        talk = r.get("type") in ("user", "assistant")
        if talk and not isinstance(r.get("message"), dict):
            damaged.add(line)
        elif r.get("uuid") and not r.get("isSidechain") and (r["uuid"] not in nodes or is_empty(nodes[r["uuid"]]) and not is_empty(r)):
            for known in (nodes, said):
                known.pop(r["uuid"], None)        # one without content does not stand for its uuid
            nodes[r["uuid"]] = r
            if talk and not r.get("isApiErrorMessage"):
                said[r["uuid"]] = r
    linked = any(r.get("parentUuid") in nodes for r in nodes.values())
    parent, previous = {}, None
    for u, r in nodes.items():
        p = r.get("parentUuid")
        root = is_boundary(r) or p is None and "parentUuid" in r and linked
        parent[u], previous = None if root else p if p in nodes else previous, u
    asked = {b.get("id"): r["message"].get("id") or u for u, r in said.items() if r["type"] == "assistant"
             for b in blocks(r["message"]) if b.get("type") == "tool_use"}

    def answered(r):                              # the answer whose tool calls this record brings results of
        return next((asked[b["tool_use_id"]] for b in blocks(r["message"]) if b.get("tool_use_id") in asked), None)

    def walk(u):                                  # u and its ancestors
        met = set()
        while u is not None and u not in met:
            met.add(u)
            yield u
            u = parent[u]

    slot = {}
    for start, r in said.items():
        if r["type"] == "assistant":
            slot[start] = ("answer", r["message"].get("id") or start)
            continue
        first = start                             # the first of a run of user records gives the slot its name
        for u in walk(start):
            if u in said and said[u]["type"] == "assistant":
                break
            first = u if u in said else first
        slot[start] = ("results", answered(said[first])) if answered(said[first]) else ("user", first)
    path = list(walk(next(reversed(said), None)))
    active = {slot[u] for u in path if u in said}
    active |= {slot[u] for u, r in said.items() if r["type"] == "user" and ("answer", answered(r)) in active}
    threads = {r.get("agentId") or "sidechain" for _, r in records if r.get("isSidechain")}
    threads |= {r.get("parentToolUseID") or r["data"].get("agentId") for _, r in records if r.get("type") == "progress"
                and isinstance(r.get("data"), dict) and r["data"].get("type") == "agent_progress"}
    calls = {r["message"].get("id") or u for u, r in said.items()
             if r["type"] == "assistant" and r["message"].get("model") != "<synthetic>"}
    return row("claude-code", len(active), len(set(slot.values())), len(calls), sum(map(is_boundary, nodes.values())), len(threads), damaged)


def claude_stream(records, damaged):
    life, span, last, ids, compactions, threads = 0, 0, None, set(), 0, set()
    for line, r in records:
        m = r.get("message") if isinstance(r.get("message"), dict) else {}
        inner = m if r.get("type") == "system" and "subtype" in m else r          # one known writer wraps every payload
        side = r.get("parent_tool_use_id") or m.get("parent_tool_use_id")
        if side:
            threads.add(side)
        elif r.get("type") == "system" and inner.get("subtype") == "compact_boundary":
            compactions, span, last = compactions + 1, 0, None
        elif r.get("type") in ("user", "assistant") and m:
            key = "user" if r["type"] == "user" else m.get("id") or line
            if key == "user" and last == "user" or key != "user" and key in ids:
                continue                          # later parts of one answer join it, wherever they stand
            life, span, last = life + 1, span + 1, key
            ids |= {key} - {"user"}
    return row("claude-sdk-stream", span, life, len(ids), compactions, len(threads), damaged)


# items: Codex, Responses

def plain(value):
    """a value without cache marks, a string content written as its one text block: what two equal elements have in common"""
    if isinstance(value, list):
        return [plain(v) for v in value]
    if not isinstance(value, dict):
        return value
    out = {k: plain(v) for k, v in value.items() if k != "cache_control"}
    if "role" in out and isinstance(out.get("content"), str):
        out["content"] = [{"type": "text", "text": out["content"]}]
    return out


def fingerprints(array):
    return [json.dumps(plain(x), sort_keys=True) for x in array]


def item_role(item):
    kind = item.get("type") or "message"
    if kind in MODEL_ITEMS or kind == "message" and item.get("role") == "assistant":
        return "model"
    return "user" if kind == "message" and item.get("role") == "user" else "other"


def derived_item_calls(items):
    calls, before = 0, None
    for item in items:
        role, message = item_role(item), (item.get("type") or "message") == "message"
        if role == "model" and (before is None or message and before != "reasoning"):
            calls += 1
        before = None if role != "model" else "message" if message else item["type"]
    return calls


def codex(records, damaged):
    array, life, totals, calls, compactions, everything = [], 0, set(), 0, 0, []
    pool, bare = collections.Counter(), not any("payload" in r for _, r in records)
    for _, r in records:
        kind, p = r.get("type"), r.get("payload") if isinstance(r.get("payload"), dict) else {}
        if bare and not r.get("record_type") and ("type" in r or "role" in r):
            kind, p = "response_item", r
        if kind == "response_item" and p.get("type") != "ghost_snapshot":
            array.append(p)
            everything.append(p)
            pool.update(fingerprints([p]))
            life += 1
        elif kind == "compacted":
            compactions += 1
            history = p.get("replacement_history")
            if history is None:
                lead = next((i for i, x in enumerate(array) if item_role(x) == "model"), len(array))
                history = array[:lead] + [x for x in array[lead:] if item_role(x) == "user"] + [{"role": "user", "content": p.get("message")}]
            array = [x for x in history if x.get("type") != "ghost_snapshot"]
            fresh = collections.Counter(fingerprints(array)) - pool
            life, pool = life + fresh.total(), pool + fresh
        elif kind == "event_msg" and p.get("type") == "token_count" and isinstance(p.get("info"), dict):
            total = json.dumps(p["info"].get("total_token_usage"), sort_keys=True)
            calls += total not in totals
            totals.add(total)
        elif kind == "event_msg" and p.get("type") == "thread_rolled_back":
            typed = [i for i, x in enumerate(array) if item_role(x) == "user"
                     and not "".join(b.get("text") or "" for b in blocks(plain(x))).lstrip().startswith(HARNESS)]
            n = p.get("num_turns") or 0
            array = array[:(typed[:1] * n + typed)[-n]] if n and typed else array
    return row("codex", len(array), life, calls or derived_item_calls(everything), compactions, 0, damaged)


def recording(bodies, key, form, damaged):
    """requests in order -> threads; the main thread's last array, union of arrays, calls, compactions"""
    threads = []
    for body in bodies:
        array = body.get(key)
        if not isinstance(array, list) or key == "messages" and "max_tokens" not in body or body.get("generate") is False:
            continue
        prints, system = fingerprints(array), body.get("system", body.get("instructions"))
        if isinstance(system, list):
            system = fingerprints(b for b in system if not b.get("text", "").startswith("x-anthropic-billing-header"))
        home = next((t for t in threads if prints and t["last"][:1] == prints[:1]), None) \
            or next((t for t in threads if body.get("tools") and t["tools"] and t["system"] == system), None)
        if home is None:
            home = {"calls": 0, "life": collections.Counter(), "last": [], "compactions": 0, "system": system, "tools": bool(body.get("tools"))}
            threads.append(home)
        marks = {p for p, x in zip(prints, array) if x.get("type") == "compaction"}
        if home["calls"] and (home["last"][:1] != prints[:1] or marks - home["life"].keys()):
            home["compactions"] += 1
        home["calls"] += 1
        home["life"] |= collections.Counter(prints)
        home["last"] = prints
    main = max(threads, key=lambda t: t["calls"], default=None)
    return main and row(form, len(main["last"]), main["life"].total(), main["calls"], main["compactions"], len(threads) - 1, damaged)


# pi

PI_SKIPS_STOPPED = "2026-01-19"                   # from this day on an aborted or failed response is not sent again


def pi_slots(entry):
    """the slots that an entry brings: 1 or 0"""
    if entry.get("type") == "custom_message":
        return int(bool(entry.get("content")))
    if entry.get("type") in ("branch_summary", "compaction"):
        return int(entry.get("type") == "compaction" or bool(entry.get("summary")))
    m = entry.get("message") if entry.get("type") == "message" else None
    if not isinstance(m, dict):
        return 0
    if m.get("role") == "bashExecution":
        return int(not m.get("excludeFromContext") and bool(m.get("command") or m.get("output")))
    if m.get("role") in ("toolResult", "branchSummary", "compactionSummary"):
        return 1
    parts = m.get("content") or []
    said = isinstance(parts, str) or any(p.get("type") != "thinking" or p.get("thinking") or p.get("thinkingSignature") for p in parts)
    return int(bool(parts) and said and m.get("role") in ("user", "assistant", "custom", "hookMessage"))


def pi(records, damaged):
    entries, known, previous = [], {}, None
    for place, (_, r) in enumerate(records):
        if not r or r.get("id") in known:
            continue
        key = r["id"] if "parentId" in r else place
        parent = (r["parentId"] if r["parentId"] in known or r["parentId"] is None else previous) if "parentId" in r else previous
        known[key], previous = (r, parent, place), key
        entries.append(key)

    def walk(key):                                # from the root to an entry
        path = []
        while key is not None:
            path.append(key)
            key = known[key][1]
        return path[::-1]

    answered = {(r[0].get("message") or {}).get("toolCallId") for r in known.values()}

    def skipped(key):
        m = known[key][0].get("message") or {}
        stopped = m.get("role") == "assistant" and m.get("stopReason") in ("aborted", "error")
        return stopped and known[key][0].get("timestamp", "") >= PI_SKIPS_STOPPED

    def sent(key):
        m = known[key][0].get("message") or {}
        stopped = m.get("role") == "assistant" and m.get("stopReason") in ("aborted", "error")
        if not stopped:
            return pi_slots(known[key][0])
        # its text is sent again, but no call that nothing answered
        kept = [part for part in m["content"] if part.get("type") != "toolCall" or part.get("id") in answered]
        return pi_slots(known[key][0]) if kept and not skipped(key) else 0

    path = walk(previous)
    last = max((i for i, key in enumerate(path) if known[key][0].get("type") == "compaction"), default=None)
    end = [key for key in path if known[key][0].get("type") != "compaction"]
    if last is not None:
        r = known[path[last]][0]
        first = [i for i, key in enumerate(path[:last])
                 if (key == r["firstKeptEntryId"] if "firstKeptEntryId" in r else known[key][2] == r.get("firstKeptEntryIndex"))]
        kept = path[first[0]:last] if first else []
        end = [key for key in kept if known[key][0].get("type") != "compaction"] + path[last + 1:]
    answers = [known[key][0] for key in entries if (known[key][0].get("message") or {}).get("role") == "assistant"]
    calls = sum(1 for r in answers if pi_slots(r) or sum((r["message"].get("usage") or {}).get(k, 0) for k in ("input", "cacheRead", "cacheWrite")))
    marks = sum(known[key][0].get("type") in ("compaction", "branch_summary") for key in entries)
    life = sum(pi_slots(known[key][0]) for key in entries)
    stopped = sum(pi_slots(known[key][0]) for key in entries if skipped(key))
    return row("pi", sum(map(sent, end)) + (last is not None), life - stopped, calls, marks, 0, damaged)


# single documents

def messages_row(array, form, assistant, damaged=(), compactions=0):
    return row(form, len(array), len(array), sum(assistant in (m.get("role"), m.get("type")) for m in array), compactions, 0, damaged)


def items_row(items, damaged=()):
    return row("openai-responses", len(items), len(items), derived_item_calls(items), damaged=damaged)


def langchain(array, damaged=()):
    """flat, messages_to_dict and lc:1 messages, brought to the flat form"""
    flat = [{**(m.get("kwargs") or m.get("data") or m), "type": m["id"][-1] if m.get("lc") else m.get("type", "")} for m in array]
    for m in flat:
        m["type"] = m["type"].replace("Chunk", "").replace("Message", "").lower()
    flat = [m for m in flat if m["type"] != "remove"]
    marks = [(m.get("additional_kwargs") or {}).get("lc_source") == "summarization" for m in flat]
    return messages_row(flat, "langchain", "ai", damaged, sum(marks))


def gemini_chat(value):
    """A user record is a slot, a response another, the results in its record a third. Calls without text, thoughts and
    usage belong to the response before them, if that has no calls."""
    slots = calls = 0
    is_open = False
    for m in value["messages"]:
        if m.get("type") not in ("user", "gemini"):
            continue
        tools = m.get("toolCalls") or []
        usage = (m.get("tokens") or {}).get("input")
        joins = is_open and tools and not usage and not m.get("content") and not m.get("thoughts")
        is_response = m["type"] == "gemini"
        slots += (not joins) + any(t.get("result") for t in tools)
        calls += is_response and not joins
        is_open = is_response and not tools
    return row("gemini-cli", slots, slots, calls)


def document(value, damaged=()):
    """one JSON value -> rows"""
    if isinstance(value, list):
        return document_array(value, damaged)
    if {"sessionId", "projectHash", "messages"} <= value.keys():
        return [gemini_chat(value)]
    if "traceId" in value and "spans" in value:
        models = [s["attributes"] for s in value["spans"].values() if s["attributes"].get("genkit:metadata:subtype") == "model"]
        given, out = (json.loads(models[-1].get(f"genkit:{k}") or "{}") if models else {} for k in ("input", "output"))
        answer = out.get("message") or next((c["message"] for c in out.get("candidates") or []), None)
        return [messages_row(given.get("messages", []) + [answer] * bool(answer), "genkit", "model")]
    if "session" in value and "items" in value:
        return [codex([(0, x) for x in value["items"]], damaged)]
    items = value.get("data") if value.get("object") == "list" else value.get("input")
    if items is not None and (value.get("object") == "list" or "instructions" in value or "model" in value):
        return [items_row(items if isinstance(items, list) else [{"role": "user", "content": items}], damaged)]
    inner = value.get("values") or value.get("channel_values") or value
    array = inner.get("messages") if isinstance(inner, dict) else None
    response = value.get("response") if isinstance(value.get("response"), dict) else {}
    answers = [c["message"] for c in (response.get("choices") or [])[:1] if c.get("message")]
    anthropic = {"system", "max_tokens", "thinking"} & value.keys() or "input_schema" in ((value.get("tools") or [{}])[0])
    return document_array(array + answers, damaged, anthropic) if isinstance(array, list) else []


def document_array(array, damaged=(), anthropic=False):
    array = [m for m in array if isinstance(m, dict)]
    parts = [b for m in array for b in blocks(m)]
    kinds, roles = {b.get("type") for b in parts}, {m.get("role") for m in array}
    if any(m.get("lc") and m.get("type") == "constructor" or m.get("type") in LC_TYPES and ("data" in m or "content" in m) for m in array):
        return [langchain(array, damaged)]
    if array and all(isinstance(m.get("traj"), list) for m in array):
        return [messages_row(m["traj"], "openai-chat", "assistant") for m in array]
    if any("type" not in b and {"toolRequest", "toolResponse", "text", "media", "reasoning", "data", "custom"} & b.keys() for b in parts):
        return [messages_row(array, "genkit", "model", damaged)]
    if all(isinstance(m, dict) and isinstance(m.get("parts"), list) for m in array):
        return [messages_row(array, "gemini-contents", "model", damaged)]
    if any(m.get("type") in MODEL_ITEMS | {"function_call_output"} for m in array) or kinds & {"input_text", "output_text"}:
        return [items_row(array, damaged)]
    if "tool" not in roles and (anthropic or kinds & {"tool_use", "tool_result", "thinking"}):
        return [messages_row(array, "anthropic-request", "assistant", damaged)]
    return [messages_row(array, "openai-chat", "assistant", damaged)] if array and None not in roles else []


def salvage(text):
    """the whole messages of a document that ends too early"""
    start, out, decoder = text.find('"messages"'), [], json.JSONDecoder()
    at = start >= 0 and text.find("[", start) + 1
    while at:
        try:
            value, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip(" \t\r\n,")))
        except ValueError:
            break
        out.append(value)
    return out


def count(path):
    """-> rows of one file (none: a format that this script does not read)"""
    if rows := harness_logs.slot_rows(path):
        return rows
    archive = count_agents.zipfile.is_zipfile(path)
    text = "" if archive else read_text(path)
    try:
        whole = count_agents.archived(path) if archive else json.loads(text)
        records, damaged = [(1, whole)] if isinstance(whole, dict) else [], set()
    except (ValueError, RecursionError):
        whole, (records, damaged) = None, json_objects(text)
    agents = [row(r["format"], r["slots_end"], r["slots_life"], r["calls"], r["compactions"], r["threads"], damaged)
              for r in count_agents.count(whole if whole is not None else [r for _, r in records])]
    if agents:
        return agents
    heads = [r for _, r in records if r][:200]
    types = {r.get("type") for r in heads if isinstance(r.get("type"), str)}
    if any("payload" in r and r.get("type") in ("session_meta", "response_item", "event_msg", "turn_context", "compacted") for r in heads) \
            or any(r.get("record_type") == "state" or {"id", "timestamp", "instructions"} <= r.keys() and "type" not in r for r in heads[:3]):
        return [codex(records, damaged)]
    if any(r.get("type") == "session" and "cwd" in r for r in heads) or any("firstKeptEntryId" in r for r in heads) \
            or any(isinstance(r.get("message"), dict) and r["message"].get("role") in ("toolResult", "bashExecution") for r in heads):
        return [pi(records, damaged)]
    if any("parentUuid" in r or {"sessionId", "uuid", "message"} <= r.keys() for r in heads) or types & {"file-history-snapshot", "queue-operation"}:
        return [claude(records, damaged)]
    if "system" in types and any(r.get("subtype") == "init" or isinstance(r.get("message"), dict) and r["message"].get("subtype") == "init"
                                 for r in heads):
        return [claude_stream(records, damaged)]
    if whole is not None:
        return document(whole)
    bodies = [r for r in heads if "messages" in r or "input" in r]
    if bodies and len(bodies) > len(heads) / 2:
        everything = [r for _, r in records]
        key, form = ("messages", "anthropic-recording") if "messages" in bodies[0] else ("input", "responses-recording")
        return list(filter(None, [recording(everything, key, form, damaged)]))
    rest = salvage(text)
    return document_array(rest, {text.count("\n") + 1}) if rest else []


FOLDERS = ("aider", "anthropic-api", "atif", "claude-code", "claude-sdk-stream", "cline-roo", "codex", "copilot", "crush", "gemini-cli", "gemini-contents",
           "genkit", "goose", "inspect", "langchain", "malformed-derived", "mini-swe-agent", "openai-chat", "opencode-go", "openai-responses", "openhands",
           "other-antigravity", "other-cursor", "other-droid", "other-grok", "other-kimi", "other-kiro", "other-qwen", "pi", "swe-agent")
COLUMNS = ("format", "slots_end", "slots_life", "calls", "compactions", "threads", "damaged")


def main(arguments):
    if arguments[:1] == ["--evidence"] and len(arguments) == 2:
        import evidence
        return evidence.report(arguments[1])
    paths = [a for a in arguments if a != "--json"]
    if paths[:1] == ["--corpus"] and len(paths) == 2:
        os.chdir(paths[1])
        paths = sorted(os.path.join(at, name) for folder in FOLDERS for at, _, names in os.walk(folder) for name in names)
    if not paths or any(a.startswith("--") for a in paths):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    rows = []
    for path in paths:
        found = count(path)
        rows += [{"file": path + (f"#{i}" if len(found) > 1 else ""), **r} for i, r in enumerate(found)]
    if "--json" in arguments:
        print(json.dumps(rows, indent=1))
    else:
        print(*("file",) + COLUMNS, sep="\t")
        for r in rows:
            print(r["file"], *(r[c] for c in COLUMNS), sep="\t")


sys.setrecursionlimit(20000)                      # nesting is data here, too
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
