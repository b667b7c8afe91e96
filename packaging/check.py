#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Checks of the sources, run by ctest: check.py format|tidy|manual BUILD_FOLDER.

format  every tracked source is as clang-format writes it
tidy    clang-tidy has nothing to say about the units whose sources differ from the main branch, or about core if none do
manual  README.md and resources/manual hold against the tree and the built program (check_manual.py)

Exit: 0 clean, 1 findings, 77 the tool is not here in the version that the style is written for.
"""

import concurrent.futures
import functools
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
# After that many seconds no further unit is begun; what was clean is remembered, so the next run goes on from there.
BUDGET = 60 if os.environ.get("CI") else 240


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
    """One run of clang-tidy over some units. A unit is what is compiled at once: a source, or the sources of a folder in a
    unity build. A unit found clean is not read again until one of its sources, a header of ours that they include, its
    options or the checks change; clones and worktrees share that knowledge."""

    def __init__(self, build):
        self.tool = require("clang-tidy")
        self.folder = build / "tidy"
        self.units = {}
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.clean = pathlib.Path(cache) / "palimpsest" / "tidy"
        self.clean.mkdir(parents=True, exist_ok=True)
        self.read_commands(build)

    def read_commands(self, build):
        """The compile commands without GCC's precompiled headers: Clang cannot read them, and a unit is to include what
        it uses. Tests keep theirs, as plain text."""
        entries = json.loads((build / "compile_commands.json").read_text())
        for entry in entries:
            words = [w for w in shlex.split(entry.pop("command")) if w not in ("-fpch-preprocess", "-Winvalid-pch")]
            # Sources of one unit may use a name for several things.
            entry["arguments"] = [*words, "-Wno-shadow", "-Wno-ignored-gch", "-Wno-unknown-warning-option"]
            files = files_of_unit([entry["file"], *(w for w in words if w.endswith("cmake_pch.hxx"))])
            sources = {file for file in files if file.endswith(".cpp")}
            if not any(source.startswith("tests/") for source in sources):
                for i in reversed(range(len(words) - 1)):
                    if words[i] == "-include" and words[i + 1].endswith("cmake_pch.hxx"):
                        del entry["arguments"][i : i + 2]
            self.units[entry["file"]] = entry, files, sources
        self.folder.mkdir(exist_ok=True)
        (self.folder / "compile_commands.json").write_text(json.dumps(entries))

    def units_with(self, is_asked):
        """The units with a source that is asked for."""
        return sorted(unit for unit, (_, _, sources) in self.units.items() if any(map(is_asked, sources)))

    def key(self, unit):
        entry, files, _ = self.units[unit]
        options = " ".join(entry["arguments"]).replace(str(REPOSITORY), "")
        digest = hashlib.sha256(options.encode())
        for path in (".clang-tidy", *sorted(files)):
            digest.update(path.encode() + b"\0" + (REPOSITORY / path).read_bytes())
        return self.clean / digest.hexdigest()

    def check(self, unit, deadline):
        """The findings; None if there was no time left."""
        key = self.key(unit)
        if key.exists():
            return []
        if time.monotonic() > deadline:
            return None
        result = subprocess.run([self.tool, "--quiet", "-p", self.folder, unit], cwd=REPOSITORY, text=True,
                                capture_output=True)
        if result.returncode == 0:
            key.touch()
            return []
        # One finding begins with its place and goes on to the next.
        return re.split(r"\n(?=/)", (result.stdout or result.stderr).strip())


@functools.cache
def includes(file):
    """The files that a file names between quotes, by path from the repository or from the file's folder."""
    names = re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE)
    return [path for name in names for path in (REPOSITORY / name, file.parent / name) if path.exists()]


def files_of_unit(files):
    """The sources and headers of ours among some files and all that they include, as paths from the repository."""
    found = set()
    rest = [pathlib.Path(file) for file in files]
    while rest:
        file = rest.pop()
        if file not in found and file.exists():
            found.add(file)
            rest += includes(file)
    return {path for path in (os.path.relpath(file, REPOSITORY) for file in found) if is_source(path)}


def check_tidy(build):
    tidy = Tidy(build)
    changed = changed_sources()
    units = tidy.units_with(lambda source: source in changed)
    if not units:
        units = tidy.units_with(lambda source: source.startswith("core/"))
    deadline = time.monotonic() + BUDGET
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(lambda unit: tidy.check(unit, deadline), units))
    # A header's finding shows in every unit that includes it.
    findings = dict.fromkeys(finding for result in results for finding in result or [])
    print(*findings, f"clang-tidy: {len(findings)} findings in {len(units)} units.", sep="\n")
    if None in results:
        print(f"{results.count(None)} units were not reached in {BUDGET} s: the next run begins with them.")
    return 1 if findings else 0


def main():
    checks = {"format": lambda build: check_format(), "tidy": check_tidy, "manual": check_manual.check}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    sys.exit(checks[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve()))


if __name__ == "__main__":
    main()
