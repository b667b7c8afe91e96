#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Checks of the sources, run by ctest: check.py format|tidy|manual BUILD_FOLDER.

format  every tracked source is as clang-format writes it
tidy    clang-tidy has nothing to say about the sources that differ from the main branch, or about core if none does
manual  README.md and resources/manual hold against the tree and the built program (check_manual.py)

Exit: 0 clean, 1 findings, 77 the tool is not here in the version that the style is written for.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import check_manual  # noqa: E402

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
VERSION = "19"
JOBS = 2
# After that many seconds no further source is begun; what was clean is remembered, so the next run goes on from there.
BUDGET = 120 if os.environ.get("CI") else 240


def output(*command):
    return subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=True).stdout


def git(*arguments):
    # A container's user need not own the clone; what is asked here runs nothing of the repository's.
    return output("git", "-c", "safe.directory=*", *arguments).split()


def require(tool):
    name = next((name for name in (f"{tool}-{VERSION}", tool) if shutil.which(name)), None)
    if not name or f"version {VERSION}." not in output(name, "--version"):
        print(f"Skipped: there is no {tool} {VERSION}.")
        sys.exit(77)
    return name


def is_source(path):
    return path.startswith(("core/", "ui/", "app/", "tests/", "bench/")) and path.endswith((".h", ".cpp"))


def check_format():
    tool = require("clang-format")
    files = [file for file in git("ls-files") if is_source(file) and (REPOSITORY / file).exists()]
    result = subprocess.run([tool, "--dry-run", "--Werror", *files], cwd=REPOSITORY, text=True, capture_output=True)
    if result.returncode == 0:
        print(f"{len(files)} sources are as clang-format writes them.")
        return 0
    badly = sorted({match[1] for match in re.finditer(r"^(\S+?):\d+:\d+: ", result.stderr, re.MULTILINE)})
    print(result.stderr if not badly else "Not as clang-format writes them:\n  " + "\n  ".join(badly))
    print(f"To put them right: packaging/dev exec {tool} -i " + " ".join(badly))
    return 1


def changed_sources():
    """What differs from the main branch, committed or not, and what is not yet tracked."""
    for branch in ("origin/main", "main"):
        try:
            base = git("merge-base", "HEAD", branch)[0]
        except subprocess.CalledProcessError:
            continue
        return {*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")}
    return set()


class Tidy:
    """One run of clang-tidy over some sources. A source found clean is not read again until it, a header of ours that
    it includes, its options or the checks change; clones and worktrees share that knowledge."""

    def __init__(self, build):
        self.tool = require("clang-tidy")
        self.build = build
        self.folder = build / "tidy"
        self.commands = {}
        self.headers = {}
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.clean = pathlib.Path(cache) / "palimpsest" / "tidy"
        self.clean.mkdir(parents=True, exist_ok=True)
        self.read_commands()
        self.read_headers()

    def read_commands(self):
        """The compile commands without GCC's precompiled headers: Clang cannot read them, and a source is to include
        what it uses. Tests keep theirs, as plain text."""
        entries = json.loads((self.build / "compile_commands.json").read_text())
        for entry in entries:
            words = [w for w in shlex.split(entry.pop("command")) if w not in ("-fpch-preprocess", "-Winvalid-pch")]
            path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), REPOSITORY)
            if not path.startswith("tests/"):
                for i in reversed(range(len(words) - 1)):
                    if words[i] == "-include" and words[i + 1].endswith("cmake_pch.hxx"):
                        del words[i : i + 2]
            entry["arguments"] = [*words, "-Wno-ignored-gch", "-Wno-unknown-warning-option"]
            self.commands[path] = entry
        self.folder.mkdir(exist_ok=True)
        (self.folder / "compile_commands.json").write_text(json.dumps(entries))

    def read_headers(self):
        """From ninja's log of dependencies: object, then one indented path a line."""
        paths = []
        for line in output("ninja", "-C", str(self.build), "-t", "deps").splitlines():
            if line.startswith("    "):
                path = os.path.relpath(os.path.join(self.build, line.strip()), REPOSITORY)
                if is_source(path):
                    paths.append(path)
            elif not line:
                for source in (path for path in paths if path.endswith(".cpp")):
                    self.headers.setdefault(source, set()).update(paths)
                paths = []

    def key(self, source):
        entry = self.commands[source]
        options = " ".join(entry["arguments"]).replace(str(REPOSITORY), "")
        digest = hashlib.sha256(options.encode())
        for path in (".clang-tidy", *sorted(self.headers.get(source, ()))):
            if (REPOSITORY / path).exists():
                digest.update(path.encode() + b"\0" + (REPOSITORY / path).read_bytes())
        return self.clean / digest.hexdigest()

    def check(self, source, deadline):
        """The findings; None if there was no time left."""
        key = self.key(source)
        if key.exists() and source in self.headers:
            return []
        if time.monotonic() > deadline:
            return None
        result = subprocess.run([self.tool, "--quiet", "-p", self.folder, source], cwd=REPOSITORY, text=True,
                                capture_output=True)
        if result.returncode == 0:
            key.touch()
            return []
        # One finding begins with its place and goes on to the next.
        return re.split(r"\n(?=/)", (result.stdout or result.stderr).strip())


def check_tidy(build):
    tidy = Tidy(build)
    sources = sorted(source for source in changed_sources() if source in tidy.commands)
    if not sources:
        sources = sorted(source for source in tidy.commands if source.startswith("core/"))
    deadline = time.monotonic() + BUDGET
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(lambda source: tidy.check(source, deadline), sources))
    # A header's finding shows in every source that includes it.
    findings = dict.fromkeys(finding for result in results for finding in result or [])
    print(*findings, f"clang-tidy: {len(findings)} findings in {len(sources)} sources.", sep="\n")
    if None in results:
        print(f"{results.count(None)} sources were not reached in {BUDGET} s: the next run begins with them.")
    return 1 if findings else 0


def main():
    checks = {"format": lambda build: check_format(), "tidy": check_tidy, "manual": check_manual.check}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    sys.exit(checks[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve()))


if __name__ == "__main__":
    main()
