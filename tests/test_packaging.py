"""What is installed: every folder of code, and every file that the code reads beside itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import cutset

ROOT = Path(__file__).parent.parent
FOLDERS = ("api", "compiler", "contract", "export", "lsp", "runtime", "server", "stdlib")
DATA = (".lark", ".mo", ".c", ".h", ".txt", ".js", ".css", ".html", ".typed", ".woff2")
BUILD = "from setuptools.build_meta import build_wheel; print(build_wheel('dist'))"


def test_the_package_links_to_each_folder_and_holds_nothing_else() -> None:
    """src/cutset is what is imported; its own file has the public names."""
    package = ROOT / "src" / "cutset"
    links = {path.name: path.resolve() for path in package.iterdir() if path.is_symlink()}
    assert links == {name: ROOT / name for name in FOLDERS}
    own = {path.name for path in package.iterdir() if path.name not in links}
    assert own - {"__pycache__"} == {"__init__.py", "py.typed"}


def test_every_folder_of_code_is_a_package() -> None:
    folders = {path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names in a wheel built from a copy of the code, without a network."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("src", *FOLDERS):
        shutil.copytree(
            ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE.md"):
        shutil.copy(ROOT / name, copy)
    (copy / "dist").mkdir()
    done = subprocess.run([sys.executable, "-c", BUILD], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(copy / "dist" / done.stdout.split()[-1]) as archive:
        return archive.namelist()


def test_wheel_holds_the_code_and_its_data(wheel: list[str]) -> None:
    wanted = [
        f"cutset/{path.relative_to(ROOT).as_posix()}"
        for folder in FOLDERS
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


def test_setup_brings_a_c_compiler_where_there_is_none(tmp_path: Path) -> None:
    """The lines before those that look for an installation, with only `dirname` on the path, and with a compiler."""
    lines = (ROOT / "setup.sh").read_text(encoding="utf-8").partition("stamp=")[0] + '\necho "$extras"'
    (tmp_path / "dirname").symlink_to(str(shutil.which("dirname")))

    def extras() -> str:
        run = subprocess.run(["/bin/sh", "-c", lines], env={"PATH": str(tmp_path)}, capture_output=True, text=True)
        return run.stdout.strip()

    assert extras() == "test,docs,dev,zig"
    (tmp_path / "clang").touch(0o755)
    assert extras() == "test,docs,dev"
