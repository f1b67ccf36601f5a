"""The notebooks run in a kernel, one cell after the other; their assertions hold, and their outputs can be seen."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient", reason="the package nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="the package nbformat is not installed")

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"


def executed(path: Path) -> list[Any]:
    """The outputs of all cells. CellExecutionError if one fails."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) > 3
    settings = {"timeout": 120, "kernel_name": "python3", "resources": {"metadata": {"path": str(path.parent)}}}
    nbclient.NotebookClient(notebook, **settings).execute()
    return [output for cell in cells for output in cell.outputs]


def kinds(outputs: list[Any]) -> Counter[str]:
    """How many outputs have a table, curves, a picture, an animation, and sliders."""
    found: Counter[str] = Counter()
    for data in (output.get("data", {}) for output in outputs):
        page = data.get("text/html", "")
        found["table"] += len(re.findall("<table", page))
        found["curve"] += len(re.findall("<svg", page))
        found["animation"] += len(re.findall("<iframe", page))
        found["picture"] += "image/png" in data
        found["sliders"] += WIDGET in data
    return found


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_tables_and_pictures(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    outputs = executed(path)
    assert [output.text for output in outputs if output.output_type == "stream" and "Error" in output.text] == []
    found = kinds(outputs)
    assert found["table"] >= 3 and found["curve"] >= 1 and found["picture"] >= 1, found
    assert found["animation"] == 1 and found["sliders"] == 1, found
