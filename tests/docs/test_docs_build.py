"""Sphinx builds the pages without a warning: every page is in the table of contents, every link leads somewhere."""

from __future__ import annotations

import io
import posixpath
import re
import shutil
from pathlib import Path

import pytest
from handbook.codes import code_pages
from handbook.library import library_pages
from handbook.prepare import drawn_pictures
from handbook.reference import reference_pages

from cutset.api.command_line.error_pages import read_pages

DOCS = Path(__file__).parents[2] / "docs"
INDEX, LIBRARIES = "errors/index.md", "library/index.md"


def stand_ins(page: str, folder: Path, beside: Path) -> list[str]:
    """Instead of `run_page`, which test_docs_pages calls: files with the names of those that the page would draw."""
    for name in drawn_pictures(page, beside):
        (folder / name).write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    return []


def some_in_full() -> dict[str, str]:
    """Of ten pages of error codes one is complete: their prose is escaped, so one breaks as the others do. Of the rest
    those are there to which pages by hand refer, as headings, and the index has no others."""
    pages = code_pages()
    codes = sorted(name for name in pages if name != INDEX)
    # Three backquotes would end the block that they stand in; such a page must be in full.
    kept = {name for k, name in enumerate(codes) if k % 10 == 0 or pages[name].count("```") % 2}
    by_hand = (path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md") if "generated" not in path.parts)
    others = (*by_hand, *library_pages().values(), *reference_pages().values(), *map(pages.get, kept))
    named = set(re.findall(r"\bE\d{3}\b", "".join(others)))
    left = [name for name in codes if name in kept or Path(name).stem in named]
    texts = {name: pages[name] if name in kept else _heading(pages[name]) for name in left}
    rows = ((line, re.match(r"\| \[(E\d+)\]", line)) for line in pages[INDEX].splitlines())
    lines = [line for line, code in rows if code is None or f"errors/{code[1]}.md" in left]
    return {**texts, INDEX: "\n".join(lines) + "\n"}


def mostly_headings() -> dict[str, str]:
    """The pages of libraries: one in four is complete, as one function makes them all; of the others the headings, to
    which links lead, and of the table of all classes each fifth row. `test_links_of_libraries` follows all links."""
    pages = dict(sorted(library_pages().items()))
    index = pages.pop(LIBRARIES).splitlines()
    rows = [k for k, line in enumerate(index) if line.startswith("| [")]
    left = [line for k, line in enumerate(index) if k not in rows or rows.index(k) % 5 == 0]
    found = {name: text if k % 4 == 0 else _headings(text) for k, (name, text) in enumerate(pages.items())}
    return {**found, LIBRARIES: "\n".join(left) + "\n"}


def _headings(page: str) -> str:
    return "\n\n".join(line for line in _without_code(page).splitlines() if line.startswith("#")) + "\n"


def _without_code(page: str) -> str:
    return re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)


def test_links_of_libraries() -> None:
    pages, hand = library_pages(), {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    anchors = {
        name: {line.strip("# ").lower() for line in _headings(text).splitlines()} for name, text in pages.items()
    }
    followed = 0
    for name, text in pages.items():
        for target, _, anchor in (link.partition("#") for link in re.findall(r"\]\(([^)\s]+)\)", _without_code(text))):
            page = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            assert page in pages or page.removeprefix("../") in hand, (name, target)
            assert not anchor or anchor in anchors[page], (name, target, anchor)
            followed += bool(anchor)
    assert followed > 1000


def pages_to_write() -> list[str]:
    """All pages are read, and their links are followed. Written are those by hand, and one in ten of the others."""
    by_hand = [path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")]
    names = sorted((*some_in_full(), *library_pages()))[::10]
    own = [name for name in by_hand if not name.startswith(("generated/", "build/")) and name != "README"]
    return own + [f"generated/{name.removesuffix('.md')}" for name in names]


def _heading(page: str) -> str:
    head, mark, rest = page.partition("\n# ")
    return head + mark + rest.partition("\n")[0] + "\n"


# What other packages will have to change one day is not ours.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    application = pytest.importorskip("sphinx.application")
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    # A copy: the stand-ins must not get into the pages that `make docs` builds.
    docs = shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("generated"))
    # Pages of the gallery include models.
    (tmp_path / "models").symlink_to(DOCS.parent / "models")
    monkeypatch.setattr("handbook.prepare.run_page", stand_ins)
    monkeypatch.setattr("handbook.code_pages", some_in_full)
    monkeypatch.setattr("handbook.library_pages", mostly_headings)
    site, warnings = tmp_path / "html", io.StringIO()
    # The theme's navigation takes a third of the time, on each page anew, and the search and the quotes a third of the
    # rest; `make docs` builds with them.
    options = {"html_theme": "basic", "smartquotes": False}
    app = application.Sphinx(docs, docs, site, tmp_path / "trees", "html", options, None, warnings, freshenv=True)
    app.builder.search = False
    write, written = app.builder.write_doc, set(pages_to_write())

    def write_some(name: str, tree: object) -> None:
        if name in written:
            write(name, tree)

    monkeypatch.setattr(app.builder, "write_doc", write_some)
    app.build()
    assert warnings.getvalue() == ""
    codes = {name.rpartition("/")[2] for name in app.env.found_docs if name.startswith("generated/errors/E")}
    assert len(codes) > 40 and {f"errors/{code}.md" for code in codes} <= set(code_pages())
    assert set(code_pages()) == {f"errors/{code}.md" for code in read_pages()} | {INDEX}
    assert {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")} >= written
    assert list((site / "_images").glob("*.svg")), "no picture was drawn"
    frames = re.findall(r'<iframe src="([^"]*)"', (site / "use" / "animation.html").read_text(encoding="utf-8"))
    assert frames and all((site / "use" / frame).is_file() for frame in frames)
    start = (site / "index.html").read_text(encoding="utf-8")
    assert '<span class="k">submodel</span>' in start and "rc.mo" in start
