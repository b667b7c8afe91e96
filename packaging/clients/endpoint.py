# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""A model endpoint on loopback. It keeps the requests it gets and answers as a script says."""

import http.server
import json
import select
import threading

STALL = {"stall": True}


class Endpoint(http.server.ThreadingHTTPServer):
    """Serves the streams of Anthropic's Messages and OpenAI's Responses. `answer(path, body)` returns the blocks of the
    answer and the tokens of the prompt that it reports. A block is `{"text": …}`, `{"call": NAME, "arguments": {…}}`,
    of Messages `{"thinking": …}`, of Responses `{"compaction": …}`. After `STALL` nothing comes until the client
    hangs up."""

    daemon_threads = True

    def __init__(self, answer=lambda path, body: ([{"text": "ok"}], 1)):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.requests = []  # (path, body) in the order of arrival
        self.lock = threading.Lock()
        self.answers = 0
        self.left = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def wait_until_left(self):
        """Waits until the client has hung up in the middle of an answer."""
        self.left.wait(60)

    def handle_error(self, *_):
        """A client that leaves in the middle is no news."""

    def answer_to(self, path, body):
        """One request at a time, so that a script can count them."""
        with self.lock:
            self.requests.append((path, body))
            self.answers += 1
            blocks, prompt_tokens = self.answer(path, body)
            return blocks, prompt_tokens, self.answers


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.send(b"", "text/plain")

    def do_GET(self):
        self.send(b'{"data": [], "models": []}', "application/json")

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if path.endswith("/count_tokens"):
            self.send(b'{"input_tokens": 10}', "application/json")
        elif isinstance(body, dict) and path.endswith("/messages"):
            self.send_events(messages_events(*self.server.answer_to(path, body)))
        elif isinstance(body, dict) and path.endswith("/responses"):
            self.send_events(responses_events(*self.server.answer_to(path, body)))
        else:
            self.send(b"{}", "application/json")

    def send_events(self, events):
        lines = []
        for event in events:
            if event is STALL:
                return self.stall("".join(lines).encode())
            lines.append(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")
        return self.send("".join(lines).encode(), "text/event-stream")

    def stall(self, content):
        """Sends the beginning of a stream, and waits until the client hangs up."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(content)
        select.select([self.connection], [], [], 60)
        self.server.left.set()

    def send(self, content, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def messages_events(blocks, prompt_tokens, number):
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
               "content": [], "stop_reason": None, "stop_sequence": None,
               "usage": {"input_tokens": prompt_tokens, "output_tokens": 1}}
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
           "usage": {"output_tokens": 1}}
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
    usage = {"input_tokens": prompt_tokens, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": prompt_tokens + 1}
    yield {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}}
