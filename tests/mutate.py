"""Makes deliberate faults in the code, one at a time, and checks that a test notices each.

    python -m tests.mutate [--count 40] [--seed 1] [--first 0] [--jobs 2] [--only PART] [--stages structure,sort]
                           [--fast]

Draws places in the folders of the stages, makes one small fault in each (a comparison, a sign, a number, a branch, a
condition, an order, a step; in libraries a sign, term, factor or start value) unless it is known to change nothing
(`equivalent_faults`), and runs the tests on a copy until the first failure: first those that import the file, then
those of its stage, then those of whole models. With a record of which tests execute which lines (`make record`) it runs
only those that execute the line: a few of each file, then the others, and all in the files of their stage; with --fast
those that `make fast` would run. Prints the faults that no test noticed, and how many the tests of their own stage
noticed.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import changed
from equivalent_faults import EQUIVALENT, Place
from executing_tests import ExecutingTests, by_file, latest_record, naming
from faults_of_lines import changed_c, changed_equation

ROOT = Path(__file__).parent.parent
# Where the code of a stage lies, and the folders of its own tests.
STAGES = {
    "structure": ("compiler/structure", ("structure", "sort")),
    "sort": ("compiler/sort", ("sort", "structure")),
    "flatten": ("compiler/flatten", ("flatten",)),
    "expressions": ("compiler/expressions", ("expressions",)),
    "codegen": ("compiler/codegen", ("codegen",)),
    "runtime": ("runtime", ("runtime", "animation")),
    "instantiate": ("compiler/instantiate", ("instantiate", "language")),
    "syntax": ("compiler/syntax", ("syntax",)),
    "reduce": ("compiler/reduce", ("reduce",)),
    "diagnose": ("compiler/diagnose", ("diagnose", "errors")),
    "robots": ("compiler/robots", ("urdf", "mjcf")),
    "urdf": ("compiler/urdf", ("urdf",)),
    "mjcf": ("compiler/mjcf", ("mjcf",)),
    "function": ("compiler/function", ("api",)),
    "units": ("compiler/units", ("instantiate",)),
    "spice": ("compiler/spice", ("spice",)),
    "contract": ("contract", ("contract",)),
    "api": ("api", ("api", "diagram")),
    "export": ("export", ("export", "fmus")),
    "lsp": ("lsp", ("lsp",)),
    "server": ("server", ("server",)),
    "stdlib": ("stdlib", ("stdlib",)),
}
COPIED = (
    "src", "api", "compiler", "contract", "editors", "export", "lsp", "runtime", "server", "stdlib", "tests", "models",
    "docs", "benchmarks", "workbench",
)  # fmt: skip
# Words, not logic; and sizes alone, which tests of work cover.
LEFT_OUT = {"messages.py", "__init__.py"}
SUFFIXES = {".py", ".mo", ".c", ".h"}
TEXTS = {"__str__", "__repr__", "_diagnostic"}
# Tests that take models through all stages, the quickest first.
WHOLE = (
    "golden", "models", "language", "errors", "sort", "reduce", "cases", "runtime", "api", "stdlib", "export", "fmus",
)  # fmt: skip
# The processor time that one folder of tests may take, and the memory of one process.
SECONDS, BYTES = 1800, 8 << 30
# With a record: so many tests of each file run first.
FEW = 4

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitOr: ast.BitAnd,
}
_NAMES = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "append": "clear",
    "sorted": "list",
    "add": "sub",
    "sub": "add",
}


@dataclass(frozen=True)
class Fault:
    """A file of a stage, what is done there, and the file's text with it."""

    stage: str
    file: str
    line: int
    what: str
    text: str

    @property
    def changes(self) -> bool:
        """Not so where a pair of equals was exchanged, or where no test can tell."""
        before, after = self.what.split("  ->  ")
        return before != after and self.place not in EQUIVALENT

    @property
    def place(self) -> Place:
        """The place by what stands there, since other lines may move it."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        if not self.file.endswith(".py"):
            return Place(self.file, "", text.splitlines()[self.line - 1].strip(), self.what)
        around = [
            node.name
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= self.line <= (node.end_lineno or 0)
        ]
        return Place(self.file, ".".join(around), text.splitlines()[self.line - 1].strip(), self.what)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


# --- faults ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """Node `number` of a file's tree, and what can be done to it."""

    stage: str
    path: Path
    number: int
    change: Callable[[ast.AST, bool], bool]

    def fault(self) -> Fault:
        """The file with the fault."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        node = list(ast.walk(tree))[self.number]
        before, line = ast.unparse(node), getattr(node, "lineno", 0) or node.target.lineno
        self.change(node, False)
        after = ast.unparse(node)
        words = _difference(before.split("\n"), after.split("\n"))
        text = ast.unparse(ast.fix_missing_locations(tree))
        return Fault(self.stage, str(self.path.relative_to(ROOT)), line, words, text)


def _difference(before: list[str], after: list[str]) -> str:
    """The first line that differs."""
    pairs = [(b, a) for b, a in zip(before, after, strict=False) if a != b] or [(before[-1], after[-1])]
    return f"{pairs[0][0].strip()}  ->  {pairs[0][1].strip()}"


@dataclass(frozen=True)
class TextSite:
    """A line of a file, counted from 1, and the line with a fault."""

    stage: str
    path: Path
    line: int
    new: str

    def fault(self) -> Fault:
        """The file with the fault."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        what = f"{lines[self.line - 1].strip()}  ->  {self.new.strip()}"
        lines[self.line - 1] = self.new
        return Fault(self.stage, str(self.path.relative_to(ROOT)), self.line, what, "\n".join([*lines, ""]))


