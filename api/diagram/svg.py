"""Writes an arranged model as SVG. Names are escaped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from cutset.api.diagram.domains import DOMAINS
from cutset.api.diagram.markup import STYLE_OF_TEXT, escaped, page, quoted
from cutset.api.diagram.parts import EQUATIONS, OWN, Bond, Net, Part
from cutset.api.diagram.placed import Pin, Placed, Segments
from cutset.api.diagram.sizes import CLASS_SIZE, CUT_SIZE, HEADER, NAME_SIZE, label_of, name_width, short
from cutset.api.diagram.symbols import Shape, Symbol
from cutset.api.diagram.wiring import LEFT, THROUGH

# The coefficients of a transformation in SVG.
Matrix: TypeAlias = tuple[int, int, int, int, float, float]

_MARGIN = 12.0
_CUT = 3.0
# The middle of a text is so far above its line.
_RAISED = 4.0
_MOST_EQUATIONS = 12


def _rules(dark: bool) -> str:
    """The colors of lines, texts and parts, on a white or on a dark page."""
    on_white, on_dark = ("#1c2128", "#57606a", "#f3f5f8", "#ffffff"), ("#e6e9ed", "#9aa4af", "#22272e", "#15191e")
    ink, faint, box, page = on_dark if dark else on_white
    rules = [
        f"text{{fill:{ink}}}", f".class,.label{{fill:{faint}}}", f".part>rect,.cut>rect{{stroke:{faint};fill:{page}}}",
        f".part>.odd{{fill:{box}}}", f".symbol{{stroke:{ink}}}", f".ink{{fill:{ink}}}", f".paper,.page{{fill:{page}}}",
        f".net>.between{{stroke:{page}}}", f".net>path{{stroke:{faint}}}", f".net>circle,.net>.head{{fill:{faint}}}",
    ]  # fmt: skip
    for domain in DOMAINS:
        color = domain.dark if dark else domain.light
        names = [domain.name, "equations"] if domain.name == "signal" else [domain.name]
        for name in names:
            rules.append(f".{name}>path{{stroke:{color}}}.{name}>circle,.{name}>.head{{fill:{color}}}")
    return "".join(rules)


_WIDTHS = "".join(f".{domain.name}>path{{stroke-width:{domain.width:g}}}" for domain in DOMAINS)
_STYLE = f"""{STYLE_OF_TEXT}
.name{{font-size:{NAME_SIZE:g}px;font-weight:bold}}
.class{{font-size:{CLASS_SIZE:g}px}}
.label{{font-size:{CUT_SIZE:g}px}}
.symbol{{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}}
.symbol text{{font-size:11px;stroke:none;text-anchor:middle}}
.net path{{fill:none;stroke-linecap:square;stroke-linejoin:round}}
{_WIDTHS}
.equations path{{stroke-dasharray:4 3;stroke-width:1.2;stroke-linecap:butt}}
{_rules(False)}
@media (prefers-color-scheme:dark){{{_rules(True)}}}
@media print{{.net>path,.symbol{{stroke:#000}}.net>circle,.net>.head,.ink,text{{fill:#000}}}}
.part>.hidden,.cut>.hidden{{stroke:none;fill:none;pointer-events:all}}
.part>.element{{stroke:none;fill:none}}
.part>.junction{{stroke:#b8c0c8;rx:9}}
.net>.several{{stroke-width:4}}
.net>.between{{stroke-width:1.6}}
.net>.near{{stroke-width:9;stroke-opacity:0;stroke-dasharray:none}}
.net>.head{{stroke:none}}"""


def svg_of(placed: Placed) -> str:
    """The picture."""
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN
    lines: list[str] = []
    for x, y, depth, part in placed.walk():
        lines += _part(part, x + _MARGIN, y + _MARGIN, depth)
        for segments in part.lines:
            lines += _net(part, segments, (x + _MARGIN, y + _MARGIN), depth)
        for mx, my in part.marks:
            assert part.ground is not None and part.ground.symbol is not None
            left = x + mx - part.ground.symbol.width / 2 + _MARGIN
            lines += _symbol(part.ground.symbol, (1, 0, 0, 1, left, y + my + _MARGIN))
    return page(width, height, _STYLE, lines)


def _part(placed: Placed, x: float, y: float, depth: int) -> Iterator[str]:
    """The box or the symbol of a part, with its texts and cuts."""
    part = placed.part
    yield f'<g class="part" data-path={quoted(part.path)}><title>{escaped(_about(part))}</title>'
    left, top, width, height = placed.frame if placed.frame[2] else (0.0, 0.0, placed.width, placed.height)
    kinds = ["hidden" if part.symbol or (not depth and not part.cuts) else "odd" if depth % 2 else "", part.style]
    style = f' class="{" ".join(filter(None, kinds))}"' if any(kinds) else ""
    yield f'<rect{style} x="{x + left:g}" y="{y + top:g}" width="{width:g}" height="{height:g}" rx="3"/>'
    if part.symbol is not None:
        yield from _symbol(part.symbol, _placement(part.symbol, placed.turn, x + left, y + top))
    if part.parts:
        yield f'<text class="name" x="{x + 8:g}" y="{y + HEADER - 8:g}">{escaped(short(part.name))}</text>'
        if part.class_name != part.name:
            right, of_class = x + 16.0 + name_width(part), escaped(short(part.class_name))
            yield f'<text class="class" x="{right:g}" y="{y + HEADER - 8:g}">{of_class}</text>'
    for label in placed.labels:
        at = f'x="{x + label.x:g}" y="{y + label.y:g}" text-anchor="{label.anchor}"'
        yield f'<text class="{label.style}" {at}>{escaped(label.words)}</text>'
    yield "</g>"
    yield from _cuts(placed, x, y)


def _placement(symbol: Symbol, turn: tuple[int, int, int, int], x: float, y: float) -> Matrix:
    """The matrix that turns a symbol, with its upper left corner at a point."""
    a, b, c, d = turn
    left = min(0.0, a * symbol.width + c * symbol.height)
    return (a, b, c, d, x - left, y - min(0.0, b * symbol.width + d * symbol.height))


def _symbol(symbol: Symbol, matrix: Matrix) -> Iterator[str]:
    """The shapes of a symbol. Its texts stay upright."""
    a, b, c, d, e, f = matrix
    yield f'<g class="symbol"><g transform="matrix({a} {b} {c} {d} {e:g} {f:g})">'
    yield "".join(f"<{shape.tag} {_attributes(shape)}/>" for shape in symbol.shapes if shape.tag != "text") + "</g>"
    for shape in symbol.shapes:
        if shape.tag == "text":
            given = dict(shape.attributes)
            x, y = float(given.pop("x", "0")), float(given.pop("y", "0")) - _RAISED
            given |= {"x": f"{a * x + c * y + e:g}", "y": f"{b * x + d * y + f + _RAISED:g}"}
            yield f"<text {_attributes(Shape('text', tuple(given.items())))}>{escaped(shape.words)}</text>"
    yield "</g>"


def picture_of(symbol: Symbol) -> str:
    """A symbol alone, without pens and colors: those of the page that shows it."""
    width, height = symbol.width + 4.0, symbol.height + 4.0
    shapes = "".join(_symbol(symbol, (1, 0, 0, 1, 2.0, 2.0)))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">{shapes}</svg>'


def _attributes(shape: Shape) -> str:
    """The attributes of a shape; what is filled has the color of lines or of the page."""
    fills = {"black": 'class="ink"', "white": 'class="paper"', "none": ""}
    texts = [
        fills[value] if name == "fill" else f"{name}={quoted(value)}"
        for name, value in shape.attributes
        if shape.tag != "text" or name not in ("fill", "stroke")
    ]
    return " ".join(filter(None, texts))


def _about(part: Part) -> str:
    words = f"{part.path}: {part.class_name}" if part.path else part.class_name
    return f"{words}\n{part.documentation}" if part.documentation else words


def _cuts(placed: Placed, x: float, y: float) -> Iterator[str]:
    """The cuts of a part as small squares. A symbol shows those that nothing is connected to."""
    part = placed.part
    for cut, side in placed.ports.side.items():
        if cut.startswith(EQUATIONS) or cut.endswith(THROUGH) or part.style:
            continue
        at = placed.pins.get(cut, Pin(0.0 if side == LEFT else placed.width, placed.ports.height[cut], 0.0, 0.0))
        left, top = x + at.x, y + at.y
        kind = ' class="hidden"' if part.symbol is not None and {cut, cut + THROUGH} & placed.stubs.keys() else ""
        yield f'<g class="cut" data-cut={quoted(f"{part.path}:{cut}")}><title>{escaped(f"{part.path}:{cut}")}</title>'
        yield f'<rect{kind} x="{left - _CUT:g}" y="{top - _CUT:g}" width="{2 * _CUT:g}" height="{2 * _CUT:g}"/>'
        if part.symbol is None:
            anchor, away = ("start", 6.0) if side == LEFT else ("end", -6.0)
            # The line of a cut continues inside a part that is shown; the label is above it.
            below = -3.0 if part.parts else 4.0
            words = escaped(label_of(cut))
            yield f'<text class="label" x="{left + away:g}" y="{top + below:g}" text-anchor="{anchor}">{words}</text>'
        yield "</g>"


def _net(placed: Placed, segments: Segments, corner: tuple[float, float], depth: int) -> Iterator[str]:
    """The lines of a net, which tell on hover what they join."""
    model, net, moved = placed.part, segments.net, segments.moved(*corner)
    kind = "net equations" if net.kind == EQUATIONS else f"net {net.kind}"
    ends = _ends(model, net)
    yield f'<g class="{kind}" data-in={quoted(model.path)} data-ends={quoted(" ".join(ends))}>'
    yield f"<title>{escaped(_title(net, ends))}</title>"
    path = "".join(f"M{s.x1:g} {s.y1:g}{f'H{s.x2:g}' if s.y1 == s.y2 else f'V{s.y2:g}'}" for s in moved.lines)
    yield f'<path class="near" d="{path}"/>'
    places = _places(placed, net, corner, depth)
    if net.bond is not None:
        yield from _bond(net.bond, path, [(x, y, dx) for x, y, dx, _ in places])
    else:
        yield f'<path d="{path}"/>'
    for port, (x, y, dx, dy) in zip(net.ports, places, strict=True):
        if port in net.targets and (dx or dy):
            (ax, ay), (bx, by) = ((x - 8 * dx + s * 3.5 * dy, y - 8 * dy + s * 3.5 * dx) for s in (1, -1))
            yield f'<path class="head" d="M{x:g} {y:g}L{ax:g} {ay:g}L{bx:g} {by:g}z"/>'
    for x, y in moved.dots:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="2.8"/>'
    yield "</g>"


def _places(
    placed: Placed, net: Net, corner: tuple[float, float], depth: int
) -> list[tuple[float, float, float, float]]:
    """The place of each port of a net, and the direction in which its line arrives; 0 at the border of a model inside,
    where the line continues on the other side."""
    found: list[tuple[float, float, float, float]] = []
    for port in net.ports:
        own = port.part == OWN
        part = None if own else placed.part.parts[port.part]
        x, y, at = next((inner for inner in placed.inner if inner[2].part is part), (0.0, 0.0, placed))
        if port.cut in at.pins:
            pin = at.pins[port.cut]
            found.append((x + corner[0] + pin.x, y + corner[1] + pin.y, -pin.dx, -pin.dy))
            continue
        is_left = at.ports.side[port.cut] == LEFT
        way = 1.0 if is_left != own else -1.0
        x += corner[0] + (0.0 if is_left else at.width)
        continues = depth > 0 if own else bool(at.part.parts)
        found.append((x, y + corner[1] + at.ports.height[port.cut], 0.0 if continues else way, 0.0))
    return found


def _bond(bond: Bond, path: str, ends: list[tuple[float, float, float]]) -> Iterator[str]:
    """The line, double for a vector, the half arrow and the strokes; with both, the number of elements at each."""
    yield f'<path class="{"several" if bond.size > 1 else "single"}" d="{path}"/>'
    if bond.size > 1:
        yield f'<path class="between" d="{path}"/>'
    for (x, y, way), stroke in zip(ends, bond.strokes, strict=True):
        if stroke and way:
            yield f'<path class="stroke" d="M{x - 2 * way:g} {y - 7:g}V{y + 7:g}"/>'
            if all(bond.strokes):
                yield f'<text class="label" x="{x - 7 * way:g}" y="{y + 11:g}" text-anchor="middle">{stroke}</text>'
    x, y, way = ends[1]
    if way:
        yield f'<path class="half" d="M{x - 3 * way:g} {y:g}L{x - 12 * way:g} {y - 6:g}"/>'


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
