#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Write the bundled samples and the malformed fixtures.

    make_samples.py            write resources/samples/*, resources/manual/session.jsonl and tests/samples/malformed/*
    make_samples.py --runs DIR write twelve runs like resources/manual/session.jsonl, for pictures of many sessions
    make_samples.py --check    change nothing; fail if a committed file differs or a size is not that of the table

The run is one small bug fix: read a parser and its tests, run the tests, edit, write a module, run them again, answer a
question. It is told three times: as Genkit messages (21 slots of exactly the published sizes), as a Claude Code session
(18 slots: there a tool result and the text that follows it are one user message, and a file's text stands in the result) and
as a Codex rollout (22 items). Its texts stand in run/; the code in them is real: the two pytest outputs are those of
run/test_tallybook.py.txt against run/parse.py.txt before and after the edit. Ids and times are fixed: equal input, equal bytes.
"""

import difflib
import json
import sys
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.dont_write_bytecode = True
import make_long  # noqa: E402
import make_malformed  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLES = ROOT / "resources" / "samples"

# The table: what each slot measures before and after the recipe's clip, keep window 6 messages. Texts by their length, a tool
# request by its input as JSON (", ", ": ") plus its name, a tool response by its output; all in code points.
BEFORE = [81, 59, 78, 14521, 49, 79, 6891, 63, 3434, 2553, 25, 14990, 49, 63, 311, 92, 60, 49, 79, 6891, 70]
AFTER = [81, 59, 78, 153, 49, 79, 152, 63, 152, 372, 25, 222, 49, 63, 311, 92, 60, 49, 79, 6891, 70]
TOTALS = (50487, 9149)
TOKENS = 7151                                   # of the texts alone, which is all that the recipe's trigger sees
CUTOFFS = {0: 15, 17560: 16, 17570: 15, 17799: 15, 17800: 14, 200000: 0}      # max_context_tokens -> cutoff; 0: keep 6 messages


def run_text(name):
    return (HERE / "run" / name).read_text(encoding="utf-8").removesuffix("\n")


PARSE, TESTS, LEXER = run_text("parse.py.txt"), run_text("test_tallybook.py.txt"), run_text("lexer.py.txt") + "\n"
OLD, NEW = run_text("edit-old.txt"), run_text("edit-new.txt")
FAIL, PASS = run_text("pytest-fail.txt"), run_text("pytest-pass.txt")
PARSE_PATH, TESTS_PATH, LEXER_PATH = "src/tallybook/parse.py", "tests/test_tallybook.py", "src/tallybook/lexer.py"
PYTEST = "python3 -m pytest tests/test_tallybook.py"
TASK = "Payees that hold an escaped quote are read wrong. Find the reason, and repair it."
SUMMARY = "All 24 tests pass. A lexer now reads the strings, so escaped quotes and backslashes hold up."
QUESTION = "And a semicolon behind an escaped quote? Is that tested too?"
WORKING = "No test for that yet, and strip_comment has the same flaw. Adding one."


# Genkit

def genkit_messages():
    refs = iter(f"call_{n:02d}" for n in range(1, 20))

    def says(role, text):
        return [{"role": role, "content": [{"text": text}]}]

    def call(name, arguments, output, queued=None):
        ref = next(refs)
        return [{"role": "model", "content": [{"toolRequest": {"ref": ref, "name": name, "input": arguments}}]},
                {"role": "tool", "content": [{"toolResponse": {"ref": ref, "name": name, "output": output}}]}] + (queued or [])

    def read(path, text, asked=None):
        body = f'<read_file path="{path}" totalLines="{text.count(chr(10)) + 1}">\n{text}\n</read_file>'
        return call("read_file", {"file_path": asked or path}, f"File {path} read successfully. Content queued as user message.",
                    says("user", body))

    return [*says("user", TASK),
            *read(PARSE_PATH, PARSE, "/workspace/" + PARSE_PATH), *read(TESTS_PATH, TESTS),
            *call("execute", {"command": PYTEST}, FAIL),
            *call("edit_file", {"file_path": PARSE_PATH, "old_string": OLD, "new_string": NEW}, "Replaced 1 occurrence(s)."),
            *call("write_file", {"file_path": LEXER_PATH, "content": LEXER}, f"File {LEXER_PATH} written successfully."),
            *call("execute", {"command": PYTEST}, PASS),
            *says("model", SUMMARY), *says("user", QUESTION),
            *read(TESTS_PATH, TESTS), *says("model", WORKING)]


def size(message):
    (part,) = message["content"]
    if "toolRequest" in part:
        return len(json.dumps(part["toolRequest"]["input"], ensure_ascii=False)) + len(part["toolRequest"]["name"])
    return len(part["text"] if "text" in part else part["toolResponse"]["output"])


def clip(text, cap):
    return text if len(text) <= cap else f"{text[:120].rstrip()}…[truncated] ({len(text):,} chars total)"


def clipped(message):
    """the recipe's clip of a message before the keep window"""
    message = json.loads(json.dumps(message))
    for part in message["content"]:
        if "toolRequest" in part:
            arguments = part["toolRequest"]["input"]
            for key in ("code", "command", "content", "diff", "new_string", "old_string", "patch"):
                if isinstance(arguments.get(key), str):
                    arguments[key] = clip(arguments[key], 400)
        elif "toolResponse" in part:
            part["toolResponse"]["output"] = clip(part["toolResponse"]["output"], 1500)
        elif "text" in part:
            part["text"] = clip(part["text"], 1500)
    return message


def text_length(message):
    return sum(len(part.get("text", "")) for part in message["content"])


def cutoff(messages, limit):
    if limit <= 0:
        return max(0, len(messages) - 6)
    kept = 0
    for index in range(len(messages) - 1, -1, -1):
        kept += max(1, text_length(messages[index]) // 4)
        if kept >= max(1, int(limit * 0.10)):
            return index
    return 0


def check_sizes(messages):
    """-> sentences, none if the table holds"""
    at = cutoff(messages, 0)
    before = [size(m) for m in messages]
    after = [size(clipped(m) if i < at else m) for i, m in enumerate(messages)]
    wrong = [f"slot [{i}]: {b} -> {a} characters, the table says {tb} -> {ta}"
             for i, (b, a, tb, ta) in enumerate(zip(before, after, BEFORE, AFTER)) if (b, a) != (tb, ta)]
    if (sum(before), sum(after)) != TOTALS or len(messages) != len(BEFORE):
        wrong.append(f"totals {sum(before)} -> {sum(after)}, not {TOTALS}")
    if sum(map(text_length, messages)) // 4 != TOKENS:
        wrong.append(f"texts are {sum(map(text_length, messages)) // 4} tokens, not {TOKENS}")
    wrong += [f"cutoff at {limit} tokens is {cutoff(messages, limit)}, not {want}"
              for limit, want in CUTOFFS.items() if cutoff(messages, limit) != want]
    if PARSE.count(OLD) != 1:
        wrong.append("the edit's old text does not stand exactly once in the parser")
    for name, text in (("parser", PARSE), ("edited parser", PARSE.replace(OLD, NEW)), ("tests", TESTS), ("lexer", LEXER)):
        try:
            compile(text, name, "exec")
        except SyntaxError as problem:
            wrong.append(f"{name}: {problem}")
    return wrong


# what both logs need

PROJECT = "/home/user/project"
LOG_FAIL, LOG_PASS = (text.replace("rootdir: /workspace", f"rootdir: {PROJECT}") for text in (FAIL, PASS))
START = datetime(2026, 3, 9, 8, 14, 2, 318000, tzinfo=timezone.utc)


def stamp(seconds):
    return (START + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def made_id(name):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "palimpsest:sample:" + name))


def tokens_of(value):
    """a plausible count: about 3.3 characters a token"""
    return len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) * 10 // 33 + 6


def lines_of_json(records):
    return "".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in records)


# Claude Code

def claude_code():
    session, records, state = made_id("claude"), [], {"parent": None, "now": 0.0, "cached": 0, "fresh": 4127, "calls": 0}

    def put(kind, seconds, **members):
        state["now"] += seconds
        record = {"parentUuid": state["parent"], "isSidechain": False, "userType": "external", "cwd": PROJECT, "sessionId": session,
                  "version": "2.1.42", "gitBranch": "main", "type": kind, **members,
                  "uuid": made_id(f"claude {len(records)}"), "timestamp": stamp(state["now"])}
        records.append(record)
        state["parent"] = record["uuid"]
        return record["uuid"]

    def typed(text, seconds):
        prompt = made_id(f"claude {len(records) + 1}")
        records.append({"type": "file-history-snapshot", "messageId": prompt,
                        "snapshot": {"messageId": prompt, "trackedFileBackups": {}, "timestamp": stamp(state["now"] + seconds)},
                        "isSnapshotUpdate": False})
        state["fresh"] += tokens_of(text)
        put("user", seconds, message={"role": "user", "content": text}, thinkingMetadata={"maxThinkingTokens": 31999}, todos=[],
            permissionMode="acceptEdits")

    def answers(*content):
        """one response: a line per block, all with its id and usage, of which the early lines hold a partial count"""
        state["calls"] += 1
        number, output = state["calls"], sum(tokens_of(b) for b in content)
        usage = {"input_tokens": 3 if number == 1 else 1, "cache_creation_input_tokens": state["fresh"],
                 "cache_read_input_tokens": state["cached"] or 13986,
                 "cache_creation": {"ephemeral_5m_input_tokens": state["fresh"], "ephemeral_1h_input_tokens": 0}}
        for at, block in enumerate(content):
            last = put("assistant", 2.4 + tokens_of(block) / 71, requestId=f"req_sample{number:02d}",
                       message={"model": "claude-sonnet-4-5-20250929", "id": f"msg_sample{number:02d}", "type": "message", "role": "assistant",
                                "content": [block], "stop_reason": None, "stop_sequence": None,
                                "usage": {**usage, "output_tokens": output if at == len(content) - 1 else 2 + at,
                                          "service_tier": "standard"}})
        state["cached"], state["fresh"] = usage["cache_read_input_tokens"] + usage["cache_creation_input_tokens"], output
        return last

    def text(words):
        return {"type": "text", "text": words}

    def calls(name, arguments, result, structured, seconds, *before, error=False):
        ref = f"toolu_sample{state['calls'] + 1:02d}"
        line = answers(*before, {"type": "tool_use", "id": ref, "name": name, "input": arguments})
        state["fresh"] += tokens_of(result)
        block = {"tool_use_id": ref, "type": "tool_result", "content": result}
        put("user", seconds, message={"role": "user", "content": [{**block, "is_error": error} if error or name == "Bash" else block]},
            toolUseResult=structured, sourceToolAssistantUUID=line)

    def read(path, body, *before):
        lines = body.split("\n")
        calls("Read", {"file_path": f"{PROJECT}/{path}"}, "\n".join(f"{n:6d}→{line}" for n, line in enumerate(lines, 1)),
              {"type": "text", "file": {"filePath": f"{PROJECT}/{path}", "content": body + "\n", "numLines": len(lines), "startLine": 1,
                                        "totalLines": len(lines)}}, 0.2, *before)

    def patch(before, after):
        out = []
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for group in matcher.get_grouped_opcodes(3):
            first, last, lines = group[0], group[-1], []
            for tag, a, b, c, d in group:
                lines += [" " + x for x in before[a:b]] if tag == "equal" else ["-" + x for x in before[a:b]] + ["+" + x for x in after[c:d]]
            out.append({"oldStart": first[1] + 1, "oldLines": last[2] - first[1], "newStart": first[3] + 1,
                        "newLines": last[4] - first[3], "lines": lines})
        return out

    def ends_turn(seconds):
        put("system", 0.1, subtype="turn_duration", durationMs=seconds * 1000, isMeta=False)

    typed(TASK, 0)
    read(PARSE_PATH, PARSE, text("I'll read the parser first."))
    read(TESTS_PATH, TESTS)
    calls("Bash", {"command": PYTEST, "description": "Run the tests of the parser"}, f"Exit code 1\n{LOG_FAIL}", f"Error: Exit code 1\n{LOG_FAIL}",
          1.3, error=True)
    calls("Edit", {"file_path": f"{PROJECT}/{PARSE_PATH}", "old_string": OLD, "new_string": NEW, "replace_all": False},
          f"The file {PROJECT}/{PARSE_PATH} has been updated successfully.",
          {"filePath": f"{PROJECT}/{PARSE_PATH}", "oldString": OLD, "newString": NEW, "originalFile": PARSE + "\n",
           "structuredPatch": patch(PARSE.split("\n"), PARSE.replace(OLD, NEW).split("\n")), "userModified": False, "replaceAll": False}, 0.1,
          text("The reader looks for the next quote and does not know about backslashes. A lexer should read the strings."))
    calls("Write", {"file_path": f"{PROJECT}/{LEXER_PATH}", "content": LEXER}, f"File created successfully at: {PROJECT}/{LEXER_PATH}",
          {"type": "create", "filePath": f"{PROJECT}/{LEXER_PATH}", "content": LEXER, "structuredPatch": [], "originalFile": None}, 0.1)
    calls("Bash", {"command": PYTEST, "description": "Run the tests again"}, LOG_PASS,
          {"stdout": LOG_PASS, "stderr": "", "interrupted": False, "isImage": False}, 1.1)
    answers(text(SUMMARY))
    ends_turn(163)
    typed(QUESTION, 48)
    read(TESTS_PATH, TESTS)
    answers(text(WORKING))
    return lines_of_json(records)


# Codex

def codex():
    session, records, state = made_id("codex"), [], {"now": 0.0, "input": 9184, "cached": 0, "fresh": 0, "calls": 0}
    total = dict.fromkeys(("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens", "total_tokens"), 0)

    def put(kind, payload, seconds=0.0):
        state["now"] += seconds
        records.append({"timestamp": stamp(state["now"]), "type": kind, "payload": payload})

    def item(payload, seconds=0.0):
        put("response_item", payload, seconds)

    def message(role, words):
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}

    def event(kind, **members):
        put("event_msg", {"type": kind, **members})

    def context():
        put("turn_context", {"cwd": PROJECT, "approval_policy": "on-request", "sandbox_policy": {"type": "workspace-write", "network_access": False},
                             "model": "gpt-5.1-codex", "effort": "medium", "summary": "auto"})

    def typed(words, seconds):
        context()
        item(message("user", words), seconds)
        event("user_message", message=words, images=[])
        state["fresh"] += tokens_of(words)

    def answers(*items):
        """what one response brings, then its usage"""
        output = sum(tokens_of(i) for i in items)
        for i in items:
            item(i, 1.9 + tokens_of(i) / 88)
            if i["type"] == "reasoning":
                event("agent_reasoning", text=i["summary"][0]["text"])
            if i["type"] == "message":
                event("agent_message", message=i["content"][0]["text"])
        given = state["input"] + state["fresh"]
        last = {"input_tokens": given, "cached_input_tokens": state["cached"] // 128 * 128, "output_tokens": output,
                "reasoning_output_tokens": sum(tokens_of(i) for i in items if i["type"] == "reasoning"), "total_tokens": given + output}
        for key in total:
            total[key] += last[key]
        state["cached"], state["input"], state["fresh"] = given, given, output
        return {"total_token_usage": dict(total), "last_token_usage": last, "model_context_window": 272000}

    def usage(info):
        event("token_count", info=info, rate_limits=None)

    def calls(name, arguments, output, seconds, *before):
        state["calls"] += 1
        ref, own = f"call_sample{state['calls']:02d}", name == "apply_patch"
        info = answers(*before, {"type": "custom_tool_call", "status": "completed", "call_id": ref, "name": name, "input": arguments} if own else
                       {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": ref})
        item({"type": "custom_tool_call_output" if own else "function_call_output", "call_id": ref, "output": output}, seconds)
        usage(info)
        state["fresh"] += tokens_of(output)

    def shell(command, output, code, seconds, *before):
        calls("shell_command", {"command": command, "workdir": PROJECT}, f"Exit code: {code}\nWall time: {seconds} seconds\nOutput:\n{output}\n",
              seconds, *before)

    def reasoning(words):
        return {"type": "reasoning", "summary": [{"type": "summary_text", "text": words}], "content": None,
                "encrypted_content": "gAAAAA" + made_id(words).replace("-", "")}

    old, new = OLD.split("\n"), NEW.split("\n")
    update = [line[0] + line[2:] for line in difflib.ndiff(old, new) if line[0] in " -+"]
    put("session_meta", {"id": session, "timestamp": stamp(0), "cwd": PROJECT, "originator": "codex_cli_rs", "cli_version": "0.79.0",
                         "instructions": None, "source": "cli", "model_provider": "openai",
                         "git": {"commit_hash": made_id("commit").replace("-", "") + "0d9e41c7", "branch": "main"}})
    item(message("user", f"<environment_context>\n  <cwd>{PROJECT}</cwd>\n  <approval_policy>on-request</approval_policy>\n"
                         "  <sandbox_mode>workspace-write</sandbox_mode>\n  <network_access>restricted</network_access>\n"
                         "  <shell>bash</shell>\n</environment_context>"))
    typed(TASK, 0.1)
    shell(f"cat {PARSE_PATH}", PARSE, 0, 0.1, reasoning("**Reading the parser first**"))
    shell(f"cat {TESTS_PATH}", TESTS, 0, 0.1)
    shell(PYTEST, LOG_FAIL, 1, 1.3)
    calls("apply_patch", f"*** Begin Patch\n*** Update File: {PARSE_PATH}\n@@     def _strings\n" + "\n".join(update) + "\n*** End Patch",
          f"Success. Updated the following files:\nM {PARSE_PATH}\n", 0.1, reasoning("**Letting a lexer read the strings**"))
    calls("apply_patch", f"*** Begin Patch\n*** Add File: {LEXER_PATH}\n" + "".join(f"+{line}\n" for line in LEXER.splitlines()) + "*** End Patch",
          f"Success. Updated the following files:\nA {LEXER_PATH}\n", 0.1)
    shell(PYTEST, LOG_PASS, 0, 1.1)
    usage(answers(message("assistant", SUMMARY)))
    typed(QUESTION, 48)
    shell(f"cat {TESTS_PATH}", TESTS, 0, 0.1, reasoning("**Looking for such a test**"))
    usage(answers(message("assistant", WORKING)))
    return lines_of_json(records)


def files():
    """every file that this script owns -> its bytes"""
    genkit = json.dumps({"messages": genkit_messages()}, ensure_ascii=False, indent=2) + "\n"
    made = {SAMPLES / "messages-21.genkit.json": genkit, SAMPLES / "messages-21.claude-code.jsonl": claude_code(),
            SAMPLES / "messages-21.codex.jsonl": codex()}
    made[ROOT / "resources" / "manual" / "session.jsonl"] = make_long.session(sys.modules[__name__])
    made = {path: text.encode() for path, text in made.items()}
    return made | {HERE / "malformed" / name: data for name, data in make_malformed.files().items()}


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--runs":
        Path(arguments[1]).mkdir(parents=True, exist_ok=True)
        for number in range(1, 13):
            (Path(arguments[1]) / f"run-{number:02d}.jsonl").write_text(make_long.session(sys.modules[__name__], number), encoding="utf-8")
        return 0
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    wrong = check_sizes(genkit_messages())
    for path, data in files().items():
        if arguments:
            if not path.is_file() or path.read_bytes() != data:
                wrong.append(f"{path.relative_to(ROOT)} is not what this script writes")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    known = {path.name for path in files() if path.parent.name == "malformed"}
    wrong += [f"tests/samples/malformed/{path.name} is not known here" for path in sorted((HERE / "malformed").glob("*")) if path.name not in known]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