def sites_in(stage: str, path: Path) -> Iterator[Site | TextSite]:
    """All places of one file where a fault can be made."""
    if path.suffix != ".py":
        change = changed_equation if path.suffix == ".mo" else changed_c
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield from (TextSite(stage, path, number, new) for _, new in change(line))
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(inner) for node in ast.walk(tree) for words in _words(node) for inner in ast.walk(words)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in silent:
            yield from (Site(stage, path, number, change) for change in CHANGES if change(node, True))


def _words(node: ast.AST) -> list[ast.AST]:
    """What below a node is no logic: types, sizes that were tuned, and texts for dumps and messages."""
    if isinstance(node, ast.FunctionDef):
        arguments = [*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        if node.name in TEXTS or "Diagnostic" in ast.unparse(node.returns or ast.Constant("")):
            return [node]
        return [a for a in (*[x.annotation for x in arguments if x], node.returns) if a is not None]
    if isinstance(node, ast.Module):
        return [statement for statement in node.body if _is_alias(statement) or _is_size(statement)]
    if isinstance(node, ast.ExceptHandler):
        return [node.type] if node.type else []
    if _asks_for_size(node):
        return [node]
    return [node.annotation] if isinstance(node, ast.AnnAssign) else []


def _is_size(statement: ast.stmt) -> bool:
    """`_LARGEST = 600`: from where on something is worth its time, which no result depends on."""
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)


