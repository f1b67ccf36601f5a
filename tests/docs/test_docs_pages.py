"""What the pages show is what happens: models, messages, commands, Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from handbook.blocks import with_texts
from handbook.prepare import drawn_pictures
from handbook.running import run_page

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if not {"generated", "build"} & set(path.relative_to(DOCS).parts))
# They compute with threads, which tcc lacks.
WITH_GCC = {"use/sweep.md"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_page_runs(path: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if str(path.relative_to(DOCS)) in WITH_GCC and shutil.which("gcc"):
        monkeypatch.setenv("CC", "gcc -O0")
    page = path.read_text(encoding="utf-8")
    outcomes = run_page(page, tmp_path, path.parent)
    if request.config.getoption("--update-golden"):
        path.write_text(with_texts(page, {o.block.line: o.text for o in outcomes if o.text}), encoding="utf-8")
        outcomes = [outcome for outcome in outcomes if not outcome.text]
    assert [f"{path.name}:{o.block.line}: {o.complaint}" for o in outcomes] == []
    assert [name for name in drawn_pictures(page, path.parent) if not (tmp_path / name).exists()] == []
