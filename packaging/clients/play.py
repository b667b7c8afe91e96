# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""A scripted model plays one run through a client. The client writes a session file; its requests are the true arrays,
call by call. Both become a fixture of the tests, without the words of the client's makers."""

import json
import re

import client
import endpoint
import runs


def play(kind, home, packages, folder):
    """Plays the run in a home folder of its own. Writes the session as NAME with the endings of the run, and
    NAME.calls.json, into `folder`, and those of a subagent."""
    work = client.work_folder(home)
    for name, text in runs.FILES.items():
        (work / name).write_text(text)
    run = kind(work)
    script = Script(run)
    with endpoint.Endpoint(script.answer) as served:
        run.converse(home, served, packages)
    files = run.sessions(home)
    is_whole = len(script.main) == len(run.steps) and len(script.compactions) == 1
    if not is_whole or len(files) not in (1, 1 + bool(script.side)):
        raise client.NotResumed(f"{kind.module.NAME}: {len(script.main)} calls instead of {len(run.steps)}, "
                                f"{len(script.compactions)} compactions, {len(files)} files")
    target = folder / kind.module.FORMAT
    writer = Writer(run, script.main, str(home))
    facts = {"typed": run.typed, "unrecorded": run.unrecorded,
             "files": {name: (work / name).read_text() for name in runs.FILES}}
    facts["compactions"] = [{"call": run.applied(script.main, place),
                             "before": writer.places_of(run.before(body, script.main[place]))}
                            for place, body in script.compactions]
    writer.write(target, facts)
    writer.write_session(files[0], target)
    if script.side:
        writer = Writer(run, script.side, str(home))
        target = target.with_name(f"{target.name}-subagent")
        writer.write(target, {})
        for file in files[1:]:  # none where one file holds all sessions
            writer.write_session(file, target)


class Script:
    """Answers by the steps of a run, and keeps the requests."""

    def __init__(self, run):
        self.run = run
        self.main, self.side = [], []
        self.compactions = []  # number of calls before, request

    def answer(self, _, body):
        """The blocks of the answer, and the tokens of the prompt."""
        if self.run.is_other(body):
            return [{"text": "ok"}], 10
        if self.run.is_side(body):
            self.side.append(body)
            return self.run.side_answer(body), 500
        summary = self.run.compaction(body)
        if summary:
            if len(self.main) not in dict(self.compactions):  # a client may have its summary checked
                self.compactions.append((len(self.main), body))
            return summary, self.run.summary_tokens
        self.main.append(body)
        number = len(self.main)
        step = self.run.steps[number - 1] if number <= len(self.run.steps) else [{"text": "Done."}]
        tokens = self.run.limit + 1000 if number == self.run.full else 3000 + 1000 * number
        return step(body) if callable(step) else step, tokens


class Writer:
    """Writes the fixture of one session file and its requests."""

    def __init__(self, run, requests, home):
        self.run = run
        self.foreign = run.foreign(requests)
        self.home = home
        self.items = {}
        self.calls = [self.places_of(run.items(body)) for body in requests]

    def places_of(self, array):
        """The array as numbers of items; None where there is none."""
        if array is None:
            return None
        cleaned = [(item.kind, self.cleaned(item.text)) for item in array]
        return [self.items.setdefault(item, len(self.items)) for item in cleaned]

    def write_session(self, session, target):
        """Writes the files of a session: those beside it have another ending."""
        first, *others = self.run.endings
        self.write_records(session, target.with_suffix(first))
        for ending in others:
            beside = session.with_name(session.name.replace(first, ending))
            if beside.exists():
                self.write_records(beside, target.with_suffix(ending))

    def write_records(self, file, target):
        records = (self.run.record(record) for record in self.run.records(file))
        lines = [json.dumps(self.cleaned(record), ensure_ascii=False, separators=(",", ":"))
                 for record in records if record]
        target.write_text("\n".join(lines) + "\n")

    def write(self, target, facts):
        document = {"items": [list(item) for item in self.items], "calls": self.calls, **facts}
        target.with_suffix(".calls.json").write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n")

    def cleaned(self, value):
        if isinstance(value, dict):
            return {self.placed(key): self.cleaned(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.cleaned(each) for each in value]
        if isinstance(value, str):
            return runs.elsewhere(value) if value in self.foreign else self.placed(value)
        return value

    def placed(self, text):
        """Claude Code names folders after the home folder, and after the number of the user; opencode leaves the first
        slash out."""
        text = text.replace(self.home, "/home/p").replace(self.home[1:], "home/p")
        text = text.replace(re.sub("[^A-Za-z0-9]", "-", self.home), "-home-p")
        return re.sub(r"/tmp/claude-\d+/", "/tmp/claude/", text)
