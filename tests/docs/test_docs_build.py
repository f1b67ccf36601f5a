"""Sphinx builds the pages without a warning: every page is in the table of contents, every link leads somewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cutset.pages import read_pages

# What other packages will have to change one day is not ours.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    application = pytest.importorskip("sphinx.application")
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    folder = tmp_path_factory.mktemp("site")
    warnings = io.StringIO()
    app = application.Sphinx(
        DOCS, DOCS, folder / "html", folder / "trees", "html", status=None, warning=warnings, freshenv=True
    )
    app.build()
    assert warnings.getvalue() == ""
    return folder / "html"


def test_every_code_has_a_page(site: Path) -> None:
    assert {path.stem for path in (site / "generated" / "errors").glob("E*.html")} == set(read_pages())


def test_pictures_are_drawn(site: Path) -> None:
    assert list((site / "_images").glob("*.svg"))


def test_models_are_highlighted(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert '<span class="k">submodel</span>' in text and "rc.mo" in text
