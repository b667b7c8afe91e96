# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Arrays as lists of items that can be compared: what Palimpsest shows, and what a request holds."""

import dataclasses
import json
import re


@dataclasses.dataclass(frozen=True)
class Item:
    """One block. Two are equal if kind and text are; the other members say where it stands."""

    kind: str  # text, thinking, tool_call, tool_result, image, document, opaque
    text: str
    where: str = dataclasses.field(default="", compare=False)
    line: int = dataclasses.field(default=0, compare=False)  # of its record; 0 if it was sent
    role: str = dataclasses.field(default="", compare=False)
    is_last: bool = dataclasses.field(default=False, compare=False)  # in the last message

    def __str__(self):
        head = json.dumps(self.text[:80], ensure_ascii=False)
        return f"{self.kind} at {self.where}, {len(self.text)} characters: {head}"


def readable(text):
    """Halves of surrogate pairs and bytes that are not UTF-8 have no common form: each run of them becomes one sign."""
    return re.sub("[\ud800-\udfff\ufffd]+", "\ufffd", text)


def call_text(name, arguments):
    """The name and the arguments of a call, written in one way. Arguments that are not JSON stay as they are."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return f"{name} {arguments}"
    return f"{name} {json.dumps(arguments, ensure_ascii=False)}"


def result_text(content):
    """The text of a tool result: a string, or the texts of a list of parts, as Palimpsest shows them."""
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content if "text" in part)


def shown_items(document):
    """The blocks of a document of `palimpsest show --json --texts`."""
    for slot in document["slots"]:
        for block in slot["blocks"]:
            kind, text = block["kind"], block["text"]
            if kind == "tool_call":
                text = call_text(block.get("name", ""), text)
            where = f"[{slot['index']}] {block['key']} (line {block['line']})"
            yield Item(kind, readable(text), where, block["line"], slot["role"])


def sent_items(parts, index, role, is_last=False):
    return [Item(kind, readable(text), f"[{index}]", 0, role, is_last) for kind, text in parts]


def message_items(messages):
    """The blocks of the messages of a request to Anthropic's Messages API."""
    for index, message in enumerate(messages):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            yield from sent_items(block_parts(block), index, message["role"], index == len(messages) - 1)


def block_parts(block):
    kind = block["type"]
    if kind == "text":
        yield "text", block["text"]
    elif kind in ("thinking", "redacted_thinking"):
        yield "thinking", block.get("thinking", block.get("data", ""))
    elif kind == "tool_use":
        yield "tool_call", call_text(block["name"], block["input"])
    elif kind == "tool_result":
        content = block.get("content") or ""
        parts = [] if isinstance(content, str) else content
        if len(parts) == 0 or any(part["type"] == "text" for part in parts):
            yield "tool_result", result_text(content)
        for part in parts:
            if part["type"] != "text":
                yield from block_parts(part)
    elif kind in ("image", "document"):
        yield kind, block["source"].get("data") or block["source"].get("url") or ""
    else:
        yield "opaque", json.dumps(block, ensure_ascii=False)


def response_items(entries):
    """The items of the input of a request to OpenAI's Responses API."""
    for index, entry in enumerate(entries):
        yield from sent_items(entry_parts(entry), index, entry.get("role", ""))


def entry_parts(entry):
    kind = entry.get("type", "message")
    if kind == "message":
        for part in entry["content"]:
            if "image_url" in part:
                yield "image", part["image_url"].partition(",")[2] or part["image_url"]
            else:
                yield "text", part["text"]
    elif kind == "reasoning":
        for part in entry.get("summary") or []:
            yield "thinking", part["text"]
        if entry.get("encrypted_content"):
            yield "thinking", entry["encrypted_content"]
    elif kind == "function_call":
        yield "tool_call", call_text(entry["name"], entry["arguments"])
    elif kind == "custom_tool_call":
        yield "tool_call", call_text(entry["name"], entry["input"])
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield "tool_result", result_text(entry["output"])
    elif kind == "compaction":
        yield "text", entry["encrypted_content"]
    else:
        yield "opaque", json.dumps(entry, ensure_ascii=False)


def content_items(contents):
    """The contents of a request to Gemini's API."""
    for index, content in enumerate(contents):
        yield from sent_items(content_parts(content), index, content["role"])


def content_parts(content):
    for part in content["parts"]:
        if "functionCall" in part:
            yield "tool_call", call_text(part["functionCall"]["name"], part["functionCall"].get("args"))
        elif "functionResponse" in part:
            response = part["functionResponse"]["response"]
            only = next(iter(response.values())) if len(response) == 1 else None
            is_text = isinstance(only, str) and next(iter(response)) in ("output", "error")
            yield "tool_result", only if is_text else json.dumps(response, ensure_ascii=False)
        elif "text" in part:
            yield "thinking" if part.get("thought") else "text", part["text"]
        else:
            yield "opaque", json.dumps(part, ensure_ascii=False)


def last_content_text(contents):
    return "".join(part.get("text", "") for part in contents[-1]["parts"])


def chat_items(messages):
    """The messages of a request to OpenAI's Chat Completions."""
    for index, message in enumerate(messages):
        yield from sent_items(chat_parts(message), index, message["role"])


def chat_parts(message):
    content = message.get("content") or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if message.get("reasoning_content"):
        yield "thinking", message["reasoning_content"]
    if message["role"] == "tool":
        yield "tool_result", result_text(content)
        return
    for part in parts:
        yield ("text", part["text"]) if part["type"] == "text" else ("opaque", json.dumps(part, ensure_ascii=False))
    for each in message.get("tool_calls") or ():
        yield "tool_call", call_text(each["function"]["name"], each["function"]["arguments"])
