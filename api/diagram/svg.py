"""Writes an arranged model as SVG. Names are escaped."""

from __future__ import annotations

from collections.abc import Iterator

from cutset.api.diagram.markup import STYLE_OF_TEXT, escaped, page, quoted
from cutset.api.diagram.parts import EQUATIONS, OWN, Bond, Net, Part
from cutset.api.diagram.placed import Placed, Segments
from cutset.api.diagram.sizes import CLASS_SIZE, CUT_SIZE, HEADER, NAME_SIZE, hidden_words, label_of, name_width, short
from cutset.api.diagram.wiring import LEFT

_MARGIN = 12.0
_CUT = 3.0
# The colors of lines, by cut class in the order of the text.
_COLORS = ("#1f5fa8", "#b3541e", "#2e7d4f", "#7a3f98", "#a8871f", "#8c2f39")
_PLAIN = "#444c56"
_MOST_EQUATIONS = 12
_STYLE = f"""{STYLE_OF_TEXT}
.name{{font-size:{NAME_SIZE:g}px;font-weight:bold}}
.class{{font-size:{CLASS_SIZE:g}px;fill:#57606a}}
.label{{font-size:{CUT_SIZE:g}px;fill:#57606a}}
.part>rect{{stroke:#57606a;stroke-width:1}}
.net path{{fill:none;stroke-width:1.5;stroke-linecap:square}}
.net .near{{stroke-width:9;stroke-opacity:0}}
.equations path{{stroke-dasharray:4 3;stroke-width:1.2;stroke-linecap:butt}}
.part>.element{{stroke:none;fill:none}}
.part>.junction{{stroke:#b8c0c8;rx:9}}
.net .several{{stroke-width:4}}
.net .between{{stroke:#ffffff;stroke-width:1.6}}"""


def svg_of(placed: Placed) -> str:
    """The picture."""
    colors = _colors(placed)
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN
    lines: list[str] = []
    for x, y, depth, part in placed.walk():
        lines += _part(part, x + _MARGIN, y + _MARGIN, depth)
        for segments in part.lines:
            lines += _net(part, segments, (x + _MARGIN, y + _MARGIN), depth, colors)
    return page(width, height, _STYLE, lines)


def _colors(placed: Placed) -> dict[str, str]:
    kinds = (net.kind for _, _, _, inner in placed.walk() for net in inner.part.nets)
    named = [kind for kind in dict.fromkeys(kinds) if kind not in ("", EQUATIONS)]
    return {kind: _COLORS[k % len(_COLORS)] for k, kind in enumerate(named)}


def _part(placed: Placed, x: float, y: float, depth: int) -> Iterator[str]:
    """The box of a part with its texts and cuts."""
    part = placed.part
    yield f'<g class="part" data-path={quoted(part.path)}><title>{escaped(_about(part))}</title>'
    fill = "#ffffff" if depth % 2 == 0 else "#f3f5f8"
    style = f'class="{part.style}" ' if part.style else ""
    yield f'<rect {style}x="{x:g}" y="{y:g}" width="{placed.width:g}" height="{placed.height:g}" rx="3" fill="{fill}"/>'
    name, of_class = escaped(short(part.name)), escaped(short(part.class_name))
    if part.parts:
        right = x + 16.0 + name_width(part)
        yield f'<text class="name" x="{x + 8:g}" y="{y + HEADER - 8:g}">{name}</text>'
        if part.class_name != part.name:
            yield f'<text class="class" x="{right:g}" y="{y + HEADER - 8:g}">{of_class}</text>'
    else:
        raised = 8.0 if part.hidden else -4.0 if part.style else 3.0
        middle, top = x + placed.width / 2, y + placed.height / 2 - raised
        yield f'<text class="name" x="{middle:g}" y="{top:g}" text-anchor="middle">{name}</text>'
        yield f'<text class="class" x="{middle:g}" y="{top + 13:g}" text-anchor="middle">{of_class}</text>'
        if part.hidden:
            words = hidden_words(part)
            yield f'<text class="label" x="{middle:g}" y="{top + 25:g}" text-anchor="middle">{words}</text>'
    yield "</g>"
    yield from _cuts(placed, x, y)


def _about(part: Part) -> str:
    words = f"{part.path}: {part.class_name}" if part.path else part.class_name
    return f"{words}\n{part.documentation}" if part.documentation else words


