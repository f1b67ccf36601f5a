"""Compiles exported programs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

FLAGS = ("-std=c11", "-O0", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")
COMPILER = shutil.which("gcc") or shutil.which("clang")
TCC = shutil.which("tcc")


def built(folder: Path) -> Path:
    """The program of all files in the folder, which have no warnings. tcc takes a tenth of the time of gcc -O0, and so
    does gcc for what it warns of without translating; it translates those of test_exported_sources.py."""
    sources, program = [path.name for path in folder.glob("*.c")], folder / "program"
    if TCC is None:
        subprocess.run([str(COMPILER), *FLAGS, *sources, "-lm", "-o", program], check=True, cwd=folder)
        return program
    subprocess.run([str(COMPILER), *FLAGS, "-fsyntax-only", *sources], check=True, cwd=folder)
    subprocess.run([TCC, *sources, "-lm", "-o", program], check=True, cwd=folder)
    return program
