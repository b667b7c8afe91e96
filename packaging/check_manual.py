# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Holds README.md and resources/manual against the tree and the built program.

Links, anchors and pictures exist; every page is reached from the index and every picture is shown; pages stay short; the pages of
the command line name every command and option of `--help`, and no other; the pages of JSON name every schema and member that the
program writes; the examples on bundled files run, and print what the pages say.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
MANUAL = REPOSITORY / "resources" / "manual"
MOST_LINES = 200
MOST_README_LINES = 130
COMMAND_PAGES = ("command-line.md", "command-line-measure.md", "command-line-harness.md", "live.md", "sessions.md",
                 "install.md", "summaries.md", "reports.md")
JSON_PAGES = ("json.md", "json-measure.md", "live.md", "sessions.md", "command-line-harness.md", "summaries.md", "reports.md")
SESSION = "resources/manual/session.jsonl"
POLICY = ("--policy", "deep-agents", "--set", "trigger=30000tok", "--set", "keep=8000tok")
DOCUMENTS = (
    ("show", SESSION, "--call", "81"), ("compact", SESSION, *POLICY, "--call", "60"), ("observe", SESSION, "--recorded", "2"), ("observe", SESSION),
    ("search", SESSION, "error"), ("watch", SESSION, "--once", "--last", "all"), ("trace", SESSION), ("trace", SESSION, "--block", "#2"), ("edits", SESSION, "--repo", ".", *POLICY), ("reach", SESSION),
    ("tokens", SESSION), ("tokens", "README.md"), ("tokens", "--calibration", SESSION), ("formats",), ("policies",),
    ("summarise", SESSION, *POLICY, "--call", "60", "--api", "anthropic", "--model", "claude-haiku-4-5"),
    ("replay", SESSION, *POLICY), ("sweep", SESSION, "--policy", "pi", "--grid", "2"),
    ("sweep", SESSION, "resources/samples", "--policy", "pi", "--grid", "2"))
REPORTS = (SESSION, "resources/samples")
FREE_MEMBERS = {"policy", "figures", "rates", "masked"}            # a policy's own, a record's own, kinds of text, rules


def without_code(text):
    return re.sub(r"(?ms)^```.*?^```", "", text)


def anchors(path):
    """As GitHub makes them of headings."""
    titles = re.findall(r"(?m)^#+ (.+)$", without_code(path.read_text()))
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower()).replace(" ", "-") for title in titles}


def links(path):
    """-> file, anchor of every link that is not to the web"""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text())):
        if not re.match(r"\w+:", target):
            name, _, anchor = target.partition("#")
            yield target, (path.parent / name).resolve() if name else path, anchor


def check_links(pages):
    reached, queue, shown = set(), [REPOSITORY / "README.md"], set()
    while queue:
        page = queue.pop()
        if page in reached or page not in pages:
            continue
        reached.add(page)
        for target, file, anchor in links(page):
            place = f"{page.relative_to(REPOSITORY)}: {target}"
            if not file.exists():
                yield f"{place}: there is no such file"
            elif anchor and anchor not in anchors(file):
                yield f"{place}: there is no such heading"
            elif file.suffix == ".png":
                shown.add(file)
            queue.append(file / "README.md" if file.is_dir() else file)
    yield from (f"{page.relative_to(REPOSITORY)}: no page links to it" for page in sorted(pages - reached))
    pictures = set((MANUAL / "pictures").glob("*"))
    yield from (f"{picture.relative_to(REPOSITORY)}: no page shows it" for picture in sorted(pictures - shown))


def check_lengths(pages):
    for page in sorted(pages):
        most, count = MOST_README_LINES if page.parent == REPOSITORY else MOST_LINES, len(page.read_text().splitlines())
        if count > most:
            yield f"{page.relative_to(REPOSITORY)}: {count} lines are more than {most}"


def options_of(text):
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))


def check_commands(run):
    commands = [name for name in re.findall(r"(?m)^  ([a-z]+)(?: .*?\S)? {2,}\S", run("--help").stdout) if name != "palimpsest"]
    sections = {}
    for name in COMMAND_PAGES:
        for part in re.split(r"(?m)^## ", (MANUAL / name).read_text())[1:]:
            title = part.split("\n")[0]
            if re.fullmatch("[a-z]+", title):  # others are not about a command
                sections[title] = part
    if not commands:
        yield "palimpsest --help lists no commands that this check can read"
    yield from (f"command-line: there is no section of {name}" for name in commands if name not in sections)
    yield from (f"command-line: {name} is no command" for name in sections if name not in commands)
    common = options_of((MANUAL / COMMAND_PAGES[0]).read_text().partition("**Common options**")[2].partition("## ")[0])
    for name in set(commands) & set(sections):
        text = re.sub(r"(?ms)^```.*?^```", "", sections[name])
        known = options_of(" ".join(re.findall(r"(?m)^  (-.*?)(?: {2}|$)", run(name, "--help").stdout)))
        told = options_of(" ".join(re.findall(r"`[^`]*`", text)))
        yield from (f"command-line, {name}: {option} is not described" for option in sorted(known - told - common - {"-o"}))
        yield from (f"command-line, {name}: the program has no {option}" for option in sorted(told - known))


