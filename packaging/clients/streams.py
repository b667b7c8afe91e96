# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The streams of the providers' APIs. Each function writes the blocks of an answer as events.

A block is `{"text": …}`, `{"call": NAME, "arguments": {…}}`, `{"thinking": …}` (not of Responses), of Responses
`{"compaction": …}`. `STALL` ends the events: nothing follows until the client hangs up."""

import json

STALL = {"stall": True}


def usage_of(tokens):
    """The tokens of the prompt and those of the answer, which are 1 unless a pair names both."""
    return tokens if isinstance(tokens, tuple) else (tokens, 1)


def messages_events(blocks, prompt_tokens, number):
    """`prompt_tokens` is a number, or the members of the usage."""
    usage = {"output_tokens": 1} | prompt_tokens if isinstance(prompt_tokens, dict) else dict(
        zip(("input_tokens", "output_tokens"), usage_of(prompt_tokens)))
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
               "content": [], "stop_reason": None, "stop_sequence": None,
               "usage": usage | {"output_tokens": 1}}
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(blocks):
        if block is STALL:
            yield STALL
            return
        deltas = []
        if "call" in block:
            start = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": block["call"], "input": {}}
            deltas.append({"type": "input_json_delta", "partial_json": json.dumps(block["arguments"])})
        elif "thinking" in block:
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas.append({"type": "thinking_delta", "thinking": block["thinking"]})
            deltas.append({"type": "signature_delta", "signature": "c2lnbmVk"})
        else:
            start = {"type": "text", "text": ""}
            deltas.append({"type": "text_delta", "text": block["text"]})
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    reason = "tool_use" if any("call" in block for block in blocks) else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
           "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def responses_events(blocks, prompt_tokens, number):
    yield {"type": "response.created", "response": {"id": f"resp_{number}"}}
    for index, block in enumerate(blocks):
        if block is STALL:
            yield STALL
            return
        if "call" in block:
            item = {"type": "function_call", "id": f"fc_{number}_{index}", "call_id": f"call_{number}_{index}",
                    "name": block["call"], "arguments": json.dumps(block["arguments"])}
            if "namespace" in block:
                item["namespace"] = block["namespace"]
        elif "compaction" in block:
            item = {"type": "compaction", "id": f"cmp_{number}_{index}", "encrypted_content": block["compaction"]}
        else:
            item = {"type": "message", "role": "assistant", "id": f"msg_{number}_{index}",
                    "content": [{"type": "output_text", "text": block["text"], "annotations": []}]}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    prompt, answer = usage_of(prompt_tokens)
    usage = {"input_tokens": prompt, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": answer,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": prompt + answer}
    yield {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}}


def chat_chunks(blocks, prompt_tokens, number):
    """OpenAI's Chat Completions."""
    def chunk(delta, reason=None, **more):
        return {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": "m",
                "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **more}

    yield chunk({"role": "assistant", "content": ""})
    for index, block in enumerate(blocks):
        if block is STALL:
            yield STALL
            return
        if "call" in block:
            function = {"name": block["call"], "arguments": json.dumps(block["arguments"])}
            yield chunk({"tool_calls": [{"index": index, "id": f"call_{number}_{index}", "type": "function",
                                         "function": function}]})
        else:
            yield chunk({"reasoning_content": block["thinking"]} if "thinking" in block else {"content": block["text"]})
    prompt, answer = usage_of(prompt_tokens)
    yield chunk({}, "tool_calls" if any("call" in block for block in blocks) else "stop",
                usage={"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer})


def gemini_chunks(blocks, prompt_tokens, number):
    """Gemini's generateContent."""
    def chunk(parts, **more):
        prompt, answer = usage_of(prompt_tokens)
        usage = {"promptTokenCount": prompt, "candidatesTokenCount": answer, "totalTokenCount": prompt + answer}
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, **more}],
                "usageMetadata": usage, "modelVersion": "gemini-2.5-pro", "responseId": f"resp_{number}"}

    for index, block in enumerate(blocks):
        if block is STALL:
            yield STALL
            return
        if "call" in block:
            yield chunk([{"functionCall": {"id": f"call_{number}_{index}", "name": block["call"],
                                           "args": block["arguments"]}}])
        else:
            yield chunk([{"text": block["thinking"], "thought": True} if "thinking" in block else block])
    yield chunk([], finishReason="STOP")


def chat_answer(blocks, prompt_tokens, number):
    """The same without a stream; of texts only."""
    *_, last = chat_chunks(blocks, prompt_tokens, number)
    message = {"role": "assistant", "content": "".join(block["text"] for block in blocks)}
    return last | {"object": "chat.completion",
                   "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def gemini_answer(blocks, prompt_tokens, number):
    """The same without a stream."""
    *chunks, last = gemini_chunks(blocks, prompt_tokens, number)
    content = last["candidates"][0]["content"]
    content["parts"] = [part for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"]]
    return last