def _asks_for_size(node: ast.AST) -> bool:
    """`n < _LEAST`: whether that is met exactly is no more than the size itself."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return False
    return any(isinstance(e, ast.Name) and e.id.startswith("_") and e.id.isupper() for e in node.comparators)


def _is_alias(statement: ast.stmt) -> bool:
    """`Rows = Sequence[int] | Mapping[int, int]`"""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.BinOp | ast.Subscript):
        return False
    return all(
        isinstance(part, ast.Name | ast.Subscript | ast.BinOp | ast.BitOr | ast.Tuple | ast.Load)
        for part in ast.walk(statement.value)
    )


def _compare(node: ast.AST, dry: bool) -> bool:
    found = isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS
    if found and not dry:
        node.ops[0] = _COMPARISONS[type(node.ops[0])]()
    return found


def _sign(node: ast.AST, dry: bool) -> bool:
    found = isinstance(node, ast.BinOp) and type(node.op) in _SIGNS and not _is_text(node)
    if found and not dry:
        node.op = _SIGNS[type(node.op)]()
    return found


def _number(node: ast.AST, dry: bool) -> bool:
    found = isinstance(node, ast.Constant) and type(node.value) is int
    if found and not dry:
        node.value += 1
    return found


def _negate(node: ast.AST, dry: bool) -> bool:
    found = isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare)
    if found and not dry:
        node.test = ast.UnaryOp(ast.Not(), node.test)
    return found


def _drop(node: ast.AST, dry: bool) -> bool:
    """The last of several conditions, or that of a comprehension."""
    if isinstance(node, ast.BoolOp):
        if not dry:
            node.values = [*node.values[:-2], node.values[-2], node.values[-2]]
        return True
    found = isinstance(node, ast.comprehension) and bool(node.ifs)
    if found and not dry:
        node.ifs = node.ifs[:-1]
    return found


def _swap(node: ast.AST, dry: bool) -> bool:
    """The branches of an if, the elements of a pair."""
    if isinstance(node, ast.IfExp):
        if not dry:
            node.body, node.orelse = node.orelse, node.body
        return True
    if isinstance(node, ast.If) and node.orelse:
        if not dry:
            node.body, node.orelse = node.orelse, node.body
        return True
    found = isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load)
    if found and not dry:
        node.elts.reverse()
    return found


def _name(node: ast.AST, dry: bool) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMES:
        if not dry:
            node.func.id = _NAMES[node.func.id]
            if node.func.id == "list":
                node.keywords = []
        return True
    found = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("add", "sub")
    found = found and len(node.args) == 2
    if found and not dry:
        node.func.attr = _NAMES[node.func.attr]
    return found


def _step(node: ast.AST, dry: bool) -> bool:
    """A statement that is left out."""
    found = isinstance(node, ast.AugAssign | ast.Continue | ast.Break)
    found = found or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    if found and not dry:
        node.__class__ = ast.Pass
        for field in list(node._fields):
            node.__dict__.pop(field, None)
    return found


def _slice(node: ast.AST, dry: bool) -> bool:
    """reversed(x) -> iter(x)."""
    found = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reversed"
    if found and not dry:
        node.func.id = "iter"
    return found


CHANGES = (_compare, _sign, _number, _negate, _drop, _swap, _name, _step, _slice)


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.Constant | ast.JoinedStr) and not isinstance(getattr(side, "value", 0), int)
        for side in (node.left, node.right)
    )


def drawn(stages: list[str], count: int, seed: int, only: str) -> list[Fault]:
    """As many faults from each file as its share of all."""
    sites = [
        site
        for stage in stages
        for path in sorted((ROOT / STAGES[stage][0]).rglob("*"))
        if path.suffix in SUFFIXES and path.name not in LEFT_OUT and only in str(path.relative_to(ROOT))
        for site in sites_in(stage, path)
    ]
    random.Random(seed).shuffle(sites)
    faults = (site.fault() for site in sites)
    changed = (fault for fault in faults if fault.changes)
    return sorted(itertools.islice(changed, count), key=lambda fault: (fault.file, fault.line))


# --- tests -------------------------------------------------------------------------------------------------


def copied(folder: Path) -> None:
    """The project as far as tests need it; it is imported from its folder src."""
    for name in COPIED:
        shutil.copytree(
            ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "node_modules")
        )
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "NOTICE.md", "setup.sh"):
        shutil.copy(ROOT / name, folder)


@dataclass(frozen=True)
class Failure:
    """What pytest said of a test that failed, and what to run to see it pass without the fault."""

    words: str
    again: tuple[str, ...]

    @staticmethod
    def of(line: str) -> Failure:
        """From a line of pytest's summary. The parameters of a test may hold the mark that ends its name, so it runs
        again with all parameters."""
        name = line.split(" ", 1)[1].split("[")[0].split(" - ")[0]
        return Failure(line, (name,))


def noticed(folder: Path, fault: Fault, record: ExecutingTests | None, fast: bool) -> Failure | None:
    """The first test that fails with the fault."""
    (folder / fault.file).write_text(fault.text, encoding="utf-8")
    if fast:
        executing = (record.of(fault.file, fault.line) if record else []) or changed.named_like(fault.file)
        tests = changed.chosen(executing, record, [fault.file])
        (folder / "chosen").write_text("\n".join(tests), encoding="utf-8")
        return failing(folder, *changed.options(folder / "chosen", tests))
    own = tuple(f"tests/{name}" for name in STAGES[fault.stage][1])
    files = by_file(record.of(fault.file, fault.line), tuple(f"{name}/" for name in own)) if record else {}
    if files:
        few = [test for tests in files.values() for test in tests[:FEW]]
        # What several tests of a file share is recorded for the first one only.
        rest = [each for name, tests in files.items() for each in ([name] if name.startswith(own) else tests[FEW:])]
        parts = [naming(folder, fault.file), few, rest]
    else:  # as lines that run when a module is imported
        folders = dict.fromkeys([*own, *(f"tests/{name}" for name in WHOLE)])
        parts = [naming(folder, fault.file), *([name] for name in folders)]
    return next(filter(None, (failing(folder, *part) for part in parts if part)), None)


def failing(folder: Path, *tests: str) -> Failure | None:
    """The first test of these files and folders that fails. Sanitizers need more address space than is allowed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", "-W", "ignore",
               "-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true",
               "-k", "not thousand and not under_sanitizers", *tests]  # fmt: skip
    run = subprocess.run(
        command, cwd=folder, env=_environment(folder), capture_output=True, text=True, preexec_fn=_limit
    )
    if run.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return None
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR "))]
    return Failure.of(failed[0]) if failed else Failure(f"exit {run.returncode} of {' '.join(tests)}", tests)


