# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The malformed fixtures of tests/samples/malformed: small files, each with one kind of damage or one odd but legal shape.

files() -> name to bytes, EXPECTED.tsv among them: file, format (- if nothing is usable), slots of the array at the end, numbers of
the damaged lines (- if none), what it tests. The words are those of tests/independent/count_slots.py: glued records, NUL runs, BOM,
CR LF, invalid UTF-8, unknown parents and unknown types are read around and damage nothing; a line is damaged if something of it
is lost. Two shapes of LangChain messages and the older eras of Codex stand here because the corpus has no sample of them.
"""

import json

def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def user(uid, parent, content, **more):
    return record("user", uid, parent, {"role": "user", "content": content}, **more)


def assistant(uid, parent, message_id, *content, output=40, **more):
    usage = {"input_tokens": 4, "cache_creation_input_tokens": 900, "cache_read_input_tokens": 12000, "output_tokens": output}
    message = {"model": "claude-sonnet-4-5-20250929", "id": message_id, "type": "message", "role": "assistant",
               "content": [text(c) if isinstance(c, str) else c for c in content], "stop_reason": None, "usage": usage}
    return record("assistant", uid, parent, message | more.pop("message", {}), **more)


def record(kind, uid, parent, message=None, **more):
    out = {"parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/home/user/project", "sessionId": "s1",
           "version": "2.1.42", "type": kind, "uuid": uid, "timestamp": "2026-03-09T08:14:02.318Z"}
    return out | ({"message": message} if message else {}) | more


def text(words):
    return {"type": "text", "text": words}


def tool(ref, **arguments):
    return {"type": "tool_use", "id": ref, "name": "Bash", "input": arguments or {"command": "ls"}}


def result(ref, words="a.txt"):
    return [{"type": "tool_result", "tool_use_id": ref, "content": words}]


TALK = [user("u1", None, "List the files."), assistant("a1", "u1", "m1", "I list them.", tool("t1")),
        user("u2", "a1", result("t1")), assistant("a2", "u2", "m2", "There is one: a.txt.")]


def lines(*records, end="\n"):
    return "".join((r if isinstance(r, str) else dump(r)) + end for r in records).encode()


def deep(levels):
    return '{"a":' * levels + "1" + "}" * levels


def claude():
    u1, a1, u2, a2 = TALK
    d1, d2, d3, d4 = map(dump, TALK)
    exit_ = "<command-name>/exit</command-name>"
    more = [user("u3", "a2", "And their sizes?"), assistant("a3", "u3", "m3", "One byte.")]
    boundary = record("system", "b1", None, subtype="compact_boundary", logicalParentUuid="gone", content="Conversation compacted",
                      compactMetadata={"trigger": "auto", "preTokens": 155000})
    summary = user("s1", "b1", "This session is being continued from a previous conversation: the files were listed.",
                   isCompactSummary=True, isVisibleInTranscriptOnly=True)
    progress = record("progress", "p1", "a1", data={"type": "bash_progress", "output": "a"}, toolUseID="t1", parentToolUseID="t1")
    system = record("system", "y1", "a2", subtype="turn_duration", durationMs=900)
    attachment = record("attachment", "x1", "y1", attachment={"type": "todo_reminder", "content": []})
    parallel = [assistant(f"p{n}", f"p{n - 1}" if n > 1 else "u1", "m1", tool(f"t{n}")) for n in (1, 2, 3)]
    results = [user(f"r{n}", f"p{n}", result(f"t{n}")) for n in (1, 2, 3)]
    unknown = [{"type": "ai-title", "title": "Files", "sessionId": "s1"}, record("hologram", "h1", "a2", beam={"on": True}),
               {"type": ["not", "a", "string"], "n": 1}, {"type": None}, user("u3", "h1", [{"type": "hologram", "beam": 1}])]
    return {
        "claude-plain.jsonl": (lines(*TALK), 4, [], "nothing is wrong: the run that most of these files damage"),
        "claude-cut-last-line.jsonl": (lines(*TALK, d2[:150])[:-1], 4, [5], "the last record is cut: a writer that still runs, or crashed"),
        "claude-cut-mid-file.jsonl": (lines(u1, a1, d3[:-40], a2, *more), 5, [3], "a record cut in the middle of the file; its child's parent is unknown"),
        "claude-cut-then-whole.jsonl": (lines(u1, a1, d3[:120] + d3, a2), 4, [3], "a cut record and, on the same line, the same record whole"),
        "claude-glued.jsonl": (lines(u1, d2 + d3, a2), 4, [], "two records on one line"),
        "claude-glued-three.jsonl": (lines(d1 + " " + d2 + "\t" + d3 + d4), 4, [], "four records on one line, some with blanks between"),
        "claude-nul-runs.jsonl": (lines(u1, "\0" * 64, "\0" * 512 + d2, d3[:40] + "\0" * 33 + d3[40:], a2) + b"\0" * 4096, 4, [],
                                  "NUL runs: a line of their own, before a record, inside one, at the end of the file"),
        "claude-unknown-types.jsonl": (lines(*TALK, *unknown), 5, [], "unknown record types (one in the chain), a type that is no string, an unknown block"),
        "claude-empty-objects.jsonl": (lines("{}", u1, "{}", "", a1, "   ", u2, a2, "{}"), 4, [], "{} lines, empty and blank lines"),
        "claude-bom.jsonl": (b"\xef\xbb\xbf" + lines(*TALK), 4, [], "a byte order mark before the first record"),
        "claude-crlf.jsonl": (lines(*TALK, end="\r\n"), 4, [], "lines end with CR LF"),
        "claude-no-newline.jsonl": (lines(u1)[:-1], 1, [], "one record, no newline: the whole file is one JSON value"),
        "claude-invalid-utf8.jsonl": (lines(user("u1", None, "byte FF: @1, half an e acute: @2, a surrogate: @3"), a1, u2, a2)
                                      .replace(b"@1", b"\xff").replace(b"@2", b"\xc3").replace(b"@3", b"\xed\xa0\xbd"), 4, [], "invalid UTF-8 inside a string"),
        "claude-lone-surrogates.jsonl": (lines(user("u1", None, "high @1, low @2, the wrong way round @2@1, a pair @1@2"), a1, u2, a2)
                                         .replace(b"@1", b"\\ud83d").replace(b"@2", b"\\ude00"), 4, [], "escapes of lone surrogates"),
        "claude-line-separators.jsonl": (lines(user("u1", None, "U+2028 \u2028 U+2029 \u2029 U+0085 \u0085 end"), a1, u2, a2), 4, [],
                                         "raw U+2028, U+2029 and U+0085 in a string end no line"),
        "claude-deep-nesting.jsonl": (lines(u1, dump(assistant("a1", "u1", "m1", tool("t1", x="@"))).replace('"@"', deep(1000)), u2, a2), 4, [],
                                      "tool arguments nested 1,000 levels deep"),
        "claude-not-objects.jsonl": (lines('"massive error"', u1, "42", a1, "[1]", u2, record("user", "e1", "u2") | {"message": "error"}, a2), 4, [1, 3, 5, 7],
                                     "values that are no objects, and a user record whose message is a string"),
        "claude-duplicate-uuids.jsonl": (lines(*TALK, *(r | {"sessionId": "s2"} for r in TALK), user("a2", "u2", "not the first a2"), *more), 6, [],
                                         "a resumed session copies records with their uuids: the first of one uuid counts"),
        "claude-progress-chain.jsonl": (lines(u1, a1, progress, user("u2", "p1", result("t1")), a2, system, attachment, user("u3", "x1", "And?"), more[1]),
                                        6, [], "the parent chain runs through progress, system and attachment records"),
        "claude-parent-cycle.jsonl": (lines(u1 | {"parentUuid": "a1"}, a1, u2, a2), 4, [], "a parent cycle: u1 -> a1 -> u1"),
        "claude-own-parent.jsonl": (lines(u1 | {"parentUuid": "u1"}, a1, u2, a2), 4, [], "a record that is its own parent"),
        "claude-missing-parent.jsonl": (lines(*TALK, user("u3", "lost", "And their sizes?"), more[1]), 6, [],
                                        "a parent that is not in the file: the chain goes on with the record before"),
        "claude-head-cut-off.jsonl": (lines(user("u1", "lost", "List the files."), a1, u2, a2), 4, [], "the first record's parent is in another file"),
        "claude-all-roots.jsonl": (lines(*(r | {"parentUuid": None} for r in TALK)), 4, [], "every parentUuid is null: the order of the file is the chain"),
        "claude-no-parent-member.jsonl": (lines(*({k: v for k, v in r.items() if k != "parentUuid"} for r in TALK)), 4, [], "records without parentUuid"),
        "claude-branch.jsonl": (lines(*TALK, *more, user("u4", "a2", "No: who owns them?"), assistant("a4", "u4", "m4", "You do.")), 6, [],
                                "an edited prompt: two records of the first try are no longer in the array"),
        "claude-parallel-results.jsonl": (lines(u1, *parallel, *results, assistant("a9", "r3", "m2", "Three lists.")), 4, [],
                                          "parallel results chain off different lines of one response: no branches, one slot"),
        "claude-noncontiguous-response.jsonl": (lines(u1, parallel[0], results[0], parallel[1] | {"parentUuid": "r1"}, results[1], assistant("a9", "r2", "m2", "Two.")),
                                                4, [], "the records of one response do not stand together"),
        "claude-disagreeing-usage.jsonl": (lines(u1, assistant("a1", "u1", "m1", "I list", output=1), assistant("a1b", "a1", "m1", tool("t1"), output=57),
                                                 u2 | {"parentUuid": "a1b"}, a2), 4, [], "repeated usage disagrees: 57 output tokens for the first call, 2 calls"),
        "claude-compaction.jsonl": (lines(*TALK, boundary, summary, assistant("a3", "s1", "m3", "On it.")), 2, [],
                                    "a compaction whose logical parent is unknown: summary and answer"),
        "claude-microcompact.jsonl": (lines(u1, a1, u2, record("system", "k1", "u2", subtype="microcompact_boundary", microcompactMetadata={
            "trigger": "auto", "preTokens": 90000, "tokensSaved": 20000, "compactedToolIds": ["t1"], "clearedAttachmentUUIDs": []}), a2 | {"parentUuid": "k1"}),
            4, [], "a microcompact boundary breaks no chain"),
        "claude-errors-and-exit.jsonl": (lines(u1, assistant("e1", "u1", "x1", "API Error: 529", isApiErrorMessage=True, message={"model": "<synthetic>"}),
                                               user("u2", "e1", "again"), assistant("a2", "u2", "m2", "Here."), user("u3", "a2", exit_),
                                               assistant("n1", "u3", "x2", "No response requested.", message={"model": "<synthetic>"}),
                                               user("u4", "n1", "go on"), assistant("a4", "u4", "m4", "Yes.")), 6, [],
                                         "an API error is no slot, so two prompts merge; No response requested is a slot but no call: 2 calls"),
        "claude-sidechain.jsonl": (lines(u1, a1, user("q1", None, "You are a subagent.", isSidechain=True), assistant("q2", "q1", "mq", "Done.", isSidechain=True), u2, a2),
                                   4, [], "a subagent's records in the same file: one other thread"),
    }


def codex():
    def wrapped(kind, **payload):
        return {"timestamp": "2026-03-09T08:14:02.318Z", "type": kind, "payload": payload}

    def item(**payload):
        return wrapped("response_item", **payload)

    def message(role, words):
        return {"type": "message", "role": role, "content": [{"type": "output_text" if role == "assistant" else "input_text", "text": words}]}

    def call(ref):
        return [{"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": ref},
                {"type": "function_call_output", "call_id": ref, "output": '{"output":"a.txt\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}'}]

    def tokens(total):
        usage = {"input_tokens": total - 40, "cached_input_tokens": 0, "output_tokens": 40, "reasoning_output_tokens": 0, "total_tokens": total}
        return wrapped("event_msg", type="token_count", info={"total_token_usage": usage, "last_token_usage": usage, "model_context_window": 272000})

    def items(*payloads):
        return [item(**p) for p in payloads]

    def meta(name, **more):
        return wrapped("session_meta", id=name, timestamp="2026-03-09T08:14:02.318Z", cwd="/home/user/project", cli_version="0.79.0", **more)

    thought = {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "gAAAAA"}
    ghost = {"type": "ghost_snapshot", "ghost_commit": {"id": "0d9e41c7"}}
    environment, first, second = message("user", "<environment_context>\n  <cwd>/home/user/project</cwd>\n</environment_context>"), \
        message("user", "List the files."), message("user", "And their sizes?")
    turn = [environment, first, thought, *call("c1"), message("assistant", "There is one: a.txt.")]      # 6 items
    head, context = meta("s1"), wrapped("turn_context", cwd="/home/user/project", model="gpt-5.1-codex")
    bare = {"id": "s1", "timestamp": "2025-08-20T08:14:02.318Z", "instructions": None, "git": {"branch": "main"}}
    two = [second, message("assistant", "One byte.")]
    return {
        "codex-plain.jsonl": (lines(head, context, *items(*turn), wrapped("event_msg", type="agent_message", message="There is one: a.txt."), *items(ghost)),
                              6, [], "nothing is wrong: event_msg and ghost_snapshot are no items of the array"),
        "codex-cut-last-line.jsonl": (lines(head, *items(*turn), dump(item(**second))[:90])[:-1], 6, [8], "the last record is cut"),
        "codex-rollback.jsonl": (lines(head, *items(*turn, *two), wrapped("event_msg", type="thread_rolled_back", num_turns=1),
                                       *items(message("user", "Who owns them?"), message("assistant", "You do."))), 8, [], "a rollback drops the last turn"),
        "codex-rollback-too-far.jsonl": (lines(head, *items(*turn, *two), wrapped("event_msg", type="thread_rolled_back", num_turns=9), *items(*two)), 3, [],
                                         "a rollback of more turns than there are keeps what stands before the first"),
        "codex-replacement-history.jsonl": (lines(head, *items(*turn), wrapped("compacted", message="", replacement_history=[
            first, message("user", "Summary: there is one file."), ghost]), *items(*two, *call("c2"))), 6, [],
            "replacement_history (with a ghost_snapshot in it) replaces everything before; slots of the whole life: 11"),
        "codex-compacted-twice.jsonl": (lines(head, *items(*turn), wrapped("compacted", message="", replacement_history=[
            first, {"type": "compaction", "encrypted_content": "gAAAAB"}]), *items(*two), wrapped("compacted", message="", replacement_history=[
                first, second, {"type": "compaction", "encrypted_content": "gAAAAC"}])), 3, [], "two compactions, opaque; slots of the whole life: 10"),
        "codex-compacted-without-history.jsonl": (lines(head, *items(*turn, *two), wrapped("compacted", message="One file of one byte."),
                                                        *items(message("assistant", "On it."))), 5, [],
                                                  "compacted without replacement_history: initial context, user messages, the summary; then an answer"),
        "codex-bare-era.jsonl": (lines(bare, {"record_type": "state"}, *turn, {"record_type": "state"}, *two), 8, [], "era B: header, bare items, state lines"),
        "codex-era-a.json": (dump({"session": {k: bare[k] for k in ("id", "timestamp", "instructions")}, "items": turn}).encode(), 6, [], "era A: one JSON document"),
        "codex-duplicate-session-meta.jsonl": (lines(meta("s2", forked_from_id="s1"), head, *items(*turn), context, meta("s2"), *items(*two)), 8, [],
                                               "a fork: its own session_meta, then the parent's, then one more from a resume"),
        "codex-header-only.jsonl": (lines(head, *items(environment)), 1, [], "an aborted start: header and environment"),
        "codex-repeated-token-count.jsonl": (lines(head, *items(*turn[:3]), tokens(900), tokens(900), *items(*turn[3:]), tokens(1900),
                                                   wrapped("event_msg", type="token_count", info=None), tokens(1900)), 6, [],
                                             "token_count repeated and null: 2 calls"),
        "codex-call-without-output.jsonl": (lines(head, *items(*turn, *call("c2")[:1])), 7, [], "a crash between call and output"),
    }


def pi():
    def entry(kind, uid, parent, **more):
        return {"type": kind, "id": uid, "parentId": parent, "timestamp": "2026-03-09T08:14:02.318Z"} | more

    def said(uid, parent, role, content, **more):
        return entry("message", uid, parent, message={"role": role, "content": content, "timestamp": 1773044042318} | more)

    def answer(uid, parent, *content, stop="stop", read=0, written=900):
        usage = {"input": 4, "output": 40, "cacheRead": read, "cacheWrite": written, "totalTokens": 44 + read + written,
                 "cost": {"input": 0.00002, "output": 0.001, "cacheRead": 0, "cacheWrite": 0.005625, "total": 0.006645}}
        return said(uid, parent, "assistant", [text(c) if isinstance(c, str) else c for c in content], api="anthropic-messages",
                    provider="anthropic", model="claude-opus-4-5", usage=usage, stopReason=stop)

    def call(ref):
        return {"type": "toolCall", "id": ref, "name": "bash", "arguments": {"command": "ls"}}

    def output(uid, parent, ref):
        return said(uid, parent, "toolResult", [text("a.txt")], toolCallId=ref, toolName="bash", details={"exit": 0}, isError=False)

    def old(record):
        return {k: v for k, v in record.items() if k not in ("id", "parentId")}

    head = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-03-09T08:14:02.318Z", "cwd": "/home/user/project"}
    model = entry("model_change", "00000001", None, provider="anthropic", modelId="claude-opus-4-5")
    first = said("00000002", "00000001", "user", "List the files.")
    asked = answer("00000003", "00000002", "I list them.", call("t1"), stop="toolUse")
    got, told = output("00000004", "00000003", "t1"), answer("00000005", "00000004", "There is one: a.txt.", read=904, written=60)
    talk = [model, first, asked, got, told]                                                             # 4 slots
    summary = entry("compaction", "00000006", "00000005", summary="One file.", firstKeptEntryId="00000005", tokensBefore=1008)
    more = [said("00000007", "00000006", "user", "And its size?"), answer("00000008", "00000007", "One byte.")]
    place = {k: v for k, v in summary.items() if k != "firstKeptEntryId"} | {"firstKeptEntryIndex": 5}
    return {
        "pi-plain.jsonl": (lines(head, *talk), 4, [], "nothing is wrong"),
        "pi-version-1.jsonl": (lines({k: v for k, v in head.items() if k != "version"} | {"provider": "anthropic", "modelId": "claude-opus-4-5"},
                                     *map(old, talk), old(place), *map(old, more)), 4, [],
                               "no ids: the order is the chain; a compaction that names its first kept record by its place"),
        "pi-compaction.jsonl": (lines(head, *talk, summary, *more), 4, [], "the summary, one kept message, what follows; slots of the whole life: 7"),
        "pi-compaction-keeps-nothing.jsonl": (lines(head, *talk, summary | {"firstKeptEntryId": "ffffffff"}, *more), 3, [],
                                              "a first kept entry that is not on the path keeps nothing"),
        "pi-two-compactions.jsonl": (lines(head, *talk, summary, *more, entry("compaction", "00000009", "00000008", summary="One file of one byte.",
                                     firstKeptEntryId="00000005", tokensBefore=1400)), 4, [], "the second keeps from before the first, without its summary"),
        "pi-branch.jsonl": (lines(head, *talk, said("00000006", "00000001", "user", "Who owns them?"), answer("00000007", "00000006", "You do.")), 2, [],
                            "the person went back: the path to the last entry counts"),
        "pi-branch-summary.jsonl": (lines(head, *talk, entry("branch_summary", "00000006", "00000002", fromId="00000005", summary="It was one file."),
                                          answer("00000007", "00000006", "Yes.")), 3, [], "the branch that was left is told in an entry"),
        "pi-aside.jsonl": (lines(head, *talk, entry("label", "00000006", "00000005", targetId="00000002", label="here"),
                                 entry("custom", "00000007", "00000006", customType="x", data={"role": "user"}),
                                 entry("custom_message", "00000008", "00000007", customType="x", content="By an extension.", display=True, details={"n": 1}),
                                 entry("message", "00000009", "00000008", message={"role": "bashExecution", "command": "ls", "output": "a.txt", "exitCode": 0}),
                                 entry("message", "0000000a", "00000009", message={"role": "bashExecution", "command": "pwd", "output": "/", "exitCode": 0,
                                                                                  "excludeFromContext": True}),
                                 entry("session_info", "0000000b", "0000000a", name="Files"), entry("news", "0000000c", "0000000b", n=1)), 6, [],
                           "what is no message, messages of extensions, commands of the person, one kept out of the context, an unknown type"),
        "pi-stopped.jsonl": (lines(head, *talk, said("00000006", "00000005", "user", "Go on."), answer("00000007", "00000006", "I w", stop="aborted"),
                                   answer("00000008", "00000007", stop="error", written=0) | {}, said("00000009", "00000008", "user", "Now.")), 6, [],
                             "an aborted and a failed response: neither is sent again"),
        "pi-cut-last-line.jsonl": (lines(head, *talk, dump(more[0])[:90])[:-1], 4, [7], "the last record is cut"),
        "pi-glued.jsonl": (lines(head, *talk[:2], dump(talk[2]) + dump(talk[3]), talk[4]), 4, [], "two records on one line"),
        "pi-missing-parent.jsonl": (lines(head, *talk[:2], got | {"parentId": "eeeeeeee"}, told), 3, [], "a record whose parent is not there follows the one before it"),
        "pi-no-header.jsonl": (lines(*talk[1:]), 4, [], "the head is cut off: known by its messages"),
        "pi-copies.jsonl": (lines(head, *talk, *talk[3:]), 4, [], "records that stand twice"),
    }


def others():
    flat = [{"content": "List the files.", "additional_kwargs": {}, "response_metadata": {}, "type": "human", "id": "h1"},
            {"content": "", "additional_kwargs": {}, "response_metadata": {}, "type": "ai", "id": "ai1",
             "tool_calls": [{"name": "ls", "args": {}, "id": "t1", "type": "tool_call"}], "invalid_tool_calls": []},
            {"content": "a.txt", "additional_kwargs": {}, "response_metadata": {}, "type": "tool", "id": "to1", "tool_call_id": "t1",
             "status": "success", "artifact": {"rows": [1, 2, 3]}},
            {"content": "There is one: a.txt.", "additional_kwargs": {}, "response_metadata": {}, "type": "ai", "id": "ai2"}]
    names = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    state = json.dumps({"messages": flat, "todos": [], "files": {"/notes.md": "x"}}, indent=2)
    bodies = [{"model": "m", "max_tokens": 64, "messages": [{"role": "user", "content": "a"}]}, {},
              {"model": "m", "max_tokens": 64, "messages": [{"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
                                                            {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]},
              {"model": "m", "messages": [{"role": "user", "content": "how many tokens?"}], "tools": []}]
    chat = [{"role": "user", "content": "List the files."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "ls", "arguments": '{"path": "/ho'}}]},
            {"role": "tool", "tool_call_id": "t1", "content": "invalid arguments"}]
    return {
        "empty.jsonl": (b"", "-", 0, [], "no bytes at all: nothing usable"),
        "whitespace.jsonl": (b" \n\n\t\r\n  \n", "-", 0, [], "nothing but blanks and newlines: nothing usable"),
        "not-json.jsonl": (b"Traceback (most recent call last):\n  nothing here is JSON\n", "-", 0, [1, 2], "text that is no JSON: nothing usable"),
        "anthropic-recording-gaps.jsonl": (lines(*bodies, dump(bodies[2])[:60])[:-1], "anthropic-recording", 3, [5],
                                           "requests with a {} line, a moved cache mark (the same message), a count_tokens body and a cut last line: 2 calls"),
        "langchain-flat.json": (state.encode(), "langchain", 4, [], "Deep Agents state: flat messages, an artifact that is not context"),
        "langchain-dict.json": (dump([{"type": m["type"], "data": m} for m in flat]).encode(), "langchain", 4, [], "messages_to_dict"),
        "langchain-lc1.json": (dump([{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", names[m["type"]]],
                                      "kwargs": {k: v for k, v in m.items() if k != "type"}} for m in flat]).encode(), "langchain", 4, [], "dumpd constructors"),
        "langchain-cut.json": (state[:state.index("There is one") + 5].encode(), "langchain", 3, [state[:state.index("There is one")].count("\n") + 1],
                               "a pretty-printed document that ends too early: the whole messages are kept"),
        "openai-chat-bad-arguments.json": (dump({"model": "m", "messages": chat}).encode(), "openai-chat", 3, [], "tool arguments that are no JSON"),
    }


def files():
    made = {name: (data, "claude-code", slots, damaged, what) for name, (data, slots, damaged, what) in claude().items()}
    made |= {name: (data, "codex", slots, damaged, what) for name, (data, slots, damaged, what) in codex().items()}
    made |= {name: (data, "pi", slots, damaged, what) for name, (data, slots, damaged, what) in pi().items()}
    made |= others()
    table = ["file\tformat\tslots_end\tdamaged_lines\twhat"]
    table += [f"{name}\t{form}\t{slots}\t{','.join(map(str, damaged)) or '-'}\t{what}" for name, (_, form, slots, damaged, what) in sorted(made.items())]
    return {name: row[0] for name, row in made.items()} | {"EXPECTED.tsv": ("\n".join(table) + "\n").encode()}
