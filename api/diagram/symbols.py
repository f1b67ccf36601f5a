"""Finds and reads the symbol of a class: an SVG file of its name, from which only plain shapes are taken.

The symbol of the class `Spring` of the file `rotational.mo` is `rotational/Spring.svg`, or `Spring.svg` beside it.
Whoever writes a model also writes its symbols, so every element, attribute and value must be one of those known here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from cutset.compiler.diagnostics import Source
from cutset.runtime.errors import RunError

_SVG = "{http://www.w3.org/2000/svg}"
_LARGEST_FILE, _MOST_SHAPES, _LARGEST_SIDE = 20_000, 100, 200.0
_NUMBER = re.compile(r"-?\d{1,3}(\.\d{1,3})?", re.ASCII)
_NUMBERS = re.compile(r"[-\d., ]{1,500}", re.ASCII)
_ATTRIBUTES = {
    "d": re.compile(r"[MmLlHhVvCcSsQqTtAaZz\d., -]{1,1000}", re.ASCII),
    "points": _NUMBERS,
    "stroke-dasharray": _NUMBERS,
    "fill": re.compile("none|black|white"),
    "stroke": re.compile("none|black|white"),
    "text-anchor": re.compile("start|middle|end"),
    "font-style": re.compile("italic"),
}
_SHAPES = {
    "path": {"d"},
    "line": {"x1", "y1", "x2", "y2"},
    "rect": {"x", "y", "width", "height", "rx"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "polyline": {"points"},
    "polygon": {"points"},
    "text": {"x", "y", "font-size", "text-anchor", "font-style"},
}
_COMMON = {"fill", "stroke", "stroke-dasharray"}
_LONGEST_WORDS = 24
# What the file says so that it can be shown alone; a diagram has its own pens.
_PEN = {
    "viewBox", "data-cuts", "data-layout", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin",
    "font-family", "font-size", "text-anchor",
}  # fmt: skip
_CUT = re.compile(r"(\w{1,60}) (-?\d{1,3}(?:\.\d)?) (-?\d{1,3}(?:\.\d)?)")


@dataclass(frozen=True)
class Shape:
    """One shape: its tag, its attributes, and the words of a text."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    words: str = ""


@dataclass(frozen=True)
class Symbol:
    """A picture of a class. `cuts` are the places of cuts, and of variables that equations set; `layout` says how it is
    placed: 'turn' if it may stand upright, 'source' if it belongs to the left, 'ground' if it is potential zero."""

    width: float
    height: float
    cuts: Mapping[str, tuple[float, float]]
    shapes: tuple[Shape, ...]
    layout: frozenset[str]


def symbol_of(line: tuple[tuple[str, Source], ...]) -> Symbol | None:
    """The symbol of a class, given by its name and file and those of its superclasses; None if none of them has one.
    RunError E605 for a file that is no symbol."""
    for name, source in line:
        file = Path(source.name)
        for path in (file.parent / file.stem / f"{name}.svg", file.parent / f"{name}.svg"):
            if path.is_file():
                if not path.resolve().is_relative_to(file.parent.resolve()):
                    raise _refused(path, "it lies outside of the folder of the model")
                return _read(path, path.stat().st_mtime_ns)
    return None


@lru_cache(maxsize=1000)
def _read(path: Path, _changed: int) -> Symbol:
    """The symbol in a file; a file that has changed is read again."""
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST_FILE + 1).decode("utf-8")
        if len(text) > _LARGEST_FILE:
            raise _refused(path, f"it has more than {_LARGEST_FILE} characters")
        if "<!" in text.replace("<!--", "") or "<?" in text:
            raise _refused(path, "it has a declaration, which could name other files")
        root = ElementTree.fromstring(text)
    except (OSError, UnicodeDecodeError, ElementTree.ParseError):
        raise _refused(path, "it cannot be read as SVG") from None
    size = re.fullmatch(r"0 0 (\d{1,3}(?:\.\d)?) (\d{1,3}(?:\.\d)?)", root.get("viewBox", ""), re.ASCII)
    if root.tag != f"{_SVG}svg" or size is None or not 0 < max(map(float, size.groups())) <= _LARGEST_SIDE:
        raise _refused(path, f'it does not begin with <svg viewBox="0 0 WIDTH HEIGHT">, at most {_LARGEST_SIDE:g} each')
    if unknown := sorted(set(root.attrib) - _PEN):
        raise _refused(path, f"its attribute {unknown[0]!r} is not allowed")
    cuts = [entry.strip() for entry in root.get("data-cuts", "").split(",") if entry.strip()]
    places = [_CUT.fullmatch(entry) for entry in cuts]
    if len(root) > _MOST_SHAPES or (root.text or "").strip():
        raise _refused(path, f"it is not a list of at most {_MOST_SHAPES} shapes")
    if None in places:
        raise _refused(path, f"its data-cuts has {cuts[places.index(None)]!r}, not NAME X Y")
    return Symbol(
        float(size[1]),
        float(size[2]),
        {place[1]: (float(place[2]), float(place[3])) for place in places if place is not None},
        tuple(_shape(element, path) for element in root),
        frozenset(root.get("data-layout", "").split()),
    )


def _shape(element: ElementTree.Element, path: Path) -> Shape:
    tag, words = element.tag.removeprefix(_SVG), (element.text or "").strip()
    if tag not in _SHAPES:
        raise _refused(path, f"its element {tag!r} is not one of {', '.join(_SHAPES)}")
    for name, value in element.attrib.items():
        if name not in _SHAPES[tag] | _COMMON:
            raise _refused(path, f"the attribute {name!r} of {tag!r} is not allowed")
        if not _ATTRIBUTES.get(name, _NUMBER).fullmatch(value):
            raise _refused(path, f"{name}={value[:20]!r} of {tag!r} is not allowed")
    if len(element) or (element.tail or "").strip() or len(words) > (_LONGEST_WORDS if tag == "text" else 0):
        raise _refused(path, f"its {tag!r} contains more than a shape or a text of {_LONGEST_WORDS} characters does")
    return Shape(tag, tuple(element.attrib.items()), words)


def _refused(path: Path, reason: str) -> RunError:
    return RunError("E605", f"{path.name} is not a symbol: {reason}", "see the page on diagrams for what a symbol has")
