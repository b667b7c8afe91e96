# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Writes pi-cuts.jsonl, an invented pi session with everything that pi's cut treats in its own way: messages of extensions, a
branch summary, parallel results, images, a command of the person, thinking, and a compaction."""

import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
IMAGE = {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}


class Log:
    def __init__(self):
        self.entries = [{"type": "session", "version": 3, "id": "cuts", "timestamp": "2026-03-09T08:09:00.000Z", "cwd": "/home/user/project"}]
        self.prompt = 900
        self.calls = 0

    def add(self, kind, **members):
        n = len(self.entries)
        parent = self.entries[-1]["id"] if n > 1 else None
        self.entries.append({"type": kind, "id": f"{n:08x}", "parentId": parent, "timestamp": f"2026-03-09T08:{10 + n // 60}:{n % 60:02}.000Z", **members})

    def message(self, **message):
        self.add("message", message=message)

    def answer(self, content, stop="toolUse"):
        self.prompt += 150
        usage = {"input": 4, "output": 20, "cacheRead": self.prompt - 124, "cacheWrite": 100, "totalTokens": self.prompt}
        self.message(role="assistant", content=content, provider="anthropic", model="claude-opus-4-5", usage=usage, stopReason=stop)


def words(word, length):
    return (f"{word} word " * length)[:length]


def text(what):
    return {"type": "text", "text": what}


def step(log, turn, number):
    content = [{"type": "thinking", "thinking": words("think", 240), "thinkingSignature": "c2ln"}]
    calls = []
    for k in range(1 + number % 3):
        log.calls += 1
        arguments = {"path": f"src/file{log.calls}.txt", "command": f"echo “{words('é', 60)}”"}
        calls.append({"type": "toolCall", "id": f"t{log.calls}", "name": "bash" if k else "read", "arguments": arguments})
    log.answer(content + ([text(words("say", 90))] if number else []) + calls)
    for k, call in enumerate(calls):
        parts = [text(words("line", 400 + 500 * k))] + ([IMAGE] if (turn, number, k) == (1, 2, 1) else [])
        log.message(role="toolResult", toolCallId=call["id"], toolName=call["name"], content=parts, isError=False)
    if number == 1 and turn % 2 == 0:
        log.add("custom_message", customType="note", content=words("note", 500), display=True)


log = Log()
log.add("model_change", provider="anthropic", modelId="claude-opus-4-5")
for turn in range(4):
    if turn % 2:
        log.add("custom_message", customType="note", content=words("note", 700), display=True)
        log.add("thinking_level_change", thinkingLevel="high")
    log.message(role="user", content=[text(words("ask", 220)), IMAGE] if turn == 2 else words("ask", 300))
    for number in range(3):
        step(log, turn, number)
    log.answer([text(words("done", 160))], "stop")
    if turn == 0:
        log.message(role="bashExecution", command="make test", output=words("ok", 380), exitCode=0, cancelled=False, truncated=False)
    if turn == 1:
        log.add("branch_summary", fromId="00000002", summary=words("left", 420))
    if turn == 2:
        log.add("compaction", summary=words("summary", 800), firstKeptEntryId=log.entries[-12]["id"], tokensBefore=log.prompt)
        log.prompt -= 1500
log.message(role="user", content=words("last", 120))
lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n" for entry in log.entries]
(HERE / "pi-cuts.jsonl").write_text("".join(lines))
