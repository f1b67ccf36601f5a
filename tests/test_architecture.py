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

ROOT = Path(__file__).parent.parent
FOLDERS = ("api", "compiler", "contract", "export", "lsp", "runtime", "server", "stdlib")
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60

# What a part of the program may import of ours, beside its own folder: modules and whole packages.
# A stage sees the diagnostics, the expressions and the type of the stage before it, and little else.
SHARED = {"cutset.compiler.diagnostics", "cutset.compiler.expressions", "cutset.contract", "cutset.compiler.units"}
PROGRAM = {f"cutset.{part}" for part in ("compiler", "contract", "runtime", "export", "lsp", "stdlib")}
PROGRAM |= {"cutset.api.translated_model"}
# What all of the runtime may use.
RUN_BASE = {"cutset.contract"} | {
    f"cutset.runtime.{name}"
    for name in (
        "counted", "description", "errors", "interface", "optional_packages", "outcome", "plain_data", "processor",
        "shown_figure", "trajectory", "whole_files",
    )
}  # fmt: skip
RUNLESS = PROGRAM | {f"cutset.api.{wing}" for wing in ("translate", "files", "mechanics", "diagram")}
MODEL = RUNLESS | {f"cutset.api.{wing}" for wing in ("show", "runs", "notebook")}
ALLOWED = {
    "cutset.compiler.diagnostics": set(),
    "cutset.compiler.expressions": {"cutset.contract"},
    "cutset.compiler.units": {"cutset.compiler.diagnostics", "cutset.contract"},
    "cutset.compiler.syntax": {"cutset.compiler.diagnostics", "cutset.compiler.units", "cutset.contract"},
    # A model may include further files, so the library of classes calls the parser.
    "cutset.compiler.instantiate": SHARED
    | {f"cutset.compiler.syntax.{module}" for module in ("tree", "parse", "read", "cache", "results")}
    | {"cutset.stdlib"}
    # A robot is read as the text of a model.
    | {"cutset.compiler.robots.convert", "cutset.compiler.robots.meshes"}
    # Errors are shown before the stage ends.
    | {"cutset.compiler.observer"},
    "cutset.compiler.robots": {
        "cutset.compiler.diagnostics",
        "cutset.contract.functions",
        "cutset.contract.mesh_file",
    },
    # It calls the reader of the format.
    "cutset.compiler.robots.convert": {
        "cutset.compiler.diagnostics",
        "cutset.compiler.robots",
        "cutset.compiler.urdf.read_robot",
        "cutset.compiler.mjcf.convert",
        "cutset.contract.cache",
    },
    "cutset.compiler.urdf": {"cutset.compiler.diagnostics", "cutset.compiler.robots"},
    "cutset.compiler.mjcf": {
        "cutset.compiler.diagnostics",
        "cutset.compiler.robots",
        "cutset.compiler.syntax.read",
        "cutset.contract.cache",
        "cutset.contract.plain_records",
    },
    "cutset.compiler.spice": {
        "cutset.compiler.diagnostics",
        "cutset.compiler.robots.names",
        "cutset.compiler.syntax.read",
    },
    "cutset.compiler.flatten": SHARED
    | {
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.instantiate.events.model",
        "cutset.compiler.structure.matching",
        "cutset.compiler.structure.union_find",
    },
    "cutset.compiler.structure": set(),
    # Asked only when a stage has failed: it reads the flat model once more.
    "cutset.compiler.diagnose": SHARED
    | {
        "cutset.compiler.flatten",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.structure.plan",
        "cutset.compiler.structure.union_find",
    },
    # It looks at the plan, and has a system that it changes analyzed anew.
    "cutset.compiler.reduce": SHARED
    | {
        "cutset.compiler.flatten.model",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.sort.incidence",
        "cutset.compiler.structure",
    },
    # The algorithms on integers are called from here, which turns what they say into the names of the model.
    "cutset.compiler.sort": SHARED
    | {
        "cutset.compiler.flatten.model",
        "cutset.compiler.instantiate.events.model",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.structure",
    },
    # It takes equations out of a flat model, and outputs out of a solved one.
    "cutset.compiler.function": SHARED
    | {
        "cutset.compiler.flatten.model",
        "cutset.compiler.flatten.scalarize",
        "cutset.compiler.function.definition",
        "cutset.compiler.instantiate.events.model",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.sort.system",
        "cutset.compiler.structure.matching",
    },
    "cutset.compiler.function.definition": set(),
    # Of flattening only the origin of an equation, which goes through to the messages at run time.
    "cutset.compiler.codegen": SHARED | {"cutset.compiler.sort.system", "cutset.compiler.flatten.model"},
    "cutset.compiler.options": {
        "cutset.compiler.syntax.cache",
        "cutset.compiler.codegen.passes",
        "cutset.compiler.function.definition",
        "cutset.contract.quick_dataclass",
    },
    "cutset.compiler.observer": {"cutset.compiler.diagnostics"},
    "cutset.compiler.pipeline": {"cutset.compiler"},
    "cutset.compiler.verify": {"cutset.compiler"},
    "cutset.compiler.why": {"cutset.compiler", "cutset.contract.abridged"},
    "cutset.compiler": set(),
    "cutset.contract": set(),
    "cutset.runtime": {"cutset.contract", "cutset.runtime"},
    # Its wings, each above those before it.
    "cutset.runtime.fmu": RUN_BASE,
    "cutset.runtime.targets": RUN_BASE | {"cutset.runtime.fmu"},
    "cutset.runtime.given": RUN_BASE | {"cutset.runtime.targets"},
    "cutset.runtime.events": RUN_BASE | {f"cutset.runtime.{wing}" for wing in ("targets", "given")},
    "cutset.runtime.solvers": RUN_BASE | {f"cutset.runtime.{wing}" for wing in ("targets", "given", "events")},
    "cutset.runtime.analysis": RUN_BASE | {f"cutset.runtime.{wing}" for wing in ("targets", "events", "solvers")},
    "cutset.runtime.animation": RUN_BASE | {"cutset.runtime.bundled", "cutset.runtime.results"},
    "cutset.runtime.results": RUN_BASE
    | {f"cutset.runtime.{wing}" for wing in ("given", "events", "analysis", "animation")},
    "cutset.export": {"cutset.contract", "cutset.runtime"},
    "cutset.stdlib": set(),
    # It reads texts and looks names up; the check of a file is given to it.
    "cutset.lsp": {
        "cutset.compiler.collection",
        "cutset.compiler.diagnostics",
        "cutset.compiler.instantiate.events.builtin_functions",
        "cutset.compiler.instantiate.names",
        "cutset.compiler.instantiate.values.builtin_functions",
        "cutset.compiler.syntax",
        "cutset.contract.experiment_settings",
        "cutset.contract.names",
        "cutset.stdlib",
    },
    # The workbench uses the public interface; only its command imports it.
    "cutset.server": {"cutset"},
    # The wings of the interface, each above those before it.
    # What they use of `Model`, which stands above them.
    "cutset.api.translated_model": PROGRAM | {f"cutset.api.{wing}" for wing in ("translate", "files", "show")},
    "cutset.api.translate": PROGRAM,
    "cutset.api.files": PROGRAM | {"cutset.api.translate"},
    "cutset.api.mechanics": PROGRAM | {"cutset.api.files", "cutset.api.translate"},
    "cutset.api.diagram": PROGRAM | {"cutset.api.translate"},
    "cutset.api.show": RUNLESS,
    "cutset.api.runs": RUNLESS | {"cutset.api.show"},
    "cutset.api.notebook": RUNLESS | {"cutset.api.show"},
    "cutset.api": MODEL,
    "cutset.api.verify": MODEL | {"cutset.api.model", "cutset.api.texts"},
    "cutset.api.starters": set(),
    "cutset.api.testing": MODEL | {"cutset.api.model", "cutset.api.verify"},
    "cutset.api.command_line": MODEL | {"cutset.api.model", "cutset.api.verify"},
    "cutset.api.commands": PROGRAM | {"cutset.api"},
    "cutset.api.commands.open": PROGRAM | {"cutset.api", "cutset.server"},
    "cutset.api.notebook.cells": PROGRAM | {"cutset.api"},
    # The public names.
    "cutset": {"cutset.api", "cutset.compiler", "cutset.contract.version", "cutset.runtime"},
}
THIRD_PARTY = {
    "cutset.compiler.syntax": {"lark"},
    "cutset.compiler.instantiate": {"fmpy"},
    "cutset.compiler.mjcf": {"mujoco"},
    "cutset.compiler.robots": {"numpy", "scipy"},
    "cutset.compiler.structure": {"scipy", "networkx"},
    "cutset.compiler.expressions": {"numpy"},
    "cutset.compiler.sort": {"numpy"},
    "cutset.runtime": {"numpy", "scipy", "matplotlib", "pyarrow", "pandas", "xarray", "control", "fmpy", "trimesh"},
    "cutset.export": {"numpy"},
    "cutset.export.symbolic": {"numpy", "casadi", "jax", "sympy"},
    "cutset.lsp": {"pygls", "lsprotocol"},
    "cutset.api": {
        "pygls",
        "pygments",
        "networkx",
        "sympy",
        "numpy",
        "scipy",
        "pandas",
        "rich",
        "matplotlib",
        "distributed",
        "fmpy",
        "anywidget",
        "traitlets",
    },
    "cutset.server": {"numpy", "scipy", "sympy", "starlette", "uvicorn", "lsprotocol"},
}
# Each of its methods has the name of a rule in grammar.lark, which says what the method takes.
RULES_OF_THE_GRAMMAR = ("cutset.compiler.syntax.build", "Rules")
HEAVY = (
    "anywidget",
    "pygls",
    "fmpy",
    "mujoco",
    "networkx",
    "numpy",
    "scipy",
    "sympy",
    "matplotlib",
    "lark",
    "rich",
    "trimesh",
    "cutset.compiler.pipeline",
)


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
