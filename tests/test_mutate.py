"""The mutation check itself: what a failure tells, and that copies share no folders."""

import ast
from pathlib import Path

import pytest
from coverage import CoverageData
from equivalent_faults import EQUIVALENT
from executing_tests import ExecutingTests, by_file
from mutate import ROOT, STAGES, SUFFIXES, Failure, failing, sites_in
from planted_faults import LISTED, OTHERS

# Three tests that pass, since all folders lie beside the copy, and one that fails.
TESTS = """
import tempfile
from pathlib import Path

import pytest

from cutset.contract.cache import cache_folder

@pytest.mark.parametrize("place", [tempfile.gettempdir(), str(Path.home()), str(cache_folder())])
def test_places(place):
    assert Path(place).is_relative_to(Path(__file__).parent.parent)

@pytest.mark.parametrize("text", ["x = a - b"])
def test_text(text):
    assert not text
"""


@pytest.mark.parametrize(
    ("line", "again"),
    [
        (
            "FAILED tests/sort/test_solve.py::test_roots[a - b = x] - assert 1 == 2",
            "tests/sort/test_solve.py::test_roots",
        ),
        ("FAILED tests/sort/test_solve.py::test_roots - assert 1 == 2", "tests/sort/test_solve.py::test_roots"),
        ("ERROR tests/sort/test_solve.py - ImportError: no [name]", "tests/sort/test_solve.py"),
    ],
)
def test_a_test_runs_again_with_all_parameters(line, again):
    assert Failure.of(line).again == (again,)


def test_copies_share_no_folders(tmp_path: Path):
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "test_copy.py").write_text(TESTS, encoding="utf-8")
    failure = failing(copy, "test_copy.py")
    assert failure is not None and failure.again == ("test_copy.py::test_text",)


def faults_at(file: str):
    """The faults in the lines of a file that have an equivalent one."""
    stage = next(name for name, (folder, _) in STAGES.items() if file.startswith(f"{folder}/"))
    text = (ROOT / file).read_text(encoding="utf-8")
    lines, nodes = text.splitlines(), list(ast.walk(ast.parse(text)))
    wanted = {place.text for place in EQUIVALENT if place.file == file}
    for site in sites_in(stage, ROOT / file):
        node = nodes[site.number]
        line = getattr(node, "lineno", 0) or node.target.lineno
        if lines[line - 1].strip() in wanted:
            yield site.fault()


def test_equivalent_faults_are_faults_of_the_code_as_it_is():
    faults = {file: list(faults_at(file)) for file in {place.file for place in EQUIVALENT}}
    for place in EQUIVALENT:
        found = [fault for fault in faults[place.file] if fault.place == place]
        assert len(found) == 1 and not found[0].changes, place


def test_the_tests_that_execute_a_line(tmp_path: Path):
    (tmp_path / "compiler").mkdir()
    file = tmp_path / "compiler" / "one.py"
    file.write_text("K = 1\ndef f(x):\n    y = (\n        x +\n        K\n    )\n    return y\n", encoding="utf-8")
    data = CoverageData(str(tmp_path / "record"))
    for context, lines in {
        "": [1, 2],
        "tests/one/test_f.py::test_f|run": [3, 7],
        "tests/one/test_f.py::test_f|setup": [3],
        "tests/one/test_f.py::test_gone|run": [3, 7],
        "tests/a/test_g.py::test_g[a - b|c]|run": [3, 4],
        "tests/a/test_g.py::test_g[1-2]|run": [3, 4],
    }.items():
        data.set_context(context)
        data.add_lines({str(Path("/elsewhere/compiler/one.py")): lines})
    data.write()
    a, plain, f = "tests/a/test_g.py::test_g", "tests/a/test_g.py::test_g[1-2]", "tests/one/test_f.py::test_f"
    record = ExecutingTests(tmp_path / "record", tmp_path, (plain, f))
    assert record.of("compiler/one.py", 4) == [a, plain]
    assert record.of("compiler/one.py", 5) == [a, plain, f]
    assert record.of("compiler/one.py", 7) == [f]
    assert record.of("compiler/one.py", 1) == [a, plain, f] and record.of("compiler/two.py", 1) == []
    assert list(by_file([a, plain, f], ("tests/one/",)).items()) == [
        ("tests/one/test_f.py", [f]),
        ("tests/a/test_g.py", [a, plain]),
    ]


def test_every_folder_of_code_belongs_to_a_stage():
    """The files of `compiler/` itself call the stages and hold no logic."""
    tops = ("api", "compiler", "contract", "export", "lsp", "runtime", "server", "stdlib")
    files = [path for top in tops for end in SUFFIXES for path in (ROOT / top).rglob(f"*{end}")]
    folders = {path.parent.relative_to(ROOT).as_posix() for path in files} - {"compiler"}
    places = [f"{place}/" for place, _ in STAGES.values()]
    assert [folder for folder in sorted(folders) if not f"{folder}/".startswith(tuple(places))] == []
    assert [name for _, tests in STAGES.values() for name in tests if not (ROOT / "tests" / name).is_dir()] == []
    assert {site.stage for name in ("lsp/rename.py", "stdlib/translational.mo", "export/fmi/instance.h")
            for site in sites_in(name.partition("/")[0], ROOT / name)} == {"lsp", "stdlib", "export"}  # fmt: skip


@pytest.mark.parametrize("fault", [*LISTED, *OTHERS], ids=lambda fault: fault.what)
def test_each_listed_fault_can_be_planted(fault):
    assert fault.old in (ROOT / fault.file).read_text(encoding="utf-8") and fault.old != fault.new
