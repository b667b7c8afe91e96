#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Writes tests/samples/streams: the streamed answers of four APIs, whole and with faults.

tst_note_stream and tst_summary_call read them; tests/independent/summary_clients.mjs gives them to the providers' own packages.
The events are made up; their members are those of the providers' documentation.
"""

import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "streams"
PIECES = ["## Goal\nAdd ", "`--dry-run` to the tool — “word for word”.\n", "## Next\n", "Run make check ✓ 🙂."]
USAGE = (1204, 200, 96)  # the whole prompt, the part of it from the cache, the answer


def event(data, name=None, end="\n"):
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return (f"event: {name}{end}" if name else "") + f"data: {text}{end}{end}"


def anthropic(stop="end_turn"):
    prompt, cached, output = USAGE
    usage = {"input_tokens": prompt - cached, "cache_creation_input_tokens": 0, "cache_read_input_tokens": cached, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": usage}
    events = [{"type": "message_start", "message": message},
              {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}, {"type": "ping"}]
    events += [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in PIECES]
    events += [{"type": "content_block_stop", "index": 0},
               {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": output}},
               {"type": "message_stop"}]
    return [event(each, each["type"]) for each in events]


def chat(stop="stop"):
    prompt, cached, output = USAGE
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1790000000, "model": "gpt-test"}

    def choice(delta, reason=None):
        return [{"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}]

    events = [{**head, "choices": choice({"role": "assistant", "content": ""}), "usage": None}]
    events += [{**head, "choices": choice({"content": piece}), "usage": None} for piece in PIECES]
    events += [{**head, "choices": choice({}, stop), "usage": None},
               {**head, "choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
                                                 "prompt_tokens_details": {"cached_tokens": cached},
                                                 "completion_tokens_details": {"reasoning_tokens": 0}}}]
    return [event(each) for each in events] + [event("[DONE]")]


def responses(reason=None):
    prompt, cached, output = USAGE
    text = "".join(PIECES)
    head = {"id": "resp_1", "object": "response", "created_at": 1790000000, "model": "gpt-test", "output": [], "error": None,
            "incomplete_details": None, "instructions": None, "metadata": {}, "tools": [], "tool_choice": "auto", "parallel_tool_calls": True,
            "temperature": 1, "top_p": 1}
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    usage = {"input_tokens": prompt, "input_tokens_details": {"cached_tokens": cached}, "output_tokens": output,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": prompt + output}
    status = "incomplete" if reason else "completed"
    done = {**item, "status": status, "content": [part]}
    events = [{"type": "response.created", "response": {**head, "status": "in_progress", "usage": None}},
              {"type": "response.in_progress", "response": {**head, "status": "in_progress", "usage": None}},
              {"type": "response.output_item.added", "output_index": 0, "item": item},
              {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}]
    events += [{"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []} for piece in PIECES]
    events += [{"type": "response.output_text.done", **place, "text": text, "logprobs": []},
               {"type": "response.content_part.done", **place, "part": part},
               {"type": "response.output_item.done", "output_index": 0, "item": done},
               {"type": f"response.{status}",
                "response": {**head, "status": status, "output": [done], "usage": usage,
                             "incomplete_details": {"reason": reason} if reason else None}}]
    return [event({**each, "sequence_number": number}, each["type"]) for number, each in enumerate(events)]


def gemini(stop="STOP"):
    prompt, cached, output = USAGE
    usage = {"promptTokenCount": prompt, "cachedContentTokenCount": cached, "candidatesTokenCount": output, "totalTokenCount": prompt + output}
    events = []
    for number, piece in enumerate(PIECES):
        candidate = {"content": {"parts": [{"text": piece}], "role": "model"}, "index": 0}
        if number == len(PIECES) - 1:
            candidate["finishReason"] = stop
        events.append({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-test", "responseId": "r1"})
    return [event(each, end="\r\n") for each in events]


def main():
    FOLDER.mkdir(exist_ok=True)
    limits = {"anthropic": "max_tokens", "openai-chat": "length", "openai-responses": "max_output_tokens", "gemini": "MAX_TOKENS"}
    errors = {"anthropic": event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "error"),
              "openai-chat": event({"error": {"message": "Overloaded", "type": "server_error", "code": None}}),
              "openai-responses": event({"type": "error", "code": "server_error", "message": "Overloaded", "param": None, "sequence_number": 6}, "error"),
              "gemini": event({"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}}, end="\r\n")}
    for name, make in {"anthropic": anthropic, "openai-chat": chat, "openai-responses": responses, "gemini": gemini}.items():
        whole = make()
        half = whole[:len(whole) // 2]
        broken = half[-1].rstrip()[:-7] + "\n\n"  # no JSON any more
        streams = {"": whole, "-length": make(limits[name]), "-cut": half, "-error": half + [errors[name]], "-malformed": half[:-1] + [broken]}
        for fault, events in streams.items():
            (FOLDER / f"{name}{fault}.sse").write_bytes("".join(events).encode())


if __name__ == "__main__":
    main()
