"""Shared by all tests: the flag that renews expected texts, files of models, and what is made once for all tests."""

from __future__ import annotations

import gc
import os
import platform
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax import parse as parser
from cutset.compiler.syntax.cache import TreeCache
from cutset.compiler.syntax.tree import SyntaxTree
from cutset.contract.cache import package_cache
from cutset.runtime.targets.toolchain import find_compiler
from cutset.stdlib import FOLDER

ROOT = Path(__file__).parent.parent

# A loaded machine is no failure, and the same tree gives the same result each time. New examples are searched by
# pytest --hypothesis-profile=random.
settings.register_profile("random", deadline=None)
settings.register_profile("repeatable", deadline=None, derandomize=True)


def pytest_configure() -> None:
    """Compute with one thread in each process: those of OpenBLAS wait for each other, at 100 % of the processors that
    other tests need. Collect young garbage only, and rarely: the models that tests share are gigabytes, and to look at
    all of them takes seconds each time."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy is loaded later
    gc.set_threshold(20_000, 50, 1_000_000)
    settings.load_profile("repeatable")


def pytest_unconfigure() -> None:
    """At its end pytest collects garbage, and so does Python: they need not look at the models again."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="accept today's texts as the expected ones")
    parser.addoption("--chosen", type=Path, help="a file with the names of tests or files: no others run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if chosen := config.getoption("--chosen"):
        names = set(chosen.read_text(encoding="utf-8").splitlines())
        items[:] = [each for each in items if not names.isdisjoint(_names_of(each.nodeid))]


def _names_of(test: str) -> tuple[str, ...]:
    """A test with and without its parameters, its file, and the folders of that."""
    file = test.partition("::")[0]
    return (test, test.partition("[")[0], file, *map(str, Path(file).parents))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if find_compiler() is None:
        terminalreporter.write_line("no C compiler was found: the tests of the C target were skipped")


@pytest.fixture
def agrees(request: pytest.FixtureRequest):
    """agrees(text, path): is this the expected text? With --update-golden it becomes it."""

    def check(text: str, path: Path) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is not there; look at the text and run with --update-golden"
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def write_model(tmp_path: Path):
    """write_model(text) -> path of a model file."""

    def write(text: str, name: str = "model.mo") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session", autouse=True)
def parsed_once():
    """Files of the repository are read once: to read libraries would take a third of the time of all translations.
    The trees of the standard library come from the cache of the package, as for users."""
    parse, get, package = parser.parse, TreeCache.get, package_cache()
    kept = TreeCache(None, package and (os.path.join(FOLDER, ""), package))
    trees: dict[tuple[str, str, str, str], SyntaxTree] = {}

    def parsed(source: Source) -> SyntaxTree:
        if not source.name.startswith(str(ROOT)):
            return parse(source)
        key = source.name, source.text, source.shown, source.library  # two sources are never equal
        if key not in trees:
            found = get(kept, source)
            trees[key] = parse(source) if found is None else found
            if found is None:
                kept.put(source, trees[key])
        return trees[key]

    def got(cache: TreeCache, source: Source) -> SyntaxTree | None:
        return parsed(source) if source.name.startswith(str(ROOT)) else get(cache, source)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser, "parse", parsed)
        patch.setattr(TreeCache, "get", got)
        yield


@pytest.fixture(scope="session", autouse=True)
def same_examples():
    """Hypothesis draws constants of all modules that are loaded, too: reading them takes seconds, and they depend on
    the tests that ran before in this process."""
    with pytest.MonkeyPatch.context() as patch:
        if settings.default.derandomize:
            patch.setattr(providers, "is_local_module_file", lambda path: False)
        yield


@pytest.fixture(scope="session", autouse=True)
def not_flushed():
    """The disk cache of tests need not survive a crash of the machine, and waiting for the disk takes milliseconds for
    each of thousands of files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


# The tests in this folder compile C code as users do, with -O1,
OPTIMIZED = {"runtime"}
# but for those of large models, and of many small ones,
LARGE = {
    "test_branch_jumps.py",
    "test_changeover.py",
    "test_chattering_models.py",
    "test_crossings.py",
    "test_delays.py",
    "test_equal_sides.py",
    "test_flows.py",
    "test_followed_branches.py",
    "test_forcing.py",
    "test_implicit.py",
    "test_initial_system.py",
    "test_jumps.py",
    "test_linearize.py",
    "test_one_sided.py",
    "test_open_loops.py",
    "test_resume.py",
    "test_simulator.py",
    "test_singular_points.py",
    "test_stabilized.py",
    "test_start_choice.py",
    "test_steady.py",
    "test_switching_circuits.py",
    "test_unreduced.py",
}
# and these need threads and vectors, which tcc lacks, or print digits that depend on rounding.
WITH_GCC = {"test_batch.py", "test_sweep_in_c.py"}


def quick_tcc() -> str | None:
    """The command of tcc, with a <math.h> that it reads in a millisecond: that of glibc takes half of its time."""
    tcc = shutil.which("tcc")
    is_tried = sys.platform == "linux" and platform.machine() == "x86_64"
    return f"{tcc} -I{ROOT / 'tests' / 'quick_headers'}" if tcc and is_tried else tcc


@pytest.fixture(scope="module", autouse=True)
def fast_compilation(request: pytest.FixtureRequest):
    """The other tests compile with tcc, if it is installed: it takes a tenth of the time of gcc -O0, which takes a
    third of that of -O1. Results differ by rounding at most."""
    with pytest.MonkeyPatch.context() as patch:
        compiler = find_compiler()
        folder, name = request.path.relative_to(ROOT / "tests").parts[0], request.path.name
        if (folder not in OPTIMIZED or name in LARGE) and compiler is not None and len(compiler.command) == 1:
            tcc = None if name in WITH_GCC else quick_tcc()
            patch.setenv("CC", tcc or f"{compiler.command[0]} -O0")
        yield


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty disk cache for one test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cutset"
