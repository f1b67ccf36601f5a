"""The cells of each notebook run one after the other; their assertions hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutset import NotImported

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
@pytest.mark.filterwarnings(f"ignore::{NotImported.__module__}.{NotImported.__qualname__}")
def test_a_notebook_runs(path: Path, monkeypatch) -> None:
    monkeypatch.chdir(NOTEBOOKS)
    names: dict[str, object] = {}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    for number, cell in enumerate(cells):
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number + 1}", "exec"), names)
