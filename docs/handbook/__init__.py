"""Extends Sphinx for this documentation: highlighting, generated pages, and pages that run.

`generate` writes pages for Sphinx (one for each error code, for each library, and for the options of the commands), and
`prepared` changes others slightly (file names above models, links to error codes, images and animations that the
commands on the page create).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.api.show.pygments_lexer import CutsetLexer
from handbook.codes import code_pages
from handbook.commands import command_pages
from handbook.highlight import MessageLexer
from handbook.library import library_pages
from handbook.prepare import copy_animations, prepared
from handbook.reference import reference_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_lexer("cutset", CutsetLexer)
    app.add_lexer("message", MessageLexer)
    app.connect("builder-inited", lambda app: generate(Path(app.srcdir)))
    app.connect("source-read", _read)
    app.connect("build-finished", lambda app, error: copy_animations(Path(app.srcdir), Path(app.outdir)))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def generate(docs: Path) -> None:
    """Write the generated pages below `docs`; unchanged pages keep their time."""
    folder = docs / "generated"
    pages = code_pages() | library_pages() | command_pages() | reference_pages()
    for path in folder.rglob("*.md"):
        if path.relative_to(folder).as_posix() not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    from sphinx.util import logging

    source[0], complaints = prepared(source[0], name, Path(app.srcdir))
    for complaint in complaints:
        logging.getLogger(__name__).warning(complaint)