def members(value):
    if isinstance(value, list):
        for each in value:
            yield from members(each)
    elif isinstance(value, dict) and not str(value.get("schema", "")).startswith("palimpsest.policy/"):
        for name, each in value.items():
            yield name
            if name not in FREE_MEMBERS:
                yield from members(each)


def check_documents(run):
    text = "".join((MANUAL / name).read_text() for name in JSON_PAGES)
    words = set(re.findall(r"[a-z0-9_]+", " ".join(re.findall(r"`[^`]*`", text))))
    for command in DOCUMENTS:
        result = run(*command, "--json")
        if result.returncode != 0:
            yield f"{' '.join(command)} ends with {result.returncode}: {result.stderr.strip()}"
            continue
        lines = result.stdout.splitlines() if command[0] == "watch" else [result.stdout]
        yield from check_members([json.loads(line) for line in lines], text, words)
    with tempfile.TemporaryDirectory() as folder:
        for number, source in enumerate(REPORTS):
            file = pathlib.Path(folder, f"{number}.json")
            result = run("report", source, "-o", file)
            if result.returncode != 0:
                yield f"report {source} ends with {result.returncode}: {result.stderr.strip()}"
            else:
                yield from check_members([json.loads(file.read_text())], text, words)


def check_members(documents, text, words):
    schema = documents[0]["schema"]
    if f"`{schema}`" not in text and f"{schema}`" not in text:
        yield f"json: {schema} is not described"
    yield from (f"json: {schema}: {name} is not described" for name in sorted(set(members(documents)) - words))


def examples(pages):
    """-> page, command, printed lines of every example that names bundled files only, in blocks of code after `$ ` or alone."""
    for page in sorted(pages):
        for block in re.findall(r"(?ms)^```\n(.*?)^```", page.read_text()):
            block = block.replace("\\\n", " ")
            for prompt, line, printed in re.findall(r"(?m)^(\$ )?(palimpsest .*?)\s*$((?:\n(?!\$ |palimpsest ).*)*)", block):
                if "resources/" in line or re.match(r"palimpsest (policies|formats)\b", line):
                    yield page, line, printed if prompt else ""
        for line in re.findall(r"`(palimpsest [^`]*\$S\b[^`]*)`", page.read_text()):
            if "~" not in line:
                yield page, line.replace("$S", SESSION), ""


def is_printed(line, output):
    """… stands for any text; blanks count as one."""
    parts = [re.escape(" ".join(part.split())).replace("\\ ", r"\s+") for part in line.split("…")]
    return re.search(r"[^\n]*".join(parts), output)


def check_examples(pages, run_line):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("resources", "README.md"):
            os.symlink(REPOSITORY / name, os.path.join(folder, name))
        for page, line, printed in dict.fromkeys(examples(pages)):
            place, result = page.relative_to(REPOSITORY), run_line(line, folder)
            if result.returncode != 0:
                yield f"{place}: `{line}` ends with {result.returncode}: {result.stderr.strip()}"
            for each in printed.splitlines():
                if not is_printed(each, result.stdout + result.stderr):
                    yield f"{place}: `{line}` does not print: {each.strip()}"


def check(build):
    program = build / "bin" / "palimpsest"
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")

    def run(*arguments):
        return subprocess.run([program, *arguments], cwd=REPOSITORY, capture_output=True, text=True, env=environment)

    def run_line(line, folder):
        command = line.replace("palimpsest", shlex.quote(str(program)), 1)
        return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, env=environment)

    pages = {REPOSITORY / "README.md", *MANUAL.glob("*.md")}
    wrong = [*check_links(pages), *check_lengths(pages)]
    count = len(dict.fromkeys(examples(pages)))
    if program.exists():
        wrong += [*check_commands(run), *check_documents(run), *check_examples(pages, run_line)]
    print(*wrong, f"The manual: {len(wrong)} findings in {len(pages)} pages, {count} examples.", sep="\n")
    return 1 if wrong else 0
