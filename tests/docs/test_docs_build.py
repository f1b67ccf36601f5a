"""Sphinx builds the pages without a warning: every page is in the table of contents, every link leads somewhere."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import pytest
from handbook.prepare import drawn_pictures

from cutset.error_pages import read_pages

DOCS = Path(__file__).parents[2] / "docs"


def stand_ins(page: str, folder: Path, beside: Path) -> list[str]:
    """Instead of `run_page`, which test_docs_pages calls: files with the names of those that the page would draw."""
    for name in drawn_pictures(page, beside):
        (folder / name).write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    return []


# What other packages will have to change one day is not ours.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    application = pytest.importorskip("sphinx.application")
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    # A copy: the stand-ins must not get into the pages that `make docs` builds.
    docs = shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("generated"))
    monkeypatch.setattr("handbook.prepare.run_page", stand_ins)
    site, warnings = tmp_path / "html", io.StringIO()
    # The theme's navigation takes a third of the time, on each page anew; `make docs` builds with it.
    app = application.Sphinx(
        docs, docs, site, tmp_path / "trees", "html", {"html_theme": "basic"}, None, warnings, freshenv=True
    )
    app.build()
    assert warnings.getvalue() == ""
    assert {path.stem for path in (site / "generated" / "errors").glob("E*.html")} == set(read_pages())
    assert list((site / "_images").glob("*.svg")), "no picture was drawn"
    frames = re.findall(r'<iframe src="([^"]*)"', (site / "use" / "animation.html").read_text(encoding="utf-8"))
    assert frames and all((site / "use" / frame).is_file() for frame in frames)
    start = (site / "index.html").read_text(encoding="utf-8")
    assert '<span class="k">submodel</span>' in start and "rc.mo" in start