def _cuts(placed: Placed, x: float, y: float) -> Iterator[str]:
    """The cuts on the border of a part: filled, or hollow for a cut that nothing is connected to."""
    part = placed.part
    for cut, side in placed.ports.side.items():
        if cut.startswith(EQUATIONS) or part.style:
            continue
        at = x if side == LEFT else x + placed.width
        height = y + placed.ports.height[cut]
        yield f'<g class="cut" data-cut={quoted(f"{part.path}:{cut}")}><title>{escaped(f"{part.path}:{cut}")}</title>'
        yield (
            f'<rect x="{at - _CUT:g}" y="{height - _CUT:g}" width="{2 * _CUT:g}" height="{2 * _CUT:g}" '
            f'fill="#ffffff" stroke="{_PLAIN}"/>'
        )
        anchor, away = ("start", 6.0) if side == LEFT else ("end", -6.0)
        # The line of a cut continues inside a part that is shown; the label is above it.
        below = -3.0 if part.parts else 3.0
        yield (
            f'<text class="label" x="{at + away:g}" y="{height + below:g}" text-anchor="{anchor}">'
            f"{escaped(label_of(cut))}</text></g>"
        )


def _net(
    placed: Placed, segments: Segments, corner: tuple[float, float], depth: int, colors: dict[str, str]
) -> Iterator[str]:
    """The lines of a net, which tell on hover what they join."""
    model, net, moved = placed.part, segments.net, segments.moved(*corner)
    color = colors.get(net.kind, _PLAIN)
    kind = "net equations" if net.kind == EQUATIONS else "net"
    ends = _ends(model, net)
    yield f'<g class="{kind}" data-in={quoted(model.path)} data-ends={quoted(" ".join(ends))}>'
    yield f"<title>{escaped(_title(net, ends))}</title>"
    path = "".join(f"M{s.x1:g} {s.y1:g}{f'H{s.x2:g}' if s.y1 == s.y2 else f'V{s.y2:g}'}" for s in moved.lines)
    yield f'<path class="near" d="{path}" stroke="{color}"/>'
    if net.bond is not None:
        yield from _bond(net.bond, path, color, _places(placed, net, corner, depth))
    else:
        yield f'<path d="{path}" stroke="{color}"/>'
    for x, y in moved.dots:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="2.8" fill="{color}"/>'
    yield "</g>"


def _places(placed: Placed, net: Net, corner: tuple[float, float], depth: int) -> list[tuple[float, float, int]]:
    """The place of each port of a net, and the direction in which its line arrives: 1 from the left, -1 from the right;
    0 at the border of a model inside, where the line continues on the other side."""
    found: list[tuple[float, float, int]] = []
    for port in net.ports:
        own = port.part == OWN
        part = None if own else placed.part.parts[port.part]
        x, y, at = next((inner for inner in placed.inner if inner[2].part is part), (0.0, 0.0, placed))
        is_left = at.ports.side[port.cut] == LEFT
        way = 1 if is_left != own else -1
        x += corner[0] + (0.0 if is_left else at.width)
        continues = depth > 0 if own else bool(at.part.parts)
        found.append((x, y + corner[1] + at.ports.height[port.cut], 0 if continues else way))
    return found


def _bond(bond: Bond, path: str, color: str, ends: list[tuple[float, float, int]]) -> Iterator[str]:
    """The line, double for a vector, the half arrow and the strokes; with both, the number of elements at each."""
    style = "several" if bond.size > 1 else "single"
    yield f'<path class="{style}" d="{path}" stroke="{color}"/>'
    if bond.size > 1:
        yield f'<path class="between" d="{path}"/>'
    for (x, y, way), stroke in zip(ends, bond.strokes, strict=True):
        if stroke and way:
            yield f'<path class="stroke" d="M{x - 2 * way:g} {y - 7:g}V{y + 7:g}" stroke="{color}"/>'
            if all(bond.strokes):
                yield f'<text class="label" x="{x - 7 * way:g}" y="{y + 11:g}" text-anchor="middle">{stroke}</text>'
    x, y, way = ends[1]
    if way:
        yield f'<path class="head" d="M{x - 3 * way:g} {y:g}L{x - 12 * way:g} {y - 6:g}" stroke="{color}"/>'


def _title(net: Net, ends: list[str]) -> str:
    """The names of the nodes and the cuts, or the equations."""
    if net.statements:
        return "\n".join(net.statements[:_MOST_EQUATIONS])
    joined = ", ".join(ends)
    if net.bond is not None:
        return f"{joined}\neffort {net.bond.effort}, flow {net.bond.flow}"
    return f"{', '.join(net.nodes)}: {joined}" if net.nodes else joined


def _ends(model: Part, net: Net) -> list[str]:
    """The connected cuts as the text of the model names them; of equations the submodels."""
    names = [model.parts[port.part].name if port.part != OWN else "" for port in net.ports]
    if net.kind == EQUATIONS:
        return names
    return [f"{name}:{port.cut}" if name else port.cut for name, port in zip(names, net.ports, strict=True)]
