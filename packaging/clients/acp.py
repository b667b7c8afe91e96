# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Talks to a client that speaks the Agent Client Protocol: JSON-RPC, one message a line."""

import json
import threading

import client
import runs


class Talk:
    """A client that is talked to. Permissions are given, except for tools whose request holds the word `refused`."""

    def __init__(self, command, variables, home, refused):
        self.process = client.begin(command, variables, home, stdin=-1, stdout=-1)
        self.home = home
        self.refused = refused
        self.sent = 0
        self.session = None
        self.printed = []
        self.watch = threading.Timer(2 * client.SECONDS, self.process.kill)

    def __enter__(self):
        self.watch.start()
        self.ask("initialize", protocolVersion=1, clientCapabilities={"fs": {}})
        return self

    def __exit__(self, *_):
        self.watch.cancel()
        client.stop(self.process)

    def begin(self):
        answer = self.ask("session/new", cwd=str(client.work_folder(self.home)), mcpServers=[])
        self.session = answer["sessionId"]

    def load(self, session):
        self.ask("session/load", sessionId=session, cwd=str(client.work_folder(self.home)), mcpServers=[])
        self.session = session

    def type(self, words, until=None):
        """Types words, and waits for the end of the turn, or until the client prints a part."""
        self.ask("session/prompt", until, sessionId=self.session, prompt=[{"type": "text", "text": words}])

    def interrupt(self, served):
        """Ends the turn in the middle of an answer."""
        number = self.sent
        self.write({"method": "session/cancel", "params": {"sessionId": self.session}})
        served.wait_until_left()
        self.read(number)

    def ask(self, method, until=None, **params):
        self.sent += 1
        self.write({"id": self.sent, "method": method, "params": params})
        return self.read(self.sent, until)

    def read(self, number, until=None):
        """Reads to the answer with the number, or to the line that holds the part; gives permissions on the way."""
        for line in self.process.stdout:
            self.printed.append(line)
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("method") == "session/request_permission":
                self.permit(message)
            elif "method" in message and "id" in message:
                self.write({"id": message["id"], "error": {"code": -32601, "message": "not here"}})
            elif message.get("id") == number and "method" not in message:
                if "error" in message or until:
                    break
                return message["result"]
            if until and until in line:
                return None
        raise client.NotResumed("the client ended: " + "".join(self.printed)[-600:])

    def permit(self, message):
        kind = "reject_once" if self.refused in json.dumps(message["params"]) else "allow_once"
        option = next(each["optionId"] for each in message["params"]["options"] if each["kind"] == kind)
        self.write({"id": message["id"], "result": {"outcome": {"outcome": "selected", "optionId": option}}})

    def write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


def type_run(command, variables, home, served):
    """Types the run: up to the call that is refused, into an answer that is then interrupted, and once more."""
    with Talk(command, variables, home, runs.REFUSED) as talk:
        talk.begin()
        talk.type(runs.TASK)
        talk.type(runs.LOOK, runs.DOUBT)
        talk.interrupt(served)
        talk.type(runs.AGAIN)
