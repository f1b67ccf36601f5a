"""The rules of the house that a program can check: who imports whom, sizes, docstrings, a light start.

Each rule is a function from a module to its offenses; a planted offense proves that it can fail.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from allowed_imports import ALLOWED, HEAVY, RULES_OF_THE_GRAMMAR, THIRD_PARTY

ROOT = Path(__file__).parent.parent
FOLDERS = ("api", "compiler", "contract", "export", "lsp", "runtime", "server", "stdlib")
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60


@dataclass(frozen=True)
class Module:
    """A source file: its name in the package (or its path, for files outside of it), and its text."""

    name: str
    place: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Imports and functions, wherever they are: all that the rules look for in the whole tree."""
        looked_for = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef
        return [node for node in ast.walk(self.tree) if isinstance(node, looked_for)]


def source_modules() -> Iterator[Module]:
    """The package itself, and each file of the folders of code."""
    yield Module("cutset", "src/cutset/__init__.py", (ROOT / "src/cutset/__init__.py").read_text(encoding="utf-8"))
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT)
            name = ".".join(("cutset", *place.with_suffix("").parts)).removesuffix(".__init__")
            yield Module(name, str(place), path.read_text(encoding="utf-8"))


def other_modules() -> Iterator[Module]:
    for folder in ("tests", "benchmarks", "docs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            yield Module(place, place, path.read_text(encoding="utf-8"))


SOURCES = list(source_modules())
EVERYTHING = SOURCES + list(other_modules())
NAMES = {module.name for module in SOURCES}


def within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """(module, line) of each import; `from a import b` gives a.b where that is a module, else a."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield (full if full in NAMES else node.module or "", node.lineno)


def imported(modules: Iterable[Module]) -> dict[str, set[str]]:
    """The modules of ours that each of them imports, wherever it does."""
    return {
        module.name: {name for name, _ in imports(module.nodes) if name in NAMES} - {module.name} for module in modules
    }


def part_of(name: str) -> str:
    """The most special entry of ALLOWED that a name of ours belongs to."""
    return max((part for part in ALLOWED if within(name, {part})), key=len)


def foreign_stages(module: Module) -> list[str]:
    part = part_of(module.name)
    return [
        f"{module.place}:{line} imports {name}"
        for name, line in imports(module.nodes)
        if within(name, {"cutset"}) and part_of(name) != part and not within(name, ALLOWED[part])
    ]


def foreign_packages(module: Module) -> list[str]:
    own = (packages for part, packages in THIRD_PARTY.items() if within(module.name, {part}))
    allowed = {*sys.stdlib_module_names, "cutset"}.union(*own)
    return [
        f"{module.place}:{line} imports {name}"
        for name, line in imports(module.nodes)
        if name.split(".")[0] not in allowed
    ]


def folder_imports(module: Module) -> list[str]:
    """Relative imports, and folders of the repository imported as if they were packages."""
    relative = [
        f"{module.place}:{node.lineno} has a relative import"
        for node in module.nodes
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    return relative + [
        f"{module.place}:{line} imports the folder {name}"
        for name, line in imports(module.nodes)
        if name.split(".")[0] in FOLDERS
    ]


def too_long(module: Module) -> list[str]:
    lines = len(module.text.splitlines())
    offenses = [f"{module.place} has {lines} lines"] if lines > MAX_FILE_LINES else []
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                offenses.append(f"{module.place}:{node.lineno} {node.name} has {length} lines")
    return offenses


def without_docstring(module: Module) -> list[str]:
    """Public functions, classes, methods and properties that have no docstring and do not explain themselves."""
    offenses = [] if ast.get_docstring(module.tree) else [f"{module.place} has no docstring"]
    for name, node in public_definitions(module):
        if not ast.get_docstring(node) and not explains_itself(node):
            offenses.append(f"{module.place}:{node.lineno} {name}")
    return offenses


def without_opening_sentence(module: Module) -> list[str]:
    """Modules whose docstring does not open with a verb sentence in its first line, such as "Sorts the equations."."""
    opening = (ast.get_docstring(module.tree) or "").partition("\n")[0]
    opens = re.fullmatch(r"(Stage \d: |Cutset )?\w+s\b.*\.", opening)
    return [] if opens else [f"{module.place} opens with: {opening}"]


def public_definitions(module: Module) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """The functions and classes of a module, and the methods and properties of these classes, by their names."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef) and (module.name, node.name) != RULES_OF_THE_GRAMMAR:
                methods = (m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_"))
                methods = (m for m in methods if "overload" not in map(ast.unparse, m.decorator_list))
                yield from ((f"{node.name}.{method.name}", method) for method in methods)


def explains_itself(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """A diagnostic's constructor holds its own text; a record of at most three plain fields is its names."""
    if isinstance(node, ast.FunctionDef):
        return isinstance(node.returns, ast.Name) and node.returns.id == "Diagnostic"
    return len(node.body) <= 3 and all(isinstance(field, ast.AnnAssign | ast.Pass) for field in node.body)


def offenses_of(rule, modules: list[Module]) -> list[str]:
    return [offense for module in modules for offense in rule(module)]


@pytest.mark.parametrize(
    "rule", [foreign_stages, foreign_packages, too_long, without_docstring, without_opening_sentence]
)
def test_source_keeps(rule) -> None:
    assert offenses_of(rule, SOURCES) == []


def test_nobody_imports_a_folder() -> None:
    assert offenses_of(folder_imports, EVERYTHING) == []


def missing_modules(module: Module) -> list[str]:
    """Imports of modules of ours that do not exist; no test runs some benchmarks, which would miss a renamed module."""
    return [
        f"{module.place}:{line} imports {name}"
        for name, line in imports(module.nodes)
        if within(name, {"cutset"}) and name not in NAMES | {"cutset"}
    ]


def test_imported_modules_exist() -> None:
    assert offenses_of(missing_modules, EVERYTHING) == []


def test_no_import_goes_in_a_circle() -> None:
    # Imports inside functions count too, and so do those that only a type checker reads: a reader follows both.
    TopologicalSorter(imported(SOURCES)).prepare()


def test_a_circle_of_types_is_one() -> None:
    planted = [
        Module("cutset.api.runs.sweep", "sweep.py", "def f():\n    from cutset.api.model import Model"),
        Module("cutset.api.model", "model.py", "if TYPE_CHECKING:\n    from cutset.api.runs.sweep import Sweep"),
    ]
    with pytest.raises(CycleError):
        TopologicalSorter(imported(planted)).prepare()


PLANTED = [
    (foreign_stages, "cutset.compiler.flatten.x", "from cutset.compiler.syntax.tree import Class"),
    (foreign_stages, "cutset.compiler.structure.x", "import cutset.compiler.diagnostics"),
    (foreign_stages, "cutset.compiler.diagnostics", "from cutset.compiler.expressions.pool import Pool"),
    (foreign_stages, "cutset.runtime.x", "def f():\n    from cutset.compiler.pipeline import emit"),
    (foreign_stages, "cutset.runtime.x", "import cutset"),
    (foreign_stages, "cutset.compiler.sort.x", "from cutset import load"),
    (foreign_packages, "cutset.compiler.structure.x", "import numpy"),
    (foreign_packages, "cutset.compiler.sort.x", "import rich"),
    (folder_imports, "tests/x.py", "import compiler.pipeline"),
    (folder_imports, "cutset.runtime.x", "from . import build"),
    (missing_modules, "benchmarks/x.py", "from cutset.runtime.nowhere import f"),
    (too_long, "cutset.x", "\n" * (MAX_FILE_LINES + 1)),
    (too_long, "cutset.x", "def f():\n" + "    pass\n" * MAX_FUNCTION_LINES),
    (without_docstring, "cutset.x", "x = 1"),
    (without_opening_sentence, "cutset.x", '"""Text in, a tree out."""'),
    (without_opening_sentence, "cutset.x", '"""Reads a text, and gives\na tree."""'),
    (without_docstring, "cutset.x", '"""Module."""\ndef f():\n    pass'),
    (without_docstring, "cutset.x", '"""Module."""\nclass C:\n    """Class."""\n    def f(self):\n        pass'),
    (without_docstring, "cutset.x", '"""M."""\nclass C:\n    """C."""\n    @property\n    def f(self):\n        pass'),
]


@pytest.mark.parametrize(("rule", "name", "text"), PLANTED)
def test_rule_can_fail(rule, name: str, text: str) -> None:
    assert len(rule(Module(name, "planted.py", text))) == 1


@pytest.mark.parametrize(
    "start",
    [
        "import cutset",
        "import cutset.api.command_line.command",
        "from cutset.api.command_line.command import main; main(['--help'])",
    ],
)
def test_start_loads_nothing_heavy(start: str) -> None:
    code = (
        "import sys\n"
        f"try:\n    {start}\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', *[name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def folders_of_code() -> set[str]:
    """Every folder with modules or C text of the program, as CONTRIBUTING.md writes it."""
    files = [path for folder in FOLDERS for end in ("*.py", "*.c", "*.h") for path in (ROOT / folder).rglob(end)]
    return {f"{path.parent.relative_to(ROOT).as_posix()}/" for path in files}


def test_every_folder_is_in_the_code_map() -> None:
    """Add a line for a new folder to the table in CONTRIBUTING.md: what it takes and gives, what is always true."""
    mapped = re.findall(r"^\| `([\w/]+/)` \|", CONTRIBUTING, re.MULTILINE)
    assert sorted(mapped) == sorted(folders_of_code())


def paths_in(text: str) -> list[str]:
    """The paths of the repository that code in a page of Markdown, or a link, names."""
    tops = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"out", "build"}
    code = re.findall(r"```.*?```|`[^`]+`|\]\([^)]+\)", text, re.DOTALL)
    found = [path.rstrip("/.") for piece in code for path in re.findall(r"(?<![\w/.])[\w.-]+/[\w./-]*", piece)]
    return [path for path in found if path.split("/")[0] in tops]


def test_paths_in_contributing_exist() -> None:
    paths = paths_in(CONTRIBUTING)
    assert len(paths) > 40 and [path for path in paths if not (ROOT / path).exists()] == []
    assert paths_in("`runtime/nowhere.py`, [x](docs/none.md)") == ["runtime/nowhere.py", "docs/none.md"]


def test_each_test_file_has_a_name_of_its_own() -> None:
    """pytest imports them by their names, without their folders, and collects only the first of two."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert [name for name in sorted(set(names)) if names.count(name) > 1] == []
