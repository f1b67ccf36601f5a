"""The C of exported programs and FMUs compiles without warnings, with which others compile it too."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

import cutset

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which("gcc") or shutil.which("clang")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O0", "-S", "-o", "-")


@pytest.fixture(scope="module")
def model() -> cutset.Model:
    """A model with events, samples and delays."""
    return cutset.load(ROOT / "benchmarks/models/delayed_control.mo")


def warnings(folder: Path, source: str, *more: str) -> str:
    """What the compiler says of a source in half a second; if it only checks syntax, it names no unused functions."""
    command = [str(COMPILER), *FLAGS, *more, source]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stderr


@pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
@pytest.mark.parametrize("version", [2, 3])
def test_fmu_compiles_without_warnings(version: int, model: cutset.Model, tmp_path: Path) -> None:
    with zipfile.ZipFile(model.export_fmu(tmp_path / "model.fmu", version, platforms=[])) as archive:
        archive.extractall(tmp_path)
    assert warnings(tmp_path / "sources", f"fmi{version}.c", f"-DFMI{version}_OVERRIDE_FUNCTION_PREFIX") == ""


@pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
def test_program_compiles_without_warnings(model: cutset.Model, tmp_path: Path) -> None:
    model.export_c(tmp_path)
    assert warnings(tmp_path, "program.c") == ""
