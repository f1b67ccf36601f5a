"""Writes the incidence of a model as SVG: a square for each unknown in an equation, boxes around the blocks."""

from __future__ import annotations

from collections.abc import Iterator

from cutset.api.diagram.blocks import Matrix
from cutset.api.diagram.markup import STYLE_OF_TEXT, escaped, page
from cutset.api.diagram.sizes import CUT_SIZE, short, width_of
from cutset.runtime.counted import counted

_SIDE = 720.0
_LARGEST, _SMALLEST = 16.0, 0.5
# Names are written if there is room for them.
_READABLE = 9.0
_MARGIN = 14.0
_LONGEST_TITLE = 200
# With more entries than this the squares of a row are one shape with the title of the row; with still more they have
# no title.
_TITLED, _BY_ROW = 3000, 60_000
_STYLE = f"""{STYLE_OF_TEXT}
.head{{font-size:12px;font-weight:bold}}
.label{{font-size:{CUT_SIZE:g}px;fill:#57606a}}
.torn{{fill:#b3541e}}
.entry{{fill:#1f5fa8}}
.matched{{fill:#0b2f5c}}
.block{{fill:#dfe9f5;stroke:#1f5fa8;stroke-width:1}}
.iteration{{fill:#f6ddc9}}
.frame{{fill:none;stroke:#57606a}}
.strip{{fill:#eef1f4}}
@media (prefers-color-scheme:dark){{.page{{fill:#15191e}}text{{fill:#e6e9ed}}.label{{fill:#9aa4af}}.torn{{fill:#f0a06a}}
.entry{{fill:#4f8fd6}}.matched{{fill:#d8e8fb}}.block{{fill:#1d2b3d}}.iteration{{fill:#4a3020}}.strip{{fill:#2d333b}}}}"""


def blocks_svg(matrix: Matrix) -> str:
    """The picture. Equations are rows, unknowns columns; hovering shows their texts."""
    count = len(matrix.unknowns)
    cell = min(_LARGEST, max(_SMALLEST, _SIDE / max(count, 1)))
    shown = cell >= _READABLE
    names = [short(name) for name in matrix.unknowns] if shown else []
    room = max((width_of(name, CUT_SIZE) for name in names), default=0.0) + 8.0
    left, top = _MARGIN + room, _MARGIN + 22.0 + room
    drawing = _Drawing(matrix, cell, left, top)
    lines = [f'<text class="head" x="{_MARGIN:g}" y="{_MARGIN + 10:g}">{escaped(_heading(matrix))}</text>']
    lines += drawing.blocks()
    lines += drawing.strips(names)
    lines += drawing.entries()
    lines.append(f'<rect class="frame" x="{left:g}" y="{top:g}" width="{cell * count:g}" height="{cell * count:g}"/>')
    lines += drawing.legend(top + cell * count + 18.0)
    least = max(width_of(_heading(matrix), 13.0) + 2 * _MARGIN, 480.0)
    return page(max(left + cell * count + _MARGIN, least), top + cell * count + 32.0, _STYLE, lines)


def _heading(matrix: Matrix) -> str:
    systems = [block for block in matrix.blocks if block.size > 1]
    largest = max(systems, key=lambda block: block.size, default=None)
    words = f"{short(matrix.name)}: {counted(len(matrix.unknowns), 'equation')}, {counted(len(matrix.blocks), 'block')}"
    if largest is not None:
        words += f", the largest of {largest.size} with {counted(largest.torn, 'iteration variable')}"
    return words


