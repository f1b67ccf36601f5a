"""Models written by hand in tests/runtime/models, as a code generator would write them, built for each target."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.contract.metadata import SourceFiles
from cutset.runtime.build import build
from cutset.runtime.interface import CompiledModel
from cutset.runtime.toolchain import find_compiler

FOLDER = Path(__file__).parent / "models"
MODELS = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def source_files(name: str) -> SourceFiles:
    return {f"model.{end}": (FOLDER / f"{name}.{end}").read_text(encoding="utf-8") for end in ("json", "c", "py")}


def load_model(name: str, target: str) -> CompiledModel:
    if target == "c" and find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    return build(source_files(name), target)
