"""Prepares the text of a page for Sphinx: adds captions, links to codes, and places of images."""

from __future__ import annotations

import html
import re
import shutil
from functools import cache
from pathlib import Path

from cutset.api.command_line.error_pages import read_pages
from handbook.blocks import UNNAMED, blocks_of
from handbook.running import run_page

_PICTURE = re.compile(r"(!\[[^\]]*\]\()([\w.-]+\.(?:svg|png|html))\)")
# An animation is a separate page, shown in a frame.
_ANIMATION = re.compile(r"^!\[([^\]]*)\]\(([\w.-]+\.html)\)$", re.MULTILINE)
# Inline code and links are not changed.
_KEPT = re.compile(r"(`[^`]*`|\[[^\]]*\]\([^)]*\)|^#.*$)", re.MULTILINE)


def prepared(page: str, name: str, docs: Path) -> tuple[str, list[str]]:
    """The changed text of the page called `name` (its path below `docs` without .md), and complaints."""
    pictures, complaints = {}, []
    drawn = drawn_pictures(page, (docs / name).parent)
    if drawn:
        folder = docs / "generated" / "pictures" / name
        folder.mkdir(parents=True, exist_ok=True)
        complaints = [f"{name}.md:{o.block.line}: {o.complaint}" for o in run_page(page, folder, (docs / name).parent)]
        complaints += [f"{name}.md: nothing on the page draws {p}" for p in sorted(drawn) if not (folder / p).exists()]
        pictures = {picture: f"/generated/pictures/{name}/{picture}" for picture in drawn}
        page = _ANIMATION.sub(lambda match: _frame(name, match[1], match[2]), page)
    return _changed(page, pictures), complaints


def drawn_pictures(page: str, beside: Path) -> set[str]:
    """The files that a page shows and its commands have to make: those that do not lie in the folder beside it."""
    return {match[2] for match in _PICTURE.finditer(page) if not (beside / match[2]).exists()}


def _frame(page: str, title: str, file: str) -> str:
    """A frame with the animation, which `copy_animations` copies to the folder of this name."""
    source = f"{'../' * page.count('/')}animations/{page}/{file}"
    style = "width: 100%; aspect-ratio: 16 / 10; border: 0; border-radius: 8px"
    return f'<iframe src="{source}" title="{html.escape(title)}" loading="lazy" style="{style}"></iframe>'


def copy_animations(docs: Path, site: Path) -> None:
    """Copy the animations of all pages into the built site."""
    pictures = docs / "generated" / "pictures"
    for path in pictures.rglob("*.html"):
        target = site / "animations" / path.relative_to(pictures)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def _changed(page: str, pictures: dict[str, str]) -> str:
    codes = _codes()
    lines = page.splitlines()
    result: list[str] = []
    position = 0
    for block in blocks_of(page):
        result.append(_prose("\n".join(lines[position : block.first - 1]), codes, pictures))
        fence = lines[block.first - 1 : block.end + 1]
        if block.language in ("cutset", "diff") and block.name not in ("", UNNAMED):
            marks = "`" * (len(fence[0]) - len(fence[0].lstrip("`")))
            fence = [f"{marks}{{code-block}} {block.language}", f":caption: {block.name.split()[0]}", "", *fence[1:]]
        if block.language == "python" and block.text.startswith(">>>"):
            fence[0] = fence[0].replace("python", "pycon")
        result.append("\n".join(fence))
        position = block.end + 1
    result.append(_prose("\n".join(lines[position:]), codes, pictures))
    return "\n".join(result) + "\n"


@cache
def _codes() -> frozenset[str]:
    return frozenset(read_pages())


def _prose(text: str, codes: frozenset[str], pictures: dict[str, str]) -> str:
    text = _PICTURE.sub(lambda match: f"{match[1]}{pictures.get(match[2], match[2])})", text)
    pieces = _KEPT.split(text)
    for k in range(0, len(pieces), 2):
        pieces[k] = re.sub(r"\bE\d{3}\b", lambda match: _link(match[0], codes), pieces[k])
    return "".join(pieces)


def _link(code: str, codes: frozenset[str]) -> str:
    return f"[{code}](/generated/errors/{code}.md)" if code in codes else code