def names_of_tests(folder: Path) -> list[str]:
    """All tests, as pytest names them, but for those that need more than the copy."""
    command = [sys.executable, "-m", "pytest", "-o", "addopts=-q", "--collect-only", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=folder, env=_environment(folder), capture_output=True, text=True)
    return [line for line in run.stdout.splitlines() if "::" in line]


def _environment(folder: Path) -> dict[str, str]:
    """The home, the disk cache and temporary files lie beside the copy: faults that are examined at the same time share
    nothing."""
    places = {name: folder.parent / name.lower() for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME")}
    for place in places.values():
        place.mkdir(exist_ok=True)
    own = {name: str(place) for name, place in places.items()}
    return {**os.environ, **own, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}


def _limit() -> None:
    """Limits what an endless loop uses, independently of what else runs on the machine."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def examined(whole: Path, fault: Fault, record: ExecutingTests | None, fast: bool) -> Failure | None:
    """`noticed` on a copy of its own. A test that fails without the fault too proves nothing: it ends the search."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "copy"
        shutil.copytree(whole, own, symlinks=True)
        failure = noticed(own, fault, record, fast)
    without = failing(whole, *failure.again) if failure else None
    if without:
        raise SystemExit(f"without any fault a test fails: {without.words}")
    return failure


def survivors_of(faults: list[Fault], whole: Path, jobs: int, record: ExecutingTests | None, fast: bool) -> list[Fault]:
    """Prints for each fault what noticed it."""
    survivors, own, began = [], 0, time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        for fault, failure in zip(
            faults, pool.map(lambda fault: examined(whole, fault, record, fast), faults), strict=True
        ):
            spent = f"{time.monotonic() - began:.0f} s"
            print(f"noticed  {fault}   [{failure.words}]" if failure else f"SURVIVES {fault}", spent, flush=True)
            began = time.monotonic()
            survivors += [] if failure else [fault]
            own += failure is not None and any(f"tests/{name}/" in failure.words for name in STAGES[fault.stage][1])
    print(f"{own} noticed by the tests of their own stage")
    return survivors


def main() -> int:
    """0 where at least nine of ten faults are noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the faults of the draw that were examined before")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of the file name")
    parser.add_argument("--stages", default=",".join(STAGES), help="which, separated by commas")
    parser.add_argument("--fast", action="store_true", help="with the tests that `make fast` runs")
    options = parser.parse_args()
    faults = drawn(options.stages.split(","), options.count, options.seed, options.only)[options.first :]
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "copy"
        copied(whole)
        record = latest_record(names_of_tests(whole))
        survivors = survivors_of(faults, whole, options.jobs, record, options.fast)
    print(f"{len(faults) - len(survivors)} of {len(faults)} faults noticed")
    return 0 if 10 * len(survivors) <= len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
