# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The session of the manual: an invented Claude Code session of some hundred calls with two compactions.

session(kit) -> its text. kit is make_samples, for its texts, ids and counts. The user asks in the first message that public
names stay. The first summary repeats that sentence, the second does not, and the agent then renames a public function.
session(kit, N) is another run of the same kind, begun N days later, for the pictures of many sessions.
"""

import random

CONSTRAINT = "Do not rename anything public in parse.py: two other tools import it."
TURNS = [
    ("Payees that hold an escaped quote are read wrong. Find the reason, and repair it. " + CONSTRAINT, ["parse", "lexer"], 0),
    ("Good. Next: a report mixes two currencies and adds them up. It should keep them apart.", ["currency", "report"], 95),
    ("Budgets ignore entries of the last day of a month. Have a look at dates.py too.", ["dates", "budget"], 410),
    ("The export writes a comma into amounts under a German locale.", ["export", "amounts"], 60),
    ("Accounts that were renamed show up twice in the balance.", ["accounts", "balance"], 45),
    ("The command line should say which line of the journal is wrong.", ["cli", "parse"], 30),
    ("Please make the names in parse.py consistent with those in lexer.py.", ["parse"], 25),
    ("You renamed parse_journal. I said that two other tools import it!", ["parse"], 70)]
ALSO_EDITED = {1: ["lexer"], 2: ["currency", "report"], 4: ["export", "dates"], 5: ["accounts"], 7: ["report"]}   # without a read
COMPACTED_BEFORE = {3: "auto", 6: "manual"}                        # turn -> what triggered the compaction before it
NOUNS = "entry amount account currency budget period posting balance journal payee total rate share month line".split()
VERBS = "read split check merge round match collect sort find carry convert close".split()
WORDS = ("the of a every no two one that holds stands before after first last open closed empty known missing signed").split()


class Project:
    """The files that the agent works on."""

    def __init__(self, kit, chance):
        self.chance = chance
        self.files = {"parse": kit.PARSE.replace(kit.OLD, kit.NEW), "lexer": kit.LEXER.rstrip("\n")}

    def body(self, name):
        if name not in self.files:
            self.files[name] = self.made(name)
        return self.files[name]

    def made(self, name):
        pick, lines, seen = self.chance.choice, [f'"""What tallybook knows of {name}."""', "", "from decimal import Decimal", ""], set()
        while len(seen) < 11:
            verb, noun, other = pick(VERBS), pick(NOUNS), pick(NOUNS)
            if (verb, noun) in seen:
                continue
            seen.add((verb, noun))
            says = " ".join(self.chance.sample(WORDS, 4))
            lines += ["", f"def {verb}_{noun}(entries, {other}=None):", f'    """{verb.capitalize()} {says} {noun}."""', "    found = []",
                      "    for entry in entries:", f"        if entry.{noun} is None or entry.{other} == {other}:", "            continue",
                      f"        value = Decimal(entry.{noun}).quantize(Decimal('0.01'))",
                      f"        if value < 0 and not entry.{pick(NOUNS)}:",
                      f"            raise ValueError(f'{noun} {{value}} of line {{entry.line}} is negative')",
                      f"        found.append((entry.{other}, value))", "    return sorted(found)", ""]
        return "\n".join(lines)

    def change(self, name, number):
        """-> old text, new text: one line in the middle of a function"""
        lines = self.body(name).split("\n")
        places = [n for n, line in enumerate(lines) if line.startswith("        ") and line.strip() and lines.count(line) == 1
                  and n > 2 and lines[n - 1].strip()]
        at = places[(number * 37 + 11) % len(places)]
        old = "\n".join(lines[at - 1:at + 1])
        indent = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
        new = f"{lines[at - 1]}\n{indent}# Case {number} of the tests.\n{lines[at]}  # see the test"
        if self.body(name).count(old) != 1:
            return self.change(name, number + 1)
        self.files[name] = self.body(name).replace(old, new)
        return old, new


class Log:
    """The records of a Claude Code session, with usage as the provider would have told it."""

    PRELUDE = 17942

    def __init__(self, kit, number):
        self.kit, self.records, self.parent, self.now, self.calls = kit, [], None, number * 86400.0, 0
        self.name = f"long{number or ''}"
        self.context, self.cached, self.turn_start = self.PRELUDE, 0, True

    def put(self, kind, seconds, **members):
        self.now += seconds
        record = {"parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": self.kit.PROJECT,
                  "sessionId": self.kit.made_id(self.name), "version": "2.1.42", "gitBranch": "main", "type": kind, **members,
                  "uuid": self.kit.made_id(f"{self.name} {len(self.records)}"), "timestamp": self.kit.stamp(self.now)}
        self.records.append(record)
        self.parent = record["uuid"]

    def typed(self, text, seconds):
        self.context += self.kit.tokens_of(text)
        self.put("user", seconds, message={"role": "user", "content": text})
        if seconds > 300:                                           # the provider's cache lasts five minutes
            self.cached = 0

    def answers(self, *content, seconds=0.0):
        self.calls += 1
        output, fresh = sum(self.kit.tokens_of(block) for block in content), self.context - self.cached
        usage = {"input_tokens": 3, "cache_creation_input_tokens": fresh - 3, "cache_read_input_tokens": self.cached,
                 "cache_creation": {"ephemeral_5m_input_tokens": fresh - 3, "ephemeral_1h_input_tokens": 0}}
        for at, block in enumerate(content):
            self.put("assistant", 1.9 + self.kit.tokens_of(block) / 71 + seconds, requestId=f"req_{self.name}_{self.calls:03d}",
                     message={"model": "claude-sonnet-4-5-20250929", "id": f"msg_{self.name}_{self.calls:03d}", "type": "message",
                              "role": "assistant", "content": [block], "stop_reason": None, "stop_sequence": None,
                              "usage": {**usage, "output_tokens": output if at == len(content) - 1 else 2, "service_tier": "standard"}})
        self.cached = self.context
        self.context += output

    def tool(self, name, arguments, result, *before, error=False):
        ref = f"toolu_{self.name}_{self.calls + 1:03d}"
        self.answers(*({"type": "text", "text": words} for words in before), {"type": "tool_use", "id": ref, "name": name, "input": arguments})
        self.context += self.kit.tokens_of(result)
        block = {"tool_use_id": ref, "type": "tool_result", "content": result}
        self.put("user", 0.4, message={"role": "user", "content": [{**block, "is_error": True} if error else block]})

    def compacted(self, trigger, summary):
        before, self.parent = self.context, None
        self.put("system", 21.0, subtype="compact_boundary", content="Conversation compacted", isMeta=False, level="info",
                 logicalParentUuid=self.records[-1]["uuid"], compactMetadata={"trigger": trigger, "preTokens": before})
        self.put("user", 0.0, message={"role": "user", "content": summary}, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        self.context = self.PRELUDE + self.kit.tokens_of(summary) + 2300    # reminders that Claude Code sends and does not log
        self.cached = self.PRELUDE


def path_of(name):
    return "tests/test_tallybook.py" if name == "tests" else f"src/tallybook/{name}.py"


def summary_of(number, done):
    says = ["This session is being continued from a previous conversation that ran out of context.", "", "Summary:"]
    says += ["1. What the user asked for:"] + [f"   - {text}" for text, *_ in TURNS[:done] if number == 1 or CONSTRAINT not in text]
    says += ["2. Files that were changed:"] + [f"   - {path_of(name)}" for _, names, _ in TURNS[:done] for name in names]
    says += ["3. State: all tests of tests/test_tallybook.py pass.", "4. Next: wait for what the user asks for."]
    return "\n".join(says)


def edit(log, kit, project, name, number, *before):
    old, new = project.change(name, number)
    file = f"{kit.PROJECT}/{path_of(name)}"
    log.tool("Edit", {"file_path": file, "old_string": old, "new_string": new}, f"The file {file} has been updated successfully.", *before)


def work_on(log, kit, project, name, number, last):
    absolute = f"{kit.PROJECT}/{path_of(name)}"
    numbered = "\n".join(f"{n:6d}→{line}" for n, line in enumerate(project.body(name).split("\n"), 1))
    log.tool("Read", {"file_path": absolute}, numbered, f"I read {name}.py first.")
    word = project.chance.choice(NOUNS)
    hits = [f"{path_of(other)}:{n}:{line.strip()}" for other, text in sorted(project.files.items())
            for n, line in enumerate(text.split("\n"), 1) if word in line]
    log.tool("Bash", {"command": f"grep -rn {word} src"}, "\n".join(hits[:60]))
    log.tool("Bash", {"command": kit.PYTEST}, kit.LOG_FAIL, error=True)
    for step in range(2 if name != "balance" else 3):
        edit(log, kit, project, name, number + step, *(["The reason stands in this function."] if step == 0 else []))
    if last:
        log.tool("Bash", {"command": kit.PYTEST}, kit.LOG_PASS)


def session(kit, number=0):
    chance = random.Random(20260309 + number)
    project, log = Project(kit, chance), Log(kit, number)
    for at, (text, names, pause) in enumerate(TURNS[:len(TURNS) - number % 4]):
        if at in COMPACTED_BEFORE:
            log.compacted(COMPACTED_BEFORE[at], summary_of(1 if at == 3 else 2, at))
        log.typed(text, pause)
        for name in names:
            if at == 6:
                old, new = "def parse_journal(", "def read_journal("
                project.files["parse"] = project.body("parse").replace("\n\nclass ", f"\n\n{old}text):\n    return Journal(text)\n\n\nclass ", 1)
            work_on(log, kit, project, name, 3 * at, name == names[-1])
            if at == 6:
                project.files["parse"] = project.body("parse").replace(old, new)
                log.tool("Edit", {"file_path": f"{kit.PROJECT}/{path_of(name)}", "old_string": old, "new_string": new},
                         f"The file {kit.PROJECT}/{path_of(name)} has been updated successfully.")
        for name in ALSO_EDITED.get(at, []):
            edit(log, kit, project, name, 3 * at + 2)
        if at < 2:
            log.tool("Read", {"file_path": f"{kit.PROJECT}/{path_of('tests')}"}, kit.TESTS)
        if at == 5:                                                  # text that an earlier compaction took away is read again
            log.tool("Read", {"file_path": f"{kit.PROJECT}/{path_of('report')}"}, project.body("report"))
        log.answers({"type": "text", "text": "Done: all tests pass." if at != 7 else "You are right. I have not seen that sentence; parse_journal is back."})
    return kit.lines_of_json(log.records)
