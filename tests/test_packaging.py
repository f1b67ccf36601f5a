"""What is installed: every folder of code, and every file that the code reads beside itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import cutset

ROOT = Path(__file__).parent.parent
FOLDERS = {
    "api": "cutset",
    "compiler": "cutset/compiler",
    "contract": "cutset/contract",
    "export": "cutset/export",
    "lsp": "cutset/lsp",
    "runtime": "cutset/runtime",
    "server": "cutset/server",
    "stdlib": "cutset/stdlib",
}
DATA = (".lark", ".mo", ".c", ".h", ".txt", ".js", ".css", ".html", ".typed", ".woff2")
BUILD = "from setuptools.build_meta import build_wheel; print(build_wheel('dist'))"


def test_package_list_is_complete() -> None:
    """An editable installation works with a package forgotten; a wheel is the first to miss it."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = [
        "/".join((package, *path.parent.relative_to(ROOT / folder).parts)).replace("/", ".")
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("__init__.py")
    ]
    assert sorted(listed) == sorted(found)


def test_every_folder_of_code_is_a_package() -> None:
    folders = {path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_view_for_type_checkers_is_complete() -> None:
    """tests/typing/cutset has a link to everything that is installed as cutset."""
    view = ROOT / "tests" / "typing" / "cutset"
    wanted = {ROOT / name for name in FOLDERS if name != "api"}
    wanted |= {path for path in (ROOT / "api").iterdir() if path.name != "__pycache__"}
    assert {path.resolve() for path in view.iterdir() if path.name != "__pycache__"} == wanted


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names in a wheel built from a copy of the code, without a network."""
    copy = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE.md"):
        shutil.copy(ROOT / name, copy)
    (copy / "dist").mkdir()
    done = subprocess.run([sys.executable, "-c", BUILD], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(copy / "dist" / done.stdout.split()[-1]) as archive:
        return archive.namelist()


def test_wheel_holds_the_code_and_its_data(wheel: list[str]) -> None:
    wanted = [
        f"{package}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", *DATA)
    ]
    assert sorted(set(wanted) - set(wheel)) == []
    suffixes = {Path(name).suffix for name in wheel}
    assert set(DATA) <= suffixes


def test_wheel_has_the_version_of_the_package(wheel: list[str]) -> None:
    assert f"cutset-{cutset.__version__}.dist-info/METADATA" in wheel


def test_wheel_holds_the_licenses_of_bundled_parts(wheel: list[str]) -> None:
    """A part of others has its license beside it, and a row with its version in NOTICE.md."""
    lines = (ROOT / "NOTICE.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip("| `") for cell in line.split(" | ")] for line in lines if line.startswith("| [")]
    found = {path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("LICENSE*")}
    found |= {path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("*.min.*")}
    assert {(ROOT / where).parent for _, where, *_ in rows} == found
    for _, where, version, license, text in rows:
        assert (ROOT / where).exists() and license in (ROOT / text).read_text(encoding="utf-8")
        assert any(version in path.read_text(encoding="utf-8") for path in (ROOT / where).parent.glob("*.js"))
        assert any(name.endswith(f"licenses/{text}") for name in wheel)
    assert any(name.endswith("licenses/NOTICE.md") for name in wheel)


def test_wheel_holds_nothing_else(wheel: list[str]) -> None:
    assert [name for name in wheel if not name.startswith(("cutset/", "cutset-"))] == []
