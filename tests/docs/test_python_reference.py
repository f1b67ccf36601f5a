"""Tests the pages of the Python reference."""

from __future__ import annotations

from handbook.reference import reference_pages

import cutset


def test_each_public_name_has_its_contract() -> None:
    pages = reference_pages()
    functions = pages["python/functions.md"]
    for name in cutset._HOME:
        page = pages.get(f"python/{name}.md", "")
        assert page.startswith(f"# {name}\n") or f"## {name}\n" in functions, name
    assert "## load\n\n```python\ncutset.load(\n    path:" in functions
    model = pages["python/Model.md"]
    assert '    target: str = "auto",\n' in model and "## simulate\n" in model and "## export_c\n" in model
    assert "- `interval`: one output time every" in pages["python/RunSettings.md"]
    assert "```python\n" not in model.partition("## states\n")[2].partition("##")[0]
