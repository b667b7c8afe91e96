#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Writes a Claude Code session that grows, and measures how far `palimpsest watch` is behind.

    grow_session.py FILE [--size MB] [--rate N] [--seconds N] [--program PALIMPSEST]

Makes FILE with about --size megabytes, then appends --rate records a second, some of them in two pieces. With --program it runs
`PALIMPSEST watch FILE --json` and prints how many calls were told, how many were lost, and the delay from the record that follows a
call (the call may be told from then on) to its line.
"""

import argparse
import json
import random
import shlex
import subprocess
import threading
import time

WORDS = "the reader takes a record from the file and adds its blocks to the pool größe 文件 🙂 before it returns".split()


class Session:
    def __init__(self, file):
        self.file, self.random = file, random.Random(1)
        self.count, self.calls, self.parent, self.context = 0, 0, None, 2000

    def text(self, size):
        return " ".join(self.random.choices(WORDS, k=max(1, size // 6)))

    def record(self, kind, message):
        self.count += 1
        uuid = f"00000000-0000-4000-8000-{self.count:012d}"
        record = {"parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": "/work", "sessionId": "grown",
                  "version": "2.1.14", "type": kind, "message": message, "uuid": uuid,
                  "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1767225600 + self.count))}
        self.parent = uuid
        return (json.dumps(record, ensure_ascii=False) + "\n").encode()

    def next(self, size):
        """A typed message first, then calls and their results by turns."""
        if self.count == 0:
            return self.record("user", {"role": "user", "content": "Please read all the files. " + self.text(200)})
        if self.count % 2 == 1:
            self.calls += 1
            usage = {"input_tokens": 10, "cache_creation_input_tokens": 300, "cache_read_input_tokens": self.context, "output_tokens": 50}
            self.context += 300
            if self.context > 180000:
                self.context = 2000
            return self.record("assistant", {"id": f"msg_{self.calls}", "type": "message", "role": "assistant", "model": "claude-opus-4-5",
                                             "content": [{"type": "tool_use", "id": f"toolu_{self.calls}", "name": "Read",
                                                          "input": {"file_path": f"/work/{self.calls}.txt"}}], "usage": usage})
        return self.record("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"toolu_{self.calls}",
                                                                 "content": self.text(size)}]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--size", type=float, default=0, help="megabytes to begin with")
    parser.add_argument("--rate", type=float, default=50, help="records a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--program", help="how to call palimpsest")
    options = parser.parse_args()
    told, appended = {}, {}
    with open(options.file, "wb") as file:
        session, size = Session(file), 0
        while size < options.size * 1e6 or session.count < 3:
            size += file.write(session.next(6000))
        file.flush()
        process = None
        if options.program:
            process = subprocess.Popen([*shlex.split(options.program), "watch", options.file, "--json", "--last", "0"], stdout=subprocess.PIPE)
            json.loads(process.stdout.readline())

            def listen():
                for line in process.stdout:
                    document = json.loads(line)
                    if document["kind"] == "call":
                        told.setdefault(document["call"], []).append(time.monotonic())

            threading.Thread(target=listen, daemon=True).start()
        begin, count, first = time.monotonic(), session.count, session.calls
        while time.monotonic() - begin < options.seconds:
            record = session.next(1500)
            cut = len(record) if session.count % 3 else session.random.randrange(1, len(record))
            for piece in (record[:cut], record[cut:]):
                file.write(piece)
                file.flush()
            if session.count % 2 == 1:
                appended[session.calls - 1] = time.monotonic()
            time.sleep(max(0, begin + (session.count - count) / options.rate - time.monotonic()))
    print(f"{session.count - count} records appended, {session.calls - first} calls")
    if process:
        waited = time.monotonic()
        while time.monotonic() - waited < 300 and not all(call in told for call in appended):
            time.sleep(0.1)
        process.terminate()
        delays = sorted(1000 * (told[call][0] - at) for call, at in appended.items() if call in told)
        print(f"{len(appended)} calls to tell, {sum(call not in told for call in appended)} lost, "
              f"{sum(len(times) > 1 for times in told.values())} told twice")
        print(f"delay in ms: median {delays[len(delays) // 2]:.0f}, p95 {delays[len(delays) * 95 // 100]:.0f}, most {delays[-1]:.0f}")


if __name__ == "__main__":
    main()
