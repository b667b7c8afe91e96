# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""A model endpoint on loopback. It keeps the requests it gets and answers as a script says."""

import http.server
import json
import select
import threading

import streams


class Endpoint(http.server.ThreadingHTTPServer):
    """Serves the streams of `streams`. `answer(path, body)` returns the blocks of the answer and the tokens of the
    prompt that it reports."""

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


STREAMS = {"/messages": streams.messages_events, "/responses": streams.responses_events,
           "/chat/completions": streams.chat_chunks, ":streamGenerateContent": streams.gemini_chunks}


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
        method = next((each for end, each in STREAMS.items() if path.endswith(end)), None)
        if path.endswith(("/count_tokens", ":countTokens")):
            self.send(b'{"input_tokens": 10, "totalTokens": 10}', "application/json")
        elif isinstance(body, dict) and path.endswith("/chat/completions") and not body.get("stream"):
            self.send_json(streams.chat_answer(*self.server.answer_to(path, body)))
        elif isinstance(body, dict) and method:
            self.send_events(method(*self.server.answer_to(path, body)))
        elif isinstance(body, dict) and path.endswith(":generateContent"):
            self.send_json(streams.gemini_answer(*self.server.answer_to(path, body)))
        else:
            self.send(b"{}", "application/json")

    def send_json(self, answer):
        self.send(json.dumps(answer).encode(), "application/json")

    def send_events(self, events):
        lines = []
        for event in events:
            if event is streams.STALL:
                return self.stall("".join(lines).encode())
            name = f"event: {event['type']}\n" if "type" in event else ""
            lines.append(f"{name}data: {json.dumps(event)}\n\n")
            is_chat = event.get("object") == "chat.completion.chunk"
        return self.send("".join([*lines, "data: [DONE]\n\n" * is_chat]).encode(), "text/event-stream")

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
