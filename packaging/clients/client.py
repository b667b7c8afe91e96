# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""What the clients have in common. A client is a coding agent's own program, which resumes a session file and sends it
to the endpoint. Each is a module with NAME, FORMAT (its id in `palimpsest formats`), PACKAGE (on npm) and:

prepare(session, home, url, packages)  puts the file into the home folder; returns the command and its variables
sent(requests)                         the items of the first request that holds the conversation, or None
"""

import functools
import json
import os
import pathlib
import signal
import subprocess

PROMPT = "palimpsest probe"
KEY = "no-key"
SECONDS = 90

PACKAGES = pathlib.Path(__file__).resolve().parent / "package.json"


class NotResumed(Exception):
    """The client did not resume the session; the text says why."""


class Session:
    """A session file and its records."""

    def __init__(self, file):
        self.file = file

    @functools.cached_property
    def records(self):
        """By line, counted from 1. Damaged lines are left out."""
        records = {}
        for line, text in enumerate(self.file.read_text(errors="replace").split("\n"), 1):
            try:
                record = json.loads(text)
            except ValueError:
                continue
            if isinstance(record, dict):
                records[line] = record
        return records

    def record(self, line):
        return self.records.get(line, {})


def value(record, *names):
    """The member of a member of a record; None where the record is of another shape."""
    for name in names:
        record = record.get(name) if isinstance(record, dict) else None
    return record


def versions():
    return json.loads(PACKAGES.read_text())["dependencies"]


def begin(command, variables, home, **pipes):
    """Starts a client in the work folder of its home."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", "LANG": "C.UTF-8", **variables}
    return subprocess.Popen([str(word) for word in command], cwd=work_folder(home), env=environment,
                            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True, **pipes)


def run(command, variables, home):
    """Runs a client to its end, at most SECONDS. Returns what it printed."""
    process = begin(command, variables, home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        return process.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        return f"stopped after {SECONDS} s"
    finally:
        stop(process)


def stop(process):
    """Ends the client and whatever it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


def work_folder(home):
    folder = home / "work"
    folder.mkdir(exist_ok=True)
    return folder


def node(packages):
    """Some clients need a newer version than the system's."""
    return next(packages.glob("node-linux-*/bin/node"), "node")
