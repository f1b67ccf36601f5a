"""Each row of the specification has a valid model, whose flat system is looked at, and an invalid one with its
messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from language.rows import ROWS

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import Observer, Options, compile_model, emit
from cutset.compiler.verify import Verifier
from cutset.runtime.targets.build import build

MODELS = Path(__file__).parent / "models"


@pytest.mark.parametrize("row", ROWS)
def test_flat(row, agrees, monkeypatch):
    monkeypatch.chdir(MODELS)
    dumps, verify = {}, Verifier()

    def observe(stage, result):
        dumps[stage] = str(result) if stage == "flatten" else ""
        return verify(stage, result)

    program = compile_model(Path(f"{row}.mo"), None, Options(allow_external=True), Observer([observe]))
    agrees(dumps["flatten"].rstrip() + "\n", MODELS / f"{row}.flat.txt")
    assert build(emit(program, "python"), "python").info.names


@pytest.mark.parametrize("row", ROWS)
def test_broken(row, agrees, monkeypatch):
    monkeypatch.chdir(MODELS)
    with pytest.raises(ModelError) as caught:
        compile_model(Path(f"{row}.broken.mo"), None)
    agrees(str(caught.value) + "\n", MODELS / f"{row}.broken.txt")


def test_each_row_has_its_files():
    wanted = {f"{row}{end}" for row in ROWS for end in (".mo", ".flat.txt", ".broken.mo", ".broken.txt")}
    assert {path.name for path in MODELS.iterdir() if path.is_file()} == wanted


def test_the_rows_are_numbered():
    """Sections 1 to 7, in each of them the rows from 1 on."""
    numbers = [tuple(map(int, row.split("-")[:2])) for row in ROWS]
    assert numbers == sorted(numbers) and {section for section, _ in numbers} == set(range(1, 8))
    for section in range(1, 8):
        own = [number for s, number in numbers if s == section]
        assert own == list(range(1, len(own) + 1))