class _Drawing:
    """The parts of the picture; `cell` is the size of an entry, `left` and `top` the place of the first one."""

    def __init__(self, matrix: Matrix, cell: float, left: float, top: float):
        self._matrix = matrix
        self._cell, self._left, self._top = cell, left, top
        self._side = cell * len(matrix.unknowns)
        self._torn = {
            k for block in matrix.blocks for k in range(block.first + block.size - block.torn, block.first + block.size)
        }

    def _x(self, column: int) -> float:
        return self._left + self._cell * column

    def _y(self, row: int) -> float:
        return self._top + self._cell * row

    def blocks(self) -> Iterator[str]:
        """A box for each block of several equations or with an iteration variable, and its iteration variables."""
        for number, block in enumerate(self._matrix.blocks, start=1):
            if block.size == 1 and not block.torn:
                continue
            x, y, side = self._x(block.first), self._y(block.first), self._cell * block.size
            torn = block.first + block.size - block.torn
            title = f"block {number}: {counted(block.size, 'equation')}"
            if block.torn:
                title += f", iteration variables {', '.join(self._matrix.unknowns[torn : torn + block.torn][:12])}"
            yield f'<g data-block="{number}" data-size="{block.size}" data-torn="{block.torn}">'
            yield f"<title>{escaped(_cut(title))}</title>"
            yield f'<rect class="block" x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}"/>'
            if block.torn:
                width = self._cell * block.torn
                yield f'<rect class="iteration" x="{self._x(torn):g}" y="{y:g}" width="{width:g}" height="{side:g}"/>'
            yield "</g>"

    def strips(self, names: list[str]) -> Iterator[str]:
        """The names of equations on the left and of unknowns above, or strips that show them on hover."""
        cell, width = self._cell, 6.0
        for k in range(len(self._matrix.unknowns)):
            kind = "label torn" if k in self._torn else "label"
            x, y = self._x(k), self._y(k)
            row, column = escaped(self._about_row(k)), escaped(self._about_column(k))
            if names:
                name, middle = escaped(names[k]), cell / 2 + 3.0
                yield f'<text class="{kind}" x="{self._left - 6:g}" y="{y + middle:g}" text-anchor="end">{name}'
                yield f"<title>{row}</title></text>"
                turned = f'transform="translate({x + middle:g} {self._top - 6:g}) rotate(-90)"'
                yield f'<text class="{kind}" {turned}>{name}<title>{column}</title></text>'
            elif len(self._matrix.unknowns) <= _TITLED:
                yield f'<rect class="strip" x="{self._left - 8:g}" y="{y:g}" width="{width:g}" height="{cell:g}">'
                yield f"<title>{row}</title></rect>"
                yield f'<rect class="strip" x="{x:g}" y="{self._top - 8:g}" width="{cell:g}" height="{width:g}">'
                yield f"<title>{column}</title></rect>"

    def _about_row(self, k: int) -> str:
        return f"equation {k + 1}: {_cut(self._matrix.equations[k])}\n{self._matrix.places[k]}"

    def _about_column(self, k: int) -> str:
        torn = ", an iteration variable" if k in self._torn else ""
        return f"unknown {k + 1}: {_cut(self._matrix.unknowns[k])}{torn}"

    def entries(self) -> Iterator[str]:
        """The squares. The unknown that an equation determines is darker."""
        count = sum(map(len, self._matrix.entries))
        if count > _BY_ROW:
            rows = (self._path(row, entries) for row, entries in enumerate(self._matrix.entries))
            yield f'<path class="entry" d="{"".join(rows)}"/>'
            return
        for row, entries in enumerate(self._matrix.entries):
            if count > _TITLED:
                yield f'<path class="entry" d="{self._path(row, entries)}"><title>{escaped(self._about_row(row))}'
                yield "</title></path>"
                continue
            for column in entries:
                kind = "matched" if column == row else "entry"
                title = escaped(f"{self._about_column(column)}\n{self._about_row(row)}")
                yield f'<path class="{kind}" d="{self._square(row, column)}"><title>{title}</title></path>'

    def _path(self, row: int, entries: tuple[int, ...]) -> str:
        return "".join(self._square(row, column) for column in entries)

    def _square(self, row: int, column: int) -> str:
        gap = min(self._cell * 0.1, max(self._cell - 1.0, 0.0))
        side = max(self._cell - 2 * gap, 1.0)
        return f"M{self._x(column) + gap:g} {self._y(row) + gap:g}h{side:g}v{side:g}h{-side:g}z"

    def legend(self, y: float) -> Iterator[str]:
        """What the colors mean."""
        x = _MARGIN
        for kind, words in (
            ("matched", "the unknown that is solved for"),
            ("entry", "another unknown"),
            ("block", "block"),
            ("iteration", "iteration variable"),
        ):
            yield f'<rect class="{kind}" x="{x:g}" y="{y - 8:g}" width="9" height="9"/>'
            yield f'<text class="label" x="{x + 13:g}" y="{y:g}">{words}</text>'
            x += 27.0 + width_of(words, CUT_SIZE)


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST_TITLE else f"{words[:_LONGEST_TITLE]} ..."
