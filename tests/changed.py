"""Runs the tests that belong to what has changed since main: changed test files, and for code the tests of its stage.

    .venv/bin/python tests/changed.py [options of pytest]

Leaves out the published cases, the golden simulations, the fuzz tests, and files of tests that take long. `make test`
runs everything.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Folder of the code -> its tests. The longest folder that holds a file counts.
TESTS = {
    "api": ("tests/api",),
    "api/diagram": ("tests/diagram",),
    "api/notebook": ("tests/api/test_notebook_display.py", "tests/api/test_explore.py"),
    "api/verify/restated": ("tests/api/test_restated.py",),
    "api/starters": ("tests/api/test_new.py",),
    "api/testing": ("tests/api",),
    "benchmarks": ("tests/test_benchmarks.py",),
    "compiler": ("tests/test_diagnostics.py", "tests/errors/test_messages.py"),
    "compiler/codegen": ("tests/codegen",),
    "compiler/diagnose": ("tests/diagnose",),
    "compiler/expressions": ("tests/expressions",),
    "compiler/flatten": ("tests/flatten",),
    "compiler/function": ("tests/api/test_mechanics.py",),
    "compiler/instantiate": ("tests/instantiate", "tests/language"),
    "compiler/instantiate/events": ("tests/instantiate/tree", "tests/golden/test_events.py"),
    "compiler/instantiate/functions": ("tests/instantiate/functions",),
    "compiler/instantiate/names": ("tests/instantiate/names",),
    "compiler/instantiate/tree": ("tests/instantiate/tree",),
    "compiler/instantiate/types": ("tests/instantiate/types",),
    "compiler/instantiate/units": ("tests/instantiate/units",),
    "compiler/instantiate/values": ("tests/instantiate/values",),
    "compiler/reduce": ("tests/reduce",),
    "compiler/sort": ("tests/sort",),
    "compiler/structure": ("tests/structure",),
    "compiler/syntax": ("tests/syntax",),
    "compiler/mjcf": ("tests/mjcf",),
    "compiler/robots": ("tests/urdf", "tests/mjcf"),
    "compiler/urdf": ("tests/urdf",),
    "contract": ("tests/contract",),
    "docs": ("tests/docs",),
    "export": ("tests/export", "tests/fmus"),
    "editors": ("tests/lsp/test_editor_grammars.py", "tests/lsp/test_tree_sitter.py"),
    "lsp": ("tests/lsp",),
    "models": ("tests/models/test_every_model.py",),
    "runtime": ("tests/runtime",),
    "runtime/animation": ("tests/animation",),
    "server": ("tests/server",),
    "workbench": ("tests/server",),
    "stdlib": ("tests/stdlib/test_libraries.py", "tests/stdlib/test_blocks.py", "tests/stdlib/test_thermal.py"),
    "stdlib/electrical": ("tests/stdlib/test_electrical.py", "tests/stdlib/test_analog.py"),
    "stdlib/mbs": ("tests/stdlib/test_mbs.py", "tests/stdlib/test_mbs_drives.py"),
    "stdlib/mbsabs": ("tests/stdlib/test_mbsabs.py",),
    "stdlib/mbsmat": ("tests/stdlib/test_mbsmat.py", "tests/stdlib/test_mbsmat_loops.py"),
    "stdlib/mbssim": ("tests/stdlib/test_mbssim.py", "tests/stdlib/test_mbssim_drives.py"),
    "stdlib/multibody": ("tests/stdlib/test_mbs.py", "tests/stdlib/test_multibody_contract.py"),
    "stdlib/rotational": ("tests/stdlib/test_rotational.py", "tests/stdlib/test_axes.py"),
}
# Quick, and about everything.
ALWAYS = ("tests/test_architecture.py",)
# A message or its page changed.
MESSAGES = ("tests/errors/test_messages.py", "tests/errors/test_pages.py")
# Folders that belong to no folder of the code, and why they have to wait for `make test`.
LEFT_OUT = {
    "tests/cases": "published cases take a minute",
    "tests/fuzz": "random input takes a minute",
    "tests/oracles": "tests of the independent solutions, not of the program",
}
# More than ten seconds each: they run if they changed themselves.
LONG = (
    "tests/docs/test_docs_pages.py",
    "tests/runtime/test_hybrid_runs.py",
    "tests/runtime/test_methods.py",
    "tests/runtime/test_open_loops.py",
    "tests/sort/test_selection.py",
    "tests/structure/test_work.py",
    "tests/syntax/test_every_file.py",
    "tests/syntax/test_print.py",
)


def belonging_to(files: Iterable[str]) -> list[str]:
    """The folders and files of tests that belong to changed files, given by their paths in the repository."""
    found = dict.fromkeys(ALWAYS)
    for file in files:
        path = Path(file)
        if path.parts[0] == "tests":
            found |= dict.fromkeys(_of_test(path))
            continue
        folder = next((str(p) for p in path.parents if str(p) in TESTS), None)
        found |= dict.fromkeys(TESTS[folder] if folder else ())
        if path.name.endswith("messages.py") or path.parent.name == "pages":
            found |= dict.fromkeys(MESSAGES)
    return [test for test in found if (ROOT / test).exists()]


def _of_test(path: Path) -> tuple[str, ...]:
    """A file with tests runs itself; a model or a module beside them runs its folder."""
    if path.name.startswith("test_"):
        return (str(path),)
    folder = "/".join(path.parts[:2])
    return (folder,) if any(folder in tests for tests in TESTS.values()) else ()


def changed_files() -> list[str]:
    """What differs from the place where this branch left main, new files included."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return _git("diff", "--name-only", base[0]) + _git("ls-files", "--others", "--exclude-standard")


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split()


def main(options: list[str]) -> int:
    """The exit code of pytest."""
    tests = belonging_to(changed_files())
    print("tests:", *tests)
    left_out = [f"--ignore={test}" for test in LONG if test not in tests]
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *left_out, *tests, *options]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
