"""Runs tests that execute what has changed since main, in less than a minute (`make fast`).

    .venv/bin/python tests/changed.py [options of pytest]

`executing_tests` has recorded which they are. Of those that execute a changed line it takes from each file of tests in
turn those that are quick and execute little else, first from those named like the stage, as long as their time lasts.
A changed file of tests runs whole. `make test` runs everything.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from executing_tests import ROOT, ExecutingTests, by_file, git, latest_record, naming

# About everything, in seconds.
ALWAYS = ("tests/test_architecture.py",)
# The processor time of the tests of a change, besides those of changed files of tests.
SECONDS = 45.0
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


def changed_files() -> list[str]:
    """What differs from the place where this branch left main, new files included."""
    base = git("merge-base", "HEAD", "main") or "HEAD"
    files = git("diff", "--name-only", base).split() + git("ls-files", "--others", "--exclude-standard").split()
    return list(dict.fromkeys(files))


def executing(file: str, record: ExecutingTests | None) -> list[str]:
    """The tests that execute what has changed in a file since the record, or else those that names tell."""
    found: dict[str, None] = {}
    if record:
        old = moved(record.commit).get(file, file)
        text = git("show", f"{record.commit}:{old}")
        difference = git("diff", "--no-ext-diff", "-M", "-U0", record.commit, "--", old, file)
        for line in old_lines(difference) if text else ():
            found |= dict.fromkeys(record.of(old, line, text))
    return list(found) or named_like(file)


@functools.cache
def moved(commit: str) -> dict[str, str]:
    """The files that had another name at a commit, with that name."""
    rows = git("diff", "-M", "--diff-filter=R", "--name-status", commit).splitlines()
    return {new: old for _, old, new in (row.split("\t") for row in rows)}


def named_like(file: str) -> list[str]:
    """The files of tests that have the name of a file or import it, or else those of the folder with the name of its
    folder."""
    folders = [ROOT / "tests" / part for part in reversed(Path(file).parts[:-1])]
    beside = next((folder.rglob("test_*.py") for folder in folders if folder.is_dir()), ())
    return naming(ROOT, file) or sorted(str(path.relative_to(ROOT)) for path in beside)


def old_lines(difference: str) -> list[int]:
    """The lines that a difference without context removes, or between which it adds something."""
    hunks = [(int(first), int(count or 1)) for first, count in _HUNK.findall(difference)]
    return [line for first, count in hunks for line in range(first, first + (count or 2))]


def chosen(tests: Iterable[str], record: ExecutingTests | None, changed: Sequence[str]) -> list[str]:
    """As many of the tests as there is time for: of each file in turn the one whose name is most like those of the
    changed files, and of these the cheapest."""
    cost: Mapping[str, float] = record.costs if record else {}
    words, stems = _words(changed), _words(Path(file).stem for file in changed)
    files = by_file(sorted(tests, key=lambda test: (-len(stems & _words([test])), cost.get(test, 0.0))), ())
    turns = zip_longest(*(files[file] for file in sorted(files, key=lambda file: -len(words & _words([file])))))
    found, left = list[str](), SECONDS
    for test in (test for turn in turns for test in turn if test):
        time = record.seconds.get(test, 0.0) if record else 0.0
        if time <= left:
            left -= time
            found.append(test)
    return found


def _words(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in re.split(r"[^a-z0-9]+", name)}


def selected(files: list[str], record: ExecutingTests | None) -> tuple[list[str], int]:
    """The tests that `make fast` runs if these files have changed, and how many others execute a changed line."""
    own = [file for file in files if re.fullmatch(r"tests/(.*/)?test_\w+\.py", file) and (ROOT / file).exists()]
    others = [file for file in files if file not in own]
    all_tests = dict.fromkeys(test for file in others for test in executing(file, record))
    found = chosen(all_tests, record, others)
    return list(dict.fromkeys([*ALWAYS, *own, *found])), len(all_tests) - len(found)


def main(words: list[str]) -> int:
    """The exit code of pytest."""
    files, record = changed_files(), latest_record()
    if record is None:
        print("make record notes which test executes what, in some ten minutes; until then names tell")
    tests, rest = selected(files, record)
    print(f"{len(files)} changed files: {len(tests)} tests, {rest} others execute what changed")
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("\n".join(tests))
        file.flush()
        command = [sys.executable, "-m", "pytest", *options(Path(file.name), tests), *words]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


def options(file: Path, tests: Iterable[str]) -> list[str]:
    """Those with which pytest runs the tests, whose names are in a file."""
    files = sorted({test.partition("::")[0] for test in tests})
    return ["-n", "2", "--dist", "worksteal", f"--chosen={file}", *files]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
