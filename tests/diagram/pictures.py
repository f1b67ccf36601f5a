"""Reads the picture of a model: boxes, cuts and lines, with what must hold for each picture."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

from cutset.api.diagram.draw import draw_submodels
from cutset.api.diagram.sizes import width_of
from cutset.api.translate.translation import observe_file, options_of

SVG = "{http://www.w3.org/2000/svg}"
MODELS = Path(__file__).parents[2] / "models"


@dataclass
class Line:
    """A net: the model that it is in, the cuts that it joins, its lines (x1, y1, x2, y2), its dots, and its title."""

    inside: str
    ends: list[str]
    segments: list[tuple[float, float, float, float]]
    dots: list[tuple[float, float]]
    title: str
    kind: str


@dataclass
class Picture:
    """`boxes` are x, y, width and height by full name, `cuts` the middle of each cut by its name; `symbols` are the
    parts that are drawn as such, `words` the texts with their places like boxes, `marks` are the places of further
    grounds, `squares` those of cuts that are seen."""

    text: str
    symbols: set[str] = field(default_factory=set)
    words: list[tuple[str, str, tuple[float, float, float, float]]] = field(default_factory=list)
    marks: list[tuple[float, float, float, float]] = field(default_factory=list)
    squares: list[tuple[float, float, float, float]] = field(default_factory=list)
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    cuts: dict[str, tuple[float, float]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)


def drawn(path: Path, name: str | None = None, submodel: str = "", depth: int | None = None) -> Picture:
    """The picture of a model in a file."""
    return read(draw_submodels(lambda listener: observe_file(path, name, options_of([]), [listener]), submodel, depth))


def read(text: str) -> Picture:
    picture = Picture(text)
    root = ElementTree.fromstring(text)
    for group in root.findall(f"{SVG}g[@class='symbol']/{SVG}g"):
        *_, x, y = re.findall(r"[-\d.]+", group.get("transform", ""))
        picture.marks.append((float(x), float(y), 20.0, 12.0))
    for group in root.iter(f"{SVG}g"):
        kind = group.get("class", "")
        if kind in ("", "symbol"):
            continue
        title = group.findtext(f"{SVG}title") or ""
        picture.titles.append(title)
        owner = group.get("data-path", group.get("data-cut", ""))
        picture.words += [(owner, text.text or "", _words(text)) for text in group.findall(f"{SVG}text") if text.text]
        if kind == "part":
            assert owner not in picture.boxes, f"{owner} is there twice"
            picture.boxes[owner] = _rectangle(group)
            picture.symbols |= {owner} if group.find(f"{SVG}g") is not None else set()
        elif kind == "cut":
            x, y, width, height = _rectangle(group)
            picture.squares += [(x, y, width, height)] if group.find(f"{SVG}rect[@class]") is None else []
            picture.cuts[owner] = (x + width / 2, y + height / 2)
        else:
            paths = group.findall(f"{SVG}path")
            dots = [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in group.findall(f"{SVG}circle")]
            ends = group.get("data-ends", "").split()
            found = Line(group.get("data-in", ""), ends, _segments(paths[1].get("d", "")), dots, title, kind)
            picture.lines.append(found)
    return picture


def _words(text: ElementTree.Element) -> tuple[float, float, float, float]:
    """The place of a text, from the top of its capitals to its line."""
    size = 12.0 if text.get("class") == "name" else 11.0
    width = 0.95 * width_of(text.text or "", size)
    left = (
        float(text.get("x", "")) - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
    )
    return left, float(text.get("y", "")) - 8.0, width, 9.0


def _rectangle(group: ElementTree.Element) -> tuple[float, float, float, float]:
    rectangle = group.find(f"{SVG}rect")
    assert rectangle is not None
    x, y, width, height = (float(rectangle.get(name, "")) for name in ("x", "y", "width", "height"))
    return x, y, width, height


def _segments(path: str) -> list[tuple[float, float, float, float]]:
    found = []
    for x, y, way, to in re.findall(r"M(\S+) ([^HV]+)([HV])([^M]+)", path):
        end = (float(to), float(y)) if way == "H" else (float(x), float(to))
        found.append((float(x), float(y), *end))
    return found


def check(picture: Picture) -> None:
    """Boxes do not overlap and lie within the box of their model; the lines of a connection end at its cuts, which are
    on the border of their boxes, cross no box and lie on no other line."""
    _check_boxes(picture)
    _check_words(picture)
    for line in picture.lines:
        _check_ends(picture, line)
        _check_way(picture, line)
    for first, second in combinations(picture.lines, 2):
        if first.inside == second.inside:
            assert not any(_lie_on(a, b) for a in first.segments for b in second.segments), (first.title, second.title)


def _check_boxes(picture: Picture) -> None:
    for name, (x, y, width, height) in picture.boxes.items():
        if name != _outermost(picture):
            px, py, pwidth, pheight = picture.boxes[_parent(name, picture)]
            assert px < x and py < y and x + width < px + pwidth and y + height < py + pheight, name
    for a, b in combinations(picture.boxes, 2):
        if _outermost(picture) not in (a, b) and _parent(a, picture) == _parent(b, picture):
            (ax, ay, aw, ah), (bx, by, bw, bh) = picture.boxes[a], picture.boxes[b]
            assert ax + aw < bx or bx + bw < ax or ay + ah < by or by + bh < ay, (a, b)


def _check_words(picture: Picture) -> None:
    """No text lies on another one, on a line, or on a symbol."""
    for (_, one, a), (_, two, b) in combinations(picture.words, 2):
        assert _apart(a, b), f"{one} lies on {two}"
    for owner, words, place in picture.words:
        assert all(_apart(place, picture.boxes[s]) for s in picture.symbols), f"{words} of {owner} lies on a symbol"
        assert all(_apart(place, mark) for mark in picture.marks), f"{words} of {owner} lies on a ground"
        assert all(_apart(place, square) for square in picture.squares), f"{words} of {owner} lies on a cut"
        for line in picture.lines:
            for x1, y1, x2, y2 in line.segments:
                way = min(x1, x2), min(y1, y2), abs(x1 - x2), abs(y1 - y2)
                assert _apart(place, way), f"{words} of {owner} lies on the line of {line.ends}"


def _apart(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]


def crossings(picture: Picture) -> int:
    """How often lines of different nets cross."""
    pairs = ((a, b) for one, two in combinations(picture.lines, 2) for a in one.segments for b in two.segments)
    return sum(_cross(a, b) or _cross(b, a) for a, b in pairs)


def _cross(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """True if the first line is horizontal and crosses the second one, which is vertical."""
    inside = min(a[0], a[2]) < b[0] < max(a[0], a[2]) and min(b[1], b[3]) < a[1] < max(b[1], b[3])
    return a[1] == a[3] and b[0] == b[2] and inside


def _parent(name: str, picture: Picture) -> str:
    """The model that contains a part; empty for the one that contains all others."""
    return "" if name == _outermost(picture) else name.rpartition(".")[0]


def _outermost(picture: Picture) -> str:
    return next(iter(picture.boxes))


def _check_ends(picture: Picture, line: Line) -> None:
    points = {point for x1, y1, x2, y2 in line.segments for point in ((x1, y1), (x2, y2))}
    for end in line.ends if "equations" not in line.kind else ():
        part, _, cut = end.rpartition(":") if ":" in end else ("", "", end)
        owner = ".".join(filter(None, (line.inside, part)))
        x, y = picture.cuts[f"{owner}:{cut}"]
        left, top, width, height = picture.boxes[owner]
        assert left <= x <= left + width and top <= y <= top + height, end
        assert x in (left, left + width) or (y in (top, top + height) and owner in picture.symbols), end
        assert (x, y) in points, f"no line of {line.ends} ends at {end}"
    assert len(line.ends) < 3 or line.dots or picture.marks, f"{line.ends} have no junction"


def _check_way(picture: Picture, line: Line) -> None:
    prefix = f"{line.inside}." if line.inside else ""
    siblings = [n for n in picture.boxes if n and n.startswith(prefix) and "." not in n.removeprefix(prefix)]
    for x1, y1, x2, y2 in line.segments:
        assert x1 == x2 or y1 == y2
        way = min(x1, x2), min(y1, y2), abs(x1 - x2), abs(y1 - y2)
        assert all(_apart(way, mark) for mark in picture.marks), f"{line.ends} crosses a ground"
        for name in siblings:
            x, y, width, height = picture.boxes[name]
            apart = max(x1, x2) <= x or min(x1, x2) >= x + width or max(y1, y2) <= y or min(y1, y2) >= y + height
            assert apart, f"{line.ends} crosses {name}"


def _lie_on(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """True if two lines have more than a point in common."""
    for k in (0, 1):
        if a[k] == a[k + 2] == b[k] == b[k + 2]:
            low = max(min(a[1 - k], a[3 - k]), min(b[1 - k], b[3 - k]))
            high = min(max(a[1 - k], a[3 - k]), max(b[1 - k], b[3 - k]))
            return low < high
    return False
